/* The inverse kinematic problem of a redundant planar arm, by constraints and random search.
 *
 * Source: Vesely, Am. J. Phys. 81, 537 (2013), section VII B, after Kastenmeier & Vesely, Robotica 14, 329
 * (1996). (a) The hand goes one step along its trajectory. (b) SHAKE moves the joints so that all limbs keep
 * their lengths. (c) The joints are varied at random, and a variation is accepted if it lowers an objective.
 * The papers leave trajectory, search and objective open; here all of them are data of the system:
 *
 * (a) The hand is the chain's last site, on its curve F(x, y) = 0. It moves as a free mass on that curve:
 *     r' = r + t p/m corrected onto the curve (SHAKE), p' = p projected on the tangent at r' (RATTLE). This
 * is uniform motion, as in section III A of the paper, with the speed constant to second order, without
 * drift. The step is reversible: the objective needs the hand's previous place, which is the same step from
 *     (r, -p). In the limbs' SHAKE the hand's mass is infinite, so that nothing moves it off its curve.
 *
 * (b) The joints start from their old places and are corrected onto the limbs' manifold along the gradients
 *     there: to first order the smallest change in the metric of the masses.
 *
 * (c) A trial x + a xi, xi normal, is corrected onto the manifold along the gradients at x, the best so far.
 * The first trial is the joints' free flight instead. For it a joint's momentum is m (q' - q)/t, its mean
 *     velocity in the last step. With it, (q, p) contains all data of the past. Let d_k be the rotation of
 * limb k relative to limb k - 1 in this step, and e_k in the last. (The rotation of a limb is 2 tan of half
 * its angle, rational in the coordinates, and the angle itself to third order.) The objective is
 *
 *       E = V(q') + sum_k velocity (d_k/t)^2 + acceleration ((d_k - e_k)/t^2)^2
 *
 *     with V the potentials of the kind: an obstacle is a potential that rises before contact. After a
 * success a doubles, after a failure it falls by 2^(1/4), so that about one trial in five succeeds
 * (Rechenberg's rule). E never rises in a search, for any V: only its values are used.
 *
 * Trials depend on seed, replica and step alone. A trial that SHAKE cannot correct is a failure. A hand out
 * of the arm's reach is an error. */
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "integrators/constraints.h"
#include "methods/arm.h"
#include "methods/kinematic_search.h"
#include "methods/method_table.h"
#include "thermostat/ou.h"

static const double growth = 2.0, decline = 0.84089641525371454; /* 2^(-1/4) */

typedef struct Search {
  const Kind *kind;
  Arm *arm;
  int hand, n; /* the hand's site; coordinates                     */
  SearchOptions options;
  const ConstraintSolver *solver, *hand_solver;
  void *limbs, *curve; /* the solvers' data                             */
  const OuKernels *noise;
} Search;

/* --- geometry ------------------------------------------------------------------------------------------- */

/* Computes limb k of x. */
static void limb(const Search *s, int k, const Vec8 *x, Vec8 b[2])
{
  const Vec8 *far = x + 2 * s->arm->site[k];
  for (int d = 0; d < 2; d++)
    b[d] = far[d] - (k == 0 ? vec8_set(s->arm->base[d]) : x[2 * s->arm->site[k - 1] + d]);
}

/* turn[k]: the increase of the angle at joint k from x to y. */
static void joint_turns(const Search *s, const Vec8 *x, const Vec8 *y, Vec8 *turn)
{
  Vec8 before = vec8_set(0.0);
  for (int k = 0; k < s->arm->nlimb; k++) {
    Vec8 a[2], b[2];
    limb(s, k, x, a);
    limb(s, k, y, b);
    const Vec8 cross = a[0] * b[1] - a[1] * b[0], dot = a[0] * b[0] + a[1] * b[1];
    const Vec8 whole = 2.0 * cross / (dot + s->arm->length[k] * s->arm->length[k]);
    turn[k] = whole - before;
    before = whole;
  }
}

/* --- a step --------------------------------------------------------------------------------------------- */

/* Scratch of one pack, [n] each except the last three. */
typedef struct Work {
  Vec8 *best, *trial, *impulse, *noise;
  Vec8 *last, *turn; /* [nlimb] turns of the last step, of a trial     */
  Vec8 *rest;        /* the solvers' scratch                           */
} Work;

static Work work_of(const Search *s, const Pack *pack)
{
  const size_t n = (size_t)s->n, m = (size_t)s->arm->nlimb;
  Vec8 *x = pack->scratch;
  return (Work){x, x + n, x + 2 * n, x + 3 * n, x + 4 * n, x + 4 * n + m, x + 4 * n + 2 * m};
}

