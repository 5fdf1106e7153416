/* Reads the formulas of coordinates (output.formulas, and restraints of formulas): parses the texts, and
 * finds the coordinates that they name. */
#include <math.h>
#include <string.h>

#include "base/scoped.h"
#include "config/config_private.h"
#include "formula/expression.h"

SCOPED_POINTER(Expression, expression_free)

static const double pi = 3.14159265358979323846;

/* Numbers of points at which formulas are tried, and of values of coordinates that one may need, those of its
 * formulas included. */
enum { TRIES = 256, VALUES_MOST = 256 };

/* A formula being read: one of output.formulas, or of a restraint. */
typedef struct Reading {
  Config *config;
  Input *in;
  InputKey key; /* of the text */
  ConfigCollective *record;
  int number; /* in output.formulas, after whose end a restraint comes */
} Reading;

static const ConfigCollective *record_of(const Config *c, ConfigCoordinate at)
{
  return (const ConfigCollective *)c->output.collective[at.form].item + at.number;
}

/* --- names ---------------------------------------------------------------------------------------------- */

/* All coordinates of output. */
typedef struct Names {
  int n;
  ConfigCoordinate *at;
  const char **name;
} Names;

static Status list_names(const Config *c, Arena *arena, Names *names, Error *error)
{
  size_t most = 1;
  for (int f = 0; f < COORDINATES; f++)
    most += (size_t)c->output.collective[f].n;
  names->at = arena_take(arena, most, sizeof *names->at);
  names->name = arena_take(arena, most, sizeof *names->name);
  TRY(arena_check(arena, "names of coordinates", error));
  for (int f = 0; f < COORDINATES; f++)
    for (int i = 0; i < c->output.collective[f].n; i++) {
      const ConfigCoordinate at = {(CoordinateForm)f, i};
      const char *name = record_of(c, at)->name;
      if (name == NULL || *name == '\0')
        continue;
      names->at[names->n] = at;
      names->name[names->n++] = name;
    }
  return STATUS_OK;
}

static const char *list_of(const Names *names, int i) { return coordinate_types[names->at[i].form].list; }

/* Another coordinate with the name of number i; -1: its name is unique. */
static int same_name(const Names *names, int i)
{
  for (int k = 0; k < names->n; k++)
    if (k != i && strcmp(names->name[k], names->name[i]) == 0)
      return k;
  return -1;
}

/* The coordinates that a formula may name: those of atoms, and formulas above it. Names that two coordinates
 * share count once here, and are reported where a formula uses them. */
static bool is_allowed(const Reading *r, const Names *names, int i)
{
  const int other = same_name(names, i);
  return (names->at[i].form != COORDINATE_FORMULA || names->at[i].number < r->number) &&
         (other < 0 || other > i);
}

/* Reports a formula that names itself or one below it. */
static bool is_circle(const Reading *r, const Names *names, Arena *arena)
{
  SCOPED(expression_free_at) Expression *all = NULL;
  const char **name = arena_take(arena, (size_t)names->n + 1, sizeof *name);
  int n = 0, at[2] = {-1, -1};
  if (name == NULL)
    return false;
  for (int i = 0; i < names->n; i++) {
    const int other = same_name(names, i);
    if (other < 0 || other > i)
      name[n++] = names->name[i];
  }
  const ExpressionNames known = {.nvar = n, .var = name};
  if (expression_parse(&all, r->record->formula, &known, NULL) != STATUS_OK)
    return false;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < names->n && expression_depends(all, k); i++)
      if (names->at[i].form == COORDINATE_FORMULA && names->at[i].number >= r->number &&
          strcmp(names->name[i], name[k]) == 0)
        at[names->at[i].number == r->number] = i;
  const int found = at[1] >= 0 ? at[1] : at[0];
  if (found >= 0)
    input_complain(r->in, r->key,
                   "names %s '%.60s'; a formula may name coordinates of atoms, and formulas above it",
                   at[1] >= 0 ? "itself," : "the formula below it,", names->name[found]);
  return found >= 0;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* Values of the coordinates of atoms, which cover their ranges; one torsion may have a value of its own. */
typedef struct Point {
  int number, torsion; /* -1: none */
  double turn;
} Point;

static double value_at(const Config *c, const ConfigCollective *formula, const Point *point);

