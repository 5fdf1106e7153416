/* Finds the atoms of the collective variables that an input names (output.torsions and the other lists of
 * engine/coordinates.def), of the sites of g(r) (output.rdf_sites), and of hydrogen bonds (donors.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_VARIABLES_H
#define HOLONOM_SIMULATION_MOLECULES_VARIABLES_H

#include "observables/collective.h"
#include "observables/hydrogen_bonds.h"
#include "observables/rdf.h"
#include "simulation/molecules/system.h"
#include "topology/labels.h"

typedef struct Variables {
  CollectiveList list[COORDINATES];
  RdfSites sites; /* n 0: no named sites */
  HydrogenBondList hydrogen_bonds;
  Labels labels;
  Arena arena;
} Variables;

/* Finds them in the system's topology. Errors: STATUS_INPUT with file, line and key: missing atoms, too few
 * or too many, or atoms of several molecules; a repeated name; STATUS_MEMORY. *variables is NULL then. */
Status variables_create(Variables **variables, const Simulation *system, Error *error);
void variables_free(Variables *variables); /* may be NULL */

/* The atoms of record `number` of a list, which must have one value; they live in the arena. Errors as above.
 */
Status variables_input(const Simulation *system, const Labels *labels, CoordinateForm form, int number,
                       Arena *arena, CoordinateInput *input, Error *error);

/* The coordinates of a formula, of output or of a restraint. Errors as above. */
Status variables_formula_input(const Simulation *system, const Labels *labels, const ConfigCollective *record,
                               Arena *arena, CoordinateInput *input, Error *error);

/* STATUS_INPUT with file, line and key: a formula uses positions along a periodic axis, which jump at the
 * faces of the box, so that no potential can act on it. Other coordinates pass. */
Status variables_formula_check(const Simulation *system, InputKey key, const CoordinateInput *on,
                               Error *error);

enum { VARIABLES_NAME = 24 };

/* Whether this is a valid name of a coordinate, which becomes part of the names of columns. */
bool variables_name_valid(const char *name);

/* Marks in chosen[labels->natom] the atoms that record `number`, from 0, of another list selects, in all
 * molecules of the named type if it names one. Errors: STATUS_INPUT with file, line and key (no atoms);
 * STATUS_MEMORY. */
Status variables_choose(const Config *config, const Labels *labels, InputKey list, int number,
                        const ConfigCollective *record, bool *chosen, Error *error);

/* Copies the keys that only some coordinates have. */
void variables_options(const ConfigCollective *record, CoordinateInput *input);

/* STATUS_INPUT with file, line and key: an axis along which the box has no period. */
Status variables_axis(const Simulation *system, InputKey key, const CoordinateType *type, int axis,
                      Error *error);

/* Finds pairs of the torsions found before. Errors as above. */
Status variables_pairs_find(Variables *variables, const Simulation *system, Error *error);

/* Their columns for each replica. */
extern const MeasurementColumns variables_columns;

#endif
