/* Barriers of a team: what was written before is seen after, by every member, also where threads outnumber
 * cores; the least of the members' values; a team that is stopped stops at the same place for all; pieces of
 * a deal are done once, whoever is slow; and members of a crew, which all take part in each piece of work. */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/crew.h"
#include "engine/tally.h"
#include "engine/team.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { ROUNDS = 2000, STOP_AT = 700 };

typedef struct Board {
  int written[2][TEAM_MOST]; /* in turn: one barrier is enough */
  int wrong[TEAM_MOST], stopped[TEAM_MOST];
  int64_t began;
} Board;

static int64_t value_of(int rank, int round) { return (int64_t)(rank * 37 + round * 11) % 101; }

static Status play(void *self, const Team *team, Error *error)
{
  (void)error;
  Board *b = self;
  for (int round = 0; round < ROUNDS; round++) {
    int *written = b->written[team_phase(team) % 2];
    written[team->rank] = round;
    int64_t expected = INT64_MAX;
    for (int r = 0; r < team->size; r++)
      expected = value_of(r, round) < expected ? value_of(r, round) : expected;
    if (round % 3 == 0)
      team_barrier(team);
    else
      b->wrong[team->rank] += team_least(team, value_of(team->rank, round)) != expected;
    for (int r = 0; r < team->size; r++)
      b->wrong[team->rank] += written[r] != round;
  }
  return STATUS_OK;
}

static const int sizes[] = {1, 2, 3, 5, 16};
enum { SIZES = (int)(sizeof sizes / sizeof *sizes) };

TEST(test_least, .rows = SIZES, .threads = true)
{
  Board board = {0};
  ck_assert_int_eq(team_run(sizes[_i], play, &board, NULL), STATUS_OK);
  for (int r = 0; r < sizes[_i]; r++)
    ck_assert_int_eq(board.wrong[r], 0);
}

/* Things by keys, sorted by all members together, again and again. */
enum { THINGS = 1000, KEYS = 37, SORTS = 50 };

typedef struct Sorted {
  Tally tally;
  int place[THINGS], key[THINGS];
} Sorted;

/* Some keys are rare, one has nothing. */
static int key_of(int thing, int sort) { return (thing * thing + 7 * sort) % 101 % (KEYS - 1); }

static Status sort_things(void *self, const Team *team, Error *error)
{
  (void)error;
  Sorted *s = self;
  int begin, end;
  team_range(team, THINGS, &begin, &end);
  for (int sort = 0; sort < SORTS; sort++) {
    int *const count = tally_begin(&s->tally, team);
    for (int i = begin; i < end; i++)
      count[s->key[i] = key_of(i, sort)]++;
    tally_end(&s->tally, team);
    team_barrier(team);
    tally_places(&s->tally, team);
    for (int i = begin; i < end; i++)
      s->place[i] = tally_next(&s->tally, team->rank)[s->key[i]]++;
    team_barrier(team);
  }
  return STATUS_OK;
}

/* Places are those of a stable sort by one member. */
TEST(test_tally, .rows = SIZES, .threads = true)
{
  Sorted s;
  ck_assert(tally_create(&s.tally, KEYS, TEAM_MOST));
  ck_assert_int_eq(team_run(sizes[_i], sort_things, &s, NULL), STATUS_OK);
  int at = 0;
  for (int k = 0; k < KEYS; k++) {
    for (int r = 0; r < sizes[_i]; r++)
      ck_assert_int_eq(tally_first(&s.tally, r)[k], at);
    for (int i = 0; i < THINGS; i++)
      if (key_of(i, SORTS - 1) == k)
        ck_assert_int_eq(s.place[i], at++);
  }
  ck_assert_int_eq(tally_first(&s.tally, 0)[KEYS], THINGS);
  tally_free(&s.tally);
}

/* One member after the other meets a fault; all leave the loop in the same round, and can begin again. */
static Status meet_fault(void *self, const Team *team, Error *error)
{
  (void)error;
  Board *b = self;
  for (int time = 0; time < team->size; time++) {
    int round = 0;
    for (; round < ROUNDS && !team_stopped(team); round++) {
      if (team->rank == time && round == STOP_AT + time)
        team_stop(team);
      if (round % 2 == 0 || round > STOP_AT)
        team_barrier(team);
    }
    b->stopped[team->rank] += round == (team->size > 1 ? STOP_AT + time + 1 : ROUNDS);
    team_barrier(team);
    team_go_on(team);
    team_barrier(team);
  }
  return STATUS_OK;
}

TEST(test_stop, .rows = SIZES, .threads = true)
{
  Board board = {0};
  ck_assert_int_eq(team_run(sizes[_i], meet_fault, &board, NULL), STATUS_OK);
  for (int r = 0; r < sizes[_i]; r++)
    ck_assert_int_eq(board.stopped[r], sizes[_i]);
}

/* --- deals -----------------------------------------------------------------------------------------------
 */

enum { PIECES = 97, DEALS = 60, SLEEP_NS = 20000 };

typedef struct Deals {
  int idler; /* 1 + it, or 0                                              */
  int by[PIECES], done[PIECES];
  int wrong[TEAM_MOST];
  int first[TEAM_MOST + 1];
} Deals;

/* Each member in turn is slow; shares are even, empty but for one, or growing. Nothing is locked: the deal
 * itself keeps members from one piece. */
