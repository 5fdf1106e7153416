/* The keys of metadynamics in a record of `biases`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_private.h"
#include "engine/units.h"
#include "forcefields/bias.h"

static const double degree = 3.14159265358979323846 / 180.0;

static InputKey key_of(int record, const char *key) { return input_record(KEY(biases), record, key); }

bool config_biases_hills_any(const Config *config)
{
  const ConfigBias *b = config->biases.item;
  for (int i = 0; i < config->biases.n; i++)
    if (b[i].type == BIAS_METADYNAMICS)
      return true;
  return false;
}

/* Reads one number of a list; false: it is wrong, which was reported. */
static bool read_one(Draft *draft, Input *in, InputKey key, const char *text, ConfigMeasure measures,
                     double *value)
{
  const ConfigParameter like = {.name = "metadynamics", .measures = measures};
  double *found = NULL;
  const int n = config_parameters_numbers(&draft->config, in, key, text, &like, 1, &found);
  if (n != 1 || found == NULL)
    return false;
  *value = *found;
  return true;
}

/* Widths of angles are in radians, as force constants are, unless they have a unit. */
static void read_widths(Draft *draft, Input *in, int record, ConfigBias *b, const CoordinateType *const *on)
{
  const InputKey key = key_of(record, "width");
  if (b->width.n != 1 && b->width.n != b->on.n) {
    input_complain(in, key,
                   "has %d numbers; wanted: the width of hills, one number, or one for each of %d "
                   "coordinates",
                   b->width.n, b->on.n);
    return;
  }
  for (int i = 0; i < b->on.n; i++) {
    const char *text = b->width.value[b->width.n > 1 ? i : 0];
    char *end;
    (void)strtod(text, &end);
    const bool bare = on[i]->angle && *end == '\0';
    if (!read_one(draft, in, key, text, bare ? CONFIG_PLAIN : config_parameters_centre(on[i]), &b->wide[i]))
      return;
    b->wide[i] *= on[i]->angle && !bare ? degree : 1.0;
    if (!(b->wide[i] > 0.0) || (on[i]->angle && b->wide[i] > 180.0 * degree))
      input_complain(in, key, "'%.40s' of %s; wanted: a positive width%s", text, b->on.value[i],
                     on[i]->angle ? " of at most half a turn, in radians, or with a unit, '20 deg'" : "");
  }
}

/* Reads an edge of the grid of a coordinate; false: it is wrong, which was reported. */
static bool read_edge(Draft *draft, Input *in, InputKey key, const char *text, const CoordinateType *on,
                      double *value)
{
  if (!read_one(draft, in, key, text, config_parameters_centre(on), value))
    return false;
  if (*value >= 0.0 || !config_parameters_positive(on))
    return true;
  input_complain(in, key, "'%.40s' is negative, but a %s is not; wanted: an edge of 0 or more", text,
                 on->one);
  return false;
}

/* Torsions need no edges, and neither do angles, whose grid is usually that from 0 to 180 degrees. */
static void read_edges(Draft *draft, Input *in, int record, ConfigBias *b, const CoordinateType *const *on)
{
  int open = 0, needed = 0, at = 0;
  for (int i = 0; i < b->on.n; i++) {
    open += !on[i]->periodic;
    needed += !on[i]->periodic && !on[i]->angle;
  }
  const bool all = b->from.n == open;
  if (b->to.n != b->from.n || (!all && b->from.n != needed)) {
    const bool from = b->from.n != open && b->from.n != needed;
    input_complain(in, key_of(record, from ? "from" : "to"),
                   "has %d numbers; wanted: %d, an edge of the grid for each coordinate other than torsions "
                   "and angles%s",
                   from ? b->from.n : b->to.n, needed,
                   open > needed ? ", or also for each angle, which has edges at 0 and 180 degrees otherwise"
                                 : "");
    return;
  }
  for (int i = 0; i < b->on.n; i++) {
    b->low[i] = on[i]->periodic ? -180.0 : 0.0;
    b->high[i] = 180.0;
    if (on[i]->periodic || (on[i]->angle && !all))
      continue;
    if (!read_edge(draft, in, key_of(record, "from"), b->from.value[at], on[i], &b->low[i]) ||
        !read_edge(draft, in, key_of(record, "to"), b->to.value[at], on[i], &b->high[i]))
      return;
    if (!(b->low[i] < b->high[i]))
      input_complain(in, key_of(record, "to"), "'%.40s' is not above from, '%.40s'; wanted: a rising range",
                     b->to.value[at], b->from.value[at]);
    at++;
  }
}

void config_biases_hills_read(Draft *draft, Input *in, int record, ConfigBias *b)
{
  const CoordinateType *on[BIAS_COORDINATES] = {NULL, NULL};
  const double usual = 1000.0 / UNITS_AKMA_FS; /* 1 ps */
  for (int i = 0; i < b->on.n; i++) {
    CoordinateForm form;
    int number;
    (void)config_biases_find(&draft->config, b->on.value[i], &form, &number);
    on[i] = &coordinate_types[form];
  }
  if (b->width.n == 0)
    input_complain(in, key_of(record, "width"),
                   "is missing; wanted: the width (standard deviation) of hills, for torsions usually 0.35");
  else
    read_widths(draft, in, record, b, on);
  if (!(b->height > 0.0))
    input_complain(in, key_of(record, "height"),
                   "is missing; wanted: the height of the first hill, usually a third of kT, 0.2 kcal/mol");
  if (!(b->factor > 1.0))
    input_complain(in, key_of(record, "factor"),
                   "is missing; wanted: the factor (T + dT)/T of well-tempered metadynamics, greater than 1, "
                   "usually 5 to 15");
  read_edges(draft, in, record, b, on);
  if (b->every == 0.0)
    b->every = usual;
  b->stride = config_steps(in, key_of(record, "every"), b->every, draft->config.integrator.timestep);
  if (b->stride < 1)
    input_complain(in, key_of(record, "every"), "is less than half a time step; wanted: at least one step");
  else if (b->stride > draft->config.integrator.steps)
    input_note(in, key_of(record, "every"),
               "is %lld steps, more than the run has (%lld): no hill will be added", (long long)b->stride,
               (long long)draft->config.integrator.steps);
}
