#include "engine/place.h"

#include <math.h>
#include <string.h>

/* A rotation from four normals: a uniform unit quaternion. */
static void random_rotation(RandomStream *stream, double r[3][3])
{
  double q[4], norm = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = random_normal(stream);
    norm += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++)
    q[i] /= sqrt(norm);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(r, rows, sizeof rows);
}

void place_molecule(const Kind *kind, RandomStream *stream, const double centre[3], double *x)
{
  double r[3][3];
  random_rotation(stream, r);
  for (int s = 0; s < kind->nsite; s++)
    for (int i = 0; i < 3; i++) {
      x[3 * s + i] = centre[i];
      for (int j = 0; j < 3; j++)
        x[3 * s + i] += r[i][j] * kind->reference[3 * s + j];
    }
}

double place_rigid(const Kind *kind, double *x)
{
  double a[3], b[3], e[3][3], moved = 0.0;
  double na = 0.0, nb = 0.0;
  for (int d = 0; d < 3; d++) {
    a[d] = x[3 + d] - x[d];
    b[d] = x[6 + d] - x[d];
    na += a[d] * a[d];
    nb += b[d] * b[d];
  }
  /* e0 along the bisector, e1 across it in the plane, as in the reference geometry. */
  double n0 = 0.0, n1 = 0.0;
  for (int d = 0; d < 3; d++) {
    e[0][d] = a[d] / sqrt(na) + b[d] / sqrt(nb);
    e[1][d] = a[d] / sqrt(na) - b[d] / sqrt(nb);
    n0 += e[0][d] * e[0][d];
    n1 += e[1][d] * e[1][d];
  }
  const double *ref = kind->reference;
  double along = 0.0, across = 0.0;
  for (int d = 0; d < 3; d++) {
    const double mid = 0.5 * (ref[3 + d] + ref[6 + d]) - ref[d], half = 0.5 * (ref[3 + d] - ref[6 + d]);
    along += mid * mid;
    across += half * half;
  }
  along = sqrt(along);
  across = sqrt(across);
  for (int d = 0; d < 3; d++) {
    const double h1 = x[d] + along * e[0][d] / sqrt(n0) + across * e[1][d] / sqrt(n1);
    const double h2 = x[d] + along * e[0][d] / sqrt(n0) - across * e[1][d] / sqrt(n1);
    moved = fmax(moved, fmax(fabs(h1 - x[3 + d]), fabs(h2 - x[6 + d])));
    x[3 + d] = h1;
    x[6 + d] = h2;
  }
  /* fmax drops NaN, so check both axes: collinear bonds, or bonds of length 0, lack one. */
  return n0 > 1e-12 && n1 > 1e-12 && isfinite(n0 + n1) ? moved : INFINITY;
}
