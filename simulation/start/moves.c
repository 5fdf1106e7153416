#include "simulation/start/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/place.h"
#include "simulation/start/binding.h"

static const double shake = 0.6, turn = 1.0; /* of all molecules at once: A, radians */
static const double bonded = 2.5;            /* longest hydrogen bond, H to O, A */
/* Half the distance of two anchors, below which a place is occupied and at which a molecule is placed: for
 * water, A; for other molecules, relative to their radius. */
static const double taken_water = 1.2, beside_water = 1.45, taken = 0.85, beside = 1.05;
static const double least_radius = 1.0; /* of an atom without Lennard-Jones, A */
/* Atoms closer than this fraction of the sum of their radii are moved apart, since a quench fails at their
 * forces; ROUNDS limits the attempts. */
static const double overlap = 0.6;
enum { ROUNDS = 100 };

/* One molecule. */
typedef struct Piece {
  const Kind *kind;
  size_t at;  /* index of its first coordinate */
  int anchor; /* the atom nearest to its centre of mass */
  bool water;
  double taken, beside;
  const double *radius; /* [kind->nsite] of its atoms, A */
} Piece;

struct Moves {
  size_t size; /* coordinates */
  int n, nwater, nturning;
  Piece *piece;
  int *water, *turning;    /* indices of waters, and of molecules of several atoms */
  bool touching;           /* some molecules are neither waters nor single atoms */
  bool patient;            /* the forces are the kernel of one water model, which tolerates overlaps */
  int *seen, *way, *donor; /* [n] scratch of find_ring */
  Binding *binding;        /* NULL: unknown */
  Arena arena;
};

/* --- making ------- */

static double distance2(const double *a, const double *b)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++)
    sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/* Copies the kind of a molecule with the centre of mass at the origin, if it is elsewhere. */
static Status centre_kind(Moves *g, const Kind *kind, const Kind **centred, Error *error)
{
  const double origin[3] = {0.0};
  double centre[3] = {0.0};
  for (int i = 0; i < 3 * kind->nsite; i++)
    centre[i % 3] += kind->mass[i / 3] * kind->reference[i] / kind_mass(kind);
  *centred = kind;
  if (distance2(centre, origin) < 1e-12)
    return STATUS_OK;
  Kind *own = arena_take(&g->arena, 1, sizeof *own);
  double *reference = arena_take(&g->arena, 3 * (size_t)kind->nsite, sizeof *reference);
  TRY(arena_check(&g->arena, "moves of molecules", error));
  for (int i = 0; i < 3 * kind->nsite; i++)
    reference[i] = kind->reference[i] - centre[i % 3];
  *own = *kind;
  own->reference = reference;
  *centred = own;
  return STATUS_OK;
}

/* The atom nearest to the centre of mass, which is at the origin. */
static int find_anchor(const Kind *kind)
{
  const double origin[3] = {0.0};
  double least = INFINITY;
  int found = 0;
  for (int i = 0; i < kind->nsite; i++) {
    const double r2 = distance2(kind->reference + (ptrdiff_t)3 * i, origin);
    if (r2 < least - 1e-9) {
      least = r2;
      found = i;
    }
  }
  return found;
}

/* Describes a molecule of a type whose first atom is `first`, except its place. */
static Status describe_piece(Moves *g, const TopologySort *sort, int first, Piece *piece, Error *error)
{
  const int n = sort->kind->nsite;
  double *radius = arena_take(&g->arena, (size_t)n, sizeof *radius), all = 0.0;
  TRY(arena_check(&g->arena, "moves of molecules", error));
  *piece = (Piece){.water = topology_is_water(sort), .radius = radius};
  TRY(centre_kind(g, sort->kind, &piece->kind, error));
  piece->anchor = find_anchor(piece->kind);
  const double *x = piece->kind->reference;
  for (int i = 0; i < n; i++) {
    const double own = g->binding != NULL ? binding_radius(g->binding, first + i) : taken_water / taken;
    radius[i] = fmax(own, least_radius);
    all = fmax(all, own + sqrt(distance2(x + (ptrdiff_t)3 * i, x + (ptrdiff_t)3 * piece->anchor)));
  }
  piece->taken = piece->water ? taken_water : taken * all;
  piece->beside = piece->water ? beside_water : beside * all;
  g->touching = g->touching || (!piece->water && n > 1);
  return STATUS_OK;
}

