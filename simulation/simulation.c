#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa_wanted.h"
#include "engine/text.h"
#include "engine/units.h"
#include "simulation/checkpoint.h"
#include "simulation/simulation_private.h"

static void count(Simulation *s)
{
  for (int k = 0; k < s->nkind; k++) {
    s->molecules += s->nmol[k];
    s->coordinates += (size_t)(s->kind[k]->nsite * s->kind[k]->dim) * (size_t)s->nmol[k];
  }
  s->ncon = simulation_kind_constraints(s->kind[0]);
}

static Status create(Simulation **simulation, const Config *config, Config *owned, int threads, Error *error)
{
  *simulation = NULL;
  Simulation *s = calloc(1, sizeof *s);
  if (s == NULL) {
    config_free(owned);
    return error_memory(error, "the system");
  }
  s->config = config;
  s->pace = simulation_pace();
  s->owned = owned;
  s->sort = sort_of(config);
  s->kT = config->thermostat.kT;
  s->h = config->integrator.timestep;
  s->steps = config->integrator.steps;
  s->equilibration = config->output.equilibration;
  s->threads = threads > 0 ? threads : config->ensemble.threads;
  if (s->threads <= 0)
    s->threads = omp_get_max_threads();
  Status status = isa_wanted(&s->isa, error);
  if (status == STATUS_OK)
    status = s->sort->create(s, error);
  if (status != STATUS_OK) {
    simulation_free(s);
    return status;
  }
  count(s);
  *simulation = s;
  return STATUS_OK;
}

Status simulation_create(Simulation **simulation, const Config *config, int threads, Error *error)
{
  return create(simulation, config, NULL, threads, error);
}

Status simulation_load(Simulation **simulation, const char *path, const char *const *set, int nset,
                       Error *error)
{
  Config *config;
  *simulation = NULL;
  const Status status = config_load(path, set, nset, &config, error);
  return status == STATUS_OK ? create(simulation, config, config, 0, error) : status;
}

Status simulation_parse(Simulation **simulation, const char *name, const char *text, const char *const *set,
                        int nset, Error *error)
{
  Config *config;
  *simulation = NULL;
  const Status status = config_parse(name, text, set, nset, &config, error);
  return status == STATUS_OK ? create(simulation, config, config, 0, error) : status;
}

/* What simulation_prepare has made. */
static void disperse(Simulation *s)
{
  if (s->sort->forget != NULL)
    s->sort->forget(s);
  ladder_free(s->ladder);
  ensemble_free(s->ensemble);
  force_field_free(&s->scratch_field);
  state_free(s->scratch);
  free(s->lambda);
  free(s->thermal);
  free(s->force_box);
  s->ladder = NULL;
  s->ensemble = NULL;
  s->scratch_field = (ForceField){0};
  s->scratch = NULL;
  s->lambda = NULL;
  s->thermal = NULL;
  s->force_box = NULL;
}

void simulation_free(Simulation *s)
{
  if (s == NULL)
    return;
  disperse(s);
  s->sort->free(s);
  plan_free(s->plan);
  for (int k = 0; k < s->nkind; k++)
    kind_free((Kind *)s->kind[k]);
  config_free(s->owned);
  free(s);
}

/* --- forces from outside and observers ------- */

Status simulation_add_force(Simulation *s, ExternalFunction function, void *user, Error *error)
{
  if (s->started)
    return error_set(error, STATUS_INPUT, "forces are added before the start");
  if (plan_options(s->plan)->method != NULL)
    return error_set(
        error, STATUS_INPUT,
        "the method '%s' steps by the system's own formulas, and takes no forces from outside: take "
        "a word of A and B (integrator.word)",
        plan_options(s->plan)->method->name);
  if (s->nforce == SIMULATION_FORCES_MAX)
    return error_set(error, STATUS_INPUT, "there are %d forces from outside already, and no room for more",
                     s->nforce);
  s->force[s->nforce].function = function;
  s->force[s->nforce++].user = user;
  disperse(s); /* what columns were asked of */
  return STATUS_OK;
}

