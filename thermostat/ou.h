/* O: the exact flow of dp = -G M^-1 p dt + sqrt(2 G kT) dW over a time t.
 *
 * Free: p <- c p + s xi per site, c = exp(-G t/m), s = sqrt(m kT (1 - c^2)).
 * On the tangent space T = {p : J M^-1 p = 0} the same step is followed by p <- p + W J' mu with
 * J M^-1 p = 0, W = diag(1/(1 + a_i)), a_i = tanh(G_i t / 2 m_i) per site. This is the midpoint (Cayley)
 * scheme of the projected equation with its free coefficients replaced by the exact ones: it leaves the
 * Maxwellian on T invariant for any t, is exact where all a_i are equal (mass friction, or equal masses) and
 * without constraints, and second order in t otherwise (uniform friction), where the exact flow is the
 * exponential of a matrix of each molecule. p must be tangent before.
 *
 * Where noise acts on T alone and p has a part across it (penalties), that part decays by one factor for the
 * whole molecule, at the mean rate of its sites: any other friction would turn it into T, which has no noise
 * for it.
 *
 * Such a part needs that friction: without it a step heats stiff modes slowly (w = 500, h W = 114: by 5
 * kcal/mol in 200,000 steps of seven waters), and at w = 20 the soft modes with them. The motion of a whole
 * cluster is removed in the same metric (integrators/motion.h). */
#ifndef HOLONOM_THERMOSTAT_OU_H
#define HOLONOM_THERMOSTAT_OU_H

#include "base/status.h"
#include "engine/isa.h"
#include "engine/random.h"
#include "engine/state.h"
#include "thermostat/friction.h"

typedef struct Ou {
  int nsite, dim;
  double *decay;  /* [nsite] c                                             */
  double *noise;  /* [nsite] s                                             */
  double *weight; /* [nsite] W, for the projector that follows on T        */
  double across;  /* what is left of the part of p across T                */
  Friction friction;
  double gamma, t, kT; /* what these follow from                           */
} Ou;

/* Coefficients for a kind. t = INFINITY, or gamma = INFINITY with t > 0, gives a fresh draw from the
 * Maxwellian (c = 0, all W equal). Errors: STATUS_INPUT (gamma, t or kT negative or not a number, kT
 * infinite, more than 262144 coordinates), STATUS_MEMORY. */
Status ou_create(Ou **ou, const Kind *kind, Friction friction, double gamma, double t, double kT,
                 Error *error);
void ou_free(Ou *ou);

/* The normals: words 2j and 2j + 1 of a molecule (random.h) give the components 2j and 2j + 1,
 *   sqrt(-2 ln u) cos a and sqrt(-2 ln u) sin a, u = (w + 1/2) 2^-32, a = 2 pi (w' + 1/2) 2^-32,
 * to an absolute 1e-14 (Box and Muller); component i is coordinate i % dim of site i / dim. The largest is
 * 6.8 in size. */

/* Where a pack's noise is: the lanes' keys, the step, and which O of the word this is. */
typedef struct NoiseAddress {
  const Vec8Word *key; /* [2] from random_keys */
  int64_t step;
  uint32_t letter; /* < 65536 */
} NoiseAddress;

typedef struct OuKernels {
  /* p <- c p + s noise xi (free), noise by the lane: tail lanes get none. */
  void (*step)(const Ou *ou, const NoiseAddress *at, Pack *pack);
  /* out[n] standard normals of components 0..n-1 for 8 molecules, the numbers that `step` uses. */
  void (*normals)(const NoiseAddress *at, const uint32_t molecule[LANES], int n, Vec8 *out);
} OuKernels;

/* The table for an instruction set; NULL if this build lacks it. */
const OuKernels *ou_kernels(Isa isa);

#endif
