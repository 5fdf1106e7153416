/* The effect of a word on a harmonic mode. Each letter is a linear map of position and momentum, O with
 * noise, and a step is their product, z' = M z + R. It gives the mode's stability, and the variances that the
 * word samples, the solution of S = M S M' + Q (a discrete Lyapunov equation with three unknowns). This is
 * exact for one mode; molecules are modes as far as they are harmonic, and uniform friction does not mix
 * modes.
 *
 * A symmetric step conserves a form a q^2 + b p^2 without a mixed term, and O leaves exp(-p^2/2m kT)
 * invariant. Momenta right after O therefore have the set temperature at any step, and a/b gives the width of
 * positions. At the end of a step momenta may differ: under BAOAB their variance is 1 - (h W)^2/4 of the true
 * one. A walk therefore stores the momenta of the last O before a measurement (temperature_unbiased, the
 * kinetic part of pressures).
 *
 * Words with several O's and different letters between them (RESPA-BAOAB-2, GL-BAOAOAB) have two steps of
 * different forms, and no O gives the set temperature. RESPA-BAOAB-2 is up to 1.5 % high at h W = 0.8 with
 * half of the force slow, 0.05 % with a tenth of it (8 % low at the end of the step); GL-BAOAOAB deviates by
 * (h W)^2/12. oscillator_unbiased solves a few modes for the word. If one deviates there is no
 * temperature_unbiased, and pressures still use these momenta, the closest available.
 *
 * With a push the same maps describe penalties along a curved manifold (oscillator_push): a straight drift of
 * length t changes a penalised coordinate by t^2 a/2 and its velocity by t a, a = v'Hess g v. Under a
 * constant a the mode comes to rest at a/W^2 + beta h^2 a, of which the second part comes from the step; each
 * O changes a, which excites oscillations. Runs agree with predictions within some 10 %. */
#ifndef HOLONOM_INTEGRATORS_OSCILLATOR_H
#define HOLONOM_INTEGRATORS_OSCILLATOR_H

#include <stdbool.h>

#include "integrators/composition.h"
#include "integrators/plan.h"

/* A step of length h on a mode. */
typedef struct OscillatorStep {
  const WordSpelling *word;
  const Composition *composition; /* NULL: none */
  double h;
} OscillatorStep;

/* The step of a plan, which must outlive it. */
OscillatorStep oscillator_step(const Plan *plan);

typedef struct OscillatorMode {
  double square; /* W^2                                                                             */
  double slow;   /* share of the slow forces in W^2, kicked by S instead of B                       */
  double beta;   /* beta of a map whose matrix includes this mode's Hessian: B kicks with W^2/(1 + beta W^2
                  * h^2), by Zhang-Skeel (all kinds) or Newmark; 0: B kicks with W^2 */
  double rate;   /* O: p <- exp(-rate t) p + noise                                                   */
  bool cold;     /* it has friction without noise                                                   */
  bool drifts;   /* the filter acts on A instead of B (the map newmark-1)                              */
} OscillatorMode;

typedef enum OscillatorFate {
  OSCILLATOR_SAMPLED,   /* a stationary distribution exists                          */
  OSCILLATOR_CONSERVED, /* neither noise nor friction: a quadratic form is conserved */
  OSCILLATOR_DIES,      /* friction without noise                                    */
  OSCILLATOR_UNSTABLE,
  OSCILLATOR_UNKNOWN /* the letter H: a method outside this model */
} OscillatorFate;

/* Ratios to the true values at the end of a step: <q^2> W^2 m/kT and <p^2>/(m kT). For a conserved form,
 * means along a trajectory over half their sum; 0 if the mode dies; NAN if unknown. INFINITY if it is
 * unstable, except for W^2 < 0 (never stable), where the formula of the momentum is continued. */
typedef struct OscillatorResult {
  OscillatorFate fate;
  double position, momentum;
  double growth;  /* of an amplitude in one step: the spectral radius of M */
  double thermal; /* as momentum, right after the last O of a step; NAN if nothing is sampled */
  /* The temperature, relative to that of O, of the density exp(-H~/kT'), H~ the energy that a step without
   * noise would conserve (action times angle). Averaged over all modes it is the temperature of slow motions
   * if modes exchange energy faster than noise supplies it. NAN if nothing is sampled, 1 without a force; for
   * W^2 < 0 the formula is continued. */
  double shared;
  double given; /* as momentum, at a given position; NAN if nothing is sampled */
  /* `found`: the mean of <p^2>/(m kT) just before each O of a step, weighted with the share of p^2 that this
   * O replaces. `heat`: the energy over kT that all O's add to the mode in one step, exchange (1 - found). If
   * found is not 1, the step itself removes or adds this energy (shadow work). NAN if nothing is sampled. */
  double found, heat;
  double exchange; /* half the sum of the shares: friction rate times step, if that is small */
} OscillatorResult;

OscillatorResult oscillator_solve(const OscillatorStep *step, const OscillatorMode *mode);

/* The distribution at the ends of steps to second order, if modes exchange energy faster than noise supplies
 * it (docs/theory.md). Positions follow exp(-U/kT' - h^2 (drift tr M^-1 U'' + kick F'M^-1 F/kT)) with T' = T
 * (1 + heat s^2), s^2 the mean of (h W)^2 over the modes. Velocity Verlet: 1/12 and -1/24. */
typedef struct OscillatorShadow {
  double drift, kick, heat;
} OscillatorShadow;

/* The shadow of a plan. False: the plan has no shadow of this form (maps that change forces, the letters H
 * and S, a word without noise), or its last forces are not those of the positions at the end of a step. */
bool oscillator_shadow(const Plan *plan, OscillatorShadow *shadow);

/* A mode with a push: its coordinate is a function of positions that is curved along the manifold, so that
 * motion there accelerates it by a = v'Hv. A straight drift of length t adds 1/2 t^2 a to the coordinate and
 * t a to its velocity. Under a constant a the mode comes to rest at steady h^2 a at the end of a step. If O
 * changes a with the momenta along the manifold, the mode oscillates, with mean square shaken h^4 <a^2>. In
 * exact time both are 1/(hW)^2 and, if a lasts for many periods, nearly the square of that. INFINITY if
 * unstable, NAN for the letter H. */
typedef struct OscillatorPush {
  double steady, shaken;
} OscillatorPush;

/* along: the friction rate of the momenta that define a. */
OscillatorPush oscillator_push(const OscillatorStep *step, const OscillatorMode *mode, double along);

/* Whether the word has an O that acts, and momenta right after the last O of a step have the set temperature,
 * exactly, for every harmonic mode. This requires that the letters from each O to the next form the same
 * symmetric step (plan.h). It fails between several O's with different letters (RESPA-BAOAB-2) and for words
 * that are not symmetric (ABO). The letter H is assumed to comply. */
bool oscillator_unbiased(const Plan *plan);

/* The largest stable h W of a mode whose force is fast and unfiltered: 2 for velocity Verlet and similar
 * words, 2n for a word of n such steps; INFINITY without B. */
double oscillator_limit(const OscillatorStep *step);

#endif
