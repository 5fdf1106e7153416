/* Which atoms make a molecule: what stands beside the packs, so that nobody above forces takes a lane for a
 * molecule.
 *
 * A lane holds a group: atoms that constraints and potentials tie together. A molecule has one group or
 * several, of one kind or of different ones. Molecules of a sort have the same groups in the same order; they
 * and their atoms are numbered sort after sort, molecule after molecule, within a molecule as who describes
 * it numbers them: the order of molecules, in which positions are handed out, written to files and read.
 * Where each molecule is one lane it is that of the blocks. */
#ifndef HOLONOM_TOPOLOGY_TOPOLOGY_H
#define HOLONOM_TOPOLOGY_TOPOLOGY_H

#include "base/arena.h"
#include "engine/state.h"
#include "topology/virtual_site.h"

/* Of molecule m of its type: lane `first + m * step` of a block. */
typedef struct TopologyGroup {
  const Kind *kind;
  int block, first, step;
  const int *atom; /* [kind->nsite] the number in the molecule of each site of the lane */
} TopologyGroup;

/* Where a site of a molecule is: which of its groups, and which site of that group's lane. */
typedef struct TopologyAtom {
  int group, site;
} TopologyAtom;

/* All molecules that are alike. Their sites are numbered once, and everything below uses these numbers: first
 * the atoms, which have mass, in the order of the file, then the virtual sites, each behind those that place
 * it. Interactions see every site; masses, positions and forces that a state holds belong to atoms alone. */
typedef struct TopologySort {
  const Kind *kind; /* names and masses of all its atoms, in their order: that of the lane, or without
                       constraints one made of the groups' */
  int nmol, first;  /* molecules, and the number of the first */
  int nsite, nvirtual;
  double *charge; /* [nsite] e, as the force field has them; NaN: not known */
  double *shared; /* [kind->nsite] e, on atoms alone, virtual sites shared out among them; NaN: not known */
  int *type;      /* [nsite] of Lennard-Jones */
  int nexcluded;
  const int (*excluded)[2]; /* [nexcluded] pairs of sites that do not interact */
  int ngroup;
  const TopologyGroup *group; /* [ngroup] of atoms, then one for each virtual site that has a lane */
  const TopologyAtom *atom;   /* [nsite]; group -1: a virtual site without a lane */
  const VirtualSite *virtual; /* [nvirtual] */
  const char **virtual_name;  /* [nvirtual] */
  const int *file;            /* [nsite] the number of each in its file; NULL: the same */
  int nbond;
  const int (*bond)[2]; /* [nbond] who is bonded to whom; NULL: known by constraints and potentials alone */
} TopologySort;

typedef struct Topology {
  int nblock;         /* the lanes that it is made of: kinds of the blocks of a state, and how many of each */
  const Kind **block; /* [nblock + 1] the last: virtual sites, which states do not have (virtual_lanes.h) */
  int *lanes;         /* [nblock + 1] */
  int nsort, nmol, natom, dim;
  TopologySort *sort;
  int *order;       /* [nsort] of sorts by rank: what is summed over them goes so */
  int *molecule;    /* [lanes] of a replica through all blocks: number of the molecule that each is of */
  uint32_t *number; /* [lanes] of the group that each holds, for noise: sort after sort by rank, molecule
                       after molecule, within it by first atoms; NULL: as lanes are numbered */
  size_t
      *place; /* [lanes] where the coordinates of its molecule begin among all, in the order of molecules */
  size_t *first;               /* [nblock + 1] of the lanes of a replica, its blocks' first */
  const TopologyGroup **group; /* [lanes] which of the molecule's */
  Kind **made;                 /* [nsort] kinds of several groups, or of another order */
  TopologyGroup *groups;       /* of all sorts; what they point to */
  TopologyAtom *atoms;
  int *numbers;
  Arena arena; /* of these and by lane */
} Topology;

