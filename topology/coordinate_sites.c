#include "topology/coordinate_sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "topology/coordinate_formula.h"

/* --- names ---------------------------------------------------------------------------------------------- */

static int lists_of(const CoordinateInput *input) { return coordinate_types[input->form].lists; }

static Status check_contacts(const CoordinateContacts *c, Error *error)
{
  if (c->radius > 0.0 && isfinite(c->radius) && c->n >= 1 && c->m > c->n && c->m <= COORDINATE_POWER)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "contacts need a positive radius, and two powers from 1 to %d, the lower one first, not %g, %d and %d",
      COORDINATE_POWER, c->radius, c->n, c->m);
}

static Status check(const CoordinateInput *input, const Topology *topology, Error *error)
{
  const CoordinateType *type = &coordinate_types[input->form];
  if (topology->dim != 3)
    return error_set(error, STATUS_INPUT, "a %s needs three dimensions, not %d", type->one, topology->dim);
  if (type->options == COORDINATE_CONTACTS)
    TRY(check_contacts(&input->contacts, error));
  if (type->options == COORDINATE_REFERENCE && input->reference == NULL)
    return error_set(error, STATUS_INPUT, "a %s needs positions of all atoms", type->one);
  for (int i = 0; i < lists_of(input); i++) {
    if (input->natom[i] < 1)
      return error_set(error, STATUS_INPUT, "site %d of a %s has no atoms", i + 1, type->one);
    for (int a = 0; a < input->natom[i]; a++)
      if (input->atom[i][a] < 0 || input->atom[i][a] >= topology->natom)
        return error_set(error, STATUS_INPUT, "a %s cannot have atom %d; the system has %d atoms", type->one,
                         input->atom[i][a], topology->natom);
  }
  return STATUS_OK;
}

static CoordinatePlace place_of(const Topology *topology, int atom)
{
  int k = 0;
  for (; atom >= topology->sort[k].nmol * topology->sort[k].kind->nsite; k++)
    atom -= topology->sort[k].nmol * topology->sort[k].kind->nsite;
  const int n = topology->sort[k].kind->nsite;
  return (CoordinatePlace){k, atom / n, atom % n};
}

static bool same_molecule(const CoordinatePlace *a, const CoordinatePlace *b)
{
  return a->sort == b->sort && a->molecule == b->molecule;
}

/* The places of a list, and their shares of its mass. */
static void place_list(const CoordinateInput *input, int list, const Topology *topology,
                       CoordinatePlace *place, double *share)
{
  double mass = 0.0;
  for (int a = 0; a < input->natom[list]; a++) {
    place[a] = place_of(topology, input->atom[list][a]);
    share[a] = topology->sort[place[a].sort].kind->mass[place[a].atom];
    mass += share[a];
  }
  for (int a = 0; a < input->natom[list]; a++)
    share[a] /= mass;
}

/* --- values --------------------------------------------------------------------------------------------- */

size_t coordinate_sites_memory(const CoordinateSites *sites)
{
  return 3 * ((size_t)sites->natom + 4 * (size_t)sites->nsite) + coordinate_formula_memory(sites);
}

CoordinateReading coordinate_sites_reading(const CoordinateSites *sites, Vec8 *memory)
{
  const ptrdiff_t n = 3 * (ptrdiff_t)sites->nsite;
  Vec8 *const rest = memory + (ptrdiff_t)3 * sites->natom;
  return (CoordinateReading){.x = memory,
                             .site = rest,
                             .v = rest + n,
                             .slope = rest + 2 * n,
                             .by = rest + 3 * n,
                             .part = rest + 4 * n,
                             .lanes = LANES};
}

double coordinate_sites_period(const CoordinateSites *c, const Box *box)
{
  const CoordinateType *type = &coordinate_types[c->form];
  return type->periodic ? 2.0 * M_PI : type->measure == COORDINATE_OFFSET ? box->h[c->axis][c->axis] : 0.0;
}

