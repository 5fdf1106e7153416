/* Types and functions shared by the files of the mesh. */
#ifndef HOLONOM_FORCEFIELDS_PME_PRIVATE_H
#define HOLONOM_FORCEFIELDS_PME_PRIVATE_H

#include <stddef.h>

#include "forcefields/pme.h"
#include "forcefields/pme_fft_kernels.h"

static inline size_t pme_real_size(PmePrecision precision)
{
  return precision == PME_DOUBLE ? sizeof(double) : sizeof(float);
}

/* --- transforms: along y in planes, then along x and z, and back ---------------------------------------- */

struct PmeFft {
  const PmeFftKernels *kernels;
  PmePrecision precision;
  PmeFftLength length[3];
  /* All lengths in reals. */
  ptrdiff_t row, plane;    /* of the mesh: see PmeMesh */
  ptrdiff_t slab_row;      /* from one row along z to the next, for one wave number of y */
  ptrdiff_t slab, longest; /* all rows of a slab; one register more than the longest line */
  ptrdiff_t influence_row; /* of a pair of points along z */
  size_t buffer;           /* bytes of a thread's buffer, in lines of 64 */
  size_t influence;        /* bytes of the influence function */
};

/* Prime factors p above 7 cost p operations for each point. Errors: STATUS_MEMORY. */
Status pme_fft_create(PmeFft *fft, PmePrecision precision, const PmeMesh *mesh, Isa isa, Error *error);
void pme_fft_free(PmeFft *fft);
/* The transform of one length, by itself. */
Status pme_fft_length_create(PmeFftLength *length, PmePrecision precision, int n, Error *error);
void pme_fft_length_free(PmeFftLength *length);
/* The number of passes over n points; a pass of radix 7 counts twice. */
int pme_fft_passes(int n);
/* The index in the influence function of the wave numbers (x, y, z) of the directions, 0 <= y <= n[1]/2. */
static inline size_t pme_fft_place(const PmeFft *f, int x, int y, int z)
{
  const int block = f->precision == PME_DOUBLE ? 1 : 2;
  const size_t pair = (size_t)y * (size_t)((f->length[2].n + 1) / 2) + (size_t)(z / 2);
  return pair * (size_t)f->influence_row + (size_t)((2 * (x / block) + z % 2) * block + x % block);
}

/* --- the influence function ----------------------------------------------------------------------------- */

struct PmeInfluence {
  int n[3];
  double pi2_b2;         /* pi^2/beta^2 */
  double *spline[3];     /* [n[d]] B of the direction */
  double lean[3];        /* b_x/b_y, c_x/c_z and c_y/c_z of the box: see PmeWaves */
  double *m[3], *odd[3]; /* [n[d] + 8] i/h_dd, |i| <= n/2; the same with 0 at i = n/2, which is also -n/2 */
  double *decay[3];      /* [n[d]] exp(-pi^2 m^2/beta^2) B */
  double *along;         /* [n[2]] the same along z, for one row of an oblique box */
  double *count;         /* [n[1]/2 + 1] number of wave vectors of an element: 1 or 2 */
};

/* The wave vectors of a row of elements (x, y): m = (x, y, m[2][z] - z). `odd`: x and y, with 0 where an
 * element represents both signs. In oblique boxes the two would differ in length, and have no influence. */
typedef struct PmeWaves {
  double x, y, z, odd[2];
} PmeWaves;

static inline PmeWaves pme_waves(const PmeInfluence *f, int x, int y)
{
  const double mx = f->m[0][x], aside = f->lean[0] * mx, my = f->m[1][y] - aside;
  return (PmeWaves){mx, my, f->lean[1] * mx + f->lean[2] * my, {f->odd[0][x], f->odd[1][y] - aside}};
}

Status pme_influence_create(PmeInfluence *f, const int n[3], int order, double beta, Error *error);
void pme_influence_free(PmeInfluence *f);
/* Writes g for a box in the order of the transforms. */
void pme_influence_fill(PmeInfluence *f, const Box *box, const PmeFft *fft, void *g);

#endif
