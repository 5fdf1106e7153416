/* The free energy along a coordinate without its biases, from umbrella windows or metadynamics: the table
 * free_energy_NAME and its figure. */
#ifndef HOLONOM_OBSERVABLES_PROFILE_H
#define HOLONOM_OBSERVABLES_PROFILE_H

#include <stddef.h>

#include "engine/coordinate.h"
#include "results/results.h"

typedef struct Profile {
  const char *name;    /* of the coordinate */
  CoordinateForm form; /* ... whose values are in A, radians, or numbers */
  int n;               /* bins of equal width */
  double low, width;   /* of the first bin */
  const double *
      density; /* [n] probability of each bin over its width in the units of files (A, degrees); NULL: none */
  const double *free, *error; /* [n] -kT ln P, kcal/mol, up to a constant; NaN: unknown */
  const double *part; /* [n] parts of the range that no samples connect, from 1: each above its own minimum;
                         NULL: one part */
  const double *samples; /* [n] samples in each bin, NULL: unknown */
  double kT;             /* kcal/mol */
  const char *without;   /* what is removed, after "without "; NULL: all biases */
} Profile;

/* Adds the table: the coordinate in the middle of each bin, `free_energy` above its minimum with its error,
 * for distances also `free_energy_radial`, without the shells' volume (2 kT ln r), and the other columns.
 * *table (may be NULL) accepts remarks. STATUS_MEMORY. */
Status profile_add(const Profile *profile, ResultSet *set, ResultTable **table, Error *error);

/* The name of the table along a coordinate; with `second`, of the map of two (NULL: none). */
void profile_name(const char *first, const char *second, char *name, size_t size);

/* Draws the table as a picture of its name. Errors: see picture.h. */
Status profile_draw(const char *dir, const ResultTable *table, Error *error);

#endif
