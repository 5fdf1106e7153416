/* Pairs of atoms in open space in float: coordinates relative to the middle of the cluster, forces of one
 * atom or one chunk summed up in float, and these added to the state's doubles. */
#define PAIR_FLOATS
#include "forcefields/open_pairs_loops.h"

const OpenPairsKernels ISA_SYMBOL(open_pairs_mixed_table) = OPEN_PAIRS_TABLE;
