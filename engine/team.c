#include "engine/team.h"

#include <stdbool.h>
#include <string.h>

void team_share(int n, int part, int parts, int *begin, int *end)
{
  if (parts == 1) { /* a shortcut: for small systems the divisions would take longer than their work */
    *begin = 0;
    *end = n;
    return;
  }
  *begin = (int)((int64_t)n * part / parts);
  *end = (int)((int64_t)n * (part + 1) / parts);
}

void team_range(const Team *team, int n, int *begin, int *end)
{
  team_share(n, team->rank, team->size, begin, end);
}

/* --- waiting ---------------------------------------------------------------------------------------------
 */

/* A waiting member stays awake for up to AWAKE seconds: waking takes longer than nearly all waits, above all
 * on virtual machines. A longer wait means that another member has no core, because threads outnumber cores
 * or another program runs. Members then rest for some barriers, and for twice as many if waiting awake soon
 * fails again. Occasional pauses of a virtual machine cost little.
 *
 * A resting member waits awake for NAP seconds only, longer than others need to finish their pieces. While it
 * sleeps, the kernel can move the member without a core to the free one. If this fails too, the member sleeps
 * at once for some barriers, and for twice as many if it soon fails again, as with threads that share a core:
 * each would wait until the other's time slice ends. */
static const double AWAKE = 2e-3, NAP = 5e-5;
/* Lengths of rests in barriers: first, longest. A failure within `again` lengths after a rest doubles it. */
typedef struct Length {
  unsigned first, most, again;
} Length;
static const Length rest_of_all = {32, 8192, 16}, rest_of_one = {3, 4096, 0};

static bool resting(const TeamRest *rest, unsigned barrier)
{
  return (int)(atomic_load_explicit(&rest->until, memory_order_relaxed) - barrier) > 0;
}

/* Members that call this at the same time write nearly the same values. */
static void start_resting(TeamRest *rest, unsigned barrier, const Length *of)
{
  if (resting(rest, barrier))
    return;
  const unsigned until = atomic_load_explicit(&rest->until, memory_order_relaxed);
  unsigned length = atomic_load_explicit(&rest->length, memory_order_relaxed);
  if (length == 0 || barrier - until > of->again * length)
    length = of->first;
  else if (length < of->most)
    length *= 2;
  atomic_store_explicit(&rest->length, length, memory_order_relaxed);
  atomic_store_explicit(&rest->until, barrier + length, memory_order_relaxed);
}

/* Not inlined, so that profiles show waiting separately. */
static __attribute__((noinline)) void team_wait(const Team *team, unsigned phase)
{
  TeamBarrier *b = team->barrier;
  const unsigned barrier = phase >> 1;
  TeamHand *const own = team->rank < TEAM_HANDS ? &b->hand[team->rank] : NULL;
  const bool rests = resting(&b->rest, barrier);
  const bool at_once = rests && (own == NULL || resting(&own->rest, barrier));
  if (await_awake(&b->phase, phase, at_once ? 0.0 : rests ? NAP : AWAKE))
    return;
  if (!at_once)
    start_resting(rests ? &own->rest : &b->rest, barrier, rests ? &rest_of_one : &rest_of_all);
  const double slept = await_asleep(&b->phase, phase);
  if (own != NULL)
    own->slept += slept;
}

double team_slept(const Team *team)
{
  return team->size > 1 && team->rank < TEAM_HANDS ? team->barrier->hand[team->rank].slept : 0.0;
}

/* --- barriers --------------------------------------------------------------------------------------------
 */

static unsigned phase_of(const TeamBarrier *b)
{
  return atomic_load_explicit(&b->phase.value, memory_order_relaxed);
}

/* The two places of the members' values alternate: the last member clears the other place, which all have
 * read by now. */
int64_t team_least(const Team *team, int64_t value)
{
  if (team->size == 1)
    return value;
  TeamBarrier *b = team->barrier;
  const unsigned phase = phase_of(b), turn = phase >> 1 & 1;
  const int64_t own = INT64_MAX - value; /* makes zero the initial value */
  int64_t most = atomic_load_explicit(&b->least[turn], memory_order_relaxed);
  while (own > most && !atomic_compare_exchange_weak(&b->least[turn], &most, own))
    ;
  if (atomic_fetch_add_explicit(&b->arrived, 1, memory_order_acq_rel) == team->size - 1) {
    const unsigned stop = atomic_load_explicit(&b->stop, memory_order_relaxed) != 0;
    atomic_store_explicit(&b->least[1 - turn], 0, memory_order_relaxed);
    atomic_store_explicit(&b->arrived, 0, memory_order_relaxed);
    await_set(&b->phase, ((phase >> 1) + 1) << 1 | stop);
  } else
    team_wait(team, phase);
  return INT64_MAX - atomic_load_explicit(&b->least[turn], memory_order_relaxed);
}

