/* Biases that PLUMED computes (www.plumed.org): the energy and the forces of the actions of a file.
 *
 * Each replica has an instance of PLUMED with all atoms with mass, in the order of molecules. An instance is
 * made at the first evaluation of its replica. It computes whenever forces are computed, but updates (adds
 * hills, prints rows) once for each step: with the last positions of the step, or, if the step's word ends
 * with a drift, with those of its forces.
 *
 * PLUMED keeps data of its own, such as hills, which checkpoints do not contain. */
#ifndef HOLONOM_FORCEFIELDS_PLUMED_H
#define HOLONOM_FORCEFIELDS_PLUMED_H

#include <stdint.h>

#include "engine/force.h"
#include "topology/topology.h"

typedef struct PlumedOptions {
  const char *path;         /* of the file with actions */
  const Topology *topology; /* borrowed */
  double h, kT;             /* time step, AKMA, and kcal/mol; kT 0: unknown */
  bool several;             /* files have the suffix .REPLICA, as in COLVAR.3 */
} PlumedOptions;

typedef struct Plumed Plumed;

/* Reads the file; loads no kernel. Errors: those of plumed_lines_read, STATUS_MEMORY. */
Status plumed_create(Plumed **plumed, const PlumedOptions *options, Error *error);
void plumed_free(Plumed *plumed); /* may be NULL */

/* The folder of a run (copied), into which files that PLUMED writes and its log go. Without this call nothing
 * is written. restart: the run continues, so PLUMED continues its files (setRestart), and the step of the
 * first evaluation has been updated before. Replicas that have been evaluated begin anew. STATUS_MEMORY. */
Status plumed_write(Plumed *plumed, const char *folder, bool restart, Error *error);

/* Loads the kernel. STATUS_INPUT: PLUMED_KERNEL is not set, or wrong. */
Status plumed_load(Plumed *plumed, Error *error);

/* Updates the last step, and frees all instances, which completes PLUMED's files. STATUS_RUN: an update
 * fails. */
Status plumed_close(Plumed *plumed, Error *error);

/* The number of actions, and a checksum of them. */
int plumed_actions(const Plumed *plumed);
uint64_t plumed_digest(const Plumed *plumed);

/* The force "plumed" of the field input (field.h), whose energy counts as a bias. Errors: those of
 * plumed_load. Evaluations return STATUS_INPUT if PLUMED refuses an action, STATUS_RUN for all later errors,
 * also for energies and forces that are not finite. */

#endif
