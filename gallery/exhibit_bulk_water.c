/* Bulk water: boxes of TIP3P with constraints and with penalties, run for some picoseconds. */
#include <math.h>
#include <stdlib.h>

#include "engine/file.h"
#include "engine/owned.h"
#include "gallery/exhibit.h"
#include "io/summary.h"

/* Runs an input of the folder, with what was set, into dir. */
static Status run_box(Page *page, const char *file, const char *dir, Error *error)
{
  Simulation *simulation;
  const SimulationRun options = {.dir = dir, .force = true};
  page_set(page, KEY(ensemble_threads), "%d", page_threads(page));
  page_set(page, KEY(output_equilibration), "4 ps");
  page_set(page, KEY(output_progress), "false");
  Status status = page_open(page, file, &simulation, error);
  if (status == STATUS_OK)
    status = simulation_run(simulation, &options, error);
  simulation_free(simulation);
  return status;
}

static void show_pair(Page *page, const Summary *rigid, const Summary *soft)
{
  const double molecules = summary_number(rigid, "molecules");
  page_claim(page, "first peak of g(r) of oxygens, A", "2.77 (TIP3P at 25 C)",
             fabs(summary_observable(rigid, "gofr", "O-O", "peak_r") - 2.77) < 0.02,
             "%.3f, height %.2f; penalties %.3f, %.2f", summary_observable(rigid, "gofr", "O-O", "peak_r"),
             summary_observable(rigid, "gofr", "O-O", "peak_g"),
             summary_observable(soft, "gofr", "O-O", "peak_r"),
             summary_observable(soft, "gofr", "O-O", "peak_g"));
  page_claim(page, "potential energy, kcal/mol per molecule", "-9.82, with a cutoff in place of a mesh", -1,
             "%.3f +- %.3f; penalties %.3f +- %.3f", summary_number(rigid, "nonbonded") / molecules,
             summary_number(rigid, "nonbonded_err") / molecules,
             summary_number(soft, "nonbonded") / molecules,
             summary_number(soft, "nonbonded_err") / molecules);
  /* docs/validation.md: the kinetic temperature of BAOAB falls with the step, averages of positions do not.
   */
  page_claim(page, "kinetic temperature of the constrained box, K",
             "298.15, the thermostat's, less about 1.7 that BAOAB reads low at 2 fs",
             fabs(summary_number(rigid, "temperature") - 296.45) <
                 3.0 * summary_number(rigid, "temperature_err"),
             "%.1f +- %.1f", summary_number(rigid, "temperature"), summary_number(rigid, "temperature_err"));
  page_claim(page, "pressure by molecule and by atom, bar", "their averages are the same",
             fabs(summary_number(rigid, "pressure") - summary_number(rigid, "pressure_atom")) <
                 3.0 *
                     hypot(summary_number(rigid, "pressure_err"), summary_number(rigid, "pressure_atom_err")),
             "%.0f +- %.0f and %.0f +- %.0f", summary_number(rigid, "pressure"),
             summary_number(rigid, "pressure_err"), summary_number(rigid, "pressure_atom"),
             summary_number(rigid, "pressure_atom_err"));
  page_claim(page, "penalties against constraints", "nearly the same liquid, by pressure", -1,
             "%.0f +- %.0f against %.0f +- %.0f bar", summary_number(soft, "pressure"),
             summary_number(soft, "pressure_err"), summary_number(rigid, "pressure"),
             summary_number(rigid, "pressure_err"));
}

static Status show_both(Page *page, const char *rigid, const char *soft, Error *error)
{
  Summary *one = NULL, *other = NULL;
  Status status = summary_read(&one, rigid, error);
  if (status == STATUS_OK)
    status = summary_read(&other, soft, error);
  if (status == STATUS_OK)
    show_pair(page, one, other);
  summary_free(one);
  summary_free(other);
  return status;
}

static Status run(Page *page, Error *error)
{
  const char *dir = page_folder(page);
  char *soft = file_path(dir, "penalty");
  if (soft == NULL)
    return error_memory(error, "a file name");
  page_set(page, KEY(integrator_time), "12 ps");
  page_set(page, KEY(output_pressure), "both");
  Status status = run_box(page, "tip3p-884.yaml", dir, error);
  if (status == STATUS_OK) {
    page_figure(
        page, "gofr",
        "884 TIP3P waters at 298.15 K: radial distributions of all pairs of sites, with standard errors.");
    page_set(page, KEY(integrator_time), "8 ps");
    page_set(page, KEY(integrator_timestep), "1 fs");
    status = owned_make_folder(dir, "penalty", error);
  }
  if (status == STATUS_OK) {
    status = run_box(page, "penalty.yaml", soft, error);
  }
  if (status == STATUS_OK)
    status = show_both(page, dir, soft, error);
  free(soft);
  page_text(
      page,
      "Here the runs are short: 8 ps after 4 ps of equilibration with constraints, 4 ps with penalties of w "
      "= 20 at steps of 1 fs. Each run leaves final.gro and final.xyz, from which another can start "
      "(system.start: file, system.box: file; thermostat.initial: file takes the velocities too, as it does "
      "from a box by holonom build), and holonom check says before what will be run, with the mesh, the "
      "expected errors of forces, memory and speed. A run that goes wrong leaves last-good.xyz.");
  return status;
}

const Exhibit exhibit_bulk_water = {
    .name = "bulk-water",
    .title = "Bulk water",
    .paper = "Jorgensen et al. 1983, J. Chem. Phys. 79, 926",
    .summary = "Periodic boxes of water at 298.15 K: three sizes of TIP3P, SPC/E, TIP4P, salt water, the "
               "penalty potential beside constraints, and liquid argon. The run itself builds the starts, on "
               "a lattice that it moves downhill.",
    .run = run,
};
