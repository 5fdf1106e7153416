/* The results at the end of a mechanical run: pictures, summary.yaml, closing words. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_REPORT_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_REPORT_H

#include "base/text.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/run/record.h"

/* Run.own: statistics over all rows of energies. */
typedef struct MechanicsReport {
  int64_t rows;
  double first, last;     /* total energies */
  double drift;           /* max |E - E(0)| */
  double largest, hidden; /* max |g|, |dg/dt| */
} MechanicsReport;

static inline MechanicsReport *mechanics_run(const Run *run) { return run->own; }

/* Adds a row of energies to the statistics; selects the drawn coordinates of trajectory.csv; draws them. */
void mechanics_report_energies(const Run *run, const MeasureRow *row);
void mechanics_report_curves(const Simulation *simulation, RecordRows *rows);
Status mechanics_report_draw(const Run *run, const History *history, Error *error);

/* Functions of the rows of sorts (sort.h). */
void mechanics_report_system(Run *run);
Status mechanics_report_summary(Run *run, Error *error);
void mechanics_report_words(const Run *run, char *words, size_t size);

/* Whether the time step is symplectic, in words. */
const char *mechanics_report_symplectic(const Simulation *simulation);

#endif
