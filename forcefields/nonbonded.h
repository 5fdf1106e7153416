/* Options of the forces between sites of different molecules: truncation at the cutoff, and the treatment of
 * charges. The same description passes from the keys of the input to the kernels. */
#ifndef HOLONOM_FORCEFIELDS_NONBONDED_H
#define HOLONOM_FORCEFIELDS_NONBONDED_H

#include <stdbool.h>

#include "base/status.h"

/* The truncation of Lennard-Jones: V its energy, rc the cutoff, rs the start of a switch. */
typedef enum Truncation {
  TRUNCATION_PLAIN,        /* V for r < rc */
  TRUNCATION_SHIFT,        /* V - V(rc) for r < rc: the forces of plain */
  TRUNCATION_SWITCH,       /* V (1 - 10 t^3 + 15 t^4 - 6 t^5), t = (r - rs)/(rc - rs) clamped to 0..1 */
  TRUNCATION_SWITCH_PAIRS, /* the same factor for the whole interaction of two waters, with charges: conserves
                              energy strictly; waters only, cut by molecule */
  TRUNCATION_FORCE_SWITCH, /* to each power's force adds a cubic from rs, zero at rc: see LjBend */
  TRUNCATION_AUTO          /* not chosen yet; invalid for forces */
} Truncation;
extern const char *const nonbonded_truncations[]; /* in this order; the last is NULL */

typedef enum Coulomb {
  COULOMB_PME,            /* an Ewald sum with a mesh */
  COULOMB_EWALD,          /* the plain Ewald sum in double: the slow reference */
  COULOMB_REACTION_FIELD, /* a medium of `permittivity` beyond the cutoff */
  COULOMB_CUTOFF,         /* plain Coulomb, none beyond the cutoff */
  COULOMB_NONE            /* no charges */
} Coulomb;
extern const char *const nonbonded_coulombs[]; /* without COULOMB_NONE; the last is NULL */

/* Zeros: chosen as in periodic.h. Lengths in A. */
typedef struct Nonbonded {
  double cutoff;
  bool by_atom; /* the cutoff is on the distance of sites, else of molecules' first sites */
  Truncation truncation;
  double switch_width; /* of a switch, ending at the cutoff */
  bool tail;           /* correct energy and pressure for Lennard-Jones beyond the cutoff */
  Coulomb coulomb;
  double accuracy;     /* of an Ewald sum: RMS error of the force vector, kcal/mol/A */
  double beta;         /* of an Ewald sum, 1/A */
  int order, grid[3];  /* of the mesh */
  double permittivity; /* of the reaction field, at least 1; INFINITY: a conductor */
  double buffer;       /* of the lists */
  bool mixed;          /* pairs and mesh in float, else in double */
} Nonbonded;

/* Whether the truncation modifies Lennard-Jones from cutoff - switch_width on. */
static inline bool truncation_switches(Truncation truncation)
{
  return truncation >= TRUNCATION_SWITCH && truncation <= TRUNCATION_FORCE_SWITCH;
}

/* Whether charges interact by the real part of an Ewald sum within the cutoff. */
static inline bool coulomb_splits(Coulomb coulomb) { return coulomb <= COULOMB_EWALD; }

/* Replaces zeros: cutoff 9 A, switch_width 1 A. */
void nonbonded_choose_cut(Nonbonded *options);

/* The truncation of Lennard-Jones, by the distance of sites or of molecules' first sites. */
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

/* nonbonded_check_cut: the cutoff is positive and a switch begins within it. nonbonded_check: also that
 * switching of whole pairs is by molecule, and the numbers for charges. STATUS_INPUT: Error.option names the
 * option: "cutoff", "switch", "truncation", "beta", "permittivity". */
Status nonbonded_check_cut(const LjCut *cut, Error *error);
Status nonbonded_check(const Nonbonded *options, Error *error);

/* The factor of TRUNCATION_SWITCH for t = (r - rs)/(rc - rs) in 0 to 1. */
static inline double lj_switch_factor(double t) { return 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t)); }

/* TRUNCATION_FORCE_SWITCH of r^-n, with x = r - rs, 0 before rs: force n/r^(n+1) + a x^2 + b x^3, energy r^-n
 * - a x^3/3 - b x^4/4 - shift. Energy, force and slope of the force are zero at rc (docs/theory.md; GROMACS
 * manual, "Modified non-bonded interactions"). */
typedef struct LjBend {
  double a, b, shift;
} LjBend;

/* Zeros for any other truncation. */
LjBend nonbonded_bend(const LjCut *cut, int n);

/* The constant subtracted from the energy of A/r^12 - C/r^6 at every distance; lj[2] = A and C. */
double nonbonded_shift(const LjCut *cut, const double lj[2]);

#endif
