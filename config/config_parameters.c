/* Reads and checks the parameters of the Hamiltonian: their names, and their values in each replica or state.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "config/config_private.h"
#include "engine/coordinate_pairs.h"

static const char *const units[] = {[CONFIG_PLAIN] = "",          [CONFIG_STIFFNESS] = "kcal/mol/A^2",
                                    [CONFIG_LENGTH] = "A",        [CONFIG_BEND] = "kcal/mol/rad^2",
                                    [CONFIG_DEGREES] = "degrees", [CONFIG_ENERGY] = "kcal/mol"};

const char *config_parameter_unit(const ConfigParameter *parameter) { return units[parameter->measures]; }

InputKey config_parameter_each(const ConfigParameter *p)
{
  if (p->row > 0)
    return (InputKey){.row = p->row - 1};
  if (p->record > 0)
    return input_record(KEY(biases), p->record - 1, p->key != NULL ? p->key : strrchr(p->name, '.') + 1);
  return input_line(p->states ? KEY(exchange_parameters) : KEY(ensemble_parameters), p->name);
}

Removal config_parameters_kept(const CoordinateType *type, Removal conserved)
{
  if (type->invariance == COORDINATE_NOTHING)
    return REMOVE_NONE;
  return type->invariance == COORDINATE_SHIFTS && conserved == REMOVE_ANGULAR ? REMOVE_LINEAR : conserved;
}

Removal config_parameters_conserved(const Config *config)
{
  Removal conserved = config_field_is(config) ? REMOVE_LINEAR : REMOVE_ANGULAR;
  if (config->freeze != NULL || config->plumed != NULL)
    return REMOVE_NONE;
  for (int i = 0; i < config->restraints.n; i++) {
    const ConfigRestraint *restraint = (const ConfigRestraint *)config->restraints.item + i;
    if (restraint->coordinate == 0)
      return REMOVE_NONE;
    conserved =
        config_formulas_kept(config, (CoordinateForm)(restraint->coordinate - 1), &restraint->of, conserved);
  }
  return config_biases_conserved(config, conserved);
}

const CoordinateType *config_parameters_coordinate(const ConfigRestraint *restraint)
{
  return restraint->coordinate > 0 ? &coordinate_types[restraint->coordinate - 1] : NULL;
}

/* --- numbers -------------------------------------------------------------------------------------------- */

/* Reads "3 A" in AKMA units. False: it is not a finite number, or has another unit. */
static const struct {
  const char *unit;
  ConfigMeasure measures;
  double factor;
} angles[] = {{"deg", CONFIG_DEGREES, 1.0},
              {"degree", CONFIG_DEGREES, 1.0},
              {"rad", CONFIG_DEGREES, 57.29577951308232},
              {"kJ/mol/rad^2", CONFIG_BEND, 1.0 / 4.184},
              {"kJ/mol", CONFIG_ENERGY, 1.0 / 4.184}};

/* The factor of a unit that the tables of quantities do not have; 0: unknown. */
static double angle_factor(const char *unit, ConfigMeasure measures)
{
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
    if (angles[i].measures == measures && strcmp(angles[i].unit, unit) == 0)
      return angles[i].factor;
  return strcmp(unit, units[measures]) == 0 ? 1.0 : 0.0;
}

static bool read_number(const char *text, size_t length, ConfigMeasure measures, double *value)
{
  char word[64], *end;
  if (length == 0 || length >= sizeof word)
    return false;
  snprintf(word, sizeof word, "%.*s", (int)length, text);
  *value = strtod(word, &end);
  if (end == word || !isfinite(*value))
    return false;
  end += strspn(end, " ");
  for (size_t n = strlen(end); n > 0 && end[n - 1] == ' ';)
    end[--n] = '\0';
  const Quantity quantity = measures == CONFIG_STIFFNESS ? QUANTITY_STIFFNESS
                            : measures == CONFIG_LENGTH  ? QUANTITY_LENGTH
                                                         : QUANTITY_NONE;
  double factor = 1.0;
  if (*end != '\0' && (quantity == QUANTITY_NONE || !units_factor(quantity, end, &factor)))
    factor = angle_factor(end, measures);
  *value *= factor;
  return factor != 0.0;
}

