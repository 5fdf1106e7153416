/* Data that barostats share, and the table row of one barostat. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_PRIVATE_H
#define HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_PRIVATE_H

#include "simulation/ensemble/barostat.h"

enum { BAROSTAT_CHANCES = 3 + 2 * BAROSTAT_MOVES };

/* A replica before or after a move. */
typedef struct BarostatPoint {
  double volume, energy; /* A^3, kcal/mol */
  double virial[3][3];   /* R_a F_b of the forces between molecules, if needed: kcal/mol */
} BarostatPoint;

/* A strain of a shape: part/parts of x are added to the logarithms of the stretches of x, y and z, and to the
 * tilts below them. */
typedef struct BarostatStrain {
  double part[3][3], parts; /* integers */
} BarostatStrain;

/* A move, by one to six strains of its shape. */
typedef struct BarostatTry {
  const BarostatOptions *options;
  int molecules, strains;
  int kind;                        /* type of move */
  double kT, pressure, size;       /* of the replica; of this type */
  double chance[BAROSTAT_CHANCES]; /* random, in (0, 1]; the third decides acceptance */
  BarostatPoint before;
  double x[BAROSTAT_MOVES]; /* [strains] amount of each */
  bool impossible;          /* the forces cannot use its box */
} BarostatTry;

typedef struct BarostatRow {
  const char *name;
  bool together;         /* a move combines all strains, else it uses one */
  bool virial;           /* the move needs virials */
  bool by_number;        /* sizes are relative to sqrt(N) */
  double first, largest; /* sizes */
  double few, many;      /* range of acceptance in which sizes are not tuned */
  void (*propose)(BarostatTry *t);
  /* ln of the density of proposing the reverse move over that of the move; NULL: 0. */
  double (*bias)(const BarostatTry *t, const BarostatPoint *after);
} BarostatRow;

extern const BarostatRow barostat_monte_carlo, barostat_rescale;

const BarostatStrain *barostat_strain(BarostatShape shape, int strain);

/* The change of ln V, and of the logarithm of the measure of a box at this volume, for each x of a strain. */
double barostat_volume(const BarostatStrain *strain);
double barostat_measure(BarostatShape shape, int strain);

#endif
