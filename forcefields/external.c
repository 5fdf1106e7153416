#include "forcefields/external.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/field.h"

typedef enum Slot { EMPTY, ASKED, ANSWERED, FAILED } Slot;

struct External {
  int nrow, replicas;
  ExternalRow *row; /* [nrow] */
  const Topology *topology;
  const Parameters *parameters;
  double *given; /* [replicas][parameters] values passed to functions; and their slopes */
  double *slope;
  uint32_t first;
  size_t n;                /* coordinates of a replica */
  Slot *slot;              /* [replicas] */
  int64_t *step;           /* [replicas] */
  const State **asker;     /* [replicas] of a batch's first replica: the state that waits for forces */
  double *x, *box;         /* [replicas][n], [9] */
  double *f, *out;         /* [nrow][replicas][n], [10]: energies and virials */
  bool threads;            /* all functions allow several threads */
  pthread_mutex_t calls;   /* locked during calls, unless `threads` */
  pthread_mutex_t failing; /* guards the following */
  Status status;           /* of the last failed call */
  Error error;
};

Status external_create(External **external, int n, const ExternalRow *row, const Topology *topology,
                       const Parameters *parameters, uint32_t first, int replicas, Error *error)
{
  static const Parameters none = {0};
  parameters = parameters != NULL ? parameters : &none;
  const size_t values = (size_t)replicas * (size_t)parameters->n;
  const size_t size = topology_coordinates(topology), all = (size_t)replicas, rows = (size_t)n;
  External *e = calloc(1, sizeof *e);
  *external = NULL;
  TRY_MEMORY(e != NULL, "external forces", error);
  (void)pthread_mutex_init(&e->calls, NULL); /* cannot fail on Linux */
  (void)pthread_mutex_init(&e->failing, NULL);
  e->nrow = n;
  e->replicas = replicas;
  e->topology = topology;
  e->parameters = parameters;
  e->given = calloc(values + 1, sizeof *e->given);
  e->slope = calloc(values + 1, sizeof *e->slope);
  e->first = first;
  e->n = size;
  e->row = calloc(rows + 1, sizeof *e->row);
  e->slot = calloc(all, sizeof *e->slot);
  e->step = calloc(all, sizeof *e->step);
  e->asker = calloc(all, sizeof *e->asker);
  e->x = calloc(all * size, sizeof *e->x);
  e->box = calloc(all * 9, sizeof *e->box);
  e->f = calloc(rows * all * size + 1, sizeof *e->f);
  e->out = calloc(rows * all * 10 + 1, sizeof *e->out);
  if (e->row == NULL || e->slot == NULL || e->step == NULL || e->asker == NULL || e->x == NULL ||
      e->box == NULL || e->f == NULL || e->out == NULL || e->given == NULL || e->slope == NULL) {
    external_free(e);
    return error_memory(error, "external forces");
  }
  e->threads = true;
  for (int i = 0; i < n; i++) {
    e->row[i] = row[i];
    e->threads = e->threads && row[i].threads;
  }
  *external = e;
  return STATUS_OK;
}

void external_free(External *e)
{
  if (e == NULL)
    return;
  (void)pthread_mutex_destroy(&e->calls);
  (void)pthread_mutex_destroy(&e->failing);
  free(e->row);
  free(e->slot);
  free(e->step);
  free(e->asker);
  free(e->x);
  free(e->box);
  free(e->f);
  free(e->out);
  free(e->given);
  free(e->slope);
  free(e);
}

bool external_together(const External *e) { return !e->threads; }

/* --- calls ---------------------------------------------------------------------------------------------- */

static double *forces(const External *e, int row, int r)
{
  return e->f + ((size_t)row * (size_t)e->replicas + (size_t)r) * e->n;
}

/* Energies of all replicas, then their virials. */
static double *energy(const External *e, int row, int r) { return e->out + row * e->replicas * 10 + r; }

static double *virial(const External *e, int row, int r)
{
  return e->out + (row * 10 + 1) * e->replicas + 9 * r;
}

