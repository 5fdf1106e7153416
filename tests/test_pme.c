/* The mesh against a plain Ewald sum, and the laws that it keeps by itself. */
#include <omp.h>

#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/pme.h"
#include "forcefields/pme_choose.h"
#include "forcefields/pme_exclusion.h"
#include "tests/boxes.h"
#include "tests/charges.h"
#include "tests/shorter.h"
#include "tests/suite.h"

enum { NX = 4, NY = 5, NZ = 6, NMOL = NX * NY * NZ, N = 3 * NMOL };

typedef struct Waters {
  Box box;
  double x[3][N], charge[N];
} Waters;

/* Rigid waters, turned at random, near the points of a lattice; the box is not cubic, and may lean. Some lie
 * outside it. */
static Waters make_waters(int leaning)
{
  Waters w = {.box = leaning ? boxes_edges(3.1 * NX, 0.3 * NX, 3.15 * NY, -1.4 * NX, 0.9 * NY, 3.05 * NZ)
                             : box_brick(3.1 * NX, 3.15 * NY, 3.05 * NZ)};
  RandomStream s = random_stream(7, 0, RANDOM_TEST);
  for (int m = 0; m < NMOL; m++) {
    const int at[3] = {m % NX, m / NX % NY, m / NX / NY}, n[3] = {NX, NY, NZ};
    double a[3], b[3], u[3], first[3], dot = 0.0, na = 0.0, nb = 0.0;
    for (int d = 0; d < 3; d++) {
      a[d] = random_normal(&s);
      na += a[d] * a[d];
      b[d] = random_normal(&s);
    }
    for (int d = 0; d < 3; d++)
      dot += a[d] * b[d] / na;
    for (int d = 0; d < 3; d++) {
      b[d] -= dot * a[d];
      nb += b[d] * b[d];
    }
    for (int d = 0; d < 3; d++)
      u[d] = (at[d] + 0.3 * random_uniform(&s)) / n[d] + (m % 7 == 0 ? 1.0 : 0.0);
    box_point(&w.box, u, first);
    for (int d = 0; d < 3; d++) {
      const double o = first[d];
      const double along = 0.9572 * cos(0.9121) * a[d] / sqrt(na),
                   across = 0.9572 * sin(0.9121) * b[d] / sqrt(nb);
      w.x[d][3 * m] = o;
      w.x[d][3 * m + 1] = o + along + across;
      w.x[d][3 * m + 2] = o + along - across;
    }
    w.charge[3 * m] = -0.834;
    w.charge[3 * m + 1] = w.charge[3 * m + 2] = 0.417;
  }
  return w;
}

typedef struct Result {
  double f[3][N];
  PmeSums sums;
} Result;

/* The reciprocal part of the Ewald sum, every term that is above 1e-17 of the first. */
static Result exact(const Waters *w, double beta)
{
  Result r = {0};
  int most[3];
  for (int d = 0; d < 3; d++)
    most[d] = (int)ceil(6.2 * beta / M_PI * box_edge(&w->box, d));
  const double volume = box_volume(&w->box);
  for (int i = 0; i <= most[0]; i++)
    for (int j = -most[1]; j <= most[1]; j++)
      for (int k = -most[2]; k <= most[2]; k++) {
        const double(*inverse)[3] = w->box.inverse;
        double m[3];
        for (int d = 0; d < 3; d++)
          m[d] = inverse[d][0] * i + inverse[d][1] * j + inverse[d][2] * k;
        const double m2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2], a = M_PI * M_PI / (beta * beta);
        if ((i == 0 && j == 0 && k == 0) || a * m2 > 39.0)
          continue;
        const double g = (i == 0 ? 1.0 : 2.0) * UNITS_COULOMB * exp(-a * m2) / (M_PI * volume * m2);
        double re = 0.0, im = 0.0, c[N], s[N];
        for (int n = 0; n < N; n++) {
          const double phase = 2.0 * M_PI * (m[0] * w->x[0][n] + m[1] * w->x[1][n] + m[2] * w->x[2][n]);
          c[n] = w->charge[n] * cos(phase);
          s[n] = w->charge[n] * sin(phase);
          re += c[n];
          im += s[n];
        }
        const double e = 0.5 * g * (re * re + im * im), v = 2.0 * (1.0 / m2 + a);
        r.sums.energy += e;
        for (int d = 0; d < 3; d++) {
          r.sums.virial[d][d] += e * (1.0 - v * m[d] * m[d]);
          for (int n = 0; n < N; n++)
            r.f[d][n] += 2.0 * M_PI * m[d] * g * (re * s[n] - im * c[n]);
        }
        r.sums.virial[0][1] -= e * v * m[0] * m[1];
        r.sums.virial[0][2] -= e * v * m[0] * m[2];
        r.sums.virial[1][2] -= e * v * m[1] * m[2];
      }
  for (int k = 1; k < 6; k += k == 2 ? 3 : 1) /* 01 02 12 */
    r.sums.virial[k % 3][k / 3] = r.sums.virial[k / 3][k % 3];
  return r;
}

