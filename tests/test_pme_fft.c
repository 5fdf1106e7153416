/* The mesh's Fourier transforms against plain sums, and the laws that they keep. */
#include <complex.h>

#include "engine/random.h"
#include "forcefields/pme_private.h"
#include "tests/suite.h"

enum { SETS = 2 * ISA_COUNT, STEP = 24 /* reals from one point to the next: a register and more */ };

typedef long double complex Exact;

/* An instruction set and precision. */
typedef struct Set {
  Isa isa;
  PmePrecision precision;
  const PmeFftKernels *kernels;
  int complexes; /* of a register */
} Set;

static bool find_set(int i, Set *set)
{
  static const PmeFftKernels *const tables[2][ISA_COUNT] = {
      [PME_DOUBLE] = ISA_TABLES(pme_fft_double), [PME_FLOAT] = ISA_TABLES(pme_fft_float)};
  const Isa isa = (Isa)(i / 2);
  const PmePrecision precision = i % 2 == 0 ? PME_DOUBLE : PME_FLOAT;
  *set = (Set){isa, precision, tables[precision][isa], (1 << isa) * (precision == PME_DOUBLE ? 1 : 2)};
  return isa_runs(isa);
}

static double rounding(PmePrecision precision) { return precision == PME_DOUBLE ? 0x1p-53 : 0x1p-24; }

static double get(PmePrecision precision, const void *a, ptrdiff_t i)
{
  return precision == PME_DOUBLE ? ((const double *)a)[i] : (double)((const float *)a)[i];
}

static void put(PmePrecision precision, void *a, ptrdiff_t i, double x)
{
  if (precision == PME_DOUBLE)
    ((double *)a)[i] = x;
  else
    ((float *)a)[i] = (float)x;
}

static void *room(size_t reals)
{
  void *p = aligned_alloc(64, (reals * sizeof(double) + 63) / 64 * 64);
  ck_assert_ptr_nonnull(p);
  memset(p, 0, (reals * sizeof(double) + 63) / 64 * 64);
  return p;
}

/* Lines of one length, as wide as a register. */
typedef struct Lines {
  PmeFftLength length;
  void *from, *to, *back, *scratch;
} Lines;

static Lines make_lines(const Set *set, int n)
{
  const size_t size = (size_t)n * STEP;
  Lines l = {.from = room(size), .to = room(size), .back = room(size), .scratch = room(2 * size)};
  Error error;
  ck_assert_int_eq(pme_fft_length_create(&l.length, set->precision, n, &error), STATUS_OK);
  RandomStream s = random_stream(3, n, RANDOM_TEST);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 2 * set->complexes; i++)
      put(set->precision, l.from, j * STEP + i, random_normal(&s));
  return l;
}

static void free_lines(Lines *l)
{
  pme_fft_length_free(&l->length);
  free(l->from);
  free(l->to);
  free(l->back);
  free(l->scratch);
}

static Exact point(const Set *set, const void *a, int j, int lane)
{
  return get(set->precision, a, j * STEP + 2 * lane) +
         1.0Li * get(set->precision, a, j * STEP + 2 * lane + 1);
}

/* Each is wrong by some roundings of the root mean square of all, times the root of the length. */
static void check_sums(const Set *set, int n)
{
  Lines l = make_lines(set, n);
  Exact *root = malloc((size_t)n * sizeof *root), *x = malloc((size_t)n * sizeof *x);
  for (int k = 0; k < n; k++)
    root[k] = cexpl(-2.0Li * acosl(-1.0L) * k / n);
  for (int way = 0; way < 2; way++) {
    set->kernels->transform(&l.length, (PmeFftWay)way, l.from, STEP, l.to, STEP, l.scratch);
    for (int lane = 0; lane < set->complexes; lane++) {
      for (int j = 0; j < n; j++)
        x[j] = point(set, l.from, j, lane);
      for (int k = 0; k < n; k++) {
        Exact sum = 0.0;
        for (int j = 0; j < n; j++)
          sum += x[j] * root[way == PME_FFT_FORWARD ? j * k % n : (n - j * k % n) % n];
        ck_assert_msg(cabsl(point(set, l.to, k, lane) - sum) < 40.0 * rounding(set->precision) * sqrt(n),
                      "%d points, number %d: off by %g", n, k,
                      (double)cabsl(point(set, l.to, k, lane) - sum));
      }
    }
  }
  free(root);
  free(x);
  free_lines(&l);
}

