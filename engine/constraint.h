/* What a holonomic constraint g(q) = 0 is: a scalar function of a few sites with its derivatives. One
 * definition serves penalties, SHAKE, RATTLE, SETTLE, projections of momenta and of noise, Fixman's potential
 * and multipliers; and since a potential inside a molecule is such a function too, energies (potential.h).
 *
 * A constraint touches a few sites of its molecule. All functions work on one pack: 8 copies of the
 * molecule side by side, q[site][dim] of vectors. */
#ifndef HOLONOM_ENGINE_CONSTRAINT_H
#define HOLONOM_ENGINE_CONSTRAINT_H

#include "engine/vec8.h"

enum { CONSTRAINT_SITES = 3, CONSTRAINT_PARAMETERS = 8 };

struct ConstraintType;

typedef struct Constraint {
  const struct ConstraintType *type;
  int nsite;                           /* sites touched, at most CONSTRAINT_SITES     */
  int site[CONSTRAINT_SITES];          /* which                                       */
  double param[CONSTRAINT_PARAMETERS]; /* distance: {d}; fixed point: {d, x, y, z}; dot: {c, factor};
                                          straight: {length, share, axis} */
  const void *data;                    /* of the type's own (a formula), borrowed     */
} Constraint;

/* U(s) = first (s - s0) + 1/2 second (s - s0)^2 of a squared distance s, see radial.h. */
typedef struct RadialForm {
  double s0, first, second;
} RadialForm;

typedef struct ConstraintType {
  const char *name;
  const char *doc;
  int nsite;  /* sites that it touches                                                            */
  int degree; /* of a polynomial in q: 1, its gradient is constant; 2, its Hessian is; 0: neither */
  /* *g = g(q); grad[k][dim] its gradient with respect to the k-th touched site (grad may be NULL). */
  void (*eval)(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad);
  /* out[k][dim] += scale * (Hess g u)[k], u[site][dim] over all sites of the molecule. */
  void (*hess_vec)(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out);
  /* hess[k][dim][k'][dim] = Hess g. */
  void (*hess)(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess);
  /* out[k][dim] += scale * (D3 g[u, u])[k], u[site][dim] over all sites. NULL: it is zero. */
  void (*third)(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out);
  /* What |g| is measured by (d^2 for squared distances); NULL: 1. */
  double (*scale)(const Constraint *c);
  /* Functions of a squared distance alone have one of these, others neither: the form of a polynomial, which
   * hot code works out in line; or U and its first three derivatives at s. Their entries are those of
   * radial.h. */
  void (*radial)(const Constraint *c, RadialForm *form);
  void (*profile)(const Constraint *c, const Vec8 *s, Vec8 u[4]);
} ConstraintType;

/* Of functions of degree 1: there are no second derivatives. */
void constraint_flat_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                              Vec8 *out);
void constraint_flat_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess);

/* |q_i - q_j|^2 - d^2. */
extern const ConstraintType constraint_distance;
/* |q_i - x|^2 - d^2, x fixed in space. */
extern const ConstraintType constraint_anchor;
/* factor (q_i . q_j - c): orthonormality of columns; with one site factor (|q_i|^2 - c). */
extern const ConstraintType constraint_dot;
/* length (q_i - (1 - share) q_j - share q_k) along one of the axes 0 to 2: three of them, and the distance of
 * j and k, keep a site on the line of two others (Ciccotti, Ferrario & Ryckaert, Mol. Phys. 47, 1253 (1982)),
 * where three distances depend on each other. The length, that of j and k, makes it a squared distance's
 * like: in A^2, of one size, so that w means the same. */
extern const ConstraintType constraint_straight;
/* A formula in the coordinates of one or two sites, `data` by implicit_formula (implicit.h). */
extern const ConstraintType constraint_implicit;

/* All of them, ended by NULL. */
extern const ConstraintType *const constraint_types[];

/* What |g| of a constraint is measured by, positive. */
double constraint_scale(const Constraint *constraint);

#endif
