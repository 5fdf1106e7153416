/* What a pair of molecules loses that comes inside the cutoff without its force: means over the kinds of a
 * box and over orientations. */
#include <math.h>

#include "engine/place.h"
#include "engine/units.h"
#include "forcefields/periodic_private.h"

enum { SAMPLES = 200 };
typedef struct Pose {
  const SiteMap *map;
  double x[3 * SITE_MAP_SITES];
} Pose;

/* A molecule turned at random, its sites relative to the first. */
static Pose pose(const SiteMap *map, const Kind *shape, RandomStream *s)
{
  static const double centre[3] = {0.0, 0.0, 0.0};
  Pose p = {.map = map};
  double atom[3 * SITE_MAP_ATOMS];
  place_molecule(shape, s, centre, atom);
  for (int k = 3; k < 3 * map->natom; k++)
    p.x[k] = atom[k] - atom[k % 3];
  site_map_place_double(map, map->nsite, map->planar, p.x);
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
  for (int i = 0; i < a->map->nsite; i++)
    for (int j = 0; j < b->map->nsite; j++) {
      const double qq = a->map->charge[i] * b->map->charge[j];
      if (qq == 0.0)
        continue;
      double r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        const double r = b->x[3 * j + d] - a->x[3 * i + d] + (d == 2 ? distance : 0.0);
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
    loss->freedom += share * (mixture->kind[i].map.natom > 1 ? 6.0 : 3.0);
    for (int j = 0; j < mixture->nblock; j++)
      for (int k = 0; k < SAMPLES; k++) {
        const double weight = share * mixture->kind[j].nmol / mixture->nmol / SAMPLES;
        const Pose a = pose(&mixture->kind[i].map, shape->block[i].kind, &s),
                   b = pose(&mixture->kind[j].map, shape->block[j].kind, &s);
        const double *lj = mixture->lj[i][j];
        const double at = energy(o, &a, &b, lj, o->cutoff);
        for (int t = 1; t < LIST_LOSSES; t++)
          loss->lost[t] += weight * fabs(energy(o, &a, &b, lj, o->cutoff - loss->depth[t]) - at);
      }
  }
}
