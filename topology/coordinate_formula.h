/* Coordinates that are formulas of other coordinates (the row COMPOSED of coordinates.def), such as d1 - d2.
 *
 * A formula's variables are the values of its coordinates: A, radians, or numbers. It has their atoms, each
 * as a site, one coordinate after the other; an atom of several coordinates occurs several times. Its
 * gradient follows from the derivatives of the formula by the chain rule. A formula may be one of other
 * formulas. */
#ifndef HOLONOM_TOPOLOGY_COORDINATE_FORMULA_H
#define HOLONOM_TOPOLOGY_COORDINATE_FORMULA_H

#include "topology/coordinate_sites.h"

/* The part of coordinate_sites_memory for the coordinates of a formula; 0 for other forms. */
size_t coordinate_formula_memory(const CoordinateSites *sites);

/* For coordinate_sites_create and coordinate_sites_read. Errors: those of the coordinates; STATUS_INPUT (no
 * formula). */
Status coordinate_formula_create(CoordinateSites *sites, const CoordinateInput *input,
                                 const Topology *topology, Arena *arena, Error *error);
void coordinate_formula_read(const CoordinateSites *c, const Box *box, CoordinateReading *r, bool slopes);

/* Whether the value and the gradient of a reading with slopes are finite in a lane, or the values of its
 * coordinates are not, which is no fault of the formula. */
bool coordinate_formula_sound(const CoordinateSites *c, const CoordinateReading *r, int lane);

/* Appends "d1 = 3.2, d2 = 4.1", the values of the coordinates in a lane, to words[size]. */
void coordinate_formula_append(const CoordinateSites *c, const CoordinateReading *r, int lane, char *words,
                               size_t size);

#endif