/* Moves vectors to their nearest images. */
static void make_nearest(const Box *box, Vec8 r[3])
{
  for (int l = 0; l < LANES; l++) {
    double one[3] = {r[0][l], r[1][l], r[2][l]};
    box_nearest(box, one);
    for (int d = 0; d < 3; d++)
      r[d][l] = one[d];
  }
}

/* Replaces vectors by those of `wanted` that are other images of them. */
static void take_images(const Vec8 wanted[3], Vec8 r[3])
{
  for (int l = 0; l < LANES; l++) {
    double most = 0.0;
    for (int d = 0; d < 3; d++)
      most = fmax(most, fabs(r[d][l] - wanted[d][l]));
    for (int d = 0; d < 3 && most > 1e-3; d++)
      r[d][l] = wanted[d][l];
  }
}

/* The vector from the first atom of a site to atom i, which is a nearest image if its molecule is another
 * one. The site's atoms of one molecule have the image of its first atom. */
static void from_first(const CoordinateSites *c, const Box *box, int first, int i, const Vec8 *x, Vec8 r[3])
{
  for (int d = 0; d < 3; d++)
    r[d] = x[3 * i + d] - x[3 * first + d];
  if (!c->apart || !box_periodic(box) || same_molecule(&c->place[first], &c->place[i]))
    return;
  make_nearest(box, r);
  int j = i;
  while (j > first && same_molecule(&c->place[j - 1], &c->place[i]))
    j--;
  if (j == i)
    return;
  Vec8 whole[3];
  for (int d = 0; d < 3; d++)
    whole[d] = x[3 * j + d] - x[3 * first + d];
  make_nearest(box, whole);
  for (int d = 0; d < 3; d++)
    whole[d] += x[3 * i + d] - x[3 * j + d];
  take_images(whole, r);
}

/* The centre of mass of the n atoms from `first` on. */
static void find_site(const CoordinateSites *c, const Box *box, int first, int n, const Vec8 *x, Vec8 site[3])
{
  Vec8 sum[3] = {{0.0}}, r[3];
  for (int i = first + 1; i < first + n; i++) {
    from_first(c, box, first, i, x, r);
    for (int d = 0; d < 3; d++)
      sum[d] += c->share[i] * r[d];
  }
  for (int d = 0; d < 3; d++)
    site[d] = x[3 * first + d] + sum[d];
}

/* Whether the sites' atoms, from numbers a and b on, are all of one molecule. */
static bool one_molecule(const CoordinateSites *c, int a, int na, int b, int nb)
{
  for (int i = 0; i < na + nb; i++)
    if (!same_molecule(&c->place[a], &c->place[i < na ? a + i : b + i - na]))
      return false;
  return true;
}

static void find_vectors(const CoordinateSites *c, const Box *box, CoordinateReading *r)
{
  if (coordinate_sites(c->form) == 0) {
    for (int i = 1; i < c->nsite; i++)
      from_first(c, box, 0, i, r->x, r->v + (ptrdiff_t)3 * (i - 1));
    return;
  }
  int begin[COORDINATE_LISTS];
  const bool single = c->natom == c->nsite; /* each site is an atom */
  for (int i = 0, at = 0; i < c->nsite; at += c->natoms[i++]) {
    begin[i] = at;
    if (!single)
      find_site(c, box, at, c->natoms[i], r->x, r->site + (ptrdiff_t)3 * i);
  }
  coordinate_between(c->form, c->nsite, single ? r->x : r->site, r->v);
  for (int k = 0; k < c->nsite - 1 && c->apart && box_periodic(box); k++) {
    int from, to;
    coordinate_ends(c->form, k, &from, &to);
    if (!one_molecule(c, begin[from], c->natoms[from], begin[to], c->natoms[to]))
      make_nearest(box, r->v + (ptrdiff_t)3 * k);
  }
}

/* --- creation ------------------------------------------------------------------------------------------- */

