/* The shape of a group: its masses and its independent distances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "topology/groups_private.h"

/* Allowed relative error of a dependent distance, by its giver. */
static const double allowed[] = {
    [GROUPS_BY_CONSTRAINT] = 1e-3, [GROUPS_BY_BOND] = 1e-2, [GROUPS_BY_ANGLE] = 0.2};

bool groups_shape_same(const GroupsPart *part, const GroupsShape *shape)
{
  if (part->nsite != shape->nsite || part->n != shape->n || part->friction != shape->friction ||
      part->frozen != shape->frozen ||
      memcmp(part->mass, shape->mass, (size_t)part->nsite * sizeof *part->mass) != 0)
    return false;
  for (int c = 0; c < part->n; c++) {
    const GroupsWanted *a = &part->wanted[c], *b = &shape->wanted[c];
    if (a->by != b->by || a->w != b->w || a->distance.site[0] != b->distance.site[0] ||
        a->distance.site[1] != b->distance.site[1] || a->distance.length != b->distance.length)
      return false;
  }
  return true;
}

static const MoleculesAtom *atom_of(const GroupsPart *part, int site)
{
  return &part->molecule->atom[part->atom[site]];
}

static Status contradiction(const GroupsPart *part, const Distance *d, double found, Error *error)
{
  return error_set(error, STATUS_INPUT,
                   "molecule %s: the distance of atoms %d and %d, %s and %s, cannot be constrained to %.6g "
                   "A: the other constraints give %.6g A",
                   part->molecule->name, part->atom[d->site[0]] + 1, part->atom[d->site[1]] + 1,
                   atom_of(part, d->site[0])->name, atom_of(part, d->site[1])->name, d->length, found);
}

/* Reports a row that no configuration nearby satisfies. */
static Status unsolved(const GroupsPart *part, const Distance *row, Error *error)
{
  if (row->axis == 0)
    return contradiction(part, row, distance_length(row, part->x), error);
  return error_set(error, STATUS_INPUT,
                   "molecule %s: atoms %d, %d and %d, %s, %s and %s, cannot be constrained to a line: the "
                   "other constraints do not allow it",
                   part->molecule->name, part->atom[row->site[1]] + 1, part->atom[row->site[0]] + 1,
                   part->atom[row->site[2]] + 1, atom_of(part, row->site[1])->name,
                   atom_of(part, row->site[0])->name, atom_of(part, row->site[2])->name);
}

static Status check_length(const GroupsPart *part, const GroupsWanted *w, double found, Error *error)
{
  return fabs(found / w->distance.length - 1.0) <= allowed[w->by]
             ? STATUS_OK
             : contradiction(part, &w->distance, found, error);
}

/* Validates a distance that is not a constraint. Terms replace angles; nothing replaces a bond or a
 * constraint of the file. */
static Status check_left(const GroupsPart *part, const GroupsWanted *w, DistanceFate fate, Error *error)
{
  const Distance *d = &w->distance;
  const double found = distance_length(d, part->x);
  if (w->by == GROUPS_BY_ANGLE || fate <= DISTANCE_STRAIGHT)
    return check_length(part, w, found, error);
  if (fate == DISTANCE_REFUSED)
    return contradiction(part, d, found, error);
  return error_set(error, STATUS_INPUT,
                   "molecule %s: the distance of atoms %d and %d, %s and %s, is to be constrained to %.6g A, "
                   "the largest or smallest value that the other constraints allow%s. A constraint has no "
                   "effect there: remove one of these distances",
                   part->molecule->name, part->atom[d->site[0]] + 1, part->atom[d->site[1]] + 1,
                   atom_of(part, d->site[0])->name, atom_of(part, d->site[1])->name, d->length,
                   fate == DISTANCE_DEGENERATE ? " (with the atoms in a plane)" : "");
}

/* The rows of a part: exact ones first, rows of lines before others; of[]: the requested distance of each
 * row, or -1. */
typedef struct ShapeRows {
  int n, *of;
  double *w;
  Distance *row;
  DistanceFate *fate;
} ShapeRows;

static bool is_soft(const GroupsWanted *wanted) { return !isinf(wanted->w); }

static void add_row(ShapeRows *rows, const GroupsWanted *wanted, int of)
{
  rows->row[rows->n] = wanted->distance;
  rows->w[rows->n] = wanted->w;
  rows->of[rows->n++] = of;
}

