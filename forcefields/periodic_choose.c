/* Chooses open options of the periodic force. */
#include <math.h>
#include <string.h>

#include "forcefields/periodic_private.h"

static const double usual_accuracy = 0.0145, usual_buffer = 0.5;

/* Error of the pressure at the default accuracy of forces, bar; in proportion for others. */
static const double usual_pressure = 2.0;

/* --- the mesh ------------------------------------------------------------------------------------------- */

/* Error fits are for waters with charges on atoms. Most of an error is the field of dipoles on dipoles, where
 * small charges on long arms, such as lone pairs, act like larger charges on atoms. The charges on atoms with
 * the same dipole therefore count if they are larger. */
static void add_kind(PmeWish *wish, const SiteMap *map, int nmol)
{
  double atom[SITE_MAP_ATOMS], charge2[2] = {wish->charge2, wish->charge2},
                               charge4[2] = {wish->charge4, wish->charge4},
                               spread[2] = {wish->spread, wish->spread};
  site_map_atom_charges(map, atom);
  for (int s = 0; s < map->nsite; s++) {
    const double charge[2] = {map->charge[s], s < map->natom ? atom[s] : 0.0};
    wish->nsite += map->charge[s] != 0.0 ? nmol : 0;
    for (int k = 0; k < 2; k++) {
      charge2[k] += charge[k] * charge[k] * nmol;
      charge4[k] += pow(charge[k], 4.0) * nmol;
      spread[k] += nmol * charge[k] * map->bond[s] * map->bond[s] / 6.0;
    }
  }
  wish->charge2 = fmax(charge2[0], charge2[1]);
  wish->charge4 = fmax(charge4[0], charge4[1]);
  wish->spread = fmax(spread[0], spread[1]);
}

static PmeWish make_wish(const PeriodicOptions *options, const Particles *m, const Box *box)
{
  const Nonbonded *o = &options->nonbonded;
  const bool switched = o->truncation == TRUNCATION_SWITCH_PAIRS;
  /* Pairs within the switching range count as lost. */
  const double whole = switched ? o->cutoff - o->switch_width : o->cutoff;
  PmeWish wish = {.box = box,
                  .error = o->accuracy,
                  .pressure = usual_pressure * o->accuracy / usual_accuracy,
                  .cutoff = whole,
                  .by_molecule = !o->by_atom && (m->atoms == NULL || options->model != NULL),
                  .switched = switched,
                  .beta = o->beta,
                  .order = o->order,
                  .grid = {o->grid[0], o->grid[1], o->grid[2]}};
  for (int b = 0; b < m->nblock; b++)
    if (!atoms_are(m->atoms, b))
      add_kind(&wish, &m->kind[b].map, m->kind[b].nmol);
  for (int i = 0; m->atoms != NULL && i < m->nmol; i++) {
    wish.nsite += m->atoms->charge[i] != 0.0;
    wish.charge2 += m->atoms->charge[i] * m->atoms->charge[i];
    wish.charge4 += pow(m->atoms->charge[i], 4.0);
  }
  return wish;
}

/* --- lists ---------------------------------------------------------------------------------------------- */

/* Pairs of waters, and pairs with a single atom. */
typedef struct Shares {
  double atoms;   /* fraction of the molecules */
  double step[2]; /* for both sorts: distance of the fastest two in one step, A */
} Shares;

/* The fastest two of n molecules together move about 2 sqrt(kT/m (2 ln n + 3)) in a unit of time; virtual
 * sites move like the atoms that place them. */
static Shares find_shares(const PeriodicOptions *o, const Particles *particles)
{
  double mass[2] = {INFINITY, INFINITY};
  int n[2] = {0};
  for (int b = 0; b < particles->nblock; b++) {
    const bool atoms = atoms_are(particles->atoms, b);
    n[atoms] += particles->kind[b].nmol;
    if (particles->kind[b].mass[0] > 0.0)
      mass[atoms] = fmin(mass[atoms], particles->kind[b].mass[0]);
  }
  Shares s = {.atoms = (double)n[1] / particles->nmol};
  for (int k = 0; k < 2; k++)
    s.step[k] = n[k] > 0 ? 2.0 * sqrt(o->kT / mass[k] * (2.0 * log(n[k]) + 3.0)) * o->h : 0.0;
  return s;
}

