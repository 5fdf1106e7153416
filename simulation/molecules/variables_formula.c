/* Formulas of coordinates: their coordinates are found as those of output are. */
#include "simulation/molecules/variables.h"

Status variables_formula_input(const Simulation *s, const Labels *labels, const ConfigCollective *record,
                               Arena *arena, CoordinateInput *input, Error *error)
{
  CoordinateInput *child = arena_take(arena, (size_t)record->ncoordinate, sizeof *child);
  TRY(arena_check(arena, "a formula", error));
  for (int i = 0; i < record->ncoordinate; i++)
    TRY(variables_input(s, labels, record->coordinate[i].form, record->coordinate[i].number, arena, &child[i],
                        error));
  *input = (CoordinateInput){.form = COORDINATE_FORMULA,
                             .name = record->name,
                             .text = record->formula,
                             .formula = record->expression,
                             .nchild = record->ncoordinate,
                             .child = child};
  return STATUS_OK;
}

Status variables_formula_check(const Simulation *s, InputKey key, const CoordinateInput *on, Error *error)
{
  for (int i = 0; i < on->nchild; i++) {
    const CoordinateInput *of = &on->child[i];
    if (of->form == COORDINATE_POSITION && box_length(&s->box, (of->axis + 2) % 3) > 0.0)
      return input_error(
          s->config->input, key, error,
          "the formula '%.100s' jumps where the position %.60s passes a face of the box, so no potential "
          "can act on it; wanted: heights or distances in place of positions",
          on->text, of->name);
    TRY(variables_formula_check(s, key, of, error));
  }
  return STATUS_OK;
}
