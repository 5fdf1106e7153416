#include "simulation/molecules/water_check.h"

#include <math.h>
#include <sys/resource.h>

#include "base/printable.h"
#include "base/progress.h"
#include "base/ticks.h"
#include "engine/units.h"
#include "integrators/accel.h"
#include "simulation/molecules/report_box.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/system_words.h"
#include "simulation/run/penalty_report.h"

/* Steps for measuring the speed of a box: the best of some trials. */
enum { TRIALS = 10, TRIAL_STEPS = 10 };
static const double trial_seconds = 1.0;

/* --- what runs ------- */

static void print_sorts(const Simulation *s, FILE *out)
{
  for (int k = 0; k < s->topology->nsort; k++) {
    const TopologySort *sort = &s->topology->sort[k];
    printable_print(out, " %d %s%s", sort->nmol, sort->kind->name,
                    sort->kind->frozen ? " (frozen)"
                    : sort->anchored   ? " (partly frozen)"
                                       : "");
  }
}

static Status say_molecules(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  fprintf(out, "molecules:");
  print_sorts(s, out);
  fprintf(out, ", %d replica%s in batches of %d\n", s->replicas, s->replicas > 1 ? "s" : "", s->width);
  return STATUS_OK;
}

static Status say_system(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  char words[1024];
  for (int i = 0; system_words(s, i, words, sizeof words); i++)
    printable_print(out, "%s\n", words);
  return STATUS_OK;
}

static void print_relaxation(const Simulation *s, FILE *out)
{
  const Config *c = s->config;
  const bool uniform = c->thermostat.convention == FRICTION_UNIFORM;
  fprintf(out, "relaxation of free momenta:");
  if (!uniform) {
    const double time = 1.0 / c->thermostat.friction;
    fprintf(out, " %.4g AKMA (%.4g ps)%s\n", time, time * UNITS_AKMA_FS / 1000.0,
            s->friction != NULL ? ", except for thermostat.frictions" : "");
    return;
  }
  for (int k = 0, n = 0; k < s->nkind; k++)
    for (int site = 0; site < s->kind[k]->nsite && site < 2 && !s->kind[k]->frozen; site++, n++)
      fprintf(out, "%s %.4g AKMA (%s)", n > 0 ? "," : "", s->kind[k]->mass[site] / plan_gamma(s->plan, k),
              s->kind[k]->site[site]);
  fprintf(out, "\n");
}

/* Moves of the box; those of equilibration tune their sizes. */
static void print_moves(const Config *c, FILE *out)
{
  if (c->barostat.type == BAROSTAT_NONE)
    return;
  const long long tuned = c->output.equilibration / c->barostat.every;
  double lowest = c->barostat.pressure, highest = lowest;
  for (int k = 0; k < c->exchange.number; k++) {
    lowest = fmin(lowest, c->exchange.pressure[k]);
    highest = fmax(highest, c->exchange.pressure[k]);
  }
  if (!config_schedule_has(c, SCHEDULED_PRESSURE) && highest > lowest)
    fprintf(out, "pressure: %.6g to %.6g bar; ", lowest * UNITS_BAR, highest * UNITS_BAR);
  else if (!config_schedule_has(c, SCHEDULED_PRESSURE))
    fprintf(out, "pressure: %.6g bar; ", lowest * UNITS_BAR);
  fprintf(out, "moves of the box: %lld in equilibration", tuned);
  if (c->barostat.until == 0)
    fprintf(out, ", %lld after it", (long long)(c->integrator.steps / c->barostat.every) - tuned);
  fprintf(out, "\n");
}

