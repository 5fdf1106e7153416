/* Bonded terms of force fields: energies of the distance of two atoms of a molecule, the angle of three, the
 * dihedral angle of four, two distances of three, or the two dihedral angles of five. The table terms.def
 * lists the types; term_profile.h has V and its derivatives by the coordinate, and engine/coordinate.h the
 * gradients and Hessians of coordinates. Equations: docs/theory.md. */
#ifndef HOLONOM_TOPOLOGY_TERM_H
#define HOLONOM_TOPOLOGY_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "engine/coordinate.h"
#include "topology/term_grid.h"

/* FOLD: the largest n of cos(n phi). READY: an angle becomes its cosine and sine, a grid or table its
 * TermPlace. */
enum {
  TERM_ATOMS = COORDINATE_SITES,
  TERM_PARAMETERS = 6,
  TERM_READY = TERM_PARAMETERS + 1,
  TERM_FOLD = 24,
  TERM_NAME = 96
};

/* Columns of energies; term_column_names has their names in this order. */
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

typedef enum TermBound { TERM_REAL, TERM_SIZE, TERM_WHOLE, TERM_DEGREES, TERM_GRID, TERM_TABLE } TermBound;

typedef struct TermParameter {
  const char *name, *unit; /* as in files */
  TermBound bound; /* any number; not negative; an integer from 0 to TERM_FOLD; an angle (degrees in files);
                      the number of a grid or of a table (its name in files) */
} TermParameter;

typedef struct TermType {
  const char *name, *doc;
  CoordinateForm form;
  TermColumn column,
      other; /* the column of its energy, and the column of a part of it; equal if it has one part */
  int natom, nparam;
  TermParameter parameter[TERM_PARAMETERS];
} TermType;

/* Row numbers of terms.def. */
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
  int atom[TERM_ATOMS];          /* numbers in the molecule, from 0 */
  double param[TERM_PARAMETERS]; /* angles in radians (term_number) */
} Term;

/* The terms of a molecule type, and their grids and tables. */
typedef struct TermList {
  int n;
  const Term *term;
  int ngrid;
  const TermGrid *grid;
} TermList;

/* The first node of a grid or table among all nodes, and its nodes per side or cells: integers in the format
 * that kernels read. Of a table also its beginning and its step, in A or degrees. */
typedef struct TermPlace {
  double first, n, from, step;
} TermPlace;

/* The grids and tables of some lists; lists may share them. */
typedef struct TermNodes {
  TermNode *node;    /* of all grids and tables */
  TermPlace **place; /* [nlist][list[].ngrid]       */
} TermNodes;

/* The type with that name, or NULL. */
const TermType *term_find(const char *name);

/* Parameter i in internal units, from its value in a file. */
double term_number(const TermType *type, int i, double said);

/* Writes a description such as "torsion of atoms 1 2 3 4", cut to `size` (TERM_NAME is enough). */
void term_name(const Term *term, char *text, size_t size);

/* Whether the energy is a table times a factor. */
bool term_is_tabulated(const TermType *type);

/* Validates a term of a molecule with natom atoms: atoms exist and differ, parameters are within their
 * bounds, and its grid or table is in the list and fits the coordinate. STATUS_INPUT: the message names the
 * term, its atoms (from 1) and the parameter. */
Status term_check(const Term *term, int natom, const TermList *list, Error *error);

/* Computes the nodes of all grids and tables, in the arena. Errors: STATUS_INPUT (term_grid_check),
 * STATUS_MEMORY. */
Status term_nodes(TermNodes *nodes, int nlist, const TermList *list, Arena *arena, Error *error);

/* The parameters as kernels read them, in order: angles as cosine and sine, grids as first and n of
 * grid[number], tables also as their beginning and cells per unit (A or radians). Returns their number. */
int term_ready(const Term *term, const TermPlace *grid, double ready[TERM_READY]);

#endif
