/* A holonomic constraint g(q) = 0: a scalar function of a few sites with its derivatives. One definition
 * serves penalties, SHAKE, RATTLE, SETTLE, projections of momenta and noise, Fixman's potential, multipliers,
 * and potentials inside a molecule (potential.h).
 *
 * All functions work on one pack: 8 copies of the molecule side by side, q[site][dim] of vectors. */
#ifndef HOLONOM_ENGINE_CONSTRAINT_H
#define HOLONOM_ENGINE_CONSTRAINT_H

#include "engine/vec8.h"

enum { CONSTRAINT_SITES = 3, CONSTRAINT_PARAMETERS = 8 };

struct ConstraintType;

typedef struct Constraint {
  const struct ConstraintType *type;
  int nsite;                           /* sites that it touches, at most CONSTRAINT_SITES */
  int site[CONSTRAINT_SITES];          /* their indices                               */
  double param[CONSTRAINT_PARAMETERS]; /* distance: {d}; fixed point: {d, x, y, z}; dot: {c, factor};
                                          straight: {length, share, axis} */
  const void *data;                    /* data of its type (a formula), borrowed      */
} Constraint;

/* U(s) = first (s - s0) + 1/2 second (s - s0)^2 of a squared distance s (radial.h). */
typedef struct RadialForm {
  double s0, first, second;
} RadialForm;

typedef struct ConstraintType {
  const char *name;
  const char *doc;
  int nsite;  /* sites that it touches                                                            */
  int degree; /* of a polynomial in q: 1, constant gradient; 2, constant Hessian; 0: neither */
  /* Computes *g = g(q) and, unless NULL, grad[k][dim], the gradient with respect to the k-th touched site. */
  void (*eval)(const Constraint *c, int dim, const Vec8 *q, Vec8 *g, Vec8 *grad);
  /* out[k][dim] += scale * (Hess g u)[k], u[site][dim] over all sites of the molecule. */
  void (*hess_vec)(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out);
  /* hess[k][dim][k'][dim] = Hess g. */
  void (*hess)(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess);
  /* out[k][dim] += scale * (D3 g[u, u])[k], u[site][dim] over all sites. NULL: D3 g is zero. */
  void (*third)(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u, Vec8 *out);
  /* The scale of g, by which |g| is divided (d^2 for squared distances); NULL: 1. */
  double (*scale)(const Constraint *c);
  /* Functions of a squared distance alone have one of these: the coefficients of a polynomial, which hot code
   * evaluates inline, or U and its first three derivatives at s. Their other entries are those of radial.h.
   */
  void (*radial)(const Constraint *c, RadialForm *form);
  void (*profile)(const Constraint *c, const Vec8 *s, Vec8 u[4]);
} ConstraintType;

/* For functions of degree 1, whose second derivatives are zero. */
void constraint_flat_hess_vec(const Constraint *c, int dim, const Vec8 *q, const Vec8 *scale, const Vec8 *u,
                              Vec8 *out);
void constraint_flat_hess(const Constraint *c, int dim, const Vec8 *q, Vec8 *hess);

/* q_i - q_j|^2 - d^2. */
extern const ConstraintType constraint_distance;
/* q_i - x|^2 - d^2, x fixed in space. */
extern const ConstraintType constraint_anchor;
/* factor (q_i . q_j - c): orthonormality of columns; with one site factor (|q_i|^2 - c). */
extern const ConstraintType constraint_dot;
/* length (q_i - (1 - share) q_j - share q_k) along axis 0, 1 or 2. Three of these and the distance of j and k
 * keep a site on the line of two others (Ciccotti, Ferrario & Ryckaert, Mol. Phys. 47, 1253 (1982)), where
 * three distances would be dependent. The factor `length`, the distance of j and k, gives g the unit and size
 * of a squared distance, so that w means the same. */
extern const ConstraintType constraint_straight;
/* A formula in the coordinates of one or two sites; `data` by implicit_formula (implicit.h). */
extern const ConstraintType constraint_implicit;

/* All types, ended by NULL. */
extern const ConstraintType *const constraint_types[];

/* The positive scale of g, by which |g| is divided. */
double constraint_scale(const Constraint *constraint);

#endif
