#include "tests/plain_coordinate.h"

#include <math.h>
#include <string.h>

void plain_nearest(const double (*box)[3], double r[3])
{
  double best[3], least = INFINITY;
  for (int d = 2; box != NULL && d >= 0; d--) {
    const double turns = rint(r[d] / box[d][d]);
    for (int e = 0; e < 3; e++)
      r[e] -= turns * box[d][e];
  }
  for (int k = 0; box != NULL && k < 27; k++) {
    double x[3];
    for (int e = 0; e < 3; e++)
      x[e] = r[e] + (k % 3 - 1) * box[0][e] + (k / 3 % 3 - 1) * box[1][e] + (k / 9 - 1) * box[2][e];
    if (plain_dot(x, x) < least) {
      least = plain_dot(x, x);
      memcpy(best, x, sizeof best);
    }
  }
  if (box != NULL)
    memcpy(r, best, sizeof best);
}

void plain_cross(const double a[3], const double b[3], double c[3])
{
  for (int d = 0; d < 3; d++)
    c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

static double distance(double x[][3], double grad[][3])
{
  double r[3];
  for (int d = 0; d < 3; d++)
    r[d] = x[1][d] - x[0][d];
  const double length = sqrt(plain_dot(r, r));
  for (int d = 0; d < 3; d++) {
    grad[1][d] = r[d] / length;
    grad[0][d] = -grad[1][d];
  }
  return length;
}

static double angle(double x[][3], double grad[][3])
{
  double a[3], b[3], normal[3];
  for (int d = 0; d < 3; d++) {
    a[d] = x[0][d] - x[1][d];
    b[d] = x[2][d] - x[1][d];
  }
  plain_cross(a, b, normal);
  const double aa = plain_dot(a, a), bb = plain_dot(b, b), ab = plain_dot(a, b),
               area = sqrt(plain_dot(normal, normal));
  for (int d = 0; d < 3; d++) {
    grad[0][d] = (ab / aa * a[d] - b[d]) / area;
    grad[2][d] = (ab / bb * b[d] - a[d]) / area;
    grad[1][d] = -(grad[0][d] + grad[2][d]);
  }
  return atan2(area, ab);
}

static double dihedral(double x[][3], double grad[][3])
{
  double f[3], g[3], h[3], a[3], b[3], turn[3];
  for (int d = 0; d < 3; d++) {
    f[d] = x[0][d] - x[1][d];
    g[d] = x[1][d] - x[2][d];
    h[d] = x[3][d] - x[2][d];
  }
  plain_cross(f, g, a);
  plain_cross(h, g, b);
  plain_cross(b, a, turn);
  const double aa = plain_dot(a, a), bb = plain_dot(b, b), length = sqrt(plain_dot(g, g));
  const double fg = plain_dot(f, g) / length, hg = plain_dot(h, g) / length;
  for (int d = 0; d < 3; d++) {
    const double middle = fg * a[d] / aa - hg * b[d] / bb;
    grad[0][d] = -length * a[d] / aa;
    grad[1][d] = length * a[d] / aa + middle;
    grad[2][d] = -length * b[d] / bb - middle;
    grad[3][d] = length * b[d] / bb;
  }
  return atan2(plain_dot(turn, g) / length, plain_dot(a, b));
}

double plain_coordinate(int n, double x[][3], double grad[][3])
{
  return n == 2 ? distance(x, grad) : n == 3 ? angle(x, grad) : dihedral(x, grad);
}
