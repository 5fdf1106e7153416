#include "topology/groups.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology/groups_private.h"

const char *const groups_keep_names[] = {"none", "h-bonds", "all-bonds", "h-angles", "all-angles", NULL};

/* Whether an atom's name begins with H or D. */
static bool called_hydrogen(const MoleculesAtom *atom)
{
  const char *name = atom->name;
  while (isdigit((unsigned char)*name))
    name++;
  return *name == 'H' || *name == 'h' || *name == 'D';
}

bool groups_hydrogen(const MoleculesAtom *atom)
{
  if (atom->element != NULL)
    return strcmp(atom->element, "H") == 0;
  return atom->mass > 0.0 && (atom->mass < 1.5 || (called_hydrogen(atom) && atom->mass < 4.5));
}

/* --- kinds ------------------------------------------------------------------------------------------------
 */

static const struct {
  const char *symbol;
  double mass;
} elements[] = {{"He", 4.0026}, {"Li", 6.94},    {"B", 10.81},   {"C", 12.011},  {"N", 14.007},
                {"O", 15.999},  {"F", 18.998},   {"Ne", 20.18},  {"Na", 22.99},  {"Mg", 24.305},
                {"Al", 26.982}, {"Si", 28.085},  {"P", 30.974},  {"S", 32.06},   {"Cl", 35.45},
                {"K", 39.098},  {"Ar", 39.948},  {"Ca", 40.078}, {"Fe", 55.845}, {"Cu", 63.546},
                {"Zn", 65.38},  {"Se", 78.971},  {"Br", 79.904}, {"Kr", 83.798}, {"Rb", 85.468},
                {"I", 126.904}, {"Xe", 131.293}, {"Cs", 132.905}};

const char *groups_symbol(const MoleculesAtom *atom)
{
  if (atom->element != NULL)
    return atom->element;
  /* A light bead of a model is a hydrogen only by its name or mass. */
  if (groups_hydrogen(atom) && (called_hydrogen(atom) || fabs(atom->mass - 1.008) < 0.005))
    return "H";
  size_t best = 0;
  for (size_t e = 1; e < sizeof elements / sizeof *elements; e++)
    if (fabs(elements[e].mass - atom->mass) < fabs(elements[best].mass - atom->mass))
      best = e;
  return fabs(elements[best].mass - atom->mass) < 0.3 ? elements[best].symbol : atom->name;
}

/* --- the groups of a molecule -----------------------------------------------------------------------------
 */

/* Data shared by all molecules. */
typedef struct Making {
  Groups *groups;
  GroupsShape *shape; /* [groups->nkind] */
  int capacity;
  GroupsHeld *held; /* NULL: all constraints are exact */
  Arena kept;       /* shapes */
} Making;

/* An atom's sort key: heavy atoms first, equal ones in the order of the file. */
typedef struct ByMass {
  double mass;
  int atom;
} ByMass;

/* Data of one molecule. */
typedef struct Parting {
  const Molecule *molecule;
  GroupsMolecule *to;
  int nwanted, npart;
  GroupsWanted *wanted; /* between atoms, then sorted by part */
  int *root, *part;     /* [natom] first atom of each atom's group; number of the group, by first atoms */
  int *begin, *member;  /* atoms of group p: member[begin[p]] to member[begin[p + 1] - 1] */
  int *first;           /* [npart + 1] likewise for `wanted` */
  ByMass *by_mass;      /* [natom] scratch */
} Parting;

static int root_of(int *root, int i)
{
  while (root[i] != i)
    i = root[i] = root[root[i]];
  return i;
}

/* Numbers connected sets of atoms by their first atoms. */
static void connect(Parting *p)
{
  const Molecule *m = p->molecule;
  for (int i = 0; i < m->natom; i++)
    p->root[i] = i;
  for (int c = 0; c < p->nwanted; c++) {
    const int a = root_of(p->root, p->wanted[c].distance.site[0]),
              b = root_of(p->root, p->wanted[c].distance.site[1]);
    p->root[a < b ? b : a] = a < b ? a : b;
  }
  for (int i = 0; i < m->natom; i++) {
    const int root = root_of(p->root, i);
    p->part[i] = m->atom[i].mass == 0.0 ? -1 : root == i ? p->npart++ : p->part[root];
  }
}

