/* The buffer of a neighbour list, and how often it is made, from how fast molecules move.
 *
 * A bound on what fast lists miss. Over a time t the site by whose distance pairs are listed moves along any
 * direction by a Gaussian amount of variance at most kT/m t^2 (its velocity correlates with itself at most as
 * at equal times; constraints only lower the variance), so a pair's distance falls by x with a probability of
 * at most Q(x/s), s^2 = 2 kT/m t^2. Uniform density outside the list radius then gives the number of pairs
 * that are within the cutoff and not in the list, of which there are most at the last use; it is stated as a
 * fraction of all pairs within the cutoff. Such a pair is closer to the cutoff than about s^2/buffer.
 *
 * A bound on the drift of energy that this makes. A pair that has come x inside the cutoff unseen has done so
 * without its force, and lacks L(x) = |V(rc - x) - V(rc)| when the next list finds it; all of them are
 * counted with the same sign, so the drift is at most half of
 *
 *   4 pi rc^2 density * integral of L(x) Q((b + x)/s) over x
 *
 * a molecule and list (Verlet's buffer as in Pall and Hess, Comput. Phys. Commun. 184, 2641 (2013), with
 * molecules for atoms and all of L for its first derivatives). */
#ifndef HOLONOM_FORCEFIELDS_LIST_CHOOSE_H
#define HOLONOM_FORCEFIELDS_LIST_CHOOSE_H

#include "engine/status.h"

typedef struct ListMotion {
  double kT;   /* kcal/mol                          */
  double mass; /* of the listed site, g/mol         */
  double h;    /* time step, AKMA                   */
  double cost; /* time to make a list over that of a force evaluation with it; 0: 0.35, of water in float */
} ListMotion;

enum { LIST_LOSSES = 24 };

/* What pairs lose that come inside the cutoff unseen. */
typedef struct ListLoss {
  double density;            /* molecules per A^3                                                      */
  double freedom;            /* degrees of freedom of a molecule                                       */
  double depth[LIST_LOSSES]; /* rising from 0, A; list_choose_depths                                   */
  double lost[LIST_LOSSES];  /* means of |V(rc - depth) - V(rc)| over pairs, kcal/mol; linear between */
} ListLoss;

/* Depths as they are wanted: dense near 0, to 2.5 A. */
void list_choose_depths(double depth[LIST_LOSSES]);

/* The bound: expected pairs missing at the last of `every` uses over pairs within the cutoff. */
double list_choose_missing(const ListMotion *motion, double cutoff, double buffer, int every);

/* The bound on the drift, kT per ns and degree of freedom, of lists that are used for `every` steps: from the
 * positions at the beginning of the first to those at the end of the last. */
double list_choose_drift(const ListMotion *motion, const ListLoss *loss, double cutoff, double buffer,
                         int every);

/* The interval and the buffer (A) that make steps cheapest while that bound stays within drift; a buffer that
 * is not 0 is kept. Errors: STATUS_INPUT (motion, cutoff or drift not positive; no interval will do). */
Status list_choose_drifting(const ListMotion *motion, const ListLoss *loss, double cutoff, double drift,
                            double *buffer, int *every, Error *error);

/* The buffer of strict lists of n molecules that makes steps cheapest. Errors: STATUS_INPUT. */
Status list_choose_strict(const ListMotion *motion, double cutoff, int n, double *buffer, Error *error);

#endif
