/* The Ewald sum: a known lattice sum, and laws that every right one keeps. */
#include "engine/units.h"
#include "tests/boxes.h"
#include "tests/ewald_box.h"
#include "tests/model_input.h"
#include "tests/norms.h"
#include "tests/suite.h"

enum { MODELS = 6 };

static double total(const EwaldResult *result)
{
  double sum = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++)
    sum += result->energy[t];
  return sum;
}

static double coulomb(const EwaldResult *result)
{
  return total(result) - result->energy[EWALD_LJ] - result->energy[EWALD_LJ_TAIL];
}

/* --- any charges
 * --------------------------------------------------------------------------------------------- */

/* Ions at rock-salt sites nx x ny x nz of spacing d, moved by shift. */
static EwaldResult rock_salt(const int n[3], double d, double shift, double *largest)
{
  enum { MOST = 4 * 4 * 6 };
  static const AtomModel plus = {.name = "plus", .symbol = "P", .mass = 20.0, .charge = 1.0},
                         minus = {.name = "minus", .symbol = "M", .mass = 20.0, .charge = -1.0},
                         *const ions[] = {&plus, &minus};
  double x[2][3 * MOST], f[3 * MOST];
  int at[2] = {0, 0};
  for (int i = 0; i < n[0]; i++)
    for (int j = 0; j < n[1]; j++)
      for (int k = 0; k < n[2]; k++) {
        const int b = (i + j + k) % 2;
        x[b][at[b]++] = d * i + shift;
        x[b][at[b]++] = d * j - 2.0 * shift;
        x[b][at[b]++] = d * k + 3.0 * shift;
      }
  Kind *kind[2];
  State *state;
  SpeciesInput species;
  Atoms *atoms;
  Particles particles;
  EwaldResult result;
  Error error = {0};
  const int nmol[2] = {at[0] / 3, at[1] / 3};
  for (int b = 0; b < 2; b++)
    ck_assert_int_eq(atom_model_kind(ions[b], &kind[b], &error), STATUS_OK);
  ck_assert_int_eq(state_create(&state, 1, 2, (const Kind *const[]){kind[0], kind[1]}, nmol, 1, 0, &error),
                   STATUS_OK);
  state->box = box_brick(d * n[0], d * n[1], d * n[2]);
  for (int b = 0; b < 2; b++)
    state_set(&state->block[b], 1, state->block[b].q, 0, x[b]);
  species_input_make(&species, state, NULL, ions);
  ck_assert_int_eq(atoms_create(&atoms, &species.input, state, &error), STATUS_OK);
  ck_assert_int_eq(particles_make(&particles, NULL, atoms, state, &error), STATUS_OK);
  ck_assert_msg(ewald_alone(&particles, state, &(EwaldOptions){.accuracy = 1e-12}, f, &result, &error) ==
                    STATUS_OK,
                "%s", error.text);
  *largest = rms(at[0] + at[1], f, NULL);
  particles_free(&particles);
  atoms_free(atoms);
  species_input_free(&species);
  state_free(state);
  for (int b = 0; b < 2; b++)
    kind_free(kind[b]);
  return result;
}

/* Madelung's constant of NaCl, 1.74756459463318219 (OEIS A085469); Coulomb energies scale as 1/length, so
 * that the trace of the virial is the energy, and a cube has equal thirds of it. */
TEST(madelung_constant, .rows = 3)
{
  static const int cells[3][3] = {{2, 2, 2}, {4, 4, 4}, {4, 4, 6}};
  const int *n = cells[_i];
  const double d = 2.82, pairs = n[0] * n[1] * n[2] / 2;
  double force;
  const EwaldResult result = rock_salt(n, d, 0.37, &force);
  ck_assert_double_eq_tol(-total(&result) * d / (UNITS_COULOMB * pairs), 1.74756459463318219, 1e-11);
  ck_assert_double_lt(force, 1e-9);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      ck_assert_double_eq_tol(result.virial_atom[a][b], a == b ? total(&result) / 3.0 : 0.0, 1e-9 * pairs);
      ck_assert_double_eq_tol(result.virial_atom[a][b], result.virial_molecule[a][b], 1e-9 * pairs);
    }
}

