/* What is said of a system of molecules before it runs, alike by `holonom check` and in a run's log: groups
 * and how much of the lanes they fill, a net charge, restraints, what goes in another precision than is asked
 * for. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_WORDS_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_WORDS_H

#include "results/results.h"
#include "simulation/simulation_private.h"

/* Line i in words, without its end; false after the last. */
bool system_words(const Simulation *system, int i, char *words, size_t size);

/* The warning about the net charge of a periodic box, appended to words; false: it has none. */
bool system_words_charge(const Simulation *system, char *words, size_t size);

/* The same for the summary: groups, group_kinds, empty_lanes, restrained_atoms. */
void system_words_summary(const Simulation *system, ResultSet *set);

#endif
