/* The measured columns of mechanical systems: energies, coordinates, momenta, formulas. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/mechanics/mechanics_private.h"

static void get_point(const MeasurementLane *lane, double *z)
{
  const Simulation *s = lane->measurement->s;
  sample_coordinates(lane->sample, STATE_POSITIONS, lane->r, z);
  sample_coordinates(lane->sample, STATE_MOMENTA, lane->r, z + s->coordinates);
  z[2 * s->coordinates] = simulation_time_at(s, sample_step(lane->sample));
}

static void add_residuals(Measurement *g)
{
  measurement_add(g, "largest_g", NULL, MEANS_TOP | MEANS_LARGEST | MEANS_HIDDEN);
  measurement_add(g, "hidden_g", NULL, MEANS_TOP | MEANS_LARGEST | MEANS_HIDDEN);
}

/* --- sites with masses and potentials ------- */

static MechanicsName name_natural(const Mechanics *m, int i, bool momentum)
{
  MechanicsName name;
  const int dim = m->s->kind[0]->dim;
  snprintf(name.text, sizeof name.text, "%s%c%d", momentum ? "p" : "", "xyz"[i % dim], i / dim + 1);
  return name;
}

/* Angular momentum has one component for each plane. */
static int angular_first(int dim) { return dim == 3 ? 0 : dim == 2 ? 2 : 3; }

static Status add_motion(Measurement *g, Error *error)
{
  static const char *const momentum[] = {"momentum_x", "momentum_y", "momentum_z"};
  static const char *const angular[] = {"angular_x", "angular_y", "angular_z"};
  const int dim = g->s->kind[0]->dim;
  (void)error;
  add_residuals(g);
  for (int d = 0; d < dim && d < 3; d++)
    measurement_add(g, momentum[d], NULL, 0);
  for (int d = angular_first(dim); d < 3; d++)
    measurement_add(g, angular[d], NULL, 0);
  return STATUS_OK;
}

static void take_motion(const Measurement *g, Snapshot *snapshot, const Sample *sample)
{
  (void)g;
  sample_motion(sample, &snapshot->motion);
}

static void fill_motion(const MeasurementLane *lane, double *to)
{
  const WalkMotion *of = &lane->snapshot->motion;
  const int dim = lane->measurement->s->kind[0]->dim, r = lane->r;
  *to++ = of->residual[r];
  *to++ = of->speed[r];
  for (int d = 0; d < dim; d++)
    *to++ = of->linear[r][d];
  for (int d = angular_first(dim); d < 3; d++)
    *to++ = of->angular[r][d];
}

static const MeasurementColumns motion = {.add = add_motion, .alone = take_motion, .fill = fill_motion};

const MechanicsForm mechanics_columns_form_natural = {
    .name = name_natural,
    .velocities = true,
    .units = "units: time AKMA (48.88821 fs), energies kcal/mol, coordinates A, momenta g/mol A/AKMA, "
             "angular g/mol A^2/AKMA",
    .momenta = mechanics_start_tangent};

/* --- a Hamiltonian ------- */

static MechanicsName name_general(const Mechanics *m, int i, bool momentum)
{
  (void)m;
  MechanicsName name;
  snprintf(name.text, sizeof name.text, "%c%d", momentum ? 'p' : 'q', i + 1);
  return name;
}

static Status add_hamiltonian(Measurement *g, Error *error)
{
  (void)error;
  measurement_add(g, "total", NULL, 0);
  add_residuals(g);
  return STATUS_OK;
}

/* All values are functions of the point. */
static void fill_hamiltonian(const MeasurementLane *lane, double *to)
{
  const Hamiltonian *ham = lane->measurement->s->kind[0]->ham;
  double *const z = lane->snapshot->z, largest = 0.0, hidden = 0.0;
  get_point(lane, z);
  for (int c = 0; c < ham->ncon; c++) {
    largest = fmax(largest, fabs(ham->con[c].value(ham->con[c].self, z)));
    hidden = fmax(hidden, fabs(hamiltonian_bracket(ham->n, &ham->con[c], &ham->energy, z)));
  }
  to[0] = ham->energy.value(ham->energy.self, z);
  to[1] = largest;
  to[2] = hidden;
}

static const MeasurementColumns hamiltonian = {.add = add_hamiltonian, .fill = fill_hamiltonian};

