/* Pairs of atoms one by one, and of those with a water, in mixed precision: a kernel of sites.h. Pairs of
 * sites closer than the cutoff have Lennard-Jones between first sites, by a table of types, and the
 * charges' part by the tables of water_float.h, all in float, and integers are summed.
 *
 * Between two atoms what is computed is the same but for its sign when they change places; of an atom and a
 * water the atom always comes first. So neither the list nor who is in whose shows in the sums. Pairs whose
 * force is above a quarter of the range, or that are nearer than the tables reach, are named. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_FLOAT_H
#define HOLONOM_FORCEFIELDS_ATOMS_FLOAT_H

#include "forcefields/atoms_float_kernels.h"
#include "forcefields/water_float.h"

/* For these atoms and the water's map, or NULL, by the options; bonds may be `stretch` times as long as at
 * rest. Errors: STATUS_INPUT (a cutoff or beta too large for the tables, a type beyond the range of floats),
 * STATUS_MEMORY. */
Status atoms_float_model(AtomsFloatModel *model, const Atoms *atoms, const SiteMap *water,
                         const Nonbonded *options, const WaterFloatCoulomb *coulomb, double stretch,
                         Error *error);
void atoms_float_free(AtomsFloatModel *model); /* what it holds */

/* For a box, before the first use; `longest`: the distance up to which images are told apart, A. Errors:
 * STATUS_INPUT (it is too flat). */
Status atoms_float_set_box(AtomsFloatModel *model, const Box *box, double longest, Error *error);

/* Of a pair, beyond which it is named, kcal/mol/A. */
#define ATOMS_FLOAT_LIMIT ((double)(INT64_C(1) << (31 - WATER_FLOAT_FORCE_BITS - 2)))

#endif