static bool allowed(const ConfigParameter *p, double value)
{
  return !(p->positive && (value < 0.0 || (p->most > 0.0 && value > p->most)));
}

/* What follows "a number" or "numbers" in messages: the range and the unit. */
static const char *range_of(const ConfigParameter *p, char *words, size_t size)
{
  const char *const unit = units[p->measures];
  *words = '\0';
  if (p->positive)
    text_append(words, size, p->most > 0.0 ? " from 0 to %g" : " of 0 or more", p->most);
  text_append(words, size, "%s%s", *unit != '\0' ? " in " : "", unit);
  return words;
}

/* Evenly spaced values from first to last. */
static void interpolate(const ConfigParameter *p, double first, double last, int n, double *value)
{
  const bool whole = p->turns && fabs(fabs(last - first) - 360.0) < 1e-9;
  for (int i = 0; i < n; i++)
    value[i] = n > 1 ? first + (last - first) * i / (whole ? n : n - 1) : first;
}

/* Reads "linear(first, last)" for `count` values, or "linear(first, last, number)". */
static int read_linear(Config *c, Input *in, InputKey key, const char *text, const ConfigParameter *p,
                       int count, double **out)
{
  double value[2];
  const char *at = text + strcspn(text, "(") + 1, *const end = text + strcspn(text, ")");
  int n = count, found = 0;
  for (; at < end && found < 3; found++) {
    const size_t length = strcspn(at, ",)");
    char *rest = NULL;
    const bool good = found < 2 ? read_number(at, length, p->measures, &value[found])
                                : (n = (int)strtol(at, &rest, 10), rest == at + length && n > 0);
    if (!good)
      break;
    at += length + 1;
  }
  if (*end == ')' && at == end + 1 && found == 2 && end[1] == '\0' && count < 1) {
    input_complain(in, key,
                   "'%.60s' of %s does not give the number of values; wanted: 'linear(first, last, number)', "
                   "such as '%.*s, 24)'",
                   text, p->name, (int)(end - text < 60 ? end - text : 60), text);
    return -1;
  }
  if (*end != ')' || at != end + 1 || found < 2 || end[1] != '\0' || n < 1 || n > CONFIG_LINEAR) {
    input_complain(in, key,
                   "'%.60s' of %s; wanted: 'linear(first, last)' or 'linear(first, last, number)' in quotes, "
                   "with numbers%s%s",
                   text, p->name, *units[p->measures] != '\0' ? " in " : "", units[p->measures]);
    return -1;
  }
  if (!allowed(p, value[0]) || !allowed(p, value[1])) {
    char range[64];
    input_complain(in, key, "'%.60s' of %s; wanted: numbers%s", text, p->name,
                   range_of(p, range, sizeof range));
    return -1;
  }
  *out = arena_take(&c->arena, (size_t)n, sizeof **out);
  if (*out != NULL)
    interpolate(p, value[0], value[1], n, *out);
  return n;
}

int config_parameters_numbers(Config *c, Input *in, InputKey key, const char *text, const ConfigParameter *p,
                              int count, double **out)
{
  int n = 1;
  if (strncmp(text, "linear", strlen("linear")) == 0)
    return read_linear(c, in, key, text, p, count, out);
  for (const char *at = text; *at != '\0'; at++)
    n += *at == ',';
  double *value = *out = arena_take(&c->arena, (size_t)n, sizeof *value);
  text += strspn(text, " [");
  for (int i = 0; i < n && value != NULL; i++) {
    text += strspn(text, " ");
    const size_t length = strcspn(text, ",]");
    if (!read_number(text, length, p->measures, &value[i]) || !allowed(p, value[i])) {
      char range[64];
      input_complain(in, key, "'%.*s' of %s; wanted: a number%s", (int)(length < 60 ? length : 60), text,
                     p->name, range_of(p, range, sizeof range));
      return -1;
    }
    text += length;
    text += *text == ',';
  }
  return n;
}