/* Lists the members of each group and its distances, in order. */
static void sort_parts(Parting *p, GroupsWanted *sorted, int *next)
{
  for (int i = 0; i < p->molecule->natom; i++)
    if (p->part[i] >= 0)
      p->begin[p->part[i] + 1]++;
  for (int c = 0; c < p->nwanted; c++)
    p->first[p->part[p->wanted[c].distance.site[0]] + 1]++;
  for (int g = 0; g < p->npart; g++) {
    p->begin[g + 1] += p->begin[g];
    p->first[g + 1] += p->first[g];
  }
  memcpy(next, p->begin, (size_t)p->npart * sizeof *next);
  for (int i = 0; i < p->molecule->natom; i++)
    if (p->part[i] >= 0)
      p->member[next[p->part[i]]++] = i;
  memcpy(next, p->first, (size_t)p->npart * sizeof *next);
  for (int c = 0; c < p->nwanted; c++)
    sorted[next[p->part[p->wanted[c].distance.site[0]]]++] = p->wanted[c];
  p->wanted = sorted;
}

static int compare_wanted(const void *one, const void *other)
{
  const GroupsWanted *a = one, *b = other;
  const int *i = a->distance.site, *j = b->distance.site;
  const int soft = !isinf(a->w) - !isinf(b->w), by = (a->by > b->by) - (a->by < b->by),
            low = (i[0] > j[0]) - (i[0] < j[0]), high = (i[1] > j[1]) - (i[1] < j[1]),
            length = (a->distance.length > b->distance.length) - (a->distance.length < b->distance.length);
  return soft != 0 ? soft : by != 0 ? by : low != 0 ? low : high != 0 ? high : length;
}

/* One friction for a whole group keeps O exact on the constraints. */
static Status cut_group(const Molecule *m, int natom, int one, int other, Error *error)
{
  return error_option(
      error, "friction",
      error_set(error, STATUS_INPUT,
                "molecule %s: atoms %d and %d, %s and %s, have different frictions, but constraints or "
                "penalties tie "
                "them to one group of %d atoms, which has one friction: select all of them, or none",
                m->name, one + 1, other + 1, m->atom[one].name, m->atom[other].name, natom));
}

static bool is_frozen(const Molecule *m, int atom) { return m->frozen != NULL && m->frozen[atom]; }

/* Constraints and penalties need either all atoms of a group frozen or none. */
static Status check_frozen(const GroupsPart *part, Error *error)
{
  const Molecule *m = part->molecule;
  for (int c = 0; c < part->n; c++) {
    const int *const of = part->wanted[c].distance.site, a = part->atom[of[0]], b = part->atom[of[1]];
    const bool first = is_frozen(m, a);
    const int stays = first ? a : b, moves = first ? b : a;
    if (first != is_frozen(m, b))
      return error_set(
          error, STATUS_INPUT,
          "molecule %s: atom %d, %s, is frozen and atom %d, %s, is not, but a constraint or penalty "
          "ties them: freeze both or neither, or leave their distance free",
          m->name, stays + 1, m->atom[stays].name, moves + 1, m->atom[moves].name);
  }
  return STATUS_OK;
}

static int compare_masses(const void *one, const void *other)
{
  const ByMass *a = one, *b = other;
  return a->mass != b->mass ? (a->mass < b->mass) - (a->mass > b->mass)
                            : (a->atom > b->atom) - (a->atom < b->atom);
}

static void sort_by_mass(ByMass *key, const Molecule *m, int n, const int *member, int *atom)
{
  for (int s = 0; s < n; s++)
    key[s] = (ByMass){m->atom[member[s]].mass, member[s]};
  qsort(key, (size_t)n, sizeof *key, compare_masses);
  for (int s = 0; s < n; s++)
    atom[s] = key[s].atom;
}

/* Fills group g: atoms by mass (equal masses in the order of the file), and their distances. site[natom]
 * receives the site of each atom. */
