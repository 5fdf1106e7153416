/* Hanging chains of links in the plane, kept by each constraint solver: the time per link against their
 * number. */
#ifndef HOLONOM_BENCH_BENCH_CHAIN_H
#define HOLONOM_BENCH_BENCH_CHAIN_H

#include "engine/isa.h"
#include "engine/status.h"

/* Prints a line a figure: name, value, unit; one core. Errors: STATUS_MEMORY, STATUS_RUN. */
Status bench_chain_print(Isa isa, Error *error);

#endif
