/* A solute whose interactions are scaled: the laws of forces, ends of the scale that are other systems, and
 * energies at other strengths. */
#include "tests/teams.h"

#include "forcefields/alchemy.h"
#include "simulation/molecules/system.h"
#include "tests/alchemy_pair.h"
#include "tests/alchemy_world.h"
#include "tests/force_laws.h"

static const AlchemyCase cases[] = {
    {"flexible", "tip3p", NULL, NULL, "", 0.5, 1.0},
    {"rigid", "tip4p", NULL, NULL, "soft_power: 2", 0.0, 0.5, true},
    {"marked", "tip5p", NULL, NULL, "", 0.0, 0.02, true},
    {"long", "tip3p", NULL, NULL, "soft_alpha: 0", 0.0, 0.5},
    {"marked", "tip3p", NULL, NULL, "", 1.0, 1.0},
    {"flexible", "tip3p", ALCHEMY_BRICK, ALCHEMY_PME "truncation: switch", "", 1.0, 1.0},
    {"marked", "tip4p", ALCHEMY_OBLIQUE, ALCHEMY_PME "truncation: force-switch, switch: 2 A", "", 0.5, 1.0},
    {"rigid", "tip5p", ALCHEMY_BRICK, ALCHEMY_FIELD "truncation: shift", "soft_power: 2", 0.0, 0.5, true},
    {"long", "tip3p", ALCHEMY_OBLIQUE, ALCHEMY_CUT "truncation: plain, tail: false", "soft_alpha: 0", 0.0,
     0.5},
    {"marked", "tip3p", ALCHEMY_BRICK, ALCHEMY_PME "truncation: switch", "soft_power: 2", 0.0, 0.5, true},
    {"flexible", "tip4p", ALCHEMY_OBLIQUE, ALCHEMY_PME "truncation: shift", "", 0.0, 0.02, true},
    {"long", "tip5p", ALCHEMY_BRICK, ALCHEMY_FIELD "truncation: force-switch, switch: 2 A", "", 0.5, 1.0},
    {"rigid", "tip3p", ALCHEMY_BRICK, ALCHEMY_PME "truncation: plain, tail: false", "", 0.0, 0.0},
    {"long", "tip4p", ALCHEMY_OBLIQUE, ALCHEMY_CUT "truncation: switch, switch: 1.5 A", "", 1.0, 1.0},
    {"marked", "tip5p", ALCHEMY_WIDE, ALCHEMY_FINE "truncation: switch", "", 0.0, 0.3, true}};
enum { CASES = sizeof cases / sizeof *cases, OPEN = 5 };

static AlchemyWorld world;

/* In open space pairs of others are a force of their own, without a virial. */
static ForceSystem open_world(int which, int width, int used)
{
  alchemy_open(&world, &cases[which], ALCHEMY_AS_IT_IS, width, used);
  if (which < OPEN)
    alchemy_keep(&world, "alchemy");
  return (ForceSystem){&world.field, world.state};
}

static void close_world(void) { alchemy_close(&world); }

#define LAW(number, ...)                                                                                     \
  {                                                                                                          \
    .name = "alchemy " #number, .open = open_world, .close = close_world, .which = number, __VA_ARGS__       \
  }
#define OPEN_LAW(number)                                                                                     \
  LAW(number, .gradient = 1e-8, .strain = 1e-8, .net = 1e-12, .torque = 1e-12, .symmetric = true)
/* Boxes have tables of charges, which are continuous to 1e-9. */
#define BOX_LAW(number) LAW(number, .gradient = 3e-7, .strain = 1e-6, .net = 1e-12, .symmetric = true)
#define MESH_LAW(number)                                                                                     \
  LAW(number, .gradient = 1e-5, .strain = 1e-6, .net = 1e-12, .symmetric = true, .stride = 5)
static const ForceRow forces[] = {
    OPEN_LAW(0),
    OPEN_LAW(1),
    OPEN_LAW(2),
    OPEN_LAW(3),
    OPEN_LAW(4),
    LAW(0, .width = 8, .used = 5, .gradient = 1e-9, .net = 1e-12, .alone = 1e-13),
    LAW(1, .width = 16, .used = 13, .net = 1e-12, .alone = 1e-13),
    LAW(2, .width = 16, .net = 1e-12, .alone = 1e-13),
    LAW(3, .width = 8, .net = 1e-12, .alone = 1e-13),
    MESH_LAW(5),
    MESH_LAW(6),
    BOX_LAW(7),
    BOX_LAW(8),
    MESH_LAW(9),
    MESH_LAW(10),
    BOX_LAW(11),
    MESH_LAW(12),
    BOX_LAW(13),
    MESH_LAW(14)};

