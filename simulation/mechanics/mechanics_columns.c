/* What is measured of a mechanical system: energies, coordinates, momenta, formulas. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/quantity.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/molecules/penalty.h"

/* Gauge.self: where energies are comes first. */
typedef struct MechanicsGauge {
  MechanicsColumns at;
  const Mechanics *m;
  int nobs, nterm;
  Expression **observable; /* [nobs]: the last columns */
} MechanicsGauge;

/* A look at a gang. */
typedef struct MechanicsLook {
  GaugeEnergies energies;
  double strain[WIDTH_MAX];
  WalkMotion motion;
  double *z; /* [2*size + 1] of one lane: q, p, time */
} MechanicsLook;

static Status open_look(const void *self, const State *shape, const ForceField *field, void *now,
                        Error *error)
{
  const MechanicsGauge *g = self;
  MechanicsLook *look = now;
  TRY(gauge_energies_create(&look->energies, shape, field, error));
  look->energies.of.largest = look->energies.of.thermal = NULL;
  look->z = malloc((2 * (size_t)g->m->size + 1) * sizeof *look->z);
  return look->z != NULL ? STATUS_OK : error_memory(error, "the measurements");
}

static void close_look(void *now)
{
  MechanicsLook *look = now;
  free(look->energies.memory);
  free(look->z);
}

static void get_point(const MechanicsGauge *g, const State *state, int r, double *z)
{
  state_get_all(state, STATE_POSITIONS, r, z);
  state_get_all(state, STATE_MOMENTA, r, z + g->m->size);
  z[2 * g->m->size] = (double)state->step * g->m->s->h;
}

static int add(const Mechanics *m, Gauge *gauge, const char *name, unsigned traits)
{
  const char *const unit = m->s->config->reduced ? NULL : quantity_unit(QUANTITY_MECHANICAL, "energy", name);
  return gauge_add(gauge, name, unit != NULL ? unit : "", traits);
}

static void add_constraints(const Mechanics *m, Gauge *gauge, MechanicsColumns *at)
{
  at->total = add(m, gauge, "total", 0);
  at->largest = add(m, gauge, "largest_g", MEANS_TOP | MEANS_LARGEST | MEANS_HIDDEN);
  at->hidden = add(m, gauge, "hidden_g", MEANS_TOP | MEANS_LARGEST | MEANS_HIDDEN);
}

/* --- sites with masses and potentials ---------------------------------------------------------------------
 */

static MechanicsName name_natural(const Mechanics *m, int i, bool momentum)
{
  MechanicsName name;
  const int dim = m->s->kind[0]->dim;
  snprintf(name.text, sizeof name.text, "%s%c%d", momentum ? "p" : "", "xyz"[i % dim], i / dim + 1);
  return name;
}

static void add_natural(const Mechanics *m, Gauge *gauge, MechanicsColumns *at)
{
  static const char *const momentum[] = {"momentum_x", "momentum_y", "momentum_z"};
  static const char *const angular[] = {"angular_x", "angular_y", "angular_z"};
  const int dim = m->s->kind[0]->dim;
  at->kinetic = add(m, gauge, "kinetic", 0);
  at->potential = add(m, gauge, "potential", 0);
  at->penalty = add(m, gauge, "penalty", 0);
  if (penalty_filters(m->s))
    at->excess = add(m, gauge, "penalty_excess", 0);
  add_constraints(m, gauge, at);
  for (int d = 0; d < dim && d < 3; d++)
    at->momentum[d] = add(m, gauge, momentum[d], 0);
  for (int d = dim == 3 ? 0 : 2; d < 3 && dim > 1; d++)
    at->angular[d] = add(m, gauge, angular[d], 0);
}

static Status look_natural(const void *self, void *now, const State *state, Walk *walk, const Team *team,
                           Error *error)
{
  (void)state;
  const MechanicsGauge *g = self;
  MechanicsLook *to = now;
  TRY(walk_energies(walk, team, &to->energies.of, error));
  if (team->rank != 0)
    return STATUS_OK;
  if (g->at.excess >= 0)
    walk_penalty_strain(walk, to->strain);
  walk_motion(walk, &to->motion);
  return STATUS_OK;
}

