/* Tables and files of a comparison or a study. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"

/* A row of a table: a test of two runs at a point, or a run. */
typedef struct Row {
  const ComparePoint *point;
  const CompareRun *a, *b;
  const CompareTest *test;
} Row;

/* Offsets of a number and its error in a struct; error 0: no error. */
typedef struct Column {
  const char *name;
  size_t value, error;
} Column;
#define AT(of, member) offsetof(of, member)

static const Column of_test[] = {
    {"value_a", AT(CompareTest, value[0]), AT(CompareTest, error[0])},
    {"value_b", AT(CompareTest, value[1]), AT(CompareTest, error[1])},
    {"r", AT(CompareTest, r), 0},
    {"difference", AT(CompareTest, mean.difference), AT(CompareTest, mean.error)},
    {"z", AT(CompareTest, mean.z), 0},
    {"total_variation", AT(CompareTest, distance.tv), 0},
    {"dof", AT(CompareTest, mean.dof), 0},
    {"p_differ", AT(CompareTest, p), 0},
    {"p_differ_all", AT(CompareTest, adjusted), 0},
    {"margin", AT(CompareTest, margin), 0},
    {"low", AT(CompareTest, within.low), 0},
    {"high", AT(CompareTest, within.high), 0},
    {"p_equal", AT(CompareTest, within.p), 0},
    {"p_equal_all", AT(CompareTest, within_adjusted), 0},
    {"r_equal", AT(CompareTest, least_r), 0},
    {"difference_equal", AT(CompareTest, least.difference), 0},
};
static const Column of_energy[] = {{"energy", AT(CompareMean, value), AT(CompareMean, error)}};
static const Column of_run[] = {
    {"w", AT(CompareRun, w), 0},
    {"timestep", AT(CompareRun, h), 0},
    {"temperature", AT(CompareRun, temperature), AT(CompareRun, temperature_error)},
    {"independent", AT(CompareRun, independent), 0},
    {"replicas", AT(CompareRun, cost.replicas), 0},
    {"penalty_temperature", AT(CompareRun, heat.at), 0},
    {"penalty_heat_allowed", AT(CompareRun, heat.allowed), 0},
};
static const Column of_heat[] = {
    {"penalty", AT(CompareHeat, energy), AT(CompareHeat, energy_error)},
    {"penalty_equipartition", AT(CompareHeat, due), 0},
    {"penalty_heat_expected", AT(CompareHeat, expected), 0},
    {"penalty_heat", AT(CompareHeat, heat), AT(CompareHeat, heat_error)},
    {"penalty_heated", AT(CompareHeat, heated), 0},
};
static const Column of_cost[] = {
    {"step_us", AT(CompareCost, step), 0},
    {"independent_s", AT(CompareCost, independent), 0},
    {"share_of_solves", AT(CompareCost, solves), 0},
};

static const void *test_of(const Row *row) { return row->test; }
static const void *run_of(const Row *row) { return row->a; }
static const void *energy_of(const Row *row) { return row->a->mean; }
static const void *heat_of(const Row *row) { return &row->a->heat; }
static const void *other_heat_of(const Row *row) { return &row->b->heat; }
static const void *cost_of(const Row *row) { return &row->a->cost; }

/* A group of columns. */
typedef struct Group {
  const Column *column;
  size_t n;
  const void *(*of)(const Row *row);
  const char *suffix;
} Group;
#define GROUP(columns, of, suffix)                                                                           \
  {                                                                                                          \
    columns, sizeof(columns) / sizeof *(columns), of, suffix                                                 \
  }
static const Group test_groups[] = {GROUP(of_test, test_of, ""), GROUP(of_heat, heat_of, "_a"),
                                    GROUP(of_heat, other_heat_of, "_b")};
static const Group run_groups[] = {GROUP(of_energy, energy_of, ""), GROUP(of_run, run_of, ""),
                                   GROUP(of_heat, heat_of, ""), GROUP(of_cost, cost_of, "")};

static const char *point_of(const Row *row) { return row->point->words; }
static const char *label_of(const Row *row) { return row->a->label; }
static const char *other_label_of(const Row *row) { return row->b->label; }
static const char *folder_of(const Row *row) { return row->a->dir; }
static const char *failed_of(const Row *row) { return row->a->failed != NULL ? row->a->failed : ""; }
static const char *quantity_of(const Row *row) { return row->test->name; }
static const char *unit_of(const Row *row) { return row->test->unit; }
static const char *verdict_of(const Row *row) { return compare_report_find(row->test->verdict)->word; }

typedef struct Words {
  const char *name, *(*of)(const Row *row);
} Words;
static const Words test_words[] = {{"point", point_of},       {"run_a", label_of}, {"run_b", other_label_of},
                                   {"quantity", quantity_of}, {"unit", unit_of},   {"verdict", verdict_of}};
