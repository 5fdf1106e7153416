/* The laws that every force obeys, put to a table of forces: a new force is a new row. */
#ifndef HOLONOM_TESTS_FORCE_LAWS_H
#define HOLONOM_TESTS_FORCE_LAWS_H

#include "engine/force.h"
#include "tests/suite.h"

/* A force at work. */
typedef struct ForceSystem {
  const ForceField *field;
  State *state;
} ForceSystem;

/* One system of a force and what its laws may miss, in units of the largest force (`strain`: of the largest
 * element of the virial, or 1 kcal/mol; `hessian`: of its own). A law without a number is left out: a mesh,
 * for instance, conserves momentum to its own error only. */
typedef struct ForceRow {
  const char *name;
  ForceSystem (*open)(int which, int width, int used); /* aborts the test where it cannot */
  void (*close)(void);
  int which;       /* handed to open */
  int width, used; /* replicas: 0 means one */
  int stride;      /* of the coordinates that are moved; 0 means all */
  int threads;     /* largest team; 0 means 3; 1 leaves teams out */
  double h;        /* step of the coordinates; 0 means 1e-3 A */
  double gradient, strain, net, torque, hessian, alone;
  bool symmetric; /* the virial is: the energy does not change where all is turned, the box too */
} ForceRow;

/* Adds to the tests of the program, for each row:
 *   gradient   forces are minus the slopes of the energy
 *   strain     the virial is minus the slope of the energy under strain of atoms and box
 *   net        momentum is conserved; torque: angular momentum too
 *   hessian    blocks of the Hessian are slopes of forces
 *   alone      a replica has the energy and forces that it has by itself, unused lanes have none
 *   lanes      the same bits in whatever lane
 *   teams      the same bits for teams of any size, with sums or without; a test of threads
 * The rows must outlive the tests. */
void force_laws(const ForceRow *rows, int n);

#endif
