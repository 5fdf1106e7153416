/* Named parameters of a Hamiltonian, each with a value for every replica: a restraint's constant and centre,
 * or a number that a caller's force reads. Forces borrow the table and read values when they are computed, so
 * a new value applies from the next evaluation. The model is OpenMM's Context parameters. */
#ifndef HOLONOM_ENGINE_PARAMETERS_H
#define HOLONOM_ENGINE_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Parameters {
  int n;
  uint32_t replicas;
  const char *const *name; /* [n] "pull.centre" */
  const char *const *unit; /* [n] of the values; "": dimensionless or unknown */
  const double *standard;  /* [n] for replicas beyond the table, such as scratch states */
  double *value;           /* [replicas][n] */
} Parameters;

/* The values[n] of a replica. */
static inline const double *parameters_of(const Parameters *parameters, uint32_t replica)
{
  return replica < parameters->replicas ? parameters->value + (size_t)replica * (size_t)parameters->n
                                        : parameters->standard;
}

/* A query to the forces on a state: how their energy depends on the parameters at the present positions. Only
 * parts of the energy that depend on parameters count. Forces add to all results. */
typedef struct ParameterQuery {
  const Parameters *parameters;
  int nset;
  const double *set; /* [nset][n] other values                                             */
  double *energy;    /* [nset][width] kcal/mol at these values                             */
  double *own;       /* [width] kcal/mol at each replica's own values                      */
  double *slope;     /* [n][width] dU/dparameter at each replica's own values; NULL: not requested */
} ParameterQuery;

#endif
