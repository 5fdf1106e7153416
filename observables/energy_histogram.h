/* Histograms of the potential energy of a ladder of temperatures, for MBAR (mbar.h) in constant memory.
 *
 * All states of a ladder differ in beta alone, so that MBAR wants no more of a sample than its energy: counts
 * of bins, pooled over temperatures, and how many samples each temperature gave. Bins are those of a grid
 * through zero; while the energies seen fit into what there are their width stays, otherwise neighbours merge
 * and it doubles: the finest width that the range allows, whatever the order of samples. Beside counts a bin
 * has the sum of its energies and sums of further observables (bins of a g(r), say). All are whole numbers of
 * a unit: neither the order of samples nor how they are shared out among threads or processes is in them.
 *
 * One histogram is of one ladder, by one thread at a time. Every sum is kept for up to BLOCK_ROWS blocks of
 * consecutive samples (block_rows.h), of which errors are made. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_H
#define HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/chunk.h"
#include "engine/status.h"

enum { ENERGY_HISTOGRAM_TEMPERATURES = 1024 };

typedef struct EnergyHistogramOptions {
  int temperatures;   /* of the ladder, 1 ... ENERGY_HISTOGRAM_TEMPERATURES             */
  int bins;           /* a power of 2; 4096 is usual: 64 blocks of them are 4 MB      */
  double width;       /* of the finest bins, kcal/mol; rounded down to a power of 2   */
  int columns;        /* further observables, 0 or more                               */
  int share;          /* a power of 2: so many bins have one sum of each of these; their mean given the energy
                       * changes slowly with it, and memory is saved; 1 ... bins        */
  const double *unit; /* [columns] of which sums are whole numbers; NULL: all 1        */
} EnergyHistogramOptions;

typedef struct EnergyHistogram EnergyHistogram;

/* STATUS_INPUT (options out of range), STATUS_MEMORY. */
Status energy_histogram_create(EnergyHistogram **histogram, const EnergyHistogramOptions *options,
                               Error *error);
void energy_histogram_free(EnergyHistogram *histogram);

/* The configuration that is at temperature k now: its potential energy, kcal/mol, and its column[columns]. An
 * energy that is no number, or beyond 1e9, is counted as odd and left out. Then the end of this sample of all
 * temperatures, or of those that are at hand here. */
void energy_histogram_add(EnergyHistogram *histogram, int k, double energy, const double *column);
void energy_histogram_end(EnergyHistogram *histogram);

/* Adds what another has seen, of the same options, at the same samples but of other temperatures or at
 * another process. STATUS_INPUT: it has another number of samples. */
Status energy_histogram_merge(EnergyHistogram *into, EnergyHistogram *from, Error *error);

/* Lists all that changes: for checkpoints, and to copy it from process to process (chunk_get, chunk_set). */
void energy_histogram_chunks(EnergyHistogram *histogram, ChunkList *list);

int64_t energy_histogram_samples(const EnergyHistogram *histogram); /* of each temperature */
int64_t energy_histogram_odd(const EnergyHistogram *histogram);
int energy_histogram_blocks(const EnergyHistogram *histogram);     /* that are full      */
int64_t energy_histogram_length(const EnergyHistogram *histogram); /* samples in a block */
/* Mean energy of temperature k in a block, of the samples that are in; NaN: of none. */
double energy_histogram_mean(const EnergyHistogram *histogram, int block, int k);

#endif
