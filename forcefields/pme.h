/* Smooth particle-mesh Ewald, the reciprocal part (Essmann, Perera, Berkowitz, Darden,
 * Lee and Pedersen 1995).
 *
 *   E = 1/2 sum_m G(m) |S(m)|^2,   G(m) = C exp(-pi^2 m^2/beta^2) / (pi V m^2) B(m),   m = h^-1 (i, j, k)
 *
 * with S the discrete Fourier transform of the charges spread by B-splines of order p. B is the product over
 * the directions of W^2/(sum_r W_r^2)^2, W_r = sinc(pi (i/K + r))^p: that of the least error of the energy,
 * and finite at i = K/2 for odd orders too. Forces are minus the gradient of E to rounding.
 *
 * Same bits: sites are sorted, keeping their order, into bins of blocks of the mesh; each block is spread by
 * itself, and each plane of the mesh adds up what reaches it, block after block. Transforms are of planes and
 * of the lines of one wave number, which one thread does at a time (pme_fft_vec.h). So the bits depend on the
 * sites, the mesh and the instruction set alone, not on the number of threads.
 *
 * Errors of forces fall as h^(p-1), of the energy as h^p. Forces do not sum to zero: the net force, of the
 * size of the error, can be taken from all sites in proportion to mass. */
#ifndef HOLONOM_FORCEFIELDS_PME_H
#define HOLONOM_FORCEFIELDS_PME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "engine/box.h"
#include "engine/isa.h"
#include "engine/team.h"
#include "forcefields/pme_kernels.h"

typedef enum PmePrecision { PME_DOUBLE, PME_FLOAT } PmePrecision;

enum { PME_GRID_MAX = 1024 };

typedef struct PmeOptions {
  const Box *box; /* borrowed for as long as the mesh lives                                */
  double beta;    /* of erfc(beta r)/r, 1/A                                                  */
  int order;      /* of the splines, 4 to 6                                                  */
  int grid[3];    /* points along each side                                                  */
  PmePrecision precision;
  int nsite;
  const double *charge; /* [nsite] e; copied                                                   */
  int threads;          /* of the largest team                                                 */
  Isa isa;
} PmeOptions;

typedef struct Pme Pme;

/* Not to be called by the members of a team at once. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status pme_create(Pme **pme, const PmeOptions *options, Error *error);
void pme_free(Pme *pme);

/* Another box for the same mesh. By one thread, no other being inside. Errors: STATUS_INPUT. */
Status pme_set_box(Pme *pme, const Box *box, Error *error);

/* What comes with the forces. Virial: W_ab = sum of r_a f_b, -dE/d(strain), symmetric: of sites, not of
 * molecules. */
typedef struct PmeSums {
  double energy;       /* kcal/mol                                                          */
  double virial[3][3]; /* kcal/mol                                                          */
  double net[3];       /* the net force on all sites before any was removed, kcal/mol/A     */
} PmeSums;

/* One evaluation, by all members of a team together. Somebody writes rows and tags of all sites to where
 * pme_sites says; the team counts them by blocks, sorts them, and calculates forces, passing a barrier before
 * each of these calls and after the last. NaN gives NaN everywhere. *sums, unless NULL, is the first
 * member's. */
const PmeMesh *pme_mesh(const Pme *pme);
const PmeSites *pme_sites(const Pme *pme);
void pme_count(Pme *pme, const Team *team);
void pme_sort(Pme *pme, const Team *team);
void pme_solve(Pme *pme, const Team *team, PmeSums *sums);

/* The reciprocal forces [nsite][4], kcal/mol/A, reals of the mesh, the fourth without meaning, and their sum,
 * which is of the size of the mesh error. */
const void *pme_force(const Pme *pme, double net[3]);

/* Seconds that the first of the team has spent in each part, waiting included, since the object was made. */
typedef enum PmeCost { PME_SORT, PME_SPREAD, PME_FFT, PME_GATHER, PME_COSTS } PmeCost;
void pme_times(const Pme *pme, double seconds[PME_COSTS]);

#endif
