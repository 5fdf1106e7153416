#include "forcefields/fixman.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/band_hot.h"
#include "engine/jacobian_hot.h"
#include "forcefields/field.h"
#include "forcefields/fixman_sparse.h"
#include "forcefields/pack_force.h"

/* grad V_F = 1/2 kT tr(G^-1 dG) and dG = dJ M^-1 J' + J M^-1 dJ', dJ_c = Hess g_c dq, so that
 *
 *   grad V_F = kT sum_c Hess g_c u_c,   u_c = M^-1 sum_e (G^-1)_ce grad g_e,
 *
 * which requires only the gradient of a constraint and its Hessian times a vector. */

/* The parameters, and what groups of many sites need. */
typedef struct Fixman {
  double kT;
  int nblock;
  const Kind *const *kind; /* [nblock] */
  FixmanSparse **sparse;   /* [nblock]; NULL: G is a band in the kind's order */
} Fixman;

static const FixmanSparse *sparse_of(const Fixman *fixman, const Kind *kind)
{
  for (int b = 0; b < fixman->nblock; b++)
    if (fixman->kind[b] == kind)
      return fixman->sparse[b];
  return NULL;
}

typedef struct Metric {
  int half, *natural;       /* half-bandwidth; [ncon] 0, 1, 2 ... */
  JacobianRow *grad, *pull; /* [ncon] grad g_c, M^-1 grad g_c */
  Vec8 *gram, *column, *u;  /* G = L D L' (band.h); [ncon]; [nsite][dim] */
} Metric;

/* The half-bandwidth of G with constraints in the kind's order: the largest distance of two that share a
 * site. first[nsite] is scratch. */
static int half_of(const Kind *kept, int *first)
{
  int half = 0;
  for (int s = 0; s < kept->nsite; s++)
    first[s] = -1;
  for (int c = 0; c < kept->ncon; c++)
    for (int k = 0; k < kept->con[c].nsite; k++) {
      int *const at = &first[kept->con[c].site[k]];
      *at = *at < 0 ? c : *at;
      half = c - *at > half ? c - *at : half;
    }
  return half;
}

/* Octets of a Metric with such a band. */
static size_t size_of(const Kind *kept, int half)
{
  const size_t n = (size_t)kept->ncon, sites = (size_t)kept->nsite;
  return n * (2 * JACOBIAN_TOUCH + (size_t)half + 2) + sites * (size_t)kept->dim +
         ((n + sites) * sizeof(int) + sizeof(Vec8) - 1) / sizeof(Vec8);
}

/* Octets for the kind; those of a full matrix if there is no memory to find the bandwidth. */
static size_t scratch(const void *own, const Kind *kind)
{
  const Kind kept = kind_kept(kind);
  const FixmanSparse *sparse = sparse_of(own, kind);
  if (kept.ncon == 0)
    return 0;
  if (sparse != NULL)
    return fixman_sparse_scratch(sparse);
  SCOPED(scoped_free) int *first = malloc((size_t)kept.nsite * sizeof *first);
  return size_of(&kept, first != NULL ? half_of(&kept, first) : kept.ncon - 1);
}

/* In the scratch of a pack. */
static Metric metric_in(const Kind *kept, Vec8 *at)
{
  const size_t n = (size_t)kept->ncon;
  Metric m = {.grad = (JacobianRow *)at, .pull = (JacobianRow *)at + n};
  m.column = at + 2 * n * JACOBIAN_TOUCH;
  m.u = m.column + n;
  m.natural = (int *)(m.u + kept->nsite * kept->dim);
  m.half = half_of(kept, m.natural + n);
  m.gram = m.u + (size_of(kept, 0) - n * (2 * JACOBIAN_TOUCH + 2));
  return m;
}

static void look(const Kind *kind, const Kind *kept, const Vec8 *q, const Metric *m)
{
  const int n = kept->ncon, dim = kind->dim;
  for (int c = 0; c < n; c++) {
    Vec8 g;
    m->natural[c] = c;
    kind->con[c].type->eval(&kind->con[c], dim, q, &g, m->grad[c]);
    for (int k = 0; k < kind->con[c].nsite * dim; k++)
      m->pull[c][k] = 1.0 / kind->mass[kind->con[c].site[k / dim]] * m->grad[c][k];
  }
  const JacobianGram gram = {m->grad, m->pull, .scale = 1.0};
  jacobian_gram(dim, kept, m->half, m->natural, true, &gram, m->gram);
  (void)band_factor_symmetric(n, m->half, m->gram, NULL);
}

