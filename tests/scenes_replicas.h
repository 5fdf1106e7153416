/* Many replicas of a small cluster under one plan, for tests of what is sampled. */
#ifndef HOLONOM_TESTS_SCENES_REPLICAS_H
#define HOLONOM_TESTS_SCENES_REPLICAS_H

#include "simulation/ensemble/ensemble.h"
#include "tests/scenes.h"
#include "tests/shorter.h"

enum { MOLECULES = 7, REPLICAS = 64 };

/* Seven TIP3P waters at a rigid minimum. */
typedef struct Cluster {
  const WaterModel *model;
  Kind *kind;
  double x[9 * MOLECULES];
} Cluster;

void scenes_replicas_cluster(Cluster *cluster);
void scenes_replicas_cluster_free(Cluster *cluster);

typedef struct Trial {
  Topology *topology;
  Plan *plan;
  Ensemble *ensemble;
} Trial;

/* REPLICAS of the first nmol molecules, with or without the forces between them, momenta drawn. */
Trial scenes_replicas_trial(const Cluster *cluster, const PlanOptions *options, int nmol, bool forces,
                            uint64_t seed);
void scenes_replicas_run(Trial *trial, int64_t until, const Sampler *sampler);
void scenes_replicas_free(Trial *trial);

/* Mean and standard error of one number of each replica, value[r * stride]. */
void scenes_replicas_mean(const double *value, int stride, double *mean, double *error);

#endif
