/* The letters of words, each the flow of one part of the equations; the simple ones on one pack, and kinetic
 * energy. */
#ifndef HOLONOM_INTEGRATORS_LETTERS_H
#define HOLONOM_INTEGRATORS_LETTERS_H

#include <stdbool.h>

#include "engine/isa.h"
#include "engine/state.h"

/* The properties of a letter, for the compiler of words, the harmonic model (oscillator.h) and listings. */
typedef struct Letter {
  char name;
  const char *doc;
  bool moves;     /* it moves positions: forces must be computed again */
  unsigned kicks; /* it changes momenta by forces of these groups (engine/force.h) */
  bool noise;     /* it draws random momenta on the tangent space */
} Letter;

/* All letters, ended by a row whose name is 0. */
extern const Letter letter_table[];

const Letter *letter_find(char name); /* NULL: unknown letter */

typedef struct LetterKernels {
  void (*kick)(double t, Pack *pack);              /* B: p += t f                      */
  void (*drift)(double t, Pack *pack);             /* A without constraints: q += t M^-1 p */
  void (*kinetic)(const Pack *pack, Vec8 *energy); /* *energy = 1/2 p' M^-1 p per lane */
  void (*heat)(double sign, Pack *pack);           /* heat += sign * kinetic energy, active lanes */
  /* Bits of active lanes in which a site moves further than `limit` (A) in a step h, or is NaN. */
  unsigned (*wild)(double h, double limit, const Pack *pack);
} LetterKernels;

const LetterKernels *letter_kernels(Isa isa);

#endif
