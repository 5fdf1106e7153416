/* Forces from outside the engine: functions of the caller's that get the positions of many replicas.
 *
 * Batches then have a walk each, stop before their forces (walk_go_on), and go on once the first thread has
 * asked. What was said of the same positions, box and step is not asked again. */
#ifndef HOLONOM_FORCEFIELDS_EXTERNAL_H
#define HOLONOM_FORCEFIELDS_EXTERNAL_H

#include "engine/force.h"
#include "topology/topology.h"

/* Some replicas, one after the other, as such a function sees them. */
typedef struct ExternalCall {
  uint32_t replica;        /* id of the first, the same wherever it runs                      */
  int replicas;            /* how many                                                        */
  int64_t step;            /* steps done                                                      */
  size_t n;                /* coordinates of a replica: all sites, in the order of molecules */
  const double *x;         /* [replicas][n] positions, A                                      */
  const double *box;       /* [replicas][9] its edges as rows, A; zero: none                  */
  double *f;               /* [replicas][n] forces, kcal/mol/A: zero at the call, to be set   */
  double *energy;          /* [replicas] kcal/mol: the same                                   */
  double *virial;          /* [replicas][9] sum over sites of x_a f_b, kcal/mol: the same, or left zero */
  int nparameter;          /* parameters of the Hamiltonian */
  const double *parameter; /* [replicas][nparameter] their values */
  double *slope; /* [replicas][nparameter] dU/dparameter: zero at the call, to be set where it is wanted */
} ExternalCall;

/* Returns STATUS_OK, or another status with the reason in *error (which may be NULL): the run stops with it.
 * Forces, energies and virials that are no finite numbers are STATUS_RUN, with the replica and the steps
 * done. A run is the same for any number of threads and after a restart if the function's results depend on
 * what the call holds alone. */
typedef Status (*ExternalFunction)(void *user, ExternalCall *call, Error *error);

typedef struct ExternalRow {
  ExternalFunction function;
  void *user;   /* handed on, stays the caller's */
  bool threads; /* several threads may be in the function at once, each with other replicas */
} ExternalRow;

/* Functions of the caller's, with positions and answers of all replicas from `first` on. */
typedef struct External External;

/* For replicas of these molecules; topology and parameters (NULL: there are none) are
 * borrowed. Errors: STATUS_MEMORY. */
Status external_create(External **external, int n, const ExternalRow *row, const Topology *topology,
                       const Parameters *parameters, uint32_t first, int replicas, Error *error);
void external_free(External *external); /* NULL is fine */

/* The force "external" with the term "external" for states whose replicas are among those, any kinds and
 * width (lanes that hold nobody are left out); without a Hessian. What was answered for the same positions,
 * box and step is taken, else the functions are called for this state alone, by one thread at a time unless
 * they all take several. Where a function leaves all of its virial zero, it is taken as the sum of (x - X)_a
 * f_b, X the centre of mass of the molecule, so that pressures leave out what it does between molecules. */
Force external_force(External *external);

/* Whether some function wants all replicas in one call: then ask for each state (any thread, each another
 * state, which does nothing where the answer is there), and have all answered by one thread, before forces
 * are computed. */
bool external_together(const External *external);
void external_ask(External *external, const State *state);
void external_answer(External *external);

#endif
