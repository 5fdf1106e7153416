#include "simulation/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/units.h"
#include "forcefields/periodic.h"
#include "integrators/plan.h"
#include "integrators/quench.h"
#include "simulation/box_build.h"
#include "simulation/ensemble.h"

/* Downhill in double, which bears any contact, then in mixed precision to where heat can do the rest. */
static const double rough = 30.0;    /* kcal/mol/A                                                  */
static const double gentle = 5.0;    /* kcal/mol/A                                                  */
static const double violent = 1e4;   /* kcal/mol/A: what is left then cannot be integrated          */
static const double timestep = 0.04; /* AKMA, 2 fs: kinetic temperatures of BAOAB are then 0.6 % low */
static const double friction = 0.25; /* 1/AKMA, 5 per ps: warms a quenched box within its first half */
enum { DOWNHILL_STEPS = 100, SAMPLE_EVERY = 25, MOLECULES_PER_THREAD = 50, KINDS = 1 + BUILD_SPECIES };

struct Build {
  BuildOptions options;
  const Species *species[BUILD_SPECIES];
  int nkind;
  Kind *kind[KINDS];
  int nmol[KINDS];
  Box box;
  State *state;
  ForceField field; /* in double */
  int molecules, threads;
};

/* --- sizes -----------------------------------------------------------------------------------------------
 */

static Status make_kinds(Build *b, Error *error)
{
  const BuildOptions *o = &b->options;
  Status status = STATUS_OK;
  if (o->model != NULL) {
    status = water_kind(o->model, WATER_MASS_O, WATER_MASS_H, &b->kind[0], error);
    b->nmol[0] = o->molecules;
    b->nkind = status == STATUS_OK;
  }
  for (int s = 0; s < o->nspecies && status == STATUS_OK; s++) {
    b->species[s] = o->species[s];
    b->nmol[b->nkind] = o->atoms[s];
    status = species_kind(o->species[s], &b->kind[b->nkind], error);
    b->nkind += status == STATUS_OK;
  }
  return status;
}

static Status check_charge(const Build *b, Error *error)
{
  double charge = 0.0;
  for (int s = 0; s < b->options.nspecies; s++)
    charge += b->options.atoms[s] * b->species[s]->charge;
  if (fabs(charge) < 1e-6)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "the charges of the atoms sum to %+g e, and a periodic box must be neutral; add ions of the "
      "other sign",
      charge);
}

/* Two of numbers, size and density, or less where the model knows its density. */
static Status check_counts(const Build *b, Error *error)
{
  const BuildOptions *o = &b->options;
  const bool size = o->size[0] > 0.0, density = o->density > 0.0;
  if (o->model == NULL && o->nspecies == 0)
    return error_set(error, STATUS_INPUT, "nothing to put into the box");
  if (o->model == NULL && size == density)
    return error_set(error, STATUS_INPUT,
                     "without water the size or the density must be given, and not both");
  if (o->model != NULL && o->molecules == 0 && !size)
    return error_set(error, STATUS_INPUT, "the number of molecules or the size of the box must be given");
  if (o->molecules > 0 && size && density)
    return error_set(error, STATUS_INPUT,
                     "number of molecules, size and density are one too many: two of them give the third");
  return STATUS_OK;
}

static double mass_of_atoms(const Build *b)
{
  double mass = 0.0;
  for (int s = 0; s < b->options.nspecies; s++)
    mass += b->options.atoms[s] * b->species[s]->mass;
  return mass;
}

/* The place of a water at the model's own density, A^3. */
static double water_volume(const Build *b)
{
  Box one;
  const int single = 1;
  const Kind *kind = b->kind[0];
  return box_build_size(1, &kind, &single, b->options.model->density, &one, NULL) == STATUS_OK
             ? box_volume(&one)
             : 30.0;
}

static double half_atoms(const Build *b)
{
  double half = 0.0;
  for (int s = 0; s < b->options.nspecies; s++)
    half += 0.5 * b->options.atoms[s];
  return half;
}

