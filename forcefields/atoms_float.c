#include "forcefields/atoms_float.h"

#include <math.h>
#include <stdlib.h>

#include "engine/units.h"

static Status make_table(AtomsFloatModel *m, const Atoms *atoms, const Nonbonded *o, Error *error)
{
  const double unit = m->floats.unit, force = 1 << WATER_FLOAT_FORCE_BITS, most = 1e36;
  const double energy = 1 << WATER_FLOAT_ENERGY_BITS;
  const LjCut cut = nonbonded_lj_cut(o);
  m->ntype = atoms->ntype;
  if (m->ntype > ATOMS_FLOAT_TYPES)
    return error_set(
        error, STATUS_INPUT,
        "%d types of atoms are too many for mixed precision, which allows %d: use precision: double",
        m->ntype, ATOMS_FLOAT_TYPES);
  const bool few = m->ntype <= ATOMS_FLOAT_FEW;
  m->lj = water_float_zeros(m->ntype * m->ntype, sizeof *m->lj, 1);
  m->few = few ? water_float_zeros(m->ntype, sizeof *m->few, 1) : NULL;
  TRY_MEMORY(m->lj != NULL && (!few || m->few != NULL), "the table of types", error);
  for (int k = 0; k < m->ntype * m->ntype; k++) {
    const double a = atoms->lj[k][0], c = atoms->lj[k][1];
    const double row[3] = {12.0 * a * pow(unit, -13.0) * force, 6.0 * c * pow(unit, -7.0) * force,
                           nonbonded_shift(&cut, atoms->lj[k]) * energy};
    if (!(row[0] < most && row[1] < most))
      return error_set(error, STATUS_INPUT,
                       "Lennard-Jones between types %d and %d, A = %g kcal A^12/mol and C = %g kcal A^6/mol, "
                       "is beyond the range of mixed precision: use precision: double",
                       k / m->ntype + 1, k % m->ntype + 1, a, c);
    for (int d = 0; d < 3; d++) {
      m->lj[k][d] = (float)row[d];
      if (few)
        m->few[k / m->ntype][d][k % m->ntype] = (float)row[d];
    }
  }
  return STATUS_OK;
}

Status atoms_float_model(AtomsFloatModel *m, const Atoms *atoms, const SiteMap *water, const Nonbonded *o,
                         const WaterFloatCoulomb *coulomb, double stretch, Error *error)
{
  const double reach = water != NULL ? stretch * water->bond[1] : 0.0, root = sqrt(UNITS_COULOMB);
  const double unit = water_float_unit(o, reach), each = o->coulomb != COULOMB_NONE ? 1.0 : 0.0;
  TRY(water_float_check(o, coulomb->beta, unit, reach, error));
  m->floats = water_float_units(o, unit);
  m->energy = m->floats.unit * ldexp(1.0, WATER_FLOAT_ENERGY_BITS - WATER_FLOAT_FORCE_BITS) / 12.0;
  m->limit = pow(ATOMS_FLOAT_LIMIT * (1 << WATER_FLOAT_FORCE_BITS), 2.0);
  m->shift = ATOMS_FLOAT_SHIFT;
  m->switching = water_float_switching(o);
  if (water != NULL) {
    m->shift = ATOMS_FLOAT_WATER_SHIFT;
    m->atoms = 1;
    m->weight = water->place[3][0];
    for (int k = 0; k < 3; k++)
      m->charge[k] = root * water->charge[k == 0 && m->weight != 0.0 ? 3 : k == 0 ? 0 : 1];
  }
  water_float_table_fill(&m->tables, coulomb, unit, each);
  return make_table(m, atoms, o, error);
}

void atoms_float_free(AtomsFloatModel *m)
{
  free(m->lj);
  free(m->few);
}

Status atoms_float_set_box(AtomsFloatModel *m, const Box *box, double longest, Error *error)
{
  water_float_edges(&m->floats, box);
  m->oblique = box_oblique(box);
  return images_find(&m->images, box, longest, m->floats.unit, error);
}
