/* Plain Ewald sum in double, of states: what every faster route to the forces of a periodic system is
 * compared with.
 *
 * Waters and single atoms, in a periodic box with a conductor around it (no dipole term).
 * The parts, C = UNITS_COULOMB, a = the splitting parameter:
 *
 *   lj              A/r^12 - C/r^6 between the first sites of molecules, to the cutoff
 *   lj_tail         what the cutoff leaves out, where all is uniform beyond it (g = 1)
 *   real            C q q erfc(a r)/r over pairs of sites of different molecules, to the real-space cutoff
 *   real_tail       what that leaves out of pairs of molecules that are cut whole, in the mean
 *   reciprocal      2 pi C/V sum_{k != 0} exp(-k^2/4a^2)/k^2 |S(k)|^2, S(k) = sum q exp(i k.x), |k| <= kmax
 *   self            -C a/sqrt(pi) sum q^2 - pi C Q^2/(2 V a^2), Q = sum q
 *   intramolecular  -C q q erf(a r)/r over pairs of sites of one molecule: takes out of the reciprocal part
 *                   the pairs inside molecules, which do not interact
 *
 * The second part of `self` is the energy of the uniform background that neutralises a net charge Q: without
 * it the energy would depend on a. (Hummer, Pratt and Garcia, J. Phys. Chem. 100, 1206 (1996).)
 *
 * Atoms one by one (atoms.h) are molecules of one site here; excluded pairs of them count as one molecule's
 * do, at the nearest image.
 *
 * (Ewald, Ann. Phys. 369, 253 (1921); Allen and Tildesley, Computer Simulation of Liquids, 6.2; virial: Nose
 * and Klein, Mol. Phys. 50, 1055 (1983).)
 *
 * The virial is W_ab = -dE/d(strain_ab), lengths multiplied by 1 + strain, so that P = (2 K + tr W)/(3 V): by
 * atom when all coordinates are scaled with the box, by molecule when only the molecules' centres of mass
 * are.
 *
 * The sum inside a molecule takes its coordinates as they are, so molecules must be whole; where they lie
 * does not matter. A team shares the work, and the bits do not depend on its size.
 *
 * Each molecule over all others and each k vector over all sites is one thread's work, in plain loops.
 * Parameters follow from the accuracy asked for, by the error estimates of Kolafa and Perram; a faster route
 * is compared part by part, at its own splitting parameter or at this one's. */
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

/* Their names in this order. */
extern const char *const ewald_terms[EWALD_TERMS];

typedef struct EwaldOptions {
  /* Error of forces relative to C q^2/d^2 with the mean q^2 and distance d of the sites, which is about the
   * mean force in water, 1e-12 to 0.1; energies are as good relative to C/d times the sum of q^2. */
  double accuracy;
  double alpha;  /* 1/A; 0: chosen                                                                      */
  double cutoff; /* of the real part, A, at most half the shortest lattice vector; 0: chosen */
  double kmax;   /* of the reciprocal part, 1/A; 0: chosen                                               */
  LjCut lj;      /* at most half the shortest lattice vector; 0 only without Lennard-Jones   */
  bool no_tail;  /* nothing stands for what the cutoff of Lennard-Jones leaves out */
  /* The cutoff of the real part is on the distance of two molecules' first sites, for comparison with routes
   * that do so; then only an alpha and a cutoff of one's own give the accuracy, as sites may be nearer than
   * the cutoff by two bonds. */
  bool real_by_molecule;
} EwaldOptions;

typedef struct EwaldResult {
  double energy[EWALD_TERMS];   /* kcal/mol; real_tail only with real_by_molecule */
  double virial_atom[3][3];     /* kcal/mol, symmetric */
  double virial_molecule[3][3]; /* kcal/mol; row: force, column: displacement */
  EwaldOptions options;         /* with all that was chosen */
  double charge;                /* the sum of all charges, e */
} EwaldResult;

typedef struct Ewald Ewald;

/* Borrows particles and box. Errors, STATUS_INPUT: the box is open, too small for the cutoffs or
 * for a molecule; an option that is out of range; STATUS_MEMORY. */
Status ewald_create(Ewald **ewald, const Particles *particles, const Box *box, const EwaldOptions *options,
                    Error *error);
void ewald_free(Ewald *w);

/* Energies and virial, and forces f on all atoms, block by block as by state_get, unless NULL; f and *result
 * are one for the team, and overwritten. All members of the team call it with the same arguments and get the
 * same status. STATUS_INPUT with molecules counted from 1: a coordinate that is not finite, two sites of
 * different molecules within 0.5 A, a molecule as large as half the box. */
Status ewald_compute(Ewald *w, const Team *team, const State *state, double *f, EwaldResult *result,
                     Error *error);

/* Both for one state, by one thread. */
Status ewald_alone(const Particles *particles, const State *state, const EwaldOptions *options, double *f,
                   EwaldResult *result, Error *error);

/* tail[2] = energy and each diagonal element of the virial of Lennard-Jones beyond the cutoff (0: there is
 * none), in a box where all is uniform there. */
void ewald_tail_lj(const Particles *particles, const Box *box, const LjCut *cut, double tail[2]);

/* The same of the real part, erfc(beta r)/r, of molecules with bonds at rest that are cut by their first
 * sites: pairs of neutral molecules have some of it beyond the cutoff even in the mean over all their
 * orientations,
 *
 *   U(R) = sum q_i q_j <erfc(beta |R + b_j - a_i|)/|R + b_j - a_i|>  ~  s^2 lap lap erfc(beta R)/R,
 *
 * s = sum q a^2/6. The virial is the one by molecule, where centres of mass follow the box: the mean of R F
 * that is missing, R between centres of mass. That by atom lacks the same in the mean over a run, as what
 * holds a molecule together answers to the forces on its sites. Where there are atoms one by one, which are
 * cut by atom, it covers waters alone. */
void ewald_tail_real(const Particles *particles, const Box *box, double beta, const LjCut *cut,
                     double tail[2]);

/* The energy of the uniform background that neutralises a net charge (e) at a splitting parameter beta (1/A),
 * times the volume of the box, kcal A^3/mol. It goes as 1/V, so that each diagonal element of its virial is
 * equal to the energy. */
double ewald_background(double charge, double beta);

#endif
