/* Chains, rings, stars and trees of any size, and one of them at work in a pack with a constraint solver. */
#ifndef HOLONOM_TESTS_FIGURES_H
#define HOLONOM_TESTS_FIGURES_H

#include "formula/implicit.h"
#include "integrators/constraints.h"
#include "integrators/letters.h"
#include "integrators/projector.h"
#include "tests/molecules.h"
#include "tests/residual.h"

enum { MOST = 301, MOST_COORDINATES = 3 * MOST };

typedef enum Shape { HUNG, FORMULAS, CHAIN, RING, STAR, TREE, SHAPES, STRAIGHT_LINE } Shape;

/* A kind of any size and what is behind it. */
typedef struct Figure {
  Kind kind;
  double mass[MOST], reference[MOST_COORDINATES];
  const char *letter[MOST];
  Constraint con[MOST + 1];
  Expression *formula[MOST + 1];
} Figure;

static void add_bond(Figure *f, int i, int j)
{
  double sum = 0.0;
  for (int d = 0; d < f->kind.dim; d++)
    sum += pow(f->reference[i * f->kind.dim + d] - f->reference[j * f->kind.dim + d], 2);
  f->con[f->kind.ncon++] = (Constraint){&constraint_distance, 2, {i, j}, {sqrt(sum)}, NULL};
}

/* The same length as a formula whose second derivatives are no constants. */
static void turn_to_formula(Figure *f, int c)
{
  static const char *const text[2][2] = {
      {"sqrt(x^2 + y^2) - d", "sqrt(x^2 + y^2 + z^2) - d"},
      {"sqrt((x1 - x2)^2 + (y1 - y2)^2) - d", "sqrt((x1 - x2)^2 + (y1 - y2)^2 + (z1 - z2)^2) - d"}};
  static const char *const name[1] = {"d"};
  Constraint *con = &f->con[c];
  Error error;
  ck_assert_msg(implicit_formula(&f->formula[c], text[con->nsite - 1][f->kind.dim - 2], f->kind.dim,
                                 con->nsite, 1, name, con->param, &error) == STATUS_OK,
                "%s", error.text);
  con->type = &constraint_implicit;
  con->data = f->formula[c];
}

static void figure_free(Figure *f)
{
  for (int c = 0; c < f->kind.ncon; c++)
    expression_free(f->formula[c]);
  free(f);
}

/* All on one line, by the distance of the first two and linear rows. */
static void straighten(Figure *f)
{
  const int dim = f->kind.dim;
  double from[3], way[3];
  memcpy(from, f->reference, sizeof from);
  for (int d = 0; d < dim; d++)
    way[d] = f->reference[dim + d] - from[d];
  add_bond(f, 0, 1);
  for (int s = 2; s < f->kind.nsite; s++)
    for (int d = 0; d < dim; d++) {
      const double share = s % 2 == 0 ? 1.0 / s : s;
      f->reference[s * dim + d] = from[d] + share * way[d];
      f->con[f->kind.ncon++] =
          (Constraint){&constraint_straight, 3, {s, 0, 1}, {f->con[0].param[0], share, d}, NULL};
    }
}

/* Sites on a bent line or a dented circle, masses from 0.5 to 2. A hung chain has an anchor to the origin. */
static Figure *figure_make(Shape shape, int nsite, int dim, bool shuffled)
{
  Figure *f = calloc(1, sizeof *f);
  f->kind = (Kind){.name = "figure",
                   .nsite = nsite,
                   .dim = dim,
                   .mass = f->mass,
                   .site = f->letter,
                   .con = f->con,
                   .reference = f->reference};
  for (int s = 0; s < nsite; s++) {
    const double angle = 2.0 * M_PI * s / nsite, radius = nsite / (2.0 * M_PI);
    const double even[3] = {shape == RING ? radius * cos(angle) : 1.0 + s,
                            shape == RING ? radius * sin(angle) : 0.4 * (s % 3), 0.3 * (s % 2)};
    for (int d = 0; d < dim; d++)
      f->reference[s * dim + d] = even[d] + 0.1 * uniform();
    f->mass[s] = 1.25 + 0.75 * uniform();
    f->letter[s] = "X";
  }
  if (shape <= FORMULAS) {
    double sum = 0.0;
    for (int d = 0; d < dim; d++)
      sum += f->reference[d] * f->reference[d];
    f->con[f->kind.ncon++] = (Constraint){&constraint_anchor, 1, {0}, {sqrt(sum)}, NULL};
  }
  if (shape == STRAIGHT_LINE) {
    straighten(f);
    return f;
  }
  for (int s = 1; s < nsite; s++)
    add_bond(f, s, shape == STAR ? 0 : (shape == TREE ? (s - 1) / 2 : s - 1));
  if (shape == RING)
    add_bond(f, 0, nsite - 1);
  for (int c = 0; shape == FORMULAS && c < f->kind.ncon; c += 2)
    turn_to_formula(f, c);
  for (int c = f->kind.ncon - 1; shuffled && c > 0; c--) {
    const int other = (int)(drand48() * (c + 1));
    const Constraint keep = f->con[c];
    Expression *formula = f->formula[c];
    f->con[c] = f->con[other];
    f->con[other] = keep;
    f->formula[c] = f->formula[other];
    f->formula[other] = formula;
  }
  return f;
}

