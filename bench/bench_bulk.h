/* Benchmarks of periodic water: whole time steps, and what they consist of. */
#ifndef HOLONOM_BENCH_BENCH_BULK_H
#define HOLONOM_BENCH_BENCH_BULK_H

#include "engine/isa.h"
#include "engine/status.h"

/* Boxes of 884, 4,055 and 32,773 TIP3P waters: Langevin dynamics at 298.15 K in steps of 2 fs, rigid
 * molecules, pairs to 9 A and a mesh, mixed precision, the force error wished for that of GROMACS as it is
 * usually run. */
Status bench_bulk_print(Isa isa, int threads, Error *error);

/* The same of 33,333 and of 333,333 waters: time and memory for each atom. */
Status bench_bulk_million(Isa isa, int threads, Error *error);

#endif
