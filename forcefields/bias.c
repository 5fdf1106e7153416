#include "forcefields/bias.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "forcefields/bias_grid.h"
#include "forcefields/coordinate_lanes.h"
#include "forcefields/field.h"
#include "topology/coordinate_formula.h"

static const double degree = 3.14159265358979323846 / 180.0;

/* --- energies ------------------------------------------------------------------------------------------- */

enum { BIAS_TYPE_CONSTANTS = true, BIAS_TYPE_GRID = false };
const BiasType bias_types[BIASES] = {
#define BIAS(FORM, id, coordinates, constants, one)                                                          \
  [BIAS_##FORM] = {#id, one, coordinates, BIAS_TYPE_##constants},
#include "forcefields/biases.def"
};

typedef double BiasFunction(const BiasInput *bias, const double *constants, const double *periods,
                            const double *x, double *slope);

double bias_energy(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                   double *slope)
{
  static BiasFunction *const function[BIASES] = {
#define BIAS(FORM, id, ...) [BIAS_##FORM] = bias_##id,
#include "forcefields/biases.def"
  };
  return function[bias->form](bias, constants, periods, x, slope);
}

double bias_period(const CoordinateSites *on, const Box *box)
{
  return coordinate_types[on->form].periodic ? 360.0 * degree : coordinate_sites_period(on, box);
}

double bias_beyond(const BiasInput *bias, const double *constants, double period, double x)
{
  const double c = coordinate_types[bias->on[0].form].angle ? constants[1] * degree : constants[1];
  return period > 0.0 ? remainder(x - c, period) : x - c;
}

static double spring(double k, double x, double *slope)
{
  if (slope != NULL)
    *slope += k * x;
  return 0.5 * k * x * x;
}

double bias_harmonic(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                     double *slope)
{
  return spring(constants[0], bias_beyond(bias, constants, periods[0], *x), slope);
}

double bias_wall(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                 double *slope)
{
  const double beyond = bias_beyond(bias, constants, periods[0], *x);
  return (bias->below ? beyond < 0.0 : beyond > 0.0) ? spring(constants[0], beyond, slope) : 0.0;
}

double bias_pull(const BiasInput *bias, const double *constants, const double *periods, const double *x,
                 double *slope)
{
  return bias_harmonic(bias, constants, periods, x, slope);
}

double bias_metadynamics(const BiasInput *bias, const double *constants, const double *periods,
                         const double *x, double *slope)
{
  (void)constants, (void)periods;
  return bias->grid != NULL ? bias_grid_energy(bias->grid, x, slope) : 0.0;
}

typedef struct Bias {
  BiasInput like; /* without its lists of atoms */
  CoordinateLanes on[BIAS_COORDINATES];
} Bias;

typedef struct Biases {
  ForceOps ops;
  int n;
  size_t memory; /* the most that the readings of a bias need */
  Bias *bias;
  Vec8 *reading; /* [memory] for `add` */
  Status status; /* of the team's present call of `add`, and why */
  Error why;
  const Parameters *parameters;
  Arena arena;
} Biases;

static const char *const term[] = {"bias"}, *const restraint_term[] = {"coordinate_restraint"};

/* --- values and forces ---------------------------------------------------------------------------------- */

/* A bias at the positions of eight replicas. */
typedef struct Point {
  CoordinateReading at[BIAS_COORDINATES];
  double period[BIAS_COORDINATES];
  int lanes;
} Point;

static Point read_point(const Bias *b, const State *state, int slot, Vec8 *memory, bool slopes)
{
  Point p = {.lanes = 0};
  for (int c = 0; c < b->like.n; c++) {
    p.at[c] = coordinate_sites_reading(&b->on[c].sites, memory);
    p.period[c] = bias_period(&b->on[c].sites, &state->box);
    coordinate_lanes_read(&b->on[c], state, slot, &p.at[c], slopes);
    memory += coordinate_sites_memory(&b->on[c].sites);
  }
  p.lanes = p.at[0].lanes;
  return p;
}

static double energy_at(const Bias *b, const double *constants, const Point *p, int lane, double *slope)
{
  double x[BIAS_COORDINATES];
  for (int c = 0; c < b->like.n; c++)
    x[c] = p->at[c].value[lane];
  return bias_energy(&b->like, constants, p->period, x, slope);
}

/* A bias's constants among values of the parameters (NULL: none). */
static const double *constants_at(const Bias *b, const double *values)
{
  const int p = b->like.parameter;
  return p > 0 && values != NULL ? values + p - 1 : b->like.constant;
}

static const double *constants_of(const Biases *t, const Bias *b, uint32_t replica)
{
  return constants_at(b, t->parameters != NULL ? parameters_of(t->parameters, replica) : NULL);
}

/* Moves the vector of a position along an axis to the image that the bias acts on, for the virial. */
static void shift_image(const Bias *b, const double *constants, Point *p, int lane)
{
  const CoordinateSites *c = &b->on[0].sites;
  if (!bias_types[b->like.form].constants || p->period[0] == 0.0 || coordinate_types[c->form].periodic)
    return;
  const double x = p->at[0].value[lane], free = bias_beyond(&b->like, constants, 0.0, x);
  p->at[0].v[c->axis][lane] += bias_beyond(&b->like, constants, p->period[0], x) - free;
}

/* STATUS_RUN: a formula has no finite value or gradient where the atoms are. */
static Status check_formulas(const Bias *b, const State *state, int slot, const Point *p, Error *error)
{
  for (int c = 0; c < b->like.n; c++) {
    const CoordinateSites *of = &b->on[c].sites;
    for (int l = 0; l < p->lanes && coordinate_types[of->form].composed; l++) {
      char where[256] = "";
      if (coordinate_formula_sound(of, &p->at[c], l))
        continue;
      coordinate_formula_append(of, &p->at[c], l, where, sizeof where);
      return error_set(
          error, STATUS_RUN,
          "replica %u, after %lld steps: the formula %.60s%s%.200s%s %s, at %s: %s needs a finite value with "
          "a "
          "finite gradient; keep its coordinates away from there, or write a formula that is defined "
          "there",
          state->replica + (uint32_t)(slot * LANES + l), (long long)state->step,
          of->name != NULL ? of->name : "", of->name != NULL ? " (" : "", of->text,
          of->name != NULL ? ")" : "",
          isnan(p->at[c].value[l])   ? "is not a number"
          : isinf(p->at[c].value[l]) ? "is infinite"
                                     : "has no finite gradient",
          where, bias_types[b->like.form].one);
    }
  }
  return STATUS_OK;
}

static Status add_bias(const Biases *t, const State *state, const Bias *b, int slot, const ForceSums *sums,
                       Error *error)
{
  Vec8 pull[BIAS_COORDINATES] = {vec8_set(0.0), vec8_set(0.0)};
  Point p = read_point(b, state, slot, t->reading, true);
  TRY(check_formulas(b, state, slot, &p, error));
  for (int l = 0; l < p.lanes; l++) {
    const int r = slot * LANES + l;
    const double *constants = constants_of(t, b, state->replica + (uint32_t)r);
    double slope[BIAS_COORDINATES] = {0.0, 0.0};
    const double energy = energy_at(b, constants, &p, l, slope);
    for (int c = 0; c < b->like.n; c++)
      pull[c][l] = -slope[c];
    if (sums != NULL)
      sums->energy[r] += energy;
    shift_image(b, constants, &p, l);
  }
  for (int c = 0; c < b->like.n; c++)
    coordinate_lanes_pull(&b->on[c], state, slot, &p.at[c], pull[c], sums != NULL ? sums->virial : NULL);
  return STATUS_OK;
}

static Status add_all(const Biases *t, const State *state, const ForceSums *sums, Error *error)
{
  if (sums != NULL)
    memset(sums->energy, 0, (size_t)state->width * sizeof *sums->energy);
  for (int i = 0; i < t->n; i++)
    for (int slot = 0; slot < coordinate_lanes_slots(state); slot++)
      TRY(add_bias(t, state, &t->bias[i], slot, sums, error));
  return STATUS_OK;
}

/* The team's first member does all: biases are few, and their atoms are in packs of any thread. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  Biases *t = self;
  team_barrier(team);
  if (team->rank == 0)
    t->status = add_all(t, state, sums, &t->why);
  team_barrier(team);
  return error_pass(error, t->status, &t->why);
}

/* --- parameters ----------------------------------------------------------------------------------------- */

/* V is k times a function of x - c, so its derivative by k is V of k = 1, and that by c is minus that by x.
 */
static void respond_slope(const Bias *b, const double *constants, const Point *p, int lane, double *slope[2])
{
  const double unit[BIAS_CONSTANTS] = {1.0, constants[1]};
  double by[BIAS_COORDINATES] = {0.0, 0.0};
  *slope[0] += energy_at(b, unit, p, lane, NULL);
  (void)energy_at(b, constants, p, lane, by);
  *slope[1] -= by[0] * (coordinate_types[b->like.on[0].form].angle ? degree : 1.0);
}

static void respond_bias(const Biases *t, const State *state, const Bias *b, int slot, Vec8 *memory,
                         const ParameterQuery *query)
{
  const size_t width = (size_t)state->width, n = (size_t)query->parameters->n;
  const Point p = read_point(b, state, slot, memory, false);
  for (int l = 0; l < p.lanes; l++) {
    const size_t r = (size_t)slot * LANES + (size_t)l, number = (size_t)b->like.parameter;
    const double *constants = constants_of(t, b, state->replica + (uint32_t)r);
    for (size_t i = 0; i < (size_t)query->nset; i++)
      query->energy[i * width + r] += energy_at(b, constants_at(b, query->set + i * n), &p, l, NULL);
    query->own[r] += energy_at(b, constants, &p, l, NULL);
    if (query->slope != NULL)
      respond_slope(b, constants, &p, l,
                    (double *[]){&query->slope[(number - 1) * width + r], &query->slope[number * width + r]});
  }
}

/* May run while another thread adds forces. */
static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  const Biases *t = self;
  Vec8 *const memory = arena_take(&own, t->memory, sizeof *memory);
  TRY(arena_check(&own, "biases", error));
  for (int i = 0; i < t->n; i++)
    for (int slot = 0; t->bias[i].like.parameter > 0 && slot < coordinate_lanes_slots(state); slot++)
      respond_bias(t, state, &t->bias[i], slot, memory, query);
  return STATUS_OK;
}

