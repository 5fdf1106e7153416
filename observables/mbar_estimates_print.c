#include <math.h>

#include "engine/locale.h"
#include "observables/convergence.h"
#include "observables/mbar_estimates.h"
#include "observables/verdict.h"

static void print_errors(const MbarEstimates *e, FILE *file)
{
  if (e->draws < 2)
    fprintf(file, "# errors: none, too few blocks\n");
  else if (e->errors == MBAR_ERRORS_LADDERS)
    fprintf(file, "# errors: one standard error, by jackknife over %d independent ladders\n", e->draws);
  else
    fprintf(file,
            "# errors: one standard error, by bootstrap of %d blocks of time%s\n# inefficiency: %.4g samples "
            "to an independent one, at the slowest temperature%s\n",
            e->draws,
            e->plateau || e->failed > 0
                ? ""
                : "; LOWER BOUNDS: the series is too short for its correlation, errors may be too small",
            e->inefficiency, e->plateau ? "" : "; a lower bound");
  if (e->failed > 0)
    fprintf(file, "# not solved: %d of these; errors are LOWER BOUNDS, or none. The first: %s\n", e->failed,
            e->why);
  if (e->draws >= 2 && !verdict_enough(e->draws))
    fprintf(file, "# tests: none, with fewer than %d independent ladders or blocks\n", VERDICT_DRAWS);
}

/* Whether one can believe it. */
static void print_soundness(const MbarEstimates *e, const MbarRequest *r, FILE *file)
{
  if (e->odd > 0)
    fprintf(file, "# left out: %lld energies that are no number or beyond 1e9 kcal/mol\n", (long long)e->odd);
  if (!isnan(e->chains.rhat))
    fprintf(file, "# rhat: %.4g across ladders, of energies at the worst temperature: %s\n", e->chains.rhat,
            convergence_word(&e->chains));
  if (e->temperatures > 1)
    fprintf(file,
            "# overlap: %.3g at the narrowest passage, %g to %g K; second eigenvalue of the overlap matrix "
            "%.6g\n",
            e->overlap.least, r->temperature[e->overlap.at], r->temperature[e->overlap.at + 1],
            e->overlap.second);
  if (!isnan(e->consistent))
    fprintf(file,
            "# scale: %.5g +- %.2g, factor on the temperatures that fits the energies best\n# consistent: p "
            "= %.2g: the temperatures' own mean energies %s with one canonical ensemble\n",
            *e->scale.value, *e->scale.error, e->consistent,
            verdict_alarms(e->consistent) ? "DISAGREE" : "agree");
}

static void print_peak(const MbarEstimates *e, const MbarRequest *r, int molecules, FILE *file)
{
  const MbarNumbers *p = &e->peak;
  const MbarPeak peak = mbar_estimates_peak(e);
  if (peak == MBAR_PEAK_NONE) {
    fprintf(file, "# peak: none inside that stands above both sides by more than chance\n");
    return;
  }
  fprintf(file,
          "# peak: %.5g +- %.2g K, %.5g +- %.2g kcal/mol/K, %.5g +- %.2g k/molecule, %.3g +- %.2g kcal/mol/K "
          "above its sides%s\n",
          p->value[0], p->error[0], p->value[1], p->error[1], p->value[1] / (r->boltzmann * molecules),
          p->error[1] / (r->boltzmann * molecules), p->value[2], p->error[2],
          peak == MBAR_PEAK_UNTESTED ? "; not tested, errors are too few or lower bounds" : "");
}

void mbar_estimates_print(const MbarEstimates *e, const MbarRequest *r, int molecules, FILE *file)
{
  LOCALE_PLAIN;
  const double each = 1.0 / (r->boltzmann * molecules);
  fprintf(file, "temperature,energy,energy_err,heat,heat_err,heat_per_molecule_k,heat_per_molecule_k_err,"
                "free,free_err,effective_samples\n");
  fprintf(file,
          "# by MBAR from %d ladder%s of %d temperatures; K, kcal/mol; heat: heat capacity with its kinetic "
          "part; free: -ln Z of configurations, 0 at %g K\n",
          e->ladders, e->ladders > 1 ? "s" : "", e->temperatures, r->temperature[0]);
  print_errors(e, file);
  print_soundness(e, r, file);
  print_peak(e, r, molecules, file);
  for (int p = 0; p < e->points; p++)
    fprintf(file, "%.10g,%.10g,%.4g,%.8g,%.4g,%.8g,%.4g,%.10g,%.4g,%.6g\n", r->at[p], e->energy.value[p],
            e->energy.error[p], e->heat.value[p], e->heat.error[p], e->heat.value[p] * each,
            e->heat.error[p] * each, e->free.value[p], e->free.error[p], e->effective[p]);
}