static PmeOptions options(const Waters *w, int order, int n0, int n1, int n2)
{
  return (PmeOptions){.box = &w->box,
                      .beta = 0.35,
                      .order = order,
                      .grid = {n0, n1, n2},
                      .nsite = N,
                      .charge = w->charge,
                      .threads = 1,
                      .isa = isa_best()};
}

static Pme *create(const PmeOptions *o)
{
  Pme *pme;
  Error error = {0};
  ck_assert_msg(pme_create(&pme, o, &error) == STATUS_OK, "%s", error.text);
  return pme;
}

/* By a team, in the box of the waters. */
static void compute(Pme *pme, const PmeOptions *o, const Waters *w, int threads, Result *r)
{
  TeamBarrier barrier = {0};
  PmeOptions own = *o;
  own.box = &w->box;
  memset(r, 0, sizeof *r);
#pragma omp parallel num_threads(threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    charges_forces(pme, &own, &team, (const double *const[3]){w->x[0], w->x[1], w->x[2]},
                   (double *const[3]){r->f[0], r->f[1], r->f[2]}, &r->sums);
  }
}

static Result solve_together(const Waters *w, const PmeOptions *o, int threads)
{
  Result r;
  Pme *pme = create(o);
  compute(pme, o, w, threads, &r);
  pme_free(pme);
  return r;
}

static Result solve(const Waters *w, const PmeOptions *o) { return solve_together(w, o, 1); }

static double rms(const Result *a, const Result *b)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < N; i++) {
      const double x = a->f[d][i] - (b != NULL ? b->f[d][i] : 0.0);
      sum += x * x;
    }
  return sqrt(sum / N);
}

/* Adds factor (r_i - r_j) to i, takes it from j, and adds to the virial. */
static void add_pair_force(double factor, int i, int j, const double *const x[3], double *const f[3],
                           double (*virial)[3])
{
  const double r[3] = {x[0][i] - x[0][j], x[1][i] - x[1][j], x[2][i] - x[2][j]};
  for (int d = 0; d < 3; d++) {
    f[d][i] += factor * r[d];
    f[d][j] -= factor * r[d];
  }
  if (virial == NULL)
    return;
  for (int d = 0; d < 3; d++)
    virial[d][d] += factor * r[d] * r[d];
  virial[0][1] += factor * r[0] * r[1];
  virial[0][2] += factor * r[0] * r[2];
  virial[1][2] += factor * r[1] * r[2];
}

/* The correction of nmol molecules of n charges, site k of molecule m being m n + k. */
static void exclude(double beta, int n, const double *charge, int nmol, const double *const x[3],
                    double *const f[3], PmeSums *sums)
{
  for (int m = 0; m < nmol; m++)
    for (int a = 0; a < n; a++)
      for (int b = a + 1; b < n; b++) {
        const int i = m * n + a, j = m * n + b;
        double factor, r2 = 0.0;
        for (int d = 0; d < 3; d++)
          r2 += (x[d][i] - x[d][j]) * (x[d][i] - x[d][j]);
        const double energy = pme_exclusion_pair(beta, charge[a] * charge[b], r2, &factor);
        if (sums != NULL)
          sums->energy += energy;
        add_pair_force(factor, i, j, x, f, sums != NULL ? sums->virial : NULL);
      }
}

/* Errors of forces that are gradients fall as h^(p-1) in the end, faster before; energy and virial follow. */
TEST(converges, .rows = 6)
{
  const int order = 4 + _i % 3;
  const Waters w = make_waters(_i / 3);
  const Result want = exact(&w, 0.35);
  double before = 0.0, rate = 0.0;
  for (int fine = 1; fine <= 4; fine *= 2) {
    const PmeOptions o = options(&w, order, 16 * fine, 20 * fine, 24 * fine);
    const Result got = solve(&w, &o);
    const double error = rms(&got, &want), size = rms(&want, NULL);
    rate = before > 0.0 ? log2(before / error) : rate;
    ck_assert(before == 0.0 || (rate > order - 1.2 && rate < order + 0.5));
    before = error;
    ck_assert_double_eq_tol(got.sums.energy, want.sums.energy, 2.0 * error / size * want.sums.energy);
    for (int k = 0; k < 9; k++)
      ck_assert_double_eq_tol(got.sums.virial[k / 3][k % 3], want.sums.virial[k / 3][k % 3],
                              2.0 * error / size * want.sums.energy);
  }
  ck_assert_double_eq_tol(rate, order - 1.0, 0.35);
  static const double least[3] = {2e-5, 1e-6, 2e-8};
  ck_assert_double_le(before, least[_i % 3] * rms(&want, NULL));
}

