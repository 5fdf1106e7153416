#include <math.h>
#include <string.h>

#include "observables/hydrogen_bonds_private.h"

/* --- cells ------- */

/* Cells along an edge: at most about as many in all as there are acceptors. */
static int most_cells(const HydrogenBonds *h) { return (int)cbrt(h->list.nacceptor) + 1; }

void hydrogen_bonds_search_create(HydrogenBonds *h, HydrogenBondScene *scene)
{
  const size_t donors = (size_t)h->list.ndonor, acceptors = (size_t)h->list.nacceptor;
  const size_t most = (size_t)most_cells(h);
  scene->donor = observable_arena(h, donors, sizeof *scene->donor);
  scene->hydrogen = observable_arena(h, donors * HYDROGEN_BONDS_HYDROGENS, sizeof *scene->hydrogen);
  scene->acceptor = observable_arena(h, acceptors, sizeof *scene->acceptor);
  scene->order = observable_arena(h, acceptors, sizeof *scene->order);
  scene->cell = observable_arena(h, acceptors, sizeof *scene->cell);
  scene->start = observable_arena(h, most * most * most + 2, sizeof *scene->start);
}

/* The cells of an open system cover the acceptors. */
static void cover(const HydrogenBonds *h, HydrogenBondScene *scene, double size[3])
{
  double high[3];
  for (int d = 0; d < 3; d++) {
    scene->low[d] = INFINITY;
    high[d] = -INFINITY;
    for (int a = 0; a < h->list.nacceptor; a++) {
      scene->low[d] = fmin(scene->low[d], scene->acceptor[a][d]);
      high[d] = fmax(high[d], scene->acceptor[a][d]);
    }
    size[d] = high[d] - scene->low[d];
  }
}

/* The indices of a point's cell along the edges. A point that is not a number is in the first cell. */
static void cell_at(const HydrogenBondScene *scene, const double x[3], int at[3])
{
  double u[3], shift[3], inside[3];
  if (box_periodic(&scene->box)) {
    box_inside(&scene->box, x, shift);
    for (int d = 0; d < 3; d++)
      inside[d] = x[d] + shift[d];
    box_fractions(&scene->box, inside, u);
  } else
    for (int d = 0; d < 3; d++)
      u[d] = (x[d] - scene->low[d]) * scene->scale[d];
  for (int d = 0; d < 3; d++)
    at[d] = (int)fmax(0.0, fmin(u[d] * scene->ncell[d], scene->ncell[d] - 1));
}

static int cell_number(const HydrogenBondScene *scene, const int at[3])
{
  return (at[0] * scene->ncell[1] + at[1]) * scene->ncell[2] + at[2];
}

void hydrogen_bonds_search_sort(const HydrogenBonds *h, HydrogenBondScene *scene, const Box *box)
{
  const bool periodic = box_periodic(box);
  double size[3];
  scene->box = *box;
  if (!periodic)
    cover(h, scene, size);
  for (int d = 0; d < 3; d++) {
    const double length = periodic ? box_height(box, d) : size[d];
    scene->ncell[d] = (int)fmax(1.0, fmin(floor(length / h->distance), most_cells(h)));
    scene->scale[d] = !periodic && size[d] > 0.0 ? 1.0 / size[d] : 0.0;
  }
  const int cells = scene->ncell[0] * scene->ncell[1] * scene->ncell[2];
  memset(scene->start, 0, ((size_t)cells + 2) * sizeof *scene->start);
  for (int a = 0; a < h->list.nacceptor; a++) {
    int at[3];
    cell_at(scene, scene->acceptor[a], at);
    scene->cell[a] = cell_number(scene, at);
    scene->start[scene->cell[a] + 2]++;
  }
  for (int c = 1; c <= cells; c++)
    scene->start[c + 1] += scene->start[c];
  for (int a = 0; a < h->list.nacceptor; a++)
    scene->order[scene->start[scene->cell[a] + 1]++] = a;
}

/* The cells around a cell along edge d: [*n] indices, all different. */
static void around(const HydrogenBondScene *scene, int d, int at, int *n, int index[3])
{
  const int cells = scene->ncell[d];
  const bool periodic = box_periodic(&scene->box);
  *n = 0;
  for (int k = -1; k <= 1; k++) {
    const int to = periodic ? (at + k + cells) % cells : at + k;
    const bool known = (*n > 0 && index[0] == to) || (*n > 1 && index[1] == to);
    if (to >= 0 && to < cells && !known)
      index[(*n)++] = to;
  }
}

/* --- the criterion ------- */

/* The pairs of selections, a bit each, that a bond belongs to. */
static uint32_t pairs_of(const HydrogenBondAtom *donor, const HydrogenBondAtom *acceptor)
{
  return (donor->first & acceptor->second) | (donor->second & acceptor->first);
}

typedef enum Bonding { FAR, APART, BONDED } Bonding;

