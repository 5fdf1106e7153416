#include "integrators/lbfgs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/lbfgs_hot.h"
#include "integrators/quench_rigid.h"

ISA_DECLARE(LbfgsKernels, lbfgs_kernels_table);

enum { MEMORY = 8, HALVES = WIDTH_MAX / LANES, REFUSALS = 8 };

static const double move_largest = 0.2; /* of a site in one step, A                                      */
static const double first_scale = 0.01; /* of the first step, mol A^2/kcal: a soft hydrogen bond's        */
static const double least_angle = 1e-9; /* least cosine of s and y, and of direction and force             */

/* A number for each replica; with width 1, the same in all lanes. */
typedef Vec8 Numbers[HALVES];

typedef enum Stage { ARRIVED, FRESH, UNDER_WAY } Stage;

typedef struct Lane {
  Stage stage;
  int evaluations, refused;
  double tolerance, force, energy;
} Lane;

typedef struct LbfgsBlock {
  QuenchRigid rigid;
  Kind kind; /* the block's own with masses of one */
  LbfgsSpan span;
  size_t first; /* index of its first element in the vectors */
} LbfgsBlock;

struct Lbfgs {
  State *state;
  const ForceField *field;
  const LbfgsKernels *kernels;
  int halves, nblock;
  LbfgsBlock *block;
  double *one; /* masses */
  size_t size; /* of a vector */
  Vec8 *memory;
  Vec8 *q_old, *g, *g_new, *d, *s[MEMORY], *y[MEMORY], *scratch;
  Numbers rho[MEMORY]; /* 1 / s.y; 0: there is no such pair */
  Numbers gamma;       /* s.y / y.y of the last pair */
  Numbers slope;       /* d.g at the start of the move d */
  int newest;
  unsigned torn; /* bits of the replicas whose molecules the last move could not keep rigid */
  Lane lane[WIDTH_MAX];
  double energy[FORCE_TERMS * FORCES_MAX * WIDTH_MAX];
};

/* --- making ------------------------------------------------------------------------------------------------
 */

static Status make_blocks(Lbfgs *l, Isa isa, size_t *scratch, Error *error)
{
  TRY_MEMORY(l->block != NULL, "a minimisation", error);
  int sites = 1;
  for (int b = 0; b < l->nblock; b++)
    sites = l->state->block[b].kind->nsite > sites ? l->state->block[b].kind->nsite : sites;
  l->one = malloc((size_t)sites * sizeof *l->one);
  TRY_MEMORY(l->one != NULL, "a minimisation", error);
  for (int i = 0; i < sites; i++)
    l->one[i] = 1.0;
  for (int b = 0; b < l->nblock; b++) {
    LbfgsBlock *own = &l->block[b];
    Block *block = &l->state->block[b];
    own->kind = *block->kind;
    own->kind.mass = l->one;
    TRY(quench_rigid_create(&own->rigid, block, &own->kind, isa, error));
    own->span = (LbfgsSpan){block->npack, (int)own->rigid.stride, l->halves};
    own->first = l->size;
    l->size += (size_t)block->npack * own->rigid.stride;
    *scratch = own->rigid.scratch > *scratch ? own->rigid.scratch : *scratch;
  }
  return STATUS_OK;
}

static Status make_vectors(Lbfgs *l, size_t scratch, Error *error)
{
  enum { VECTORS = 4 + 2 * MEMORY };
  const size_t all = VECTORS * l->size + scratch;
  l->memory = aligned_alloc(sizeof(Vec8), all * sizeof(Vec8));
  TRY_MEMORY(l->memory != NULL, "a minimisation", error);
  memset(l->memory, 0, all * sizeof(Vec8));
  Vec8 *next = l->memory;
  Vec8 **vector[4] = {&l->q_old, &l->g, &l->g_new, &l->d};
  for (int i = 0; i < 4; i++, next += l->size)
    *vector[i] = next;
  for (int k = 0; k < MEMORY; k++) {
    l->s[k] = next;
    l->y[k] = next + l->size;
    next += 2 * l->size;
  }
  l->scratch = next;
  return STATUS_OK;
}

