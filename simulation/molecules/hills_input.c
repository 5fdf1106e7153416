#include "simulation/molecules/hills_input.h"

#include "base/checksum.h"

static const double degree = 3.14159265358979323846 / 180.0;

static InputKey key_of(int number, const char *key) { return input_record(KEY(biases), number, key); }

/* All walkers must be samples of one Hamiltonian at one temperature. */
static Status check(const Simulation *s, int number, Error *error)
{
  const Config *c = s->config;
  const InputKey type = key_of(number, "type");
  if (system_molecules(s)->hills.grid != NULL)
    return input_error(c->input, type, error,
                       "there are two records with metadynamics, whose weights would not be known; give one "
                       "record two coordinates (on: [phi, psi])");
  if (c->exchange.number > 0)
    return input_error(
        c->input, type, error,
        "metadynamics cannot be combined with a ladder (exchange): all walkers share one bias, "
        "which belongs to one temperature and one set of parameters; remove exchange");
  if (c->field.period > 0.0)
    return input_error(c->input, type, error,
                       "metadynamics needs a constant Hamiltonian, but the electric field oscillates; remove "
                       "field.period");
  if (config_schedule_has(c, SCHEDULED_TEMPERATURE))
    return input_error(c->input, type, error,
                       "metadynamics needs a constant temperature, which the schedule changes; remove "
                       "temperatures from the schedule");
  if (c->schedule.varies)
    return input_error(c->input, type, error,
                       "metadynamics needs a constant pressure after output.equilibration, when the schedule "
                       "still changes it; end the schedule before");
  if (c->thermostat.type == THERMOSTAT_NONE || !(s->kT > 0.0))
    return input_error(c->input, type, error,
                       "metadynamics needs a thermostat (thermostat.type and thermostat.temperature)");
  for (int i = 0; i < c->parameters.n; i++)
    if (c->parameters.item[i].neach > 1)
      return input_error(
          c->input, type, error,
          "metadynamics cannot be combined with values of %s that differ between replicas: all "
          "walkers share one bias; give one value",
          c->parameters.item[i].name);
  return STATUS_OK;
}

static BiasGridAxis axis_of(const ConfigBias *record, int i, CoordinateForm form)
{
  const CoordinateType *type = &coordinate_types[form];
  const double unit = type->angle ? degree : 1.0;
  return (BiasGridAxis){record->low[i] * unit, record->high[i] * unit, type->periodic, record->wide[i]};
}

Status hills_input_create(Simulation *s, int number, BiasInput *to, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  const ConfigBias *record = (const ConfigBias *)s->config->biases.item + number;
  TRY(check(s, number, error));
  MetadynamicsBias *hills = &w->hills;
  *hills = (MetadynamicsBias){
      .name = record->full, .n = to->n, .every = record->stride, .others = s->config->biases.n - 1};
  BiasGridOptions options = {.n = to->n, .height = record->height, .kT = s->kT, .factor = record->factor};
  for (int i = 0; i < to->n; i++) {
    hills->coordinate[i] = record->on.value[i];
    TRY(coordinate_sites_create(&hills->on[i], &to->on[i], s->topology, &w->arena, error));
    options.axis[i] = axis_of(record, i, to->on[i].form);
  }
  Error why;
  const Status status = bias_grid_create(&hills->grid, &options, &why);
  if (status == STATUS_INPUT)
    return input_error(s->config->input, key_of(number, "width"), error, "%s", why.text);
  TRY(error_pass(error, status, &why));
  to->grid = hills->grid;
  s->metadynamics = hills;
  for (int i = 0; i < to->n; i++) {
    const BiasGridAxis *axis = &options.axis[i];
    s->digest = checksum_add(s->digest, &axis->low, sizeof axis->low);
    s->digest = checksum_add(s->digest, &axis->high, sizeof axis->high);
    s->digest = checksum_add(s->digest, &axis->width, sizeof axis->width);
  }
  return STATUS_OK;
}