/* --- replicas ------------------------------------------------------------------------------------------- */

/* The states of both legs. */
enum { STATES = 6 };
static const double states[STATES][ALCHEMY_STRENGTHS] = {{1, 1},   {0.5, 1},  {0, 1},
                                                         {0, 0.5}, {0, 0.02}, {0, 0}};

/* A case at other strengths, without overlaps. */
static AlchemyCase at_strengths(int which, double coulomb, double lj)
{
  AlchemyCase c = cases[which];
  c.coulomb = coulomb;
  c.lj = lj;
  c.overlaps = false;
  return c;
}

/* Replica r of a batch has the state r + 1, and the energies and forces of a system of its own. */
TEST(replicas_have_strengths_of_their_own, .rows = 2 * OPEN, .threads = true)
{
  const int width = _i < OPEN ? 8 : 16, which = _i % OPEN;
  const AlchemyCase c = at_strengths(which, 1.0, 1.0);
  double batch[WIDTH_MAX][3 * ALCHEMY_ATOMS], f[3 * ALCHEMY_ATOMS], x[ALCHEMY_ATOMS][3];
  AlchemyWorld one;
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, width, width - 3);
  alchemy_keep(&world, "alchemy");
  for (int r = 0; r < width; r++)
    alchemy_set(&world, r, states[(r + 1) % STATES][0], states[(r + 1) % STATES][1]);
  for (int threads = 1; threads <= ALCHEMY_THREADS; threads++) {
    fine(team_forces(&world.field, world.state, threads, 2, &(ForceSums){world.energy, NULL}, &error));
    for (int r = 0; r < width - 3; r++) {
      alchemy_forces(&world, r, threads == 1 ? batch[r] : f);
      if (threads > 1)
        ck_assert_mem_eq(f, batch[r], topology_coordinates(world.s->topology) * sizeof *f);
    }
  }
  alchemy_open(&one, &c, ALCHEMY_AS_IT_IS, 1, 1);
  alchemy_keep(&one, "alchemy");
  for (int r = 0; r < width - 3; r++) {
    alchemy_positions(&c, r, x);
    topology_set(one.s->topology, one.state, STATE_POSITIONS, 0, &x[0][0]);
    alchemy_set(&one, 0, states[(r + 1) % STATES][0], states[(r + 1) % STATES][1]);
    alchemy_compute(&one);
    double most = 1.0;
    const int n = alchemy_forces(&one, 0, f);
    for (int i = 0; i < n; i++)
      most = fmax(most, fabs(f[i]));
    for (int i = 0; i < n; i++)
      ck_assert_double_eq_tol(f[i], batch[r][i], 1e-12 * most);
    for (int t = 0; t < force_field_terms(&one.field); t++)
      ck_assert_double_eq_tol(one.energy[t], world.energy[t * width + r],
                              1e-12 * (1.0 + fabs(one.energy[t])));
  }
  alchemy_close(&one);
  close_world();
}

/* --- ends of the scale ---------------------------------------------------------------------------------- */

/* Lennard-Jones of the solute's sites i and j, truncated as in the box. */
static AlchemyFormula formula_of(const AlchemyWorld *w, const TopologySort *sort, int i, int j)
{
  const AtomsInput *const a = &system_molecules(w->s)->atoms;
  const double *const lj = a->lj[sort->type[i] * a->ntype + sort->type[j]];
  const FieldInput input = simulation_field_input(w->s);
  const bool boxed = w->state->box.h[0][0] > 0.0;
  return (AlchemyFormula){.a = lj[0],
                          .c = lj[1],
                          .truncation = input.nonbonded.truncation,
                          .cutoff = boxed ? input.nonbonded.cutoff : 0.0,
                          .width = input.nonbonded.switch_width > 0.0 ? input.nonbonded.switch_width : 1.0,
                          .sigma = 3.0};
}

