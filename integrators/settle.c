#include <math.h>
#include <stdlib.h>

#include "engine/jacobian.h"
#include "integrators/settle_hot.h"
#include "integrators/triangle.h"

ISA_DECLARE(SettleKernels, settle_kernels_table);

/* Returns the apex of a triangle whose other two sites have equal masses and equal distances from it; -1 for
 * other kinds. Constraints: (0,1), (0,2), (1,2). */
static int settle_apex(const Kind *kind)
{
  if (!kind_is_triangle(kind))
    return -1;
  const double d01 = kind->con[0].param[0], d02 = kind->con[1].param[0], d12 = kind->con[2].param[0];
  const double *m = kind->mass;
  if (d01 == d02 && m[1] == m[2])
    return 0;
  if (d01 == d12 && m[0] == m[2])
    return 1;
  return d02 == d12 && m[0] == m[1] ? 2 : -1;
}

static bool settle_fits(const Kind *kind) { return settle_apex(kind) >= 0; }

static void settle_geometry(Settle *s, const Kind *kind, int apex)
{
  s->a = apex;
  s->b = apex == 0 ? 1 : 0;
  s->c = apex == 2 ? 1 : 2;
  const double leg = apex == 2 ? kind->con[1].param[0] : kind->con[0].param[0];
  const double base = kind->con[2 - apex].param[0];
  const double height = sqrt(leg * leg - 0.25 * base * base);
  s->mass = kind->mass[s->b];
  s->share = s->mass / kind_mass(kind);
  s->pull = s->mass / kind->mass[apex];
  s->rc = 0.5 * base;
  s->ra = 2.0 * s->share * height;
  s->rb = height - s->ra;
}

static Status settle_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                            Error *error)
{
  *self = NULL;
  const int apex = settle_apex(kind);
  if (apex < 0)
    return error_set(error, STATUS_INPUT,
                     "'settle' is for rigid triangles with two equal masses at equal distances from the "
                     "third site; '%s' is different: use 'rattle' or 'shake'",
                     kind->name);
  TRY(constraint_check(options, error));
  Settle *s = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "a constraint solver", error);
  double inverse_mass[3];
  jacobian_inverse_mass(kind, NULL, inverse_mass);
  TRY_ELSE(triangle_inverse(kind, inverse_mass, s->inverse, error), free(s));
  settle_geometry(s, kind, apex);
  s->positions = ISA_PICK(settle_kernels_table, isa)->positions;
  *self = s;
  return STATUS_OK;
}

const ConstraintSolver constraint_settle = {
    .name = "settle",
    .doc = "analytic, for rigid three-site water; exact to rounding at any tolerance; fails if the step is "
           "too large for a solution",
    .cite = "Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)",
    .cases = "rigid triangles with two equal masses at equal distances from the third site",
    .fits = settle_fits,
    .create = settle_create,
    .positions = constraint_positions,
    .free = free,
};
