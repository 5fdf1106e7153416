/* The matrix J_a W J_b' of a kind of any size as a band matrix: constraints are neighbours where they share a
 * site. Its order and the products that make its entries are found once for a kind; immutable. */
#ifndef HOLONOM_INTEGRATORS_GRAM_H
#define HOLONOM_INTEGRATORS_GRAM_H

#include "engine/kind.h"
#include "integrators/band.h"

/* entry[at] += weight[site] * (row `left` of J_a at its k-th site) . (row `right` of J_b at its l-th site).
 */
typedef struct GramTerm {
  size_t at;
  int left, right, k, l, site;
} GramTerm;

typedef struct Gram {
  Band *band; /* nodes are constraints */
  bool symmetric;
  size_t size; /* vectors of the matrix */
  int nterm;
  GramTerm *term; /* [nterm] in the order of `at` */
} Gram;

/* symmetric: a = b, and only the lower triangle is kept. Errors: STATUS_INPUT (no constraints, or so many at
 * one site that their matrix is out of reach), STATUS_MEMORY. */
Status gram_create(Gram **gram, const Kind *kind, bool symmetric, Error *error);
void gram_free(Gram *gram);

#endif
