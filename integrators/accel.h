/* Acceleration maps: they turn f = -grad V0 (all forces but the penalties) into M a, in place, once per force
 * evaluation; the letter B is then p += t f for every map. One map filters A instead. With penalties the map
 * adds V1 = 1/2 w^2 |g|^2, as a force and, for the Zhang-Skeel maps, in the matrix. */
#ifndef HOLONOM_INTEGRATORS_ACCEL_H
#define HOLONOM_INTEGRATORS_ACCEL_H

#include "base/arena.h"
#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"
#include "integrators/scheme.h"

typedef struct AccelOptions {
  double h;    /* time step                                        */
  double beta; /* beta of Newmark and of Zhang-Skeel               */
  double w;    /* penalty strength for kinds without strengths of their own (kind.h); 0: no penalties */
  PenaltyHessian hessian;
  double tolerance;   /* of a nonlinear solve: the last change of beta h^2 a, relative to it, or the rounding
                       * of the coordinates if that is larger. 0: 1e-12 */
  int max_iterations; /* of a nonlinear solve; 0: 50              */
} AccelOptions;

enum { ACCEL_DENSE = 30 /* coordinates of the largest molecule with dense matrices */ };

enum {
  ACCEL_HESS_BLOCK = 1,   /* uses the molecule's block of Hess V0 where the forces provide one             */
  ACCEL_ALONE = 2,        /* takes all of V from the kind: allows no other forces                          */
  ACCEL_PLAIN = 4,        /* the force itself at any step: allows constraints and slow forces */
  ACCEL_ITERATES = 8,     /* solves to a tolerance                                                         */
  ACCEL_SYMPLECTIC = 16,  /* kicks by a gradient                                                           */
  ACCEL_IRREVERSIBLE = 32 /* a symmetric word with it is not its own adjoint                               */
};

/* Results of apply: the bits of lanes whose matrix was not positive definite, and of lanes that failed. */
#define ACCEL_INDEFINITE(bits) ((bits)&0xffu)
#define ACCEL_FAILED(bits)     ((bits) >> LANES & 0xffu)

typedef struct Accel Accel; /* a map for one kind, step and set of penalties */

/* Turns f = -grad V0 into M a. hess[n][n]: the block of this pack if the traits request one and it exists,
 * else NULL. Returns in bits 0 to 7 the active lanes whose matrix is not positive definite (they are still
 * solved). Bits 8 to 15: lanes without a solution, or whose nonlinear solve did not converge. */
typedef unsigned AccelKernel(const Accel *accel, Pack *pack, const Vec8 *hess);

typedef struct AccelMap {
  const char *name, *doc, *cite;
  unsigned traits;
  AccelRoute route;
  AccelKernel *apply; /* accel_force, accel_solve, or the map's own */
  /* The map's own drift over t, with the same return value; NULL: q += t M^-1 p. */
  unsigned (*drift)(const Accel *accel, double t, Pack *pack);
} AccelMap;

/* All maps, ended by a row without a name. */
extern const AccelMap accel_maps[];

const AccelMap *accel_map_find(const char *name);

/* Whether a map of this name exists and has at least one of these traits. */
bool accel_map_has(const char *name, unsigned traits);

/* Creates a map. With exact constraints in addition to penalties, M a is the penalties' force along the
 * manifold of the constraints, plus a part across it, which projections remove. Errors: STATUS_INPUT (h, beta
 * or w negative or NaN; a Hessian that the map does not support, alone or with exact constraints),
 * STATUS_MEMORY. */
Status accel_create(Accel **accel, const AccelMap *map, const Kind *kind, const AccelOptions *options,
                    Isa isa, Error *error);
void accel_free(Accel *accel);
size_t accel_scratch(const Accel *accel); /* vectors needed in pack->scratch */

/* Describes the map as data. Errors: STATUS_MEMORY. */
Status accel_describe(const Accel *accel, Arena *arena, SchemeMap *to, Error *error);

/* accel_force adds the penalties' force; accel_solve solves the system of the map's route. */
AccelKernel accel_force, accel_solve;

/* g at the point about which the maps linearise, x + reach M^-1 f with reach = beta h^2 and f = M a as the
 * map left it. The force of the step along grad g is w^2 times this g (Tao & Owhadi 2015, (2.2) and (2.5)).
 * `reach` 0: g at x. */
Vec8 accel_filtered(const Constraint *constraint, const Pack *pack, double reach);

/* The energy 1/2 w^2 |g|^2 there, per lane, with this w for kinds without strengths of their own; and, unless
 * NULL, the largest |g_c| (A^2). At the filtered point it is the strain by the forces on the penalties,
 * without the part that the step adds. */
void accel_penalty_energy(const Pack *pack, double w, double reach, Vec8 *energy, Vec8 *largest);

#endif
