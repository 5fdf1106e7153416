/* Run folders as holonom leaves them, made up for comparisons, in a folder of their own. */
#ifndef HOLONOM_TESTS_COMPARED_H
#define HOLONOM_TESTS_COMPARED_H

#include <sys/stat.h>
#include <unistd.h>

#include "cmd/compare.h"
#include "engine/random.h"
#include "engine/units.h"
#include "observables/rdf.h"
#include "tests/suite.h"

static char compared_root[64];

static inline void compared_setup(void)
{
  strcpy(compared_root, "/tmp/test_compare_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(compared_root));
}

static inline void compared_teardown(void)
{
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", compared_root);
  ck_assert_int_eq(system(command), 0);
}

typedef struct ComparedRun {
  const char *name, *title;
  double w; /* 0: constrained            */
  double energy, radius;
  int replicas;
  double h;                   /* 0: 0.05 */
  const char *errors;         /* of a single run; NULL: "sound"; "": not said */
  double pressure, diffusion; /* of boxes, 0: none */
  double removed; /* pressure that it lacks without the momentum of the box, bar; 0: has all momenta */
  double zero;    /* potential energy of a zero step; 0: not measured */
} ComparedRun;

static inline FILE *compared_file(const char *dir, const char *name)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  return file;
}

/* Writes a set as a run does, and frees it. */
static inline void compared_write(ResultSet *set, const char *dir)
{
  Error error;
  ck_assert_msg(results_json_write(set, dir, &error) == STATUS_OK, "%s", error.text);
  results_free(set);
}

static inline void compared_fill(ResultSet *set, const ComparedRun *made)
{
  results_words(set, "", "ended", "complete");
  results_words(set, "", "title", made->title);
  results_whole(set, "", "molecules", 7);
  results_words(set, "", "model", "tip3p");
  results_real(set, "", "target_temperature", 10.06);
  results_words(set, "", "method", made->w > 0.0 ? "penalty" : "settle");
  if (made->w > 0.0) {
    results_real(set, "", "w", made->w);
    results_words(set, "", "hessian", "gauss-newton");
    results_words(set, "", "noise", "tangent");
  }
  const double h = made->h > 0.0 ? made->h : 0.05;
  results_real(set, "", "timestep", h);
  results_note(set, "%.6g fs", h * UNITS_AKMA_FS);
  if (made->replicas == 1) {
    results_whole(set, "", "independent_samples", 100);
    results_whole(set, "", "error_blocks", 20);
    if (made->errors == NULL || made->errors[0] != '\0')
      results_words(set, "", "errors", made->errors != NULL ? made->errors : "sound");
  }
  results_real(set, "share", "w", 17.0);
  results_mean(set, "", "potential", made->energy, 0.05, NAN, NAN);
  results_real(set, "", "density", 0.997);
  if (made->pressure != 0.0)
    results_mean(set, "", "pressure", made->pressure, 5.0, NAN, NAN);
  if (made->removed != 0.0) {
    results_whole(set, "", "freedom_removed", 3);
    results_real(set, "", "pressure_removed", made->removed);
  }
  if (made->zero != 0.0) {
    results_observed(set, "zero_step", "system", "potential", made->energy, 0.01, NULL);
    results_observed(set, "zero_step", "system", "potential_zero_step", made->zero, 0.02, NULL);
  }
  if (made->diffusion != 0.0)
    results_observed(set, "msd", "water", "D_L", made->diffusion, 0.05, NULL);
}

/* One sample of oxygens, uniform in a sphere. */
static inline void compared_sample(Observable *rdf, int replica, double within, RandomStream *s)
{
  double x[7][3];
  for (int i = 0; i < 7; i++) {
    double r2 = 0.0;
    for (int d = 0; d < 3; d++) {
      x[i][d] = random_normal(s);
      r2 += x[i][d] * x[i][d];
    }
    const double radius = within * cbrt(random_uniform(s)) / sqrt(r2);
    for (int d = 0; d < 3; d++)
      x[i][d] *= radius;
  }
  ck_assert_int_eq(rdf_add_positions(rdf, replica, (const double(*)[3])x, NULL), STATUS_OK);
}

