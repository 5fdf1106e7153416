/* What a mechanical run measures and writes as it goes. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H

#include "simulation/run/record.h"

/* For the rows of sorts: sort.h. */
extern const RecordForm mechanics_run_record;
bool mechanics_run_progress(const Run *run, char *words, size_t size);

#endif
