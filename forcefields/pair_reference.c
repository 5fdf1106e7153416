/* The pair force as one writes it down. */
#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/pair.h"

typedef struct Site {
  double x[3], f[3], q;
} Site;

/* Charge sites (O or M, H, H; or the atom) of the molecule at x[natom][3]. */
static void place(const PairMolecule *m, const double *x, Site site[3])
{
  const double a = m->weight;
  for (int s = 0; s < m->natom; s++) {
    for (int d = 0; d < 3; d++)
      site[s].x[d] =
          s == 0 && m->natom == 3 ? (1.0 - 2.0 * a) * x[d] + a * (x[3 + d] + x[6 + d]) : x[3 * s + d];
    site[s].q = m->charge[s];
  }
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

/* Forces on the atoms, f[natom][3], from those on the charge sites. */
static void spread(const PairMolecule *m, const Site site[3], double *f)
{
  const double a = m->weight;
  for (int d = 0; d < 3; d++) {
    f[d] += m->natom == 3 ? (1.0 - 2.0 * a) * site[0].f[d] : site[0].f[d];
    for (int s = 1; s < m->natom; s++)
      f[3 * s + d] += site[s].f[d] + a * site[0].f[d];
  }
}

void pair_reference_two(const PairMolecule *mi, const PairMolecule *mj, const double lj[2], const double *xi,
                        const double *xj, double *fi, double *fj, double energy[PAIR_TERMS])
{
  Site i[3] = {0}, j[3] = {0};
  place(mi, xi, i);
  place(mj, xj, j);
  for (int a = 0; a < mi->natom; a++)
    for (int b = 0; b < mj->natom; b++) {
      const double r2 = square_distance(i[a].x, j[b].x), v = UNITS_COULOMB * i[a].q * j[b].q / sqrt(r2);
      energy[PAIR_COULOMB] += v;
      push(v / r2, i[a].x, j[b].x, i[a].f, j[b].f);
    }
  spread(mi, i, fi);
  spread(mj, j, fj);
  const double r2 = square_distance(xi, xj), r6 = 1.0 / (r2 * r2 * r2);
  energy[PAIR_LJ] += (lj[0] * r6 - lj[1]) * r6;
  push((12.0 * lj[0] * r6 - 6.0 * lj[1]) * r6 / r2, xi, xj, fi, fj);
}

void pair_reference(const WaterModel *model, int nmol, const double *x, double *f, double energy[PAIR_TERMS])
{
  const PairMolecule water = {3, {-2.0 * model->q_h, model->q_h, model->q_h}, water_m_weight(model)};
  const double lj[2] = {model->a, model->c};
  energy[PAIR_COULOMB] = energy[PAIR_LJ] = 0.0;
  if (f != NULL)
    memset(f, 0, 9 * (size_t)nmol * sizeof *f);
  for (int i = 0; i < nmol; i++)
    for (int j = i + 1; j < nmol; j++) {
      double unused[2][9] = {{0}};
      double *fi = f != NULL ? f + 9 * i : unused[0], *fj = f != NULL ? f + 9 * j : unused[1];
      pair_reference_two(&water, &water, lj, x + 9 * i, x + 9 * j, fi, fj, energy);
    }
}
