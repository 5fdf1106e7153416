/* The start of a system, as built or read. */
#ifndef HOLONOM_SIMULATION_START_START_H
#define HOLONOM_SIMULATION_START_START_H

#include <stdbool.h>

/* The minimisation of all replicas of a start. */
typedef struct Downhill {
  double least, most, energy; /* kcal/mol: lowest, highest and sum over the replicas */
  double force;               /* largest component along the constraints, kcal/mol/A */
  int steps, softened;        /* largest numbers of steps; softened: of soft repulsion, 0: not used */
  bool converged;             /* every minimised replica converged */
} Downhill;

/* The configurations of the replicas. */
typedef struct Start {
  int frames;    /* 1: all replicas are equal; else replica r has frame r % frames */
  double *x;     /* [frames][coordinates], ordered by molecule */
  double *p;     /* [frames][coordinates] from the start file; NULL: drawn, or zero */
  bool built;    /* built for a cluster, not read */
  Downhill down; /* energies and forces of all frames, and the minimisation */
  /* Of a file: its contents; how far sites were (or would be) moved to make molecules rigid, A; of a cluster,
   * the first frame's centre of mass and the largest distance of a molecule. */
  bool velocities, boxed;
  double moved, centre[3], reach;
  char remark[1024]; /* origin and changes, in words */
} Start;

void start_free(Start *start);

#endif
