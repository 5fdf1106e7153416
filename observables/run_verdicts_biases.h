/* Verdicts on free energies along biased coordinates, for run_verdicts.h. */
#ifndef HOLONOM_OBSERVABLES_RUN_VERDICTS_BIASES_H
#define HOLONOM_OBSERVABLES_RUN_VERDICTS_BIASES_H

#include "results/results.h"

/* Write sentences into words[size] and return their level: whether umbrella windows overlap and are
 * independent; whether a pull is complete, began in equilibrium, and has enough replicas for its free
 * energies. Nothing is written without windows, or a pull. */
ResultLevel run_verdicts_biases_windows(const ResultSet *set, char *words, size_t size);
ResultLevel run_verdicts_biases_pull(const ResultSet *set, char *words, size_t size);

#endif
