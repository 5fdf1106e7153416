/* What 'holonom build' makes boxes of where molecules are those of files: --molecules FILE=N,..., and what it
 * writes beside the structure: one file of molecules for all and an input that runs. */
#ifndef HOLONOM_CMD_BUILD_FILES_H
#define HOLONOM_CMD_BUILD_FILES_H

#include "base/arena.h"
#include "forcefields/water.h"
#include "io/molecules_join.h"
#include "simulation/start/filling.h"

/* All zero: none. */
typedef struct BuildFiles {
  int n;                                /* molecules                                                       */
  MoleculesPart *part;                  /* [n]                                                             */
  const WaterModel **water;             /* [n] of the program's own; NULL: of a file                       */
  const char **coordinates;             /* [n] files of them; NULL: the program knows                      */
  char *text;                           /* of all together                                                 */
  Molecules *molecules;                 /* which they say                                                  */
  char *folder;                         /* made for the placed molecules, and taken away with what it holds */
  const char *topology, *start;         /* paths in it: what a Simulation begins from                  */
  const char *out_topology, *out_input; /* paths of what is written beside the structure           */
  Arena arena;
} BuildFiles;

/* Whether --molecules names files, or is a number of waters. */
bool build_files_named(const char *words);

/* Reads all that is named: words "FILE=N,FILE:NAME=N,tip3p=N", and files of coordinates, with commas between,
 * in the order of the molecules that are none of the program's own (NULL, and those that are missing: beside
 * the file of molecules, with its name and the suffix .gro, .pdb or .xyz; of FILE:NAME first NAME with it).
 * Errors: STATUS_INPUT, those of molecules_join. */
Status build_files_read(BuildFiles *files, const char *words, const char *coordinates, Error *error);

/* Names what is written beside the structure `out`: its name with .molecules.yaml and .yaml in place of its
 * suffix. STATUS_INPUT: one of the three is there and `force` does not allow to replace it, or is one of the
 * files that are read. Before any is written. */
Status build_files_claim(BuildFiles *files, const char *out, bool force, Error *error);

/* Puts them all into the box, and this where a Simulation finds it: files->topology and start. */
Status build_files_place(BuildFiles *files, const Filling *filling, Error *error);

/* How a run goes on. */
typedef struct BuildRun {
  const char *structure; /* its path                                     */
  double kelvin, cutoff; /* A                                            */
  bool moving;           /* the structure has the velocities of a liquid */
} BuildRun;

/* Writes both. STATUS_IO. */
Status build_files_write(const BuildFiles *files, const BuildRun *run, Error *error);

void build_files_free(BuildFiles *files);

#endif
