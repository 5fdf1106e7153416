#include "topology/hydrogen_mass.h"

#include <string.h>

#include "base/scoped.h"
#include "topology/groups.h"

/* partner: of an atom that is no hydrogen, or of a hydrogen without one. */
enum { NOT_BONDED = -1 };

static const double light_mass = 2.0; /* g/mol */

static bool is_hydrogen(const MoleculesAtom *atom)
{
  return atom->mass > 0.0 && strcmp(groups_symbol(atom), "H") == 0;
}

/* Whether the atoms with mass are one oxygen and two hydrogens. */
static bool is_water(const Molecule *m)
{
  int atoms = 0, hydrogens = 0, oxygens = 0;
  for (int i = 0; i < m->natom; i++) {
    atoms += m->atom[i].mass > 0.0;
    hydrogens += is_hydrogen(&m->atom[i]);
    oxygens += m->atom[i].mass > 0.0 && strcmp(groups_symbol(&m->atom[i]), "O") == 0;
  }
  return atoms == 3 && hydrogens == 2 && oxygens == 1;
}

/* Finds partner[natom]: the atom with mass, no hydrogen, that each hydrogen is bonded to. */
static Status find_partners(const Molecule *m, int *partner, Error *error)
{
  for (int i = 0; i < m->natom; i++)
    partner[i] = NOT_BONDED;
  for (int b = 0; b < m->nbond; b++)
    for (int k = 0; k < 2; k++) {
      const int h = m->bond[b].atom[k], other = m->bond[b].atom[1 - k];
      if (!is_hydrogen(&m->atom[h]) || is_hydrogen(&m->atom[other]) || m->atom[other].mass == 0.0)
        continue;
      if (partner[h] != NOT_BONDED)
        return error_set(error, STATUS_INPUT,
                         "molecule %s: hydrogen %s (%d) is bonded to both %s (%d) and %s (%d), so its mass "
                         "cannot be taken from one atom",
                         m->name, m->atom[h].name, h + 1, m->atom[partner[h]].name, partner[h] + 1,
                         m->atom[other].name, other + 1);
      partner[h] = other;
    }
  return STATUS_OK;
}

static int64_t copies_of(const Molecules *all, const Molecule *m)
{
  int64_t n = 0;
  for (int k = 0; k < all->ncount; k++)
    n += all->count[k].molecule == (int)(m - all->molecule) ? all->count[k].n : 0;
  return n;
}

static void count_one(const Molecules *all, const Molecule *m, bool kept, const int *partner,
                      HydrogenCount *count)
{
  const int64_t copies = copies_of(all, m);
  for (int i = 0; i < m->natom; i++) {
    if (!is_hydrogen(&m->atom[i]))
      continue;
    const bool bonded = !kept && partner[i] != NOT_BONDED;
    *(kept ? &count->water : bonded ? &count->bonded : &count->lone) += copies;
    count->light += bonded && m->atom[i].mass < light_mass ? copies : 0;
  }
}

/* Moves mass along the bonds of hydrogens. */
static Status move_mass(const Molecule *m, double mass, const int *partner, Error *error)
{
  for (int i = 0; i < m->natom; i++)
    if (m->atom[i].mass > 0.0)
      m->atom[i].element = groups_symbol(&m->atom[i]);
  for (int i = 0; i < m->natom; i++) {
    if (partner[i] == NOT_BONDED)
      continue;
    m->atom[partner[i]].mass -= mass - m->atom[i].mass;
    m->atom[i].mass = mass;
  }
  for (int i = 0; i < m->natom; i++) {
    const MoleculesAtom *atom = partner[i] != NOT_BONDED ? &m->atom[partner[i]] : NULL;
    if (atom != NULL && !(atom->mass >= mass))
      return error_set(error, STATUS_INPUT,
                       "molecule %s: %s (%d) would keep %.4g g/mol, less than each of its hydrogens; wanted: "
                       "a smaller mass of hydrogens, such as 3 g/mol",
                       m->name, atom->name, partner[i] + 1, atom->mass);
  }
  return STATUS_OK;
}

/* mass 0: only counts. */
static Status visit_all(const Molecules *all, double mass, bool water, HydrogenCount *count, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  *count = (HydrogenCount){0};
  for (const Molecule *m = all->molecule; m < all->molecule + all->nmolecule; m++) {
    if (copies_of(all, m) == 0)
      continue;
    int *partner = arena_take(&arena, (size_t)m->natom + 1, sizeof *partner);
    TRY(arena_check(&arena, "hydrogens", error));
    TRY(find_partners(m, partner, error));
    const bool kept = !water && is_water(m);
    count_one(all, m, kept, partner, count);
    if (mass > 0.0 && !kept)
      TRY(move_mass(m, mass, partner, error));
  }
  return STATUS_OK;
}

Status hydrogen_mass_count(const Molecules *all, bool water, HydrogenCount *count, Error *error)
{
  return visit_all(all, 0.0, water, count, error);
}

Status hydrogen_mass_set(const Molecules *all, double mass, bool water, HydrogenCount *count, Error *error)
{
  TRY(visit_all(all, mass, water, count, error));
  if (count->bonded > 0)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   count->water > 0
                       ? "the only hydrogens are those of waters, which keep their masses unless "
                         "hydrogen_mass_water is true"
                       : "no hydrogen of the system is bonded to another atom");
}
