#include "tests/force_laws.h"

#include "tests/suite.h"
#include "tests/teams.h"

static const ForceRow *rows;

/* What a force gives: by coordinate of a replica, energies by term and replica. */
typedef struct Found {
  int n, terms, width, used;
  double *x, *f; /* [used][n] */
  double *energy, virial[3][3];
} Found;

static double *numbers(size_t n)
{
  double *a = calloc(n > 0 ? n : 1, sizeof *a);
  ck_assert_ptr_nonnull(a);
  return a;
}

static int coordinates(const State *state)
{
  int n = 0;
  for (int b = 0; b < state->nblock; b++)
    n += state->block[b].nlane * state->block[b].kind->nsite * state->block[b].kind->dim;
  return n;
}

static void get(const State *state, bool force, int r, double *x)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    state_get(block, state->width, force ? block->f : block->q, r, x);
    x += block->nlane * block->kind->nsite * block->kind->dim;
  }
}

static void put(State *state, int r, const double *x)
{
  for (int b = 0; b < state->nblock; b++) {
    Block *block = &state->block[b];
    state_set(block, state->width, block->q, r, x);
    x += block->nlane * block->kind->nsite * block->kind->dim;
  }
}

/* Several times over: nothing may be left over from the call before. */
static void run(const ForceSystem *s, int threads, int times, bool with_sums, Found *found)
{
  Error error = {0};
  const ForceSums sums = {found->energy, s->state->width == 1 ? found->virial : NULL};
  ck_assert_msg(team_forces(s->field, s->state, threads, times, with_sums ? &sums : NULL, &error) ==
                    STATUS_OK,
                "%s", error.text);
  for (int r = 0; r < found->used; r++)
    get(s->state, true, r, found->f + (size_t)r * (size_t)found->n);
}

static Found find(const ForceSystem *s)
{
  Found found = {.n = coordinates(s->state),
                 .terms = force_field_terms(s->field),
                 .width = s->state->width,
                 .used = s->state->used};
  const size_t n = (size_t)found.n * (size_t)found.used;
  found.x = numbers(n);
  found.f = numbers(n);
  found.energy = numbers((size_t)(found.terms * found.width));
  for (int r = 0; r < found.used; r++)
    get(s->state, false, r, found.x + (size_t)r * (size_t)found.n);
  run(s, 1, 2, true, &found);
  return found;
}

static void forget(Found *found)
{
  free(found->x);
  free(found->f);
  free(found->energy);
}

static double largest(const double *a, int n)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(a[i]));
  return most;
}

static double energy_now(const ForceSystem *s, Found *scratch, int r)
{
  double sum = 0.0;
  run(s, 1, 1, true, scratch);
  for (int t = 0; t < scratch->terms; t++)
    sum += scratch->energy[t * scratch->width + r];
  return sum;
}

/* Fourth-order slope from values at -2, -1, 1 and 2 steps. */
static const double steps[4] = {-2, -1, 1, 2};
static double slope(const double v[4], double h) { return (8 * (v[2] - v[1]) - (v[3] - v[0])) / (12 * h); }

static ForceSystem opened(const ForceRow *row)
{
  const int width = row->width > 0 ? row->width : 1;
  return row->open(row->which, width, row->used > 0 ? row->used : width);
}

START_TEST(gradient)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem s = opened(row);
  Found own = find(&s), moved = find(&s);
  const int r = own.used - 1;
  double *x = own.x + (size_t)r * (size_t)own.n;
  const double *f = own.f + (size_t)r * (size_t)own.n, h = row->h > 0.0 ? row->h : 1e-3,
               most = largest(f, own.n);
  ck_assert_double_gt(most, 0.0);
  for (int k = 0; k<own.n; k += row->stride> 0 ? row->stride : 1) {
    const double there = x[k];
    double e[4];
    for (int i = 0; i < 4; i++) {
      x[k] = there + h * steps[i];
      put(s.state, r, x);
      e[i] = energy_now(&s, &moved, r);
    }
    x[k] = there;
    ck_assert_msg(fabs(f[k] + slope(e, h)) <= row->gradient * most,
                  "%s, coordinate %d: force %.10g, slope %.10g (off by %.2g of the largest)", row->name, k,
                  f[k], -slope(e, h), fabs(f[k] + slope(e, h)) / most);
  }
  forget(&own);
  forget(&moved);
  row->close();
}
END_TEST