TEST(forces_are_the_gradient, .rows = 6)
{
  Waters w = make_waters(_i / 3);
  const PmeOptions o = options(&w, 4 + _i % 3, 12, 15, 18);
  Pme *pme = create(&o);
  Result r, up, down;
  compute(pme, &o, &w, 1, &r);
  const double h = 1e-4;
  for (int k = 0; k < 40; k++) {
    const int i = k * 7 % N, d = k % 3;
    const double at = w.x[d][i];
    w.x[d][i] = at + h;
    compute(pme, &o, &w, 1, &up);
    w.x[d][i] = at - h;
    compute(pme, &o, &w, 1, &down);
    w.x[d][i] = at;
    ck_assert_double_eq_tol((down.sums.energy - up.sums.energy) / (2.0 * h), r.f[d][i], 1e-6);
  }
  pme_free(pme);
}

/* For strains of all elements. */
TEST(virial_is_the_derivative_by_the_box, .rows = 6)
{
  const Waters w = make_waters(_i / 3);
  const PmeOptions o = options(&w, 4 + _i % 3, 12, 15, 18);
  Pme *pme = create(&o);
  Result r, moved;
  Error error;
  compute(pme, &o, &w, 1, &r);
  const double h = 1e-5;
  for (int k = 0; k < 9; k++) {
    const int from = k / 3, to = k % 3;
    double energy[2];
    if (to > from ||
        (to < from && _i / 3 == 0)) /* a brick's mesh has more wave vectors than one that leans */
      continue;
    for (int s = 0; s < 2; s++) {
      Waters v = w;
      const double strain = s == 0 ? h : -h;
      boxes_strain(&v.box, from, to, strain);
      for (int i = 0; i < N; i++)
        v.x[to][i] += strain * w.x[from][i];
      ck_assert_int_eq(pme_set_box(pme, &v.box, &error), STATUS_OK);
      compute(pme, &o, &v, 1, &moved);
      energy[s] = moved.sums.energy;
    }
    ck_assert_double_eq_tol((energy[1] - energy[0]) / (2.0 * h), r.sums.virial[to][from],
                            1e-6 * r.sums.energy);
    ck_assert_double_eq_tol(r.sums.virial[to][from], r.sums.virial[from][to], 1e-9 * r.sums.energy);
  }
  pme_free(pme);
}

/* Errors over those that are expected: in boxes that lean as in a brick of the same volume, about. */
TEST(errors_are_expected_in_any_box, .rows = 3)
{
  enum { BOXES = 4, ORDER = 4 };
  const Box to[BOXES] = {box_brick(13.0, 16.0, 19.0), boxes_edges(18.0, 0.0, 18.0, 9.0, 9.0, 12.73),
                         boxes_edges(18.0, 6.0, 16.97, -6.0, 8.485, 14.697),
                         boxes_edges(15.0, 0.0, 15.0, 7.4, 7.4, 17.0)};
  double share[BOXES];
  for (int k = 0; k < BOXES; k++) {
    Waters w = make_waters(0);
    const Box from = w.box;
    int grid[3];
    w.box = to[k];
    for (int m = 0; m < NMOL; m++) { /* at the same fractions */
      double u[3], at[3];
      const double x[3] = {w.x[0][3 * m], w.x[1][3 * m], w.x[2][3 * m]};
      box_fractions(&from, x, u);
      box_point(&w.box, u, at);
      for (int s = 0; s < 9; s++)
        w.x[s % 3][3 * m + s / 3] += at[s % 3] - x[s % 3];
    }
    PmeWish wish = {.box = &w.box, .nsite = N};
    for (int i = 0; i < N; i++)
      wish.charge2 += w.charge[i] * w.charge[i];
    for (int d = 0; d < 3; d++)
      grid[d] = 2 * (int)rint(box_edge(&w.box, d) / 1.6);
    const PmeOptions o = options(&w, ORDER + _i, grid[0], grid[1], grid[2]);
    const Result r = solve(&w, &o), want = exact(&w, o.beta);
    share[k] = rms(&r, &want) / pme_choose_mesh_error(&wish, o.beta, o.order, grid);
    ck_assert_double_le(share[k], 1.25 * share[0]);
    ck_assert_double_ge(share[k], 0.7 * share[0]);
  }
}

