/* Computes energies at a state without changing it. */
#include <string.h>

#include "integrators/walk_private.h"

/* One value per pack, stored in the memory of the saved forces until it is needed. */
static void sum_kinetic(Walk *walk, WalkMeasured what, double *kinetic)
{
  memset(kinetic, 0, (size_t)walk->width * sizeof *kinetic);
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    for (int i = 0; i < own->npack; i++) {
      const Pack pack = walk_measured_pack(walk, own, i, what);
      walk->plan->letters->kinetic(&pack, &own->saved[i]);
    }
    state_add(walk->state, own->block, own->saved, kinetic);
  }
}

/* Evaluates no constraint if neither result is needed, as in a ladder of constrained molecules, and none of
 * frozen molecules. */
static void sum_penalty(Walk *walk, double *penalty, double *largest)
{
  memset(penalty, 0, (size_t)walk->width * sizeof *penalty);
  if (largest != NULL)
    memset(largest, 0, (size_t)walk->width * sizeof *largest);
  for (int b = 0; b < walk->nblock && (largest != NULL || walk_penalises(walk)); b++) {
    const WalkBlock *own = &walk->block[b];
    if (own->kind->frozen)
      continue;
    for (int i = 0; i < own->npack; i++) {
      Vec8 top;
      const Pack pack = walk_pack(walk, own, i);
      accel_penalty_energy(&pack, walk->plan->options.w, 0.0, &own->saved[i], &top);
      for (int l = 0; l < LANES && largest != NULL; l++) {
        const int r = (i * LANES + l) % walk->width;
        if ((*pack.active)[l] != 0.0 && !(top[l] <= largest[r]))
          largest[r] = top[l];
      }
    }
    state_add(walk->state, own->block, own->saved, penalty);
  }
}

/* Copies this thread's packs of the thermal momenta to the walk of the first member. */
static void lend_thermal(const Walk *walk, const Team *team)
{
  if (team->size == 1 || team->rank == 0 || !walk_has_thermal(walk))
    return;
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    const Vec8 *from = own->thermal + (size_t)begin * own->stride;
    Vec8 *to = (Vec8 *)team->barrier->shared + (from - walk->memory);
    memcpy(to, from, (size_t)(end - begin) * own->stride * sizeof(Vec8));
  }
}

/* Saves this thread's share of the forces, or restores it. */
static void keep_forces(Walk *walk, const Team *team, bool back)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    const size_t from = (size_t)begin * own->stride, n = (size_t)(end - begin) * own->stride * sizeof(Vec8);
    if (back)
      memcpy(own->block->f + from, own->saved + from, n);
    else
      memcpy(own->saved + from, own->block->f + from, n);
  }
}

/* Copies the sums that the forces of the last step computed for the first member. */
static void take_told(const Walk *walk, const WalkEnergies *to)
{
  memcpy(to->terms, walk->terms,
         (size_t)(force_field_terms(walk->field) * walk->width) * sizeof *walk->terms);
  if (to->pressure == NULL)
    return;
  memcpy(to->pressure->virial_atom, walk->virial, sizeof walk->virial);
  walk_pressure_sum(walk, walk_thermal_momenta(walk), to->pressure);
}

/* Computes forces again, with their sums. */
static Status compute_sums(Walk *walk, const Team *team, const WalkEnergies *to, Error *error)
{
  const ForceSums sums = {to->terms, to->pressure != NULL ? to->pressure->virial_atom : NULL};
  keep_forces(walk, team, false);
  const Status status = force_field_compute(walk->field, team, walk->state, &sums, error);
  team_barrier(team);
  if (to->pressure != NULL && team->rank == 0 && status == STATUS_OK)
    walk_pressure_sum(walk, walk_thermal_momenta(walk), to->pressure);
  team_barrier(team);
  keep_forces(walk, team, true);
  team_barrier(team);
  return status;
}

Status walk_energies(Walk *walk, const Team *team, const WalkEnergies *to, Error *error)
{
  if (team->size > 1 && team->rank == 0)
    team->barrier->shared = walk->memory;
  team_barrier(team);
  lend_thermal(walk, team);
  team_barrier(team);
  if (team->rank == 0) {
    sum_kinetic(walk, MEASURED_NOW, to->kinetic);
    if (to->thermal != NULL)
      sum_kinetic(walk, walk_thermal_momenta(walk), to->thermal);
    if (to->square != NULL)
      sum_kinetic(walk, MEASURED_FORCES, to->square);
    for (int r = 0; r < walk->width && to->square != NULL; r++)
      to->square[r] *= 2.0;
    sum_penalty(walk, to->penalty, to->largest);
  }
  team_barrier(team);
  /* A pressure by molecule needs the forces themselves; a map has turned them into accelerations. */
  const bool mapped = (walk->plan->accel->traits & ACCEL_PLAIN) == 0;
  const bool told = walk->terms_step == walk->step && !(mapped && to->pressure != NULL);
  const Status status = told ? STATUS_OK : compute_sums(walk, team, to, error);
  if (team->rank == 0 && told)
    take_told(walk, to);
  team_barrier(team);
  return status;
}