static Status take_part(const Parting *p, int g, const double (*x)[3], int *site, GroupsPart *part,
                        Error *error)
{
  const Molecule *m = p->molecule;
  const int *member = p->member + p->begin[g];
  part->nsite = p->begin[g + 1] - p->begin[g];
  sort_by_mass(p->by_mass, m, part->nsite, member, part->atom);
  for (int s = 0; s < part->nsite; s++) {
    const int i = part->atom[s];
    site[i] = s;
    part->mass[s] = m->atom[i].mass;
    memcpy(part->x[s], x[i], sizeof part->x[s]);
    if (!isfinite(x[i][0] + x[i][1] + x[i][2]))
      return error_set(error, STATUS_INPUT, "molecule %s: atom %d, %s, has no finite coordinates", m->name,
                       i + 1, m->atom[i].name);
  }
  part->friction = m->atom[member[0]].friction;
  for (int s = 0; s < part->nsite; s++)
    if (m->atom[member[s]].friction != part->friction)
      return cut_group(m, part->nsite, member[0], member[s], error);
  part->molecule = m;
  part->n = p->first[g + 1] - p->first[g];
  part->wanted = p->wanted + p->first[g];
  for (int c = 0; c < part->n; c++) {
    int *const of = part->wanted[c].distance.site, i = site[of[0]], j = site[of[1]];
    of[0] = i < j ? i : j;
    of[1] = i < j ? j : i;
  }
  if (part->n > 1)
    qsort(part->wanted, (size_t)part->n, sizeof *part->wanted, compare_wanted);
  part->frozen = is_frozen(m, part->atom[0]);
  return check_frozen(part, error);
}

static Status add_kind(Making *making, GroupsPart *part, Error *error)
{
  Groups *g = making->groups;
  if (g->nkind == making->capacity) {
    const int capacity = 2 * making->capacity + 8;
    GroupsShape *shape = realloc(making->shape, (size_t)capacity * sizeof *shape);
    making->shape = shape != NULL ? shape : making->shape;
    Kind **kind = realloc(g->kind, (size_t)capacity * sizeof(Kind *));
    g->kind = kind != NULL ? kind : g->kind;
    TRY_MEMORY(shape != NULL && kind != NULL, "kinds of groups", error);
    making->capacity = capacity;
  }
  GroupsShape *shape = &making->shape[g->nkind];
  const size_t bytes = (size_t)part->nsite * sizeof *part->x;
  memcpy(part->given, part->x, bytes);
  TRY(groups_shape_find(part, &making->kept, shape, error));
  if (g->molecules->builtin) /* the reference satisfies its constraints: its bits must not change */
    memcpy(part->x, part->given, bytes);
  TRY(groups_kind_make(part, shape, making->held != NULL, g->molecules->builtin, &g->kind[g->nkind], error));
  shape->kind = g->nkind++;
  return STATUS_OK;
}

/* Finds or creates the kind of a part, whose sites then satisfy the constraints. */
static Status kind_of(Making *making, GroupsPart *part, int *kind, Error *error)
{
  for (*kind = 0; *kind < making->groups->nkind; (*kind)++)
    if (groups_shape_same(part, &making->shape[*kind]))
      return groups_shape_move(part, &making->shape[*kind], error);
  return add_kind(making, part, error);
}

#define UNTOLD 1e-6 /* relative: smaller differences of distances in a line are not reported */

/* Lists lines and distances that are not constraints. Adds to held[*nheld] the pairs with a fixed distance
 * (fates up to DISTANCE_STRAIGHT). */
static void list_distances(const GroupsPart *part, const GroupsShape *shape, GroupsMolecule *to,
                           MoleculesPair *held, int *nheld)
{
  for (int c = 0; c < shape->ncon; c++) {
    const Distance *row = &shape->kept[c];
    const int *atom = part->atom;
    if (row->axis == 1)
      to->left[to->nleft++] = (GroupsLeft){{atom[row->site[1]], atom[row->site[2]], atom[row->site[0]]},
                                           .between = true,
                                           .found = row->length};
  }
  for (int c = 0; c < part->n; c++) {
    const Distance *d = &part->wanted[c].distance;
    const int i = part->atom[d->site[0]], j = part->atom[d->site[1]];
    const double found = distance_length(d, part->x);
    if (shape->fate[c] == DISTANCE_STRAIGHT ? fabs(found - d->length) > UNTOLD * d->length
                                            : shape->fate[c] != DISTANCE_KEPT)
      to->left[to->nleft++] =
          (GroupsLeft){{i, j}, .fate = shape->fate[c], .wanted = d->length, .found = found};
    if (shape->fate[c] <= DISTANCE_STRAIGHT)
      held[(*nheld)++] = (MoleculesPair){{i, j}};
  }
}

