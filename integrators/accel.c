#include "integrators/accel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "integrators/accel_hot.h"
#include "integrators/largest.h"
#include "integrators/triangle.h"

ISA_DECLARE(AccelKernels, accel_kernels_table);
ISA_DECLARE(AccelSolveKernels, accel_solve_kernels_table);

static Status check_number(const char *what, double x, Error *error)
{
  if (!(x >= 0.0) || !isfinite(x))
    return error_set(error, STATUS_INPUT, "the %s must be a number of at least 0, not %g", what, x);
  return STATUS_OK;
}

static Status check_options(const AccelMap *map, const AccelOptions *options, Error *error)
{
  if (map->route == ACCEL_THIRD && options->hessian != HESSIAN_FULL && options->w > 0.0)
    return error_input(error, "hessian",
                       "'%s' kicks by the gradient of a potential, which does not exist with the "
                       "Gauss-Newton Hessian: use hessian: full, or zss",
                       map->name);
  TRY(check_number("time step", fabs(options->h), error));
  TRY(check_number("parameter beta", options->beta, error));
  TRY(check_number("penalty strength w", options->w, error));
  return check_number("tolerance of the acceleration", options->tolerance, error);
}

/* Only the update by the constraints supports exact constraints in addition to penalties, as a side
 * condition. */
static Status check_kept(const AccelMap *map, const AccelOptions *options, const Kind *kind, Error *error)
{
  const int kept = kind->w != NULL ? kind_kept(kind).ncon : 0;
  if (kept == 0 || kept == kind->ncon || map->route == ACCEL_FORCE ||
      (map->route == ACCEL_PENALTIES && options->hessian == HESSIAN_GAUSS_NEWTON))
    return STATUS_OK;
  if (map->route != ACCEL_PENALTIES)
    return error_input(error, "acceleration",
                       "'%s' solves with the whole matrix of '%s', which cannot include exact constraints in "
                       "addition to penalties: use zss or verlet",
                       map->name, kind->name);
  return error_input(error, "hessian",
                     "'%s' with the full Hessian solves with the whole matrix of '%s', which cannot include "
                     "exact constraints: use hessian: gauss-newton",
                     map->name, kind->name);
}

/* --- terms ----------------------------------------------------------------------------------------------
 */

/* Fills in a radial term; returns false if the function is not radial. Triangles use the unrolled water
 * paths; their remaining solves call the types' functions. */
static bool radial_term(AccelTerm *t, const Constraint *f, bool penalty, bool full)
{
  RadialForm form;
  if (f->type->radial == NULL)
    return false;
  f->type->radial(f, &form);
  t->s0 = form.s0;
  t->curve = penalty && !full ? 0.0 : 1.0;
  if (penalty) {
    if (form.second != 0.0)
      return false;
    t->second = t->w2 * form.first * form.first;
  } else {
    t->first = form.first;
    t->second = form.second;
  }
  for (int d = 0; d < 3; d++)
    t->point[d] = f->param[1 + d];
  return true;
}

/* The index of an element of the matrix. */
static int element_at(const Accel *a, int i, int j)
{
  return (int)(a->sparse != NULL ? sparse_index(a->sparse, true, i, j) : band_symmetric(a->band, i, j));
}

/* w2: of a penalty, else 0. */
static void add_term(Accel *a, const Kind *kind, const Constraint *f, double w2, bool radial)
{
  AccelTerm t = {.function = f, .touched = f->nsite * kind->dim, .w2 = w2, .c = a->block * w2};
  const bool inline_too = !kind_is_triangle(kind) && radial_term(&t, f, w2 > 0.0, a->full);
  if (inline_too != radial)
    return;
  for (int k = 0; k < t.touched; k++)
    t.coordinate[k] = f->site[k / kind->dim] * kind->dim + k % kind->dim;
  int *at = t.at;
  for (int k = 0; a->band != NULL && k < t.touched; k++)
    for (int l = 0; l <= k; l++)
      *at++ = element_at(a, t.coordinate[k], t.coordinate[l]);
  a->term[a->nterm++] = t;
}