/* The net force is of the size of the mesh error. */
TEST(net_force)
{
  const Waters w = make_waters(0);
  const PmeOptions o = options(&w, 4, 16, 20, 24);
  const Result r = solve(&w, &o), want = exact(&w, 0.35);
  for (int d = 0; d < 3; d++) {
    double sum = 0.0;
    for (int i = 0; i < N; i++)
      sum += r.f[d][i];
    ck_assert_double_eq_tol(sum, r.sums.net[d], 1e-11);
    ck_assert_double_le(fabs(sum), 3.0 * rms(&r, &want) * sqrt(N));
    ck_assert_double_gt(fabs(sum), 1e-6);
  }
}

/* Every instruction set and both precisions: the same numbers, and the same bits for any team. Also on meshes
 * so small that what a block reaches goes around the box. */
TEST(same_everywhere, .rows = 12, .threads = true)
{
  const Waters w = make_waters(_i / 3 % 2);
  const int order = 4 + _i % 3;
  PmeOptions o = _i < 6 ? options(&w, order, 12 + 5 * (_i % 3 == 1), 15, 18 + (_i % 3 == 2))
                        : options(&w, order, 8, 9, 8 + _i % 5);
  o.isa = ISA_PLAIN;
  const Result want = solve(&w, &o);
  const double size = rms(&want, NULL);
  for (Isa isa = shorter_first_set(); isa < ISA_COUNT; isa++)
    for (int single = 0; single < 2; single++) {
      if (!isa_runs(isa))
        continue;
      o.isa = isa;
      o.precision = single ? PME_FLOAT : PME_DOUBLE;
      o.threads = 1;
      const Result one = solve(&w, &o);
      ck_assert_double_le(rms(&one, &want), (single ? 1e-5 : 1e-12) * size);
      ck_assert_double_eq_tol(one.sums.energy, want.sums.energy, (single ? 1e-5 : 1e-12) * want.sums.energy);
      for (int threads = 2; threads <= 5; threads++) {
        o.threads = threads == 4 ? 7 : threads; /* a team smaller than was said */
        const Result many = solve_together(&w, &o, threads);
        ck_assert_int_eq(memcmp(&many, &one, sizeof one), 0);
      }
    }
}

/* A site that moves by whole spacings, or by whole boxes, changes nothing but the rounding. */
TEST(shifts, .rows = 6)
{
  const Waters w = make_waters(_i / 3);
  const PmeOptions o = options(&w, 4 + _i % 3, 12, 15, 18);
  const Result r = solve(&w, &o);
  Waters moved = w;
  for (int k = 0; k < 9; k++)
    for (int i = 0; i < N; i++)
      moved.x[k % 3][i] += w.box.h[k / 3][k % 3] * ((k / 3 + 1.0) / o.grid[k / 3] - (i % 3));
  const Result s = solve(&moved, &o);
  ck_assert_double_le(rms(&r, &s), 1e-11 * rms(&r, NULL));
  ck_assert_double_eq_tol(r.sums.energy, s.sums.energy, 1e-11 * r.sums.energy);
}

/* Real-space part between all images but those inside molecules, plainly. */
static void add_real(const Waters *w, double beta, double *energy, double *trace)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < 27; k++) {
        if (k == 13 && i / 3 == j / 3)
          continue;
        const int image[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        double r2 = 0.0;
        for (int d = 0; d < 3; d++) {
          double r = w->x[d][i] - w->x[d][j];
          if (i / 3 != j / 3)
            r -= box_length(&w->box, d) * rint(r / box_length(&w->box, d));
          r += image[d] * box_length(&w->box, d);
          r2 += r * r;
        }
        const double r = sqrt(r2), qq = (i == j ? 0.5 : 1.0) * UNITS_COULOMB * w->charge[i] * w->charge[j];
        *energy += qq * erfc(beta * r) / r;
        *trace += qq * (erfc(beta * r) / r + 2.0 * beta / sqrt(M_PI) * exp(-beta * beta * r2));
      }
}

/* What sites see of themselves, and, for charges that do not sum to zero, of the uniform background, which
 * adds itself to each diagonal element of the virial. */
static double self_energy(const Waters *w, double beta, double *background)
{
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < N; i++) {
    sum += w->charge[i];
    squares += w->charge[i] * w->charge[i];
  }
  *background =
      -UNITS_COULOMB * M_PI * sum * sum /
      (2.0 * box_length(&w->box, 0) * box_length(&w->box, 1) * box_length(&w->box, 2) * beta * beta);
  return *background - UNITS_COULOMB * beta / sqrt(M_PI) * squares;
}

