/* Histograms of the potential energy of a ladder of temperatures, for MBAR (mbar.h) in constant memory.
 *
 * All states of a ladder differ in beta alone, so that MBAR wants no more of a sample than its energy: counts
 * of bins (energy_grid.h), pooled over temperatures, and how many samples each temperature gave. Beside its
 * count a bin has the sum of its energies. All are whole numbers: neither the order of samples nor how they
 * are shared out among threads or processes is in them. Sums of other numbers than the energy are in
 * energy_columns.h, of bins for each temperature.
 *
 * One histogram is of one ladder, by one thread at a time. Every sum is kept for up to BLOCK_ROWS blocks of
 * consecutive samples (block_rows.h), of which errors are made. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_H
#define HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_H

#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"

enum { ENERGY_HISTOGRAM_TEMPERATURES = 1024 };

typedef struct EnergyHistogramOptions {
  int temperatures; /* of the ladder, 1 ... ENERGY_HISTOGRAM_TEMPERATURES           */
  int bins;         /* a power of 2; 4096 is usual: 64 blocks of them are 4 MB      */
  double width;     /* of the finest bins, kcal/mol; rounded down to a power of 2   */
} EnergyHistogramOptions;

typedef struct EnergyHistogram EnergyHistogram;

/* STATUS_INPUT (options out of range), STATUS_MEMORY. */
Status energy_histogram_create(EnergyHistogram **histogram, const EnergyHistogramOptions *options,
                               Error *error);
void energy_histogram_free(EnergyHistogram *histogram);

/* The potential energy, kcal/mol, of the configuration that is at temperature k now. One that is no number,
 * or beyond 1e9, is counted as odd and left out. Then the end of this sample of all temperatures, or of those
 * that are at hand here. */
void energy_histogram_add(EnergyHistogram *histogram, int k, double energy);
void energy_histogram_end(EnergyHistogram *histogram);

/* Lists all that changes: for checkpoints, and to copy it from process to process (chunk_get, chunk_set). */
void energy_histogram_chunks(EnergyHistogram *histogram, ChunkList *list);

int64_t energy_histogram_samples(const EnergyHistogram *histogram); /* of each temperature */
int64_t energy_histogram_odd(const EnergyHistogram *histogram);
int energy_histogram_blocks(const EnergyHistogram *histogram);     /* that are full      */
int64_t energy_histogram_length(const EnergyHistogram *histogram); /* samples in a block */
/* Mean energy of temperature k in a block, of the samples that are in; NaN: of none. */
double energy_histogram_mean(const EnergyHistogram *histogram, int block, int k);

#endif
