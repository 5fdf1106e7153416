/* Identifies the numerics of a build, for checkpoints. */
#ifndef HOLONOM_SIMULATION_PARTS_NUMERICS_H
#define HOLONOM_SIMULATION_PARTS_NUMERICS_H

enum { NUMERICS_SIZE = 16 };

/* The first digits of a digest (SHA-256) of the sources that a run's bits depend on, the compiler and its
 * flags, made by the build (cmake/numerics.cmake). It covers all modules from engine to simulation; modules
 * that only read and write files (io) or show results (html, cmd, bench) are excluded. Any change in a
 * covered module counts. Builds with the same digest give the same bits on one instruction set, as far as the
 * system libraries (LAPACK, FFTW, the C library) do. */
extern const char numerics_digest[NUMERICS_SIZE];

#endif
