/* Acceleration maps: what the letter B kicks with (and of one, what A drifts by). f comes in as -grad V0 (the
 * forces between molecules) and goes out as M a, in place, once per force evaluation; B then is p += t f for
 * every map. With penalties the map also brings in V1 = 1/2 w^2 |g|^2, as force and, for the Zhang-Skeel
 * maps, in the matrix. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_H
#define HOLONOM_INTEGRATORS_ACCEL_H

#include "base/arena.h"
#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"
#include "integrators/scheme.h"

typedef struct AccelOptions {
  double h;    /* time step                                        */
  double beta; /* Newmark's and Zhang-Skeel's beta                 */
  double w;    /* penalty strength, of a kind that has none of its own (kind.h); 0: no penalties */
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

typedef struct Accel Accel; /* a map made ready for a kind, a step and penalties */

/* f = -grad V0 becomes M a. hess[n][n]: of this pack, if the traits say so and there is one, else NULL.
 * Returns in bits 0 to 7 the active lanes in which the linear system had no positive definite matrix (such
 * lanes are still solved), in bits 8 to 15 those in which it has no solution, or a nonlinear solve did not
 * converge (see the macros above). */
typedef unsigned AccelKernel(const Accel *accel, Pack *pack, const Vec8 *hess);

typedef struct AccelMap {
  const char *name, *doc, *cite;
  unsigned traits;
  AccelRoute route;
  AccelKernel *apply; /* accel_force, accel_solve, or the map's own */
  /* A drift over t that the map filters in the place of the kick, returning the same; NULL: q += t M^-1 p. */
  unsigned (*drift)(const Accel *accel, double t, Pack *pack);
} AccelMap;

/* All rows, ended by one without a name. */
extern const AccelMap accel_maps[];

const AccelMap *accel_map_find(const char *name);

/* Whether there is such a map, with one of these traits at least. */
bool accel_map_has(const char *name, unsigned traits);

/* With constraints that are kept exactly beside penalties, M a is the force that the latter leave along the
 * manifold of the former, but for a part across it, which is theirs to take. Errors: STATUS_INPUT (h, beta or
 * w negative or not a number; a Hessian that the map cannot do with, or not beside what is kept),
 * STATUS_MEMORY. */
Status accel_create(Accel **accel, const AccelMap *map, const Kind *kind, const AccelOptions *options,
                    Isa isa, Error *error);
void accel_free(Accel *accel);
size_t accel_scratch(const Accel *accel); /* vectors wanted in pack->scratch */

/* The map as data. Errors: STATUS_MEMORY. */
Status accel_describe(const Accel *accel, Arena *arena, SchemeMap *to, Error *error);

/* The force with that of the penalties, whatever the route; and what the route's system makes of f. */
AccelKernel accel_force, accel_solve;

/* g at the point that the maps linearise about, x + reach M^-1 f with reach = beta h^2 and the force M a that
 * the map has left in pack->f (Tao & Owhadi 2015, (2.2) and (2.5)): w^2 times it is what the step applies
 * along grad g. reach 0: at x itself. */
Vec8 accel_filtered(const Constraint *constraint, const Pack *pack, double reach);

/* The energy 1/2 w^2 |g|^2 there, per lane (filtered: that of the strain by what pulls at the penalties,
 * without what the step adds), w of kinds without strengths of their own; and the largest |g_c| unless NULL
 * (in A^2). */
void accel_penalty_energy(const Pack *pack, double w, double reach, Vec8 *energy, Vec8 *largest);

#endif
