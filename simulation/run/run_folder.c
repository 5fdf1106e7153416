#include "simulation/run/run_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/manifest.h"
#include "base/scoped.h"
#include "base/text.h"
#include "forcefields/bias.h"
#include "observables/decoupling_files.h"
#include "observables/picture.h"
#include "observables/profile.h"
#include "simulation/parts/checkpoint.h"
#include "simulation/parts/parts.h"
#include "simulation/sampling.h"
#include "simulation/start/cluster.h"

static const char name_log[] = "holonom.log", name_input[] = "input.yaml";

/* The first line of an input that this program wrote. */
static const char sign_input[] = "# Resolved by Holonom ";

struct RunFolder {
  const Config *config;
  const char *dir;
  RunFolderUse use;
  FolderLock *lock;
  int64_t asked; /* steps that the previous input requested; 0: unknown */
};

/* Files written at the end of a run, and all files of a run. */
#define AT_THE_END                                                                                           \
  "summary.yaml", "results.json", "gofr.csv", "rdf_replicas.csv", "rdf_ladder.csv", "replicas.csv",          \
      "ladder.csv", "rdf_reweighted.csv", "isomers_reweighted.csv", "heat_capacity.csv", "ladder.yaml",      \
      "u_nk.csv", "vacf_spectrum.csv", "torsions_pairs.csv", "windows.csv", "free_energy_*",                 \
      "observables.json", "states.csv", "pull.csv", "work.csv", "alchemy.csv", "overlap.csv", "dHdl.csv",    \
      "dhdl-*", "report.html"
static const char *const last_files[] = {
#define OBSERVABLE(name, ...) #name ".csv",
#include "observables/observable_rows.def"
    AT_THE_END, NULL};
static const char *const files[] = {
#define OBSERVABLE(name, ...) #name ".csv",
#include "observables/observable_rows.def"
#define FORMAT(name) "trajectory." #name,
#include "io/trajectory_formats.def"
    AT_THE_END,   "thermo.csv",    "multipliers.csv",   "trajectory.csv", "energy.csv",
    "final.xyz",  "final.gro",     "last-good.xyz",     "ensemble.csv",   PARTS_SAMPLES,
    CLUSTER_KEPT, CHECKPOINT_NAME, CHECKPOINT_PREVIOUS, CHECKPOINT_NEXT,  NULL};
const char *const run_folder_pictures[] = {
#define OBSERVABLE(name, ...) #name,
#include "observables/observable_rows.def"
    "gofr", "torsions_pairs", "pull", "alchemy", "thermo", "energy", "trajectory", "paths", NULL};
static const ManifestNames results = {
    .file = files, .stem = run_folder_pictures, .suffix = picture_suffixes, .folder = sampling_folders};
static const ManifestNames last_results = {
    .file = last_files, .stem = run_folder_pictures, .suffix = picture_suffixes, .folder = sampling_folders};

/* Files that are not results. */
static const char *const words[] = {name_log, name_input, NULL}, *const log_alone[] = {name_log, NULL};
static const ManifestNames accounts = {.file = words}, log_names = {.file = log_alone};

char *run_folder_default(const char *file)
{
  const char *name = strcmp(file, "-") == 0 ? "stdin" : file_last(file);
  const char *dot = strrchr(name, '.');
  const size_t stem = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
  char *dir = malloc(stem + 5);
  if (dir != NULL)
    snprintf(dir, stem + 5, "%.*s.out", (int)stem, name);
  return dir;
}

/* --- checks ------- */

static bool begins(const char *dir, const char *name, const char *sign)
{
  SCOPED(scoped_free) char *path = file_path(dir, name);
  return path != NULL && file_begins(path, sign);
}

static bool has_checkpoint(const char *dir)
{
  return file_exists(dir, CHECKPOINT_NAME) || file_exists(dir, CHECKPOINT_PREVIOUS);
}

/* A killed run has no summary. */
static bool has_ended_well(const char *dir)
{
  return file_exists(dir, "summary.yaml") && !begins(dir, "summary.yaml", "ended: failed");
}

/* Checks the table and the figure of a free energy, which have the names of coordinates. */
static Status check_profile(const RunFolder *f, const char *first, const char *second, Error *error)
{
  char stem[64], table[72];
  profile_name(first, second, stem, sizeof stem);
  snprintf(table, sizeof table, "%s.csv", stem);
  const char *const stems[] = {stem, NULL}, *const tables[] = {table, NULL};
  const ManifestNames names = {.file = tables, .stem = stems, .suffix = picture_suffixes};
  return manifest_check(f->dir, &names, NULL, error);
}

static Status check_profiles(const RunFolder *f, Error *error)
{
  const InputRecords *records = &f->config->biases;
  const ConfigBias *b = records->item;
  const bool windows = config_biases_windowed(f->config);
  for (int i = 0; i < records->n; i++) {
    if (!windows && b[i].type != BIAS_METADYNAMICS)
      continue;
    for (int c = 0; c < b[i].on.n; c++)
      TRY(check_profile(f, b[i].on.value[c], NULL, error));
    if (b[i].on.n > 1)
      TRY(check_profile(f, b[i].on.value[0], b[i].on.value[1], error));
  }
  return STATUS_OK;
}

