/* Forces that the options of a field turn on: each is minus the gradient, its Hessian that of its force, tail
 * lanes feel nothing. */
#include "forcefields/field.h"
#include "forcefields/wall.h"
#include "forcefields/water.h"
#include "tests/filling.h"
#include "tests/force_laws.h"
#include "tests/scenes_random.h"
#include "tests/suite.h"

enum { N = 9 };
static const int widths[3] = {1, 8, 16};
#define stiffness 7.0
#define radius    4.0

typedef struct Walled {
  Kind *kind;
  State *state;
  ForceField field;
  double x[9 * N];
} Walled;

/* What turns each on. */
static const FieldOptions turned_on[] = {{.wall = {radius, stiffness}}};

static Walled make(int which, int width)
{
  Walled w = {.field.n = 0};
  FieldRow row;
  Error error = {0};
  const int nmol = N;
  ck_assert_int_eq(water_kind(water_find("spc"), 15.9994, 1.008, &w.kind, &error), STATUS_OK);
  const Kind *kind = w.kind;
  ck_assert_int_eq(state_create(&w.state, width, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  const FieldInput input = {.options = turned_on[which]};
  ck_assert_int_eq(field_create(&w.field, &input, w.state, &row, &error), STATUS_OK);
  ck_assert_int_eq(w.field.n, 1);
  scenes_random(kind, N, 5, 0.0, w.x);
  return w;
}

static void free_scene(Walled *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  kind_free(w->kind);
}

/* Energy and forces of lane r with its positions at x. */
static double compute(Walled *w, int r, double *f)
{
  const Team team = team_alone();
  double energy[WIDTH_MAX];
  Block *block = &w->state->block[0];
  state_set(block, w->state->width, block->q, r, w->x);
  ck_assert_int_eq(force_field_compute(&w->field, &team, w->state, &(ForceSums){energy, NULL}, NULL),
                   STATUS_OK);
  state_get(block, w->state->width, block->f, r, f);
  return energy[r];
}

TEST(the_first_force_fills, .rows = 3)
{
  Walled w = make(0, widths[_i]);
  double f[9 * N];
  for (int r = 0; r < widths[_i]; r++)
    compute(&w, r, f);
  filling_check(&w.field, w.state);
  free_scene(&w);
}

/* The energy that one writes down. */
TEST(energy)
{
  Walled w = make(0, 1);
  double f[9 * N], want = 0.0;
  int outside = 0;
  for (int m = 0; m < N; m++) {
    const double *o = w.x + 9 * m, far = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    if (far > radius) {
      want += 0.5 * stiffness * (far - radius) * (far - radius);
      outside++;
    }
  }
  ck_assert(outside > 0 && outside < N);
  ck_assert_double_eq_tol(compute(&w, 0, f), want, 1e-12 * want);
  free_scene(&w);
}

static Walled law;

static ForceSystem open_law(int which, int width, int used)
{
  law = make(which, width);
  state_use(law.state, used);
  for (int r = 0; r < used; r++) {
    Block *block = &law.state->block[0];
    scenes_random(law.kind, N, 5 + (unsigned long)r, 0.0, law.x);
    state_set(block, width, block->q, r, law.x);
  }
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { free_scene(&law); }

#define LAW(...)                                                                                             \
  {                                                                                                          \
    .open = open_law, .close = close_law, .gradient = 1e-7, .hessian = 1e-7, .h = 1e-4, __VA_ARGS__          \
  }
#define LAWS(title, number)                                                                                  \
  LAW(.name = title, .which = (number), .width = 1),                                                         \
      LAW(.name = title, .which = (number), .width = 8, .used = 5, .alone = 1e-15),                          \
      LAW(.name = title, .which = (number), .width = 16, .alone = 1e-15)
static const ForceRow forces[] = {LAWS("wall", 0)};

TEST(bad_input_is_refused)
{
  Walled w = make(0, 8);
  Force force;
  Error error;
  ck_assert_int_eq(wall_create(&force, -1.0, radius, w.state, &error), STATUS_INPUT);
  ck_assert_int_eq(wall_create(&force, 1.0, NAN, w.state, &error), STATUS_INPUT);
  free_scene(&w);
}

/* An error says whose it is, and what was made before it stays the field's. */
TEST(an_error_names_its_force)
{
  Walled w = make(0, 8);
  Error error;
  FieldRow row;
  const FieldInput input = {.options.wall = {radius, -1.0}, .inside = true};
  ck_assert_int_eq(field_create(&w.field, &input, w.state, &row, &error), STATUS_INPUT);
  ck_assert_int_eq(row, FIELD_wall);
  ck_assert_int_eq(w.field.n, 2);
  ck_assert_str_eq(w.field.force[0].ops->name, "wall");
  ck_assert_str_eq(w.field.force[1].ops->name, "internal");
  free_scene(&w);
}

/* A field holds so many forces, and no more. */
TEST(a_full_field_is_refused)
{
  Walled w = make(0, 8);
  Error error;
  FieldRow row;
  const FieldInput input = {.options = turned_on[0]};
  while (w.field.n < FORCES_MAX)
    ck_assert_int_eq(field_create(&w.field, &input, w.state, &row, &error), STATUS_OK);
  ck_assert_int_eq(field_create(&w.field, &input, w.state, &row, &error), STATUS_INPUT);
  ck_assert_int_eq(w.field.n, FORCES_MAX);
  free_scene(&w);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("wall");
}
