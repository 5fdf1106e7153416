#include "simulation/run/ladder_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "observables/convergence.h"
#include "simulation/run/ladder_states.h"

double ladder_report_kelvin(const Simulation *s, int k)
{
  return simulation_kelvin(s, ladder_kT(s->ladder, k));
}

static const char *unit_of(const Simulation *s) { return s->config->reduced ? "kT" : "K"; }

static void get_temperatures(const Simulation *s, double *kelvin)
{
  for (int k = 0; k < ladder_options(s->ladder)->n; k++)
    kelvin[k] = ladder_report_kelvin(s, k);
}

MeansTable ladder_report_table(const Simulation *s, const char *remark, double *kelvin)
{
  MeansTable table = {.remark = remark};
  if (s->ladder == NULL)
    return table;
  get_temperatures(s, kelvin);
  table.temperature = kelvin;
  table.unit = unit_of(s);
  return table;
}

bool ladder_report_slots(const Simulation *s)
{
  return s->ladder != NULL && s->config->exchange.trajectory == 0;
}

void ladder_report_place(const Simulation *s, int r, char *words, size_t size)
{
  const int n = s->ladder != NULL ? ladder_options(s->ladder)->n : 1;
  if (ladder_report_slots(s))
    snprintf(words, size, "slot %d (temperature %d of ladder %d, from 0)", r, r % n, r / n);
  else
    snprintf(words, size, "replica %d", r);
}

void ladder_report_rows(const Simulation *s, const char *largest, Text *text)
{
  const int ladders = ladder_options(s->ladder)->ladders;
  if (ladders > 1)
    text_print(text,
               "# one row for each temperature (target), averaged over %d ladders; x_err is the standard "
               "error of x; %s the largest of all\n",
               ladders, largest);
  else
    text_print(text, "# one row for each temperature (target) of one ladder\n");
}

/* --- files ------- */

static void print_temperatures(const Simulation *s, Text *text)
{
  text_print(text, "  temperatures: [");
  for (int k = 0; k < ladder_options(s->ladder)->n; k++)
    text_print(text, "%s%.10g", k > 0 ? ", " : "", ladder_report_kelvin(s, k));
  text_print(text, "]");
}

/* Writes the present temperatures, for use in another input. */
static Status write_temperatures(const Run *run, Error *error)
{
  const Simulation *s = run->s;
  Text *text;
  TRY(text_replace(&text, run->options->dir, "ladder.yaml", error));
  text_print(text, "# tuned in %d rounds\nexchange:\n", ladder_options(s->ladder)->tunings);
  print_temperatures(s, text);
  text_print(text, "\n");
  return text_close(text, error);
}

/* Fills in the lowest and highest temperature, and between them multiples of a step of 1, 2 or 5 times a
 * power of 10; returns the number of points, at most CURVE_POINTS. */
enum { CURVE_POINTS = 300 };
static int curve_points(double low, double high, double *at)
{
  const double span = (high - low) / (CURVE_POINTS - 3), power = pow(10.0, ceil(log10(span))),
               step = 0.2 * power >= span   ? 0.2 * power
                      : 0.5 * power >= span ? 0.5 * power
                                            : power;
  int n = 0;
  at[n++] = low;
  for (double k = floor(low / step) + 1.0; k * step < high * (1.0 - 1e-9); k++)
    if (k * step > low * (1.0 + 1e-9))
      at[n++] = k * step;
  at[n++] = high;
  return n;
}

/* Inserts the temperatures of the ladder among the points, which both rise; returns the number of points. */
static int insert_temperatures(const double *temperature, int n, double *at, int points)
{
  const double same = 1e-9;
  for (int k = 0; k < n; k++) {
    int p = points;
    while (p > 0 && at[p - 1] > temperature[k] * (1.0 + same))
      p--;
    if (p > 0 && at[p - 1] >= temperature[k] * (1.0 - same))
      continue;
    memmove(at + p + 1, at + p, (size_t)(points - p) * sizeof *at);
    at[p] = temperature[k];
    points++;
  }
  return points;
}

