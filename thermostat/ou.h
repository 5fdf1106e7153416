/* O: the exact flow of dp = -G M^-1 p dt + sqrt(2 G kT) dW over a time t.
 *
 * Free: p <- c p + s xi per site, c = exp(-G t/m), s = sqrt(m kT (1 - c^2)).
 * On the tangent space T = {p : J M^-1 p = 0} the same step is followed by p <- p + W J' mu with
 * J M^-1 p = 0, W = diag(1/(1 + a_i)), a_i = tanh(G_i t / 2 m_i) per site. This is the midpoint (Cayley)
 * scheme of the projected equation with exact free coefficients. It leaves the Maxwellian on T invariant for
 * any t. It is exact without constraints and where all a_i are equal (mass friction, or equal masses).
 * Otherwise (uniform friction) it is second order in t: the exact flow is the exponential of a matrix of each
 * molecule. p must be tangent before.
 *
 * Where noise acts on T alone and p has a part across it (penalties), that part decays by one factor for the
 * whole molecule, at the mean rate of its sites. Any other friction would turn it into motion along T,
 * without matching noise.
 *
 * The part across T needs friction: otherwise a step heats stiff modes slowly (w = 500, h W = 114: by 5
 * kcal/mol in 200,000 steps of seven waters) and at w = 20 also the soft modes. Motion of a whole cluster is
 * removed in the same metric (integrators/motion.h). */
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
  double *weight; /* [nsite] W, for the projector onto T that follows      */
  double across;  /* factor of the part of p across T                      */
  Friction friction;
  double gamma, t, kT; /* the parameters of these                          */
} Ou;

/* Computes the coefficients of a kind. t = INFINITY, or gamma = INFINITY with t > 0, is a draw from the
 * Maxwellian (c = 0, all W equal). Errors: STATUS_INPUT (gamma, t or kT negative or NaN, kT infinite, more
 * than 262144 coordinates), STATUS_MEMORY. */
Status ou_create(Ou **ou, const Kind *kind, Friction friction, double gamma, double t, double kT,
                 Error *error);
void ou_free(Ou *ou);

/* Normals by Box and Muller. Words 2j and 2j + 1 of a molecule (random.h) give the components 2j and 2j + 1,
 *
 *   sqrt(-2 ln u) cos a and sqrt(-2 ln u) sin a, u = (w + 1/2) 2^-32, a = 2 pi (w' + 1/2) 2^-32,
 *
 * to an absolute 1e-14. Component i is coordinate i % dim of site i / dim. The largest size is 6.8. */

/* The address of a pack's noise: the lanes' keys, the step, and the index of this O in the word. */
typedef struct NoiseAddress {
  const Vec8Word *key; /* [2] from random_keys */
  int64_t step;
  uint32_t letter; /* < 65536 */
} NoiseAddress;

typedef struct OuKernels {
  /* p <- c p + s noise xi (free), with the noise factor of each lane, 0 in tail lanes. */
  void (*step)(const Ou *ou, const NoiseAddress *at, Pack *pack);
  /* out[n]: standard normals of components 0..n-1 for 8 molecules, the numbers that `step` uses. */
  void (*normals)(const NoiseAddress *at, const uint32_t molecule[LANES], int n, Vec8 *out);
} OuKernels;

/* The table for an instruction set; NULL if this build lacks it. */
const OuKernels *ou_kernels(Isa isa);

#endif
