#include "simulation/start/apart.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"
#include "simulation/start/contacts.h"

SCOPED_POINTER(Contacts, contacts_free)

enum { ROUNDS = 1000, STUCK = 20 /* interval of rounds with random kicks */ };
static const double kick = 0.2;      /* A, and radians: of each component, root mean square */
static const double beyond = 1.02;   /* target of a push, as a multiple of the distance */
static const double most_turn = 0.3; /* radians per round */

/* Sums of the pushes on a molecule. */
typedef struct Push {
  double centre[3];              /* of its atoms */
  double move[3], turn[3], arms; /* sums over contacts: of moves, of arms x moves, of arms^2 */
  int n;                         /* contacts */
} Push;

typedef struct Apart {
  const Box *box;
  int nmol, natom;
  const int *first;
  double (*x)[3];
  Contacts *contacts;
  int *molecule; /* [natom] */
  Push *push;    /* [nmol] */
  double least;  /* of this round */
  RandomStream *stream;
} Apart;

/* --- pushes ------- */

static void add_push(Push *push, const double at[3], const double move[3])
{
  double arm[3];
  for (int d = 0; d < 3; d++) {
    arm[d] = at[d] - push->centre[d];
    push->move[d] += move[d];
    push->arms += arm[d] * arm[d];
  }
  for (int d = 0; d < 3; d++)
    push->turn[d] += arm[(d + 1) % 3] * move[(d + 2) % 3] - arm[(d + 2) % 3] * move[(d + 1) % 3];
  push->n++;
}

static void push_apart(void *self, int i, int k, const double r[3], double far)
{
  Apart *a = self;
  double there[3], back[3];
  if (a->molecule[k] == a->molecule[i])
    return;
  a->least = fmin(a->least, far);
  const double half = 0.5 * (beyond * APART_DISTANCE - far);
  for (int d = 0; d < 3; d++) {
    there[d] = far > 1e-6 ? half * r[d] / far : d == 0 ? half : 0.0;
    back[d] = -there[d];
  }
  add_push(&a->push[a->molecule[i]], a->x[i], there);
  add_push(&a->push[a->molecule[k]], a->x[k], back);
}

static void find_centres(Apart *a)
{
  for (int m = 0; m < a->nmol; m++) {
    Push *push = &a->push[m];
    const int n = a->first[m + 1] - a->first[m];
    *push = (Push){.n = 0};
    for (int i = a->first[m]; i < a->first[m + 1]; i++)
      for (int d = 0; d < 3; d++)
        push->centre[d] += a->x[i][d] / n;
  }
}

/* --- moves ------- */

/* Rotates r about the axis by its length (Rodrigues). */
static void turn(const double axis[3], double angle, double r[3])
{
  if (angle < 1e-12)
    return;
  const double c = cos(angle), s = sin(angle);
  double e[3], along = 0.0, out[3];
  for (int d = 0; d < 3; d++) {
    e[d] = axis[d] / angle;
    along += e[d] * r[d];
  }
  for (int d = 0; d < 3; d++)
    out[d] = c * r[d] + s * (e[(d + 1) % 3] * r[(d + 2) % 3] - e[(d + 2) % 3] * r[(d + 1) % 3]) +
             (1.0 - c) * along * e[d];
  memcpy(r, out, sizeof out);
}

/* Moves a molecule by the mean move of its contacts, and by the best-fitting rotation. */
static void move_molecule(Apart *a, int m, double random)
{
  const Push *push = &a->push[m];
  if (push->n == 0)
    return;
  double axis[3], move[3], angle = 0.0;
  for (int d = 0; d < 3; d++) {
    axis[d] = push->arms > 1e-12 ? push->turn[d] / push->arms : 0.0;
    move[d] = push->move[d] / push->n;
    if (random > 0.0) {
      axis[d] += random * random_normal(a->stream);
      move[d] += random * random_normal(a->stream);
    }
    angle += axis[d] * axis[d];
  }
  angle = sqrt(angle);
  const double scale = angle > most_turn ? most_turn / angle : 1.0;
  for (int d = 0; d < 3; d++)
    axis[d] *= scale;
  for (int i = a->first[m]; i < a->first[m + 1]; i++) {
    double r[3];
    for (int d = 0; d < 3; d++)
      r[d] = a->x[i][d] - push->centre[d];
    turn(axis, angle * scale, r);
    for (int d = 0; d < 3; d++)
      a->x[i][d] = push->centre[d] + r[d] + move[d];
  }
}

/* Computes the pushes; true: all molecules are apart. */
static bool look(Apart *a)
{
  a->least = APART_DISTANCE;
  find_centres(a);
  contacts_visit(a->contacts, a->box, APART_DISTANCE, (const double(*)[3])a->x, push_apart, a);
  return a->least >= APART_DISTANCE;
}

Status apart_move(const Box *box, int nmol, const int *first, double (*x)[3], RandomStream *stream,
                  double *least, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Apart a = {.box = box, .nmol = nmol, .natom = first[nmol], .first = first, .x = x, .stream = stream};
  SCOPED(contacts_free_at) Contacts *contacts = NULL;
  TRY(contacts_create(&contacts, a.natom, error));
  a.contacts = contacts;
  a.molecule = arena_take(&arena, (size_t)a.natom, sizeof *a.molecule);
  a.push = arena_take(&arena, (size_t)nmol, sizeof *a.push);
  TRY(arena_check(&arena, "molecules that are moved apart", error));
  for (int m = 0; m < nmol; m++)
    for (int i = first[m]; i < first[m + 1]; i++)
      a.molecule[i] = m;
  for (int round = 0; !look(&a) && round < ROUNDS; round++)
    for (int m = 0; m < nmol; m++)
      move_molecule(&a, m, round % STUCK == STUCK - 1 ? kick : 0.0);
  *least = a.least;
  return STATUS_OK;
}
