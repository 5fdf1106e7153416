/* The results of a decoupling: the tables `alchemy` (a row for each state) and `overlap`, the figure, and the
 * numbers of the group `alchemy`. */
#ifndef HOLONOM_OBSERVABLES_DECOUPLING_RESULT_H
#define HOLONOM_OBSERVABLES_DECOUPLING_RESULT_H

#include "observables/decoupling.h"
#include "results/results.h"

/* What results say about the run. */
typedef struct DecouplingAbout {
  const char *molecules;
  bool exchange;        /* replicas exchange their states */
  bool pressure;        /* constant pressure: Gibbs free energies */
  bool open;            /* open space, where there is no liquid to dissolve in */
  int64_t sample_steps; /* between samples in memory */
} DecouplingAbout;

/* Adds both tables to the set. Errors: STATUS_MEMORY. */
Status decoupling_result_tables(const Decoupling *decoupling, const DecouplingPath *path,
                                const DecouplingAbout *about, ResultSet *set, Error *error);

/* Adds the numbers. */
void decoupling_result_numbers(const Decoupling *decoupling, const DecouplingPath *path,
                               const DecouplingAbout *about, ResultSet *set);

/* The name of the free energy among the numbers: "solvation" if the states go from full interactions to none
 * in a box, else "difference". */
const char *decoupling_result_name(const DecouplingPath *path, const DecouplingAbout *about);

/* Draws dir/alchemy.png: slopes, free energies, and overlaps along the path. Errors: picture.h. */
Status decoupling_draw(const Decoupling *decoupling, const DecouplingPath *path, const char *dir, Error *why);

#endif
