/* Pairs of atoms in open space in double. */
#include "forcefields/open_pairs_loops.h"

const OpenPairsKernels ISA_SYMBOL(open_pairs_double_table) = OPEN_PAIRS_TABLE;
