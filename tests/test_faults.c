/* Faults in a walk: the step that is named, the message and the step counter are the same for one thread and
 * for teams, for every sort of fault and however the calls are cut. */
#include "tests/scenes.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { NMOL = 40, STEPS = 50, PULLED = 30 /* molecule 31 */ };

/* Forces that cannot be had in step `when` (0: in none); else they pull one molecule apart, more with every
 * step. */
typedef struct Broken {
  int64_t when;
  double pull;
  int calls;
} Broken;

static Status broken_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                         Error *error)
{
  Broken *b = self;
  (void)groups;
  (void)sums;
  team_barrier(team);
  if (team->rank == 0) {
    const Block *block = &state->block[0];
    b->calls++; /* the first is before all steps */
    for (int k = 0; k < 9; k++)
      ((double *)block->f)[state_index(block, 1, PULLED, 0, k / 3, k % 3)] +=
          b->pull * (double)state->step * (k / 3 - 1) * (k % 3 == 0 ? 1.0 : -0.7);
  }
  team_barrier(team);
  const bool now = b->when > 0 && b->calls > 1 && state->step == b->when - 1;
  team_barrier(team); /* before anybody goes on to the next step */
  return now ? error_set(error, STATUS_RUN, "these forces are broken") : STATUS_OK;
}

static const ForceOps broken_ops = {.name = "broken", .add = broken_add};

/* What goes wrong, and when. */
typedef struct Case {
  const char *name, *says;
  PlanOptions options;
  int64_t broken; /* the step without forces */
  int wild[2];    /* molecules whose momentum is enormous; -1: none */
  double factor, pull;
  bool alone;   /* no forces */
  int64_t step; /* the step to be named; 0: a later one */
} Case;

#define RATTLE(letters)                                                                                      \
  {                                                                                                          \
    .word = letters, .h = 0.05, .accel = "verlet", .constraints = "rattle", .constraint = {                  \
      .solver = "newton",                                                                                    \
      .tolerance = 1e-12,                                                                                    \
      .max_iterations = 4                                                                                    \
    }                                                                                                        \
  }

static const Case cases[] = {
    {"forces", "these forces are broken", RATTLE("BAB"), 7, {-1, -1}, .step = 7},
    {"forces, two drifts", "these forces are broken", RATTLE("ABA"), 7, {-1, -1}, .step = 7},
    {"forces at once", "these forces are broken", RATTLE("ABA"), 1, {-1, -1}, .step = 1},
    {"constraints", "molecule 31 of replica 0 cannot satisfy", RATTLE("BAB"), 0, {30, -1}, 20.0, .step = 1},
    {"in the head", "molecule 31 of replica 0 cannot satisfy", RATTLE("ABA"), 0, {30, -1}, 20.0, .step = 1},
    {"two at once", "molecule 7 of replica 0 cannot satisfy", RATTLE("BAB"), 0, {30, 6}, 20.0, .step = 1},
    {"both", "molecule 31 of replica 0 cannot satisfy", RATTLE("ABA"), 1, {30, -1}, 20.0, .step = 1},
    {"constraints, later", "molecule 31 of replica 0 cannot satisfy", RATTLE("BAB"), 0, {-1, -1}, 0.0, 100.0},
    {"drifts, later", "molecule 31 of replica 0 cannot satisfy", RATTLE("ABA"), 0, {-1, -1}, 0.0, 100.0},
    {"map",
     "molecule 31 of replica 0: the nonlinear system",
     {.word = "BAB", .h = 0.05, .accel = "newmark", .beta = 0.25, .w = 30.0, .max_iterations = 2},
     0,
     {30, -1},
     3.0,
     .alone = true,
     .step = 1},
    {"runs away",
     "runs away",
     {.word = "BAB", .h = 0.05, .accel = "verlet", .w = 1.0},
     0,
     {30, -1},
     300.0,
     .step = 16},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

typedef struct Job {
  Walk *walk[TEAM_MOST];
  const State *state;
  int64_t piece; /* steps in one call */
} Job;

static Status job_member(void *self, const Team *team, Error *error)
{
  const Job *job = self;
  Walk *walk = job->walk[team->rank];
  Status status = walk_prepare(walk, team, error);
  for (int64_t k = 0; k < STEPS && status == STATUS_OK; k += job->piece)
    status = walk_run(walk, team, job->piece, error);
  return status;
}

/* The message; *step: the state's afterwards. */
static Error fails(const Case *c, int threads, int64_t piece, int64_t *step)
{
  Scene s;
  Broken broken = {c->broken, c->pull, 0};
  scene_cluster(&s, NMOL, 1, isa_best());
  PlanOptions o = c->options;
  o.isa = isa_best();
  Plan *plan;
  ck_assert_int_eq(plan_create(&plan, s.kind, &o, NULL), STATUS_OK);
  const ForceField field = {c->alone ? 0 : 1, {{&broken_ops, &broken}}};
  const Block *block = &s.state->block[0];
  for (int i = 0; i < 2 && c->wild[i] >= 0; i++)
    for (int k = 0; k < 9; k++)
      ((double *)block->p)[state_index(block, 1, c->wild[i], 0, k / 3, k % 3)] +=
          c->factor * (k % 3 == 0 ? 1.0 : -0.7) * (k < 3 ? 1.0 : (k < 6 ? -0.8 : 0.4));
  Job job = {.state = s.state, .piece = piece};
  for (int t = 0; t < threads; t++) {
    ck_assert_int_eq(walk_create(&job.walk[t], plan, &field, s.state, NULL), STATUS_OK);
    walk_attach(job.walk[t], s.state, RANDOM_THERMOSTAT);
  }
  Error error = {0};
  ck_assert_msg(team_run(threads, job_member, &job, &error) == STATUS_RUN, "%s", c->name);
  *step = s.state->step;
  for (int t = 0; t < threads; t++)
    walk_free(job.walk[t]);
  plan_free(plan);
  scene_free(&s);
  return error;
}

TEST(every_team_tells_the_same_fault, .rows = CASES, .threads = true)
{
  const Case *c = &cases[_i];
  int64_t step, other;
  const Error first = fails(c, 1, STEPS, &step);
  ck_assert_msg(strstr(first.text, c->says) != NULL, "%s: %s", c->name, first.text);
  char begin[32];
  snprintf(begin, sizeof begin, "step %lld: ", (long long)step + 1);
  ck_assert_msg(strncmp(first.text, begin, strlen(begin)) == 0, "%s: after %lld steps: %s", c->name,
                (long long)step, first.text);
  if (c->step > 0)
    ck_assert_int_eq(step + 1, c->step);
  else
    ck_assert_int_gt(step, 2);
  for (int threads = 2; threads <= 4; threads++) {
    const Error more = fails(c, threads, STEPS, &other);
    ck_assert_str_eq(more.text, first.text);
    ck_assert_int_eq(other, step);
  }
  if (strcmp(c->name, "runs away") == 0)
    return; /* looked for at the end of each call */
  for (int threads = 1; threads <= 3; threads++) {
    const Error cut = fails(c, threads, 1, &other);
    ck_assert_str_eq(cut.text, first.text);
    ck_assert_int_eq(other, step);
  }
}