static const Words run_words[] = {
    {"point", point_of}, {"run", label_of}, {"folder", folder_of}, {"failed", failed_of}};

typedef struct Rows {
  size_t n;
  Row *row;
  double *x; /* [2][n], scratch */
  const char **word;
} Rows;

static void add_words(ResultTable *t, const Rows *rows, const Words *words)
{
  for (size_t i = 0; i < rows->n; i++) {
    rows->word[i] = words->of(&rows->row[i]);
    if (rows->word[i] == NULL) /* no points: no column */
      return;
  }
  results_add_words(t, words->name, rows->word);
}

static double number_at(const void *of, size_t offset)
{
  double x;
  memcpy(&x, (const char *)of + offset, sizeof x);
  return isfinite(x) ? x : NAN;
}

static void add_group(ResultTable *t, const Rows *rows, const Group *group)
{
  double *const error = rows->x + rows->n;
  for (const Column *c = group->column; c < group->column + group->n; c++) {
    char name[64];
    for (size_t i = 0; i < rows->n; i++) {
      const void *of = group->of(&rows->row[i]);
      rows->x[i] = number_at(of, c->value);
      error[i] = number_at(of, c->error);
    }
    snprintf(name, sizeof name, "%s%s", c->name, group->suffix);
    results_add_column(t, name, rows->x, c->error != 0 ? error : NULL);
  }
}

static void add_table(ResultSet *set, const CompareReport *report, const char *more, const Rows *rows)
{
  char name[32];
  const bool tests = more[0] == '\0';
  snprintf(name, sizeof name, "%s%s", report->name, more);
  ResultTable *t = results_add_table(set, name, rows->n);
  if (t == NULL)
    return;
  t->format = "%.8g";
  const Words *words = tests ? test_words : run_words;
  const Group *group = tests ? test_groups : run_groups;
  const size_t nword = tests ? sizeof test_words : sizeof run_words,
               ngroup = tests ? sizeof test_groups : sizeof run_groups;
  for (size_t k = 0; k < nword / sizeof *words; k++)
    add_words(t, rows, &words[k]);
  for (size_t k = 0; k < ngroup / sizeof *group; k++)
    add_group(t, rows, &group[k]);
}

/* Lists a row per test, then a row per run. Returns the number of tests; row NULL: the number of rows. */
static size_t list_rows(const CompareReport *report, Row *row)
{
  size_t n = 0, tests = 0;
  for (const ComparePoint *p = report->point; p < report->point + report->n; p++)
    for (const ComparePair *pair = p->compare->pair; pair < p->compare->pair + p->compare->npair; pair++)
      for (int t = 0; t < pair->ntest; t++, n++)
        if (row != NULL)
          row[n] = (Row){p, &p->compare->run[pair->a], &p->compare->run[pair->b], &pair->test[t]};
  tests = n;
  for (const ComparePoint *p = report->point; p < report->point + report->n; p++)
    for (int i = 0; i < p->compare->n; i++, n++)
      if (row != NULL)
        row[n] = (Row){p, &p->compare->run[i], NULL, NULL};
  return row != NULL ? tests : n;
}

/* Adds the tables NAME and NAME_runs. */
static void add_tables(const CompareReport *report, ResultSet *set)
{
  const size_t n = list_rows(report, NULL);
  Row *row = malloc((n + 1) * sizeof *row);
  double *x = malloc((2 * n + 1) * sizeof *x);
  const char **word = malloc((n + 1) * sizeof *word);
  if (row == NULL || x == NULL || word == NULL)
    set->failed = true;
  else {
    const size_t tests = list_rows(report, row);
    add_table(set, report, "", &(Rows){tests, row, x, word});
    add_table(set, report, "_runs", &(Rows){n - tests, row + tests, x, word});
  }
  free(row);
  free(x);
  free(word);
}

static const char *const files[] = {"compare.csv", "compare_runs.csv", "compare.json", "compare.html", NULL};
static const char *const pictures[] = {"compare", "compare_w", NULL};
const ManifestNames compare_files_names = {.file = files, .stem = pictures, .suffix = picture_suffixes};

static Status write_set(const CompareReport *report, const ResultSet *set, const char *dir, Error *error)
{
  char name[32];
  TRY(results_csv_write_all(set, 0, dir, error));
  snprintf(name, sizeof name, "%s.json", report->name);
  TRY(results_json_write_as(set, dir, name, error));
  return compare_page_write(report, set, dir, error);
}

Status compare_files_write(const CompareReport *report, const char *dir, Error *error)
{
  ResultSet set = results_make(report->point[0].compare->run[0].set.sorts, false);
  add_tables(report, &set);
  if (report->more != NULL)
    results_append(&set, report->more);
  const Status status = write_set(report, &set, dir, error);
  results_free(&set);
  return status;
}
