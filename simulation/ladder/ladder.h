/* Replica exchange: ladders of temperatures, or of states, in one ensemble of clusters or boxes.
 *
 * Ladder a has the replicas a n ... a n + n - 1 and n temperatures. An exchange swaps temperatures and noise
 * widths; replicas keep their lane, configuration and noise, and their momenta are scaled or drawn anew. Slot
 * a n + k is temperature k of ladder a; the replicas in slots are a permutation.
 *
 * Temperatures k and k + 1 of each ladder are exchanged every `interval` steps, for even and odd k in turn,
 * with probability min(1, exp((beta_k - beta_k+1)(U_k - U_k+1))). U is the potential energy with penalties
 * (force_field_energy), without Fixman's potential: beta V_F depends only on the configuration. Acceptance
 * depends only on energies and addressed random numbers (seed, ladder, pair, step), so neither on threads nor
 * on how a run is split. An exchange precedes the next step: samples at its step belong to the old
 * temperatures.
 *
 * States may also differ in parameters of the Hamiltonian (options.parameters), such as umbrellas or a field.
 * State k has the reduced energy u_k(x) = beta_k U(x; parameters of k). Neighbours a in state k and b in k +
 * 1 are exchanged with probability min(1, exp(u_k(a) + u_k+1(b) - u_k(b) - u_k+1(a))), and forces are
 * computed anew. The forces evaluate their energy in all states. Reduced energies of samples are stored for
 * MBAR.
 *
 * At constant pressure U + P V takes the place of U (T. Okabe, M. Kawata, Y. Okamoto and M. Mikami, Chem.
 * Phys. Lett. 335, 435 (2001)): with scaled positions, the density V^N exp(-beta_k (U + P_k V)) of state k
 * has the same V^N in all states. States may differ in pressure. A replica keeps its box; its barostat gets
 * the temperature and the pressure of the new state.
 *
 * O multiplies its noise by a vector over lanes (Pack.noise): 1, 0 in unused lanes, and in a ladder the root
 * of a lane's kT over the plan's. So one plan serves all temperatures at no cost. Until the next tuning,
 * which involves all ladders, each thread steps and exchanges whole ladders independently. Measurements are
 * ordered by slot. */
#ifndef HOLONOM_SIMULATION_LADDER_LADDER_H
#define HOLONOM_SIMULATION_LADDER_LADDER_H

#include "observables/energy_histogram.h"
#include "observables/reduced_energies.h"
#include "observables/statistics.h"
#include "simulation/ensemble/barostat.h"

enum { LADDER_TEMPERATURES = 512 };

typedef struct LadderOptions {
  int n, ladders;         /* temperatures of each ladder, 2 to LADDER_TEMPERATURES; number of ladders */
  const double *kT;       /* [n] ascending, or in any order with parameters */
  Parameters *parameters; /* their values follow the states; NULL: states differ in temperature only */
  const double *state;    /* [n][parameters->n] borrowed */
  bool slopes;        /* samples also have dU/dparameter at their own state, and the replica that holds it */
  Barostat *barostat; /* of the ensemble; NULL: constant volume */
  const double *pressure; /* [n] kcal/mol/A^3, of the barostat; borrowed; NULL: constant volume */
  double kT_plan;         /* of the ensemble's plan */
  int64_t interval;       /* steps */
  int64_t equilibration;  /* steps whose exchanges are not counted */
  int tunings; /* number of times that equilibration adjusts the inner temperatures to the energies since the
                  last time */
  bool redraw; /* draw momenta instead of scaling them */
  uint64_t seed;
  /* The probability of an exchange, given beta_k - beta_k+1 and the difference of U or U + P V; NULL:
   * ladder_acceptance. */
  double (*acceptance)(double dbeta, double dU);
} LadderOptions;

double ladder_acceptance(double dbeta, double dU);

typedef struct Ladder Ladder;

/* Makes a ladder over an ensemble of batches of 8 or 16 lanes with at least n times `ladders` replicas, which
 * must outlive it, and sets the replicas' temperatures. Call it before momenta are drawn. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
Status ladder_create(Ladder **ladder, const LadderOptions *options, Ensemble *ensemble, Error *error);
void ladder_free(Ladder *ladder); /* may be NULL */

const LadderOptions *ladder_options(const Ladder *ladder);

/* The exchange move, every `interval` steps, for a part of the ensemble or all of it. Missing energies are
 * computed. A tuning needs the whole ensemble. Errors: those of the forces. */
Move ladder_move(Ladder *ladder);

/* Computes the energy U of each lane of a batch at its step: energy[width]. */
Status ladder_energies(Ladder *ladder, int batch, const Sample *sample, double *energy, Error *error);

/* Whether a part of the ensemble may begin with this batch. Threads and processes share whole ladders (of n
 * temperatures); ladders with replicas in one batch, or energies in one histogram, stay together. Processes
 * may share ladders only if no tunings remain. */
bool ladder_may_begin(int n, int ladders, int width, int batch);

/* The next tuning after this step, or INT64_MAX. Rows up to that step belong to the old temperatures. */
int64_t ladder_next_tuning(const Ladder *ladder, int64_t step);

int ladder_temperature(const Ladder *ladder, int replica); /* its index in the ladder, from 0 */

/* The slot of a replica; for a spare replica, and without a ladder (NULL), its own index. */
int ladder_slot(const Ladder *ladder, int replica);

double ladder_kT(const Ladder *ladder, int k);

/* Statistics of temperature k after equilibration, over all ladders. */
typedef struct LadderRung {
  double kT;
  int64_t samples; /* of each ladder */
  /* Mean potential energy, kcal/mol. Its error is from the ladders, or for one ladder from blocks of time. */
  double potential, potential_error;
  double spread;               /* standard deviation of the potential energy */
  double kinetic;              /* mean kinetic energy */
  double acceptance;           /* to k + 1: mean probability; NAN for the last */
  double acceptance_error;     /* from the ladders; NAN for one */
  int64_t attempts, exchanges; /* to k + 1 */
  double up; /* fraction of replicas whose last visited end is the lowest temperature, among those that
                visited an end */
  int64_t replicas_up, replicas_down;
} LadderRung;
LadderRung ladder_rung(const Ladder *ladder, int k);

/* Energies at every temperature after equilibration, before each exchange, for MBAR: U, or at constant
 * pressure U + P V with the volumes. One histogram for each ladder, or for several neighbouring ladders such
 * that *n <= LADDER_HISTOGRAMS. */
enum { LADDER_HISTOGRAMS = 16 };
EnergyHistogram *const *ladder_histograms(const Ladder *ladder, int *n);

/* Reduced energies of each ladder's samples in all states, and at constant pressure the volumes; NULL if the
 * states differ in temperature only. */
ReducedEnergies *const *ladder_reduced(const Ladder *ladder);

/* Round trips from the lowest temperature to the highest and back, of all replicas; *fewest: of the replica
 * with the fewest. */
int64_t ladder_round_trips(const Ladder *ladder, int64_t *fewest);

#endif