static Status describe_bias(const Bias *b, const State *shape, Arena *arena, SpringDescription *to,
                            Error *error)
{
  const CoordinateForm form = b->like.on[0].form;
  const bool spring = b->like.form == BIAS_HARMONIC || b->like.form == BIAS_PULL;
  const bool known = form == COORDINATE_DISTANCE || form == COORDINATE_COSINE || form == COORDINATE_DIHEDRAL;
  const bool angle = coordinate_types[form].angle;
  const CoordinateSites *c = &b->on[0].sites;
  if (!known || !spring)
    return error_set(error, STATUS_INPUT, "%s of a %s has no description", bias_types[b->like.form].one,
                     coordinate_types[form].one);
  *to = (SpringDescription){.nsite = c->nsite,
                            .k = b->like.constant[0],
                            .centre = b->like.constant[1] * (angle ? degree : 1.0),
                            .parameter = b->like.parameter};
  for (int i = 0, at = 0; i < c->nsite; i++) {
    const size_t n = (size_t)c->natoms[i];
    AtomIndex *atom = arena_take(arena, n, sizeof *atom);
    double *weight = arena_take(arena, n, sizeof *weight);
    TRY(arena_check(arena, "the description of biases", error));
    for (size_t a = 0; a < n; a++, at++) {
      atom[a] = restraint_index(shape, &b->on[0].spot[at].spot);
      weight[a] = c->share[at];
    }
    to->natom[i] = (int)n;
    to->atom[i] = atom;
    to->weight[i] = weight;
  }
  return STATUS_OK;
}