/* What truncation removes inside the solute, whose pairs keep it; and its tail with itself. */
static double removed_inside(const AlchemyWorld *w, const AlchemyCase *c, double *tail)
{
  double x[ALCHEMY_ATOMS][3], sum = 0.0;
  const TopologySort *const sort = &w->s->topology->sort[w->s->topology->nsort - 1];
  const int own = alchemy_shape[alchemy_shape_of(c->solute)].n, first = alchemy_positions(c, 0, x) - own;
  *tail = 0.0;
  for (int i = 0; i < sort->nsite; i++)
    for (int j = 0; j < sort->nsite; j++) {
      const AlchemyFormula f = formula_of(w, sort, i, j);
      bool excluded = i >= own || j >= own || i <= j; /* all pairs of virtual sites are */
      for (int k = 0; k < sort->nexcluded; k++)
        excluded = excluded || (sort->excluded[k][0] == i && sort->excluded[k][1] == j) ||
                   (sort->excluded[k][0] == j && sort->excluded[k][1] == i);
      if (c->box == NULL)
        continue;
      if (w->s->config->forces.tail)
        *tail += 2.0 * M_PI / box_volume(&w->state->box) * alchemy_missing(&f, 1.0, false);
      const double *const a = x[first + i], *const b = x[first + j];
      if (!excluded)
        sum += alchemy_removed(&f, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), false).value;
    }
  return sum;
}

/* At full strength forces are those of the system without alchemy; so are terms, but for the solute's tail
 * with itself, and for what truncation takes from its pairs with itself. */
TEST(full_strength_is_the_system_without_alchemy, .rows = CASES)
{
  static const char *const same[] = {"real_tail", "reciprocal", "self"};
  const AlchemyCase c = at_strengths(_i, 1.0, 1.0);
  AlchemyWorld plain;
  double f[3 * ALCHEMY_ATOMS], g[3 * ALCHEMY_ATOMS], tail, most = 1.0;
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  alchemy_open(&plain, &c, ALCHEMY_WITHOUT_KEYS, 1, 1);
  const double removed = removed_inside(&plain, &c, &tail),
               energy = alchemy_energy(&plain, 0) + removed - tail,
               scale = 1.0 + fabs(alchemy_term(&plain, "self", 0));
  ck_assert_double_eq_tol(alchemy_energy(&world, 0), energy, 1e-10 * scale);
  ck_assert_double_eq_tol(alchemy_term(&world, "lj_tail", 0), alchemy_term(&plain, "lj_tail", 0) - tail,
                          1e-9 * fabs(tail) + 1e-12);
  for (int t = 0; t < 3; t++)
    ck_assert_double_eq_tol(alchemy_term(&world, same[t], 0), alchemy_term(&plain, same[t], 0),
                            1e-12 * scale);
  const int n = alchemy_forces(&world, 0, f), own = 3 * alchemy_shape[alchemy_shape_of(c.solute)].n;
  alchemy_forces(&plain, 0, g);
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(g[i]));
  for (int i = 0; i < n; i++)
    if (i < n - own || strcmp(c.solute, "long") != 0)
      ck_assert_double_eq_tol(f[i], g[i], 1e-9 * most);
  for (int i = 0; i < 9; i++)
    if (c.box != NULL && strcmp(c.solute, "long") != 0 && !world.s->config->forces.tail)
      ck_assert_double_eq_tol(world.virial[i / 3][i % 3], plain.virial[i / 3][i % 3], 1e-8 * scale);
  alchemy_close(&plain);
  close_world();
}

/* Charges of half the strength are half the charges of a file. */
TEST(half_the_strength_is_half_the_charge, .rows = CASES)
{
  static const char *const same[] = {"lj", "real", "real_tail", "reciprocal", "self", "intramolecular"};
  AlchemyCase c = at_strengths(_i, 0.5, 1.0), half = c;
  AlchemyWorld plain;
  double f[3 * ALCHEMY_ATOMS], g[3 * ALCHEMY_ATOMS], tail, most = 1.0;
  c.solute = _i % 2 == 0 ? "rigid" : "marked"; /* all of their pairs are excluded */
  half.solute = _i % 2 == 0 ? "rigid-half" : "marked-half";
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  alchemy_open(&plain, &half, ALCHEMY_WITHOUT_KEYS, 1, 1);
  removed_inside(&plain, &c, &tail);
  const double scale = 1.0 + fabs(alchemy_term(&plain, "self", 0)), energy = alchemy_energy(&plain, 0) - tail;
  ck_assert_double_eq_tol(alchemy_energy(&world, 0), energy, 1e-10 * scale);
  for (int t = 0; t < 6 && c.box != NULL; t++)
    ck_assert_double_eq_tol(alchemy_term(&world, same[t], 0), alchemy_term(&plain, same[t], 0),
                            1e-10 * scale);
  const int n = alchemy_forces(&world, 0, f);
  alchemy_forces(&plain, 0, g);
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(g[i]));
  for (int i = 0; i < n; i++)
    ck_assert_double_eq_tol(f[i], g[i], 1e-9 * most);
  alchemy_close(&plain);
  close_world();
}