/* Time of a step with lists rebuilt every `every` steps, in units of that of waters without lists and
 * buffers. Costs of forces and lists are proportional to the cube of the radius. A pair with an individual
 * atom costs less than one of waters for the same entry, a pair of two the square of that factor. */
static double step_cost(const PeriodicOptions *o, const Shares *s, int every)
{
  const double making = o->nonbonded.mixed ? 0.35 : 0.055, less = o->nonbonded.mixed ? 0.5 : 0.3,
               water = 1.0 - s->atoms;
  const double number[2] = {water * water, 1.0 - water * water},
               force[2] = {number[0], less * s->atoms * (2.0 * water + less * s->atoms)};
  double cost = 0.0;
  for (int k = 0; k < 2; k++) {
    const double r = 1.0 + (every - 1) * s->step[k] / o->nonbonded.cutoff;
    cost += r * r * r * (force[k] + making * number[k] / every);
  }
  return cost;
}

/* The buffers of least cost, with equal lifetimes. */
static void choose_buffers(PeriodicOptions *o, const Particles *particles)
{
  enum { EVERY_MAX = 200 };
  const Shares s = find_shares(o, particles);
  int best = 1;
  for (int k = 2; k <= EVERY_MAX; k++)
    if (step_cost(o, &s, k) < step_cost(o, &s, best))
      best = k;
  o->nonbonded.buffer = (best - 1) * s.step[s.atoms == 1.0];
  o->atoms_buffer = (best - 1) * s.step[1];
}

/* --- choice --------------------------------------------------------------------------------------------- */

static Status check(const PeriodicOptions *options, const Particles *particles, Error *error)
{
  const Nonbonded *o = &options->nonbonded;
  TRY(nonbonded_check(o, error));
  if (o->truncation == TRUNCATION_SWITCH_PAIRS && (o->coulomb != COULOMB_PME || options->model == NULL ||
                                                   particles->nblock > 1 || particles->atoms != NULL))
    return error_input(error, "truncation",
                       "'switch-pairs' needs pme and a box of waters only; 'switch', which switches "
                       "Lennard-Jones only, allows others");
  if (!(o->accuracy > 0.0 && isfinite(o->accuracy)))
    return error_input(error, "accuracy", "the force error is %g kcal/mol/A; it must be positive",
                       o->accuracy);
  const double buffer[] = {o->buffer, options->atoms_buffer};
  for (int i = 0; i < 2; i++)
    if (!(buffer[i] >= 0.0 && isfinite(buffer[i])))
      return error_input(error, "buffer", "the buffer of lists must be 0 A or more, not %g A", buffer[i]);
  if (!(options->kT >= 0.0 && isfinite(options->kT) && options->h >= 0.0 && isfinite(options->h)))
    return error_set(error, STATUS_INPUT,
                     "kT is %g kcal/mol and the time step is %g; both must be finite, 0 or more", options->kT,
                     options->h);
  return STATUS_OK;
}

Status periodic_choose(PeriodicOptions *options, const Particles *particles, const State *shape,
                       PmeChoice *choice, Error *error)
{
  Nonbonded *o = &options->nonbonded;
  *choice = (PmeChoice){0};
  nonbonded_choose_cut(o);
  if (o->accuracy == 0.0)
    o->accuracy = usual_accuracy;
  if (o->permittivity == 0.0)
    o->permittivity = INFINITY;
  TRY(check(options, particles, error));
  TRY(error_option(error, "cutoff", box_check(&shape->box, o->cutoff, "cutoff", error)));
  const PmeWish wish = make_wish(options, particles, &shape->box);
  if (o->coulomb == COULOMB_PME && wish.nsite > 0) {
    TRY(pme_choose(&wish, choice, error));
    o->order = choice->order;
    memcpy(o->grid, choice->grid, sizeof o->grid);
  }
  if (o->coulomb == COULOMB_EWALD) { /* the plain sum chooses beta itself, and has no lists */
    o->buffer = options->atoms_buffer = 0.0;
    return STATUS_OK;
  }
  o->beta = choice->beta;
  if (o->buffer == 0.0 && options->kT > 0.0 && options->h > 0.0)
    choose_buffers(options, particles);
  else if (o->buffer == 0.0)
    o->buffer = usual_buffer;
  if (options->atoms_buffer == 0.0)
    options->atoms_buffer = o->buffer;
  return STATUS_OK;
}