static void add_constant(Accel *a, const Kind *kind, const Potential *f)
{
  Vec8 q[CONSTRAINT_SITES * 3] = {{0.0}}, energy, grad[ACCEL_TOUCHED];
  Constraint alone = *f;
  for (int k = 0; k < f->nsite; k++)
    alone.site[k] = k;
  alone.type->eval(&alone, kind->dim, q, &energy, grad);
  for (int k = 0; k < f->nsite * kind->dim; k++)
    a->constant[f->site[k / kind->dim] * kind->dim + k % kind->dim] -= grad[k][0];
}

/* Puts constant forces into a->constant and all others into the list: radial terms first, penalties before
 * potentials. */
static void set_terms(Accel *a, const Kind *kind)
{
  for (int radial = 1; radial >= 0; radial--) {
    for (int c = 0; a->w2 > 0.0 && c < kind->ncon; c++)
      if (a->ridge[c] > 0.0)
        add_term(a, kind, &kind->con[c], a->w2 / a->ridge[c], radial);
    *(radial ? &a->radial_penalties : &a->penalties) = a->nterm;
    for (int i = 0; i < kind->npot; i++)
      if (kind->pot[i].type->degree != 1)
        add_term(a, kind, &kind->pot[i], 0.0, radial);
    if (radial)
      a->radials = a->nterm;
  }
  for (int i = 0; i < kind->npot; i++)
    if (kind->pot[i].type->degree == 1)
      add_constant(a, kind, &kind->pot[i]);
}

/* --- creation -------------------------------------------------------------------------------------------
 */

/* One allocation: the map's data, then its arrays. */
static Accel *allocate(const Kind *kind)
{
  const size_t n = (size_t)kind->nsite * (size_t)kind->dim, nsite = (size_t)kind->nsite;
  const size_t nterm = (size_t)kind->ncon + (size_t)kind->npot;
  Accel *a = calloc(1, sizeof *a + nterm * sizeof(AccelTerm) +
                           (2 * n + nsite + (size_t)kind->ncon) * sizeof(double) + n * sizeof(int));
  if (a == NULL)
    return NULL;
  a->n = (int)n;
  a->ncon = kind->ncon;
  a->term = (AccelTerm *)(a->inverse_mass + nsite);
  a->mass = (double *)(a->term + nterm);
  a->constant = a->mass + n;
  a->ridge = a->constant + n;
  a->diagonal = (int *)(a->ridge + kind->ncon);
  return a;
}

/* Lists all pairs of sites that a term couples in edge (NULL: counts them). */
static int list_couples(const Kind *kind, int (*edge)[2])
{
  int n = 0;
  for (int i = 0; i < kind->ncon + kind->npot; i++) {
    const Constraint *f = i < kind->ncon ? &kind->con[i] : &kind->pot[i - kind->ncon];
    for (int k = 0; k < f->nsite; k++)
      for (int l = 0; l < k; l++, n++)
        if (edge != NULL) {
          edge[n][0] = f->site[k];
          edge[n][1] = f->site[l];
        }
  }
  return n;
}

/* A sparse matrix of sites coupled by edge[n]. */
static Status create_sparse(Accel *a, const Kind *kind, int n, const int edge[][2], Isa isa, Error *error)
{
  const int dim = kind->dim;
  TRY(sparse_create(&a->sparse, kind->nsite, dim, n, edge, a->band, error));
  if (a->sparse == NULL)
    return STATUS_OK;
  a->sparses = sparse_kernels(isa);
  a->size = sparse_size(a->sparse, true);
  const size_t most = ((size_t)n + (size_t)kind->nsite) * (size_t)dim * (size_t)dim;
  a->element = malloc(most * sizeof *a->element);
  TRY_MEMORY(a->element != NULL, "an acceleration map", error);
  for (int e = 0; e < n + kind->nsite; e++)
    for (int d = 0; d < dim * dim; d++) {
      const int i = e < n ? edge[e][0] : e - n, j = e < n ? edge[e][1] : e - n;
      a->element[a->nelement][0] = i * dim + d / dim;
      a->element[a->nelement++][1] = j * dim + d % dim;
    }
  return STATUS_OK;
}

