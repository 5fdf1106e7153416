#include "tests/plain_ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plain_coordinate.h"

bool plain_ewald_sums(const CutoffDescription *cutoff)
{
  return cutoff != NULL && (strcmp(cutoff->coulomb, "ewald") == 0 || strcmp(cutoff->coulomb, "pme") == 0);
}

/* force[i] += and force[j] -= along r by `factor` r. */
static void push(double factor, const double r[3], double *i, double *j)
{
  for (int d = 0; d < 3; d++) {
    i[d] += factor * r[d];
    j[d] -= factor * r[d];
  }
}

/* erfc(a r)/r between two sites and their images, three boxes each way. */
static void add_real(double qq, double a, const double (*box)[3], const double x[3], double *i, double *j)
{
  for (int n = 0; n < 343; n++) {
    double r[3];
    for (int d = 0; d < 3; d++)
      r[d] = x[d] + (n % 7 - 3) * box[0][d] + (n / 7 % 7 - 3) * box[1][d] + (n / 49 - 3) * box[2][d];
    const double square = plain_dot(r, r), far = sqrt(square);
    if (a * far < 6.0)
      push(qq * (erfc(a * far) / far + 2.0 * a / sqrt(M_PI) * exp(-a * a * square)) / square, r, i, j);
  }
}

/* Of the wave k, of two that are opposite to each other. */
static void add_wave(const PairsDescription *p, double a, double volume, const double k[3],
                     const double (*x)[3], double (*force)[3])
{
  const double square = plain_dot(k, k);
  double re = 0.0, im = 0.0;
  for (int i = 0; i < p->nsite; i++) {
    re += p->site[i].charge * cos(plain_dot(k, x[i]));
    im += p->site[i].charge * sin(plain_dot(k, x[i]));
  }
  const double factor = 8.0 * M_PI * p->coulomb / volume * exp(-square / (4.0 * a * a)) / square;
  for (int i = 0; i < p->nsite; i++) {
    const double by = p->site[i].charge * (re * sin(plain_dot(k, x[i])) - im * cos(plain_dot(k, x[i])));
    for (int d = 0; d < 3; d++)
      force[i][d] += factor * by * k[d];
  }
}

static void add_waves(const PairsDescription *p, double a, const double (*box)[3], const double (*x)[3],
                      double (*force)[3])
{
  double across[3][3], longest = 0.0;
  for (int d = 0; d < 3; d++) {
    plain_cross(box[(d + 1) % 3], box[(d + 2) % 3], across[d]);
    longest = fmax(longest, sqrt(plain_dot(box[d], box[d])));
  }
  const double volume = plain_dot(box[0], across[0]), most = 12.0 * a;
  const int n = (int)(most * longest / (2.0 * M_PI)) + 1;
  for (int i = 0; i <= n; i++)
    for (int j = -n; j <= n; j++)
      for (int l = -n; l <= n; l++) {
        double k[3];
        for (int d = 0; d < 3; d++)
          k[d] = 2.0 * M_PI / volume * (i * across[0][d] + j * across[1][d] + l * across[2][d]);
        const bool half = i > 0 || j > 0 || (j == 0 && l > 0);
        if (half && plain_dot(k, k) < most * most)
          add_wave(p, a, volume, k, x, force);
      }
}

void plain_ewald(const PairsDescription *p, const double (*box)[3], const double (*x)[3], double (*force)[3])
{
  const double a = 5.0 / box[0][0];
  for (int i = 0; i < p->nsite; i++)
    for (int j = 0; j < i; j++) {
      double r[3];
      for (int d = 0; d < 3; d++)
        r[d] = x[i][d] - x[j][d];
      add_real(p->coulomb * p->site[i].charge * p->site[j].charge, a, box, r, force[i], force[j]);
    }
  add_waves(p, a, box, x, force);
  for (int k = 0; k < p->nexcluded; k++) {
    const int i = p->excluded[k][0], j = p->excluded[k][1];
    double r[3];
    for (int d = 0; d < 3; d++)
      r[d] = x[i][d] - x[j][d];
    plain_nearest(box, r);
    push(-p->coulomb * p->site[i].charge * p->site[j].charge / pow(plain_dot(r, r), 1.5), r, force[i],
         force[j]);
  }
}
