/* The pair force in double. */
#include "forcefields/pair_instances.h"

extern const PairKernels ISA_SYMBOL(pair_double_table);
const PairKernels ISA_SYMBOL(pair_double_table) = PAIR_TABLE;
