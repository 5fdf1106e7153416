/* What a word makes of a harmonic mode: each letter is a linear map of position and momentum, O with noise,
 * and a step is their product, z' = M z + R. From it follow whether the mode is stable, and the variances
 * that the word samples, the solution of S = M S M' + Q (a discrete Lyapunov equation, three unknowns). Exact
 * for one mode by itself; molecules are modes as far as they are harmonic, and uniform friction does not mix
 * them.
 *
 * A symmetric step conserves a form a q^2 + b p^2 without a mixed term, and O leaves exp(-p^2/2m kT) alone.
 * So momenta right after O have the temperature that is set, whatever the step, and positions are as wide as
 * a/b says; at the end of a step momenta stand elsewhere in it: under BAOAB their variance is 1 - (h W)^2/4
 * of the true one. A walk therefore keeps the momenta of the last O before a measurement
 * (temperature_unbiased, the kinetic part of pressures). Words with several O's and other letters between the
 * last and the first than elsewhere (RESPA-BAOAB-2, GL-BAOAOAB) have two steps of different forms, and no O
 * finds the other's momenta: of the first up to 1.5 % high at h W = 0.8 with half of the force slow, 0.05 %
 * with a tenth of it, where the end of the step reads 8 % low; of the second (h W)^2/12. oscillator_unbiased
 * solves a few modes for the word; where one is off there is no temperature_unbiased, and pressures use these
 * momenta still, as the nearest there are.
 *
 * With a push the same maps say what a step does to penalties along a curved manifold (oscillator_push): a
 * straight drift of length t leaves t^2 a/2 of a penalised coordinate and t a of its velocity, a = v'Hess g
 * v. Under a constant a the mode comes to rest at a/W^2 + beta h^2 a, of which the second part is the step's;
 * a jumps at each O, which sets it swinging. Predictions are within some 10 % of what runs have. */
#ifndef HOLONOM_INTEGRATORS_OSCILLATOR_H
#define HOLONOM_INTEGRATORS_OSCILLATOR_H

#include <stdbool.h>

#include "integrators/composition.h"
#include "integrators/plan.h"

/* A step of length h as the mode sees it. */
typedef struct OscillatorStep {
  const WordSpelling *word;
  const Composition *composition; /* NULL: none */
  double h;
} OscillatorStep;

/* That of a plan, which must outlive it. */
OscillatorStep oscillator_step(const Plan *plan);

typedef struct OscillatorMode {
  double square; /* W^2                                                                             */
  double slow;   /* share of W^2 that is in the slow forces, which S kicks with in the place of B   */
  double beta;   /* the map's, where its matrix holds the Hessian of this mode: B kicks with W^2/(1 + beta W^2
                    h^2),   be it by Zhang-Skeel (all kinds) or by Newmark; 0: W^2 as it is                   */
  double rate;   /* O: p <- exp(-rate t) p + noise                                                   */
  bool cold;     /* no noise reaches it, only friction                                              */
  bool drifts;   /* the filter is on A in the place of B (the map newmark-1)                           */
} OscillatorMode;

typedef enum OscillatorFate {
  OSCILLATOR_SAMPLED,   /* there is a stationary distribution                        */
  OSCILLATOR_CONSERVED, /* neither noise nor friction: a quadratic form is conserved */
  OSCILLATOR_DIES,      /* friction without noise                                    */
  OSCILLATOR_UNSTABLE,
  OSCILLATOR_UNKNOWN /* the letter H: a method has ways of its own */
} OscillatorFate;

/* Over the true ones, at the end of a step: <q^2> W^2 m/kT and <p^2>/(m kT). Of a conserved form the means
 * along a trajectory, over half their sum; 0 where the mode dies; INFINITY where it is unstable, but for W^2
 * < 0 (no such mode is stable), where the momentum is the continuation of its formula. NAN: unknown. */
typedef struct OscillatorResult {
  OscillatorFate fate;
  double position, momentum;
  double growth;  /* of an amplitude in one step: the spectral radius of M */
  double thermal; /* as momentum, right after the last O of a step; NAN where nothing is sampled */
  /* Over that of O, the temperature of the density exp(-H~/kT'), H~ the energy that a step without noise
   * would conserve: action times angle. What noise makes of it in the mean over all modes is the temperature
   * of slow motions where modes exchange energy faster than noise does. NAN where nothing is sampled, without
   * a force 1; of W^2 < 0 the continuation of its formula. */
  double shared;
  double given; /* as momentum, at a given position; NAN where nothing is sampled */
  /* What O finds: the mean of <p^2>/(m kT) just before each O of a step, weighted with the share of p^2 that
   * this O replaces; and the energy, over kT, that all of them together bring into the mode in one step,
   * exchange (1 - found). Where found is not 1 the step itself takes that much energy out of the mode, or
   * puts it in (shadow work). NAN where nothing is sampled. */
  double found, heat;
  double exchange; /* half the sum of the shares: the rate of friction times the step, if that is small */
} OscillatorResult;

OscillatorResult oscillator_solve(const OscillatorStep *step, const OscillatorMode *mode);

/* What the ends of steps sample to second order, where modes share energy faster than noise brings it:
 * positions as of exp(-U/kT' - h^2 (drift tr M^-1 U'' + kick F'M^-1 F/kT)), with T' = T (1 + heat s^2), s^2
 * the mean of (h W)^2 over the modes (docs/theory.md). Velocity Verlet: 1/12 and -1/24. */
typedef struct OscillatorShadow {
  double drift, kick, heat;
} OscillatorShadow;

/* That of a plan. False: there is none, or not of this form (maps that change forces, the letters H and S, a
 * word without noise), or forces at the end of a step are not those of its positions. */
bool oscillator_shadow(const Plan *plan, OscillatorShadow *shadow);

/* A mode that is pushed besides: its coordinate is a function of positions that is curved along the manifold,
 * so that motion there accelerates it by a = v'Hv. A drift of length t along a straight line leaves 1/2 t^2 a
 * of the coordinate and t a of its velocity. Where a stays, the mode comes to rest at steady h^2 a at the end
 * of a step; one that O changes, with the momenta along the manifold, sets it swinging, and shaken h^4 <a^2>
 * is its mean square. In true time both are 1/(hW)^2 and, as long as a lasts for many periods, nearly the
 * square of that. INFINITY where it is unstable, NAN of the letter H. */
typedef struct OscillatorPush {
  double steady, shaken;
} OscillatorPush;

/* along: the rate of friction of the momenta that a consists of. */
OscillatorPush oscillator_push(const OscillatorStep *step, const OscillatorMode *mode, double along);

/* Whether the word has an O that acts, and momenta right after the last one of a step have the temperature
 * that is set: exactly, for every harmonic mode. So they do where the letters from one O to the next are a
 * symmetric step (plan.h), not between several O's with different letters between them (RESPA-BAOAB-2), nor
 * under a word that is not symmetric (ABO). Of H it is taken for granted. */
bool oscillator_unbiased(const Plan *plan);

/* The largest h W at which the step is stable for a mode whose force is all in the fast ones, unfiltered: 2
 * for velocity Verlet and its kin, 2n for a word of n such steps; INFINITY without B. */
double oscillator_limit(const OscillatorStep *step);

#endif
