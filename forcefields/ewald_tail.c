/* What the cutoff of Lennard-Jones leaves out, with uniform density wherever something is left out. */
#include "forcefields/ewald_private.h"

/* Integral of r^2 (1 - S) r^-n over the range of the switching function S, by Simpson's rule: the polynomial
 * integrated term by term cancels to few digits. */
static double switched(int n, const EwaldOptions *o)
{
  enum { PARTS = 1000 };
  const double width = o->lj_cutoff - o->lj_switch;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double t = (double)i / PARTS, one = i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    sum += one * t * t * t * (10.0 - t * (15.0 - 6.0 * t)) * pow(o->lj_switch + width * t, 2 - n);
  }
  return sum * width / (3.0 * PARTS);
}

/* Integrals over all r of what is missing from r^-n: *energy of r^2 D, *virial of -r^3 dD/dr without the jump
 * of a plain cutoff, which no force has. */
static void missing(int n, const EwaldOptions *o, double *energy, double *virial)
{
  const double rc = o->lj_cutoff, beyond = pow(rc, 3 - n) / (n - 3);
  *energy = beyond;
  if (o->truncation == EWALD_SHIFT)
    *energy += pow(rc, 3 - n) / 3.0;
  if (o->truncation == EWALD_SWITCH)
    *energy += switched(n, o);
  /* by parts, where D is continuous */
  *virial = o->truncation == EWALD_PLAIN ? n * beyond : 3.0 * *energy;
}

void ewald_tail_compute(int ntype, const double *count, const double (*lj)[2], const Box *box,
                        const EwaldOptions *options, double tail[2])
{
  double twelve[2], six[2];
  tail[0] = tail[1] = 0.0;
  if (options->lj_cutoff == 0.0)
    return;
  missing(12, options, &twelve[0], &twelve[1]);
  missing(6, options, &six[0], &six[1]);
  for (int a = 0; a < ntype; a++)
    for (int b = 0; b < ntype; b++) {
      const double *v = lj[a * ntype + b];
      const double pairs = 2.0 * M_PI * count[a] * count[b] / box_volume(box);
      tail[0] += pairs * (v[0] * twelve[0] - v[1] * six[0]);
      tail[1] += pairs / 3.0 * (v[0] * twelve[1] - v[1] * six[1]);
    }
}
