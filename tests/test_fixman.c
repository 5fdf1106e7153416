/* Fixman's potential: minus the gradient of 1/2 kT ln det(J M^-1 J'), the trimer's determinant by hand, a
 * constant where the determinant is one, tail lanes at rest. */
#include "forcefields/fixman.h"
#include "tests/force_laws.h"
#include "tests/molecules.h"
#include "tests/suite.h"

static const double kT = 0.7;
static const int widths[3] = {1, 8, 16};

typedef struct Scene {
  State *state;
  ForceField field;
  int width;
} Scene;

static Scene scene(const Kind *kind, int width)
{
  Scene s = {.field.n = 1, .width = width};
  const int nmol = 1;
  Error error = {0};
  ck_assert_int_eq(state_create(&s.state, width, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_msg(fixman_create(&s.field.force[0], kT, s.state, &error) == STATUS_OK, "%s", error.text);
  return s;
}

static void scene_free(Scene *s)
{
  force_field_free(&s->field);
  state_free(s->state);
}

/* Energy and forces of replica r at x. */
static double compute(Scene *s, int r, const double *x, double *f)
{
  const Team team = team_alone();
  double energy[WIDTH_MAX];
  Block *block = &s->state->block[0];
  state_set(block, s->width, block->q, r, x);
  ck_assert_int_eq(force_field_compute(&s->field, &team, s->state, &(ForceSums){energy, NULL}, NULL),
                   STATUS_OK);
  state_get(block, s->width, block->f, r, f);
  return energy[r];
}

/* A lane of random positions near the manifold: the potential is defined off it too. */
static void random_positions(const Kind *kind, double off, double *x)
{
  Molecules m;
  molecules_random(kind, 2.0, 1.0, &m);
  for (int i = 0; i < coordinates(kind); i++)
    x[i] = m.q[i][3] + off * uniform();
}

/* det G = 16 d1^2 d2^2 [(1/m1 + 1/m2)(1/m2 + 1/m3) - cos^2(phi)/m2^2]; equal masses: in proportion to
 * 1 - cos^2(phi)/4, phi the angle between the bonds r12 and r23 (pi less the one that they enclose at
 * site 2: the square of the cosine is the same). */
TEST(trimer_by_hand)
{
  const double m1 = 1.5, m2 = 0.8, m3 = 2.5, d1 = 1.2, d2 = 0.7;
  const double mass[3] = {m1, m2, m3};
  const Constraint con[2] = {BOND(0, 1, d1), BOND(1, 2, d2)};
  const double reference[6] = {0, 0, d1, 0, d1 + d2, 0};
  const Kind trimer = {"trimer", 3, 2, 2, mass, letter, con, reference};
  Scene s = scene(&trimer, 8);
  for (int k = 0; k < 24; k++) {
    const double phi = 0.1 + 2.0 * M_PI * k / 24.0, turn = 0.3 * k;
    const double x[6] = {1.0,
                         2.0,
                         1.0 + d1 * cos(turn),
                         2.0 + d1 * sin(turn),
                         1.0 + d1 * cos(turn) + d2 * cos(turn + phi),
                         2.0 + d1 * sin(turn) + d2 * sin(turn + phi)};
    double f[6];
    const double c = cos(phi), det = 16.0 * d1 * d1 * d2 * d2 *
                                     ((1.0 / m1 + 1.0 / m2) * (1.0 / m2 + 1.0 / m3) - c * c / (m2 * m2));
    ck_assert_double_eq_tol(compute(&s, k % 8, x, f), 0.5 * kT * log(det), 1e-13);
  }
  scene_free(&s);
}

/* Rigid triangles have one determinant whatever way they lie, and no force along the manifold. */
TEST(constant_for_triangles, .rows = KIND_SCALENE + 1)
{
  srand48(3);
  Scene s = scene(&kinds[_i], 8);
  double first = 0.0;
  for (int k = 0; k < 10; k++) {
    double x[COORDINATES], f[COORDINATES];
    random_positions(&kinds[_i], 0.0, x);
    const double energy = compute(&s, 0, x, f);
    first = k == 0 ? energy : first;
    ck_assert_double_eq_tol(energy, first, 1e-12);
    /* The virtual work of a turn about the z axis and of a shift along it. */
    double torque = 0.0, shift = 0.0;
    for (int i = 0; i < kinds[_i].nsite; i++) {
      torque += x[3 * i] * f[3 * i + 1] - x[3 * i + 1] * f[3 * i];
      shift += f[3 * i + 2];
    }
    ck_assert_double_lt(fabs(torque), 1e-12);
    ck_assert_double_lt(fabs(shift), 1e-12);
  }
  scene_free(&s);
}

/* --- many constraints ----------------------------------------------------------------------------------- */

/* A wavy ring whose bonds are kept, and the distances of next but one: a band that is not narrow. */
enum { RING = 60, RING_CON = 2 * RING };

static void ring_place(double *x)
{
  for (int i = 0; i < RING; i++) {
    const double a = 2.0 * M_PI * i / RING;
    x[3 * i] = 12.0 * cos(a) + 0.3 * sin(5.0 * i);
    x[3 * i + 1] = 12.0 * sin(a) + 0.3 * cos(3.0 * i);
    x[3 * i + 2] = 0.8 * sin(2.0 * i);
  }
}

/* 1/2 ln det J M^-1 J' by Cholesky, all elements. */
static double ring_determinant(const Kind *kind, const double *x)
{
  static double gram[RING_CON][RING_CON];
  double sum = 0.0;
  for (int a = 0; a < RING_CON; a++)
    for (int b = 0; b <= a; b++) {
      gram[a][b] = 0.0;
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++)
          for (int d = 0; d < 3; d++) {
            const int *i = kind->con[a].site, *j = kind->con[b].site;
            gram[a][b] += i[k] != j[l] ? 0.0
                                       : 4.0 / kind->mass[i[k]] * (x[3 * i[k] + d] - x[3 * i[1 - k] + d]) *
                                             (x[3 * j[l] + d] - x[3 * j[1 - l] + d]);
          }
    }
  for (int a = 0; a < RING_CON; a++)
    for (int b = 0; b <= a; b++) {
      for (int c = 0; c < b; c++)
        gram[a][b] -= gram[a][c] * gram[b][c];
      gram[a][b] = a == b ? sqrt(gram[a][a]) : gram[a][b] / gram[b][b];
      sum += a == b ? log(gram[a][a]) : 0.0;
    }
  return sum;
}

TEST(many_constraints_by_cholesky)
{
  static double x[3 * RING], f[3 * RING], moved[3 * RING], mass[RING];
  static Constraint con[RING_CON];
  static const char *site[RING];
  ring_place(x);
  for (int i = 0; i < RING; i++) {
    site[i] = letter[0];
    mass[i] = 1.0 + i % 7;
    for (int k = 0; k < 2; k++) {
      const int j = (i + 1 + k) % RING;
      con[2 * i + k] =
          (Constraint)BOND(i, j,
                           sqrt(pow(x[3 * i] - x[3 * j], 2) + pow(x[3 * i + 1] - x[3 * j + 1], 2) +
                                pow(x[3 * i + 2] - x[3 * j + 2], 2)));
    }
  }
  const Kind ring = {"ring", RING, 3, RING_CON, mass, site, con, x};
  Scene s = scene(&ring, 8);
  for (int r = 0; r < 8; r += 7) {
    const double h = 1e-4;
    double along = 0.0, at[2];
    ck_assert_double_eq_tol(compute(&s, r, x, f), kT * ring_determinant(&ring, x), 1e-10);
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3 * RING; i++)
        moved[i] = x[i] + (k ? h : -h) * sin(11.0 * i);
      at[k] = kT * ring_determinant(&ring, moved);
    }
    for (int i = 0; i < 3 * RING; i++)
      along += f[i] * sin(11.0 * i);
    ck_assert_double_gt(fabs(along), 0.1);
    ck_assert_double_eq_tol((at[0] - at[1]) / (2.0 * h), along, 1e-5 * fabs(along));
  }
  scene_free(&s);
}

