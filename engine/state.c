#include "engine/state.h"

#include <stdlib.h>
#include <string.h>

/* Tail lanes are on the x axis, one at each multiple of this distance, far from all other lanes. */
static const double tail_distance = 1.0e6;

static size_t block_vectors(const Block *block)
{
  return (size_t)block->npack * (size_t)block->kind->nsite * (size_t)block->kind->dim;
}

static void block_fill(Block *block, int width, Vec8 *active)
{
  const int nsite = block->kind->nsite, dim = block->kind->dim;
  const int used = block->nlane * width;
  double *q = (double *)block->q, *a = (double *)active;
  for (int lane = 0; lane < block->npack * LANES; lane++) {
    a[lane] = lane < used ? 1.0 : 0.0;
    const double shift = lane < used ? 0.0 : tail_distance * (double)(1 + lane - used);
    for (int s = 0; s < nsite; s++)
      for (int d = 0; d < dim; d++) {
        const size_t at = (((size_t)(lane / LANES) * (size_t)nsite + (size_t)s) * (size_t)dim + (size_t)d);
        q[at * LANES + (size_t)(lane % LANES)] = block->kind->reference[s * dim + d] + (d == 0 ? shift : 0);
      }
  }
}

Status state_may_hold(double molecules, Error *error)
{
  return molecules <= STATE_MOLECULES
             ? STATUS_OK
             : error_set(error, STATUS_INPUT, "%.10g molecules are too many; a system may have at most %d",
                         molecules, STATE_MOLECULES);
}

static Status state_check(int width, int nblock, const int *nlane, Error *error)
{
  if (width != 1 && width != 8 && width != 16)
    return error_set(error, STATUS_INPUT, "a batch has 1, 8 or 16 replicas, not %d", width);
  double all = 0.0;
  for (int b = 0; b < nblock; b++)
    all += nlane[b];
  return nblock < 1 ? error_set(error, STATUS_INPUT, "a system needs at least one kind of molecule")
                    : state_may_hold(all, error);
}

Status state_create(State **state, int width, int nblock, const Kind *const *kind, const int *nlane,
                    uint64_t seed, uint32_t replica, Error *error)
{
  *state = NULL;
  TRY(state_check(width, nblock, nlane, error));
  State *s = calloc(1, sizeof *s);
  Block *block = calloc((size_t)nblock, sizeof *block);
  size_t vectors = 0;
  if (block != NULL)
    for (int b = 0; b < nblock; b++) {
      block[b].kind = kind[b];
      block[b].nlane = nlane[b];
      block[b].npack = (int)(((int64_t)nlane[b] * width + LANES - 1) / LANES);
      vectors += 3 * block_vectors(&block[b]) + 2 * (size_t)block[b].npack;
    }
  Vec8 *memory = aligned_alloc(sizeof(Vec8), vectors * sizeof(Vec8));
  if (s == NULL || block == NULL || memory == NULL) {
    free(s);
    free(block);
    free(memory);
    return error_memory(error, "the state");
  }
  memset(memory, 0, vectors * sizeof(Vec8));
  *s = (State){.width = width,
               .used = width,
               .nblock = nblock,
               .block = block,
               .seed = seed,
               .replica = replica,
               .memory = memory};
  int first = 0;
  for (int b = 0; b < nblock; b++) {
    const size_t n = block_vectors(&block[b]);
    block[b].first = first;
    first += nlane[b];
    block[b].q = memory;
    block[b].p = memory + n;
    block[b].f = memory + 2 * n;
    block[b].heat = memory + 3 * n;
    Vec8 *active = block[b].heat + block[b].npack;
    block[b].active = active;
    memory = active + block[b].npack;
    block_fill(&block[b], width, active);
  }
  *state = s;
  return STATUS_OK;
}

void state_use(State *state, int replicas)
{
  state->used = replicas;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    double *active = (double *)(block->heat + block->npack); /* block->active, writable */
    for (int lane = 0; lane < block->nlane * state->width; lane++)
      active[lane] = lane % state->width < replicas ? 1.0 : 0.0;
  }
}