/* Whether the band has the elements of all pairs of sites. */
static bool has_couples(const Band *band, int n, const int edge[][2])
{
  const int block = band->block;
  for (int e = 0; e < n; e++)
    if (abs(band->row[edge[e][0] * block] - band->row[edge[e][1] * block]) + block - 1 > band->half)
      return false;
  return true;
}

/* The matrix of a small molecule: all sites are coupled. */
static Status create_full(Accel *a, const Kind *kind, Error *error)
{
  const size_t n = (size_t)kind->nsite;
  SCOPED(scoped_free) int(*edge)[2] = malloc((n * (n - 1) / 2 + 1) * sizeof *edge);
  TRY_MEMORY(edge != NULL, "an acceleration map", error);
  int m = 0;
  for (int i = 0; i < kind->nsite; i++)
    for (int j = 0; j < i; j++, m++) {
      edge[m][0] = i;
      edge[m][1] = j;
    }
  return band_create(&a->band, kind->nsite, kind->dim, m, (const int(*)[2])edge, error);
}

/* The matrix of a large one: sites coupled by a penalty or a potential. The ends of terms mostly give the
 * band that all their pairs need. */
static Status create_coupled(Accel *a, const Kind *kind, Isa isa, Error *error)
{
  const int terms = kind->ncon + kind->npot, couples = list_couples(kind, NULL);
  SCOPED(scoped_free)
  int(*edge)[2] = malloc((size_t)((terms > couples ? terms : couples) + 1) * sizeof *edge);
  TRY_MEMORY(edge != NULL, "an acceleration map", error);
  for (int i = 0; i < terms; i++) {
    const Constraint *f = i < kind->ncon ? &kind->con[i] : &kind->pot[i - kind->ncon];
    edge[i][0] = f->site[0];
    edge[i][1] = f->site[f->nsite - 1];
  }
  TRY(band_create(&a->band, kind->nsite, kind->dim, terms, (const int(*)[2])edge, error));
  (void)list_couples(kind, edge);
  if (!has_couples(a->band, couples, (const int(*)[2])edge)) {
    band_free(a->band);
    TRY(band_create(&a->band, kind->nsite, kind->dim, couples, (const int(*)[2])edge, error));
  }
  a->size = band_symmetric_size(a->band);
  return kind->sparse ? create_sparse(a, kind, couples, (const int(*)[2])edge, isa, error) : STATUS_OK;
}

static Status create_band(Accel *a, const Kind *kind, Isa isa, Error *error)
{
  if (a->n <= ACCEL_DENSE) {
    TRY(create_full(a, kind, error));
    a->size = band_symmetric_size(a->band);
  } else {
    TRY(create_coupled(a, kind, isa, error));
  }
  a->bands = band_kernels(isa);
  for (int i = 0; i < a->n; i++)
    a->diagonal[i] = element_at(a, i, i);
  return STATUS_OK;
}

static int size_of(const Kind *kind)
{
  if (kind->nsite == 2 && kind->dim == 2)
    return ACCEL_TWO_PLANAR;
  return kind->nsite == 3 && kind->dim == 3 ? ACCEL_THREE_SPATIAL : ACCEL_ANY;
}

static void set_strengths(Accel *a, const Kind *kind, double w)
{
  double most = kind->w != NULL ? 0.0 : w;
  for (int c = 0; c < kind->ncon; c++)
    most = fmax(most, kind_strength(kind, c, w));
  a->w2 = most * most;
  a->kept = kind->w != NULL ? kind_kept(kind).ncon : 0;
  for (int c = 0; c < kind->ncon; c++) {
    const double own = kind_strength(kind, c, w);
    a->ridge[c] = own == most ? 1.0 : own > 0.0 ? (most / own) * (most / own) : 0.0;
  }
}

