/* Reports how much of a difference in energy the time steps explain: a step shifts a mean in proportion to
 * its square, which is no error of either run. */
#include <math.h>

#include "cmd/compare_private.h"
#include "engine/units.h"

/* The energy that the step adds, and the energy extrapolated to zero step; NAN without
 * output.zero_step_every. */
typedef struct StepShift {
  double added, without, error;
} StepShift;

static StepShift shift_of(const CompareRun *run)
{
  const ResultNumber *as_is = results_find(&run->set, "zero_step", "system", "potential"),
                     *zero = results_find(&run->set, "zero_step", "system", "potential_zero_step");
  if (as_is == NULL || zero == NULL || !isfinite(zero->value))
    return (StepShift){NAN, NAN, NAN};
  return (StepShift){as_is->value - zero->value, zero->value, zero->error};
}

void compare_step_print(const Compare *c, const ComparePair *pair, FILE *out)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  if (isfinite(a->w) || isfinite(b->w) || !isfinite(a->h) || !isfinite(b->h) || a->set.reduced ||
      fabs(a->h - b->h) <= 1e-9 * a->h || a->temperatures > 0 || b->temperatures > 0 || pair->ntest == 0)
    return;
  const CompareTest *energy = &pair->test[0];
  const double fs[] = {a->h * UNITS_AKMA_FS, b->h * UNITS_AKMA_FS};
  const StepShift of_a = shift_of(a), of_b = shift_of(b);
  const double step = of_b.added - of_a.added;
  char left[RESULTS_SHOWN];
  if (isfinite(step))
    fprintf(out,
            "; of the difference in energy, %.3g kcal/mol, the time steps of %.3g and %.3g fs explain %.3g; "
            "extrapolated to zero step it is %s",
            energy->mean.difference, fs[0], fs[1], step,
            results_show(left, of_b.without - of_a.without, hypot(of_a.error, of_b.error)));
  else if (energy->verdict == COMPARE_DIFFER)
    fprintf(out,
            "; the time steps, %.3g and %.3g fs, differ, and shift energies in proportion to their squares: "
            "set output.zero_step_every in both inputs to measure that part of the difference",
            fs[0], fs[1]);
}
