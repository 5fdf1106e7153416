/* Molecules as sets of groups: which lanes of a state make up each molecule, and in which order atoms are
 * numbered.
 *
 * A lane contains a group: atoms that constraints and potentials connect. A molecule has one group or
 * several, of one kind or of different kinds; all molecules of a type have the same groups in the same order.
 * Molecules and atoms are numbered type by type, then molecule by molecule, then as the molecule's
 * description numbers its atoms. This *order of molecules* is the order of positions in memory and in files.
 * It equals the order of the blocks if each molecule is one lane. */
#ifndef HOLONOM_TOPOLOGY_TOPOLOGY_H
#define HOLONOM_TOPOLOGY_TOPOLOGY_H

#include "base/arena.h"
#include "engine/state.h"
#include "topology/virtual_site.h"

/* A group of molecule m of its type: lane `first + m * step` of a block. */
typedef struct TopologyGroup {
  const Kind *kind;
  int block, first, step;
  const int *atom; /* [kind->nsite] the number in the molecule of each site of the lane */
} TopologyGroup;

/* The place of a site of a molecule: one of its groups, and a site of that group's lane. */
typedef struct TopologyAtom {
  int group, site;
} TopologyAtom;

/* A molecule type. The numbers of its sites, used by everything below: first the atoms, which have mass, in
 * the order of the file; then the virtual sites, each after the virtual sites that place it. Interactions act
 * on all sites; the state stores masses, positions and forces of atoms only. */
typedef struct TopologySort {
  const Kind *kind; /* names and masses of all atoms in their order, frozen if all are: the lane's kind, or
                       one without constraints, joined from the groups' */
  int nmol, first;  /* number of molecules; number of the first one */
  bool anchored;    /* atoms of a molecule are frozen: in pressures its groups count as molecules */
  int nsite, nvirtual;
  double *charge; /* [nsite] e, as in the force field; NaN: unknown */
  double *shared; /* [kind->nsite] e, charges of virtual sites distributed over atoms; NaN: unknown */
  int *type;      /* [nsite] Lennard-Jones type */
  int nexcluded;
  const int (*excluded)[2]; /* [nexcluded] pairs of sites that do not interact */
  int ngroup;
  const TopologyGroup *group; /* [ngroup] groups of atoms, then one for each virtual site that has a lane */
  const TopologyAtom *atom;   /* [nsite]; group -1: a virtual site without a lane */
  const VirtualSite *virtual; /* [nvirtual] */
  const char **virtual_name;  /* [nvirtual] */
  const int *file;            /* [nsite] number of each site in its file; NULL: the same number */
  int nbond;
  const int (
      *bond)[2]; /* [nbond] pairs of bonded sites; NULL: only constraints and potentials define bonds */
} TopologySort;

typedef struct Topology {
  int nblock;         /* number of blocks of a state */
  const Kind **block; /* [nblock + 1] their kinds; the last one, for virtual sites, is not in states
                         (virtual_lanes.h) */
  int *lanes;         /* [nblock + 1] number of lanes */
  int nsort, nmol, natom, dim;
  TopologySort *sort;
  int *order;       /* [nsort] types by rank: the order of sums over types */
  int *molecule;    /* [lanes] of a replica through all blocks: the number of the lane's molecule */
  uint32_t *number; /* [lanes] the number of the lane's group, for noise: by rank of the type, then molecule,
                       then first atom of the group; NULL: the number of the lane */
  size_t *
      place; /* [lanes] the index of the first coordinate of the lane's molecule, in the order of molecules */
  size_t *first; /* [nblock + 1] the first lane of each block, counted through all blocks of a replica */
  const TopologyGroup **group; /* [lanes] the lane's group */
  Kind **made;                 /* [nsort] joined kinds: of several groups, or with atoms in another order */
  TopologyGroup *groups;       /* of all types, as are the atoms and numbers below */
  TopologyAtom *atoms;
  int *numbers;
  Arena arena; /* of all arrays above */
} Topology;

