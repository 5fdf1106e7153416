#include <math.h>
#include <stdlib.h>

#include "observables/convergence.h"
#include "observables/mbar_estimates.h"
#include "observables/verdict.h"

static void say_errors(const MbarEstimates *e, ResultTable *t)
{
  if (e->draws < 2)
    results_say(t, "errors: none, too few blocks");
  else if (e->errors == MBAR_ERRORS_LADDERS)
    results_say(t, "errors: one standard error, by jackknife over %d independent ladders", e->draws);
  else
    results_say(t,
                "errors: one standard error, by bootstrap of %d blocks of time%s\ninefficiency: %.4g "
                "samples, at the slowest temperature%s",
                e->draws,
                e->plateau || e->failed > 0
                    ? ""
                    : "; LOWER BOUNDS: the series is too short for its correlation, errors may be too small",
                e->inefficiency, e->plateau ? "" : "; a lower bound");
  if (e->failed > 0)
    results_say(t, "not solved: %d of these; errors are LOWER BOUNDS, or none. The first: %s", e->failed,
                e->why);
  if (e->draws >= 2 && !verdict_enough(e->draws))
    results_say(t, "tests: none, with fewer than %d independent ladders or blocks", VERDICT_DRAWS);
}

/* Adds the diagnostics. */
static void say_soundness(const MbarEstimates *e, const MbarRequest *r, ResultTable *t)
{
  if (e->odd > 0)
    results_say(t, "left out: %lld energies that are NaN or beyond 1e9 kcal/mol", (long long)e->odd);
  if (!isnan(e->chains.rhat))
    results_say(t, "rhat: %.4g across ladders, of energies at the worst temperature: %s", e->chains.rhat,
                convergence_word(&e->chains));
  if (e->temperatures > 1)
    results_say(
        t, "overlap: %.3g at the narrowest gap, %g to %g K; second eigenvalue of the overlap matrix %.6g",
        e->overlap.least, r->temperature[e->overlap.at], r->temperature[e->overlap.at + 1],
        e->overlap.second);
  if (!isnan(e->consistent))
    results_say(t,
                "scale: %.5g +- %.2g, factor on the temperatures that fits the energies best\nconsistent: p "
                "= %.2g: the temperatures' own mean energies %s with one canonical ensemble",
                *e->scale.value, *e->scale.error, e->consistent,
                verdict_alarms(e->consistent) ? "DISAGREE" : "agree");
}

static void say_peak(const MbarEstimates *e, const MbarRequest *r, int molecules, ResultTable *t)
{
  const MbarNumbers *p = &e->peak;
  const MbarPeak peak = mbar_estimates_peak(e);
  if (peak == MBAR_PEAK_NONE) {
    results_say(t, "peak: none inside that is significantly above both sides");
    return;
  }
  results_say(t,
              "peak: %.5g +- %.2g K, %.5g +- %.2g kcal/mol/K, %.5g +- %.2g k/molecule, %.3g +- %.2g "
              "kcal/mol/K above its sides%s",
              p->value[0], p->error[0], p->value[1], p->error[1], p->value[1] / (r->boltzmann * molecules),
              p->error[1] / (r->boltzmann * molecules), p->value[2], p->error[2],
              peak == MBAR_PEAK_UNTESTED ? "; not tested: too few draws, or errors are lower bounds" : "");
}

const ResultTable *mbar_estimates_table(const MbarEstimates *e, const MbarRequest *r, int molecules,
                                        ResultSet *set)
{
  const double each = 1.0 / (r->boltzmann * molecules);
  const size_t n = (size_t)e->points;
  double *scaled = malloc((2 * n + 1) * sizeof *scaled);
  ResultTable *t = results_add_table(set, "heat_capacity", n);
  if (t == NULL || scaled == NULL) {
    set->failed = true;
    free(scaled);
    return NULL;
  }
  for (size_t p = 0; p < n; p++) {
    scaled[p] = e->heat.value[p] * each;
    scaled[n + p] = e->heat.error[p] * each;
  }
  t->blocks = e->draws;
  t->sound = e->errors == MBAR_ERRORS_LADDERS || e->plateau;
  results_add_column(t, "temperature", r->at, NULL);
  results_add_column(t, e->volumes ? "enthalpy" : "energy", e->energy.value, e->energy.error);
  results_add_column(t, "heat", e->heat.value, e->heat.error);
  results_add_column(t, "heat_per_molecule_k", scaled, scaled + n);
  results_add_column(t, "free", e->free.value, e->free.error);
  if (e->volumes)
    results_add_column(t, "volume", e->volume.value, e->volume.error);
  results_add_column(t, "effective_samples", e->effective, NULL);
  free(scaled);
  results_say(
      t,
      "by MBAR from %d ladder%s of %d temperatures; K, kcal/mol; heat: heat capacity with its kinetic "
      "part; free: -ln Z of configurations, 0 at %g K",
      e->ladders, e->ladders > 1 ? "s" : "", e->temperatures, r->temperature[0]);
  if (e->volumes)
    results_say(t,
                "at constant pressure: enthalpy is U + P V without the kinetic energy, heat its derivative; "
                "volume in A^3");
  say_errors(e, t);
  say_soundness(e, r, t);
  say_peak(e, r, molecules, t);
  return t;
}
