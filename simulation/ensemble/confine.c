#include "simulation/ensemble/confine.h"

#include <math.h>
#include <string.h>

enum { HALVES = WIDTH_MAX / LANES };

/* The centres of mass of a pack's molecules. */
static void pack_centre(const Block *block, int i, Vec8 at[3])
{
  const Kind *kind = block->kind;
  const Vec8 *q = block->q + (size_t)i * (size_t)kind->nsite * 3;
  const double whole = 1.0 / kind_mass(kind);
  for (int d = 0; d < 3; d++) {
    at[d] = vec8_set(0.0);
    for (int s = 0; s < kind->nsite; s++)
      at[d] += kind->mass[s] * whole * q[3 * s + d];
  }
}

/* The centres of mass of clusters. With width 1 the lanes are molecules of one cluster, and all lanes get its
 * centre. */
static void middle(const State *state, int halves, Vec8 at[HALVES][3])
{
  double mass = 0.0;
  memset(at, 0, HALVES * sizeof *at);
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const double own = kind_mass(block->kind);
    mass += own * block->nlane;
    for (int i = 0; i < block->npack; i++) {
      Vec8 centre[3];
      pack_centre(block, i, centre);
      for (int d = 0; d < 3; d++)
        at[i % halves][d] += own * block->active[i] * centre[d];
    }
  }
  for (int h = 0; h < halves; h++)
    for (int d = 0; d < 3; d++)
      at[h][d] = (state->width == 1 ? vec8_set(vec8_sum(at[h][d])) : at[h][d]) / mass;
}

/* Adds the centre of mass of molecule m of a type, for the replicas of half h; with width 1 the same in all
 * lanes. */
static void add_centre(const State *state, const TopologySort *sort, int m, int halves, int h, Vec8 centre[3])
{
  const double whole = kind_mass(sort->kind);
  for (int g = 0; g < sort->ngroup; g++) {
    const TopologyGroup *group = &sort->group[g];
    const int lane = group->first + m * group->step;
    const double share = kind_mass(group->kind) / whole;
    Vec8 at[3];
    pack_centre(&state->block[group->block], state->width == 1 ? lane / LANES : lane * halves + h, at);
    for (int d = 0; d < 3; d++) {
      const Vec8 own = state->width == 1 ? vec8_set(at[d][lane % LANES]) : at[d];
      centre[d] += share * own;
    }
  }
}

unsigned confine_outside(const Topology *topology, const State *state, double radius)
{
  const int halves = state->width > LANES ? state->width / LANES : 1;
  Vec8 at[HALVES][3];
  unsigned bits = 0;
  middle(state, halves, at);
  for (int k = 0; k < topology->nsort; k++)
    for (int i = 0; i < topology->sort[k].nmol * halves; i++) {
      const int h = i % halves;
      Vec8 centre[3] = {{0.0}}, r2 = vec8_set(0.0);
      add_centre(state, &topology->sort[k], i / halves, halves, h, centre);
      for (int d = 0; d < 3; d++) {
        const Vec8 gap = centre[d] - at[h][d];
        r2 += gap * gap;
      }
      bits |= vec8_bits(r2 > vec8_set(radius * radius)) << h * LANES;
    }
  return state->width == 1 ? bits != 0 : bits & ~(~0u << state->used);
}

static void take(const State *state, unsigned replicas, const Block *block, Vec8 *to, const Vec8 *from,
                 size_t stride, double sign)
{
  const int halves = state->width > LANES ? state->width / LANES : 1;
  for (size_t k = 0; k < (size_t)block->npack * stride; k++) {
    const int half = (int)(k / stride) % halves;
    for (int l = 0; l < LANES; l++)
      if ((replicas >> (state->width == 1 ? 0 : half * LANES + l) & 1) != 0)
        to[k][l] = sign * from[k][l];
  }
}

void confine_undo(State *state, const State *kept, unsigned replicas)
{
  for (int b = 0; b < state->nblock; b++) {
    Block *to = &state->block[b];
    const Block *from = &kept->block[b];
    const size_t stride = (size_t)to->kind->nsite * (size_t)to->kind->dim;
    take(state, replicas, to, to->q, from->q, stride, 1.0);
    take(state, replicas, to, to->p, from->p, stride, -1.0);
    take(state, replicas, to, to->f, from->f, stride, 1.0);
    if (to->slow != NULL)
      take(state, replicas, to, to->slow, from->slow, stride, 1.0);
    take(state, replicas, to, to->heat, from->heat, 1, 1.0);
  }
}

double confine_reach(const Topology *topology, const double *x)
{
  double at[3] = {0.0}, mass = 0.0, reach = 0.0;
  for (int pass = 0; pass < 2; pass++) {
    const double *next = x;
    for (int k = 0; k < topology->nsort; k++) {
      const Kind *kind = topology->sort[k].kind;
      const double own = kind_mass(kind);
      for (int m = 0; m < topology->sort[k].nmol; m++, next += 3 * kind->nsite) {
        double r2 = 0.0;
        for (int d = 0; d < 3; d++) {
          double centre = 0.0;
          for (int s = 0; s < kind->nsite; s++)
            centre += kind->mass[s] / own * next[3 * s + d];
          at[d] += pass == 0 ? own * centre : 0.0;
          r2 += (centre - at[d]) * (centre - at[d]);
        }
        mass += pass == 0 ? own : 0.0;
        reach = pass == 1 ? fmax(reach, sqrt(r2)) : 0.0;
      }
    }
    for (int d = 0; d < 3 && pass == 0; d++)
      at[d] /= mass;
  }
  return reach;
}
