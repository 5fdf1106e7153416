/* What penalties hold: by equipartition, and by the step's own prediction.
 *
 * In true time a penalised mode that noise reaches holds 1/2 kT, one that it does not reach nothing; on top
 * of both comes the strain of what pulls at it, lambda^2/(2 w^2). A step adds heat: it samples the modes that
 * noise reaches wider than they are, and, since it drifts along straight lines where the manifold is curved,
 * it is off it by some beta h^2 a, for any noise, which costs 1/2 w^2 (beta h^2 a)^2, of the order of w^2 h^4
 * (kT)^2 (oscillator.h, penalty_modes.h). The map newmark-1 samples them too narrowly, and so takes heat
 * away.
 *
 * The acceleration a is that of free motion along the manifold, which forgets itself by friction. Bends and
 * turns of hydrogens on springs of the force field are quick: a swings at twice their frequency, near that at
 * which a filtered step has the penalised modes, and sets them swinging: of alanine dipeptide at 4 fs the
 * heat is 2 to 12 times what is worked out. So it is a lower bound wherever molecules have terms. */
#ifndef HOLONOM_SIMULATION_PENALTY_H
#define HOLONOM_SIMULATION_PENALTY_H

#include <stdio.h>

#include "integrators/oscillator.h"
#include "simulation/penalty_modes.h"
#include "simulation/simulation_private.h"

/* The heat, put in or taken away, that is of no account, over the equipartition of as many modes with noise
 * on all momenta. */
#define PENALTY_ALLOWED 0.1

/* What O, the map and the slow forces do with a mode of this W^2; of one that is penalised, cold where noise
 * acts along the manifold alone: friction across it is then one rate for a molecule (thermostat/ou.h). */
OscillatorMode penalty_mode(const Simulation *simulation, double square, double mobility, bool filtered);
OscillatorMode penalty_mode_stiff(const Simulation *simulation, const Kind *kind, double square,
                                  double mobility);

/* w^2 that squares of a kind's modes are to be multiplied by: 1 where they have it already. */
double penalty_square(const Simulation *simulation, const Kind *kind);

/* The modes of each kind of the simulation; without any where nothing is worked out. */
typedef struct PenaltyKinds {
  int n;
  PenaltyModes *of; /* [n] */
} PenaltyKinds;

/* Errors: STATUS_MEMORY; there is nothing to free then. */
Status penalty_kinds_create(PenaltyKinds *kinds, const Simulation *simulation, Error *error);
void penalty_kinds_free(PenaltyKinds *kinds);

/* Of all penalties of a replica, kcal/mol. */
typedef struct PenaltyHeat {
  int modes;      /* 0: none, or nothing can be said: no thermostat, a method of its own */
  double due;     /* equipartition                                                  */
  double thermal; /* what noise makes of the modes in this step                     */
  double seen;    /* of that what is in the energy at the filtered positions        */
  double curved;  /* what the curvature of the manifold adds in this step           */
  double heat;    /* thermal + curved - due, what is not there in true time; INFINITY: unstable; below 0: what
                     is there in true time and not in this step */
  bool least;     /* the heat is at least this: forces of the molecules move them along the manifold, too; not
                     said of heat that is taken away */
  double allowed; /* PENALTY_ALLOWED                                                */
} PenaltyHeat;

/* For steps of length h at kT. */
PenaltyHeat penalty_heat(const Simulation *simulation, const PenaltyKinds *kinds, double h, double kT);

/* The largest step, up to `most`, whose predicted heat is allowed, whichever sign it has; 0 where nothing can
 * be said. */
double penalty_step(const Simulation *simulation, const PenaltyKinds *kinds, double most, double kT);

/* Whether the energy of the penalties is measured at the filtered positions, too: not where the map does not
 * filter, since they are the same there, nor under words whose last forces are of other positions. */
bool penalty_filters(const Simulation *simulation);

#endif
