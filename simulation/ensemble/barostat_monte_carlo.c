/* One strain of a size that knows of nothing: as probable there as back. */
#include "simulation/ensemble/barostat_private.h"

static void propose(BarostatTry *t) { t->x[t->kind] = (2.0 * t->chance[0] - 1.0) * t->size; }

/* An ideal gas's ln V scatters by 1/sqrt(N), a liquid's by less: moves begin with 0.2 of it. */
const BarostatRow barostat_monte_carlo = {.name = "monte-carlo",
                                          .by_number = true,
                                          .first = 0.2,
                                          .largest = 2.0,
                                          .few = 0.3,
                                          .many = 0.5,
                                          .propose = propose};
