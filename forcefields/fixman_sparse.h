/* Fixman's potential of groups of many sites, whose matrix G = J M^-1 J' is sparse (engine/sparse.h). Its
 * gradient requires G^-1 only for constraints that share a site (fixman.c), which the selected inverse has:
 * time is about linear in the number of constraints. */
#ifndef HOLONOM_FORCEFIELDS_FIXMAN_SPARSE_H
#define HOLONOM_FORCEFIELDS_FIXMAN_SPARSE_H

#include "engine/isa.h"
#include "engine/state.h"

typedef struct FixmanSparse FixmanSparse;

/* For the exact constraints of a kind. *fixman is NULL if their matrix is no sparse one. Errors: STATUS_INPUT
 * (too many constraints at one site), STATUS_MEMORY. */
Status fixman_sparse_create(FixmanSparse **fixman, const Kind *kind, Isa isa, Error *error);
void fixman_sparse_free(FixmanSparse *fixman); /* accepts NULL */

/* Vectors of scratch memory in pack->scratch. */
size_t fixman_sparse_scratch(const FixmanSparse *fixman);

/* pack->f += -grad V and, unless NULL, *energy = V of the molecules of one pack at temperature kT. */
void fixman_sparse_add(const FixmanSparse *fixman, Vec8 kT, const Pack *pack, Vec8 *energy);

#endif
