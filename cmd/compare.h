/* Compares finished runs by statistical tests; the first run is the reference.
 *
 * Each run has a set of results (results/results.h), read from its folder or still in memory. Tests compare
 * the energies of replicas (table "replicas"; for a ladder, its lowest temperature) and the distribution of a
 * cluster (rdf_replicas.csv). They also compare all numbers and curves with COMPARED in quantities.def:
 * pressure, diffusion, dielectric constant, g(r); energy and heat capacity of a ladder.
 *
 * Means: Welch's test. Draws are replicas, or for a single run blocks of time longer than the correlation
 * time. Cluster distributions: total variation distance with a permutation test over the same draws.
 * Curves: the largest difference of a point in standard errors, against Student's t with a Bonferroni
 * correction for the number of points. All tests of all pairs and the limits of all fits form one family
 * with a Holm-Bonferroni correction.
 *
 * A run with too few replicas or blocks, or with lower bounds for errors (observables/verdict.h), gets no
 * verdict. A failed run has no averages: reports list it with its message and skip its comparisons. Kinetic
 * temperatures are printed but not tested, because at the end of a step they have a time-step bias that
 * other averages do not share.
 *
 * A margin adds tests for equivalence (observables/equivalence.h), which form a second family: a pair of
 * long runs can be called equal, a pair of short ones undecided. */
#ifndef HOLONOM_CMD_COMPARE_H
#define HOLONOM_CMD_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/manifest.h"
#include "base/scoped.h"
#include "base/status.h"
#include "observables/equivalence.h"
#include "observables/rdf.h"
#include "observables/verdict.h"
#include "results/results.h"

/* The files of a comparison. */
extern const ManifestNames compare_files_names;

/* A mean of a run. */
typedef struct CompareMean {
  const ResultNumber *of; /* the number in its set; NULL: the energy */
  QuantityWords name;     /* "energy", "diffusion of tip3p" */
  const char *unit;
  double value, error;
  int64_t draws; /* independent samples that the error rests on */
} CompareMean;

/* A curve of a run: g(r) of a box over r; energy and heat capacity of a ladder over temperature. */
typedef struct CompareCurve {
  QuantityWords name;        /* "g(r) of O-H" */
  const ResultColumn *x, *y; /* columns of a table of its set */
  int n;
  double least;  /* values below it come from bins with too few samples for a meaningful error */
  double whole;  /* relative margins are a share of max(|value|, whole) */
  bool counted;  /* values are from counts: bins with few independent visits are skipped */
  bool unbiased; /* the effect of biases is removed */
  int64_t draws;
} CompareCurve;

/* Energy and heat of penalties, kcal/mol. For a ladder: at the temperature `at` with the largest ratio of
 * heat to allowed heat. NaN: unknown; `allowed` is NaN without penalties. */
typedef struct CompareHeat {
  double at, energy, energy_error;
  double due;              /* energy by equipartition */
  double expected;         /* heat predicted for the time step */
  double heat, heat_error; /* measured */
  double allowed;
  double heated; /* 1, 0; NaN: no penalties */
} CompareHeat;

/* The cost of a run. */
typedef struct CompareCost {
  double replicas;    /* of a ladder: replicas at its lowest temperature */
  double step;        /* microseconds per step of one replica */
  double independent; /* seconds per independent sample */
  double solves;      /* share of constraint solves in the time of a step */
} CompareCost;

typedef struct CompareRun {
  const char *dir;
  char *label; /* the run's title, or the name of its folder */
  char *group; /* of penalty runs that differ only in w and h: "gauss-newton Hessian, tangent noise" */
  ResultSet set;
  double w;           /* penalty strength; NaN for a constrained run */
  double h;           /* time step, AKMA; NaN: unknown */
  int replicas;       /* of a ladder: the number of ladders */
  int temperatures;   /* of a ladder; 0: not a ladder */
  double independent; /* independent samples; NaN: unknown */
  bool differ;        /* its replicas have different Hamiltonians, as umbrella windows have */
  char too_few[160];  /* why the run gets no verdict; "": it gets one */
  char *failed;       /* message of a failed run, which has no numbers; NULL: not failed */
  int nmean;
  CompareMean *mean; /* [nmean]; the first is the potential energy */
  double temperature, temperature_error;
  RdfFractions fraction; /* distribution by rows; nrow 0: the run has no distribution */
  double rmax;
  int ncurve;
  CompareCurve *curve; /* [ncurve] */
  CompareHeat heat;    /* of penalties */
  struct {
    double pressure, heat; /* bar, kcal/mol/K; 0: nothing added */
  } added;                 /* for the centre-of-mass motion that the run's thermostat removes */
  CompareCost cost;
} CompareRun;

typedef enum CompareKind { COMPARE_MEAN, COMPARE_DISTRIBUTION, COMPARE_CURVE } CompareKind;

/* The largest difference that counts as equal. */
typedef struct CompareLimit {
  char of[64]; /* the quantity, in full or before " of "; "": all quantities that no other limit names */
  double value;
  bool relative; /* a share: of the first run's number; of g(r), or of 1 where g(r) is smaller; of all
                    probability (TV) */
  char unit[16]; /* absolute limits: applies to numbers with this unit; "": the quantity's own unit */
} CompareLimit;

enum { COMPARE_LIMITS = 16 };
typedef struct CompareMargin { /* all zero: no margin */
  int n;
  CompareLimit limit[COMPARE_LIMITS];
  char text[128];  /* for sentences: "1 %"; with several limits "their margins" */
  char words[512]; /* "1 %"; "energy 0.1 %, density 0.0003 g/cm3" */
} CompareMargin;