/* 1/2 kT ln det G, from 1/D on the diagonal. */
static Vec8 energy_of(int n, Vec8 kT, const Metric *m)
{
  Vec8 sum = vec8_set(0.0);
  for (int c = 0; c < n; c++)
    for (int l = 0; l < LANES; l++)
      sum[l] -= log(m->gram[c * (m->half + 1) + m->half][l]);
  return 0.5 * kT * sum;
}

/* At the lane's temperature. u is computed for one constraint at a time. Kinds without constraints have no
 * Fixman potential. */
static void add(const void *own, const Pack *pack, Vec8 *energy)
{
  const Kind *kind = pack->kind, kept = kind_kept(kind);
  const int n = kept.ncon, dim = kind->dim;
  const Fixman *fixman = own;
  const Vec8 kT = fixman->kT * (*pack->noise * *pack->noise), scale = -kT;
  const FixmanSparse *sparse = sparse_of(fixman, kind);
  if (sparse != NULL) {
    fixman_sparse_add(sparse, kT, pack, energy);
    return;
  }
  if (n == 0) {
    if (energy != NULL)
      *energy = vec8_set(0.0);
    return;
  }
  const Metric m = metric_in(&kept, pack->scratch);
  look(kind, &kept, pack->q, &m);
  if (energy != NULL)
    *energy = energy_of(n, kT, &m);
  for (int c = 0; c < n; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 out[JACOBIAN_TOUCH] = {{0.0}};
    memset(m.column, 0, (size_t)n * sizeof *m.column);
    m.column[c] = vec8_set(1.0);
    band_solve_symmetric(n, m.half, m.gram, m.column);
    memset(m.u, 0, (size_t)(kind->nsite * dim) * sizeof *m.u);
    jacobian_add(dim, &kept, m.pull, NULL, m.column, m.u);
    con->type->hess_vec(con, dim, pack->q, &scale, m.u, out);
    for (int k = 0; k < con->nsite * dim; k++)
      pack->f[con->site[k / dim] * dim + k % dim] += out[k];
  }
}

static void describe(const void *own, ForceDescription *to)
{
  to->form = FORM_FIXMAN;
  to->fixman.kT = ((const Fixman *)own)->kT;
}

static void release(const void *own)
{
  const Fixman *fixman = own;
  for (int b = 0; b < fixman->nblock; b++)
    fixman_sparse_free(fixman->sparse[b]);
  free((void *)fixman->kind);
  free(fixman->sparse);
}

/* No Hessian: the maps that use one have no constraints. */
static const PackForce row = {
    .name = "fixman",
    .doc = "Fixman's potential 1/2 kT ln det(J M^-1 J'): constraints sample like very stiff springs",
    .term = "fixman",
    .add = add,
    .scratch = scratch,
    .free = release,
    .describe = describe,
    .scales_with_kT = 1,
};

static Status find_sparse(Fixman *fixman, const State *shape, Isa isa, const Kind **kind, Error *error)
{
  for (int b = 0; b < shape->nblock; b++) {
    kind[b] = shape->block[b].kind;
    TRY(fixman_sparse_create(&fixman->sparse[b], kind[b], isa, error));
  }
  return STATUS_OK;
}

static Status create(Force *force, double kT, const State *shape, Isa isa, Error *error)
{
  if (!(kT > 0.0) || !isfinite(kT))
    return error_input(error, "temperature", "Fixman's potential needs a positive temperature, not kT = %g",
                       kT);
  int most = 0;
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind;
    const int n = kind_kept(kind).ncon;
    most = n > most ? n : most;
  }
  if (most < 1)
    return error_set(error, STATUS_INPUT, "Fixman's potential needs constraints; '%s' has none",
                     shape->block[0].kind->name);
  const size_t nblock = (size_t)shape->nblock;
  const Kind **kind = calloc(nblock, sizeof *kind);
  Fixman fixman = {kT, shape->nblock, kind, calloc(nblock, sizeof *fixman.sparse)};
  const bool memory = kind != NULL && fixman.sparse != NULL;
  fixman.nblock = memory ? fixman.nblock : 0;
  Status status =
      memory ? find_sparse(&fixman, shape, isa, kind, error) : error_memory(error, "Fixman's potential");
  if (status == STATUS_OK)
    status = pack_force_create(force, &row, &fixman, sizeof fixman, shape, error);
  if (status != STATUS_OK)
    release(&fixman);
  return status;
}

Status fixman_create(Force *force, double kT, const State *shape, Error *error)
{
  return create(force, kT, shape, isa_best(), error);
}

Status fixman_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return create(force, input->kT, shape, input->isa, error);
}
