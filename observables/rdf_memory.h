/* The memory of an Rdf, shared by rdf.c, which counts, and rdf_result.c, which evaluates. */
#ifndef HOLONOM_OBSERVABLES_RDF_MEMORY_H
#define HOLONOM_OBSERVABLES_RDF_MEMORY_H

#include "observables/block_rows.h"
#include "observables/energy_columns.h"
#include "observables/gofr_kernels.h"
#include "observables/rdf.h"
#include "observables/statistics.h"

/* Slow monitors of one sample, whose correlation decides over the errors: the mean distance (pairs beyond the
 * range count as rmax), then the fractions of pairs below k/8 of the range, k = 1 .. 8. Each lies between 0
 * and 1 and is kept in whole units of 1/RDF_UNIT, so that rows are whole numbers. */
enum { RDF_SHELLS = 8, RDF_MONITORS = 1 + RDF_SHELLS, RDF_UNIT = 16384 };

/* A row of the histogram memory: ROW_SAMPLES, then of each monitor the sum over the samples and the sum of
 * squares (with time blocks only), then the nbin + 1 counts. Rows add up as a whole. */
enum { ROW_SAMPLES, ROW_MONITORS, ROW_COUNTS = ROW_MONITORS + 2 * RDF_MONITORS };

struct Rdf {
  int nreplica, nmol, nbin;
  int first;                 /* of the replicas, in the whole run                                 */
  int ngang;                 /* that the replicas of a run are in; 0: not of a run                */
  const char *title;         /* of the picture, or NULL                                           */
  int temperatures, ladders; /* of the replicas, whose numbers are slots; 0: no ladder    */
  EnergyColumns *columns;    /* counts by energy; NULL: not wanted */
  const double *kT, *at;     /* of ladders; [points] wanted: ObservableOptions */
  int points;
  double rmax;
  const GofrKernels *kernels;
  GofrRule rule;
  int nrow;               /* one for each replica; of one replica BLOCK_ROWS                   */
  size_t stride;          /* of rows, padded so that two replicas share no cache line          */
  uint64_t *row;          /* [nrow][stride]                                                    */
  BlockRowsSeries series; /* of the one replica */
  uint32_t *now;          /* [nbin + LANES] counts of the present sample of one replica        */
  double known;           /* inefficiency that other series of the run have, in samples; 1: nothing known */
};

static inline uint64_t *rdf_row(const Rdf *rdf, int row) { return rdf->row + (size_t)row * rdf->stride; }

static inline size_t rdf_row_size(const Rdf *rdf) { return rdf->stride * sizeof *rdf->row; }

/* The row's correlation; without time blocks the replicas are the independent samples: inefficiency 1,
 * plateau 1. */
Status rdf_result_correlation(const void *self, StatisticsCorrelation *correlation, Error *error);

/* g of a pair a sample in this bin: 2/(N rho V). */
double rdf_result_g(const Rdf *rdf, int bin);

#endif
