/* Positions that the caller has set: checks them against constraints, and projects them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/tangent.h"
#include "simulation/simulation_private.h"
#include "topology/groups.h"

/* --- checks ------- */

/* Files with four decimals pass; the next step removes the remaining error. */
static const double off_most = 1e-3;

/* The most violated constraint of a replica. */
typedef struct Worst {
  double off; /* |g| / scale */
  int block, lane, constraint;
} Worst;

static void find_in_pack(const Sample *sample, int b, int i, int lane, Worst *worst)
{
  const Pack pack = sample_pack(sample, b, i);
  const int n = kind_kept(pack.kind).ncon, width = sample_width(sample);
  for (int c = 0; c < n; c++) {
    Vec8 g, grad[CONSTRAINT_SITES * 3];
    const Constraint *con = &pack.kind->con[c];
    con->type->eval(con, pack.kind->dim, pack.q, &g, grad);
    for (int l = 0; l < LANES; l++) {
      const double off = isfinite(g[l]) ? fabs(g[l]) / constraint_scale(con) : INFINITY;
      const bool own = (i * LANES + l) % width == lane && (*pack.active)[l] != 0.0;
      if (own && off > worst->off)
        *worst = (Worst){off, b, (i * LANES + l) / width, c};
    }
  }
}

static Worst find_worst(const Sample *sample, int lane)
{
  Worst worst = {0};
  for (int b = 0; b < sample_blocks(sample); b++)
    for (int i = 0; i < sample_packs(sample, b); i++)
      find_in_pack(sample, b, i, lane, &worst);
  return worst;
}

/* Whether the plan enforces constraints of positions alone. */
static bool keeps(const Simulation *s) { return s->constrained && s->sort->project == NULL; }

static Status check(const Simulation *s, int replica, Error *error)
{
  const Sample sample = ensemble_at(s->ensemble, replica / s->width);
  const Worst worst = find_worst(&sample, replica % s->width);
  const double most = fmax(off_most, 2.0 * s->config->geometry.tolerance);
  if (worst.off <= most)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "replica %d: the positions that were set violate constraints: molecule %d (%s), constraint %d has "
      "|g|/scale = %.3g; allowed: %.3g; set other positions, or project these by hol_project",
      replica, sample_molecule(&sample, worst.block, worst.lane) + 1, s->topology->block[worst.block]->name,
      worst.constraint + 1, worst.off, most);
}

Status simulation_project_met(const Simulation *s, int replica, Error *error)
{
  SimulationReplica *own = simulation_replica(s, replica);
  const Status status = own->moved && keeps(s) ? check(s, replica, error) : STATUS_OK;
  own->moved = status != STATUS_OK;
  return status;
}

Status simulation_project_batch(const Simulation *s, int place, Error *error)
{
  Status status = STATUS_OK;
  for (int l = 0; l < s->width && status == STATUS_OK; l++)
    status = simulation_project_met(s, (s->first + place) * s->width + l, error);
  return status;
}

Status simulation_project_check(Simulation *s, Error *error)
{
  for (int g = 0; g < ensemble_held(s->ensemble) && s->moved; g++)
    TRY(simulation_project_batch(s, g, error));
  s->moved = false;
  return STATUS_OK;
}

/* --- projection ------- */

/* Copies the atoms of a group out of its molecule, or back. */
static void copy_group(const TopologyGroup *group, bool back, double *molecule, double *own)
{
  const int dim = group->kind->dim;
  for (int i = 0; i < group->kind->nsite * dim; i++) {
    double *at = &molecule[group->atom[i / dim] * dim + i % dim];
    *(back ? at : &own[i]) = back ? own[i] : *at;
  }
}

/* Projects one group of all molecules of sort k, at q, p; own[2][coordinates]. */
static Status project_group(const Simulation *s, int k, const TopologyGroup *group, double *q, double *p,
                            double *own, Error *error)
{
  const TopologySort *sort = &s->topology->sort[k];
  const Kind *kind = group->kind, kept = kind_kept(kind);
  double *const x = own, *const v = own + (ptrdiff_t)kind->nsite * kind->dim;
  Tangent *tangent;
  Status status = tangent_create(&tangent, &kept, error);
  for (int i = 0; i < sort->nmol && status == STATUS_OK; i++) {
    const ptrdiff_t at = (ptrdiff_t)i * sort->kind->nsite * kind->dim;
    copy_group(group, false, q + at, x);
    copy_group(group, false, p + at, v);
    TRY_ELSE(groups_shape_project(kind, (double(*)[3])x, error), tangent_free(tangent));
    const double least = fmax(fmin(1e-14, s->config->geometry.tolerance), tangent_rounding(tangent, x));
    const double aim = fmin(least, 0.1 * off_most); /* larger rounding cannot pass */
    const bool there = tangent_project(tangent, aim, x, v);
    copy_group(group, true, q + at, x);
    copy_group(group, true, p + at, v);
    if (!there)
      status = error_set(
          error, STATUS_INPUT,
          "molecule %d of kind %d (%s) is too far from its constraints to be projected: set other positions",
          i + 1, k + 1, sort->kind->name);
  }
  tangent_free(tangent);
  return status;
}

Status simulation_project_molecules(const Simulation *s, double *q, double *p, double *own, Error *error)
{
  Status status = STATUS_OK;
  for (int k = 0; k < s->topology->nsort; k++) {
    const TopologySort *sort = &s->topology->sort[k];
    for (int g = 0; g < sort->ngroup && status == STATUS_OK; g++)
      if (kind_kept(sort->group[g].kind).ncon > 0)
        status = project_group(s, k, &sort->group[g], q, p, own, error);
    q += sort->nmol * sort->kind->nsite * sort->kind->dim;
    p += sort->nmol * sort->kind->nsite * sort->kind->dim;
  }
  return status;
}

static Status project_all(const Simulation *s, double *q, double *p, double *own, Error *error)
{
  if (s->sort->project != NULL)
    return s->sort->project(s, q, p, error);
  return keeps(s) ? simulation_project_molecules(s, q, p, own, error) : STATUS_OK;
}

Status simulation_project(Simulation *s, int replica, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  double *q = malloc(4 * s->coordinates * sizeof *q), *p = q + s->coordinates;
  if (q == NULL)
    return error_memory(error, "a projection");
  simulation_get_point(s, replica, q, p);
  Status status = project_all(s, q, p, p + s->coordinates, error);
  if (status != STATUS_OK)
    (void)error_prefix(error, "replica %d", replica);
  if (status == STATUS_OK)
    status = simulation_set_point(s, replica, q, p, error);
  free(q);
  return status == STATUS_OK && s->sort->project == NULL
             ? ensemble_momenta_project(s->ensemble, replica, error)
             : status;
}