/* The figure at work in a pack: turned differently in each lane, with random momenta. */
typedef struct Scene {
  const Kind *kind;
  int n;
  Pack pack;
  Vec8 q[MOST_COORDINATES], p[MOST_COORDINATES], f[MOST_COORDINATES], old[MOST_COORDINATES], nu[MOST + 1];
  Vec8 heat, active, *scratch;
  const ConstraintSolver *solver;
  void *self;
  Projector *projector;
  const LetterKernels *letters;
} Scene;

static Scene *scene_open(const Kind *kind, const char *solver, double tolerance, int iterations, Isa isa)
{
  Scene *s = aligned_alloc(sizeof(Vec8), (sizeof *s + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  memset(s, 0, sizeof *s);
  const ConstraintOptions options = {tolerance, iterations, solver};
  Error error;
  s->kind = kind;
  s->n = kind->nsite * kind->dim;
  s->active = vec8_set(1.0);
  s->letters = letter_kernels(isa);
  ck_assert_int_eq(
      constraint_solver_choose(&s->solver, constraint_method_find("rattle"), solver, kind, &error),
      STATUS_OK);
  ck_assert_int_eq(s->solver->create(&s->self, kind, &options, isa, &error), STATUS_OK);
  ck_assert_int_eq(projector_create(&s->projector, kind, NULL, true, isa, &error), STATUS_OK);
  const size_t solve = s->solver->scratch != NULL ? s->solver->scratch(s->self) : 0;
  const size_t project = projector_scratch(s->projector);
  s->scratch = aligned_alloc(sizeof(Vec8), (1 + (solve > project ? solve : project)) * sizeof(Vec8));
  s->pack = (Pack){.kind = kind,
                   .q = s->q,
                   .p = s->p,
                   .f = s->f,
                   .heat = &s->heat,
                   .active = &s->active,
                   .scratch = s->scratch};
  return s;
}

static void scene_close(Scene *s)
{
  s->solver->free(s->self);
  projector_free(s->projector);
  free(s->scratch);
  free(s);
}

/* Turned about the origin, which the anchor is at. */
static void scene_random(Scene *s, double speed)
{
  const int dim = s->kind->dim;
  for (int l = 0; l < LANES; l++) {
    double r[3][3];
    random_rotation(dim, r);
    for (int i = 0; i < s->n; i++) {
      s->q[i][l] = 0.0;
      for (int e = 0; e < dim; e++)
        s->q[i][l] += r[i % dim][e] * s->kind->reference[i / dim * dim + e];
      s->p[i][l] = speed * s->kind->mass[i / dim] * uniform();
      s->f[i][l] = uniform();
    }
  }
}

static void scene_copy(Scene *to, const Scene *from)
{
  memcpy(to->q, from->q, sizeof to->q);
  memcpy(to->p, from->p, sizeof to->p);
  memcpy(to->f, from->f, sizeof to->f);
  to->active = from->active;
}

static unsigned drift(Scene *s, double t)
{
  memcpy(s->old, s->q, sizeof s->q);
  s->letters->drift(t, &s->pack);
  return s->solver->positions(s->self, t, s->old, &s->pack, s->nu);
}

static double residual(const Scene *s)
{
  Vec8 g;
  constraint_residual(&s->pack, &g);
  return largest(g);
}

static double difference(const Scene *a, const Scene *b, bool momenta)
{
  double most = 0.0;
  for (int i = 0; i < a->n; i++)
    most = fmax(most, largest(momenta ? a->p[i] - b->p[i] : a->q[i] - b->q[i]));
  return most;
}

#endif