static Status call(const External *e, int row, int first, int replicas, Error *error)
{
  const size_t n = (size_t)replicas, at = (size_t)first * (size_t)e->parameters->n;
  ExternalCall call = {.replica = e->first + (uint32_t)first,
                       .replicas = replicas,
                       .step = e->step[first],
                       .n = e->n,
                       .x = e->x + e->n * (size_t)first,
                       .box = e->box + 9 * first,
                       .f = forces(e, row, first),
                       .energy = energy(e, row, first),
                       .virial = virial(e, row, first),
                       .nparameter = e->parameters->n,
                       .parameter = e->given + at,
                       .slope = e->slope + at};
  memset(call.slope, 0, n * (size_t)e->parameters->n * sizeof *call.slope);
  memset(call.f, 0, n * e->n * sizeof *call.f);
  memset(call.energy, 0, n * sizeof *call.energy);
  memset(call.virial, 0, 9 * n * sizeof *call.virial);
  return e->row[row].function(e->row[row].user, &call, error);
}

/* Calls all functions for replicas that have asked. */
static void answer(External *e, int first, int replicas)
{
  Error error = {0};
  Status status = STATUS_OK;
  for (int i = 0; i < e->nrow && status == STATUS_OK; i++)
    status = call(e, i, first, replicas, &error);
  for (int r = first; r < first + replicas; r++)
    e->slot[r] = status == STATUS_OK ? ANSWERED : FAILED;
  if (status == STATUS_OK)
    return;
  (void)pthread_mutex_lock(&e->failing);
  e->status = status;
  e->error = error;
  (void)pthread_mutex_unlock(&e->failing);
}

static int slot_of(const External *e, const State *state) { return (int)(state->replica - e->first); }

/* Indices of a site of a pack's lanes in coordinates [replicas][n]; returns the number of used lanes, which
 * are the first. */
static int places(const External *e, const State *state, const Block *block, int pack, int site,
                  size_t place[LANES])
{
  const int end = block->nlane * state->width;
  int n = 0;
  for (int lane = pack * LANES; n < LANES && lane < end && lane % state->width < state->used; lane++)
    place[n++] = e->n * (size_t)(slot_of(e, state) + lane % state->width) +
                 topology_place(e->topology, block->first + lane / state->width, site);
  return n;
}

/* Copies positions to the functions' input; returns whether they are unchanged. */
static bool take_positions(const External *e, const State *state)
{
  bool same = true;
  size_t place[LANES];
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const int nsite = block->kind->nsite, dim = block->kind->dim;
    for (int i = 0; i < block->npack * nsite; i++) {
      const Vec8 *q = block->q + (size_t)(i * dim);
      const int n = places(e, state, block, i / nsite, i % nsite, place);
      for (int d = 0; d < dim; d++)
        for (int l = 0; l < n; l++) {
          double *x = &e->x[place[l] + (size_t)d];
          same = same & (*x == q[d][l]);
          *x = q[d][l];
        }
    }
  }
  return same;
}

/* Copies a replica's parameters to the functions' input; returns whether they are unchanged. */
static bool take_parameters(const External *e, int r)
{
  const size_t size = (size_t)e->parameters->n * sizeof *e->given;
  double *const given = e->given + (ptrdiff_t)r * e->parameters->n;
  const double *const now = parameters_of(e->parameters, e->first + (uint32_t)r);
  if (memcmp(given, now, size) == 0)
    return true;
  memcpy(given, now, size);
  return false;
}

static bool same_box(const Box *box, const double *h)
{
  for (int i = 0; i < 9; i++)
    if (box->h[i / 3][i % 3] != h[i])
      return false;
  return true;
}

/* Asks for a state; false: the result for the same input exists. */
static bool ask(External *e, const State *state)
{
  const int first = slot_of(e, state), end = first + state->used;
  bool same = take_positions(e, state);
  for (int r = first; r < end; r++) {
    same = same && (e->slot[r] == ANSWERED || e->slot[r] == FAILED) && e->step[r] == state->step &&
           same_box(&state->box, e->box + 9 * r);
    same = (e->parameters->n == 0 || take_parameters(e, r)) && same;
    memcpy(e->box + 9 * r, state->box.h, sizeof state->box.h);
    e->step[r] = state->step;
  }
  for (int r = first; r < end && !same; r++)
    e->slot[r] = ASKED;
  return !same;
}

void external_ask(External *e, const State *state)
{
  (void)ask(e, state);
  e->asker[slot_of(e, state)] = state;
}