/* Component b of all positions, and of the box's edges, grows by e times component a. */
static void strain_by(const ForceSystem *s, const Box *from, const double *x, int n, int a, int b, double e,
                      double *y)
{
  Error error = {0};
  memcpy(y, x, (size_t)n * sizeof *y);
  for (int k = 0; k < n; k += 3)
    y[k + b] += e * x[k + a];
  put(s->state, 0, y);
  if (!box_periodic(from))
    return;
  double edge[3][3];
  Box box;
  memcpy(edge, from->h, sizeof edge);
  for (int k = 0; k < 3; k++)
    edge[k][b] += e * from->h[k][a];
  ck_assert_msg(box_set(&box, (const double(*)[3])edge, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(force_field_set_box(s->field, s->state, &box, &error) == STATUS_OK, "%s", error.text);
}

START_TEST(strain)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem s = opened(row);
  Found own = find(&s), moved = find(&s);
  const Box from = s.state->box;
  const double h = 1e-4, most = fmax(1.0, largest(&own.virial[0][0], 9));
  double *y = numbers((size_t)own.n);
  for (int ab = 0; ab < 9; ab++) {
    const int a = ab / 3, b = ab % 3;
    if (b > a && box_periodic(&from)) /* the box would turn */
      continue;
    double e[4];
    for (int i = 0; i < 4; i++) {
      strain_by(&s, &from, own.x, own.n, a, b, h * steps[i], y);
      e[i] = energy_now(&s, &moved, 0);
    }
    ck_assert_msg(fabs(own.virial[a][b] + slope(e, h)) <= row->strain * most,
                  "%s, %c%c: virial %.10g, slope %.10g (off by %.2g of the largest)", row->name, "xyz"[a],
                  "xyz"[b], own.virial[a][b], -slope(e, h), fabs(own.virial[a][b] + slope(e, h)) / most);
    if (row->symmetric)
      ck_assert_double_le(fabs(own.virial[a][b] - own.virial[b][a]), 1e-9 * most);
  }
  free(y);
  forget(&own);
  forget(&moved);
  row->close();
}
END_TEST

START_TEST(momentum)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem s = opened(row);
  Found own = find(&s);
  for (int r = 0; r < own.used; r++) {
    const double *x = own.x + (size_t)r * (size_t)own.n, *f = own.f + (size_t)r * (size_t)own.n;
    const double most = largest(f, own.n);
    double net[3] = {0}, torque[3] = {0};
    for (int k = 0; k < own.n; k += 3)
      for (int d = 0; d < 3; d++) {
        const int a = (d + 1) % 3, b = (d + 2) % 3;
        net[d] += f[k + d];
        torque[d] += x[k + a] * f[k + b] - x[k + b] * f[k + a];
      }
    ck_assert_msg(row->net == 0.0 || largest(net, 3) <= row->net * most, "%s: net force %g of the largest",
                  row->name, largest(net, 3) / most);
    ck_assert_msg(row->torque == 0.0 || largest(torque, 3) <= row->torque * most,
                  "%s: net torque %g of the largest", row->name, largest(torque, 3) / most);
  }
  forget(&own);
  row->close();
}
END_TEST

/* hess[lane/8][i][j][lane%8] of block 0: coordinate j of a lane is moved, minus the force on i is looked at.
 */
START_TEST(hessian)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem s = opened(row);
  Found own = find(&s);
  const Block *block = &s.state->block[0];
  const int n = block->kind->nsite * block->kind->dim, lanes = block->nlane * s.state->width;
  const size_t size = (size_t)block->npack * (size_t)n * (size_t)n;
  const Team team = team_alone();
  Vec8 *hess = aligned_alloc(64, size * sizeof *hess);
  double(*f)[4] = malloc((size_t)n * sizeof *f), most = 0.0;
  force_field_hess_block(s.field, &team, s.state, hess);
  for (size_t k = 0; k < size * LANES; k++)
    most = fmax(most, fabs(((const double *)hess)[k]));
  ck_assert_double_gt(most, 0.0);
  for (int lane = 0; lane < block->npack * LANES; lane++)
    for (int j = 0; j < n; j++) {
      const size_t pack = (size_t)(lane / LANES);
      const bool held = lane < lanes && lane % s.state->width < own.used;
      double *x = (double *)(block->q + pack * (size_t)n + j) + lane % LANES;
      const double there = *x, h = 1e-4;
      for (int k = 0; k < 4 && held; k++) {
        *x = there + steps[k] * h;
        run(&s, 1, 1, false, &own);
        for (int i = 0; i < n; i++)
          f[i][k] = ((const double *)(block->f + pack * (size_t)n + i))[lane % LANES];
      }
      *x = there;
      for (int i = 0; i < n; i++) {
        const double one =
            ((const double *)(hess + (pack * (size_t)n + (size_t)i) * (size_t)n + j))[lane % LANES];
        ck_assert_msg(fabs(one + (held ? slope(f[i], h) : 0.0)) <= row->hessian * most,
                      "%s, lane %d, %d and %d: %.10g, off by %.2g of the largest", row->name, lane, i, j, one,
                      fabs(one + (held ? slope(f[i], h) : 0.0)) / most);
      }
    }
  free(f);
  free(hess);
  forget(&own);
  row->close();
}
END_TEST

