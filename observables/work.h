/* Free energies from the work of driven changes along a path, made forwards, backwards, or both ways: the
 * mean work, Jarzynski's average (Phys. Rev. Lett. 78, 2690 (1997)), Bennett's acceptance ratio (J. Comput.
 * Phys. 22, 245 (1976); Crooks, Phys. Rev. E 61, 2361 (2000)), and the free energy along the path from all
 * changes together (Minh and Adib, Phys. Rev. Lett. 100, 180602 (2008)). All changes begin in equilibrium. */
#ifndef HOLONOM_OBSERVABLES_WORK_H
#define HOLONOM_OBSERVABLES_WORK_H

#include <stdbool.h>

#include "base/status.h"

typedef enum WorkDirection { WORK_FORWARDS, WORK_BACKWARDS, WORK_DIRECTIONS } WorkDirection;

/* The changes along one path. Work and kT have one unit, which is that of all results. */
typedef struct WorkPath {
  int points;                                 /* intervals of the path */
  int n[WORK_DIRECTIONS];                     /* changes; n[WORK_FORWARDS] > 0 */
  const double *const *work[WORK_DIRECTIONS]; /* [n][points + 1] up to each point, in the order of time */
  double kT;
} WorkPath;

typedef struct WorkValue {
  double value, error; /* one standard error, by the jackknife over changes; NaN: unknown */
} WorkValue;

/* Free energies are those of the end minus those of the start of the path. NaN: unknown, since no change went
 * that way. */
typedef struct WorkEstimates {
  WorkValue mean[WORK_DIRECTIONS];      /* work */
  WorkValue jarzynski[WORK_DIRECTIONS]; /* from the changes one way */
  WorkValue free_energy;                /* Bennett's if there are changes both ways, else Jarzynski's */
  double dissipated; /* the larger one of both ways: mean work beyond Bennett's free energy, or var(W)/2kT,
                        which is the same for normal work; NaN: one change */
  /* The mean of (b - p) p over all changes: it is bounded, and 0 if the works of both ways fit together. For
   * the m changes backwards b is 1, for the n forwards 0. The probability of a change backwards at the work W
   * along the path is p = 1/(1 + n/m exp((W - F)/kT)). */
  WorkValue contrast;
  double overlap; /* of the distributions of the work both ways, sum of p q/(p + q): 0.5 if equal, that is,
                     if nothing is dissipated */
} WorkEstimates;

/* Computes the estimates. Errors: STATUS_MEMORY. */
Status work_estimates(WorkEstimates *estimates, const WorkPath *path, Error *error);

/* The same without errors, which are NaN. */
WorkEstimates work_values(const WorkPath *path);

/* Computes free[points + 1] along the path, from 0 at its start, from the changes of both ways together: with
 * changes one way Jarzynski's average, with both ways Bennett's value at the end. Errors: STATUS_MEMORY. */
Status work_profile(const WorkPath *path, WorkValue *free, Error *error);

/* The coordinate that a moving potential V acts on, in bins. */
typedef struct WorkCoordinate {
  int bins;
  const int *const *bin[WORK_DIRECTIONS]; /* [n][points + 1] at the change that led to each point, in the
                                             order of time; -1: outside */
  const double *factor; /* [points + 1][bins] the mean of exp(-V/kT) in the bin, at each point of the path */
} WorkCoordinate;

/* Computes the free energy along the coordinate without the moving potential, -kT ln of the probability of
 * each bin, free[bins], from the changes of both ways at all points (Hummer and Szabo, Proc. Natl. Acad. Sci.
 * USA 98, 3658 (2001); Minh and Adib). NaN: too few changes were in the bin for an error. Errors:
 * STATUS_MEMORY. */
Status work_coordinate(const WorkPath *path, const WorkCoordinate *coordinate, WorkValue *free, Error *error);

/* The mean work of the changes one way along the path: mean[points + 1], 0 at its start. The work of changes
 * backwards is that of reversed time, so its means are below the free energy, and those forwards above. */
void work_means(const WorkPath *path, WorkDirection direction, WorkValue *mean);

/* Whether Jarzynski's average of n changes suffices: it needs about exp(dissipated work/kT) changes
 * (Jarzynski, Phys. Rev. E 73, 046105 (2006)); here e times as many. */
bool work_enough(double dissipated, double kT, int n);

#endif
