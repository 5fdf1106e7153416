#include "tests/plain_terms.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "tests/plain_coordinate.h"

/* --- terms ---------------------------------------------------------------------------------------------- */

static bool is(const TermDescription *t, const char *type) { return strcmp(t->type, type) == 0; }

static double of_pair(const double *p, double r)
{
  const double s6 = pow(p[0] / r, 6);
  return -24.0 * p[1] * (2.0 * s6 * s6 - s6) / r - UNITS_COULOMB * p[2] / (r * r);
}

/* sum c_n cos^n(phi - pi) */
static double of_ryckaert(const double *c, double phi)
{
  double slope = 0.0;
  for (int n = 1; n < 6; n++)
    slope -= n * c[n] * pow(cos(phi - M_PI), n - 1) * sin(phi - M_PI);
  return slope;
}

/* How far x is beyond +-flat. */
static double beyond(double x, double flat) { return fabs(x) > flat ? x - copysign(flat, x) : 0.0; }

/* dV/dx of a term of one coordinate, and how many atoms it has. */
static double slope(const TermDescription *t, double x)
{
  const double *p = t->param, turned = remainder(x - p[0], 2.0 * M_PI);
  if (is(t, "bond") || is(t, "urey-bradley") || is(t, "angle"))
    return p[1] * (x - p[0]);
  if (is(t, "bond-quartic"))
    return p[1] * (x * x - p[0] * p[0]) * x;
  if (is(t, "bond-morse"))
    return 2.0 * p[1] * p[2] * exp(p[2] * (p[0] - x)) * (1.0 - exp(p[2] * (p[0] - x)));
  if (is(t, "bond-polynomial"))
    return p[1] * (x - p[0]) + 3.0 * p[2] * pow(x - p[0], 2) + 4.0 * p[3] * pow(x - p[0], 3);
  if (is(t, "angle-cosine"))
    return -p[1] * (cos(x) - cos(p[0])) * sin(x);
  if (is(t, "angle-quartic"))
    return p[2] + 2.0 * p[3] * (x - p[0]) + 3.0 * p[4] * pow(x - p[0], 2) + 4.0 * p[5] * pow(x - p[0], 3);
  if (is(t, "angle-restricted"))
    return p[1] * (cos(p[0]) - cos(x)) / sin(x) * (1.0 - cos(x) * cos(p[0])) / pow(sin(x), 2);
  if (is(t, "torsion") || is(t, "improper-periodic"))
    return -p[1] * p[2] * sin(p[2] * x - p[0]);
  if (is(t, "torsion-ryckaert"))
    return of_ryckaert(p, x);
  if (is(t, "improper"))
    return p[1] * turned;
  if (is(t, "dihedral-restraint"))
    return p[2] * beyond(turned, p[1] * M_PI / 180.0);
  if (is(t, "distance-restraint"))
    return p[3] * (x < p[0] ? x - p[0] : x < p[1] ? 0.0 : fmin(x, p[2]) - p[1]);
  ck_assert_msg(is(t, "pair-14"), "the plain stepper has no term '%s'", t->type);
  return of_pair(p, x);
}

static int atoms_of(const TermDescription *t)
{
  static const char *const name[3][8] = {
      {"bond", "bond-quartic", "bond-morse", "bond-polynomial", "distance-table", "urey-bradley",
       "distance-restraint", "pair-14"},
      {"angle", "angle-cosine", "angle-quartic", "angle-restricted", "angle-table", "bond-bond"},
      {"cmap"}};
  static const int natom[3] = {2, 3, 5};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 8 && name[k][i] != NULL; i++)
      if (is(t, name[k][i]))
        return natom[k];
  return 4;
}

/* Values and slopes at the two ends of a cell, by Hermite's polynomials in a from 0 to 1. */
static void hermite(double a, double at[2][2], double by[2][2])
{
  at[0][0] = (1.0 + 2.0 * a) * (1.0 - a) * (1.0 - a);
  at[1][0] = a * a * (3.0 - 2.0 * a);
  at[0][1] = a * (1.0 - a) * (1.0 - a);
  at[1][1] = a * a * (a - 1.0);
  by[0][0] = 6.0 * a * (a - 1.0);
  by[1][0] = -by[0][0];
  by[0][1] = (1.0 - a) * (1.0 - 3.0 * a);
  by[1][1] = a * (3.0 * a - 2.0);
}

/* dV/dphi and dV/dpsi of the spline through a grid. */
static void of_grid(const TermDescription *t, const double angle[2], double to[2])
{
  const int n = t->side;
  int cell[2];
  double at[2][2][2], by[2][2][2];
  for (int k = 0; k < 2; k++) {
    const double x = (angle[k] + M_PI) * n / (2.0 * M_PI);
    cell[k] = (int)floor(x);
    hermite(x - cell[k], at[k], by[k]);
  }
  to[0] = to[1] = 0.0;
  for (int k = 0; k < 16; k++) {
    const int i = k & 1, j = k >> 1 & 1, a = k >> 2 & 1, b = k >> 3;
    const double v = t->node[(cell[0] + i) % n * n + (cell[1] + j) % n][a + 2 * b] * n / (2.0 * M_PI);
    to[0] += v * by[0][i][a] * at[1][j][b];
    to[1] += v * at[0][i][a] * by[1][j][b];
  }
}

/* dV/dx of a table. */
static double of_table(const TermDescription *t, double x)
{
  const double at = (x - t->from) / t->step;
  const int cell = at >= t->side ? t->side - 1 : (int)floor(at);
  const double *c = t->node[cell], y = at - cell;
  return t->param[1] * (c[1] + 2.0 * c[2] * y + 3.0 * c[3] * y * y) / t->step;
}

