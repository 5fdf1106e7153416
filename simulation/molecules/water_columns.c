#include "simulation/molecules/water_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "integrators/motion.h"
#include "integrators/oscillator.h"
#include "io/frame.h"
#include "simulation/molecules/frozen_virial.h"
#include "simulation/molecules/pressure.h"
#include "simulation/molecules/pull_columns.h"
#include "simulation/molecules/variables.h"
#include "simulation/start/lattice.h"

/* --- heat, temperatures, constraints ------- */

static Status add_thermal(Measurement *g, Error *error)
{
  (void)error;
  measurement_add(g, "conserved", NULL, MEANS_JUMPS);
  measurement_add(g, "temperature", NULL, 0);
  g->unbiased = oscillator_unbiased(g->s->plan);
  if (g->unbiased)
    measurement_add(g, "temperature_unbiased", NULL, 0);
  measurement_add(g, "largest_g", NULL, MEANS_TOP | MEANS_JUMPS);
  return STATUS_OK;
}

static Status open_thermal(const Measurement *g, const Sample *sample, Snapshot *snapshot, Error *error)
{
  (void)g;
  (void)error;
  snapshot->energies.largest = snapshot->memory + 2 * sample_width(sample);
  snapshot->energies.thermal = snapshot->memory + 3 * sample_width(sample);
  return STATUS_OK;
}

static void take_heat(const Measurement *g, Snapshot *snapshot, const Sample *sample)
{
  (void)g;
  sample_heat(sample, snapshot->heat);
}

static void fill_thermal(const MeasurementLane *lane, double *to)
{
  const Measurement *g = lane->measurement;
  const WalkEnergies *of = &lane->snapshot->energies;
  const int freedom = simulation_freedom(g->s), r = lane->r;
  const double kelvin = freedom > 0 ? 2.0 / (freedom * UNITS_BOLTZMANN) : 0.0;
  *to++ = lane->value[g->total] - lane->snapshot->heat[r];
  *to++ = kelvin * of->kinetic[r];
  if (g->unbiased)
    *to++ = kelvin * of->thermal[r];
  *to = of->largest[r];
}

static const MeasurementColumns thermal = {
    .add = add_thermal, .open = open_thermal, .alone = take_heat, .fill = fill_thermal};

/* --- pressures ------- */

static void add_components(Measurement *g, const char *name)
{
  static const char *const component[] = {"", "_xx", "_yy", "_zz", "_xy", "_xz", "_yz"};
  for (int i = 0; i <= PRESSURE_COMPONENTS; i++) {
    char full[32];
    snprintf(full, sizeof full, "%s%s", name, component[i]);
    measurement_add(g, full, NULL, 0);
  }
}

static bool by_molecule(const Measurement *g)
{
  return (g->s->config->output.pressure & CONFIG_BY_MOLECULE) != 0;
}
static bool by_atom(const Measurement *g) { return (g->s->config->output.pressure & CONFIG_BY_ATOM) != 0; }

static Status add_pressure(Measurement *g, Error *error)
{
  (void)error;
  if (by_molecule(g))
    add_components(g, "pressure");
  if (by_atom(g))
    add_components(g, "pressure_atom");
  if (g->s->config->output.surface_tension)
    measurement_add(g, "surface_tension", NULL, 0);
  return STATUS_OK;
}

static Status open_pressure(const Measurement *g, const Sample *sample, Snapshot *snapshot, Error *error)
{
  snapshot->energies.pressure = by_molecule(g) || by_atom(g) ? &snapshot->pressure : NULL;
  snapshot->pressure.topology = g->s->topology;
  if (!by_atom(g))
    return STATUS_OK;
  snapshot->packs = aligned_alloc(sizeof(Vec8), (pressure_packs(sample) + 1) * sizeof *snapshot->packs);
  TRY_MEMORY(snapshot->packs != NULL, "the measurements", error);
  return STATUS_OK;
}

/* The virial of constraints, for the pressure by atom, and that of frozen atoms. */
static Status take_inside(const Measurement *g, Snapshot *snapshot, const Sample *sample, Error *error)
{
  double inside[3][3], frozen[3][3];
  if (by_molecule(g) || by_atom(g)) {
    TRY(frozen_virial_of(system_molecules(g->s)->frozen, sample, frozen, error));
    if (sample_leads(sample))
      memcpy(snapshot->frozen, frozen, sizeof frozen);
  }
  if (!by_atom(g))
    return STATUS_OK;
  pressure_inside(sample, snapshot->packs, inside);
  if (sample->team->rank != 0)
    return STATUS_OK;
  memcpy(snapshot->inside, inside, sizeof inside);
  if (g->s->constrained && pressure_packs(sample) > 0 && sample_step(sample) == 0)
    for (int i = 0; i < 9; i++)
      snapshot->inside[i / 3][i % 3] = NAN; /* no multipliers before the first step */
  return STATUS_OK;
}

static double *with_trace(double *to)
{
  to[0] = (to[1] + to[2] + to[3]) / 3.0;
  return to + 1 + PRESSURE_COMPONENTS;
}

/* Half of L_z (P_zz - (P_xx + P_yy)/2) in mN/m, from the components in bar. Edges a and b are normal to z. */
static double surface_tension(const Box *box, const double *component)
{
  const double bar_angstrom = 0.01; /* mN/m */
  return 0.5 * bar_angstrom * box->h[2][2] * (component[2] - 0.5 * (component[0] + component[1]));
}

