/* Parameters of the periodic force that its options leave open. */
#include <math.h>
#include <string.h>

#include "forcefields/periodic_private.h"

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
  PmeWish wish = {.box = box,
                  .error = o->accuracy,
                  .pressure = usual_pressure * o->accuracy / usual_accuracy,
                  .cutoff = whole,
                  .by_molecule = !o->by_atom && (m->atoms == NULL || o->model != NULL),
                  .switched = o->switch_pairs,
                  .beta = o->beta,
                  .order = o->order,
                  .grid = {o->grid[0], o->grid[1], o->grid[2]}};
  for (int b = 0; b < m->nblock; b++)
    if (!atoms_are(m->atoms, b))
      add_kind(&wish, &m->kind[b].map, m->kind[b].nmol);
  for (int i = 0; m->atoms != NULL && i < m->nmol; i++) {
    wish.nsite += m->atoms->charge[i] != 0.0;
    wish.charge2 += m->atoms->charge[i] * m->atoms->charge[i];
  }
  return wish;
}

/* --- lists -----------------------------------------------------------------------------------------------
 */

/* Making a list over a force evaluation with it, of waters; a pair with an atom by itself costs less, one of
 * two such the square of that, for the same place in a list. */
static double cost_of_making(const PeriodicOptions *o, const Mixture *mixture)
{
  int atoms = 0;
  for (int b = 0; b < mixture->nblock; b++)
    atoms += atoms_are(mixture->atoms, b) ? mixture->kind[b].nmol : 0;
  const double share = (double)atoms / mixture->nmol, less = 1.0 - share * (o->mixed ? 0.5 : 0.7);
  return (o->mixed ? 0.35 : 0.055) / (less * less);
}

/* Time of a step with lists made every so many, in units of that without lists and without a buffer: both go
 * as the cube of the radius. */
static double step_cost(const PeriodicOptions *o, double making, double buffer, int every)
{
  const double r = 1.0 + buffer / o->cutoff;
  return r * r * r * (1.0 + making / every);
}

/* The buffer of least cost. The fastest two of n molecules together go about 2 sqrt(kT/m (2 ln n + 3)) a unit
 * of time; virtual sites, without mass, as the atoms that place them. */
static double best_buffer(const PeriodicOptions *o, const Mixture *mixture)
{
  enum { EVERY_MAX = 200 };
  const double making = cost_of_making(o, mixture);
  double mass = INFINITY;
  for (int b = 0; b < mixture->nblock; b++)
    if (mixture->kind[b].mass[0] > 0.0)
      mass = fmin(mass, mixture->kind[b].mass[0]);
  const double step = 2.0 * sqrt(o->kT / mass * (2.0 * log(mixture->nmol) + 3.0)) * o->h;
  int best = 1;
  for (int k = 2; k <= EVERY_MAX; k++)
    if (step_cost(o, making, (k - 1) * step, k) < step_cost(o, making, (best - 1) * step, best))
      best = k;
  return (best - 1) * step;
}

/* --- all -------------------------------------------------------------------------------------------------
 */

static Status check(const PeriodicOptions *o, const Mixture *mixture, Error *error)
{
  if (o->switch_pairs && (o->truncation != EWALD_SWITCH || o->coulomb != PERIODIC_PME || o->by_atom ||
                          o->model == NULL || mixture->nblock > 1 || mixture->atoms != NULL))
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
  if (ewald_switches(o->truncation) && !(o->switch_width > 0.0 && o->switch_width < o->cutoff))
    return error_set(error, STATUS_INPUT,
                     "Lennard-Jones is to be switched off over %g A; more than 0 and less than the cutoff of "
                     "%g A is possible",
                     o->switch_width, o->cutoff);
  return STATUS_OK;
}

Status periodic_choose(PeriodicOptions *o, const Mixture *mixture, const State *shape, PmeChoice *choice,
                       Error *error)
{
  *choice = (PmeChoice){0};
  if (o->cutoff == 0.0)
    o->cutoff = usual_cutoff;
  if (o->accuracy == 0.0)
    o->accuracy = usual_accuracy;
  if (o->switch_width == 0.0)
    o->switch_width = usual_width;
  if (o->permittivity == 0.0)
    o->permittivity = INFINITY;
  TRY(check(o, mixture, error));
  TRY(box_check(&shape->box, o->cutoff, "cutoff", error));
  const PmeWish wish = make_wish(o, mixture, &shape->box);
  if (o->coulomb == PERIODIC_PME && wish.nsite > 0) {
    TRY(pme_choose(&wish, choice, error));
    o->order = choice->order;
    memcpy(o->grid, choice->grid, sizeof o->grid);
  }
  if (o->coulomb == PERIODIC_EWALD) { /* which chooses beta for itself, and has no lists */
    o->buffer = 0.0;
    return STATUS_OK;
  }
  o->beta = choice->beta;
  if (o->buffer == 0.0)
    o->buffer = o->kT > 0.0 && o->h > 0.0 ? best_buffer(o, mixture) : usual_buffer;
  return STATUS_OK;
}
