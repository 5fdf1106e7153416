/* Coordinates inside a molecule, of two to five sites: their values, gradients and Hessians, a register of
 * lanes at a time. They are functions of the vectors between sites, v[k] = q[plus] - q[minus], by which
 * energies (topology/term_profile.h), and whatever else is a function of one of them, are derived once for
 * all.
 *
 *   distance   r = |v0|
 *   cosine     c = cos theta of the angle between v0 and v1, both from the second of three sites: smooth
 *              everywhere, where theta is not at 0 and at pi
 *   dihedral   phi of the sites 0-1-2-3, by IUPAC's sign: trans is pi, and looking from 1 to 2 a positive
 *              angle turns the first bond clockwise into the last (Blondel and Karplus, J. Comput. Chem. 17,
 *              1132 (1996))
 *   dihedrals  two of them, phi of the sites 0-1-2-3 and psi of 1-2-3-4
 *
 * A value comes as a pair `at`: r and 1/r; cos theta and sin theta; cos phi and sin phi. A gradient that has
 * no limit (of sites on one spot, of the end of a dihedral angle whose first or last three sites are on a
 * line, to 1e-6 of the lengths) is zero there, as the mean of those around it; what is not finite stays so.
 */
#ifndef HOLONOM_ENGINE_COORDINATE_H
#define HOLONOM_ENGINE_COORDINATE_H

/* The numbers are those of their vectors; there is one site more. */
typedef enum CoordinateForm {
  COORDINATE_DISTANCE = 1,
  COORDINATE_COSINE = 2,
  COORDINATE_DIHEDRAL = 3,
  COORDINATE_DIHEDRALS = 4
} CoordinateForm;
enum { COORDINATE_VECTORS = 4, COORDINATE_SITES = COORDINATE_VECTORS + 1, COORDINATE_VALUES = 2 };

/* How many values a form has. */
static inline int coordinate_values(CoordinateForm form) { return form == COORDINATE_DIHEDRALS ? 2 : 1; }

#endif
