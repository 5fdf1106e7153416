/* The parameters of pairs of molecules: charges, Lennard-Jones, cutoffs and tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "forcefields/sites_private.h"

#define ROOT_COULOMB sqrt(UNITS_COULOMB)
/* The largest force of one pair: an eighth of the range of the sums, kcal/mol/A. */
#define FORCE_LIMIT ldexp(1.0, 63 - WATER_FLOAT_EXACT_BITS - 3)

/* The largest distance of a site from the first. */
static double reach(const Sites *s, int block)
{
  double longest = 0.0;
  for (int k = 0; k < s->particles.kind[block].map.nsite; k++)
    longest = fmax(longest, s->particles.kind[block].map.bond[k]);
  return s->stretch * longest;
}

bool sites_model_float(const Sites *s)
{
  const Nonbonded *o = &s->options;
  const int first = s->sample[0];
  return o->mixed && !atoms_are(s->particles.atoms, first) && s->particles.kind[first].map.planar &&
         !o->by_atom && (coulomb_splits(o->coulomb) || o->coulomb == COULOMB_CUTOFF);
}

bool sites_model_atoms_float(const Sites *s)
{
  const Atoms *const atoms = s->particles.atoms;
  return s->options.mixed && atoms != NULL && atoms->pairing > 0 &&
         (atoms->water < 0 || s->particles.kind[atoms->water].map.planar);
}

bool sites_model_exact(const Sites *s)
{
  const Atoms *const atoms = s->particles.atoms;
  const bool water = atoms == NULL || atoms->water >= 0;
  return (atoms != NULL && atoms->pairing > 0 && !sites_model_atoms_float(s)) ||
         (water && !sites_model_float(s));
}

/* Where the force of first sites exceeds FORCE_LIMIT; molecules further apart have few near neighbours. */
static double near_squared(const SitesPair *p, double cutoff, double low)
{
  return water_float_near(p->a, p->c, p->qq[0], cutoff, FORCE_LIMIT, low);
}

/* The pairs of sites that act, with charges times `unit`. */
static void find_charges(SitesPair *p, double unit, const double *qi, const double *qj)
{
  int but_first = 0, n = 1; /* the first sites always act */
  p->qq[0] = unit * (qi[0] * qj[0]);
  for (int k = 1; k < p->ni * p->nj; k++) {
    const int a = k / p->nj, b = k % p->nj;
    const double qq = unit * (qi[a] * qj[b]);
    if (qq == 0.0)
      continue;
    p->site[n][0] = a;
    p->site[n][1] = b;
    p->qq[n++] = qq;
    but_first += a > 0 && b > 0;
  }
  p->npair = n;
  p->charges = n == p->ni * p->nj                                         ? SITES_CHARGED
               : but_first == n - 1 && n - 1 == (p->ni - 1) * (p->nj - 1) ? SITES_CHARGED_BUT_FIRST
                                                                          : SITES_CHARGED_ANY;
}

static SitesShape shape_of(const SitesPair *p)
{
  const bool all = p->charges == SITES_CHARGED;
  switch (p->atoms) {
  case SITES_ATOMS:
    return SITES_ATOM_ATOM;
  case SITES_ATOM_I:
    return p->nj == 3 && all ? SITES_ATOM_3 : SITES_ATOM_ANY;
  }
  if (p->ni == 3 && p->nj == 3 && all)
    return SITES_3_3;
  return p->ni == 4 && p->nj == 4 && p->charges == SITES_CHARGED_BUT_FIRST ? SITES_4_4 : SITES_ANY;
}

static double shift_of(const Nonbonded *o, double a, double c)
{
  const LjCut cut = nonbonded_lj_cut(o);
  return nonbonded_shift(&cut, (const double[]){a, c});
}

/* The least squared distance in the tables of atoms in float. */
static double least_float(const AtomsFloatModel *m) { return 2.0 * pow(m->floats.unit, 2.0); }

