/* What a pair of molecules loses that comes inside the cutoff without its force: means over the kinds of a
 * box and over orientations. */
#include <math.h>

#include "engine/place.h"
#include "engine/units.h"
#include "forcefields/periodic_private.h"

enum { SAMPLES = 200 };
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

/* What is left of the energy at this distance. */
static double switched(const PeriodicOptions *o, double distance)
{
  return ewald_switch(fmin(fmax((distance - (o->cutoff - o->switch_width)) / o->switch_width, 0.0), 1.0));
}

/* Of two molecules whose first sites are `distance` apart along z. */
static double energy(const PeriodicOptions *o, const Pose *a, const Pose *b, const double lj[2],
                     double distance)
{
  const double r6 = pow(distance, 6.0);
  const double share = o->truncation == EWALD_SWITCH ? switched(o, distance) : 1.0;
  double sum = share * (lj[0] / (r6 * r6) - lj[1] / r6), charges = 0.0;
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
      charges += UNITS_COULOMB * qq * coulomb(o, sqrt(r2));
    }
  sum += o->switch_pairs ? share * charges : charges;
  return sum;
}

void periodic_loss(const PeriodicOptions *o, const Mixture *mixture, const State *shape, ListLoss *loss)
{
  RandomStream s = random_stream(1, 0, RANDOM_START);
  *loss = (ListLoss){.density = mixture->nmol / box_volume(&shape->box)};
  list_choose_depths(loss->depth);
  for (int i = 0; i < mixture->nblock; i++) {
    const double share = (double)mixture->kind[i].nmol / mixture->nmol;
    loss->freedom += share * (mixture->kind[i].natom > 1 ? 6.0 : 3.0);
    for (int j = 0; j < mixture->nblock; j++)
      for (int k = 0; k < SAMPLES; k++) {
        const double weight = share * mixture->kind[j].nmol / mixture->nmol / SAMPLES;
        const Pose a = pose(&mixture->kind[i], shape->block[i].kind, &s),
                   b = pose(&mixture->kind[j], shape->block[j].kind, &s);
        const double *lj = mixture->lj[i][j];
        const double at = energy(o, &a, &b, lj, o->cutoff);
        for (int t = 1; t < LIST_LOSSES; t++)
          loss->lost[t] += weight * fabs(energy(o, &a, &b, lj, o->cutoff - loss->depth[t]) - at);
      }
  }
}
