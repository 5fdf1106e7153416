/* Converts the atoms of a state to the input of lists, pair kernels and the mesh, and forces on sites back
 * to forces on atoms, by one pass over the packs each, for all kinds.
 *
 * Each individual atom (atoms.h) is a molecule here, with a row of its own.
 *
 * A molecule's first site becomes 32-bit fractions of the box (list.h); its other sites, virtual ones
 * included, become vectors from it. Rows are in the order of a list, sites of the mesh in that of the
 * packs. One test detects molecules at infinite coordinates or with torn bonds, and groups that reach over
 * half the box.
 *
 * Delivery subtracts the mesh's interaction of pairs inside molecules, with its energy and virial. The
 * virial is that of all atoms less the mesh's own, of charged sites under its forces. Rows are written a
 * second time only if the list is rebuilt. If a word applies slow forces separately, each group of forces is
 * staged and delivered when it is due. */
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
  const int *first; /* [nblock + 1] the particles' */
  double stretch;
  int64_t sums[STAGE_SHARES][STAGE_SUMS]; /* by share, for any thread */
} Stage;

/* For these particles, which are borrowed; bonds of waters may be `stretch` times their length at rest. Each
 * call below reads the box. Errors, after which nothing needs freeing: STATUS_MEMORY. */
Status stage_init(Stage *stage, const Particles *particles, double stretch, const Box *box, Isa isa,
                  Error *error);
void stage_free(Stage *stage); /* all zero is allowed */

/* All threads of a team make the calls below together, each between two barriers; any thread may process any
 * molecule. block[nblock] of a state of width 1. */

/* Writes positions to `out`. Each thread has an error (or NULL); all get the same status. Errors: STATUS_RUN
 * (a coordinate is not finite or absurdly large, a bond is stretched too far); the message names the
 * molecule. */
Status stage_run(const Stage *stage, const Team *team, const State *state, const StageOut *out, Error *error);

/* f of the blocks += the forces on the sites, for all forces at once, less the mesh's net force in proportion
 * to mass. `sums`: also computes stage_sums. */
void stage_deliver(Stage *stage, const Team *team, const StageForces *forces, Block *block, bool sums);

/* The sums of the delivery, after a barrier: *inside = the mesh's energy of pairs inside molecules. virial
 * changes from the sum over pairs of molecules of d_x F_y, d the vector of their first sites, plus that of
 * the mesh, to the atomic virial, symmetric. */
void stage_sums(const Stage *stage, double *inside, double (*virial)[3]);

/* The sum of n numbers with `bits` fractional bits, `stride` apart, rounded once. It may exceed 64 bits: a
 * chunk of a list or a share of molecules fits in one number, the sum over a large box may not. */
double stage_total(const int64_t *x, size_t stride, int n, int bits);

#endif
