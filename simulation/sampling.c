#include "simulation/sampling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/manifest.h"
#include "engine/units.h"
#include "integrators/oscillator.h"
#include "observables/diffusion.h"
#include "observables/statistics.h"
#include "simulation/sampling_states.h"

struct Sampling {
  int n; /* sets */
  ObservableSet **set;
  ObservableSet *joint; /* of observables that join several boxes; NULL: none */
  const Ladder *ladder; /* of boxes: a set belongs to a slot; NULL: to a replica, or to all */
};

/* The keys that select observables. */
static const ConfigKey every[OBSERVABLES] = {
#define OBSERVABLE(name, ...) KEY_output_##name##_every,
#include "observables/observable_rows.def"
};

static Status complain(const Simulation *system, const Error *why, Error *error)
{
  InputKey key = KEY_SECTION(output_wrap);
  for (int i = 0; i < OBSERVABLES; i++)
    if (strncmp(why->text, observable_table[i]->name, strlen(observable_table[i]->name)) == 0)
      key = (InputKey){.row = (int)every[i]};
  return input_error(system->config->input, key, error, "%s", why->text);
}

/* Whether any observable that this sort of system allows is selected. */
static bool choose(const Config *c, ObservableOptions *options)
{
  bool wanted = false;
  *options = c->output.observe;
  for (int i = 0; i < OBSERVABLES; i++) {
    if (!config_table_has(c->sort, (InputKey){.row = (int)every[i]}))
      options->every[i] = 0;
    wanted = wanted || options->every[i] > 0;
  }
  return wanted;
}

/* Selects those of `all` that join several boxes, or the others. Returns whether there are any. */
static bool choose_joint(const ObservableOptions *all, bool joint, ObservableOptions *options)
{
  bool any = false;
  for (int i = 0; i < OBSERVABLES; i++) {
    options->every[i] = observable_table[i]->joint == joint ? all->every[i] : 0;
    any = any || options->every[i] > 0;
  }
  return any;
}

/* zero_step uses one temperature for all motions; it is refused if a larger fraction of motions does not
 * exchange energy. */
static const double apart_most = 0.02;

/* Fills in the numbers of zero_step. */
static Status take_shadow(const Simulation *system, ObservableOptions *options, Error *error)
{
  OscillatorShadow shadow;
  const char *why = NULL;
  if (options->every[OBSERVABLE_zero_step] == 0)
    return STATUS_OK;
  if (system->ladder != NULL)
    why = "needs one temperature; a ladder has several";
  else if (system->config->schedule.varies)
    why = "needs constant conditions after equilibration, which the schedule changes";
  else if (config_penalises(system->config))
    why = "needs exact constraints: penalties add heat (docs/theory.md)";
  else if (system->config->geometry.fixman)
    why = "is not defined with Fixman's potential (geometry.fixman), whose force acts in the steps but whose "
          "energy is not in the potential energy; set output.zero_step_every: 0";
  else if (!oscillator_shadow(system->plan, &shadow))
    why = "needs acceleration 'verlet' and a word of B, A and O with noise that ends with B, such as "
          "GL-BAOAOAB or BAOAB; or set output.zero_step_every: 0";
  else if (fabs(shadow.heat) > 1e-3 && system->apart > apart_most)
    why = "needs the word GL-BAOAOAB, or motions that exchange energy: unconstrained bonds (above 1,330 "
          "cm^-1) hardly do, so a step shifts their energies and those of slow motions differently; "
          "constrain them (geometry.constrain)";
  if (why != NULL)
    return error_set(error, STATUS_INPUT, "zero_step %s", why);
  const double square = system->h * system->h;
  options->shadow.drift = shadow.drift * square;
  options->shadow.kick = shadow.kick * square;
  options->shadow.square = square / simulation_freedom(system);
  options->shadow.heat = shadow.heat * options->shadow.square;
  options->shadow.counted = fabs(shadow.heat) > 1e-3 ? &system->counted : NULL;
  return STATUS_OK;
}

/* Sets the state of a ladder to which all samples of a slot belong. */
static void set_state(const Simulation *system, int slot, ObservableOptions *options)
{
  const LadderOptions *ladder = ladder_options(system->ladder);
  const int k = slot % ladder->n;
  options->temperatures = options->ladders = 1;
  options->kT = ladder->kT + k;
  options->pressure = system->config->exchange.pressure[k];
}

/* Creates the set of observables that join several boxes, and takes them out of `options`; without others
 * there are no sets of the replicas. */
