#include "topology/molecules.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

enum { EXCLUSIONS_MAX = 1 << 24 };

void molecules_free(Molecules *molecules)
{
  if (molecules == NULL)
    return;
  Arena arena = molecules->arena;
  arena_free(&arena);
  free(molecules);
}

bool molecules_sees_site(const Molecule *molecule, const Term *term)
{
  for (int k = 0; k < term->type->natom; k++)
    if (molecule->atom[term->atom[k]].mass == 0.0)
      return true;
  return false;
}

bool molecules_bonds(const Term *term)
{
  return term->type->form == COORDINATE_DISTANCE && term->type->column == TERM_BOND &&
         !term_is_tabulated(term->type);
}

void molecules_mark_grids(const Molecule *molecule, bool *used)
{
  for (int t = 0; t < molecule->nterm; t++) {
    const Term *term = &molecule->term[t];
    for (int i = 0; i < term->type->nparam; i++)
      if (term->type->parameter[i].bound == TERM_GRID || term->type->parameter[i].bound == TERM_TABLE)
        used[(int)term->param[i]] = true;
  }
}

/* --- digest -----------------------------------------------------------------------------------------------
 */

static void add_bytes(uint64_t *digest, const void *from, size_t n)
{
  *digest = checksum_add(*digest, from, n);
}

static void add_real(uint64_t *digest, double x) { add_bytes(digest, &x, sizeof x); }

static void add_atoms(uint64_t *digest, const int *atom, int n)
{
  add_bytes(digest, atom, (size_t)n * sizeof *atom);
}

static void add_molecule(uint64_t *digest, const Molecule *m)
{
  for (int i = 0; i < m->natom; i++) {
    add_atoms(digest, &m->atom[i].type, 1);
    add_real(digest, m->atom[i].charge);
    add_real(digest, m->atom[i].mass);
  }
  for (int i = 0; i < m->nbond; i++) /* bonds may become constraints */
    add_atoms(digest, m->bond[i].atom, 2);
  for (int i = 0; i < m->nterm; i++) {
    add_bytes(digest, m->term[i].type->name, strlen(m->term[i].type->name));
    add_atoms(digest, m->term[i].atom, m->term[i].type->natom);
    add_bytes(digest, m->term[i].param, (size_t)m->term[i].type->nparam * sizeof *m->term[i].param);
  }
  for (int i = 0; i < m->nconstraint; i++) {
    add_atoms(digest, m->constraint[i].atom, 2);
    add_real(digest, m->constraint[i].length);
  }
  for (int i = 0; i < m->nvirtual; i++) {
    const VirtualSite *site = &m->site[i];
    const VirtualSiteType *type = &virtual_site_types[site->kind];
    add_atoms(digest, &site->site, 1);
    add_bytes(digest, type->name, strlen(type->name));
    add_atoms(digest, site->parent, type->nparent);
    add_bytes(digest, site->param, (size_t)type->nparam * sizeof *site->param);
  }
  for (int i = 0; i < m->nexclusion; i++)
    add_atoms(digest, m->exclusion[i].atom, 2);
  if (m->frozen != NULL)
    add_bytes(digest, m->frozen, (size_t)m->natom * sizeof *m->frozen);
}

uint64_t molecules_digest(const Molecules *molecules)
{
  uint64_t digest = CHECKSUM_START;
  for (int i = 0; i < molecules->ngrid; i++) {
    const TermGrid *grid = &molecules->grid[i];
    add_bytes(&digest, grid->value, (size_t)term_grid_values(grid) * sizeof *grid->value);
    if (term_grid_is_table(grid)) {
      add_real(&digest, grid->from);
      add_real(&digest, grid->to);
    }
  }
  for (int i = 0; i < molecules->ntype * molecules->ntype; i++) {
    add_real(&digest, molecules->dispersion[i].a);
    add_real(&digest, molecules->dispersion[i].c);
    if (molecules->c4 != NULL)
      add_real(&digest, molecules->c4[i]);
  }
  for (int c = 0; c < molecules->ncount; c++) {
    add_atoms(&digest, &molecules->count[c].n, 1);
    add_molecule(&digest, &molecules->molecule[molecules->count[c].molecule]);
  }
  return digest;
}

/* --- all molecules of a system ----------------------------------------------------------------------------
 */

const Molecule *molecules_next(MoleculesWalk *walk)
{
  while (walk->row < walk->all->ncount && walk->copy == walk->all->count[walk->row].n) {
    walk->row++;
    walk->copy = 0;
  }
  if (walk->row == walk->all->ncount)
    return NULL;
  walk->copy++;
  return &walk->all->molecule[walk->all->count[walk->row].molecule];
}

void molecules_count_atoms(const Molecules *all, int64_t *atoms, int64_t *massless)
{
  *atoms = *massless = 0;
  for (int c = 0; c < all->ncount; c++) {
    const Molecule *m = &all->molecule[all->count[c].molecule];
    *atoms += (int64_t)all->count[c].n * m->natom;
    *massless += (int64_t)all->count[c].n * m->nvirtual;
  }
}

/* --- pairs ------------------------------------------------------------------------------------------------
 */

static int compare_pairs(const void *one, const void *other)
{
  const MoleculesPair *a = one, *b = other;
  const int i = a->atom[0] != b->atom[0] ? 0 : 1;
  return (a->atom[i] > b->atom[i]) - (a->atom[i] < b->atom[i]);
}

int molecules_sort_pairs(int n, MoleculesPair *pair)
{
  for (int i = 0; i < n; i++)
    if (pair[i].atom[0] > pair[i].atom[1])
      pair[i] = (MoleculesPair){{pair[i].atom[1], pair[i].atom[0]}};
  if (n > 1)
    qsort(pair, (size_t)n, sizeof *pair, compare_pairs);
  int left = 0;
  for (int i = 0; i < n; i++)
    if (left == 0 || compare_pairs(&pair[left - 1], &pair[i]) != 0)
      pair[left++] = pair[i];
  return left;
}

