/* Where a system begins: what is known of it once it has been built or read. */
#ifndef HOLONOM_SIMULATION_START_START_H
#define HOLONOM_SIMULATION_START_START_H

#include <stdbool.h>

/* What became of the replicas of a start, all together. */
typedef struct Downhill {
  double least, most, energy; /* kcal/mol: extremes over the replicas, and their sum                 */
  double force;               /* the largest component along the constraints of any, kcal/mol/A      */
  int steps, softened;        /* the most of any; the most of the soft repulsion, 0: there was none */
  bool converged;             /* all of them, where they went downhill                               */
} Downhill;

/* How the replicas begin. */
typedef struct Start {
  int frames;    /* 1: all alike; else replica r with number r % frames                             */
  double *x;     /* [frames][coordinates], in the order of molecules                                */
  double *p;     /* momenta likewise, from the start file; NULL: to be drawn, or zero               */
  bool built;    /* a cluster's, not from a file                                                    */
  Downhill down; /* energies and forces of all frames, and the way there */
  /* Of a file: what it has, how far sites were moved to make molecules rigid, or would have been, A, and
   * where a cluster is: the first one's centre of mass, the farthest molecule of all. */
  bool velocities, boxed;
  double moved, centre[3], reach;
  char remark[1024]; /* where they came from and what was done to them, in words                 */
} Start;

void start_free(Start *start);

#endif
