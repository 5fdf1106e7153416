/* What the penalties of runs hold beside what they should, for compare.h: read from summaries, where
 * docs/statistics.md says how a run judges it. Runs whose penalties are heated never count as equal to
 * another. */
#include <math.h>
#include <string.h>

#include "cmd/compare_private.h"

void compare_heat_read(CompareRun *run)
{
  const Summary *s = run->summary;
  const char *heated = summary_value(s, "penalty_heated");
  run->heat = (CompareHeat){.energy = summary_number(s, "penalty"),
                            .energy_error = summary_number(s, "penalty_err"),
                            .at = summary_number(s, "penalty_temperature"),
                            .due = summary_number(s, "penalty_equipartition"),
                            .expected = summary_number(s, "penalty_heat_expected"),
                            .heat = summary_number(s, "penalty_heat"),
                            .heat_error = summary_number(s, "penalty_heat_err"),
                            .allowed = summary_number(s, "penalty_heat_allowed"),
                            .heated = heated != NULL && strcmp(heated, "yes") == 0};
}

static bool heated(const Compare *c, const ComparePair *pair)
{
  return c->run[pair->a].heat.heated || c->run[pair->b].heat.heated;
}

void compare_heat_judge(const Compare *c, ComparePair *pair)
{
  if (heated(c, pair) && pair->verdict < COMPARE_HEATED)
    pair->verdict = COMPARE_HEATED;
}

static void print_measured(double value, double error, FILE *out)
{
  char number[HTML_NUMBER], width[HTML_NUMBER];
  fprintf(out, isfinite(error) ? "%s +- %s" : "%s", html_value(number, value, error),
          html_error(width, value, error));
}

/* What there is of heat, measured or else predicted. */
static void print_heat(const CompareHeat *heat, FILE *out)
{
  if (isfinite(heat->heat)) {
    print_measured(heat->heat, heat->heat_error, out);
    fputs(" kcal/mol", out);
  } else if (isfinite(heat->expected))
    fprintf(out, "%.3g kcal/mol, as predicted", heat->expected);
  else
    fputs("more than can be said", out);
  if (isfinite(heat->at))
    fprintf(out, " at %.5g K", heat->at);
}

void compare_heat_say(const Compare *c, const ComparePair *pair, FILE *out)
{
  const int run[] = {pair->a, pair->b};
  for (int k = 0; k < 2; k++)
    if (c->run[run[k]].heat.heated) {
      fprintf(out, "; the step heats the penalties of %s by ", c->run[run[k]].label);
      print_heat(&c->run[run[k]].heat, out);
    }
}

void compare_heat_cause(const Compare *c, const ComparePair *pair, const CompareTest *t, FILE *out)
{
  StatisticsWelch there;
  const CompareHeat *a = &c->run[pair->a].heat, *b = &c->run[pair->b].heat;
  const double at = b->heated ? b->at : a->at;
  if (!heated(c, pair) || t == NULL || t->kind != COMPARE_CURVE || strncmp(t->name, "energy", 6) != 0 ||
      !compare_curve_at(c, pair, t, at, &there))
    return;
  const double heat = (b->heated ? b->heat : 0.0) - (a->heated ? a->heat : 0.0),
               share = heat / there.difference;
  if (share > 0.5 && share < 2.0)
    fprintf(out, "; at %.5g K %.3g of the %.3g kcal/mol are the heat of the step", at, heat,
            there.difference);
}

void compare_heat_print(const Compare *c, FILE *out)
{
  for (int i = 0; i < c->n; i++) {
    const CompareHeat *heat = &c->run[i].heat;
    if (isnan(heat->allowed))
      continue;
    fprintf(out, "%spenalties of %s", heat->heated ? "warning: " : "", c->run[i].label);
    if (isfinite(heat->at))
      fprintf(out, " at %.5g K", heat->at);
    fputs(isfinite(heat->energy) ? " hold " : " should hold", out);
    if (isfinite(heat->energy)) {
      print_measured(heat->energy, heat->energy_error, out);
      fputs(",", out);
    }
    fprintf(out, " %.3g by equipartition", heat->due);
    if (isfinite(heat->heat)) {
      fputs("; heat ", out);
      print_measured(heat->heat, heat->heat_error, out);
    }
    fprintf(out, "; by the step's own prediction %.3g of heat, %.3g is allowed (kcal/mol)\n",
            isfinite(heat->expected) ? heat->expected : INFINITY, heat->allowed);
  }
}

void compare_heat_numbers(const CompareRun *run, double x[COMPARE_HEAT_NUMBERS])
{
  const CompareHeat *heat = &run->heat;
  const double all[COMPARE_HEAT_NUMBERS] = {heat->energy,
                                            heat->energy_error,
                                            heat->due,
                                            heat->expected,
                                            heat->heat,
                                            heat->heat_error,
                                            isnan(heat->allowed) ? NAN : heat->heated};
  memcpy(x, all, sizeof all);
}

void compare_heat_table(const Compare *c, const char *id, Html *html)
{
  static const char *const heading[] = {"Run",
                                        "At (K)",
                                        "Energy of penalties (kcal/mol)",
                                        "Error",
                                        "Equipartition (kcal/mol)",
                                        "Heat by the step's prediction (kcal/mol)",
                                        "Heat measured (kcal/mol)",
                                        "Error",
                                        "Heat allowed (kcal/mol)",
                                        "Heated"};
  int n = 0;
  for (int i = 0; i < c->n; i++)
    n += !isnan(c->run[i].heat.allowed);
  if (n == 0)
    return;
  html_table(html, id, 10, "lrrrrrrrrl", heading);
  for (int i = 0; i < c->n; i++) {
    const CompareHeat *heat = &c->run[i].heat;
    char t[8][HTML_NUMBER];
    if (isnan(heat->allowed))
      continue;
    html_row(html,
             (const char *[]){c->run[i].label, html_number(t[0], "%.5g", heat->at),
                              html_value(t[1], heat->energy, heat->energy_error),
                              html_error(t[2], heat->energy, heat->energy_error),
                              html_number(t[3], "%.3g", heat->due), html_number(t[4], "%.3g", heat->expected),
                              html_value(t[5], heat->heat, heat->heat_error),
                              html_error(t[6], heat->heat, heat->heat_error),
                              html_number(t[7], "%.3g", heat->allowed), heat->heated ? "yes" : "no"});
  }
  html_table_end(html);
}
