#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "integrators/gram.h"
#include "integrators/milc_hot.h"

ISA_DECLARE(MilcKernels, milc_kernels_table);

static void describe(const Kind *kind, const ConstraintOptions *options, int c, MilcLink *link)
{
  const Constraint *con = &kind->con[c];
  const double scale = constraint_scale(con);
  *link = (MilcLink){.con = con,
                     .square = con->param[0] * con->param[0],
                     .limit = options->tolerance * scale,
                     .rounding = 4.0 * DBL_EPSILON * sqrt(scale),
                     .constraint = c,
                     .k = -1,
                     .nsite = (signed char)con->nsite,
                     .distance = con->type == &constraint_distance};
  for (int k = 0; k < con->nsite; k++) {
    link->site[k] = con->site[k];
    link->inverse_mass[k] = 1.0 / kind->mass[con->site[k]];
  }
}

/* The links in the order of a tridiagonal matrix. False if the constraints form no chains, or if two of them
 * share two sites. */
static bool order_links(const Kind *kind, const Gram *gram, const ConstraintOptions *options, MilcLink *link)
{
  const Band *band = gram->band;
  if (band->half > 1)
    return false;
  for (int i = 0; i < band->n; i++)
    describe(kind, options, band->unknown[i], &link[i]);
  for (int i = 0; i < gram->nterm; i++) {
    const GramTerm *t = &gram->term[i];
    if (t->left == t->right)
      continue;
    MilcLink *here = &link[band->row[t->left]]; /* of a symmetric matrix only those before it are there */
    if (here->k >= 0)
      return false;
    here->k = (signed char)t->k;
    here->l = (signed char)t->l;
  }
  return true;
}

static Status milc_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                          Error *error)
{
  static const MilcKernels *const table[ISA_COUNT] = ISA_TABLES(milc_kernels_table);
  *self = NULL;
  Gram *gram = NULL;
  Status status = constraint_check(options, error);
  if (status == STATUS_OK && kind->ncon == 0)
    status = error_set(error, STATUS_INPUT, "'%s' has no constraints for 'milc'", kind->name);
  if (status == STATUS_OK)
    status = gram_create(&gram, kind, true, error);
  if (status != STATUS_OK)
    return status;
  const size_t n = (size_t)kind->ncon;
  const size_t bytes = sizeof(Milc) + n * sizeof(MilcLink);
  Milc *s = aligned_alloc(sizeof(Octet), (bytes + sizeof(Octet) - 1) / sizeof(Octet) * sizeof(Octet));
  if (s == NULL) {
    gram_free(gram);
    return error_memory(error, "a constraint solver");
  }
  s->n = kind->ncon;
  s->max_iterations = options->max_iterations;
  s->positions = table[isa]->positions;
  s->scratch = 7 * n + band_exchange_scratch(kind->ncon, 1);
  if (!order_links(kind, gram, options, s->link)) {
    status = error_set(error, STATUS_INPUT,
                       "'milc' is for chains, in which a constraint shares one site with the next; '%s' is "
                       "none: take the solver newton",
                       kind->name);
    free(s);
    s = NULL;
  }
  gram_free(gram);
  *self = s;
  return status;
}

static bool milc_fits(const Kind *kind)
{
  static const ConstraintOptions any = {.tolerance = 1.0, .max_iterations = 1};
  void *self;
  if (kind->ncon == 0 || milc_create(&self, kind, &any, ISA_PLAIN, NULL) != STATUS_OK)
    return false;
  free(self);
  return true;
}

static size_t milc_scratch(const void *self) { return ((const Milc *)self)->scratch; }

static unsigned milc_positions(const void *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  const Milc *s = self;
  return s->positions(s, t, q_old, pack, nu_out);
}

const ConstraintSolver constraint_milc = {
    .name = "milc",
    .doc =
        "Newton's method with a tridiagonal matrix along chains: time in proportion to the number of links",
    .cite = "Bailey, Lowe & Sutton, J. Comput. Phys. 227, 8949 (2008)",
    .cases = "chains, in which a constraint shares one site with the next",
    .fits = milc_fits,
    .create = milc_create,
    .positions = milc_positions,
    .scratch = milc_scratch,
    .free = free,
};
