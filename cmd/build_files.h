/* Reads and places the molecules of 'holonom build --molecules FILE=N,...', and writes a file of all
 * molecules and an input file next to the structure. */
#ifndef HOLONOM_CMD_BUILD_FILES_H
#define HOLONOM_CMD_BUILD_FILES_H

#include "base/arena.h"
#include "forcefields/water.h"
#include "io/molecules_join.h"
#include "simulation/start/filling.h"

/* All zero: no molecules. */
typedef struct BuildFiles {
  int n;                        /* molecule types */
  MoleculesPart *part;          /* [n] */
  const WaterModel **water;     /* [n] built-in water models; NULL: the molecule is from a file */
  const char **coordinates;     /* [n] coordinate files; NULL: a built-in model */
  char *text;                   /* the joined file of all molecules */
  Molecules *molecules;         /* parsed from text */
  char *folder;                 /* temporary folder for the placed molecules, removed by build_files_free */
  const char *topology, *start; /* paths in folder that the Simulation starts from */
  const char *out_topology, *out_input; /* paths of the files written next to the structure */
  Arena arena;
} BuildFiles;

/* Whether --molecules names files; otherwise it is a number of waters. */
bool build_files_named(const char *words);

/* Parses the words "FILE=N,FILE:NAME=N,tip3p=N" and reads the files. `coordinates` lists coordinate files,
 * separated by commas, for the molecules of files in the same order. Without a name (or with NULL) the
 * coordinates are FILE.gro, .pdb or .xyz next to the file of molecules; for FILE:NAME, NAME.gro and so on
 * come first. STATUS_INPUT, errors of molecules_join. */
Status build_files_read(BuildFiles *files, const char *words, const char *coordinates, Error *error);

/* Names the files next to the structure `out`: its name with .molecules.yaml and .yaml as suffix.
 * STATUS_INPUT: one of the three exists and `force` is false, or is one of the files read. Call before
 * writing. */
Status build_files_claim(BuildFiles *files, const char *out, bool force, Error *error);

/* Places all molecules in the box and writes them to files->topology and files->start. */
Status build_files_place(BuildFiles *files, const Filling *filling, Error *error);

/* Values for the input file. */
typedef struct BuildRun {
  const char *structure; /* path */
  double kelvin, cutoff; /* A */
  bool moving;           /* the structure has the velocities of a liquid */
} BuildRun;

/* Writes the file of molecules and the input file. STATUS_IO. */
Status build_files_write(const BuildFiles *files, const BuildRun *run, Error *error);

void build_files_free(BuildFiles *files);

#endif