Status simulation_observe(Simulation *s, int64_t every, SimulationObserver observer, void *user, Error *error)
{
  if (every < 1)
    return error_set(error, STATUS_INPUT, "an observer is called every so many steps, not %lld",
                     (long long)every);
  if (s->nobserver == SIMULATION_OBSERVERS_MAX)
    return error_set(error, STATUS_INPUT, "there are %d observers already, and no room for more",
                     s->nobserver);
  s->observer[s->nobserver].function = observer;
  s->observer[s->nobserver].user = user;
  s->observer[s->nobserver++].every = every;
  return STATUS_OK;
}

/* --- the start ------- */

static Status make_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  const Simulation *s = self;
  field->n = 0;
  Status status = s->sort->field(s, shape, field, error);
  for (int i = 0; i < s->nforce && status == STATUS_OK; i++) {
    status = external_create(&field->force[field->n], s->force[i].function, s->force[i].user, shape, error);
    field->n += status == STATUS_OK;
  }
  return status;
}

double simulation_kT(const Simulation *s, int replica)
{
  return s->ladder != NULL ? ladder_kT(s->ladder, ladder_temperature(s->ladder, replica)) : s->kT;
}

double simulation_temperature(const Simulation *s, int replica)
{
  if (replica < 0 || replica >= s->replicas)
    return NAN;
  return simulation_kT(s, replica) / (s->config->reduced ? 1.0 : UNITS_BOLTZMANN);
}

static Status make_ladder(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->exchange.number == 0)
    return STATUS_OK;
  const LadderOptions options = {.n = c->exchange.number,
                                 .ladders = c->exchange.ladders,
                                 .kT = c->exchange.kT,
                                 .kT_plan = s->kT,
                                 .interval = c->exchange.interval,
                                 .equilibration = s->equilibration,
                                 .tunings = c->exchange.tunings,
                                 .redraw = c->exchange.momenta == MOMENTA_REDRAWN,
                                 .seed = (uint64_t)c->seed};
  return ladder_create(&s->ladder, &options, s->ensemble, error);
}

static int64_t common(int64_t a, int64_t b) { return b > 0 ? common(b, a % b) : a; }

/* Steps between looks at the constraining sphere: few, and such that samples and exchanges are of replicas
 * inside. */
static int64_t sphere_every(const Simulation *s)
{
  const Config *c = s->config;
  int64_t every = common(10, c->output.thermo_every);
  every = common(every, c->output.trajectory_every);
  every = c->exchange.number > 0 ? common(every, c->exchange.interval) : every;
  for (int i = 0; i < OBSERVABLES; i++)
    every = common(every, c->output.observe.every[i]);
  return every;
}

Status simulation_prepare(Simulation *s, Error *error)
{
  if (s->ensemble != NULL)
    return STATUS_OK;
  EnsembleOptions options = {.plan = s->plan,
                             .nkind = s->nkind,
                             .box = s->box,
                             .replicas = s->replicas,
                             .width = s->width,
                             .first = s->first,
                             .end = s->end,
                             .threads = s->threads,
                             .seed = (uint64_t)s->config->seed,
                             .radius = s->config->system.constraining_radius,
                             .radius_every = sphere_every(s),
                             .purpose = s->purpose,
                             .maker = {s, make_field}};
  memcpy(options.kind, s->kind, sizeof options.kind);
  memcpy(options.nmol, s->nmol, sizeof options.nmol);
  Status status = ensemble_create(&s->ensemble, &options, error);
  if (status != STATUS_OK)
    return status;
  const size_t gangs = (size_t)ensemble_gangs(s->ensemble);
  const size_t n = (size_t)ensemble_held(s->ensemble) * (size_t)s->width;
  s->lambda = calloc(n * (size_t)s->ncon + 1, sizeof *s->lambda);
  s->force_box = malloc(gangs * sizeof *s->force_box);
  status =
      s->lambda == NULL || s->force_box == NULL ? error_memory(error, "the system") : make_ladder(s, error);
  if (status != STATUS_OK) {
    disperse(s);
    return status;
  }
  for (size_t g = 0; g < gangs; g++)
    s->force_box[g] = s->box;
  return STATUS_OK;
}

Status simulation_find_start(Simulation *s, const SimulationStart *how, Error *error)
{
  const SimulationStart none = {0};
  const Status status = s->sort->start(s, how != NULL ? how : &none, error);
  return status == STATUS_OK && s->sort->judge != NULL ? s->sort->judge(s, error) : status;
}

