/* The wall: its force is minus the gradient, its Hessian that of its force, tail lanes feel nothing. */
#include "forcefields/wall.h"
#include "forcefields/water.h"
#include "tests/filling.h"
#include "tests/force_laws.h"
#include "tests/scenes_random.h"
#include "tests/suite.h"

enum { N = 9 };
static const int widths[3] = {1, 8, 16};
static const double stiffness = 7.0, radius = 4.0;

typedef struct Walled {
  Kind *kind;
  State *state;
  ForceField field;
  double x[9 * N];
} Walled;

static Walled make(int width)
{
  Walled w = {.field.n = 1};
  Error error = {0};
  const int nmol = N;
  ck_assert_int_eq(water_kind(water_find("spc"), 15.9994, 1.008, &w.kind, &error), STATUS_OK);
  const Kind *kind = w.kind;
  ck_assert_int_eq(state_create(&w.state, width, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(wall_create(&w.field.force[0], stiffness, radius, w.state, &error), STATUS_OK);
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
  Walled w = make(widths[_i]);
  double f[9 * N];
  for (int r = 0; r < widths[_i]; r++)
    compute(&w, r, f);
  filling_check(&w.field, w.state);
  free_scene(&w);
}

/* The energy that one writes down. */
TEST(energy)
{
  Walled w = make(1);
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
  (void)which;
  law = make(width);
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
    .name = "wall", .open = open_law, .close = close_law, .gradient = 1e-7, .hessian = 1e-7, .h = 1e-4,      \
    __VA_ARGS__                                                                                              \
  }
static const ForceRow forces[] = {LAW(.width = 1), LAW(.width = 8, .used = 5, .alone = 1e-15),
                                  LAW(.width = 16, .alone = 1e-15)};

TEST(bad_input_is_refused)
{
  Walled w = make(8);
  Force force;
  Error error;
  ck_assert_int_eq(wall_create(&force, -1.0, radius, w.state, &error), STATUS_INPUT);
  ck_assert_int_eq(wall_create(&force, 1.0, NAN, w.state, &error), STATUS_INPUT);
  free_scene(&w);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("wall");
}