static Status fill(Moves *g, const Topology *t, Error *error)
{
  const size_t n = (size_t)t->nmol;
  g->piece = arena_take(&g->arena, n, sizeof *g->piece);
  int **list[] = {&g->water, &g->turning, &g->seen, &g->way, &g->donor};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    *list[i] = arena_take(&g->arena, n, sizeof **list[i]);
  TRY(arena_check(&g->arena, "moves of molecules", error));
  int atom = 0;
  for (int k = 0; k < t->nsort; k++) {
    Piece piece = {0};
    if (t->sort[k].nmol > 0)
      TRY(describe_piece(g, &t->sort[k], atom, &piece, error));
    for (int m = 0; m < t->sort[k].nmol; m++, atom += piece.kind->nsite) {
      piece.at = 3 * (size_t)atom;
      if (piece.water)
        g->water[g->nwater++] = g->n;
      if (piece.kind->nsite > 1)
        g->turning[g->nturning++] = g->n;
      g->piece[g->n++] = piece;
    }
  }
  return STATUS_OK;
}

Status moves_create(Moves **moves, const Topology *t, const ForceField *field, const State *shape,
                    Error *error)
{
  Moves *g = *moves = calloc(1, sizeof *g);
  TRY_MEMORY(g != NULL, "moves of molecules", error);
  g->size = topology_coordinates(t);
  g->patient = field->n > 0 && strcmp(field->force[0].ops->name, "pair") == 0;
  TRY_ELSE(binding_create(&g->binding, t, field, shape, error), (moves_free(g), *moves = NULL));
  TRY_ELSE(fill(g, t, error), (moves_free(g), *moves = NULL));
  return STATUS_OK;
}

void moves_free(Moves *moves)
{
  if (moves == NULL)
    return;
  binding_free(moves->binding);
  arena_free(&moves->arena);
  free(moves);
}

/* --- molecules ------- */

static const double *anchor_of(const Moves *g, const double *x, int m)
{
  return x + g->piece[m].at + (size_t)3 * (size_t)g->piece[m].anchor;
}

static void random_direction(RandomStream *random, double unit[3])
{
  double norm = 0.0;
  for (int d = 0; d < 3; d++) {
    unit[d] = random_normal(random);
    norm += unit[d] * unit[d];
  }
  for (int d = 0; d < 3; d++)
    unit[d] /= sqrt(norm);
}

/* Rotates a molecule about `centre` by an angle about an axis. */
static void rotate(const Moves *g, int m, double angle, const double axis[3], const double centre[3],
                   double *all)
{
  const double c = cos(angle), s = sin(angle);
  double *x = all + g->piece[m].at;
  for (int i = 0; i < g->piece[m].kind->nsite; i++, x += 3) {
    const double r[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
    const double along = (1.0 - c) * (axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2]);
    for (int d = 0; d < 3; d++) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      x[d] = centre[d] + c * r[d] + along * axis[d] + s * (axis[e] * r[f] - axis[f] * r[e]);
    }
  }
}

/* Rotates a molecule about its anchor by a random angle. */
static void reorient(const Moves *g, RandomStream *random, double most, int m, double *x)
{
  double axis[3], centre[3];
  memcpy(centre, anchor_of(g, x, m), sizeof centre);
  random_direction(random, axis);
  rotate(g, m, most * (2.0 * random_uniform(random) - 1.0), axis, centre, x);
}

static void shift(const Moves *g, int m, const double by[3], double *x)
{
  for (int i = 0; i < 3 * g->piece[m].kind->nsite; i++)
    x[g->piece[m].at + (size_t)i] += by[i % 3];
}

/* --- molecules beside each other ------- */

/* Whether a place is free of the anchors of the first n molecules, except `self`. */
static bool has_room(const Moves *g, const double *x, int n, int self, const double at[3])
{
  for (int m = 0; m < n; m++) {
    const double nearest = g->piece[m].taken + g->piece[self].taken;
    if (m != self && distance2(anchor_of(g, x, m), at) < nearest * nearest)
      return false;
  }
  return true;
}

/* The distance along `unit` from `from` to the last point at distance c from `obstacle`; -INFINITY: there is
 * no such point. */