static void set_numbers(Accel *a, const Kind *kind, const AccelOptions *options)
{
  set_strengths(a, kind, options->w);
  a->block = options->beta * options->h * options->h;
  a->c = a->block * a->w2;
  a->full = options->hessian == HESSIAN_FULL;
  a->own = a->map->route != ACCEL_PENALTIES;
  a->third = a->map->route == ACCEL_THIRD;
  a->tolerance = options->tolerance > 0.0 ? options->tolerance : 1e-12;
  a->max_iterations = options->max_iterations > 0 ? options->max_iterations : 50;
  jacobian_inverse_mass(kind, NULL, a->inverse_mass);
  for (int i = 0; i < a->n; i++)
    a->mass[i] = kind->mass[i / kind->dim];
  if (kind_is_triangle(kind))
    triangle_pairs(a->inverse_mass, a->pair);
}

/* Chooses how to solve the map's system. Without penalties the matrix of ACCEL_PENALTIES is M, and M a = f.
 * The Gauss-Newton Hessian is an update of rank ncon; triangles also have one for the full Hessian. All other
 * systems, and some lanes of triangles, use the whole matrix. */
static Status choose(Accel *a, const Kind *kind, Isa isa, Error *error)
{
  const AccelKernels *kernels = ISA_PICK(accel_kernels_table, isa);
  const AccelSolveKernels *solve = ISA_PICK(accel_solve_kernels_table, isa);
  const AccelRoute route = a->map->route;
  const bool triangle = kind_is_triangle(kind), penalties = route == ACCEL_PENALTIES;
  const bool update = penalties && (triangle || !a->full);
  a->lanes = solve->lanes;
  if (a->w2 > 0.0)
    a->force = kernels->verlet[triangle ? 1 : 0];
  const bool still = a->kept > 0 && !(a->c > 0.0); /* there is no filter */
  if (route == ACCEL_FORCE || still || (penalties && (!(a->w2 > 0.0) || kind->ncon == 0))) {
    a->solve = still ? a->force : NULL;
    return STATUS_OK;
  }
  a->solve = !update   ? (route == ACCEL_NEWTON ? solve->newmark : solve->zhang_skeel)[size_of(kind)]
             : a->full ? kernels->full_triangle
                       : kernels->gauss_newton[triangle ? 1 : 0];
  if (update && !triangle)
    return jacobian_create(&a->jacobian, kind, JACOBIAN_SYMMETRIC, isa, error);
  return create_band(a, kind, isa, error);
}

Status accel_create(Accel **accel, const AccelMap *map, const Kind *kind, const AccelOptions *options,
                    Isa isa, Error *error)
{
  *accel = NULL;
  TRY(check_options(map, options, error));
  TRY(check_kept(map, options, kind, error));
  Accel *a = allocate(kind);
  TRY_MEMORY(a != NULL, "an acceleration map", error);
  a->map = map;
  set_numbers(a, kind, options);
  TRY_ELSE(choose(a, kind, isa, error), accel_free(a));
  set_terms(a, kind);
  *accel = a;
  return STATUS_OK;
}

void accel_free(Accel *accel)
{
  if (accel != NULL) {
    band_free(accel->band);
    sparse_free(accel->sparse);
    free(accel->element);
    jacobian_free(accel->jacobian);
  }
  free(accel);
}

size_t accel_scratch(const Accel *a)
{
  if (a->jacobian != NULL)
    return (size_t)a->jacobian->kind->ncon * (JACOBIAN_TOUCH + 2) + jacobian_scratch(a->jacobian);
  const size_t n = (size_t)a->n, drift = a->map->drift != NULL ? n : 0;
  const size_t exchange =
      a->band != NULL && a->sparse == NULL ? band_exchange_scratch(a->n, a->band->half) : 0;
  return a->band != NULL ? a->size + 5 * n + exchange + drift : 0;
}

