#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/nearest.h"
#include "formula/algebra.h"

enum { DEPTH_MAX = 100, WORD_MAX = 80 };

/* --- names ---------------------------------------------------------------------------------------------- */

typedef struct Function {
  const char *name;
  int nargument;
  Operation op;
  double exponent; /* of powers */
  int odd;         /* of OPERATION_ABS_POWER */
} Function;

static const Function functions[] = {
    {"sqrt", 1, OPERATION_POWER, 0.5, 0},     {"abs", 1, OPERATION_ABS_POWER, 1.0, 0},
    {"sign", 1, OPERATION_ABS_POWER, 0.0, 1}, {"exp", 1, OPERATION_EXP, 0.0, 0},
    {"log", 1, OPERATION_LOG, 0.0, 0},        {"sin", 1, OPERATION_SIN, 0.0, 0},
    {"cos", 1, OPERATION_COS, 0.0, 0},        {"tan", 1, OPERATION_TAN, 0.0, 0},
    {"asin", 1, OPERATION_ASIN, 0.0, 0},      {"acos", 1, OPERATION_ACOS, 0.0, 0},
    {"atan", 1, OPERATION_ATAN, 0.0, 0},      {"sinh", 1, OPERATION_SINH, 0.0, 0},
    {"cosh", 1, OPERATION_COSH, 0.0, 0},      {"tanh", 1, OPERATION_TANH, 0.0, 0},
    {"min", 2, OPERATION_MIN, 0.0, 0},        {"max", 2, OPERATION_MAX, 0.0, 0},
    {"atan2", 2, OPERATION_ATAN2, 0.0, 0},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

const char *expression_parse_function(int i) { return i >= 0 && i < FUNCTIONS ? functions[i].name : NULL; }

/* Calls `see` with each name of "q1|q". */
typedef bool See(void *self, const char *name);

static bool each_name(const char *names, See *see, void *self)
{
  while (*names != '\0') {
    const size_t n = strcspn(names, "|");
    char name[WORD_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)n, names);
    if (see(self, name))
      return true;
    names += n + (names[n] == '|');
  }
  return false;
}

static bool equal(void *self, const char *name) { return strcmp(self, name) == 0; }

/* A copy of the nearest name so far. */
typedef struct Suggestion {
  Nearest nearest;
  char name[WORD_MAX + 1];
} Suggestion;

static bool suggest(void *self, const char *name)
{
  Suggestion *s = self;
  const double before = s->nearest.distance;
  nearest_try(&s->nearest, name, 0.0);
  if (s->nearest.distance < before)
    snprintf(s->name, sizeof s->name, "%s", name);
  return false;
}

/* --- the parser: one function for each level of the grammar --------------------------------------------- */

typedef struct Parser {
  const char *text, *here; /* here: the next character that is not a space */
  const ExpressionNames *names;
  Algebra *algebra;
  Error *error;
  Status status; /* of the first error */
  int depth;
} Parser;

static int column(const Parser *p, const char *at) { return (int)(at - p->text) + 1; }

__attribute__((format(printf, 3, 4))) static int fail(Parser *p, const char *at, const char *format, ...)
{
  if (p->status != STATUS_OK)
    return 0;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  p->status =
      error_set(p->error, STATUS_INPUT, "formula '%.200s', column %d: %s", p->text, column(p, at), text);
  return 0;
}

static void skip_space(Parser *p)
{
  while (isspace((unsigned char)*p->here))
    p->here++;
}

static bool take(Parser *p, char c)
{
  if (p->status != STATUS_OK || *p->here != c)
    return false;
  p->here++;
  skip_space(p);
  return true;
}

static bool letter(char c) { return isalpha((unsigned char)c) || c == '_'; }

static int name_length(const char *s)
{
  int n = 0;
  while (letter(s[n]) || (n > 0 && isdigit((unsigned char)s[n])))
    n++;
  return n;
}

/* Describes the text at p->here. */
static const char *found(const Parser *p, char *text, size_t size)
{
  const int n = name_length(p->here);
  if (*p->here == '\0')
    snprintf(text, size, "the end");
  else
    snprintf(text, size, "'%.*s'", n > 0 ? n : 1, p->here);
  return text;
}

static int sum(Parser *p);
static int unary(Parser *p);

/* Checks a new term; constants that are not finite are errors, reported at their place in the text. */
static int made(Parser *p, int term, const char *at)
{
  if (p->status != STATUS_OK || term < 0)
    return term;
  const Term *t = &p->algebra->term[term];
  if (t->op == OPERATION_CONSTANT && !isfinite(t->constant))
    return fail(p, at, "this is not a finite number");
  return term;
}

