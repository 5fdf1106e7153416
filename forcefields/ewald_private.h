/* What the parts of the Ewald sum share. */
#ifndef HOLONOM_FORCEFIELDS_EWALD_PRIVATE_H
#define HOLONOM_FORCEFIELDS_EWALD_PRIVATE_H

#include <stddef.h>

#include "engine/octet.h"
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
  Octet re, im;
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
  Octet *charge;       /* [ngroup]                                                           */
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

/* A cutoff of pairs, by the distance of two sites or of two molecules' first ones. */
typedef struct EwaldCut {
  EwaldTruncation truncation;
  double cutoff, from; /* A; from: where EWALD_SWITCH begins */
} EwaldCut;

/* That of Lennard-Jones. */
static inline EwaldCut ewald_lj_cut(const EwaldOptions *o)
{
  return (EwaldCut){o->truncation, o->lj_cutoff, o->lj_switch};
}

/* Energy and virial (each diagonal element) of Lennard-Jones beyond the cutoff, of which 0 means that there
 * is none: count[ntype] sites of each type, lj[ntype*ntype] as in EwaldSystem. */
void ewald_tail_compute(int ntype, const double *count, const double (*lj)[2], const Box *box,
                        const EwaldCut *cut, double tail[2]);

/* The charges of a molecule, by how far they are from its first site; the molecule turns freely. */
typedef struct EwaldShells {
  int n;
  const double *charge, *radius; /* [n] e and A                                                       */
  const double
      *arm; /* [n] A, how far the centre of mass lies from the first site in the charge's direction */
} EwaldShells;

/* The same of the real part, erfc(beta r)/r, where molecules are cut by their first sites: pairs of neutral
 * molecules have some of it beyond the cutoff even in the mean over all their orientations,
 *
 *   U(R) = sum q_i q_j <erfc(beta |R + b_j - a_i|)/|R + b_j - a_i|>  ~  s^2 lap lap erfc(beta R)/R,
 *
 * s = sum q a^2/6. The virial is the one by molecule, where centres of mass follow the box: the mean of R F
 * that is missing, R between centres of mass. That by atom lacks the same in the mean over a run, as what
 * holds a molecule together answers to the forces on its sites. The charges of all kinds together must sum to
 * zero. */
void ewald_tail_real(int nkind, const double *count, const EwaldShells *shells, double beta, const Box *box,
                     const EwaldCut *cut, double tail[2]);

#endif
