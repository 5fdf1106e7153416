/* Monte Carlo barostat: one strain of uniform random size, with a symmetric proposal. */
#include "simulation/ensemble/barostat_private.h"

static void propose(BarostatTry *t) { t->x[t->kind] = (2.0 * t->chance[0] - 1.0) * t->size; }

/* ln V of an ideal gas fluctuates by 1/sqrt(N), that of a liquid by less: initial sizes are 0.2 of that. */
const BarostatRow barostat_monte_carlo = {.name = "monte-carlo",
                                          .by_number = true,
                                          .first = 0.2,
                                          .largest = 2.0,
                                          .few = 0.3,
                                          .many = 0.5,
                                          .propose = propose};
