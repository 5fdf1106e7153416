#include "engine/crew.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/await.h"
#include "engine/team.h"

/* Members that wait this long awake meet the next work without being woken, which takes some 50 us. */
static const double awake_seconds = 2e-4;

typedef struct Member {
  Await order; /* number of orders received */
  Crew *crew;
  int rank;
  pthread_t thread;
  char apart[TEAM_LINE]; /* from the next member's data */
} Member;

struct Crew {
  int most, begun; /* members allowed, and members started */
  pid_t process;   /* the process of the threads: a forked process has none */
  bool quits;
  CrewWork *work;
  void *self;
  int size;
  atomic_int left; /* members still working */
  Await done;      /* pieces of work completed by all */
  int *place;      /* [most] OpenMP's places, by rank; NULL: threads may move */
  Member member[];
};

Status crew_create(Crew **out, int most, Error *error)
{
  Crew *crew = *out = calloc(1, sizeof *crew + (size_t)most * sizeof *crew->member);
  TRY_MEMORY(crew != NULL, "threads", error);
  crew->most = most;
  return STATUS_OK;
}

static void *live(void *self)
{
  Member *m = self;
  Crew *crew = m->crew;
  for (unsigned old = 0;; old++) {
    if (!await_awake(&m->order, old, awake_seconds))
      (void)await_asleep(&m->order, old);
    if (crew->quits)
      return NULL;
    crew->work(crew->self, m->rank, crew->size);
    if (atomic_fetch_sub_explicit(&crew->left, 1, memory_order_acq_rel) == 1)
      await_set(&crew->done, atomic_load_explicit(&crew->done.value, memory_order_relaxed) + 1);
  }
}

/* --- beginning -------------------------------------------------------------------------------------------
 */

/* Finds the places of OpenMP's threads, if it binds them. */
static void find_places(Crew *crew)
{
  if (omp_get_proc_bind() == omp_proc_bind_false || omp_get_num_places() <= 0 ||
      (crew->place = malloc((size_t)crew->most * sizeof *crew->place)) == NULL)
    return;
  for (int r = 0; r < crew->most; r++)
    crew->place[r] = -1;
#pragma omp parallel num_threads(crew->most)
  crew->place[omp_get_thread_num()] = omp_get_place_num();
}

static void bind(const Crew *crew, int rank)
{
  const int n = crew->place == NULL || crew->place[rank] < 0 ? 0 : omp_get_place_num_procs(crew->place[rank]);
  int *const of = n > 0 ? malloc((size_t)n * sizeof *of) : NULL;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (of == NULL)
    return;
  omp_get_place_proc_ids(crew->place[rank], of);
  for (int i = 0; i < n; i++)
    if (of[i] >= 0 && of[i] < CPU_SETSIZE)
      CPU_SET((size_t)of[i], &set);
  free(of);
  (void)pthread_setaffinity_np(crew->member[rank].thread, sizeof set,
                               &set); /* on failure the thread may move */
}

static void begin(Crew *crew, int size)
{
  if (crew->process != getpid()) {
    crew->process = getpid();
    crew->begun = 1;
    atomic_store(&crew->done.asleep, 0);
  }
  if (size <= crew->begun)
    return;
  if (crew->begun == 1 && crew->place == NULL)
    find_places(crew);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* members inherit the mask: only the caller's thread receives
                                                * signals */
  for (int r = crew->begun; r < size; r++, crew->begun++) {
    crew->member[r] = (Member){.crew = crew, .rank = r};
    if (pthread_create(&crew->member[r].thread, NULL, live, &crew->member[r]) != 0)
      break;
    bind(crew, r);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void order(Member *m)
{
  await_set(&m->order, atomic_load_explicit(&m->order.value, memory_order_relaxed) + 1);
}

void crew_free(Crew *crew)
{
  if (crew == NULL)
    return;
  crew->quits = true;
  for (int r = 1; r < crew->begun && crew->process == getpid(); r++)
    order(&crew->member[r]);
  for (int r = 1; r < crew->begun && crew->process == getpid(); r++)
    pthread_join(crew->member[r].thread, NULL);
  free(crew->place);
  free(crew);
}

/* --- work ------------------------------------------------------------------------------------------------
 */

void crew_run(Crew *crew, int size, CrewWork *work, void *self)
{
  if (crew == NULL || size == 1) {
    work(self, 0, 1);
    return;
  }
  begin(crew, size);
  const unsigned old = atomic_load_explicit(&crew->done.value, memory_order_relaxed);
  crew->work = work;
  crew->self = self;
  crew->size = size < crew->begun ? size : crew->begun;
  atomic_store_explicit(&crew->left, crew->size - 1, memory_order_relaxed);
  for (int r = 1; r < crew->size; r++)
    order(&crew->member[r]);
  work(self, 0, crew->size);
  if (crew->size > 1 && !await_awake(&crew->done, old, awake_seconds))
    (void)await_asleep(&crew->done, old);
}

typedef struct Each {
  void (*work)(void *self, int i);
  void *self;
  int n;
  atomic_int next;
} Each;

static void do_each(void *self, int rank, int size)
{
  Each *each = self;
  (void)rank;
  (void)size;
  for (int i; (i = atomic_fetch_add_explicit(&each->next, 1, memory_order_relaxed)) < each->n;)
    each->work(each->self, i);
}

void crew_each(Crew *crew, int size, int n, void (*work)(void *self, int i), void *self)
{
  Each each = {.work = work, .self = self, .n = n};
  crew_run(crew, size < n ? size : n > 0 ? n : 1, do_each, &each);
}