/* A run folder as holonom leaves it: replicas around an energy, those of boxes (which have a pressure) on it,
 * and of clusters their distribution. */
static inline const char *compared_run(const ComparedRun *made, uint32_t stream, char dir[128])
{
  RandomStream s = random_stream(11, stream, RANDOM_TEST);
  snprintf(dir, 128, "%s/%s", compared_root, made->name);
  ck_assert_int_eq(mkdir(dir, 0777), 0);
  const bool box = made->pressure != 0.0;
  ResultSet set = results_make(box ? QUANTITY_BOXES : QUANTITY_CLUSTERS, false);
  compared_fill(&set, made);
  double potential[64], temperature[64];
  Observable *rdf;
  const ObservableOptions options = {.replicas = made->replicas, .rdf.max = 8.0, .rdf.bins = 40};
  ck_assert_int_eq(rdf_create_open(&rdf, &options, 7, 3, NULL), STATUS_OK);
  for (int r = 0; r < made->replicas; r++) {
    potential[r] = made->energy + (box ? 0.0 : 0.05 * random_normal(&s));
    temperature[r] = 10.0 + 0.1 * random_normal(&s);
    for (int k = 0; k < (made->replicas == 1 ? 2000 : 100); k++)
      compared_sample(rdf, r, made->radius, &s);
  }
  ResultTable *table = results_add_table(&set, "replicas", (size_t)made->replicas);
  results_add_column(table, "potential", potential, NULL);
  results_add_column(table, "temperature", temperature, NULL);
  compared_write(&set, dir);
  if (!box)
    ck_assert_int_eq(rdf_files_write(rdf, dir, NULL), STATUS_OK);
  observable_free(rdf);
  return dir;
}

enum { COMPARED_MOST = 6 };

static inline void compared_runs(const ComparedRun *made, int n, char dir[COMPARED_MOST][128],
                                 const char *list[COMPARED_MOST])
{
  for (int i = 0; i < n; i++)
    list[i] = compared_run(&made[i], (uint32_t)i, dir[i]);
}

static inline int compared_has(const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", compared_root, name);
  return access(path, F_OK) == 0;
}

enum { COMPARED_FAMILY = 5 };
static const ComparedRun compared_family[COMPARED_FAMILY] = {
    {"c", "SETTLE", 0.0, -55.67, 4.0, 64, 0, NULL, 0, 0},
    {"c2", "SETTLE again", 0.0, -55.67, 4.0, 48, 0, NULL, 0, 0},
    {"p20", "w = 20", 20.0, -55.67 - 2360.0 / 400.0, 3.7, 64, 0, NULL, 0, 0},
    {"p100", "w = 100", 100.0, -55.67 - 0.236, 4.0, 64, 0, NULL, 0, 0},
    {"p500", "w = 500", 500.0, -55.67 - 2360.0 / 250000.0, 4.0, 64, 0, NULL, 0, 0}};

static inline Compare *compared_of(const ComparedRun *made, int n, int all_pairs, char **words)
{
  char dir[COMPARED_MOST][128];
  const char *list[COMPARED_MOST];
  Compare *c;
  Error error;
  compared_runs(made, n, dir, list);
  ck_assert_msg(compare_create(&c, list, NULL, n, all_pairs, &error) == STATUS_OK, "%s", error.text);
  size_t size;
  FILE *out = open_memstream(words, &size);
  ck_assert_int_eq(compare_runs(list, n, &(CompareOptions){.all_pairs = all_pairs}, compared_root, out, NULL),
                   STATUS_OK);
  fclose(out);
  ck_assert_msg(strstr(*words, "nan") == NULL && strstr(*words, "- inf") == NULL &&
                    strstr(*words, "inf)") == NULL,
                "%s", *words);
  if (getenv("HOLONOM_SHOW") != NULL)
    puts(*words);
  return c;
}

#endif
