/* Reads and runs a study. */
#include "cmd/study.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/manifest.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/ticks.h"
#include "cmd/run_status.h"
#include "cmd/study_extrema.h"
#include "cmd/trial.h"
#include "observables/extremum.h"
#include "simulation/parts/checkpoint.h"
#include "simulation/run/run_folder.h"
#include "simulation/simulation.h"
#include "simulation/start/cluster.h"

/* --- the file ------- */

typedef struct Setting {
  const char *name;
  InputStrings set;
} Setting;

typedef struct List {
  const char *key;
  InputStrings values;
} List;

typedef struct File {
  const char *title, *base, *margin;
  InputStrings set;
  InputRecords runs, vary, extrema; /* Setting, List, StudyExtremum */
} File;

static const Parameter settings[] = {
    {"name", PARAMETER_STRING, offsetof(Setting, name), .help = "Name in reports and folders."},
    {"set", PARAMETER_STRINGS, offsetof(Setting, set), .wanted = "a list of 'key=value'", .optional = true,
     .absent = "the base as it is", .help = "Settings of this run."},
    {.key = NULL}};

static const Parameter lists[] = {
    {"key", PARAMETER_STRING, offsetof(List, key), .help = "A key of the input."},
    {"values", PARAMETER_STRINGS, offsetof(List, values), .wanted = "a list of values",
     .help = "Its values."},
    {.key = NULL}};

static const char *const sorts[] = {"maximum", "minimum", NULL};
static const Parameter extrema[] = {
    {"quantity", PARAMETER_STRING, offsetof(StudyExtremum, quantity),
     .help = "A compared quantity: density, energy, ..."},
    {"of", PARAMETER_CHOICE, offsetof(StudyExtremum, minimum), .names = sorts, .fallback = "maximum",
     .help = "Maximum or minimum."},
    {"degree", PARAMETER_INT, offsetof(StudyExtremum, degree), .limits = LIMIT_FROM | LIMIT_TO, .min = 2,
     .max = EXTREMUM_DEGREE, .fallback = "3", .help = "Degree of the polynomial."},
    {"slopes", PARAMETER_BOOL, offsetof(StudyExtremum, slopes), .fallback = "no",
     .help = "Whether slopes from fluctuations are fitted too: of density over temperature, by the thermal "
             "expansion."},
    {.key = NULL}};

/* Sections that belong in an input, not in the file of a study. */
#define OF_THE_BASE ("it belongs in an input file: name that file with 'base' and change its keys with 'set'")
static const char *const of_the_base[] = {
    "parameters", OF_THE_BASE, "units",      OF_THE_BASE, "seed",     OF_THE_BASE, "precision", OF_THE_BASE,
    "restraints", OF_THE_BASE, "system",     OF_THE_BASE, "forces",   OF_THE_BASE, "geometry",  OF_THE_BASE,
    "integrator", OF_THE_BASE, "thermostat", OF_THE_BASE, "barostat", OF_THE_BASE, "ensemble",  OF_THE_BASE,
    "exchange",   OF_THE_BASE, "output",     OF_THE_BASE, NULL};

