#include "engine/tally.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 8 /* members per group */ };

/* The counts of one member, on cache lines of its own. Only the first of a group uses `arrived` and `sum`. */
typedef struct Counts {
  atomic_int arrived;
  int *count; /* [n] its own; once all of the group have ended, the sums of the members before it in the group
               */
  int *sum;   /* [n] of the group */
  int *next;  /* [n] */
  int *first; /* [n + 1] */
} Counts;

static Counts *counts_of(const Tally *t, int rank)
{
  return (Counts *)(void *)(t->memory + (size_t)rank * t->size);
}

bool tally_create(Tally *t, int n, int threads)
{
  const size_t bytes = sizeof(Counts) + (4 * (size_t)n + 1) * sizeof(int);
  *t = (Tally){.n = n, .threads = threads, .size = (bytes + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE};
  t->memory = aligned_alloc(TEAM_LINE, t->size * (size_t)threads);
  for (int r = 0; r < threads && t->memory != NULL; r++) {
    Counts *const own = counts_of(t, r);
    atomic_init(&own->arrived, 0);
    own->count = (int *)(void *)(own + 1);
    own->sum = own->count + n;
    own->next = own->sum + n;
    own->first = own->next + n;
  }
  return t->memory != NULL;
}

void tally_free(Tally *t)
{
  free(t->memory);
  *t = (Tally){0};
}

int *tally_begin(Tally *t, const Team *team)
{
  int *const count = counts_of(t, team->rank)->count;
  memset(count, 0, (size_t)t->n * sizeof *count);
  return count;
}

static int group_end(const Team *team, int first)
{
  return first + GROUP < team->size ? first + GROUP : team->size;
}

/* Replaces the counts of a group's members from `first` on by the sums of the members before each. */
static void add_group(const Tally *t, const Team *team, int first)
{
  int *restrict const sum = counts_of(t, first)->sum;
  memset(sum, 0, (size_t)t->n * sizeof *sum);
  for (int r = first; r < group_end(team, first); r++) {
    int *restrict const count = counts_of(t, r)->count;
    for (int k = 0; k < t->n; k++) {
      const int own = count[k];
      count[k] = sum[k];
      sum[k] += own;
    }
  }
}

void tally_end(Tally *t, const Team *team)
{
  const int first = team->rank / GROUP * GROUP;
  atomic_int *const arrived = &counts_of(t, first)->arrived;
  if (team->size > 1 &&
      atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel) < group_end(team, first) - first - 1)
    return;
  atomic_store_explicit(arrived, 0, memory_order_relaxed);
  add_group(t, team, first);
}

void tally_places(Tally *t, const Team *team)
{
  const Counts *const own = counts_of(t, team->rank);
  int *restrict const next = own->next, *restrict const first = own->first;
  memcpy(next, own->count, (size_t)t->n * sizeof *next);
  memset(first, 0, ((size_t)t->n + 1) * sizeof *first);
  for (int g = 0; g < team->size; g += GROUP) {
    const int *restrict const sum = counts_of(t, g)->sum;
    for (int k = 0; k < t->n; k++)
      first[k] += sum[k];
    for (int k = 0; g + GROUP <= team->rank && k < t->n; k++)
      next[k] += sum[k];
  }
  int at = 0;
  for (int k = 0; k < t->n; k++) {
    const int n = first[k];
    first[k] = at;
    next[k] += at;
    at += n;
  }
  first[t->n] = at;
}

int *tally_next(const Tally *t, int rank) { return counts_of(t, rank)->next; }

const int *tally_first(const Tally *t, int rank) { return counts_of(t, rank)->first; }