/* --- waters
 * ------------------------------------------------------------------------------------------------- */

static Box box_of(int leaning) { return leaning ? boxes_edges(10.2, 4.7, 9.9, -3.9, 4.4, 10.7) : brick; }

static double energy_at(const WaterModel *model, const Box *box, const EwaldOptions *options, const double *x)
{
  const Answer answer = ask(model, box, options, x);
  return total(&answer.result);
}

static void check_equal(const Answer *a, const Answer *b, double tolerance)
{
  ck_assert_double_eq_tol(coulomb(&a->result), coulomb(&b->result), tolerance * fabs(coulomb(&b->result)));
  ck_assert_double_eq_tol(total(&a->result), total(&b->result),
                          tolerance * fmax(fabs(coulomb(&b->result)), fabs(total(&b->result))));
  ck_assert_double_lt(rms(3 * ATOMS, a->f, b->f), tolerance * rms(3 * ATOMS, b->f, NULL));
  const double *va = &a->result.virial_atom[0][0], *vb = &b->result.virial_atom[0][0];
  ck_assert_double_lt(rms(9, va, vb), tolerance * rms(9, vb, NULL));
  va = &a->result.virial_molecule[0][0], vb = &b->result.virial_molecule[0][0];
  ck_assert_double_lt(rms(9, va, vb), tolerance * rms(9, vb, NULL));
}

/* Where the sum is split makes no difference. */
TEST(splitting_is_free, .rows = MODELS + 2)
{
  const WaterModel *model = &water_models[_i % MODELS];
  const Box box = box_of(_i / MODELS);
  double x[3 * ATOMS];
  make_box(model, x);
  const Answer own = ask(model, &box, &tight, x);
  for (int k = 0; k < 3; k++) {
    EwaldOptions other = tight;
    other.alpha = 1.2 + 0.4 * k;
    if (k == 2) { /* the real part is so short that it does not matter which distance is cut */
      other.alpha = 2.2;
      other.cutoff = 4.7;
      other.real_by_molecule = true;
    }
    const Answer answer = ask(model, &box, &other, x);
    ck_assert_double_gt(fabs(answer.result.energy[EWALD_REAL] - own.result.energy[EWALD_REAL]), 0.1);
    check_equal(&answer, &own, 1e-10);
  }
}

/* The error is the one that was asked for, or less, but not by far: that would be wasted work. */
TEST(accuracy_is_kept, .rows = MODELS)
{
  const WaterModel *model = &water_models[_i];
  double x[3 * ATOMS];
  make_box(model, x);
  const Answer exact = ask(model, &brick, &tight, x);
  for (double accuracy = 1e-2; accuracy > 1e-11; accuracy *= 1e-1) {
    EwaldOptions options = tight;
    options.accuracy = accuracy;
    const Answer answer = ask(model, &brick, &options, x);
    const double error = deviation(3 * ATOMS, answer.f, exact.f);
    ck_assert_double_lt(error, accuracy);
    ck_assert_double_gt(error, 1e-4 * accuracy);
    ck_assert_double_eq_tol(total(&answer.result), total(&exact.result),
                            accuracy * fabs(exact.result.energy[EWALD_SELF]));
  }
}

/* Fourth-order difference of the energies at -3, -1, 1 and 3 halves of h. */
static double slope(const double e[4], double h)
{
  return (27.0 * (e[2] - e[1]) - (e[3] - e[0])) / (24.0 * h);
}

TEST(forces_are_gradient, .rows = MODELS + 2)
{
  const WaterModel *model = &water_models[_i % MODELS];
  const Box box = box_of(_i / MODELS);
  EwaldOptions options = tight;
  double x[3 * ATOMS], diff[3 * ATOMS];
  make_box(model, x);
  const Answer own = ask(model, &box, &options, x);
  const double h = 2e-3;
  int n = 0;
  for (int i = 0; i < 3 * ATOMS; i += 31) {
    const double at = x[i];
    double e[4];
    for (int k = 0; k < 4; k++) {
      x[i] = at + h * (k - 1.5);
      e[k] = energy_at(model, &box, &options, x);
    }
    diff[n++] = own.f[i] + slope(e, h);
    x[i] = at;
  }
  ck_assert_double_lt(rms(n, diff, NULL), 1e-7 * rms(3 * ATOMS, own.f, NULL));
  for (int d = 0; d < 3; d++) {
    double sum = 0.0;
    for (int i = 0; i < ATOMS; i++)
      sum += own.f[3 * i + d];
    ck_assert_double_eq_tol(sum, 0.0, 1e-10 * rms(3 * ATOMS, own.f, NULL));
  }
}