static void fill_natural(const void *self, void *now, const State *state, int r, double *value)
{
  const MechanicsGauge *g = self;
  const MechanicsLook *of = now;
  const WalkEnergies *e = &of->energies.of;
  const MechanicsColumns *at = &g->at;
  double potential = 0.0;
  for (int i = 0; i < g->nterm; i++)
    potential += e->terms[i * state->width + r];
  value[at->kinetic] = e->kinetic[r];
  value[at->potential] = potential;
  value[at->penalty] = e->penalty[r];
  if (at->excess >= 0)
    value[at->excess] = e->penalty[r] - of->strain[r];
  value[at->total] = e->kinetic[r] + potential + e->penalty[r];
  value[at->largest] = of->motion.residual[r];
  value[at->hidden] = of->motion.speed[r];
  for (int d = 0; d < 3; d++) {
    if (at->momentum[d] >= 0)
      value[at->momentum[d]] = of->motion.linear[r][d];
    if (at->angular[d] >= 0)
      value[at->angular[d]] = of->motion.angular[r][d];
  }
}

static void tell_natural(const Mechanics *m, FILE *out)
{
  const Kind *kind = m->s->kind[0];
  fprintf(out, "system: %d site%s in %d dimension%s, %d term%s of potential energy", kind->nsite,
          kind->nsite > 1 ? "s" : "", kind->dim, kind->dim > 1 ? "s" : "", kind->npot,
          kind->npot == 1 ? "" : "s");
}

const MechanicsForm mechanics_columns_natural = {
    .name = name_natural,
    .velocities = true,
    .units = "units: time AKMA (48.88821 fs), energies kcal/mol, coordinates A, momenta g/mol A/AKMA, "
             "angular g/mol A^2/AKMA",
    .add = add_natural,
    .look = look_natural,
    .fill = fill_natural,
    .tell = tell_natural,
    .momenta = mechanics_start_tangent};

/* --- a Hamiltonian ----------------------------------------------------------------------------------------
 */

static MechanicsName name_general(const Mechanics *m, int i, bool momentum)
{
  (void)m;
  MechanicsName name;
  snprintf(name.text, sizeof name.text, "%c%d", momentum ? 'p' : 'q', i + 1);
  return name;
}

/* All is in the point itself. */
static Status look_general(const void *self, void *now, const State *state, Walk *walk, const Team *team,
                           Error *error)
{
  (void)self;
  (void)now;
  (void)state;
  (void)walk;
  (void)team;
  (void)error;
  return STATUS_OK;
}

static void fill_general(const void *self, void *now, const State *state, int r, double *value)
{
  const MechanicsGauge *g = self;
  const Hamiltonian *ham = g->m->ham;
  double *const z = ((MechanicsLook *)now)->z, largest = 0.0, hidden = 0.0;
  get_point(g, state, r, z);
  for (int c = 0; c < ham->ncon; c++) {
    largest = fmax(largest, fabs(ham->con[c].value(ham->con[c].self, z)));
    hidden = fmax(hidden, fabs(hamiltonian_bracket(ham->n, &ham->con[c], &ham->energy, z)));
  }
  value[g->at.total] = ham->energy.value(ham->energy.self, z);
  value[g->at.largest] = largest;
  value[g->at.hidden] = hidden;
}

static void tell_general(const Mechanics *m, FILE *out)
{
  fprintf(out, "system: a Hamiltonian of %d degrees of freedom", m->ham->n);
}

const MechanicsForm mechanics_columns_general = {.name = name_general,
                                                 .units = "units: time AKMA (48.88821 fs)",
                                                 .add = add_constraints,
                                                 .look = look_general,
                                                 .fill = fill_general,
                                                 .tell = tell_general,
                                                 .momenta = mechanics_start_fibres};

/* --- coordinates, momenta, formulas -----------------------------------------------------------------------
 */

static Status rest(const void *self, void *now, const State *state, int r, double *value, Error *error)
{
  const MechanicsGauge *g = self;
  const Gauge *gauge = g->m->s->gauge;
  double *const z = ((MechanicsLook *)now)->z;
  get_point(g, state, r, z);
  memcpy(value + gauge->shown, z, 2 * (size_t)g->m->size * sizeof *value);
  for (int i = 0; i < g->nobs; i++) {
    const int at = gauge->n - g->nobs + i;
    value[at] = expression_value(g->observable[i], z);
    if (!isfinite(value[at]))
      return error_set(error, STATUS_RUN,
                       "output.observables.%s is not a finite number at time %.9g in replica %d",
                       gauge->name[at], z[2 * g->m->size], (int)state->replica + r);
  }
  return STATUS_OK;
}

