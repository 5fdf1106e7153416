/* Sums of an observable's numbers by temperature and energy, for its averages at any temperature of a ladder.
 *
 * MBAR's weight of a sample depends on its energy alone (mbar.h), so that of an observable no more is wanted
 * than its sums over the samples of narrow bins of energy:
 *
 *   <A>(T) = sum_b W_b(T) A_b/n_b,    W_b ~ n_b exp(-beta U_b)/sum_k N_k exp(f_k - beta_k U_b),
 *
 * n_b samples in bin b, U_b their mean energy, A_b the sum of A. An observable is `columns` numbers a sample:
 * bins of a g(r), isomers, or one. Each slot, temperature k of ladder a, has bins of its own, as narrow as
 * its energies allow (energy_grid.h): ENERGY_COLUMNS_BINS, or half as many, cover what it has seen, which is
 * 0.15 to 0.3 standard deviations of its energy each. A bin of width D changes a weight by (beta - beta')^2
 * D^2/24 and an average by (beta - beta') D^2/12 dA/dU, beta' that of the samples in it: where a third of the
 * exchanges are accepted 0.5 % at most of what one standard deviation of the energy makes of A.
 *
 * All are whole numbers: neither the order of samples nor how they are shared out is in them. Slots may be
 * used by different threads at the same time. Where ladders are few every sum is also kept for
 * ENERGY_COLUMNS_BLOCKS blocks of time, for errors: the jackknife's over blocks as long as the inefficiency
 * asks for that the caller knows, times what the mean of all samples scatters more than so many independent
 * ones where correlation decays exponentially.
 *
 * Memory: 8 bytes times columns + 2, bins + 1, blocks and slots; for 600 bins of a g(r) 0.3 MB a slot. Beyond
 * ENERGY_COLUMNS_MEMORY in the whole run there are fewer bins (a quarter at least), then no blocks. */
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
#define ENERGY_COLUMNS_MOST   2e9   /* beyond which they are refused */

typedef struct EnergyColumns EnergyColumns;

typedef struct EnergyColumnsOptions {
  int temperatures, ladders; /* slots of the whole run: a temperatures + k                                  */
  int first, slots;          /* those that are kept here                                                */
  int copies; /* like this one in the run, which share ENERGY_COLUMNS_MEMORY; 0: it is shared out */
  int columns;
  double width; /* of the finest bins, kcal/mol; rounded down to a power of 2 */
  bool
      blocks; /* every slot has a sample at the same times: blocks of them are wanted where ladders are few */
} EnergyColumnsOptions;

/* STATUS_INPUT (more than ENERGY_COLUMNS_MOST bytes), STATUS_MEMORY. */
Status energy_columns_create(EnergyColumns **columns, const EnergyColumnsOptions *options, Error *error);
void energy_columns_free(EnergyColumns *columns);

/* A sample of the configuration that is at this slot now, of this potential energy, kcal/mol: returns the
 * sums [columns] that its numbers are to be added to. */
int64_t *energy_columns_add(EnergyColumns *columns, int slot, double energy);

/* One column is zero again, as if it had never been added to. */
void energy_columns_clear(EnergyColumns *columns, int column);

/* Lists all that changes: for batches in order, as many slots each, or for the list's present owner (0). */
void energy_columns_chunks(EnergyColumns *columns, int batches, ChunkList *list);

typedef struct EnergyColumnsRequest {
  EnergyColumns *const *columns; /* [n] whose samples count together, of the same ladders */
  int n, wanted;
  const int *place; /* [n][wanted] which column is which there, -1: none; NULL: as they are */
  const double *kT; /* [temperatures] kcal/mol, rising           */
  const double *at; /* [points] kT that averages are wanted at, within these */
  int points;
  double inefficiency; /* samples to an independent one, for which blocks of time must be long enough, of
                        * which there are 4 at least; up to 1: not known */
} EnergyColumnsRequest;

typedef struct EnergyColumnsResult {
  double *value, *error; /* [points][wanted], one standard error by jackknife; NaN: fewer than two draws */
  int draws;             /* ladders, or groups of neighbouring ones, or blocks of time */
  int failed;            /* of these, without which the others give nothing: errors are lower bounds   */
  bool from_blocks;
  bool bounds; /* of blocks too short for the inefficiency: errors are lower bounds */
} EnergyColumnsResult;

/* STATUS_INPUT (a temperature without a sample, one outside of the ladder, temperatures that do not overlap),
 * STATUS_RUN (no convergence), STATUS_MEMORY. */
Status energy_columns_result(const EnergyColumnsRequest *request, EnergyColumnsResult **result, Error *error);
void energy_columns_result_free(EnergyColumnsResult *result);

/* A table of the set, whose rows are those of `column` and `x`: the caller's columns, then for each symbol
 * and temperature the averages, times scale[wanted] (NULL: 1), with their errors, in columns SYMBOL_50 and so
 * on (K). Averages are wanted of all rows for the first symbol, then of all rows for the second, and so on.
 * comment: lines without #. Where samples are not enough for it, a remark says why. */
enum { ENERGY_COLUMNS_BEFORE = 2 };
typedef struct EnergyColumnsTable {
  const char *name, *comment;
  int symbols; /* 0: one */
  const char *const *symbol;
  const char *column[ENERGY_COLUMNS_BEFORE]; /* NULL: no more */
  const double *x[ENERGY_COLUMNS_BEFORE], *scale;
} EnergyColumnsTable;

Status energy_columns_add_table(const EnergyColumnsRequest *request, const EnergyColumnsTable *table,
                                ResultSet *set, Error *error);

#endif
