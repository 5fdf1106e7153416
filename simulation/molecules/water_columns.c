#include "simulation/molecules/water_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "integrators/motion.h"
#include "integrators/oscillator.h"
#include "results/quantity.h"
#include "simulation/molecules/penalty.h"
#include "simulation/molecules/pressure.h"
#include "simulation/molecules/system.h"

enum { COLUMNS_MAX = 18 + FORCE_TERMS * FORCES_MAX + 2 * (1 + PRESSURE_COMPONENTS) };

/* Gauge.self: the columns come first. */
typedef struct WaterGauge {
  WaterColumns columns;
  int nterm;
  uint64_t outside; /* bit i: term i is not between molecules */
  double kelvin;    /* temperature over kinetic energy */
  int momenta;
  bool pressure, inside, constrained;
  const Topology *topology;
} WaterGauge;

/* A look at a gang. */
typedef struct WaterLook {
  GaugeEnergies energies;
  double strain[WIDTH_MAX]; /* of penalties */
  double heat[WIDTH_MAX], linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  WalkPressure pressure; /* of periodic boxes, one replica each */
  Octet (*packs)[9];     /* scratch of pressure_inside; NULL: not wanted */
  double inside[3][3];
} WaterLook;

/* --- columns ----------------------------------------------------------------------------------------------
 */

static int add(Gauge *g, const char *name, unsigned traits)
{
  return gauge_add(g, name, quantity_unit(QUANTITY_MOLECULES, "thermo", name), traits);
}

static int add_pressure(Gauge *g, const char *name)
{
  static const char *const component[] = {"", "_xx", "_yy", "_zz", "_xy", "_xz", "_yz"};
  const int first = g->n;
  for (int i = 0; i <= PRESSURE_COMPONENTS; i++) {
    char full[32];
    snprintf(full, sizeof full, "%s%s", name, component[i]);
    add(g, full, 0);
  }
  return first;
}

static void add_columns(Gauge *g, WaterGauge *w, const Simulation *s, const ForceField *field)
{
  WaterColumns *c = &w->columns;
  const unsigned pressure = s->config->output.pressure;
  c->kinetic = add(g, "kinetic", 0);
  for (int i = 0; i < w->nterm; i++) {
    const char *const name = force_field_term(field, i);
    add(g, name, 0);
    w->outside |= strcmp(name, "wall_energy") == 0 || strcmp(name, "external") == 0 ? UINT64_C(1) << i : 0u;
  }
  c->potential = add(g, "potential", 0);
  c->penalty = add(g, "penalty", 0);
  c->excess = penalty_filters(s) ? add(g, "penalty_excess", 0) : -1;
  c->total = add(g, "total", 0);
  c->conserved = add(g, "conserved", MEANS_JUMPS);
  c->temperature = add(g, "temperature", 0);
  c->unbiased = oscillator_unbiased(s->plan) ? add(g, "temperature_unbiased", 0) : -1;
  c->largest = add(g, "largest_g", MEANS_TOP | MEANS_JUMPS);
  c->pressure[0] = pressure & CONFIG_BY_MOLECULE ? add_pressure(g, "pressure") : -1;
  c->pressure[1] = pressure & CONFIG_BY_ATOM ? add_pressure(g, "pressure_atom") : -1;
  c->momenta = g->n;
  static const char *const momenta[6] = {"momentum_x", "momentum_y", "momentum_z",
                                         "angular_x",  "angular_y",  "angular_z"};
  for (int i = 0; i < system_form(s)->momenta; i++)
    add(g, momenta[i], MEANS_HIDDEN);
}

int water_columns_whole(const WaterColumns *c, int column[COLUMNS_WHOLE])
{
  const int all[COLUMNS_WHOLE] = {c->conserved,   c->kinetic,     c->penalty,  c->potential, c->pressure[0],
                                  c->pressure[1], c->temperature, c->unbiased, c->total};
  int n = 0;
  for (int i = 0; i < COLUMNS_WHOLE; i++)
    if (all[i] >= 0)
      column[n++] = all[i];
  return n;
}

/* --- looking ----------------------------------------------------------------------------------------------
 */

static Status open_look(const void *self, const State *shape, const ForceField *field, void *now,
                        Error *error)
{
  const WaterGauge *w = self;
  WaterLook *look = now;
  TRY(gauge_energies_create(&look->energies, shape, field, error));
  look->energies.of.pressure = w->pressure ? &look->pressure : NULL;
  look->pressure.topology = w->topology;
  if (!w->inside)
    return STATUS_OK;
  look->packs = aligned_alloc(sizeof(Octet), (size_t)shape->block[0].npack * sizeof *look->packs);
  return look->packs != NULL ? STATUS_OK : error_memory(error, "the measurements");
}

static void close_look(void *now)
{
  WaterLook *look = now;
  free(look->energies.memory);
  free(look->packs);
}

