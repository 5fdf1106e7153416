/* How forces between sites of different molecules end at the cutoff, and how charges act beyond it. One
 * description, which is handed down unchanged from the keys of the input to the kernels. */
#ifndef HOLONOM_FORCEFIELDS_NONBONDED_H
#define HOLONOM_FORCEFIELDS_NONBONDED_H

#include <stdbool.h>

#include "base/status.h"

/* How Lennard-Jones ends, V its energy, rc the cutoff, rs where a switch begins. */
typedef enum Truncation {
  TRUNCATION_PLAIN,        /* V for r < rc                                                              */
  TRUNCATION_SHIFT,        /* V - V(rc) for r < rc: forces as with plain                                */
  TRUNCATION_SWITCH,       /* V (1 - 10 t^3 + 15 t^4 - 6 t^5), t = (r - rs)/(rc - rs) clamped to 0..1   */
  TRUNCATION_SWITCH_PAIRS, /* the same for all of a pair of waters, its charges too: energy is conserved
                            * strictly; waters alone, cut by molecule                                   */
  TRUNCATION_FORCE_SWITCH, /* of each power its force and a cubic from rs on, to zero at rc: see LjBend */
  TRUNCATION_AUTO          /* not chosen yet; forces do not take it                                     */
} Truncation;
extern const char *const nonbonded_truncations[]; /* in this order; the last is NULL */

typedef enum Coulomb {
  COULOMB_PME,            /* an Ewald sum with a mesh                                       */
  COULOMB_EWALD,          /* the plain Ewald sum in double: a reference, slow               */
  COULOMB_REACTION_FIELD, /* a medium of `permittivity` beyond the cutoff                   */
  COULOMB_CUTOFF,         /* nothing beyond the cutoff                                      */
  COULOMB_NONE            /* there are no charges                                           */
} Coulomb;
extern const char *const nonbonded_coulombs[]; /* of all but the last; its end is NULL */

/* Zeros mean: chosen (periodic.h says what). Lengths in A. */
typedef struct Nonbonded {
  double cutoff;
  bool by_atom; /* it applies to the distance of two sites; else of two molecules' first sites */
  Truncation truncation;
  double switch_width; /* of a switch, inwards from the cutoff                                 */
  bool tail;           /* energy and pressure are corrected for Lennard-Jones beyond the cutoff */
  Coulomb coulomb;
  double accuracy;     /* of an Ewald sum: RMS error of a force, kcal/mol/A, the length of the vector */
  double beta;         /* of an Ewald sum, 1/A                                                 */
  int order, grid[3];  /* of the mesh                                                          */
  double permittivity; /* of the reaction field, at least 1; INFINITY: a conductor             */
  double buffer;       /* of the lists                                                         */
  bool mixed;          /* pairs and mesh in float, else all in double                          */
} Nonbonded;

/* Whether Lennard-Jones begins to end before the cutoff, at cutoff - switch_width. */
static inline bool truncation_switches(Truncation truncation)
{
  return truncation >= TRUNCATION_SWITCH && truncation <= TRUNCATION_FORCE_SWITCH;
}

/* Whether charges within the cutoff have the real part of an Ewald sum. */
static inline bool coulomb_splits(Coulomb coulomb) { return coulomb <= COULOMB_EWALD; }

/* Where Lennard-Jones ends, by the distance of two sites or of two molecules' first ones. */
typedef struct LjCut {
  Truncation truncation;
  double cutoff, from; /* A; from: rs of a switch */
} LjCut;

static inline LjCut nonbonded_lj_cut(const Nonbonded *options)
{
  const Truncation own = options->truncation;
  return (LjCut){own == TRUNCATION_SWITCH_PAIRS ? TRUNCATION_SWITCH : own, options->cutoff,
                 options->cutoff - options->switch_width};
}

/* Checks that the cutoff is positive and that a switch begins within it; of all options besides that whole
 * pairs end by molecule, and the numbers of charges. STATUS_INPUT: Error.option names the option: "cutoff",
 * "switch", "truncation", "beta", "permittivity". */
Status nonbonded_check_cut(const LjCut *cut, Error *error);
Status nonbonded_check(const Nonbonded *options, Error *error);

/* The factor of TRUNCATION_SWITCH for t = (r - rs)/(rc - rs) from 0 to 1. */
static inline double lj_switch_factor(double t) { return 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t)); }

/* TRUNCATION_FORCE_SWITCH of r^-n, with x = r - rs, 0 before rs: force n/r^(n+1) + a x^2 + b x^3, energy r^-n
 * - a x^3/3 - b x^4/4 - shift, which end at rc, the force with its slope (docs/theory.md; GROMACS's manual,
 * "Modified non-bonded interactions"). */
typedef struct LjBend {
  double a, b, shift;
} LjBend;

/* Zeros with any other truncation. */
LjBend nonbonded_bend(const LjCut *cut, int n);

/* What is taken off the energy of A/r^12 - C/r^6, lj[2] = A and C, at every distance. */
double nonbonded_shift(const LjCut *cut, const double lj[2]);

#endif
