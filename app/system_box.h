/* The part of a system that is a periodic box: what is in it, its forces, its start. */
#ifndef HOLONOM_APP_SYSTEM_BOX_H
#define HOLONOM_APP_SYSTEM_BOX_H

#include "app/system.h"
#include "forcefields/periodic.h"

/* Fills in box, kinds and numbers. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY. */
Status system_box_create(System *system, Error *error);

/* The forces of the run. Errors: STATUS_INPUT with file and line, STATUS_MEMORY, STATUS_IO. */
Status system_box_field(const System *system, const State *state, ForceField *field, Error *error);

/* As system_start. */
Status system_box_start(const System *system, double *x, char *remark, size_t size, Error *error);

/* Momenta of the start file's velocities, p[coordinates], kind after kind, as they are in the file.
 * STATUS_INPUT if it has none. */
Status system_box_momenta(const System *system, double *p, Error *error);

/* What forces.truncation says, or, with auto, what conserves the energy where no thermostat keeps it. */
ConfigTruncation system_box_truncation(const System *system);

/* g/cm^3, of all masses. */
double system_box_density(const System *system);

#endif
