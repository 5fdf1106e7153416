#include "simulation/start/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/text.h"
#include "engine/units.h"
#include "simulation/molecules/system.h"
#include "simulation/molecules/system_box.h"
#include "simulation/run/progress.h"
#include "simulation/simulation_private.h"
#include "simulation/start/box_build.h"

static const double violent = 1e4;   /* kcal/mol/A: what is left then cannot be integrated           */
static const double timestep = 0.04; /* AKMA, 2 fs: kinetic temperatures of BAOAB are then 0.6 % low */
enum { SAMPLE_EVERY = 25 };

/* --- the input -------------------------------------------------------------------------------------------
 */

/* Two of numbers, size and density, or less where the model knows its density. */
static Status check_counts(const BuildOptions *o, Error *error)
{
  const bool size = o->size[0] > 0.0, density = o->density > 0.0;
  if (o->nspecies > BUILD_SPECIES)
    return error_set(error, STATUS_INPUT, "%d species are more than %d", o->nspecies, BUILD_SPECIES);
  if (o->model == NULL && o->nspecies == 0)
    return error_set(error, STATUS_INPUT, "nothing to put into the box");
  if (o->model == NULL && size == density)
    return error_set(error, STATUS_INPUT,
                     "without water the size or the density must be given, and not both");
  if (o->model != NULL && o->molecules == 0 && !size)
    return error_set(error, STATUS_INPUT, "the number of molecules or the size of the box must be given");
  if (o->molecules > 0 && size && density)
    return error_set(error, STATUS_INPUT,
                     "number of molecules, size and density were all given: two of them give the third");
  return STATUS_OK;
}

/* What is not given: without a density a water has the place that it has at the model's own, an atom half of
 * it. */
static Status complete(BuildOptions *o, Error *error)
{
  Status status = check_counts(o, error);
  if (status != STATUS_OK || o->model == NULL || o->density > 0.0)
    return status;
  Kind *kind;
  status = water_kind(o->model, WATER_MASS_O, WATER_MASS_H, &kind, error);
  if (status != STATUS_OK)
    return status;
  Box box;
  const int one = 1;
  const Kind *const water = kind;
  double places = 0.0;
  status = box_build_size(1, &water, &one, o->model->density, &box, error);
  kind_free(kind);
  for (int s = 0; s < o->nspecies; s++)
    places += 0.5 * o->atoms[s];
  if (status == STATUS_OK && o->size[0] > 0.0 && o->molecules == 0) {
    const double count = rint(o->size[0] * o->size[1] * o->size[2] / box_volume(&box) - places);
    if (!(count >= 1.0))
      return error_set(error, STATUS_INPUT, "a box of %.6g x %.6g x %.6g A has room for %.10g waters",
                       o->size[0], o->size[1], o->size[2], fmax(count, 0.0));
    status = state_may_hold(count, error);
    if (status != STATUS_OK)
      (void)error_prefix(error, "a box of %.6g x %.6g x %.6g A", o->size[0], o->size[1], o->size[2]);
    o->molecules = status == STATUS_OK ? (int)count : 0;
  } else if (o->size[0] <= 0.0) {
    for (int d = 0; d < 3; d++)
      o->size[d] = cbrt(box_volume(&box) * (o->molecules + places));
  }
  return status;
}

static void write_input(const BuildOptions *o, char *text, size_t size)
{
  text_append(text, size, "system:\n  seed: %llu\n", (unsigned long long)o->seed);
  if (o->model != NULL)
    text_append(text, size, "  model: %s\n", o->model->name);
  if (o->molecules > 0)
    text_append(text, size, "  molecules: %d\n", o->molecules);
  if (o->density > 0.0)
    text_append(text, size, "  density: %.17g g/cm3\n", o->density);
  if (o->size[0] > 0.0)
    text_append(text, size, "  box: [%.17g, %.17g, %.17g]\n", o->size[0], o->size[1], o->size[2]);
  for (int s = 0; s < o->nspecies; s++)
    text_append(text, size, "%s%s: %d%s", s == 0 ? "  atoms: {" : ", ", o->species[s]->name, o->atoms[s],
                s + 1 == o->nspecies ? "}\n" : "");
  text_append(
      text, size,
      "geometry: {method: %s}\nforces: {cutoff: %.17g}\nensemble: {threads: %d}\n"
      "integrator: {word: BAOAB, timestep: %.17g, steps: 1}\nseed: %lld\n"
      "thermostat: {temperature: %.17g K, convention: mass, friction: 0.25, remove: linear, initial: %s}\n"
      "output: {equilibration: 0, thermo_every: 1}\n",
      o->model != NULL ? "settle" : "none", o->cutoff, o->threads > 1 ? o->threads : 1, timestep,
      (long long)o->seed, o->kelvin, o->picoseconds > 0.0 ? "maxwell" : "zero");
}