/* Moves the hand over a time t from (q, p) to (r, v), as a free mass on its curve. */
static unsigned move_hand(const Search *s, double t, const Pack *pack, Vec8 *scratch, const Vec8 q[2],
                          const Vec8 p[2], Vec8 r[2], Vec8 v[2])
{
  Pack hand = *pack;
  hand.kind = s->arm->hand;
  hand.q = r;
  hand.p = v;
  hand.scratch = scratch;
  for (int d = 0; d < 2; d++) {
    r[d] = q[d] + t / hand.kind->mass[0] * p[d];
    v[d] = p[d];
  }
  const unsigned failed = s->hand_solver->positions(s->curve, t, q, &hand, NULL);
  const Constraint *curve = &hand.kind->con[0];
  Vec8 g, grad[2];
  curve->type->eval(curve, 2, r, &g, grad);
  const Vec8 across = (grad[0] * v[0] + grad[1] * v[1]) / (grad[0] * grad[0] + grad[1] * grad[1]);
  for (int d = 0; d < 2; d++)
    v[d] -= across * grad[d];
  return failed;
}

/* Corrects x onto the limbs' manifold along the gradients at `from`. */
static unsigned restore(const Search *s, const Pack *pack, const Work *w, const Vec8 *from, Vec8 *x)
{
  Pack limbs = *pack;
  limbs.kind = s->arm->limbs;
  limbs.q = x;
  limbs.p = w->impulse;
  limbs.scratch = w->rest;
  for (int i = 0; i < s->n; i++)
    w->impulse[i] = vec8_set(0.0);
  return s->solver->positions(s->limbs, 1.0, from, &limbs, NULL);
}

static Vec8 objective(const Search *s, double t, const Pack *pack, const Work *w, const Vec8 *x)
{
  const double velocity = s->options.velocity / (t * t),
               acceleration = s->options.acceleration / (t * t * t * t);
  Vec8 sum;
  kind_potential(s->kind, x, &sum, NULL);
  joint_turns(s, pack->q, x, w->turn);
  for (int k = 0; k < s->arm->nlimb; k++) {
    const Vec8 change = w->turn[k] - w->last[k];
    sum += velocity * w->turn[k] * w->turn[k] + acceleration * change * change;
  }
  return sum;
}

/* The trial becomes the best in lanes where it satisfies the constraints and has the lower objective. */
static Vec8Mask take_better(const Search *s, double t, const Pack *pack, const Work *w, unsigned failed,
                            Vec8 *least)
{
  const Vec8 value = objective(s, t, pack, w, w->trial);
  const Vec8Mask better = (value < *least) & ~vec8_mask(failed);
  *least = vec8_select(better, value, *least);
  for (int i = 0; i < s->n; i++)
    w->best[i] = vec8_select(better, w->trial[i], w->best[i]);
  return better;
}

static void search(const Search *s, double t, const Pack *pack, const Work *w, Vec8 *least)
{
  Vec8Word key[2];
  random_keys(pack->seed, pack->replica, RANDOM_SEARCH, key);
  Vec8 amplitude = vec8_set(s->options.amplitude);
  for (int j = 1; j < s->options.trials; j++) {
    const NoiseAddress at = {key, pack->step, (uint32_t)j};
    s->noise->normals(&at, pack->number, s->n, w->noise);
    for (int i = 0; i < s->n; i++)
      w->trial[i] = i / 2 == s->hand ? w->best[i] : w->best[i] + amplitude * w->noise[i];
    const unsigned failed = restore(s, pack, w, w->best, w->trial);
    const Vec8Mask better = take_better(s, t, pack, w, failed, least);
    amplitude *= vec8_select(better, vec8_set(growth), vec8_set(decline));
  }
}

/* The joints after `flight` times t of free flight, with the hand at its new place, corrected. */
static unsigned start(const Search *s, double flight, const Pack *pack, const Work *w, const Vec8 hand[2])
{
  for (int i = 0; i < s->n; i++)
    w->trial[i] = i / 2 == s->hand ? hand[i % 2] : pack->q[i] + flight / s->kind->mass[i / 2] * pack->p[i];
  return restore(s, pack, w, pack->q, w->trial);
}

static unsigned kinematic_search_step(const void *self, double t, Pack *pack)
{
  const Search *s = self;
  const Work w = work_of(s, pack);
  const Vec8 *q = pack->q + 2 * s->hand, *p = pack->p + 2 * s->hand;
  const Vec8 back[2] = {-p[0], -p[1]};
  Vec8 hand[2], speed[2], was[2], ignored[2], least;
  unsigned failed = move_hand(s, t, pack, w.rest, q, back, was, ignored);
  failed |= move_hand(s, t, pack, w.rest, q, p, hand, speed);
  for (int i = 0; i < s->n; i++)
    w.trial[i] = i / 2 == s->hand ? was[i % 2] : pack->q[i] - t / s->kind->mass[i / 2] * pack->p[i];
  joint_turns(s, w.trial, pack->q, w.last);
  failed |= start(s, 0.0, pack, &w, hand);
  memcpy(w.best, w.trial, (size_t)s->n * sizeof(Vec8));
  least = objective(s, t, pack, &w, w.best);
  if (s->options.trials > 0)
    (void)take_better(s, t, pack, &w, start(s, t, pack, &w, hand), &least);
  search(s, t, pack, &w, &least);
  for (int i = 0; i < s->n; i++) {
    const bool joint = i / 2 != s->hand;
    pack->p[i] = joint ? s->kind->mass[i / 2] / t * (w.best[i] - pack->q[i]) : speed[i % 2];
    pack->q[i] = w.best[i];
  }
  return failed & vec8_bits(*pack->active != 0.0);
}