/* What a topology is made of. */
typedef struct TopologyMolecules {
  const char *name; /* NULL: that of its only group's kind */
  int nmol, ngroup;
  const int *block; /* [ngroup] of the kind of each, rising */
  const double
      *reference;  /* [atoms][dim] of several groups beside each other; NULL: each as its kind has it */
  const int *atom; /* [atoms] numbers in the molecule, from 0, of the sites of its groups one after the other;
                      NULL: in that order */
  int rank; /* of a sort for lanes and for numbers of groups: the lowest first, equals as they are listed,
               so that the order of molecules has no part in what a run computes */
  int nvirtual;
  const VirtualSite *virtual; /* [nvirtual] borrowed; each has the number behind the atoms that its place in
                                 this list gives it */
  bool inlined; /* a kernel made for the molecule places its virtual sites: they have no lanes */
} TopologyMolecules;

/* Of molecules in blocks of these kinds, which are borrowed, and of so many lanes: in each block those of the
 * first sort by rank come first. Errors: STATUS_INPUT (the groups of all molecules are not the lanes of the
 * blocks, or their sites not the atoms), STATUS_MEMORY. *topology is NULL then. */
Status topology_create(Topology **topology, int nblock, const Kind *const *kind, const int *lanes, int nsort,
                       const TopologyMolecules *sort, Error *error);

/* Where each lane is a molecule. */
Status topology_of_kinds(Topology **topology, int nkind, const Kind *const *kind, const int *nmol,
                         Error *error);
Status topology_of_state(Topology **topology, const State *state, Error *error);
void topology_free(Topology *topology);

/* A state of its lanes, which knows whose they are and must not outlive it: state_create. */
Status topology_state(const Topology *topology, int width, uint64_t seed, uint32_t replica, State **state,
                      Error *error);

/* Numbers of atoms times dimensions. */
size_t topology_coordinates(const Topology *topology);

/* The number of a site of a molecule in its file, from 0. */
static inline int topology_file(const TopologySort *sort, int site)
{
  return sort->file != NULL ? sort->file[site] : site;
}

/* Groups of a molecule with those of its virtual sites. */
static inline int topology_groups(const TopologySort *sort)
{
  return sort->nvirtual > 0 && sort->atom[sort->kind->nsite].group >= 0 ? sort->ngroup + sort->nvirtual
                                                                        : sort->ngroup;
}

/* The blocks that forces work on: those of a state, and one of virtual sites if any has a lane. */
static inline int topology_blocks(const Topology *topology)
{
  return topology->nblock + (topology->lanes[topology->nblock] > 0);
}

/* Where the coordinates of a site of a lane, lanes counted through all blocks, are among all. */
static inline size_t topology_place(const Topology *topology, int lane, int site)
{
  return topology->place[lane] + (size_t)(topology->group[lane]->atom[site] * topology->dim);
}

/* A field of replica lane r: of molecules begin to end - 1 of a sort to their places in x[nmol][nsite][dim].
 */
void topology_gather(const TopologySort *sort, const State *state, StateField field, int r, int begin,
                     int end, double *x);

/* Site s of molecule m in a field, positions or momenta, of a wider state: [dim] of the 8 replicas whose
 * lanes make up pack k of a molecule's. */
const Vec8 *topology_vec8s(const TopologySort *sort, const State *state, StateField field, int m, int s,
                           int k);

/* Of all, in the order of molecules, to and from x[natom][dim]. */
void topology_get(const Topology *topology, const State *state, StateField field, int r, double *x);
void topology_set(const Topology *topology, const State *state, StateField field, int r, const double *x);

/* Molecules of a state of width 1 move as wholes, their centres of mass from x to x map. */
void topology_map(const Topology *topology, const State *state, const double map[3][3]);

/* Whether molecules of a sort are waters, or have their form: rigid triangles of a heavy atom and, behind it,
 * two equal light ones. */
bool topology_is_water(const TopologySort *sort);

/* The centre of mass of all molecules at x[natom][3], and these moved so that it is at the origin. */
void topology_centre(const Topology *topology, const double *x, double at[3]);
void topology_to_origin(const Topology *topology, double *x);

/* Moves whole molecules of x[natom][3] into the box, by their first atoms: box_inside. */
void topology_wrap(const Topology *topology, const Box *box, double *x);

/* The virial by molecule from that by atom, of a state of width 1 with the same forces in f: less the sum
 * over atoms of (r - R)_a f_b, R the centre of mass of the atom's molecule. */
void topology_virial(const Topology *topology, const State *state, const double atom[3][3],
                     double molecule[3][3]);

#endif
