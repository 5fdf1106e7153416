#include "integrators/gram.h"

#include <stdlib.h>
#include <string.h>

/* A constraint's place at a site. */
typedef struct Touch {
  int constraint, k;
} Touch;

/* The constraints of each site: first[nsite+1], touch[]. */
typedef struct Touches {
  int *first;
  Touch *touch;
} Touches;

/* Pairs of places at one site that all sites have together; -1 if there are too many to handle. */
static int list_touches(const Kind *kind, Touches *t)
{
  long long pairs = 0;
  memset(t->first, 0, ((size_t)kind->nsite + 1) * sizeof(int));
  for (int c = 0; c < kind->ncon; c++)
    for (int k = 0; k < kind->con[c].nsite; k++)
      t->first[kind->con[c].site[k] + 1]++;
  for (int s = 0; s < kind->nsite; s++) {
    const long long here = t->first[s + 1];
    pairs += here * here;
    t->first[s + 1] += t->first[s];
  }
  for (int c = 0; c < kind->ncon; c++)
    for (int k = 0; k < kind->con[c].nsite; k++)
      t->touch[t->first[kind->con[c].site[k]]++] = (Touch){c, k};
  for (int s = kind->nsite; s > 0; s--) /* filling has moved each to the next one's place */
    t->first[s] = t->first[s - 1];
  t->first[0] = 0;
  return pairs < 1 << 26 ? (int)pairs : -1;
}

static int list_edges(const Kind *kind, const Touches *t, int (*edge)[2])
{
  int n = 0;
  for (int s = 0; s < kind->nsite; s++)
    for (int i = t->first[s]; i < t->first[s + 1]; i++)
      for (int j = t->first[s]; j < i; j++) {
        edge[n][0] = t->touch[i].constraint;
        edge[n++][1] = t->touch[j].constraint;
      }
  return n;
}

static int compare_terms(const void *a, const void *b)
{
  const GramTerm *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->site != y->site ? (x->site < y->site ? -1 : 1) : x->k - y->k;
}

static int list_terms(const Kind *kind, const Touches *t, const Gram *g, GramTerm *term)
{
  int n = 0;
  for (int s = 0; s < kind->nsite; s++)
    for (int i = t->first[s]; i < t->first[s + 1]; i++)
      for (int j = t->first[s]; j < t->first[s + 1]; j++) {
        const Touch a = t->touch[i], b = t->touch[j];
        if (g->symmetric && g->band->row[a.constraint] < g->band->row[b.constraint])
          continue;
        const size_t at = g->symmetric ? band_symmetric(g->band, a.constraint, b.constraint)
                                       : band_general(g->band, a.constraint, b.constraint);
        term[n++] = (GramTerm){at, a.constraint, b.constraint, a.k, b.k, s};
      }
  qsort(term, (size_t)n, sizeof *term, compare_terms);
  return n;
}

static Status build(Gram *g, const Kind *kind, Touches *touches, Error *error)
{
  const int pairs = list_touches(kind, touches);
  if (pairs < 0)
    return error_set(
        error, STATUS_INPUT,
        "'%s': so many of its %d constraints share sites that a direct solution is out of reach; "
        "take the solver gauss-seidel and the method shake, or penalties",
        kind->name, kind->ncon);
  int(*edge)[2] = malloc((size_t)(pairs > 0 ? pairs : 1) * sizeof *edge);
  g->term = malloc((size_t)(pairs > 0 ? pairs : 1) * sizeof *g->term);
  if (edge == NULL || g->term == NULL) {
    free(edge);
    return error_memory(error, "a constraint solver");
  }
  const int nedge = list_edges(kind, touches, edge);
  const Status status = band_create(&g->band, kind->ncon, 1, nedge, (const int(*)[2])edge, error);
  free(edge);
  if (status != STATUS_OK)
    return status;
  g->size = g->symmetric ? band_symmetric_size(g->band) : band_general_size(g->band);
  g->nterm = list_terms(kind, touches, g, g->term);
  return STATUS_OK;
}

Status gram_create(Gram **gram, const Kind *kind, bool symmetric, Error *error)
{
  *gram = NULL;
  Gram *g = calloc(1, sizeof *g);
  const size_t places = (size_t)kind->ncon * CONSTRAINT_SITES + 1;
  Touches touches = {malloc(((size_t)kind->nsite + 1) * sizeof(int)), malloc(places * sizeof(Touch))};
  Status status = STATUS_MEMORY;
  if (g == NULL || touches.first == NULL || touches.touch == NULL)
    status = error_memory(error, "a constraint solver");
  else {
    g->symmetric = symmetric;
    status = build(g, kind, &touches, error);
  }
  free(touches.first);
  free(touches.touch);
  if (status != STATUS_OK) {
    gram_free(g);
    return status;
  }
  *gram = g;
  return STATUS_OK;
}

void gram_free(Gram *gram)
{
  if (gram == NULL)
    return;
  band_free(gram->band);
  free(gram->term);
  free(gram);
}