/* --- making it ------------------------------------------------------------------------------------------ */

static void kinematic_search_free(void *self)
{
  Search *s = self;
  if (s->limbs != NULL)
    s->solver->free(s->limbs);
  if (s->curve != NULL)
    s->hand_solver->free(s->curve);
  arm_free(s->arm);
  free(s);
}

static Status check_options(const SearchOptions *o, Error *error)
{
  if (o->trials < 0 || o->trials > 65535)
    return error_set(error, STATUS_INPUT, "the search allows 0 to 65535 trials per step, not %d", o->trials);
  if (o->trials > 0 && !(o->amplitude > 0.0 && isfinite(o->amplitude)))
    return error_set(error, STATUS_INPUT, "the amplitude of the search's trials must be positive, not %g",
                     o->amplitude);
  if (!(o->velocity >= 0.0 && isfinite(o->velocity) && o->acceleration >= 0.0 && isfinite(o->acceleration)))
    return error_set(error, STATUS_INPUT,
                     "the search's weights of velocities and accelerations must not be negative: %g and %g",
                     o->velocity, o->acceleration);
  return STATUS_OK;
}

static Status build(Search *s, const MethodOptions *options, Isa isa, Error *error)
{
  const ConstraintMethod *shake = constraint_method_find("shake");
  const ConstraintOptions exact = {.tolerance = options->step.tolerance,
                                   .max_iterations = options->step.max_iterations};
  TRY(check_options(&s->options, error));
  TRY(arm_create(&s->arm, s->kind, error));
  TRY(constraint_solver_choose(&s->solver, shake, NULL, s->arm->limbs, error));
  TRY(s->solver->create(&s->limbs, s->arm->limbs, &exact, isa, error));
  TRY(constraint_solver_choose(&s->hand_solver, shake, NULL, s->arm->hand, error));
  return s->hand_solver->create(&s->curve, s->arm->hand, &exact, isa, error);
}

static Status kinematic_search_create(void **self, const Kind *kind, const MethodOptions *options, Isa isa,
                                      Error *error)
{
  *self = NULL;
  Search *s = calloc(1, sizeof *s);
  TRY_MEMORY(s != NULL, "a kinematic search", error);
  s->kind = kind;
  s->n = 2 * kind->nsite;
  if (options->own != NULL)
    s->options = *(const SearchOptions *)options->own;
  s->noise = ou_kernels(isa);
  TRY_ELSE(build(s, options, isa, error), kinematic_search_free(s));
  s->hand = s->arm->site[s->arm->nlimb - 1];
  *self = s;
  return STATUS_OK;
}

static size_t solver_scratch(const ConstraintSolver *solver, const void *self)
{
  return solver->scratch != NULL ? solver->scratch(self) : 0;
}

static size_t kinematic_search_scratch(const void *self)
{
  const Search *s = self;
  const size_t a = solver_scratch(s->solver, s->limbs), b = solver_scratch(s->hand_solver, s->curve);
  return 4 * (size_t)s->n + 2 * (size_t)s->arm->nlimb + (a > b ? a : b);
}

/* A hand at rest would never move. */
static Status kinematic_search_check(const void *self, const double *q, const double *p, Error *error)
{
  const Search *s = self;
  const Constraint *curve = &s->arm->hand->con[0];
  Vec8 g, grad[2];
  const Vec8 r[2] = {vec8_set(q[2 * s->hand]), vec8_set(q[2 * s->hand + 1])};
  curve->type->eval(curve, 2, r, &g, grad);
  const double *v = p + 2 * s->hand;
  const double along = v[1] * grad[0][0] - v[0] * grad[1][0];
  const double size = hypot(v[0], v[1]) * hypot(grad[0][0], grad[1][0]);
  if (!(fabs(along) > 1e-6 * size))
    return error_set(error, STATUS_INPUT,
                     "the hand of '%s' (site %d) does not move along its curve: give it a momentum",
                     s->kind->name, s->hand + 1);
  return STATUS_OK;
}

const Method method_kinematic_search = {
    .name = "kinematic-search",
    .doc =
        "a redundant planar arm whose hand follows a curve: joints by SHAKE, then a random search for small "
        "angular velocities and accelerations and away from obstacles (potentials); no dynamics",
    .cite = "Vesely 2013, sec. VII B; Kastenmeier & Vesely, Robotica 14, 329 (1996)",
    .traits = METHOD_CONSTRAINTS,
    .order = 0,
    .create = kinematic_search_create,
    .scratch = kinematic_search_scratch,
    .check = kinematic_search_check,
    .step = kinematic_search_step,
    .free = kinematic_search_free,
};
