/* Replica exchange in lanes: ladders of temperatures side by side in one ensemble.
 *
 * Ladder a has replicas a n ... a n + n - 1 and as many temperatures. A replica keeps its lane, its
 * configuration and its noise; what is exchanged is the temperature, with the noise's width, and momenta
 * follow by a factor or are drawn anew. Slot a n + k is temperature k of ladder a: which replica is in which
 * slot is a permutation.
 *
 * Temperatures k and k + 1 of each ladder are exchanged every `interval` steps, even and odd k in turn, with
 * probability min(1, exp((beta_k - beta_k+1)(U_k - U_k+1))), U the potential energy and that of
 * penalties (force_field_energy), without Fixman's potential: beta V_F is that of the configuration at every
 * temperature.
 * Whether is a matter of energies and of random numbers with an address (seed, ladder, pair, step), and so of
 * neither threads nor where a run is cut. An exchange comes before the first step that follows: what is
 * looked at at that step still has the temperatures before.
 *
 * States may also differ in parameters of the Hamiltonian (options.parameters): umbrellas, a field. State k
 * has the reduced energy u_k(x) = beta_k U(x; parameters of k), neighbours are exchanged with probability
 * min(1, exp(u_k(a) + u_k+1(b) - u_k(b) - u_k+1(a))), a in state k and b in k + 1, and forces are computed
 * anew. The forces say what their energy is in all states. Reduced energies of samples are kept for MBAR.
 *
 * O multiplies its noise by a vector over lanes (Pack.noise): 1, 0 in tail lanes, and with a ladder the root
 * of a lane's kT over the plan's, so that one plan serves all temperatures at no cost. Up to the next step
 * that all have in common (a tuning) a thread steps and exchanges whole ladders by itself. What is measured
 * goes by slot. */
#ifndef HOLONOM_SIMULATION_LADDER_LADDER_H
#define HOLONOM_SIMULATION_LADDER_LADDER_H

#include "observables/energy_histogram.h"
#include "observables/reduced_energies.h"
#include "observables/statistics.h"
#include "simulation/ensemble/move.h"

enum { LADDER_TEMPERATURES = 512 };

typedef struct LadderOptions {
  int n, ladders;         /* temperatures of each, from 2 to LADDER_TEMPERATURES; ladders */
  const double *kT;       /* [n] rising, or with parameters in any order */
  Parameters *parameters; /* whose values follow the states; NULL: states differ in temperature alone */
  const double *state;    /* [n][parameters->n] borrowed */
  double kT_plan;         /* of the plan that the ensemble has */
  int64_t interval;       /* steps */
  int64_t equilibration;  /* steps whose exchanges are not counted */
  int tunings;            /* times that the temperatures are chosen anew in these, from the energies since the
                             last time; those of the ends stay */
  bool redraw;            /* momenta, in place of a factor */
  uint64_t seed;
  /* The probability of an exchange, from beta_k - beta_k+1 and U_k - U_k+1; NULL: ladder_acceptance. */
  double (*acceptance)(double dbeta, double dU);
} LadderOptions;

double ladder_acceptance(double dbeta, double dU);

typedef struct Ladder Ladder;

/* Borrows the ensemble, of batches of 8 or 16 lanes, which has n times `ladders` replicas at least, and gives
 * its replicas their temperatures: before momenta are drawn. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status ladder_create(Ladder **ladder, const LadderOptions *options, Ensemble *ensemble, Error *error);
void ladder_free(Ladder *ladder); /* NULL is fine */

const LadderOptions *ladder_options(const Ladder *ladder);

/* Exchanges in a part of the ensemble, or in all of it, every `interval` steps. Energies that have not been
 * sampled are computed. Where temperatures are chosen anew the part must be all. Errors: those of the forces.
 */
Move ladder_move(Ladder *ladder);

/* The energies U of each lane of a batch at its step: energy[width]. */
Status ladder_energies(Ladder *ladder, int batch, const Sample *sample, double *energy, Error *error);

/* Threads and processes share out whole ladders (n temperatures of each): whether a part may begin with this
 * batch of replicas. Ladders that have replicas in one batch, or energies in one histogram, stay together.
 * Of processes temperatures must not be chosen anew any more. */
bool ladder_may_begin(int n, int ladders, int width, int batch);

/* The next step after this one at which temperatures are chosen anew, INT64_MAX: none is left. Rows of the
 * steps up to there are of the temperatures before. */
int64_t ladder_next_tuning(const Ladder *ladder, int64_t step);

int ladder_temperature(const Ladder *ladder, int replica); /* its number in the ladder, from 0 */

/* The slot that it is in; of a replica beyond all ladders, and without a ladder (NULL), its own number. */
int ladder_slot(const Ladder *ladder, int replica);

double ladder_kT(const Ladder *ladder, int k);

/* What was counted after equilibration at temperature k, over all ladders. */
typedef struct LadderRung {
  double kT;
  int64_t samples; /* of each ladder */
  /* Mean potential energy, kcal/mol; its error is from ladders, of one ladder from blocks of time */
  double potential, potential_error;
  double spread;               /* standard deviation of the potential energy */
  double kinetic;              /* mean kinetic energy */
  double acceptance;           /* to k + 1: mean probability; NAN of the last */
  double acceptance_error;     /* from ladders; NAN of one */
  int64_t attempts, exchanges; /* to k + 1 */
  double up; /* share of replicas, of those that have been at an end, that were at the lowest
                temperature last: 1 at the lowest, 0 at the highest */
  int64_t replicas_up, replicas_down;
} LadderRung;
LadderRung ladder_rung(const Ladder *ladder, int k);

/* Energies of every temperature after equilibration, before each exchange, for MBAR: of each ladder, or of as
 * many neighbouring ones together as leave *n = LADDER_HISTOGRAMS. */
enum { LADDER_HISTOGRAMS = 16 };
EnergyHistogram *const *ladder_histograms(const Ladder *ladder, int *n);

/* Reduced energies of the samples of each ladder in all states, where these have parameters; else NULL. */
ReducedEnergies *const *ladder_reduced(const Ladder *ladder);

/* Ways from the lowest temperature to the highest and back, of all replicas; and of the one with fewest. */
int64_t ladder_round_trips(const Ladder *ladder, int64_t *fewest);

#endif