static void fill_pressure(const MeasurementLane *lane, double *to)
{
  const double *const first = to + 1;
  const Snapshot *snapshot = lane->snapshot;
  const Box *box = sample_box(lane->sample);
  WalkPressure sums = snapshot->pressure;
  for (int i = 0; i < 9; i++) {
    sums.virial_atom[i / 3][i % 3] -= snapshot->frozen[i / 3][i % 3];
    sums.virial_molecule[i / 3][i % 3] -= snapshot->frozen[i / 3][i % 3];
  }
  if (by_molecule(lane->measurement)) {
    pressure_molecule(&sums, box, to + 1);
    to = with_trace(to);
  }
  if (by_atom(lane->measurement)) {
    pressure_atom(&sums, snapshot->inside, box, to + 1);
    to = with_trace(to);
  }
  if (lane->measurement->s->config->output.surface_tension)
    *to = surface_tension(box, first);
}

static const MeasurementColumns pressures = {
    .add = add_pressure, .open = open_pressure, .together = take_inside, .fill = fill_pressure};

/* --- volumes, with a barostat ------- */

static Status add_volume(Measurement *g, Error *error)
{
  (void)error;
  if (g->s->barostat == NULL)
    return STATUS_OK;
  measurement_add(g, "volume", NULL, 0);
  measurement_add(g, "density", NULL, 0);
  measurement_add(g, "enthalpy", NULL, 0);
  return STATUS_OK;
}

static double pressure_of(const MeasurementLane *lane)
{
  const Simulation *s = lane->measurement->s;
  const int replica = sample_replica(lane->sample, lane->r);
  return config_schedule_has(s->config, SCHEDULED_PRESSURE)
             ? config_schedule_at(s->config, SCHEDULED_PRESSURE, replica, sample_step(lane->sample))
             : barostat_pressure(s->barostat, replica);
}

static void fill_volume(const MeasurementLane *lane, double *to)
{
  const Measurement *g = lane->measurement;
  if (g->s->barostat == NULL)
    return;
  to[0] = box_volume(sample_box(lane->sample));
  to[1] = lattice_density(lane->sample->state);
  to[2] = lane->value[g->total] + pressure_of(lane) * to[0];
}

const char *const water_columns_cell[] = {"box_a", "box_b", "box_c", "box_alpha", "box_beta", "box_gamma"};

/* If the barostat changes more than the volume: lengths, and variable angles, of the edges nearest to the
 * start's. */
static int cell_columns(const Simulation *s)
{
  if (s->barostat == NULL || s->config->barostat.shape == BAROSTAT_ISOTROPIC)
    return 0;
  return s->config->barostat.shape == BAROSTAT_CELL || box_oblique(&s->box) ? 6 : 3;
}

static Status add_cell(Measurement *g, Error *error)
{
  (void)error;
  for (int i = 0; i < cell_columns(g->s); i++)
    measurement_add(g, water_columns_cell[i], NULL, 0);
  return STATUS_OK;
}

static void fill_cell(const MeasurementLane *lane, double *to)
{
  const Simulation *s = lane->measurement->s;
  const int n = cell_columns(s);
  Frame frame = {.has_cell = true};
  double length[3], cosine[3];
  if (n == 0)
    return;
  box_follow(&s->box, sample_box(lane->sample), frame.cell);
  frame_get_cell(&frame, length, cosine);
  for (int i = 0; i < n; i++)
    to[i] = i < 3 ? length[i] : acos(cosine[i - 3]) * 180.0 / M_PI;
}

static const MeasurementColumns cells = {.add = add_cell, .fill = fill_cell};

static const MeasurementColumns volumes = {.add = add_volume, .fill = fill_volume};

/* --- momenta ------- */

static void take_momenta(const Measurement *g, Snapshot *snapshot, const Sample *sample)
{
  (void)g;
  sample_momenta(sample, snapshot->linear, snapshot->angular);
}

static void fill_momentum(const MeasurementLane *lane, double *to)
{
  memcpy(to, lane->snapshot->linear[lane->r], 3 * sizeof *to);
}

static void fill_both(const MeasurementLane *lane, double *to)
{
  fill_momentum(lane, to);
  memcpy(to + 3, lane->snapshot->angular[lane->r], 3 * sizeof *to);
}

#define LINEAR "momentum_x", "momentum_y", "momentum_z"
static const MeasurementColumns momentum = {.name = {LINEAR},
                                            .traits = MEANS_HIDDEN,
                                            .alone = take_momenta,
                                            .fill = fill_momentum},
                                momenta = {.name = {LINEAR, "angular_x", "angular_y", "angular_z"},
                                           .traits = MEANS_HIDDEN,
                                           .alone = take_momenta,
                                           .fill = fill_both};

/* --- rows ------- */

const MeasurementColumns *const water_columns_cluster[] = {
    &measurement_terms, &thermal, &measurement_schedule, &pull_columns,
    &pressures,         &momenta, &variables_columns,    NULL};

const MeasurementColumns *const water_columns_box[] = {
    &measurement_terms,
    &thermal,
    &measurement_schedule,
    &pull_columns,
    &pressures,
    &volumes,
    &cells,
    &momentum,
    &variables_columns,
    NULL,
};
