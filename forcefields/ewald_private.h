/* The reciprocal part of the Ewald sum over half of k space; the other half is its complex conjugate. */
#ifndef HOLONOM_FORCEFIELDS_EWALD_PRIVATE_H
#define HOLONOM_FORCEFIELDS_EWALD_PRIVATE_H

#include <stddef.h>

#include "engine/vec8.h"
#include "forcefields/ewald.h"

/* k vectors of equal nx and ny, with phases 2 pi (nx, ny, nz) along the edges of the box. */
typedef struct EwaldRow {
  int n[2];  /* nx, ny */
  int lo;    /* the first nz */
  int count; /* number of them */
  size_t at; /* the first index in arrays over k */
} EwaldRow;

/* Real and imaginary part for eight sites, or eight partial sums over sites. */
typedef struct EwaldPhase {
  Vec8 re, im;
} EwaldPhase;

typedef struct EwaldReciprocal {
  const Box *box;
  double alpha;
  int nsite, ngroup; /* sites, and groups of eight sites */
  int top[3];        /* largest |n| */
  int nrow;
  size_t nk;
  EwaldRow *row;       /* [nrow] */
  double *weight;      /* [nk] 4 pi C/V exp(-k^2/4a^2)/k^2, for both halves */
  double (*sum)[2];    /* [nk] S(k) */
  double (*share)[7];  /* [nrow] energy, virial xx yy zz yz xz xy */
  Vec8 *charge;        /* [ngroup] */
  EwaldPhase *phase;   /* [ngroup][top[0]+1 + top[1]+1 + top[2]+1] exp(2 pi i n u), u fractions, n >= 0 */
  EwaldPhase *partial; /* [nk] eight partial sums of S(k) */
} EwaldReciprocal;

/* Allocates and fills k vectors with |k| <= kmax. The owner releases it, also after errors. */
Status ewald_reciprocal_create(EwaldReciprocal *reciprocal, int nsite, const double *charge, const Box *box,
                               double alpha, double kmax, Error *error);
void ewald_reciprocal_free(EwaldReciprocal *reciprocal);

/* Fills shares and adds forces to f[nsite][3], which the whole team has filled before the call. Ends with a
 * barrier. */
void ewald_reciprocal_add(EwaldReciprocal *reciprocal, const Team *team, const double (*x)[3],
                          double (*f)[3]);

#endif