Status lbfgs_create(Lbfgs **lbfgs, State *state, const ForceField *field, Isa isa, Error *error)
{
  *lbfgs = NULL;
  Lbfgs *l = aligned_alloc(sizeof(Vec8), (sizeof *l + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  TRY_MEMORY(l != NULL, "a minimisation", error);
  memset(l, 0, sizeof *l);
  l->state = state;
  l->field = field;
  l->kernels = ISA_PICK(lbfgs_kernels_table, isa);
  l->halves = state->width > LANES ? state->width / LANES : 1;
  l->nblock = state->nblock;
  l->block = calloc((size_t)state->nblock, sizeof *l->block);
  size_t scratch = 0;
  TRY_ELSE(make_blocks(l, isa, &scratch, error), lbfgs_free(l));
  TRY_ELSE(make_vectors(l, scratch, error), lbfgs_free(l));
  *lbfgs = l;
  return STATUS_OK;
}

void lbfgs_free(Lbfgs *l)
{
  if (l == NULL)
    return;
  for (int b = 0; l->block != NULL && b < l->nblock; b++)
    quench_rigid_free(&l->block[b].rigid);
  free(l->block);
  free(l->one);
  free(l->memory);
  free(l);
}

/* --- numbers of replicas ------------------------------------------------------------------------------ */

/* With width 1 the lanes are molecules: adds them. */
static void together(const Lbfgs *l, Numbers sum)
{
  if (l->state->width == 1)
    sum[0] = vec8_set(vec8_sum(sum[0]));
}

static void together_most(const Lbfgs *l, Numbers most)
{
  if (l->state->width > 1)
    return;
  double all = 0.0;
  for (int i = 0; i < LANES; i++)
    all = most[0][i] <= all || isnan(all) ? all : most[0][i];
  most[0] = vec8_set(all);
}

static double number(const Numbers of, int r) { return of[r / LANES][r % LANES]; }

/* -1 where a replica's bit is set. */
static void masks(const Lbfgs *l, unsigned bits, Vec8Mask mask[HALVES])
{
  for (int h = 0; h < l->halves; h++)
    mask[h] = vec8_mask(l->state->width == 1 ? 0u - (bits & 1) : bits >> h * LANES);
}

/* x += c y or x = c y, by the kernel; sum = x.z. */
static void dot(const Lbfgs *l, LbfgsDot *kernel, const Numbers c, const Vec8 *y, const Vec8 *z, Vec8 *x,
                Numbers sum)
{
  memset(sum, 0, sizeof(Numbers));
  for (int b = 0; b < l->nblock; b++) {
    const size_t at = l->block[b].first;
    kernel(&l->block[b].span, c, y + at, z + at, x + at, sum);
  }
  together(l, sum);
}

/* --- one step ----------------------------------------------------------------------------------------- */

/* The view of a pack with masses of one and `p` as its momenta. */
static Pack view(const Lbfgs *l, const LbfgsBlock *block, int i, Vec8 *p)
{
  Pack pack = state_pack(l->state, block->rigid.block, i);
  pack.kind = &block->kind;
  pack.p = p;
  pack.scratch = l->scratch;
  return pack;
}

/* Computes the gradient along the manifold, its largest component, and the slope along the last move at its
 * end. */
static void take_gradient(Lbfgs *l, Numbers most, Numbers slope)
{
  memset(most, 0, sizeof(Numbers));
  memset(slope, 0, sizeof(Numbers));
  for (int b = 0; b < l->nblock; b++) {
    const LbfgsBlock *own = &l->block[b];
    const Block *block = own->rigid.block;
    Vec8 *g = l->g_new + own->first;
    l->kernels->gradient(&own->span, block->active, block->f, g);
    for (int i = 0; i < own->span.npack && own->rigid.projector != NULL; i++) {
      Pack pack = view(l, own, i, g + (size_t)i * own->rigid.stride);
      projector_apply(own->rigid.projector, &pack, NULL);
    }
    l->kernels->look(&own->span, g, l->d + own->first, most, slope);
  }
  together_most(l, most);
  together(l, slope);
}

/* Accepts moves whose energy, by the trapezoidal rule, did not rise, and whose molecules stayed rigid. Energy
 * differences near a minimum are rounding and would not decide this. */
static unsigned judge(Lbfgs *l, const Numbers most, const Numbers slope)
{
  unsigned accepted = 0;
  for (int r = 0; r < l->state->width; r++) {
    Lane *lane = &l->lane[r];
    if (lane->stage == ARRIVED)
      continue;
    lane->evaluations++;
    lane->force = number(most, r);
    lane->energy = 0.0;
    for (int t = 0; t < force_field_terms(l->field); t++)
      lane->energy += l->energy[t * l->state->width + r];
    const bool down = (l->torn >> r & 1) == 0 && number(slope, r) <= fabs(number(l->slope, r));
    const bool good = isfinite(lane->force) && (lane->stage == FRESH || lane->refused >= REFUSALS || down);
    lane->refused = good ? 0 : lane->refused + 1;
    if ((good && lane->force <= lane->tolerance) || !isfinite(lane->force))
      lane->stage = ARRIVED;
    else if (good)
      lane->stage = UNDER_WAY;
    if (good)
      accepted |= 1u << r;
  }
  return accepted;
}

/* Stores the pair s, y of the accepted moves and its curvature; other replicas move back. Vectors from other
 * points of the manifold are used without projection: projecting them saves no evaluation. */
static void take_pair(Lbfgs *l, const Vec8Mask accepted[HALVES])
{
  Numbers sy, yy, ss;
  memset(sy, 0, sizeof sy);
  memset(yy, 0, sizeof yy);
  memset(ss, 0, sizeof ss);
  l->newest = (l->newest + 1) % MEMORY;
  for (int b = 0; b < l->nblock; b++) {
    const LbfgsBlock *block = &l->block[b];
    const size_t at = block->first;
    l->kernels->pair(&block->span, &(LbfgsPair){.q = block->rigid.block->q,
                                                .q_old = l->q_old + at,
                                                .g = l->g + at,
                                                .s = l->s[l->newest] + at,
                                                .y = l->y[l->newest] + at,
                                                .g_new = l->g_new + at,
                                                .accepted = accepted,
                                                .sy = sy,
                                                .yy = yy,
                                                .ss = ss});
  }
  together(l, sy);
  together(l, yy);
  together(l, ss);
  for (int h = 0; h < l->halves; h++)
    for (int i = 0; i < LANES; i++) {
      const bool good = sy[h][i] > least_angle * sqrt(ss[h][i] * yy[h][i]);
      l->rho[l->newest][h][i] = good ? 1.0 / sy[h][i] : 0.0;
      if (good)
        l->gamma[h][i] = sy[h][i] / yy[h][i];
    }
}

/* x = -H g by the two loops over the pairs, from the newest and back to it. */
static void descend(Lbfgs *l, Vec8 *x)
{
  Numbers alpha[MEMORY], sum, c;
  for (int h = 0; h < l->halves; h++)
    c[h] = vec8_set(-1.0);
  int at = l->newest;
  dot(l, l->kernels->scale_dot, c, l->g, l->s[at], x, sum);
  for (int k = 0; k < MEMORY; k++) {
    const int next = k + 1 < MEMORY ? (at + MEMORY - 1) % MEMORY : at;
    for (int h = 0; h < l->halves; h++) {
      alpha[at][h] = l->rho[at][h] * sum[h];
      c[h] = -alpha[at][h];
    }
    dot(l, l->kernels->add_dot, c, l->y[at], l->s[next], x, sum);
    at = next;
  }
  dot(l, l->kernels->scale_dot, l->gamma, x, l->y[at], x, sum);
  for (int k = 0; k < MEMORY; k++) {
    const int next = (at + 1) % MEMORY;
    for (int h = 0; h < l->halves; h++)
      c[h] = alpha[at][h] - l->rho[at][h] * sum[h];
    dot(l, l->kernels->add_dot, c, l->s[at], l->y[next], x, sum);
    at = next;
  }
}

static void forget(Lbfgs *l, int half, int i)
{
  for (int k = 0; k < MEMORY; k++)
    l->rho[k][half][i] = 0.0;
  l->gamma[half][i] = first_scale;
}

/* Chooses the next move a d + b g: the new direction if the last move was accepted, else a shorter part of
 * it. Along the force alone if d does not descend. */
static void aim(Lbfgs *l, const Vec8Mask accepted[HALVES], const Numbers slope, Numbers a, Numbers b)
{
  Vec8 *x = l->g_new;
  descend(l, x);
  Numbers shorter, sum[5];
  memset(sum, 0, sizeof sum);
  Vec8 *dd = sum[0], *dg = sum[1], *gg = sum[2], *d_most = sum[3], *g_most = sum[4];
  for (int h = 0; h < l->halves; h++)
    for (int i = 0; i < LANES; i++)
      shorter[h][i] = fmin(fmax(l->slope[h][i] / (l->slope[h][i] - slope[h][i]), 0.1), 0.5);
  for (int k = 0; k < l->nblock; k++) {
    const size_t at = l->block[k].first;
    l->kernels->aim(&l->block[k].span,
                    &(LbfgsAim){l->d + at, x + at, l->g + at, shorter, accepted, dd, dg, gg, d_most, g_most});
  }
  for (int k = 0; k < 3; k++)
    together(l, sum[k]);
  together_most(l, d_most);
  together_most(l, g_most);
  for (int h = 0; h < l->halves; h++)
    for (int i = 0; i < LANES; i++) {
      const bool down = dg[h][i] < -least_angle * sqrt(gg[h][i] * dd[h][i]);
      const double most = down ? d_most[h][i] : first_scale * g_most[h][i];
      const double factor = most > move_largest ? move_largest / most : 1.0;
      a[h][i] = down ? factor : 0.0;
      b[h][i] = down ? 0.0 : -factor * first_scale;
      l->slope[h][i] = a[h][i] * dg[h][i] + b[h][i] * gg[h][i];
      if (!down)
        forget(l, h, i);
    }
}

/* Moves on the manifold; finished replicas keep every bit. A molecule that cannot stay rigid does not move,
 * and its replica then tries a shorter move. */
static void move(Lbfgs *l, const Numbers a, const Numbers b)
{
  Vec8Mask arrived[HALVES];
  const unsigned stay = lbfgs_arrived(l);
  masks(l, stay, arrived);
  l->torn = 0;
  for (int k = 0; k < l->nblock; k++) {
    const LbfgsBlock *block = &l->block[k];
    const size_t at = block->first;
    Vec8 *q = block->rigid.block->q, *p = l->g_new + at; /* free until the next forces */
    l->kernels->move(&block->span, a, b, l->g + at, l->d + at, l->q_old + at, q, p);
    for (int i = 0; i < block->span.npack; i++) {
      const size_t first = (size_t)i * block->rigid.stride;
      Pack pack = view(l, block, i, p + first);
      const unsigned failed = block->rigid.ops == NULL
                                  ? 0
                                  : block->rigid.ops->positions(block->rigid.constraints, 1.0,
                                                                l->q_old + at + first, &pack, NULL);
      const Vec8Mask back = arrived[i % l->halves] | vec8_mask(failed);
      for (size_t n = first; (stay | failed) != 0 && n < first + block->rigid.stride; n++)
        q[n] = vec8_select(back, l->q_old[at + n], q[n]);
      l->torn |= l->state->width == 1 ? (unsigned)(failed != 0) : failed << (i % l->halves * LANES);
    }
  }
  l->torn &= ~stay;
}

/* --- interface ---------------------------------------------------------------------------------------- */

void lbfgs_begin(Lbfgs *l, unsigned replicas, double tolerance)
{
  Vec8Mask chosen[HALVES];
  masks(l, replicas, chosen);
  for (int h = 0; h < l->halves; h++)
    for (int i = 0; i < LANES; i++)
      if (chosen[h][i] != 0)
        forget(l, h, i);
  for (int r = 0; r < l->state->width; r++)
    if ((replicas >> r & 1) != 0)
      l->lane[r] = (Lane){.stage = FRESH, .tolerance = tolerance};
  for (int b = 0; b < l->nblock; b++) {
    const LbfgsBlock *block = &l->block[b];
    for (size_t k = 0; k < (size_t)block->span.npack * block->rigid.stride; k++) {
      Vec8 *old = &l->q_old[block->first + k];
      const Vec8Mask mask = chosen[(int)(k / block->rigid.stride) % l->halves];
      *old = vec8_select(mask, block->rigid.block->q[k], *old);
    }
  }
}

void lbfgs_tighten(Lbfgs *l, unsigned replicas, double tolerance)
{
  for (int r = 0; r < l->state->width; r++)
    if ((replicas >> r & 1) != 0) {
      l->lane[r].tolerance = tolerance;
      l->lane[r].stage = UNDER_WAY;
    }
}

Status lbfgs_step(Lbfgs *l, Error *error)
{
  const Team alone = team_alone();
  TRY(force_field_compute(l->field, &alone, l->state, &(ForceSums){l->energy, NULL}, error));
  Numbers most, slope, a, b;
  Vec8Mask accepted[HALVES];
  take_gradient(l, most, slope);
  masks(l, judge(l, most, slope), accepted);
  take_pair(l, accepted);
  aim(l, accepted, slope, a, b);
  move(l, a, b);
  return STATUS_OK;
}

unsigned lbfgs_arrived(const Lbfgs *l)
{
  unsigned bits = 0;
  for (int r = 0; r < l->state->width; r++)
    bits |= (unsigned)(l->lane[r].stage == ARRIVED) << r;
  return bits;
}

double lbfgs_force(const Lbfgs *l, int r) { return l->lane[r].force; }

double lbfgs_energy(const Lbfgs *l, int r) { return l->lane[r].energy; }

int lbfgs_evaluations(const Lbfgs *l, int r) { return l->lane[r].evaluations; }
