/* The constraints of one system at one point, in scalars: residuals, the rank of their gradients, and
 * projections onto the manifold and its tangent space. For use off the hot path; the cost is that of a band
 * solve. */
#ifndef HOLONOM_METHODS_TANGENT_H
#define HOLONOM_METHODS_TANGENT_H

#include <stdbool.h>

#include "engine/kind.h"

typedef struct Tangent Tangent;

/* For a kind, natural or with a Hamiltonian. Errors: STATUS_MEMORY. */
Status tangent_create(Tangent **tangent, const Kind *kind, Error *error);
void tangent_free(Tangent *tangent); /* accepts NULL */

/* Computes gradients, residuals and their Gram matrix at q, p (only Hamiltonians depend on p). The functions
 * below refer to this point. */
void tangent_look(Tangent *tangent, const double *q, const double *p);

/* max |g_c| / scale_c, and the constraint (from 0). */
double tangent_residual(const Tangent *tangent, int *worst);

/* The part of that residual that rounding of the coordinates explains. */
double tangent_rounding(const Tangent *tangent, const double *q);

/* max |grad g_c . M^-1 p|, for natural systems. */
double tangent_speed(const Tangent *tangent, const double *p);

/* The highest frequency of M^-1 (Hess V + w^2 J'J), by power iteration, to about a per cent; 0 if there is no
 * stiff force. Natural systems. */
Status tangent_fastest(const Tangent *tangent, double w, double *frequency, Error *error);

/* The rank of grad g in the metric of M^-1; *dependent: the first constraint that depends on others (or whose
 * gradient vanishes), else -1. */
int tangent_rank(Tangent *tangent, int *dependent);

/* Newton's iteration along M^-1 grad g onto g = 0; false if it does not converge. */
bool tangent_project(Tangent *tangent, double tolerance, double *q, double *p);

/* p <- p - J' (J M^-1 J')^-1 J M^-1 p, for natural systems. */
void tangent_momenta(Tangent *tangent, double *p);

#endif
