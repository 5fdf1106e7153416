#include "simulation/start/contacts.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

struct Contacts {
  int natom, most, n[3]; /* cells along each edge, at most and now: 1, or 3 and more */
  int *head;             /* [most^3] an atom of each cell, or -1 */
  int *next;             /* [natom] next atom in the cell */
  int *cell;             /* [natom] */
  Arena arena;
  const Box *box;
  double reach;
  const double (*x)[3];
  ContactsVisit *visit;
  void *self;
};

static Status fill(Contacts *c, int n, Error *error)
{
  c->natom = n;
  c->most = (int)ceil(cbrt((double)n)) + 1; /* about as many cells as points */
  const size_t most = (size_t)c->most;
  c->head = arena_take(&c->arena, most * most * most, sizeof *c->head);
  c->next = arena_take(&c->arena, (size_t)n, sizeof *c->next);
  c->cell = arena_take(&c->arena, (size_t)n, sizeof *c->cell);
  return arena_check(&c->arena, "pairs of atoms that overlap", error);
}

Status contacts_create(Contacts **contacts, int n, Error *error)
{
  Contacts *made = *contacts = calloc(1, sizeof *made);
  TRY_MEMORY(made != NULL, "pairs of atoms that overlap", error);
  TRY_ELSE(fill(made, n, error), (contacts_free(made), *contacts = NULL));
  return STATUS_OK;
}

void contacts_free(Contacts *c)
{
  if (c == NULL)
    return;
  arena_free(&c->arena);
  free(c);
}

/* Neighbours are in adjacent cells. With two cells along an edge, each would be the other's neighbour
 * twice. */
static void choose_cells(Contacts *c)
{
  for (int d = 0; d < 3; d++) {
    const double fit = fmin(floor(box_height(c->box, d) / c->reach), c->most);
    c->n[d] = box_periodic(c->box) && fit >= 3.0 ? (int)fit : 1;
  }
}

static void fill_cells(Contacts *c)
{
  const int cells = c->n[0] * c->n[1] * c->n[2];
  for (int k = 0; k < cells; k++)
    c->head[k] = -1;
  for (int i = 0; i < c->natom; i++) {
    double u[3];
    int at[3];
    box_fractions(c->box, c->x[i], u);
    for (int d = 0; d < 3; d++) {
      at[d] = (int)((u[d] - floor(u[d])) * c->n[d]);
      at[d] = at[d] < c->n[d] ? at[d] : c->n[d] - 1;
    }
    c->cell[i] = (at[0] * c->n[1] + at[1]) * c->n[2] + at[2];
    c->next[i] = c->head[c->cell[i]];
    c->head[c->cell[i]] = i;
  }
}

/* Visits the atoms of a cell with index below i. */
static void look_into(const Contacts *c, int i, int cell)
{
  for (int k = c->head[cell]; k >= 0; k = c->next[k]) {
    double r[3];
    if (k >= i)
      continue;
    const double distance = sqrt(box_distance(c->box, c->x[i], c->x[k], r));
    if (distance < c->reach)
      c->visit(c->self, i, k, r, distance);
  }
}

static void look_around(const Contacts *c, int i)
{
  const int *n = c->n, at[3] = {c->cell[i] / (n[1] * n[2]), c->cell[i] / n[2] % n[1], c->cell[i] % n[2]};
  int near[3][3], count[3];
  for (int d = 0; d < 3; d++) {
    count[d] = n[d] > 1 ? 3 : 1;
    for (int k = 0; k < count[d]; k++)
      near[d][k] = n[d] > 1 ? (at[d] + k - 1 + n[d]) % n[d] : 0;
  }
  for (int p = 0; p < count[0]; p++)
    for (int q = 0; q < count[1]; q++)
      for (int r = 0; r < count[2]; r++)
        look_into(c, i, (near[0][p] * n[1] + near[1][q]) * n[2] + near[2][r]);
}

void contacts_visit(Contacts *c, const Box *box, double reach, const double (*x)[3], ContactsVisit *visit,
                    void *self)
{
  c->box = box;
  c->reach = reach;
  c->x = x;
  c->visit = visit;
  c->self = self;
  choose_cells(c);
  fill_cells(c);
  for (int i = 0; i < c->natom; i++)
    look_around(c, i);
}