static void fill_pair(Sites *s, int i, int j)
{
  const double unit[SITES_ATOMS + 1] = {UNITS_COULOMB, ROOT_COULOMB, 1.0}, single = 1.0;
  const Particles *m = &s->particles;
  const Nonbonded *o = &s->options;
  SitesPair *p = &s->model.pair[i][j];
  const int a = s->sample[i], b = s->sample[j];
  const ParticlesBlock *first = &m->kind[a], *second = &m->kind[b];
  const int atoms = atoms_are(m->atoms, b) ? SITES_ATOMS : atoms_are(m->atoms, a) ? SITES_ATOM_I : 0;
  const bool by_atom = o->by_atom || atoms != 0;
  const double far = by_atom ? o->cutoff + reach(s, a) + reach(s, b) : o->cutoff;
  *p = (SitesPair){first->map.nsite, second->map.nsite,     atoms,
                   by_atom,          .a = first->map.lj[0], .c = first->map.lj[1]};
  find_charges(p, o->coulomb == COULOMB_NONE ? 0.0 : unit[atoms], atoms != 0 ? &single : first->map.charge,
               atoms == SITES_ATOMS ? &single : second->map.charge);
  p->shift = shift_of(o, p->a, p->c);
  p->far2 = far * far;
  p->low = s->model.tables.low;
  p->near = near_squared(p, o->cutoff, p->low);
  const bool in_float = atoms != 0 && s->atoms_float != NULL;
  p->shape = i == 0 && j == 0 && sites_model_float(s) ? SITES_WATER_FLOAT
             : in_float                               ? SITES_ATOMS_FLOAT
                                                      : shape_of(p);
  if (p->shape == SITES_WATER_FLOAT)
    water_float_limits(s->water_float, &p->near, &p->low);
  if (in_float)
    p->low = least_float(s->atoms_float);
  s->list_cutoff = fmax(s->list_cutoff, far);
}

static Status make_water_float(Sites *s, Error *error)
{
  s->water_float = water_float_zeros(1, sizeof *s->water_float, 1);
  TRY_MEMORY(s->water_float != NULL, "the water force", error);
  return water_float_model(s->water_float, &s->particles.kind[s->sample[0]].map, &s->options, s->stretch,
                           error);
}

static Status make_atoms_float(Sites *s, Error *error)
{
  const Atoms *const atoms = s->particles.atoms;
  const SiteMap *const water = atoms->water >= 0 ? &s->particles.kind[atoms->water].map : NULL;
  s->atoms_float = water_float_zeros(1, sizeof *s->atoms_float, 1);
  TRY_MEMORY(s->atoms_float != NULL, "the force of atoms", error);
  return atoms_float_model(s->atoms_float, atoms, water, &s->options, &s->coulomb, s->stretch, error);
}

/* The largest charge of each type, times sqrt(Coulomb's constant). */
static void largest_charges(const Sites *s, double *largest)
{
  const Atoms *const atoms = s->particles.atoms;
  for (int i = 0; i < s->particles.nmol; i++)
    largest[atoms->type[i]] = fmax(largest[atoms->type[i]], fabs(atoms->root[i]));
  for (int b = 0; b < s->particles.nblock; b++)
    for (int k = 0; k < s->particles.kind[b].map.nsite; k++)
      if (!atoms_are(atoms, b)) {
        double *const own = &largest[atoms->water_type];
        *own = fmax(*own, ROOT_COULOMB * fabs(s->particles.kind[b].map.charge[k]));
      }
}

static const double least = 1e-8; /* A^2: lower end of the search for the limit of two uncharged atoms */

/* The kernel's table for each pair of types. */
static Status make_types(Sites *s, Error *error)
{
  const Atoms *const atoms = s->particles.atoms;
  const int n = atoms->ntype;
  const bool single = s->atoms_float != NULL;
  const double limit = single ? ATOMS_FLOAT_LIMIT : FORCE_LIMIT,
               low = single ? least_float(s->atoms_float) : s->model.tables.low;
  SCOPED(scoped_free) double *largest = calloc((size_t)n, sizeof *largest);
  s->model.ntype = n;
  s->model.lj = water_float_zeros(n * n, sizeof *s->model.lj, 1);
  TRY_MEMORY(largest != NULL && s->model.lj != NULL, "the table of types", error);
  largest_charges(s, largest);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double a = atoms->lj[i * n + j][0], c = atoms->lj[i * n + j][1];
      const double qq = largest[i] * largest[j];
      /* The kernel in double tests for charges itself. */
      const bool charged = qq != 0.0 && (single || qq >= limit * low), acts = a != 0.0 || c != 0.0 || charged;
      const double near =
          acts ? water_float_near(a, c, charged ? qq : 0.0, s->options.cutoff, limit, charged ? low : least)
               : 0.0;
      const double row[SITES_TYPE] = {a, c, shift_of(&s->options, a, c), near};
      memcpy(s->model.lj[i * n + j], row, sizeof row);
    }
  return STATUS_OK;
}

