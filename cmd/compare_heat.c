/* Heated penalties (docs/statistics.md): reads a run's verdict from its set. Runs with heated penalties
 * never count as equal to another run. */
#include <math.h>
#include <string.h>

#include "cmd/compare_private.h"

void compare_heat_read(CompareRun *run)
{
  const ResultSet *s = &run->set;
  run->heat = (CompareHeat){.energy = results_value(s, "", "penalty"),
                            .energy_error = results_error(s, "", "penalty"),
                            .at = results_value(s, "", "penalty_temperature"),
                            .due = results_value(s, "", "penalty_equipartition"),
                            .expected = results_value(s, "", "penalty_heat_expected"),
                            .heat = results_value(s, "", "penalty_heat"),
                            .heat_error = results_error(s, "", "penalty_heat"),
                            .allowed = results_value(s, "", "penalty_heat_allowed"),
                            .heated = NAN};
  if (!isnan(run->heat.allowed))
    run->heat.heated = results_says(s, "", "penalty_heated", "yes");
}

static bool heated(const Compare *c, const ComparePair *pair)
{
  return c->run[pair->a].heat.heated > 0.0 || c->run[pair->b].heat.heated > 0.0;
}

void compare_heat_judge(const Compare *c, ComparePair *pair)
{
  if (heated(c, pair) && pair->verdict < COMPARE_HEATED)
    pair->verdict = COMPARE_HEATED;
}

static void print_measured(double value, double error, FILE *out)
{
  char number[RESULTS_SHOWN], width[RESULTS_SHOWN];
  fprintf(out, isfinite(error) ? "%s +- %s" : "%s", results_show_value(number, value, error),
          results_show_error(width, value, error));
}

/* Prints the measured heat, else the predicted one. */
static void print_heat(const CompareHeat *heat, FILE *out)
{
  if (isfinite(heat->heat)) {
    print_measured(heat->heat, heat->heat_error, out);
    fputs(" kcal/mol", out);
  } else if (isfinite(heat->expected))
    fprintf(out, "%.3g kcal/mol (predicted)", heat->expected);
  else
    fputs("an unknown amount", out);
  if (isfinite(heat->at))
    fprintf(out, " at %.5g K", heat->at);
}

void compare_heat_print(const Compare *c, const ComparePair *pair, FILE *out)
{
  const int run[] = {pair->a, pair->b};
  for (int k = 0; k < 2; k++)
    if (c->run[run[k]].heat.heated > 0.0) {
      fprintf(out, "; the step heats the penalties of %s by ", c->run[run[k]].label);
      print_heat(&c->run[run[k]].heat, out);
    }
}

void compare_heat_cause(const Compare *c, const ComparePair *pair, const CompareTest *t, FILE *out)
{
  StatisticsWelch there;
  double r;
  const CompareHeat *a = &c->run[pair->a].heat, *b = &c->run[pair->b].heat;
  const double at = b->heated > 0.0 ? b->at : a->at;
  if (!heated(c, pair) || t == NULL || t->kind != COMPARE_CURVE || strstr(t->name, "energy") == NULL ||
      !isfinite(at) || !compare_curve_search(t, at, &there, &r))
    return;
  const double heat = (b->heated > 0.0 ? b->heat : 0.0) - (a->heated > 0.0 ? a->heat : 0.0),
               share = heat / there.difference;
  if (share > 0.5 && share < 2.0)
    fprintf(out, "; at %.5g K, %.3g of the %.3g kcal/mol are the heat of the step", at, heat,
            there.difference);
}