void team_barrier(const Team *team) { (void)team_least(team, INT64_MAX); }

int64_t team_barriers(const TeamBarrier *b) { return phase_of(b) >> 1; }

int64_t team_phase(const Team *team) { return team->size > 1 ? team_barriers(team->barrier) : 0; }

void team_stop(const Team *team)
{
  if (team->size > 1)
    atomic_store_explicit(&team->barrier->stop, 1, memory_order_relaxed);
}

int team_stopped(const Team *team) { return team->size > 1 && (phase_of(team->barrier) & 1) != 0; }

void team_go_on(const Team *team)
{
  if (team->size > 1)
    atomic_store_explicit(&team->barrier->stop, 0, memory_order_relaxed);
}

/* --- deals -----------------------------------------------------------------------------------------------
 */

static void share_of(const TeamDeal *deal, int member, int *begin, int *end)
{
  if (deal->first != NULL) {
    *begin = deal->first[member];
    *end = deal->first[member + 1];
  } else
    team_share(deal->n, member, deal->team->size, begin, end);
}

TeamDeal team_deal(const Team *team, int n, const int *first)
{
  TeamDeal deal = {.team = team, .first = first, .n = n, .end = n};
  if (team->size == 1)
    return deal;
  if (team->size > TEAM_HANDS) {
    share_of(&deal, team->rank, &deal.at, &deal.end);
    return deal;
  }
  deal.end = 0;
  deal.number = (uint32_t)team_phase(team) + 1;
  return deal;
}

/* A member takes a 16th of its remaining pieces at a time: waits at the end stay short, and the word changes
 * rarely. */
enum { PART = 16 };

/* Moves some of this member's remaining pieces, or one of another member's, to at..end-1. If the hand belongs
 * to an earlier deal, its member has not reached this one, and its whole share remains. */
static bool take_of(TeamDeal *deal, int member)
{
  const Team *const team = deal->team;
  _Atomic(uint64_t) *const hand = &team->barrier->hand[member].left;
  const bool own = member == team->rank;
  uint64_t left = atomic_load_explicit(hand, memory_order_relaxed), after;
  int at, n;
  do {
    int begin = (int)(left >> 16 & UINT16_MAX), end = (int)(left & UINT16_MAX);
    if (left >> 32 != deal->number)
      share_of(deal, member, &begin, &end);
    if (begin >= end)
      return false;
    n = own ? 1 + (end - begin) / PART : 1;
    at = own ? begin : end - n;
    begin += own ? n : 0;
    end -= own ? 0 : n;
    after = (uint64_t)deal->number << 32 | (uint64_t)begin << 16 | (uint64_t)end;
  } while (
      !atomic_compare_exchange_weak_explicit(hand, &left, after, memory_order_relaxed, memory_order_relaxed));
  deal->at = at;
  deal->end = at + n;
  return true;
}

/* In a large team only members whose rank differs in one bit check a member's share, which keeps the total
 * number of checks small. Pieces that they leave remain with the member. */
int team_deal_take(TeamDeal *deal)
{
  const Team *const team = deal->team;
  if (team->barrier->idler == team->rank + 1)
    return -1;
  if (deal->look == 0) {
    if (take_of(deal, team->rank))
      return deal->at++;
    deal->look = 1;
  }
  for (; deal->look < team->size; deal->look *= 2) {
    const int other = team->rank ^ deal->look;
    if (other < team->size && take_of(deal, other))
      return deal->at++;
  }
  return -1;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

void team_clear(void *memory, int elements, size_t bytes, int threads)
{
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int part = 0; part < threads; part++) {
    int begin, end;
    team_share(elements, part, threads, &begin, &end);
    memset((char *)memory + (size_t)begin * bytes, 0, (size_t)(end - begin) * bytes);
  }
}
