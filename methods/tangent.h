/* The constraints of one system at one point, in plain numbers: residuals, the rank of their gradients, and
 * projections onto the manifold and its tangent space. Off the hot path; the cost is that of a band solve. */
#ifndef HOLONOM_METHODS_TANGENT_H
#define HOLONOM_METHODS_TANGENT_H

#include <stdbool.h>

#include "engine/kind.h"

typedef struct Tangent Tangent;

/* Of a kind, natural or with a Hamiltonian. Errors: STATUS_MEMORY. */
Status tangent_create(Tangent **tangent, const Kind *kind, Error *error);
void tangent_free(Tangent *tangent); /* NULL is fine */

/* Gradients, residuals and their Gram matrix at q, p (p matters to Hamiltonians alone). */
void tangent_look(Tangent *tangent, const double *q, const double *p);

/* Of the last look: max |g_c| / scale_c, and which constraint (from 0). */
double tangent_residual(const Tangent *tangent, int *worst);

/* What rounding of the coordinates alone makes of that. */
double tangent_rounding(const Tangent *tangent, const double *q);

/* Of the last look: max |grad g_c . M^-1 p|. Natural systems. */
double tangent_speed(const Tangent *tangent, const double *p);

/* Of the last look: the largest frequency of M^-1 (Hess V + w^2 J'J), by power iteration, to a per cent or
 * so; 0 if no force stiffens. Natural systems. */
Status tangent_fastest(const Tangent *tangent, double w, double *frequency, Error *error);

/* The rank of grad g in the metric of M^-1; *dependent: the first constraint that depends on others (or whose
 * gradient vanishes), -1 if none. */
int tangent_rank(Tangent *tangent, int *dependent);

/* Newton's iteration along M^-1 grad g onto g = 0; false if it does not converge. */
bool tangent_project(Tangent *tangent, double tolerance, double *q, double *p);

/* p <- p - J' (J M^-1 J')^-1 J M^-1 p at the last look's point. Natural systems. */
void tangent_momenta(Tangent *tangent, double *p);

#endif