/* A box and coordinates (of atoms, or of molecular centres) strained. */
static Box strained(const Box *from, double *x, double strain, int of, int to, bool by_molecule)
{
  Box box = *from;
  boxes_strain(&box, of, to, strain);
  for (int m = 0; m < N; m++) {
    static const double share[3] = {15.9994 / 18.0154, 1.008 / 18.0154, 1.008 / 18.0154};
    double centre = 0.0;
    for (int s = 0; s < 3; s++)
      centre += share[s] * x[9 * m + 3 * s + of];
    for (int s = 0; s < 3; s++)
      x[9 * m + 3 * s + to] += strain * (by_molecule ? centre : x[9 * m + 3 * s + of]);
  }
  return box;
}

/* In a brick and in a box that leans, for strains of all elements. */
TEST(virial_is_response_to_strain, .rows = 8)
{
  const WaterModel *model = water_find(_i / 2 % 2 ? "tip4p" : "tip3p");
  EwaldOptions options = tight;
  options.accuracy = 1e-12;
  options.alpha = 1.2; /* that all boxes have the same */
  const bool centres = _i % 2;
  const Box from = box_of(_i / 4);
  double x[3 * ATOMS], moved[3 * ATOMS];
  make_box(model, x);
  const Answer own = ask(model, &from, &options, x);
  const double(*virial)[3] = centres ? own.result.virial_molecule : own.result.virial_atom;
  const double h = 2e-4, size = rms(9, &own.result.virial_atom[0][0], NULL);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b <= a; b++) {
      double e[4];
      for (int k = 0; k < 4; k++) {
        memcpy(moved, x, sizeof x);
        const Box box = strained(&from, moved, h * (k - 1.5), a, b, centres);
        e[k] = energy_at(model, &box, &options, moved);
      }
      ck_assert_double_eq_tol(-slope(e, h), virial[b][a], 1e-6 * size);
      ck_assert_double_eq_tol(own.result.virial_atom[a][b], own.result.virial_atom[b][a], 1e-9);
    }
}

/* The same lattice by other vectors. */
TEST(vectors_make_no_difference, .rows = 6)
{
  static const int whole[][3][3] = {{{1, 0, 0}, {1, 1, 0}, {0, 2, 1}},
                                    {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                    {{1, 1, 0}, {0, 1, 1}, {0, 0, -1}},
                                    {{0, 1, 0}, {1, -1, 0}, {1, 1, 1}}};
  const WaterModel *model = water_find(_i % 2 ? "tip4p" : "spce");
  const double half = 5.1, root = 1.41421356237309505;
  const Box from =
      _i / 2 == 2 ? boxes_edges(2.0 * half, 0.0, 2.0 * half, half, half, half * root) : box_of(_i / 2);
  double x[3 * ATOMS], f[3 * ATOMS], turned[3 * ATOMS], turn[3][3], again[3][3], virial[3][3];
  EwaldOptions options = tight;
  options.lj.cutoff = 0.4999 * box_shortest(&from);
  make_box(model, x);
  const Answer own = ask(model, &from, &options, x);
  for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++) {
    memcpy(turned, x, sizeof x);
    memcpy(f, own.f, sizeof f);
    const Box box = boxes_again(&from, whole[k], turn, ATOMS, turned);
    ck_assert_double_eq_tol(box_shortest(&box), box_shortest(&from), 1e-10);
    (void)boxes_again(&from, whole[k], turn, ATOMS, f);
    Answer other = ask(model, &box, &options, turned), expected = own;
    memcpy(expected.f, f, sizeof f);
    for (int by = 0; by < 2; by++) { /* turn W turn' */
      double(*const w)[3] = by ? expected.result.virial_molecule : expected.result.virial_atom;
      memset(again, 0, sizeof again);
      memset(virial, 0, sizeof virial);
      for (int i = 0; i < 27; i++)
        again[i / 9][i % 3] += turn[i / 9][i / 3 % 3] * w[i / 3 % 3][i % 3];
      for (int i = 0; i < 27; i++)
        virial[i / 9][i % 3] += again[i / 9][i / 3 % 3] * turn[i % 3][i / 3 % 3];
      memcpy(w, virial, sizeof virial);
    }
    check_equal(&other, &expected, 1e-10);
  }
}

