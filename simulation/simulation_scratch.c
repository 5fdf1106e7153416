/* A scratch state of one replica with its own force field. */
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "simulation/simulation_private.h"

static Status make(Simulation *s, const Box *choice, Error *error)
{
  simulation_scratch_free(s);
  State *scratch;
  TRY(topology_state(s->topology, 1, (uint64_t)s->config->seed, 0, &scratch, error));
  scratch->box = *choice;
  const Status status = simulation_field(s, scratch, &s->scratch_field, error);
  if (status == STATUS_OK) {
    s->scratch = scratch;
    s->scratch_choice = *choice;
  } else
    state_free(scratch);
  return status;
}

/* Makes the scratch in the box of a batch, with the settings that its forces chose themselves (such as a
 * mesh). */
static Status make_scratch(Simulation *s, int batch, Error *error)
{
  const Sample like = ensemble_at(s->ensemble, batch);
  const Box *const choice = ensemble_choice(s->ensemble, batch);
  if (s->scratch == NULL || !box_same(&s->scratch_choice, choice))
    TRY(make(s, choice, error));
  return box_same(&s->scratch->box, sample_box(&like))
             ? STATUS_OK
             : force_field_set_box(&s->scratch_field, s->scratch, sample_box(&like), error);
}

/* Puts a replica at x[coordinates] into the scratch. */
static Status place(Simulation *s, int replica, const double *x, Error *error)
{
  const Sample sample = ensemble_at(s->ensemble, replica / s->width);
  TRY(make_scratch(s, replica / s->width, error));
  if (s->kT > 0.0) {
    TRY(state_keep_noise(s->scratch, error));
    state_set_noise(s->scratch, 0, sqrt(simulation_kT(s, replica) / s->kT));
  }
  s->scratch->replica = (uint32_t)replica;
  s->scratch->step = sample_step(&sample);
  topology_set(s->topology, s->scratch, STATE_POSITIONS, 0, x);
  return STATUS_OK;
}

/* Computes with all threads if there is one replica, else with the calling thread. */
static Status compute(Simulation *s, const ForceSums *sums, Error *error)
{
  const int threads = s->replicas == 1 && s->width == 1 ? ensemble_workers(s->ensemble) : 1;
  if (threads == 1) {
    const Team alone = team_alone();
    return force_field_compute(&s->scratch_field, &alone, s->scratch, sums, error);
  }
  TeamBarrier barrier = {0};
  Status status = STATUS_OK;
#pragma omp parallel num_threads(threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    Error own;
    const Status same = force_field_compute(&s->scratch_field, &team, s->scratch, sums, &own);
    if (team.rank == 0)
      status = error_pass(error, same, &own);
  }
  return status;
}

static Status forces_at(Simulation *s, int replica, const double *x, const ForceSums *sums, double *f,
                        Error *error)
{
  TRY(place(s, replica, x, error));
  TRY(compute(s, sums, error));
  if (f != NULL)
    topology_get(s->topology, s->scratch, STATE_FORCES, 0, f);
  return STATUS_OK;
}

static Status may_have_forces(const Simulation *s, Error *error)
{
  return s->sort->no_forces == NULL ? STATUS_OK : error_set(error, STATUS_INPUT, "%s", s->sort->no_forces);
}

Status simulation_scratch_forces(Simulation *s, int replica, double *x, double *energy, Error *error)
{
  TRY(may_have_forces(s, error));
  ensemble_get(s->ensemble, replica, x, NULL);
  return forces_at(s, replica, x, &(ForceSums){energy, NULL}, x, error);
}

/* Evaluates callbacks that receive all replicas in one call. */
static Status ask_at(Simulation *s, int first, int end, const double *x, Error *error)
{
  if (s->external == NULL || !external_together(s->external))
    return STATUS_OK;
  for (int r = first; r < end; r++, x += s->coordinates) {
    TRY(place(s, r, x, error));
    external_ask(s->external, s->scratch);
  }
  external_answer(s->external);
  return STATUS_OK;
}

Status simulation_scratch_evaluate(Simulation *s, int first, int end, const double *x,
                                   const SimulationEvaluation *to, Error *error)
{
  TRY(may_have_forces(s, error));
  TRY(ask_at(s, first, end, x, error));
  for (int i = 0; i < end - first; i++) {
    double energy[FORCE_TERMS * FORCES_MAX], virial[3][3] = {{0.0}}, sum = 0.0;
    const size_t at = (size_t)i * s->coordinates;
    const ForceSums sums = {energy, to->virial != NULL ? virial : NULL};
    TRY(forces_at(s, first + i, x + at, &sums, to->f != NULL ? to->f + at : NULL, error));
    for (int k = 0; k < force_field_terms(&s->scratch_field); k++)
      sum += energy[k];
    if (to->energy != NULL)
      to->energy[i] = sum;
    if (to->virial != NULL)
      memcpy(to->virial + (ptrdiff_t)9 * i, virial, sizeof virial);
  }
  return STATUS_OK;
}

Status simulation_scratch_respond(Simulation *s, int replica, const ParameterQuery *query, double *potential,
                                  Error *error)
{
  SCOPED(scoped_free) double *x = malloc(s->coordinates * sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  ensemble_get(s->ensemble, replica, x, NULL);
  double energy = 0.0;
  TRY(simulation_scratch_evaluate(s, replica, replica + 1, x, &(SimulationEvaluation){&energy, NULL, NULL},
                                  error));
  *potential = energy;
  return force_field_respond(&s->scratch_field, s->scratch, query, error);
}

void simulation_scratch_free(Simulation *s)
{
  force_field_free(&s->scratch_field);
  state_free(s->scratch);
  s->scratch_field = (ForceField){0};
  s->scratch = NULL;
}

void simulation_scratch_ask(Simulation *s)
{
  if (s->external == NULL || !external_together(s->external))
    return;
  ensemble_ask(s->ensemble);
}
