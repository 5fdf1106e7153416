/* The part of a system that is a periodic box: what is in it, its forces, its start. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_BOX_H

#include "forcefields/periodic.h"
#include "integrators/quench.h"
#include "simulation/molecules/system.h"

/* Fills in box, kinds and numbers. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY. */
Status system_box_create(Simulation *system, Error *error);

/* The forces of the run. Errors: STATUS_INPUT with file and line, STATUS_MEMORY, STATUS_IO. */
Status system_box_field(const Simulation *system, const State *state, ForceField *field, Error *error);

/* What was done to a start, and what it is then. */
typedef struct SystemBoxLook {
  double moved;         /* how far a site was moved to make molecules rigid, or off it is, A */
  double energy, force; /* kcal/mol; the largest, kcal/mol/A                         */
  int steps;            /* downhill                                                          */
} SystemBoxLook;

/* x[coordinates] of a built start, in at most SYSTEM_BOX_DOWNHILL steps; watch: its show and stop are called
 * (NULL: none). Errors: STATUS_INPUT with file, line and key, those of the forces. */
enum { SYSTEM_BOX_DOWNHILL = 100 };
Status system_box_build(const Simulation *system, const QuenchOptions *watch, double *x, SystemBoxLook *look,
                        Error *error);

/* x[coordinates] of a frame of the start file, and unless p is NULL momenta p[coordinates] of its
 * velocities. Errors: as above; STATUS_INPUT also if there are no velocities. */
Status system_box_adopt(const Simulation *system, Frame *frame, const char *path, double *x, double *p,
                        SystemBoxLook *look, Error *error);

/* What forces.truncation says, or, with auto, what conserves the energy where no thermostat keeps it. */
ConfigTruncation system_box_truncation(const Simulation *system);

/* g/cm^3, of all masses. */
double system_box_density(const Simulation *system);

#endif
