/* The Ewald sum of a description's charges in a conductor, by loops over images and waves until nothing is
 * left: it knows the splitting of no mesh, and needs none. */
#ifndef HOLONOM_TESTS_PLAIN_EWALD_H
#define HOLONOM_TESTS_PLAIN_EWALD_H

#include <stdbool.h>

#include "engine/description.h"

/* Whether charges interact by such a sum. */
bool plain_ewald_sums(const CutoffDescription *cutoff);

/* force[nsite][3] += that on the sites at x[nsite][3]. Excluded pairs do not interact. */
void plain_ewald(const PairsDescription *pairs, const double (*box)[3], const double (*x)[3],
                 double (*force)[3]);

#endif