/* A growing list. */
typedef struct Pairs {
  int n, capacity;
  MoleculesPair *pair;
} Pairs;

static Status pairs_add(Pairs *p, const Molecule *molecule, int a, int b, Error *error)
{
  if (p->n == EXCLUSIONS_MAX)
    return error_set(error, STATUS_INPUT, "molecule %s has more excluded pairs than the limit of %d",
                     molecule->name, EXCLUSIONS_MAX);
  if (p->n == p->capacity) {
    const int capacity = p->capacity > 0 ? 2 * p->capacity : 1024;
    MoleculesPair *pair = realloc(p->pair, (size_t)capacity * sizeof *pair);
    TRY_MEMORY(pair != NULL, "excluded pairs", error);
    *p = (Pairs){p->n, capacity, pair};
  }
  p->pair[p->n++] = (MoleculesPair){{a, b}};
  return STATUS_OK;
}

/* The bonds of each atom: partner[begin[i]] to partner[begin[i + 1] - 1]. */
typedef struct Neighbours {
  int *begin, *partner;
} Neighbours;

static void list_neighbours(const Molecule *m, const Neighbours *to, int *next)
{
  for (int b = 0; b < m->nbond; b++)
    for (int k = 0; k < 2; k++)
      to->begin[m->bond[b].atom[k] + 1]++;
  for (int i = 0; i < m->natom; i++) {
    to->begin[i + 1] += to->begin[i];
    next[i] = to->begin[i];
  }
  for (int b = 0; b < m->nbond; b++)
    for (int k = 0; k < 2; k++)
      to->partner[next[m->bond[b].atom[k]]++] = m->bond[b].atom[1 - k];
}

/* Finds the atoms up to `exclude` bonds away from each atom, by breadth-first search; seen[j] = i + 1: j was
 * reached from i. */
static Status within_bonds(const Molecule *m, int exclude, const Neighbours *to, int *seen, int *met,
                           Pairs *pairs, Error *error)
{
  for (int i = 0; i < m->natom; i++) {
    int from = 0, n = 1;
    met[0] = i;
    seen[i] = i + 1;
    for (int away = 0; away < exclude; away++)
      for (const int circle = n; from < circle; from++)
        for (int k = to->begin[met[from]]; k < to->begin[met[from] + 1]; k++) {
          const int j = to->partner[k];
          if (seen[j] == i + 1)
            continue;
          seen[j] = i + 1;
          met[n++] = j;
          if (j > i)
            TRY(pairs_add(pairs, m, i, j, error));
        }
  }
  return STATUS_OK;
}

static Status exclude_all(Molecule *m, int exclude, int nmore, const MoleculesPair *more, Pairs *pairs,
                          Error *error)
{
  SCOPED(arena_free) Arena own = {0};
  const size_t natom = (size_t)m->natom;
  const Neighbours to = {arena_take(&own, natom + 1, sizeof(int)),
                         arena_take(&own, 2 * (size_t)m->nbond + 1, sizeof(int))};
  int *seen = arena_take(&own, natom + 1, sizeof *seen), *met = arena_take(&own, natom + 1, sizeof *met);
  TRY(arena_check(&own, "excluded pairs", error));
  list_neighbours(m, &to, met);
  TRY(within_bonds(m, exclude, &to, seen, met, pairs, error));
  for (int s = 0; s < m->nvirtual; s++)
    for (int k = 0; k < virtual_site_types[m->site[s].kind].nparent; k++)
      TRY(pairs_add(pairs, m, m->site[s].site, m->site[s].parent[k], error));
  for (int i = 0; i < nmore; i++)
    TRY(pairs_add(pairs, m, more[i].atom[0], more[i].atom[1], error));
  return STATUS_OK;
}

Status molecules_exclude(Molecule *m, int exclude, int nmore, const MoleculesPair *more, Arena *arena,
                         Error *error)
{
  Pairs pairs = {0};
  TRY_ELSE(exclude_all(m, exclude, nmore, more, &pairs, error), free(pairs.pair));
  m->nexclusion = molecules_sort_pairs(pairs.n, pairs.pair);
  m->exclusion = arena_take(arena, (size_t)m->nexclusion, sizeof *m->exclusion);
  if (m->exclusion != NULL && pairs.pair != NULL)
    memcpy(m->exclusion, pairs.pair, (size_t)m->nexclusion * sizeof *m->exclusion);
  free(pairs.pair);
  return arena_check(arena, "excluded pairs", error);
}

/* Moves atom b to its image nearest to a. */
static void draw_near(const Box *box, const double a[3], double b[3])
{
  double r[3];
  (void)box_distance(box, b, a, r);
  for (int d = 0; d < 3; d++)
    b[d] = a[d] + r[d];
}

void molecules_make_whole(int natom, int nbond, const MoleculesPair *bond, const Box *box, double (*x)[3],
                          bool *placed)
{
  memset(placed, 0, (size_t)natom * sizeof *placed);
  for (int first = 0; first < natom; first++) {
    bool more = !placed[first];
    placed[first] = true;
    while (more) { /* bonds are sorted, so one pass follows a chain to its end */
      more = false;
      for (int k = 0; k < nbond; k++) {
        const int *of = bond[k].atom;
        if (placed[of[0]] == placed[of[1]])
          continue;
        const int there = placed[of[0]] ? 0 : 1;
        draw_near(box, x[of[there]], x[of[1 - there]]);
        placed[of[1 - there]] = more = true;
      }
    }
  }
}