Status simulation_place(Simulation *s, Error *error)
{
  const Status status = s->sort->place(s, error);
  s->started = status == STATUS_OK;
  s->stale = false;
  s->version++;
  return status;
}

Status simulation_start(Simulation *s, const SimulationStart *how, Error *error)
{
  Status status = simulation_find_start(s, how, error);
  if (status == STATUS_OK)
    status = simulation_prepare(s, error);
  return status == STATUS_OK ? simulation_place(s, error) : status;
}

static Status check_started(const Simulation *s, int replica, Error *error)
{
  if (!s->started)
    return error_set(error, STATUS_INPUT, "the simulation has not been started");
  if (replica < 0 || replica >= s->replicas)
    return error_set(error, STATUS_INPUT, "there is no replica %d; there are %d", replica, s->replicas);
  return STATUS_OK;
}

Status simulation_open(Simulation **simulation, const char *path, const char *const *set, int nset,
                       Error *error)
{
  Status status = simulation_load(simulation, path, set, nset, error);
  if (status == STATUS_OK)
    status = simulation_start(*simulation, NULL, error);
  if (status != STATUS_OK) {
    simulation_free(*simulation);
    *simulation = NULL;
  }
  return status;
}

/* --- what there is ------- */

const Config *simulation_config(const Simulation *s) { return s->config; }

const char *simulation_sort(const Simulation *s) { return s->sort->name; }

int simulation_replicas(const Simulation *s) { return s->replicas; }

int simulation_dimensions(const Simulation *s) { return s->kind[0]->dim; }

int simulation_sites(const Simulation *s) { return (int)(s->coordinates / (size_t)s->kind[0]->dim); }

int simulation_molecules(const Simulation *s) { return s->molecules; }

int simulation_freedom(const Simulation *s) { return plan_freedom(s->plan, s->nmol); }

int simulation_constraints(const Simulation *s)
{
  int n = 0;
  for (int k = 0; k < s->nkind; k++)
    n += s->nmol[k] * simulation_kind_constraints(s->kind[k]);
  return n;
}

int64_t simulation_done(const Simulation *s) { return s->ensemble != NULL ? ensemble_step(s->ensemble) : 0; }

bool simulation_started(const Simulation *s) { return s->started; }

double simulation_time(const Simulation *s) { return (double)simulation_done(s) * s->h; }

const Kind *simulation_kind(const Simulation *s, int k) { return k < s->nkind ? s->kind[k] : NULL; }

void simulation_masses(const Simulation *s, double *mass)
{
  for (int k = 0; k < s->nkind; k++)
    for (int i = 0; i < s->nmol[k] * s->kind[k]->nsite; i++)
      *mass++ = s->kind[k]->mass[i % s->kind[k]->nsite];
}

const char *simulation_site_name(const Simulation *s, int site)
{
  for (int k = 0; k < s->nkind; site -= s->nmol[k] * s->kind[k]->nsite, k++)
    if (site < s->nmol[k] * s->kind[k]->nsite)
      return s->kind[k]->site[site % s->kind[k]->nsite];
  return "";
}

/* --- fields ------- */

static StateField field_of(SimulationField field)
{
  return field == SIMULATION_POSITIONS ? STATE_POSITIONS
         : field == SIMULATION_MOMENTA ? STATE_MOMENTA
                                       : STATE_VELOCITIES;
}

static bool same_box(const Box *a, const Box *b)
{
  return a->length[0] == b->length[0] && a->length[1] == b->length[1] && a->length[2] == b->length[2];
}

/* One replica by itself, with forces of its own on it. */
static Status make_scratch(Simulation *s, const State *like, Error *error)
{
  if (s->scratch != NULL && same_box(&s->scratch->box, &like->box))
    return STATUS_OK;
  force_field_free(&s->scratch_field);
  state_free(s->scratch);
  s->scratch_field = (ForceField){0};
  s->scratch = NULL;
  State *scratch;
  Status status = state_create(&scratch, 1, s->nkind, s->kind, s->nmol, like->seed, 0, error);
  if (status != STATUS_OK)
    return status;
  scratch->box = like->box;
  status = make_field(s, scratch, &s->scratch_field, error);
  if (status == STATUS_OK)
    s->scratch = scratch;
  else
    state_free(scratch);
  return status;
}

