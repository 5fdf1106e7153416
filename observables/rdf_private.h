/* Data of radial distribution functions, shared by rdf_cells.c (counting) and rdf_result.c (evaluation). */
#ifndef HOLONOM_OBSERVABLES_RDF_PRIVATE_H
#define HOLONOM_OBSERVABLES_RDF_PRIVATE_H

#include "observables/energy_columns.h"
#include "observables/observable.h"
#include "observables/rdf.h"
#include "observables/rdf_kernels.h"

enum { RDF_SPECIES = RDF_SITES, RDF_PAIRS = RDF_SPECIES * (RDF_SPECIES + 1) / 2 };

/* Slow monitors of one sample, whose correlation determines the errors. In a box: the counts in 12 shells of
 * each pair of species. In open space: the mean distance (with the range for pairs beyond it), then the
 * fractions of pairs below k/8 of the range, k = 1 .. 8. Each is between 0 and 1, an integer in units of
 * 1/RDF_UNIT. */
enum { RDF_SHELLS = 12, RDF_BELOW = 8, RDF_MONITORS = 1 + RDF_BELOW, RDF_UNIT = 16384 };

/* Sites of the same name, in all molecules. */
typedef struct RdfSpecies {
  char name[16];
  int n, first; /* points first to first + n - 1 */
} RdfSpecies;

/* A counted site. Pairs within a group are not counted: a molecule, or a site of a single molecule. */
typedef struct RdfPoint {
  int block, molecule, site; /* of the frame; the molecule's number in its block */
  int species, group;
} RdfPoint;

typedef struct RdfPair {
  int a, b;     /* a <= b: species in order of appearance */
  double pairs; /* number of pairs of points in different groups, each once, in a sample */
  int nrun;     /* these pairs as runs of points, for lanes of an open system */
  RdfPointRun *run;
} RdfPair;

/* The step from a cell to another one; of two opposite steps one is listed, unless they lead to the same
 * cell. */
typedef struct RdfOffset {
  int step[3];
  int own_opposite;
} RdfOffset;

/* A cell, or its image shifted by edges of an oblique box. */
typedef struct RdfCell {
  int cell;
  double shift[3];
} RdfCell;

/* Data of one thread: candidates in packs, and counts of a sample. */
typedef struct RdfThread {
  Vec8 (*x)[4];       /* positions and numbers of molecules */
  uint32_t *apart;    /* [npair][nbin + LANES] pairs in different cells */
  uint32_t *together; /* likewise, pairs in one cell, each counted twice */
  RdfCell *cell;      /* [cells] */
} RdfThread;

typedef struct Rdf {
  /* Rows: [npair][nbin] counts, followed in a box by the sum of 1/volume. In open space [npair][nbin + 1],
   * the last one of each pair for distances beyond the range. */
  Observable is;
  bool open; /* no images; normalised by the ball of the range */
  /* labelled: results have columns for each pair of named sites. Otherwise an open system has one pair: all
   * sites of a single molecule (single), or the first sites of several molecules. */
  bool labelled, single;
  char pairs[160], whose[192]; /* such as "O-O", and a description of the sites */
  const double **at;           /* [batches][points] positions of an open system in a sample */
  int npoint, dim;
  RdfPoint *point; /* by species, then by groups */
  int nspecies, npair, nbin;
  RdfSpecies species[RDF_SPECIES];
  RdfPair pair[RDF_PAIRS];
  int pair_of[RDF_SPECIES][RDF_SPECIES];
  double longest, width;
  double *reach; /* half of the shortest box sampled, at most longest; NULL: every box must allow the whole
                    range */
  double volume; /* volume of the ball that normalises pairs of an open system */
  const RdfKernels *kernels;
  RdfRule rule;
  int ncell[3], noffset; /* one cell in an open system */
  Box box;               /* box of the offsets */
  RdfOffset *offset;
  int *start; /* [cells*nspecies + 1] index of the first site of each cell and species in the arrays below */
  double (*x)[3]; /* [points] positions in the box, by cell and species */
  double *group;  /* [points] in that order */
  int *key;       /* [points] cell*nspecies + species */
  int nthread;
  RdfThread *thread;
  int64_t *now;           /* [npair][nbin] counts of the current sample */
  double *middle;         /* [nbin] of the bins */
  double *scratch;        /* [2][nbin] */
  EnergyColumns *columns; /* counts by energy, including pairs beyond; NULL: none */
} Rdf;

/* Allocates cells and counts for the range and the number of threads (STATUS_MEMORY); the caller frees
 * rdf->offset. */
Status rdf_cells_create(Rdf *rdf, const Box *box, Error *error);

/* Whether a box is long enough for the requested range. STATUS_INPUT. */
Status rdf_cells_fit(const Rdf *rdf, const Box *box, Error *error);

/* Count the pairs of a sample into rdf->now: one member of the team begins (STATUS_INPUT, STATUS_RUN), all
 * count, and one adds up. */
Status rdf_cells_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error);
void rdf_cells_count(const Rdf *rdf, const Team *team);
void rdf_cells_end(Rdf *rdf, const Team *team);

/* Features of each pair's curve, up to RDF_TOLD for the report. The others decide which are reported: the
 * fall of g after its first peak, its rise after its first minimum, the counting error of both, and the
 * number of pairs in the peak. */
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

/* Finds out[RDF_FEATURES] of a pair from its curve, counts and neighbours (NaN: none); reports the features
 * of all pairs; and tests whether a pair has a peak. */
void rdf_peaks_find(const Rdf *rdf, const double *count, const double *curve, const double *neighbours,
                    double *out);
void rdf_peaks_report(const Rdf *rdf, const ObservableResult *result, ResultSet *report);
bool rdf_peaks_seen(const Rdf *rdf, const ObservableResult *result, int pair);

/* Writes a pair's label, such as "O-H". */
void rdf_peaks_label(const Rdf *rdf, int pair, char label[40]);

/* The row's evaluate: for each pair of species g [nbin], n [nbin] (P for pairs without labels), the features,
 * and P [nbin] in open space with labels. rdf_result_curve: the index of a pair's first number. */
void rdf_result_evaluate(const void *self, const double *sum, double n, double *out);
size_t rdf_result_curve(const Rdf *rdf, int pair);

/* The index of a pair's first count in the sums. */
size_t rdf_result_counts(const Rdf *rdf, int pair);

/* The number of bins, up to nbin, that fit into every box sampled. */
int rdf_result_bins(const Rdf *rdf);
Status rdf_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
Status rdf_result_draw(const void *self, const ObservableResult *result, const char *dir,
                       const ResultSet *set, Error *why);

/* The volume between two radii, in the dimension of the points. */
double rdf_result_shell(const Rdf *rdf, double low, double high);

/* Writes the functions by temperature: rdf_ladder.csv, rdf_reweighted.csv. */
Status rdf_ladder_write(const Rdf *rdf, const char *dir, ResultSet *set, Error *error);

#endif