void state_free(State *state)
{
  if (state == NULL)
    return;
  free(state->memory);
  free(state->slow);
  free(state->noise);
  free(state->block);
  free(state);
}

Status state_keep_slow(State *state, Error *error)
{
  if (state->slow != NULL)
    return STATUS_OK;
  size_t vectors = 0;
  for (int b = 0; b < state->nblock; b++)
    vectors += block_vectors(&state->block[b]);
  Vec8 *memory = aligned_alloc(sizeof(Vec8), vectors * sizeof(Vec8));
  TRY_MEMORY(memory != NULL, "slow forces", error);
  memset(memory, 0, vectors * sizeof(Vec8));
  state->slow = memory;
  for (int b = 0; b < state->nblock; b++) {
    state->block[b].slow = memory;
    memory += block_vectors(&state->block[b]);
  }
  return STATUS_OK;
}

static size_t noise_vec8s(const State *state)
{
  return state->width == 1 ? 1 + (size_t)state->nblock : (size_t)(state->width / LANES);
}

Status state_keep_noise(State *state, Error *error)
{
  if (state->noise != NULL)
    return STATUS_OK;
  const size_t n = noise_vec8s(state);
  state->noise = aligned_alloc(sizeof(Vec8), n * sizeof(Vec8));
  TRY_MEMORY(state->noise != NULL, "temperatures of lanes", error);
  memset(state->noise, 0, n * sizeof(Vec8));
  for (int r = 0; r < state->used; r++)
    state_set_noise(state, r, 1.0);
  return STATUS_OK;
}

void state_set_noise(State *state, int r, double scale)
{
  if (state->width > 1) {
    ((double *)state->noise)[r] = r < state->used ? scale : 0.0;
    return;
  }
  state->noise[0] = vec8_set(scale);
  for (int b = 0; b < state->nblock; b++)
    state->noise[1 + b] = scale * state->block[b].active[state->block[b].npack - 1];
}

void state_copy(State *to, const State *from)
{
  to->step = from->step;
  to->box = from->box;
  for (int b = 0; b < to->nblock; b++) {
    const size_t n = block_vectors(&to->block[b]) * sizeof(Vec8);
    memcpy(to->block[b].q, from->block[b].q, n);
    memcpy(to->block[b].p, from->block[b].p, n);
    memcpy(to->block[b].f, from->block[b].f, n);
    if (to->slow != NULL && from->slow != NULL)
      memcpy(to->block[b].slow, from->block[b].slow, n);
    memcpy(to->block[b].heat, from->block[b].heat, (size_t)to->block[b].npack * sizeof(Vec8));
  }
}

void state_chunks(State *state, ChunkList *list)
{
  chunk_add(list, &state->step, sizeof state->step);
  if (box_periodic(&state->box))
    chunk_add(list, &state->box, sizeof state->box);
  if (state->noise != NULL)
    chunk_add(list, state->noise, noise_vec8s(state) * sizeof(Vec8));
  for (int b = 0; b < state->nblock; b++) {
    Block *block = &state->block[b];
    const size_t n = block_vectors(block) * sizeof(Vec8);
    chunk_add(list, block->q, n);
    chunk_add(list, block->p, n);
    chunk_add(list, block->f, n);
    if (block->slow != NULL)
      chunk_add(list, block->slow, n);
    chunk_add(list, block->heat, (size_t)block->npack * sizeof(Vec8));
  }
}

void state_get(const Block *block, int width, const Vec8 *field, int r, double *x)
{
  const int n = block->kind->nsite * block->kind->dim;
  for (int m = 0; m < block->nlane; m++) {
    const double *from = (const double *)field + state_index(block, width, m, r, 0, 0);
    for (int i = 0; i < n; i++)
      *x++ = from[i * LANES];
  }
}

