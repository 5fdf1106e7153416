/* Words about a system of molecules before it runs, for `holonom check` and the log: groups with empty lanes,
 * net charge, restraints, and parts with another precision than requested. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_WORDS_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_WORDS_H

#include "results/results.h"
#include "simulation/simulation_private.h"

/* Writes line i to words, without a newline; false after the last. */
bool system_words(const Simulation *system, int i, char *words, size_t size);

/* Appends the warning about the net charge of a periodic box; false: there is no net charge. */
bool system_words_charge(const Simulation *system, char *words, size_t size);

/* Adds the keys groups, group_kinds, empty_lanes, restrained_atoms to the summary. */
void system_words_summary(const Simulation *system, ResultSet *set);

#endif