static Status count_waters(Build *b, Error *error)
{
  if (b->options.density > 0.0)
    return box_build_count(b->kind[0], &b->box, mass_of_atoms(b), b->options.density, &b->nmol[0], error);
  const double count = rint(box_volume(&b->box) / water_volume(b) - half_atoms(b));
  if (!(count >= 1.0 && count <= 1e8))
    return error_set(error, STATUS_INPUT, "a box of %.6g x %.6g x %.6g A has room for %.10g waters",
                     b->box.length[0], b->box.length[1], b->box.length[2], fmax(count, 0.0));
  b->nmol[0] = (int)count;
  return STATUS_OK;
}

static Status find_size(Build *b, Error *error)
{
  const BuildOptions *o = &b->options;
  if (o->size[0] > 0.0) {
    b->box = (Box){{o->size[0], o->size[1], o->size[2]}};
    const Status status = box_check(&b->box, o->cutoff, "cutoff", error);
    return status == STATUS_OK && o->model != NULL && o->molecules == 0 ? count_waters(b, error) : status;
  }
  Status status = STATUS_OK;
  if (o->density > 0.0)
    status = box_build_size(b->nkind, (const Kind *const *)b->kind, b->nmol, o->density, &b->box, error);
  else {
    const double side = cbrt(water_volume(b) * (b->nmol[0] + half_atoms(b)));
    b->box = (Box){{side, side, side}};
  }
  return status == STATUS_OK ? box_check(&b->box, o->cutoff, "cutoff", error) : status;
}

static Status make_force(const Build *b, bool mixed, ForceField *field, Error *error)
{
  const PeriodicOptions options = {.model = b->options.model,
                                   .species = b->species,
                                   .cutoff = b->options.cutoff,
                                   .tail = true,
                                   .kT = b->options.kelvin * UNITS_BOLTZMANN,
                                   .h = timestep,
                                   .mixed = mixed,
                                   .threads = b->threads,
                                   .isa = b->options.isa};
  const Status status = periodic_create(&field->force[0], &options, b->state, error);
  field->n = status == STATUS_OK;
  return status;
}

static Status create(Build *b, Error *error)
{
  const BuildOptions *o = &b->options;
  Status status = check_counts(b, error);
  if (status == STATUS_OK)
    status = make_kinds(b, error);
  if (status == STATUS_OK)
    status = check_charge(b, error);
  if (status == STATUS_OK)
    status = find_size(b, error);
  if (status == STATUS_OK)
    status = state_create(&b->state, 1, b->nkind, (const Kind *const *)b->kind, b->nmol, o->seed, 0, error);
  if (status != STATUS_OK)
    return status;
  for (int k = 0; k < b->nkind; k++)
    b->molecules += b->nmol[k];
  const int useful = 1 + b->molecules / MOLECULES_PER_THREAD;
  b->threads = o->threads < 1 ? 1 : o->threads < useful ? o->threads : useful;
  b->state->box = b->box;
  status = box_build_lattice(b->state, error);
  return status == STATUS_OK ? make_force(b, false, &b->field, error) : status;
}

Status build_create(Build **build, const BuildOptions *options, Error *error)
{
  *build = NULL;
  if (options->nspecies > BUILD_SPECIES)
    return error_set(error, STATUS_INPUT, "%d species are more than %d", options->nspecies, BUILD_SPECIES);
  Build *b = calloc(1, sizeof *b);
  if (b == NULL)
    return error_memory(error, "a box");
  b->options = *options;
  const Status status = create(b, error);
  if (status != STATUS_OK) {
    build_free(b);
    return status;
  }
  *build = b;
  return STATUS_OK;
}

void build_free(Build *build)
{
  if (build == NULL)
    return;
  force_field_free(&build->field);
  state_free(build->state);
  for (int k = 0; k < build->nkind; k++)
    kind_free(build->kind[k]);
  free(build);
}

const State *build_state(const Build *build) { return build->state; }

