/* The force of water on water in a periodic rectangular box: Lennard-Jones between oxygens and the real-space
 * part of an Ewald sum, erfc(beta r)/r, between all charges, for pairs of molecules whose oxygens are closer
 * than the cutoff. The negative charge may sit on a massless site M on the bisector (TIP4P): x_M is a fixed
 * sum of the atoms' positions, and the force on it goes to them by the same weights.
 *
 * In mixed precision: pairs are computed in float, energies to about 1e-6 of their terms without signs; in
 * double sites.h has them. Positions are oxygens in fractions of the box (see list.h) and hydrogens relative
 * to them. Forces are rounded to integers, of 2^-20 kcal/mol/A, pair by pair, so that their sums, energies
 * and virial too, have the same bits for any order of pairs: for any number of threads, numbering of
 * molecules, and age of the list. */
#ifndef HOLONOM_FORCEFIELDS_BULK_H
#define HOLONOM_FORCEFIELDS_BULK_H

#include "engine/isa.h"
#include "engine/state.h"
#include "engine/team.h"
#include "forcefields/ewald.h"
#include "forcefields/list.h"
#include "forcefields/stage_kernels.h"
#include "forcefields/water.h"

typedef struct BulkOptions {
  const WaterModel *model;
  double length[3]; /* of the box, A                                  */
  double cutoff;    /* between oxygens, A                             */
  double beta;      /* of the Ewald sum, 1/A; 0: plain Coulomb        */
  int threads;      /* at most so many in a team                           */
  Isa isa;
  EwaldTruncation truncation; /* of Lennard-Jones                               */
  double lj_switch;           /* rs of EWALD_SWITCH, A                          */
  bool switch_molecules; /* with EWALD_SWITCH: all of a pair of molecules, the real-space Coulomb part too, is
                          * switched off, so that its energy is conserved strictly */
} BulkOptions;

typedef struct BulkSums {
  double lj, real;     /* energies, kcal/mol */
  double virial[3][3]; /* by atom: the sum over pairs of atoms of r_x f_y, kcal/mol. By molecule it is this
                        * less the sum over atoms of (r - R)_x f_y, R the centre of mass, f the forces of
                        * bulk_add. */
} BulkSums;

typedef struct Bulk Bulk;

/* For n molecules. Errors: STATUS_INPUT (a switch beyond the cutoff;
 * a cutoff or beta too large for the tables), STATUS_MEMORY. */
Status bulk_create(Bulk **out, const BulkOptions *options, int n, Error *error);
void bulk_free(Bulk *bulk);

/* Another box, at least two cutoffs long, from the next making of a list on. By one thread. */
void bulk_set_box(Bulk *bulk, const double length[3]);

/* The calls below are made by all threads of a team together, with an error each (or NULL); all get the same
 * status. block: n molecules O, H, H of a state of width 1. */

/* o[n][4], unless NULL, = the oxygens in fractions of the box, and charged sites go to `mesh`, unless NULL;
 * where the list has been made, bulk_add has then no second look at the positions unless the list is made
 * again in between (list may be NULL; what the team calls next is list_update or list_moved). Errors:
 * STATUS_RUN (a coordinate is not finite or absurdly large; a bond of more than one and a half times its
 * length). */
Status bulk_stage(Bulk *bulk, const Team *team, const ListView *list, const Block *block, int32_t (*o)[4],
                  const StageMesh *mesh, Error *error);

/* block->f += forces; *sums, unless NULL, is overwritten by the first thread. The list holds at least all
 * pairs within the cutoff. Errors: those of bulk_stage; STATUS_RUN (molecules closer than the tables or the
 * range of the sums allow): f is then of no use. */
Status bulk_add(Bulk *bulk, const Team *team, const ListView *list, Block *block, BulkSums *sums,
                Error *error);

#endif
