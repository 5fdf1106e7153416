/* Forces computed outside the engine, by functions of the caller that receive the positions of many
 * replicas.
 *
 * Each batch then walks separately, stops before its forces (walk_go_on) and continues after the first
 * thread has called the functions. Results for the same positions, box and step are reused. */
#ifndef HOLONOM_FORCEFIELDS_EXTERNAL_H
#define HOLONOM_FORCEFIELDS_EXTERNAL_H

#include "engine/force.h"
#include "topology/topology.h"

/* Consecutive replicas passed to such a function. */
typedef struct ExternalCall {
  uint32_t replica;        /* id of the first, the same wherever it runs */
  int replicas;            /* how many */
  int64_t step;            /* steps done */
  size_t n;                /* coordinates of a replica: all sites in the order of molecules */
  const double *x;         /* [replicas][n] positions, A */
  const double *box;       /* [replicas][9] edges of the box as rows, A; zero: no box */
  double *f;               /* [replicas][n] forces, kcal/mol/A: zero at the call, set by the function */
  double *energy;          /* [replicas] kcal/mol: likewise */
  double *virial;          /* [replicas][9] sum over sites of x_a f_b, kcal/mol: likewise, or left zero */
  int nparameter;          /* parameters of the Hamiltonian */
  const double *parameter; /* [replicas][nparameter] their values */
  double *slope;           /* [replicas][nparameter] dU/dparameter: zero at the call, set where required */
} ExternalCall;

/* Returns STATUS_OK, or another status with the reason in *error (may be NULL), which stops the run.
 * Forces, energies or virials that are not finite stop it with STATUS_RUN, naming the replica and the
 * step. A run is reproducible for any number of threads and after a restart if the results depend only on
 * the call's data. */
typedef Status (*ExternalFunction)(void *user, ExternalCall *call, Error *error);

typedef struct ExternalRow {
  ExternalFunction function;
  void *user;   /* passed on; owned by the caller */
  bool threads; /* several threads may call the function at once, each with other replicas */
} ExternalRow;

/* The caller's functions, with positions and results of all replicas from `first` on. */
typedef struct External External;

/* For replicas of these molecules; topology and parameters (NULL: none) are borrowed. Errors:
 * STATUS_MEMORY. */
Status external_create(External **external, int n, const ExternalRow *row, const Topology *topology,
                       const Parameters *parameters, uint32_t first, int replicas, Error *error);
void external_free(External *external); /* NULL is allowed */

/* The force "external" with the term "external", for states of these replicas, any kinds and width (empty
 * lanes are skipped); without a Hessian. It uses stored results for the same positions, box and step, else
 * calls the functions for this state alone, one thread at a time unless all functions allow several. If a
 * function leaves its virial zero, the force uses the sum of (x - X)_a f_b with X the centre of mass of the
 * molecule: pressures then omit the forces between molecules. */
Force external_force(External *external);

/* Whether a function requires all replicas in one call. Then, before forces are computed, call external_ask
 * for each state (any thread; no effect where the result is stored) and external_answer by one thread. */
bool external_together(const External *external);
void external_ask(External *external, const State *state);
void external_answer(External *external);

#endif
