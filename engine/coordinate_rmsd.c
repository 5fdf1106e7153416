#include "engine/coordinate_rmsd.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 50 };

/* The 4 x 4 matrix whose eigenvector of the largest eigenvalue is the rotation of the reference onto x. */
static void fill_matrix(int n, const double (*x)[3], const double (*q)[3], double m[4][4])
{
  double s[3][3] = {{0.0}};
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        s[a][b] += q[i][a] * x[i][b];
  m[0][0] = s[0][0] + s[1][1] + s[2][2];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    m[0][a + 1] = m[a + 1][0] = s[b][c] - s[c][b];
    m[a + 1][a + 1] = s[a][a] - s[b][b] - s[c][c];
    m[b + 1][c + 1] = m[c + 1][b + 1] = s[b][c] + s[c][b];
  }
}

/* One rotation of Jacobi's method, which makes m[p][q] zero; columns of v become eigenvectors. */
static void rotate(double m[4][4], double v[4][4], int p, int q)
{
  const double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
  const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 4; k++) {
    const double a = m[k][p], b = m[k][q];
    m[k][p] = c * a - s * b;
    m[k][q] = s * a + c * b;
  }
  for (int k = 0; k < 4; k++) {
    const double a = m[p][k], b = m[q][k], one = v[k][p], other = v[k][q];
    m[p][k] = c * a - s * b;
    m[q][k] = s * a + c * b;
    v[k][p] = c * one - s * other;
    v[k][q] = s * one + c * other;
  }
}

/* The eigenvector of the largest eigenvalue. */
static void find_quaternion(double m[4][4], double out[4])
{
  double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, size = 0.0;
  for (int k = 0; k < 16; k++)
    size = fmax(size, fabs(m[k / 4][k % 4]));
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = 0.0;
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++) {
        off = fmax(off, fabs(m[p][q]));
        if (fabs(m[p][q]) > 1e-300)
          rotate(m, v, p, q);
      }
    if (!(off > 1e-17 * size))
      break;
  }
  int best = 0;
  for (int k = 1; k < 4; k++)
    best = m[k][k] > m[best][best] ? k : best;
  for (int k = 0; k < 4; k++)
    out[k] = v[k][best];
}

/* The rotation matrix of a unit quaternion. */
static void fill_rotation(const double q[4], double r[3][3])
{
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    r[a][a] = q[0] * q[0] + q[a + 1] * q[a + 1] - q[b + 1] * q[b + 1] - q[c + 1] * q[c + 1];
    r[a][b] = 2.0 * (q[a + 1] * q[b + 1] - q[0] * q[c + 1]);
    r[b][a] = 2.0 * (q[a + 1] * q[b + 1] + q[0] * q[c + 1]);
  }
}

double coordinate_rmsd(int n, const double (*x)[3], const double (*reference)[3], double (*slope)[3])
{
  double m[4][4], q[4], r[3][3], square = 0.0;
  fill_matrix(n, x, reference, m);
  find_quaternion(m, q);
  fill_rotation(q, r);
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++) {
      const double off =
          x[i][a] - (r[a][0] * reference[i][0] + r[a][1] * reference[i][1] + r[a][2] * reference[i][2]);
      square += off * off;
      if (slope != NULL)
        slope[i][a] = off;
    }
  const double value = sqrt(square / n), factor = value > 0.0 ? 1.0 / (n * value) : 0.0;
  for (int k = 0; k < 3 * n && slope != NULL; k++)
    slope[k / 3][k % 3] *= factor;
  return value;
}
