/* Do finished runs agree? Of each there is a set of results (results/results.h): read from its folder, or
 * still in memory. Compared are the energies of its replicas (table "replicas"; of a ladder those of its
 * lowest temperature), all numbers and curves whose rows of quantities.def say COMPARED (pressure, diffusion,
 * dielectric constant; g(r) of a box; energy and heat capacity of a ladder), and the distribution of a
 * cluster (rdf_replicas.csv). The first run is the reference.
 *
 * Means are compared by Welch's test, with as many draws as there are replicas, or blocks of time longer than
 * the correlation of a single run. Distributions of a cluster are compared by their total variation distance
 * and a permutation test over the same draws; each curve by the largest difference of its points in standard
 * errors, against Student's t and as many points as there are (Bonferroni: valid however they are
 * correlated). All tests of all pairs, and the limits of all fits, are one family, corrected by
 * Holm-Bonferroni. A run whose errors are lower bounds, or of too few replicas or blocks
 * (observables/verdict.h), gets no verdict, neither of difference nor of agreement. A run that went wrong has
 * no averages: it stands among the others by its name and its message, and what is to be compared with it is
 * said not to be. Kinetic temperatures are shown but not tested: at the end of a step they have a bias in the
 * time step that no other average shares.
 *
 * With a margin every quantity is also tested for equivalence (observables/equivalence.h), so that runs that
 * are long enough can be called equal, and those that are not are called undecided. These tests are one
 * family, too. */
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

/* What is written of a comparison. */
extern const ManifestNames compare_files_names;

/* One mean of a run. */
typedef struct CompareMean {
  const ResultNumber *of; /* of its set; NULL: the energy      */
  QuantityWords name;     /* "energy", "diffusion of tip3p"    */
  const char *unit;
  double value, error;
  int64_t draws; /* behind the error */
} CompareMean;

/* One curve of a run: g(r) of a box over r; energy and heat capacity of a ladder over temperature. */
typedef struct CompareCurve {
  QuantityWords name;        /* "g(r) of O-H" */
  const ResultColumn *x, *y; /* of a table of its set    */
  int n;
  double least; /* values below it are of bins that hold too little for their errors to mean anything */
  double whole; /* a relative margin is a share of this where values are smaller                      */
  bool counted; /* values are counts, whose errors mean little where few draws have any               */
  int64_t draws;
} CompareCurve;

/* What penalties hold, of a ladder at the temperature `at` where their heat is largest beside what is
 * allowed, kcal/mol; NaN: not known, and `allowed` where there are none. */
typedef struct CompareHeat {
  double at, energy, energy_error;
  double due;              /* by equipartition                             */
  double expected;         /* heat by the step's own prediction            */
  double heat, heat_error; /* measured                                     */
  double allowed;
  double heated; /* 1, 0; NaN: there are no penalties */
} CompareHeat;

/* What a run cost. */
typedef struct CompareCost {
  double replicas;    /* of a ladder its lowest temperature's  */
  double step;        /* microseconds a step of one replica    */
  double independent; /* seconds an independent sample         */
  double solves;      /* share of the time in steps            */
} CompareCost;

typedef struct CompareRun {
  const char *dir;
  char *label; /* the run's title, or its folder's name                              */
  char *group; /* of penalty runs that differ in w and h only: "gauss-newton Hessian, tangent noise" */
  ResultSet set;
  double w;           /* penalty strength; NaN for a constrained run                            */
  double h;           /* time step, AKMA; NaN if it is not said                                 */
  int replicas;       /* of a ladder its lowest temperature's: the ladders */
  int temperatures;   /* of a ladder; 0: none                              */
  double independent; /* samples; NaN: not known                                   */
  char too_few[160];  /* why there is no verdict; "" if there is                   */
  char *failed;       /* why the run went wrong: it has no numbers; NULL: it did not */
  int nmean;
  CompareMean *mean; /* [nmean], the first is the potential energy */
  double temperature, temperature_error;
  RdfFractions fraction; /* rows of the distribution, nrow 0 if the run kept none     */
  double rmax;
  int ncurve;
  CompareCurve *curve; /* [ncurve]     */
  CompareHeat heat;    /* of penalties */
  struct {
    double pressure, heat; /* bar, kcal/mol/K; 0: nothing */
  } added;                 /* for the motion of the whole that the run's thermostat removes */
  CompareCost cost;
} CompareRun;

typedef enum CompareKind { COMPARE_MEAN, COMPARE_DISTRIBUTION, COMPARE_CURVE } CompareKind;

/* How large a difference may be to be of no account. */
typedef struct CompareLimit {
  char of[64]; /* the quantity, as tests have it whole or before " of "; "": all that no other names */
  double value;
  bool relative; /* a share, of the first run's number, of g(r) or 1 where it is less, of all probability (TV)
                  */
  char unit[16]; /* else: of numbers in this unit, with none for the rest; "": of the quantity's own */
} CompareLimit;

enum { COMPARE_LIMITS = 16 };
typedef struct CompareMargin { /* all zero: no margin */
  int n;
  CompareLimit limit[COMPARE_LIMITS];
  char text[128];  /* in a sentence: "1 %"; of several limits "their margins" */
  char words[512]; /* "1 %"; "energy 0.1 %, density 0.0003 g/cm3"             */
} CompareMargin;

