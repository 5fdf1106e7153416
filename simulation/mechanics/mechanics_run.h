/* What a mechanical run measures and writes as it goes. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H

#include "simulation/mechanics/mechanics_means.h"
#include "simulation/run/multipliers.h"
#include "simulation/run/simulation_run.h"

struct MechanicsReport;

/* What is sampled. */
enum { MECHANICS_MEANS, MECHANICS_ROW, MECHANICS_MULTIPLIERS, MECHANICS_EVENTS };

/* Run.own */
typedef struct MechanicsRun {
  struct MechanicsReport *report;
  MechanicsMeans *means;    /* NULL: off */
  Multipliers *multipliers; /* NULL: off */
  /* Taken since the last flush, one of each at most: */
  bool taken[MECHANICS_EVENTS];
  int64_t step;
  MechanicsEnergy energy; /* of the one replica */
  double *z;              /* [2*coordinates]    */
  double *lambda;         /* [ncon]             */
} MechanicsRun;

static inline MechanicsRun *mechanics_run(const Run *run) { return run->own; }

/* For the rows of sorts: sort.h. */
Status mechanics_run_record(Run *run, Error *error);
void mechanics_run_release(Run *run);
bool mechanics_run_progress(const Run *run, char *words, size_t size);

#endif
