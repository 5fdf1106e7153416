/* The picture of thermo.csv, for equilibration to be judged by eye: energies, temperature and pressure
 * against time. */
#ifndef HOLONOM_SIMULATION_MOLECULES_THERMO_PICTURE_H
#define HOLONOM_SIMULATION_MOLECULES_THERMO_PICTURE_H

#include "simulation/molecules/system.h"
#include "simulation/molecules/water_columns.h"
#include "simulation/run/measure.h"

typedef struct ThermoPicture ThermoPicture;

/* Borrowed. STATUS_MEMORY. */
Status thermo_picture_create(ThermoPicture **picture, const Simulation *system, Error *error);
void thermo_picture_free(ThermoPicture *picture);

/* A row of thermo.csv; what changes, for checkpoints. */
void thermo_picture_add(ThermoPicture *picture, const MeasureRow *row);
void thermo_picture_chunks(ThermoPicture *picture, ChunkList *list);

/* thermo.svg and thermo.png, where there are rows enough. Errors as in observables/picture.h.
 */
Status thermo_picture_draw(const ThermoPicture *picture, const char *dir, Error *error);

#endif