/* Wherever a long solute is in the box, its sites see the nearest images. */
TEST(sites_see_the_nearest_images, .rows = 3)
{
  enum { PLACES = 20 };
  const AlchemyCase c = at_strengths(_i == 0 ? 8 : _i == 1 ? 11 : 13, 1.0, 1.0);
  AlchemyWorld plain;
  int seen = 0;
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  alchemy_open(&plain, &c, ALCHEMY_WITHOUT_KEYS, 1, 1);
  for (int k = 0; k < PLACES; k++) {
    const Team alone = team_alone();
    double x[ALCHEMY_ATOMS][3], f[3 * ALCHEMY_ATOMS], g[3 * ALCHEMY_ATOMS], most = 0.0;
    const int n = alchemy_positions(&c, 0, x), own = alchemy_shape[alchemy_shape_of(c.solute)].n;
    for (int i = n - own; i < n; i++)
      for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++)
          x[i][d] += fmod(k * (0.31 + 0.2 * e), 1.0) * world.state->box.h[e][d];
    topology_set(world.s->topology, world.state, STATE_POSITIONS, 0, &x[0][0]);
    topology_set(plain.s->topology, plain.state, STATE_POSITIONS, 0, &x[0][0]);
    if (force_field_compute(&plain.field, &alone, plain.state, NULL, &error) != STATUS_OK)
      continue; /* overlaps */
    alchemy_forces(&plain, 0, g);
    for (int i = 0; i < 3 * (n - own); i++)
      most = fmax(most, fabs(g[i]));
    if (most > 1e4)
      continue;
    alchemy_compute(&world);
    alchemy_forces(&world, 0, f);
    seen++;
    for (int i = 0; i < 3 * (n - own); i++)
      ck_assert_double_eq_tol(f[i], g[i], 1e-9 * (1.0 + most));
  }
  ck_assert_int_gt(seen, PLACES / 2);
  alchemy_close(&plain);
  close_world();
}

TEST(a_solute_longer_than_half_the_box_is_refused)
{
  const Team alone = team_alone();
  double x[ALCHEMY_ATOMS][3];
  const AlchemyCase c = at_strengths(11, 1.0, 1.0);
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  const int n = alchemy_positions(&c, 0, x);
  for (int d = 0; d < 3; d++)
    x[n - 1][d] = x[n - 5][d] + 3.5;
  topology_set(world.s->topology, world.state, STATE_POSITIONS, 0, &x[0][0]);
  alchemy_compute(&world);
  x[n - 1][0] = x[n - 5][0] + 8.6;
  topology_set(world.s->topology, world.state, STATE_POSITIONS, 0, &x[0][0]);
  ck_assert_int_eq(force_field_compute(&world.field, &alone, world.state, NULL, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "longer than half the box"));
  close_world();
}

/* Without strength the others are a system without the solute, which is a molecule in vacuum. */
TEST(without_strength_the_solute_is_in_vacuum, .rows = CASES)
{
  static const char *const same[] = {"lj", "lj_tail", "real", "real_tail", "reciprocal", "self", "coulomb"};
  const AlchemyCase c = at_strengths(_i, 0.0, 0.0);
  AlchemyCase vacuum = c;
  AlchemyWorld others, alone;
  double f[3 * ALCHEMY_ATOMS], g[3 * ALCHEMY_ATOMS], h[3 * ALCHEMY_ATOMS];
  vacuum.box = NULL;
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  alchemy_open(&others, &c, ALCHEMY_WITHOUT_SOLUTE, 1, 1);
  alchemy_open(&alone, &vacuum, ALCHEMY_ALONE, 1, 1);
  const double energy = alchemy_energy(&others, 0), inside = alchemy_energy(&alone, 0),
               scale = 1.0 + fabs(alchemy_term(&others, "self", 0));
  ck_assert_double_eq_tol(alchemy_energy(&world, 0), energy + inside, 1e-11 * scale);
  for (int t = 0; t < 7; t++)
    ck_assert_double_eq_tol(alchemy_term(&world, same[t], 0), alchemy_term(&others, same[t], 0),
                            1e-12 * scale);
  if (c.box == NULL)
    ck_assert_double_eq_tol(alchemy_term(&world, "solute_inside", 0), inside, 1e-12 * (1.0 + fabs(inside)));
  const int all = alchemy_forces(&world, 0, f), n = alchemy_forces(&others, 0, g);
  alchemy_forces(&alone, 0, h);
  for (int i = 0; i < all; i++) /* masses share the small net force of a mesh */
    ck_assert_double_eq_tol(f[i], i < n ? g[i] : h[i - n],
                            others.s->config->forces.coulomb == COULOMB_PME ? 3e-5 : 1e-11);
  alchemy_close(&alone);
  alchemy_close(&others);
  close_world();
}

