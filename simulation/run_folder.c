#include "simulation/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/text.h"
#include "simulation/checkpoint.h"
#include "simulation/folder_lock.h"
#include "simulation/kept_start.h"
#include "simulation/parts.h"
#include "simulation/sampling.h"

static const char name_log[] = "holonom.log", name_input[] = "input.yaml";

/* How these begin when a run of this program has written them. */
static const char sign_log[] = "Holonom ", sign_input[] = "# Resolved by Holonom ";

struct RunFolder {
  const Config *config;
  const char *dir;
  RunFolderUse use;
  FolderLock *lock;
};

/* What a run may leave, besides the checkpoints. */
static const char *const leavings[] = {
#define OBSERVABLE(name, ...) #name ".csv",
#include "observables/observable_rows.def"
    "summary.yaml",      "thermo.csv",         "trajectory.xyz",
    "trajectory.dcd",    "trajectory.h5md",    "multipliers.csv",
    "rdf_replicas.csv",  "rdf_ladder.csv",     "replicas.csv",
    "trajectory.csv",    "energy.csv",         "final.xyz",
    "final.gro",         "last-good.xyz",      "ensemble.csv",
    "ladder.csv",        "rdf_reweighted.csv", "isomers_reweighted.csv",
    "heat_capacity.csv", "ladder.yaml",        "vacf_spectrum.csv",
    "observables.json",  PARTS_SAMPLES,        KEPT_START_NAME,
    "report.html"};
static const char *const pictures[] = {
#define OBSERVABLE(name, ...) #name,
#include "observables/observable_rows.def"
    "thermo", "energy", "trajectory", "paths"};
static const char *const suffixes[] = {"svg", "png", "pdf", "plot.json", "dat", "gp", "gp.log"};
enum {
  LEAVINGS = (int)(sizeof leavings / sizeof *leavings),
  PICTURES = (int)(sizeof pictures / sizeof *pictures),
  SUFFIXES = (int)(sizeof suffixes / sizeof *suffixes),
  NAMES_ALL = LEAVINGS + PICTURES * SUFFIXES
};

char *run_folder_default(const char *file)
{
  const char *slash = strrchr(file, '/'), *name = slash != NULL            ? slash + 1
                                                  : strcmp(file, "-") == 0 ? "stdin"
                                                                           : file;
  const char *dot = strrchr(name, '.');
  const size_t stem = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
  char *dir = malloc(stem + 5);
  if (dir != NULL)
    snprintf(dir, stem + 5, "%.*s.out", (int)stem, name);
  return dir;
}

typedef struct Name {
  char text[32];
} Name;

static Name leaving(int i)
{
  Name name;
  if (i < LEAVINGS)
    snprintf(name.text, sizeof name.text, "%s", leavings[i]);
  else
    snprintf(name.text, sizeof name.text, "%s.%s", pictures[(i - LEAVINGS) / SUFFIXES],
             suffixes[(i - LEAVINGS) % SUFFIXES]);
  return name;
}

/* --- what lies there -------------------------------------------------------------------------------------
 */

static bool begins(const char *dir, const char *name, const char *sign)
{
  char *path = file_path(dir, name);
  const bool same = path != NULL && file_begins(path, sign);
  free(path);
  return same;
}

/* Whether a run has been there. */
static bool is_run(const char *dir)
{
  return begins(dir, name_log, sign_log) || begins(dir, name_input, sign_input) ||
         begins(dir, CHECKPOINT_NAME, checkpoint_sign) || begins(dir, CHECKPOINT_PREVIOUS, checkpoint_sign);
}

/* The log and the input that are no run's stay, whatever is asked for. */
static Status check_strangers(const RunFolder *f, Error *error)
{
  const bool run = f->use == RUN_FOLDER_RESUME && is_run(f->dir);
  const struct {
    const char *name, *sign;
  } rows[] = {{name_log, sign_log}, {name_input, sign_input}};
  for (int i = 0; i < 2; i++)
    if (file_length(f->dir, rows[i].name) > 0 && !run && !begins(f->dir, rows[i].name, rows[i].sign))
      return error_set(error, STATUS_INPUT,
                       "%s/%s was not left there by a run, and a run would write a file of that name: give "
                       "another folder with -o",
                       f->dir, rows[i].name);
  return STATUS_OK;
}

static Status check_results(const RunFolder *f, Error *error)
{
  const bool resumable = file_exists(f->dir, CHECKPOINT_NAME);
  Name found = {CHECKPOINT_NAME};
  bool any = resumable;
  for (int i = 0; i < NAMES_ALL && !any; i++) {
    found = leaving(i);
    any = file_exists(f->dir, found.text);
  }
  if (!any || f->use == RUN_FOLDER_RESUME)
    return STATUS_OK;
  if (!is_run(f->dir))
    return error_set(error, STATUS_INPUT,
                     "%s holds %s, but no holonom.log of a run that left it; a run would write over it: give "
                     "another folder with -o",
                     f->dir, found.text);
  if (f->use == RUN_FOLDER_FORCE)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "%s holds %s of an earlier run; nothing is written over: %sgive another folder with -o, or "
      "say --force",
      f->dir, found.text, resumable ? "go on with that run by holonom run --resume, " : "");
}