enum { ROW_TITLE, ROW_BASE, ROW_MARGIN, ROW_SET, ROW_RUNS, ROW_VARY, ROW_EXTREMA };
static const Parameter table[] = {
    [ROW_TITLE] = {"title", PARAMETER_STRING, offsetof(File, title), .fallback = "A study",
                   .help = "Title of the report."},
    [ROW_BASE] = {"base", PARAMETER_STRING, offsetof(File, base), .path = true,
                  .help = "The input of all runs."},
    [ROW_MARGIN] = {"margin", PARAMETER_STRING, offsetof(File, margin), .optional = true,
                    .absent = "tests of difference only",
                    .help = "Margin within which runs count as equal, as in compare --margin."},
    [ROW_SET] = {"set", PARAMETER_STRINGS, offsetof(File, set), .wanted = "a list of 'key=value'",
                 .optional = true, .absent = "the base as it is", .help = "Settings of all runs."},
    [ROW_RUNS] = {"runs", PARAMETER_RECORDS, offsetof(File, runs), .record = settings,
                  .size = sizeof(Setting), .optional = true, .absent = "one for each value of the first list",
                  .help = "The runs to compare, the reference first."},
    [ROW_VARY] = {"vary", PARAMETER_RECORDS, offsetof(File, vary), .record = lists, .size = sizeof(List),
                  .optional = true, .absent = "nothing",
                  .help = "Keys and their values; all runs are made at every combination."},
    [ROW_EXTREMA] = {"extrema", PARAMETER_RECORDS, offsetof(File, extrema), .record = extrema,
                     .size = sizeof(StudyExtremum), .optional = true, .absent = "none",
                     .help = "Quantities whose maximum or minimum over the first list of vary is fitted."},
    {.key = NULL, .names = of_the_base}};

static InputKey key_of(int row) { return (InputKey){.row = row}; }

static Status add_set(StudyRun *run, const char *key, const char *value, Error *error)
{
  if (run->nset == STUDY_SETS)
    return error_set(error, STATUS_INPUT, "%s: more than %d settings", run->name, STUDY_SETS);
  const size_t size = (key != NULL ? strlen(key) + 1 : 0) + strlen(value) + 1;
  char *text = malloc(size);
  TRY_MEMORY(text != NULL, "a study", error);
  snprintf(text, size, "%s%s%s", key != NULL ? key : "", key != NULL ? "=" : "", value);
  run->set[run->nset++] = text;
  return STATUS_OK;
}

static Status add_sets(StudyRun *run, const InputStrings *set, Error *error)
{
  for (int i = 0; i < set->n; i++) {
    if (strchr(set->value[i], '=') == NULL)
      return error_set(error, STATUS_INPUT, "%s: '%s' is not a setting KEY=VALUE", run->name, set->value[i]);
    TRY(add_set(run, NULL, set->value[i], error));
  }
  return STATUS_OK;
}

/* dir/words with a dash for special characters, "." and "..". */
static char *folder_of(const char *dir, const char *words)
{
  char *path = file_path(dir, words);
  if (path == NULL)
    return NULL;
  char *to = path + strlen(path) - strlen(words);
  char *const first = to;
  for (const char *at = to; *at != '\0'; at++)
    if (isalnum((unsigned char)*at) || strchr("._-+", *at) != NULL)
      *to++ = *at;
    else if (to > first && to[-1] != '-')
      *to++ = '-';
  if (to == first)
    *to++ = '-';
  *to = '\0';
  if (strcmp(first, ".") == 0 || strcmp(first, "..") == 0)
    *first = '-';
  return path;
}

/* The file, with the first `first` (0 or 1) lists of `vary` as the runs. */
typedef struct Plan {
  const File *file;
  const List *list;
  int first, nlist;
} Plan;

static int count(const Plan *plan)
{
  int n = 1;
  for (int i = plan->first; i < plan->nlist && n <= STUDY_RUNS; i++)
    n *= plan->list[i].values.n;
  return n;
}

/* The value of list i at a point. */
static const char *value_at(const Plan *plan, int i, int point)
{
  for (int k = plan->nlist - 1; k > i; k--)
    point /= plan->list[k].values.n;
  return plan->list[i].values.value[point % plan->list[i].values.n];
}

static Status make_point(const Plan *plan, Study *s, int point, const char *dir, Error *error)
{
  char words[512] = "";
  for (int i = plan->first; i < plan->nlist; i++)
    text_append(words, sizeof words, "%s%s %s", i > plan->first ? ", " : "", plan->list[i].key,
                value_at(plan, i, point));
  StudyPoint *p = &s->point[point];
  p->words = strdup(words);
  p->folder = words[0] != '\0' ? folder_of(dir, words) : strdup(dir);
  return p->words != NULL && p->folder != NULL ? STATUS_OK : error_memory(error, "a study");
}

