/* From the atoms of a state to what lists, pair kernels and the mesh read, and from forces on sites back to
 * atoms: one pass over the packs each, whatever the kinds are.
 *
 * Atoms that come one by one (atoms.h) are each a molecule, and a row, of their own; below, molecules are
 * rows.
 *
 * A molecule's first site goes to 32-bit fractions of the box (list.h), its other sites, virtual ones too, to
 * vectors from there. Rows lie in the order of a list; sites of the mesh in that of the packs. One test finds
 * molecules that are nowhere or torn, and groups of atoms that reach over half the box.
 *
 * Forces on sites go back to atoms less what the mesh holds of pairs inside molecules, with what all that is
 * in energy and virial. The virial is that of atoms, less that of charged sites under the forces of the mesh,
 * which knows its own. Rows are made a second time only where the list is. Where a word kicks with slow
 * forces apart, each group is staged and delivered when it is due. */
#ifndef HOLONOM_FORCEFIELDS_STAGE_H
#define HOLONOM_FORCEFIELDS_STAGE_H

#include <stdbool.h>

#include "engine/state.h"
#include "engine/team.h"
#include "forcefields/particles.h"
#include "forcefields/stage_kernels.h"

enum { STAGE_SHARES = 128 };

typedef struct Stage {
  StageFrame frame;
  int nblock;
  StageKind *kind;  /* [nblock] */
  const int *first; /* [nblock + 1] that of the particles */
  double stretch;
  int64_t sums[STAGE_SHARES][STAGE_SUMS]; /* whoever works on a share */
} Stage;

/* For these particles, which are borrowed; bonds of waters may be `stretch` times as long as at rest. The box
 * is read by every call below. Errors, after which there is nothing to free: STATUS_MEMORY. */
Status stage_init(Stage *stage, const Particles *particles, double stretch, const Box *box, Isa isa,
                  Error *error);
void stage_free(Stage *stage); /* all zero is fine */

/* The calls below are made by all threads of a team together, each between two barriers: who has moved a
 * molecule does not matter. block[nblock] of a state of width 1. */

/* Positions to where `out` says, with an error each (or NULL); all get the same status. Errors: STATUS_RUN (a
 * coordinate is not finite or absurdly large, a bond is stretched too far); the message names the molecule.
 */
Status stage_run(const Stage *stage, const Team *team, const State *state, const StageOut *out, Error *error);

/* f of the blocks += the forces on the sites, for all that acts on them at once, less the net force of the
 * mesh in proportion to mass. With `sums` what stage_sums says. */
void stage_deliver(Stage *stage, const Team *team, const StageForces *forces, Block *block, bool sums);

/* What delivery knows of energy and virial, behind a barrier: *inside = the energy of what the mesh held of
 * pairs inside molecules; virial, which is the sums over pairs of molecules of d_x F_y, d the vector of their
 * first sites, and the mesh's own, becomes that of atoms, symmetric. */
void stage_sums(const Stage *stage, double *inside, double (*virial)[3]);

/* The sum of n numbers with so many bits behind the point, each `stride` further, rounded once. It may have
 * more than 64 bits: each chunk of a list and each share of the molecules has a number that holds its own,
 * those of a large box together need not. */
double stage_total(const int64_t *x, size_t stride, int n, int bits);

#endif
