#include "simulation/run/ladder_states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "base/text.h"
#include "engine/units.h"
#include "simulation/run/alchemy_report.h"
#include "simulation/run/ladder_report.h"

bool ladder_states(const Simulation *s) { return s->ladder != NULL && ladder_reduced(s->ladder) != NULL; }

/* --- u_nk.csv ------------------------------------------------------------------------------------------- */

static void write_head(const Simulation *s, Text *text)
{
  const LadderOptions *o = ladder_options(s->ladder);
  text_print(text, "ladder,state");
  for (int k = 0; k < o->n; k++)
    text_print(text, ",u_%d", k);
  if (s->barostat != NULL)
    text_print(text, ",volume");
  text_print(
      text,
      "\n# reduced energies beta_k %s of samples after equilibration, one row for each configuration with "
      "its state%s; every %lld exchanges\n",
      s->barostat != NULL ? "(U + P V)(x; parameters and pressure of k)" : "U(x; parameters of k)",
      s->barostat != NULL ? " and its volume in A^3" : "",
      (long long)reduced_energies_stride(ladder_reduced(s->ladder)[0]));
  for (int k = 0; k < o->n; k++) {
    text_print(text, "# state %d: %.10g %s", k, ladder_report_kelvin(s, k), s->config->reduced ? "kT" : "K");
    for (int p = 0; p < s->parameters.n; p++)
      text_print(text, ", %s %.10g%s%s", s->parameters.name[p], s->states[k * s->parameters.n + p],
                 *s->parameters.unit[p] != '\0' ? " " : "", s->parameters.unit[p]);
    if (s->barostat != NULL)
      text_print(text, ", %.10g bar", o->pressure[k] * UNITS_BAR);
    text_print(text, "\n");
  }
}

static Status write_samples(const Run *run, Error *error)
{
  const Simulation *s = run->s;
  const int n = ladder_options(s->ladder)->n;
  Text *text;
  TRY(text_replace(&text, run->options->dir, "u_nk.csv", error));
  write_head(s, text);
  for (int k = 0; k < n; k++)
    for (int a = 0; a < ladder_options(s->ladder)->ladders; a++) {
      const ReducedEnergies *e = ladder_reduced(s->ladder)[a];
      const int columns = reduced_energies_width(reduced_energies_columns(e));
      for (int i = 0; i < reduced_energies_samples(e); i++) {
        text_print(text, "%d,%d", a, k);
        for (int j = 0; j < columns; j++)
          text_print(text, ",%.10g", reduced_energies_sample(e, i)[k * columns + j]);
        text_print(text, "\n");
      }
    }
  return text_close(text, error);
}

/* --- free energies -------------------------------------------------------------------------------------- */

/* Copies values and errors of a part of the averages: to[n], then errors [n]. */
static Status copy_part(double **to, const double *found, size_t n, size_t wanted, Error *error)
{
  *to = malloc(2 * n * sizeof **to);
  TRY_MEMORY(*to != NULL, "averages of states", error);
  memcpy(*to, found, n * sizeof **to);
  memcpy(*to + n, found + wanted, n * sizeof **to);
  return STATUS_OK;
}

/* Free energies, and at constant pressure volumes. */
static Status keep(Run *run, const double *found, size_t n, size_t wanted, Error *error)
{
  TRY(copy_part(&run->free_energies, found, n, wanted, error));
  return wanted > n ? copy_part(&run->volumes, found + n, n, wanted, error) : STATUS_OK;
}

Status ladder_states_results(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const LadderOptions *o = ladder_options(s->ladder);
  const size_t n = (size_t)o->n;
  double overlap;
  Error why;
  if (alchemy_report_has(s))
    return alchemy_report_results(run, error);
  TRY(write_samples(run, error));
  const size_t wanted = s->barostat != NULL ? 2 * n : n;
  SCOPED(scoped_free) double *found = malloc(2 * wanted * sizeof *found);
  TRY_MEMORY(found != NULL, "free energies", error);
  const Status status =
      reduced_energies_averages(ladder_reduced(s->ladder), o->ladders, found, found + wanted, &overlap, &why);
  if (status == STATUS_MEMORY)
    return error_pass(error, status, &why);
  if (status == STATUS_OK && overlap >= MBAR_OVERLAP_LEAST) {
    TRY(keep(run, found, n, wanted, error));
  } else if (status == STATUS_OK)
    text_print(run->log,
               "no free energies: neighbouring states overlap too little (%.2g; needed: %g): insert states "
               "between them\n",
               overlap, MBAR_OVERLAP_LEAST);
  else
    text_print(run->log, "no free energies: %s\n", why.text);
  return STATUS_OK;
}

void ladder_states_columns(const Run *run, ResultTable *t)
{
  const Simulation *s = run->s;
  double number[LADDER_TEMPERATURES];
  for (int k = 0; k < ladder_options(s->ladder)->n; k++)
    number[k] = k;
  results_add_column(t, "state", number, NULL);
  for (int k = 0; s->barostat != NULL && k < ladder_options(s->ladder)->n; k++)
    number[k] = ladder_options(s->ladder)->pressure[k] * UNITS_BAR;
  if (s->barostat != NULL)
    results_add_column(t, "pressure", number, NULL);
  for (int p = 0; p < s->parameters.n; p++) {
    char name[80];
    snprintf(name, sizeof name, "parameter_%s", s->parameters.name[p]);
    results_add_strided(t, name, s->states + p, NULL, (size_t)s->parameters.n);
  }
  if (run->free_energies != NULL)
    results_add_column(t, "free_energy", run->free_energies,
                       run->free_energies + ladder_options(s->ladder)->n);
}

void ladder_states_summary(Run *run)
{
  const int n = ladder_options(run->s->ladder)->n;
  if (run->free_energies != NULL)
    results_list(&run->results, "ladder", "free_energies", n, run->free_energies, run->free_energies + n);
}