static Status create_joint(Sampling *s, const Simulation *system, ObservableOptions *options, Error *error)
{
  const Ensemble *ensemble = system->ensemble;
  const Sample sample = ensemble_at(ensemble, ensemble_base(ensemble));
  ObservableOptions joint = *options;
  const bool any = choose_joint(options, true, &joint);
  if (!choose_joint(options, false, options))
    s->n = 0;
  if (!any)
    return STATUS_OK;
  joint.joint = true;
  joint.replicas = joint.batches = ensemble_held(ensemble);
  return observable_set_create_sample(&s->joint, &joint, system->h, system->topology, &sample, error);
}

static Status create_sets(Sampling *s, const Simulation *system, ObservableOptions options, Error *error)
{
  const Ensemble *ensemble = system->ensemble;
  options.collective = system->collective;
  options.free_energies = system->free_energies;
  options.sites = system->sites;
  options.hills = system->metadynamics;
  options.hydrogen_bond_list = system->hydrogen_bonds;
  options.landscape = system->landscape.topology != NULL ? &system->landscape : NULL;
  options.penalised = config_penalises(system->config);
  options.threads = s->n > 1 ? 1 : ensemble_workers(ensemble);
  options.temperature = system->config->schedule.varies ? 0.0 : system->kT / UNITS_BOLTZMANN;
  options.friction = simulation_friction_mean(system);
  options.friction_uniform = system->config->thermostat.convention == FRICTION_UNIFORM;
  options.reduced = system->config->reduced;
  options.keep_drift =
      system->config->restraints.n > 0 || system->config->freeze != NULL; /* the points do not drift */
  options.breathes = options.enthalpy = system->barostat != NULL;
  options.pressure = system->config->barostat.pressure;
  options.kinetic =
      0.5 * UNITS_BOLTZMANN * (double)((int64_t)system->coordinates - simulation_constraints(system));
  diffusion_viscosity(&options, system->config->system.model);
  Error why;
  Status status = take_shadow(system, &options, &why);
  if (status == STATUS_OK && options.every[OBSERVABLE_dipole] > 0 && system->config->schedule.varies)
    status = error_set(&why, STATUS_INPUT,
                       "dipole needs constant conditions after equilibration, which the schedule changes");
  if (status == STATUS_OK && options.every[OBSERVABLE_viscosity] > 0 && system->config->freeze != NULL)
    status = error_set(
        &why, STATUS_INPUT,
        "viscosity needs a liquid that conserves its momentum, which frozen atoms (freeze) take up");
  if (system->sort->alone && system->replicas > 1 && status == STATUS_OK)
    status = create_joint(s, system, &options, &why);
  for (int r = 0; r < s->n && status == STATUS_OK; r++) {
    const Sample sample = ensemble_at(ensemble, ensemble_base(ensemble) + r);
    if (s->ladder != NULL)
      set_state(system, ensemble_base(ensemble) + r, &options);
    status = observable_set_create_sample(&s->set[r], &options, system->h, system->topology, &sample, &why);
  }
  if (status == STATUS_INPUT)
    return complain(system, &why, error);
  return status == STATUS_OK ? status : error_set(error, status, "%s", why.text);
}

Status sampling_create(Sampling **sampling, const Simulation *system, Error *error)
{
  const Ensemble *ensemble = system->ensemble;
  *sampling = NULL;
  ObservableOptions options;
  if (!choose(system->config, &options))
    return STATUS_OK;
  Sampling *s = calloc(1, sizeof *s);
  if (s == NULL)
    return error_memory(error, "observables");
  const bool alone = system->sort->alone;
  s->n = alone ? ensemble_held(ensemble) : 1;
  options.title = system->config->title;
  s->ladder = alone ? system->ladder : NULL;
  if (system->ladder != NULL) {
    options.temperatures = ladder_options(system->ladder)->n;
    options.ladders = ladder_options(system->ladder)->ladders;
    options.kT = ladder_options(system->ladder)->kT;
    options.points = system->config->exchange.reweights;
    options.at = system->config->exchange.reweight;
  }
  options.replicas = alone ? 0 : ensemble_held(ensemble) * ensemble_width(ensemble);
  options.first = ensemble_base(ensemble) * ensemble_width(ensemble);
  options.batches = alone ? 0 : ensemble_held(ensemble);
  const int lanes = options.first + options.replicas;
  options.idle = !alone && lanes > system->replicas ? lanes - system->replicas : 0;
  s->set = calloc((size_t)s->n, sizeof *s->set);
  const Status status =
      s->set == NULL ? error_memory(error, "observables") : create_sets(s, system, options, error);
  if (status == STATUS_OK)
    *sampling = s;
  else
    sampling_free(s);
  return status;
}