static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  const Biases *t = self;
  SpringDescription *spring = arena_take(arena, (size_t)t->n + 1, sizeof *spring);
  TRY(arena_check(arena, "the description of biases", error));
  for (int i = 0; i < t->n; i++)
    TRY(describe_bias(&t->bias[i], shape, arena, &spring[i], error));
  to->form = FORM_SPRINGS;
  to->springs = (SpringsDescription){t->n, spring};
  return STATUS_OK;
}

static void release(void *self)
{
  Biases *t = self;
  arena_free(&t->arena);
  free(t);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check_input(const BiasInput *in, Error *error)
{
  const double k = in->constant[0], c = in->constant[1];
  const CoordinateType *type = &coordinate_types[in->on[0].form];
  if (in->n < 1 || in->n > bias_types[in->form].coordinates)
    return error_set(error, STATUS_INPUT, "%s acts on at most %d coordinate%s, not on %d",
                     bias_types[in->form].one, bias_types[in->form].coordinates,
                     bias_types[in->form].coordinates == 1 ? "" : "s", in->n);
  if (bias_types[in->form].constants && (!(k >= 0.0) || !isfinite(k) || !isfinite(c)))
    return error_set(
        error, STATUS_INPUT,
        "%s of a coordinate needs a finite stiffness of 0 or more and a finite point, not %g and %g",
        bias_types[in->form].one, k, c);
  if (in->form == BIAS_WALL && type->periodic)
    return error_set(error, STATUS_INPUT, "a %s has neither an upper nor a lower end for a wall", type->one);
  for (int i = 0; i < in->n; i++) {
    const CoordinateType *on = &coordinate_types[in->on[i].form];
    if (on->nsite == 0 && !on->pairs && in->on[i].natom[0] == 1)
      return error_set(error, STATUS_INPUT, "one atom has no %s; two or more are required", on->one);
  }
  return STATUS_OK;
}

static Status create_bias(Biases *t, Bias *b, const BiasInput *in, const Topology *topology,
                          const State *shape, Error *error)
{
  size_t memory = 0;
  TRY(check_input(in, error));
  *b = (Bias){.like = *in};
  for (int c = 0; c < in->n; c++) {
    TRY(coordinate_lanes_create(&b->on[c], &in->on[c], topology, shape, &t->arena, error));
    memory += coordinate_sites_memory(&b->on[c].sites);
  }
  t->memory = memory > t->memory ? memory : t->memory;
  return STATUS_OK;
}

static Status create_all(Biases *t, int n, const BiasInput *list, const Topology *topology,
                         const State *shape, Error *error)
{
  t->bias = arena_take(&t->arena, (size_t)n + 1, sizeof *t->bias);
  TRY(arena_check(&t->arena, "biases", error));
  for (; t->n < n; t->n++)
    TRY(create_bias(t, &t->bias[t->n], &list[t->n], topology, shape, error));
  t->reading = arena_take(&t->arena, t->memory, sizeof *t->reading);
  return arena_check(&t->arena, "biases", error);
}

Status bias_create(Force *force, const Topology *topology, int n, const BiasInput *list, bool counts,
                   const Parameters *parameters, const State *shape, Error *error)
{
  Biases *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "biases", error);
  *t = (Biases){.ops = {.name = counts ? "coordinate_restraints" : "biases",
                        .doc = counts ? "springs on coordinates of sites" : "potentials of coordinates",
                        .nterm = 1,
                        .term = counts ? restraint_term : term,
                        .add = add,
                        .describe = describe,
                        .telling = 1,
                        .respond = respond,
                        .biases = counts ? 0 : 1,
                        .free = release},
                .parameters = parameters};
  TRY_ELSE(create_all(t, n, list, topology, shape, error), release(t));
  *force = (Force){&t->ops, t};
  return STATUS_OK;
}

Status bias_restraint_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return bias_create(force, input->topology, input->nheld, input->held, true, input->parameters, shape,
                     error);
}

Status bias_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return bias_create(force, input->topology, input->nbias, input->bias, false, input->parameters, shape,
                     error);
}
