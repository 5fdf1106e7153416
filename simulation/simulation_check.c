#include "simulation/run/sampling.h"
#include "simulation/simulation_private.h"

Status simulation_check(Simulation *s, const SimulationStart *how, FILE *out, Error *error)
{
  const Input *input = s->config->input;
  TRY(s->sort->start(s, how, error));
  TRY(simulation_prepare(s, error));
  TRY(simulation_place(s, error));
  Sampling *sampling; /* as a run makes it first */
  TRY(sampling_create(&sampling, s, error));
  sampling_free(sampling);
  fprintf(out, "# the input, resolved\n");
  TRY(input_print(input, out, error));
  for (int i = 0; input_notes(input, i) != NULL; i++)
    fprintf(out, "note: %s\n", input_notes(input, i));
  fprintf(out, "# what runs\n");
  for (const CheckLine *line = s->sort->check; *line != NULL; line++)
    TRY((*line)(s, out, error));
  return STATUS_OK;
}