static double value_of(const Config *c, ConfigCoordinate at, const Point *point)
{
  if (at.form == COORDINATE_FORMULA)
    return value_at(c, record_of(c, at), point);
  if (at.form == COORDINATE_DIHEDRAL && at.number == point->torsion)
    return point->turn;
  const double many = 0.5 + 0.6180339887498949 * point->number + 0.7548776662466927 * at.number +
                      0.5698402909980532 * (double)at.form;
  const double u = many - floor(many), size = pow(10.0, 4.0 * u - 1.0);
  const CoordinateType *type = &coordinate_types[at.form];
  return type->periodic   ? 2.0 * pi * (u - 0.5)
         : type->angle    ? pi * u
         : type->negative ? (point->number % 2 == 0 ? size : -size)
                          : size;
}

static double value_at(const Config *c, const ConfigCollective *formula, const Point *point)
{
  double x[CONFIG_FORMULA_COORDINATES];
  if (formula->expression == NULL)
    return NAN;
  for (int i = 0; i < formula->ncoordinate; i++)
    x[i] = value_of(c, formula->coordinate[i], point);
  return expression_value(formula->expression, x);
}

static bool is_finite_somewhere(const Config *c, const ConfigCollective *formula)
{
  for (int i = 0; i < TRIES; i++)
    if (isfinite(value_at(c, formula, &(Point){.number = i, .torsion = -1})))
      return true;
  return false;
}

/* Whether the formula has other values where a torsion is pi than where it is -pi. */
static bool is_torn(const Config *c, const ConfigCollective *formula, int torsion)
{
  for (int i = 0; i < 16; i++) {
    const double above = value_at(c, formula, &(Point){i, torsion, pi}),
                 below = value_at(c, formula, &(Point){i, torsion, -pi});
    if (isfinite(above) && isfinite(below) && fabs(above - below) > 1e-9 * (1.0 + fabs(above)))
      return true;
  }
  return false;
}

/* The number of values of coordinates of atoms that a formula reads. */
static int count_values(const Config *c, const ConfigCollective *formula)
{
  int n = 0;
  for (int i = 0; i < formula->ncoordinate && n <= VALUES_MOST; i++) {
    const ConfigCoordinate at = formula->coordinate[i];
    n += at.form == COORDINATE_FORMULA ? count_values(c, record_of(c, at)) : 1;
  }
  return n;
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* Keeps the coordinates on which the formula depends, out of those that it may name, and their names. */
static Status keep_used(const Reading *r, const Names *may, const Expression *all, Names *used, Error *error)
{
  Arena *arena = &r->config->arena;
  used->at = arena_take(arena, CONFIG_FORMULA_COORDINATES, sizeof *used->at);
  used->name = arena_take(arena, CONFIG_FORMULA_COORDINATES, sizeof *used->name);
  TRY(arena_check(arena, "a formula", error));
  for (int i = 0; i < may->n; i++)
    if (expression_depends(all, i)) {
      if (used->n == CONFIG_FORMULA_COORDINATES)
        return error_set(error, STATUS_INPUT, "has more than %d coordinates: write it as several formulas",
                         CONFIG_FORMULA_COORDINATES);
      used->at[used->n] = may->at[i];
      used->name[used->n++] = may->name[i];
    }
  return used->n > 0
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "'%.100s' depends on no coordinate; wanted: names of coordinates in output, d1 - d2",
                         r->record->formula);
}

/* Reports names in the formula that two coordinates have. */
static Status check_names(const Names *names, const Names *used, Error *error)
{
  for (int k = 0; k < used->n; k++)
    for (int i = 0; i < names->n; i++) {
      const int other = same_name(names, i);
      if (other >= 0 && strcmp(names->name[i], used->name[k]) == 0)
        return error_set(
            error, STATUS_INPUT,
            "names '%.60s', which is a coordinate in output.%s and in output.%s; rename one of them",
            used->name[k], list_of(names, i), list_of(names, other));
    }
  return STATUS_OK;
}

