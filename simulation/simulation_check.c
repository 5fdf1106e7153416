#include "simulation/simulation_private.h"

Status simulation_check(Simulation *s, const SimulationStart *how, FILE *out, Error *error)
{
  const Input *input = s->config->input;
  TRY(s->sort->start(s, how, error));
  TRY(simulation_prepare(s, error));
  TRY(simulation_place(s, error));
  fprintf(out, "# the input, resolved\n");
  TRY(input_print(input, out, error));
  for (int i = 0; input_notes(input, i) != NULL; i++)
    fprintf(out, "note: %s\n", input_notes(input, i));
  return s->sort->check(s, out, error);
}