/* Copies the mean volume at each temperature of the ladder, and its error. */
static Status keep_volumes(Run *run, const MbarRequest *request, Error *error)
{
  const int n = ladder_options(run->s->ladder)->n;
  const MbarNumbers *volume = &run->estimates->volume;
  if (!run->estimates->volumes)
    return STATUS_OK;
  run->volumes = malloc(2 * (size_t)n * sizeof *run->volumes);
  TRY_MEMORY(run->volumes != NULL, "volumes", error);
  for (int k = 0, p = 0; k < n; k++) {
    while (p + 1 < request->points && request->at[p] < request->temperature[k] * (1.0 - 1e-9))
      p++;
    run->volumes[k] = volume->value[p];
    run->volumes[n + k] = volume->error[p];
  }
  return STATUS_OK;
}

/* Writes heat_capacity.csv if the samples allow it; else the log contains the reason. */
static Status write_curve(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const int n = ladder_options(s->ladder)->n, resamples = 100;
  double temperature[LADDER_TEMPERATURES] = {0.0}, at[CURVE_POINTS + LADDER_TEMPERATURES];
  get_temperatures(s, temperature);
  int points = curve_points(temperature[0], temperature[n - 1], at);
  if (s->barostat != NULL) /* for the volumes of ladder.csv */
    points = insert_temperatures(temperature, n, at, points);
  MbarRequest request = {.temperature = temperature,
                         .boltzmann = s->config->reduced ? 1.0 : UNITS_BOLTZMANN,
                         .at = at,
                         .points = points,
                         .freedom = simulation_freedom(s),
                         .resamples = resamples};
  request.ladder = ladder_histograms(s->ladder, &request.ladders);
  Error why;
  Status status = mbar_estimates_create(&run->estimates, &request, &why);
  if (status == STATUS_INPUT || status == STATUS_RUN) {
    text_print(run->log, "no heat_capacity.csv: %s\n", why.text);
    return STATUS_OK;
  }
  if (status != STATUS_OK)
    return error_pass(error, status, &why);
  if (run->estimates->failed > 0)
    text_print(
        run->log,
        "heat_capacity.csv: errors are lower bounds or missing, since %d resamples could not be solved: %s\n",
        run->estimates->failed, run->estimates->why);
  TRY(keep_volumes(run, &request, error));
  return results_csv_write(mbar_estimates_table(run->estimates, &request, s->topology->nmol, &run->results),
                           run->options->dir, error);
}

/* The row of a temperature in ladder.csv; errors are at the index of their column. */
enum { RUNG_COLUMNS = 9 };
static void get_rung(const Simulation *s, int k, double value[RUNG_COLUMNS], double error[RUNG_COLUMNS])
{
  const LadderRung r = ladder_rung(s->ladder, k);
  const double kelvin = ladder_report_kelvin(s, k), freedom = simulation_freedom(s);
  const double x[RUNG_COLUMNS] = {kelvin,
                                  r.kT,
                                  r.potential,
                                  r.spread,
                                  2.0 * r.kinetic / freedom / r.kT * kelvin,
                                  r.acceptance,
                                  (double)r.attempts,
                                  (double)r.exchanges,
                                  r.up};
  memcpy(value, x, sizeof x);
  error[2] = r.potential_error;
  error[5] = r.acceptance_error;
}

static Status write_rungs(Run *run, Error *error)
{
  static const struct {
    const char *name;
    bool error;
  } column[RUNG_COLUMNS] = {{"temperature", false},
                            {"kT", false},
                            {"potential", true},
                            {"potential_sd", false},
                            {"kinetic_temperature", false},
                            {"acceptance", true},
                            {"attempts", false},
                            {"exchanges", false},
                            {"up", false}};
  const Simulation *s = run->s;
  const LadderOptions *o = ladder_options(s->ladder);
  double value[LADDER_TEMPERATURES][RUNG_COLUMNS], spread[LADDER_TEMPERATURES][RUNG_COLUMNS];
  for (int k = 0; k < o->n; k++)
    get_rung(s, k, value[k], spread[k]);
  ResultTable *t = results_add_table(&run->results, "ladder", (size_t)o->n);
  for (int c = 0; c < RUNG_COLUMNS; c++)
    results_add_strided(t, column[c].name, &value[0][c], column[c].error ? &spread[0][c] : NULL,
                        RUNG_COLUMNS);
  if (ladder_states(s))
    ladder_states_columns(run, t);
  if (run->volumes != NULL)
    results_add_column(t, "volume", run->volumes, run->volumes + o->n);
  results_say(
      t,
      "after equilibration, before each exchange%s; errors from %s; acceptance: mean probability of an "
      "exchange with the next %s; up: fraction of replicas here that visited the %s later than the %s%s",
      s->config->reduced ? "" : "; temperatures in K, energies in kcal/mol",
      o->ladders > 1 ? "the ladders" : "blocks of time", ladder_states(s) ? "state" : "temperature",
      ladder_states(s) ? "first state" : "lowest temperature", ladder_states(s) ? "last" : "highest",
      ladder_states(s)
          ? "; one row for each state, in input order; free_energy: -ln Z relative to the first, by MBAR"
          : "");
  if (run->volumes != NULL)
    results_say(t, "volume: mean volume in A^3 from the samples of all %s (MBAR)",
                ladder_states(s) ? "states" : "temperatures");
  return results_csv_write(t, run->options->dir, error);
}