/* Joins the values of a list to one text in the arena; NULL: no memory. */
static char *join(const InputStrings *list, Arena *arena)
{
  size_t length = 1;
  for (int i = 0; i < list->n; i++)
    length += strlen(list->value[i]) + 2;
  char *const text = arena_take(arena, length, 1), *end = text;
  for (int i = 0; i < list->n && text != NULL; i++)
    end += sprintf(end, "%s%s", i > 0 ? ", " : "", list->value[i]);
  return text;
}

int config_parameters_list(Draft *draft, Input *in, InputKey key, const InputStrings *list,
                           const ConfigParameter *p, int count, const double **value)
{
  Config *const c = &draft->config;
  const char *const text = join(list, &c->arena);
  double *found = NULL;
  if (text == NULL)
    return -1;
  const int n = config_parameters_numbers(c, in, key, text, p, count, &found);
  *value = found;
  return found != NULL ? n : -1;
}

/* --- names ---------------------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
  bool fine = isalpha((unsigned char)name[0]) && strlen(name) <= CONFIG_PARAMETER_NAME;
  for (const char *at = name; *at != '\0'; at++)
    fine = fine && (isalnum((unsigned char)*at) || *at == '_');
  return fine;
}

static int find(const Config *c, const char *name)
{
  for (int i = 0; i < c->parameters.n; i++)
    if (strcmp(c->parameters.item[i].name, name) == 0)
      return i;
  return -1;
}

bool config_parameters_name(Input *in, InputKey key, const char *name)
{
  if (is_name(name))
    return true;
  input_complain(in, key,
                 "'%.60s' is not a name of a parameter; wanted: a letter, then letters, digits or '_', at "
                 "most %d characters",
                 name, CONFIG_PARAMETER_NAME);
  return false;
}

void config_parameters_add(Draft *draft, Input *in, InputKey key, const char *name, const char *of,
                           ConfigParameter like)
{
  Config *const c = &draft->config;
  char full[CONFIG_PARAMETER_NAME + 16];
  snprintf(full, sizeof full, "%s%s", name, of);
  if (find(c, full) >= 0)
    input_complain(in, key, "there are two parameters '%s'; wanted: a unique name (key name)", full);
  else if (c->parameters.n == CONFIG_PARAMETERS)
    input_complain(in, key, "exceeds the limit of %d parameters", CONFIG_PARAMETERS);
  else {
    ConfigParameter *const to = &c->parameters.item[c->parameters.n++];
    *to = like;
    snprintf(to->name, sizeof to->name, "%s", full);
  }
}

/* --- restraints ----------------------------------------------------------------------------------------- */

/* Reports a coordinate without atoms, or a formula with them. */
static void check_atoms(Input *in, InputKey list, int i, const CoordinateType *type)
{
  static const char *const keys[] = {"atoms", "molecule"};
  const InputKey atoms = input_record(list, i, "atoms");
  if (type != NULL && type->composed)
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      const InputKey key = input_record(list, i, keys[k]);
      if (input_given(in, key))
        input_complain(in, key, "does not apply to a formula, whose coordinates have the atoms; remove it");
    }
  else if (!input_given(in, atoms))
    input_complain(in, atoms,
                   "is missing; wanted: a selection, \"name CA and resid 2\", or a list of selections");
}

