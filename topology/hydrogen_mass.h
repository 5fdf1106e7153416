/* Hydrogen mass repartitioning: hydrogens get a larger mass, which is taken from the atoms that they are
 * bonded to, so that their angles vibrate more slowly and longer time steps are stable. The energy does not
 * change, and neither do averages over positions without constraints; motions become slower.
 *
 * Source: Feenstra, Hess & Berendsen, J. Comput. Chem. 20, 786 (1999); Hopkins, Le Grand, Walker & Roitberg,
 * J. Chem. Theory Comput. 11, 1864 (2015). As in OpenMM (hydrogenMass) and ParmEd (HMassRepartition), waters
 * keep their masses unless requested; GROMACS (mass-repartition-factor) also changes waters. */
#ifndef HOLONOM_TOPOLOGY_HYDROGEN_MASS_H
#define HOLONOM_TOPOLOGY_HYDROGEN_MASS_H

#include "topology/molecules.h"

/* Numbers of hydrogens in the whole system. */
typedef struct HydrogenCount {
  int64_t bonded; /* to an atom that is no hydrogen; without waters, unless these are included */
  int64_t light;  /* of these, hydrogens of less than 2 g/mol */
  int64_t lone;   /* not bonded to such an atom: their masses do not change */
  int64_t water;  /* of waters that are not included */
} HydrogenCount;

/* Counts hydrogens. Errors: STATUS_INPUT (a hydrogen has bonds to two such atoms), STATUS_MEMORY. */
Status hydrogen_mass_count(const Molecules *all, bool water, HydrogenCount *count, Error *error);

/* Gives all bonded hydrogens this mass (g/mol) and subtracts the difference from their partners; the mass of
 * each molecule stays the same. Elements are recorded first, since they could no longer be found by mass.
 * Errors: STATUS_INPUT, with molecule and atom (a partner would be lighter than its hydrogens; a hydrogen has
 * two partners; there are no such hydrogens), STATUS_MEMORY. After an error masses may have changed. */
Status hydrogen_mass_set(const Molecules *all, double mass, bool water, HydrogenCount *count, Error *error);

#endif
