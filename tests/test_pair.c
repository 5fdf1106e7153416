/* The pair force: every route on every instruction set against plain double loops, and laws. */
#include "forcefields/pair.h"
#include "forcefields/pair_kernels.h"
#include "tests/filling.h"
#include "tests/force_laws.h"
#include "tests/norms.h"
#include "tests/pair_reference.h"
#include "tests/scenes_random.h"
#include "tests/shorter.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { MODELS = 14, WIDTHS = 3, NMOL_MAX = 100 };
static const int widths[WIDTHS] = {1, 8, 16};
static const int sizes[] = {1, 2, 7, 8, 9, 16, 17, 40, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void make_cluster(const Kind *kind, int nmol, int replica, double *x)
{
  scenes_random(kind, nmol, 1 + (unsigned long)replica, 0.02, x);
}

typedef struct System {
  Kind *kind;
  State *state;
  ForceField field;
} System;

static System make_system(const WaterModel *model, int nmol, int width, PairPrecision precision, Isa isa)
{
  System s = {.field.n = 1};
  Error error = {0};
  ck_assert_int_eq(water_kind(model, 15.9994, 1.008, &s.kind, &error), STATUS_OK);
  const Kind *kind = s.kind;
  ck_assert_int_eq(state_create(&s.state, width, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_msg(pair_create(&s.field.force[0], model, precision, s.state, isa, &error) == STATUS_OK, "%s",
                error.text);
  double x[9 * NMOL_MAX];
  for (int r = 0; r < width; r++) {
    make_cluster(kind, nmol, r, x);
    state_set(&s.state->block[0], width, s.state->block[0].q, r, x);
  }
  return s;
}

static void free_system(System *s)
{
  force_field_free(&s->field);
  state_free(s->state);
  kind_free(s->kind);
}

static void compute(System *s, double *energy)
{
  const Team team = team_alone();
  ck_assert_int_eq(force_field_compute(&s->field, &team, s->state, &(ForceSums){energy, NULL}, NULL),
                   STATUS_OK);
}

static size_t force_bytes(const State *state) { return (size_t)state->block[0].npack * 9 * sizeof(Vec8); }

static bool same_bits(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

/* --- every route against the reference -------------------------------------------------------------------
 */

static void check_route(const WaterModel *model, int nmol, int width, PairPrecision precision, Isa isa)
{
  System s = make_system(model, nmol, width, precision, isa);
  const Block *block = &s.state->block[0];
  double energy[PAIR_TERMS * WIDTH_MAX], x[9 * NMOL_MAX], f[9 * NMOL_MAX], want[9 * NMOL_MAX];
  double want_energy[PAIR_TERMS], diff[9 * NMOL_MAX];
  const double tolerance = precision == PAIR_DOUBLE ? 1e-12 : 2e-6;
  compute(&s, energy);
  for (int r = 0; r < width; r++) {
    state_get(block, width, block->q, r, x);
    state_get(block, width, block->f, r, f);
    pair_reference(model, nmol, x, want, want_energy);
    for (int i = 0; i < 9 * nmol; i++)
      diff[i] = f[i] - want[i];
    ck_assert_msg(rms(9 * nmol, diff, NULL) <= tolerance * rms(9 * nmol, want, NULL),
                  "%s N=%d width %d %s precision %d: forces off by %g", model->name, nmol, width,
                  isa_name(isa), precision, rms(9 * nmol, diff, NULL) / rms(9 * nmol, want, NULL));
    /* terms of both signs cancel in the sum */
    for (int t = 0; t < PAIR_TERMS; t++)
      ck_assert_double_eq_tol(energy[t * width + r], want_energy[t], 1e-12 * (1.0 + 20.0 * nmol));
  }
  /* the bits do not depend on whether the energy is asked for, and tail lanes feel nothing */
  Vec8 *kept = aligned_alloc(sizeof(Vec8), force_bytes(s.state));
  memcpy(kept, block->f, force_bytes(s.state));
  compute(&s, NULL);
  ck_assert(same_bits(kept, block->f, force_bytes(s.state)));
  for (int p = 0; p < block->npack; p++)
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < 9 && block->active[p][l] == 0.0; i++)
        ck_assert_double_eq(block->f[9 * p + i][l], 0.0);
  free(kept);
  free_system(&s);
}

TEST(routes_agree_with_reference, .rows = MODELS, .all_sets = true)
{
  for (Isa isa = shorter_first_set(); isa < ISA_COUNT; isa++)
    for (int w = 0; w < WIDTHS && isa_runs(isa); w++)
      for (int n = 0; n < SIZES; n++)
        for (PairPrecision p = PAIR_DOUBLE; p <= PAIR_MIXED; p++)
          check_route(&water_models[_i], sizes[n], widths[w], p, isa);
}

/* --- the reference itself: forces are minus the gradient, momentum and angular momentum are kept -------- */

static double total(const WaterModel *model, int nmol, const double *x)
{
  double e[PAIR_TERMS];
  pair_reference(model, nmol, x, NULL, e);
  return e[0] + e[1];
}

TEST(reference_is_gradient, .rows = MODELS)
{
  enum { N = 5 };
  const WaterModel *model = &water_models[_i];
  Kind *kind;
  ck_assert_int_eq(water_kind(model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  double x[9 * N], f[9 * N], diff[9 * N], energy[PAIR_TERMS];
  make_cluster(kind, N, 0, x);
  pair_reference(model, N, x, f, energy);
  const double h = 2e-3;
  for (int i = 0; i < 9 * N; i++) {
    const double at = x[i];
    double e[4];
    for (int k = 0; k < 4; k++) {
      x[i] = at + h * (k - 1.5);
      e[k] = total(model, N, x);
    }
    /* fourth order at +-h/2, +-3h/2 */
    diff[i] = f[i] + (27.0 * (e[2] - e[1]) - (e[3] - e[0])) / (24.0 * h);
    x[i] = at;
  }
  ck_assert_double_lt(rms(9 * N, diff, NULL), 1e-7 * rms(9 * N, f, NULL));
  kind_free(kind);
}

/* --- laws of the kernels ---------------------------------------------------------------------------------
 */

static System law;

/* which: the model, the number of molecules, the precision and the instruction set. */
static ForceSystem open_law(int which, int width, int used)
{
  law = make_system(&water_models[which % MODELS], sizes[which / MODELS % SIZES], width,
                    (PairPrecision)(which / (MODELS * SIZES) % 2), (Isa)(which / (2 * MODELS * SIZES)));
  state_use(law.state, used);
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { free_system(&law); }

enum { LAWS = 3 * MODELS * WIDTHS * 2 * ISA_COUNT };

/* Every model, width, precision and set with seven molecules; three models by teams, those with any number.
 */
static int fill_laws(ForceRow row[LAWS])
{
  int n = 0;
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++)
    for (int i = 0; i < MODELS * SIZES * 2 && isa_runs((Isa)isa); i++)
      for (int w = 0; w < WIDTHS; w++) {
        const int size = i / MODELS % SIZES;
        const bool mixed = i / (MODELS * SIZES), seven = sizes[size] == 7;
        if (!seven && (w > 0 || i % MODELS > 2 || isa != (int)isa_best()))
          continue;
        row[n++] =
            (ForceRow){.name = water_models[i % MODELS].name,
                       .open = open_law,
                       .close = close_law,
                       .which = i + isa * 2 * MODELS * SIZES,
                       .width = widths[w],
                       .stride = 5,
                       .threads = w > 0 || i % MODELS > 2 ? 1 : 3,
                       .gradient = seven && !mixed ? 1e-7 : 0.0,
                       .hessian = seven && !mixed && (w == 0 || (w == 1 && i % MODELS < 2)) ? 1e-7 : 0.0,
                       .net = mixed ? 2e-5 : 1e-11,
                       .torque = mixed ? 2e-4 : 1e-10,
                       .alone = seven ? (mixed ? 1e-5 : 1e-12) : 0.0};
      }
  return n;
}

/* Sizes with a tail, an odd number of packs, and a single molecule. */
TEST(the_first_force_fills, .rows = MODELS)
{
  for (int i = 0; i < WIDTHS; i++)
    for (int k = 0; k < 4; k++)
      for (int p = 0; p < 2; p++) {
        System s = make_system(&water_models[_i], (const int[]){1, 7, 8, 17}[k], widths[i],
                               p == 0 ? PAIR_DOUBLE : PAIR_MIXED, isa_best());
        filling_check(&s.field, s.state);
        free_system(&s);
      }
}

TEST(wrong_shapes_are_refused)
{
  static const double mass[1] = {1.0}, reference[3] = {0.0};
  static const char *const site[1] = {"Ar"};
  const Kind argon = {"argon", 1, 3, 0, mass, site, NULL, reference};
  const Kind *kind = &argon;
  const int nmol = 4;
  State *state;
  Force force;
  Error error = {0};
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(pair_create(&force, &water_models[0], PAIR_DOUBLE, state, isa_best(), &error),
                   STATUS_INPUT);
  state_free(state);
}

/* Pairs of packs are found for any number of packs, also where they are more than 32 bits hold. */
TEST(pairs_of_many_packs_are_found)
{
  static const int npack[] = {1, 2, 3, 1000, 46340, 46341, 65536, 100000};
  for (size_t i = 0; i < sizeof npack / sizeof *npack; i++) {
    const int n = npack[i];
    for (int share = 0; share < 32; share++) {
      int row, column;
      const int64_t k = pair_packs(n) * share / 32;
      pair_locate(n, k, &row, &column);
      ck_assert_int_le(0, row);
      ck_assert_int_le(row, column);
      ck_assert_int_lt(column, n);
      ck_assert_int_eq(pair_packs(n) - pair_packs(n - row) + (column - row), k); /* whole rows before it */
    }
  }
}

int main(void)
{
  static ForceRow rows[LAWS];
  force_laws(rows, fill_laws(rows));
  return suite_main("pair");
}
