#include "app/run_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/checkpoint.h"
#include "app/kept_start.h"
#include "app/sampling.h"
#include "io/text.h"

/* What a run may leave, besides the checkpoints. */
static const char *const leavings[] = {
    "summary.yaml", "thermo.csv",       "trajectory.xyz",   "trajectory.dcd",    "multipliers.csv",
    "rdf.csv",      "rdf_replicas.csv", "replicas.csv",     "trajectory.csv",    "energy.csv",
    "final.xyz",    "final.gro",        "last-good.xyz",    "gofr.csv",          "msd.csv",
    "vacf.csv",     "dipole.csv",       "observables.json", "vacf_spectrum.csv", KEPT_START_NAME};
static const char *const pictures[] = {"rdf", "trajectory", "paths", "gofr", "msd", "vacf", "dipole"};
static const char *const suffixes[] = {"svg", "png", "dat", "gp", "gp.log"};
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

Status run_folder_check(const char *dir, bool force, Error *error)
{
  const bool resumable = text_exists(dir, CHECKPOINT_NAME);
  Name found = {CHECKPOINT_NAME};
  bool any = resumable;
  for (int i = 0; i < NAMES_ALL && !any; i++) {
    found = leaving(i);
    any = text_exists(dir, found.text);
  }
  if (force || !any)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "%s holds %s of an earlier run; nothing is written over: %sgive another folder with -o, or "
      "say --force",
      dir, found.text, resumable ? "go on with that run by --resume, " : "");
}

static Status clear(const char *dir, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < NAMES_ALL && status == STATUS_OK; i++) {
    const Name name = leaving(i);
    status = text_remove(dir, name.text, error);
  }
  return status;
}

/* The folder of a replica, which stays if it holds anything else. */
static Status clear_replica(const char *dir, const char *name, Error *error)
{
  char *path = text_path(dir, name);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status = clear(path, error);
  if (status == STATUS_OK)
    (void)rmdir(path);
  free(path);
  return status;
}

Status run_folder_clear(const char *dir, Error *error)
{
  Status status = checkpoint_remove(dir, error);
  if (status == STATUS_OK)
    status = clear(dir, error);
  for (int r = 0; status == STATUS_OK && text_exists(dir, sampling_folder(r).name); r++)
    status = clear_replica(dir, sampling_folder(r).name, error);
  return status;
}

Status run_folder_input(const Config *config, const char *dir, Error *error)
{
  char *path = text_path(dir, "input.yaml");
  FILE *file = path != NULL ? fopen(path, "w") : NULL;
  if (file == NULL) {
    const Status status = path == NULL
                              ? error_memory(error, "a file name")
                              : error_set(error, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    free(path);
    return status;
  }
  Status status = input_print(config->input, file, error);
  if (fclose(file) != 0 && status == STATUS_OK)
    status = error_set(error, STATUS_IO, "closing %s: %s", path, strerror(errno));
  free(path);
  return status;
}