void state_set(Block *block, int width, Vec8 *field, int r, const double *x)
{
  const int n = block->kind->nsite * block->kind->dim;
  for (int m = 0; m < block->nlane; m++) {
    double *to = state_element(block, field, width, m, r, 0, 0);
    for (int i = 0; i < n; i++)
      to[i * LANES] = *x++;
  }
}

static size_t block_coordinates(const Block *block)
{
  return (size_t)block->nlane * (size_t)(block->kind->nsite * block->kind->dim);
}

size_t state_coordinates(const State *state)
{
  size_t n = 0;
  for (int b = 0; b < state->nblock; b++)
    n += block_coordinates(&state->block[b]);
  return n;
}

static Vec8 *field_of(const Block *block, StateField field)
{
  return field == STATE_POSITIONS ? block->q : field == STATE_FORCES ? block->f : block->p;
}

void state_get_all(const State *state, StateField field, int r, double *x)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const Kind *kind = block->kind;
    const int n = (int)block_coordinates(block);
    state_get(block, state->width, field_of(block, field), r, x);
    for (int i = 0; i < n && field == STATE_VELOCITIES; i++)
      x[i] /= kind->mass[i / kind->dim % kind->nsite];
    x += n;
  }
}

void state_set_all(const State *state, StateField field, int r, const double *x)
{
  for (int b = 0; b < state->nblock; b++) {
    Block *block = &state->block[b];
    const int nsite = block->kind->nsite;
    state_set(block, state->width, field_of(block, field), r, x);
    for (int i = 0; i < block->nlane * nsite && field == STATE_VELOCITIES; i++)
      for (int d = 0; d < block->kind->dim; d++)
        *state_element(block, block->p, state->width, i / nsite, r, i % nsite, d) *=
            block->kind->mass[i % nsite];
    x += block_coordinates(block);
  }
}

Pack state_pack(const State *state, const Block *block, int i)
{
  const size_t stride = (size_t)block->kind->nsite * (size_t)block->kind->dim;
  Pack pack = {.kind = block->kind,
               .q = block->q + (size_t)i * stride,
               .p = block->p + (size_t)i * stride,
               .f = block->f + (size_t)i * stride,
               .heat = block->heat + i,
               .active = block->active + i,
               .noise = state_noise(state, block, i),
               .index = i,
               .step = state->step,
               .seed = state->seed};
  for (int l = 0; l < LANES; l++) {
    const int lane = i * LANES + l;
    const int n = state_lane(state, block, i, l);
    pack.number[l] = state->number != NULL && pack.active[0][l] != 0.0 ? state->number[n] : (uint32_t)n;
    pack.replica[l] = state->replica + (uint32_t)(lane % state->width);
  }
  return pack;
}

void state_sum(const State *state, const Block *block, const Vec8 *value, double *sum)
{
  for (int r = 0; r < state->width; r++)
    sum[r] = 0.0;
  for (int i = 0; i < block->npack; i++)
    for (int l = 0; l < LANES; l++)
      if (block->active[i][l] != 0.0)
        sum[(i * LANES + l) % state->width] += value[i][l];
}

void state_add(const State *state, const Block *block, const Vec8 *value, double *sum)
{
  double own[WIDTH_MAX] = {0.0};
  state_sum(state, block, value, own);
  for (int r = 0; r < state->width; r++)
    sum[r] += own[r];
}

void state_scale_momenta(const State *state, int r, double factor, double energy)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    for (int m = 0; m < block->nlane; m++)
      for (int s = 0; s < block->kind->nsite; s++)
        for (int d = 0; d < block->kind->dim; d++)
          *state_element(block, block->p, state->width, m, r, s, d) *= factor;
  }
  ((double *)state->block[0].heat)[r] += energy;
}

void state_heat(const State *state, double *heat)
{
  memset(heat, 0, (size_t)state->width * sizeof *heat);
  for (int b = 0; b < state->nblock; b++)
    state_add(state, &state->block[b], state->block[b].heat, heat);
}
