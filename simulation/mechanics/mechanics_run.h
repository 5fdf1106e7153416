/* What a mechanical run measures and writes as it goes. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H

#include "simulation/run/simulation_run.h"

/* For the rows of sorts: sort.h. */
Status mechanics_run_record(Run *run, Error *error);
void mechanics_run_release(Run *run);
bool mechanics_run_progress(const Run *run, char *words, size_t size);

#endif
