/* Parameters of the periodic force that its options leave open. */
#include <math.h>
#include <string.h>

#include "forcefields/periodic_private.h"
#include "forcefields/pme_choose.h"
#include "forcefields/pme_private.h"

enum { ORDER_LEAST = 4 };

static const double usual_cutoff = 9.0, usual_accuracy = 0.0145, usual_buffer = 0.5, usual_width = 1.0;

/* The error of the pressure that goes with the usual one of forces, bar; with others in proportion. */
static const double usual_pressure = 2.0;

/* --- the mesh --------------------------------------------------------------------------------------------
 */

/* The fits of errors are to waters whose charges lie on their atoms. What most of an error comes from is the
 * field of dipoles on dipoles, and small charges at the ends of long arms, such as lone pairs, act on the
 * atoms like larger ones there: so the charges on atoms with the same dipole count where they have more. */
static void add_kind(PmeWish *wish, const SiteMap *map, int nmol)
{
  double atom[SITE_MAP_ATOMS], charge2[2] = {wish->charge2, wish->charge2},
                               spread[2] = {wish->spread, wish->spread};
  site_map_atom_charges(map, atom);
  for (int s = 0; s < map->nsite; s++) {
    const double charge[2] = {map->charge[s], s < map->natom ? atom[s] : 0.0};
    wish->nsite += map->charge[s] != 0.0 ? nmol : 0;
    for (int k = 0; k < 2; k++) {
      charge2[k] += charge[k] * charge[k] * nmol;
      spread[k] += nmol * charge[k] * map->bond[s] * map->bond[s] / 6.0;
    }
  }
  wish->charge2 = fmax(charge2[0], charge2[1]);
  wish->spread = fmax(spread[0], spread[1]);
}

static PmeWish make_wish(const PeriodicOptions *o, const Mixture *m, const Box *box)
{
  /* Pairs that are being switched off count as lost. */
  const double whole = o->switch_pairs ? o->cutoff - o->switch_width : o->cutoff;
  PmeWish wish = {.error = o->accuracy,
                  .pressure = usual_pressure * o->accuracy / usual_accuracy,
                  .cutoff = whole,
                  .by_molecule = !o->by_atom,
                  .switched = o->switch_pairs,
                  .order = o->order};
  memcpy(wish.length, box->length, sizeof wish.length);
  for (int b = 0; b < m->nblock; b++)
    add_kind(&wish, &m->kind[b].map, m->kind[b].nmol);
  return wish;
}

/* Expected errors over those wished for, the largest; above 1 where a wish is not fulfilled. */
static double estimate(const PmeWish *wish, PmeChoice *c)
{
  pme_choose_errors(wish, c);
  return fmax(hypot(c->real, c->mesh) / wish->error, c->pressure / wish->pressure);
}

/* beta of the least error, of both parts together, with a given mesh: the one falls with beta, the other
 * grows. */
static double best_beta(const PmeWish *wish, PmeChoice c)
{
  double best = INFINITY, beta = 0.0;
  for (c.beta = 0.05; c.beta < 1.5; c.beta *= 1.01) {
    const double excess = estimate(wish, &c);
    if (excess < best) {
      best = excess;
      beta = c.beta;
    }
  }
  return beta;
}

enum { SPACINGS = 217 };

/* The coarsest mesh that leaves as much error as the real part has not used up, or half of all. */
static bool fit_grid(const PmeWish *wish, PmeChoice *c)
{
  (void)estimate(wish, c);
  const double left = fmax(0.25 * wish->error * wish->error, wish->error * wish->error - c->real * c->real);
  for (int i = 0; i < SPACINGS; i++) {
    const double spacing = 4.0 * pow(0.98, i); /* down to 0.05 A */
    for (int d = 0; d < 3; d++) {
      c->grid[d] = pme_choose_size(wish->length[d] / spacing);
      if (c->grid[d] == 0)
        return false;
    }
    if (pme_choose_mesh_error(wish, c->beta, c->order, c->grid) <= sqrt(left) &&
        pme_choose_mesh_pressure(wish, c->beta, c->order, c->grid) <= 0.5 * wish->pressure)
      return true;
  }
  return false;
}

/* beta or the mesh are given. */
static Status choose_rest(const PeriodicOptions *o, const PmeWish *wish, PmeChoice *best, Error *error)
{
  const bool grid = o->grid[0] != 0;
  double least = INFINITY;
  for (int order = ORDER_LEAST; order <= PME_ORDER_MAX; order++) {
    PmeChoice c = {.cutoff = wish->cutoff, .beta = o->beta, .order = order};
    if (o->order != 0 && order != o->order)
      continue;
    memcpy(c.grid, o->grid, sizeof c.grid);
    if (grid && o->beta == 0.0)
      c.beta = best_beta(wish, c);
    if (!grid && !fit_grid(wish, &c))
      continue;
    const double excess = estimate(wish, &c);
    /* The lowest order that is good enough, else the best; of found meshes the one with the fewest points,
     * where a site costs about as much as 40. */
    double points = 40.0 * order * order * wish->nsite;
    if (grid)
      points = excess > 1.0 ? 1e12 * excess : order;
    else
      points += (double)c.grid[0] * c.grid[1] * c.grid[2];
    if (points < least) {
      least = points;
      *best = c;
    }
  }
  if (isfinite(least))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "no mesh of up to %d points a side reaches a force error of %g kcal/mol/A with beta %g/A; "
                   "ask for less, or leave beta to be chosen",
                   PME_GRID_MAX, wish->error, o->beta);
}