static int read_number(Parser *p)
{
  char *end;
  const char *const at = p->here;
  /* strtod receives only digits, since it would also accept 0x10. */
  size_t n = strspn(at, "0123456789.");
  if (at[n] == 'e' || at[n] == 'E') {
    const size_t sign = at[n + 1] == '+' || at[n + 1] == '-',
                 digits = strspn(at + n + 1 + sign, "0123456789");
    n += digits > 0 ? 1 + sign + digits : 0;
  }
  char text[64];
  if (n >= sizeof text)
    return fail(p, at, "this number has more than %d characters", (int)sizeof text - 1);
  memcpy(text, at, n);
  text[n] = '\0';
  const double value = strtod(text, &end);
  if (*end != '\0')
    return fail(p, at, "'%s' is not a number", text);
  if (!isfinite(value))
    return fail(p, at, "the number %s is too large", text);
  p->here += n;
  skip_space(p);
  return algebra_constant(p->algebra, value);
}

static int unknown(Parser *p, const char *name, const char *at)
{
  const ExpressionNames *names = p->names;
  char known[512] = "";
  size_t used = 0;
  Suggestion s = {nearest_start(name), ""};
  for (int i = 0; i < names->nvar + names->nconst; i++) {
    const char *const one = i < names->nvar ? names->var[i] : names->constant[i - names->nvar];
    each_name(one, suggest, &s);
    if (used + strlen(one) + 8 < sizeof known)
      used += (size_t)snprintf(known + used, sizeof known - used, "%s, ", one);
  }
  for (int i = 0; i < FUNCTIONS; i++)
    if (strcmp(functions[i].name, name) == 0)
      return fail(p, at, "'%s' is a function: write %s(%s)", name, name,
                  functions[i].nargument == 1 ? "..." : "..., ...");
  suggest(&s, "pi");
  return fail(p, at, "unknown name '%s'%s%s%s; known: %spi and functions", name,
              s.name[0] != '\0' ? ": did you mean '" : "", s.name, s.name[0] != '\0' ? "'?" : "", known);
}

static int variable_or_constant(Parser *p, char *name, const char *at)
{
  const ExpressionNames *names = p->names;
  int term = -1, hits = 0;
  for (int i = 0; i < names->nvar; i++)
    if (each_name(names->var[i], equal, name)) {
      term = algebra_variable(p->algebra, i);
      hits++;
    }
  for (int i = 0; i < names->nconst; i++)
    if (strcmp(names->constant[i], name) == 0) {
      if (!isfinite(names->value[i]))
        return fail(p, at, "the constant '%s' is not finite", name);
      term = algebra_constant(p->algebra, names->value[i]);
      hits++;
    }
  if (strcmp(name, "pi") == 0) {
    term = algebra_constant(p->algebra, M_PI);
    hits++;
  }
  if (hits > 1)
    return fail(p, at, "'%s' names both a constant and another quantity: rename the constant", name);
  return hits == 0 ? unknown(p, name, at) : term;
}

static const Function *find_function(Parser *p, const char *name, const char *at)
{
  Suggestion s = {nearest_start(name), ""};
  for (int i = 0; i < FUNCTIONS; i++) {
    if (strcmp(functions[i].name, name) == 0)
      return &functions[i];
    suggest(&s, functions[i].name);
  }
  if (s.name[0] != '\0')
    fail(p, at, "unknown function '%s': did you mean '%s'?", name, s.name);
  else
    fail(p, at,
         "unknown function '%s'; functions are sqrt, exp, log, sin, cos, tan, asin, acos, atan, sinh, cosh, "
         "tanh, abs, sign, min, max, atan2 (products need a *)",
         name);
  return NULL;
}

static int call(Parser *p, const char *name, const char *at)
{
  const Function *f = find_function(p, name, at);
  int argument[2] = {-1, -1};
  char text[WORD_MAX + 8];
  for (int i = 0; f != NULL && i < f->nargument; i++) {
    argument[i] = sum(p);
    if (i + 1 < f->nargument && !take(p, ','))
      return fail(p, p->here, "%s needs %d arguments: found %s, expected ','", name, f->nargument,
                  found(p, text, sizeof text));
  }
  if (f == NULL || p->status != STATUS_OK)
    return 0;
  if (*p->here == ',')
    return fail(p, p->here, "%s takes %d argument%s", name, f->nargument, f->nargument > 1 ? "s" : "");
  if (!take(p, ')'))
    return fail(p, p->here, "found %s, expected ')' of %s(", found(p, text, sizeof text), name);
  Algebra *a = p->algebra;
  if (f->op == OPERATION_POWER)
    return made(p, algebra_power(a, argument[0], f->exponent), at);
  if (f->op == OPERATION_ABS_POWER)
    return made(p, algebra_abs_power(a, argument[0], f->exponent, f->odd), at);
  return made(p, algebra_function(a, f->op, argument[0], argument[1]), at);
}