static Status list_rows(const GroupsPart *part, Arena *arena, GroupsShape *shape, ShapeRows *rows,
                        Error *error)
{
  const size_t n = (size_t)part->n;
  double *in_line = arena_take(arena, n, sizeof *in_line);
  GroupsWanted *line;
  int nline;
  TRY(arena_check(arena, "the shape of a group", error));
  TRY(groups_straight_find(part, arena, &line, &nline, in_line, error));
  const size_t most = n + (size_t)nline;
  *rows = (ShapeRows){.of = arena_take(arena, most, sizeof(int)),
                      .w = arena_take(arena, most, sizeof(double)),
                      .row = arena_take(arena, most, sizeof(Distance)),
                      .fate = arena_take(arena, most, sizeof(DistanceFate))};
  shape->kept = arena_take(arena, most, sizeof *shape->kept);
  shape->w = arena_take(arena, most, sizeof *shape->w);
  TRY(arena_check(arena, "the shape of a group", error));
  for (int soft = 0; soft < 2; soft++) {
    for (int c = 0; c < nline; c++)
      if (is_soft(&line[c]) == (soft == 1))
        add_row(rows, &line[c], -1);
    for (int c = 0; c < part->n; c++)
      if (in_line[c] == 0.0 && is_soft(&part->wanted[c]) == (soft == 1))
        add_row(rows, &part->wanted[c], c);
  }
  for (int c = 0; c < part->n; c++) {
    shape->fate[c] = DISTANCE_STRAIGHT;
    if (in_line[c] > 0.0)
      TRY(check_length(part, &part->wanted[c], in_line[c], error));
  }
  return STATUS_OK;
}

Status groups_shape_find(GroupsPart *part, Arena *arena, GroupsShape *shape, Error *error)
{
  ShapeRows rows;
  const size_t nsite = (size_t)part->nsite;
  *shape = (GroupsShape){.nsite = part->nsite, .n = part->n, .frozen = part->frozen, .wanted = part->wanted};
  shape->mass = arena_take(arena, nsite, sizeof(double));
  shape->fate = arena_take(arena, (size_t)part->n, sizeof *shape->fate);
  TRY(arena_check(arena, "the shape of a group", error));
  TRY(list_rows(part, arena, shape, &rows, error));
  shape->friction = part->friction;
  memcpy(shape->mass, part->mass, nsite * sizeof *shape->mass);
  int worst = 0;
  const Status status = rows.n > 0 ? distances_solve(part->nsite, part->mass, rows.n, rows.row, part->x,
                                                     rows.fate, &worst, error)
                                   : STATUS_OK;
  if (status == STATUS_INPUT)
    return unsolved(part, &rows.row[worst], error);
  TRY(status);
  for (int c = 0; c < rows.n; c++) {
    if (rows.fate[c] == DISTANCE_KEPT) {
      shape->w[shape->ncon] = rows.w[c];
      shape->kept[shape->ncon++] = rows.row[c];
    }
    if (rows.of[c] < 0)
      continue;
    shape->fate[rows.of[c]] = rows.fate[c];
    if (rows.fate[c] != DISTANCE_KEPT)
      TRY(check_left(part, &part->wanted[rows.of[c]], rows.fate[c], error));
  }
  return STATUS_OK;
}

static Distance distance_of(const Constraint *con)
{
  if (con->type == &constraint_distance)
    return (Distance){.site = {con->site[0], con->site[1]}, .length = con->param[0]};
  return (Distance){.site = {con->site[0], con->site[1], con->site[2]},
                    .length = con->param[0],
                    .axis = 1 + (int)con->param[2],
                    .share = con->param[1]};
}

Status groups_shape_project(const Kind *kind, double (*x)[3], Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const int n = kind_kept(kind).ncon;
  Distance *distance = arena_take(&arena, (size_t)n + 1, sizeof *distance);
  int worst;
  TRY(arena_check(&arena, "the constraints of a group", error));
  if (!kind->sparse || n == 0)
    return STATUS_OK;
  for (int c = 0; c < n; c++)
    distance[c] = distance_of(&kind->con[c]);
  const Status status = distances_project(kind->nsite, kind->mass, n, distance, x, &worst, error);
  return status == STATUS_INPUT ? STATUS_OK : status;
}

Status groups_shape_move(GroupsPart *part, const GroupsShape *shape, Error *error)
{
  int worst = 0;
  if (shape->ncon == 0)
    return STATUS_OK;
  const Status status =
      distances_project(part->nsite, part->mass, shape->ncon, shape->kept, part->x, &worst, error);
  return status == STATUS_INPUT ? unsolved(part, &shape->kept[worst], error) : status;
}
