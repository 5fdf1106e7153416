/* Measures momenta and residuals of constraints. */
#include <math.h>
#include <string.h>

#include "integrators/walk_private.h"

/* Adds the momenta of a pack's molecules about the origin, in lanes. */
static void add_momenta(const Pack *pack, Vec8 linear[3], Vec8 angular[3])
{
  const int dim = pack->kind->dim;
  for (int s = 0; s < pack->kind->nsite; s++) {
    Vec8 x[3] = {{0}}, p[3] = {{0}};
    for (int d = 0; d < dim; d++) {
      x[d] = pack->q[s * dim + d];
      p[d] = pack->p[s * dim + d];
      linear[d] += p[d];
    }
    for (int d = 0; d < 3; d++)
      angular[d] += x[(d + 1) % 3] * p[(d + 2) % 3] - x[(d + 2) % 3] * p[(d + 1) % 3];
  }
}

/* Computes the residual of constraint c over its scale, and grad g . M^-1 p. */
static void violation(const Pack *pack, int c, Vec8 *residual, Vec8 *speed)
{
  const Kind *kind = pack->kind;
  const Constraint *con = &kind->con[c];
  Vec8 grad[CONSTRAINT_SITES * 3];
  con->type->eval(con, kind->dim, pack->q, residual, grad);
  *residual = vec8_abs(*residual) / constraint_scale(con);
  *speed = vec8_set(0.0);
  for (int k = 0; k < con->nsite * kind->dim; k++) {
    const int site = con->site[k / kind->dim];
    *speed += grad[k] * (1.0 / kind->mass[site]) * pack->p[site * kind->dim + k % kind->dim];
  }
  *speed = vec8_abs(*speed);
}

static void look(const Walk *walk, const WalkBlock *own, int i, WalkMotion *to)
{
  const Pack pack = walk_measured_pack(walk, own, i, MEASURED_NOW);
  Vec8 linear[3] = {{0}}, angular[3] = {{0}}, residual, speed;
  add_momenta(&pack, linear, angular);
  for (int l = 0; l < LANES; l++)
    for (int d = 0; d < 3 && (*pack.active)[l] != 0.0; d++) {
      to->linear[(i * LANES + l) % walk->width][d] += linear[d][l];
      to->angular[(i * LANES + l) % walk->width][d] += angular[d][l];
    }
  const int ncon = own->kind->kept ? plan_kind_kept(own->kind) : pack.kind->ncon,
            n = own->kind->frozen ? 0 : ncon;
  for (int c = 0; c < n; c++) {
    violation(&pack, c, &residual, &speed);
    for (int l = 0; l < LANES; l++) {
      const int r = (i * LANES + l) % walk->width;
      if ((*pack.active)[l] != 0.0 && !(residual[l] <= to->residual[r]))
        to->residual[r] = residual[l];
      if ((*pack.active)[l] != 0.0)
        to->speed[r] = fmax(to->speed[r], speed[l]);
    }
  }
}

void walk_motion(const Walk *walk, WalkMotion *to)
{
  memset(to, 0, sizeof *to);
  for (int b = 0; b < walk->nblock; b++)
    for (int i = 0; i < walk->block[b].npack; i++)
      look(walk, &walk->block[b], i, to);
}
