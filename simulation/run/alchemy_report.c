#include "simulation/run/alchemy_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/units.h"
#include "observables/decoupling_files.h"
#include "observables/decoupling_result.h"
#include "simulation/run/ladder_report.h"

bool alchemy_report_has(const Simulation *s) { return s->ladder != NULL && s->config->alchemy.states > 0; }

/* The path of the states; its strengths are in `strength`. */
typedef double Strengths[DECOUPLING_PARAMETERS][LADDER_TEMPERATURES];

static DecouplingPath path_of(const Simulation *s, Strengths strength)
{
  DecouplingPath path = {.states = ladder_options(s->ladder)->n, .kT = ladder_kT(s->ladder, 0)};
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++) {
    path.slope[q] = s->config->alchemy.parameter[q] - 1;
    path.strength[q] = strength[q];
    for (int k = 0; k < path.states; k++)
      strength[q][k] = s->states[k * s->parameters.n + path.slope[q]];
  }
  return path;
}

static DecouplingAbout about(const Simulation *s)
{
  return (DecouplingAbout){.molecules = s->config->alchemy.molecules,
                           .exchange = s->config->alchemy.exchange,
                           .pressure = s->barostat != NULL,
                           .open = s->config->sort != SORT_BOX,
                           .sample_steps = ladder_options(s->ladder)->interval *
                                           reduced_energies_stride(ladder_reduced(s->ladder)[0])};
}

static Status write_samples(const Run *run, const DecouplingPath *p, Error *error)
{
  const Simulation *s = run->s;
  const LadderOptions *o = ladder_options(s->ladder);
  const int64_t first = (o->equilibration / o->interval + 1) * o->interval;
  const double ps = s->h * UNITS_AKMA_FS * 1e-3;
  const DecouplingSamples samples = {.path = p,
                                     .ladder = ladder_reduced(s->ladder),
                                     .ladders = o->ladders,
                                     .kelvin = ladder_report_kelvin(s, 0),
                                     .pressure = o->pressure != NULL ? o->pressure[0] : 0.0,
                                     .begin = (double)first * ps,
                                     .step = (double)about(s).sample_steps * ps};
  TRY(decoupling_files_xvg(&samples, run->options->dir, error));
  return decoupling_files_tables(&samples, run->options->dir, error);
}

/* Keeps the free energies for ladder.csv; without them the log has the reason. */
static Status keep(Run *run, const Decoupling *d, Error *error)
{
  const size_t n = (size_t)d->states;
  if (*d->why.text != '\0') {
    text_print(run->log, "no free energies by MBAR: %s\n", d->why.text);
    return STATUS_OK;
  }
  run->free_energies = malloc(2 * n * sizeof *run->free_energies);
  TRY_MEMORY(run->free_energies != NULL, "free energies", error);
  memcpy(run->free_energies, d->free.value, n * sizeof *run->free_energies);
  memcpy(run->free_energies + n, d->free.error, n * sizeof *run->free_energies);
  return STATUS_OK;
}

Status alchemy_report_results(Run *run, Error *error)
{
  Strengths strength;
  const Simulation *s = run->s;
  const DecouplingPath path = path_of(s, strength);
  const DecouplingAbout of = about(s);
  const int tables = run->results.ntable;
  Error why;
  TRY(write_samples(run, &path, error));
  TRY(decoupling_create(&run->decoupling, &path, ladder_reduced(s->ladder),
                        ladder_options(s->ladder)->ladders, error));
  TRY(keep(run, run->decoupling, error));
  TRY(decoupling_result_tables(run->decoupling, &path, &of, &run->results, error));
  TRY(results_csv_write_all(&run->results, tables, run->options->dir, error));
  return run_picture(run, decoupling_draw(run->decoupling, &path, run->options->dir, &why), &why, error);
}

void alchemy_report_summary(Run *run)
{
  Strengths strength;
  if (run->decoupling == NULL)
    return;
  const DecouplingPath path = path_of(run->s, strength);
  const DecouplingAbout of = about(run->s);
  decoupling_result_numbers(run->decoupling, &path, &of, &run->results);
}

void alchemy_report_words(const Run *run, char *words, size_t size)
{
  Strengths strength;
  char text[RESULTS_SHOWN];
  if (run->decoupling == NULL)
    return;
  const DecouplingPath path = path_of(run->s, strength);
  const DecouplingAbout of = about(run->s);
  const char *const name = decoupling_result_name(&path, &of);
  const ResultNumber *free = results_find(&run->results, "alchemy", "", name);
  if (free == NULL)
    text_append(words, size, "alchemy: no free energy by MBAR: %s\n", run->decoupling->why.text);
  else
    text_append(words, size, "%s %.40s: %s kcal/mol%s%s\n",
                *name == 's' ? "solvation free energy of" : "first state minus the last of",
                run->s->config->alchemy.molecules, results_show(text, free->value, free->error),
                *name == 's' ? " (1 mol/l of gas to 1 mol/l of solution)" : "",
                isnan(free->error) ? ": too few samples for an error, so do not rely on it" : "");
}