/* What a test says; of a pair the last in this order that one of its tests says. */
typedef enum CompareVerdict {
  COMPARE_TOO_FEW,   /* samples for any test                                         */
  COMPARE_ALIKE,     /* no difference is seen, where no margin is tested             */
  COMPARE_EQUAL,     /* within the margin                                            */
  COMPARE_NEAR,      /* within the margin, though a difference is seen               */
  COMPARE_UNDECIDED, /* neither a difference nor equality is shown                   */
  COMPARE_HEATED,    /* of a pair: no difference is shown, but penalties are heated  */
  COMPARE_DIFFER,
  COMPARE_FAILED /* one of the runs, so that there is nothing to test                */
} CompareVerdict;
enum { COMPARE_VERDICTS = COMPARE_FAILED + 1 };

/* One test of a pair. */
typedef struct CompareTest {
  CompareKind kind;
  const char *name, *unit;
  double value[2], error[2];       /* of means                                         */
  const CompareCurve *curve_of[2]; /* of curves                                        */
  /* The difference: of curves at the bin that differs most, of distributions their distance and the error of
   * that of equal runs. */
  StatisticsWelch mean;
  double r;                    /* of that bin                                      */
  StatisticsDistance distance; /* of distributions                                 */
  double p, adjusted;          /* alone, and for the whole family; NaN: no test    */
  double margin;               /* in its unit; NaN: none                           */
  Equivalence within;          /* the margin; of curves at the bin that says least */
  StatisticsWelch least;       /* of curves: the difference at that bin            */
  double least_r;              /* where that is                                    */
  double within_adjusted;      /* its p for the whole family                       */
  CompareVerdict verdict;
} CompareTest;

typedef struct ComparePair {
  int a, b;
  int ntest;
  CompareTest *test; /* the first is that of the energies */
  CompareVerdict verdict;
} ComparePair;

/* energy = e0 + b/w^2 + c h^2 of the penalty runs of one group, with those terms that vary. */
typedef struct CompareFit {
  const char *group;
  int with_w, with_h;
  StatisticsFit line;              /* value: e0, then b, then c, of those it has              */
  StatisticsFit all;               /* with those left out too                                 */
  double order[2], order_error[2]; /* the powers p and q of b/w^p + c h^q that fit best, one at a time, of
                                    * three or more w, or h; NaN: these runs do not tell */
  int n, left_out;  /* points, and how many of the smallest w were left out because chi2 of the fit
                     * through all has p < 1 %                                 */
  int unsound;      /* 1: the errors of some are lower bounds, so nothing is said of the limit */
  int reference;    /* constrained run to hold e0 against, -1 if there is none */
  int extrapolated; /* 1: the reference is that of several constrained runs, to h = 0 */
  double reference_energy, reference_error;
  int64_t reference_draws;
  StatisticsWelch at_infinity;         /* e0 against it                                  */
  Equivalence within;                  /* the margin                                     */
  double p, adjusted, within_adjusted; /* as those of a CompareTest              */
} CompareFit;

typedef struct Compare {
  int n, npair, nfit, ntest; /* ntest: that could be made */
  CompareRun *run;           /* [n]                      */
  ComparePair *pair;         /* [npair] (0,1), (0,2) ...; then, of all pairs, (1,2) ... */
  CompareFit *fit;           /* [nfit]                   */
  CompareMargin margin;
} Compare;

/* Makes the comparisons, of every run with the first, or of all pairs, from what the runs left in their
 * folders; of those that are known, [n], from their sets, which are empty after it (NULL, or an empty one: it
 * is read). The names must outlive it. STATUS_INPUT (fewer than two folders, a file that is not as expected),
 * STATUS_IO (a file cannot be read), STATUS_MEMORY. */
Status compare_create(Compare **compare, const char *const *dir, ResultSet *known, int n, int all_pairs,
                      Error *error);
void compare_free(Compare *compare);
SCOPED_POINTER(Compare, compare_free)

/* "1%", "1 %", "0.05 kcal/mol" or "0.05"; of single quantities "energy 0.1%, density 0.0003 g/cm3, 5%", the
 * last for the rest. STATUS_INPUT. */
Status compare_margin_read(CompareMargin *margin, const char *text, Error *error);

/* Tests for equivalence within a margin, and the verdicts of all pairs by them. STATUS_MEMORY. */
Status compare_margin(Compare *compare, const CompareMargin *margin, Error *error);

/* The whole of it: the table, what is said of each pair, the fits to out; compare.{svg,png} and, with penalty
 * runs beside a constrained one, compare_w.{svg,png} in the folder dir, with all numbers in compare.csv (a
 * row a test), compare_runs.csv (a row a run) and compare.json (both, as results.json has tables), and
 * compare.html. Without gnuplot there is a remark in place of the pictures. */
Status compare_write(const Compare *compare, const char *dir, FILE *out, Error *error);

/* Reading, tests (margin: NULL: none), and the above, in a folder that is made. */
Status compare_runs(const char *const *runs, int n, int all_pairs, const CompareMargin *margin,
                    const char *dir, FILE *out, Error *error);

#endif
