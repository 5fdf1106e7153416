/* What the files of the mesh share. */
#ifndef HOLONOM_FORCEFIELDS_PME_PRIVATE_H
#define HOLONOM_FORCEFIELDS_PME_PRIVATE_H

#include <stddef.h>

#include "forcefields/pme.h"

/* --- transforms: of planes, real[n[1]][row], and of lines across them --------------------------------- */

enum { PME_PLANS = 6 };

typedef struct PmeFft {
  PmePrecision precision;
  void *plan[PME_PLANS];
  size_t plane_size, row_size; /* bytes from one to the next                                             */
} PmeFft;

/* Every call works with a buffer of [max(n[0], n[1])][row] reals, one a thread, aligned to 64 bytes. q is
 * overwritten. For wisdom see PmeOptions. Errors: STATUS_MEMORY, STATUS_IO. */
Status pme_fft_create(PmeFft *fft, PmePrecision precision, const PmeMesh *mesh, void *q, void *buffer,
                      const PmeWisdom *wisdom, Error *error);
void pme_fft_free(PmeFft *fft);
/* Plane x: real to complex, and back; unscaled. */
void pme_fft_plane(const PmeFft *fft, void *q, int x, void *buffer);
void pme_fft_plane_back(const PmeFft *fft, void *q, int x, void *buffer);
/* All lines along x of row y, to the buffer as complex[n[0]][row/2], and back from there. */
void pme_fft_lines(const PmeFft *fft, void *q, int y, void *buffer);
void pme_fft_lines_back(const PmeFft *fft, void *q, int y, void *buffer);

/* --- the influence function ---------------------------------------------------------------------------- */

typedef struct PmeInfluence {
  int n[3], nz;      /* nz = n[2]/2 + 1                                                             */
  double pi2_b2;     /* pi^2/beta^2                                                                 */
  double *spline[3]; /* [n[d]] B of that direction                                                  */
  double lean[3];    /* b_x/b_y, c_x/c_z and c_y/c_z of the box: see PmeWaves                       */
  double *m[3],
      *odd[3];      /* [n[d] + 8] i/h_dd, |i| <= n/2; the same with 0 at i = n/2, which stands for -n/2 too */
  double *decay[3]; /* [n[d]] exp(-pi^2 m^2/beta^2) B                                         */
  double *along;    /* [nz] the same along z of one row of a box that leans                   */
  double *count;    /* [nz + 8] how many wave vectors an element stands for: 1 or 2           */
} PmeInfluence;

/* The wave vectors of a row of elements (x, y): m = (x, y, m[2][z] - z). `odd`: x and y with 0 where an
 * element stands for both signs; in boxes that lean, the two would differ in length, and have no influence.
 */
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
/* g[n[0]][n[1]][nz] for a box. */
void pme_influence_fill(PmeInfluence *f, const Box *box, PmePrecision precision, void *g);

#endif