/* A plain and a shifted cutoff have equal forces and virials, tails included; their energies differ by the
 * value at the cutoff for each pair within it. */
TEST(shift_has_the_forces_of_plain, .rows = MODELS)
{
  const WaterModel *model = &water_models[_i];
  double x[3 * ATOMS];
  make_box(model, x);
  EwaldOptions options = tight;
  options.lj.truncation = TRUNCATION_PLAIN;
  const Answer plain = ask(model, &brick, &options, x);
  options.lj.truncation = TRUNCATION_SHIFT;
  const Answer shift = ask(model, &brick, &options, x);
  ck_assert_double_lt(rms(3 * ATOMS, plain.f, shift.f), 1e-13 * rms(3 * ATOMS, plain.f, NULL));
  ck_assert_double_lt(rms(9, &plain.result.virial_atom[0][0], &shift.result.virial_atom[0][0]),
                      1e-12 * rms(9, &plain.result.virial_atom[0][0], NULL));
  const double c6 = pow(4.5, -6.0), value = (model->a * c6 - model->c) * c6;
  int within = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      double r[3];
      within += box_distance(&brick, x + 9 * i, x + 9 * j, r) < 4.5 * 4.5;
    }
  ck_assert_double_eq_tol(plain.result.energy[EWALD_LJ] - shift.result.energy[EWALD_LJ], within * value,
                          1e-9 * fabs(plain.result.energy[EWALD_LJ]));
  const double pairs = 0.5 * N * N * 4.0 / 3.0 * M_PI * 4.5 * 4.5 * 4.5 / box_volume(&brick);
  ck_assert_double_eq_tol(shift.result.energy[EWALD_LJ_TAIL] - plain.result.energy[EWALD_LJ_TAIL],
                          pairs * value, 1e-9 * fabs(pairs * value));
}

TEST(place_makes_no_difference, .rows = 2)
{
  const WaterModel *model = water_find(_i ? "tip4p" : "spce");
  EwaldOptions options = tight;
  double x[3 * ATOMS];
  make_box(model, x);
  const Answer own = ask(model, &brick, &options, x);
  for (int i = 0; i < 3 * ATOMS; i++) /* all together, and each molecule by whole lengths */
    x[i] += 1.234 * (i % 3 + 1) + box_length(&brick, i % 3) * (i / 9 % 5 - 2);
  Answer moved = ask(model, &brick, &options, x);
  check_equal(&moved, &own, 1e-11);
  box_wrap(&brick, N, 3, x);
  moved = ask(model, &brick, &options, x);
  check_equal(&moved, &own, 1e-11);
}

/* Axes in another order: the elements of the virial follow. */
TEST(axes_are_alike)
{
  const WaterModel *model = water_find("tip4p");
  double x[3 * ATOMS], turned[3 * ATOMS];
  make_box(model, x);
  for (int i = 0; i < 3 * ATOMS; i++)
    turned[i / 3 * 3 + (i + 1) % 3] = x[i];
  const Box box = box_brick(box_length(&brick, 2), box_length(&brick, 0), box_length(&brick, 1));
  const Answer own = ask(model, &brick, &tight, x), other = ask(model, &box, &tight, turned);
  ck_assert_double_eq_tol(total(&own.result), total(&other.result), 1e-9);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const int to[2] = {(a + 1) % 3, (b + 1) % 3};
      ck_assert_double_eq_tol(own.result.virial_atom[a][b], other.result.virial_atom[to[0]][to[1]], 1e-8);
      ck_assert_double_eq_tol(own.result.virial_molecule[a][b], other.result.virial_molecule[to[0]][to[1]],
                              1e-8);
    }
}