/* A group's sort key: kind, then first atom. */
typedef struct Ordered {
  int kind, part;
} Ordered;

static int compare_ordered(const void *one, const void *other)
{
  const Ordered *a = one, *b = other;
  return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
                            : (a->part > b->part) - (a->part < b->part);
}

/* Numbers the sites: atoms first. */
static void number_sites(const Molecule *m, GroupsMolecule *to)
{
  for (int i = 0; i < m->natom; i++)
    if (m->atom[i].mass != 0.0) {
      to->site[i] = to->natom;
      to->file[to->natom++] = i;
    }
  for (int v = 0; v < m->nvirtual; v++) {
    to->site[m->site[v].site] = to->natom + v;
    to->file[to->natom + v] = m->site[v].site;
  }
  for (int v = 0; v < m->nvirtual; v++) {
    VirtualSite *const site = &to->virtual[v];
    *site = m->site[v];
    site->site = to->natom + v;
    for (int k = 0; k < virtual_site_types[site->kind].nparent; k++)
      site->parent[k] = to->site[site->parent[k]];
  }
}

/* Stores the groups in order, and the permutations; atoms [natom] and coordinates are still by part. */
static void lay_out(const Parting *p, const Making *making, const Ordered *order, const int *atom,
                    const double (*x)[3])
{
  GroupsMolecule *to = p->to;
  int nsite = 0;
  number_sites(p->molecule, to);
  for (int g = 0; g < p->npart; g++) {
    to->block[g] = order[g].kind;
    to->ncon += making->groups->kind[order[g].kind]->ncon;
    for (int k = p->begin[order[g].part]; k < p->begin[order[g].part + 1]; k++) {
      const int at = to->site[atom[k]];
      to->order[nsite++] = at;
      to->group[atom[k]] = g;
      memcpy(to->reference[at], x[k], sizeof *to->reference);
    }
  }
  to->ngroup = p->npart;
  for (int s = 0; s < p->molecule->nvirtual; s++) {
    const VirtualSite *site = &p->molecule->site[s];
    int group = to->group[site->parent[0]];
    for (int k = 1; k < virtual_site_types[site->kind].nparent; k++)
      group = to->group[site->parent[k]] == group ? group : -1;
    to->group[site->site] = group;
  }
}

static Status make_parts(Making *making, Parting *p, const double (*x)[3], Arena *arena, Error *error)
{
  const size_t natom = (size_t)p->molecule->natom, nwanted = (size_t)p->nwanted;
  GroupsWanted *sorted = arena_take(arena, nwanted + 1, sizeof *sorted);
  int *next = arena_take(arena, natom + 1, sizeof *next), *atom = arena_take(arena, natom, sizeof *atom);
  double(*at)[3] = arena_take(arena, natom, sizeof *at);
  Ordered *order = arena_take(arena, natom, sizeof *order);
  GroupsPart part = {.atom = arena_take(arena, natom, sizeof *part.atom),
                     .mass = arena_take(arena, natom, sizeof *part.mass),
                     .x = arena_take(arena, natom, sizeof *part.x),
                     .given = arena_take(arena, natom, sizeof *part.given)};
  Term *term = arena_take(&making->groups->arena, (size_t)p->molecule->nterm, sizeof *term);
  MoleculesPair *held = arena_take(arena, nwanted, sizeof *held);
  int nheld = 0;
  TRY(arena_check(arena, "groups", error));
  TRY(arena_check(&making->groups->arena, "groups", error));
  connect(p);
  sort_parts(p, sorted, next);
  for (int g = 0; g < p->npart; g++) {
    order[g].part = g;
    TRY(take_part(p, g, x, next, &part, error));
    TRY(kind_of(making, &part, &order[g].kind, error));
    list_distances(&part, &making->shape[order[g].kind], p->to, held, &nheld);
    memcpy(atom + p->begin[g], part.atom, (size_t)part.nsite * sizeof *atom);
    memcpy(at + p->begin[g], part.x, (size_t)part.nsite * sizeof *at);
  }
  qsort(order, (size_t)p->npart, sizeof *order, compare_ordered);
  lay_out(p, making, order, atom, (const double(*)[3])at);
  p->to->terms = (TermList){groups_wanted_terms(p->molecule, nheld, held, p->to->site, term), term,
                            making->groups->molecules->ngrid, making->groups->molecules->grid};
  return STATUS_OK;
}

