#include "engine/radial.h"
#include "integrators/motion_hot.h"

#include <stdlib.h>
#include <string.h>

enum {
  GROUPS = WIDTH_MAX / LANES, /* packs of one molecule's replicas */
  PIECE = 32                  /* packs of one large replica in a partial sum, for any number of threads */
};

ISA_DECLARE(MotionKernels, motion_kernels_table);

static bool is_even(int npart, const MotionGiven *part)
{
  for (int i = 0; i < npart; i++)
    for (int s = 0; s < part[i].kind->nsite; s++)
      if ((part[i].weight == NULL) != (part[0].weight == NULL) ||
          (part[i].weight != NULL && part[i].weight[s] != part[0].weight[0]))
        return false;
  return true;
}

static Status check_free(const Kind *kind, Error *error)
{
  for (int c = 0; c < kind->ncon; c++)
    if (kind->con[c].nsite == 1 || !radial_is(kind->con[c].type))
      return error_set(error, STATUS_INPUT,
                       "'%s' is fixed in space by constraint %d (%s), so motion of the whole cannot be "
                       "removed: set the removal to none",
                       kind->name, c + 1, kind->con[c].type->name);
  return STATUS_OK;
}

Status motion_create(Motion **motion, int npart, const MotionGiven *part, Removal removal, Isa isa,
                     Error *error)
{
  *motion = NULL;
  const bool even = is_even(npart, part);
  size_t sites = 0;
  for (int i = 0; i < npart; i++) {
    TRY(removal != REMOVE_NONE ? check_free(part[i].kind, error) : STATUS_OK);
    sites += (size_t)part[i].kind->nsite;
  }
  Motion *m = malloc(sizeof *m);
  MotionKind *own = malloc((size_t)npart * sizeof *own + sites * sizeof(double));
  if (m == NULL || own == NULL) {
    free(m);
    free(own);
    return error_memory(error, "the removal of motion");
  }
  *m = (Motion){.kernels = ISA_PICK(motion_kernels_table, isa),
                .removal = removal,
                .angular = removal == REMOVE_ANGULAR,
                .even = even,
                .nkind = npart,
                .kind = own};
  double *scale = (double *)(own + npart);
  for (int i = 0; i < npart; i++) {
    const Kind *kind = part[i].kind;
    const bool large = kind->nsite > MOTION_COORDINATES / kind->dim;
    own[i] = (MotionKind){.projector = even ? NULL : part[i].projector,
                          .field = large ? (size_t)kind->nsite * (size_t)kind->dim : 0,
                          .scale = scale};
    for (int s = 0; s < kind->nsite; s++)
      *scale++ = kind->mass[s] * (even || part[i].weight == NULL ? 1.0 : part[i].weight[s]);
  }
  *motion = m;
  return STATUS_OK;
}

void motion_free(Motion *motion)
{
  if (motion == NULL)
    return;
  free(motion->kind);
  free(motion);
}

size_t motion_scratch(const Motion *motion)
{
  size_t most = 0;
  for (int i = 0; i < motion->nkind; i++) {
    const MotionKind *own = &motion->kind[i];
    const size_t n = own->field + (own->projector != NULL ? projector_scratch(own->projector) : 0);
    most = n > most ? n : most;
  }
  return most;
}

int motion_freedom(Removal removal, int dim, int nsites)
{
  if (removal == REMOVE_NONE)
    return 0;
  int rotations = 0;
  if (removal == REMOVE_ANGULAR && nsites > 1 && dim > 1)
    rotations = dim == 2 ? 1 : (nsites == 2 ? 2 : 3);
  return dim + rotations;
}

/* --- sums over all packs -------------------------------------------------------------------------------- */

static int group_count(const State *state) { return state->width > LANES ? state->width / LANES : 1; }

/* Some packs of one block. Each block of a batch is one piece. */
typedef struct Piece {
  int block, begin, end;
} Piece;

static int block_pieces(const State *state, const Block *block)
{
  return state->width == 1 ? (block->npack + PIECE - 1) / PIECE : 1;
}

static int piece_count(const State *state)
{
  int n = 0;
  for (int b = 0; b < state->nblock; b++)
    n += block_pieces(state, &state->block[b]);
  return n;
}

