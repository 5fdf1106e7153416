#include "observables/observable.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/nearest.h"
#include "engine/text.h"
#include "engine/units.h"
#include "observables/picture.h"

const ObservableOps *const observable_table[] = {
#define OBSERVABLE(name, ...) &observable_##name,
#include "observables/observable_rows.def"
    NULL};

Status observable_find(const char *name, int *row, Error *error)
{
  char known[256] = "";
  Nearest nearest = nearest_start(name);
  for (*row = 0; *row < OBSERVABLES; ++*row) {
    const char *const here = observable_table[*row]->name;
    if (strcmp(here, name) == 0 ||
        (*row == OBSERVABLE_rdf && strcmp(name, "gofr") == 0)) /* its file in boxes */
      return STATUS_OK;
    nearest_try(&nearest, here, 0.0);
    text_append(known, sizeof known, "%s%s", *row > 0 ? ", " : "", here);
  }
  if (nearest.name != NULL)
    return error_set(error, STATUS_INPUT, "there is no observable '%s'; did you mean '%s'? Known: %s", name,
                     nearest.name, known);
  return error_set(error, STATUS_INPUT, "there is no observable '%s'; known: %s", name, known);
}

Status observable_add(const ObservableOps *ops, void *self, ObservableOutcome *outcome, const Team *team,
                      const ObservableFrame *frame, Error *error)
{
  if (ops->prepare != NULL) {
    ops->prepare(self, team, frame);
    team_barrier(team);
  }
  if (team->rank == 0)
    outcome->status = ops->begin(self, team, frame, &outcome->error);
  team_barrier(team);
  const Status status = error_pass(error, outcome->status, &outcome->error);
  if (ops->share != NULL && status == STATUS_OK)
    ops->share(self, team, frame);
  team_barrier(team);
  if (ops->end == NULL)
    return status;
  if (team->rank == 0 && status == STATUS_OK)
    ops->end(self, team, frame);
  team_barrier(team);
  return status;
}

int observable_sites(const ObservableFrame *frame)
{
  int n = 0;
  for (int b = 0; b < frame->nblock; b++)
    n += frame->block[b].nmol * frame->block[b].kind->nsite;
  return n;
}

int observable_molecules(const ObservableFrame *frame)
{
  int n = 0;
  for (int b = 0; b < frame->nblock; b++)
    n += frame->block[b].nmol;
  return n;
}

ObservablePoints observable_points(const ObservableFrame *frame)
{
  const Kind *kind = frame->block[0].kind;
  const bool sites = observable_molecules(frame) == 1;
  return (ObservablePoints){sites ? kind->nsite : frame->block[0].nmol, kind->dim, sites};
}

void observable_points_frame(const ObservablePoints *points, const ObservableFrame *frame, const double **at)
{
  const ObservableBlock *block = &frame->block[0];
  const int step = points->dim * (points->sites ? 1 : block->kind->nsite);
  for (ptrdiff_t i = 0; i < points->n; i++)
    at[i] = block->x + i * step;
}

void observable_points_lane(const ObservablePoints *points, const ObservableLanes *lanes, const State *state,
                            int r, const double **at)
{
  const TopologySort *sort = &lanes->topology->sort[0];
  for (int i = 0; i < points->n; i++) {
    const int m = points->sites ? 0 : i, s = points->sites ? i : 0;
    const Octet *pack = topology_octets(sort, state, STATE_POSITIONS, m, s, r / LANES);
    at[i] = (const double *)pack + r % LANES;
  }
}

void observable_slice(int nmol, int slice, int *begin, int *end)
{
  team_share(nmol, slice, OBSERVABLE_SLICES, begin, end);
}

Status observable_check_time(double last, double time, double interval, Error *error)
{
  const double ps = UNITS_AKMA_FS * 1e-3;
  if (fabs(time - last - interval) <= 0.02 * interval)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "samples must be evenly spaced in time, here by %g ps; that at %.10g ps follows the one at "
      "%.10g ps",
      interval * ps, time * ps, last * ps);
}

Status observable_drawn(Status drawn, const char *name, const Error *why, ResultSet *set, Error *error)
{
  if (drawn == STATUS_RUN)
    results_remark(set, "%s: no picture: %s", name, why->text);
  return picture_outcome(drawn, why, error);
}

void observable_centre(const Kind *kind, const double *x, double *centre)
{
  const double mass = kind_mass(kind);
  for (int d = 0; d < kind->dim; d++)
    centre[d] = 0.0;
  for (int s = 0; s < kind->nsite; s++)
    for (int d = 0; d < kind->dim; d++)
      centre[d] += kind->mass[s] / mass * x[kind->dim * s + d];
}
