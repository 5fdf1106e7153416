#include "engine/jacobian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void jacobian_inverse_mass(const Kind *kind, const double *weight, double *inverse)
{
  for (int s = 0; s < kind->nsite; s++)
    inverse[s] = (weight != NULL ? weight[s] : 1.0) / kind->mass[s];
}

/* The constraints of each site: constraint[first[s]] to [first[s + 1]]. */
typedef struct Touches {
  int *first, *constraint;
} Touches;

/* Returns the number of pairs of constraints that share a site, over all sites; -1 if it is too large. */
static int list_touches(const Kind *kind, Touches *t)
{
  long long pairs = 0;
  memset(t->first, 0, ((size_t)kind->nsite + 1) * sizeof(int));
  for (int c = 0; c < kind->ncon; c++)
    for (int k = 0; k < kind->con[c].nsite; k++)
      t->first[kind->con[c].site[k] + 1]++;
  for (int s = 0; s < kind->nsite; s++) {
    const long long here = t->first[s + 1];
    pairs += here * (here - 1) / 2;
    t->first[s + 1] += t->first[s];
  }
  for (int c = 0; c < kind->ncon; c++)
    for (int k = 0; k < kind->con[c].nsite; k++)
      t->constraint[t->first[kind->con[c].site[k]]++] = c;
  for (int s = kind->nsite; s > 0; s--) /* filling moved each entry to the next one's place */
    t->first[s] = t->first[s - 1];
  t->first[0] = 0;
  return pairs < 1 << 25 ? (int)pairs : -1;
}

static void list_edges(const Kind *kind, const Touches *t, int (*edge)[2])
{
  int n = 0;
  for (int s = 0; s < kind->nsite; s++)
    for (int i = t->first[s]; i < t->first[s + 1]; i++)
      for (int j = t->first[s]; j < i; j++) {
        edge[n][0] = t->constraint[i];
        edge[n++][1] = t->constraint[j];
      }
}