static Piece piece_at(const State *state, int i)
{
  int b = 0;
  for (; i >= block_pieces(state, &state->block[b]); b++)
    i -= block_pieces(state, &state->block[b]);
  const int npack = state->block[b].npack;
  if (state->width > 1)
    return (Piece){b, 0, npack};
  return (Piece){b, i * PIECE, (i + 1) * PIECE < npack ? (i + 1) * PIECE : npack};
}

size_t motion_shared(const State *shape)
{
  return 2 * (size_t)(piece_count(shape) * group_count(shape)) * (sizeof(Frame) / sizeof(Vec8));
}

/* The arguments of a sum; motion is NULL if only momenta are needed. */
typedef struct Sweep {
  const MotionKernels *kernels;
  const Motion *motion;
  const State *state;
  const Team *team;
  Vec8 *scratch;
  Frame *shared;
  bool angular;
} Sweep;

/* Moves a view to pack i of its block, without the lanes' addresses of noise, which are not used here. */
static void turn_to(Pack *pack, const Block *block, int i)
{
  const size_t at = (size_t)i * (size_t)(block->kind->nsite * block->kind->dim);
  pack->q = block->q + at;
  pack->p = block->p + at;
  pack->active = block->active + i;
}

/* Add the contributions of one piece to the frames of its groups. */
static void add_centres(const Sweep *s, const Piece *piece, Frame *frame)
{
  const Block *block = &s->state->block[piece->block];
  const int groups = group_count(s->state);
  Pack pack = {.kind = block->kind};
  for (int i = piece->begin; i < piece->end; i++) {
    turn_to(&pack, block, i);
    s->kernels->centre(&pack, &frame[i % groups]);
  }
}

static void add_sums(const Sweep *s, const Piece *piece, Frame *frame)
{
  const Block *block = &s->state->block[piece->block];
  const int groups = group_count(s->state);
  const Motion *m = s->motion;
  Pack pack = {.kind = block->kind, .scratch = s->scratch};
  for (int i = piece->begin; i < piece->end; i++) {
    turn_to(&pack, block, i);
    s->kernels->momentum(&pack, s->angular, &frame[i % groups]);
    if (m != NULL && (m->angular || !m->even))
      s->kernels->matrix(&m->kind[piece->block], m->angular, m->even, &pack, &frame[i % groups]);
  }
}

typedef void (*Pass)(const Sweep *sweep, const Piece *piece, Frame *frame);

/* Adds the centre or, once all frames have the same centre, everything else. */
static void add_frame(bool centre, const Frame *from, Frame *to)
{
  enum { CENTRE = 3, ALL = sizeof(Frame) / sizeof(Vec8) };
  const Vec8 *x = (const Vec8 *)from;
  Vec8 *y = (Vec8 *)to;
  for (int k = centre ? 0 : CENTRE; k < (centre ? CENTRE : ALL); k++)
    y[k] += x[k];
}

/* frame[groups] += the sums of a pass over all packs, added piece by piece in order. In a team each member
 * computes some of the pieces; a thread without shared memory adds each piece at once, with the same bits. */
static void sum_all(const Sweep *s, Pass pass, Frame *frame)
{
  const bool centre = pass == add_centres, together = s->shared != NULL;
  const int n = piece_count(s->state), groups = group_count(s->state);
  Frame start[GROUPS], alone[GROUPS], *shared = together && !centre ? s->shared + n * groups : s->shared;
  int begin = 0, end = n;
  if (together)
    team_range(s->team, n, &begin, &end);
  memcpy(start, frame, (size_t)groups * sizeof *frame);
  for (int i = begin; i < end; i++) {
    const Piece piece = piece_at(s->state, i);
    if (!together && n == 1) {
      pass(s, &piece, frame);
      return;
    }
    Frame *own = together ? shared + i * groups : alone;
    memcpy(own, start, (size_t)groups * sizeof *own);
    pass(s, &piece, own);
    for (int g = 0; !together && g < groups; g++)
      add_frame(centre, &own[g], &frame[g]);
  }
  if (together)
    team_barrier(s->team);
  for (int i = 0; together && i < n * groups; i++)
    add_frame(centre, &shared[i], &frame[i % groups]);
}