static Status make_run(const Plan *plan, Study *s, int point, int i, const CommandSets *set, Error *error)
{
  StudyRun *run = &s->run[point * s->nrun + i];
  const Setting *setting = plan->first == 0 ? (const Setting *)plan->file->runs.item + i : NULL;
  run->name = strdup(setting != NULL ? setting->name : plan->list[0].values.value[i]);
  run->folder = run->name != NULL ? folder_of(s->point[point].folder, run->name) : NULL;
  TRY_MEMORY(run->folder != NULL, "a study", error);
  TRY(add_sets(run, &plan->file->set, error));
  for (int k = plan->first; k < plan->nlist; k++)
    TRY(add_set(run, plan->list[k].key, value_at(plan, k, point), error));
  TRY(setting != NULL ? add_sets(run, &setting->set, error)
                      : add_set(run, plan->list[0].key, run->name, error));
  for (int k = 0; k < set->n; k++)
    TRY(add_set(run, NULL, set->text[k], error));
  return add_set(run, "title", run->name, error);
}

/* Checks that folders of runs differ from each other and from the files of a study. */
static Status check_folders(const Study *s, Error *error)
{
  static const char *const taken[] = {"compare.",    "compare_w.",     "compare_runs.", "study.",
                                      "study_runs.", "study_extrema.", "holonom."};
  for (int i = 0; i < s->npoint * s->nrun; i++)
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
      if (strncmp(file_last(s->run[i].folder), taken[k], strlen(taken[k])) == 0)
        return error_set(error, STATUS_INPUT, "%s: '%s' is the name of a result file; choose another name",
                         input_name(s->input), s->run[i].name);
  for (int i = 0; i < s->npoint * s->nrun; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(s->run[i].folder, s->run[k].folder) == 0)
        return error_set(error, STATUS_INPUT,
                         "%s: '%s' and '%s' would share the folder %s; choose other names",
                         input_name(s->input), s->run[k].name, s->run[i].name, s->run[i].folder);
  return STATUS_OK;
}

/* Checks that the runs can be compared. */
static Status check_samples(const Config *config, Error *error)
{
  if (config_mechanical(config))
    return error_set(
        error, STATUS_INPUT,
        "runs of mechanical systems cannot be compared: they have no potential energy of molecules");
  return config_samples(config) > 0
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "no samples to compare: of %lld steps, none after output.equilibration is a "
                         "multiple of output.thermo_every (%lld)",
                         (long long)config->integrator.steps, (long long)config->output.thermo_every);
}

static Status prepare_run(const Study *s, StudyRun *run, int threads, Error *error)
{
  TRY(config_load(s->base, (const char *const *)run->set, run->nset, &run->config, error));
  TRY(check_samples(run->config, error));
  TRY(trial_of_start(run->config, error));
  return simulation_create(&run->simulation, run->config, threads, error);
}

/* Creates all runs before the first one starts. */
static Status prepare(const Study *s, int threads, Error *error)
{
  for (StudyRun *run = s->run; run < s->run + s->npoint * s->nrun; run++)
    if (prepare_run(s, run, threads, error) != STATUS_OK)
      return error_prefix(error, "run %s", run->folder);
  return STATUS_OK;
}

