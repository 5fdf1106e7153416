/* Constant pressure: moves between steps strain the box, and with it the centres of mass of whole molecules.
 *
 * The isothermal-isobaric density of fractional centres, orientations and volumes is V^N exp(-beta (U + P V))
 * for N molecules. A move changes the volume by a factor exp(d), by strains of its shape. It is proposed with
 * a probability density q and accepted with probability
 *
 *   min(1, exp(-beta (dU + P dV) + (N + 1) d) q_back/q).
 *
 * The additional one stems from the step in ln V. Where edges may lean there is a factor exp(2 (ln x - ln z))
 * of the stretches of x and z, the measure of lower-triangular edges. Momenta do not enter and molecules are
 * not deformed, so the barostat works with every word, constraint method and penalty (theory.md, "Constant
 * pressure"). A row (barostat_private.h) makes proposals: of random size (barostat_monte_carlo.c), or a step
 * of a diffusion driven by the pressure (barostat_rescale.c).
 *
 * Moves are made every `every` steps, before the next step. Random numbers are addressed by seed, replica and
 * step, and energies have the same bits however computed, so acceptance depends neither on threads nor on how
 * a run is split. Sizes are tuned until the end of equilibration only, since later tuning would bias the
 * volume.
 *
 * At the last move of equilibration, settings of the forces that the input leaves open (a mesh) are chosen
 * for the mean box of the second half of equilibration, and stay. If the barostat acts only during
 * equilibration, the system has that mean box from then on: an instantaneous volume fluctuates by a fraction
 * sqrt(kT kappa/V), which in a liquid means hundreds of bar. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_H
#define HOLONOM_SIMULATION_ENSEMBLE_BAROSTAT_H

#include "simulation/ensemble/move.h"

typedef enum BarostatShape {
  BAROSTAT_ISOTROPIC, /* all edges equally */
  BAROSTAT_XY_Z,      /* x and y equally, or z */
  BAROSTAT_AXES,      /* one of the three edges */
  BAROSTAT_CELL       /* edges and tilts */
} BarostatShape;

enum { BAROSTAT_MOVES = 6 }; /* largest number of strains of a shape, and of move types */

typedef struct BarostatOptions {
  int type;                     /* ConfigBarostat */
  double pressure;              /* kcal/mol/A^3 */
  bool pressures;               /* a ladder exchanges pressures */
  double kT;                    /* kcal/mol */
  int64_t every;                /* steps */
  double timestep;              /* AKMA, ... */
  double compressibility, time; /* A^3 mol/kcal, AKMA: of BAROSTAT_RESCALE */
  BarostatShape shape;
  Box start;             /* defines the edges for means: box_follow */
  int64_t equilibration; /* steps of tuning, whose moves are not counted */
  bool ends;             /* the box is fixed after equilibration */
  uint64_t seed;
} BarostatOptions;

typedef struct Barostat Barostat;

/* Makes a barostat. Ensemble (fully periodic boxes, width 1) and topology must outlive it. Errors:
 * STATUS_MEMORY. */
Status barostat_create(Barostat **barostat, const BarostatOptions *options, Ensemble *ensemble,
                       const Topology *topology, Error *error);
void barostat_free(Barostat *barostat); /* may be NULL */

const BarostatOptions *barostat_options(const Barostat *barostat);
const char *barostat_name(const Barostat *barostat);

/* Sets the kT of a replica, kcal/mol; initially that of the options. */
void barostat_set_temperature(Barostat *barostat, int replica, double kT);

/* Sets or reads the pressure of a replica, kcal/mol/A^3; initially that of the options. It is part of a
 * checkpoint with options.pressures only. */
void barostat_set_pressure(Barostat *barostat, int replica, double pressure);
double barostat_pressure(const Barostat *barostat, int replica);

/* Discards the stored energy of a replica, after a change of its forces. */
void barostat_forget(Barostat *barostat, int replica);

/* A move of each active replica. A box too small for the cutoff is rejected. Errors: those of the forces;
 * STATUS_RUN: more than one move in eleven gives such a box. */
Move barostat_move(Barostat *barostat);

/* A replica's moves of one type after equilibration: attempts, acceptances, and the present size. */
typedef struct BarostatMoves {
  int64_t tried, accepted;
  double size;
} BarostatMoves;
int barostat_kinds(const Barostat *barostat);
BarostatMoves barostat_moves(const Barostat *barostat, int replica, int kind);
/* The number of a replica's moves since the start that were rejected because the forces cannot use their
 * box. */
int64_t barostat_impossible(const Barostat *barostat, int replica);

/* The expected error of a replica's forces, kcal/mol/A, when its mesh was chosen, and the largest for its
 * boxes after equilibration; zeros without a mesh. */
typedef struct BarostatErrors {
  double chosen, largest;
} BarostatErrors;
BarostatErrors barostat_errors(const Barostat *barostat, int replica);

#endif