/* --- energies at other strengths ------------------------------------------------------------------------ */

/* The slope dU/d(strength `which`) of replica r, by differences: in charges the energy is a parabola. */
static double slope_seen(int r, int which)
{
  double *const value = &world.value[ALCHEMY_STRENGTHS * r + which], there = *value,
                h = which == ALCHEMY_COULOMB ? 0.1 : 1e-3, e[4];
  for (int i = 0; i < 4; i++) {
    *value = there + h * (i < 2 ? i - 2 : i - 1);
    e[i] = alchemy_energy(&world, r);
  }
  *value = there;
  return (8.0 * (e[2] - e[1]) - (e[3] - e[0])) / (12.0 * h);
}

/* Answers are what forces say at these strengths, for positions that forces have not seen. */
static void check_answers(const AlchemyCase *c, double most, double slopes)
{
  const int width = world.state->width;
  double energy[STATES * WIDTH_MAX] = {0.0}, own[WIDTH_MAX] = {0.0},
                         slope[ALCHEMY_STRENGTHS * WIDTH_MAX] = {0.0}, x[ALCHEMY_ATOMS][3];
  alchemy_compute(&world);
  for (int r = 0; r < world.state->used; r++) {
    alchemy_positions(c, r + 3, x);
    topology_set(world.s->topology, world.state, STATE_POSITIONS, r, &x[0][0]);
  }
  const ParameterQuery query = {&world.parameters, STATES, &states[0][0], energy, own, slope};
  fine(force_field_respond(&world.field, world.state, &query, &error));
  for (int r = 0; r < world.state->used; r++) {
    const double s = world.value[ALCHEMY_STRENGTHS * r], l = world.value[ALCHEMY_STRENGTHS * r + 1],
                 here = alchemy_energy(&world, r);
    for (int which = 0; which < ALCHEMY_STRENGTHS && slopes > 0.0; which++) {
      const double seen = slope_seen(r, which);
      ck_assert_msg(fabs(slope[which * width + r] - seen) < slopes * (1.0 + fabs(seen)),
                    "replica %d at (%g, %g): slope %d is %.12g, by differences %.12g", r, s, l, which,
                    slope[which * width + r], seen);
    }
    for (int k = 0; k < STATES; k++) {
      alchemy_set(&world, r, states[k][0], states[k][1]);
      const double more = alchemy_energy(&world, r) - here, told = energy[k * width + r] - own[r];
      ck_assert_msg(fabs(told - more) < most * (1.0 + fabs(more)),
                    "replica %d at (%g, %g): %.14g more in state %d, by forces %.14g", r, s, l, told, k,
                    more);
    }
    alchemy_set(&world, r, s, l);
  }
}

TEST(answers_in_boxes_are_what_forces_say, .rows = STATES * (CASES - OPEN))
{
  const AlchemyCase c = at_strengths(OPEN + _i / STATES, states[_i % STATES][0], states[_i % STATES][1]);
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  check_answers(&c, 1e-9, 1e-7);
  close_world();
}

/* The mesh and other pairs have the precision of float, answers that of double. */
TEST(answers_beside_a_mixed_precision, .rows = 2 * (CASES - OPEN))
{
  AlchemyCase c = at_strengths(OPEN + _i / 2, states[_i % 2 * 3][0], states[_i % 2 * 3][1]);
  c.mixed = true;
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  check_answers(&c, 1e-4, 0.0);
  close_world();
}

