/* The water force's way from a state to rows of molecules and back, a pack of eight molecules at a time. */
#include <string.h>

#include "engine/octet.h"
#include "forcefields/bulk_kernels.h"

typedef float Floats __attribute__((vector_size(4 * LANES)));
typedef int32_t Ints __attribute__((vector_size(4 * LANES)));

VEC_INLINE Octet whole(Octet a) { return (a + VEC_WHOLE) - VEC_WHOLE; }

/* Eight x, y and z to eight times x, y, z, z. */
VEC_INLINE void split(Ints x, Ints y, Ints z, Ints out[4])
{
  const Ints a = __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13);
  const Ints b = __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
  const Ints c = __builtin_shufflevector(z, z, 0, 0, 1, 1, 4, 4, 5, 5);
  const Ints d = __builtin_shufflevector(z, z, 2, 2, 3, 3, 6, 6, 7, 7);
  out[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
  out[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
  out[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
  out[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* The other way: in[m] holds the molecules m and m + 4. */
VEC_INLINE void join(const Ints in[4], Ints out[3])
{
  const Ints a = __builtin_shufflevector(in[0], in[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const Ints b = __builtin_shufflevector(in[2], in[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const Ints c = __builtin_shufflevector(in[0], in[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const Ints d = __builtin_shufflevector(in[2], in[3], 2, 10, 3, 11, 6, 14, 7, 15);
  out[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
  out[1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  out[2] = __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13);
}

static void stage_floats(const BulkModel *model, const BulkPack *pack, const int32_t (*o)[4], BulkRow *row)
{
  /* The unit in the last place of the float that rounds to the grid. */
  const double grid = model->floats.grid / (1.5 * 8388608.0), scale = 1.0 / (model->floats.unit * grid);
  Ints h[2][4];
  for (int b = 0; b < 2; b++) {
    Ints x[3];
    for (int d = 0; d < 3; d++)
      x[d] =
          (Ints) __builtin_convertvector(whole((pack->q[3 * b + 3 + d] - pack->q[d]) * scale) * grid, Floats);
    split(x[0], x[1], x[2], h[b]);
  }
  for (int l = 0; l < pack->n; l++) {
    BulkRow *const r = &row[pack->place[l]];
    memcpy(r->o, o[l], sizeof r->o);
    memcpy(r->h1, (const char *)&h[0][l % 4] + 16 * (l / 4), sizeof r->h1);
    memcpy(r->h2, (const char *)&h[1][l % 4] + 16 * (l / 4), sizeof r->h2);
  }
}

static void stage_exact(const double length[3], const BulkPack *pack, double *row)
{
  double x[9][LANES];
  for (int k = 0; k < 9; k++) {
    const Octet at = pack->q[k % 3], l = octet_set(length[k % 3]);
    Octet v = k < 3 ? at - l * whole(at / l) : pack->q[k] - at;
    memcpy(x[k], &v, sizeof v);
  }
  for (int l = 0; l < pack->n; l++)
    for (int k = 0; k < 9; k++)
      row[(size_t)pack->place[l] * BULK_ROW + (size_t)(k / 3 * 4 + k % 3)] = x[k][l];
}

static unsigned stage(const BulkModel *model, double reach, const BulkPack *pack, const int32_t (*o)[4],
                      BulkRow *row, double *exact_row)
{
  OctetMask fit = (OctetMask){0} - 1;
  for (int b = 1; b < 3; b++) {
    Octet bond2 = {0};
    for (int d = 0; d < 3; d++) {
      const Octet x = pack->q[3 * b + d] - pack->q[d];
      bond2 += x * x;
    }
    fit &= bond2 <= reach * reach; /* false where it is no number */
  }
  if (row != NULL)
    stage_floats(model, pack, o, row);
  if (exact_row != NULL)
    stage_exact(model->length, pack, exact_row);
  return ~octet_bits(fit) & ((1u << pack->n) - 1u);
}

static void collect_floats(const BulkPack *pack, const int32_t *force, Octet f[9])
{
  const double unit = 1.0 / (1 << BULK_FORCE_BITS);
  Ints in[3][4] = {0};
  for (int l = 0; l < pack->n; l++) {
    const int32_t *from = force + (size_t)pack->place[l] * BULK_INTS;
    for (int b = 0; b < 3; b++)
      memcpy((char *)&in[b][l % 4] + 16 * (l / 4), from + 4 * b, 16);
  }
  for (int b = 0; b < 3; b++) {
    Ints x[3];
    join(in[b], x);
    for (int d = 0; d < 3; d++)
      f[3 * b + d] = unit * __builtin_convertvector(x[d], Octet);
  }
}

static void collect_exact(const BulkPack *pack, const int64_t *force, Octet f[9])
{
  const double unit = 1.0 / (double)(INT64_C(1) << BULK_EXACT_BITS);
  int64_t in[9][LANES] = {0};
  for (int l = 0; l < pack->n; l++) {
    const int64_t *from = force + (size_t)pack->place[l] * BULK_ROW;
    for (int k = 0; k < 9; k++)
      in[k][l] = from[k / 3 * 4 + k % 3];
  }
  for (int k = 0; k < 9; k++) {
    OctetMask x;
    memcpy(&x, in[k], sizeof x);
    f[k] = unit * __builtin_convertvector(x, Octet);
  }
}

/* |a| < 2^51 */
VEC_INLINE OctetMask to_integers(Octet a)
{
  return (OctetMask)(a + VEC_WHOLE) - (OctetMask)octet_set(VEC_WHOLE);
}

static void add_virial(const BulkPack *pack, const Octet f[9], int64_t *virial)
{
  const double unit = (double)(INT64_C(1) << BULK_SITE_BITS);
  for (int k = 0; k < 9; k++) {
    const int a = k / 3, b = k % 3;
    const Octet w = (pack->q[3 + a] - pack->q[a]) * f[3 + b] + (pack->q[6 + a] - pack->q[a]) * f[6 + b];
    const OctetMask v = to_integers(unit * w);
    for (int l = 0; l < pack->n; l++)
      virial[k] += v[l];
  }
}

static void collect(const BulkPack *pack, const int32_t *force, const int64_t *exact, Octet *f,
                    int64_t *virial)
{
  Octet sum[9];
  if (force != NULL)
    collect_floats(pack, force, sum);
  else
    collect_exact(pack, exact, sum);
  for (int k = 0; k < 9; k++)
    f[k] += sum[k];
  if (virial != NULL)
    add_virial(pack, sum, virial);
}

const BulkRowKernels ISA_SYMBOL(bulk_rows_table) = {stage, collect};
