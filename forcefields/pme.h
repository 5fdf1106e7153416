/* The reciprocal part of smooth particle-mesh Ewald (Essmann, Perera, Berkowitz, Darden, Lee and Pedersen,
 * J. Chem. Phys. 103, 8577 (1995)).
 *
 *   E = 1/2 sum_m G(m) |S(m)|^2,   G(m) = C exp(-pi^2 m^2/beta^2) / (pi V m^2) B(m),   m = h^-1 (i, j, k)
 *
 * S is the discrete Fourier transform of the charges, spread by B-splines of order p. B is the product
 * over directions of W^2/(sum_r W_r^2)^2, W_r = sinc(pi (i/K + r))^p. This B minimises the error of the
 * energy and is finite at i = K/2 for odd orders too. Forces are minus the gradient of E to rounding.
 * Their error falls as h^(p-1), that of the energy as h^p. Forces do not sum to zero: the net force, of
 * the size of the error, can be subtracted from all sites in proportion to mass.
 *
 * The bits depend on the sites, the mesh and the instruction set, not on the number of threads. Sites are
 * sorted stably into bins of blocks of the mesh. Each block is spread separately, and each plane of the
 * mesh adds the contributions of blocks in order. One thread at a time transforms a plane, or all lines of
 * one wave number (pme_fft_vec.h). */
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
  const Box *box; /* borrowed while the mesh lives */
  double beta;    /* of erfc(beta r)/r, 1/A */
  int order;      /* of the splines, 4 to 6 */
  int grid[3];    /* points along each side */
  PmePrecision precision;
  int nsite;
  const double *charge; /* [nsite] e; copied */
  int threads;          /* of the largest team */
  Isa isa;
} PmeOptions;

typedef struct Pme Pme;

/* Must not be called by several members of a team at once. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status pme_create(Pme **pme, const PmeOptions *options, Error *error);
void pme_free(Pme *pme);

/* Sets another box for the same mesh; by one thread, with no other in the mesh. Errors: STATUS_INPUT. */
Status pme_set_box(Pme *pme, const Box *box, Error *error);

/* Changes the charge of a site, e. Not between pme_sort and pme_solve. */
void pme_set_charge(Pme *pme, int site, double charge);

/* Sums of one evaluation. Virial: W_ab = sum of r_a f_b = -dE/d(strain), symmetric, of sites, not of
 * molecules. */
typedef struct PmeSums {
  double energy;       /* kcal/mol */
  double virial[3][3]; /* kcal/mol */
  double net[3];       /* net force on all sites before removal, kcal/mol/A */
} PmeSums;

/* One evaluation, by all members of a team together. Write rows and tags of all sites to pme_sites; then call
 * pme_count, pme_sort and pme_solve, with a barrier before each call and after the last. NaN gives NaN
 * everywhere. *sums, unless NULL, is filled by the first member. */
const PmeMesh *pme_mesh(const Pme *pme);
const PmeSites *pme_sites(const Pme *pme);
void pme_count(Pme *pme, const Team *team);
void pme_sort(Pme *pme, const Team *team);
void pme_solve(Pme *pme, const Team *team, PmeSums *sums);

/* The reciprocal forces [nsite][4], kcal/mol/A, in the mesh's precision, the fourth undefined, and their sum,
 * which is of the size of the mesh error. */
const void *pme_force(const Pme *pme, double net[3]);

/* Seconds spent by the team's first member in each part since creation, including waiting. */
typedef enum PmeCost { PME_SORT, PME_SPREAD, PME_FFT, PME_GATHER, PME_COSTS } PmeCost;
void pme_times(const Pme *pme, double seconds[PME_COSTS]);

#endif
