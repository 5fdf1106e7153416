/* How fast a system moves: what a time step has to be compared with. */
#ifndef HOLONOM_APP_FREQUENCY_H
#define HOLONOM_APP_FREQUENCY_H

#include "engine/force.h"
#include "engine/isa.h"
#include "integrators/word.h"

/* Angular frequencies (1/AKMA) of one molecule's penalised modes at its reference geometry, in rising order:
 * W^2 = w^2 times the eigenvalues of J M^-1 J'. frequency[ncon]. Errors: STATUS_MEMORY. */
Status frequency_penalty(const Kind *kind, double w, double *frequency, Error *error);

/* The fastest motion of the rigid cluster (a libration): the largest eigenvalue of P M^-1 Hess V P at the
 * state's positions (width 1), by power iteration with differences of forces. Errors: STATUS_MEMORY. */
Status frequency_libration(State *state, const ForceField *field, Isa isa, double *frequency, Error *error);

/* The largest h W at which a word is stable for a harmonic mode of frequency W whose force is all in the fast
 * ones, that B kicks with: 2 for velocity Verlet and its kin, 2n for a word of n such steps (S kicks with
 * none of it, O is left out); INFINITY without B. Newmark's P and C count as velocity Verlet. */
double frequency_limit(const WordSpelling *word);

/* Where the word BAB stands with a harmonic mode of frequency W at step h, filtered with beta (0: Verlet):
 * the ratio of the sampled to the true variance of position, (1 + beta s^2)/(1 - s^2/(4 (1 + beta s^2))) with
 * s = W h; INFINITY where the step is unstable. */
double frequency_widening(double frequency, double h, double beta);

#endif
