/* Radial distributions: histograms of the distances of pairs of sites in different molecules, in bins of
 * equal width, as counts c_b over n samples. The pairs are all that an ideal gas would have spread evenly,
 *
 *   g_b = c_b / (P sum over samples of V_b/V),    V_b = 4/3 pi (r_hi^3 - r_lo^3) the bin's shell,
 *
 * with P pairs in different molecules in a sample, so that g of an ideal gas is 1 at any number of molecules.
 * (Many programs divide by N_a N_b V_b/V instead, which is larger by 1/N where a and b are alike.)
 *
 * In a box periodic in all directions distances are to the nearest images and V is the box's volume; the
 * pairs are those of all named sites, and n_ab(r), the mean number of b of other molecules within r of an a,
 * comes from the counts and no density: gofr.csv.
 *
 * An open system has no density of its own: V is the ball whose radius is the range rmax, which g depends on.
 * Beside g there is
 *
 *   P_b = c_b / (dr sum_b' c_b')      pair-distance density, 1/A; its integral over [0, rmax] is 1
 *
 * and the fraction of pairs beyond rmax: rdf.csv. Where sites are named (RdfSites) it has P, g and n of each
 * pair of names. Else the pairs are those of one set of points: the first sites of the first molecules (the
 * oxygens of water), or the sites of one molecule or of a system of sites, in one, two or three dimensions.
 * All replicas of a run are in one self.
 *
 * Errors are one standard error by jackknife: over replicas, each one draw, or over blocks of consecutive
 * samples (block_rows.h), whose length goes by the slowest of a few monitors and what else is known of the
 * run: single bins are mostly the noise of counting, which hides how slowly the whole moves. */
#ifndef HOLONOM_OBSERVABLES_RDF_H
#define HOLONOM_OBSERVABLES_RDF_H

#include "observables/observable.h"

/* Sites by selections: up to RDF_SITES names, and which of them each atom of a molecule has. */
enum { RDF_SITES = 8, RDF_SITE_NAME = 15 /* letters */ };
typedef struct RdfSites {
  int n;
  const char *const *name; /* [n] */
  const int *const *of;    /* [molecule types][atoms of a molecule] which of the names; -1: none */
} RdfSites;

/* The row's create for n points in open space of so many dimensions. */
Status rdf_create_open(Observable **rdf, const ObservableOptions *options, int n, int dim, Error *error);

/* One sample of one replica in open space of three dimensions from its positions, angstrom. STATUS_RUN. */
Status rdf_add_positions(Observable *o, int replica, const double (*x)[3], Error *error);

/* dir/rdf_replicas.csv of an open system, the exact counts: one row per replica, or time block,
 * `replica,block,samples,` sums and squares of the monitors, `n0,...,beyond`. What rdf_files_read returns
 * gives the same results. */
Status rdf_files_write(const Observable *o, const char *dir, Error *error);
Status rdf_files_read(Observable **rdf, const char *path, Error *error);

/* Rows that may be taken as independent draws (replicas, or blocks at the plateau) as fractions of all pairs
 * per bin: x[nrow][nbin + 1], the last column for those beyond rmax. The caller frees x. Without a plateau
 * the rows are too few and too short to test anything with. */
typedef struct RdfFractions {
  int nrow, ncol, plateau;
  double *x;
} RdfFractions;
Status rdf_files_fractions(const Observable *o, RdfFractions *fractions, Error *error);

double rdf_rmax(const Observable *rdf);

#endif