void external_answer(External *e)
{
  for (int r = 0; r < e->replicas; r++) {
    int end = r;
    while (end < e->replicas && e->slot[end] == ASKED && e->step[end] == e->step[r])
      end++;
    if (end > r)
      answer(e, r, end - r);
    r = end > r ? end - 1 : r;
  }
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* Asks and answers if the state has not asked since its forces were computed. */
static void demand(External *e, const State *state)
{
  const int first = slot_of(e, state);
  const bool asked = e->asker[first] == state && e->slot[first] != ASKED;
  e->asker[first] = NULL;
  if (asked || !ask(e, state))
    return;
  if (!e->threads)
    (void)pthread_mutex_lock(&e->calls);
  answer(e, first, state->used);
  if (!e->threads)
    (void)pthread_mutex_unlock(&e->calls);
}

/* Numbers that are not finite would enter averages and exchanges, or appear much later as an unstable run. */
static Status say_infinite(const External *e, int row, int r, Error *error)
{
  const double *const f = forces(e, row, r), *const w = virial(e, row, r);
  char what[96];
  snprintf(what, sizeof what, "an energy that is not finite (%g)", *energy(e, row, r));
  for (int i = 8; i >= 0; i--)
    if (!isfinite(w[i]))
      snprintf(what, sizeof what, "a virial that is not finite (%g)", w[i]);
  for (size_t i = e->n; i-- > 0;)
    if (!isfinite(f[i]))
      snprintf(what, sizeof what, "a force that is not finite (coordinate %zu of %zu: %g)", i, e->n, f[i]);
  return error_set(error, STATUS_RUN, "replica %u: an external force returned %s after %lld steps",
                   e->first + (uint32_t)r, what, (long long)e->step[r]);
}

static bool all_finite(const double *x, size_t n)
{
  int bad = 0;
  for (size_t i = 0; i < n; i++) /* all of them, in registers */
    bad |= !(fabs(x[i]) <= DBL_MAX);
  return bad == 0;
}

static Status check_finite(const External *e, int row, int r, Error *error)
{
  const bool fine = all_finite(forces(e, row, r), e->n) && all_finite(virial(e, row, r), 9) &&
                    all_finite(energy(e, row, r), 1);
  return fine ? STATUS_OK : say_infinite(e, row, r, error);
}

/* The same for all members of a team. */
static Status check(External *e, const State *state, Error *error)
{
  const int first = slot_of(e, state);
  if (e->slot[first] == FAILED) {
    (void)pthread_mutex_lock(&e->failing);
    const Status status = error_pass(error, e->status, &e->error);
    (void)pthread_mutex_unlock(&e->failing);
    return status;
  }
  for (int r = first; r < first + state->used; r++)
    for (int i = 0; i < e->nrow; i++)
      TRY(check_finite(e, i, r, error));
  return STATUS_OK;
}

/* This thread's share of a block's packs. */
static void deliver(const External *e, const Team *team, const State *state, const Block *block)
{
  const int nsite = block->kind->nsite, dim = block->kind->dim;
  int begin, end;
  size_t place[LANES];
  team_range(team, block->npack, &begin, &end);
  for (int i = begin * nsite; i < end * nsite; i++) {
    Vec8 *to = block->f + (size_t)(i * dim);
    const int n = places(e, state, block, i / nsite, i % nsite, place);
    for (int row = 0; row < e->nrow; row++) {
      const double *from = forces(e, row, 0);
      for (int d = 0; d < dim; d++)
        for (int l = 0; l < n; l++)
          to[d][l] += from[place[l] + (size_t)d];
    }
  }
}

/* += the sum of (x - X)_a f_b. */
static void add_inner(const Topology *topology, const double *x, const double *f, double w[3][3])
{
  for (int k = 0; k < topology->nsort; k++) {
    const Kind *kind = topology->sort[k].kind;
    const double whole = kind_mass(kind);
    for (int m = 0; m < topology->sort[k].nmol; m++, x += 3 * kind->nsite, f += 3 * kind->nsite) {
      double centre[3] = {0.0};
      for (int i = 0; i < 3 * kind->nsite; i++)
        centre[i % 3] += kind->mass[i / 3] / whole * x[i];
      for (int i = 0; i < 3 * kind->nsite; i++)
        for (int d = 0; d < 3; d++)
          w[i % 3][d] += (x[i] - centre[i % 3]) * f[i - i % 3 + d];
    }
  }
}

static void add_virial(const External *e, const State *state, double w[3][3])
{
  const int r = slot_of(e, state);
  for (int row = 0; row < e->nrow; row++) {
    const double *const own = virial(e, row, r);
    bool given = false;
    for (int k = 0; k < 9; k++) {
      given = given || own[k] != 0.0;
      w[k / 3][k % 3] += own[k];
    }
    if (!given)
      add_inner(e->topology, e->x + e->n * (size_t)r, forces(e, row, r), w);
  }
}

static void add_sums(const External *e, const State *state, const ForceSums *sums)
{
  memset(sums->energy, 0, (size_t)state->width * sizeof *sums->energy);
  for (int row = 0; row < e->nrow; row++)
    for (int l = 0; l < state->used; l++)
      sums->energy[l] += *energy(e, row, slot_of(e, state) + l);
  if (sums->virial != NULL)
    add_virial(e, state, sums->virial);
}

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  External *e = self;
  if (team->rank == 0)
    demand(e, state);
  team_barrier(team);
  const Status status = check(e, state, error);
  for (int b = 0; b < state->nblock && status == STATUS_OK; b++)
    deliver(e, team, state, &state->block[b]);
  if (team->rank == 0 && sums != NULL && status == STATUS_OK)
    add_sums(e, state, sums);
  team_barrier(team);                         /* all must have read before the next question */
  if (team->rank == 0 && status != STATUS_OK) /* a failure is not stored as a result */
    memset(e->slot + slot_of(e, state), 0, (size_t)state->used * sizeof *e->slot);
  return status;
}