/* --- downhill --------------------------------------------------------------------------------------------
 */

typedef struct Descent {
  const Build *build;
  int done; /* steps of the stages before */
} Descent;

static void show_downhill(void *watcher, int step, double force)
{
  LOCALE_PLAIN;
  const Descent *d = watcher;
  const BuildOptions *o = &d->build->options;
  char words[64];
  snprintf(words, sizeof words, "largest force %.3g kcal/mol/A", force);
  if (o->show != NULL)
    o->show(o->watcher, "minimising", d->done + step, DOWNHILL_STEPS, words);
}

static Status descend(Build *b, const ForceField *field, double tolerance, BuildReport *report, Error *error)
{
  Descent descent = {b, report->minimise_steps};
  QuenchResult result;
  const QuenchOptions options = {.tolerance = tolerance,
                                 .max_steps = DOWNHILL_STEPS - descent.done,
                                 .threads = b->threads,
                                 .show = show_downhill,
                                 .watcher = &descent,
                                 .stop = b->options.stop};
  const Status status = quench_run(b->state, field, &options, b->options.isa, &result, error);
  report->minimum = result.energy / b->molecules;
  report->force = result.force;
  report->minimise_steps += result.steps;
  return status;
}

static Status downhill(Build *b, BuildReport *report, Error *error)
{
  Status status = descend(b, &b->field, rough, report, error);
  force_field_free(&b->field);
  if (status == STATUS_OK && report->force > violent)
    return error_set(error, STATUS_RUN,
                     "after %d steps of minimisation a force is still %.3g kcal/mol/A: the box is too dense",
                     report->minimise_steps, report->force);
  ForceField mixed = {0};
  if (status == STATUS_OK)
    status = make_force(b, true, &mixed, error);
  if (status == STATUS_OK)
    status = descend(b, &mixed, gentle, report, error);
  force_field_free(&mixed);
  return status;
}

/* --- equilibration ---------------------------------------------------------------------------------------
 */

/* What is seen on the way. */
typedef struct Bath {
  const Build *build;
  const Plan *plan;
  const ForceField *field;
  int64_t steps;
  double kinetic[1], terms[FORCE_TERMS * FORCES_MAX], penalty[1], largest[1]; /* of the last sample */
  WalkPressure pressure;
  double energy, kelvin, bar; /* sums over samples of the second half */
  int samples;
} Bath;

static Status make_plan(const Build *b, Plan **plan, Error *error)
{
  const PlanOptions options = {.word = "BAOAB",
                               .h = timestep,
                               .accel = "verlet",
                               .constraints = b->options.model != NULL ? "settle" : NULL,
                               .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                               .friction = FRICTION_MASS,
                               .gamma = friction,
                               .kT = b->options.kelvin * UNITS_BOLTZMANN,
                               .removal = REMOVE_LINEAR,
                               .isa = b->options.isa};
  return plan_create_kinds(plan, b->nkind, (const Kind *const *)b->kind, &options, error);
}

/* By one thread. */
static void bath_note(Bath *bath, int64_t step)
{
  LOCALE_PLAIN;
  const Build *b = bath->build;
  const double kelvin = 2.0 * bath->kinetic[0] / (plan_freedom(bath->plan, b->nmol) * UNITS_BOLTZMANN);
  double potential = 0.0, virial = 0.0;
  for (int t = 0; t < force_field_terms(bath->field); t++)
    potential += bath->terms[t];
  for (int d = 0; d < 3; d++)
    virial += bath->pressure.virial_molecule[d][d] + bath->pressure.kinetic_molecule[d][d];
  if (2 * step > bath->steps) {
    bath->energy += potential / b->molecules;
    bath->kelvin += kelvin;
    bath->bar += UNITS_BAR * virial / (3.0 * box_volume(&b->box));
    bath->samples++;
  }
  char words[96];
  snprintf(words, sizeof words, "%.1f K, %.4f kcal/mol a molecule", kelvin, potential / b->molecules);
  if (b->options.show != NULL)
    b->options.show(b->options.watcher, "equilibrating", step, bath->steps, words);
}

