#include "topology/term.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295

/* Hessians of terms require those of their coordinates. */
#define TERM(id, word, shape, ...)                                                                           \
  _Static_assert((int)COORDINATE_DERIVATIVES_##shape == (int)COORDINATE_SECOND,                              \
                 "the term's coordinate has a "                                                              \
                 "Hessian");
#include "topology/terms.def"
#undef TERM

const char *const term_column_names[TERM_COLUMNS] = {"bond",
                                                     "urey_bradley",
                                                     "angle",
                                                     "torsion",
                                                     "improper",
                                                     "cmap",
                                                     "distance_restraint",
                                                     "dihedral_restraint",
                                                     "lj_14",
                                                     "coulomb_14"};

#define SIZE(name, unit) {name, unit, TERM_SIZE},
#define REAL(name, unit) {name, unit, TERM_REAL},
#define WHOLE(name)      {name, "", TERM_WHOLE},
#define ANGLE(name)      {name, "degrees", TERM_DEGREES},
#define GRID(name)       {name, "", TERM_GRID},
#define TABLE(name)      {name, "", TERM_TABLE},

const TermType term_types[TERM_TYPES] = {
#define TERM(id, word, shape, own, part, what, ...)                                                          \
  {.name = (word),                                                                                           \
   .doc = (what),                                                                                            \
   .form = COORDINATE_##shape,                                                                               \
   .column = TERM_##own,                                                                                     \
   .other = TERM_##part,                                                                                     \
   .natom = COORDINATE_SITES_##shape,                                                                        \
   .nparam = sizeof((TermParameter[]){__VA_ARGS__}) / sizeof(TermParameter),                                 \
   .parameter = {__VA_ARGS__}},
#include "topology/terms.def"
#undef TERM
};

const TermType *term_find(const char *name)
{
  for (int i = 0; i < TERM_TYPES; i++)
    if (strcmp(term_types[i].name, name) == 0)
      return &term_types[i];
  return NULL;
}

double term_number(const TermType *type, int i, double said)
{
  return type->parameter[i].bound == TERM_DEGREES ? DEGREE * said : said;
}

void term_name(const Term *term, char *text, size_t size)
{
  size_t n = (size_t)snprintf(text, size, "%s of atoms", term->type->name);
  for (int k = 0; k < term->type->natom && n < size; k++)
    n += (size_t)snprintf(text + n, size - n, " %d", term->atom[k] + 1);
}

bool term_is_tabulated(const TermType *type) { return type->parameter[0].bound == TERM_TABLE; }

static Status check_grid(const Term *term, const char *name, int i, const TermList *list, Error *error)
{
  const TermParameter *p = &term->type->parameter[i];
  const double x = term->param[i];
  if (x != rint(x) || x < 0.0 || x >= list->ngrid)
    return error_set(error, STATUS_INPUT, "%s: %s %g does not exist; there are %d", name, p->name, x,
                     list->ngrid);
  const TermGrid *grid = &list->grid[(int)x];
  if (term_grid_is_table(grid) != (p->bound == TERM_TABLE))
    return error_set(error, STATUS_INPUT, "%s: %s is not a %s", name, grid->name, p->name);
  const Status status = p->bound == TERM_TABLE ? term_grid_suits(grid, term->type->form, error) : STATUS_OK;
  return status == STATUS_OK ? STATUS_OK : error_prefix(error, "%s", name);
}

static Status check_parameter(const Term *term, const char *name, int i, const TermList *list, Error *error)
{
  const TermParameter *p = &term->type->parameter[i];
  const double x = term->param[i];
  if (!isfinite(x) || (p->bound == TERM_SIZE && x < 0.0))
    return error_set(error, STATUS_INPUT, "%s: %s is %g, but must be a finite number%s", name, p->name, x,
                     p->bound == TERM_SIZE ? ", at least 0" : "");
  if (p->bound == TERM_WHOLE && (x != rint(x) || x < 0.0 || x > TERM_FOLD))
    return error_set(error, STATUS_INPUT, "%s: %s is %g, but must be a whole number from 0 to %d", name,
                     p->name, x, TERM_FOLD);
  return p->bound == TERM_GRID || p->bound == TERM_TABLE ? check_grid(term, name, i, list, error) : STATUS_OK;
}

