#include "forcefields/atoms_input.h"

#include <limits.h>

static void fill_sort(const Molecule *of, int nmol, int first, int *type, double *charge, int (*excluded)[2])
{
  const int n = of->nexclusion;
  for (int m = 0; m < nmol; m++, first += of->natom) {
    for (int i = 0; i < of->natom; i++) {
      type[first + i] = of->atom[i].type;
      charge[first + i] = of->atom[i].charge;
    }
    for (int k = 0; k < 2 * n; k++)
      excluded[m * n + k / 2][k % 2] = first + of->exclusion[k / 2].atom[k % 2];
  }
}

/* Whether a row of the file's system is the water of a model, which has no exclusions or virtual sites of its
 * own here. */
static bool is_water(const WaterMolecule *water, const Molecules *molecules, int row)
{
  return water != NULL && molecules->count[row].molecule == water->molecule;
}

Status atoms_input(AtomsInput *input, Groups *groups, const Topology *topology, const WaterMolecule *water,
                   Arena *arena, Error *error)
{
  const Molecules *const molecules = groups->molecules;
  const size_t natom = groups_file_atoms(groups);
  int64_t pairs = 0;
  TRY(groups_see_sites(groups, water != NULL ? water->molecule : -1, error));
  for (int k = 0; k < molecules->ncount; k++)
    if (!is_water(water, molecules, k))
      pairs += (int64_t)molecules->molecule[molecules->count[k].molecule].nexclusion * molecules->count[k].n;
  if (pairs > INT_MAX)
    return error_memory(error, "so many excluded pairs");
  int *type = arena_take(arena, natom, sizeof *type);
  double *charge = arena_take(arena, natom, sizeof *charge);
  int(*excluded)[2] = arena_take(arena, (size_t)pairs + 1, sizeof *excluded);
  TRY(arena_check(arena, "the atoms of molecules", error));
  *input = (AtomsInput){.topology = groups->whole != NULL ? groups->whole : topology,
                        .water = water != NULL ? water->block : -1,
                        .water_type = water != NULL ? water->type : 0,
                        .ntype = molecules->ntype,
                        .lj = (const double(*)[2])molecules->dispersion,
                        .type = type,
                        .charge = charge,
                        .nexcluded = (int)pairs,
                        .excluded = (const int(*)[2])excluded,
                        .sites = groups->sites};
  for (int k = 0, first = 0; k < molecules->ncount; k++) {
    const GroupsMolecule *const of = &groups->molecule[molecules->count[k].molecule];
    const int nmol = molecules->count[k].n;
    if (is_water(water, molecules, k)) {
      first += of->natom * nmol;
      continue;
    }
    fill_sort(of->molecule, nmol, first, type, charge, excluded);
    first += of->molecule->natom * nmol;
    excluded += (ptrdiff_t)of->molecule->nexclusion * nmol;
  }
  return STATUS_OK;
}