/* Whether the run would take away or write over this file by any of its names in a folder. */
static bool endangers(const char *dir, const char *input, Name *name)
{
  static const char *const checkpoints[] = {CHECKPOINT_NAME, CHECKPOINT_PREVIOUS, name_log};
  enum { CHECKPOINTS = (int)(sizeof checkpoints / sizeof *checkpoints) };
  for (int i = 0; i < NAMES_ALL + CHECKPOINTS; i++) {
    if (i < NAMES_ALL)
      *name = leaving(i);
    else
      snprintf(name->text, sizeof name->text, "%s", checkpoints[i - NAMES_ALL]);
    char *path = file_path(dir, name->text);
    const bool same = path != NULL && file_same(path, input);
    free(path);
    if (same)
      return true;
  }
  return false;
}

/* In the folder, or in that of a replica. */
static bool endangers_any(const char *dir, const char *input, Name *name)
{
  bool found = endangers(dir, input, name);
  for (int r = 0; !found && file_exists(dir, sampling_folder(r).name); r++) {
    char *path = file_path(dir, sampling_folder(r).name);
    found = path == NULL || endangers(path, input, name);
    free(path);
  }
  return found;
}

/* What the run reads stays. */
static Status check_inputs(const RunFolder *f, Error *error)
{
  char *path = NULL;
  const char *key;
  Status status = STATUS_OK;
  for (int i = 0; status == STATUS_OK && input_path_file(f->config->input, i, &path, &key); i++) {
    Name name;
    if (path == NULL)
      status = error_memory(error, "a file name");
    else if (endangers_any(f->dir, path, &name))
      status = error_set(error, STATUS_INPUT,
                         "%s/%s is what this run reads (%s), and would be written over: copy it to another "
                         "place, or give another folder with -o",
                         f->dir, name.text, key != NULL ? key : "the input file");
    free(path);
  }
  return status;
}

static Status check(const RunFolder *f, Error *error)
{
  Status status = check_strangers(f, error);
  if (status == STATUS_OK)
    status = check_results(f, error);
  return status == STATUS_OK ? check_inputs(f, error) : status;
}

RunFolderUse run_folder_use(bool force, bool resume)
{
  return resume ? RUN_FOLDER_RESUME : force ? RUN_FOLDER_FORCE : RUN_FOLDER_NEW;
}

Status run_folder_open(RunFolder **folder, const Config *config, const char *dir, RunFolderUse use,
                       Error *error)
{
  RunFolder *f = *folder = calloc(1, sizeof *f);
  if (f == NULL)
    return error_memory(error, "a folder");
  *f = (RunFolder){.config = config, .dir = dir, .use = use};
  Status status = check(f, error);
  const bool there = access(dir, F_OK) == 0;
  if (status == STATUS_OK && there)
    status = file_make_folder(dir, error); /* a file of that name is none */
  if (status == STATUS_OK && there)
    status = folder_lock(&f->lock, dir, error);
  if (status != STATUS_OK) {
    run_folder_close(f);
    *folder = NULL;
  }
  return status;
}

const char *run_folder_unlocked(const RunFolder *f) { return folder_lock_failure(f->lock); }

void run_folder_close(RunFolder *f)
{
  if (f == NULL)
    return;
  folder_lock_release(f->lock);
  free(f);
}

/* --- making it ready --------------------------------------------------------------------------------------
 */

static Status clear(const char *dir, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < NAMES_ALL && status == STATUS_OK; i++) {
    const Name name = leaving(i);
    status = file_remove(dir, name.text, error);
  }
  return status;
}

/* The folder of a replica, which stays if it holds anything else. */
static Status clear_replica(const char *dir, const char *name, Error *error)
{
  char *path = file_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status = clear(path, error);
  if (status == STATUS_OK)
    (void)rmdir(path);
  free(path);
  return status;
}

static Status clear_all(const char *dir, Error *error)
{
  Status status = checkpoint_remove(dir, error);
  if (status == STATUS_OK)
    status = clear(dir, error);
  for (int r = 0; status == STATUS_OK && file_exists(dir, sampling_folder(r).name); r++)
    status = clear_replica(dir, sampling_folder(r).name, error);
  return status;
}

static Status write_input(const RunFolder *f, Error *error)
{
  Text *text;
  Status status = input_path_rebase(f->config->input, f->dir, error);
  if (status == STATUS_OK)
    status = text_replace(&text, f->dir, name_input, error);
  if (status == STATUS_OK) {
    text_print(text, "%s%s from %s: all keys, defaults included; it can be run again from here\n", sign_input,
               HOLONOM_VERSION, input_name(f->config->input));
    (void)input_print(f->config->input, text_file(text), NULL); /* the stream remembers what fails */
    status = text_close(text, error);
  }
  return status;
}

Status run_folder_prepare(RunFolder *f, Error *error)
{
  Status status = file_make_folder(f->dir, error);
  if (status == STATUS_OK && f->lock == NULL) {
    status = folder_lock(&f->lock, f->dir, error);
    if (status == STATUS_OK) /* another run may have come in between */
      status = check(f, error);
  }
  if (status == STATUS_OK && f->use != RUN_FOLDER_RESUME)
    status = clear_all(f->dir, error);
  return status == STATUS_OK ? write_input(f, error) : status;
}