static Scene law;

static ForceSystem open_law(int which, int width, int used)
{
  double x[COORDINATES];
  law = scene(&kinds[which], width);
  state_use(law.state, used);
  srand48(7);
  for (int r = 0; r < used; r++) {
    Block *block = &law.state->block[0];
    random_positions(&kinds[which], 0.05, x);
    state_set(block, width, block->q, r, x);
  }
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { scene_free(&law); }

/* Each kind of molecule at each width; no lane matters to the bits, nor whether there are others. */
static int fill_laws(ForceRow row[3 * KINDS])
{
  for (int i = 0; i < 3 * KINDS; i++)
    row[i] = (ForceRow){.name = kinds[i / 3].name,
                        .open = open_law,
                        .close = close_law,
                        .which = i / 3,
                        .width = widths[i % 3],
                        .used = i % 3 == 2 ? 13 : 0,
                        .h = 3e-4,
                        .gradient = 1e-6,
                        .alone = 1e-15};
  return 3 * KINDS;
}

TEST(refusals)
{
  Force force;
  Error error;
  State *state;
  const int nmol = 1;
  const Kind *kind = &kinds[KIND_CHAIN];
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(fixman_create(&force, 0.0, state, &error), STATUS_INPUT);
  ck_assert_int_eq(fixman_create(&force, NAN, state, &error), STATUS_INPUT);
  state_free(state);
  Kind free_kind = *kind;
  free_kind.ncon = 0;
  kind = &free_kind;
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(fixman_create(&force, 1.0, state, &error), STATUS_INPUT);
  state_free(state);
}

int main(void)
{
  static ForceRow rows[3 * KINDS];
  force_laws(rows, fill_laws(rows));
  return suite_main("fixman");
}
