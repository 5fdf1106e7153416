/* Finds the atoms of collective variables that an input names (output.torsions and the other lists of
 * engine/coordinates.def), and of the sites of g(r) (output.rdf_sites). */
#ifndef HOLONOM_SIMULATION_MOLECULES_VARIABLES_H
#define HOLONOM_SIMULATION_MOLECULES_VARIABLES_H

#include "observables/collective.h"
#include "observables/rdf.h"
#include "simulation/molecules/system.h"
#include "topology/labels.h"

typedef struct Variables {
  CollectiveList list[COORDINATES];
  RdfSites sites; /* n 0: none are named */
  Labels labels;
  Arena arena;
} Variables;

/* Of the molecules of the system's topology. Errors: STATUS_INPUT with file, line and key: atoms that are not
 * there, too few or too many, or of several molecules; a name twice; STATUS_MEMORY. *variables is NULL then.
 */
Status variables_create(Variables **variables, const Simulation *system, Error *error);
void variables_free(Variables *variables); /* NULL is fine */

/* Marks in chosen[labels->natom] the atoms of record `number`, from 0, of a list of others: those that
 * `record` selects, in all molecules of the name where one is named. Errors: STATUS_INPUT with file, line and
 * key (none are selected), STATUS_MEMORY. */
Status variables_choose(const Config *config, const Labels *labels, InputKey list, int number,
                        const ConfigCollective *record, bool *chosen, Error *error);

/* Columns of each replica. */
extern const MeasurementColumns variables_columns;

#endif
