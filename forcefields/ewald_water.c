/* Waters for the Ewald sum: their charge sites, and forces back on the atoms. */
#include <stdlib.h>
#include <string.h>

#include "forcefields/ewald.h"

typedef struct Waters {
  int nmol, nsite; /* molecules; sites of one: O, H, H, and M where the charge is not on the oxygen */
  double weight;   /* of each hydrogen in M                                                        */
  Box box;
  Ewald *ewald;
  double *x, *f;      /* [nmol][nsite][3] sites   */
  double *atom;       /* [nmol][3][3] of a state  */
  EwaldResult result; /* of the last computation  */
} Waters;

static void waters_free(Waters *w)
{
  if (w == NULL)
    return;
  ewald_free(w->ewald);
  free(w->x);
  free(w->f);
  free(w->atom);
  free(w);
}

static Status describe(Waters *w, const WaterModel *model, const Kind *kind, const EwaldOptions *options,
                       Error *error)
{
  const size_t n = (size_t)w->nmol * (size_t)w->nsite;
  const double lj[4][2] = {{model->a, model->c}};
  const double charge[4] = {w->nsite == 4 ? 0.0 : -2.0 * model->q_h, model->q_h, model->q_h,
                            -2.0 * model->q_h};
  int *first = malloc(((size_t)w->nmol + 1) * sizeof *first), *type = malloc(n * sizeof *type);
  double *charges = malloc(n * sizeof *charges), *masses = malloc(n * sizeof *masses);
  Status status;
  if (first == NULL || type == NULL || charges == NULL || masses == NULL)
    status = error_memory(error, "waters for an Ewald sum");
  else {
    for (int m = 0; m <= w->nmol; m++)
      first[m] = m * w->nsite;
    for (size_t i = 0; i < n; i++) {
      const size_t s = i % (size_t)w->nsite;
      type[i] = s == 0 ? 0 : 1;
      charges[i] = charge[s];
      masses[i] = s < 3 ? kind->mass[s] : 0.0;
    }
    const EwaldSystem system = {w->nmol, first, charges, masses, type, 2, lj};
    status = ewald_create(&w->ewald, &system, &w->box, options, error);
  }
  free(first);
  free(type);
  free(charges);
  free(masses);
  return status;
}

static Status waters_create(Waters **waters, const WaterModel *model, const Kind *kind, const Box *box,
                            const EwaldOptions *options, int nmol, Error *error)
{
  *waters = NULL;
  if (kind->nsite != 3 || kind->dim != 3)
    return error_set(error, STATUS_INPUT, "the Ewald sum of water wants molecules of three sites (O, H, H)");
  Waters *w = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "waters for an Ewald sum");
  *w = (Waters){
      .nmol = nmol, .nsite = model->d_om != 0.0 ? 4 : 3, .weight = water_m_weight(model), .box = *box};
  const size_t n = 3 * (size_t)nmol * (size_t)w->nsite + 1;
  w->x = malloc(n * sizeof *w->x);
  w->f = malloc(n * sizeof *w->f);
  w->atom = malloc(n * sizeof *w->atom);
  Status status = w->x != NULL && w->f != NULL && w->atom != NULL
                      ? STATUS_OK
                      : error_memory(error, "waters for an Ewald sum");
  if (status == STATUS_OK)
    status = describe(w, model, kind, options, error);
  if (status != STATUS_OK) {
    waters_free(w);
    return status;
  }
  *waters = w;
  return STATUS_OK;
}

static void place(Waters *w, const double *atom)
{
  const double a = w->weight;
  for (int m = 0; m < w->nmol; m++) {
    const double *from = atom + 9 * m;
    double *to = w->x + (size_t)3 * (size_t)w->nsite * (size_t)m;
    memcpy(to, from, 9 * sizeof *to);
    for (int d = 0; d < 3 && w->nsite == 4; d++)
      to[9 + d] = (1.0 - 2.0 * a) * from[d] + a * (from[3 + d] + from[6 + d]);
  }
}

