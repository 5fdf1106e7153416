/* The mixed-precision kernel for pairs of individual atoms and pairs of an atom and a water; called by
 * sites.c. Sites closer than the cutoff interact by Lennard-Jones between first sites (a table of types)
 * and by Coulomb (the tables of water_float.h). Arithmetic is in float; forces are summed as integers.
 *
 * Exchanging two atoms changes only the sign of their force, and in a pair of an atom and a water the atom
 * is always first. Sums therefore do not depend on the order of the list. The kernel reports pairs whose
 * force is above a quarter of the range, or that are closer than the tables reach. */
#ifndef HOLONOM_FORCEFIELDS_ATOMS_FLOAT_H
#define HOLONOM_FORCEFIELDS_ATOMS_FLOAT_H

#include "forcefields/atoms_float_kernels.h"
#include "forcefields/water_float.h"

/* The model for these atoms and, unless NULL, the water's map; bonds may be `stretch` times their length at
 * rest. Errors: STATUS_INPUT (cutoff or beta too large for the tables, a type beyond the range of floats),
 * STATUS_MEMORY. */
Status atoms_float_model(AtomsFloatModel *model, const Atoms *atoms, const SiteMap *water,
                         const Nonbonded *options, const WaterFloatCoulomb *coulomb, double stretch,
                         Error *error);
void atoms_float_free(AtomsFloatModel *model); /* frees the model's arrays */

/* Sets the box; required before the first use. `longest`: the radius within which the nearest image is found,
 * A. Errors: STATUS_INPUT (the box is too flat). */
Status atoms_float_set_box(AtomsFloatModel *model, const Box *box, double longest, Error *error);

/* The largest force of a pair that is not reported, kcal/mol/A. */
#define ATOMS_FLOAT_LIMIT ((double)(INT64_C(1) << (31 - WATER_FLOAT_FORCE_BITS - 2)))

#endif
