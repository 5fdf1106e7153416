/* The pair force in float: coordinates relative to the middle of the cluster, forces of one molecule or one
 * chunk summed up in float, and these added to the state's doubles. Energies are left to the kernels in
 * double. */
#define PAIR_FLOATS
#include "forcefields/pair_instances.h"

extern const PairKernels ISA_SYMBOL(pair_mixed_table);
const PairKernels ISA_SYMBOL(pair_mixed_table) = PAIR_TABLE;