/* Forces on the atoms in place of those on the sites. */
static void gather(const Waters *w, double *f)
{
  const double a = w->weight;
  for (int m = 0; m < w->nmol; m++) {
    const double *from = w->f + (size_t)3 * (size_t)w->nsite * (size_t)m;
    double *to = f + 9 * m;
    memcpy(to, from, 9 * sizeof *to);
    for (int d = 0; d < 3 && w->nsite == 4; d++) {
      to[d] += (1.0 - 2.0 * a) * from[9 + d];
      to[3 + d] += a * from[9 + d];
      to[6 + d] += a * from[9 + d];
    }
  }
}

Status ewald_water_compute(const WaterModel *model, const Kind *kind, const Box *box,
                           const EwaldOptions *options, int nmol, const double *x, double *f,
                           EwaldResult *result, Error *error)
{
  Waters *w;
  const Team team = team_alone();
  Status status = waters_create(&w, model, kind, box, options, nmol, error);
  if (status != STATUS_OK)
    return status;
  place(w, x);
  status = ewald_compute(w->ewald, &team, w->x, w->f, result, error);
  if (status == STATUS_OK && f != NULL)
    gather(w, f);
  waters_free(w);
  return status;
}

/* --- as a force --------------------------------------------------------------------------------------------
 */

static Status same_box(const Waters *w, const State *state, Error *error)
{
  for (int d = 0; d < 3; d++)
    if (state->box.length[d] != w->box.length[d])
      return error_set(error, STATUS_INPUT,
                       "the box has changed since the Ewald sum was made for it: %c was %.17g and is %.17g A",
                       "xyz"[d], w -> box.length[d], state->box.length[d]);
  return STATUS_OK;
}

static void add_forces(const Waters *w, State *state, const ForceSums *sums)
{
  const Block *block = &state->block[0];
  for (int m = 0; m < w->nmol; m++)
    for (int s = 0; s < 3; s++)
      for (int d = 0; d < 3; d++)
        ((double *)block->f)[state_index(block, 1, m, 0, s, d)] += w->atom[9 * m + 3 * s + d];
  for (int t = 0; t < EWALD_TERMS && sums != NULL; t++)
    sums->energy[t] = w->result.energy[t];
  for (int k = 0; k < 9 && sums != NULL && sums->virial != NULL; k++)
    sums->virial[k / 3][k % 3] += w->result.virial_atom[k / 3][k % 3];
}

static Status water_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                        Error *error)
{
  (void)groups;
  Waters *w = self;
  const Status status = same_box(w, state, error);
  if (status != STATUS_OK)
    return status;
  if (team->rank == 0) {
    state_get(&state->block[0], 1, state->block[0].q, 0, w->atom);
    place(w, w->atom);
  }
  team_barrier(team);
  const Status computed = ewald_compute(w->ewald, team, w->x, w->f, &w->result, error);
  team_barrier(team);
  if (team->rank == 0 && computed == STATUS_OK) {
    gather(w, w->atom);
    add_forces(w, state, sums);
  }
  team_barrier(team);
  return computed;
}

static void water_free(void *self) { waters_free(self); }

static const ForceOps ops = {.name = "ewald",
                             .doc = "plain Ewald sum and Lennard-Jones of waters in a box, in double",
                             .nterm = EWALD_TERMS,
                             .term = ewald_terms,
                             .add = water_add,
                             .free = water_free};

Status ewald_water_create(Force *force, const WaterModel *model, const EwaldOptions *options,
                          const State *shape, Error *error)
{
  *force = (Force){0};
  if (shape->nblock != 1 || shape->width != 1)
    return error_set(error, STATUS_INPUT,
                     "the Ewald sum of water wants one kind of molecule and one replica, not %d and %d",
                     shape->nblock, shape->width);
  Waters *w;
  const Status status =
      waters_create(&w, model, shape->block[0].kind, &shape->box, options, shape->block[0].nmol, error);
  if (status == STATUS_OK)
    *force = (Force){&ops, w};
  return status;
}

const EwaldResult *ewald_water_result(const Force *force) { return &((const Waters *)force->self)->result; }
