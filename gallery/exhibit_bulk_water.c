/* Bulk water: boxes of TIP3P with constraints and with penalties, run for some picoseconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "gallery/exhibits.h"
#include "simulation/simulation.h"

enum { SETS = 4 };

/* Runs an input of the folder with overrides, into dir. */
static Status run_box(Page *page, const char *file, const char *const set[SETS], const char *dir,
                      Error *error)
{
  const char *path = page_input(page, file);
  if (path == NULL)
    return error_memory(error, "a file name");
  Config *config;
  Status status = config_load(path, set, SETS, &config, error);
  if (status != STATUS_OK)
    return status;
  Simulation *simulation;
  const SimulationRun options = {.dir = dir, .force = true};
  status = simulation_create(&simulation, config, page_threads(page), error);
  if (status == STATUS_OK)
    status = simulation_run(simulation, &options, error);
  simulation_free(simulation);
  config_free(config);
  return status;
}

/* Keys of the observables in a summary. */
#define PEAK_R "  - {observable: gofr, subject: \"O-O\", quantity: peak_r, value"
#define PEAK_G "  - {observable: gofr, subject: \"O-O\", quantity: peak_g, value"

/* The number behind the line that begins like this in dir/summary.yaml; NAN if there is none. */
static double summary(const char *dir, const char *key)
{
  char *path = file_path(dir, "summary.yaml"), line[512];
  FILE *file = path != NULL ? fopen(path, "r") : NULL;
  double value = NAN;
  const size_t n = strlen(key);
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, key, n) == 0 && line[n] == ':')
      value = strtod(line + n + 1, NULL);
  if (file != NULL)
    fclose(file); /* opened for reading */
  free(path);
  return value;
}

static void show_pair(Page *page, const char *rigid, const char *soft)
{
  const double molecules = summary(rigid, "molecules");
  page_claim(page, "first peak of g(r) of oxygens, A", "2.77 (TIP3P at 25 C)",
             fabs(summary(rigid, PEAK_R) - 2.77) < 0.02, "%.3f, height %.2f; penalties %.3f, %.2f",
             summary(rigid, PEAK_R), summary(rigid, PEAK_G), summary(soft, PEAK_R), summary(soft, PEAK_G));
  page_claim(page, "potential energy, kcal/mol per molecule", "-9.82, with a cutoff in place of a mesh", -1,
             "%.3f +- %.3f; penalties %.3f +- %.3f", summary(rigid, "nonbonded") / molecules,
             summary(rigid, "nonbonded_err") / molecules, summary(soft, "nonbonded") / molecules,
             summary(soft, "nonbonded_err") / molecules);
  /* docs/validation.md: the kinetic temperature of BAOAB falls with the step, averages of positions do not.
   */
  page_claim(page, "kinetic temperature of the constrained box, K",
             "298.15, the thermostat's, less about 1.7 that BAOAB reads low at 2 fs",
             fabs(summary(rigid, "temperature") - 296.45) < 3.0 * summary(rigid, "temperature_err"),
             "%.1f +- %.1f", summary(rigid, "temperature"), summary(rigid, "temperature_err"));
  page_claim(page, "pressure by molecule and by atom, bar", "their averages are the same",
             fabs(summary(rigid, "pressure") - summary(rigid, "pressure_atom")) <
                 3.0 * hypot(summary(rigid, "pressure_err"), summary(rigid, "pressure_atom_err")),
             "%.0f +- %.0f and %.0f +- %.0f", summary(rigid, "pressure"), summary(rigid, "pressure_err"),
             summary(rigid, "pressure_atom"), summary(rigid, "pressure_atom_err"));
  page_claim(page, "penalties against constraints", "nearly the same liquid, by pressure", -1,
             "%.0f +- %.0f against %.0f +- %.0f bar", summary(soft, "pressure"),
             summary(soft, "pressure_err"), summary(rigid, "pressure"), summary(rigid, "pressure_err"));
}

static Status run(Page *page, Error *error)
{
  static const char *const rigid[SETS] = {"integrator.time=12 ps", "output.equilibration=4 ps",
                                          "output.pressure=both", "output.progress=false"};
  static const char *const stiff[SETS] = {"integrator.time=8 ps", "output.equilibration=4 ps",
                                          "integrator.timestep=1 fs", "output.progress=false"};
  const char *dir = page_folder(page);
  char *soft = file_path(dir, "penalty");
  if (soft == NULL)
    return error_memory(error, "a file name");
  Status status = run_box(page, "tip3p-884.yaml", rigid, dir, error);
  if (status == STATUS_OK)
    page_figure(
        page, "gofr",
        "884 TIP3P waters at 298.15 K: radial distributions of all pairs of sites, with standard errors.");
  if (status == STATUS_OK)
    status = run_box(page, "penalty.yaml", stiff, soft, error);
  if (status == STATUS_OK)
    show_pair(page, dir, soft);
  free(soft);
  page_text(
      page,
      "Here the runs are short: 8 ps after 4 ps of equilibration with constraints, 4 ps with penalties of w "
      "= "
      "20 at steps of 1 fs. Each run leaves final.gro and final.xyz, from which another can start "
      "(system.start: file, system.box: file; thermostat.initial: file takes the velocities too, as it does "
      "from a box by holonom build), and holonom check says before what will be run, with the "
      "mesh, the expected errors of forces, memory and speed. A run that goes wrong leaves last-good.xyz.");
  return status;
}

const Exhibit exhibit_bulk_water = {
    .name = "bulk-water",
    .title = "Bulk water",
    .paper = "Jorgensen et al. 1983, J. Chem. Phys. 79, 926",
    .summary =
        "Periodic boxes of water at 298.15 K: three sizes of TIP3P, SPC/E, TIP4P, salt water, the penalty "
        "potential beside constraints, and liquid argon. The run itself builds the starts, on a lattice "
        "that it moves downhill.",
    .run = run,
};
