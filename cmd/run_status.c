#include "cmd/run_status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/manifest.h"
#include "base/scoped.h"
#include "config/config.h"
#include "engine/units.h"
#include "simulation/parts/checkpoint.h"
#include "simulation/parts/parts.h"

static const char name_log[] = "holonom.log", name_input[] = "input.yaml";
static const char sign_log[] = "Holonom ", sign_failed[] = "FAILED: ";

const char *run_status_name(RunState state)
{
  static const char *const names[] = {
      [RUN_AT_WORK] = "at work", [RUN_COMPLETE] = "complete", [RUN_INTERRUPTED] = "interrupted",
      [RUN_FAILED] = "failed",   [RUN_KILLED] = "killed",     [RUN_UNKNOWN] = "unknown"};
  return names[state];
}

/* --- files ------- */

/* The path of dir/name if it is a regular file, owned by the caller, and its info; else NULL. */
static char *file_at(const char *dir, const char *name, struct stat *info)
{
  char *path = file_path(dir, name);
  if (path != NULL && lstat(path, info) == 0 && S_ISREG(info->st_mode))
    return path;
  free(path);
  return NULL;
}

static double time_of(const struct stat *info)
{
  return (double)info->st_mtim.tv_sec + 1e-9 * (double)info->st_mtim.tv_nsec;
}

