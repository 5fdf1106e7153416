/* Built-in molecules of one atom, ions and noble gases. Unlike atoms mix by Lorentz and Berthelot's rule: the
 * mean of sigma, the geometric mean of epsilon. The rule holds for the water's oxygen too, and the ions' rows
 * were fitted with it, so an ion has a row for each model of water that it was fitted for. */
#ifndef HOLONOM_FORCEFIELDS_ATOM_MODEL_H
#define HOLONOM_FORCEFIELDS_ATOM_MODEL_H

#include "base/arena.h"
#include "forcefields/atoms.h"
#include "forcefields/water.h"

typedef struct AtomModel {
  const char *name, *doc, *cite;
  const char *water;     /* the model of water that the row is for; NULL: any, and none   */
  const char *symbol;    /* of the element, for files                                     */
  double mass;           /* g/mol                                                         */
  double charge;         /* e                                                             */
  double sigma, epsilon; /* 4 epsilon ((sigma/r)^12 - (sigma/r)^6), A and kcal/mol        */
} AtomModel;

/* All rows, ended by one whose name is NULL. */
extern const AtomModel atom_model_list[];

/* The row of that name for a model of water, or else the one for any; water may be NULL. NULL: there is none.
 */
const AtomModel *atom_model_find(const char *name, const char *water);

/* All species, each once, with the elements that files know them by. */
enum { ATOM_MODEL_NAMES = 32 };
typedef struct AtomModelNames {
  int n;
  const char *symbol[ATOM_MODEL_NAMES], *name[ATOM_MODEL_NAMES];
} AtomModelNames;
AtomModelNames atom_model_names(void);

/* The kind of one atom of the species, without constraints. Release with kind_free. Errors: STATUS_MEMORY. */
Status atom_model_kind(const AtomModel *species, Kind **kind, Error *error);

/* Its one site. */
SiteMap atom_model_site_map(const AtomModel *species);

/* lj[2] = A and C of A/r^12 - C/r^6 between first sites of two kinds. */
void atom_model_mix(const SiteMap *a, const SiteMap *b, double lj[2]);

/* Single atoms, one by one: map[nblock] of the topology's blocks, each of which is a type of molecules, the
 * first the water if `water` and any other a species. Fills in the types and charges of the topology; the
 * table of types is in the arena. Errors: STATUS_MEMORY. */
Status atom_model_input(AtomsInput *input, const Topology *topology, const SiteMap *map, bool water,
                        Arena *arena, Error *error);

#endif
