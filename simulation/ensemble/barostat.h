/* Constant pressure: between steps the box is strained, and with it the centres of mass of whole molecules.
 *
 * The isothermal-isobaric density of centres in fractions of the box, of orientations and of volumes is
 * V^N exp(-beta (U + P V)), N the number of molecules. A move multiplies the volume by exp(d), by strains
 * that its shape has; it is proposed with a probability density q, and accepted with probability
 *
 *   min(1, exp(-beta (dU + P dV) + (N + 1) d) q_back/q),
 *
 * the one more for the step in ln V, and where edges may lean exp(2 (ln x - ln z)) more, of the stretches of
 * x and z: the measure of lower-triangular edges. Momenta are not in it, and molecules keep their shape: so
 * it goes with every word, constraint method and penalty (theory.md, "Constant pressure"). What is proposed
 * is a row's (barostat_private.h): sizes that know of nothing (barostat_monte_carlo.c), or a step of a
 * diffusion in the pressure's field (barostat_rescale.c).
 *
 * A move is made every `every` steps, before the first step that follows. What is drawn has an address (seed,
 * replica, step), energies are the same bits however they are come by: whether a move is accepted depends on
 * neither threads nor where a run is cut. Sizes are tuned up to the end of equilibration, and stay then: a
 * size that goes on following what it meets would bias the volume.
 *
 * With the last move of equilibration what the input leaves open of the forces (a mesh) is chosen anew, for
 * the mean box of the second half of equilibration, and stays. Where the barostat acts in equilibration
 * alone, the system has that box from then on: the volume of a moment scatters by sqrt(kT kappa/V) of itself,
 * which in a liquid is hundreds of bar. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_H
#define HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_H

#include "simulation/ensemble/move.h"

typedef enum BarostatShape {
  BAROSTAT_ISOTROPIC, /* all edges alike        */
  BAROSTAT_XY_Z,      /* x and y alike, or z    */
  BAROSTAT_AXES,      /* one of the three       */
  BAROSTAT_CELL       /* all, and their leans   */
} BarostatShape;

enum { BAROSTAT_MOVES = 6 }; /* strains that a shape has at most, and sorts of move */

typedef struct BarostatOptions {
  int type;                     /* ConfigBarostat */
  double pressure;              /* kcal/mol/A^3 */
  double kT;                    /* kcal/mol     */
  int64_t every;                /* steps        */
  double timestep;              /* AKMA, ...    */
  double compressibility, time; /* A^3 mol/kcal, AKMA: of BAROSTAT_RESCALE */
  BarostatShape shape;
  Box start;             /* whose edges means are of: box_follow */
  int64_t equilibration; /* steps up to which sizes are tuned, and whose moves are not counted */
  bool ends;             /* and after which the box stays */
  uint64_t seed;
} BarostatOptions;

typedef struct Barostat Barostat;

/* Borrows the ensemble, of boxes closed in all directions that are by themselves (width 1), and the topology.
 * Errors: STATUS_MEMORY. */
Status barostat_create(Barostat **barostat, const BarostatOptions *options, Ensemble *ensemble,
                       const Topology *topology, Error *error);
void barostat_free(Barostat *barostat); /* NULL is fine */

const BarostatOptions *barostat_options(const Barostat *barostat);
const char *barostat_name(const Barostat *barostat);

/* kT of a replica from now on, kcal/mol; at first that of the options. */
void barostat_set_temperature(Barostat *barostat, int replica, double kT);

/* A move of each replica at work. A box that is too small for the cutoff is turned down. Errors: those of the
 * forces; STATUS_RUN where more than one move in eleven comes to such a box. */
Move barostat_move(Barostat *barostat);

/* What a replica's moves of one sort were after equilibration: how many, how many accepted; and their size
 * now. */
typedef struct BarostatMoves {
  int64_t tried, accepted;
  double size;
} BarostatMoves;
int barostat_kinds(const Barostat *barostat);
BarostatMoves barostat_moves(const Barostat *barostat, int replica, int kind);
/* How many of a replica's moves, since the start, were turned down because the forces cannot have their box.
 */
int64_t barostat_impossible(const Barostat *barostat, int replica);

/* The error of forces, kcal/mol/A, that was expected where a replica's mesh was chosen, and the largest that
 * its boxes had after equilibration; zeros without a mesh. */
typedef struct BarostatErrors {
  double chosen, largest;
} BarostatErrors;
BarostatErrors barostat_errors(const Barostat *barostat, int replica);

#endif
