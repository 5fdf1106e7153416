/* The plain letters on one pack, and kinetic energy. */
#ifndef HOLONOM_INTEGRATORS_LETTERS_H
#define HOLONOM_INTEGRATORS_LETTERS_H

#include "engine/isa.h"
#include "engine/state.h"

typedef struct LetterKernels {
  const char *isa;
  void (*kick)(double t, Pack *pack);               /* B: p += t f                      */
  void (*drift)(double t, Pack *pack);              /* A without constraints: q += t M^-1 p */
  void (*kinetic)(const Pack *pack, Octet *energy); /* *energy = 1/2 p' M^-1 p per lane */
  void (*heat)(double sign, Pack *pack);            /* heat += sign * kinetic energy, active lanes */
  /* Bits of active lanes in which a site moves further than `limit` (A) in a step h, or is no number. */
  unsigned (*wild)(double h, double limit, const Pack *pack);
} LetterKernels;

const LetterKernels *letter_kernels(Isa isa);

#endif
