/* Histograms of the potential energy of a temperature ladder, for MBAR (mbar.h) in constant memory. The
 * states of a ladder differ in beta only, so MBAR needs only the energies of samples. A histogram has counts
 * of bins (energy_grid.h) pooled over temperatures, the mean energy of each bin, at constant pressure its
 * mean volume, and the number of samples of each temperature. All sums are integers, so they do not depend on
 * the order of samples or on their distribution over threads and processes. energy_columns.h has sums of
 * other numbers, with bins for each temperature.
 *
 * A histogram is of one ladder, used by one thread at a time. Sums are stored for up to BLOCK_ROWS blocks of
 * consecutive samples (block_rows.h), for errors. */
#ifndef HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_H
#define HOLONOM_OBSERVABLES_ENERGY_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"

enum { ENERGY_HISTOGRAM_TEMPERATURES = 1024 };

typedef struct EnergyHistogramOptions {
  int temperatures; /* 1 ... ENERGY_HISTOGRAM_TEMPERATURES */
  int bins;         /* a power of 2; 4096 is usual: 64 blocks of them are 4 MB      */
  double width;     /* width of the finest bins, kcal/mol; rounded down to a power of 2 */
  bool volumes;     /* energies are U + P V, and samples have volumes */
} EnergyHistogramOptions;

typedef struct EnergyHistogram EnergyHistogram;

/* Errors: STATUS_INPUT (options out of range), STATUS_MEMORY. */
Status energy_histogram_create(EnergyHistogram **histogram, const EnergyHistogramOptions *options,
                               Error *error);
void energy_histogram_free(EnergyHistogram *histogram);

/* Adds the energy, kcal/mol, and the volume, A^3, if samples have one, of the configuration that is at
 * temperature k now. An energy that is NaN or beyond 1e9 is counted as odd and left out, and so is a volume.
 * energy_histogram_end ends the sample of all temperatures, or of those of this process. */
void energy_histogram_add(EnergyHistogram *histogram, int k, double energy, double volume);
void energy_histogram_end(EnergyHistogram *histogram);

/* Lists all data that change, for checkpoints and for copies between processes (chunk_get, chunk_set). */
void energy_histogram_chunks(EnergyHistogram *histogram, ChunkList *list);

int64_t energy_histogram_samples(const EnergyHistogram *histogram); /* of each temperature */
int64_t energy_histogram_odd(const EnergyHistogram *histogram);
int energy_histogram_blocks(const EnergyHistogram *histogram);     /* full blocks */
int64_t energy_histogram_length(const EnergyHistogram *histogram); /* samples in a block */
/* Mean energy of temperature k in a block, which may be incomplete; NaN without samples. */
double energy_histogram_mean(const EnergyHistogram *histogram, int block, int k);

#endif
