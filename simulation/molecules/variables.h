/* Finds the atoms of the collective variables that an input names (output.torsions and the other lists of
 * engine/coordinates.def), and of the sites of g(r) (output.rdf_sites). */
#ifndef HOLONOM_SIMULATION_MOLECULES_VARIABLES_H
#define HOLONOM_SIMULATION_MOLECULES_VARIABLES_H

#include "observables/collective.h"
#include "observables/rdf.h"
#include "simulation/molecules/system.h"
#include "topology/labels.h"

typedef struct Variables {
  CollectiveList list[COORDINATES];
  RdfSites sites; /* n 0: no named sites */
  Labels labels;
  Arena arena;
} Variables;

/* Finds them in the system's topology. Errors: STATUS_INPUT with file, line and key: missing atoms, too few
 * or too many, or atoms of several molecules; a repeated name; STATUS_MEMORY. *variables is NULL then. */
Status variables_create(Variables **variables, const Simulation *system, Error *error);
void variables_free(Variables *variables); /* may be NULL */

/* Marks in chosen[labels->natom] the atoms that record `number`, from 0, of another list selects, in all
 * molecules of the named type if it names one. Errors: STATUS_INPUT with file, line and key (no atoms);
 * STATUS_MEMORY. */
Status variables_choose(const Config *config, const Labels *labels, InputKey list, int number,
                        const ConfigCollective *record, bool *chosen, Error *error);

/* Their columns for each replica. */
extern const MeasurementColumns variables_columns;

#endif