START_TEST(alone)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem many = opened(row);
  Found own = find(&many);
  double *none = numbers((size_t)own.n);
  for (int r = own.used; r < own.width; r++) {
    get(many.state, true, r, none);
    ck_assert_double_eq(largest(none, own.n), 0.0);
    for (int t = 0; t < own.terms; t++)
      ck_assert_double_eq(own.energy[t * own.width + r], 0.0);
  }
  row->close();
  const ForceSystem one = row->open(row->which, 1, 1);
  Found single = find(&one);
  ck_assert_int_eq(single.n, own.n);
  ck_assert_int_eq(single.terms, own.terms);
  for (int r = 0; r < own.used; r++) {
    const double *f = own.f + (size_t)r * (size_t)own.n, most = largest(f, own.n);
    put(one.state, 0, own.x + (size_t)r * (size_t)own.n);
    run(&one, 1, 2, true, &single);
    for (int k = 0; k < own.n; k++)
      ck_assert_double_eq_tol(f[k], single.f[k], row->alone * most);
    for (int t = 0; t < own.terms; t++)
      ck_assert_double_eq_tol(own.energy[t * own.width + r], single.energy[t],
                              row->alone * (1.0 + fabs(single.energy[t])));
  }
  free(none);
  forget(&own);
  forget(&single);
  row->close();
}
END_TEST

/* The lane of a replica, and who sits in the others, are in no bit. */
START_TEST(lanes)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem s = opened(row);
  Found own = find(&s), moved = find(&s);
  const size_t n = (size_t)own.n;
  for (int shift = 1; shift < own.used; shift++) {
    for (int r = 0; r < own.used; r++)
      put(s.state, r, own.x + n * (size_t)((r + shift) % own.used));
    run(&s, 1, 2, true, &moved);
    for (int r = 0; r < own.used; r++) {
      const int from = (r + shift) % own.used;
      ck_assert_mem_eq(moved.f + n * (size_t)r, own.f + n * (size_t)from, n * sizeof *own.f);
      for (int t = 0; t < own.terms; t++)
        ck_assert_double_eq(moved.energy[t * own.width + r], own.energy[t * own.width + from]);
    }
  }
  forget(&own);
  forget(&moved);
  row->close();
}
END_TEST

START_TEST(teams)
{
  const ForceRow *row = &rows[_i];
  const ForceSystem s = opened(row);
  Found own = find(&s), now = find(&s);
  for (int threads = 1; threads <= (row->threads > 0 ? row->threads : 3); threads++)
    for (int with_sums = 0; with_sums < 2; with_sums++) {
      run(&s, threads, 2, with_sums, &now);
      ck_assert_mem_eq(own.f, now.f, (size_t)own.n * (size_t)own.used * sizeof *own.f);
      ck_assert_mem_eq(own.energy, now.energy, (size_t)(own.terms * own.width) * sizeof *own.energy);
      ck_assert_mem_eq(own.virial, now.virial, sizeof own.virial);
    }
  forget(&own);
  forget(&now);
  row->close();
}
END_TEST

static void add(const TTest *law, int row, bool threads)
{
  suite_add(&(SuiteTest){law, .first = row, .threads = threads});
}

/* A test is a process of its own: none for a law that a row leaves out. */
void force_laws(const ForceRow *table, int n)
{
  rows = table;
  for (int i = 0; i < n; i++) {
    const ForceRow *row = &table[i];
    if (row->gradient > 0.0)
      add(gradient, i, false);
    if (row->strain > 0.0)
      add(strain, i, false);
    if (row->net > 0.0 || row->torque > 0.0)
      add(momentum, i, false);
    if (row->hessian > 0.0)
      add(hessian, i, false);
    if (row->alone > 0.0)
      add(alone, i, false);
    if (row->width > 1)
      add(lanes, i, false);
    if (row->threads != 1)
      add(teams, i, true);
  }
}
