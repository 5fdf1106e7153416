/* Plain Ewald sum in double: what every faster route to the forces of a periodic system is compared with.
 *
 * Sites with charges, in molecules, in an orthorhombic box with a conductor around it (no dipole term). The
 * parts, C = UNITS_COULOMB, a = the splitting parameter:
 *
 *   lj              sum over pairs of sites of different molecules, A/r^12 - C/r^6, to the cutoff
 *   lj_tail         what the cutoff leaves out, where all is uniform beyond it (g = 1)
 *   real            C q q erfc(a r)/r over pairs of sites of different molecules, to the real-space cutoff
 *   real_tail       what the cutoff leaves out of pairs of molecules that are cut whole, in the mean
 * (mixture.h) reciprocal      2 pi C/V sum_{k != 0} exp(-k^2/4a^2)/k^2 |S(k)|^2, S(k) = sum q exp(i k.x), |k|
 * <= kmax self            -C a/sqrt(pi) sum q^2 intramolecular  -C q q erf(a r)/r over pairs of sites of one
 * molecule: takes out of the reciprocal part the pairs inside molecules, which do not interact
 *
 * (Ewald, Ann. Phys. 369, 253 (1921); Allen and Tildesley, Computer Simulation of Liquids, 6.2; virial: Nose
 * and Klein, Mol. Phys. 50, 1055 (1983).)
 *
 * The virial is W_ab = -dE/d(strain_ab), lengths multiplied by 1 + strain, so that P = (2 K + tr W)/(3 V): by
 * atom when all coordinates are scaled with the box, by molecule when only the molecules' centres of mass
 * are.
 *
 * The sum inside a molecule takes its coordinates as they are, so molecules must be whole; where they lie
 * does not matter. A team shares the work, and the bits do not depend on its size. */
#ifndef HOLONOM_FORCEFIELDS_EWALD_H
#define HOLONOM_FORCEFIELDS_EWALD_H

#include <stdbool.h>

#include "engine/box.h"
#include "engine/team.h"
#include "forcefields/water.h"

enum {
  EWALD_LJ,
  EWALD_LJ_TAIL,
  EWALD_REAL,
  EWALD_REAL_TAIL,
  EWALD_RECIPROCAL,
  EWALD_SELF,
  EWALD_INTRAMOLECULAR,
  EWALD_TERMS
};

/* Their names in this order. */
extern const char *const ewald_terms[EWALD_TERMS];

typedef enum EwaldTruncation {
  EWALD_PLAIN, /* V for r < rc                                                                        */
  EWALD_SHIFT, /* V - V(rc) for r < rc: forces as with plain                                          */
  EWALD_SWITCH /* V (1 - 10 t^3 + 15 t^4 - 6 t^5), t = (r - rs)/(rc - rs) clamped to 0..1             */
} EwaldTruncation;

/* The factor of EWALD_SWITCH for t = (r - rs)/(rc - rs) from 0 to 1. */
static inline double ewald_switch(double t) { return 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t)); }

/* What interacts. All is copied. */
typedef struct EwaldSystem {
  int nmol;
  const int *first;      /* [nmol + 1] first site of each molecule, and their number                  */
  const double *charge;  /* [nsite] e; their sum must be 0                                            */
  const double *mass;    /* [nsite] g/mol, for the centres; 0 for massless sites, not all of a molecule */
  const int *type;       /* [nsite] 0..ntype-1                                                        */
  int ntype;             /*                                                                           */
  const double (*lj)[2]; /* [ntype*ntype] symmetric: A and C of A/r^12 - C/r^6, kcal A^n/mol          */
} EwaldSystem;

typedef struct EwaldOptions {
  /* Error of forces relative to C q^2/d^2 with the mean q^2 and distance d of the sites, which is about the
   * mean force in water, 1e-12 to 0.1; energies are as good relative to C/d times the sum of q^2. */
  double accuracy;
  double alpha;     /* 1/A; 0: chosen                                                                   */
  double cutoff;    /* of the real part, A, at most half the shortest length; 0: chosen                  */
  double kmax;      /* of the reciprocal part, 1/A; 0: chosen                                            */
  double lj_cutoff; /* A, at most half the shortest length; 0 only without Lennard-Jones                 */
  double lj_switch; /* A: rs of EWALD_SWITCH                                                             */
  EwaldTruncation truncation; /* of Lennard-Jones                                                        */
  /* The cutoff is on the distance of two molecules' first sites (O-O), and V is multiplied by the switching
   * function of that; otherwise on that of the two sites. */
  bool lj_by_molecule;
  /* The same for the real part, for comparison with routes that do so; then only an alpha and a cutoff of
   * one's own give the accuracy, as sites may be nearer than the cutoff by two bonds. */
  bool real_by_molecule;
} EwaldOptions;

typedef struct EwaldResult {
  double energy[EWALD_TERMS];   /* kcal/mol */
  double virial_atom[3][3];     /* kcal/mol, symmetric */
  double virial_molecule[3][3]; /* kcal/mol; row: force, column: displacement */
  EwaldOptions options;         /* with all that was chosen */
} EwaldResult;

typedef struct Ewald Ewald;

/* Errors, STATUS_INPUT: the box is open, too small for the cutoffs or for a molecule; the charges do not sum
 * to zero; an option that is out of range; STATUS_MEMORY. */
Status ewald_create(Ewald **ewald, const EwaldSystem *system, const Box *box, const EwaldOptions *options,
                    Error *error);
void ewald_free(Ewald *w);

/* Energies and virial at x[nsite][3], and forces f[nsite][3] unless NULL, all overwritten. All members of the
 * team call it with the same arguments and get the same status. STATUS_INPUT with molecules counted from 1: a
 * coordinate that is not finite, two sites of different molecules within 0.5 A, a molecule as large as half
 * the box. */
Status ewald_compute(Ewald *w, const Team *team, const double *x, double *f, EwaldResult *result,
                     Error *error);

#endif
