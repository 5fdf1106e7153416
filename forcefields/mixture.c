#include "forcefields/mixture.h"

/* The kind's centre of mass is at the origin. */
static void fill_kind(MixtureKind *k, const Kind *kind)
{
  double x[3 * SITE_MAP_SITES];
  site_map_sites(&k->map, kind->reference, x);
  for (int s = 0; s < k->map.nsite; s++) {
    double dot = 0.0;
    for (int d = 0; d < 3; d++)
      dot -= x[d] * (x[3 * s + d] - x[d]);
    k->mass[s] = s < k->map.natom ? kind->mass[s] : 0.0;
    k->arm[s] = s > 0 ? dot / k->map.bond[s] : 0.0;
  }
}

static Status check(const MixtureComponent *part, const State *shape, Error *error)
{
  if (shape->width != 1)
    return error_set(error, STATUS_INPUT, "forces of a periodic box want one replica, not %d", shape->width);
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind;
    const int natom = part[b].water != NULL ? 3 : 1;
    if ((part[b].water == NULL) == (part[b].species == NULL) || kind->dim != 3 || kind->nsite != natom)
      return error_set(error, STATUS_INPUT,
                       "kind %d (%s) of the box is neither a water nor of the one atom of a species", b + 1,
                       kind->name);
  }
  return STATUS_OK;
}

Status mixture_make(Mixture *mixture, const MixtureComponent *part, const State *shape, Error *error)
{
  TRY(check(part, shape, error));
  *mixture = (Mixture){.nblock = shape->nblock};
  for (int b = 0; b < shape->nblock; b++) {
    MixtureKind *k = &mixture->kind[b];
    k->part = part[b];
    k->nmol = shape->block[b].nlane;
    k->map = part[b].water != NULL ? water_site_map(part[b].water) : species_site_map(part[b].species);
    fill_kind(k, shape->block[b].kind);
    mixture->first[b] = mixture->nmol;
    mixture->nmol += k->nmol;
    mixture->first[b + 1] = mixture->nmol;
  }
  for (int a = 0; a < shape->nblock; a++)
    for (int b = 0; b < shape->nblock; b++)
      species_mix(&mixture->kind[a].map, &mixture->kind[b].map, mixture->lj[a][b]);
  return STATUS_OK;
}
