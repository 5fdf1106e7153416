/* Measures trajectories without noise, for docs/validation.md: seven TIP3P waters, 8 replicas with momenta at
 * 10 K, tangent to the constraints. Started from a rigid minimum, or (energy) under penalties from the
 * minimum with those penalties. Prints, tab-separated:
 *   trajectories order
 *     order   METHOD  h  ROOT-MEAN-SQUARE ERROR OF POSITIONS (A)
 *     return  METHOD  STEPS THERE  LARGEST DISTANCE FROM THE START (A), -1 where the trajectory broke off
 *   trajectories energy STEPS
 *     energy  METHOD  TIME  CHANGE OF ENERGY  ITS STANDARD ERROR  |CHANGE OF LINEAR|  |OF ANGULAR MOMENTUM|
 *     slope   METHOD  STEPS  kcal/mol A MILLION STEPS  ITS STANDARD ERROR, over the last nine tenths */
#include "observables/statistics.h"
#include "tests/scenes.h"
#include "tests/suite.h"

enum { WIDTH = 8, MOLECULES = 7 };

typedef struct Way {
  const char *name, *accel, *constraints;
  PenaltyHessian hessian;
  double w, h, beta;
} Way;

static const Way by_order[] = {
    {"settle", "verlet", "settle", HESSIAN_FULL, 0.0, 0.05, 0.4},
    {"rattle", "verlet", "rattle", HESSIAN_FULL, 0.0, 0.05, 0.4},
    {"zss full w=20", "zss", NULL, HESSIAN_FULL, 20.0, 0.05, 0.4},
    {"zss Gauss-Newton w=20", "zss", NULL, HESSIAN_GAUSS_NEWTON, 20.0, 0.05, 0.4},
    {"zss Gauss-Newton w=500", "zss", NULL, HESSIAN_GAUSS_NEWTON, 500.0, 0.05, 0.4},
    {"NEWMARK-1 w=20", "newmark-1", NULL, HESSIAN_FULL, 20.0, 0.05, 0.4},
};

static const Way by_energy[] = {
    {"settle", "verlet", "settle", HESSIAN_FULL, 0.0, 0.05, 0.4},
    {"rattle", "verlet", "rattle", HESSIAN_FULL, 0.0, 0.05, 0.4},
    {"zss full w=20", "zss", NULL, HESSIAN_FULL, 20.0, 0.05, 0.4},
    {"zss Gauss-Newton w=20", "zss", NULL, HESSIAN_GAUSS_NEWTON, 20.0, 0.05, 0.4},
    {"NEWMARK-1 w=20", "newmark-1", NULL, HESSIAN_FULL, 20.0, 0.05, 0.4},
    {"zss full w=20 h=0.0125", "zss", NULL, HESSIAN_FULL, 20.0, 0.0125, 0.4},
    {"zss Gauss-Newton w=20 h=0.0125", "zss", NULL, HESSIAN_GAUSS_NEWTON, 20.0, 0.0125, 0.4},
    {"NEWMARK-1 w=20 h=0.0125", "newmark-1", NULL, HESSIAN_FULL, 20.0, 0.0125, 0.4},
    {"zss Gauss-Newton w=100", "zss", NULL, HESSIAN_GAUSS_NEWTON, 100.0, 0.05, 0.4},
    {"zss Gauss-Newton w=500", "zss", NULL, HESSIAN_GAUSS_NEWTON, 500.0, 0.05, 0.4},
    {"zss Gauss-Newton w=500 beta=0.25", "zss", NULL, HESSIAN_GAUSS_NEWTON, 500.0, 0.05, 0.25},
    {"zss Gauss-Newton w=500 h=0.025", "zss", NULL, HESSIAN_GAUSS_NEWTON, 500.0, 0.025, 0.4},
};
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static size_t field_size(const Scene *s) { return (size_t)s->state->block[0].npack * 9; }