/* Whether a block has atoms that do not belong to a decoupled solute. */
static bool pairs(const Atoms *atoms, int block)
{
  for (int i = atoms->first[block]; i < atoms->first[block + 1]; i++)
    if (!atoms_solute(atoms, i))
      return true;
  return false;
}

static void choose_buckets(Sites *s)
{
  const Atoms *const atoms = s->particles.atoms;
  s->model.nbucket = atoms != NULL && atoms->water >= 0 && atoms->pairing > 0 ? 2 : 1;
  for (int b = s->particles.nblock - 1; b >= 0; b--)
    if (!atoms_are(atoms, b) || pairs(atoms, b))
      s->sample[sites_bucket(s, b)] = b;
}

Status sites_model_make(Sites *s, Error *error)
{
  const Nonbonded *o = &s->options;
  SitesModel *m = &s->model;
  double longest = 0.0, square = 0.0;
  s->list_cutoff = o->cutoff;
  choose_buckets(s);
  for (int i = 0; s->particles.atoms != NULL && i < s->particles.nmol; i++)
    square += s->particles.atoms->charge[i] * s->particles.atoms->charge[i];
  for (int b = 0; b < s->particles.nblock; b++) {
    const SiteMap *k = &s->particles.kind[b].map;
    longest = fmax(longest, reach(s, b));
    m->stride = k->nsite * 4 > (int)m->stride ? (size_t)k->nsite * 4 : m->stride;
    for (int a = 0; a < k->nsite; a++)
      square += s->particles.kind[b].nmol * k->charge[a] * k->charge[a];
  }
  m->cutoff2 = o->cutoff * o->cutoff;
  WaterFloatCoulomb *const c = &s->coulomb;
  *c = water_float_table_coulomb(o);
  if (o->coulomb == COULOMB_REACTION_FIELD) {
    s->self = -0.5 * UNITS_COULOMB * c->constant * square;
    s->field = (StageField){c->field, c->constant, m->cutoff2};
  }
  if (sites_model_float(s))
    TRY(make_water_float(s, error));
  if (sites_model_atoms_float(s))
    TRY(make_atoms_float(s, error));
  const bool water = s->water_float != NULL || (s->atoms_float != NULL && s->particles.atoms->water >= 0);
  s->single_bytes = water ? sizeof(WaterFloatRow) : s->atoms_float != NULL ? 1 << ATOMS_FLOAT_SHIFT : 0;
  if (sites_model_exact(s))
    TRY(water_float_table_exact(&m->tables, c, o->by_atom ? o->cutoff : o->cutoff + 2.0 * longest, error));
  m->switching = water_float_switching(o);
  const LjCut cut = nonbonded_lj_cut(o);
  const double width = cut.cutoff - cut.from;
  m->switch_from = cut.from;
  m->switch_rate = m->switching != WATER_FLOAT_SWITCH_NOTHING ? 1.0 / width : 0.0;
  for (int k = 0; k < 2; k++) {
    m->bend[k] = nonbonded_bend(&cut, k == 0 ? 12 : 6);
    m->bend[k].a *= width * width;
    m->bend[k].b *= width * width * width;
  }
  for (int i = 0; i < m->nbucket; i++)
    for (int j = 0; j <= i; j++)
      fill_pair(s, i, j);
  return s->particles.atoms != NULL ? make_types(s, error) : STATUS_OK;
}

void sites_model_free(Sites *s)
{
  water_float_table_exact_free(&s->model.tables);
  free(s->model.lj);
  free(s->water_float);
  if (s->atoms_float != NULL)
    atoms_float_free(s->atoms_float);
  free(s->atoms_float);
}
