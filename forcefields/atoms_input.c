#include "forcefields/atoms_input.h"

#include <limits.h>

/* Pairs of a molecule that do not see each other, as the topology numbers its atoms; returns how many. */
static int map_pairs(const GroupsMolecule *of, MoleculesPair *pair)
{
  for (int k = 0; k < of->molecule->nexclusion; k++)
    for (int s = 0; s < 2; s++)
      pair[k].atom[s] = of->place[of->molecule->exclusion[k].atom[s]];
  return molecules_sort_pairs(of->molecule->nexclusion, pair);
}

static Status fill_sort(const GroupsMolecule *of, const TopologySort *sort, int first, int *type,
                        double *charge, int (*excluded)[2], Error *error)
{
  SCOPED(room_free) Room room = {0};
  MoleculesPair *pair = room_take(&room, (size_t)of->molecule->nexclusion + 1, sizeof *pair);
  TRY(room_check(&room, "the atoms of molecules", error));
  const int n = map_pairs(of, pair);
  for (int m = 0; m < sort->nmol; m++, first += of->natom) {
    for (int i = 0; i < of->natom; i++) {
      const MoleculesAtom *const atom = &of->molecule->atom[of->atom[i]];
      type[first + i] = atom->type;
      charge[first + i] = atom->charge;
    }
    for (int k = 0; k < 2 * n; k++)
      excluded[m * n + k / 2][k % 2] = first + pair[k / 2].atom[k % 2];
  }
  return STATUS_OK;
}

/* Whether a sort of the topology is the water of a model, which has no exclusions of its own. */
static bool is_water(const WaterMolecule *water, const Molecules *molecules, int sort)
{
  return water != NULL && molecules->count[sort].molecule == water->molecule;
}

Status atoms_input(AtomsInput *input, const Groups *groups, const Topology *topology,
                   const WaterMolecule *water, Room *room, Error *error)
{
  const Molecules *const molecules = groups->molecules;
  int64_t pairs = 0;
  for (int k = 0; k < topology->nsort; k++) {
    const Molecule *const molecule = &molecules->molecule[molecules->count[k].molecule];
    if (is_water(water, molecules, k))
      continue;
    if (molecule->nvirtual > 0)
      return error_set(
          error, STATUS_INPUT,
          "molecule %s has %d virtual sites, the first of them %s: forces between such sites are not there "
          "yet; a model whose charges are on atoms is wanted",
          molecule->name, molecule->nvirtual, molecule->atom[molecule->site[0].site].name);
    pairs += (int64_t)molecule->nexclusion * topology->sort[k].nmol;
  }
  if (pairs > INT_MAX)
    return error_memory(error, "so many excluded pairs");
  int *type = room_take(room, (size_t)topology->natom, sizeof *type);
  double *charge = room_take(room, (size_t)topology->natom, sizeof *charge);
  int(*excluded)[2] = room_take(room, (size_t)pairs + 1, sizeof *excluded);
  TRY(room_check(room, "the atoms of molecules", error));
  *input = (AtomsInput){.topology = topology,
                        .water = water != NULL ? water->block : -1,
                        .water_type = water != NULL ? water->type : 0,
                        .ntype = molecules->ntype,
                        .lj = (const double(*)[2])molecules->dispersion,
                        .type = type,
                        .charge = charge,
                        .nexcluded = (int)pairs,
                        .excluded = (const int(*)[2])excluded};
  for (int k = 0, first = 0; k < topology->nsort; k++) {
    const GroupsMolecule *const of = &groups->molecule[molecules->count[k].molecule];
    const bool own = !is_water(water, molecules, k);
    TRY(own ? fill_sort(of, &topology->sort[k], first, type, charge, excluded, error) : STATUS_OK);
    first += of->natom * topology->sort[k].nmol;
    if (own)
      excluded += (ptrdiff_t)of->molecule->nexclusion * topology->sort[k].nmol;
  }
  return STATUS_OK;
}
