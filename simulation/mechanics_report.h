/* What a mechanical run leaves when it ends: pictures, summary.yaml, last words; and what `holonom check`
 * says of a mechanical system. */
#ifndef HOLONOM_SIMULATION_MECHANICS_REPORT_H
#define HOLONOM_SIMULATION_MECHANICS_REPORT_H

#include <stdio.h>

#include "engine/chunk.h"
#include "engine/text.h"
#include "simulation/mechanics_means.h"
#include "simulation/mechanics_private.h"

/* "x1", "py2"; with a Hamiltonian "q1", "p2". */
typedef struct MechanicsName {
  char text[24];
} MechanicsName;
MechanicsName mechanics_report_name(const Mechanics *mechanics, int i, int momentum);

MechanicsColumns mechanics_report_columns(const Mechanics *mechanics, const MechanicsEnergy *energy);

typedef struct MechanicsReport MechanicsReport;

Status mechanics_report_create(MechanicsReport **report, const Mechanics *mechanics, Error *error);
void mechanics_report_free(MechanicsReport *report); /* NULL is fine */

/* A row: of many, every second one is forgotten now and then, so that pictures stay small. */
void mechanics_report_add(MechanicsReport *report, double time, const double *q,
                          const MechanicsEnergy *energy);

/* Lists all that changes in a run. */
void mechanics_report_chunks(MechanicsReport *report, ChunkList *list);

typedef struct MechanicsEnding {
  const char *dir;
  Text *log;
  const MechanicsMeans *means; /* NULL: none              */
  FILE *out;                   /* closing words; NULL: silent     */
  Status status;               /* how the run ended               */
  const char *message;         /* what went wrong, or NULL        */
  double wall, stepping;
} MechanicsEnding;

/* Pictures (a failure is a remark in the log), summary.yaml, closing words. */
Status mechanics_report_write(MechanicsReport *report, const MechanicsEnding *ending, Error *error);

/* What was understood: sites, constraints, degrees of freedom, method, fastest frequency. */
Status mechanics_report_check(const Mechanics *mechanics, FILE *out, Error *error);

#endif
