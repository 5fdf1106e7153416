/* A call of 'holonom build', and the input that says the same. */
#ifndef HOLONOM_CMD_BUILD_CALL_H
#define HOLONOM_CMD_BUILD_CALL_H

#include "cmd/build_files.h"
#include "cmd/command.h"
#include "forcefields/atom_model.h"

enum { BUILD_SPECIES = 15 /* at most */, BUILD_SAMPLE_EVERY = 25, BUILD_BAROSTAT_EVERY = 10 };
#define BUILD_TIMESTEP 0.04 /* AKMA, 2 fs: kinetic temperatures of BAOAB are then 0.6 % low */

/* Two of three say the third: numbers of molecules, size, density. */
typedef struct BuildCall {
  const WaterModel *model; /* NULL: no water                                              */
  const char *numbers;     /* --molecules: of water, or of molecules of files             */
  const char *coordinates; /* of these                                                    */
  int molecules;           /* of water; 0: as many as fit                                 */
  int nspecies;
  const AtomModel *species[BUILD_SPECIES];
  int count[BUILD_SPECIES]; /* of each, more than 0                                             */
  double size[3];           /* A; zeros: from the density                                       */
  bool sized;               /* from numbers and density, by build_call_create                   */
  const char *shape_name;
  BoxShape shape;
  double density; /* g/cm^3 of everything; 0: water at the model's density, an atom in the place of half
                   * a water                                                          */
  double kelvin;
  const char *pressure;
  double bar;         /* NAN: constant volume                                             */
  double picoseconds; /* of equilibration; 0: minimised only, at rest                     */
  double cutoff;      /* of the forces, A                                                 */
  int64_t seed;
  int threads;
  const char *out, *atoms;
  bool force, quiet;
} BuildCall;

/* Whether --molecules names files. */
bool build_call_of_files(const BuildCall *call);

/* Steps in so many picoseconds, a multiple of `every`; those of equilibration at constant pressure. */
int64_t build_call_steps(double picoseconds, int every);
int64_t build_call_pressed_steps(const BuildCall *call);

/* Fills in what is not given, reads and places molecules of files, and makes the simulation that the call
 * describes. Errors: STATUS_INPUT, STATUS_MEMORY, STATUS_IO. */
Status build_call_create(Simulation **box, BuildCall *call, BuildFiles *files, Error *error);

/* What went wrong with that simulation, its input's keys as the options that they stand for. */
Status build_call_pass(const BuildCall *call, Status status, const Error *why, Error *error);

#endif
