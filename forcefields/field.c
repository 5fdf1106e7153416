#include "forcefields/field.h"

#include "forcefields/atoms.h"

static bool applies(FieldRow row, const FieldInput *f, const State *shape)
{
  const bool boxed = box_periodic(&shape->box);
  switch (row) {
#define FORCE(name, key, when, ...)                                                                          \
  case FIELD_##name:                                                                                         \
    return when;
#include "forcefields/force_rows.def"
  default:
    return false;
  }
}

Status field_create(ForceField *field, const FieldInput *input, const State *shape, FieldRow *row,
                    Error *error)
{
  static Status (*const create[])(Force *, const FieldInput *, const State *, Error *) = {
#define FORCE(name, ...) name##_of_field,
#include "forcefields/force_rows.def"
  };
  for (*row = 0; *row < FIELD_ROWS; ++*row) {
    if (!applies(*row, input, shape))
      continue;
    if (field->n == FORCES_MAX)
      return error_set(error, STATUS_INPUT, "a field can have at most %d forces; this one has more",
                       (int)FORCES_MAX);
    TRY(create[*row](&field->force[field->n], input, shape, error));
    field->n++;
  }
  return STATUS_OK;
}
