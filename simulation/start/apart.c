#include "simulation/start/apart.h"

#include <math.h>
#include <string.h>

#include "engine/room.h"

enum { ROUNDS = 1000, STUCK = 20 /* rounds after which what still touches gets a random kick as well */ };
static const double kick = 0.2;      /* A, and radians: of each component, root mean square */
static const double beyond = 1.02;   /* of the distance, where pairs are pushed to */
static const double most_turn = 0.3; /* radians in a round                        */

/* What pushes a molecule. */
typedef struct Push {
  double centre[3];              /* of its atoms                                             */
  double move[3], turn[3], arms; /* sums over contacts: of moves, of arms x moves, of arms^2 */
  int n;                         /* contacts                                                 */
} Push;

typedef struct Apart {
  const Box *box;
  int nmol, natom, n[3]; /* cells along each edge: 1, or so many that neighbours are in those beside it */
  const int *first;
  double (*x)[3];
  int *molecule; /* [natom]                              */
  int *head;     /* [n[0] n[1] n[2]] an atom of each; -1 */
  int *next;     /* [natom] the next of its cell         */
  int *cell;     /* [natom]                              */
  Push *push;    /* [nmol]                               */
  double least;  /* of this round                        */
  RandomStream *stream;
} Apart;

/* --- cells ------------------------------------------------------------------------------------------------
 */

/* Not more than atoms, nearly; two cells along an edge are beside each other twice. */
static void choose_cells(Apart *a)
{
  const double most = ceil(cbrt((double)a->natom)) + 1.0;
  for (int d = 0; d < 3; d++) {
    const double fit = fmin(floor(box_height(a->box, d) / APART_DISTANCE), most);
    a->n[d] = fit >= 3.0 ? (int)fit : 1;
  }
}

static void fill_cells(Apart *a)
{
  const int cells = a->n[0] * a->n[1] * a->n[2];
  for (int c = 0; c < cells; c++)
    a->head[c] = -1;
  for (int i = 0; i < a->natom; i++) {
    double u[3];
    int at[3];
    box_fractions(a->box, a->x[i], u);
    for (int d = 0; d < 3; d++) {
      at[d] = (int)((u[d] - floor(u[d])) * a->n[d]);
      at[d] = at[d] < a->n[d] ? at[d] : a->n[d] - 1;
    }
    a->cell[i] = (at[0] * a->n[1] + at[1]) * a->n[2] + at[2];
    a->next[i] = a->head[a->cell[i]];
    a->head[a->cell[i]] = i;
  }
}

/* --- pushes -----------------------------------------------------------------------------------------------
 */

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

static void look_at(Apart *a, int i, int k)
{
  double r[3], there[3], back[3];
  const double far = sqrt(box_distance(a->box, a->x[i], a->x[k], r));
  if (far >= APART_DISTANCE)
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

/* Atoms of a cell that come before atom i. */
static void look_into(Apart *a, int i, int cell)
{
  for (int k = a->head[cell]; k >= 0; k = a->next[k])
    if (k < i && a->molecule[k] != a->molecule[i])
      look_at(a, i, k);
}

static void look_around(Apart *a, int i)
{
  const int *n = a->n, at[3] = {a->cell[i] / (n[1] * n[2]), a->cell[i] / n[2] % n[1], a->cell[i] % n[2]};
  int near[3][3], count[3];
  for (int d = 0; d < 3; d++) {
    count[d] = n[d] > 1 ? 3 : 1;
    for (int k = 0; k < count[d]; k++)
      near[d][k] = n[d] > 1 ? (at[d] + k - 1 + n[d]) % n[d] : 0;
  }
  for (int p = 0; p < count[0]; p++)
    for (int q = 0; q < count[1]; q++)
      for (int r = 0; r < count[2]; r++)
        look_into(a, i, (near[0][p] * n[1] + near[1][q]) * n[2] + near[2][r]);
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

/* --- moves ------------------------------------------------------------------------------------------------
 */

/* r turned about the axis by its length (Rodrigues). */
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

/* By the mean move of its contacts, and the turn that fits them best. */
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

/* Whether all are apart. */
static bool look(Apart *a)
{
  a->least = APART_DISTANCE;
  find_centres(a);
  fill_cells(a);
  for (int i = 0; i < a->natom; i++)
    look_around(a, i);
  return a->least >= APART_DISTANCE;
}

Status apart_move(const Box *box, int nmol, const int *first, double (*x)[3], RandomStream *stream,
                  double *least, Error *error)
{
  SCOPED(room_free) Room room = {0};
  Apart a = {.box = box, .nmol = nmol, .natom = first[nmol], .first = first, .x = x, .stream = stream};
  choose_cells(&a);
  a.head = room_take(&room, (size_t)a.n[0] * (size_t)a.n[1] * (size_t)a.n[2], sizeof *a.head);
  a.next = room_take(&room, (size_t)a.natom, sizeof *a.next);
  a.cell = room_take(&room, (size_t)a.natom, sizeof *a.cell);
  a.molecule = room_take(&room, (size_t)a.natom, sizeof *a.molecule);
  a.push = room_take(&room, (size_t)nmol, sizeof *a.push);
  TRY(room_check(&room, "molecules that are moved apart", error));
  for (int m = 0; m < nmol; m++)
    for (int i = first[m]; i < first[m + 1]; i++)
      a.molecule[i] = m;
  for (int round = 0; !look(&a) && round < ROUNDS; round++)
    for (int m = 0; m < nmol; m++)
      move_molecule(&a, m, round % STUCK == STUCK - 1 ? kick : 0.0);
  *least = a.least;
  return STATUS_OK;
}
