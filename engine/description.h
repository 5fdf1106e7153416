/* Kinds, forces and noise as plain data, from which a stepper on another processor can compute the same
 * motion. Descriptions contain no functions, and this header needs no vector types. Arrays belong to the
 * arena or to the described object and are valid while both exist. The `describe` functions of the tables'
 * rows fill them in. */
#ifndef HOLONOM_ENGINE_DESCRIPTION_H
#define HOLONOM_ENGINE_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

/* A constraint g(q) = 0 or a potential V(q) of a few sites. */
typedef struct FunctionDescription {
  const char *type; /* name of a row of constraint_types or potential_types, which define the function */
  int nsite;
  const int *site;     /* [nsite] of the molecule                                         */
  const double *param; /* in the order of the row's declaration (constraint.h, potential.h) */
} FunctionDescription;

typedef struct KindDescription {
  const char *name;
  int nsite, dim;
  const double *mass; /* [nsite] g/mol */
  int nconstraint, npotential;
  bool frozen;                           /* its atoms do not move and have no momenta */
  const FunctionDescription *constraint; /* [nconstraint] */
  const FunctionDescription *potential;  /* [npotential]  */
} KindDescription;

typedef struct AtomIndex {
  int block, lane, site; /* in a replica: block (kind), lane of the block, site of the lane */
} AtomIndex;

/* An interaction site: an atom, or a virtual site x_0 + a r_1 + b r_2 + c r_1 x r_2 with r_i = x_i - x_0. */
typedef struct SiteDescription {
  int natom; /* 1: an atom; 3: a virtual site */
  AtomIndex atom[3];
  double weight[3]; /* a, b, and c in 1/A */
  double charge;    /* e */
  int type;         /* Lennard-Jones type */
  int whole;        /* 1 + the first site of its molecule, where molecules are cut whole; 0: each site is cut
                     * separately */
} SiteDescription;

/* The truncation of pairs in a periodic box, where each pair acts at its nearest image. Pairs of molecules
 * that are cut whole end at the distance of the molecules' first sites and use the images of these sites;
 * other pairs end at their own distance. forcefields/nonbonded.h explains the names. */
typedef struct CutoffDescription {
  double cutoff;          /* A */
  const char *truncation; /* of Lennard-Jones, a name of nonbonded_truncations */
  double from;            /* where a switch begins, A */
  const char *coulomb;    /* a name of nonbonded_coulombs; "ewald" and "pme" mean the exact Ewald sum in a
                           * conductor, without excluded pairs */
  double permittivity;    /* of a reaction field */
  /* The approximation of that sum by "pme": splitting in 1/A, RMS force error in kcal/mol/A, spline order,
   * grid points. */
  double splitting, accuracy;
  int order, grid[3];
} CutoffDescription;

/* Coulomb and Lennard-Jones between all pairs of sites that are not excluded. */
typedef struct PairsDescription {
  int nsite;
  const SiteDescription *site; /* [nsite] */
  double coulomb;              /* kcal A/mol/e^2 */
  int ntype;
  const double (*lj)[2]; /* [ntype][ntype] A and C of A/r^12 - C/r^6, kcal A^n/mol */
  int nexcluded;
  const int (*excluded)[2];        /* [nexcluded] pairs of sites, each once */
  const CutoffDescription *cutoff; /* NULL: open space, where all pairs act */
} PairsDescription;

/* A term of a force field. */
typedef struct TermDescription {
  const char *type;        /* a row of term_types, which defines its coordinate and function */
  AtomIndex atom[5];       /* as many as the row requires */
  const double *param;     /* in the order of the row; angles in radians */
  int side;                /* cmap: nodes per side, the first at -180 degrees; tables: cells */
  const double (*node)[4]; /* cmap: [side][side] energy in kcal/mol; its slopes and mixed slope, per node
                              spacing. Tables: [side] coefficients of x^0 to x^3, x from 0 to 1 in a cell */
  double from, step;       /* tables: the beginning and length of the first cell, A or radians */
} TermDescription;

typedef struct TermsDescription {
  int n;
  const TermDescription *term; /* [n] */
} TermsDescription;

/* A spring from an atom to the nearest image of the point s h + offset, h being the edges of the box.
 * forcefields/restraint.h has the energy. */
typedef struct RestraintDescription {
  AtomIndex atom;
  double k[3], flat, s[3], offset[3]; /* kcal/mol/A^2, A */
  int parameter;                      /* 1 + the index of the parameter that replaces k; 0: a constant k */
  int axis, side; /* 1 + the axis of walls about this middle, 0: a point; see restraint.h */
  double span;
} RestraintDescription;

typedef struct RestraintsDescription {
  int n;
  const RestraintDescription *restraint; /* [n] */
} RestraintsDescription;

/* 1/2 k (xi - centre)^2 of a coordinate of sites, each a weighted mean of atoms
 * (forcefields/coordinate_restraint.h). */
typedef struct SpringDescription {
  int nsite; /* 2: a distance, A; 3: an angle; 4: a dihedral angle; radians */
  int natom[4];
  const AtomIndex *atom[4]; /* [natom] of each site */
  const double *weight[4];  /* [natom] with sum 1 */
  double k, centre;
  int parameter; /* 1 + the index of the parameter that replaces k; the next parameter is the centre, A or
                  * degrees */
} SpringDescription;

typedef struct SpringsDescription {
  int n;
  const SpringDescription *spring; /* [n] */
} SpringsDescription;

/* 1/2 kT ln det(J M^-1 J') of the exact constraints of every molecule. */
typedef struct FixmanDescription {
  double kT; /* kcal/mol */
} FixmanDescription;

/* 1/2 k (r - R)^2 on site 0 of every molecule whose distance r from the origin exceeds R. */
typedef struct WallDescription {
  double stiffness, radius; /* k, kcal/mol/A^2; R, A */
} WallDescription;

/* The force q E on each charged atom. */
typedef struct ChargeDescription {
  AtomIndex atom;
  double charge; /* e */
} ChargeDescription;

typedef struct ElectricDescription {
  int n;
  const ChargeDescription *charge; /* [n] */
  double e[3];                     /* kcal/mol/A/e */
} ElectricDescription;

typedef enum ForceForm {
  FORM_INSIDE, /* the potentials of the kinds: see KindDescription */
  FORM_PAIRS,
  FORM_WALL,
  FORM_TERMS,
  FORM_RESTRAINTS,
  FORM_SPRINGS,
  FORM_FIXMAN,
  FORM_ELECTRIC
} ForceForm;

typedef struct ForceDescription {
  const char *name;
  bool slow;              /* kicked by the letter S in words that have it                         */
  bool block;             /* provides each molecule's diagonal block of its Hessian to acceleration maps
                           * (SchemeMap) */
  const double (*box)[3]; /* [3][3] edges as rows, A; NULL: open space */
  ForceForm form;
  union {
    PairsDescription pairs;
    WallDescription wall;
    TermsDescription terms;
    RestraintsDescription restraints;
    SpringsDescription springs;
    FixmanDescription fixman;
    ElectricDescription electric;
  };
} ForceDescription;

/* The source of a replica's noise: engine/random.h turns this, a step, a letter and the number of a lane into
 * random words, thermostat/ou.h turns these into normals. */
typedef struct NoiseDescription {
  uint64_t seed;
  uint32_t replica;
  uint32_t purpose, momenta; /* for the letter O and for drawn momenta: RandomPurpose */
  const uint32_t *number;    /* [lanes through all blocks]; NULL: the lane's index */
  int64_t step;              /* steps done: the address of the next step */
} NoiseDescription;

#endif