/* Parses the text, with the coordinates that it uses as variables; the expression lives in the arena. */
static Status parse(const Reading *r, const Names *names, Arena *arena, Error *error)
{
  SCOPED(expression_free_at) Expression *all = NULL, *own = NULL;
  Names may = {0, arena_take(arena, (size_t)names->n + 1, sizeof *may.at),
               arena_take(arena, (size_t)names->n + 1, sizeof *may.name)},
        used = {0};
  TRY(arena_check(arena, "a formula", error));
  for (int i = 0; i < names->n; i++)
    if (is_allowed(r, names, i)) {
      may.at[may.n] = names->at[i];
      may.name[may.n++] = names->name[i];
    }
  const ExpressionNames known = {.nvar = may.n, .var = may.name};
  TRY(expression_parse(&all, r->record->formula, &known, error));
  TRY(keep_used(r, &may, all, &used, error));
  TRY(check_names(names, &used, error));
  const ExpressionNames kept = {.nvar = used.n, .var = used.name};
  TRY(expression_parse(&own, r->record->formula, &kept, error));
  r->record->expression = expression_copy(own, &r->config->arena);
  TRY(arena_check(&r->config->arena, "a formula", error));
  r->record->ncoordinate = used.n;
  r->record->coordinate = used.at;
  if (count_values(r->config, r->record) > VALUES_MOST)
    return error_set(
        error, STATUS_INPUT,
        "reads more than %d values of coordinates, those of its formulas included: write it with fewer",
        VALUES_MOST);
  return is_finite_somewhere(r->config, r->record)
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "'%.100s' is finite for no values of its coordinates; wanted: a formula without "
                         "divisions by "
                         "zero, or roots and logarithms of negative numbers",
                         r->record->formula);
}

/* Reports a formula with the name of another coordinate. */
static void check_own_name(const Reading *r, const Names *names)
{
  for (int i = 0; i < names->n; i++)
    if (names->at[i].form != COORDINATE_FORMULA && r->record->name != NULL &&
        strcmp(names->name[i], r->record->name) == 0)
      input_complain(r->in, input_record(KEY(output_formulas), r->number, "name"),
                     "'%.60s' is also the name of a coordinate in output.%s; choose another one",
                     r->record->name, list_of(names, i));
}

static Status read_formula(const Reading *r, const Names *names, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Error why;
  if (r->record->formula == NULL) {
    input_complain(r->in, r->key, "is missing; wanted: a formula of coordinates in output, d1 - 0.5*d2");
    return STATUS_OK;
  }
  if (is_circle(r, names, &arena))
    return STATUS_OK;
  const Status status = parse(r, names, &arena, &why);
  if (status != STATUS_INPUT)
    return error_pass(error, status, &why);
  r->record->ncoordinate = 0;
  r->record->expression = NULL;
  input_complain(r->in, r->key, "%s", why.text);
  return STATUS_OK;
}

static Status read_all(Draft *draft, Input *in, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Config *c = &draft->config;
  const InputRecords *formulas = &c->output.collective[COORDINATE_FORMULA];
  Names names = {0, NULL, NULL};
  TRY(list_names(c, &arena, &names, error));
  for (int i = 0; i < formulas->n; i++) {
    const Reading r = {c, in, input_record(KEY(output_formulas), i, "formula"),
                       (ConfigCollective *)formulas->item + i, i};
    check_own_name(&r, &names);
    TRY(read_formula(&r, &names, error));
  }
  for (int i = 0; i < c->restraints.n; i++) {
    ConfigRestraint *restraint = (ConfigRestraint *)c->restraints.item + i;
    const Reading r = {c, in, input_record(KEY(restraints), i, "formula"), &restraint->of, formulas->n};
    if (restraint->coordinate - 1 != (int)COORDINATE_FORMULA)
      continue;
    TRY(read_formula(&r, &names, error));
    config_formulas_check(c, in, r.key, r.record);
  }
  return STATUS_OK;
}

void config_formulas_read(Draft *draft, Input *in)
{
  Error why;
  if (read_all(draft, in, &why) != STATUS_OK)
    input_complain(in, KEY(output_formulas), "%s", why.text);
}

/* --- potentials ----------------------------------------------------------------------------------------- */

void config_formulas_check(const Config *c, Input *in, InputKey key, const ConfigCollective *record)
{
  const InputRecords *torsions = &c->output.collective[COORDINATE_DIHEDRAL];
  for (int i = 0; i < torsions->n && record->formula != NULL; i++)
    if (is_torn(c, record, i)) {
      const char *const name = ((const ConfigCollective *)torsions->item)[i].name;
      input_complain(
          in, key,
          "'%.100s' jumps where the torsion %.60s passes 180 degrees, so no potential can act on it; "
          "wanted: cos(%.60s) and sin(%.60s) in place of %.60s",
          record->formula, name, name, name, name);
      return;
    }
}

Removal config_formulas_kept(const Config *c, CoordinateForm form, const ConfigCollective *record,
                             Removal conserved)
{
  if (form != COORDINATE_FORMULA)
    return config_parameters_kept(&coordinate_types[form], conserved);
  for (int i = 0; i < record->ncoordinate; i++) {
    const ConfigCoordinate at = record->coordinate[i];
    conserved = config_formulas_kept(c, at.form, record_of(c, at), conserved);
  }
  return conserved;
}
