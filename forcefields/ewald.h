/* The plain Ewald sum of a state in double precision: the reference for all faster routes to the forces of
 * a periodic system.
 *
 * The system contains waters and individual atoms in a periodic box with a conducting boundary (no dipole
 * term). Terms, with C = UNITS_COULOMB and a = the splitting parameter:
 *
 *   `lj`              A/r^12 - C/r^6 between the first sites of molecules, to the cutoff;
 *   `lj_tail`         Lennard-Jones beyond the cutoff for a uniform density (g = 1);
 *   `real`            C q q erfc(a r)/r over pairs of sites of different molecules, to the real-space cutoff;
 *   `real_tail`       the mean of `real` beyond the cutoff for molecules cut as a whole;
 *   `reciprocal`      2 pi C/V sum_{k != 0} exp(-k^2/4a^2)/k^2 |S(k)|^2, S(k) = sum q exp(i k.x), |k| <=
 * kmax; `self`            -C a/sqrt(pi) sum q^2 - pi C Q^2/(2 V a^2), Q = sum q; `intramolecular`  -C q q
 * erf(a r)/r over pairs of sites of one molecule: removes their interaction from the reciprocal part.
 *
 * The second part of `self` is the energy of a uniform background that neutralises a net charge Q; without
 * it the energy would depend on a (Hummer, Pratt and Garcia, J. Phys. Chem. 100, 1206 (1996)).
 *
 * An individual atom (atoms.h) counts as a molecule of one site. `intramolecular` includes excluded pairs
 * of atoms at their nearest image.
 *
 * Sources: Ewald, Ann. Phys. 369, 253 (1921); Allen and Tildesley, Computer Simulation of Liquids, 6.2;
 * virial: Nose and Klein, Mol. Phys. 50, 1055 (1983).
 *
 * The virial is W_ab = -dE/d(strain_ab), with lengths multiplied by 1 + strain: P = (2 K + tr W)/(3 V).
 * The atomic virial scales all coordinates with the box, the molecular virial only the centres of mass of
 * molecules.
 *
 * Molecules must be whole, anywhere in space. A team shares the work: one thread computes each molecule
 * with all others, and each k vector over all sites. Results have the same bits for any team size.
 * Parameters follow from the requested accuracy by the error estimates of Kolafa and Perram. */
#ifndef HOLONOM_FORCEFIELDS_EWALD_H
#define HOLONOM_FORCEFIELDS_EWALD_H

#include <stdbool.h>

#include "engine/team.h"
#include "forcefields/nonbonded.h"
#include "forcefields/particles.h"

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

/* Names of the terms, in this order. */
extern const char *const ewald_terms[EWALD_TERMS];

typedef struct EwaldOptions {
  /* Error of forces relative to C q^2/d^2, 1e-12 to 0.1, with the mean q^2 and mean distance d of the sites
   * (about the mean force in water). Energies have this error relative to C/d times the sum of q^2. */
  double accuracy;
  double alpha;  /* 1/A; 0: chosen from the accuracy */
  double cutoff; /* of the real part, A, at most half the shortest lattice vector; 0: chosen */
  double kmax;   /* of the reciprocal part, 1/A; 0: chosen */
  LjCut lj;      /* cutoff at most half the shortest lattice vector; 0 only without Lennard-Jones */
  bool no_tail;  /* no correction for Lennard-Jones beyond the cutoff */
  /* Apply the cutoff of the real part to the distance of first sites, as routes that cut whole molecules
   * do. The accuracy then requires explicit alpha and cutoff: sites may be closer than the cutoff by two
   * bonds. */
  bool real_by_molecule;
} EwaldOptions;

typedef struct EwaldResult {
  double energy[EWALD_TERMS];   /* kcal/mol; real_tail only with real_by_molecule */
  double virial_atom[3][3];     /* kcal/mol, symmetric */
  double virial_molecule[3][3]; /* kcal/mol; row: force, column: displacement */
  EwaldOptions options;         /* including the chosen values */
  double charge;                /* the sum of all charges, e */
} EwaldResult;

typedef struct Ewald Ewald;

/* Borrows particles and box. Errors: STATUS_INPUT (the box is open or too small for the cutoffs or for a
 * molecule; an option is out of range), STATUS_MEMORY. */
Status ewald_create(Ewald **ewald, const Particles *particles, const Box *box, const EwaldOptions *options,
                    Error *error);
void ewald_free(Ewald *w);

/* Computes energies, virials and, unless f is NULL, forces f on all atoms, by block in the order of
 * state_get. f and *result are overwritten and shared by the team. All members call with the same arguments
 * and get the same status. STATUS_INPUT: a coordinate is not finite, two sites of different molecules
 * are within 0.5 A, or a molecule is as large as half the box; the message names molecules. */
Status ewald_compute(Ewald *w, const Team *team, const State *state, double *f, EwaldResult *result,
                     Error *error);

/* ewald_create and ewald_compute for one state, by one thread. */
Status ewald_alone(const Particles *particles, const State *state, const EwaldOptions *options, double *f,
                   EwaldResult *result, Error *error);

/* tail[2] = energy and each diagonal element of the virial of Lennard-Jones beyond the cutoff, for a uniform
 * density there; 0 without a cutoff. */
void ewald_tail_lj(const Particles *particles, const Box *box, const LjCut *cut, double tail[2]);

/* The tail of the real part, erfc(beta r)/r, for molecules with bonds at rest that are cut by their first
 * sites. Pairs of neutral molecules have a mean energy beyond the cutoff even averaged over all
 * orientations:
 *
 *   U(R) = sum q_i q_j <erfc(beta |R + b_j - a_i|)/|R + b_j - a_i|>  ~  s^2 lap lap erfc(beta R)/R,
 *
 * s = sum q a^2/6. The virial is the molecular one, the missing mean of R F with R between centres of
 * mass. The atomic virial lacks the same amount in the mean over a run, since the forces inside molecules
 * balance the forces on sites. In a box with individual atoms, which are cut by atom, the tail covers
 * waters only. */
void ewald_tail_real(const Particles *particles, const Box *box, double beta, const LjCut *cut,
                     double tail[2]);

/* The energy of the uniform background for a net charge (e) at a splitting parameter beta (1/A), times the
 * volume of the box, kcal A^3/mol. The energy is proportional to 1/V: each diagonal element of its virial
 * equals it. */
double ewald_background(double charge, double beta);

#endif