Status term_check(const Term *term, int natom, const TermList *list, Error *error)
{
  char name[TERM_NAME];
  term_name(term, name, sizeof name);
  for (int k = 0; k < term->type->natom; k++) {
    if (term->atom[k] < 0 || term->atom[k] >= natom)
      return error_set(error, STATUS_INPUT, "%s: the molecule has atoms 1 to %d", name, natom);
    for (int j = 0; j < k; j++)
      if (term->atom[j] == term->atom[k])
        return error_set(error, STATUS_INPUT, "%s: atom %d occurs twice", name, term->atom[k] + 1);
  }
  for (int i = 0; i < term->type->nparam; i++)
    TRY(check_parameter(term, name, i, list, error));
  return STATUS_OK;
}

/* The index of the first list that shares the grids of list k. */
static int first_with(const TermList *list, int k)
{
  int j = 0;
  while (list[j].grid != list[k].grid || list[j].ngrid != list[k].ngrid)
    j++;
  return j;
}

static Status place_grids(const TermList *list, TermPlace *place, size_t *nodes, Error *error)
{
  for (int i = 0; i < list->ngrid; i++) {
    const TermGrid *grid = &list->grid[i];
    TRY(term_grid_check(grid, error));
    const bool table = term_grid_is_table(grid);
    const int n = table ? grid->n - 1 : grid->n;
    place[i] = (TermPlace){(double)*nodes, n, grid->from, table ? (grid->to - grid->from) / n : 0.0};
    *nodes += (size_t)n * (table ? 1 : (size_t)n);
  }
  return STATUS_OK;
}

Status term_nodes(TermNodes *nodes, int nlist, const TermList *list, Arena *arena, Error *error)
{
  size_t n = 0;
  nodes->place = arena_take(arena, (size_t)nlist, sizeof *nodes->place);
  TRY(arena_check(arena, "grids of terms", error));
  for (int k = 0; k < nlist; k++) {
    const int first = first_with(list, k);
    if (first < k) {
      nodes->place[k] = nodes->place[first];
      continue;
    }
    nodes->place[k] = arena_take(arena, (size_t)list[k].ngrid, sizeof **nodes->place);
    TRY(arena_check(arena, "grids of terms", error));
    TRY(place_grids(&list[k], nodes->place[k], &n, error));
  }
  nodes->node = arena_take(arena, n, sizeof *nodes->node);
  TRY(arena_check(arena, "grids of terms", error));
  for (int k = 0; k < nlist; k++)
    for (int i = 0; first_with(list, k) == k && i < list[k].ngrid; i++)
      term_grid_nodes(&list[k].grid[i], nodes->node + (size_t)nodes->place[k][i].first);
  return STATUS_OK;
}

/* The numbers of a table: those of a grid, and where it begins and its cells per unit, in A or radians. */
static int table_ready(CoordinateForm form, const TermPlace *place, double ready[4])
{
  const double unit = form == COORDINATE_DISTANCE ? 1.0 : DEGREE;
  ready[0] = place->first;
  ready[1] = place->n;
  ready[2] = unit * place->from;
  ready[3] = 1.0 / (unit * place->step);
  return 4;
}

int term_ready(const Term *term, const TermPlace *grid, double ready[TERM_READY])
{
  int n = 0;
  for (int i = 0; i < term->type->nparam; i++) {
    const double x = term->param[i];
    const TermBound bound = term->type->parameter[i].bound;
    if (bound == TERM_TABLE) {
      n += table_ready(term->type->form, &grid[(int)x], ready + n);
      continue;
    }
    ready[n++] = bound == TERM_DEGREES ? cos(x) : bound == TERM_GRID ? grid[(int)x].first : x;
    if (bound == TERM_DEGREES || bound == TERM_GRID)
      ready[n++] = bound == TERM_DEGREES ? sin(x) : grid[(int)x].n;
  }
  return n;
}
