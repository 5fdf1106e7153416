#include "bench/bench.h"

#include <math.h>

#include "engine/ticks.h"

/* Each figure is the best of so many runs of about so many seconds. */
enum { REPEATS = 3 };
static const double seconds_each = 0.7;

Status bench_rate(Ensemble *ensemble, double *rate, Error *error)
{
  int64_t steps = 64;
  *rate = 0.0;
  for (int i = 0; i < REPEATS;) {
    const double start = ticks_seconds();
    const Status status = ensemble_run(ensemble, ensemble_step(ensemble) + steps, NULL, error);
    if (status != STATUS_OK)
      return status;
    const double took = ticks_seconds() - start;
    if (took < 0.5 * seconds_each) {
      steps = (int64_t)ceil((double)steps * fmin(8.0, 1.1 * seconds_each / fmax(took, 1e-6)));
      continue;
    }
    *rate = fmax(*rate, (double)steps * ensemble_replicas(ensemble) / took);
    i++;
  }
  return STATUS_OK;
}
