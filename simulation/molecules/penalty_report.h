/* What a run's penalties hold beside what they should: summary, words, and what `holonom check` says. The
 * standard is that of docs/statistics.md. */
#ifndef HOLONOM_SIMULATION_MOLECULES_PENALTY_REPORT_H
#define HOLONOM_SIMULATION_MOLECULES_PENALTY_REPORT_H

#include "engine/text.h"
#include "simulation/molecules/penalty.h"
#include "simulation/run/simulation_run.h"

/* A measured heat is believed where its error is from so many replicas, ladders or blocks of time, and beyond
 * so many errors. */
enum { PENALTY_DRAWS = 8, PENALTY_ERRORS = 3 };

typedef struct PenaltyFound {
  double kT;
  PenaltyHeat expected;
  double energy, error;    /* of the penalties; NAN: not measured             */
  double heat, heat_error; /* of these what should not be there; NAN likewise */
  int64_t draws;           /* behind the errors; 0: not known to be sound     */
  bool heated; /* more than is allowed is measured (verdict.h), or predicted and not measured otherwise */
} PenaltyFound;

/* excess: the mean of the column penalty_excess with its error; NAN: there is none. Of energy and draws the
 * caller has filled in what there is. family: tests of the run. */
void penalty_report_judge(PenaltyFound *found, double excess, double excess_error, int family);

/* Takes the one of two temperatures over which more is to be said. */
void penalty_report_worse(PenaltyFound *found, const PenaltyFound *other);

/* The keys penalty_* of summary.yaml; energy: with `penalty`, which is not there yet. */
void penalty_report_summary(const Simulation *simulation, const PenaltyFound *found, bool energy,
                            ResultSet *set);

/* Before a run: what equipartition and the step predict at the highest temperature, with the step that would
 * be right; a warning if the heat is more than is allowed, and true. `words` is empty where nothing can be
 * said. */
Status penalty_report_expected(const Simulation *simulation, char *words, size_t size, bool *heated,
                               Error *error);

/* The same to the log, a warning to the terminal, too; to `out` of a check. */
void penalty_report_start(const Run *run);
Status penalty_report_check(const Simulation *simulation, FILE *out, Error *error);

/* The warning at the end, on the terminal and in the log. */
Status penalty_report_end(const Run *run, const PenaltyFound *found, Error *error);

#endif
