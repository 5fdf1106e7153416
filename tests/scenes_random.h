/* A cluster that is at no minimum: a jittered lattice of random orientations; and a random order. */
#ifndef HOLONOM_TESTS_SCENES_RANDOM_H
#define HOLONOM_TESTS_SCENES_RANDOM_H

#include "engine/kind.h"
#include "engine/random.h"

/* x[nmol][3][3] of a three-site kind; every coordinate is moved by up to `strain` (A) besides, so that
 * molecules are bent and stretched. The same seed gives the same cluster. */
void scenes_random(const Kind *kind, int nmol, unsigned long seed, double strain, double *x);

/* order[n] = the numbers 0..n-1, shuffled. */
void scenes_order(RandomStream *stream, int n, int *order);

#endif
