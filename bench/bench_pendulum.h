/* The planar double pendulum of Tao & Owhadi (2015), sec. 4.1, as a measure of speed. */
#ifndef HOLONOM_BENCH_BENCH_PENDULUM_H
#define HOLONOM_BENCH_BENCH_PENDULUM_H

#include "engine/isa.h"
#include "engine/status.h"

/* Prints a line a figure: name, value, unit. One trajectory on one core by each method at h = 0.1, and an
 * ensemble of 10,000 initial conditions by Zhang-Skeel on all threads. Errors: STATUS_MEMORY, STATUS_RUN. */
Status bench_pendulum_print(Isa isa, int threads, Error *error);

#endif