static Status bath_sample(void *self, unsigned due, int gang, const State *state, Walk *walk,
                          const Team *team, Error *error)
{
  Bath *bath = self;
  const WalkEnergies energies = {bath->kinetic, bath->terms,     bath->penalty,
                                 bath->largest, &bath->pressure, NULL};
  (void)due;
  (void)gang;
  const Status status = walk_energies(walk, team, &energies, error);
  if (status == STATUS_OK && team->rank == 0)
    bath_note(bath, state->step);
  return status;
}

static Status make_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  (void)shape;
  return make_force(self, true, field, error);
}

static Status bath_run(Bath *bath, Ensemble *ensemble, State *state, Error *error)
{
  const size_t n = state_coordinates(state);
  double *x = malloc(2 * n * sizeof *x);
  if (x == NULL)
    return error_memory(error, "a box");
  bath->field = ensemble_field(ensemble);
  const Sampler sampler = {bath, {SAMPLE_EVERY}, bath_sample};
  state_get_all(state, STATE_POSITIONS, 0, x);
  Status status = ensemble_start(ensemble, x, true, error);
  for (int64_t step = SAMPLE_EVERY; status == STATUS_OK && step <= bath->steps; step += SAMPLE_EVERY) {
    status = ensemble_run(ensemble, step, &sampler, error);
    if (status == STATUS_OK && bath->build->options.stop != NULL && *bath->build->options.stop != 0)
      status = error_set(error, STATUS_RUN, "interrupted while the box was brought to its temperature");
  }
  if (status == STATUS_OK) /* momenta as they should be, whatever the step does to them */
    status = ensemble_draw(ensemble, error);
  if (status == STATUS_OK) {
    ensemble_get(ensemble, 0, x, x + n);
    state_set_all(state, STATE_POSITIONS, 0, x);
    state_set_all(state, STATE_MOMENTA, 0, x + n);
  }
  free(x);
  return status;
}

static Status equilibrate(Build *b, BuildReport *report, Error *error)
{
  const double steps = ceil(b->options.picoseconds * 1e3 / (timestep * UNITS_AKMA_FS) / SAMPLE_EVERY);
  Plan *plan = NULL;
  Ensemble *ensemble = NULL;
  Status status = make_plan(b, &plan, error);
  EnsembleOptions options = {.plan = plan,
                             .nkind = b->nkind,
                             .box = b->box,
                             .replicas = 1,
                             .width = 1,
                             .threads = b->threads,
                             .seed = b->options.seed,
                             .purpose = RANDOM_EQUILIBRATION,
                             .maker = {b, make_field}};
  for (int k = 0; k < b->nkind; k++) {
    options.kind[k] = b->kind[k];
    options.nmol[k] = b->nmol[k];
  }
  if (status == STATUS_OK)
    status = ensemble_create(&ensemble, &options, error);
  Bath bath = {.build = b, .plan = plan, .steps = (int64_t)steps * SAMPLE_EVERY};
  if (status == STATUS_OK)
    status = bath_run(&bath, ensemble, b->state, error);
  ensemble_free(ensemble);
  plan_free(plan);
  if (status != STATUS_OK)
    return error_prefix(error, "equilibration");
  report->steps = bath.steps;
  report->timestep = timestep * UNITS_AKMA_FS;
  report->energy = bath.energy / bath.samples;
  report->kelvin = bath.kelvin / bath.samples;
  report->pressure = bath.bar / bath.samples;
  return STATUS_OK;
}

Status build_run(Build *build, BuildReport *report, Error *error)
{
  *report = (BuildReport){.molecules = build->molecules,
                          .density = box_build_density(build->state),
                          .energy = NAN,
                          .kelvin = NAN,
                          .pressure = NAN};
  const Status status = downhill(build, report, error);
  return status == STATUS_OK && build->options.picoseconds > 0.0 ? equilibrate(build, report, error) : status;
}
