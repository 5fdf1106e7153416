#include "simulation/molecules/frictions.h"

#include <math.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "simulation/molecules/system_frames.h"
#include "topology/select.h"

static const ConfigFriction *row_of(const Simulation *s, int i)
{
  return (const ConfigFriction *)s->config->thermostat.frictions.item + i;
}

int frictions_rows(const Simulation *s) { return s->config->thermostat.frictions.n; }

/* --- atoms ------- */

/* Marks the atoms of one molecule type that row i selects; adds their number to *n. */
static Status mark_molecule(const Simulation *s, const Molecule *m, int i, int *n, bool *sites, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const InputStrings *text = &row_of(s, i)->atoms;
  const size_t natom = (size_t)m->natom;
  LabelsSort labels;
  int *atom = arena_take(&arena, natom, sizeof *atom);
  bool *chosen = arena_take(&arena, natom, sizeof *chosen);
  TRY(arena_check(&arena, "frictions", error));
  TRY(labels_molecule(system_molecules(s)->molecules, m, &labels, atom, &arena, error));
  TRY(system_frames_names(s, &labels, &arena, error));
  for (int k = 0; k < text->n; k++) {
    int found = 0;
    TRY(select_in_molecule(&labels, text->value[k], chosen, &found, error));
    *n += found;
    *sites = *sites || (found == 0 && select_sites(1, &labels, text->value[k]));
    for (int a = 0; a < labels.natom; a++)
      if (chosen[a])
        m->atom[atom[a]].friction = i + 1;
  }
  return STATUS_OK;
}

static bool is_in_system(const Molecules *all, const Molecule *m)
{
  for (int k = 0; k < all->ncount; k++)
    if (all->count[k].n > 0 && all->molecule + all->count[k].molecule == m)
      return true;
  return false;
}

Status frictions_mark(const Simulation *s, Error *error)
{
  const Molecules *all = system_molecules(s)->molecules;
  for (int i = 0; i < frictions_rows(s); i++) {
    const InputKey key = input_record(KEY(thermostat_frictions), i, "atoms");
    int n = 0;
    bool sites = false;
    for (const Molecule *m = all->molecule; m < all->molecule + all->nmolecule; m++) {
      Error why;
      if (is_in_system(all, m))
        TRY(input_pass(s->config->input, key, mark_molecule(s, m, i, &n, &sites, &why), &why, error));
    }
    if (n == 0)
      return input_error(s->config->input, key, error,
                         sites ? "selects only virtual sites, which have no momenta; wanted: atoms"
                               : "selects no atom of %s",
                         system_molecules(s)->source);
  }
  return STATUS_OK;
}

/* --- kinds ------- */

/* The row of each kind, from 1; 0: none. */
static int row_of_kind(const Groups *groups, int kind)
{
  for (int m = 0; m < groups->molecules->nmolecule; m++) {
    const GroupsMolecule *of = &groups->molecule[m];
    for (int i = 0; of->ngroup > 0 && i < of->molecule->natom; i++)
      if (of->molecule->atom[i].mass > 0.0 && of->block[of->group[i]] == kind)
        return of->molecule->atom[i].friction;
  }
  return 0;
}

Status frictions_of_kinds(Simulation *s, Error *error)
{
  if (frictions_rows(s) == 0)
    return STATUS_OK;
  s->friction = arena_take(&s->arena, (size_t)s->nkind, sizeof *s->friction);
  TRY(arena_check(&s->arena, "frictions", error));
  for (int k = 0; k < s->nkind; k++) {
    const int row = row_of_kind(system_molecules(s)->groups, k);
    s->friction[k] = row > 0 ? row_of(s, row - 1)->friction : NAN;
  }
  return STATUS_OK;
}

/* --- words ------- */

void frictions_words(const Simulation *s, int i, char *words, size_t size)
{
  const double gamma = row_of(s, i)->friction, per_ps = 1000.0 / UNITS_AKMA_FS;
  long long atoms = 0, groups = 0;
  for (int k = 0; k < s->nkind; k++)
    if (row_of_kind(system_molecules(s)->groups, k) == i + 1) {
      atoms += (long long)s->lanes[k] * s->kind[k]->nsite;
      groups += s->lanes[k];
    }
  text_append(words, size, "friction %d: %lld atom%s in %lld group%s, ", i + 1, atoms, atoms == 1 ? "" : "s",
              groups, groups == 1 ? "" : "s");
  if (s->config->thermostat.convention == FRICTION_UNIFORM)
    text_append(words, size, "%.6g g/mol/AKMA", gamma);
  else
    text_append(words, size, "%.6g/ps", gamma * per_ps);
}