/* The scene under one method; penalties are given the momenta that constraints would start with. */
static void take(Scene *s, const Way *m, double h)
{
  PlanOptions o = m->constraints != NULL ? scene_constrained(m->constraints, "BAB", h)
                                         : scene_penalty(m->accel, m->hessian, m->w, "BAB", h);
  o.tangent = m->constraints == NULL;
  o.constraint.tolerance = 1e-12;
  o.beta = m->beta;
  scene_plan(s, &o);
}

static State *copy_of(const Scene *s)
{
  State *copy;
  const Kind *kind = s->kind;
  if (state_create(&copy, WIDTH, 1, &kind, &s->nmol, 1, 0, NULL) != STATUS_OK)
    ck_abort_msg("no memory");
  state_copy(copy, s->state);
  return copy;
}

/* --- order and reversibility -----------------------------------------------------------------------------
 */

static void positions_after(Scene *s, const State *start, const Way *m, double time, double h, double *q)
{
  state_copy(s->state, start);
  take(s, m, h);
  scene_ready(s);
  scene_run(s, llround(time / h));
  memcpy(q, s->state->block[0].q, field_size(s) * sizeof(Vec8));
}

/* The reference takes steps much shorter than the fastest oscillation of the bonds. */
static void errors(Scene *s, const State *start, const Way *m)
{
  const size_t n = field_size(s) * LANES;
  double *exact = malloc(n * sizeof *exact), *q = malloc(n * sizeof *q);
  if (exact == NULL || q == NULL)
    ck_abort_msg("no memory");
  const double time = 0.8, finest = 0.1 / (m->w > 100.0 ? 131072 : (m->w > 0.0 ? 16384 : 4096));
  positions_after(s, start, m, time, finest, exact);
  for (double h = 0.1; h > 3.0 * finest; h /= 2) {
    positions_after(s, start, m, time, h, q);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
      sum += (q[i] - exact[i]) * (q[i] - exact[i]);
    printf("order\t%s\t%.6g\t%.4g\n", m->name, h, sqrt(3.0 * sum / (double)n));
  }
  free(exact);
  free(q);
}

/* Negative where the trajectory breaks off. */
static double way_home(Scene *s, const State *start, const Way *m, int64_t steps)
{
  state_copy(s->state, start);
  take(s, m, m->h);
  scene_ready(s);
  Vec8 *p = s->state->block[0].p;
  for (int leg = 0; leg < 2; leg++) {
    if (walk_run(s->walk, &s->team, steps, NULL) != STATUS_OK)
      return -1.0;
    for (size_t i = 0; i < field_size(s); i++)
      p[i] = -p[i];
    scene_ready(s);
  }
  const double *q = (const double *)s->state->block[0].q, *q0 = (const double *)start->block[0].q;
  double largest = 0.0;
  for (size_t i = 0; i < field_size(s) * LANES; i++)
    largest = fmax(largest, fabs(q[i] - q0[i]));
  return largest;
}

static void order(void)
{
  Scene s;
  scene_cluster(&s, MOLECULES, WIDTH, isa_best());
  take(&s, &by_order[0], 0.05);
  scene_warm(&s, 1);
  State *start = copy_of(&s);
  for (int i = 0; i < COUNT(by_order); i++)
    errors(&s, start, &by_order[i]);
  for (int i = 0; i < COUNT(by_order); i++)
    for (int64_t steps = 100; steps <= 10000; steps *= 10)
      printf("return\t%s\t%lld\t%.3g\n", by_order[i].name, (long long)steps,
             way_home(&s, start, &by_order[i], steps));
  state_free(start);
  scene_free(&s);
}

/* --- energy and momenta ----------------------------------------------------------------------------------
 */

typedef struct Conserved {
  SceneEnergy energy;
  double linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
} Conserved;

static Conserved conserved(Scene *s)
{
  Conserved c = {.energy = scene_energy(s)};
  motion_momenta(s->state, c.linear, c.angular);
  return c;
}

