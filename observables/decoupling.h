/* Free energies of the states of an alchemical ladder, which decouple a solute from its surroundings: MBAR
 * with the samples of all states, thermodynamic integration, and for neighbouring states the averages from
 * either end and Bennett's acceptance ratio. Free energies are reduced, -ln Z, and relative to the first
 * state (docs/alchemy.md#free-energies-from-the-samples).
 *
 * Errors are by the jackknife, which leaves out one ladder after the other, or, of fewer than 8 ladders, one
 * block of time of a ladder with all its replicas. Replicas move through the states, so correlations are
 * those of continuous replicas: of dU/dlambda, and of the terms of the test of both ends, minus the means of
 * states. Blocks are at least DECOUPLING_BLOCK times as long as the largest inefficiency of a replica; if
 * fewer than VERDICT_DRAWS blocks are left, errors are lower bounds. */
#ifndef HOLONOM_OBSERVABLES_DECOUPLING_H
#define HOLONOM_OBSERVABLES_DECOUPLING_H

#include "base/arena.h"
#include "observables/mbar.h"
#include "observables/reduced_energies.h"
#include "observables/work.h"

enum { DECOUPLING_COULOMB, DECOUPLING_LJ, DECOUPLING_PARAMETERS };
enum { DECOUPLING_BLOCK = 6 };

/* The states, in the order of the ladder. Samples need columns of slopes and replicas. */
typedef struct DecouplingPath {
  int states;
  const double *strength[DECOUPLING_PARAMETERS]; /* [states] */
  int slope[DECOUPLING_PARAMETERS];              /* the parameter's place among the slopes of samples */
  double kT;                                     /* kcal/mol, of all states */
} DecouplingPath;

typedef struct DecouplingColumn {
  double *value, *error; /* [states]; NaN: unknown */
} DecouplingColumn;

typedef struct Decoupling {
  int states, ladders, samples;                  /* samples of each state of each ladder */
  DecouplingColumn free;                         /* by MBAR */
  DecouplingColumn integrated;                   /* by thermodynamic integration */
  DecouplingColumn slope[DECOUPLING_PARAMETERS]; /* mean of dU/dstrength/kT */
  WorkValue leg[DECOUPLING_PARAMETERS]; /* by MBAR, of the states where this strength changes; NaN: nowhere */
  WorkValue half[2];    /* the last state's free energy by MBAR, from each half of the samples */
  WorkValue apart;      /* that by integration minus that by MBAR */
  double trapezoid;     /* the last state's free energy, integrated by the trapezoidal rule */
  WorkEstimates *pair;  /* [states - 1] from each state to the next, kT = 1 */
  double *inefficiency; /* [states] samples for an independent one, mean of the replicas there */
  double slowest;       /* the largest inefficiency of a replica */
  double *matrix;       /* [states][states] overlap (mbar.h) */
  MbarOverlap overlap;
  int units;       /* ladders or blocks behind errors of MBAR and integration */
  bool blocks;     /* units are blocks of time */
  bool sound;      /* false: errors are lower bounds */
  Error why;       /* why there is no result of MBAR; empty: there is one */
  double *ends_p;  /* [states - 1] of the test that both ends of a pair agree, */
  double halves_p; /* that both halves do, */
  double apart_p;  /* and MBAR and integration; all for one family. NaN: not tested */
  Arena arena;
} Decoupling;

/* Analyses the samples. Errors: STATUS_INPUT (no samples), STATUS_MEMORY. */
Status decoupling_create(Decoupling **decoupling, const DecouplingPath *path, ReducedEnergies *const *ladder,
                         int ladders, Error *error);
void decoupling_free(Decoupling *decoupling); /* NULL is allowed */
SCOPED_POINTER(Decoupling, decoupling_free)

/* Whether the test of a pair alarms. It uses works' contrast (work.h), since averages of exponentials have
 * large errors of their own. */
bool decoupling_ends_disagree(const Decoupling *decoupling, int k);

/* Computes the weights of all mean slopes in the free energy of each state relative to the one before,
 * weight[DECOUPLING_PARAMETERS][states][states], in row k the weights of the interval from k - 1 to k. Where
 * one strength changes alone, the slope is the cubic through the four nearest states of that leg (P. E. Gill
 * and G. F. Miller, Comput. J. 15, 80 (1972)), with three states the parabola, with two the line. */
void decoupling_weights(const DecouplingPath *path, double *weight);

/* The strength that changes most from state k on; at the last state, up to it. */
int decoupling_leg(const DecouplingPath *path, int k);

#endif
