/* Two atoms that Morse's potential binds, in a box among five that nothing touches, as files of a run. The
 * distance of the pair has the density r^2 exp(-V(r)/kT). */
#ifndef HOLONOM_TESTS_PAIR_IN_GAS_H
#define HOLONOM_TESTS_PAIR_IN_GAS_H

#include <math.h>

#include "tests/program.h"

/* The molecules and the system of a run in a box of 30 A. */
#define PAIR_SYSTEM                                                                                          \
  "precision: double\n"                                                                                      \
  "system: {topology: gas.yaml, file: gas.xyz, box: 30 A, minimise: false}\n"                                \
  "forces: {cutoff: 0.02 A, coulomb: cutoff, tail: false}\n"

static inline void write_pair(void)
{
  program_write("gas.yaml", "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.4, 0]}\nmolecules:\n"
                            "  pair:\n    atoms: [[A, X, 0, 20], [B, X, 0, 20]]\n"
                            "    terms:\n      bond-morse: [[1, 2, 4.0, 2.0, 1.5]]\n"
                            "  atom:\n    atoms: [[C, X, 0, 20]]\nsystem:\n  - [pair, 1]\n  - [atom, 5]\n");
  program_write("gas.xyz", "7\npair and atoms\nA 0 0 0\nB 4 0 0\nC 0 12 0\nC 0 0 12\nC 12 12 0\nC 12 0 12\n"
                           "C 12 12 12\n");
}

/* kcal/mol at r, A. */
static inline double pair_energy(double r)
{
  const double bond = 1.0 - exp(-1.5 * (r - 4.0));
  return 2.0 * bond * bond;
}

#endif