Status accel_describe(const Accel *a, Arena *arena, SchemeMap *to, Error *error)
{
  double *strength = arena_take(arena, (size_t)a->ncon, sizeof *strength);
  TRY(arena_check(arena, "an acceleration map's description", error));
  for (int c = 0; c < a->ncon; c++)
    strength[c] = a->ridge[c] > 0.0 ? sqrt(a->w2 / a->ridge[c]) : 0.0;
  *to = (SchemeMap){.name = a->map->name,
                    .route = a->map->route,
                    .drifts = a->map->drift != NULL,
                    .block = (a->map->traits & ACCEL_HESS_BLOCK) != 0 && a->n <= ACCEL_DENSE,
                    .reach = a->block,
                    .strength = strength,
                    .hessian = a->full ? HESSIAN_FULL : HESSIAN_GAUSS_NEWTON,
                    .tolerance = a->tolerance,
                    .max_iterations = a->max_iterations};
  return STATUS_OK;
}

unsigned accel_force(const Accel *accel, Pack *pack, const Vec8 *hess)
{
  return accel->force != NULL ? accel->force(accel, pack, hess) : 0;
}

unsigned accel_solve(const Accel *accel, Pack *pack, const Vec8 *hess)
{
  return accel->solve != NULL ? accel->solve(accel, pack, hess) : 0;
}

unsigned accel_exchange(const Accel *self, unsigned lanes, const Vec8 *matrix, const Vec8 *b, Vec8 *x,
                        Vec8 *rows, Vec8 *scratch)
{
  const Band *band = self->band;
  const bool sparse = self->sparse != NULL; /* its solution is by unknowns */
  for (int i = 0; i < band->n; i++)
    rows[sparse ? i : band->row[i]] = b[i];
  unsigned failed = sparse ? sparse_exchange(self->sparse, band, true, self->nelement,
                                             (const int(*)[2])self->element, matrix, lanes, rows)
                           : band_exchange(band->n, band->half, true, matrix, lanes, rows, scratch);
  for (int i = 0; i < band->n; i++)
    for (int l = 0; l < LANES; l++)
      if (lanes >> l & 1) {
        x[i][l] = failed >> l & 1 ? NAN : rows[sparse ? i : band->row[i]][l];
        failed |= isfinite(x[i][l]) ? 0 : 1u << l;
      }
  return failed;
}

Vec8 accel_filtered(const Constraint *con, const Pack *pack, double reach)
{
  const Kind *kind = pack->kind;
  Vec8 g, grad[CONSTRAINT_SITES * 3];
  con->type->eval(con, kind->dim, pack->q, &g, reach != 0.0 ? grad : NULL);
  for (int k = 0; reach != 0.0 && k < con->nsite; k++)
    for (int d = 0; d < kind->dim; d++)
      g += reach / kind->mass[con->site[k]] * grad[k * kind->dim + d] * pack->f[con->site[k] * kind->dim + d];
  return g;
}

void accel_penalty_energy(const Pack *pack, double w, double reach, Vec8 *energy, Vec8 *largest)
{
  Vec8 sum = vec8_set(0.0), most = vec8_set(0.0);
  for (int c = 0; c < pack->kind->ncon; c++) {
    const Vec8 g = accel_filtered(&pack->kind->con[c], pack, reach);
    if (pack->kind->w == NULL)
      sum += g * g;
    else
      sum += kind_strength(pack->kind, c, w) * kind_strength(pack->kind, c, w) * g * g;
    most = largest_of(most, g);
  }
  *energy = pack->kind->w == NULL ? 0.5 * w * w * sum : 0.5 * sum;
  if (largest != NULL)
    *largest = most;
}