static double last_contact(const double *from, const double *obstacle, const double unit[3], double c)
{
  double along = 0.0;
  for (int d = 0; d < 3; d++)
    along += unit[d] * (from[d] - obstacle[d]);
  const double under = along * along - distance2(from, obstacle) + c * c;
  return under < 0.0 ? -(double)INFINITY : sqrt(under) - along;
}

/* Moves molecule m along `unit`, from far away, until it touches one of the first n. */
static void touch(const Moves *g, int n, int m, const double unit[3], double *x)
{
  double far = -INFINITY, by[3];
  const Piece *own = &g->piece[m];
  for (int k = 0; k < n; k++)
    for (int i = 0; k != m && i < own->kind->nsite; i++)
      for (int j = 0; j < g->piece[k].kind->nsite; j++)
        far = fmax(far, last_contact(x + own->at + (ptrdiff_t)3 * i, x + g->piece[k].at + (ptrdiff_t)3 * j,
                                     unit, taken * (own->radius[i] + g->piece[k].radius[j])));
  for (int d = 0; d < 3; d++)
    by[d] = isfinite(far) ? far * unit[d] : 0.0;
  shift(g, m, by, x);
}

/* Places molecule m next to another of the first n, with random orientation. */
static void put_beside(const Moves *g, RandomStream *random, int n, int m, double *x)
{
  double at[3] = {0.0, 0.0, 0.0}, unit[3] = {1.0, 0.0, 0.0};
  for (int tries = 0; tries < 100; tries++) {
    int other = (int)random_below(random, (uint32_t)n);
    other = other == m ? (other + 1) % n : other;
    random_direction(random, unit);
    for (int d = 0; d < 3; d++)
      at[d] = anchor_of(g, x, other)[d] + (g->piece[other].beside + g->piece[m].beside) * unit[d];
    if (other != m && has_room(g, x, n, m, at))
      break;
  }
  place_molecule(g->piece[m].kind, random, at, x + g->piece[m].at);
  if (g->touching)
    touch(g, n, m, unit, x);
}

/* Pushes two molecules apart if atoms overlap. */
static bool push_apart(const Moves *g, int m, int n, double *x)
{
  bool any = false;
  const Piece *one = &g->piece[m], *other = &g->piece[n];
  for (int i = 0; i < one->kind->nsite; i++)
    for (int j = 0; j < other->kind->nsite; j++) {
      const double *a = x + one->at + (ptrdiff_t)3 * i, *b = x + other->at + (ptrdiff_t)3 * j;
      const double least = overlap * (one->radius[i] + other->radius[j]), r = sqrt(distance2(a, b));
      double there[3], back[3];
      if (r >= least)
        continue;
      for (int d = 0; d < 3; d++) {
        const double unit = r > 1e-6 ? (a[d] - b[d]) / r : d == 0;
        there[d] = 0.51 * (least - r) * unit;
        back[d] = -there[d];
      }
      shift(g, m, there, x);
      shift(g, n, back, x);
      any = true;
    }
  return any;
}

/* Pushes molecules apart until none overlap. The kernel of one water model does not need this: it reports no
 * force as too large, and a quench that begins with an overlap ends without a minimum. */
static void separate(const Moves *g, double *x)
{
  bool any = !g->patient;
  for (int round = 0; round < ROUNDS && any; round++) {
    any = false;
    for (int m = 0; m < g->n; m++)
      for (int n = m + 1; n < g->n; n++)
        any = push_apart(g, m, n, x) || any;
  }
}

void moves_start(const Moves *moves, RandomStream *random, double *x)
{
  const double origin[3] = {0.0, 0.0, 0.0};
  place_molecule(moves->piece[0].kind, random, origin, x);
  for (int m = 1; m < moves->n; m++)
    put_beside(moves, random, m, m, x);
  separate(moves, x);
}

/* --- moves ------- */

static void shake_all(const Moves *g, RandomStream *random, double *x)
{
  const double size = 0.5 + 2.0 * random_uniform(random);
  for (int m = 0; m < g->n; m++) {
    double by[3];
    for (int d = 0; d < 3; d++)
      by[d] = size * shake * (2.0 * random_uniform(random) - 1.0);
    shift(g, m, by, x);
    if (g->piece[m].kind->nsite > 1)
      reorient(g, random, size * turn, m, x);
  }
}

