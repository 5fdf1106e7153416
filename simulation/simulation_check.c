#include "simulation/simulation_private.h"

Status simulation_check(Simulation *s, const SimulationStart *how, FILE *out, Error *error)
{
  const Input *input = s->config->input;
  Status status = s->sort->start(s, how, error);
  if (status == STATUS_OK)
    status = simulation_prepare(s, error);
  if (status == STATUS_OK)
    status = simulation_place(s, error);
  if (status != STATUS_OK)
    return status;
  fprintf(out, "# the input, resolved\n");
  status = input_print(input, out, error);
  if (status != STATUS_OK)
    return status;
  for (int i = 0; input_notes(input, i) != NULL; i++)
    fprintf(out, "note: %s\n", input_notes(input, i));
  return s->sort->check(s, out, error);
}
