/* What barostats share, and what one has of its own: a row of the table in barostat.c. */
#ifndef HOLONOM_SIMULATION_MOLECULES_BAROSTAT_PRIVATE_H
#define HOLONOM_SIMULATION_MOLECULES_BAROSTAT_PRIVATE_H

#include "simulation/molecules/barostat.h"

enum { BAROSTAT_CHANCES = 3 + 2 * BAROSTAT_MOVES };

/* Where a replica is, before a move or after it. */
typedef struct BarostatPoint {
  double volume, energy; /* A^3, kcal/mol                                                        */
  double virial[3];      /* by axis, of the forces between molecules, if wanted: kcal/mol        */
} BarostatPoint;

/* A move: edges that are stretched alike are a group, of which a shape has one to three. */
typedef struct BarostatTry {
  const BarostatOptions *options;
  int molecules, groups;
  int kind;                        /* of the sorts of move                                      */
  double kT, size;                 /* of the replica; of this sort                              */
  double chance[BAROSTAT_CHANCES]; /* in (0, 1]; whether it is accepted is a matter of the third */
  BarostatPoint before;
  double x[BAROSTAT_MOVES]; /* [groups] what it adds to the logarithm of the product of a group's edges */
} BarostatTry;

typedef struct BarostatRow {
  const char *name;
  bool together;         /* a move stretches all groups, each as it likes; else one of them */
  bool virial;           /* wanted of places                                                */
  bool by_number;        /* sizes are over sqrt(N)                                          */
  double first, largest; /* sizes                                                           */
  double few, many;      /* shares accepted between which sizes are let be                  */
  void (*propose)(BarostatTry *t);
  /* ln of the density with which the move would be taken back over that of proposing it; NULL: 0. */
  double (*bias)(const BarostatTry *t, const BarostatPoint *after);
} BarostatRow;

extern const BarostatRow barostat_monte_carlo, barostat_rescale;

/* How many edges a group has, and the first. */
int barostat_edges(BarostatShape shape, int group, int *first);

#endif
