/* Sums of an observable by temperature and energy, for its averages at any temperature of a ladder. The MBAR
 * weight of a sample depends on its energy only (mbar.h). The average of an observable A therefore needs only
 * its sums over the samples of narrow bins of energy:
 *
 *   <A>(T) = sum_b W_b(T) A_b/n_b,    W_b ~ n_b exp(-beta U_b)/sum_k N_k exp(f_k - beta_k U_b),
 *
 * with n_b samples in bin b, U_b their mean energy and A_b the sum of A. An observable is `columns` numbers
 * per sample: bins of a g(r), isomers, or one number.
 *
 * Each slot (temperature k of ladder a) has its own bins, as narrow as its energies allow (energy_grid.h). At
 * least ENERGY_COLUMNS_BINS/2 bins cover the range found, so a bin is 0.15 to 0.3 standard deviations of the
 * energy wide. A bin of width D changes a weight by (beta - beta')^2 D^2/24 and an average by (beta - beta')
 * D^2/12 dA/dU, with beta' of its samples. If a third of the exchanges are accepted, this is at most 0.5 % of
 * the change of A over one standard deviation of the energy.
 *
 * All sums are integers, so they do not depend on the order of samples or on their distribution over threads.
 * Threads may use different slots concurrently. With few ladders the sums are stored for
 * ENERGY_COLUMNS_BLOCKS blocks of time as well, for jackknife errors. Blocks have the length that the
 * caller's inefficiency requires. The errors are scaled to the scatter of the mean of all samples, for an
 * exponential correlation.
 *
 * Memory: 8 bytes times columns + 2, bins + 1, blocks and slots, such as 0.3 MB per slot for 600 bins of a
 * g(r). If a run would exceed ENERGY_COLUMNS_MEMORY, the number of bins decreases (to a quarter at least),
 * then blocks are left out. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_COLUMNS_H
#define HOLONOM_OBSERVABLES_ENERGY_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/chunk.h"
#include "base/status.h"
#include "observables/observable.h"

enum { ENERGY_COLUMNS_BINS = 64, ENERGY_COLUMNS_BLOCKS = 16 };
#define ENERGY_COLUMNS_MEMORY 128e6 /* bytes */
#define ENERGY_COLUMNS_MOST   2e9   /* bytes: an error beyond this */

typedef struct EnergyColumns EnergyColumns;

typedef struct EnergyColumnsOptions {
  int temperatures, ladders; /* slots of the whole run: a temperatures + k */
  int first, slots;          /* the slots of this object */
  int copies; /* objects like this one in the run, which share ENERGY_COLUMNS_MEMORY; 0: all slots share it */
  int columns;
  double width; /* width of the finest bins, kcal/mol; rounded down to a power of 2 */
  bool blocks;  /* all slots have samples at the same times: blocks of time are stored if ladders are few */
} EnergyColumnsOptions;

/* Errors: STATUS_INPUT (more than ENERGY_COLUMNS_MOST bytes), STATUS_MEMORY. */
Status energy_columns_create(EnergyColumns **columns, const EnergyColumnsOptions *options, Error *error);
void energy_columns_free(EnergyColumns *columns);

/* Adds a sample of this potential energy, kcal/mol, to a slot. Returns the sums [columns] to which the caller
 * adds the sample's numbers. */
int64_t *energy_columns_add(EnergyColumns *columns, int slot, double energy);

/* Sets all sums of one column to zero. */
void energy_columns_clear(EnergyColumns *columns, int column);

/* Lists all data that change: of `batches` batches with equal numbers of slots, or of the list's owner
 * (0). */
void energy_columns_chunks(EnergyColumns *columns, int batches, ChunkList *list);

typedef struct EnergyColumnsRequest {
  EnergyColumns *const *columns; /* [n] pooled samples of the same ladders */
  int n, wanted;
  const int *place; /* [n][wanted] column of each number in each object, -1: none; NULL: the same column */
  const double *kT; /* [temperatures] kcal/mol, rising           */
  const double *at; /* [points] kT of the averages, within the ladder */
  int points;
  double inefficiency; /* statistical inefficiency in samples, which sets the length of blocks of time (4
                          blocks at least); up to 1: unknown */
} EnergyColumnsRequest;

typedef struct EnergyColumnsResult {
  double *value,
      *error; /* [points][wanted] averages, and one standard error by jackknife; NaN: fewer than two draws */
  int draws;  /* ladders, groups of neighbouring ladders, or blocks of time */
  int failed; /* draws without which no result could be computed: errors are lower bounds */
  bool from_blocks;
  bool bounds; /* blocks are shorter than the inefficiency requires: errors are lower bounds */
} EnergyColumnsResult;

/* Errors: STATUS_INPUT (a temperature without samples, a point outside the ladder, temperatures that do not
 * overlap), STATUS_RUN (no convergence), STATUS_MEMORY. */
Status energy_columns_result(const EnergyColumnsRequest *request, EnergyColumnsResult **result, Error *error);
void energy_columns_result_free(EnergyColumnsResult *result);

/* Adds a table to the set. Its rows are those of `column` and `x`: the caller's columns, then for each symbol
 * and temperature the averages, times scale[wanted] (NULL: 1), and their errors, in columns such as SYMBOL_50
 * (K). The request lists all rows of the first symbol, then all rows of the second, and so on. comment: lines
 * without #. If the samples do not suffice, a remark explains why. */
enum { ENERGY_COLUMNS_BEFORE = 2 };
typedef struct EnergyColumnsTable {
  const char *name, *comment;
  int symbols; /* 0: one symbol */
  const char *const *symbol;
  const char *column[ENERGY_COLUMNS_BEFORE]; /* NULL: no further column */
  const double *x[ENERGY_COLUMNS_BEFORE], *scale;
} EnergyColumnsTable;

Status energy_columns_add_table(const EnergyColumnsRequest *request, const EnergyColumnsTable *table,
                                ResultSet *set, Error *error);

#endif