/* Rotates some molecules, so that hydrogen bonds change while oxygens stay. */
static void turn_some(const Moves *g, RandomStream *random, double *x)
{
  const int n = g->nturning;
  const int most = n < 4 ? n : 4 + (n - 4) / 4, some = 1 + (int)random_below(random, (uint32_t)most);
  for (int i = 0; i < some; i++)
    reorient(g, random, acos(-1.0), g->turning[random_below(random, (uint32_t)n)], x);
}

/* The water that accepts a hydrogen bond of water m; -1: none. */
static int acceptor(const Moves *g, const double *x, int m, int hydrogen)
{
  int found = -1;
  double least = bonded * bonded;
  for (int k = 0; k < g->nwater; k++) {
    const int to = g->water[k];
    const double r2 = distance2(x + g->piece[m].at + (ptrdiff_t)3 * hydrogen, x + g->piece[to].at);
    if (to != m && r2 < least) {
      least = r2;
      found = to;
    }
  }
  return found;
}

/* Follows hydrogen bonds from donor to acceptor until a molecule repeats. Returns the index of the ring's
 * first molecule in `way`; *length: the number of molecules in `way`; -1: the path ended. */
static int find_ring(const Moves *g, RandomStream *random, const double *x, int *length)
{
  for (int m = 0; m < g->n; m++)
    g->seen[m] = -1;
  int at = g->water[random_below(random, (uint32_t)g->nwater)];
  for (*length = 0; at >= 0 && g->seen[at] < 0; (*length)++) {
    const int one = 1 + (int)random_below(random, 2);
    const int to = acceptor(g, x, at, one);
    g->seen[at] = *length;
    g->way[*length] = at;
    g->donor[*length] = to >= 0 ? one : 3 - one;
    at = to >= 0 ? to : acceptor(g, x, at, 3 - one);
  }
  return at >= 0 ? g->seen[at] : -1;
}

/* Reverses a ring of hydrogen bonds: each molecule turns its hydrogen from the next molecule to the previous
 * one. */
static bool reverse_ring(const Moves *g, RandomStream *random, const double *from, double *x)
{
  int length;
  const int first = find_ring(g, random, from, &length);
  if (first < 0)
    return false;
  for (int k = first; k < length; k++) {
    const double *to = from + g->piece[g->way[k > first ? k - 1 : length - 1]].at;
    const Piece *piece = &g->piece[g->way[k]];
    memcpy(x + piece->at + (ptrdiff_t)3 * g->donor[k], to, 3 * sizeof *x);
    if (!isfinite(place_rigid(piece->kind, x + piece->at)))
      return false;
  }
  return true;
}

/* The least bound molecule, or sometimes a random one. */
static int weakest(const Moves *g, RandomStream *random, const double *x)
{
  if (random_below(random, 3) == 0 || g->binding == NULL)
    return (int)random_below(random, (uint32_t)g->n);
  return binding_weakest(g->binding, x);
}

/* Rotates the part of the cluster on one side of a plane about the plane's normal. */
static void twist(const Moves *g, RandomStream *random, double *x)
{
  const double origin[3] = {0.0, 0.0, 0.0}, angle = 2.0 * acos(-1.0) * random_uniform(random);
  double axis[3];
  random_direction(random, axis);
  for (int m = 0; m < g->n; m++) {
    const double *a = anchor_of(g, x, m);
    if (a[0] * axis[0] + a[1] * axis[1] + a[2] * axis[2] > 0.0)
      rotate(g, m, angle, axis, origin, x);
  }
}

static void move(const Moves *g, RandomStream *random, const double *from, double *to)
{
  const double which = random_uniform(random);
  memcpy(to, from, g->size * sizeof *to);
  if (which < 0.3 && g->nwater > 1 && reverse_ring(g, random, from, to))
    return;
  memcpy(to, from, g->size * sizeof *to);
  if (which < 0.5 && g->nturning > 0)
    turn_some(g, random, to);
  else if (which < 0.65)
    shake_all(g, random, to);
  else if (which < 0.9)
    put_beside(g, random, g->n, weakest(g, random, from), to);
  else
    twist(g, random, to);
}

void moves_propose(const Moves *moves, RandomStream *random, const double *from, double *to)
{
  move(moves, random, from, to);
  separate(moves, to);
}
