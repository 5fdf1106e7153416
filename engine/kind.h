/* A kind: a small mechanical system (a group of atoms), of which a run has many copies, one per lane. */
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
  const double
      *reference;       /* [nsite][dim] a configuration that satisfies the constraints, centre of mass at 0 */
  int npot;             /* potentials inside the molecule and external fields          */
  const Potential *pot; /* [npot] V(q) is their sum                                    */
  /* A system whose H is not p'M^-1 p/2 + V(q): then con and pot are empty, constraints may depend on momenta,
   * and only the methods of the letter H apply. NULL for all others. Borrowed. */
  const struct Hamiltonian *ham;
  /* [ncon] the strength of each constraint's penalty, or INFINITY for exact constraints, which come first.
   * NULL: the plan decides for all. */
  const double *w;
  bool frozen; /* its atoms do not move: no momenta, no degrees of freedom (PlanOptions.thaw overrides it) */
  bool sparse; /* of many sites: matrices are factorised sparsely where that is less work (sparse.h) */
} Kind;

/* Copies a kind with everything it points to into one allocation; kind_free releases it. */
Status kind_copy(Kind **kind, const Kind *from, Error *error);
void kind_free(Kind *kind);

double kind_mass(const Kind *kind); /* of the whole molecule */

/* The potentials of one pack: *energy = V unless NULL, f -= grad V unless NULL, f[nsite][dim]. */
void kind_potential(const Kind *kind, const Vec8 *q, Vec8 *energy, Vec8 *f);

/* Describes the kind as data. Errors: STATUS_MEMORY. */
Status kind_describe(const Kind *kind, Arena *arena, KindDescription *to, Error *error);

/* The kind with its exact constraints alone, pointing to the same arrays; with all of them where w is NULL.
 */
Kind kind_kept(const Kind *kind);

/* Whether w contains penalties. */
bool kind_has_penalties(const Kind *kind);

/* The strength of constraint c's penalty, 0 where it is exact; w where the kind's own w is NULL. */
double kind_strength(const Kind *kind, int c, double w);

/* Degrees of freedom of one molecule: nsite*dim, minus ncon if the constraints are exact; 0 if it is frozen.
 */
int kind_freedom(const Kind *kind, int constrained);

/* Whether the kind is a rigid triangle in three dimensions, as SETTLE and the unrolled water paths require:
 * three sites, and as constraints their distances in the order (0,1), (0,2), (1,2), all exact or all
 * penalised. */
int kind_is_triangle(const Kind *kind);

#endif
