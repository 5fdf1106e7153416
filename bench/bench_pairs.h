/* Neighbour lists and the force of water on water in a periodic box. */
#ifndef HOLONOM_BENCH_BENCH_PAIRS_H
#define HOLONOM_BENCH_BENCH_PAIRS_H

#include "engine/isa.h"
#include "engine/status.h"

/* Prints a line a figure: name, value, unit; one core. Errors: STATUS_MEMORY, STATUS_RUN. */
Status bench_pairs_print(Isa isa, Error *error);

#endif