/* All parts together do not depend on beta, and, Coulomb's energy being of degree -1, are the virial's trace.
 * A box with a net charge, too. */
TEST(parts_make_a_whole, .rows = 2)
{
  Waters w = make_waters(0);
  double energy[2], unit[3] = {-0.834, 0.417, 0.417};
  if (_i == 1)
    for (int m = 0; m < NMOL; m++) {
      w.charge[3 * m + 1] = 0.6;
      unit[1] = 0.6;
    }
  for (int k = 0; k < 2; k++) {
    PmeOptions o = options(&w, 6, 60, 72, 90);
    o.beta = k == 0 ? 0.45 : 0.55;
    Result r = solve(&w, &o);
    double background, real = 0.0, trace = 0.0;
    exclude(o.beta, 3, unit, NMOL, (const double *const[3]){w.x[0], w.x[1], w.x[2]},
            (double *const[3]){r.f[0], r.f[1], r.f[2]}, &r.sums);
    energy[k] = r.sums.energy + self_energy(&w, o.beta, &background);
    ck_assert(_i == 1 ? background < 0.0 : fabs(background) < 1e-20);
    add_real(&w, o.beta, &real, &trace);
    energy[k] += real;
    trace += r.sums.virial[0][0] + r.sums.virial[1][1] + r.sums.virial[2][2] + 3.0 * background;
    ck_assert_double_eq_tol(trace, energy[k], 1e-5 * fabs(r.sums.energy));
  }
  ck_assert_double_eq_tol(energy[0], energy[1], 1e-6 * fabs(energy[0]));
}

/* The correction inside molecules: the gradient of its energy, near zero too; rigid and general agree. */
TEST(exclusions)
{
  const double beta = 0.35, h = 1e-5;
  for (int k = 0; k < 40; k++) {
    double factor, none;
    const double r = 1e-4 * pow(1.35, k);
    const double up = pme_exclusion_pair(beta, 0.7, (r + h * r) * (r + h * r), &none);
    const double down = pme_exclusion_pair(beta, 0.7, (r - h * r) * (r - h * r), &none);
    const double e = pme_exclusion_pair(beta, 0.7, r * r, &factor);
    ck_assert_double_eq_tol((down - up) / (2.0 * h), factor * r * r, 1e-9 * fabs(e));
  }
  const Waters w = make_waters(0);
  Result a = {0};
  const double *const x[3] = {w.x[0], w.x[1], w.x[2]};
  exclude(beta, 3, w.charge, NMOL, x, (double *const[3]){a.f[0], a.f[1], a.f[2]}, &a.sums);
  double trace = 0.0;
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < N; i++)
      trace += w.x[d][i] * a.f[d][i];
  ck_assert_double_eq_tol(a.sums.virial[0][0] + a.sums.virial[1][1] + a.sums.virial[2][2], trace,
                          1e-9 * fabs(trace));
}

TEST(bad_input_is_refused)
{
  const Waters w = make_waters(0);
  const PmeOptions good = options(&w, 4, 12, 15, 18);
  Error error;
  Pme *pme = create(&good);
  const Box wrong = box_brick(10.0, -1.0, 10.0);
  ck_assert_int_eq(pme_set_box(pme, &wrong, &error), STATUS_INPUT);
  pme_free(pme);
  PmeOptions o[6] = {good, good, good, good, good, good};
  const Box open = box_brick(10.0, 10.0, 0.0);
  o[0].order = 3;
  o[1].grid[1] = 7;
  o[2].box = &open;
  o[3].beta = NAN;
  o[4].grid[0] = 2000;
  o[5].threads = 0;
  for (int k = 0; k < 6; k++) {
    ck_assert_int_eq(pme_create(&pme, &o[k], &error), STATUS_INPUT);
    ck_assert_ptr_null(pme);
  }
}

/* A coordinate that is no number is seen, wherever it would have gone; one just below zero is not lost. */
TEST(odd_coordinates)
{
  Waters w = make_waters(0);
  const PmeOptions o = options(&w, 5, 12, 15, 18);
  w.x[0][3] = -1e-17;
  w.x[1][4] = box_length(&w.box, 1) * (1.0 - 0x1p-53);
  const Result r = solve(&w, &o);
  w.x[0][3] = 0.0;
  w.x[1][4] = 0.0;
  const Result s = solve(&w, &o);
  ck_assert_double_le(rms(&r, &s), 1e-12 * rms(&r, NULL));
  w.x[2][7] = NAN;
  ck_assert(isnan(solve(&w, &o).sums.energy));
}