/* Forces of a replica into x[coordinates], energies of all terms. */
static Status get_forces(Simulation *s, int replica, double *x, double *energy, Error *error)
{
  const State *state = ensemble_gang(s->ensemble, replica / s->width);
  if (s->kind[0]->ham != NULL)
    return error_set(error, STATUS_INPUT, "a Hamiltonian has no forces beside its derivatives");
  Status status = make_scratch(s, state, error);
  if (status != STATUS_OK)
    return status;
  const Team team = team_alone();
  const ForceSums sums = {energy, NULL};
  if (s->ladder != NULL && (status = state_keep_noise(s->scratch, error)) != STATUS_OK)
    return status;
  if (s->ladder != NULL)
    *s->scratch->noise = octet_set(sqrt(simulation_kT(s, replica) / s->kT));
  s->scratch->replica = (uint32_t)replica;
  s->scratch->step = state->step;
  state_get_all(state, STATE_POSITIONS, replica % s->width, x);
  state_set_all(s->scratch, STATE_POSITIONS, 0, x);
  status = force_field_compute(&s->scratch_field, &team, s->scratch, &sums, error);
  state_get_all(s->scratch, STATE_FORCES, 0, x);
  return status;
}

double simulation_external_energy(Simulation *s, int replica)
{
  double energy[FORCE_TERMS * FORCES_MAX], sum = 0.0, *x = malloc(s->coordinates * sizeof *x);
  const Status status = x != NULL ? get_forces(s, replica, x, energy, NULL) : STATUS_MEMORY;
  for (int i = 0; i < force_field_terms(&s->scratch_field) && status == STATUS_OK; i++)
    if (strcmp(force_field_term(&s->scratch_field, i), "external") == 0)
      sum += energy[i];
  free(x);
  return status == STATUS_OK ? sum : NAN;
}

Status simulation_get(Simulation *s, SimulationField field, int replica, double *x, Error *error)
{
  const Status status = check_started(s, replica, error);
  if (status != STATUS_OK)
    return status;
  double energy[FORCE_TERMS * FORCES_MAX];
  if (field == SIMULATION_FORCES)
    return get_forces(s, replica, x, energy, error);
  state_get_all(ensemble_gang(s->ensemble, replica / s->width), field_of(field), replica % s->width, x);
  return STATUS_OK;
}

int simulation_coordinates(const Simulation *s) { return (int)s->coordinates; }

void simulation_get_point(const Simulation *s, int replica, double *x, double *p)
{
  ensemble_get(s->ensemble, replica, x, p);
}

Status simulation_set(Simulation *s, SimulationField field, int replica, const double *x, Error *error)
{
  const Status status = check_started(s, replica, error);
  if (status != STATUS_OK)
    return status;
  if (field == SIMULATION_FORCES)
    return error_set(error, STATUS_INPUT, "forces follow from positions; simulation_add_force adds to them");
  for (size_t i = 0; i < s->coordinates; i++)
    if (!isfinite(x[i]))
      return error_set(error, STATUS_INPUT, "number %zu of those to be set is not finite", i);
  state_set_all(ensemble_gang(s->ensemble, replica / s->width), field_of(field), replica % s->width, x);
  s->stale = true;
  s->version++;
  return STATUS_OK;
}

Status simulation_set_point(Simulation *s, int replica, const double *x, const double *p, Error *error)
{
  const Status status = simulation_set(s, SIMULATION_POSITIONS, replica, x, error);
  return status == STATUS_OK ? simulation_set(s, SIMULATION_MOMENTA, replica, p, error) : status;
}

/* --- boxes ------- */

Box simulation_box(const Simulation *s, int replica)
{
  return s->ensemble != NULL ? ensemble_gang(s->ensemble, replica / s->width)->box : s->box;
}

Status simulation_set_box(Simulation *s, int replica, const Box *box, Error *error)
{
  Status status = check_started(s, replica, error);
  if (status == STATUS_OK && !box_periodic(&s->box))
    status = error_set(error, STATUS_INPUT, "there is no periodic box to change");
  if (status == STATUS_OK)
    status = ensemble_set_box(s->ensemble, replica, box, error);
  if (status != STATUS_OK)
    return status;
  s->force_box[replica / s->width] = *box;
  s->stale = true;
  s->version++;
  return STATUS_OK;
}