static Status choose_mesh(PeriodicOptions *o, const PmeWish *wish, PeriodicChoice *choice, Error *error)
{
  if ((o->grid[0] != 0 || o->grid[1] != 0 || o->grid[2] != 0) &&
      (o->grid[0] < 8 || o->grid[1] < 8 || o->grid[2] < 8))
    return error_set(error, STATUS_INPUT,
                     "a mesh of %d x %d x %d points; all three are wanted, at least 8, or none", o->grid[0],
                     o->grid[1], o->grid[2]);
  if (!(o->beta >= 0.0 && isfinite(o->beta)) ||
      (o->order != 0 && (o->order < ORDER_LEAST || o->order > PME_ORDER_MAX)))
    return error_set(error, STATUS_INPUT,
                     "beta %g/A and order %d; beta must be positive, and the mesh has orders %d to %d",
                     o->beta, o->order, ORDER_LEAST, PME_ORDER_MAX);
  PmeChoice c = {0};
  const Status status =
      o->grid[0] != 0 || o->beta != 0.0 ? choose_rest(o, wish, &c, error) : pme_choose(wish, &c, error);
  if (status != STATUS_OK)
    return status;
  o->beta = choice->beta = c.beta;
  o->order = choice->order = c.order;
  memcpy(o->grid, c.grid, sizeof o->grid);
  memcpy(choice->grid, c.grid, sizeof choice->grid);
  choice->real_error = c.real;
  choice->mesh_error = c.mesh;
  choice->pressure_error = c.pressure;
  choice->energy_error = c.energy;
  return STATUS_OK;
}

/* --- lists -----------------------------------------------------------------------------------------------
 */

/* Time of a step with lists made every so many, in units of that without lists and without a buffer: both go
 * as the cube of the radius. */
static double step_cost(const PeriodicOptions *o, double buffer, int every)
{
  const double making = o->mixed ? 0.35 : 0.055; /* over a force evaluation with it */
  const double r = 1.0 + buffer / o->cutoff;
  return r * r * r * (1.0 + making / every);
}

/* The buffer of least cost. The fastest two of n molecules together go about 2 sqrt(kT/m (2 ln n + 3)) a unit
 * of time. */
static double best_buffer(const PeriodicOptions *o, const Mixture *mixture)
{
  enum { EVERY_MAX = 200 };
  double mass = INFINITY;
  for (int b = 0; b < mixture->nblock; b++)
    mass = fmin(mass, mixture->kind[b].mass[0]);
  const double step = 2.0 * sqrt(o->kT / mass * (2.0 * log(mixture->nmol) + 3.0)) * o->h;
  int best = 1;
  for (int k = 2; k <= EVERY_MAX; k++)
    if (step_cost(o, (k - 1) * step, k) < step_cost(o, (best - 1) * step, best))
      best = k;
  return (best - 1) * step;
}

/* --- all -------------------------------------------------------------------------------------------------
 */

static Status check(const PeriodicOptions *o, const Mixture *mixture, Error *error)
{
  if (o->switch_pairs && (o->truncation != EWALD_SWITCH || o->coulomb != PERIODIC_PME || o->by_atom ||
                          o->model == NULL || mixture->nblock > 1))
    return error_set(
        error, STATUS_INPUT,
        "whole pairs of molecules are switched off between waters alone, by the distance of their "
        "oxygens and with a mesh; switch Lennard-Jones only");
  if (!(o->cutoff > 0.0 && isfinite(o->cutoff) && o->accuracy > 0.0 && isfinite(o->accuracy)))
    return error_set(error, STATUS_INPUT,
                     "a cutoff of %g A and a force error of %g kcal/mol/A; both must be positive", o->cutoff,
                     o->accuracy);
  if (!(o->buffer >= 0.0 && isfinite(o->buffer) && o->kT >= 0.0 && isfinite(o->kT) && o->h >= 0.0 &&
        isfinite(o->h)))
    return error_set(error, STATUS_INPUT, "a buffer of %g A, kT of %g kcal/mol and a time step of %g",
                     o->buffer, o->kT, o->h);
  if (o->truncation == EWALD_SWITCH && !(o->switch_width > 0.0 && o->switch_width < o->cutoff))
    return error_set(error, STATUS_INPUT,
                     "Lennard-Jones is to be switched off over %g A; more than 0 and less than the cutoff of "
                     "%g A is possible",
                     o->switch_width, o->cutoff);
  return STATUS_OK;
}

Status periodic_choose(PeriodicOptions *o, const Mixture *mixture, const State *shape, PeriodicChoice *choice,
                       Error *error)
{
  *choice = (PeriodicChoice){0};
  if (o->cutoff == 0.0)
    o->cutoff = usual_cutoff;
  if (o->accuracy == 0.0)
    o->accuracy = usual_accuracy;
  if (o->switch_width == 0.0)
    o->switch_width = usual_width;
  Status status = check(o, mixture, error);
  if (status == STATUS_OK)
    status = box_check(&shape->box, o->cutoff, "cutoff", error);
  choice->cutoff = o->cutoff;
  const PmeWish wish = make_wish(o, mixture, &shape->box);
  if (o->permittivity == 0.0)
    o->permittivity = INFINITY;
  if (status == STATUS_OK && o->coulomb == PERIODIC_PME && wish.nsite > 0)
    status = choose_mesh(o, &wish, choice, error);
  else if (o->coulomb != PERIODIC_EWALD)
    o->beta = 0.0;
  if (o->buffer == 0.0)
    o->buffer = o->kT > 0.0 && o->h > 0.0 ? best_buffer(o, mixture) : usual_buffer;
  choice->buffer = o->coulomb != PERIODIC_EWALD ? o->buffer : 0.0;
  return status;
}
