#include "observables/run_verdicts_alchemy.h"

#include <math.h>

#include "base/text.h"
#include "observables/mbar.h"
#include "observables/verdict.h"

static const char of[] = "alchemy";

/* The fewest independent samples of a state that give its distribution. */
static const double samples_least = 50.0;

typedef struct Judged {
  const ResultSet *set;
  const char *name; /* of the free energy */
  char *words;
  size_t size;
} Judged;

static double number(const Judged *j, const char *name) { return results_value(j->set, of, name); }

/* The free energy's number with this suffix; NULL: none. */
static const ResultNumber *part(const Judged *j, const char *suffix)
{
  char name[64];
  snprintf(name, sizeof name, "%s%s", j->name, suffix);
  return results_find(j->set, of, "", name);
}

static const char *show(const ResultNumber *n, char text[RESULTS_SHOWN])
{
  return results_show(text, n->value, n->error);
}

static ResultLevel missing(const Judged *j)
{
  const ResultNumber *n = results_find(j->set, of, "", "missing");
  const bool some = n != NULL && n->whole > 0;
  if (some)
    text_append(j->words, j->size,
                "A state is missing between %s: their samples hardly overlap (%.2g; at least %g of 0.5). Add "
                "states there.",
                n->note, number(j, "overlap_least"), MBAR_OVERLAP_LEAST);
  else
    text_append(j->words, j->size, "The %.0f alchemical states overlap, by %.2g of 0.5 or more.",
                number(j, "states"), number(j, "overlap_least"));
  return !some ? RESULT_GOOD : part(j, "") != NULL ? RESULT_WARN : RESULT_BAD;
}

static ResultLevel ends(const Judged *j)
{
  const ResultNumber *n = results_find(j->set, of, "", "ends_disagree");
  if (n == NULL || n->whole == 0)
    return RESULT_GOOD;
  text_append(
      j->words, j->size,
      " Samples of both ends contradict each other between %s (p = %.1g): run longer, or add a state there.",
      n->note, number(j, "ends_p"));
  return RESULT_WARN;
}

static ResultLevel halves(const Judged *j)
{
  const ResultNumber *first = part(j, "_first_half"), *second = part(j, "_second_half");
  char text[RESULTS_SHOWN], other[RESULTS_SHOWN];
  if (first == NULL || second == NULL || !verdict_alarms(number(j, "halves_p")))
    return RESULT_GOOD;
  text_append(j->words, j->size,
              " The first half of the samples gives %s kcal/mol, the second %s: the states were not in "
              "equilibrium (output.equilibration).",
              show(first, text), show(second, other));
  return RESULT_WARN;
}

/* Where the slopes bend between states, integration is off and MBAR is not. */
static ResultLevel integration(const Judged *j)
{
  const ResultNumber *free = part(j, ""), *sum = part(j, "_integrated"), *line = part(j, "_trapezoid");
  char text[RESULTS_SHOWN], other[RESULTS_SHOWN];
  if (free == NULL || sum == NULL || line == NULL || !verdict_alarms(number(j, "integration_p")))
    return RESULT_GOOD;
  const bool bends = fabs(sum->value - free->value) < fabs(sum->value - line->value);
  text_append(j->words, j->size, " Integration gives %s kcal/mol and MBAR %s: %s.", show(sum, text),
              show(free, other),
              bends ? "the slopes bend between states, so rely on MBAR, or add states"
                    : "they disagree, and the samples or states do not suffice");
  return bends ? RESULT_NOTE : RESULT_WARN;
}

static ResultLevel samples(const Judged *j)
{
  const double n = number(j, "independent_samples");
  const bool bound = results_says(j->set, of, "errors", "lower bounds");
  if (!bound && n >= samples_least)
    return RESULT_GOOD;
  const ResultNumber *free = part(j, "");
  text_append(
      j->words, j->size, " %s%.3g independent samples of a state%s: run longer.",
      free != NULL && isnan(free->error) ? "There is no error, since the run is too short for one, with "
      : bound ? "Errors are lower bounds, since the run is short for the correlation of its replicas, with "
              : "There are only ",
      n, bound ? "" : ", too few for its distribution");
  return RESULT_WARN;
}

ResultLevel run_verdicts_alchemy(const ResultSet *set, char *words, size_t size)
{
  static ResultLevel (*const matter[])(const Judged *) = {missing, ends, halves, integration, samples};
  const bool whole = results_find(set, of, "", "solvation_integrated") != NULL;
  const Judged j = {set, whole ? "solvation" : "difference", words, size};
  ResultLevel worst = RESULT_GOOD;
  if (results_find(set, of, "", "states") == NULL)
    return RESULT_NOTE;
  for (size_t i = 0; i < sizeof matter / sizeof *matter; i++) {
    const ResultLevel level = matter[i](&j);
    worst = level > worst ? level : worst;
  }
  return worst;
}