Status ladder_report_results(Run *run, Error *error)
{
  const Simulation *s = run->s;
  if (s->ladder == NULL)
    return STATUS_OK;
  if (ladder_rung(s->ladder, 0).samples > 0)
    TRY(ladder_states(s) ? ladder_states_results(run, error) : write_curve(run, error));
  if (ladder_options(s->ladder)->tunings > 0)
    TRY(write_temperatures(run, error));
  return write_rungs(run, error);
}

/* --- bottlenecks ------- */

/* Below this acceptance neighbours rarely exchange; a larger loss of flow between neighbours is a
 * bottleneck. */
static const double acceptance_least = 0.1, drop_most = 0.5;
enum { FLOW_LEAST = 100 /* replicas with a direction at each temperature that a flow needs */ };

/* Finds the lower index of the neighbours between which replicas get stuck, because the acceptance is below a
 * tenth or more than half of the flow from the lowest temperature to the highest is lost. -1: there is no
 * bottleneck. `words` describes it. */
static int find_bottleneck(const Simulation *s, char *words, size_t size)
{
  const int n = ladder_options(s->ladder)->n;
  int worst = -1, lost = -1;
  double least = acceptance_least, most = drop_most;
  const bool states = ladder_states(s);
  bool known = n > 3;
  words[0] = '\0';
  for (int k = 0; k + 1 < n; k++) {
    const LadderRung here = ladder_rung(s->ladder, k), next = ladder_rung(s->ladder, k + 1);
    known = known && next.replicas_up + next.replicas_down >= FLOW_LEAST;
    if (here.acceptance < least) {
      least = here.acceptance;
      worst = k;
    }
    if (here.up - next.up > most) {
      most = here.up - next.up;
      lost = k;
    }
  }
  if (worst >= 0)
    text_append(words, size,
                "the ladder has a bottleneck between %s%.4g and %.4g: only a fraction %.2g of exchanges is "
                "accepted; insert a %s between them",
                states ? "states " : "", states ? worst : ladder_report_kelvin(s, worst),
                states ? worst + 1 : ladder_report_kelvin(s, worst + 1), least,
                states ? "state" : "temperature");
  else if (lost >= 0 && known)
    text_append(words, size,
                "the ladder has a bottleneck between %s%.4g and %.4g, where %.0f %% of the flow of replicas "
                "from %s is lost: insert %s there, or run longer",
                states ? "states " : "", states ? lost : ladder_report_kelvin(s, lost),
                states ? lost + 1 : ladder_report_kelvin(s, lost + 1), 100.0 * most,
                states ? "the first state to the last" : "the lowest temperature to the highest",
                states ? "states" : "temperatures");
  return worst >= 0 ? worst : known ? lost : -1;
}

typedef struct Passage {
  double acceptance, least; /* mean over neighbours, and smallest */
  int64_t trips, fewest;    /* round trips of all replicas, and of the one with fewest */
  int bottleneck;           /* result of find_bottleneck */
  char words[512];
} Passage;