/* Each replica of a batch has a state of its own. */
TEST(answers_in_open_space_are_what_forces_say, .rows = 3 * OPEN)
{
  static const int widths[3] = {1, 8, 16};
  const int width = widths[_i % 3], used = width > 1 ? width - 2 : 1;
  const AlchemyCase c = at_strengths(_i / 3, 0.7, 0.9);
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, width, used);
  for (int r = 0; r < used && width > 1; r++)
    alchemy_set(&world, r, states[r % STATES][0], states[r % STATES][1]);
  check_answers(&c, 1e-11, 1e-8);
  close_world();
}

/* --- other boxes ---------------------------------------------------------------------------------------- */

typedef struct Found {
  double energy[FORCE_TERMS * FORCES_MAX], f[3 * ALCHEMY_ATOMS], virial[3][3];
  double told[STATES], own, slope[ALCHEMY_STRENGTHS];
} Found;

static void find(Found *to)
{
  const ParameterQuery query = {&world.parameters, STATES, &states[0][0], to->told, &to->own, to->slope};
  memset(world.virial, 0, sizeof world.virial);
  alchemy_compute(&world);
  memcpy(to->energy, world.energy, sizeof to->energy);
  memcpy(to->virial, world.virial, sizeof to->virial);
  alchemy_forces(&world, 0, to->f);
  fine(force_field_respond(&world.field, world.state, &query, &error));
}

/* A force that changes its box has the bits of one that is made for it. */
TEST(a_changed_box_is_that_of_a_new_force, .first = OPEN, .rows = CASES - OPEN)
{
  Found changed = {.own = 0.0}, made = {.own = 0.0};
  double x[3 * ALCHEMY_ATOMS] = {0.0}, edge[3][3];
  Box box;
  alchemy_open(&world, &cases[_i], ALCHEMY_AS_IT_IS, 1, 1);
  alchemy_compute(&world);
  topology_get(world.s->topology, world.state, STATE_POSITIONS, 0, x);
  for (int i = 0; i < 3 * ALCHEMY_ATOMS; i++)
    x[i] *= 1.02;
  topology_set(world.s->topology, world.state, STATE_POSITIONS, 0, x);
  for (int i = 0; i < 9; i++)
    edge[i / 3][i % 3] = 1.02 * world.state->box.h[i / 3][i % 3];
  fine(box_set(&box, (const double(*)[3])edge, &error));
  fine(force_field_set_box(&world.field, world.state, &box, &error));
  find(&changed);
  force_field_free(&world.field);
  alchemy_fields(&world);
  find(&made);
  ck_assert_mem_eq(&changed, &made, sizeof made);
  close_world();
}

/* --- the mesh ------------------------------------------------------------------------------------------- */

/* Charges s q of the solute make the energy a parabola in s. */
TEST(the_energy_of_charges_is_a_parabola, .first = OPEN, .rows = CASES - OPEN)
{
  const AlchemyCase c = at_strengths(_i, 1.0, 1.0);
  double e[5];
  alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
  for (int k = 0; k < 5; k++) {
    alchemy_set(&world, 0, 0.25 * k, 1.0);
    e[k] = alchemy_energy(&world, 0);
  }
  ck_assert_double_gt(fabs(e[4] - e[0]), 1e-3);
  for (int k = 0; k < 2; k++)
    ck_assert_double_eq_tol(e[k + 3] - 3.0 * e[k + 2] + 3.0 * e[k + 1] - e[k], 0.0,
                            3e-9); /* sums are exact to 2^-32 */
  close_world();
}

/* What the charges cost does not depend on the splitting of the Ewald sum. */
TEST(the_splitting_is_in_no_difference, .rows = 3)
{
  static const char *const solute[] = {"flexible", "rigid", "marked"};
  double first = 0.0;
  for (int k = 0; k < 4; k++) {
    char keys[128];
    snprintf(keys, sizeof keys,
             "by: atom, cutoff: 8.4 A, coulomb: pme, beta: %g, order: 6, grid: 72, tail: false",
             0.46 + 0.04 * k);
    const AlchemyCase c = {solute[_i], "tip4p", ALCHEMY_WIDE, keys, "", 1.0, 1.0};
    alchemy_open(&world, &c, ALCHEMY_AS_IT_IS, 1, 1);
    double change = alchemy_energy(&world, 0);
    alchemy_set(&world, 0, 0.0, 1.0);
    change -= alchemy_energy(&world, 0);
    first = k == 0 ? change : first;
    ck_assert_double_gt(fabs(change), 1e-3);
    ck_assert_double_eq_tol(change, first, 5e-6);
    close_world();
  }
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return program_main("alchemy");
}
