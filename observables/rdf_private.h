/* The memory of radial distributions: rdf_cells.c counts, rdf_result.c evaluates. */
#ifndef HOLONOM_OBSERVABLES_RDF_PRIVATE_H
#define HOLONOM_OBSERVABLES_RDF_PRIVATE_H

#include "observables/energy_columns.h"
#include "observables/observable.h"
#include "observables/rdf.h"
#include "observables/rdf_kernels.h"

enum { RDF_SPECIES = RDF_SITES, RDF_PAIRS = RDF_SPECIES * (RDF_SPECIES + 1) / 2 };

/* Slow monitors of one sample, whose correlation decides over the errors. In a box the counts in 12 shells of
 * each pair of species; without, the mean distance (pairs beyond the range count as its end), then the
 * fractions of pairs below k/8 of the range, k = 1 .. 8: each between 0 and 1, in whole units of 1/RDF_UNIT.
 */
enum { RDF_SHELLS = 12, RDF_BELOW = 8, RDF_MONITORS = 1 + RDF_BELOW, RDF_UNIT = 16384 };

/* Sites of the same name, in whatever molecules. */
typedef struct RdfSpecies {
  char name[16];
  int n, first; /* points first to first + n - 1 */
} RdfSpecies;

/* A site that is counted. Pairs within a group are not: the molecules, or the sites of a single one. */
typedef struct RdfPoint {
  int block, molecule, site; /* of the frame; the molecule's number in its block */
  int species, group;
} RdfPoint;

typedef struct RdfPair {
  int a, b;     /* a <= b: species in the order in which they appear                */
  double pairs; /* of points in different groups, each once, in a sample            */
  int nrun;     /* the same as runs of points, for lanes of an open system */
  RdfPointRun *run;
} RdfPair;

/* Another cell, as a step from the first; its opposite is not listed unless it is the same. */
typedef struct RdfOffset {
  int step[3];
  int own_opposite;
} RdfOffset;

/* A cell, or its image moved by whole edges of an oblique box. */
typedef struct RdfCell {
  int cell;
  double shift[3];
} RdfCell;

/* One thread's: candidates side by side, and its counts of a sample. */
typedef struct RdfThread {
  Vec8 (*x)[4];       /* positions and numbers of molecules */
  uint32_t *apart;    /* [npair][nbin + LANES] pairs of different cells          */
  uint32_t *together; /* the same, of one cell: each pair is counted twice there */
  RdfCell *cell;      /* [cells] */
} RdfThread;

typedef struct Rdf {
  /* Of rows: [npair][nbin] counts, in a box followed by the sum of 1/volume; in open space [npair][nbin + 1],
   * the last of each pair those beyond the range. */
  Observable is;
  bool open; /* no images; normalised by the ball of the range */
  /* labelled: results have columns for each pair of named sites. Otherwise an open system has one pair: all
   * sites of a single molecule (single), or the first sites of several. */
  bool labelled, single;
  char pairs[160], whose[192]; /* "O-O", and a phrase that says which sites these are */
  const double **at;           /* [batches][points]: of an open system where they are in a sample */
  int npoint, dim;
  RdfPoint *point; /* by species, in each by groups */
  int nspecies, npair, nbin;
  RdfSpecies species[RDF_SPECIES];
  RdfPair pair[RDF_PAIRS];
  int pair_of[RDF_SPECIES][RDF_SPECIES];
  double longest, width;
  double *reach; /* half of the shortest box sampled, at most longest; NULL: every box must have the whole
                    range */
  double volume; /* of the ball that the pairs of an open system are normalised by */
  const RdfKernels *kernels;
  RdfRule rule;
  int ncell[3], noffset; /* of an open system one */
  Box box;               /* that the offsets are for             */
  RdfOffset *offset;
  int *start;     /* [cells*nspecies + 1] of each cell's and species' sites in the order below */
  double (*x)[3]; /* [points] in the box, by cell and species */
  double *group;  /* [points] likewise */
  int *key;       /* [points] cell*nspecies + species */
  int nthread;
  RdfThread *thread;
  int64_t *now;           /* [npair][nbin] counts of the present sample */
  double *middle;         /* [nbin] of the bins */
  double *scratch;        /* [2][nbin] */
  EnergyColumns *columns; /* counts by energy, with those beyond; NULL: not wanted */
} Rdf;

/* Memory of cells and counts for the range and the threads asked for (STATUS_MEMORY), of which rdf->offset is
 * the caller's to free. */
Status rdf_cells_create(Rdf *rdf, const Box *box, Error *error);

/* Whether a box is long enough: for the whole range, where it was asked for. STATUS_INPUT. */
Status rdf_cells_fit(const Rdf *rdf, const Box *box, Error *error);

/* The pairs of a sample in rdf->now: begun by one member of the team (STATUS_INPUT, STATUS_RUN), counted by
 * all, and added up by one. */
Status rdf_cells_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error);
void rdf_cells_count(const Rdf *rdf, const Team *team);
void rdf_cells_end(Rdf *rdf, const Team *team);

/* What is said of each pair beside the curves; and what decides whether it is said: how far g falls after its
 * first peak and rises after its first minimum, what counting alone leaves uncertain of that, and how many
 * pairs make up the peak. */
enum {
  RDF_PEAK_R,
  RDF_PEAK_G,
  RDF_MIN_R,
  RDF_MIN_G,
  RDF_MIN_N,
  RDF_TOLD,
  RDF_FALL = RDF_TOLD,
  RDF_FALL_NOISE,
  RDF_RISE,
  RDF_RISE_NOISE,
  RDF_PEAK_COUNT,
  RDF_FEATURES
};

/* out[RDF_FEATURES] of a pair's curve, its counts and its neighbours; NaN: it has none. Then what the report
 * has of all pairs, and whether a pair has a peak. */
void rdf_peaks_find(const Rdf *rdf, const double *count, const double *curve, const double *neighbours,
                    double *out);
void rdf_peaks_report(const Rdf *rdf, const ObservableResult *result, ResultSet *report);
bool rdf_peaks_seen(const Rdf *rdf, const ObservableResult *result, int pair);

/* "O-H". */
void rdf_peaks_label(const Rdf *rdf, int pair, char label[40]);

/* Of each pair of species g [nbin], n [nbin] (P where pairs have no labels), what stands for peaks, and P
 * [nbin] in open space with labels: the row's evaluate; and where a pair's numbers begin. */
void rdf_result_evaluate(const void *self, const double *sum, double n, double *out);
size_t rdf_result_curve(const Rdf *rdf, int pair);

/* Where the counts of a pair begin in the sums. */
size_t rdf_result_counts(const Rdf *rdf, int pair);

/* The bins that every box sampled had room for, of nbin. */
int rdf_result_bins(const Rdf *rdf);
Status rdf_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
Status rdf_result_draw(const void *self, const ObservableResult *result, const char *dir,
                       const ResultSet *set, Error *why);

/* The volume between two radii, in as many dimensions as the points have. */
double rdf_result_shell(const Rdf *rdf, double low, double high);

/* By temperature: rdf_ladder.csv, rdf_reweighted.csv. */
Status rdf_ladder_write(const Rdf *rdf, const char *dir, ResultSet *set, Error *error);

#endif
