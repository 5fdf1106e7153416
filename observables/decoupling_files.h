/* The samples of a decoupling as files of other programs: dhdl-KK.xvg of each state in GROMACS's format, for
 * gmx bar, and u_nk.csv and dHdl.csv as alchemlyb has them. GROMACS's lambda is 1 minus the strength:
 * coul-lambda of charges, vdw-lambda of Lennard-Jones. */
#ifndef HOLONOM_OBSERVABLES_DECOUPLING_FILES_H
#define HOLONOM_OBSERVABLES_DECOUPLING_FILES_H

#include "observables/decoupling.h"

/* Samples of several ladders follow each other in time. */
typedef struct DecouplingSamples {
  const DecouplingPath *path;
  ReducedEnergies *const *ladder;
  int ladders;
  double kelvin;
  double pressure;    /* kcal/mol/A^3, of samples with volumes */
  double begin, step; /* ps, the time of the first sample in memory, and between samples */
} DecouplingSamples;

/* The name of the file of state k, "dhdl-00.xvg". */
enum { DECOUPLING_FILES_NAME = 32 };
void decoupling_files_name(int k, char name[DECOUPLING_FILES_NAME]);

/* Write into dir. Errors: STATUS_IO, STATUS_MEMORY. */
Status decoupling_files_xvg(const DecouplingSamples *samples, const char *dir, Error *error);
Status decoupling_files_tables(const DecouplingSamples *samples, const char *dir, Error *error);

#endif
