/* What the parts of the Ewald sum share. */
#ifndef HOLONOM_FORCEFIELDS_EWALD_PRIVATE_H
#define HOLONOM_FORCEFIELDS_EWALD_PRIVATE_H

#include <stddef.h>

#include "engine/vec.h"
#include "forcefields/ewald.h"

/* k vectors 2 pi (nx/Lx, ny/Ly, nz/Lz) of equal nx and ny. */
typedef struct EwaldRow {
  int n[2];  /* nx, ny                                */
  int lo;    /* the first nz                          */
  int count; /* of them                               */
  size_t at; /* where they begin in arrays over k     */
} EwaldRow;

/* Real and imaginary part for eight sites, or eight parts of a sum over sites. */
typedef struct EwaldPhase {
  vd re, im;
} EwaldPhase;

/* The reciprocal part, over half of k space: the other half is the complex conjugate. */
typedef struct EwaldReciprocal {
  int nsite, ngroup; /* sites, and eights of them                                          */
  int top[3];        /* largest |n|                                                        */
  int nrow;
  size_t nk;
  EwaldRow *row;       /* [nrow]                                                             */
  double *weight;      /* [nk] 4 pi C/V exp(-k^2/4a^2)/k^2: both halves                      */
  double (*sum)[2];    /* [nk] S(k)                                                          */
  double (*share)[7];  /* [nrow] energy, virial xx yy zz yz xz xy                            */
  vd *charge;          /* [ngroup]                                                           */
  EwaldPhase *phase;   /* [ngroup][top[0]+1 + top[1]+1 + top[2]+1]: exp(2 pi i n x/L), n >= 0 */
  EwaldPhase *partial; /* [nk] S(k) in eight parts                                           */
} EwaldReciprocal;

/* What one molecule adds; half of each of its pairs. */
typedef struct EwaldShare {
  double energy[EWALD_TERMS];
  double virial[3][3];
  int partner;     /* a molecule too near, or -1 */
  double distance; /* from it                    */
} EwaldShare;

struct Ewald {
  int nmol, nsite, ntype;
  Box box;
  EwaldOptions options;
  int *first;        /* [nmol + 1]      */
  int *type;         /* [nsite]         */
  double *charge;    /* [nsite]         */
  double *mass;      /* [nsite]         */
  double (*lj)[2];   /* [ntype*ntype]   */
  double tail[2];    /* energy, and each diagonal element of the virial, of lj_tail */
  double self;       /* energy          */
  double *extent;    /* [nmol] largest distance of a site from the first one */
  EwaldShare *share; /* [nmol]          */
  double (*f)[3];    /* [nsite]         */
  EwaldReciprocal reciprocal;
  EwaldResult result; /* of the last computation, by the first of the team */
  Status status;
  Error error;
};

/* Memory and k vectors for |k| <= options.kmax; weights for options.alpha. */
Status ewald_reciprocal_create(EwaldReciprocal *reciprocal, int nsite, const double *charge, const Box *box,
                               const EwaldOptions *options, Error *error);
void ewald_reciprocal_free(EwaldReciprocal *reciprocal);

/* Fills shares and adds forces to f[nsite][3], which all of the team have filled with other parts before the
 * call. Ends with a barrier. */
void ewald_reciprocal_add(EwaldReciprocal *reciprocal, const Team *team, const Box *box, double alpha,
                          const double *x, double (*f)[3]);

/* Real part, Lennard-Jones and the correction inside molecules: this thread's molecules, f overwritten. The
 * extents of all molecules must be there. */
void ewald_pairs_compute(Ewald *ewald, const Team *team, const double *x);

/* Energy and virial (each diagonal element) of Lennard-Jones beyond the cutoff: count[ntype] sites of each
 * type, lj[ntype*ntype] as in EwaldSystem. */
void ewald_tail_compute(int ntype, const double *count, const double (*lj)[2], const Box *box,
                        const EwaldOptions *options, double tail[2]);

#endif