static Status plan_make(const File *file, Study *s, Plan *plan, Error *error)
{
  *plan = (Plan){.file = file, .list = file->vary.item, .nlist = file->vary.n, .first = file->runs.n == 0};
  if (file->runs.n == 0 && file->vary.n == 0)
    return input_error(s->input, key_of(ROW_RUNS), error,
                       "runs and vary are missing: there is nothing to compare");
  for (int i = 0; i < plan->nlist; i++) {
    if (plan->list[i].values.n == 0)
      return input_error(s->input, key_of(ROW_VARY), error, "%s has no values", plan->list[i].key);
    for (int k = 0; k < i; k++)
      if (strcmp(plan->list[i].key, plan->list[k].key) == 0)
        return input_error(s->input, key_of(ROW_VARY), error, "%s is listed twice", plan->list[i].key);
  }
  s->nrun = plan->first ? plan->list[0].values.n : file->runs.n;
  s->npoint = count(plan);
  s->values_are_runs = plan->first > 0;
  if (plan->nlist > 0) {
    s->key = plan->list[0].key;
    s->value = plan->list[0].values.value;
    s->nvalue = plan->list[0].values.n;
  }
  s->extremum = file->extrema.item;
  s->nextremum = file->extrema.n;
  if (s->nrun < 2)
    return input_error(
        s->input, key_of(plan->first ? ROW_VARY : ROW_RUNS), error, "at least two runs are required%s",
        plan->first == 0 && plan->nlist > 0
            ? "; to compare the values of the first list (vary), omit 'runs' and put its settings under 'set'"
            : "");
  if (s->npoint > STUDY_RUNS / s->nrun)
    return input_error(s->input, key_of(ROW_VARY), error, "more than %d runs", STUDY_RUNS);
  return STATUS_OK;
}

static Status make(const File *file, Study *s, const char *dir, const CommandSets *set, int threads,
                   Error *error)
{
  Plan plan;
  Error why;
  TRY(plan_make(file, s, &plan, error));
  if (study_extrema_check(s, &why) != STATUS_OK)
    return input_pass(s->input, key_of(ROW_EXTREMA), STATUS_INPUT, &why, error);
  s->text = file->margin;
  const Status margin = s->text != NULL ? compare_margin_read(&s->margin, s->text, &why) : STATUS_OK;
  if (margin != STATUS_OK)
    return input_pass(s->input, key_of(ROW_MARGIN), margin, &why, error);
  s->title = file->title;
  s->base = input_path(s->input, file->base);
  s->point = calloc((size_t)s->npoint, sizeof *s->point);
  s->run = calloc((size_t)s->npoint * (size_t)s->nrun, sizeof *s->run);
  TRY_MEMORY(s->base != NULL && s->point != NULL && s->run != NULL, "a study", error);
  for (int p = 0; p < s->npoint; p++) {
    TRY(make_point(&plan, s, p, dir, error));
    for (int i = 0; i < s->nrun; i++)
      TRY(make_run(&plan, s, p, i, set, error));
  }
  TRY(check_folders(s, error));
  return prepare(s, threads, error);
}

Status study_read(Study **study, const char *path, const char *dir, const CommandSets *set, int threads,
                  Error *error)
{
  *study = NULL;
  Study *s = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "a study", error);
  File file = {0};
  TRY_ELSE(input_load(&s->input, table, path, NULL, 0, &file, error), study_free(s));
  TRY_ELSE(make(&file, s, dir, set, threads, error), study_free(s));
  *study = s;
  return STATUS_OK;
}

void study_free(Study *s)
{
  if (s == NULL)
    return;
  for (int p = 0; s->point != NULL && p < s->npoint; p++) {
    free(s->point[p].words);
    free(s->point[p].folder);
  }
  for (int i = 0; s->run != NULL && i < s->npoint * s->nrun; i++) {
    for (int k = 0; k < s->run[i].nset; k++)
      free(s->run[i].set[k]);
    free(s->run[i].name);
    free(s->run[i].folder);
    free(s->run[i].failed);
    simulation_free(s->run[i].simulation);
    results_free(&s->run[i].found);
    config_free(s->run[i].config);
  }
  free(s->point);
  free(s->run);
  free(s->base);
  input_free(s->input);
  free(s);
}

/* --- running ------- */

