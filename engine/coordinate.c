#include "engine/coordinate.h"

#include <math.h>
#include <string.h>

#include "engine/coordinate_rmsd.h"
#include "engine/coordinate_vec.h"

/* In files: what follows a value, and the column of values. */
#define LENGTH_UNIT     " A"
#define OFFSET_UNIT     " A"
#define COUNT_UNIT      ""
#define NUMBER_UNIT     ""
#define BEND_UNIT       " degrees"
#define TURN_UNIT       " degrees"
#define LENGTH_ARGUMENT "r"
#define OFFSET_ARGUMENT "h"
#define COUNT_ARGUMENT  "n"
#define NUMBER_ARGUMENT "value"
#define BEND_ARGUMENT   "angle"
#define TURN_ARGUMENT   "angle"

#define COORDINATE(FORM, id, sites, derivatives, measures, symbol, output, words, heading, chained, motions, \
                   own, ...)                                                                                 \
  [COORDINATE_##FORM] = {                                                                                    \
      .name = #id,                                                                                           \
      .nsite = (sites),                                                                                      \
      .measure = COORDINATE_##measures,                                                                      \
      .angle = COORDINATE_##measures >= COORDINATE_BEND,                                                     \
      .periodic = COORDINATE_##measures == COORDINATE_TURN,                                                  \
      .plain = COORDINATE_##measures == COORDINATE_COUNT || COORDINATE_##measures == COORDINATE_NUMBER,      \
      .negative = COORDINATE_##measures == COORDINATE_OFFSET || COORDINATE_##measures == COORDINATE_NUMBER,  \
      .unit = measures##_UNIT,                                                                               \
      .argument = measures##_ARGUMENT,                                                                       \
      .list = #output,                                                                                       \
      .one = (words),                                                                                        \
      .bonded = (chained),                                                                                   \
      .invariance = COORDINATE_##motions,                                                                    \
      .options = COORDINATE_##own,                                                                           \
      .pairs = COORDINATE_##derivatives == COORDINATE_PAIRS,                                                 \
      .composed = COORDINATE_##derivatives == COORDINATE_COMPOSED,                                           \
      .lists = COORDINATE_##derivatives == COORDINATE_PAIRS      ? 2                                         \
               : COORDINATE_##derivatives == COORDINATE_COMPOSED ? 0                                         \
               : (sites) > 0                                     ? (sites)                                   \
                                                                 : 1},
const CoordinateType coordinate_types[COORDINATES] = {
#include "engine/coordinates.def"
};

/* --- any number of sites -------------------------------------------------------------------------------- */

static void gyration(int n, const CoordinateMany *of, const Vec8 *v, Vec8 *value, Vec8 *slope)
{
  const double *const weight = of->weight;
  Vec8 centre[3] = {{0.0}}, square = {0.0};
  for (int k = 0; k < 3 * (n - 1); k++)
    centre[k % 3] += weight[k / 3 + 1] * v[k];
  for (int d = 0; d < 3; d++)
    square += weight[0] * centre[d] * centre[d];
  for (int k = 0; k < 3 * (n - 1); k++)
    square += weight[k / 3 + 1] * (v[k] - centre[k % 3]) * (v[k] - centre[k % 3]);
  *value = vec8_sqrt(square);
  const Vec8 inverse = vec8_select(square == vec8_set(0.0), vec8_set(0.0), 1.0 / *value);
  for (int k = 0; slope != NULL && k < 3 * (n - 1); k++)
    slope[k] = weight[k / 3 + 1] * inverse * (v[k] - centre[k % 3]);
}

/* The deviation in lane l of sites, the first of which is at the origin. */
static void read_rmsd(int n, const CoordinateMany *of, const Vec8 *v, int l, Vec8 *value, Vec8 *slope)
{
  double middle[3] = {0.0}, (*const x)[3] = (double(*)[3])of->scratch, (*const by)[3] = x + n;
  memset(x, 0, sizeof *x);
  for (int k = 0; k < 3 * (n - 1); k++) {
    x[k / 3 + 1][k % 3] = v[k][l];
    middle[k % 3] += v[k][l] / n;
  }
  for (int k = 0; k < 3 * n; k++)
    x[k / 3][k % 3] -= middle[k % 3];
  (*value)[l] = coordinate_rmsd(n, (const double(*)[3])x, of->reference, slope != NULL ? by : NULL);
  for (int k = 0; k < 3 * (n - 1) && slope != NULL; k++)
    slope[k][l] = by[k / 3 + 1][k % 3];
}

