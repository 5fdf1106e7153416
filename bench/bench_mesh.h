/* The mesh, from states and back, for waters as dense as the liquid: sorting, spreading, transforms,
 * gathering, conversions as parts of the first and the last. */
#ifndef HOLONOM_BENCH_BENCH_MESH_H
#define HOLONOM_BENCH_BENCH_MESH_H

#include "engine/isa.h"
#include "engine/status.h"

/* Prints a line a figure: name, value, unit; on `threads` threads. Errors: STATUS_MEMORY. */
Status bench_mesh_print(Isa isa, int threads, Error *error);

#endif
