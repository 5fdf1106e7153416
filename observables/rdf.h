/* Radial distribution functions: histograms of distances of pairs of sites in different molecules, in bins of
 * equal width, as counts c_b over n samples. g compares them with an ideal gas in the volume V,
 *
 *   g_b = c_b / (P sum over samples of V_b/V),    V_b = 4/3 pi (r_hi^3 - r_lo^3) the bin's shell,
 *
 * with P pairs in different molecules per sample, so that g of an ideal gas is 1 for any number of molecules.
 * (Many programs divide by N_a N_b V_b/V, which gives a g smaller by a factor of 1 - 1/N if a and b are
 * alike.)
 *
 * In a box that is periodic in all directions, distances are to nearest images, V is the box's volume, and
 * the pairs are those of all named sites. The mean number n_ab(r) of sites b of other molecules within r of a
 * site a follows from the counts alone. File: gofr.csv.
 *
 * In an open system V is the ball whose radius is the range rmax, so g depends on rmax. The density
 *
 *   P_b = c_b / (dr sum_b' c_b')      in 1/A; its integral over [0, rmax] is 1
 *
 * and the fraction of pairs beyond rmax do not need V. File: rdf.csv. If sites are named (RdfSites), it has
 * P, g and n of each pair of names. Otherwise the pairs are those of one set of points: the first sites of
 * the first molecules (oxygens of water), or the sites of one molecule or of a system of sites, in one, two
 * or three dimensions. One object covers all replicas of a run.
 *
 * Errors are one standard error by jackknife over replicas, each one draw, or over blocks of consecutive
 * samples (block_rows.h). The block length depends on the slowest of a few monitors and on other series of
 * the run; single bins contain mostly counting noise, which hides slow motion. */
#ifndef HOLONOM_OBSERVABLES_RDF_H
#define HOLONOM_OBSERVABLES_RDF_H

#include "observables/observable.h"

/* Named sites by selections: up to RDF_SITES names, and the name of each atom of a molecule. */
enum { RDF_SITES = 8, RDF_SITE_NAME = 15 /* characters */ };
typedef struct RdfSites {
  int n;
  const char *const *name; /* [n] */
  const int *const *of;    /* [molecule types][atoms of a molecule] index of the name; -1: none */
} RdfSites;

/* The row's create for n points in open space of `dim` dimensions. */
Status rdf_create_open(Observable **rdf, const ObservableOptions *options, int n, int dim, Error *error);

/* Adds a sample of one replica in open space of three dimensions, from positions in angstrom. STATUS_RUN. */
Status rdf_add_positions(Observable *o, int replica, const double (*x)[3], Error *error);

/* The exact counts of an open system, dir/rdf_replicas.csv: one row per replica or block of time,
 * `replica,block,samples,`, sums and squares of the monitors, `n0,...,beyond`. The object of rdf_files_read
 * has the same results. */
Status rdf_files_write(const Observable *o, const char *dir, Error *error);
Status rdf_files_read(Observable **rdf, const char *path, Error *error);

/* The rows that are independent draws (replicas, or blocks at the plateau), as fractions of all pairs per
 * bin: x[nrow][nbin + 1], the last column for pairs beyond rmax. The caller frees x. Without a plateau the
 * rows are unsuitable for tests. */
typedef struct RdfFractions {
  int nrow, ncol, plateau;
  double *x;
} RdfFractions;
Status rdf_files_fractions(const Observable *o, RdfFractions *fractions, Error *error);

double rdf_rmax(const Observable *rdf);

#endif