/* The temperatures of a ladder, which exchange.acceptance may have chosen. */
static void print_ladder(const Config *c, FILE *out)
{
  if (c->exchange.number == 0)
    return;
  fprintf(out, "replicas: %d ladder%s of %d states, at ", c->exchange.ladders,
          c->exchange.ladders > 1 ? "s" : "", c->exchange.number);
  bool differ = false;
  for (int k = 1; k < c->exchange.number; k++)
    differ = differ || c->exchange.kT[k] != c->exchange.kT[0];
  for (int k = 0; k < (differ ? c->exchange.number : 1); k++)
    fprintf(out, "%s%.5g", k > 0 ? ", " : "", c->exchange.kT[k] / UNITS_BOLTZMANN);
  fprintf(out, " K\n");
  if (c->alchemy.states == 0)
    return;
  printable_print(out, "alchemy: %s, states (coulomb, lj):", c->alchemy.molecules);
  for (int k = 0; k < c->alchemy.states; k++)
    fprintf(out, " (%.4g, %.4g)", c->parameters.item[c->alchemy.parameter[ALCHEMY_COULOMB] - 1].each[k],
            c->parameters.item[c->alchemy.parameter[ALCHEMY_LJ] - 1].each[k]);
  fprintf(out, "%s\n", c->alchemy.exchange ? "" : ", without exchange");
}

static Status say_run(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  fprintf(out, "machine: %d thread%s, %s instructions\n", s->threads, s->threads > 1 ? "s" : "",
          isa_name(s->isa));
  printable_print(out, "start: %s\n", system_molecules(s)->start.remark);
  fprintf(out, "length: %lld steps of %.6g AKMA (%.6g fs): %.6g AKMA (%.6g ps)\n", (long long)s->steps, s->h,
          s->h * UNITS_AKMA_FS, (double)s->steps * s->h, system_picoseconds(s, s->steps));
  fprintf(out, "degrees of freedom: %d of each replica\n", simulation_freedom(s));
  if (!config_schedule_has(s->config, SCHEDULED_TEMPERATURE))
    fprintf(out, "temperature: %.6g K (kT = %.6g kcal/mol, inverse temperature %.6g)\n",
            s->kT / UNITS_BOLTZMANN, s->kT, s->kT > 0 ? 1.0 / s->kT : INFINITY);
  if (s->config->thermostat.type == THERMOSTAT_LANGEVIN && s->config->thermostat.friction > 0.0)
    print_relaxation(s, out);
  print_ladder(s->config, out);
  print_moves(s->config, out);
  return STATUS_OK;
}

/* --- the time step ------- */

/* Prints the response of the word to a mode. */
static void print_result(const OscillatorResult *r, FILE *out)
{
  switch (r->fate) {
  case OSCILLATOR_SAMPLED:
    if (fabs(r->position - 1.0) < 1e-4)
      fprintf(out, "its position is sampled correctly");
    else
      fprintf(out, "its position has %.4g times the correct variance", r->position);
    fprintf(out, ", its momenta at the end of a step have %.4g times the temperature\n", r->momentum);
    break;
  case OSCILLATOR_CONSERVED:
    fprintf(out,
            "stable; without a thermostat its position has %.4g times the variance that corresponds to its "
            "momenta\n",
            r->position / r->momentum);
    break;
  case OSCILLATOR_DIES:
    fprintf(out, "cold by design: noise does not reach it, and friction takes its energy in %.3g steps\n",
            -0.5 / log(r->growth));
    break;
  case OSCILLATOR_UNSTABLE:
    fprintf(out, "WARNING: UNSTABLE\n");
    break;
  case OSCILLATOR_UNKNOWN:
    fprintf(out, "determined by the method\n");
    break;
  }
}

static void print_mode(const char *name, double frequency, double h, const OscillatorResult *result,
                       FILE *out)
{
  fprintf(out, "%s: W = %.5g per AKMA (%.4g cm^-1), h W = %.4g, ", name, frequency,
          frequency / UNITS_AKMA_FS * 1e15 / (2.0 * M_PI * 2.99792458e10), h * frequency);
  print_result(result, out);
}

/* Proposes heavier hydrogens for long steps that distort temperatures. */
static void propose_hydrogen_mass(const Simulation *s, FILE *out)
{
  static const double long_step = 2.5 / UNITS_AKMA_FS, off = 0.01;
  const SystemRates *rates = &system_molecules(s)->rates;
  const int64_t light =
      s->h > long_step && (fabs(rates->reading - 1.0) > off || fabs(rates->slow - 1.0) > off)
          ? system_light_hydrogens(s)
          : 0;
  if (light > 0)
    fprintf(out,
            "note: geometry.hydrogen_mass: 3 g/mol would slow the angles of %lld hydrogens without further "
            "constraints: check this step with it\n",
            (long long)light);
}

