/* Divides molecule types such that all molecules of a type have the same frozen atoms. */
#include <string.h>

#include "topology/molecules.h"

bool molecules_freeze_whole(const Molecule *m)
{
  if (m->frozen == NULL)
    return false;
  for (int i = 0; i < m->natom; i++)
    if (m->atom[i].mass > 0.0 && !m->frozen[i])
      return false;
  return true;
}

/* The new types and rows. */
typedef struct Divided {
  Arena *arena;
  int nmolecule, capacity, ncount;
  Molecule *molecule; /* [capacity] */
  int *like;          /* [capacity] */
  MoleculesCount *count;
} Divided;

/* Makes space for one more type. */
static Status grow(Divided *to, int capacity, Error *error)
{
  if (to->nmolecule < to->capacity)
    return STATUS_OK;
  Molecule *molecule = arena_take(to->arena, (size_t)capacity, sizeof *molecule);
  int *like = arena_take(to->arena, (size_t)capacity, sizeof *like);
  TRY(arena_check(to->arena, "frozen molecules", error));
  if (to->nmolecule > 0) {
    memcpy(molecule, to->molecule, (size_t)to->nmolecule * sizeof *molecule);
    memcpy(like, to->like, (size_t)to->nmolecule * sizeof *like);
  }
  to->molecule = molecule;
  to->like = like;
  to->capacity = capacity;
  return STATUS_OK;
}

static bool any_of(const bool *frozen, int n)
{
  bool any = false;
  for (int i = 0; i < n; i++)
    any = any || frozen[i];
  return any;
}

/* Finds or adds type m with these frozen atoms. *type is at first that of the molecule before, which is tried
 * first: neighbours are mostly alike. */
static Status find_type(Divided *to, int m, const bool *frozen, int *type, Error *error)
{
  const size_t natom = (size_t)to->molecule[m].natom;
  const int last = *type;
  *type = m;
  if (!any_of(frozen, (int)natom))
    return STATUS_OK;
  for (int k = -1; k < to->nmolecule; k++) {
    *type = k < 0 ? last : k;
    if (to->like[*type] == m && to->molecule[*type].frozen != NULL &&
        memcmp(to->molecule[*type].frozen, frozen, natom * sizeof *frozen) == 0)
      return STATUS_OK;
  }
  TRY(grow(to, 2 * to->capacity, error));
  *type = to->nmolecule++;
  to->molecule[*type] = to->molecule[m];
  to->molecule[*type].frozen = frozen;
  to->like[*type] = m;
  return STATUS_OK;
}

static Status divide_row(Divided *to, const MoleculesCount *row, const bool *frozen, Error *error)
{
  const int natom = to->molecule[row->molecule].natom;
  for (int n = 0, type = row->molecule; n < row->n; n++, frozen += natom) {
    const int last = type;
    TRY(find_type(to, row->molecule, frozen, &type, error));
    if (n == 0 || type != last)
      to->count[to->ncount++] = (MoleculesCount){type, 0};
    to->count[to->ncount - 1].n++;
  }
  return STATUS_OK;
}

Status molecules_freeze(Molecules *all, const bool *frozen, const int **like, Error *error)
{
  size_t molecules = 0, atoms = 0;
  for (int c = 0; c < all->ncount; c++) {
    molecules += (size_t)all->count[c].n;
    atoms += (size_t)all->count[c].n * (size_t)all->molecule[all->count[c].molecule].natom;
  }
  Divided to = {.arena = &all->arena, .count = arena_take(&all->arena, molecules + 1, sizeof *to.count)};
  bool *kept = arena_take(&all->arena, atoms + 1, sizeof *kept);
  TRY(arena_check(&all->arena, "frozen molecules", error));
  TRY(grow(&to, 2 * all->nmolecule, error));
  memcpy(kept, frozen, atoms * sizeof *kept);
  memcpy(to.molecule, all->molecule, (size_t)all->nmolecule * sizeof *to.molecule);
  for (; to.nmolecule < all->nmolecule; to.nmolecule++)
    to.like[to.nmolecule] = to.nmolecule;
  for (int c = 0; c < all->ncount; c++) {
    TRY(divide_row(&to, &all->count[c], kept, error));
    kept += (size_t)all->count[c].n * (size_t)all->molecule[all->count[c].molecule].natom;
  }
  all->nmolecule = to.nmolecule;
  all->ncount = to.ncount;
  all->molecule = to.molecule;
  all->count = to.count;
  *like = to.like;
  return STATUS_OK;
}
