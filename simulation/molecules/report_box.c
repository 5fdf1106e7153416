#include "simulation/molecules/report_box.h"
#include "forcefields/periodic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "io/frame.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/system_field.h"
#include "simulation/molecules/system_topology.h"
#include "simulation/molecules/water_columns.h"

/* Ratio to the requested error of forces; fluctuations of a few hundred waters stay below it. */
static const double grown = 1.25;

/* A strain that crystals of a hundred molecules reach only by a transition. */
static const double sheared = 0.25;

/* --- what ran ------- */

void report_box_forces(const Simulation *s, const Force *force, ResultSet *set)
{
  const Config *c = s->config;
  const PmeChoice *const choice = periodic_choice(force);
  results_real(set, "", "cutoff", periodic_options(force)->nonbonded.cutoff);
  const bool water = system_topology_water(s) != NULL, alone = water && s->topology->nsort == 1;
  if (water && !c->forces.by_atom && !alone)
    results_note(set, "between oxygens of waters, and between all other atoms");
  else
    results_note(set, "between %s", !alone ? "atoms" : c->forces.by_atom ? "sites" : "molecules");
  results_words(set, "", "truncation", nonbonded_truncations[system_field_truncation(s)]);
  results_words(set, "", "coulomb", nonbonded_coulombs[c->forces.coulomb]);
  bool rounding = false;
  const double charge = system_box_charge(s, &rounding);
  if (fabs(charge) > 1e-4)
    results_real(set, "", "net_charge", charge);
  if (coulomb_splits(c->forces.coulomb) && choice->beta > 0.0)
    results_real(set, "", "ewald_beta", choice->beta);
  if (c->forces.coulomb == COULOMB_PME && choice->beta > 0.0) {
    const double grid[] = {choice->grid[0], choice->grid[1], choice->grid[2]},
                 errors[] = {choice->real, choice->mesh};
    results_list(set, "", "mesh", 3, grid, NULL);
    results_whole(set, "", "mesh_order", choice->order);
    results_list(set, "", "expected_errors", 2, errors, NULL);
    results_real(set, "", "expected_force_error", hypot(errors[0], errors[1]));
    results_real(set, "", "expected_pressure_error", choice->pressure);
    results_real(set, "", "expected_energy_error", choice->energy / s->topology->nmol);
  }
  results_real(set, "", "buffer", periodic_options(force)->nonbonded.buffer);
}

/* The largest over all replicas in memory. */
static BarostatErrors barostat_errors_of_all(const Simulation *s)
{
  BarostatErrors all = {0.0, 0.0};
  for (int r = s->first; r < s->first + ensemble_held(s->ensemble); r++) {
    const BarostatErrors errors = barostat_errors(s->barostat, r);
    all.chosen = fmax(all.chosen, errors.chosen);
    all.largest = fmax(all.largest, errors.largest);
  }
  return all;
}

/* The number of moves since the start, in all replicas in memory, to boxes that the forces cannot use. */
static double impossible_of(const Simulation *s)
{
  double all = 0.0;
  for (int r = s->first; s->barostat != NULL && r < s->first + ensemble_held(s->ensemble); r++)
    all += (double)barostat_impossible(s->barostat, r);
  return all;
}

/* The accepted fraction of each type of move, in all replicas in memory. */
static void summarise_barostat(const Simulation *s, ResultSet *set)
{
  static const char *const shape[] = {"isotropic", "xy-z", "axes", "cell"};
  const BarostatOptions *o = barostat_options(s->barostat);
  double share[BAROSTAT_MOVES];
  results_words(set, "", "barostat", barostat_name(s->barostat));
  results_words(set, "", "barostat_shape", shape[o->shape]);
  if (!config_schedule_has(s->config, SCHEDULED_PRESSURE) || !s->config->schedule.varies)
    results_real(set, "", "barostat_pressure", o->pressure * UNITS_BAR);
  if (s->ladder != NULL && ladder_reduced(s->ladder) != NULL)
    results_note(set, "of the first state; of all in ladder.pressures");
  for (int k = 0; k < barostat_kinds(s->barostat); k++) {
    double tried = 0.0, accepted = 0.0;
    for (int r = s->first; r < s->first + ensemble_held(s->ensemble); r++) {
      const BarostatMoves moves = barostat_moves(s->barostat, r, k);
      tried += (double)moves.tried;
      accepted += (double)moves.accepted;
    }
    share[k] = tried > 0.0 ? accepted / tried : NAN;
  }
  if (!o->ends)
    results_list(set, "", "barostat_acceptance", barostat_kinds(s->barostat), share, NULL);
  if (impossible_of(s) > 0.0)
    results_real(set, "", "barostat_too_small", impossible_of(s));
  const BarostatErrors errors = barostat_errors_of_all(s);
  if (errors.largest > 0.0)
    results_real(set, "", "expected_force_error_largest", errors.largest);
}

