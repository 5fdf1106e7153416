/* Evaluates texts of the input: formulas with the system's constants. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "simulation/mechanics/mechanics_private.h"

/* "2 fs": a number, a space, a word. */
static bool has_unit(const char *text)
{
  LOCALE_PLAIN;
  char *rest;
  (void)strtod(text, &rest);
  return rest != text && (*rest == ' ' || *rest == '\t') && isalpha((unsigned char)rest[strspn(rest, " \t")]);
}

Status mechanics_value_parse(const Mechanics *m, InputKey key, const char *text, Names names,
                             Expression **expression, Error *error)
{
  const ExpressionNames all = {
      .nvar = names.n, .var = names.var, .nconst = m->nconst, .constant = m->constant, .value = m->value};
  Error why;
  const Status status = expression_parse(expression, text, &all, &why);
  if (status == STATUS_INPUT && has_unit(text))
    return input_error(m->s->config->input, key, error,
                       "'%s' has a unit; numbers and formulas of a mechanical system have no units", text);
  return input_pass(m->s->config->input, key, status, &why, error);
}

Status mechanics_value_at(const Mechanics *m, InputKey key, const char *text, Names names, const double *x,
                          double *value, Error *error)
{
  Expression *expression;
  TRY(mechanics_value_parse(m, key, text, names, &expression, error));
  *value = expression_value(expression, x);
  expression_free(expression);
  if (!isfinite(*value))
    return input_error(m->s->config->input, key, error, "'%s' is not a finite number here", text);
  return STATUS_OK;
}

/* Characters of formulas that plain numbers do not have. */
#define OPERATORS "+*/^()ABCDFGHIJKLMNOPQRSTUVWXYZabcdfghijklmnopqrstuvwxyz_"

Status mechanics_value_whole(const Mechanics *m, InputKey key, const char *text, int most, int *value,
                             Error *error)
{
  double x;
  TRY(mechanics_value_at(m, key, text, (Names){0, NULL}, NULL, &x, error));
  if (x != floor(x) || x < 1 || x > most)
    return input_error(
        m->s->config->input, key, error, "found %s%s%.15g; wanted: a whole number from 1 to %d",
        strpbrk(text, OPERATORS) != NULL ? text : "", strpbrk(text, OPERATORS) != NULL ? " = " : "", x, most);
  *value = (int)x;
  return STATUS_OK;
}

static bool is_name(const char *text)
{
  const size_t n = strlen(text);
  size_t i = 0;
  while (isalnum((unsigned char)text[i]) || text[i] == '_')
    i++;
  return n > 0 && i == n && !isdigit((unsigned char)text[0]);
}

/* Names with another meaning in formulas. */
static bool is_taken(const char *text, bool pairs)
{
  if (pairs && (*text == 'q' || *text == 'p') && text[1 + strspn(text + 1, "0123456789")] == '\0')
    return true;
  static const char *const taken[] = {"i",  "n",  "r",  "u",  "xi", "x",  "y", "z",
                                      "x1", "y1", "z1", "x2", "y2", "z2", "pi"};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (strcmp(taken[i], text) == 0)
      return true;
  return false;
}

Status mechanics_value_constants(Mechanics *m, bool pairs, Error *error)
{
  const InputMap *map = &m->s->config->system.constants;
  m->constant = map->name;
  m->value = calloc((size_t)map->n + 1, sizeof *m->value);
  if (m->value == NULL)
    return error_memory(error, "constants");
  for (int i = 0; i < map->n; i++) {
    const InputKey key = input_line(KEY(system_constants), map->name[i]);
    if (!is_name(map->name[i]))
      return input_error(m->s->config->input, key, error,
                         "is not a name; wanted: letters, digits and _, beginning with a letter");
    if (is_taken(map->name[i], pairs))
      return input_error(m->s->config->input, key, error, "is a variable of formulas: choose another name");
    TRY(mechanics_value_at(m, key, map->value[i], (Names){0, NULL}, NULL, &m->value[i], error));
    m->nconst = i + 1; /* later constants may use it */
  }
  return STATUS_OK;
}
