#include "app/run_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/checkpoint.h"
#include "io/text.h"

/* What a run may leave, besides the checkpoints. */
static const char *const leavings[] = {
    "summary.yaml",     "thermo.csv",       "trajectory.xyz", "trajectory.dcd", "multipliers.csv",
    "rdf.csv",          "rdf_replicas.csv", "replicas.csv",   "rdf.svg",        "rdf.png",
    "rdf.dat",          "rdf.gp",           "trajectory.csv", "energy.csv",     "trajectory.svg",
    "trajectory.png",   "trajectory.dat",   "trajectory.gp",  "paths.svg",      "paths.png",
    "paths.dat",        "paths.gp",         "final.xyz",      "final.gro",      "last-good.xyz",
    "observables.json", "gofr.csv",         "gofr.svg",       "gofr.png",       "gofr.dat",
    "gofr.gp",          "msd.csv",          "msd.svg",        "msd.png",        "msd.dat",
    "msd.gp",           "vacf.csv",         "vacf.svg",       "vacf.png",       "vacf.dat",
    "vacf.gp",          "dipole.csv",       "dipole.svg",     "dipole.png",     "dipole.dat",
    "dipole.gp",        "vacf_spectrum.csv"};
enum { LEAVINGS = (int)(sizeof leavings / sizeof *leavings) };

Status run_folder_check(const char *dir, bool force, Error *error)
{
  const bool resumable = text_exists(dir, CHECKPOINT_NAME);
  const char *found = resumable ? CHECKPOINT_NAME : NULL;
  for (int i = 0; i < LEAVINGS && found == NULL; i++)
    if (text_exists(dir, leavings[i]))
      found = leavings[i];
  if (force || found == NULL)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "%s holds %s of an earlier run; nothing is written over: %sgive another folder with -o, or "
      "say --force",
      dir, found, resumable ? "go on with that run by --resume, " : "");
}

Status run_folder_clear(const char *dir, Error *error)
{
  Status status = checkpoint_remove(dir, error);
  for (int i = 0; i < LEAVINGS && status == STATUS_OK; i++)
    status = text_remove(dir, leavings[i], error);
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