static void summarise_box(ResultSet *set, const char *name, const Frame *box, const double *error)
{
  double length[3], cosine[3];
  frame_get_cell(box, length, cosine);
  if (cosine[0] != 0.0 || cosine[1] != 0.0 || cosine[2] != 0.0)
    results_list(set, "", name, 9, box->cell[0], NULL);
  else
    results_list(set, "", name, 3, length, error);
}

void report_box_system(Run *run)
{
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  Frame box = {0};
  memcpy(box.cell, s->box.h, sizeof box.cell);
  water_report_system(run);
  summarise_box(set, s->barostat == NULL ? "box" : "box_start", &box, NULL);
  if (s->barostat == NULL)
    results_real(set, "", "density", system_box_density(s));
  else
    summarise_barostat(s, set);
  water_report_kinds(run);
  report_box_forces(s, &ensemble_field(run->s->ensemble)->force[0], set);
}

/* --- time ------- */

/* Seconds per step by part, as spent by the first thread in this program's run. */
typedef struct Split {
  double part[PERIODIC_COSTS];                   /* of the forces */
  double constraints, noise, moves, output, all; /* all: of the whole run */
} Split;

static Split split_time(const Run *run)
{
  Split split = {0};
  double seconds[COST_COUNT], sum = 0.0;
  int64_t timed, steps;
  const int64_t done = ensemble_step(run->s->ensemble);
  ensemble_clock(run->s->ensemble, seconds, &timed, &steps);
  /* Scales to seconds per step of the first thread, for one replica on all threads or several replicas on one
   * thread each. */
  const int replicas = ensemble_replicas(run->s->ensemble), workers = ensemble_workers(run->s->ensemble);
  steps /= replicas > 1 ? replicas : workers;
  periodic_times(&ensemble_field(run->s->ensemble)->force[0], split.part);
  for (int i = 0; i < PERIODIC_COSTS && steps > 0; i++)
    split.part[i] *= (replicas > 1 ? (double)replicas / workers : 1.0) / (double)steps;
  for (int i = 0; i < COST_COUNT; i++)
    sum += seconds[i];
  split.all = done > 0 ? run->times.stepping / (double)done : 0.0;
  const double scale = sum > 0.0 ? split.all / sum : 0.0;
  split.constraints = scale * seconds[COST_SOLVES];
  split.noise = scale * seconds[COST_NOISE];
  split.moves = scale * seconds[COST_MOVES];
  split.output = done > 0 ? run->times.output / (double)done : 0.0;
  return split;
}

static void summarise_parts(Run *run)
{
  ResultSet *set = &run->results;
  const Split split = split_time(run);
  static const char *const of = "share_of_parts";
  static const char *const names[PERIODIC_COSTS] = {"list", "pairs",  "spread",
                                                    "fft",  "gather", "other_forces"};
  results_group(set, of);
  for (int i = 0; i < PERIODIC_COSTS; i++)
    results_real(set, of, names[i], 1e3 * split.part[i]);
  results_real(set, of, "constraints", 1e3 * split.constraints);
  results_real(set, of, "noise", 1e3 * split.noise);
  results_real(set, of, "moves", 1e3 * split.moves);
  results_real(set, of, "output", 1e3 * split.output);
  results_real(set, of, "all", 1e3 * split.all);
  results_real(set, "", "ns_per_day", system_speed(run->s, split.all));
}

/* The start's box with the mean volume, or with mean lengths and angles of its edges. */
static Status summarise_mean_box(Run *run, Error *error)
{
  const Measurement *g = run->s->measurement;
  Frame box = {0};
  double length[3], cosine[3], err[3], volume, spread;
  memcpy(box.cell, run->s->box.h, sizeof box.cell);
  frame_get_cell(&box, length, cosine);
  measure_mean(run->measure, measurement_find(g, "volume"), 0, &volume, &spread, NULL);
  for (int d = 0; d < 3; d++) {
    const int at[2] = {measurement_find(g, water_columns_cell[d]),
                       measurement_find(g, water_columns_cell[3 + d])};
    double angle, unused;
    length[d] *= cbrt(volume / box_volume(&run->s->box));
    err[d] = length[d] * spread / (3.0 * volume);
    if (at[0] >= 0)
      measure_mean(run->measure, at[0], 0, &length[d], &err[d], NULL);
    if (at[1] < 0)
      continue;
    measure_mean(run->measure, at[1], 0, &angle, &unused, NULL);
    cosine[d] = cos(angle * M_PI / 180.0);
  }
  TRY(frame_set_cell(&box, length, cosine, error));
  summarise_box(&run->results, "box_mean", &box, err);
  return STATUS_OK;
}

/* The mean pressure that is missing without the momentum of the box. */
static void summarise_removed(Run *run, double samples)
{
  const Simulation *s = run->s;
  const int volume = measurement_find(s->measurement, "volume");
  double mean = box_volume(&s->box), err;
  if (samples > 0.0 && volume >= 0)
    measure_mean(run->measure, volume, 0, &mean, &err, NULL);
  if (simulation_freedom_removed(s) > 0 && s->kT > 0.0 && !s->config->schedule.varies)
    results_real(&run->results, "", "pressure_removed",
                 simulation_freedom_removed(s) / 3.0 * s->kT / mean * UNITS_BAR);
}