/* The result of a test. A pair gets the last verdict in this order that one of its tests has. */
typedef enum CompareVerdict {
  COMPARE_TOO_FEW,   /* too few samples for any test */
  COMPARE_UNLIKE,    /* replicas with different Hamiltonians: their average is of no ensemble */
  COMPARE_ALIKE,     /* no significant difference; no margin tested */
  COMPARE_EQUAL,     /* equal within the margin */
  COMPARE_NEAR,      /* equal within the margin, though the difference is significant */
  COMPARE_UNDECIDED, /* neither different nor equal within the margin */
  COMPARE_HEATED,    /* pairs only: no significant difference, but heated penalties */
  COMPARE_DIFFER,
  COMPARE_FAILED /* one of the runs failed */
} CompareVerdict;
enum { COMPARE_VERDICTS = COMPARE_FAILED + 1 };

/* A test of a pair. */
typedef struct CompareTest {
  CompareKind kind;
  const char *name, *unit;
  double value[2], error[2];       /* means */
  const CompareCurve *curve_of[2]; /* curves */
  /* The difference. Curves: at r, the bin with the largest difference. Distributions: their distance, and
   * the error of the distance between equal runs. */
  StatisticsWelch mean;
  double r;                    /* of the bin in `mean` */
  StatisticsDistance distance; /* distributions */
  double p, adjusted;          /* p alone, and adjusted for the family; NaN: no test */
  double margin;               /* in the quantity's unit; NaN: no margin */
  Equivalence within;          /* equivalence test; of curves: at the least conclusive bin */
  StatisticsWelch least;       /* curves: the difference at that bin */
  double least_r;              /* r of that bin */
  double within_adjusted;      /* p of the equivalence test, adjusted for its family */
  bool unlike;                 /* see COMPARE_UNLIKE */
  CompareVerdict verdict;
} CompareTest;

typedef struct ComparePair {
  int a, b;
  int ntest;
  CompareTest *test; /* [ntest]; the first tests the energies */
  CompareVerdict verdict;
} ComparePair;

/* energy = e0 + b/w^2 + c h^2 fitted to the penalty runs of one group, with the terms that vary. */
typedef struct CompareFit {
  const char *group;
  int with_w, with_h;
  StatisticsFit line;              /* coefficients e0, then b and c if fitted */
  StatisticsFit all;               /* the same fit with the points left out of `line` */
  double order[2], order_error[2]; /* powers p and q of b/w^p + c h^q that fit best, one at a time, for three
                                      or more values of w or h; NaN: not determined */
  int n, left_out;  /* points; points of smallest w left out because chi2 of the fit to all has p < 1 % */
  int unsound;      /* 1: some errors are lower bounds, so the limit is not tested */
  int reference;    /* the constrained run that e0 is compared with; -1: no such run */
  int extrapolated; /* 1: the reference is the limit h = 0 of several constrained runs */
  double reference_energy, reference_error;
  int64_t reference_draws;
  StatisticsWelch at_infinity;         /* e0 against the reference */
  Equivalence within;                  /* equivalence test */
  double p, adjusted, within_adjusted; /* as in CompareTest */
} CompareFit;

typedef struct Compare {
  int n, npair, nfit, ntest; /* ntest: tests that were made */
  CompareRun *run;           /* [n] */
  ComparePair *pair;         /* [npair] (0,1), (0,2) ...; with all pairs then (1,2) ... */
  CompareFit *fit;           /* [nfit] */
  CompareMargin margin;
  const char *title; /* of pictures and page; NULL: made from the runs */
} Compare;

/* Compares every run with the first, or all pairs, from the files in their folders. `known`: NULL, or [n]
 * sets of results, emptied by the call; an empty set is read from its folder. The names must outlive
 * *compare. STATUS_INPUT (fewer than two folders, an invalid file), STATUS_IO, STATUS_MEMORY. */
Status compare_create(Compare **compare, const char *const *dir, ResultSet *known, int n, int all_pairs,
                      Error *error);
void compare_free(Compare *compare);
SCOPED_POINTER(Compare, compare_free)

/* Parses "1%", "1 %", "0.05 kcal/mol", "0.05", or limits of single quantities such as "energy 0.1%, density
 * 0.0003 g/cm3, 5%", the last for all others. STATUS_INPUT. */
Status compare_margin_read(CompareMargin *margin, const char *text, Error *error);

/* Tests all pairs for equivalence within a margin and sets their verdicts. STATUS_MEMORY. */
Status compare_margin(Compare *compare, const CompareMargin *margin, Error *error);

/* Prints the table, the verdict on each pair and the fits to out. Writes to dir: compare.csv (a row per
 * test), compare_runs.csv (a row per run), compare.json (both), compare.html, compare.{svg,png}, and
 * compare_w.{svg,png} for penalty runs with a constrained reference. Without gnuplot a remark replaces the
 * pictures. */
Status compare_write(const Compare *compare, const char *dir, FILE *out, Error *error);

typedef struct CompareOptions {
  int all_pairs;               /* 1: every run with every other; 0: with the first */
  const CompareMargin *margin; /* NULL: no test for equality */
  const char *title;           /* as in Compare */
} CompareOptions;

/* Reads, tests and writes a comparison of n runs into dir, which is created. */
Status compare_runs(const char *const *runs, int n, const CompareOptions *options, const char *dir, FILE *out,
                    Error *error);

#endif