/* Whether the `system` sections of two inputs are equal, so that they share built starts. */
static bool same_system(const Config *a, const Config *b)
{
  const char *of[2];
  const Parameter *p;
  for (int i = 0; (p = input_item(a->input, i, &of[0])) != NULL; i++) {
    if (strncmp(p->key, "system.", strlen("system.")) != 0)
      continue;
    (void)input_item(b->input, i, &of[1]);
    if ((of[0] == NULL) != (of[1] == NULL) || (of[0] != NULL && strcmp(of[0], of[1]) != 0))
      return false;
  }
  return true;
}

/* An earlier run whose built start also serves this one; NULL: no such run. */
static const char *start_of(const Study *s, const StudyRun *run)
{
  for (const StudyRun *other = s->run; other < run; other++)
    if (file_exists(other->folder, CLUSTER_KEPT) && same_system(run->config, other->config))
      return other->folder;
  return NULL;
}

static bool has_begun(const StudyRun *run)
{
  return file_exists(run->folder, CHECKPOINT_NAME) || file_exists(run->folder, CHECKPOINT_PREVIOUS);
}

Status study_check(const Study *s, const char *dir, bool force, Error *error)
{
  TRY(study_report_check(s, dir, error));
  for (int i = 0; i < s->npoint * s->nrun; i++) {
    const StudyRun *run = &s->run[i];
    const StudyPoint *point = &s->point[i / s->nrun];
    if (strcmp(point->folder, dir) != 0)
      TRY(manifest_check_folder(dir, file_last(point->folder), error));
    TRY(manifest_check_folder(point->folder, file_last(run->folder), error));
    TRY(run_folder_check(run->config, run->folder, run_folder_use(force, has_begun(run), true), error));
  }
  return STATUS_OK;
}

/* Creates the folders of the points and lists all runs in their manifests, so that holonom status knows the
 * runs to come. */
static Status make_folders(const Study *s, const char *dir, Error *error)
{
  SCOPED(scoped_free) const char **name = malloc((size_t)s->nrun * sizeof *name);
  TRY_MEMORY(name != NULL, "a study", error);
  for (int p = 0; p < s->npoint; p++) {
    if (strcmp(s->point[p].folder, dir) != 0)
      TRY(manifest_make_folder(dir, file_last(s->point[p].folder), error));
    for (int i = 0; i < s->nrun; i++)
      name[i] = file_last(s->run[p * s->nrun + i].folder);
    TRY(manifest_claim_folders(s->point[p].folder, name, s->nrun, error));
  }
  return STATUS_OK;
}

/* Records a failure. A run that fails before its first step has no results of its own; its folder may
 * contain older ones. */
static Status note_failure(StudyRun *run, Error *error)
{
  ResultSet *found = &run->found;
  if (!results_says(found, "", "ended", "failed")) {
    results_free(found);
    *found = results_make(QUANTITY_MOLECULES, run->config->reduced);
    results_words(found, "", "ended", "failed");
    results_words(found, "", "message", error->text);
    results_words(found, "", "title", run->name);
  }
  run->failed = strdup(error->text);
  return run->failed != NULL && !results_failed(found) ? STATUS_OK : error_memory(error, "a study");
}

/* Whether a failure concerns only this run, so that the others can go on; this includes inputs that only a
 * start can reject (a step too long for librations). Not so: a checkpoint of another input, or a folder
 * that another process uses. */
static bool fails_alone(const StudyRun *run, bool resumed, Status status)
{
  char who[FOLDER_HOLDER];
  return status == STATUS_RUN ||
         (status == STATUS_INPUT && !resumed && folder_lock_look(run->folder, who) != FOLDER_HELD);
}

/* Resumes the run if it has a checkpoint, else starts it. */
static Status run_one(const Study *s, StudyRun *run, bool force, Error *error)
{
  const bool resume = !force && has_begun(run);
  const SimulationRun options = {.dir = run->folder,
                                 .force = force,
                                 .resume = resume,
                                 .again = true,
                                 .start = resume ? NULL : start_of(s, run),
                                 .stop = stop_flag(),
                                 .found = &run->found};
  const Status status = command_simulate(run->simulation, &options, error);
  simulation_free(run->simulation);
  run->simulation = NULL;
  if (fails_alone(run, resume, status) && !stop_asked())
    return note_failure(run, error);
  return status == STATUS_OK ? STATUS_OK : error_prefix(error, "run %s", run->folder);
}