const MechanicsForm mechanics_columns_form_general = {
    .name = name_general, .units = "units: time AKMA (48.88821 fs)", .momenta = mechanics_start_fibres};

/* --- coordinates, momenta, formulas ------- */

/* Formulas are only averaged. */
static int formulas_of(const Simulation *s)
{
  return s->config->output.thermo_every > 0 ? s->config->output.observables.n : 0;
}

static int most_columns(const Simulation *s) { return 2 * (int)s->coordinates + formulas_of(s); }

static Status check_name(const Measurement *measurement, const Simulation *s, const char *name, InputKey key,
                         Error *error)
{
  const Input *in = s->config->input;
  size_t n = 0;
  while (isalnum((unsigned char)name[n]) || name[n] == '_')
    n++;
  if (n == 0 || name[n] != '\0' || isdigit((unsigned char)name[0]) || n >= sizeof measurement->column->name)
    return input_error(in, key, error,
                       "is not a name; wanted: at most 63 letters, digits and _, beginning with a letter");
  for (int j = 0; j < measurement->n; j++)
    if (strcmp(measurement->name[j], name) == 0)
      return input_error(in, key, error, "is already a column: choose another name");
  return STATUS_OK;
}

static Status parse_formulas(Measurement *g, const char **var, Error *error)
{
  const Simulation *s = g->s;
  const int pairs = 2 * (int)s->coordinates;
  const InputMap *map = &s->config->output.observables;
  for (int i = 0; i < pairs; i++)
    var[i] = g->name[g->n - pairs + i];
  var[pairs] = "t";
  for (int i = 0; i < formulas_of(s); i++) {
    const InputKey key = input_line(KEY(output_observables), map->name[i]);
    TRY(check_name(g, s, map->name[i], key, error));
    measurement_add(g, map->name[i], "", 0);
    TRY(mechanics_value_parse(mechanics_of(s), key, map->value[i], (Names){pairs + 1, var}, &g->formula[i],
                              error));
    g->nformula++;
  }
  return STATUS_OK;
}

static Status add_point(Measurement *g, Error *error)
{
  const Simulation *s = g->s;
  g->named = true;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < (int)s->coordinates; i++)
      measurement_add(g, mechanics_name(mechanics_of(s), i, half != 0).text, "",
                      s->replicas == 1 ? MEANS_HIDDEN : 0);
  g->formula = calloc((size_t)formulas_of(s) + 1, sizeof(Expression *));
  const char **var = malloc((2 * s->coordinates + 1) * sizeof *var);
  const Status status =
      g->formula != NULL && var != NULL ? parse_formulas(g, var, error) : error_memory(error, "observables");
  free((void *)var);
  return status;
}

static Status open_point(const Measurement *g, const Sample *sample, Snapshot *snapshot, Error *error)
{
  (void)sample;
  snapshot->z = malloc((2 * g->s->coordinates + 1) * sizeof *snapshot->z);
  TRY_MEMORY(snapshot->z != NULL, "the measurements", error);
  return STATUS_OK;
}

static void fill_point(const MeasurementLane *lane, double *to)
{
  const Measurement *g = lane->measurement;
  double *const z = lane->snapshot->z;
  get_point(lane, z);
  memcpy(to, z, 2 * g->s->coordinates * sizeof *to);
  for (int i = 0; i < g->nformula; i++)
    to[2 * g->s->coordinates + (size_t)i] = expression_value(g->formula[i], z);
}

static Status check_formulas(const MeasurementLane *lane, const double *filled, Error *error)
{
  const Measurement *g = lane->measurement;
  const size_t pairs = 2 * g->s->coordinates;
  for (int i = 0; i < g->nformula; i++)
    if (!isfinite(filled[pairs + (size_t)i]))
      return error_set(
          error, STATUS_RUN, "output.observables.%s is not a finite number at time %.9g in replica %d",
          g->name[g->n - g->nformula + i], lane->snapshot->z[pairs], sample_replica(lane->sample, lane->r));
  return STATUS_OK;
}

static const MeasurementColumns point = {.behind = true,
                                         .most = most_columns,
                                         .add = add_point,
                                         .open = open_point,
                                         .fill = fill_point,
                                         .check = check_formulas};

/* --- rows ------- */

const MeasurementColumns *const mechanics_columns_natural[] = {&measurement_energies, &motion,
                                                               &measurement_schedule, &point, NULL};
const MeasurementColumns *const mechanics_columns_general[] = {&hamiltonian, &point, NULL};