Status build_create(Simulation **simulation, const BuildOptions *options, Error *error)
{
  BuildOptions o = *options;
  char text[2048] = "";
  *simulation = NULL;
  TRY(complete(&o, error));
  write_input(&o, text, sizeof text);
  const Status made = simulation_parse(simulation, "box", text, NULL, 0, error);
  if (made == STATUS_OK)
    (*simulation)->purpose = RANDOM_EQUILIBRATION;
  return made;
}

/* --- the work --------------------------------------------------------------------------------------------
 */

/* What is seen on the way. */
typedef struct Bath {
  ProgressWatch watch;
  int64_t steps;
  double energy, kelvin, bar; /* sums over samples of the second half */
  int samples;
} Bath;

static double column(const SimulationColumns *columns, const double *value, const char *name)
{
  for (int i = 0; i < columns->n; i++)
    if (strcmp(columns->name[i], name) == 0)
      return value[i];
  return NAN;
}

static Status bath_note(void *self, Simulation *s, Error *error)
{
  LOCALE_PLAIN;
  Bath *bath = self;
  enum { COLUMNS = 64 };
  double value[COLUMNS];
  SimulationColumns columns;
  Status status = simulation_columns(s, &columns, error);
  if (status == STATUS_OK)
    status = columns.n <= COLUMNS ? simulation_look(s, 0, value, error) : error_memory(error, "columns");
  if (status != STATUS_OK)
    return status;
  const double kelvin = column(&columns, value, "temperature"),
               energy = column(&columns, value, "potential") / s->topology->nmol;
  if (2 * simulation_done(s) > bath->steps) {
    bath->energy += energy;
    bath->kelvin += kelvin;
    bath->bar += column(&columns, value, "pressure");
    bath->samples++;
  }
  char words[96];
  snprintf(words, sizeof words, "%.1f K, %.4f kcal/mol a molecule", kelvin, energy);
  progress_watch(&bath->watch, "equilibrating", simulation_done(s), bath->steps, words);
  return STATUS_OK;
}

static Status equilibrate(Simulation *s, const BuildOptions *o, BuildReport *report, Error *error)
{
  const double steps = ceil(o->picoseconds * 1e3 / (timestep * UNITS_AKMA_FS) / SAMPLE_EVERY);
  Bath bath = {.watch = {.out = o->out}, .steps = (int64_t)steps * SAMPLE_EVERY};
  Status status = simulation_observe(s, SAMPLE_EVERY, bath_note, &bath, error);
  if (status == STATUS_OK)
    status = simulation_step(s, bath.steps, &(SimulationStart){.stop = o->stop}, error);
  progress_watch_end(&bath.watch);
  if (status == STATUS_OK && simulation_done(s) < bath.steps)
    status = error_set(error, STATUS_RUN, "interrupted while the box was brought to its temperature");
  if (status == STATUS_OK) /* momenta as they should be, whatever the step does to them */
    status = ensemble_draw(s->ensemble, error);
  if (status != STATUS_OK)
    return error_prefix(error, "equilibration");
  report->steps = bath.steps;
  report->timestep = timestep * UNITS_AKMA_FS;
  report->energy = bath.energy / bath.samples;
  report->kelvin = bath.kelvin / bath.samples;
  report->pressure = bath.bar / bath.samples;
  return STATUS_OK;
}

Status build_run(Simulation *s, const BuildOptions *o, BuildReport *report, const State **state, Error *error)
{
  const SimulationStart how = {.out = o->out, .stop = o->stop};
  SystemStart *start = &system_water(s)->start;
  *report = (BuildReport){.molecules = s->topology->nmol,
                          .density = system_box_density(s),
                          .energy = NAN,
                          .kelvin = NAN,
                          .pressure = NAN};
  TRY(system_start(s, &how, start, error));
  if (start->force > violent)
    return error_set(error, STATUS_RUN,
                     "after %d steps of minimisation a force is still %.3g kcal/mol/A: the box is too dense",
                     start->steps, start->force);
  TRY(simulation_prepare(s, error));
  TRY(simulation_place(s, error));
  *state = ensemble_gang(s->ensemble, 0);
  report->minimum = start->energy / s->topology->nmol;
  report->force = start->force;
  report->minimise_steps = start->steps;
  return o->picoseconds > 0.0 ? equilibrate(s, o, report, error) : STATUS_OK;
}