/* Requested distances of new shapes are retained for comparison with later groups. */
static Status add_molecule(Making *making, const Molecule *m, GroupsKeep keep, const double (*x)[3],
                           GroupsMolecule *to, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Arena *own = &making->groups->arena, *kept = &making->kept;
  const size_t natom = (size_t)m->natom;
  const Molecules *all = making->groups->molecules;
  Parting p = {.molecule = m, .to = to};
  GroupsList wanted;
  TRY(groups_wanted_list(all, (int)(m - all->molecule), keep, making->held, &arena, &wanted, error));
  p.wanted = wanted.item;
  p.nwanted = wanted.n;
  p.root = arena_take(&arena, natom, sizeof(int));
  p.part = arena_take(&arena, natom, sizeof(int));
  p.begin = arena_take(&arena, natom + 2, sizeof(int));
  p.member = arena_take(&arena, natom, sizeof(int));
  p.first = arena_take(&arena, natom + 2, sizeof(int));
  p.by_mass = arena_take(&arena, natom, sizeof *p.by_mass);
  to->block = arena_take(own, natom, sizeof(int));
  to->file = arena_take(own, natom, sizeof(int));
  to->site = arena_take(own, natom, sizeof(int));
  to->group = arena_take(own, natom, sizeof(int));
  to->order = arena_take(own, natom, sizeof(int));
  to->virtual = arena_take(own, (size_t)m->nvirtual, sizeof *to->virtual);
  to->reference = arena_take(own, natom, sizeof *to->reference);
  to->left = arena_take(own, 2 * (size_t)p.nwanted, sizeof *to->left);
  TRY(arena_check(&arena, "groups", error));
  TRY(arena_check(own, "groups", error));
  return make_parts(making, &p, x, kept, error);
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

static Status count_lanes(Groups *g, Error *error)
{
  double atoms = 0.0;
  g->lanes = arena_take(&g->arena, (size_t)g->nkind, sizeof *g->lanes);
  TRY(arena_check(&g->arena, "groups", error));
  for (int m = 0; m < g->molecules->nmolecule; m++) {
    const GroupsMolecule *of = &g->molecule[m];
    atoms += (double)of->nmol * of->natom;
    TRY(state_may_hold(atoms, error)); /* an upper limit of the number of lanes */
    for (int k = 0; k < of->ngroup; k++)
      g->lanes[of->block[k]] += of->nmol;
  }
  return STATUS_OK;
}

/* Whether molecule a comes before b, for any order in the file; molecules that do not move come last. */
static bool comes_before(const GroupsMolecule *a, const GroupsMolecule *b)
{
  const int name = strcmp(a->molecule->name, b->molecule->name);
  const bool stands = molecules_freeze_whole(a->molecule);
  if (stands != molecules_freeze_whole(b->molecule))
    return !stands;
  return a->nmol != b->nmol ? a->nmol > b->nmol : name != 0 ? name < 0 : a < b;
}

/* Creates kinds in the order of ranks. */
static Status make_all(Making *making, const GroupsKeep *keep, const double (*const *x)[3], Error *error)
{
  Groups *g = making->groups;
  const Molecules *m = g->molecules;
  g->molecule = arena_take(&g->arena, (size_t)m->nmolecule, sizeof *g->molecule);
  TRY(arena_check(&g->arena, "groups", error));
  if (m->ncount < 1)
    return error_set(
        error, STATUS_INPUT,
        "the file of molecules does not list the system's molecules: add system: [[molecule, number], ...]");
  for (int c = 0; c < m->ncount; c++)
    g->molecule[m->count[c].molecule].nmol += m->count[c].n;
  SCOPED(arena_free) Arena arena = {0};
  int *order = arena_take(&arena, (size_t)m->nmolecule, sizeof *order);
  TRY(arena_check(&arena, "groups", error));
  for (int i = 0; i < m->nmolecule; i++)
    g->molecule[i].molecule = &m->molecule[i];
  for (int i = 0; i < m->nmolecule; i++) {
    for (int k = 0; k < m->nmolecule; k++)
      g->molecule[i].rank += m->builtin ? k < i : comes_before(&g->molecule[k], &g->molecule[i]);
    order[g->molecule[i].rank] = i;
  }
  for (int k = 0; k < m->nmolecule; k++) {
    const int i = order[k];
    if (g->molecule[i].nmol > 0)
      TRY(add_molecule(making, &m->molecule[i], keep[i], x[i], &g->molecule[i], error));
  }
  return count_lanes(g, error);
}

Status groups_create(Groups **groups, const Molecules *molecules, const GroupsKeep *keep,
                     const double (*const *x)[3], Error *error)
{
  return groups_create_held(groups, molecules, keep, NULL, x, error);
}

Status groups_create_held(Groups **groups, const Molecules *molecules, const GroupsKeep *keep,
                          GroupsHeld *held, const double (*const *x)[3], Error *error)
{
  *groups = NULL;
  Groups *g = calloc(1, sizeof *g);
  TRY_MEMORY(g != NULL, "groups", error);
  g->molecules = molecules;
  Making making = {.groups = g, .held = held};
  if (held != NULL)
    held->wrong = -1;
  const Status status = make_all(&making, keep, x, error);
  free(making.shape);
  arena_free(&making.kept);
  if (status != STATUS_OK)
    groups_free(g);
  else
    *groups = g;
  return status;
}

void groups_free(Groups *groups)
{
  if (groups == NULL)
    return;
  for (int k = 0; k < groups->nkind; k++)
    kind_free(groups->kind[k]);
  free(groups->kind);
  arena_free(&groups->arena);
  free(groups);
}

/* --- orders -----------------------------------------------------------------------------------------------
 */

size_t groups_file_atoms(const Groups *g)
{
  size_t n = 0;
  for (int c = 0; c < g->molecules->ncount; c++)
    n += (size_t)g->molecules->count[c].n *
         (size_t)g->molecules->molecule[g->molecules->count[c].molecule].natom;
  return n;
}

void groups_from_file(const Groups *g, const double (*file)[3], double (*x)[3])
{
  for (int c = 0; c < g->molecules->ncount; c++) {
    const GroupsMolecule *of = &g->molecule[g->molecules->count[c].molecule];
    for (int n = 0; n < g->molecules->count[c].n; n++) {
      for (int i = 0; i < of->natom; i++)
        memcpy(x[i], file[of->file[i]], sizeof *x);
      x += of->natom;
      file += of->molecule->natom;
    }
  }
}

void groups_to_file(const Groups *g, bool place, const double (*x)[3], double (*file)[3])
{
  for (int c = 0; c < g->molecules->ncount; c++) {
    const GroupsMolecule *of = &g->molecule[g->molecules->count[c].molecule];
    for (int n = 0; n < g->molecules->count[c].n; n++) {
      for (int i = 0; i < of->natom; i++)
        memcpy(file[of->file[i]], x[i], sizeof *file);
      for (int s = 0; s < of->molecule->nvirtual; s++) {
        const VirtualSite *site = &of->molecule->site[s];
        memset(file[site->site], 0, sizeof *file);
        if (place)
          (void)virtual_site_at(site, (const double(*)[3])file, file[site->site]);
      }
      x += of->natom;
      file += of->molecule->natom;
    }
  }
}

/* --- reports -------------------------------------------------------------------------------------------- */

double groups_empty(const Groups *g)
{
  double all = 0.0, used = 0.0;
  for (int k = 0; k < g->nkind; k++) {
    const int packs = (g->lanes[k] + LANES - 1) / LANES;
    all += (double)packs * LANES * g->kind[k]->nsite;
    used += (double)g->lanes[k] * g->kind[k]->nsite;
  }
  return all > 0.0 ? 1.0 - used / all : 0.0;
}
