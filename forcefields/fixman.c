#include "forcefields/fixman.h"

#include <math.h>

#include "forcefields/pack_force.h"

/* grad V_F = 1/2 kT tr(G^-1 dG) and dG = dJ M^-1 J' + J M^-1 dJ', dJ_c = Hess g_c dq, so that
 *
 *   grad V_F = kT sum_c Hess g_c u_c,   u_c = M^-1 sum_e (G^-1)_ce grad g_e,
 *
 * which needs nothing of a constraint but its gradient and its Hessian times a vector. */

enum { COORDINATES = 3 * CONSTRAINT_SITES };

/* Of one pack. gram becomes L\D of G = L D L', both kept in its lower triangle. */
typedef struct Metric {
  Octet grad[FIXMAN_CON][COORDINATES];
  Octet gram[FIXMAN_CON][FIXMAN_CON];
} Metric;

static Octet gram_element(const Kind *kind, const Metric *m, int c, int e)
{
  const Constraint *a = &kind->con[c], *b = &kind->con[e];
  Octet sum = octet_set(0.0);
  for (int k = 0; k < a->nsite; k++)
    for (int l = 0; l < b->nsite; l++) {
      if (a->site[k] != b->site[l])
        continue;
      const double inverse = 1.0 / kind->mass[a->site[k]];
      for (int d = 0; d < kind->dim; d++)
        sum += inverse * m->grad[c][k * kind->dim + d] * m->grad[e][l * kind->dim + d];
    }
  return sum;
}

static void factorise(int n, Metric *m)
{
  for (int c = 0; c < n; c++)
    for (int e = 0; e <= c; e++) {
      Octet sum = m->gram[c][e];
      for (int k = 0; k < e; k++)
        sum -= m->gram[c][k] * m->gram[k][k] * m->gram[e][k];
      m->gram[c][e] = c == e ? sum : sum / m->gram[e][e];
    }
}

/* x = column c of G^-1. */
static void inverse_column(int n, const Metric *m, int c, Octet *x)
{
  for (int i = 0; i < n; i++) {
    x[i] = octet_set(i == c ? 1.0 : 0.0);
    for (int k = 0; k < i; k++)
      x[i] -= m->gram[i][k] * x[k];
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] /= m->gram[i][i];
    for (int k = i + 1; k < n; k++)
      x[i] -= m->gram[k][i] * x[k];
  }
}

static Octet log_determinant(int n, const Metric *m)
{
  Octet sum = octet_set(0.0);
  for (int c = 0; c < n; c++)
    for (int l = 0; l < LANES; l++)
      sum[l] += log(m->gram[c][c][l]);
  return sum;
}

/* The gradients at q and the factors of G. */
static void look(const Kind *kind, const Octet *q, Metric *m)
{
  for (int c = 0; c < kind->ncon; c++) {
    Octet g;
    kind->con[c].type->eval(&kind->con[c], kind->dim, q, &g, m->grad[c]);
  }
  for (int c = 0; c < kind->ncon; c++)
    for (int e = 0; e <= c; e++)
      m->gram[c][e] = gram_element(kind, m, c, e);
  factorise(kind->ncon, m);
}

void fixman_energy(const Kind *kind, double kT, const Octet *q, Octet *energy)
{
  Metric m;
  look(kind, q, &m);
  *energy = 0.5 * kT * log_determinant(kind->ncon, &m);
}

/* u[nsite][dim] is that of one constraint at a time. Kinds without constraints have no such potential. */
static void add(const void *own, const Kind *kind, const Octet *q, Octet *f, Octet *energy, Octet *u)
{
  const double kT = *(const double *)own;
  const int n = kind->ncon, dim = kind->dim, size = kind->nsite * dim;
  Metric m;
  look(kind, q, &m);
  if (energy != NULL)
    *energy = 0.5 * kT * log_determinant(n, &m);
  const Octet scale = octet_set(-kT);
  for (int c = 0; c < n; c++) {
    Octet x[FIXMAN_CON], out[COORDINATES];
    const Constraint *con = &kind->con[c];
    inverse_column(n, &m, c, x);
    for (int i = 0; i < size; i++)
      u[i] = octet_set(0.0);
    for (int e = 0; e < n; e++)
      for (int k = 0; k < kind->con[e].nsite * dim; k++) {
        const int s = kind->con[e].site[k / dim];
        u[s * dim + k % dim] += 1.0 / kind->mass[s] * x[e] * m.grad[e][k];
      }
    for (int k = 0; k < con->nsite * dim; k++)
      out[k] = octet_set(0.0);
    con->type->hess_vec(con, dim, q, &scale, u, out);
    for (int k = 0; k < con->nsite * dim; k++)
      f[con->site[k / dim] * dim + k % dim] += out[k];
  }
}

/* No block of the Hessian: the maps that ask for one come without constraints. */
static const PackForce row = {
    .name = "fixman",
    .doc = "Fixman's potential 1/2 kT ln det(J M^-1 J'): constraints sample like very stiff springs",
    .term = "fixman",
    .add = add,
    .scratch = true,
};

Status fixman_create(Force *force, double kT, const State *shape, Error *error)
{
  if (!(kT > 0.0) || !isfinite(kT))
    return error_set(error, STATUS_INPUT, "Fixman's potential needs a positive temperature, not kT = %g", kT);
  int most = 0;
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind;
    most = kind->ncon > most ? kind->ncon : most;
    if (kind->ncon > FIXMAN_CON)
      return error_set(error, STATUS_INPUT,
                       "Fixman's potential takes at most %d constraints a molecule; '%s' has %d", FIXMAN_CON,
                       kind->name, kind->ncon);
  }
  if (most < 1)
    return error_set(error, STATUS_INPUT, "Fixman's potential has no meaning for '%s': it has no constraints",
                     shape->block[0].kind->name);
  return pack_force_create(force, &row, &kT, sizeof kT, shape, error);
}
