#include "observables/run_verdicts_biases.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "observables/mbar.h"
#include "observables/verdict.h"
#include "observables/work.h"

/* --- windows ------- */

ResultLevel run_verdicts_biases_windows(const ResultSet *set, char *words, size_t size)
{
  static const char of[] = "free_energy", subject[] = "windows";
  const ResultNumber *number = results_find(set, of, subject, "number"),
                     *parts = results_find(set, of, subject, "parts"),
                     *least = results_find(set, of, subject, "overlap_least"),
                     *starts = results_find(set, of, subject, "starts");
  if (number == NULL || parts == NULL || starts == NULL)
    return RESULT_NOTE;
  const bool apart = parts->value > 1.0, exchange = strcmp(starts->note, "exchange") == 0;
  if (apart)
    text_append(words, size,
                "The %.0f umbrella windows fall into %.0f parts without overlap, so free energies of one "
                "part relative "
                "to another are unknown: add windows %s.",
                number->value, parts->value, parts->note);
  else if (number->value > 1.0) {
    text_append(words, size, "The %.0f umbrella windows overlap", number->value);
    if (least != NULL)
      text_append(words, size, "; the least overlap of neighbours is %.2g of 0.5", least->value);
    text_append(words, size, ".");
  }
  if (number->value > 1.0 && !exchange && starts->value < 2.0)
    text_append(
        words, size,
        " All windows began from one start and do not exchange, so they are no independent evidence: run "
        "them "
        "again from the other end of the coordinate (system.file), and compare both runs (holonom compare).");
  return apart                                                      ? RESULT_WARN
         : number->value > 1.0 && (exchange || starts->value > 1.0) ? RESULT_GOOD
                                                                    : RESULT_NOTE;
}

/* --- pulls ------- */

/* A number of the group `pull`; number i of a list with one for each path. */
static double of_path(const ResultSet *set, const char *name, int i)
{
  const ResultNumber *n = results_find(set, "pull", "", name);
  return n == NULL                 ? NAN
         : n->kind == RESULT_LIST  ? (i < n->n ? n->values[i] : NAN)
         : n->kind == RESULT_WHOLE ? (double)n->whole
                                   : n->value;
}

/* Whether the replicas of a path suffice for its free energy. */
static bool suffices(const ResultSet *set, int path)
{
  const double n = of_path(set, "replicas", path), back = of_path(set, "replicas_back", path);
  return back > 0.0 ? of_path(set, "overlap", path) >= MBAR_OVERLAP_LEAST && fmin(n, back) >= VERDICT_DRAWS
                    : n >= VERDICT_DRAWS && work_enough(of_path(set, "dissipated_kT", path), 1.0, (int)n);
}

static void append_path(const ResultSet *set, int path, char *words, size_t size)
{
  const double n = of_path(set, "replicas", path), back = of_path(set, "replicas_back", path),
               lost = fmax(of_path(set, "dissipated_kT", path), 0.0);
  const bool fine = suffices(set, path);
  if (n < 2.0 && !(back > 0.0)) {
    text_append(words, size,
                "The work of one replica from %.6g to %.6g gives no free energy: use %d or more "
                "(ensemble.replicas).",
                of_path(set, "from", path), of_path(set, "to", path), VERDICT_DRAWS);
    return;
  }
  text_append(words, size, "The pull from %.6g to %.6g dissipates about %.2g kT", of_path(set, "from", path),
              of_path(set, "to", path), lost);
  if (back > 0.0)
    text_append(words, size,
                ". The work of %.0f replicas forwards and %.0f backwards overlaps by %.2g of 0.5%s.", n, back,
                fmin(of_path(set, "overlap", path), 0.5),
                fine ? ""
                : fmin(n, back) < VERDICT_DRAWS
                    ? "; the error of the free energy needs 8 replicas or more in each direction"
                    : ", too little for a free energy: pull more slowly (biases.over), or use more replicas");
  else if (fine)
    text_append(words, size, ", little enough for Jarzynski's average of %.0f replicas.", n);
  else
    text_append(words, size,
                ". Jarzynski's average then needs at least %.3g replicas, and with %.0f it tends to be too "
                "high: pull more slowly (biases.over), in both directions, or with more replicas.",
                ceil(fmax(VERDICT_DRAWS, exp(lost + 1.0))), n);
}

/* The path to describe: the first one with too few replicas, else the one with the most dissipated work. */
static int worst_path(const ResultSet *set, int paths, int *poor)
{
  int worst = 0;
  *poor = 0;
  for (int i = 0; i < paths; i++) {
    const bool bad = !suffices(set, i);
    if (*poor == 0 && (bad || of_path(set, "dissipated_kT", i) > of_path(set, "dissipated_kT", worst)))
      worst = i;
    *poor += bad;
  }
  return worst;
}

ResultLevel run_verdicts_biases_pull(const ResultSet *set, char *words, size_t size)
{
  const double stairs = of_path(set, "stairs", 0), made = of_path(set, "stairs_made", 0);
  int poor;
  if (isnan(stairs))
    return RESULT_NOTE;
  if (made < stairs) {
    text_append(
        words, size,
        "The pull is not complete: its centre has made %.0f of %.0f changes, and free energies follow "
        "at its end. Run longer (integrator.time).",
        made, stairs);
    return RESULT_WARN;
  }
  if (results_find(set, "pull", "", "free_energy") == NULL) {
    text_append(words, size, "Without a thermostat no free energy follows from the work of the pull.");
    return RESULT_NOTE;
  }
  const int worst = worst_path(set, (int)of_path(set, "paths", 0), &poor);
  append_path(set, worst, words, size);
  if (poor > 1)
    text_append(words, size, " The same is true of %d other path%s.", poor - 1, poor > 2 ? "s" : "");
  const bool abrupt =
      of_path(set, "begin", 0) == 0.0 && of_path(set, "starts", 0) < results_value(set, "", "replicas");
  if (abrupt)
    text_append(words, size,
                " The pull began at once, before its replicas were in equilibrium at its start, so free "
                "energies are biased: give them time (output.equilibration).");
  return poor > 0 || abrupt ? RESULT_WARN : RESULT_GOOD;
}
