#include "forcefields/coordinate_lanes.h"

/* Finds the atoms of an input in the order of its sites, or of its coordinates' ones; returns the end. */
static CoordinateSpot *find_spots(const CoordinateInput *input, const Topology *topology, const State *shape,
                                  CoordinateSpot *spot)
{
  for (int i = 0; i < coordinate_types[input->form].lists; i++)
    for (int a = 0; a < input->natom[i]; a++) {
      spot->spot = restraint_spot(topology, shape->width, input->atom[i][a], 0);
      spot->step = 3 * (size_t)shape->block[spot->spot.block].kind->nsite;
      spot++;
    }
  for (int i = 0; i < input->nchild; i++)
    spot = find_spots(&input->child[i], topology, shape, spot);
  return spot;
}

Status coordinate_lanes_create(CoordinateLanes *lanes, const CoordinateInput *input, const Topology *topology,
                               const State *shape, Arena *arena, Error *error)
{
  TRY(coordinate_sites_create(&lanes->sites, input, topology, arena, error));
  CoordinateSpot *spot = arena_take(arena, (size_t)lanes->sites.natom, sizeof *spot);
  TRY(arena_check(arena, "a coordinate", error));
  lanes->spot = spot;
  (void)find_spots(input, topology, shape, spot);
  return STATUS_OK;
}

int coordinate_lanes_slots(const State *state) { return state->width > LANES ? state->width / LANES : 1; }

int coordinate_lanes_used(const State *state, int slot)
{
  const int left = state->used - slot * LANES;
  return left < LANES ? left : LANES;
}

void coordinate_lanes_read(const CoordinateLanes *lanes, const State *state, int slot, CoordinateReading *r,
                           bool slopes)
{
  for (int i = 0; i < lanes->sites.natom; i++) {
    const CoordinateSpot *at = &lanes->spot[i];
    const Vec8 *q = state->block[at->spot.block].q + at->spot.at + (size_t)slot * at->step;
    for (int d = 0; d < 3; d++)
      r->x[3 * i + d] = state->width == 1 ? vec8_set(q[d][at->spot.lane]) : q[d];
  }
  r->lanes = coordinate_lanes_used(state, slot);
  coordinate_sites_read(&lanes->sites, &state->box, r, slopes);
}

void coordinate_lanes_pull(const CoordinateLanes *lanes, const State *state, int slot,
                           const CoordinateReading *r, Vec8 pull, double (*virial)[3])
{
  const CoordinateSites *c = &lanes->sites;
  for (int i = 0, at = 0; i < c->nsite; i++)
    for (int a = 0; a < c->natoms[i]; a++, at++) {
      const CoordinateSpot *spot = &lanes->spot[at];
      Vec8 *to = state->block[spot->spot.block].f + spot->spot.at + (size_t)slot * spot->step;
      for (int d = 0; d < 3; d++)
        if (state->width == 1)
          to[d][spot->spot.lane] += (r->by[3 * i + d] * (c->share[at] * pull))[0];
        else
          to[d] += r->by[3 * i + d] * (c->share[at] * pull);
    }
  if (virial != NULL && state->width == 1)
    coordinate_sites_strain(c, r, pull[0], virial);
}