TEST(lines_are_plain_sums, .rows = SETS)
{
  Set set;
  if (!find_set(_i, &set))
    return;
  for (int n = 2; n <= 130; n++)
    check_sums(&set, n);
  check_sums(&set, 343);
  check_sums(&set, 1023);
}

/* Parseval's sum, and the way there and back, of long lines. */
TEST(lines_go_there_and_back, .rows = SETS)
{
  static const int sizes[] = {256, 360, 509, 512, 625, 729, 768, 1000, 1001, 1024};
  Set set;
  if (!find_set(_i, &set))
    return;
  for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
    const int n = sizes[i];
    const double small = rounding(set.precision);
    Lines l = make_lines(&set, n);
    set.kernels->transform(&l.length, PME_FFT_FORWARD, l.from, STEP, l.to, STEP, l.scratch);
    set.kernels->transform(&l.length, PME_FFT_BACKWARD, l.to, STEP, l.back, STEP, l.scratch);
    for (int lane = 0; lane < set.complexes; lane++) {
      double before = 0.0, after = 0.0;
      for (int j = 0; j < n; j++) {
        const Exact x = point(&set, l.from, j, lane);
        ck_assert_double_le((double)cabsl(point(&set, l.back, j, lane) - n * x), 60.0 * small * n);
        before += (double)(creall(x * conjl(x)));
        after += pow((double)cabsl(point(&set, l.to, j, lane)), 2);
      }
      ck_assert_double_eq_tol(after, n * before, 100.0 * small * n * before);
    }
    free_lines(&l);
  }
}

/* What the choice of a mesh counts is what is planned. */
TEST(passes_are_those_of_the_plan)
{
  for (int n = 1; n <= PME_GRID_MAX; n++) {
    PmeFftLength length;
    Error error;
    ck_assert_int_eq(pme_fft_length_create(&length, PME_FLOAT, n, &error), STATUS_OK);
    int passes = length.passes;
    for (int k = 0; k < length.passes; k++)
      passes += length.pass[k].radix == 7;
    ck_assert_int_eq(pme_fft_passes(n), passes);
    pme_fft_length_free(&length);
  }
}

/* --- meshes --------------------------------------------------------------------------------------------- */

typedef struct World {
  PmeMesh mesh;
  PmeFft fft;
  void *q, *g, *buffer;
} World;

/* As pme.c shapes it. Behind the rows there is no number. */
static World make_world(const Set *set, const int n[3])
{
  const int per_line = set->precision == PME_DOUBLE ? 8 : 16;
  World w = {.mesh = {.order = 4, .n = {n[0], n[1], n[2]}, .width = 4, .row = (n[2] + 4 + 7) / 8 * 8}};
  w.mesh.plane = (((n[1] / 2 + 1) * 2 * w.mesh.row + 2 * per_line - 1) / per_line | 1) * per_line;
  Error error;
  ck_assert_int_eq(pme_fft_create(&w.fft, set->precision, &w.mesh, set->isa, &error), STATUS_OK);
  const size_t size = (size_t)n[0] * (size_t)w.mesh.plane;
  w.q = room(size);
  for (size_t i = 0; i < size; i++)
    put(set->precision, w.q, (ptrdiff_t)i, NAN);
  w.g = room(w.fft.influence);
  w.buffer = room(w.fft.buffer);
  return w;
}

static void free_world(World *w)
{
  pme_fft_free(&w->fft);
  free(w->q);
  free(w->g);
  free(w->buffer);
}

static ptrdiff_t place(const World *w, int x, int y, int z)
{
  return (ptrdiff_t)x * w->mesh.plane + (ptrdiff_t)y * w->mesh.row + z;
}

static void filter(const World *w)
{
  const size_t plane = (size_t)w->mesh.plane * (w->fft.precision == PME_DOUBLE ? 8 : 4);
  for (int x = 0; x < w->mesh.n[0]; x++)
    w->fft.kernels->plane(&w->fft, (char *)w->q + (size_t)x * plane, w->buffer);
  for (int y = 0; y <= w->mesh.n[1] / 2; y++)
    w->fft.kernels->lines(&w->fft, w->q, y, w->g, NULL, w->buffer, NULL);
  for (int x = 0; x < w->mesh.n[0]; x++)
    w->fft.kernels->plane_back(&w->fft, (char *)w->q + (size_t)x * plane, w->buffer);
}