static Passage passage_of(const Simulation *s)
{
  const int n = ladder_options(s->ladder)->n;
  Passage p = {.least = 1.0};
  for (int k = 0; k + 1 < n; k++) {
    const double a = ladder_rung(s->ladder, k).acceptance;
    p.acceptance += a / (n - 1);
    p.least = a < p.least ? a : p.least;
  }
  p.trips = ladder_round_trips(s->ladder, &p.fewest);
  p.bottleneck = find_bottleneck(s, p.words, sizeof p.words);
  return p;
}

static void summarise_estimates(const MbarEstimates *e, ResultSet *set)
{
  static const char of[] = "ladder";
  if (isfinite(e->chains.rhat)) {
    results_real(set, of, "rhat", e->chains.rhat);
    results_words(set, of, "mixing", convergence_word(&e->chains));
  }
  if (isfinite(e->consistent))
    results_real(set, of, "consistent", e->consistent);
  if (mbar_estimates_peak(e) == MBAR_PEAK_SHOWN) {
    results_mean(set, of, "heat_capacity_peak", e->peak.value[0], e->peak.error[0], NAN, NAN);
    results_mean(set, of, "heat_capacity_height", e->peak.value[1], e->peak.error[1], NAN, NAN);
  }
}

/* Alchemical states may be independent runs. */
static bool exchanges(const Simulation *s)
{
  return s->config->alchemy.states == 0 || s->config->alchemy.exchange;
}

static void summarise_passage(const Simulation *s, ResultSet *set)
{
  static const char of[] = "ladder";
  const Passage p = passage_of(s);
  results_real(set, of, "acceptance", p.acceptance);
  results_real(set, of, "acceptance_least", p.least);
  results_whole(set, of, "round_trips", p.trips);
  results_note(set, "of all %d replicas", ladder_options(s->ladder)->n * ladder_options(s->ladder)->ladders);
  results_whole(set, of, "round_trips_least", p.fewest);
  if (p.bottleneck >= 0 && !ladder_states(s)) {
    results_real(set, of, "bottleneck", ladder_report_kelvin(s, p.bottleneck));
    results_note(set, "%s", p.words);
  } else if (p.bottleneck >= 0) {
    results_whole(set, of, "bottleneck_state", p.bottleneck);
    results_note(set, "%s", p.words);
  }
}

void ladder_report_summary(Run *run)
{
  static const char of[] = "ladder";
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  if (s->ladder == NULL)
    return;
  double temperature[LADDER_TEMPERATURES];
  const LadderOptions *o = ladder_options(s->ladder);
  const LadderRung first = ladder_rung(s->ladder, 0);
  get_temperatures(s, temperature);
  results_group(set, of);
  results_list(set, of, "temperatures", o->n, temperature, NULL);
  if (s->barostat != NULL && ladder_states(s)) {
    double pressure[LADDER_TEMPERATURES];
    for (int k = 0; k < o->n; k++)
      pressure[k] = o->pressure[k] * UNITS_BAR;
    results_list(set, of, "pressures", o->n, pressure, NULL);
  }
  results_whole(set, of, "ladders", o->ladders);
  results_whole(set, of, "interval", o->interval);
  results_words(set, of, "momenta", o->redraw ? "redrawn" : "rescaled");
  results_whole(set, of, "samples", first.samples);
  if (o->tunings > 0)
    results_whole(set, of, "tunings", o->tunings);
  if (first.samples == 0)
    return;
  if (exchanges(s))
    summarise_passage(s, set);
  if (run->estimates != NULL)
    summarise_estimates(run->estimates, set);
  if (ladder_states(s))
    ladder_states_summary(run);
  if (run->volumes != NULL)
    results_list(set, of, "volumes", o->n, run->volumes, run->volumes + o->n);
}

void ladder_report_words(const Run *run, char *words, size_t size)
{
  const Simulation *s = run->s;
  if (s->ladder == NULL || ladder_rung(s->ladder, 0).samples == 0 || !exchanges(s))
    return;
  const LadderOptions *o = ladder_options(s->ladder);
  const Passage p = passage_of(s);
  text_append(words, size, "%d ladder%s of %d %s: mean acceptance %.2g, lowest %.2g; ", o->ladders,
              o->ladders > 1 ? "s" : "", o->n, ladder_states(s) ? "states" : "temperatures", p.acceptance,
              p.least);
  text_append(words, size, "%lld round trips of %d replicas\n", (long long)p.trips, o->n * o->ladders);
}
