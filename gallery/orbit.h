/* A mechanical run kept in memory, for exhibits: coordinate by coordinate, as pictures want it. */
#ifndef HOLONOM_GALLERY_ORBIT_H
#define HOLONOM_GALLERY_ORBIT_H

#include "gallery/exhibit.h"

typedef struct Orbit {
  int n, size;             /* moments; coordinates                                            */
  double *t;               /* [n]                                                             */
  double *q, *p;           /* [size][n]                                                       */
  MechanicsEnergy *energy; /* [n]                                                             */
  double seconds;          /* of the clock, from the first moment to the last                 */
} Orbit;

/* Runs replica 0 on from where it is: n moments, the first of them now, `every` steps from one to the next.
 * Errors: STATUS_MEMORY, those of mechanics_run. */
Status orbit_record(Orbit *orbit, Simulation *mechanics, int n, int every, Error *error);
void orbit_free(Orbit *orbit); /* what was zeroed or failed to be recorded is fine */

/* The same of an input of the exhibit in steps of h, over a time, with moments `every` of it apart. */
Status orbit_load(Orbit *orbit, Page *page, const char *file, double h, double time, double every,
                  Error *error);

const double *orbit_q(const Orbit *orbit, int coordinate); /* [n] */
const double *orbit_p(const Orbit *orbit, int coordinate);
void orbit_point(const Orbit *orbit, int i, double *z); /* coordinates, then momenta, [2*size] at moment i */

/* Over the moments: the largest |total energy - that at the start|, |g|/scale, and |angular[d] - at the
 * start|. */
double orbit_energy_error(const Orbit *orbit);
double orbit_constraint_error(const Orbit *orbit);
double orbit_angular_error(const Orbit *orbit, int d);

/* The largest |x[i]| of from <= i < to. */
double orbit_largest(const double *x, int from, int to);

/* angle[n] = atan2(y, x) of the first two coordinates without jumps, from the first moment on. */
void orbit_angle(const Orbit *orbit, double *angle);

#endif