/* Remaining steps of a run, by its input and its folder. */
static Status steps_to_come(const StudyRun *run, bool force, int64_t *steps, Error *error)
{
  *steps = run->config->integrator.steps;
  if (force || !run_status_known(run->folder))
    return STATUS_OK;
  RunStatus is;
  TRY(run_status_read(&is, run->folder, error));
  if (is.state == RUN_COMPLETE)
    *steps = 0;
  else if (is.saved > 0 && is.saved < *steps)
    *steps -= is.saved;
  run_status_free(&is);
  return STATUS_OK;
}

/* Steps taken by this call. */
static int64_t steps_taken(const StudyRun *run, int64_t to_come)
{
  if (run->failed == NULL)
    return to_come;
  const double done = results_value(&run->found, "", "steps");
  const int64_t missing = isfinite(done) ? run->config->integrator.steps - (int64_t)done : to_come;
  return missing < to_come ? to_come - missing : 0;
}

/* Prints the name of the run and the estimated time left, from the steps taken so far. */
static void announce(const Study *s, int i, double seconds, int64_t taken, int64_t to_come, FILE *out)
{
  char took[32];
  printable_print(out, "run %d of %d: %s", i + 1, s->npoint * s->nrun, s->run[i].folder);
  if (taken > 0 && to_come > 0)
    fprintf(out, ", about %s left",
            progress_duration(seconds * (double)to_come / (double)taken, took, sizeof took));
  fputc('\n', out);
  fflush(out);
}

Status study_run(Study *s, const char *dir, bool force, FILE *out, Error *error)
{
  const int n = s->npoint * s->nrun;
  const double began = ticks_seconds();
  int64_t taken = 0, to_come = 0;
  SCOPED(scoped_free) int64_t *steps = malloc((size_t)n * sizeof *steps);
  TRY_MEMORY(steps != NULL, "a study", error);
  TRY(make_folders(s, dir, error));
  for (int i = 0; i < n; i++) {
    TRY(steps_to_come(&s->run[i], force, &steps[i], error));
    to_come += steps[i];
  }
  for (int i = 0; i < n && !stop_asked(); i++) {
    if (out != NULL)
      announce(s, i, ticks_seconds() - began, taken, to_come, out);
    TRY(manifest_make_folder(s->point[i / s->nrun].folder, file_last(s->run[i].folder), error));
    TRY(run_one(s, &s->run[i], force, error));
    if (out != NULL && s->run[i].failed != NULL)
      printable_print(out, "%s FAILED: %s\n", s->run[i].folder, s->run[i].failed);
    taken += steps_taken(&s->run[i], steps[i]);
    to_come -= steps[i];
  }
  return STATUS_OK;
}

Status study_failed(const Study *s, Error *error)
{
  const int all = s->npoint * s->nrun;
  char which[1024] = ""; /* with space for the number of further runs */
  int failed = 0, named = 0;
  for (const StudyRun *run = s->run; run < s->run + all; run++) {
    failed += run->failed != NULL;
    if (run->failed == NULL || strlen(which) + strlen(run->folder) + 32 > sizeof which)
      continue;
    text_append(which, sizeof which, "%s%s", named++ > 0 ? ", " : "", run->folder);
  }
  if (failed == 0)
    return STATUS_OK;
  if (named < failed)
    text_append(which, sizeof which, " and %d more", failed - named);
  return error_set(error, STATUS_RUN,
                   "%d of %d runs failed: %s; the same command resumes them from their last checkpoints; "
                   "remove a run's folder to begin it anew",
                   failed, all, which);
}
