/* The molecules of a frame by kind, with copies of positions, velocities and box. */
#ifndef HOLONOM_TESTS_STRUCTURE_GROUPS_H
#define HOLONOM_TESTS_STRUCTURE_GROUPS_H

#include <stdlib.h>

#include "io/structure.h"

typedef struct StructureGroups {
  Structure found;
  double *x, *v; /* [found.natom][3] in the order of found.atom; v NULL: none in the frame */
  Box box;       /* all zero: no box */
} StructureGroups;

static inline void structure_groups_free(StructureGroups *g)
{
  structure_free(&g->found);
  free(g->x);
  free(g->v);
  *g = (StructureGroups){0};
}

static inline Status structure_groups_find(const Frame *frame, const char *path, int n,
                                           const char *const *species, StructureGroups *g, Error *error)
{
  *g = (StructureGroups){0};
  if (frame->has_cell)
    TRY(structure_box(frame, path, &g->box, error));
  TRY(structure_find(frame, path, n, species, &g->found, error));
  const size_t size = 3 * (size_t)g->found.natom;
  g->x = malloc(size * sizeof *g->x);
  g->v = frame->has_velocities ? malloc(size * sizeof *g->v) : NULL;
  for (size_t k = 0; k < size; k++) {
    g->x[k] = g->found.x[g->found.atom[k / 3]][k % 3];
    if (g->v != NULL)
      g->v[k] = frame->velocities[g->found.atom[k / 3]][k % 3];
  }
  return STATUS_OK;
}

/* Where the coordinates of group 0 (waters) or 1 + s (species s) begin. */
static inline size_t structure_groups_at(const StructureGroups *g, int group)
{
  return 3 * (size_t)structure_first(&g->found, group);
}

#endif
