/* The pair force in float: coordinates relative to the mean position; forces of one molecule or chunk are
 * summed in float, and added to the state's doubles. Energies use the kernels in double. */
#define PAIR_FLOATS
#include "forcefields/pair_instances.h"

extern const PairKernels ISA_SYMBOL(pair_mixed_table);
const PairKernels ISA_SYMBOL(pair_mixed_table) = PAIR_TABLE;
