/* multipliers.csv: the constraint multipliers of the first molecule, as they are and averaged over a window
 * (Tao & Owhadi 2015, Theorem 1.3 and Fig. 5). */
#ifndef HOLONOM_SIMULATION_RUN_MULTIPLIERS_H
#define HOLONOM_SIMULATION_RUN_MULTIPLIERS_H

#include "base/chunk.h"
#include "base/text.h"
#include "config/config.h"

typedef struct Multipliers Multipliers;

/* What the times of a table are in: the name of its column, " ps" behind a number, and how many of these are
 * one of the input's. */
typedef struct MultipliersClock {
  const char *name, *unit;
  double per;
} MultipliersClock;

/* age: of plan_multipliers_age, by which the times of rows lie before the ends of steps. */
Status multipliers_create(Multipliers **multipliers, const Config *config, const MultipliersClock *clock,
                          int ncon, double age, Error *error);

void multipliers_free(Multipliers *multipliers); /* NULL is fine */

/* Lists all that changes in a run. */
void multipliers_chunks(Multipliers *multipliers, ChunkList *list);

/* The first lines of the file; lambda is that of `of` ("molecule 1") in `where` ("replica 0"). */
void multipliers_head(const Multipliers *multipliers, const char *of, const char *where, Text *text);

/* The row of lambda[ncon] of a step. */
void multipliers_add(Multipliers *multipliers, Text *text, int64_t step, const double *lambda);

#endif