static void add_term(const TermDescription *t, int n, const PlainMolecule *molecule, const double *q,
                     double *f)
{
  const bool bonds = is(t, "bond-bond");
  const int natom = atoms_of(t), each = bonds ? 2 : natom == 5 ? 4 : natom;
  const int coordinates = bonds || natom == 5 ? 2 : 1;
  double x[2][4][3], grad[2][4][3], value[2], by[2];
  int at[5];
  for (int k = 0; k < natom; k++)
    (void)plain_forces_find(n, molecule, &t->atom[k], &at[k]);
  for (int c = 0; c < coordinates; c++) {
    for (int k = 0; k < each; k++)
      memcpy(x[c][k], q + at[c + k], sizeof x[c][k]);
    value[c] = plain_coordinate(each, x[c], grad[c]);
  }
  if (natom == 5)
    of_grid(t, value, by);
  else if (bonds)
    for (int c = 0; c < 2; c++)
      by[c] = t->param[2] * (value[1 - c] - t->param[1 - c]);
  else if (t->step != 0.0)
    by[0] = of_table(t, value[0]);
  else
    by[0] = slope(t, value[0]);
  for (int c = 0; c < coordinates; c++)
    for (int k = 0; k < each; k++)
      for (int d = 0; d < 3; d++)
        f[at[c + k] + d] -= by[c] * grad[c][k][d];
}

void plain_terms_add(const TermsDescription *terms, int n, const PlainMolecule *molecule, const double *q,
                     double *f)
{
  for (int i = 0; i < terms->n; i++)
    add_term(&terms->term[i], n, molecule, q, f);
}

/* --- restraints ----------------------------------------------------------------------------------------- */

/* Of an atom at the height x above the middle of walls. */
static void add_walls(const RestraintDescription *r, const double (*box)[3], double x, double *f)
{
  const int d = r->axis - 1;
  const double length = box != NULL ? box[d][d] : 0.0, away = r->flat + r->span * length;
  for (int n = length > 0.0 ? (int)lround(x / length) : 0; n != 0; n -= n > 0 ? 1 : -1)
    x -= n > 0 ? length : -length;
  const double upper = r->side >= 0 ? fmax(0.0, x - away) : 0.0,
               lower = r->side <= 0 ? fmin(0.0, x + away) : 0.0;
  *f -= r->k[d] * (upper + lower);
}

void plain_terms_restrain(const RestraintsDescription *restraints, const double (*box)[3], int n,
                          const PlainMolecule *molecule, const double *q, double *f)
{
  for (int i = 0; i < restraints->n; i++) {
    const RestraintDescription *r = &restraints->restraint[i];
    double x[3], square = 0.0;
    int at;
    (void)plain_forces_find(n, molecule, &r->atom, &at);
    for (int d = 0; d < 3; d++) {
      x[d] = q[at + d] - r->offset[d];
      for (int k = 0; k < 3 && box != NULL; k++)
        x[d] -= r->s[k] * box[k][d];
    }
    if (r->axis > 0) {
      add_walls(r, box, x[r->axis - 1], &f[at + r->axis - 1]);
      continue;
    }
    plain_nearest(box, x);
    for (int d = 0; d < 3; d++)
      square += r->k[d] > 0.0 ? x[d] * x[d] : 0.0;
    const double far = sqrt(square), share = far > r->flat ? 1.0 - r->flat / far : 0.0;
    for (int d = 0; d < 3; d++)
      f[at + d] -= r->k[d] * share * x[d];
  }
}

/* A site: a weighted mean of atoms at their images nearest to the first one. */
static void middle(const SpringDescription *s, int site, const double (*box)[3], int n,
                   const PlainMolecule *molecule, const double *q, double x[3])
{
  int first, at;
  (void)plain_forces_find(n, molecule, &s->atom[site][0], &first);
  memcpy(x, q + first, 3 * sizeof *x);
  for (int a = 1; a < s->natom[site]; a++) {
    double r[3];
    (void)plain_forces_find(n, molecule, &s->atom[site][a], &at);
    for (int d = 0; d < 3; d++)
      r[d] = q[at + d] - q[first + d];
    plain_nearest(box, r);
    for (int d = 0; d < 3; d++)
      x[d] += s->weight[site][a] * r[d];
  }
}

/* Each site at its image nearest to the one before it. */
static void bring_near(const double (*box)[3], int n, double x[4][3])
{
  for (int k = 1; k < n; k++) {
    double r[3];
    for (int d = 0; d < 3; d++)
      r[d] = x[k][d] - x[k - 1][d];
    plain_nearest(box, r);
    for (int d = 0; d < 3; d++)
      x[k][d] = x[k - 1][d] + r[d];
  }
}

void plain_terms_pull(const SpringsDescription *springs, const double (*box)[3], int n,
                      const PlainMolecule *molecule, const double *q, double *f)
{
  for (int i = 0; i < springs->n; i++) {
    const SpringDescription *s = &springs->spring[i];
    double x[4][3], grad[4][3];
    for (int k = 0; k < s->nsite; k++)
      middle(s, k, box, n, molecule, q, x[k]);
    bring_near(box, s->nsite, x);
    const double off = plain_coordinate(s->nsite, x, grad) - s->centre;
    const double pull = s->k * (s->nsite == 4 ? remainder(off, 2.0 * M_PI) : off);
    for (int k = 0; k < s->nsite; k++)
      for (int a = 0; a < s->natom[k]; a++) {
        int at;
        (void)plain_forces_find(n, molecule, &s->atom[k][a], &at);
        for (int d = 0; d < 3; d++)
          f[at + d] -= pull * s->weight[k][a] * grad[k][d];
      }
  }
}