/* The sites of the reference, relative to their mean. */
static Status take_reference(CoordinateSites *sites, const CoordinateInput *input, Arena *arena, Error *error)
{
  const int n = sites->nsite;
  double(*reference)[3] = arena_take(arena, (size_t)n, sizeof *reference), middle[3] = {0.0};
  SCOPED(scoped_free)
  Vec8 *memory = aligned_alloc(sizeof(Vec8), coordinate_sites_memory(sites) * sizeof(Vec8));
  TRY(arena_check(arena, "a reference", error));
  TRY_MEMORY(memory != NULL, "a reference", error);
  CoordinateReading r = coordinate_sites_reading(sites, memory);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      r.x[3 * i + d] = vec8_set(input->reference[3 * input->atom[0][i] + d]);
  find_vectors(sites, &input->box, &r);
  for (int k = 3; k < 3 * n; k++) {
    reference[k / 3][k % 3] = r.v[k - 3][0];
    middle[k % 3] += r.v[k - 3][0] / n;
  }
  for (int k = 0; k < 3 * n; k++)
    reference[k / 3][k % 3] -= middle[k % 3];
  sites->reference = (const double(*)[3])reference;
  return STATUS_OK;
}

Status coordinate_sites_create(CoordinateSites *sites, const CoordinateInput *input, const Topology *topology,
                               Arena *arena, Error *error)
{
  const bool many = coordinate_types[input->form].nsite == 0;
  int all = 0;
  TRY(check(input, topology, error));
  if (coordinate_types[input->form].composed)
    return coordinate_formula_create(sites, input, topology, arena, error);
  for (int i = 0; i < lists_of(input); i++)
    all += input->natom[i];
  CoordinatePlace *place = arena_take(arena, (size_t)all, sizeof *place);
  int *natoms = arena_take(arena, (size_t)all, sizeof *natoms);
  double *share = arena_take(arena, (size_t)all, sizeof *share),
         *weight = arena_take(arena, (size_t)all, sizeof *weight);
  TRY(arena_check(arena, "a coordinate", error));
  for (int i = 0, at = 0; i < lists_of(input); at += input->natom[i++])
    place_list(input, i, topology, place + at, share + at);
  *sites = (CoordinateSites){.form = input->form,
                             .nsite = many ? all : lists_of(input),
                             .natom = all,
                             .natoms = natoms,
                             .place = place,
                             .share = share,
                             .weight = weight,
                             .axis = (input->axis + 2) % 3,
                             .contacts = input->contacts,
                             .first = input->natom[0],
                             .name = input->name};
  for (int i = 0; i < sites->nsite; i++) {
    natoms[i] = many ? 1 : input->natom[i];
    weight[i] = share[i];
    share[i] = many ? 1.0 : share[i];
  }
  for (int i = 1; i < all; i++)
    sites->apart = sites->apart || !same_molecule(&place[0], &place[i]);
  return coordinate_types[input->form].options == COORDINATE_REFERENCE
             ? take_reference(sites, input, arena, error)
             : STATUS_OK;
}

/* --- values of a few sites ------------------------------------------------------------------------------ */

/* Moves a position along the axis into the box, from 0 to its edge. */
static void take_inside(const CoordinateSites *c, const Box *box, Vec8 v[3])
{
  const double edge = coordinate_sites_period(c, box);
  for (int l = 0; l < LANES && edge > 0.0; l++)
    v[c->axis][l] -= edge * floor(v[c->axis][l] / edge);
}

static void swap(Vec8 *a, Vec8 *b)
{
  const Vec8 other = *a;
  *a = *b;
  *b = other;
}

/* Exchanges the axis and z, along which rows measure. */
static void turn_axis(const CoordinateSites *c, int n, Vec8 *v)
{
  for (int k = 0; k < n && c->axis != 2; k++)
    swap(&v[3 * k + c->axis], &v[3 * k + 2]);
}