static Status deal_out(void *self, const Team *team, Error *error)
{
  (void)error;
  Deals *d = self;
  for (int round = 0; round < DEALS; round++) {
    const int n = round % 4 == 0 ? PIECES : round % PIECES, shape = round % 3, size = team->size;
    if (team->rank == 0) {
      memset(d->done, 0, sizeof d->done);
      for (int r = 0; r <= size; r++)
        d->first[r] = shape == 1 ? (r > round % size ? n : 0) : n * r * r / (size * size);
    }
    team_barrier(team);
    TeamDeal deal = team_deal(team, n, shape == 0 ? NULL : d->first);
    for (int k; (k = team_next(&deal)) >= 0;) {
      d->done[k]++;
      d->by[k] = team->rank;
      if (team->rank == round % size)
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    }
    team_barrier(team);
    for (int k = 0; k < PIECES; k++) {
      d->wrong[team->rank] += d->done[k] != (k < n);
      d->wrong[team->rank] += k < n && d->by[k] + 1 == d->idler;
    }
    team_barrier(team);
  }
  return STATUS_OK;
}

TEST(test_deal, .rows = SIZES, .threads = true)
{
  const int size = sizes[_i];
  for (int idler = 0; idler <= size && (idler == 0 || size > 1); idler++) {
    Deals deals = {.idler = idler};
    ck_assert_int_eq(team_run_idle(size, idler, deal_out, &deals, NULL), STATUS_OK);
    for (int r = 0; r < size; r++)
      ck_assert_int_eq(deals.wrong[r], 0);
  }
}

/* A member alone takes all pieces, in order. */
TEST(test_deal_alone, .threads = true)
{
  const Team alone = team_alone();
  TeamDeal deal = team_deal(&alone, 5, NULL);
  for (int k = 0; k < 5; k++)
    ck_assert_int_eq(team_next(&deal), k);
  ck_assert_int_eq(team_next(&deal), -1);
  ck_assert_int_eq(team_next(&deal), -1);
}

/* A team that is larger than deals are for: fixed shares. */
TEST(test_deal_large, .threads = true)
{
  enum { SIZE = TEAM_HANDS + 5, N = 1000 };
  TeamBarrier barrier = {0};
  int next = 0;
  for (int r = 0; r < SIZE; r++) {
    const Team team = {r, SIZE, &barrier};
    TeamDeal deal = team_deal(&team, N, NULL);
    for (int k; (k = team_next(&deal)) >= 0;)
      ck_assert_int_eq(k, next++);
  }
  ck_assert_int_eq(next, N);
}

TEST(test_clear, .rows = SIZES, .threads = true)
{
  enum { N = 1000, BYTES = 24 };
  static char memory[N * BYTES];
  memset(memory, 1, sizeof memory);
  team_clear(memory, N, BYTES, sizes[_i]);
  for (size_t k = 0; k < sizeof memory; k++)
    ck_assert_int_eq(memory[k], 0);
}

/* --- crews -----------------------------------------------------------------------------------------------
 */

enum { WORKS = 300 };

typedef struct Crowd {
  int done[TEAM_MOST], wrong, size; /* by each member in all; the size wanted */
  int each[PIECES];
} Crowd;

static void take_part(void *self, int rank, int size)
{
  Crowd *c = self;
  c->done[rank]++;
  if (rank == 0)
    c->wrong += size != c->size;
}

static void one_piece(void *self, int i)
{
  Crowd *c = self;
  c->each[i]++;
}

/* Every member takes its part once, whatever sizes follow each other, and whether members still wait awake or
 * sleep by then; what it wrote is seen after. */
TEST(test_crew, .rows = SIZES, .threads = true)
{
  const int most = sizes[_i];
  Crew *crew;
  Crowd crowd = {.wrong = 0};
  int expected[TEAM_MOST] = {0};
  ck_assert_int_eq(crew_create(&crew, most, NULL), STATUS_OK);
  for (int k = 0; k < WORKS; k++) {
    crowd.size = 1 + k * k % most;
    crew_run(crew, crowd.size, take_part, &crowd);
    for (int r = 0; r < most; r++) {
      expected[r] += r < crowd.size;
      ck_assert_int_eq(crowd.done[r], expected[r]);
    }
    if (k % 100 == 99)
      nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    crew_each(crew, most, k % PIECES, one_piece, &crowd);
  }
  ck_assert_int_eq(crowd.wrong, 0);
  for (int i = 0, times = 0; i < PIECES; i++, times = 0) {
    for (int k = 0; k < WORKS; k++)
      times += i < k % PIECES;
    ck_assert_int_eq(crowd.each[i], times);
  }
  crew_free(crew);
}

/* A process that was forked off has none of the threads, and begins its own. */
TEST(test_crew_forked)
{
  Crew *crew;
  Crowd crowd = {.size = 3};
  ck_assert_int_eq(crew_create(&crew, 3, NULL), STATUS_OK);
  crew_run(crew, 3, take_part, &crowd);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(10);
    crew_run(crew, 3, take_part, &crowd);
    const int good = crowd.done[0] == 2 && crowd.done[1] == 2 && crowd.done[2] == 2;
    crew_free(crew);
    _exit(good ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  crew_run(crew, 3, take_part, &crowd);
  ck_assert_int_eq(crowd.done[2], 2);
  crew_free(crew);
}
