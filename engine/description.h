/* Kinds, forces and noise as plain data: numbers and names from which another stepper, on another processor,
 * can compute what this one does. Descriptions hold no functions and no packs, and this header needs no
 * vector types. Their arrays belong to the arena that they were made with or to what they describe, and are
 * valid while both live. `describe` in the tables' rows fills them in. */
#ifndef HOLONOM_ENGINE_DESCRIPTION_H
#define HOLONOM_ENGINE_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

/* A constraint g(q) = 0, or a potential V(q), of a few sites. */
typedef struct FunctionDescription {
  const char *type; /* name of a row of constraint_types or potential_types, which say what it computes */
  int nsite;
  const int *site;     /* [nsite] of the molecule                                         */
  const double *param; /* as the row's declaration lists them (constraint.h, potential.h) */
} FunctionDescription;

typedef struct KindDescription {
  const char *name;
  int nsite, dim;
  const double *mass; /* [nsite] g/mol */
  int nconstraint, npotential;
  const FunctionDescription *constraint; /* [nconstraint] */
  const FunctionDescription *potential;  /* [npotential]  */
} KindDescription;

typedef struct AtomIndex {
  int block, lane, site; /* of a replica: which kind of molecule, which molecule of it, which site */
} AtomIndex;

/* An interaction site: an atom, or a virtual site x_0 + a r_1 + b r_2 + c r_1 x r_2 with r_i = x_i - x_0. */
typedef struct SiteDescription {
  int natom; /* 1: an atom; 3: a virtual site */
  AtomIndex atom[3];
  double weight[3]; /* a, b, and c in 1/A */
  double charge;    /* e */
  int type;         /* of Lennard-Jones */
  int whole; /* 1 + the first site of its molecule, of molecules that are cut whole; 0: it is cut by itself */
} SiteDescription;

/* How pairs end in a periodic box, where each acts at its nearest image. Pairs of sites of molecules that are
 * cut whole end by the distance of the molecules' first sites, and act at the images of these; all other
 * pairs end by the distance of the two sites. forcefields/nonbonded.h says what the names mean. */
typedef struct CutoffDescription {
  double cutoff;          /* A */
  const char *truncation; /* of Lennard-Jones, a name of nonbonded_truncations */
  double from;            /* where a switch begins, A */
  const char *coulomb;    /* a name of nonbonded_coulombs; with "ewald" and "pme" charges interact by the
                           * exact Ewald sum in a conductor, not counting excluded pairs */
  double permittivity;    /* of a reaction field */
  /* How "pme" approximates that sum: 1/A, RMS error of a force in kcal/mol/A, spline, points. */
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
  const char *type;        /* a row of term_types, which says coordinate and function */
  AtomIndex atom[5];       /* as many as the row has */
  const double *param;     /* in the order of the row; angles in radians */
  int side;                /* of cmap: nodes a side, -180 degrees first */
  const double (*node)[4]; /* [side][side] energy, kcal/mol, and by node its slopes and mixed slope */
} TermDescription;

typedef struct TermsDescription {
  int n;
  const TermDescription *term; /* [n] */
} TermsDescription;

/* A spring from an atom to the nearest image of the point s h + offset, of edges h of the box:
 * forcefields/restraint.h has the energy. */
typedef struct RestraintDescription {
  AtomIndex atom;
  double k[3], flat, s[3], offset[3]; /* kcal/mol/A^2, A */
  int parameter;                      /* 1 + the number of the parameter that takes the place of k; 0: none */
} RestraintDescription;

typedef struct RestraintsDescription {
  int n;
  const RestraintDescription *restraint; /* [n] */
} RestraintsDescription;

/* 1/2 k (xi - centre)^2 of a coordinate of sites, each a weighted mean of atoms:
 * forcefields/coordinate_restraint.h. */
typedef struct SpringDescription {
  int nsite; /* 2: a distance, A; 3: an angle; 4: a dihedral angle; radians */
  int natom[4];
  const AtomIndex *atom[4]; /* [natom] of each site */
  const double *weight[4];  /* [natom] that add up to 1 */
  double k, centre;
  int parameter; /* 1 + the number of the parameter in place of k; that of the centre, A or degrees, follows
                  */
} SpringDescription;

typedef struct SpringsDescription {
  int n;
  const SpringDescription *spring; /* [n] */
} SpringsDescription;

/* 1/2 kT ln det(J M^-1 J') of the kept constraints of every molecule. */
typedef struct FixmanDescription {
  double kT; /* kcal/mol */
} FixmanDescription;

/* 1/2 k (r - R)^2 on site 0 of every molecule whose distance r from the origin exceeds R. */
typedef struct WallDescription {
  double stiffness, radius; /* k, kcal/mol/A^2; R, A */
} WallDescription;

typedef enum ForceForm {
  FORM_INSIDE, /* the kinds' own potentials: KindDescription has them */
  FORM_PAIRS,
  FORM_WALL,
  FORM_TERMS,
  FORM_RESTRAINTS,
  FORM_SPRINGS,
  FORM_FIXMAN
} ForceForm;

typedef struct ForceDescription {
  const char *name;
  bool slow;              /* kicked by with the letter S, where a word has it                     */
  bool block;             /* it offers maps each molecule's own block of its Hessian (SchemeMap) */
  const double (*box)[3]; /* [3][3] its edges as rows, A; NULL: open space */
  ForceForm form;
  union {
    PairsDescription pairs;
    WallDescription wall;
    TermsDescription terms;
    RestraintsDescription restraints;
    SpringsDescription springs;
    FixmanDescription fixman;
  };
} ForceDescription;

/* Where the noise of a replica comes from: engine/random.h turns this, a step, a letter and the number of a
 * lane into random words, thermostat/ou.h those into normals. */
typedef struct NoiseDescription {
  uint64_t seed;
  uint32_t replica;
  uint32_t purpose, momenta; /* of the letter O, and of drawn momenta: RandomPurpose */
  const uint32_t *number;    /* [lanes through all blocks]; NULL: the lane's index */
  int64_t step;              /* steps done: the next one's address */
} NoiseDescription;

#endif
