/* Radial distribution of site 0 of the first kind (the oxygens of water), of open clusters: every pair, no
 * images, no cutoff but the range of the histogram.
 *
 * N molecules, n samples (all replicas together), nbin equal bins of width dr = rmax/nbin, c_b pairs i < j
 * counted in bin b over all samples, N(N-1)/2 pairs in every sample, c_beyond of them past rmax. Then
 *
 *   P_b = c_b / (dr sum_b' c_b')      pair-distance density, 1/A; its integral over [0, rmax] is 1. The
 *                                     fraction of pairs beyond rmax is reported beside it.
 *   g_b = 2 c_b / (n N) / (rho V_b)   neighbours per molecule (ordered pairs, so 2 c_b) in the shell of
 * volume V_b = 4/3 pi (r_hi^3 - r_lo^3), against those of the reference density rho = (N-1) / (4/3 pi
 * rmax^3): the N-1 others spread evenly over a sphere of radius rmax.
 *
 * A cluster has no density of its own: g depends on rmax through rho, P does not (but for its range).
 *
 * Errors are one standard error. With several replicas they come from their scatter, each one draw. One alone
 * keeps up to BLOCK_ROWS blocks of consecutive samples (block_rows.h), and the errors come from these blocks,
 * merged further until the plateau (Flyvbjerg & Petersen, J. Chem. Phys. 91, 461 (1989)). The length goes by
 * the slowest of a few monitors (mean distance, cumulated counts) and of what else is known of the run:
 * single bins are mostly the noise of counting, which hides how slowly the whole moves. P and g are ratios of
 * sums; their errors are linearised.
 *
 * The row observable_rdf of observable_rows.def is such a distribution of all replicas of a run: its self is
 * an Rdf.
 */
#ifndef HOLONOM_OBSERVABLES_RDF_H
#define HOLONOM_OBSERVABLES_RDF_H

#include <stddef.h>
#include <stdint.h>

#include "engine/state.h"
#include "engine/status.h"
#include "observables/statistics.h"
#include "results/results.h"

typedef struct Rdf Rdf;

/* Empty histograms for replicas 0..nreplica-1 of nmol molecules. STATUS_INPUT (fewer than 2 molecules, no
 * replica, no positive range, no bins), STATUS_MEMORY. */
Status rdf_create(Rdf **rdf, int nreplica, int nmol, double rmax, int nbin, Error *error);
void rdf_free(Rdf *rdf);

/* One sample of every replica in the state's lanes: site 0 of block 0 of lane l is counted for replica
 * first + l, or slot[l]. The kind has 3 dimensions and the block nmol molecules, the width is 8 or 16.
 * Different gangs may be added by different threads at the same time. */
void rdf_add_state(Rdf *rdf, const State *state, int first, const int *slot);

/* One sample of one replica from its n = nmol positions, angstrom. */
void rdf_add_positions(Rdf *rdf, int replica, const double (*x)[3], int n);

typedef struct RdfResult {
  int nmol, nreplica, nbin;
  double rmax, dr;
  double *r;           /* [nbin] middle of the bin, A                                       */
  double *p, *p_err;   /* [nbin] pair-distance density and its standard error, 1/A          */
  double *g, *g_err;   /* [nbin]                                                            */
  double *count;       /* [nbin] pairs counted                                              */
  double samples;      /* all replicas together                                             */
  double beyond;       /* fraction of the pairs beyond rmax                                 */
  int from_blocks;     /* errors from time blocks (1) or from replicas (0)                  */
  int nrow;            /* replicas or blocks that the errors come from; NaN errors if < 2   */
  double block_length; /* samples in one of those blocks                                    */
  double correlation;  /* integrated correlation time in samples, of the slowest monitor, from 1/2 up; NaN if
                        * from replicas */
  int plateau; /* 0: the run is too short for its correlation; errors and correlation are lower bounds */
} RdfResult;

Status rdf_result(const Rdf *rdf, RdfResult **result, Error *error);
void rdf_result_free(RdfResult *result);

/* The table rdf, into the set and as dir/rdf.csv: columns r,P,P_err,g,g_err,count under comment lines that
 * say all of the above. */
Status rdf_write_csv(const Rdf *rdf, const char *dir, ResultSet *set, Error *error);

/* Its picture, the pair density; title and label of the curve may be NULL. Errors: see picture.h. */
Status rdf_draw(const Rdf *rdf, const char *dir, const char *title, const char *label, Error *error);

/* dir/rdf_replicas.csv, the exact counts: one row per replica, or per replica and time block,
 * `replica,block,samples,` sums and squares of the monitors, `n0,...,beyond`. What rdf_read_replicas returns
 * gives the same results. */
Status rdf_write_replicas(const Rdf *rdf, const char *dir, Error *error);
Status rdf_read_replicas(Rdf **rdf, const char *path, Error *error);

/* Rows that may be taken as independent draws (replicas, or blocks at the plateau) as fractions of all pairs
 * per bin: x[nrow][nbin + 1], the last column for those beyond rmax. The caller frees x. Without a plateau
 * the rows are too few and too short to test anything with. */
typedef struct RdfFractions {
  int nrow, ncol, plateau;
  double *x;
} RdfFractions;
Status rdf_result_fractions(const Rdf *rdf, RdfFractions *fractions, Error *error);

double rdf_rmax(const Rdf *rdf);

#endif
