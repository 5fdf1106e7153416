/* Built-in molecules of one atom: ions and noble gases. Unlike atoms mix by the Lorentz-Berthelot rule: the
 * mean of sigma, the geometric mean of epsilon. The rule includes the water's oxygen. Ions have a row for
 * each water model that they were fitted to with this rule. */
#ifndef HOLONOM_FORCEFIELDS_ATOM_MODEL_H
#define HOLONOM_FORCEFIELDS_ATOM_MODEL_H

#include "engine/kind.h"

typedef struct AtomModel {
  const char *name, *doc, *cite;
  const char *water;     /* the water model that the row was fitted to; NULL: none */
  const char *symbol;    /* of the element, in files */
  double mass;           /* g/mol */
  double charge;         /* e */
  double sigma, epsilon; /* 4 epsilon ((sigma/r)^12 - (sigma/r)^6), A and kcal/mol */
} AtomModel;

/* All rows; the last has the name NULL. */
extern const AtomModel atom_model_list[];

/* The row of a name fitted to a water model (NULL: no water), else the row for any water. NULL: no such
 * row. */
const AtomModel *atom_model_find(const char *name, const char *water);

/* All species, each once, with the symbols of their elements in files. */
enum { ATOM_MODEL_NAMES = 32 };
typedef struct AtomModelNames {
  int n;
  const char *symbol[ATOM_MODEL_NAMES], *name[ATOM_MODEL_NAMES];
} AtomModelNames;
AtomModelNames atom_model_names(void);

/* The group type of one atom, without constraints. Release it with kind_free. Errors: STATUS_MEMORY. */
Status atom_model_kind(const AtomModel *species, Kind **kind, Error *error);

#endif
