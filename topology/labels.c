#include "topology/labels.h"

#include <string.h>

static LabelsAtom label_of(const MoleculesAtom *atom, const char *const *type)
{
  return (LabelsAtom){.name = atom->name,
                      .residue = atom->residue,
                      .type = type[atom->type],
                      .element = groups_symbol(atom),
                      .chain = atom->chain,
                      .number = atom->number};
}

static void take_sites(LabelsSort *s, const Molecule *m, const char *const *type)
{
  for (int i = 0; i < m->natom; i++)
    if (m->atom[i].mass == 0.0)
      s->virtual[s->nvirtual++] = label_of(&m->atom[i], type);
}

/* Labels of a molecule of a file: its atoms with mass, and bonds between them. */
static void take_molecule(LabelsSort *s, const GroupsMolecule *of, const char *const *type)
{
  const Molecule *m = of->molecule;
  for (int i = 0; i < s->natom; i++)
    s->atom[i] = label_of(&m->atom[of->file[i]], type);
  take_sites(s, m, type);
  for (int b = 0; b < m->nbond; b++) {
    const int i = of->site[m->bond[b].atom[0]], j = of->site[m->bond[b].atom[1]];
    if (i < of->natom && j < of->natom)
      s->bond[s->nbond++] = (MoleculesPair){{i, j}};
  }
}

static void take_kind(LabelsSort *s, const Kind *kind)
{
  for (int i = 0; i < s->natom; i++)
    s->atom[i] = (LabelsAtom){.name = kind->site[i],
                              .residue = kind->name,
                              .type = kind->site[i],
                              .element = kind->site[i],
                              .chain = "",
                              .number = 1};
}

static bool one_residue(const LabelsSort *s)
{
  for (int i = 1; i < s->natom; i++)
    if (s->atom[i].number != s->atom[0].number)
      return false;
  return true;
}

/* Residue numbers continue from one type to the next. */
static void number_residues(Labels *labels)
{
  int last = 0;
  for (int k = 0; k < labels->nsort; k++) {
    LabelsSort *s = &labels->sort[k];
    if (one_residue(s)) {
      s->residue = last + 1;
      last += s->nmol;
    }
    for (int i = 0; s->residue == 0 && i < s->natom; i++)
      last = s->atom[i].number > last ? s->atom[i].number : last;
  }
}

static Status fill(Labels *labels, const Topology *t, const Groups *groups, Error *error)
{
  labels->nsort = t->nsort;
  labels->sort = arena_take(&labels->arena, (size_t)t->nsort, sizeof *labels->sort);
  TRY(arena_check(&labels->arena, "names of atoms", error));
  for (int k = 0; k < t->nsort; k++) {
    const GroupsMolecule *of =
        groups != NULL ? &groups->molecule[groups->molecules->count[k].molecule] : NULL;
    const Kind *kind = t->sort[k].kind;
    LabelsSort *s = &labels->sort[k];
    *s = (LabelsSort){.name = of != NULL ? of->molecule->name : kind->name,
                      .nmol = t->sort[k].nmol,
                      .natom = kind->nsite,
                      .first = labels->natom};
    labels->natom += s->nmol * s->natom;
    s->atom = arena_take(&labels->arena, (size_t)s->natom, sizeof *s->atom);
    s->bond = arena_take(&labels->arena, of != NULL ? (size_t)of->molecule->nbond : 0, sizeof *s->bond);
    s->virtual = arena_take(&labels->arena, of != NULL ? (size_t)of->molecule->nvirtual : 0,
                            sizeof *s->virtual);
    TRY(arena_check(&labels->arena, "names of atoms", error));
    if (of != NULL)
      take_molecule(s, of, groups->molecules->type);
    else
      take_kind(s, kind);
    if (groups != NULL && groups->molecules->builtin) /* trajectories of built-in molecules have no bonds */
      s->nbond = 0;
  }
  number_residues(labels);
  return STATUS_OK;
}

Status labels_create(Labels *labels, const Topology *topology, const Groups *groups, Error *error)
{
  *labels = (Labels){0};
  TRY_ELSE(fill(labels, topology, groups, error), labels_free(labels));
  return STATUS_OK;
}

Status labels_molecule(const Molecules *all, const Molecule *m, LabelsSort *sort, int *atom, Arena *arena,
                       Error *error)
{
  *sort = (LabelsSort){.name = m->name, .nmol = 1};
  sort->atom = arena_take(arena, (size_t)m->natom, sizeof *sort->atom);
  sort->virtual = arena_take(arena, (size_t)m->nvirtual, sizeof *sort->virtual);
  TRY(arena_check(arena, "names of atoms", error));
  take_sites(sort, m, all->type);
  for (int i = 0; i < m->natom; i++) {
    if (m->atom[i].mass == 0.0)
      continue;
    sort->atom[sort->natom] = label_of(&m->atom[i], all->type);
    atom[sort->natom++] = i;
  }
  return STATUS_OK;
}

void labels_free(Labels *labels)
{
  arena_free(&labels->arena);
  *labels = (Labels){0};
}

bool labels_drawn(const LabelsSort *sort, int b)
{
  const MoleculesPair *pair = &sort->bond[b];
  return sort->natom == 2 || strcmp(sort->atom[pair->atom[0]].element, "H") != 0 ||
         strcmp(sort->atom[pair->atom[1]].element, "H") != 0;
}

int labels_residue(const LabelsSort *sort, int m, int atom)
{
  return sort->residue > 0 ? sort->residue + m : sort->atom[atom].number;
}
