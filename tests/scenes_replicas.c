#include "tests/scenes_replicas.h"

#include <check.h>

#include "observables/statistics.h"

enum { THREADS = 2 };

void scenes_replicas_cluster(Cluster *cluster)
{
  Scene s;
  scene_cluster(&s, MOLECULES, 1, isa_best());
  state_get(&s.state->block[0], 1, s.state->block[0].q, 0, cluster->x);
  ck_assert_int_eq(kind_copy(&cluster->kind, s.kind, NULL), STATUS_OK);
  cluster->model = s.model;
  scene_free(&s);
}

void scenes_replicas_cluster_free(Cluster *cluster) { kind_free(cluster->kind); }

static Status make_pair(const void *self, const State *shape, ForceField *field, Error *error)
{
  const Cluster *cluster = self;
  field->n = 1;
  return pair_create(&field->force[0], cluster->model, PAIR_DOUBLE, shape, isa_best(), error);
}

static Status make_none(const void *self, const State *shape, ForceField *field, Error *error)
{
  (void)self;
  (void)shape;
  (void)error;
  field->n = 0;
  return STATUS_OK;
}

Trial scenes_replicas_trial(const Cluster *cluster, const PlanOptions *options, int nmol, bool forces,
                            uint64_t seed)
{
  Trial t;
  Error error = {0};
  const Kind *kind = cluster->kind;
  ck_assert_int_eq(topology_of_kinds(&t.topology, 1, &kind, &nmol, NULL), STATUS_OK);
  ck_assert_msg(plan_create(&t.plan, cluster->kind, options, &error) == STATUS_OK, "%s", error.text);
  const EnsembleOptions e = {.plan = t.plan,
                             .topology = t.topology,
                             .replicas = REPLICAS,
                             .width = LANES,
                             .threads = THREADS,
                             .seed = seed,
                             .maker = {cluster, forces ? make_pair : make_none}};
  ck_assert_msg(ensemble_create(&t.ensemble, &e, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(ensemble_start(t.ensemble, cluster->x, &error), STATUS_OK);
  return t;
}

void scenes_replicas_run(Trial *trial, int64_t until, const Sampler *sampler)
{
  Error error = {0};
  ck_assert_msg(ensemble_run(trial->ensemble, until, sampler, &error) == STATUS_OK, "%s", error.text);
}

void scenes_replicas_free(Trial *trial)
{
  ensemble_free(trial->ensemble);
  plan_free(trial->plan);
  topology_free(trial->topology);
}

void scenes_replicas_mean(const double *value, int stride, double *mean, double *error)
{
  StatisticsMoments m = {0};
  for (int r = 0; r < REPLICAS; r++)
    statistics_moments_add(&m, &value[r * stride], 1);
  *mean = m.mean;
  *error = statistics_moments_error(&m);
}
