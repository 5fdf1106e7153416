/* What a pair of molecules at the cutoff loses if its force is left out: means over the kinds of a box and
 * over orientations. */
#include <math.h>

#include "engine/place.h"
#include "engine/units.h"
#include "forcefields/periodic_private.h"

enum { SAMPLES = 200 };
static const double step = 0.05; /* A, of differences */

typedef struct Pose {
  const MixtureKind *kind;
  double x[MIXTURE_SITES][3];
} Pose;

/* A molecule with its first site at the origin, turned at random. */
static Pose pose(const MixtureKind *kind, const Kind *shape, RandomStream *s)
{
  static const double centre[3] = {0.0, 0.0, 0.0};
  Pose p = {.kind = kind};
  double x[3 * MIXTURE_SITES];
  place_molecule(shape, s, centre, x);
  for (int a = 1; a < kind->natom; a++)
    for (int d = 0; d < 3; d++)
      p.x[a][d] = x[3 * a + d] - x[d];
  for (int d = 0; d < 3 && kind->nsite > kind->natom; d++)
    p.x[3][d] = kind->weight * (p.x[1][d] + p.x[2][d]);
  return p;
}

/* Of unit charges. */
static double coulomb(const PeriodicOptions *o, double r)
{
  if (o->coulomb == PERIODIC_CUTOFF)
    return 1.0 / r;
  if (o->coulomb == PERIODIC_REACTION_FIELD)
    return 1.0 / r + sites_field(o->permittivity) * r * r / (o->cutoff * o->cutoff * o->cutoff);
  return erfc(o->beta * r) / r;
}

/* Of two molecules whose first sites are `distance` apart along z. */
static double energy(const PeriodicOptions *o, const Pose *a, const Pose *b, const double lj[2],
                     double distance)
{
  const double r6 = pow(distance, 6.0);
  double sum = o->truncation == EWALD_SWITCH ? 0.0 : lj[0] / (r6 * r6) - lj[1] / r6;
  for (int i = 0; i < a->kind->nsite; i++)
    for (int j = 0; j < b->kind->nsite; j++) {
      const double qq = a->kind->charge[i] * b->kind->charge[j];
      if (qq == 0.0)
        continue;
      double r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        const double r = b->x[j][d] - a->x[i][d] + (d == 2 ? distance : 0.0);
        r2 += r * r;
      }
      sum += UNITS_COULOMB * qq * coulomb(o, sqrt(r2));
    }
  return sum;
}

void periodic_loss(const PeriodicOptions *o, const Mixture *mixture, const State *shape, ListLoss *loss)
{
  RandomStream s = random_stream(1, 0, RANDOM_START);
  *loss = (ListLoss){.density = mixture->nmol / box_volume(&shape->box)};
  for (int i = 0; i < mixture->nblock; i++) {
    const double share = (double)mixture->kind[i].nmol / mixture->nmol;
    loss->freedom += share * (mixture->kind[i].natom > 1 ? 6.0 : 3.0);
    for (int j = 0; j < mixture->nblock; j++)
      for (int k = 0; k < SAMPLES; k++) {
        const double weight = share * mixture->kind[j].nmol / mixture->nmol / SAMPLES;
        const Pose a = pose(&mixture->kind[i], shape->block[i].kind, &s),
                   b = pose(&mixture->kind[j], shape->block[j].kind, &s);
        double v[3];
        for (int t = 0; t < 3; t++)
          v[t] = energy(o, &a, &b, mixture->lj[i][j], o->cutoff + (t - 1) * step);
        loss->slope += weight * fabs(v[2] - v[0]) / (2.0 * step);
        loss->curvature += weight * fabs(v[2] - 2.0 * v[1] + v[0]) / (step * step);
      }
  }
}