static double change(double (*now)[3], double (*then)[3])
{
  double sum = 0.0;
  for (int r = 0; r < WIDTH; r++)
    sum += sqrt(pow(now[r][0] - then[r][0], 2) + pow(now[r][1] - then[r][1], 2) +
                pow(now[r][2] - then[r][2], 2));
  return sum / WIDTH;
}

/* From the rigid minimum downhill on the penalised surface, by friction alone; then momenta at 10 K. */
static void relax_and_warm(Scene *s, const Way *m)
{
  if (m->constraints == NULL) {
    PlanOptions o = scene_penalty("zss", HESSIAN_GAUSS_NEWTON, m->w, "BABO", 0.02);
    o.friction = FRICTION_MASS;
    o.gamma = 2.0;
    o.kT = 0.0;
    scene_plan(s, &o);
    scene_ready(s);
    scene_run(s, 50000);
  }
  take(s, m, m->h);
  scene_warm(s, 1);
}

/* Sums for the regression of each replica's energy on the number of steps. */
typedef struct Line {
  double n, x, xx, y[WIDTH], xy[WIDTH];
} Line;

static void line_add(Line *line, double x, const double *y)
{
  line->n += 1.0;
  line->x += x;
  line->xx += x * x;
  for (int r = 0; r < WIDTH; r++) {
    line->y[r] += y[r];
    line->xy[r] += x * y[r];
  }
}

static void print_slope(const Way *m, const Line *line, int64_t done)
{
  double slope[WIDTH], mean, error;
  for (int r = 0; r < WIDTH; r++)
    slope[r] = (line->xy[r] - line->x * line->y[r] / line->n) / (line->xx - line->x * line->x / line->n);
  statistics_mean(slope, WIDTH, &mean, &error);
  printf("slope\t%s\t%lld\t%.4g\t%.4g\n", m->name, (long long)done, mean, error);
}

/* Dense at first, as the paper's picture; then sparse. */
static void follow(Scene *s, const Way *m, int64_t steps)
{
  relax_and_warm(s, m);
  Conserved first = conserved(s);
  Line line = {0};
  int64_t done = 0;
  while (done < steps) {
    const int64_t next = done < 4000 ? 20 : 1000;
    if (walk_run(s->walk, &s->team, next, NULL) != STATUS_OK)
      break;
    done += next;
    Conserved now = conserved(s);
    double delta[WIDTH], mean, error;
    for (int r = 0; r < WIDTH; r++)
      delta[r] = now.energy.total[r] - first.energy.total[r];
    statistics_mean(delta, WIDTH, &mean, &error);
    if (done < 4000 || done % 10000 == 0)
      printf("energy\t%s\t%.6g\t%.6g\t%.3g\t%.4g\t%.4g\n", m->name, (double)done * m->h, mean, error,
             change(now.linear, first.linear), change(now.angular, first.angular));
    if (done >= steps / 10)
      line_add(&line, 1e-6 * (double)done, delta);
  }
  if (done >= steps)
    print_slope(m, &line, done);
  else
    printf("slope\t%s\t%lld\tbroke off\n", m->name, (long long)done);
}

static void energy(int64_t steps)
{
  for (int i = 0; i < COUNT(by_energy); i++) {
    Scene s;
    scene_cluster(&s, MOLECULES, WIDTH, isa_best());
    follow(&s, &by_energy[i], steps);
    scene_free(&s);
  }
}

/* --- scenes check themselves with Check, which wants a test around them -----------------------------------
 */

static int64_t energy_steps;

TEST(measure)
{
  if (energy_steps > 0)
    energy(energy_steps);
  else
    order();
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "energy") == 0)
    energy_steps = atoll(argv[2]);
  if (energy_steps <= 0 && (argc != 2 || strcmp(argv[1], "order") != 0)) {
    fprintf(stderr, "usage: trajectories order | trajectories energy STEPS\n");
    return 2;
  }
  setenv("CK_FORK", "no", 1);
  return suite_main("trajectories");
}
