/* Acceleration maps: what the letter B kicks with (and of one, what A drifts by). f comes in as -grad V0 (the
 * forces between molecules) and goes out as M a, in place, once per force evaluation; B then is p += t f for
 * every map. With penalties the map also brings in V1 = 1/2 w^2 |g|^2, as force and, for the Zhang-Skeel
 * maps, in the matrix. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_H
#define HOLONOM_INTEGRATORS_ACCEL_H

#include "engine/isa.h"
#include "engine/state.h"
#include "engine/status.h"

typedef enum PenaltyHessian {
  HESSIAN_FULL,        /* w^2 (J'J + sum g_c Hess g_c), the paper's         */
  HESSIAN_GAUSS_NEWTON /* w^2 J'J: positive semidefinite whatever g is      */
} PenaltyHessian;

typedef struct AccelOptions {
  double h;    /* time step                                        */
  double beta; /* Newmark's and Zhang-Skeel's beta                 */
  double w;    /* penalty strength; 0: no penalties                */
  PenaltyHessian hessian;
  double tolerance;   /* of a nonlinear solve: the last change of beta h^2 a, relative to it; where the
                         coordinates' own rounding is more, that. 0: 1e-12 */
  int max_iterations; /* of a nonlinear solve; 0: 50              */
} AccelOptions;

enum { ACCEL_DENSE = 30 /* coordinates of a molecule up to which matrices are dense */ };

enum {
  ACCEL_HESS_BLOCK = 1,   /* wants the molecule's own block of Hess V0 where the forces offer one          */
  ACCEL_ALONE = 2,        /* takes all of V from the kind: no forces between molecules or from outside     */
  ACCEL_PLAIN = 4,        /* the force as it is, whatever the step: fits constraints and slow forces apart */
  ACCEL_ITERATES = 8,     /* solves to a tolerance                                                         */
  ACCEL_SYMPLECTIC = 16,  /* kicks by a gradient                                                           */
  ACCEL_IRREVERSIBLE = 32 /* a symmetric word of it is not its own adjoint                                 */
};

/* What apply returns: bits of lanes whose matrix was not positive definite, and of lanes that failed. */
#define ACCEL_INDEFINITE(bits) ((bits)&0xffu)
#define ACCEL_FAILED(bits)     ((bits) >> LANES & 0xffu)

typedef struct AccelMap {
  const char *name, *doc, *cite;
  unsigned traits;
  Status (*create)(void **self, const Kind *kind, const AccelOptions *options, Isa isa, Error *error);
  /* hess[n][n] of this pack if the traits say so and there is one, else NULL. Returns in bits 0 to 7 the
   * active lanes in which the linear system had no positive definite matrix (such lanes are still solved), in
   * bits 8 to 15 those in which it has no solution, or a nonlinear solve did not converge (see the macros
   * above). */
  unsigned (*apply)(const void *self, Pack *pack, const Octet *hess);
  /* A drift over t that the map filters in the place of the kick, returning the same; NULL: q += t M^-1 p. */
  unsigned (*drift)(const void *self, double t, Pack *pack);
  size_t (*scratch)(const void *self); /* vectors wanted in pack->scratch; NULL: none             */
  void (*free)(void *self);
} AccelMap;

/* All rows, ended by NULL. */
extern const AccelMap *const accel_maps[];

const AccelMap *accel_map_find(const char *name);

/* Whether there is such a map, with one of these traits at least. */
bool accel_map_has(const char *name, unsigned traits);

/* Energy 1/2 w^2 |g|^2 of a pack, per lane; and the largest |g_c| unless NULL (in A^2). */
void accel_penalty_energy(const Pack *pack, double w, Octet *energy, Octet *largest);

/* g at the point that the maps linearise about, x + reach M^-1 f with reach = beta h^2 and the force M a that
 * the map has left in pack->f (Tao & Owhadi 2015, (2.2) and (2.5)): w^2 times it is what the step applies
 * along grad g. reach 0: at x itself. And the energy 1/2 w^2 |g|^2 there, which is that of the strain by what
 * pulls at the penalties, without what the step adds. */
Octet accel_filtered(const Constraint *constraint, const Pack *pack, double reach);
Octet accel_filtered_energy(const Pack *pack, double w, double reach);

#endif
