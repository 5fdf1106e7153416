/* Neighbour lists and the force of water on water in a periodic box. */
#ifndef HOLONOM_APP_BENCH_PAIRS_H
#define HOLONOM_APP_BENCH_PAIRS_H

#include "engine/isa.h"
#include "engine/kind.h"
#include "engine/status.h"

/* x[n][3][3]: rigid waters on a cubic lattice that fills the box, jittered a little and turned at random, no
 * two atoms of different ones within 1.2 A. kind: of three sites. STATUS_INPUT if there is no room. */
Status bench_pairs_lattice(const Kind *kind, int n, const double length[3], unsigned long seed, double *x,
                           Error *error);

/* Prints a line a figure: name, value, unit; one core. Errors: STATUS_MEMORY, STATUS_RUN. */
Status bench_pairs_print(Isa isa, Error *error);

#endif
