/* Parameters of the Hamiltonian in forces: restraints whose constants differ from replica to replica, slopes
 * dU/dparameter, energies at other values; restraints of coordinates as forces. */
#include "forcefields/bias.h"
#include "forcefields/restraint.h"
#include "formula/expression.h"
#include "tests/butane.h"
#include "tests/force_laws.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { MOLECULES = 11, ATOMS = MOLECULES * BUTANE_ATOMS, ALL = 3 * ATOMS };
enum { SPRINGS = 4, VALUES = 2 * SPRINGS + 1, REPLICAS = 16 };

/* Constants and centres of a distance, a distance of centres of mass, an angle and a dihedral angle; then the
 * constant of position restraints. */
static const double standard[VALUES] = {3.0, 2.0, 1.5, 4.0, 40.0, 80.0, 9.0, 170.0, 2.5};
static const char *const names[VALUES] = {"a.k",      "a.centre", "b.k",      "b.centre", "c.k",
                                          "c.centre", "d.k",      "d.centre", "e.k"};

typedef struct World {
  Topology *topology;
  State *state;
  ForceField field;
  Parameters parameters;
  double value[REPLICAS * VALUES];
  double energy[2 * WIDTH_MAX], virial[3][3];
} World;

static void make_forces(World *w)
{
  static const int one[] = {0}, other[] = {3}, left[] = {4, 9, 5}, right[] = {14, 17}, bend[] = {2, 1, 6},
                   turn[] = {8, 9, 10, 11};
  const BiasInput list[SPRINGS] = {
      {.n = 1, .on = {{COORDINATE_DISTANCE, {1, 1}, {one, other}}}, .constant = {3.0, 2.0}, .parameter = 1},
      {.n = 1, .on = {{COORDINATE_DISTANCE, {3, 2}, {left, right}}}, .constant = {1.5, 4.0}, .parameter = 3},
      {.n = 1,
       .on = {{COORDINATE_COSINE, {1, 1, 1}, {bend, bend + 1, bend + 2}}},
       .constant = {40.0, 80.0},
       .parameter = 5},
      {.n = 1,
       .on = {{COORDINATE_DIHEDRAL, {1, 1, 1, 1}, {turn, turn + 1, turn + 2, turn + 3}}},
       .constant = {9.0, 170.0},
       .parameter = 7}};
  const Restraint points[2] = {{.atom = 7, .k = {2.5, 2.5, 2.5}, .offset = {1, 0, 2}, .parameter = 9},
                               {.atom = 20, .k = {2.5, 2.5, 2.5}, .flat = 0.4, .parameter = 9}};
  Error error = {0};
  w->parameters = (Parameters){VALUES, REPLICAS, names, NULL, standard, w->value};
  ck_assert_msg(bias_create(&w->field.force[0], w->topology, SPRINGS, list, true, &w->parameters, w->state,
                            &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_msg(restraint_create(&w->field.force[1], w->topology, 2, points, &w->parameters, w->state,
                                 &error) == STATUS_OK,
                "%s", error.text);
  w->field.n = 2;
}

/* Replica r has constants of its own, and positions of its own; a state of width 1 holds `replica`. */
static void create(World *w, int width, int replica, bool boxed)
{
  static const int four[4] = {0, 0, 1, 1};
  const Kind *const kind[2] = {&butane_methyl, &butane_methylene};
  const TopologyMolecules sort = {"butane", MOLECULES, 4, four, NULL};
  const int lanes[2] = {2 * MOLECULES, 2 * MOLECULES};
  double x[ALL];
  memset(w, 0, sizeof *w);
  ck_assert_int_eq(topology_create(&w->topology, 2, kind, lanes, 1, &sort, NULL), STATUS_OK);
  ck_assert_int_eq(topology_state(w->topology, width, 1, (uint32_t)replica, &w->state, NULL), STATUS_OK);
  w->state->box = boxed ? box_brick(27.0, 29.0, 31.0) : (Box){0};
  for (int i = 0; i < REPLICAS * VALUES; i++)
    w->value[i] = standard[i % VALUES] * (1.0 + 0.03 * (i / VALUES % 5) + 0.01 * (i % 3));
  for (int r = 0; r < width; r++) {
    RandomStream stream = random_stream(3, (uint32_t)(replica + r), RANDOM_TEST);
    for (int m = 0; m < MOLECULES; m++)
      butane_place(m, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
    for (int i = 0; i < ALL; i++)
      x[i] += 0.2 * random_normal(&stream);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x);
  }
  make_forces(w);
}

static void destroy(World *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  topology_free(w->topology);
}

static double energy_of(World *w, int r)
{
  const int width = w->state->width;
  const ForceSums sums = {w->energy, width == 1 ? w->virial : NULL};
  ck_assert_int_eq(team_forces(&w->field, w->state, 1, 2, &sums, NULL), STATUS_OK);
  return w->energy[r] + w->energy[width + r];
}

TEST(forces_are_minus_the_gradient, .rows = 2)
{
  World w;
  double x[ALL], f[ALL], sum = 0.0, trace = 0.0;
  create(&w, 1, 3, _i == 1);
  topology_get(w.topology, w.state, STATE_POSITIONS, 0, x);
  for (int i = 0; i < 3 && _i == 1; i++) /* an atom one edge on is the same atom */
    x[3 * 3 + i] += (27.0 + 2.0 * i) * (i - 1);
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
  const double all = energy_of(&w, 0);
  ck_assert_double_gt(all, 5.0);
  topology_get(w.topology, w.state, STATE_FORCES, 0, f);
  int acted = 0;
  for (int i = 0; i < ALL; i++) {
    double energy[2];
    const double there = x[i], h = 1e-5;
    for (int k = 0; k < 2; k++) {
      x[i] = there + (k == 0 ? -h : h);
      topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
      energy[k] = energy_of(&w, 0);
    }
    x[i] = there;
    ck_assert_double_eq_tol((energy[0] - energy[1]) / (2.0 * h), f[i], 1e-6 * (1.0 + fabs(f[i])));
    acted += f[i] != 0.0;
    sum += x[i] * f[i];
  }
  ck_assert_int_ge(acted, 3 * 14);
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
  (void)energy_of(&w, 0);
  for (int d = 0; d < 3; d++)
    trace += w.virial[d][d];
  if (_i == 0)
    ck_assert_double_eq_tol(trace, sum, 1e-9 * fabs(sum));
  destroy(&w);
}

/* A replica of a batch has the energy and the forces of a system of its own. */
TEST(replicas_have_constants_of_their_own, .rows = 2)
{
  const int width = 8 + 8 * _i;
  World batch;
  create(&batch, width, 0, false);
  for (int r = 0; r < width; r++) {
    World w;
    double f[ALL], g[ALL];
    create(&w, 1, r, false);
    ck_assert_double_eq_tol(energy_of(&w, 0), energy_of(&batch, r), 1e-11);
    topology_get(w.topology, w.state, STATE_FORCES, 0, f);
    topology_get(batch.topology, batch.state, STATE_FORCES, r, g);
    for (int i = 0; i < ALL; i++)
      ck_assert_double_eq_tol(f[i], g[i], 1e-10);
    destroy(&w);
  }
  destroy(&batch);
}

/* Answers to queries are the energies and the slopes that forces have when the values are set. */
TEST(answers_are_what_forces_say_at_the_values, .rows = 3)
{
  const int width = _i == 0 ? 1 : 8 * _i;
  World w;
  double set[2 * VALUES], energy[2 * WIDTH_MAX] = {0.0}, own[WIDTH_MAX] = {0.0},
                                     slope[VALUES * WIDTH_MAX] = {0.0};
  create(&w, width, 0, false);
  for (int i = 0; i < 2 * VALUES; i++)
    set[i] = standard[i % VALUES] * (i < VALUES ? 0.8 : 1.3);
  const ParameterQuery query = {&w.parameters, 2, set, energy, own, slope};
  ck_assert_int_eq(force_field_respond(&w.field, w.state, &query, NULL), STATUS_OK);
  for (int r = 0; r < width; r++) {
    double *const value = w.value + (ptrdiff_t)r * VALUES;
    ck_assert_double_eq_tol(own[r], energy_of(&w, r), 1e-10);
    for (int p = 0; p < VALUES; p++) {
      const double there = value[p], h = 1e-5 * there;
      value[p] = there - h;
      const double below = energy_of(&w, r);
      value[p] = there + h;
      const double slope_seen = (energy_of(&w, r) - below) / (2.0 * h);
      value[p] = there;
      ck_assert_double_eq_tol(slope_seen, slope[p * width + r], 1e-7 * (1.0 + fabs(slope_seen)));
    }
    for (int s = 0; s < 2; s++) {
      memcpy(value, set + (ptrdiff_t)s * VALUES, VALUES * sizeof *value);
      ck_assert_double_eq_tol(energy[s * width + r], energy_of(&w, r), 1e-10);
    }
  }
  destroy(&w);
}

/* A dihedral angle and its centre differ by half a turn at most. */
TEST(dihedral_angles_go_round)
{
  World w;
  create(&w, 1, 0, false);
  const double before = energy_of(&w, 0);
  w.value[7] += 360.0;
  ck_assert_double_eq_tol(energy_of(&w, 0), before, 1e-9);
  destroy(&w);
}

static World law;

/* Restraints of coordinates alone: the second force, of points, conserves no momentum. */
static ForceSystem open_law(int which, int width, int used)
{
  create(&law, width, 0, which == 1);
  state_use(law.state, used);
  law.field.force[1].ops->free(law.field.force[1].self);
  law.field.n = 1;
  return (ForceSystem){&law.field, law.state};
}

/* One spring on a row of coordinates.def, whose first two sites have several atoms; of any number of sites on
 * these, of three molecules. Odd numbers: in a box. */
static ForceSystem open_spring(const CoordinateInput *on, int which, int width, int used)
{
  const bool angle = coordinate_types[on->form].angle;
  const BiasInput spring = {.n = 1, .on = {*on}, .constant = {angle ? 30.0 : 3.0, angle ? 70.0 : 1.5}};
  const ForceSystem system = open_law(which % 2, width, used);
  law.field.force[0].ops->free(law.field.force[0].self);
  ck_assert_int_eq(bias_create(&law.field.force[0], law.topology, 1, &spring, true, NULL, law.state, NULL),
                   STATUS_OK);
  return system;
}

static const int left[] = {0, 6, 2}, right[] = {8, 3}, many[] = {0, 2, 5, 6, 3, 8, 11, 1};

/* A reference that is not in the box, which is open. */
static double reference[3 * ATOMS];

static void make_reference(void)
{
  for (int i = 0; i < 3 * ATOMS; i++)
    reference[i] = 2.0 * sin(1.7 * i) + i % 4;
}

/* A formula of a distance of centres, a radius of gyration, a coordination number, and a formula of an angle
 * and a dihedral angle. */
static CoordinateInput formula_input(void)
{
  static const char *const outer[] = {"d", "g", "n", "f"}, *const inner[] = {"b", "phi"};
  static const CoordinateInput angles[] = {
      {COORDINATE_COSINE, {3, 2, 1}, {left, right, many + 2}},
      {COORDINATE_DIHEDRAL, {3, 2, 1, 1}, {left, right, many + 2, many + 6}}};
  static CoordinateInput parts[] = {
      {COORDINATE_DISTANCE, {3, 2}, {left, right}},
      {COORDINATE_GYRATION, {8}, {many}},
      {COORDINATE_COORDINATION, {3, 5}, {many, many + 3}, .contacts = {3.0, 6, 12}},
      {COORDINATE_FORMULA, .nchild = 2, .child = angles}};
  static Expression *formula[2];
  const ExpressionNames known[] = {{.nvar = 4, .var = outer}, {.nvar = 2, .var = inner}};
  const char *const text[] = {"0.3*d - g^2/10 + n*f", "b + sin(phi)*cos(2*phi)"};
  for (int i = 0; i < 2 && formula[i] == NULL; i++)
    ck_assert_int_eq(expression_parse(&formula[i], text[i], &known[i], NULL), STATUS_OK);
  parts[3].formula = formula[1];
  return (CoordinateInput){COORDINATE_FORMULA, .formula = formula[0], .nchild = 4, .child = parts};
}

static ForceSystem open_row(int which, int width, int used)
{
  const CoordinateForm form = (CoordinateForm)(which / 2);
  CoordinateInput on = {form, {3, 2, 1, 1}, {left, right, many + 2, many + 6}, .contacts = {3.0, 6, 12}};
  if (coordinate_types[form].composed)
    on = formula_input();
  else if (coordinate_types[form].pairs)
    on = (CoordinateInput){form, {3, 5}, {many, many + 3}, .contacts = {3.0, 6, 12}};
  else if (coordinate_sites(form) == 0)
    on = (CoordinateInput){form, {8}, {many}, .reference = reference};
  return open_spring(&on, which, width, used);
}

/* Rows with keys of their own; an atom may be in both selections. */
static ForceSystem open_keys(int which, int width, int used)
{
  static const CoordinateInput rows[] = {
      {COORDINATE_POSITION, {3}, {left}, .axis = 1},
      {COORDINATE_HEIGHT, {3, 2}, {left, right}, .axis = 2},
      {COORDINATE_COORDINATION, {5, 5}, {many, many + 3}, .contacts = {4.0, 3, 7}}};
  return open_spring(&rows[which / 2], which, width, used);
}

/* Two walls on a distance: it is between them, so that both act. */
static ForceSystem open_walls(int which, int width, int used)
{
  const CoordinateInput on = {COORDINATE_DISTANCE, {3, 2}, {left, right}};
  const BiasInput walls[] = {{.form = BIAS_WALL, .n = 1, .on = {on}, .constant = {3.0, 1.0}},
                             {.form = BIAS_WALL, .n = 1, .on = {on}, .constant = {2.0, 9.0}, .below = true},
                             {.form = BIAS_WALL, .n = 1, .on = {on}, .constant = {5.0, 90.0}},
                             {.form = BIAS_WALL, .n = 1, .on = {on}, .constant = {5.0, 0.0}, .below = true}};
  const ForceSystem system = open_law(which % 2, width, used);
  law.field.force[0].ops->free(law.field.force[0].self);
  ck_assert_int_eq(bias_create(&law.field.force[0], law.topology, 4, walls, false, NULL, law.state, NULL),
                   STATUS_OK);
  return system;
}

static void close_law(void) { destroy(&law); }

#define LAW(row, way, number, ...)                                                                           \
  {                                                                                                          \
    .name = row, .open = way, .close = close_law, .which = number, .gradient = 1e-8, .strain = 1e-7,         \
    __VA_ARGS__                                                                                              \
  }
static const ForceRow forces[] = {
#define KEPT(motions)                                                                                        \
  .net = COORDINATE_##motions == COORDINATE_NOTHING ? 0.0 : 1e-12,                                           \
  .symmetric = COORDINATE_##motions == COORDINATE_MOTIONS
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, one, heading, bonded, motions, ...)  \
  LAW(#id ", open", open_row, 2 * COORDINATE_##FORM,                                                         \
      .torque = COORDINATE_##motions == COORDINATE_MOTIONS ? 1e-11 : 0.0, KEPT(motions)),                    \
      LAW(#id ", box", open_row, 2 * COORDINATE_##FORM + 1, KEPT(motions)),
#include "engine/coordinates.def"
    LAW("walls, open", open_walls, 0, .torque = 1e-11, KEPT(MOTIONS)),
    LAW("walls, box", open_walls, 1, KEPT(MOTIONS)),
    LAW("position along x, open", open_keys, 0, KEPT(NOTHING)),
    LAW("height along y, open", open_keys, 2, KEPT(SHIFTS)),
    LAW("coordination of shared atoms, open", open_keys, 4, .torque = 1e-11, KEPT(MOTIONS)),
    LAW("coordination of shared atoms, box", open_keys, 5, KEPT(MOTIONS)),
    LAW("coordinates, open", open_law, 0, .torque = 1e-11, KEPT(MOTIONS)),
    LAW("coordinates, box", open_law, 1, KEPT(MOTIONS))};

TEST(what_is_no_restraint_of_a_coordinate_is_refused)
{
  static const int here[] = {0}, nowhere[] = {ATOMS};
  static const BiasInput wrong[] = {
      {.n = 1,
       .on = {{COORDINATE_DISTANCE, {1, 1}, {here, nowhere}}},
       .constant = {1.0, 1.0},
       .parameter = 0},
      {.n = 1, .on = {{COORDINATE_DISTANCE, {1, 0}, {here, here}}}, .constant = {1.0, 1.0}, .parameter = 0},
      {.n = 1, .on = {{COORDINATE_DISTANCE, {1, 1}, {here, here}}}, .constant = {-1.0, 1.0}, .parameter = 0},
      {.n = 1, .on = {{COORDINATE_DISTANCE, {1, 1}, {here, here}}}, .constant = {1.0, NAN}, .parameter = 0}};
  World w;
  Force force;
  create(&w, 1, 0, false);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_int_eq(bias_create(&force, w.topology, 1, &wrong[i], true, NULL, w.state, NULL), STATUS_INPUT);
  destroy(&w);
}

int main(void)
{
  make_reference();
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("parameters");
}