void sampling_free(Sampling *sampling)
{
  if (sampling == NULL)
    return;
  for (int r = 0; r < sampling->n && sampling->set != NULL; r++)
    observable_set_free(sampling->set[r]);
  observable_set_free(sampling->joint);
  free(sampling->set);
  free(sampling);
}

ObservableSet *const *sampling_sets(const Sampling *sampling, int *n)
{
  *n = sampling != NULL ? sampling->n : 0;
  return sampling != NULL ? sampling->set : NULL;
}

ObservableSet *sampling_joint(const Sampling *sampling) { return sampling != NULL ? sampling->joint : NULL; }

/* --- files ------- */

const char *const sampling_folders[] = {"replica-", "slot-", NULL};

SamplingFolder sampling_folder(bool slot, int number)
{
  SamplingFolder folder;
  snprintf(folder.name, sizeof folder.name, "%s%d", sampling_folders[slot], number);
  return folder;
}

static Status write_replica(const Sampling *s, int r, const char *dir, ResultSet *report, Error *error)
{
  const SamplingFolder folder = sampling_folder(s->ladder != NULL, r);
  char *path = file_path(dir, folder.name);
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = manifest_make_folder(dir, folder.name, error);
  if (status == STATUS_OK)
    status = observable_set_write(s->set[r], path, report, error);
  if (status == STATUS_OK)
    status = results_json_observed(report, path, error);
  free(path);
  return status;
}

/* Reports a number as mean and standard error over the replicas; without a value if one replica has no value.
 * value[n] is scratch. */
static void merge_number(int n, const ResultSet *one, const ResultNumber *like, double *value,
                         ResultSet *report)
{
  int known = 0;
  for (int r = 0; r < n; r++) {
    const ResultNumber *number = results_find(&one[r], like->of, like->subject, like->name);
    if (number != NULL && isfinite(number->value))
      value[known++] = number->value;
  }
  double mean = NAN, err = NAN;
  char note[sizeof like->note];
  snprintf(note, sizeof note, "%s", like->note);
  if (known == n)
    statistics_mean(value, n, &mean, &err);
  else if (known > 0)
    snprintf(note, sizeof note, "omitted: only %d of %d replicas have a value", known, n);
  results_observed(report, like->of, like->subject, like->name, mean, err, note);
}

/* Merges all numbers that any replica reports. */
static void merge(int n, const ResultSet *one, double *value, ResultSet *report)
{
  for (int r = 0; r < n; r++)
    for (int i = 0; i < one[r].n; i++) {
      const ResultNumber *like = &one[r].number[i];
      if (results_find(report, like->of, like->subject, like->name) == NULL)
        merge_number(n, one, like, value, report);
    }
  int r = 0; /* the first with a remark */
  while (r < n && one[r].remark[0] == '\0')
    r++;
  if (r < n)
    results_remark(report, "replica %d: %s", r, one[r].remark);
}

static Status write_replicas(const Sampling *s, const char *dir, ResultSet *report, Error *error)
{
  ResultSet *one = calloc((size_t)s->n, sizeof *one);
  double *value = malloc((size_t)s->n * sizeof *value);
  Status status = one == NULL || value == NULL ? error_memory(error, "observables") : STATUS_OK;
  for (int r = 0; r < s->n && status == STATUS_OK; r++)
    status = write_replica(s, r, dir, &one[r], error);
  if (status == STATUS_OK && s->ladder != NULL)
    status = sampling_states_write(ladder_options(s->ladder), one, dir, report, error);
  else if (status == STATUS_OK)
    merge(s->n, one, value, report);
  for (int r = 0; r < s->n && one != NULL; r++)
    results_free(&one[r]);
  free(one);
  free(value);
  return status;
}

Status sampling_write(const Sampling *s, const char *dir, ResultSet *report, Error *error)
{
  Status status = s->n > 1    ? write_replicas(s, dir, report, error)
                  : s->n == 1 ? observable_set_write(s->set[0], dir, report, error)
                              : STATUS_OK;
  if (status == STATUS_OK && s->joint != NULL)
    status = observable_set_write(s->joint, dir, report, error);
  bool numbers = false; /* distributions have no numbers */
  for (int i = 0; i < report->n; i++)
    numbers = numbers || report->number[i].observed;
  return status == STATUS_OK && numbers ? results_json_observed(report, dir, error) : status;
}