/* r: from D to A, at the nearest image. */
static Bonding bonding(const HydrogenBonds *h, const HydrogenBondScene *scene, int donor, int acceptor)
{
  double r[3];
  const double *const D = scene->donor[donor];
  const double r2 = box_distance(&scene->box, scene->acceptor[acceptor], D, r);
  if (!(r2 <= h->distance * h->distance))
    return FAR;
  for (int k = 0; k < h->list.donor[donor].nhydrogen; k++) {
    const double *const H = scene->hydrogen[donor * HYDROGEN_BONDS_HYDROGENS + k];
    double dot = 0.0, u2 = 0.0;
    for (int d = 0; d < 3; d++) {
      dot += (H[d] - D[d]) * r[d];
      u2 += (H[d] - D[d]) * (H[d] - D[d]);
    }
    if (dot >= h->cosine * sqrt(u2 * r2))
      return BONDED;
  }
  return APART;
}

/* --- one sample ------- */

static bool same_atom(const HydrogenBondAtom *a, const HydrogenBondAtom *b)
{
  return a->site == b->site && a->molecule == b->molecule && a->block == b->block;
}

/* Counts the bonds of a donor, and lists the acceptors of as many as it has slots. */
static void count_donor(const HydrogenBonds *h, const HydrogenBondScene *scene, int donor, int32_t *now,
                        int64_t *sum)
{
  const HydrogenBondAtom *const is = &h->list.donor[donor].is;
  const int slots = h->slot[donor + 1] - h->slot[donor];
  int32_t *const to = now + h->slot[donor];
  int at[3], n[3], index[3][3], found = 0;
  memset(to, 0, (size_t)slots * sizeof *to);
  cell_at(scene, scene->donor[donor], at);
  for (int d = 0; d < 3; d++)
    around(scene, d, at[d], &n[d], index[d]);
  for (int k = 0; k < n[0] * n[1] * n[2]; k++) {
    const int cell = cell_number(
        scene, (const int[3]){index[0][k / (n[1] * n[2])], index[1][k / n[2] % n[1]], index[2][k % n[2]]});
    for (int i = scene->start[cell]; i < scene->start[cell + 1]; i++) {
      const int a = scene->order[i];
      const uint32_t pairs = pairs_of(is, &h->list.acceptor[a]);
      if (pairs == 0 || same_atom(is, &h->list.acceptor[a]) || bonding(h, scene, donor, a) != BONDED)
        continue;
      for (int p = 0; p < h->list.n; p++)
        sum[p] += pairs >> p & 1;
      if (found < slots)
        to[found] = a + 1;
      found++;
    }
  }
  sum[h->list.n] += found > slots ? found - slots : 0;
}

/* Compares a bond of an origin with the sample. */
static void compare(const HydrogenBonds *h, const HydrogenBondScene *scene, int donor, int32_t *bond,
                    int64_t *sum)
{
  const int acceptor = (*bond > 0 ? *bond : -*bond) - 1;
  const uint32_t pairs = pairs_of(&h->list.donor[donor].is, &h->list.acceptor[acceptor]);
  const Bonding is = bonding(h, scene, donor, acceptor);
  if (is != BONDED)
    *bond = -(acceptor + 1);
  for (int p = 0; p < h->list.n; p++, sum += BONDS_CURVES) {
    if ((pairs >> p & 1) == 0)
      continue;
    sum[BONDS_FIRST]++;
    sum[BONDS_AGAIN] += is == BONDED;
    sum[BONDS_SINCE] += *bond > 0;
    sum[BONDS_APART] += is == APART;
  }
}

void hydrogen_bonds_search_count(const HydrogenBonds *h, const HydrogenBondScene *scene, int series,
                                 int begin, int end, int32_t *now, int64_t *sum)
{
  const int64_t n = h->clock[series].n, first = h->slot[begin], last = h->slot[end];
  memset(sum, 0, hydrogen_bonds_sums(h) * sizeof *sum);
  for (int d = begin; d < end; d++)
    count_donor(h, scene, d, now, sum);
  if (!h->followed)
    return;
  int32_t *const origin = h->origin + (ptrdiff_t)series * h->norigin * h->slots;
  if (n % h->every == 0)
    memcpy(origin + n / h->every % h->norigin * h->slots + first, now + first,
           (size_t)(last - first) * sizeof *now);
  else
    sum[h->list.n] = 0;
  for (int o = 0; o < h->norigin; o++) {
    const int64_t age = observable_origin_age(n, h->every, h->norigin, o);
    if (age < 0 || age >= h->nlag)
      continue;
    for (int d = begin; d < end; d++)
      for (int k = h->slot[d]; k < h->slot[d + 1]; k++)
        if (origin[o * h->slots + k] != 0)
          compare(h, scene, d, &origin[o * h->slots + k],
                  sum + h->list.n + 1 + (ptrdiff_t)o * h->list.n * BONDS_CURVES);
  }
}