static Status check_name(const Gauge *gauge, const Simulation *s, const char *name, InputKey key,
                         Error *error)
{
  const Input *in = s->config->input;
  size_t n = 0;
  while (isalnum((unsigned char)name[n]) || name[n] == '_')
    n++;
  if (n == 0 || name[n] != '\0' || isdigit((unsigned char)name[0]) || n >= sizeof gauge->column->name)
    return input_error(in, key, error,
                       "is not a name; wanted: letters, digits and _, a letter first, 63 at most");
  for (int j = 0; j < gauge->n; j++)
    if (strcmp(gauge->name[j], name) == 0)
      return input_error(in, key, error, "is a column already; take another name");
  return STATUS_OK;
}

static Status parse_observables(MechanicsGauge *g, Gauge *gauge, const char **var, Error *error)
{
  const Mechanics *m = g->m;
  const InputMap *map = &m->s->config->output.observables;
  for (int i = 0; i < 2 * m->size; i++)
    var[i] = gauge->name[gauge->shown + i];
  var[2 * m->size] = "t";
  for (int i = 0; i < g->nobs; i++) {
    const InputKey key = input_line(KEY(output_observables), map->name[i]);
    TRY(check_name(gauge, m->s, map->name[i], key, error));
    gauge_add(gauge, map->name[i], "", 0);
    TRY(mechanics_value_parse(m, key, map->value[i], (Names){2 * m->size + 1, var}, &g->observable[i],
                              error));
  }
  return STATUS_OK;
}

static Status add_columns(MechanicsGauge *g, Gauge *gauge, Error *error)
{
  const Mechanics *m = g->m;
  m->sort->form->add(m, gauge, &g->at);
  gauge->shown = gauge->n;
  gauge->potential = g->at.potential;
  gauge->total = g->at.total;
  gauge->penalty = g->at.penalty;
  gauge->excess = g->at.excess;
  gauge->named = true;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < m->size; i++)
      gauge_add(gauge, mechanics_name(m, i, half != 0).text, "", m->s->replicas == 1 ? MEANS_HIDDEN : 0);
  g->observable = calloc((size_t)g->nobs + 1, sizeof(Expression *));
  const char **var = malloc((2 * (size_t)m->size + 1) * sizeof *var);
  const Status status = g->observable != NULL && var != NULL ? parse_observables(g, gauge, var, error)
                                                             : error_memory(error, "observables");
  free((void *)var);
  return status;
}

static void release(void *self)
{
  MechanicsGauge *g = self;
  for (int i = 0; g->observable != NULL && i < g->nobs; i++)
    expression_free(g->observable[i]);
  free((void *)g->observable);
  free(g);
}

static Status make(const Simulation *s, Gauge *gauge, Error *error)
{
  const Mechanics *m = mechanics_of(s);
  MechanicsGauge *g = gauge->self = calloc(1, sizeof *g);
  if (g == NULL)
    return error_memory(error, "columns");
  *g = (MechanicsGauge){.at = {-1, -1, -1, -1, -1, -1, -1, {-1, -1, -1}, {-1, -1, -1}},
                        .m = m,
                        .nobs = s->config->output.thermo_every > 0 ? s->config->output.observables.n : 0,
                        .nterm = s->ensemble != NULL ? force_field_terms(ensemble_field(s->ensemble)) : 0};
  return add_columns(g, gauge, error);
}

Status mechanics_columns_gauge(const Simulation *s, Gauge **gauge, Error *error)
{
  const Mechanics *m = mechanics_of(s);
  TRY(gauge_create(gauge, MECHANICS_ENERGIES + 2 * m->size + s->config->output.observables.n, error));
  Gauge *const g = *gauge;
  g->free = release;
  g->room = sizeof(MechanicsLook);
  g->open = open_look;
  g->close = close_look;
  g->look = m->sort->form->look;
  g->fill = m->sort->form->fill;
  g->rest = rest;
  const Status status = make(s, g, error);
  if (status == STATUS_OK)
    return STATUS_OK;
  gauge_free(g);
  *gauge = NULL;
  return status;
}
