/* The mesh of 4,055 waters in a box of 49.6 A (12,165 charges): sorting, spreading, transforms, gathering. */
#ifndef HOLONOM_APP_BENCH_MESH_H
#define HOLONOM_APP_BENCH_MESH_H

#include "engine/isa.h"
#include "engine/status.h"

/* Prints a line a figure: name, value, unit; on `threads` threads. Errors: STATUS_MEMORY. */
Status bench_mesh_print(Isa isa, int threads, Error *error);

#endif
