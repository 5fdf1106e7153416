/* Reads the records `biases` and the values of their parameters in each replica. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "config/config_private.h"
#include "forcefields/bias.h"

static InputKey key_of(int record, const char *key) { return input_record(KEY(biases), record, key); }

/* --- coordinates ---------------------------------------------------------------------------------------- */

static const ConfigCollective *record_of(const Config *config, CoordinateForm form, int number)
{
  return (const ConfigCollective *)config->output.collective[form].item + number;
}

bool config_biases_find(const Config *config, const char *name, CoordinateForm *form, int *number)
{
  for (int f = 0; f < COORDINATES; f++) {
    const InputRecords *records = &config->output.collective[f];
    const ConfigCollective *record = records->item;
    for (int i = 0; i < records->n; i++)
      if (record[i].name != NULL && strcmp(record[i].name, name) == 0) {
        *form = (CoordinateForm)f;
        *number = i;
        return true;
      }
  }
  return false;
}

static void complain_unknown(const Config *c, Input *in, int record, const char *name)
{
  char known[512] = "";
  Nearest nearest = nearest_start(name);
  for (int f = 0; f < COORDINATES; f++) {
    const ConfigCollective *one = c->output.collective[f].item;
    for (int i = 0; i < c->output.collective[f].n; i++) {
      if (one[i].name == NULL)
        continue;
      nearest_try(&nearest, one[i].name, 0.0);
      text_append(known, sizeof known, "%s%s", *known != '\0' ? ", " : "", one[i].name);
    }
  }
  if (*known == '\0')
    input_complain(in, key_of(record, "on"),
                   "'%.60s' is not a coordinate, and output lists none; wanted: a name from output.torsions, "
                   "output.distances or another list of coordinates",
                   name);
  else
    input_complain(in, key_of(record, "on"), "'%.60s' is not a coordinate of output%s there are: %s", name,
                   nearest_hint(&nearest, ";").text, known);
}

/* Reports that a name belongs to coordinates of two lists. */
static bool complain_ambiguous(const Config *c, Input *in, int record, const char *name, CoordinateForm found)
{
  for (int f = (int)found + 1; f < COORDINATES; f++) {
    const InputRecords *records = &c->output.collective[f];
    const ConfigCollective *one = records->item;
    for (int i = 0; i < records->n; i++)
      if (one[i].name != NULL && strcmp(one[i].name, name) == 0) {
        input_complain(
            in, key_of(record, "on"),
            "'%.60s' is the name of two coordinates of output (%s, %s); give one of them another name", name,
            coordinate_types[found].one, coordinate_types[f].one);
        return true;
      }
  }
  return false;
}

/* Finds the coordinates; false: one is wrong, which was reported. */
static bool find_coordinates(const Config *c, Input *in, int record, ConfigBias *b)
{
  const BiasType *type = &bias_types[b->type];
  if (b->on.n < 1 || b->on.n > type->coordinates) {
    input_complain(in, key_of(record, "on"), "has %d names; wanted: %s, such as [phi]", b->on.n,
                   type->coordinates == 1 ? "one" : "one or two");
    return false;
  }
  for (int i = 0; i < b->on.n; i++) {
    CoordinateForm form;
    int number;
    if (!config_biases_find(c, b->on.value[i], &form, &number)) {
      complain_unknown(c, in, record, b->on.value[i]);
      return false;
    }
    if (complain_ambiguous(c, in, record, b->on.value[i], form))
      return false;
    config_formulas_check(c, in, key_of(record, "on"), record_of(c, form, number));
    if (i == 0)
      b->form = form;
    else if (strcmp(b->on.value[0], b->on.value[i]) == 0) {
      input_complain(in, key_of(record, "on"), "names '%.60s' twice; wanted: two different coordinates",
                     b->on.value[i]);
      return false;
    }
  }
  return true;
}

/* --- constants ------------------------------------------------------------------------------------------ */

int config_biases_values(Draft *draft, Input *in, int record, const char *of, const InputStrings *list,
                         const ConfigParameter *like, const double **value)
{
  return config_parameters_list(draft, in, key_of(record, of), list, like, draft->config.ensemble.replicas,
                                value);
}

void config_biases_add(Draft *draft, Input *in, int record, const ConfigBias *b, const char *key,
                       const char *of, const InputStrings *list, ConfigParameter like)
{
  char dotted[16];
  const double *value;
  snprintf(like.name, sizeof like.name, "%s.%s", b->full, key);
  const int n = config_biases_values(draft, in, record, of, list, &like, &value);
  if (n < 1)
    return;
  like.value = value[0];
  if (n > 1 || strncmp(list->value[0], "linear", strlen("linear")) == 0) {
    like.record = 1 + record;
    like.key = of;
    like.neach = n;
    like.each = value;
  }
  snprintf(dotted, sizeof dotted, ".%s", key);
  config_parameters_add(draft, in, key_of(record, of), b->full, dotted, like);
}

