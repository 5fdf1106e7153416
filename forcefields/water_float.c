#include "forcefields/water_float.h"

#include <math.h>
#include <stdlib.h>

#include "engine/units.h"

void *water_float_zeros(int n, size_t bytes, int threads)
{
  void *const p = aligned_alloc(64, ((size_t)n * bytes + 63) / 64 * 64);
  if (p != NULL)
    team_clear(p, n, bytes, threads);
  return p;
}

double water_float_near(double a, double c, double qq, double cutoff, double limit, double low)
{
  double r = cutoff;
  for (; r * r > low; r *= 0.999) {
    const double u = 1.0 / (r * r), u3 = u * u * u;
    if (fabs((12.0 * a * u3 - 6.0 * c) * u3) / r + fabs(qq) * u >= limit)
      break;
  }
  return fmax(r * r, low);
}

double water_float_unit(const Nonbonded *o, double reach)
{
  const double longest = o->cutoff + 2.0 * reach, grid = reach > 0.0 ? o->cutoff / 15.9 : 0.0;
  return fmax(1.000001 * longest / sqrt(512.0), grid);
}

Status water_float_check(const Nonbonded *o, double beta, double unit, double reach, Error *error)
{
  const double longest = o->cutoff + 2.0 * reach;
  if (beta * longest > 7.0)
    return error_set(
        error, STATUS_INPUT,
        "beta of %g/A is too large for mixed precision, which allows %.3g/A with a cutoff of %g A: use "
        "precision: double, raise forces.cutoff, or reduce forces.beta (and the accuracy)",
        beta, 7.0 / longest, o->cutoff);
  if (2.0 * unit * unit > 2.5)
    return error_set(error, STATUS_INPUT,
                     "a cutoff of %g A is too large for mixed precision, which allows %g A with these "
                     "molecules: use precision: double",
                     o->cutoff,
                     fmin(sqrt(2.5 * 256.0) - 2.0 * reach, reach > 0.0 ? 15.9 * sqrt(1.25) : INFINITY));
  return STATUS_OK;
}

WaterFloatUnits water_float_units(const Nonbonded *o, double unit)
{
  const double force = 1 << WATER_FLOAT_FORCE_BITS, energy = 1 << WATER_FLOAT_ENERGY_BITS;
  const LjCut cut = nonbonded_lj_cut(o);
  WaterFloatUnits f = {.unit = unit,
                       .grid = 48.0, /* floats within 16 of it are 2^-18 apart */
                       .cutoff2 = o->cutoff * o->cutoff / (unit * unit),
                       .virial = 0.5 * unit * ldexp(1.0, WATER_FLOAT_VIRIAL_BITS - WATER_FLOAT_FORCE_BITS)};
  if (truncation_switches(o->truncation)) {
    const double width = cut.cutoff - cut.from;
    f.start = cut.from / width;
    f.per = unit / width;
    f.slope = 30.0 / width * force / energy;
    for (int k = 0; k < 2; k++) {
      const int n = k == 0 ? 12 : 6;
      const LjBend bend = nonbonded_bend(&cut, n);
      f.bend[k][0] = bend.a * width * width * pow(unit, n + 1) / n;
      f.bend[k][1] = bend.b * width * width * width * pow(unit, n + 1) / n;
      f.work[k] = width / (3 + k) * energy / force;
    }
  }
  return f;
}

WaterFloatSwitching water_float_switching(const Nonbonded *o)
{
  if (!truncation_switches(o->truncation))
    return WATER_FLOAT_SWITCH_NOTHING;
  if (o->truncation == TRUNCATION_FORCE_SWITCH)
    return WATER_FLOAT_SWITCH_FORCE;
  return o->truncation == TRUNCATION_SWITCH_PAIRS ? WATER_FLOAT_SWITCH_MOLECULES : WATER_FLOAT_SWITCH_LJ;
}

/* The same with the water's Lennard-Jones. */
static WaterFloatUnits make_floats(const Nonbonded *o, const SiteMap *map, double unit)
{
  const double force = 1 << WATER_FLOAT_FORCE_BITS, energy = 1 << WATER_FLOAT_ENERGY_BITS;
  const double a = map->lj[0], c = map->lj[1];
  const LjCut cut = nonbonded_lj_cut(o);
  WaterFloatUnits f = water_float_units(o, unit);
  f.a12 = 12.0 * a * pow(unit, -13.0) * force;
  f.c6 = 6.0 * c * pow(unit, -7.0) * force;
  f.a = a * pow(unit, -12.0) * energy;
  f.c = c * pow(unit, -6.0) * energy;
  f.shift = nonbonded_shift(&cut, map->lj) * energy;
  return f;
}

void water_float_edges(WaterFloatUnits *f, const Box *box)
{
  for (int k = 0; k < 9; k++)
    f->h[k / 3][k % 3] = box->h[k / 3][k % 3] / 4294967296.0 / f->unit;
}

Status water_float_set_box(WaterFloatModel *model, const Box *box, Error *error)
{
  const WaterFloatUnits *f = &model->floats;
  water_float_edges(&model->floats, box);
  return images_find(&model->images, box, sqrt(f->cutoff2) * f->unit, f->unit, error);
}

void water_float_limits(const WaterFloatModel *model, double *near, double *low)
{
  const double unit = model->floats.unit;
  *near = model->floats.near * (unit * unit);
  *low = 2.0 * unit * unit;
}

Status water_float_model(WaterFloatModel *m, const SiteMap *map, const Nonbonded *o, double stretch,
                         Error *error)
{
  const double qq = UNITS_COULOMB * map->charge[1] * map->charge[1],
               beta = coulomb_splits(o->coulomb) ? o->beta : 0.0;
  const double reach = stretch * map->bond[1]; /* distance of a hydrogen from its oxygen, A */
  const double unit = water_float_unit(o, reach), low = 2.0 * unit * unit;
  m->weight = map->place[3][0];
  m->floats = make_floats(o, map, unit);
  TRY(water_float_check(o, beta, unit, reach, error));
  water_float_table_fill(&m->tables, &(WaterFloatCoulomb){.beta = beta}, unit, qq);
  /* Molecules further apart have few near neighbours, so a sum never reaches four times the limit. */
  m->floats.near = water_float_near(map->lj[0], map->lj[1], 4.0 * qq, o->cutoff,
                                    ldexp(1.0, 31 - WATER_FLOAT_FORCE_BITS - 2), low) /
                   (unit * unit);
  return STATUS_OK;
}
