/* Hydrogen bonds, by the geometric criterion: a donor D with a hydrogen H bonds to an acceptor A if they are
 * at most `distance` apart (3.5 A), and the angle H-D-A is at most `angle` (30 degrees) for any hydrogen. A
 * bond is a pair of donor and acceptor. (A. Luzar and D. Chandler, Nature 379, 55 (1996).)
 *
 * With times between samples also autocorrelations, from all bonds of a time origin, h(0) = 1:
 *
 *   C(t) = <h(0) h(t)>/<h>     the bond exists at t, whether or not it was broken in between (intermittent);
 *   S(t) = <h(0) H(t)>/<h>     the bond exists in all samples from 0 to t (continuous);
 *   N(t)                       the bond is broken at t, but D and A are still within the distance.
 *
 * The integral of S is the mean remaining lifetime of an unbroken bond. Luzar and Chandler's rates solve
 * -dC/dt = k C - k' N, by least squares of its time integral; 1/k is the lifetime of a bond. */
#ifndef HOLONOM_OBSERVABLES_HYDROGEN_BONDS_H
#define HOLONOM_OBSERVABLES_HYDROGEN_BONDS_H

#include <stdint.h>

/* Bounds on the input: pairs of selections, and hydrogens of a donor. */
enum { HYDROGEN_BONDS_MOST = 8, HYDROGEN_BONDS_HYDROGENS = 4 };

/* An atom of a sample (block, molecule of the block, site), and the pairs of selections, a bit each, whose
 * first and second selection contain it. */
typedef struct HydrogenBondAtom {
  int block, molecule, site;
  uint32_t first, second;
} HydrogenBondAtom;

typedef struct HydrogenBondDonor {
  HydrogenBondAtom is;
  int nhydrogen, hydrogen[HYDROGEN_BONDS_HYDROGENS]; /* sites of the same molecule */
} HydrogenBondDonor;

/* Donors and acceptors of n pairs of selections, in the order of the system. A bond belongs to pair k if one
 * of its atoms is in the first selection and the other one in the second; both selections may be the same. */
typedef struct HydrogenBondList {
  int n, ndonor, nacceptor;
  const char *const *name; /* [n] */
  const HydrogenBondDonor *donor;
  const HydrogenBondAtom *acceptor;
} HydrogenBondList;

#endif