/* The key that gives the point of a bias: a harmonic one has a centre; a wall is above or below its edge. */
static const InputStrings *point_of(Input *in, int record, ConfigBias *b)
{
  const struct {
    const char *key;
    const InputStrings *list;
    bool wall;
  } rows[] = {{"centre", &b->centre, false}, {"above", &b->above, true}, {"below", &b->below, true}};
  const bool wall = b->type == BIAS_WALL;
  const InputStrings *found = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!input_given(in, key_of(record, rows[i].key)))
      continue;
    if (rows[i].wall != wall)
      input_complain(in, key_of(record, rows[i].key), "applies only to type: %s; remove it",
                     rows[i].wall ? "wall" : "harmonic");
    else if (found != NULL)
      input_complain(in, key_of(record, rows[i].key),
                     "contradicts above; a wall acts on one side: write a record for each of two walls");
    else {
      found = rows[i].list;
      b->constant = rows[i].key;
    }
  }
  if (found == NULL)
    input_complain(in, key_of(record, wall ? "above" : "centre"), "is missing; wanted: %s",
                   wall ? "above or below, the value at which the wall begins" : "the centre of the bias");
  return found;
}

static void read_constants(Draft *draft, Input *in, int record, ConfigBias *b)
{
  const CoordinateType *on = &coordinate_types[b->form];
  const InputStrings *point = point_of(in, record, b);
  if (b->type == BIAS_WALL && on->periodic)
    input_complain(in, key_of(record, "type"), "a %s goes all the way round and has no side for a wall",
                   on->one);
  if (b->k.n == 0)
    input_complain(in, key_of(record, "k"), "is missing; wanted: the force constant");
  if (b->k.n == 0 || point == NULL)
    return;
  config_biases_add(draft, in, record, b, "k", "k", &b->k,
                    (ConfigParameter){.measures = config_parameters_stiffness(on), .positive = true});
  config_biases_add(draft, in, record, b, b->constant, b->constant, point, config_parameters_point(on));
}

/* --- records -------------------------------------------------------------------------------------------- */

/* Reports keys that belong to other types. point_of reports centres and edges of harmonic biases and walls.
 */
static void refuse_others(Input *in, int record, const ConfigBias *b)
{
  enum { SPRING = 1, PULL = 2, HILLS = 4 };
  static const struct {
    const char *key;
    int types;
  } keys[] = {{"k", SPRING | PULL},   {"centre", SPRING},   {"above", SPRING}, {"below", SPRING},
              {"from", PULL | HILLS}, {"to", PULL | HILLS}, {"over", PULL},    {"height", HILLS},
              {"width", HILLS},       {"every", HILLS},     {"factor", HILLS}};
  const int own = b->type == BIAS_PULL ? PULL : bias_types[b->type].constants ? SPRING : HILLS;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (input_given(in, key_of(record, keys[i].key)) && (keys[i].types & own) == 0)
      input_complain(in, key_of(record, keys[i].key), "does not apply to type: %s; remove it",
                     bias_types[b->type].name);
}

static void read_bias(Draft *draft, Input *in, int record, ConfigBias *b)
{
  if (!find_coordinates(&draft->config, in, record, b))
    return;
  b->full = b->name != NULL ? b->name : b->on.value[0];
  if (!config_parameters_name(in, key_of(record, "name"), b->full))
    return;
  refuse_others(in, record, b);
  if (b->type == BIAS_METADYNAMICS)
    config_biases_hills_read(draft, in, record, b);
  else if (b->type == BIAS_PULL)
    config_biases_pull_read(draft, in, record, b);
  else if (bias_types[b->type].constants)
    read_constants(draft, in, record, b);
}

void config_biases_read(Draft *draft, Input *in)
{
  const InputRecords *records = &draft->config.biases;
  for (int i = 0; i < records->n; i++)
    read_bias(draft, in, i, (ConfigBias *)records->item + i);
}

Removal config_biases_conserved(const Config *config, Removal conserved)
{
  const ConfigBias *b = config->biases.item;
  for (int i = 0; i < config->biases.n; i++)
    for (int c = 0; c < b[i].on.n; c++) {
      CoordinateForm form;
      int number;
      if (config_biases_find(config, b[i].on.value[c], &form, &number))
        conserved = config_formulas_kept(config, form, record_of(config, form, number), conserved);
    }
  return conserved;
}

bool config_biases_windowed(const Config *config)
{
  const ConfigBias *b = config->biases.item;
  bool windowed = config->biases.n > 0;
  for (int i = 0; i < config->biases.n; i++)
    windowed = windowed && (b[i].type == BIAS_HARMONIC || b[i].type == BIAS_WALL);
  return windowed;
}
