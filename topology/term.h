/* Terms of force fields: energies that are functions of the distance of two atoms of a molecule, the angle of
 * three, the dihedral angle of four or two of these of five. What there is, is a table (terms.def); V and its
 * derivatives by the coordinates are one function each (term_profile.h), whose gradients and Hessians are the
 * coordinates' matter (engine/coordinate.h). docs/theory.md has the equations. */
#ifndef HOLONOM_TOPOLOGY_TERM_H
#define HOLONOM_TOPOLOGY_TERM_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "engine/coordinate.h"
#include "topology/term_grid.h"

/* FOLD: the largest n of cos(n phi). READY: an angle among the parameters becomes its cosine and sine, a grid
 * its place. */
enum {
  TERM_ATOMS = COORDINATE_SITES,
  TERM_PARAMETERS = 6,
  TERM_READY = TERM_PARAMETERS + 1,
  TERM_FOLD = 24,
  TERM_NAME = 96
};

/* Energies are counted by these; their names, in this order, are term_column_names. */
typedef enum TermColumn {
  TERM_BOND,
  TERM_UREY_BRADLEY,
  TERM_ANGLE,
  TERM_TORSION,
  TERM_IMPROPER,
  TERM_CMAP,
  TERM_DISTANCE_RESTRAINT,
  TERM_DIHEDRAL_RESTRAINT,
  TERM_LJ_14,
  TERM_COULOMB_14,
  TERM_COLUMNS
} TermColumn;
extern const char *const term_column_names[TERM_COLUMNS];

typedef enum TermBound { TERM_REAL, TERM_SIZE, TERM_WHOLE, TERM_DEGREES, TERM_GRID } TermBound;

typedef struct TermParameter {
  const char *name, *unit; /* as in files */
  TermBound bound; /* any number; one that is not negative; 0 to TERM_FOLD; an angle, degrees in files; the
                      number of a grid, its name in files */
} TermParameter;

typedef struct TermType {
  const char *name, *doc;
  CoordinateForm form;
  TermColumn column, other; /* of its energy, and of a part of it; both are the same where there is one */
  int natom, nparam;
  TermParameter parameter[TERM_PARAMETERS];
} TermType;

/* Numbers of the rows. */
typedef enum TermRow {
#define TERM(id, ...) TERM_ROW_##id,
#include "topology/terms.def"
#undef TERM
  TERM_TYPES
} TermRow;

/* All types, by TermRow. */
extern const TermType term_types[TERM_TYPES];

typedef struct Term {
  const TermType *type;
  int atom[TERM_ATOMS];          /* of its molecule, from 0        */
  double param[TERM_PARAMETERS]; /* angles in radians: term_number */
} Term;

/* Those of a sort of molecules, and the grids that they name. */
typedef struct TermList {
  int n;
  const Term *term;
  int ngrid;
  const TermGrid *grid;
} TermList;

/* Where a grid is among the nodes of all, and how many it has a side: whole numbers, as kernels read them. */
typedef struct TermPlace {
  double first, n;
} TermPlace;

/* The grids of some lists, which may share them. */
typedef struct TermNodes {
  TermNode *node;    /* of all grids                */
  TermPlace **place; /* [nlist][list[].ngrid]       */
} TermNodes;

/* The type of that name; NULL: there is none. */
const TermType *term_find(const char *name);

/* Parameter i from what a file says of it. */
double term_number(const TermType *type, int i, double said);

/* "torsion of atoms 1 2 3 4", for messages, cut to `size` (TERM_NAME is enough). */
void term_name(const Term *term, char *text, size_t size);

/* Whether a term of a molecule of so many atoms has a meaning, where there are so many grids: atoms that it
 * has, each once; numbers within their bounds. Errors: STATUS_INPUT; the message names term, atoms (from 1)
 * and parameter. */
Status term_check(const Term *term, int natom, int ngrid, Error *error);

/* Their nodes, in the room. Errors: STATUS_INPUT (term_grid_check), STATUS_MEMORY. */
Status term_nodes(TermNodes *nodes, int nlist, const TermList *list, Arena *arena, Error *error);

/* The parameters as kernels read them, in their order, angles as cosine and sine, grids as grid[number].first
 * and n. Returns how many. */
int term_ready(const Term *term, const TermPlace *grid, double ready[TERM_READY]);

#endif
