/* Declares the parts of compare.h that its files share: reading, fits, text, pictures, pages. */
#ifndef HOLONOM_CMD_COMPARE_PRIVATE_H
#define HOLONOM_CMD_COMPARE_PRIVATE_H

#include "cmd/compare.h"
#include "html/html.h"

/* Fills a run from its set; NULL or an empty set: from the folder run->dir. compare_read_free frees the
 * run, also after an error. */
Status compare_read(CompareRun *run, ResultSet *known, Error *error);
void compare_read_free(CompareRun *run);

/* Whether `name` matches `of`, in full or before " of ": "diffusion" matches "diffusion of tip3p". The unit
 * of a quantity; NULL: the quantity is not compared. The error for such a quantity; `what`: "a margin". */
bool compare_margin_named(const char *of, const char *name);
const char *compare_margin_unit(const char *name);
Status compare_margin_unknown(const char *what, const char *name, Error *error);

/* Computes the fits of all groups into compare->fit. */
Status compare_fit_all(Compare *compare, Error *error);

/* Whether a run's energy is a point of this group's fit. */
int compare_fit_has(const CompareRun *run, const char *group);

/* Whether the run is a point of the fit's line for time step h (any h if the fit has no term in h). */
bool compare_fit_step(const CompareFit *fit, const CompareRun *run, double h);

/* The fit minus the reference at 1/w = 0 and time step h. The w at which that difference changes sign, within
 * the range of 1/w^2 of these runs, extended at both ends by the factor COMPARE_FIT_BEYOND; NaN: no change.
 */
#define COMPARE_FIT_BEYOND 1.5
double compare_fit_limit(const CompareFit *fit, double h);
double compare_fit_changes(const Compare *compare, const CompareFit *fit, double h);

/* The two families of tests: difference, and equivalence within the margin. */
typedef enum CompareFamily { COMPARE_FAMILY_DIFFER, COMPARE_FAMILY_EQUAL } CompareFamily;

/* Adjusts the p of all tests of all pairs and of all fits as one family, and sets all verdicts. */
Status compare_holm(Compare *compare, CompareFamily family, Error *error);

/* A run's mean of the same quantity; its curve of that name; NULL: missing. */
const CompareMean *compare_mean(const CompareRun *run, const CompareMean *like);
const CompareCurve *compare_curve(const CompareRun *run, const char *name);

/* Whether two curves have the same bins, so that they can be compared. */
bool compare_curve_bins(const CompareCurve *a, const CompareCurve *b);

/* Compares two curves at bin i. False: too few samples, for counts fewer than VERDICT_DRAWS independent
 * visits. */
bool compare_bin(const CompareCurve *const of[2], int i, StatisticsWelch *w);

/* The point of a curve test nearest to `at`; NaN: the point of largest difference. False: no such point. */
bool compare_curve_search(const CompareTest *test, double at, StatisticsWelch *found, double *r);

/* Heated penalties (compare_heat.c): reads a run's heat from its set; adds it to the verdict on a pair. */
void compare_heat_read(CompareRun *run);
void compare_heat_judge(const Compare *compare, ComparePair *pair);

/* Prints which runs of a pair are heated and by how much; prints how much of a difference of energies that
 * explains. */
void compare_heat_print(const Compare *compare, const ComparePair *pair, FILE *out);
void compare_heat_cause(const Compare *compare, const ComparePair *pair, const CompareTest *test, FILE *out);

/* Adds to pressures and heat capacities the contribution that is missing in runs whose thermostat removes
 * centre-of-mass motion, unless all runs remove it alike; prints that it did. */
void compare_motion_add(Compare *compare);
void compare_motion_print(const Compare *compare, FILE *out);

/* Prints how much of the difference in energy of two constrained runs their different time steps explain,
 * by their energies extrapolated to zero step; without these, how to obtain them. */
void compare_step_print(const Compare *compare, const ComparePair *pair, FILE *out);

void compare_report_print(const Compare *compare, FILE *out);

/* The level of a verdict, in a word or two, and the word for pairs with it. All rows; the row of one
 * verdict. */
typedef struct CompareWords {
  CompareVerdict verdict;
  ResultLevel level;
  const char *word, *pairs;
} CompareWords;
extern const CompareWords compare_report_words[COMPARE_VERDICTS];
const CompareWords *compare_report_find(CompareVerdict verdict);

/* Prints the verdict on a pair, the remarks on the runs, a fit. */
void compare_report_verdict(const Compare *compare, const ComparePair *pair, FILE *out);
void compare_report_remarks(const Compare *compare, FILE *out);
void compare_report_fit(const Compare *compare, const CompareFit *fit, FILE *out);

/* Draws the pictures. STATUS_RUN: gnuplot is missing or failed; all other files are complete. */
Status compare_draw(const Compare *compare, const char *dir, Error *error);

/* Comparisons in one report: one, or one per point of a study. */
typedef struct ComparePoint {
  const char *words;  /* "thermostat.temperature 10 K"; NULL: no points */
  const char *folder; /* folder of its pictures */
  const Compare *compare;
} ComparePoint;

typedef struct CompareReport {
  const char *name; /* base name of its files: "compare", "study" */
  const char *title, *lead;
  int n;
  const ComparePoint *point; /* [n] */
  ResultSet *more; /* further tables, each with a picture of its name; emptied by the call; NULL: no tables */
} CompareReport;

/* Writes NAME.csv (a row per test), NAME_runs.csv (a row per run) and NAME.json; writes NAME.html from
 * these and the pictures in dir. */
Status compare_files_write(const CompareReport *report, const char *dir, Error *error);
Status compare_page_write(const CompareReport *report, const ResultSet *set, const char *dir, Error *error);

/* Appends the number of pairs per verdict to the sentence in `words`; prints the verdict on one pair. */
ResultLevel compare_page_sum(const CompareReport *report, char *words, size_t size);
void compare_page_print_pair(const ComparePoint *point, const ComparePair *pair, FILE *out);

#endif
