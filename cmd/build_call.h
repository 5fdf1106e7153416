/* The options of 'holonom build' and the simulation that they describe. */
#ifndef HOLONOM_CMD_BUILD_CALL_H
#define HOLONOM_CMD_BUILD_CALL_H

#include "cmd/build_files.h"
#include "cmd/command.h"
#include "forcefields/atom_model.h"

enum { BUILD_SPECIES = 15 /* at most */, BUILD_SAMPLE_EVERY = 25, BUILD_BAROSTAT_EVERY = 10 };
#define BUILD_TIMESTEP 0.04 /* AKMA, 2 fs: kinetic temperatures of BAOAB are 0.6 % low */

/* Two of the number of molecules, the size and the density determine the third. */
typedef struct BuildCall {
  const WaterModel *model; /* NULL: no water */
  const char *numbers;     /* --molecules: a number of waters, or files of molecules */
  const char *coordinates; /* --coordinates, for the files of molecules */
  int molecules;           /* number of waters; 0: as many as fit */
  int nspecies;
  const AtomModel *species[BUILD_SPECIES];
  int count[BUILD_SPECIES]; /* atoms of each species, more than 0 */
  double size[3];           /* A; zeros: computed from the density */
  bool sized;               /* build_call_create computed the size from numbers and density */
  const char *shape_name;
  BoxShape shape;
  double density; /* g/cm^3 of the whole box; 0: the water model's density, with half the volume of a water
                     for each atom */
  double kelvin;
  const char *pressure;
  double bar;         /* NAN: constant volume */
  double picoseconds; /* of equilibration; 0: minimised only, zero velocities */
  double cutoff;      /* of the forces, A */
  int64_t seed;
  int threads;
  const char *out, *atoms;
  bool force, quiet;
} BuildCall;

/* Whether --molecules names files. */
bool build_call_of_files(const BuildCall *call);

/* The number of steps in a time, rounded up to a multiple of `every`; the number of equilibration steps at
 * constant pressure. */
int64_t build_call_steps(double picoseconds, int every);
int64_t build_call_pressed_steps(const BuildCall *call);

/* Computes missing values, reads and places molecules of files, and creates the simulation. STATUS_INPUT,
 * STATUS_MEMORY, STATUS_IO. */
Status build_call_create(Simulation **box, BuildCall *call, BuildFiles *files, Error *error);

/* Passes an error of that simulation on, with input keys replaced by the options that set them. */
Status build_call_pass(const BuildCall *call, Status status, const Error *why, Error *error);

#endif