/* Reports missing and superfluous keys of a coordinate; type NULL: it has none of its own. */
static void check_options(Input *in, InputKey list, int i, const ConfigCollective *c,
                          const CoordinateType *type)
{
  static const struct {
    const char *key, *with;
    CoordinateKeys options;
  } rows[] = {{"axis", "positions, heights and walls", COORDINATE_AXIS},
              {"radius", "coordination numbers", COORDINATE_CONTACTS},
              {"powers", "coordination numbers", COORDINATE_CONTACTS},
              {"file", "points and RMSDs", COORDINATE_REFERENCE},
              {"formula", "formulas", COORDINATE_TEXT}};
  const CoordinateKeys options = type != NULL ? type->options : COORDINATE_NONE;
  check_atoms(in, list, i, type);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const InputKey key = input_record(list, i, rows[k].key);
    const bool points =
        rows[k].options == COORDINATE_REFERENCE && type == NULL && list.row == KEY(restraints).row;
    const bool walls =
        rows[k].options == COORDINATE_AXIS && list.row == KEY(restraints).row && config_walls(in, i) != 0;
    if (input_given(in, key) && options != rows[k].options && !points && !walls)
      input_complain(in, key, "applies only to %s; remove it", rows[k].with);
  }
  const double *power = c->powers.value;
  if (options != COORDINATE_CONTACTS)
    return;
  if (!(c->radius > 0.0))
    input_complain(in, input_record(list, i, "radius"),
                   "is missing; wanted: the distance of a contact, 3.5 A");
  if (c->powers.n > 0 &&
      !(c->powers.n == 2 && power[0] >= 1.0 && power[0] < power[1] && power[1] <= COORDINATE_POWER &&
        power[0] == floor(power[0]) && power[1] == floor(power[1])))
    input_complain(in, input_record(list, i, "powers"),
                   "wanted: two whole numbers from 1 to %d, the lower one first, [6, 12]", COORDINATE_POWER);
}

/* The same for the lists of output. */
static void check_lists(const Config *c, Input *in)
{
  static const ConfigKey keys[COORDINATES] = {
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...) KEY_output_##list,
#include "engine/coordinates.def"
  };
  for (int form = 0; form <= COORDINATES; form++) {
    const bool sites = form == COORDINATES;
    const InputRecords *records = sites ? &c->output.rdf_sites : &c->output.collective[form];
    for (int i = 0; i < records->n; i++)
      check_options(in, sites ? KEY(output_rdf_sites) : (InputKey){.row = (int)keys[form]}, i,
                    (const ConfigCollective *)records->item + i, sites ? NULL : &coordinate_types[form]);
  }
}

/* The measures of a restrained coordinate's constants. */
ConfigMeasure config_parameters_stiffness(const CoordinateType *type)
{
  return type == NULL  ? CONFIG_STIFFNESS
         : type->angle ? CONFIG_BEND
         : type->plain ? CONFIG_ENERGY
                       : CONFIG_STIFFNESS;
}

ConfigMeasure config_parameters_centre(const CoordinateType *type)
{
  return type->angle ? CONFIG_DEGREES : type->plain ? CONFIG_PLAIN : CONFIG_LENGTH;
}

const char *config_parameters_unit(const CoordinateType *type, bool centre)
{
  return units[centre ? config_parameters_centre(type) : config_parameters_stiffness(type)];
}

bool config_parameters_positive(const CoordinateType *type)
{
  return type->measure == COORDINATE_LENGTH || type->measure == COORDINATE_COUNT ||
         type->measure == COORDINATE_BEND;
}

ConfigParameter config_parameters_point(const CoordinateType *type)
{
  return (ConfigParameter){.measures = config_parameters_centre(type),
                           .positive = config_parameters_positive(type),
                           .most = type->measure == COORDINATE_BEND ? 180.0 : 0.0,
                           .turns = type->periodic};
}