Status simulation_follow_boxes(Simulation *s, bool *changed, Error *error)
{
  Status status = STATUS_OK;
  *changed = false;
  const int end = s->first + ensemble_held(s->ensemble);
  for (int g = s->first; g < end && status == STATUS_OK; g++) {
    const Box box = ensemble_gang(s->ensemble, g)->box;
    if (same_box(&box, &s->force_box[g]))
      continue;
    status = ensemble_set_box(s->ensemble, g * s->width, &box, error);
    s->force_box[g] = box;
    *changed = true;
  }
  return status;
}

/* --- looking ------- */

Status simulation_columns(Simulation *s, SimulationColumns *columns, Error *error)
{
  const Status status = simulation_prepare(s, error);
  return status == STATUS_OK ? s->sort->columns(s, columns, error) : status;
}

Status simulation_look(Simulation *s, int replica, double *value, Error *error)
{
  Status status = check_started(s, replica, error);
  if (status == STATUS_OK)
    status = simulation_step_ready(s, error);
  return status == STATUS_OK ? s->sort->look(s, replica, value, error) : status;
}

Status simulation_multipliers(const Simulation *s, int replica, double *lambda, Error *error)
{
  const PlanOptions *o = plan_options(s->plan);
  const Status status = check_started(s, replica, error);
  if (status != STATUS_OK)
    return status;
  if (s->ncon == 0 || (o->constraints != NULL && !o->keep_multipliers))
    return error_set(error, STATUS_INPUT, "there are no multipliers: %s",
                     s->ncon == 0 ? "the first molecule has no constraints"
                                  : "they are kept where output.multipliers_every is not 0");
  memcpy(lambda, simulation_lambda(s, replica), (size_t)s->ncon * sizeof *lambda);
  return STATUS_OK;
}

void simulation_chunks(Simulation *s, ChunkList *chunks)
{
  ensemble_chunks(s->ensemble, chunks);
  if (s->ladder != NULL)
    ladder_chunks(s->ladder, chunks);
  chunk_add(chunks, &s->stale, sizeof s->stale);
  chunk_add_each(chunks, s->lambda, (size_t)(s->width * s->ncon) * sizeof *s->lambda,
                 ensemble_held(s->ensemble));
}

void simulation_contents(const Simulation *s, char *words, size_t size)
{
  words[0] = '\0';
  for (int k = 0; k < s->nkind; k++)
    text_append(words, size, "%s%d %s", k > 0 ? ", " : "", s->nmol[k], s->kind[k]->name);
}

static Status pass(Simulation *s, const char *path, bool save, Error *error)
{
  char contents[512];
  ChunkList chunks = {0};
  simulation_contents(s, contents, sizeof contents);
  const CheckpointOf of = {s->config, s->isa, contents, false, {0, s->replicas - 1}};
  simulation_chunks(s, &chunks);
  chunk_sort(&chunks);
  Status status = save ? checkpoint_write(&of, path, ensemble_step(s->ensemble), &chunks, error)
                       : checkpoint_read(&of, path, &chunks, error);
  bool changed = false;
  if (status == STATUS_OK && !save)
    status = simulation_follow_boxes(s, &changed, error);
  if (status == STATUS_OK && changed) /* what forces keep is that of their new box */
    status = checkpoint_read(&of, path, &chunks, error);
  chunk_free(&chunks);
  return status;
}

Status simulation_save(Simulation *s, const char *path, Error *error)
{
  Status status = s->started ? STATUS_OK : simulation_start(s, NULL, error);
  if (status == STATUS_OK)
    status = simulation_step_ready(s, error);
  return status == STATUS_OK ? pass(s, path, true, error) : status;
}

Status simulation_restore(Simulation *s, const char *path, Error *error)
{
  Status status = simulation_prepare(s, error);
  if (status == STATUS_OK)
    status = pass(s, path, false, error);
  if (status != STATUS_OK)
    return status;
  s->started = true;
  s->version++;
  return STATUS_OK;
}