/* With an influence of one everywhere a mesh comes back as many times larger as it has points. */
TEST(meshes_come_back, .rows = SETS)
{
  static const int sizes[][3] = {{8, 8, 8},    {9, 11, 13},  {12, 15, 18}, {10, 9, 8},
                                 {20, 24, 36}, {16, 32, 64}, {17, 12, 35}, {40, 21, 50}};
  Set set;
  if (!find_set(_i, &set))
    return;
  for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
    const int *n = sizes[i];
    const double points = (double)n[0] * n[1] * n[2];
    World w = make_world(&set, n);
    double *const was = room((size_t)points);
    RandomStream s = random_stream(5, i, RANDOM_TEST);
    for (int x = 0, k = 0; x < n[0]; x++)
      for (int y = 0; y < n[1]; y++)
        for (int z = 0; z < n[2]; z++, k++) {
          put(set.precision, w.q, place(&w, x, y, z), was[k] = random_normal(&s));
          if (y <= n[1] / 2)
            put(set.precision, w.g, (ptrdiff_t)pme_fft_place(&w.fft, x, y, z), 1.0);
        }
    filter(&w);
    for (int x = 0, k = 0; x < n[0]; x++)
      for (int y = 0; y < n[1]; y++)
        for (int z = 0; z < n[2]; z++, k++)
          ck_assert_double_le(fabs(get(set.precision, w.q, place(&w, x, y, z)) / points - was[k]),
                              60.0 * rounding(set.precision));
    free(was);
    free_world(&w);
  }
}

/* Of some wave vector and its opposite. */
static double influence(int x, int y, int z)
{
  return 1.0 / (1.0 + x * x + 2.0 * y * y + 3.0 * z * z + x * y - y * z);
}

/* Two charges and an even influence: the sum of what each gives alone, which is a sum of waves. */
TEST(charges_meet_the_influence, .rows = SETS)
{
  static const int sizes[][3] = {{8, 9, 10}, {11, 8, 9}, {9, 13, 8}}, at[2][3] = {{1, 2, 3}, {7, 0, 4}};
  static const double charge[2] = {0.75, -1.5};
  Set set;
  if (!find_set(_i, &set))
    return;
  for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
    const int *n = sizes[i];
    World w = make_world(&set, n);
    for (int x = 0; x < n[0]; x++)
      for (int y = 0; y < n[1]; y++)
        for (int z = 0; z < n[2]; z++) {
          put(set.precision, w.q, place(&w, x, y, z), 0.0);
          const bool single = 2 * x != n[0] && 2 * y != n[1] && 2 * z != n[2];
          if (y <= n[1] / 2)
            put(set.precision, w.g, (ptrdiff_t)pme_fft_place(&w.fft, x, y, z),
                single ? influence(2 * x > n[0] ? x - n[0] : x, y, 2 * z > n[2] ? z - n[2] : z) : 0.0);
        }
    for (int c = 0; c < 2; c++)
      put(set.precision, w.q, place(&w, at[c][0], at[c][1], at[c][2]), charge[c]);
    filter(&w);
    for (int x = 0; x < n[0]; x++)
      for (int y = 0; y < n[1]; y++)
        for (int z = 0; z < n[2]; z++) {
          double sum = 0.0, size = 0.0;
          for (int c = 0; c < 2; c++)
            for (int a = -((n[0] - 1) / 2); 2 * a < n[0]; a++)
              for (int b = -((n[1] - 1) / 2); 2 * b < n[1]; b++)
                for (int d = -((n[2] - 1) / 2); 2 * d < n[2]; d++) {
                  size += fabs(charge[c] * influence(a, b, d));
                  sum += charge[c] * influence(a, b, d) *
                         cos(2.0 * M_PI *
                             ((double)a * (x - at[c][0]) / n[0] + (double)b * (y - at[c][1]) / n[1] +
                              (double)d * (z - at[c][2]) / n[2]));
                }
          ck_assert_double_eq_tol(get(set.precision, w.q, place(&w, x, y, z)), sum,
                                  10.0 * size * rounding(set.precision));
        }
    free_world(&w);
  }
}
