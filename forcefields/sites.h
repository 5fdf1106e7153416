/* Short-range forces between molecules of any kinds in a periodic box: Lennard-Jones between first sites
 * and Coulomb between all sites, over neighbour lists (list.h) of the molecules of all blocks, by their
 * first sites. In double all cutoff schemes are available. In mixed precision, water_float.h computes
 * pairs of waters that it supports. atoms_float.h computes pairs of individual atoms, and of an atom and a
 * water without sites out of its plane.
 *
 * Coulomb, with C = UNITS_COULOMB, s = r^2:
 *
 *   pme, ewald       C q q erfc(beta r)/r
 *   reaction field   C q q (1/r + k s - c), k = (e - 1)/((2 e + 1) rc^3), c = 1/rc + k rc^2;
 *   cutoff           C q q/r
 *   none
 *
 * The energy of the reaction field is zero at rc, and so is the force where the permittivity e is infinite.
 * The field also acts inside molecules, C q q (k s - c), and on each site itself, -C q^2 c/2, since the
 * dielectric responds to all charges in the cavity. These are the terms intramolecular and self, as in
 * GROMACS (Tironi, Sperb, Smith and van Gunsteren, J. Chem. Phys. 102, 5451 (1995)).
 *
 * Cut by molecule, all pairs of sites of two molecules count whose first sites are closer than the cutoff;
 * cut by atom, each pair of sites closer than it. Lennard-Jones ends as in nonbonded.h.
 *
 * Pair forces are rounded to 2^-44 kcal/mol/A, energies and virial to 2^-36 kcal/mol; those in float to
 * 2^-20 and 2^-18. Sums therefore have the same bits for any number of threads, numbering of the molecules
 * and age of the list.
 *
 * Lists are by the sort of the partner, so that a register has partners of one sort and parameters are
 * scalars; they leave out excluded pairs, and each pair of sorts has its own cutoff. A run of water with
 * ions has one list, one stage and one delivery. Ends of lists that do not fill a register are collected
 * until they do. Exchanging the molecules of a pair changes only signs. Molecules closer than about 2.1 A
 * in mixed precision, torn bonds and coordinates that are not finite, which could leave the range of
 * tables or sums, are detected and reported. Cut by atom, lists reach further by twice the reach of a
 * molecule (2.3 A for TIP3P with bonds a fifth too long), and boxes must be larger by as much. */
#ifndef HOLONOM_FORCEFIELDS_SITES_H
#define HOLONOM_FORCEFIELDS_SITES_H

#include "engine/isa.h"
#include "forcefields/ewald.h"
#include "forcefields/list.h"
#include "forcefields/nonbonded.h"
#include "forcefields/stage.h"

typedef struct SitesSums {
  double lj, real;             /* energies, kcal/mol; real: Coulomb between molecules, of any scheme */
  double intramolecular, self; /* of the reaction field */
  double virial[3][3];         /* sum over pairs of molecules of d_x F_y: see stage_sums */
} SitesSums;

typedef struct Sites Sites;

/* For teams of at most `threads` threads. The particles must outlive it. `mixed` applies to pairs of
 * individual atoms, and to waters of the first block that are cut by molecule, with sites in the plane and no
 * reaction field. Errors: STATUS_INPUT (a box too small or too flat for the list's cutoff, options out of
 * range, a cutoff or beta too large for tables in float), STATUS_MEMORY. */
Status sites_create(Sites **out, const Particles *particles, const Box *box, const Nonbonded *options,
                    int threads, Isa isa, Error *error);
void sites_free(Sites *sites);

/* Sets another box, whose images are at least twice the lists' cutoff apart, for use with another list. By
 * one thread. Errors: STATUS_INPUT (too flat; the sites are then unusable). */
Status sites_set_box(Sites *sites, const Box *box, Error *error);

/* The longest cutoff of pairs in the list, A: by atom it is longer by twice the reach of a molecule whose
 * bonds are a fifth too long. */
double sites_list_cutoff(const Sites *sites);

/* Images must be twice this far apart. Lists of a water and an atom reach further, by the reach of the water;
 * in a narrow box such a pair interacts only at the image nearest to the water's first site. */
double sites_image_cutoff(const Sites *sites);

/* Options of the list for these sites, with its sorts of molecules and these buffers, the second for pairs
 * with an individual atom. They borrow from the sites. */
ListOptions sites_list(Sites *sites, const Box *box, double buffer, double atoms_buffer);

/* The stage that transfers the sites' positions and forces. */
Status sites_make_stage(const Sites *sites, Stage *stage, Error *error);

/* Where the stage writes rows for this list; none for a list that was never built. */
StageOut sites_rows(const Sites *sites, const ListView *list);

/* Computes forces on sites from the current rows, for delivery after a barrier. All threads of a team call it
 * together, with an error each (or NULL), and get the same status. The list is one of sites_list. Errors:
 * STATUS_RUN (overlapping molecules, named by means of `state`), STATUS_MEMORY. */
Status sites_run(Sites *sites, const Team *team, const ListView *list, const State *state, bool sums,
                 StageForces *forces, Error *error);

/* The sums of a sites_run with `sums`; after a barrier, by one thread. */
void sites_sums(const Sites *sites, const ListView *list, SitesSums *sums);

#endif