static void rmsd(int n, const CoordinateMany *of, const Vec8 *v, Vec8 *value, Vec8 *slope)
{
  *value = vec8_set(0.0);
  if (slope != NULL)
    memset(slope, 0, 3 * (size_t)(n - 1) * sizeof *slope);
  for (int l = 0; l < of->lanes; l++)
    read_rmsd(n, of, v, l, value, slope);
}

/* --- all ------------------------------------------------------------------------------------------------ */

int coordinate_bin(const CoordinateType *type, double low, double width, int n, double value)
{
  const double bin = floor((value - low) / width);
  if (type->angle && bin >= n && low + n * width > M_PI - 1e-9)
    return type->periodic ? 0 : n - 1;
  return bin >= 0.0 && bin < n ? (int)bin : -1;
}

void coordinate_ends(CoordinateForm form, int k, int *from, int *to)
{
  const bool many = coordinate_sites(form) == 0;
  *from = many ? 0 : coordinate_pairs[form][k][0];
  *to = many ? k + 1 : coordinate_pairs[form][k][1];
}

void coordinate_between(CoordinateForm form, int n, const Vec8 *x, Vec8 *v)
{
  for (int k = 0; k < coordinate_between_sites(form, n); k++) {
    int from, to;
    coordinate_ends(form, k, &from, &to);
    for (int d = 0; d < 3 && from < 0; d++)
      v[3 * k + d] = x[3 * to + d];
    for (int d = 0; d < 3 && from >= 0; d++)
      v[3 * k + d] = x[3 * to + d] - x[3 * from + d];
  }
}

/* The value of a pair, and the factor from the gradient of the pair's function to that of the value. */
static double value_of(CoordinateMeasure measure, double at, double other, double *factor)
{
  *factor = measure == COORDINATE_BEND ? -1.0 / fmax(other, COORDINATE_LINE) : 1.0;
  return measure >= COORDINATE_BEND ? atan2(other, at) : at;
}

static void read_few(CoordinateForm form, const Vec8 *v, Vec8 *value, Vec8 *slope)
{
  const int n = 3 * coordinate_between_sites(form, coordinate_sites(form));
  Vec8 at[2], factor;
  for (int p = 0; p < REGISTERS; p++) {
    vd u[3 * COORDINATE_VECTORS], pair[2 * COORDINATE_VALUES],
        grad[3 * COORDINATE_VECTORS * COORDINATE_VALUES];
    for (int k = 0; k < n; k++)
      u[k] = vd_load(v + k, p);
    coordinate_eval(form, u, pair, grad);
    for (int k = 0; slope != NULL && k < n; k++)
      vd_store(slope + k, p, grad[k]);
    for (int k = 0; k < 2; k++)
      vd_store(at + k, p, pair[k]);
  }
  for (int l = 0; l < LANES; l++) {
    double by;
    (*value)[l] = value_of(coordinate_types[form].measure, at[0][l], at[1][l], &by);
    factor[l] = by;
  }
  for (int k = 0; slope != NULL && k < n; k++)
    slope[k] *= factor;
}

void coordinate_read(CoordinateForm form, int n, const CoordinateMany *of, const Vec8 *v, Vec8 *value,
                     Vec8 *slope)
{
  switch (form) {
#define READ_FIRST(id)    read_few(form, v, value, slope)
#define READ_SECOND(id)   READ_FIRST(id)
#define READ_MANY(id)     id(n, of, v, value, slope)
#define READ_PAIRS(id)    __builtin_unreachable()
#define READ_COMPOSED(id) __builtin_unreachable()
#define COORDINATE(FORM, id, sites, derivatives, ...)                                                        \
  case COORDINATE_##FORM:                                                                                    \
    READ_##derivatives(id);                                                                                  \
    break;
#include "engine/coordinates.def"
  default:
    break;
  }
}
