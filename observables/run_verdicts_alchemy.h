/* The verdict on free energies from alchemical states, for run_verdicts.h. */
#ifndef HOLONOM_OBSERVABLES_RUN_VERDICTS_ALCHEMY_H
#define HOLONOM_OBSERVABLES_RUN_VERDICTS_ALCHEMY_H

#include "results/results.h"

/* Writes sentences into words[size] and returns their level: whether a state is missing, the ends of each
 * pair of states agree, both halves of the run do, integration and MBAR do, and there are enough samples.
 * Nothing is written without alchemical states. */
ResultLevel run_verdicts_alchemy(const ResultSet *set, char *words, size_t size);

#endif
