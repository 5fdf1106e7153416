/* The energy in penalties: by equipartition, and as predicted for a step.
 *
 * In exact dynamics a penalised mode has the energy 1/2 kT if noise reaches it, else zero, plus the strain of
 * the force on it, lambda^2/(2 w^2). A time step adds heat in two ways. It samples modes that noise reaches
 * too widely (the map newmark-1 samples them too narrowly, and removes heat). And since it drifts along
 * straight lines, it leaves a curved manifold by beta h^2 a for any noise, which costs 1/2 w^2 (beta h^2
 * a)^2, of the order of w^2 h^4 (kT)^2 (oscillator.h, penalty_modes.h).
 *
 * The acceleration a is that of free motion along the manifold with friction. Force-field bends and torsions
 * of hydrogens are faster: a then oscillates at twice their frequency, close to that of the filtered
 * penalised modes, and excites them. For alanine dipeptide at 4 fs the heat is 2 to 12 times the prediction.
 * The prediction is therefore a lower bound for molecules with terms. */
#ifndef HOLONOM_SIMULATION_PENALTY_H
#define HOLONOM_SIMULATION_PENALTY_H

#include <stdio.h>

#include "integrators/oscillator.h"
#include "simulation/penalty_modes.h"
#include "simulation/simulation_private.h"

/* Allowed heat, added or removed, as a fraction of the equipartition energy of the modes with noise on all
 * momenta. */
#define PENALTY_ALLOWED 0.1

/* The effect of O, the map and the slow forces on a mode of this W^2. A penalised mode is cold where noise
 * acts along the manifold only; friction across it is then one rate per molecule (thermostat/ou.h). */
OscillatorMode penalty_mode(const Simulation *simulation, double square, double mobility, bool filtered);
OscillatorMode penalty_mode_stiff(const Simulation *simulation, const Kind *kind, double square,
                                  double mobility);

/* The factor w^2 of a kind's eigenvalues; 1 if they contain it. */
double penalty_square(const Simulation *simulation, const Kind *kind);

/* The modes of each kind of the simulation; none for a kind without penalties. */
typedef struct PenaltyKinds {
  int n;
  PenaltyModes *of; /* [n] */
} PenaltyKinds;

/* Errors: STATUS_MEMORY; nothing needs to be freed then. */
Status penalty_kinds_create(PenaltyKinds *kinds, const Simulation *simulation, Error *error);
void penalty_kinds_free(PenaltyKinds *kinds);

/* Energies of all penalties of a replica, kcal/mol. */
typedef struct PenaltyHeat {
  int modes;      /* 0: none, or no prediction: no thermostat, or a method instead of a word */
  double due;     /* equipartition */
  double thermal; /* energy of the modes from noise in this step */
  double seen;    /* its part in the energy at the filtered positions */
  double curved;  /* energy from the manifold's curvature in this step */
  double heat; /* thermal + curved - due, absent from exact dynamics; INFINITY: unstable; below 0: missing */
  bool least;  /* a lower bound, since terms of the molecules move them along the manifold; false for negative
                  heat */
  double allowed; /* PENALTY_ALLOWED */
} PenaltyHeat;

/* For time steps of length h at kT. */
PenaltyHeat penalty_heat(const Simulation *simulation, const PenaltyKinds *kinds, double h, double kT);

/* The largest time step, at most `most`, whose predicted |heat| is allowed; 0 without a prediction. */
double penalty_step(const Simulation *simulation, const PenaltyKinds *kinds, double most, double kT);

/* Whether the energy of the penalties is also measured at the filtered positions: not if the map does not
 * filter (both are equal), nor for words whose last forces are at other positions. */
bool penalty_filters(const Simulation *simulation);

#endif
