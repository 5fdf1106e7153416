/* Between the parts of compare.h: reading, fits, words, pictures, pages. */
#ifndef HOLONOM_CMD_COMPARE_PRIVATE_H
#define HOLONOM_CMD_COMPARE_PRIVATE_H

#include "cmd/compare.h"
#include "html/html.h"

/* A run from its set (NULL, or an empty one: from its folder, run->dir); what it holds is freed by
 * compare_read_free, also after an error. */
Status compare_read(CompareRun *run, ResultSet *known, Error *error);
void compare_read_free(CompareRun *run);

/* Whether name is the one in `of`, whole or before " of ": "diffusion" of "diffusion of tip3p". The unit of
 * such a quantity: NULL, it is none that runs are compared by, of which the last makes an error ("a margin").
 */
bool compare_margin_named(const char *of, const char *name);
const char *compare_margin_unit(const char *name);
Status compare_margin_unknown(const char *what, const char *name, Error *error);

/* The fits of all groups, into compare->fit. */
Status compare_fit_all(Compare *compare, Error *error);

/* Whether a run's energy is a point of this group of penalty runs. */
int compare_fit_has(const CompareRun *run, const char *group);

/* Whether that run is a point of the fit's line for steps of length h (of all, where it has no term in h). */
bool compare_fit_step(const CompareFit *fit, const CompareRun *run, double h);

/* The fit less the reference at infinite w and this h; the w at which the difference changes its sign, where
 * the line is drawn: from the smallest to the largest 1/w^2 of these runs, and so many times beyond; NaN:
 * nowhere. */
#define COMPARE_FIT_BEYOND 1.5
double compare_fit_limit(const CompareFit *fit, double h);
double compare_fit_changes(const Compare *compare, const CompareFit *fit, double h);

/* Of what: difference, or equivalence within the margin. */
typedef enum CompareFamily { COMPARE_FAMILY_DIFFER, COMPARE_FAMILY_EQUAL } CompareFamily;

/* Adjusts the p of all tests of all pairs and of all fits, as one family, and sets all verdicts. */
Status compare_holm(Compare *compare, CompareFamily family, Error *error);

/* A run's mean of the same quantity, its curve of that name; NULL: it has none. */
const CompareMean *compare_mean(const CompareRun *run, const CompareMean *like);
const CompareCurve *compare_curve(const CompareRun *run, const char *name);

/* Two curves at bin i; false where there is too little in it: of counts, what fewer than VERDICT_DRAWS
 * independent visits give. */
bool compare_bin(const CompareCurve *const of[2], int i, StatisticsWelch *w);

/* Of a curve's test the point nearest to `at`; NaN: where the curves are furthest apart. False: nowhere. */
bool compare_curve_search(const CompareTest *test, double at, StatisticsWelch *found, double *r);

/* Penalties that are heated (compare_heat.c): a run's from its set; the verdict on a pair. */
void compare_heat_read(CompareRun *run);
void compare_heat_judge(const Compare *compare, ComparePair *pair);

/* In words: behind what is said of a pair which run's are heated, by how much; how much of the difference of
 * energies over temperature is that. */
void compare_heat_print(const Compare *compare, const ComparePair *pair, FILE *out);
void compare_heat_cause(const Compare *compare, const ComparePair *pair, const CompareTest *test, FILE *out);

/* Adds to pressures and heat capacities what runs lack whose thermostat removes the motion of the whole,
 * where not all runs have it removed alike; and says so. */
void compare_motion_add(Compare *compare);
void compare_motion_print(const Compare *compare, FILE *out);

/* Behind what is said of a pair of constrained runs of unlike steps: how much of the difference in energy the
 * steps explain, by the energies of a zero step; where they differ without these, how to find out. */
void compare_step_print(const Compare *compare, const ComparePair *pair, FILE *out);

void compare_report_print(const Compare *compare, FILE *out);

/* How good a verdict is, in a word or two, and what so many pairs are said to be; all of them, and one. */
typedef struct CompareWords {
  CompareVerdict verdict;
  ResultLevel level;
  const char *word, *pairs;
} CompareWords;
extern const CompareWords compare_report_words[COMPARE_VERDICTS];
const CompareWords *compare_report_find(CompareVerdict verdict);

/* Parts of it: what is said of a pair, what is odd about the runs, a fit. */
void compare_report_verdict(const Compare *compare, const ComparePair *pair, FILE *out);
void compare_report_remarks(const Compare *compare, FILE *out);
void compare_report_fit(const Compare *compare, const CompareFit *fit, FILE *out);

/* STATUS_RUN: gnuplot is absent or failed, everything else is written. */
Status compare_draw(const Compare *compare, const char *dir, Error *error);

/* Comparisons that are reported together: one, or those of a study, one a point. */
typedef struct ComparePoint {
  const char *words;  /* "thermostat.temperature 10 K"; NULL: there are no points */
  const char *folder; /* that its pictures are in                                 */
  const Compare *compare;
} ComparePoint;

typedef struct CompareReport {
  const char *name; /* of its files: "compare", "study" */
  const char *title, *lead;
  int n;
  const ComparePoint *point; /* [n] */
  ResultSet *more; /* further tables, each with a picture of its name; it is empty then; NULL: none */
} CompareReport;

/* NAME.csv (a row a test), NAME_runs.csv (a row a run), NAME.json and, of these and the pictures that there
 * are, NAME.html. */
Status compare_files_write(const CompareReport *report, const char *dir, Error *error);
Status compare_page_write(const CompareReport *report, const ResultSet *set, const char *dir, Error *error);

/* How many pairs have which verdict, in a sentence that `words` begins; what is said of one. */
ResultLevel compare_page_sum(const CompareReport *report, char *words, size_t size);
void compare_page_print_pair(const ComparePoint *point, const ComparePair *pair, FILE *out);

#endif