static Status say_rates(Simulation *s, FILE *out, Error *error)
{
  (void)error;
  const SystemRates *rates = &system_molecules(s)->rates;
  const Config *c = s->config;
  const bool filtered = !accel_map_has(c->integrator.acceleration, ACCEL_PLAIN);
  fprintf(out, "# the time step against the fastest motions\n");
  static const char *const end[] = {"slowest penalised mode", "", "fastest penalised mode"};
  for (int i = 0; i < 3; i++) {
    char name[32];
    if (!(rates->penalty[i] > 0.0))
      continue;
    if (rates->penalty[1] > 0.0)
      snprintf(name, sizeof name, "penalised mode %d", i + 1);
    else
      snprintf(name, sizeof name, "%s", end[i]);
    print_mode(name, rates->penalty[i], s->h, &rates->stiff[i], out);
  }
  if (rates->libration > 0.0)
    print_mode(system_origin(s)->fastest, rates->libration, s->h, &rates->fastest, out);
  else
    fprintf(out, "fastest libration: none, since no force acts on molecules at the start\n");
  char words[512];
  if (water_report_reading(s, words, sizeof words))
    fputs(words, out);
  propose_hydrogen_mass(s, out);
  if (word_has(plan_spelling(s->plan), 'S') && s->h * rates->libration > M_PI)
    fprintf(
        out,
        "note: the slow kicks are more than half a period of the librations apart, and can excite them\n");
  if (config_penalises(c) && filtered && s->h * rates->penalty[2] > 2.0)
    fprintf(out, "note: a plain Verlet word would be unstable here (h W = %.3g; the limit is 2)\n",
            s->h * rates->penalty[2]);
  if (config_penalises(c) && filtered && c->geometry.hessian == HESSIAN_FULL &&
      system_molecules(s)->model != NULL) {
    const double gap = c->integrator.beta * s->h * s->h * c->geometry.w * c->geometry.w;
    fprintf(out,
            "warning: with the full penalty Hessian the matrix of a molecule can become indefinite if a bond "
            "is compressed by about %.3g A\n",
            s->kind[0]->mass[s->kind[0]->nsite - 1] / (4.0 * gap * system_molecules(s)->model->d_oh));
  }
  return STATUS_OK;
}

static Status check_step(Simulation *s, FILE *out, Error *error)
{
  (void)out;
  return system_check_step(s, error);
}

/* --- the box ------- */

static void print_contents(const Simulation *s, FILE *out)
{
  char words[BOX_WORDS];
  fprintf(out, "# the box\nbox: %s, %.5g g/cm3, %d molecules:", box_words(&s->box, 6, words),
          system_box_density(s), s->topology->nmol);
  print_sorts(s, out);
  fprintf(out, "\n");
}

/* Prints forces, memory and, from a few trial steps, the approximate speed. */
static Status say_box(Simulation *s, FILE *out, Error *error)
{
  print_contents(s, out);
  Ensemble *ensemble = s->ensemble;
  ResultSet chosen = results_make(QUANTITY_BOXES, false);
  report_box_forces(s, &ensemble_field(ensemble)->force[0], &chosen);
  results_yaml_print(&chosen, out);
  results_free(&chosen);
  double least = INFINITY;
  const double begun = ticks_seconds();
  for (int i = 0; i < TRIALS && ticks_seconds() - begun < trial_seconds; i++) {
    const double before = ticks_seconds();
    TRY(ensemble_run(ensemble, ensemble_step(ensemble) + TRIAL_STEPS, NULL, error));
    least = fmin(least, (ticks_seconds() - before) / TRIAL_STEPS);
  }
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    char left[64];
    fprintf(out, "memory: %.3g MB so far\n", (double)usage.ru_maxrss / 1024.0);
    fprintf(out, "speed: about %.4g ms per step, %.4g ns per day, %s in total\n", 1e3 * least,
            system_speed(s, least), progress_duration((double)s->steps * least, left, sizeof left));
  }
  return STATUS_OK;
}

const CheckLine water_check_cluster[] = {say_molecules,        say_system, say_run, say_rates,
                                         penalty_report_check, check_step, NULL},
                water_check_box[] = {say_system, say_run, say_rates, penalty_report_check,
                                     check_step, say_box, NULL};
