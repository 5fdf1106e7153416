/* A second stepper, slow and simple: what a scheme and descriptions say, one replica, molecule after
 * molecule, in doubles, by textbook algorithms. It knows the engine by those descriptions alone. */
#ifndef HOLONOM_TESTS_PLAIN_STEPPER_H
#define HOLONOM_TESTS_PLAIN_STEPPER_H

#include "engine/description.h"
#include "integrators/scheme.h"

typedef struct PlainStepper PlainStepper;

/* nlane[nkind]: molecules of each kind. All that is given is borrowed. Aborts the test where a description
 * has something that it does not know. */
PlainStepper *plain_create(const Scheme *scheme, int nforce, const ForceDescription *force, const int *nlane,
                           const NoiseDescription *noise);
void plain_free(PlainStepper *stepper);

/* Coordinates of the replica, block after block, [lane][site][dim]. */
int plain_size(const PlainStepper *stepper);
double *plain_positions(PlainStepper *stepper);
double *plain_momenta(PlainStepper *stepper);

/* Fresh momenta, as a walk draws them; forces at the positions; n steps. */
void plain_draw(PlainStepper *stepper);
void plain_prepare(PlainStepper *stepper);
void plain_run(PlainStepper *stepper, int n);

/* Energy that O has put in. */
double plain_heat(const PlainStepper *stepper);

#endif
