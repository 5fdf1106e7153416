/* Named parameters of a Hamiltonian, each with a value for every replica: a restraint's constant and centre,
 * or a number that forces of the caller's read. A force borrows the table and looks values up when it is
 * computed, so a new value holds from the next evaluation on. The model is OpenMM's Context parameters. */
#ifndef HOLONOM_ENGINE_PARAMETERS_H
#define HOLONOM_ENGINE_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Parameters {
  int n;
  uint32_t replicas;
  const char *const *name; /* [n] "pull.centre" */
  const char *const *unit; /* [n] of the values; "": a pure number, or unknown */
  const double *standard;  /* [n] for replicas beyond the table, such as scratch states */
  double *value;           /* [replicas][n] */
} Parameters;

/* The values[n] of a replica. */
static inline const double *parameters_of(const Parameters *parameters, uint32_t replica)
{
  return replica < parameters->replicas ? parameters->value + (size_t)replica * (size_t)parameters->n
                                        : parameters->standard;
}

/* A question to the forces on a state: how their energy depends on the parameters, at the present positions.
 * Only the part of the energy that depends on parameters is counted. Every answer is added to. */
typedef struct ParameterQuery {
  const Parameters *parameters;
  int nset;
  const double *set; /* [nset][n] other values                                             */
  double *energy;    /* [nset][width] kcal/mol at these                                    */
  double *own;       /* [width] kcal/mol at each replica's own values                      */
  double *slope;     /* [n][width] dU/dparameter at each replica's own values; NULL: not wanted */
} ParameterQuery;

#endif
