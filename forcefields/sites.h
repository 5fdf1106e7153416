/* Short-range forces between molecules of any kinds in a periodic box: Lennard-Jones between
 * first sites, Coulomb between all sites, over neighbour lists (list.h) of the molecules of all blocks, one
 * after the other, by their first sites. Every scheme of cutoffs, in double; in mixed precision pairs of
 * waters go by the kernel of water_float.h where that serves them, and those of atoms one by one, with each
 * other and with waters, by that of atoms_float.h, unless the water has sites out of its plane.
 *
 * Coulomb, with C = UNITS_COULOMB, s = r^2:
 *
 *   pme, ewald       C q q erfc(beta r)/r
 *   reaction field   C q q (1/r + k s - c), k = (e - 1)/((2 e + 1) rc^3), c = 1/rc + k rc^2: no force and no
 *                    energy at rc where the permittivity e is infinite, no energy with any
 *                    (Tironi, Sperb, Smith and van Gunsteren, J. Chem. Phys. 102, 5451 (1995)). The field
 *                    acts inside molecules too, C q q (k s - c), and on each site itself, -C q^2 c/2: the
 *                    dielectric answers to all charges in the cavity. These are the terms intramolecular and
 *                    self, as in other programs (GROMACS).
 *   cutoff           C q q/r
 *   none
 *
 * By molecule, all pairs of sites of two molecules count whose first sites are closer than the cutoff; by
 * atom those pairs of sites that are. Lennard-Jones ends as in nonbonded.h.
 *
 * Pair forces are rounded to 2^-44 kcal/mol/A, energies and virial to 2^-36 kcal/mol, those in float to 2^-20
 * and 2^-18, so that sums have the same bits for any number of threads, numbering of the molecules and age of
 * the list.
 *
 * Lists are by the sort of partner, so that a register holds partners of one sort and parameters are scalars,
 * without pairs that are excluded and each up to its own cutoff; a run of water with ions has one list,
 * one stage and one delivery, the float kernel for pairs of waters and the double one for the rest. Ends of
 * lists that do not fill a register wait until there are enough of them. Each pair is computed so that
 * exchanging its molecules changes nothing but the sign. What could leave the range of tables or sums
 * (molecules closer than about 2.1 A in mixed precision, torn bonds, coordinates that are no numbers) is
 * caught and named. By atom, lists reach further by twice the reach of a molecule (2.3 A for TIP3P with bonds
 * a fifth too long), and boxes must be that much larger. */
#ifndef HOLONOM_FORCEFIELDS_SITES_H
#define HOLONOM_FORCEFIELDS_SITES_H

#include "engine/isa.h"
#include "forcefields/ewald.h"
#include "forcefields/list.h"
#include "forcefields/nonbonded.h"
#include "forcefields/stage.h"

typedef struct SitesSums {
  double lj, real;             /* energies, kcal/mol; real: Coulomb between molecules, of any scheme  */
  double intramolecular, self; /* of the reaction field                                               */
  double virial[3][3];         /* the sum over pairs of molecules of d_x F_y: see stage_sums          */
} SitesSums;

typedef struct Sites Sites;

/* For teams of at most so many threads. The particles must outlive it. With `mixed` pairs of waters of the
 * first block are in float by molecule, with sites in the plane and without a reaction field, and so are
 * those of atoms one by one. Errors: STATUS_INPUT (a box too small or too flat for the list's cutoff, options
 * out of range, a cutoff or beta too large for tables in float), STATUS_MEMORY. */
Status sites_create(Sites **out, const Particles *particles, const Box *box, const Nonbonded *options,
                    int threads, Isa isa, Error *error);
void sites_free(Sites *sites);

/* Another box, its images at least twice the lists' cutoff apart, with another list. By one thread. Errors:
 * STATUS_INPUT (it is too flat; the sites are of no use then). */
Status sites_set_box(Sites *sites, const Box *box, Error *error);

/* The longest cutoff that pairs of the list have, A: by atom it is longer by twice the reach of a molecule
 * whose bonds are a fifth too long. */
double sites_list_cutoff(const Sites *sites);

/* Images must be twice this far apart. Pairs of a water and an atom are listed farther off, by the reach of
 * the water; in a narrow box they see each other at the image nearest to the water's first site alone. */
double sites_image_cutoff(const Sites *sites);

/* What the list for them is to be, which tells sorts of molecules apart; with so long buffers, of which the
 * second is for pairs with an atom by itself. Borrows from them. */
ListOptions sites_list(Sites *sites, const Box *box, double buffer, double atoms_buffer);

/* The stage that finds its molecules. */
Status sites_make_stage(const Sites *sites, Stage *stage, Error *error);

/* Where the stage is to put rows for this list; a list that was never made has none. */
StageOut sites_rows(const Sites *sites, const ListView *list);

/* Forces on sites from the rows of now, for delivery behind a barrier; by all threads of a team together,
 * with an error each (or NULL), and the same status for all. The list is one of
 * sites_list. Errors: STATUS_RUN (molecules that overlap, which `state` is looked at for);
 * STATUS_MEMORY. */
Status sites_run(Sites *sites, const Team *team, const ListView *list, const State *state, bool sums,
                 StageForces *forces, Error *error);

/* Of what was run with sums, behind a barrier, by one thread. */
void sites_sums(const Sites *sites, const ListView *list, SitesSums *sums);

#endif