/* The gradient by sites from that by vectors. */
static void sum_by_sites(const CoordinateSites *c, int n, CoordinateReading *r)
{
  memset(r->by, 0, 3 * (size_t)c->nsite * sizeof *r->by);
  for (int k = 0; k < n; k++) {
    int from, to;
    coordinate_ends(c->form, k, &from, &to);
    for (int d = 0; d < 3; d++) {
      r->by[3 * to + d] += r->slope[3 * k + d];
      if (from >= 0)
        r->by[3 * from + d] -= r->slope[3 * k + d];
    }
  }
}

/* --- sums over pairs ------------------------------------------------------------------------------------ */

static bool same_atom(const CoordinatePlace *a, const CoordinatePlace *b)
{
  return same_molecule(a, b) && a->atom == b->atom;
}

/* Adds a pair of sites i and j in lane l. */
static double add_pair(const CoordinateSites *c, const Box *box, int i, int j, int l, bool slopes,
                       CoordinateReading *r)
{
  double x[3], slope;
  for (int d = 0; d < 3; d++)
    x[d] = r->x[3 * j + d][l] - r->x[3 * i + d][l];
  box_nearest(box, x);
  const double value =
      coordinate_pairs_value(c->form, &c->contacts, x[0] * x[0] + x[1] * x[1] + x[2] * x[2], &slope);
  for (int d = 0; slopes && d < 3; d++) {
    r->by[3 * j + d][l] += slope * x[d];
    r->by[3 * i + d][l] -= slope * x[d];
    for (int e = 0; e < 3 && l == 0; e++)
      r->strain[d][e] += x[d] * slope * x[e];
  }
  return value;
}

static void read_pairs(const CoordinateSites *c, const Box *box, CoordinateReading *r, bool slopes)
{
  r->value = vec8_set(0.0);
  memset(r->by, 0, 3 * (size_t)c->nsite * sizeof *r->by);
  memset(r->strain, 0, sizeof r->strain);
  for (int l = 0; l < r->lanes; l++)
    for (int i = 0; i < c->first; i++)
      for (int j = c->first; j < c->natom; j++)
        if (!same_atom(&c->place[i], &c->place[j]))
          r->value[l] += add_pair(c, box, i, j, l, slopes, r);
}

/* --- all ------------------------------------------------------------------------------------------------ */

void coordinate_sites_read(const CoordinateSites *c, const Box *box, CoordinateReading *r, bool slopes)
{
  if (coordinate_types[c->form].composed) {
    coordinate_formula_read(c, box, r, slopes);
    return;
  }
  if (coordinate_types[c->form].pairs) {
    read_pairs(c, box, r, slopes);
    return;
  }
  const int n = coordinate_between_sites(c->form, c->nsite);
  find_vectors(c, box, r);
  if (coordinate_sites(c->form) == 1)
    take_inside(c, box, r->v);
  turn_axis(c, n, r->v);
  const CoordinateMany many = {c->weight, c->reference, (double *)r->by, r->lanes};
  coordinate_read(c->form, c->nsite, &many, r->v, &r->value, slopes ? r->slope : NULL);
  turn_axis(c, n, r->v);
  if (!slopes)
    return;
  turn_axis(c, n, r->slope);
  sum_by_sites(c, n, r);
}

void coordinate_sites_strain(const CoordinateSites *c, const CoordinateReading *r, double factor,
                             double (*sum)[3])
{
  const bool whole = coordinate_types[c->form].pairs || coordinate_types[c->form].composed;
  const int n = whole ? 0 : 3 * coordinate_between_sites(c->form, c->nsite);
  for (int k = 0; k < n; k++)
    for (int d = 0; d < 3; d++)
      sum[k % 3][d] += r->v[k][0] * factor * r->slope[k - k % 3 + d][0];
  for (int k = 0; k < 9 && whole; k++)
    sum[k / 3][k % 3] += factor * r->strain[k / 3][k % 3];
}
