/* The pair force as one writes it down. */
#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/pair.h"

typedef struct Site {
  double x[3], f[3], q;
} Site;

/* Charge sites (O or M, H, H) of the molecule at x[3][3]. */
static void place(const WaterModel *model, const double *x, Site site[3])
{
  const double a = water_m_weight(model);
  for (int s = 0; s < 3; s++)
    for (int d = 0; d < 3; d++)
      site[s].x[d] = s == 0 ? (1.0 - 2.0 * a) * x[d] + a * (x[3 + d] + x[6 + d]) : x[3 * s + d];
  for (int s = 0; s < 3; s++)
    site[s].q = s == 0 ? -2.0 * model->q_h : model->q_h;
}

/* Adds s r to f and takes it from g; r = x - y. */
static void push(double s, const double *x, const double *y, double *f, double *g)
{
  for (int d = 0; d < 3; d++) {
    f[d] += s * (x[d] - y[d]);
    g[d] -= s * (x[d] - y[d]);
  }
}

static double square_distance(const double *x, const double *y)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++)
    sum += (x[d] - y[d]) * (x[d] - y[d]);
  return sum;
}

/* Forces on the atoms, f[O, H, H], from those on the charge sites. */
static void spread(const WaterModel *model, const Site site[3], double *f)
{
  const double a = water_m_weight(model);
  for (int d = 0; d < 3; d++) {
    f[d] += (1.0 - 2.0 * a) * site[0].f[d];
    f[3 + d] += site[1].f[d] + a * site[0].f[d];
    f[6 + d] += site[2].f[d] + a * site[0].f[d];
  }
}

static void interact(const WaterModel *model, const double *xi, const double *xj, double *fi, double *fj,
                     double *energy)
{
  Site i[3] = {0}, j[3] = {0};
  place(model, xi, i);
  place(model, xj, j);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double r2 = square_distance(i[a].x, j[b].x), v = UNITS_COULOMB * i[a].q * j[b].q / sqrt(r2);
      energy[PAIR_COULOMB] += v;
      push(v / r2, i[a].x, j[b].x, i[a].f, j[b].f);
    }
  spread(model, i, fi);
  spread(model, j, fj);
  const double r2 = square_distance(xi, xj), r6 = 1.0 / (r2 * r2 * r2);
  energy[PAIR_LJ] += (model->a * r6 - model->c) * r6;
  push((12.0 * model->a * r6 - 6.0 * model->c) * r6 / r2, xi, xj, fi, fj);
}

void pair_reference(const WaterModel *model, int nmol, const double *x, double *f, double energy[PAIR_TERMS])
{
  energy[PAIR_COULOMB] = energy[PAIR_LJ] = 0.0;
  if (f != NULL)
    memset(f, 0, 9 * (size_t)nmol * sizeof *f);
  for (int i = 0; i < nmol; i++)
    for (int j = i + 1; j < nmol; j++) {
      double unused[2][9] = {{0}};
      double *fi = f != NULL ? f + 9 * i : unused[0], *fj = f != NULL ? f + 9 * j : unused[1];
      interact(model, x + 9 * i, x + 9 * j, fi, fj, energy);
    }
}