/* One molecule type, from which topology_create makes a TopologySort. */
typedef struct TopologyMolecules {
  const char *name; /* NULL: the name of its only group's kind */
  int nmol, ngroup;
  const int *block;        /* [ngroup] the block of each group, not falling */
  const double *reference; /* [atoms][dim] reference positions of several groups; NULL: those of the kinds */
  const int *atom; /* [atoms] the number in the molecule, from 0, of each site of its groups, group by group;
                      NULL: in that order */
  int rank; /* lanes and groups are numbered by rank, the lowest first, equal ranks as listed; so results do
               not depend on the order of molecules */
  int nvirtual;
  const VirtualSite *virtual; /* [nvirtual] borrowed; the site with index v here has number natom + v */
  bool inlined;               /* a kernel of the molecule places its virtual sites, which have no lanes */
} TopologyMolecules;

/* Creates a topology of nsort molecule types in nblock blocks, block b with lanes[b] lanes of kind[b]; the
 * kinds are borrowed. In each block the lanes of the type with the lowest rank come first. Errors:
 * STATUS_INPUT (the groups of all molecules do not fill the blocks, or the sites of the groups are not the
 * molecule's atoms), STATUS_MEMORY; *topology is NULL then. */
Status topology_create(Topology **topology, int nblock, const Kind *const *kind, const int *lanes, int nsort,
                       const TopologyMolecules *sort, Error *error);

/* Create a topology in which each lane is a molecule. */
Status topology_of_kinds(Topology **topology, int nkind, const Kind *const *kind, const int *nmol,
                         Error *error);
Status topology_of_state(Topology **topology, const State *state, Error *error);
void topology_free(Topology *topology);

/* Creates a state with the topology's lanes (state_create). The state refers to the topology, which must
 * outlive it. */
Status topology_state(const Topology *topology, int width, uint64_t seed, uint32_t replica, State **state,
                      Error *error);

/* The number of coordinates: atoms times dimensions. */
size_t topology_coordinates(const Topology *topology);

/* The number of a site in its molecule's file, from 0. */
static inline int topology_file(const TopologySort *sort, int site)
{
  return sort->file != NULL ? sort->file[site] : site;
}

/* The number of groups of a molecule, including the lanes of its virtual sites. */
static inline int topology_groups(const TopologySort *sort)
{
  return sort->nvirtual > 0 && sort->atom[sort->kind->nsite].group >= 0 ? sort->ngroup + sort->nvirtual
                                                                        : sort->ngroup;
}

/* The number of blocks that forces act on: those of a state, and one of virtual sites if any has a lane. */
static inline int topology_blocks(const Topology *topology)
{
  return topology->nblock + (topology->lanes[topology->nblock] > 0);
}

/* The index of the first coordinate of a site in x[natom][dim]; lanes are counted through all blocks. */
static inline size_t topology_place(const Topology *topology, int lane, int site)
{
  return topology->place[lane] + (size_t)(topology->group[lane]->atom[site] * topology->dim);
}

/* Copies a field of replica r, molecules begin to end - 1 of a type, to their places in
 * x[nmol][nsite][dim]. */
void topology_gather(const TopologySort *sort, const State *state, StateField field, int r, int begin,
                     int end, double *x);

/* Site s of molecule m in a field (positions or momenta) of a batch: [dim] vectors of the 8 replicas in pack
 * k. */
const Vec8 *topology_vec8s(const TopologySort *sort, const State *state, StateField field, int m, int s,
                           int k);

/* Copy a field of all atoms of replica r to and from x[natom][dim], in the order of molecules. */
void topology_get(const Topology *topology, const State *state, StateField field, int r, double *x);
void topology_set(const Topology *topology, const State *state, StateField field, int r, const double *x);

/* Moves each molecule of a state of width 1 rigidly, its centre of mass R to R map. */
void topology_map(const Topology *topology, const State *state, const double map[3][3]);

/* Whether molecules of a type have the form of water: a rigid triangle of a heavy atom followed by two equal
 * light atoms. */
bool topology_is_water(const TopologySort *sort);

/* The centre of mass of all atoms x[natom][3]; and its translation to the origin. */
void topology_centre(const Topology *topology, const double *x, double at[3]);
void topology_to_origin(const Topology *topology, double *x);

/* Moves each molecule of x[natom][3] by box vectors until its first atom is in the box (box_inside). */
void topology_wrap(const Topology *topology, const Box *box, double *x);

/* Computes the molecular virial from the atomic one, for a state of width 1 with the forces in f: subtracts
 * the sum over atoms of (r - R)_a f_b. R is the centre of mass of the atom's molecule, in anchored molecules
 * that of its group, and for a frozen atom its own position. */
void topology_virial(const Topology *topology, const State *state, const double atom[3][3],
                     double molecule[3][3]);

#endif
