#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "integrators/milc_hot.h"

SCOPED_POINTER(Jacobian, jacobian_free)

ISA_DECLARE(MilcKernels, milc_kernels_table);

static void describe(const Kind *kind, const ConstraintOptions *options, int c, MilcLink *link)
{
  const Constraint *con = &kind->con[c];
  const double scale = constraint_scale(con);
  *link = (MilcLink){.entry = jacobian_entry(con),
                     .limit = options->tolerance * scale,
                     .rounding = 4.0 * DBL_EPSILON * sqrt(scale),
                     .constraint = c,
                     .k = -1};
  for (int k = 0; k < MILC_SITES && k < con->nsite; k++)
    link->inverse_mass[k] = 1.0 / kind->mass[con->site[k]];
}

/* Lists the links in the order of a tridiagonal matrix. False if the constraints do not form chains, or if
 * two of them share two sites. */
static bool order_links(const Kind *kind, const Band *band, const ConstraintOptions *options, MilcLink *link)
{
  for (int i = 0; i < band->n; i++) {
    MilcLink *here = &link[i];
    if (kind->con[band->unknown[i]].nsite > MILC_SITES)
      return false;
    describe(kind, options, band->unknown[i], here);
    for (int m = 0; i > 0 && m < MILC_SITES * MILC_SITES; m++) {
      const JacobianEntry *a = &here->entry, *b = &here[-1].entry;
      const int k = m / MILC_SITES, l = m % MILC_SITES;
      if (k >= a->nsite || l >= b->nsite || a->site[k] != b->site[l])
        continue;
      if (here->k >= 0)
        return false;
      here->k = (signed char)k;
      here->l = (signed char)l;
    }
  }
  return band->half <= 1;
}

static Status milc_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                          Error *error)
{
  *self = NULL;
  SCOPED(jacobian_free_at) Jacobian *jacobian = NULL;
  TRY(constraint_check(options, error));
  TRY(jacobian_create(&jacobian, kind, JACOBIAN_GENERAL, isa, error));
  const size_t n = (size_t)kind->ncon;
  const size_t bytes = sizeof(Milc) + n * sizeof(MilcLink);
  Milc *s = aligned_alloc(sizeof(Vec8), (bytes + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  TRY_MEMORY(s != NULL, "a constraint solver", error);
  s->n = kind->ncon;
  s->max_iterations = options->max_iterations;
  s->radial = true;
  for (int c = 0; c < s->n; c++)
    s->radial = s->radial && jacobian->entry[c].radial;
  s->positions = ISA_PICK(milc_kernels_table, isa)->positions;
  s->scratch = 7 * n + band_exchange_scratch(kind->ncon, 1);
  if (order_links(kind, jacobian->band, options, s->link)) {
    *self = s;
    return STATUS_OK;
  }
  free(s);
  return error_set(error, STATUS_INPUT,
                   "'milc' is for chains, in which a constraint shares one site with the next; '%s' is not a "
                   "chain: use the solver newton",
                   kind->name);
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

const ConstraintSolver constraint_milc = {
    .name = "milc",
    .doc = "Newton's method with a tridiagonal matrix along chains: time proportional to the number of links",
    .cite = "Bailey, Lowe & Sutton, J. Comput. Phys. 227, 8949 (2008)",
    .cases = "chains, in which a constraint shares one site with the next",
    .fits = milc_fits,
    .create = milc_create,
    .positions = constraint_positions,
    .scratch = milc_scratch,
    .free = free,
};
