/* The buffer of a neighbour list, and how often it is made, from how fast molecules move.
 *
 * A bound on what fast lists miss. Over a time t the site by whose distance pairs are listed moves along any
 * direction by a Gaussian amount of variance at most kT/m t^2 (its velocity correlates with itself at most as
 * at equal times; constraints only lower the variance), so a pair's distance falls by x with a probability of
 * at most Q(x/s), s^2 = 2 kT/m t^2. Uniform density outside the list radius then gives the number of pairs
 * that are within the cutoff and not in the list, of which there are most at the last use; it is stated as a
 * fraction of all pairs within the cutoff. Such a pair is closer to the cutoff than about s^2/buffer. */
#ifndef HOLONOM_FORCEFIELDS_LIST_CHOOSE_H
#define HOLONOM_FORCEFIELDS_LIST_CHOOSE_H

#include "engine/status.h"

typedef struct ListMotion {
  double kT;   /* kcal/mol                          */
  double mass; /* of the listed site, g/mol         */
  double h;    /* time step, AKMA                   */
} ListMotion;

/* The bound: expected pairs missing at the last of `every` uses over pairs within the cutoff. */
double list_choose_missing(const ListMotion *motion, double cutoff, double buffer, int every);

/* The interval and the buffer (A) that make steps cheapest while the bound stays within tolerance. The box
 * must hold: they do not depend on it. Errors: STATUS_INPUT (a tolerance outside (0, 1), motion or cutoff not
 * positive). */
Status list_choose_fast(const ListMotion *motion, double cutoff, double tolerance, double *buffer, int *every,
                        Error *error);

/* The buffer of strict lists of n molecules that makes steps cheapest. Errors: STATUS_INPUT. */
Status list_choose_strict(const ListMotion *motion, double cutoff, int n, double *buffer, Error *error);

#endif
