#include "bench/bench.h"

#include <math.h>

#include "base/ticks.h"
#include "forcefields/internal.h"
#include "simulation/start/lattice.h"

/* Each figure is the best of REPEATS runs of about seconds_each. */
enum { REPEATS = 3 };
static const double seconds_each = 0.7;

Status bench_rate(Ensemble *ensemble, double *rate, Error *error)
{
  int64_t steps = 64;
  *rate = 0.0;
  for (int i = 0; i < REPEATS;) {
    const double start = ticks_seconds();
    const Status status = ensemble_run(ensemble, ensemble_step(ensemble) + steps, NULL, error);
    if (status != STATUS_OK)
      return status;
    const double took = ticks_seconds() - start;
    if (took < 0.5 * seconds_each) {
      steps = (int64_t)ceil((double)steps * fmin(8.0, 1.1 * seconds_each / fmax(took, 1e-6)));
      continue;
    }
    *rate = fmax(*rate, (double)steps * ensemble_replicas(ensemble) / took);
    i++;
  }
  return STATUS_OK;
}

Status bench_job_create(BenchJob *job, const Kind *kind, int nmol, const PlanOptions *plan,
                        EnsembleOptions of, Error *error)
{
  *job = (BenchJob){0};
  TRY(topology_of_kinds(&job->topology, 1, &kind, &nmol, error));
  TRY(plan_create(&job->plan, kind, plan, error));
  of.plan = job->plan;
  of.topology = job->topology;
  of.seed = 1;
  return ensemble_create(&job->ensemble, &of, error);
}

void bench_job_free(BenchJob *job)
{
  ensemble_free(job->ensemble);
  plan_free(job->plan);
  topology_free(job->topology);
}

Status bench_lattice(State *state, Error *error)
{
  Topology *topology;
  TRY(topology_of_state(&topology, state, error));
  const Status status = lattice_fill(topology, state, error);
  topology_free(topology);
  return status;
}

Status bench_internal_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  (void)self;
  field->n = 1;
  return internal_create(&field->force[0], shape, error);
}