static int compare_elements(const void *one, const void *other)
{
  const int *a = one, *b = other;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* Lists the elements, each once; an edge is listed for every site that its constraints share. */
static void list_elements(Jacobian *jac, int nedge, const int edge[][2])
{
  const bool symmetric = jac->matrix == JACOBIAN_SYMMETRIC;
  int n = 0, distinct = 0;
  for (int c = 0; c < jac->kind->ncon; c++, n++)
    jac->element[n][0] = jac->element[n][1] = c;
  for (int e = 0; e < nedge; e++)
    for (int k = 0; k < (symmetric ? 1 : 2); k++, n++) {
      jac->element[n][0] = edge[e][k];
      jac->element[n][1] = edge[e][1 - k];
    }
  qsort(jac->element, (size_t)n, sizeof *jac->element, compare_elements);
  for (int e = 0; e < n; e++)
    if (e == 0 || compare_elements(jac->element[e], jac->element[distinct - 1]) != 0)
      memmove(jac->element[distinct++], jac->element[e], sizeof *jac->element);
  jac->nelement = distinct;
  for (int e = 0; e < distinct; e++)
    jac->at[e] = (int)sparse_index(jac->sparse, symmetric, jac->element[e][0], jac->element[e][1]);
}

static Status create_sparse(Jacobian *jac, int nedge, const int edge[][2], Error *error)
{
  const size_t most = (size_t)jac->kind->ncon + 2 * (size_t)nedge;
  TRY(sparse_create(&jac->sparse, jac->kind->ncon, 1, nedge, edge, jac->band, error));
  if (jac->sparse == NULL)
    return STATUS_OK;
  jac->element = malloc(most * sizeof *jac->element);
  jac->at = malloc(most * sizeof *jac->at);
  TRY_MEMORY(jac->element != NULL && jac->at != NULL, "a constraint solver", error);
  list_elements(jac, nedge, edge);
  return STATUS_OK;
}

static Status order(Jacobian *jac, Touches *touches, Error *error)
{
  const Kind *kind = jac->kind;
  const int pairs = list_touches(kind, touches);
  if (pairs < 0)
    return error_set(error, STATUS_INPUT,
                     "'%s': too many of its %d constraints share sites for a direct solution; use the solver "
                     "gauss-seidel with the method shake, or penalties",
                     kind->name, kind->ncon);
  int(*edge)[2] = malloc((size_t)(pairs + 1) * sizeof *edge);
  TRY_MEMORY(edge != NULL, "a constraint solver", error);
  list_edges(kind, touches, edge);
  Status status = band_create(&jac->band, kind->ncon, 1, pairs, (const int(*)[2])edge, error);
  if (status == STATUS_OK && kind->sparse)
    status = create_sparse(jac, pairs, (const int(*)[2])edge, error);
  free(edge);
  return status;
}

static Status create_matrix(Jacobian *jac, Error *error)
{
  const Kind *kind = jac->kind;
  const size_t touched = (size_t)kind->ncon * CONSTRAINT_SITES + 1;
  Touches touches = {malloc(((size_t)kind->nsite + 1) * sizeof(int)), malloc(touched * sizeof(int))};
  const Status status = touches.first == NULL || touches.constraint == NULL
                            ? error_memory(error, "a constraint solver")
                            : order(jac, &touches, error);
  free(touches.first);
  free(touches.constraint);
  return status;
}

JacobianEntry jacobian_entry(const Constraint *con)
{
  JacobianEntry entry = {.con = con, .nsite = (short)con->nsite, .radial = con->type->radial != NULL};
  memcpy(entry.site, con->site, sizeof entry.site);
  if (entry.radial)
    con->type->radial(con, &entry.form);
  return entry;
}

Status jacobian_create(Jacobian **jacobian, const Kind *kind, JacobianMatrix matrix, Isa isa, Error *error)
{
  *jacobian = NULL;
  Jacobian *jac = calloc(1, sizeof *jac + (size_t)kind->ncon * sizeof(JacobianEntry));
  TRY_MEMORY(jac != NULL, "a constraint solver", error);
  jac->kind = kind;
  jac->matrix = matrix;
  jac->bands = band_kernels(isa);
  jac->sparses = sparse_kernels(isa);
  for (int c = 0; c < kind->ncon; c++)
    jac->entry[c] = jacobian_entry(&kind->con[c]);
  TRY_ELSE(matrix != JACOBIAN_NO_MATRIX && kind->ncon > 0 ? create_matrix(jac, error) : STATUS_OK,
           jacobian_free(jac));
  *jacobian = jac;
  return STATUS_OK;
}

void jacobian_free(Jacobian *jacobian)
{
  if (jacobian != NULL) {
    band_free(jacobian->band);
    sparse_free(jacobian->sparse);
    free(jacobian->element);
    free(jacobian->at);
  }
  free(jacobian);
}

size_t jacobian_scratch(const Jacobian *jacobian)
{
  const Band *band = jacobian->band;
  if (band == NULL)
    return 0;
  const bool symmetric = jacobian->matrix == JACOBIAN_SYMMETRIC;
  if (jacobian->sparse != NULL)
    return sparse_size(jacobian->sparse, symmetric) + 2 * (size_t)band->n;
  return (symmetric ? band_symmetric_size(band) : band_general_size(band)) + (size_t)band->n +
         band_exchange_scratch(band->n, band->half);
}

static unsigned exchange_sparse(const Jacobian *jacobian, unsigned lanes, const Vec8 *matrix, const Vec8 *b,
                                Vec8 *x, Vec8 *solution)
{
  const Sparse *sparse = jacobian->sparse;
  memcpy(solution, b, (size_t)sparse->n * sizeof *b);
  const unsigned singular =
      sparse_exchange(sparse, jacobian->band, jacobian->matrix == JACOBIAN_SYMMETRIC, jacobian->nelement,
                      (const int(*)[2])jacobian->element, matrix, lanes, solution);
  for (int i = 0; i < sparse->n; i++)
    for (int l = 0; l < LANES; l++)
      if (lanes >> l & 1)
        x[sparse->row[i]][l] = singular >> l & 1 ? NAN : solution[i][l];
  return singular;
}

unsigned jacobian_exchange(const Jacobian *jacobian, unsigned lanes, const Vec8 *matrix, const Vec8 *b,
                           Vec8 *x, Vec8 *scratch)
{
  const Band *band = jacobian->band;
  if (jacobian->sparse != NULL)
    return exchange_sparse(jacobian, lanes, matrix, b, x, scratch);
  for (int i = 0; i < band->n; i++)
    for (int l = 0; l < LANES; l++)
      if (lanes >> l & 1)
        x[i][l] = b[band->unknown[i]][l];
  const unsigned singular =
      band_exchange(band->n, band->half, jacobian->matrix == JACOBIAN_SYMMETRIC, matrix, lanes, x, scratch);
  for (int i = 0; i < band->n; i++)
    for (int l = 0; l < LANES; l++)
      if (singular >> l & 1)
        x[i][l] = NAN;
  return singular;
}