/* --- parameters ----------------------------------------------------------------------------------------- */

/* One call of a function at the values in `given`; += energies and, if required, slopes. */
static Status respond_at(External *e, const State *state, int row, double *sum, double *slope, Error *error)
{
  const int first = slot_of(e, state), n = e->parameters->n;
  TRY(call(e, row, first, state->used, error));
  for (int r = 0; r < state->used; r++) {
    TRY(check_finite(e, row, first + r, error));
    sum[r] += *energy(e, row, first + r);
    for (int p = 0; p < n && slope != NULL; p++)
      slope[p * state->width + r] += e->slope[(ptrdiff_t)(first + r) * n + p];
  }
  return STATUS_OK;
}

static Status respond_all(External *e, const State *state, const ParameterQuery *query, Error *error)
{
  const int first = slot_of(e, state), n = e->parameters->n;
  for (int row = 0; row < e->nrow; row++) {
    for (int i = 0; i <= query->nset; i++) {
      const double *const set = query->set + (ptrdiff_t)i * n;
      for (int r = first; r < first + state->used; r++)
        memcpy(e->given + (ptrdiff_t)r * n,
               i < query->nset ? set : parameters_of(e->parameters, e->first + (uint32_t)r),
               (size_t)n * sizeof *e->given);
      TRY(i < query->nset
              ? respond_at(e, state, row, query->energy + (ptrdiff_t)i * state->width, NULL, error)
              : respond_at(e, state, row, query->own, query->slope, error));
    }
  }
  return STATUS_OK;
}

/* Calls the functions at each set of values, the replica's own last, and discards the stored results. */
static Status respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  External *e = self;
  if (e->parameters->n == 0)
    return STATUS_OK;
  (void)ask(e, state);
  if (!e->threads)
    (void)pthread_mutex_lock(&e->calls);
  const Status status = respond_all(e, state, query, error);
  if (!e->threads)
    (void)pthread_mutex_unlock(&e->calls);
  memset(e->slot + slot_of(e, state), 0, (size_t)state->used * sizeof *e->slot);
  return status;
}

static const ForceOps ops = {.name = "external",
                             .doc = "forces computed by functions of the caller",
                             .nterm = 1,
                             .term = (const char *const[]){"external"},
                             .add = add,
                             .respond = respond};

Force external_force(External *external) { return (Force){&ops, external}; }

Status external_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  (void)shape;
  (void)error;
  *force = external_force(input->external);
  return STATUS_OK;
}
