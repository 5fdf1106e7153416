/* Chooses the number of threads of a job. */
#include "simulation/ensemble/ensemble_private.h"

/* With fewer lanes a thread waits longer at the barriers of a step than it works. */
enum { LANES_PER_THREAD = 32 };

int ensemble_pace_useful(const Ensemble *e)
{
  const Topology *topology = e->options.topology;
  int lanes = 0;
  for (int b = 0; b < topology->nblock; b++)
    lanes += topology->lanes[b];
  return e->team ? 1 + lanes / LANES_PER_THREAD : e->held;
}

/* Waking sleeping threads takes about 50 us. If another program uses their cores, all wait for milliseconds
 * for the thread without a core, and one thread finishes a short job sooner. Jobs shorter than worth_waking
 * (seconds of one thread) always run on one thread. Jobs up to worth_sharing, and all jobs whose threads wait
 * at every step for the caller's forces, run on one thread or all, whichever was faster recently. The choice
 * does not change bits. */
static const double worth_waking = 100e-6, worth_sharing = 50e-3;
/* The slower way is tried again after jobs of TRY_OTHER times its duration. MEMORY: jobs in a mean;
 * SHORT_MEMORY: of the slower way, whose last trial is old. */
enum { TRY_OTHER = 64, MEMORY = 8, SHORT_MEMORY = 2 };

/* Whether one thread was faster than all recently. */
static bool alone_is_faster(Ensemble *e)
{
  if (e->wall[0] == 0.0 || e->wall[1] == 0.0)
    return e->wall[0] == 0.0;
  const bool alone = e->wall[0] < e->wall[1];
  const bool other = ++e->jobs > TRY_OTHER * e->wall[alone] / e->wall[!alone];
  if (other)
    e->jobs = 0;
  return alone != other;
}

int ensemble_pace_workers(Ensemble *e, int batches, int64_t steps)
{
  e->begun = ensemble_worked(e, &e->begun_steps);
  const double seconds = e->pace * (double)batches * (double)(steps > 0 ? steps : 1);
  if (e->team)
    return e->size.now > 0 ? e->size.now : e->nworker;
  if (e->eager || e->nworker == 1 || e->pace == 0.0 || (seconds > worth_sharing && !e->together))
    return e->nworker;
  return seconds < worth_waking || alone_is_faster(e) ? 1 : e->nworker;
}

/* --- the size of a team ----------------------------------------------------------------------------------
 *
 * Members wait for each other about ten times a step, so a member without a core delays all. If the members
 * together get more than SPARE cores less than their number, the team shrinks to the cores that it gets. Once
 * each member has a core again, the team doubles for trial after a delay, which doubles after a failed
 * trial. */
static const double WINDOW = 50e-3 /* s of jobs between checks */, SPARE = 0.7, OWN_CORE = 0.9,
                    FIRST_DELAY = 0.2, LAST_DELAY = 10.0, JOB = 0.1 /* s of a team's longest job */;

int64_t ensemble_pace_steps(const Ensemble *e)
{
  const bool some = e->team && e->nworker > 1 && e->pace > 0.0;
  return some ? 1 + (int64_t)(JOB / e->pace) : INT64_MAX;
}

static void shrink(TeamSize *s, int now, double cores)
{
  s->now = cores < 1.5 ? 1 : (int)(cores + 0.5) < now ? (int)(cores + 0.5) : now - 1;
  s->delay = !s->trial ? FIRST_DELAY : s->delay < LAST_DELAY ? 2.0 * s->delay : s->delay;
  s->small = 0.0;
  s->trial = false;
}

static void resize_team(Ensemble *e, int workers, double seconds)
{
  TeamSize *const s = &e->size;
  for (int t = 0; t < workers; t++) {
    s->ran += e->worker[t].ran;
    s->wanted += e->worker[t].wanted;
  }
  s->since += seconds;
  s->small += seconds;
  if (s->since < WINDOW)
    return;
  const double share = s->ran < s->wanted ? s->ran / s->wanted : 1.0;
  if (workers > 1 && share * workers < workers - SPARE)
    shrink(s, workers, share * workers);
  else if (workers < e->nworker && share > OWN_CORE && s->small > s->delay) {
    s->now = 2 * workers < e->nworker ? 2 * workers : e->nworker;
    s->trial = true;
  } else
    s->trial = false;
  s->ran = s->wanted = s->since = 0.0;
}

void ensemble_pace_learn(Ensemble *e, int workers, double seconds)
{
  int64_t steps;
  const double busy = ensemble_worked(e, &steps) - e->begun;
  steps -= e->begun_steps;
  if (steps == 0)
    return;
  if (e->team && e->nworker > 1)
    resize_team(e, workers, seconds);
  const double pace = busy / (double)steps, wall = seconds / (double)steps;
  e->pace = e->pace > 0.0 && pace > 2.0 * e->pace ? 2.0 * e->pace : pace; /* limits the effect of one job */
  const bool shorter = e->pace * (double)steps < worth_waking; /* too short to predict longer jobs */
  double *mean = &e->wall[workers > 1];
  const bool slower = *mean > e->wall[workers == 1];
  if (!shorter)
    *mean += (wall - *mean) / (*mean == 0.0 ? 1 : slower ? SHORT_MEMORY : MEMORY);
}
