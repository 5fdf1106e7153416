/* Calls of LAMMPS, where it is installed. */
#ifndef HOLONOM_TESTS_LAMMPS_H
#define HOLONOM_TESTS_LAMMPS_H

#include "tests/suite.h"

#include <unistd.h>

static const double lammps_coulomb = 332.06371; /* its qqr2e in units real */

/* A fresh folder, folder[64]. */
static inline void lammps_begin(char *folder)
{
  strcpy(folder, "/tmp/holonom-lammps-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline FILE *lammps_open(const char *folder, const char *name, const char *mode)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  ck_assert_msg(file != NULL, "cannot open %s", path);
  return file;
}

/* Runs in.lmp of the folder. */
static inline void lammps_run(const char *folder)
{
  char command[256];
  snprintf(command, sizeof command, "cd %s && lmp -in in.lmp -log none >out.txt 2>&1", folder);
  ck_assert_msg(system(command) == 0, "LAMMPS failed: see %s/out.txt", folder);
}

/* The folder's dump forces.txt at its first row. */
static inline FILE *lammps_forces(const char *folder)
{
  FILE *file = lammps_open(folder, "forces.txt", "r");
  char line[256] = "";
  while (strncmp(line, "ITEM: ATOMS", 11) != 0)
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  return file;
}

static inline void lammps_end(const char *folder)
{
  char command[256];
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
}

#endif