/* Checks the samples of alchemical states, a file each. */
static Status check_samples(const RunFolder *f, Error *error)
{
  for (int k = 0; k < f->config->alchemy.states; k++) {
    char name[DECOUPLING_FILES_NAME];
    decoupling_files_name(k, name);
    const char *const list[] = {name, NULL};
    const ManifestNames names = {.file = list};
    TRY(manifest_check(f->dir, &names, NULL, error));
  }
  return STATUS_OK;
}

/* STATUS_INPUT if files that no run wrote are in the way; *found: the first result of an earlier run, or
 * NULL. */
static Status check_strangers(const RunFolder *f, char **found, Error *error)
{
  *found = NULL;
  TRY(manifest_check(f->dir, &accounts, NULL, error));
  TRY(check_profiles(f, error));
  TRY(check_samples(f, error));
  return manifest_check(f->dir, &results, found, error);
}

static Status check_results(const RunFolder *f, Error *error)
{
  SCOPED(scoped_free) char *found = NULL;
  TRY(check_strangers(f, &found, error));
  const bool resumable = has_checkpoint(f->dir);
  const bool begun = f->use == RUN_FOLDER_AGAIN && !resumable && !has_ended_well(f->dir);
  if (found == NULL || begun || f->use == RUN_FOLDER_RESUME || f->use == RUN_FOLDER_FORCE)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s contains %s of an earlier run, which is not overwritten: %sgive another folder with "
                   "-o, or use --force",
                   f->dir, found, resumable ? "continue that run with holonom run --resume, " : "");
}

/* The run must not read a file that it would remove or overwrite. */
static Status check_inputs(const RunFolder *f, Error *error)
{
  const char *key;
  for (int i = 0;; i++) {
    SCOPED(scoped_free) char *path = NULL, *name = NULL;
    if (!input_path_file(f->config->input, i, &path, &key))
      return STATUS_OK;
    TRY_MEMORY(path != NULL, "a file name", error);
    TRY(manifest_find(f->dir, &results, path, &name, error));
    if (name == NULL)
      TRY(manifest_find(f->dir, &log_names, path, &name, error));
    if (name != NULL)
      return error_set(error, STATUS_INPUT,
                       "%s/%s is read by this run (%s), and would be overwritten: copy it to another place, "
                       "or give another folder with -o",
                       f->dir, name, key != NULL ? key : "the input file");
  }
}

static Status check(const RunFolder *f, Error *error)
{
  if (*f->dir == '\0')
    return error_set(error, STATUS_INPUT, "the name of the run's folder is empty");
  TRY(check_results(f, error));
  return check_inputs(f, error);
}

RunFolderUse run_folder_use(bool force, bool resume, bool again)
{
  return resume ? RUN_FOLDER_RESUME : force ? RUN_FOLDER_FORCE : again ? RUN_FOLDER_AGAIN : RUN_FOLDER_NEW;
}

Status run_folder_check(const Config *config, const char *dir, RunFolderUse use, Error *error)
{
  return check(&(RunFolder){.config = config, .dir = dir, .use = use}, error);
}

Status run_folder_open(RunFolder **folder, const Config *config, const char *dir, RunFolderUse use,
                       Error *error)
{
  RunFolder *f = *folder = calloc(1, sizeof *f);
  TRY_MEMORY(f != NULL, "a folder", error);
  *f = (RunFolder){.config = config, .dir = dir, .use = use};
  Status status = check(f, error);
  const bool there = access(dir, F_OK) == 0;
  if (status == STATUS_OK && there)
    status = file_make_folder(dir, error); /* fails if it is a file */
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

/* --- preparation ------- */

static Status write_input(const RunFolder *f, Error *error)
{
  Text *text;
  TRY(input_path_rebase(f->config->input, f->dir, error));
  TRY(text_replace(&text, f->dir, name_input, error));
  text_say(text, "%s%s from %s: all keys, defaults included; it can be run again from here\n", sign_input,
           HOLONOM_VERSION, input_name(f->config->input));
  (void)input_print(f->config->input, text_file(text), NULL); /* the stream records failures */
  return text_close(text, error);
}

/* Steps of the folder's saved input; 0: unreadable. */
static int64_t steps_asked(const char *dir)
{
  Config *config = NULL;
  SCOPED(scoped_free) char *path = file_path(dir, name_input);
  const bool read = path != NULL && file_lies(path) && config_load(path, NULL, 0, &config, NULL) == STATUS_OK;
  const int64_t steps = read ? config->integrator.steps : 0;
  if (read)
    config_free(config);
  return steps;
}

int64_t run_folder_asked(const RunFolder *f) { return f->asked; }

Status run_folder_prepare(RunFolder *f, Error *error)
{
  TRY(file_make_folder(f->dir, error));
  if (f->lock == NULL) {
    TRY(folder_lock(&f->lock, f->dir, error));
    TRY(check(f, error)); /* another run may have used it meanwhile */
  }
  TRY(manifest_drop_gone(f->dir, error));
  if (f->use != RUN_FOLDER_RESUME)
    TRY(manifest_clear(f->dir, &results, error));
  else
    f->asked = steps_asked(f->dir);
  return write_input(f, error);
}

Status run_folder_end(const RunFolder *f, Error *error)
{
  return manifest_clear(f->dir, &last_results, error);
}