/* With one replica the 8 lanes are its molecules: all lanes get their sum. */
static void gather(const State *state, int n, Vec8 *x)
{
  for (int i = 0; state->width == 1 && i < n; i++)
    x[i] = vec8_set(vec8_sum(x[i]));
}

static double whole_mass(const State *state)
{
  double sum = 0.0;
  for (int b = 0; b < state->nblock; b++)
    sum += state->block[b].nlane * kind_mass(state->block[b].kind);
  return sum;
}

/* The centres of mass, about which translations and rotations are orthogonal in the plain metric. */
static void find_centres(const Sweep *s, Frame *frame)
{
  const double mass = whole_mass(s->state);
  sum_all(s, add_centres, frame);
  for (int g = 0; g < group_count(s->state); g++) {
    gather(s->state, 3, frame[g].centre);
    for (int d = 0; d < 3; d++)
      frame[g].centre[d] /= mass;
  }
}

static void find_sums(const Sweep *s, Frame *frame)
{
  const double mass = whole_mass(s->state);
  sum_all(s, add_sums, frame);
  for (int g = 0; g < group_count(s->state); g++) {
    gather(s->state, MOTIONS, frame[g].momentum);
    if (s->motion == NULL)
      continue;
    if (s->motion->angular || !s->motion->even)
      gather(s->state, MOTIONS * MOTIONS, frame[g].matrix[0]);
    for (int k = 0; s->motion->even && k < 3; k++)
      frame[g].matrix[k][k] = vec8_set(mass);
  }
}

/* --- removal -------------------------------------------------------------------------------------------- */

static void apply(const Sweep *s, const Frame *frame)
{
  const Motion *motion = s->motion;
  const int groups = group_count(s->state);
  for (int b = 0; b < s->state->nblock; b++) {
    const Block *block = &s->state->block[b];
    Pack pack = {.kind = block->kind, .scratch = s->scratch};
    int begin, end;
    team_range(s->team, block->npack, &begin, &end);
    for (int i = begin; i < end; i++) {
      turn_to(&pack, block, i);
      motion->kernels->apply(&motion->kind[b], motion->angular, &pack, &frame[i % groups]);
    }
  }
}

void motion_remove(const Motion *motion, const Team *team, State *state, Vec8 *scratch, Vec8 *shared)
{
  if (motion->removal == REMOVE_NONE)
    return;
  const Sweep sweep = {.kernels = motion->kernels,
                       .motion = motion,
                       .state = state,
                       .team = team,
                       .scratch = scratch,
                       .shared = (Frame *)shared,
                       .angular = motion->angular};
  int nsites = 0;
  for (int b = 0; b < state->nblock; b++)
    nsites += state->block[b].nlane * state->block[b].kind->nsite;
  const int groups = group_count(state), n = motion->angular && nsites > 1 ? MOTIONS : 3;
  Frame frame[GROUPS];
  memset(frame, 0, (size_t)groups * sizeof *frame);
  if (motion->angular)
    find_centres(&sweep, frame);
  find_sums(&sweep, frame);
  for (int g = 0; g < groups; g++) {
    for (int k = n; k < MOTIONS; k++)
      frame[g].momentum[k] = vec8_set(0.0);
    motion->kernels->solve(n, &frame[g]);
  }
  apply(&sweep, frame);
}

void motion_momenta(const State *state, double linear[][3], double angular[][3])
{
  const Team alone = team_alone();
  const Sweep sweep = {
      .kernels = &motion_kernels_table_plain, .state = state, .team = &alone, .angular = true};
  Frame frame[GROUPS];
  memset(frame, 0, (size_t)group_count(state) * sizeof *frame);
  find_centres(&sweep, frame);
  find_sums(&sweep, frame);
  for (int r = 0; r < state->width; r++)
    for (int d = 0; d < 3; d++) {
      linear[r][d] = frame[r / LANES].momentum[d][r % LANES];
      angular[r][d] = frame[r / LANES].momentum[3 + d][r % LANES];
    }
}