/* Reports missing and superfluous keys of a restrained coordinate. */
static void check_coordinate(Input *in, int i, const ConfigRestraint *r, const CoordinateType *type)
{
  static const char *const points[] = {"flat", "scale", "molecule"};
  const ConfigParameter point = config_parameters_point(type);
  const bool bare = point.measures != CONFIG_LENGTH; /* its numbers are not lengths */
  char range[64];
  const InputKey k = input_record(KEY(restraints), i, "k"),
                 centre = input_record(KEY(restraints), i, "centre");
  if (type->lists > 1 && r->of.atoms.n != type->lists &&
      input_given(in, input_record(KEY(restraints), i, "atoms")))
    input_complain(
        in, input_record(KEY(restraints), i, "atoms"),
        "has %d; wanted: a list of %d selections, one for each site of the coordinate, [index 0, index 5]",
        r->of.atoms.n, type->lists);
  if (!input_given(in, centre))
    input_complain(in, centre, "is missing; wanted: the restrained value of the coordinate%s%s",
                   *units[config_parameters_centre(type)] != '\0' ? ", in " : "",
                   units[config_parameters_centre(type)]);
  else if (!allowed(&point, r->centre))
    input_complain(in, centre, "is a value that no %s has; wanted: a number%s", type->one,
                   range_of(&point, range, sizeof range));
  for (size_t p = 0; p < sizeof points / sizeof *points; p++)
    if (input_given(in, input_record(KEY(restraints), i, points[p])))
      input_complain(in, input_record(KEY(restraints), i, points[p]),
                     "applies only to coordinate: point; remove the line");
  if (r->k.n != 1)
    input_complain(in, k, "has %d numbers; wanted: one", r->k.n);
  if (bare && input_quantity(in, centre) != QUANTITY_NONE)
    input_complain(in, centre, "is %s; wanted: a bare number%s", type->angle ? "an angle" : "a number",
                   type->angle ? ", in degrees" : "");
  if (bare)
    input_pure(in, centre);
  if (bare && input_quantity(in, k) != QUANTITY_NONE)
    input_complain(in, k, "restrains %s; wanted: a bare number, in %s", type->angle ? "an angle" : "a number",
                   units[config_parameters_stiffness(type)]);
}

static void read_restraint(Draft *draft, Input *in, int i, const ConfigRestraint *r)
{
  const InputKey name = input_record(KEY(restraints), i, "name");
  const CoordinateType *type = config_parameters_coordinate(r);
  check_options(in, KEY(restraints), i, &r->of, type);
  config_walls_check(in, i, r);
  if (type != NULL)
    check_coordinate(in, i, r, type);
  else if (input_given(in, input_record(KEY(restraints), i, "centre")))
    input_complain(in, input_record(KEY(restraints), i, "centre"),
                   "applies to a coordinate other than point; wanted: such a coordinate, for example "
                   "distance, or no centre");
  if (r->of.name == NULL || !config_parameters_name(in, name, r->of.name))
    return;
  if (r->k.n != 1) {
    input_complain(in, input_record(KEY(restraints), i, "k"),
                   "a named restraint has one k, which is a parameter, but %d were given; wanted: one number",
                   r->k.n);
    return;
  }
  config_parameters_add(draft, in, name, r->of.name, ".k",
                        (ConfigParameter){.measures = config_parameters_stiffness(type),
                                          .value = r->k.value[0],
                                          .positive = true});
  if (type != NULL) {
    ConfigParameter centre = config_parameters_point(type);
    centre.value = r->centre;
    centre.turns = false;
    config_parameters_add(draft, in, name, r->of.name, ".centre", centre);
  }
}

/* --- values of replicas and states ---------------------------------------------------------------------- */

static void complain_unknown(const Config *c, Input *in, InputKey key, const char *name)
{
  char known[512] = "";
  Nearest nearest = nearest_start(name);
  for (int i = 0; i < c->parameters.n; i++) {
    nearest_try(&nearest, c->parameters.item[i].name, 0.0);
    text_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", c->parameters.item[i].name);
  }
  if (c->parameters.n == 0)
    input_complain(in, key,
                   "there is no parameter '%.60s', and the file defines none; wanted: a restraint with a "
                   "name, or the key 'parameters'",
                   name);
  else
    input_complain(in, key, "there is no parameter '%.60s'%s there are: %s", name,
                   nearest_hint(&nearest, ";").text, known);
}

