/* The shape of a group: its masses and distances, of which those that depend on others are left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "topology/groups_private.h"

/* Left out, a distance may differ from what was asked for by so much of it, by who asked. */
static const double allowed[] = {
    [GROUPS_BY_CONSTRAINT] = 1e-3, [GROUPS_BY_BOND] = 1e-2, [GROUPS_BY_ANGLE] = 0.2};

bool groups_shape_same(const GroupsPart *part, const GroupsShape *shape)
{
  if (part->nsite != shape->nsite || part->n != shape->n ||
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

static Status contradiction(const GroupsPart *part, const Distance *d, Error *error)
{
  return error_set(
      error, STATUS_INPUT,
      "molecule %s: the distance of atoms %d and %d, %s and %s, is to be kept at %.6g A, which the "
      "other distances that are kept do not allow: %.6g comes out",
      part->molecule->name, part->atom[d->site[0]] + 1, part->atom[d->site[1]] + 1,
      atom_of(part, d->site[0])->name, atom_of(part, d->site[1])->name, d->length,
      distances_length(d, part->x));
}

/* How far the sites of a distance are kept from site k; 0: that is not so. */
static double kept_from(const GroupsShape *shape, int site, int k)
{
  for (int c = 0; c < shape->ncon; c++)
    if ((shape->kept[c].site[0] == k && shape->kept[c].site[1] == site) ||
        (shape->kept[c].site[1] == k && shape->kept[c].site[0] == site))
      return shape->kept[c].length;
  return 0.0;
}

/* Whether a distance and two that are kept hold three sites in a line, the middle one in the middle. */
static bool in_line(const GroupsPart *part, const Distance *d, const GroupsShape *shape, int line[3])
{
  const int i = d->site[0], j = d->site[1];
  const double r = distances_length(d, part->x);
  for (int k = 0; k < part->nsite; k++) {
    const double ik = kept_from(shape, i, k), jk = kept_from(shape, j, k);
    if (ik == 0.0 || jk == 0.0 || 2.0 * fmax(r, fmax(ik, jk)) < 0.9995 * (r + ik + jk))
      continue;
    line[1] = r > ik && r > jk ? k : ik > jk ? j : i;
    const int one = line[1] == i ? k : i, other = line[1] == j ? k : j;
    line[0] = one < other ? one : other;
    line[2] = one < other ? other : one;
    return true;
  }
  return false;
}

static Status check_left(const GroupsPart *part, const GroupsWanted *w, DistanceFate fate,
                         const GroupsShape *shape, Error *error)
{
  const Distance *d = &w->distance;
  int line[3];
  if (fate == DISTANCE_DEGENERATE && in_line(part, d, shape, line))
    return error_set(
        error, STATUS_INPUT,
        "molecule %s: distances hold atoms %d, %d and %d (%s, %s, %s) in a line, which they cannot; "
        "keep the bonds alone there, and let a term keep the angle",
        part->molecule->name, part->atom[line[0]] + 1, part->atom[line[1]] + 1, part->atom[line[2]] + 1,
        atom_of(part, line[0])->name, atom_of(part, line[1])->name, atom_of(part, line[2])->name);
  if (fabs(distances_length(d, part->x) / d->length - 1.0) > allowed[w->by])
    return contradiction(part, d, error);
  if (fate == DISTANCE_DEGENERATE && w->by != GROUPS_BY_ANGLE)
    return error_set(
        error, STATUS_INPUT,
        "molecule %s: the constraints hold the group of atom %d, %s, in a plane or a line, which "
        "distances cannot: that of atoms %d and %d says nothing there",
        part->molecule->name, part->atom[0] + 1, atom_of(part, 0)->name, part->atom[d->site[0]] + 1,
        part->atom[d->site[1]] + 1);
  return STATUS_OK;
}

Status groups_shape_find(GroupsPart *part, Room *room, GroupsShape *shape, Error *error)
{
  const size_t n = (size_t)part->n, nsite = (size_t)part->nsite;
  Distance *all = room_take(room, n, sizeof *all);
  *shape = (GroupsShape){.nsite = part->nsite, .n = part->n, .wanted = part->wanted};
  shape->mass = room_take(room, nsite, sizeof(double));
  shape->fate = room_take(room, n, sizeof *shape->fate);
  shape->kept = room_take(room, n, sizeof *shape->kept);
  shape->w = room_take(room, n, sizeof *shape->w);
  TRY(room_check(room, "the shape of a group", error));
  memcpy(shape->mass, part->mass, nsite * sizeof *shape->mass);
  for (int c = 0; c < part->n; c++)
    all[c] = part->wanted[c].distance;
  int worst = 0;
  const Status status = part->n > 0 ? distances_solve(part->nsite, part->mass, part->n, all, part->x,
                                                      shape->fate, &worst, error)
                                    : STATUS_OK;
  if (status == STATUS_INPUT)
    return contradiction(part, &all[worst], error);
  TRY(status);
  for (int c = 0; c < part->n; c++)
    if (shape->fate[c] == DISTANCE_KEPT) {
      shape->w[shape->ncon] = part->wanted[c].w;
      shape->kept[shape->ncon++] = all[c];
    }
  for (int c = 0; c < part->n; c++)
    if (shape->fate[c] != DISTANCE_KEPT)
      TRY(check_left(part, &part->wanted[c], shape->fate[c], shape, error));
  return STATUS_OK;
}

Status groups_shape_move(GroupsPart *part, const GroupsShape *shape, Error *error)
{
  int worst = 0;
  if (shape->ncon == 0)
    return STATUS_OK;
  const Status status =
      distances_project(part->nsite, part->mass, shape->ncon, shape->kept, part->x, &worst, error);
  return status == STATUS_INPUT ? contradiction(part, &shape->kept[worst], error) : status;
}
