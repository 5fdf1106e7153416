#include "forcefields/fixman.h"

#include <math.h>
#include <string.h>

#include "engine/band_hot.h"
#include "engine/jacobian_hot.h"
#include "forcefields/pack_force.h"

/* grad V_F = 1/2 kT tr(G^-1 dG) and dG = dJ M^-1 J' + J M^-1 dJ', dJ_c = Hess g_c dq, so that
 *
 *   grad V_F = kT sum_c Hess g_c u_c,   u_c = M^-1 sum_e (G^-1)_ce grad g_e,
 *
 * which needs nothing of a constraint but its gradient and its Hessian times a vector. */

typedef struct Metric {
  JacobianRow grad[FIXMAN_CON], pull[FIXMAN_CON]; /* grad g_c, M^-1 grad g_c                      */
  Octet gram[FIXMAN_CON * FIXMAN_CON];            /* G = L D L', as a band of full width (band.h) */
} Metric;

static void look(const Kind *kind, const Octet *q, Metric *m)
{
  const Kind kept = kind_kept(kind);
  const int n = kept.ncon, dim = kind->dim;
  int natural[FIXMAN_CON];
  for (int c = 0; c < n; c++) {
    Octet g;
    natural[c] = c;
    kind->con[c].type->eval(&kind->con[c], dim, q, &g, m->grad[c]);
    for (int k = 0; k < kind->con[c].nsite * dim; k++)
      m->pull[c][k] = 1.0 / kind->mass[kind->con[c].site[k / dim]] * m->grad[c][k];
  }
  const JacobianGram gram = {m->grad, m->pull, .scale = 1.0};
  jacobian_gram(dim, &kept, n - 1, natural, true, &gram, m->gram);
  (void)band_factor_symmetric(n, n - 1, m->gram, NULL);
}

/* 1/2 kT ln det G, from 1/D on the diagonal. */
static Octet energy_of(int n, Octet kT, const Metric *m)
{
  Octet sum = octet_set(0.0);
  for (int c = 0; c < n; c++)
    for (int l = 0; l < LANES; l++)
      sum[l] -= log(m->gram[c * n + n - 1][l]);
  return 0.5 * kT * sum;
}

/* At the lane's temperature. u[nsite][dim] is that of one constraint at a time. Kinds without constraints
 * have no such potential. */
static void add(const void *own, const Pack *pack, Octet *energy)
{
  const Kind *kind = pack->kind, kept = kind_kept(kind);
  const int n = kept.ncon, dim = kind->dim;
  const Octet kT = *(const double *)own * (*pack->noise * *pack->noise), scale = -kT;
  Octet *const u = pack->scratch;
  Metric m;
  look(kind, pack->q, &m);
  if (energy != NULL)
    *energy = energy_of(n, kT, &m);
  for (int c = 0; c < n; c++) {
    const Constraint *con = &kind->con[c];
    Octet column[FIXMAN_CON] = {{0.0}}, out[JACOBIAN_TOUCH] = {{0.0}};
    column[c] = octet_set(1.0);
    band_solve_symmetric(n, n - 1, m.gram, column);
    memset(u, 0, (size_t)(kind->nsite * dim) * sizeof *u);
    jacobian_add(dim, &kept, m.pull, NULL, column, u);
    con->type->hess_vec(con, dim, pack->q, &scale, u, out);
    for (int k = 0; k < con->nsite * dim; k++)
      pack->f[con->site[k / dim] * dim + k % dim] += out[k];
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
    const int n = kind_kept(kind).ncon;
    most = n > most ? n : most;
    if (n > FIXMAN_CON)
      return error_set(error, STATUS_INPUT,
                       "Fixman's potential takes at most %d constraints a molecule; '%s' has %d", FIXMAN_CON,
                       kind->name, n);
  }
  if (most < 1)
    return error_set(error, STATUS_INPUT, "Fixman's potential has no meaning for '%s': it has no constraints",
                     shape->block[0].kind->name);
  return pack_force_create(force, &row, &kT, sizeof kT, shape, error);
}
