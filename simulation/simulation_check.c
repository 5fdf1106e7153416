#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "observables/free_energy.h"
#include "observables/metadynamics.h"
#include "simulation/sampling.h"
#include "simulation/simulation_private.h"

static const char warning[] = "warning: ";

/* Some lines contain a warning in capitals after other words. */
static int count_warnings(const char *text)
{
  int n = 0;
  while ((text = strcasestr(text, warning)) != NULL) {
    text += strlen(warning);
    n++;
  }
  return n;
}

/* Prints the lines of a text that are warnings, or those that are not. */
static void print_lines(const char *text, bool warnings, FILE *out)
{
  for (const char *end; *text != '\0'; text = end) {
    end = strchr(text, '\n');
    end = end != NULL ? end + 1 : text + strlen(text);
    if ((strncmp(text, warning, strlen(warning)) == 0) == warnings)
      fwrite(text, 1, (size_t)(end - text), out);
  }
}

static void write_schedule(const Config *c, FILE *lines)
{
  static const char *const of[SCHEDULED] = {"temperature", "pressure"};
  char words[1024];
  for (int i = 0; i < SCHEDULED; i++)
    if (config_schedule_words(c, (ConfigScheduled)i, words, sizeof words))
      fprintf(lines, "%s: %s, updated every %lld step%s\n", of[i], words, (long long)c->schedule.every,
              c->schedule.every > 1 ? "s" : "");
  if (c->schedule.varies)
    fprintf(lines, "note: temperature or pressure varies after output.equilibration or between replicas, the "
                   "electric field oscillates, or a bias pulls: means are averages over these conditions, "
                   "and tests of equilibrium "
                   "are left out\n");
}

static void write_pull(const Simulation *s, FILE *lines)
{
  const ConfigBias *b = config_biases_pull(s->config);
  if (b == NULL)
    return;
  const PullOptions *o = pull_options(s->pull);
  const char *unit = s->parameters.unit[o->parameter];
  fprintf(lines,
          "pull: %s from %.6g to %.6g%s%s%s in %lld steps after step %lld, in %lld stairs of %lld step%s\n",
          b->full, o->end[0][0], o->end[1][0], *unit != '\0' ? " " : "", unit,
          b->nend[0] > 1 || b->nend[1] > 1 ? " in replica 0" : "", (long long)o->stairs * o->every,
          (long long)o->begin, (long long)o->stairs, (long long)o->every, o->every > 1 ? "s" : "");
  if (o->begin == 0 && s->free_energies != NULL && *s->free_energies->starts < s->replicas)
    fprintf(lines,
            "warning: the pull begins at once, before its replicas are in equilibrium at its start; free "
            "energies will be biased: set output.equilibration\n");
}

/* The windows and their coordinates, or why there is no free energy without biases; and metadynamics. */
static void write_biases(const Simulation *s, FILE *lines)
{
  const FreeEnergyList *list = s->free_energies;
  const MetadynamicsBias *hills = s->metadynamics;
  if (list != NULL && list->why == NULL) {
    fprintf(lines, "biases: %d window%s along %s%s%s\n", list->windows, list->windows > 1 ? "s" : "",
            list->on[0]->name, list->n > 1 ? " and " : "", list->n > 1 ? list->on[1]->name : "");
  } else if (list != NULL && hills == NULL && s->pull == NULL)
    fprintf(lines, "biases: no free energy without them: %s\n", list->why);
  if (hills == NULL)
    return;
  const BiasGridOptions *o = bias_grid_options(hills->grid);
  fprintf(lines, "metadynamics: along %s%s%s, hills of at most %.6g kcal/mol every %lld steps, factor %.6g\n",
          hills->coordinate[0], hills->n > 1 ? " and " : "", hills->n > 1 ? hills->coordinate[1] : "",
          o->height, (long long)hills->every, o->factor);
}

static Status write_lines(Simulation *s, FILE *lines, Error *error)
{
  write_schedule(s->config, lines);
  write_biases(s, lines);
  write_pull(s, lines);
  for (const CheckLine *line = s->sort->check; *line != NULL; line++)
    TRY((*line)(s, lines, error));
  return STATUS_OK;
}

/* Lines written before an error are printed too. */
static Status print_findings(Simulation *s, FILE *out, int *warnings, Error *error)
{
  char *text = NULL;
  size_t size;
  FILE *const lines = open_memstream(&text, &size);
  TRY_MEMORY(lines != NULL, "the findings of a check", error);
  Status status = write_lines(s, lines, error);
  if (fclose(lines) != 0 || text == NULL)
    status = error_memory(error, "the findings of a check");
  else {
    print_lines(text, false, out);
    for (int i = 0; input_notes(s->config->input, i) != NULL; i++)
      fprintf(out, "note: %s\n", input_notes(s->config->input, i));
    char words[512];
    if (config_bare(s->config, words, sizeof words))
      printable_print(out, "note: %s\n", words);
    print_lines(text, true, out);
    *warnings = count_warnings(text);
  }
  free(text);
  return status;
}

Status simulation_check(Simulation *s, const SimulationStart *how, FILE *out, int *warnings, Error *error)
{
  TRY(s->sort->start(s, how, error));
  TRY(simulation_prepare(s, error));
  TRY(simulation_place(s, error));
  Sampling *sampling; /* as a run does first */
  TRY(sampling_create(&sampling, s, error));
  sampling_free(sampling);
  fprintf(out, "# what runs\n");
  return print_findings(s, out, warnings, error);
}
