/* Which numbers this build computes.
 *
 * A digest of the sources that bits depend on (all modules but io, html, cmd and bench), the compiler and its
 * flags, made by the build: checkpoints hold it. */
#ifndef HOLONOM_SIMULATION_PARTS_NUMERICS_H
#define HOLONOM_SIMULATION_PARTS_NUMERICS_H

enum { NUMERICS_SIZE = 16 };

/* The first digits of a digest (SHA-256) over the sources that the bits of a run depend on, the compiler and
 * its flags, made by the build (cmake/numerics.cmake). The rule: all modules are in it, engine to simulation,
 * but those that only read and write files (io) or show what there is (html, cmd, bench); whether a
 * change within a module matters to a number is not asked. Two builds that share it give the same bits on one
 * instruction set, as far as the libraries of the system (LAPACK, FFTW, the C library) do. */
extern const char numerics_digest[NUMERICS_SIZE];

#endif
