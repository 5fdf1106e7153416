/* What barostats share, and what one has of its own: a row of the table in barostat.c. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_PRIVATE_H
#define HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_PRIVATE_H

#include "simulation/ensemble/barostat.h"

enum { BAROSTAT_CHANCES = 3 + 2 * BAROSTAT_MOVES };

/* Where a replica is, before a move or after it. */
typedef struct BarostatPoint {
  double volume, energy; /* A^3, kcal/mol                                                        */
  double virial[3][3];   /* R_a F_b of the forces between molecules, if wanted: kcal/mol         */
} BarostatPoint;

/* A strain that a shape has: part/parts of x are added to the logarithms of the stretches of x, y and z, and
 * to the leans below them. */
typedef struct BarostatStrain {
  double part[3][3], parts; /* whole */
} BarostatStrain;

/* A move: of the one to six strains of its shape. */
typedef struct BarostatTry {
  const BarostatOptions *options;
  int molecules, strains;
  int kind;                        /* of the sorts of move                                      */
  double kT, size;                 /* of the replica; of this sort                              */
  double chance[BAROSTAT_CHANCES]; /* in (0, 1]; whether it is accepted is a matter of the third */
  BarostatPoint before;
  double x[BAROSTAT_MOVES]; /* [strains] how much of each */
  bool impossible;          /* its box the forces cannot have */
} BarostatTry;

typedef struct BarostatRow {
  const char *name;
  bool together;         /* a move has all strains, each as large as it likes; else one of them */
  bool virial;           /* wanted of places                                                */
  bool by_number;        /* sizes are over sqrt(N)                                          */
  double first, largest; /* sizes                                                           */
  double few, many;      /* shares accepted between which sizes are let be                  */
  void (*propose)(BarostatTry *t);
  /* ln of the density with which the move would be taken back over that of proposing it; NULL: 0. */
  double (*bias)(const BarostatTry *t, const BarostatPoint *after);
} BarostatRow;

extern const BarostatRow barostat_monte_carlo, barostat_rescale;

const BarostatStrain *barostat_strain(BarostatShape shape, int strain);

/* What a strain adds to ln V, and to the logarithm of the measure of a box of this volume, for each x. */
double barostat_volume(const BarostatStrain *strain);
double barostat_measure(BarostatShape shape, int strain);

#endif
