/* What the benchmarks have in common: a rate, taken as the best of several runs of some length. */
#ifndef HOLONOM_BENCH_BENCH_H
#define HOLONOM_BENCH_BENCH_H

#include "simulation/ensemble.h"

/* Replica-steps per second of an ensemble that is ready to run. */
Status bench_rate(Ensemble *ensemble, double *rate, Error *error);

#endif