/* Reads the values for each replica, or for each state of the ladder. */
static void read_lists(Draft *draft, Input *in, InputKey key, const InputMap *map, bool states)
{
  Config *const c = &draft->config;
  for (int i = 0; i < map->n; i++) {
    const InputKey line = input_line(key, map->name[i]);
    const int at = find(c, map->name[i]);
    if (at < 0) {
      complain_unknown(c, in, line, map->name[i]);
      continue;
    }
    double *value;
    ConfigParameter *const p = &c->parameters.item[at];
    const bool strength = at == c->alchemy.parameter[0] - 1 || at == c->alchemy.parameter[1] - 1;
    if (strength && states && p->row == 0) {
      input_complain(in, line,
                     "lists strengths of a solute; wanted: the list in the key %s itself, which makes the "
                     "states and their free energies",
                     p->name);
      continue;
    }
    if (p->row > 0) {
      input_complain(in, line, "has its values in %s (%s); remove one of the two lines",
                     config_table[p->row - 1].key, input_where(in, config_parameter_each(p)));
      continue;
    }
    p->neach =
        config_parameters_numbers(c, in, line, map->value[i], p, states ? 0 : c->ensemble.replicas, &value);
    p->each = p->neach > 0 ? value : NULL;
    p->record = 0;
    p->row = 0;
    p->states = states;
  }
}

void config_parameters_read(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  for (int i = 0; i < c->restraints.n; i++)
    read_restraint(draft, in, i, (const ConfigRestraint *)c->restraints.item + i);
  check_lists(c, in);
  config_formulas_read(draft, in);
  config_biases_read(draft, in);
  config_alchemy_read(draft, in);
  const InputMap *own = &draft->parameters;
  for (int i = 0; i < own->n; i++) {
    const InputKey line = input_line(KEY(parameters), own->name[i]);
    ConfigParameter like = {.measures = CONFIG_PLAIN};
    double *value;
    snprintf(like.name, sizeof like.name, "%.*s", (int)sizeof like.name - 1, own->name[i]);
    const int n = config_parameters_numbers(c, in, line, own->value[i], &like, 1, &value);
    if (n > 1)
      input_complain(in, line,
                     "has %d numbers; wanted: one (ensemble.parameters sets values for each replica)", n);
    else if (n == 1 && value != NULL && config_parameters_name(in, line, own->name[i])) {
      like.value = value[0];
      config_parameters_add(draft, in, line, own->name[i], "", like);
    }
  }
  read_lists(draft, in, KEY(ensemble_parameters), &draft->by_replica, false);
  read_lists(draft, in, KEY(exchange_parameters), &draft->by_state, true);
  if (draft->by_state.n > 0 && draft->by_replica.n > 0)
    input_complain(in, KEY(ensemble_parameters),
                   "has no meaning with a ladder of states (%s), which sets the replicas' values; remove one "
                   "of the two lines",
                   input_where(in, KEY(exchange_parameters)));
}

int config_parameters_states(const Config *c)
{
  for (int i = 0; i < c->parameters.n; i++)
    if (c->parameters.item[i].states && c->parameters.item[i].neach > 0)
      return c->parameters.item[i].neach;
  return 0;
}

void config_parameters_check(const Config *c, Input *in)
{
  const Removal conserved = config_parameters_conserved(c);
  if (c->thermostat.remove > (int)conserved && input_given(in, KEY(thermostat_remove)))
    input_complain(in, KEY(thermostat_remove), "%s",
                   c->freeze != NULL   ? "frozen atoms take up momentum, which is not conserved and must "
                                         "not be removed; wanted: none"
                   : c->plumed != NULL ? "biases of PLUMED may act on positions, so momentum may not be "
                                         "conserved and must not be removed; wanted: none"
                   : conserved == REMOVE_NONE
                       ? "restraints tie atoms to points or positions, so momentum is not conserved and must "
                         "not be removed; wanted: none"
                   : config_field_is(c) ? "an electric field does not conserve angular momentum, so it must "
                                          "not be removed; wanted: linear or none"
                                        : "restraints along an axis do not conserve angular momentum, so "
                                          "it must not be removed; wanted: linear or none");
  for (int i = 0; i < c->parameters.n; i++) {
    const ConfigParameter *p = &c->parameters.item[i];
    const int wanted = p->states ? c->exchange.number : c->ensemble.replicas;
    if (p->each != NULL && p->neach != wanted && wanted > 0)
      input_complain(in, config_parameter_each(p), "has %d value%s; wanted: %d, one for each %s", p->neach,
                     p->neach == 1 ? "" : "s", wanted,
                     p->states ? "state of the ladder" : "replica (ensemble.replicas)");
  }
}