/* Means of the whole run; with a ladder, the group "means" has those of each state. */
static Status summarise_run(Run *run, Error *error)
{
  const double n = run->s->topology->nmol, samples = (double)measure_samples(run->measure);
  double mean, err;
  if (run->s->ladder != NULL)
    return STATUS_OK;
  if (samples > 0.0) {
    measure_mean(run->measure, run->s->measurement->potential, 0, &mean, &err, NULL);
    results_mean(&run->results, "", "energy_per_molecule", mean / n, err / n, NAN, samples);
  }
  summarise_removed(run, samples);
  return samples > 0.0 && run->s->barostat != NULL ? summarise_mean_box(run, error) : STATUS_OK;
}

Status report_box_summary(Run *run, Error *error)
{
  TRY(water_report_energies(run, error));
  summarise_parts(run);
  TRY(summarise_run(run, error));
  water_report_known(run);
  return STATUS_OK;
}

/* --- last words ------- */

/* Reports boxes that have grown too far from those of their mesh. */
static void tell_mesh(const Simulation *s, char *words, size_t size)
{
  const BarostatErrors errors = s->barostat != NULL ? barostat_errors_of_all(s) : (BarostatErrors){0.0, 0.0};
  const double wanted = periodic_options(&ensemble_field(s->ensemble)->force[0])->nonbonded.accuracy;
  if (errors.largest > grown * fmax(wanted, errors.chosen))
    text_append(words, size,
                "note: boxes changed until forces had an expected error of %.3g kcal/mol/A; %.3g was "
                "requested (forces.accuracy). The mesh was chosen at the end of equilibration, or for the "
                "start: a longer output.equilibration adapts it to the final volume\n",
                errors.largest, wanted);
}

/* Reports moves to boxes that the forces cannot use. */
static void tell_impossible(const Simulation *s, char *words, size_t size)
{
  const double all = impossible_of(s);
  if (all > 0.0)
    text_append(words, size,
                "note: %.0f moves of the barostat were rejected because the box would be too small for the "
                "cutoff. Only larger boxes were sampled, so the mean volume is too large: use more "
                "molecules, or a shorter forces.cutoff\n",
                all);
}

/* The largest element of the strain from the start's box, without the change of volume. */
static double strain_of(const Box *from, const Box *box)
{
  double map[3][3], most = 0.0;
  box_map(from, box, map);
  const double stretch = cbrt(map[0][0] * map[1][1] * map[2][2]);
  for (int k = 0; k < 9; k++)
    most = fmax(most, fabs(map[k / 3][k % 3] / stretch - (k % 4 == 0)));
  return most;
}

/* Reports a box of another shape. */
static void tell_shape(const Simulation *s, char *words, size_t size)
{
  double most = 0.0;
  for (int r = s->first; s->barostat != NULL && r < s->first + ensemble_held(s->ensemble); r++) {
    const Box box = simulation_box(s, r);
    most = fmax(most, strain_of(&s->box, &box));
  }
  if (most > sheared)
    text_append(words, size,
                "note: a box ended with a strain of %.2g from its initial shape. A liquid does not resist "
                "such strain, until its box is too thin for the cutoff: use barostat.shape: isotropic, "
                "unless this is a crystal or an interface in another shape\n",
                most);
}

void report_box_words(const Run *run, char *words, size_t size)
{
  const Simulation *s = run->s;
  const Split split = split_time(run);
  const double mesh = split.part[PERIODIC_SPREAD] + split.part[PERIODIC_FFT] + split.part[PERIODIC_GATHER];
  text_append(words, size, "%lld steps, %.6g ps, of %d molecules in %.1f s: %.4g ms a step, %.4g ns a day",
              (long long)ensemble_step(s->ensemble), system_picoseconds(s, ensemble_step(s->ensemble)),
              s->topology->nmol, run->times.wall, 1e3 * split.all, system_speed(s, split.all));
  if (s->replicas > 1)
    text_append(words, size, " of each of %d replicas", s->replicas);
  text_append(words, size, "\n");
  text_append(words, size,
              "ms a step: pairs %.3g, lists %.3g, mesh %.3g, other forces %.3g, constraints %.3g, noise "
              "%.3g, moves %.3g, output %.3g\n",
              1e3 * split.part[PERIODIC_PAIRS], 1e3 * split.part[PERIODIC_LIST], 1e3 * mesh,
              1e3 * split.part[PERIODIC_OTHER], 1e3 * split.constraints, 1e3 * split.noise, 1e3 * split.moves,
              1e3 * split.output);
  tell_mesh(s, words, size);
  tell_impossible(s, words, size);
  tell_shape(s, words, size);
  water_report_remarks(run);
}
