/* What a mechanical run leaves when it ends: pictures, summary.yaml, last words. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_REPORT_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_REPORT_H

#include "engine/chunk.h"
#include "engine/text.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/mechanics/mechanics_run.h"

typedef struct MechanicsReport MechanicsReport;

Status mechanics_report_create(MechanicsReport **report, const Mechanics *mechanics, Error *error);
void mechanics_report_free(MechanicsReport *report); /* NULL is fine */

/* A row of energies, and one of coordinates: of many, every second one is forgotten now and then, so that
 * pictures stay small. */
void mechanics_report_energies(const Run *run, const MeasureRow *row);
void mechanics_report_point(const Run *run, const MeasureRow *row);

/* Lists all that changes in a run. */
void mechanics_report_chunks(MechanicsReport *report, ChunkList *list);

/* Total energy of the last row. */
double mechanics_report_energy(const MechanicsReport *report);

/* For the rows of sorts: sort.h. */
Status mechanics_report_results(Run *run, Error *error);
void mechanics_report_system(Run *run);
Status mechanics_report_summary(Run *run, Error *error);
void mechanics_report_words(const Run *run, char *words, size_t size);

/* Whether its step is, in words. */
const char *mechanics_report_symplectic(const Simulation *simulation);

#endif