/* What holds molecules together, for the pressure by atom. */
static void look_inside(const WaterGauge *w, WaterLook *look, const State *state, const Walk *walk,
                        const Team *team)
{
  double inside[3][3];
  pressure_inside(walk, team, state, look->packs, inside);
  if (team->rank != 0)
    return;
  memcpy(look->inside, inside, sizeof inside);
  if (w->constrained && state->step == 0)
    for (int i = 0; i < 9; i++)
      look->inside[i / 3][i % 3] = NAN; /* no step yet, no multipliers */
}

static Status look(const void *self, void *now, const State *state, Walk *walk, const Team *team,
                   Error *error)
{
  const WaterGauge *w = self;
  WaterLook *to = now;
  TRY(walk_energies(walk, team, &to->energies.of, error));
  if (w->inside)
    look_inside(w, to, state, walk, team);
  if (team->rank != 0)
    return STATUS_OK;
  if (w->columns.excess >= 0)
    walk_penalty_strain(walk, to->strain);
  state_heat(state, to->heat);
  motion_momenta(state, to->linear, to->angular);
  return STATUS_OK;
}

static void fill_energies(const WaterGauge *w, const WaterLook *look, int width, int r, double *value)
{
  const WaterColumns *c = &w->columns;
  const WalkEnergies *of = &look->energies.of;
  double between = 0.0, outside = 0.0;
  value[c->kinetic] = of->kinetic[r];
  for (int i = 0; i < w->nterm; i++) {
    const double e = of->terms[i * width + r];
    value[c->kinetic + 1 + i] = e;
    *(w->outside >> i & 1u ? &outside : &between) += e;
  }
  value[c->potential] = between;
  value[c->penalty] = of->penalty[r];
  if (c->excess >= 0)
    value[c->excess] = of->penalty[r] - look->strain[r];
  value[c->total] = of->kinetic[r] + between + outside + of->penalty[r];
  value[c->conserved] = value[c->total] - look->heat[r];
  value[c->temperature] = w->kelvin * of->kinetic[r];
  if (c->unbiased >= 0)
    value[c->unbiased] = w->kelvin * of->thermal[r];
  value[c->largest] = of->largest[r];
}

static void fill_pressure(const WaterGauge *w, const WaterLook *look, const State *state, double *value)
{
  for (int by = 0; by < 2; by++) {
    if (w->columns.pressure[by] < 0)
      continue;
    double *to = value + w->columns.pressure[by];
    if (by == 0)
      pressure_molecule(&look->pressure, &state->box, to + 1);
    else
      pressure_atom(&look->pressure, look->inside, &state->box, to + 1);
    to[0] = (to[1] + to[2] + to[3]) / 3.0;
  }
}

static void fill(const void *self, void *now, const State *state, int r, double *value)
{
  const WaterGauge *w = self;
  const WaterLook *of = now;
  fill_energies(w, of, state->width, r, value);
  fill_pressure(w, of, state, value);
  for (int d = 0; d < w->momenta; d++)
    value[w->columns.momenta + d] = d < 3 ? of->linear[r][d] : of->angular[r][d - 3];
}

/* --- the gauge --------------------------------------------------------------------------------------------
 */

static Status make(Gauge *g, const Simulation *s, Error *error)
{
  const ForceField *field = ensemble_field(s->ensemble);
  WaterGauge *w = g->self = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "the measurements");
  const int freedom = simulation_freedom(s);
  *w = (WaterGauge){.nterm = force_field_terms(field),
                    .kelvin = freedom > 0 ? 2.0 / (freedom * UNITS_BOLTZMANN) : 0.0,
                    .momenta = system_form(s)->momenta,
                    .pressure = s->config->output.pressure != 0,
                    .constrained = s->constrained,
                    .topology = s->topology};
  w->inside = (s->config->output.pressure & CONFIG_BY_ATOM) != 0;
  if (w->inside && s->kind[0]->ncon > PRESSURE_CONSTRAINTS)
    return error_set(error, STATUS_INPUT,
                     "the pressure by atom is made for molecules of at most %d constraints, not %d",
                     PRESSURE_CONSTRAINTS, s->kind[0]->ncon);
  add_columns(g, w, s, field);
  g->shown = g->n;
  g->potential = w->columns.potential;
  g->total = w->columns.total;
  g->penalty = w->columns.penalty;
  g->excess = w->columns.excess;
  return STATUS_OK;
}

Status water_columns_gauge(const Simulation *s, Gauge **gauge, Error *error)
{
  TRY(gauge_create(gauge, COLUMNS_MAX, error));
  Gauge *const g = *gauge;
  g->free = free;
  g->room = sizeof(WaterLook);
  g->open = open_look;
  g->close = close_look;
  g->look = look;
  g->fill = fill;
  const Status status = make(g, s, error);
  if (status == STATUS_OK)
    return STATUS_OK;
  gauge_free(g);
  *gauge = NULL;
  return status;
}