static double now(void)
{
  struct timespec t;
  return clock_gettime(CLOCK_REALTIME, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : NAN;
}

static bool begins(const char *dir, const char *name, const char *sign)
{
  struct stat info;
  SCOPED(scoped_free) char *path = file_at(dir, name, &info);
  return path != NULL && file_begins(path, sign);
}

bool run_status_known(const char *dir)
{
  char who[FOLDER_HOLDER];
  return folder_lock_look(dir, who) != FOLDER_FREE || manifest_has(dir, name_log) ||
         begins(dir, name_log, sign_log) || begins(dir, CHECKPOINT_NAME, checkpoint_sign) ||
         begins(dir, CHECKPOINT_PREVIOUS, checkpoint_sign);
}

/* Lists the files of a manifest, then those of its folders. */
typedef struct Listing {
  RunStatus *run;
  const char *dir, *within; /* the run's folder; a folder in it, or NULL */
  int depth;
  bool failed;
} Listing;

static void add_file(Listing *l, const char *name)
{
  RunStatus *r = l->run;
  struct stat info;
  char *relative = file_path(l->within, name), *path = NULL;
  if (relative != NULL && (path = file_at(l->dir, relative, &info)) != NULL) {
    RunFile *more = realloc(r->file, (size_t)(r->nfile + 1) * sizeof *more);
    if (more != NULL) {
      r->file = more;
      r->file[r->nfile++] = (RunFile){relative, (int64_t)info.st_size, time_of(&info)};
      r->written = fmax(r->written, time_of(&info));
      relative = NULL;
    } else
      l->failed = true;
  }
  l->failed = l->failed || (relative == NULL && path == NULL);
  free(relative);
  free(path);
}

static bool list_name(void *self, const char *name)
{
  Listing *l = self;
  const size_t length = strlen(name);
  const char *slash = strchr(name, '/');
  if (slash == NULL)
    add_file(l, name);
  else if (l->depth == 0 && slash == name + length - 1) {
    struct stat info;
    char *bare = strndup(name, length - 1), *path = bare != NULL ? file_path(l->dir, bare) : NULL;
    Listing in = {.run = l->run, .dir = l->dir, .within = bare, .depth = 1, .failed = path == NULL};
    const bool own = path != NULL && strcmp(bare, ".") != 0 && strcmp(bare, "..") != 0;
    if (own && lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
      (void)manifest_visit(path, list_name, &in, NULL);
    l->failed = l->failed || in.failed;
    free(path);
    free(bare);
  }
  return !l->failed;
}

/* --- what a run has written ------- */

/* Reads the rest of the last log line that begins with `sign`, unless the run resumed after it. */
static void read_log(const char *dir, const char *sign, char *words, size_t size)
{
  enum { MOST = 1 << 24 };
  struct stat info;
  SCOPED(scoped_free) char *path = file_at(dir, name_log, &info);
  SCOPED(scoped_free) char *text = NULL;
  words[0] = '\0';
  if (path != NULL && file_read(path, MOST, &text, NULL, NULL) == STATUS_OK)
    for (const char *line = text; line != NULL; line = strchr(line, '\n'), line += line != NULL) {
      if (strncmp(line, sign, strlen(sign)) == 0)
        snprintf(words, size, "%.*s", (int)strcspn(line + strlen(sign), "\n"), line + strlen(sign));
      else if (strncmp(line, "resumed at", 10) == 0)
        words[0] = '\0';
    }
}

/* Values of the input: steps, replicas, ns per step (NaN: reduced units). */
typedef struct Wanted {
  int64_t steps;
  double timestep, ns; /* in the input's units; ns */
  double when;         /* when it was written: the start, or the last resumption */
  int replicas;
} Wanted;

static Wanted read_wanted(const char *dir)
{
  struct stat info;
  Wanted w = {.steps = -1, .timestep = NAN, .ns = NAN, .when = NAN};
  Config *config = NULL;
  SCOPED(scoped_free) char *path = file_at(dir, name_input, &info);
  if (path != NULL && config_load(path, NULL, 0, &config, NULL) == STATUS_OK) {
    w.steps = config->integrator.steps;
    w.timestep = config->integrator.timestep;
    w.ns = config->reduced ? NAN : w.timestep * UNITS_AKMA_FS * 1e-6;
    w.replicas = config->ensemble.replicas;
    w.when = time_of(&info);
    config_free(config);
  }
  return w;
}

/* A step and when it was reached. */
typedef struct Mark {
  int64_t step; /* -1: unknown */
  double time;
} Mark;

/* The last row of the table that the run appends to. */
static Mark read_row(const char *dir, const Wanted *wanted)
{
  static const char *const tables[] = {"thermo.csv", "energy.csv", "ensemble.csv"};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    struct stat info;
    SCOPED(scoped_free) char *path = file_at(dir, tables[i], &info);
    if (path == NULL)
      continue;
    double step = results_csv_last(path, "step");
    if (isnan(step))
      step = round(results_csv_last(path, "time") / wanted->timestep);
    if (step >= 0.0 && step < 9e18)
      return (Mark){(int64_t)step, time_of(&info)};
  }
  return (Mark){-1, NAN};
}

typedef struct Saved {
  Mark mark;
  int64_t begun;  /* first step of its times */
  RunTimes times; /* NaN: unknown */
} Saved;

static Status examine(const char *dir, const char *name, RunStatus *r, Saved *saved, Error *error)
{
  struct stat info;
  CheckpointFacts facts;
  SCOPED(scoped_free) char *path = file_at(dir, name, &info);
  if (path == NULL)
    return error_set(error, STATUS_INPUT, "%s is missing", name);
  TRY(checkpoint_examine(path, &facts, &saved->times, sizeof saved->times, error));
  saved->mark = (Mark){facts.step, time_of(&info)};
  memcpy(r->replicas, facts.replicas, sizeof r->replicas);
  return STATUS_OK;
}

/* Reads the last checkpoint; the previous one if that is damaged or being replaced. */
static Saved read_saved(const char *dir, RunStatus *r)
{
  Saved saved = {.mark = {-1, NAN}, .times = {NAN, NAN, NAN, NAN}};
  Error error = {0};
  struct stat info;
  const Status status = examine(dir, CHECKPOINT_NAME, r, &saved, &error);
  if (status == STATUS_OK)
    return saved;
  SCOPED(scoped_free) char *path = file_at(dir, CHECKPOINT_NAME, &info);
  if (path != NULL)
    snprintf(r->damage, sizeof r->damage, "%.*s", (int)sizeof r->damage - 1, error.text);
  (void)examine(dir, CHECKPOINT_PREVIOUS, r, &saved, NULL);
  return saved;
}

static void read_part(const char *dir, RunStatus *r, int64_t *begun)
{
  struct stat info;
  FILE *file;
  SCOPED(scoped_free) char *path = file_at(dir, PARTS_SAMPLES, &info);
  if (path != NULL && file_open(&file, path, NULL) == STATUS_OK) {
    r->part = parts_read_head(file, r->replicas, begun);
    fclose(file); /* opened for reading only */
  }
}

/* --- the state ------- */

/* How a run without a lock ended. The log reports a failure even if a full disk prevented results; older
 * results may then remain. */
static RunState ended(const RunStatus *r, const ResultSet *results)
{
  const char *word = results_word(results, "", "ended");
  if (r->message[0] != '\0')
    return RUN_FAILED;
  for (int state = RUN_COMPLETE; word != NULL && state <= RUN_FAILED; state++)
    if (strcmp(word, run_status_name((RunState)state)) == 0)
      return (RunState)state;
  if (!r->part || r->steps < 0 || r->saved < 0)
    return RUN_UNKNOWN;
  return r->saved >= r->steps ? RUN_COMPLETE : RUN_INTERRUPTED;
}

/* Steps per second between the last checkpoint (or the start) and the last row; if these are too close, of
 * all steps so far. */
static double rate_of(const Saved *saved, const Mark *start, const Mark *row)
{
  static const double enough = 5.0, some = 0.5; /* seconds */
  const Mark *from = saved->mark.step >= 0 ? &saved->mark : start;
  const double steps = (double)(row->step - from->step), seconds = row->time - from->time;
  if (steps > 0.0 && seconds > enough)
    return steps / seconds;
  if (saved->times.stepping > 0.0 && saved->mark.step > saved->begun)
    return (double)(saved->mark.step - saved->begun) / saved->times.stepping;
  return steps > 0.0 && seconds > some ? steps / seconds : NAN;
}

/* Copies values from results of the current state. */
static void copy_results(RunStatus *r, const ResultSet *results)
{
  const double steps = results_value(results, "", "steps"),
               wanted = results_value(results, "", "steps_wanted"),
               rate = results_value(results, "", "steps_per_second"),
               wall = results_value(results, "", "wall");
  const char *message = results_word(results, "", "message");
  const ResultVerdict *verdict = results_verdict(results, "run");
  if (steps >= 0.0 && steps < 9e18)
    r->step = (int64_t)steps;
  if (wanted >= 0.0 && wanted < 9e18)
    r->steps = (int64_t)wanted;
  r->rate = rate > 0.0 ? rate : r->rate;
  r->wall = isfinite(wall) ? wall : r->wall;
  if (verdict != NULL) {
    r->verdict = verdict->level;
    snprintf(r->verdict_words, sizeof r->verdict_words, "%s", verdict->words);
  }
  if (r->state == RUN_FAILED && message != NULL)
    snprintf(r->message, sizeof r->message, "%s", message);
}

/* Reads results. `why` receives the error if files exist but cannot be read: the message of a run in an
 * unknown state. */
static void read_results(const char *dir, ResultSet *results, char *why, size_t size)
{
  Error error = {0};
  why[0] = '\0';
  if (results_json_read(results, dir, &error) == STATUS_OK)
    return;
  results_free(results);
  if (file_exists(dir, "results.json") || file_exists(dir, "summary.yaml"))
    snprintf(why, size, "%.*s", (int)size - 1, error.text);
}

static RunState state_of(const char *dir, RunStatus *r, const ResultSet *results)
{
  switch (folder_lock_look(dir, r->holder)) {
  case FOLDER_HELD:
    return RUN_AT_WORK;
  case FOLDER_LEFT:
    return RUN_KILLED;
  case FOLDER_UNLOCKED:
    return RUN_UNKNOWN;
  case FOLDER_FREE:
    break;
  }
  return ended(r, results);
}

static void read_all(RunStatus *r, const char *dir)
{
  const Wanted wanted = read_wanted(dir);
  Saved saved = read_saved(dir, r);
  ResultSet results;
  char why[sizeof r->message];
  read_results(dir, &results, why, sizeof why);
  read_part(dir, r, &saved.begun);
  if (r->replicas[1] < 0 && wanted.replicas > 0)
    r->replicas[1] = wanted.replicas - 1;
  read_log(dir, sign_failed, r->message, sizeof r->message);
  const Mark row = read_row(dir, &wanted), start = {0, wanted.when};
  const Mark *last = row.step > saved.mark.step ? &row : &saved.mark;
  r->steps = wanted.steps;
  r->saved = saved.mark.step;
  r->saved_time = saved.mark.time;
  r->step = r->part && saved.begun > last->step ? saved.begun : last->step;
  r->wall = saved.times.wall + fmax(last->time - saved.mark.time, 0.0);
  r->rate = rate_of(&saved, &start, &row);
  r->state = state_of(dir, r, &results);
  const char *word = results_word(&results, "", "ended");
  if (word != NULL && strcmp(word, run_status_name(r->state)) == 0)
    copy_results(r, &results);
  if (r->state != RUN_FAILED)
    snprintf(r->message, sizeof r->message, "%s", r->state == RUN_UNKNOWN ? why : "");
  r->ns_per_day = r->rate * wanted.ns * 86400.0;
  if (r->state == RUN_AT_WORK && r->step >= 0 && r->steps >= r->step) /* minus the time since the last row */
    r->left = fmax((double)(r->steps - r->step) / r->rate - fmax(now() - last->time, 0.0), 0.0);
  results_free(&results);
}

Status run_status_read(RunStatus *r, const char *dir, Error *error)
{
  *r = (RunStatus){.replicas = {0, -1},
                   .step = -1,
                   .steps = -1,
                   .saved = -1,
                   .saved_time = NAN,
                   .rate = NAN,
                   .ns_per_day = NAN,
                   .left = NAN,
                   .wall = NAN,
                   .written = NAN};
  Listing listing = {.run = r, .dir = dir};
  read_all(r, dir);
  (void)manifest_visit(dir, list_name, &listing, NULL);
  if (!listing.failed)
    return STATUS_OK;
  run_status_free(r);
  return error_memory(error, "the files of a run");
}

void run_status_free(RunStatus *r)
{
  for (int i = 0; i < r->nfile; i++)
    free(r->file[i].name);
  free(r->file);
  *r = (RunStatus){.nfile = 0};
}
