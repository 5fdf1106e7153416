/* A kind: a small mechanical system (a molecule), of which a run holds many copies, one per lane. */
#ifndef HOLONOM_ENGINE_KIND_H
#define HOLONOM_ENGINE_KIND_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"
#include "engine/description.h"
#include "engine/potential.h"

struct Hamiltonian;

typedef struct Kind {
  const char *name;
  int nsite;               /* sites with mass                                             */
  int dim;                 /* 1, 2 or 3                                                   */
  int ncon;                /* holonomic constraints g(q) = 0                              */
  const double *mass;      /* [nsite]                                                     */
  const char *const *site; /* [nsite] element symbols, for files                          */
  const Constraint *con;   /* [ncon]                                                      */
  const double *reference; /* [nsite][dim] a configuration on the manifold, centre of mass at 0 */
  int npot;                /* potentials inside the molecule and fields on it             */
  const Potential *pot;    /* [npot] V(q) = sum of them                                   */
  /* A system that is not natural, H not p'M^-1 p/2 + V(q): then con and pot are empty, the constraints may
   * depend on momenta, and only the methods of the letter H apply. NULL for all others. Borrowed. */
  const struct Hamiltonian *ham;
  /* [ncon] how each constraint is held: the strength of its penalty, or INFINITY, it is kept exactly; those
   * that are come first. NULL: all are held as a plan says. */
  const double *w;
} Kind;

/* Copies a kind with everything it points to into one allocation; kind_free releases it. */
Status kind_copy(Kind **kind, const Kind *from, Error *error);
void kind_free(Kind *kind);

double kind_mass(const Kind *kind); /* of the whole molecule */

/* The potentials of one pack: *energy = V unless NULL, f -= grad V unless NULL, f[nsite][dim]. */
void kind_potential(const Kind *kind, const Vec8 *q, Vec8 *energy, Vec8 *f);

/* The kind as data. Errors: STATUS_MEMORY. */
Status kind_describe(const Kind *kind, Arena *arena, KindDescription *to, Error *error);

/* The kind with the constraints alone that are kept exactly, in what the kind itself points to; all of them
 * where it does not say how they are held. */
Kind kind_kept(const Kind *kind);

/* Whether it says of some of its constraints that they are penalised. */
bool kind_has_penalties(const Kind *kind);

/* The strength of constraint c's penalty, 0 where it is kept; w: where the kind does not say. */
double kind_strength(const Kind *kind, int c, double w);

/* Degrees of freedom of one molecule: nsite*dim, less ncon when the constraints are kept exactly. */
int kind_freedom(const Kind *kind, int constrained);

/* A rigid triangle of three sites in three dimensions whose constraints are its three distances, in the
 * order (0,1), (0,2), (1,2), all held alike: what SETTLE and the unrolled water paths ask for. */
int kind_is_triangle(const Kind *kind);

#endif
