/* Pairs of atoms in open space in float: coordinates relative to the mean position; forces of one atom or
 * chunk are summed in float, and added to the state's doubles. */
#define PAIR_FLOATS
#include "forcefields/open_pairs_loops.h"

const OpenPairsKernels ISA_SYMBOL(open_pairs_mixed_table) = OPEN_PAIRS_TABLE;
