/* The files that a mechanical run writes while it steps. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_RUN_H

#include "simulation/run/record.h"

/* Functions of the rows of sorts (sort.h). */
extern const RecordForm mechanics_run_record;
bool mechanics_run_progress(const Run *run, char *words, size_t size);

#endif
