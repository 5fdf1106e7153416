#include "topology/coordinate_formula.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "formula/expression.h"

/* For each coordinate: its value, the derivative by it, and a tensor of 9 numbers. */
enum { EACH = 4, TENSOR = 2 };

size_t coordinate_formula_memory(const CoordinateSites *sites)
{
  size_t memory = (size_t)EACH * (size_t)sites->nchild;
  for (int i = 0; i < sites->nchild; i++)
    memory += coordinate_sites_memory(&sites->child[i]);
  return memory;
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status create_children(CoordinateSites *child, const CoordinateInput *input, const Topology *topology,
                              Arena *arena, int *natom, Error *error)
{
  *natom = 0;
  for (int i = 0; i < input->nchild; i++) {
    TRY(coordinate_sites_create(&child[i], &input->child[i], topology, arena, error));
    *natom += child[i].natom;
  }
  return STATUS_OK;
}

Status coordinate_formula_create(CoordinateSites *sites, const CoordinateInput *input,
                                 const Topology *topology, Arena *arena, Error *error)
{
  int natom;
  if (input->formula == NULL || input->nchild < 1)
    return error_set(error, STATUS_INPUT, "a formula needs a text with the name of a coordinate");
  CoordinateSites *child = arena_take(arena, (size_t)input->nchild, sizeof *child);
  TRY(arena_check(arena, "a formula", error));
  TRY(create_children(child, input, topology, arena, &natom, error));
  CoordinatePlace *place = arena_take(arena, (size_t)natom, sizeof *place);
  int *natoms = arena_take(arena, (size_t)natom, sizeof *natoms);
  double *share = arena_take(arena, (size_t)natom, sizeof *share);
  TRY(arena_check(arena, "a formula", error));
  *sites = (CoordinateSites){.form = input->form,
                             .nsite = natom,
                             .natom = natom,
                             .natoms = natoms,
                             .place = place,
                             .share = share,
                             .weight = share,
                             .name = input->name,
                             .text = input->text,
                             .formula = input->formula,
                             .nchild = input->nchild,
                             .child = child};
  for (int i = 0, at = 0; i < input->nchild; at += child[i++].natom)
    memcpy(place + at, child[i].place, (size_t)child[i].natom * sizeof *place);
  for (int i = 0; i < natom; i++) {
    natoms[i] = 1;
    share[i] = 1.0;
    sites->apart = sites->apart || place[i].sort != place[0].sort || place[i].molecule != place[0].molecule;
  }
  return STATUS_OK;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* Reads the coordinates, whose readings follow each other in memory. */
static void read_children(const CoordinateSites *c, const Box *box, CoordinateReading *r, bool slopes)
{
  const Vec8 *x = r->x;
  Vec8 *tensor = r->part + (ptrdiff_t)(EACH - TENSOR) * c->nchild,
       *memory = tensor + (ptrdiff_t)TENSOR * c->nchild;
  for (int i = 0; i < c->nchild; i++, tensor += TENSOR) {
    const CoordinateSites *of = &c->child[i];
    CoordinateReading child = coordinate_sites_reading(of, memory);
    double strain[3][3] = {{0.0}};
    memcpy(child.x, x, 3 * (size_t)of->natom * sizeof *x);
    child.lanes = r->lanes;
    coordinate_sites_read(of, box, &child, slopes);
    r->part[i] = child.value;
    if (slopes)
      coordinate_sites_strain(of, &child, 1.0, strain);
    memcpy(tensor, strain, sizeof strain);
    x += (ptrdiff_t)3 * of->natom;
    memory += coordinate_sites_memory(of);
  }
}

/* Sets lanes that are not in use, whose positions may have no value, to 0. */
static void clear_lanes(int lanes, int n, Vec8 *value)
{
  for (int i = 0; i < n; i++)
    for (int l = lanes; l < LANES; l++)
      value[i][l] = 0.0;
}

/* The gradient by atoms and the strain, from those of the coordinates. */
static void apply_chain_rule(const CoordinateSites *c, CoordinateReading *r)
{
  const Vec8 *const slope = r->part + c->nchild;
  Vec8 *tensor = r->part + (ptrdiff_t)(EACH - TENSOR) * c->nchild,
       *memory = tensor + (ptrdiff_t)TENSOR * c->nchild, *by = r->by;
  memset(r->strain, 0, sizeof r->strain);
  for (int i = 0; i < c->nchild; i++, tensor += TENSOR) {
    const CoordinateSites *of = &c->child[i];
    const CoordinateReading child = coordinate_sites_reading(of, memory);
    double strain[3][3];
    for (int s = 0, atom = 0; s < of->nsite; s++)
      for (int a = 0; a < of->natoms[s]; a++, atom++)
        for (int d = 0; d < 3; d++)
          *by++ = slope[i] * (of->share[atom] * child.by[3 * s + d]);
    memcpy(strain, tensor, sizeof strain);
    for (int k = 0; k < 9; k++)
      r->strain[k / 3][k % 3] += slope[i][0] * strain[k / 3][k % 3];
    memory += coordinate_sites_memory(of);
  }
  clear_lanes(r->lanes, 3 * c->natom, r->by);
}

void coordinate_formula_read(const CoordinateSites *c, const Box *box, CoordinateReading *r, bool slopes)
{
  read_children(c, box, r, slopes);
  expression_lanes(c->formula, r->part, &r->value, slopes ? r->part + c->nchild : NULL);
  clear_lanes(r->lanes, 1, &r->value);
  if (slopes)
    apply_chain_rule(c, r);
}

/* --- faults --------------------------------------------------------------------------------------------- */

bool coordinate_formula_sound(const CoordinateSites *c, const CoordinateReading *r, int lane)
{
  bool known = true, finite = isfinite(r->value[lane]);
  for (int i = 0; i < 3 * c->natom; i++) {
    known = known && isfinite(r->x[i][lane]);
    finite = finite && isfinite(r->by[i][lane]);
  }
  return finite || !known;
}

void coordinate_formula_append(const CoordinateSites *c, const CoordinateReading *r, int lane, char *words,
                               size_t size)
{
  for (int i = 0; i < c->nchild; i++) {
    const CoordinateSites *of = &c->child[i];
    const double unit = coordinate_types[of->form].angle ? 180.0 / M_PI : 1.0;
    text_append(words, size, "%s%s = %.6g%s", i > 0 ? ", " : "", of->name != NULL ? of->name : "?",
                r->part[i][lane] * unit, coordinate_types[of->form].unit);
  }
}