static int read_name(Parser *p)
{
  const char *const at = p->here;
  const int n = name_length(at);
  char name[WORD_MAX + 1];
  if (n > WORD_MAX)
    return fail(p, at, "this name has more than %d characters", WORD_MAX);
  snprintf(name, sizeof name, "%.*s", n, at);
  p->here += n;
  skip_space(p);
  return take(p, '(') ? call(p, name, at) : variable_or_constant(p, name, at);
}

static int primary(Parser *p)
{
  char text[WORD_MAX + 8];
  const char c = *p->here;
  if (isdigit((unsigned char)c) || c == '.')
    return read_number(p);
  if (letter(c))
    return read_name(p);
  if (take(p, '(')) {
    const int term = sum(p);
    if (!take(p, ')'))
      return fail(p, p->here, "found %s, expected ')'", found(p, text, sizeof text));
    return term;
  }
  if (c == '*' && p->here > p->text && p->here[-1] == '*')
    return fail(p, p->here, "found '*' after '*': a power is written x^2");
  return fail(p, p->here, "found %s, expected a number, a name or '('", found(p, text, sizeof text));
}

static int power(Parser *p)
{
  const int base = primary(p);
  const char *const at = p->here;
  if (!take(p, '^'))
    return base;
  const int exponent = unary(p);
  return p->status == STATUS_OK ? made(p, algebra_general_power(p->algebra, base, exponent), at) : 0;
}

static int unary(Parser *p)
{
  if (p->status != STATUS_OK)
    return 0;
  if (++p->depth > DEPTH_MAX)
    return fail(p, p->here, "more than %d nested signs, powers and parentheses", DEPTH_MAX);
  int term;
  if (take(p, '-')) {
    const int inner = unary(p);
    term = p->status == STATUS_OK ? algebra_negate(p->algebra, inner) : 0;
  } else if (take(p, '+')) {
    term = unary(p);
  } else {
    term = power(p);
  }
  p->depth--;
  return term;
}

static int product(Parser *p)
{
  int left = unary(p);
  for (;;) {
    const char *const at = p->here;
    const bool times = take(p, '*');
    if (!times && !take(p, '/'))
      return left;
    const int right = unary(p);
    if (p->status != STATUS_OK)
      return 0;
    left = times ? algebra_multiply(p->algebra, left, right) : algebra_divide(p->algebra, left, right);
    made(p, left, at);
  }
}

static int sum(Parser *p)
{
  int left = product(p);
  for (;;) {
    const char *const at = p->here;
    const bool plus = take(p, '+');
    if (!plus && !take(p, '-'))
      return left;
    const int right = product(p);
    if (p->status != STATUS_OK)
      return 0;
    left = plus ? algebra_add(p->algebra, left, right) : algebra_subtract(p->algebra, left, right);
    made(p, left, at);
  }
}

Status expression_parse(Expression **expression, const char *text, const ExpressionNames *names, Error *error)
{
  LOCALE_PLAIN;
  *expression = NULL;
  Algebra algebra;
  algebra_start(&algebra);
  Parser p = {.text = text, .here = text, .names = names, .algebra = &algebra, .error = error};
  skip_space(&p);
  int root = -1;
  if (*p.here == '\0')
    p.status = error_set(error, STATUS_INPUT, "the formula is empty");
  else
    root = sum(&p);
  char what[WORD_MAX + 8];
  if (*p.here != '\0')
    fail(&p, p.here,
         *p.here == ')' ? "this ')' has no '('" : "found %s, expected an operator (+ - * / ^) or the end",
         found(&p, what, sizeof what));
  if (p.status == STATUS_OK) {
    p.status = algebra_finish(&algebra, root, names->nvar, expression, error);
    if (p.status == STATUS_INPUT)
      error_prefix(error, "formula '%.200s'", text);
  }
  algebra_end(&algebra);
  return p.status;
}
