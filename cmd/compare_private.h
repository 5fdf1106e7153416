/* Between the parts of compare.h: reading, fits, words, pictures. */
#ifndef HOLONOM_CMD_COMPARE_PRIVATE_H
#define HOLONOM_CMD_COMPARE_PRIVATE_H

#include "cmd/compare.h"
#include "html/html.h"
#include "results/table.h"

/* A run from its folder, run->dir; what it holds is freed by compare_read_free, also after an error. */
Status compare_read(CompareRun *run, Error *error);
void compare_read_free(CompareRun *run);

/* The fits of all groups, into compare->fit. */
Status compare_fit_all(Compare *compare, Error *error);

/* Whether a run's energy is a point of this group of penalty runs. */
int compare_fit_has(const CompareRun *run, const char *group);

/* Of what: difference, or equivalence within the margin. */
typedef enum CompareFamily { COMPARE_FAMILY_DIFFER, COMPARE_FAMILY_EQUAL } CompareFamily;

/* Adjusts the p of all tests of all pairs and of all fits, as one family, and sets all verdicts. */
Status compare_holm(Compare *compare, CompareFamily family, Error *error);

/* The curve of that name, -1 if there is none. */
int compare_curve(const CompareCurves *curves, const char *name);

/* Curves ka and kb at bin i; false where there is too little in it. */
bool compare_bin(const CompareCurves *a, int ka, const CompareCurves *b, int kb, int i, StatisticsWelch *w);

/* Of a curve's test where the curves are furthest apart; at the point nearest to `at`. False: nowhere. */
bool compare_curve_widest(const Compare *compare, const ComparePair *pair, const CompareTest *test,
                          StatisticsWelch *found, double *r);
bool compare_curve_at(const Compare *compare, const ComparePair *pair, const CompareTest *test, double at,
                      StatisticsWelch *found);

/* Penalties that are heated (compare_heat.c): a run's from its summary; the verdict on a pair. */
void compare_heat_read(CompareRun *run);
void compare_heat_judge(const Compare *compare, ComparePair *pair);

/* In words: lines of all runs with penalties; behind what is said of a pair which run's are heated, by how
 * much; how much of the difference of energies over temperature is that. */
void compare_heat_print(const Compare *compare, FILE *out);
void compare_heat_say(const Compare *compare, const ComparePair *pair, FILE *out);
void compare_heat_cause(const Compare *compare, const ComparePair *pair, const CompareTest *test, FILE *out);

/* A run's numbers for tables of programs, under these names; and a table on a page, if a run has penalties.
 */
enum { COMPARE_HEAT_NUMBERS = 7 };
#define COMPARE_HEAT_NAMES(of)                                                                               \
  "penalty" of, "penalty_err" of, "penalty_equipartition" of, "penalty_heat_expected" of, "penalty_heat" of, \
      "penalty_heat_err" of, "penalty_heated" of
void compare_heat_numbers(const CompareRun *run, double x[COMPARE_HEAT_NUMBERS]);
void compare_heat_table(const Compare *compare, const char *id, Html *html);

/* A table of the run; *table is NULL if there is none and it may be missing. */
Status compare_read_table(const CompareRun *run, const char *name, bool optional, Table **table,
                          Error *error);

/* Curves of all columns that `is` says, each with its _err, over column x; names without their first
 * `before` letters. */
Status compare_read_curves(CompareRun *run, const Table *table, const char *x, bool (*is)(const char *name),
                           size_t before, Error *error);

/* Of ladders: leaves a table's rows of the lowest temperature alone (column target), and says how many
 * temperatures there are, 0 where there is no such column; leaves those of the distribution alone; reads
 * curves over temperature. */
int compare_ladder_lowest(Table *table);
void compare_ladder_fractions(const CompareRun *run, RdfFractions *fraction);
Status compare_ladder_curves(CompareRun *run, Error *error);

/* compare.csv and compare.json: a row a test. */
Status compare_files_write(const Compare *compare, const char *dir, Error *error);

void compare_report_print(const Compare *compare, FILE *out);

/* A verdict in a word or two. */
const char *compare_report_word(CompareVerdict verdict);

/* Parts of it: what is said of a pair, what is odd about the runs, a fit. */
void compare_report_verdict(const Compare *compare, const ComparePair *pair, FILE *out);
void compare_report_remarks(const Compare *compare, FILE *out);
void compare_report_fit(const Compare *compare, const CompareFit *fit, FILE *out);

/* dir/compare.html, after the pictures. */
Status compare_page_write(const Compare *compare, const char *dir, Error *error);

/* Adds up how many pairs have which verdict; that in words, behind others, and how all of it stands on a
 * page. */
void compare_page_count(const Compare *compare, int count[COMPARE_VERDICTS]);
HtmlVerdict compare_page_sum(const int count[COMPARE_VERDICTS], char *words, size_t size);

/* How one verdict stands on a page; what is odd about runs, onto one. */
HtmlVerdict compare_page_sign(CompareVerdict verdict);
void compare_page_remarks(const Compare *compare, Html *html);

/* STATUS_RUN: gnuplot is absent or failed, everything else is written. */
Status compare_draw(const Compare *compare, const char *dir, Error *error);

#endif
