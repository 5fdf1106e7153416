#include "engine/algebra.h"

#include <stdlib.h>

/* --- terms, equal ones once ----------------------------------------------------------------------------- */

void algebra_start(Algebra *algebra)
{
  memset(algebra, 0, sizeof *algebra);
  for (int i = 0; i < ALGEBRA_BUCKETS; i++)
    algebra->bucket[i] = -1;
}

void algebra_end(Algebra *algebra)
{
  free(algebra->term);
  free(algebra->next);
}

static uint64_t bits_of(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static unsigned hash(const Term *t)
{
  uint64_t h = (uint64_t)t->op;
  const uint64_t part[5] = {(uint64_t)t->index, (uint64_t)t->operand[0], (uint64_t)t->operand[1],
                            (uint64_t)t->operand[2], bits_of(t->constant)};
  for (int i = 0; i < 5; i++) {
    h = (h ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (unsigned)(h % ALGEBRA_BUCKETS);
}

static bool same(const Term *a, const Term *b)
{
  return a->op == b->op && a->index == b->index && a->operand[0] == b->operand[0] &&
         a->operand[1] == b->operand[1] && a->operand[2] == b->operand[2] &&
         bits_of(a->constant) == bits_of(b->constant);
}

static bool grow(Algebra *a)
{
  if (a->n < a->room)
    return true;
  if (a->room >= ALGEBRA_TERMS) {
    a->size = true;
    return false;
  }
  const int room = a->room == 0 ? 64 : 2 * a->room;
  Term *term = realloc(a->term, (size_t)room * sizeof *term);
  if (term != NULL)
    a->term = term;
  int *next = realloc(a->next, (size_t)room * sizeof *next);
  if (next != NULL)
    a->next = next;
  if (term == NULL || next == NULL) {
    a->memory = true;
    return false;
  }
  a->room = room;
  return true;
}

/* The number of that term, made if there is none yet. After a failure: 0, or -1 if there is no term at all,
 * which no function below looks into. */
static int intern(Algebra *a, Term term)
{
  const unsigned h = hash(&term);
  for (int i = a->bucket[h]; i >= 0; i = a->next[i])
    if (same(&a->term[i], &term))
      return i;
  if (!grow(a))
    return a->n > 0 ? 0 : -1;
  a->term[a->n] = term;
  a->next[a->n] = a->bucket[h];
  return a->bucket[h] = a->n++;
}

static Term make(Operation op, double constant, int index, int a, int b, int c)
{
  return (Term){op, index, {a, b, c}, constant};
}

/* --- what is folded as it is made ----------------------------------------------------------------------- */

static const Term *at(const Algebra *a, int i)
{
  static const Term none = {OPERATION_VARIABLE, 0, {-1, -1, -1}, 0.0};
  return i < 0 ? &none : &a->term[i];
}

static bool has(const Algebra *a, int i, Operation op) { return at(a, i)->op == op; }

static bool constant(const Algebra *a, int i) { return i >= 0 && has(a, i, OPERATION_CONSTANT); }

bool algebra_is(const Algebra *a, int u, double value)
{
  return constant(a, u) && at(a, u)->constant == value;
}

int algebra_constant(Algebra *a, double value)
{
  return intern(a, make(OPERATION_CONSTANT, value == 0.0 ? 0.0 : value, 0, -1, -1, -1));
}

int algebra_variable(Algebra *a, int index)
{
  return intern(a, make(OPERATION_VARIABLE, 0.0, index, -1, -1, -1));
}

/* The term, or its value if all its operands are constants. */
static int fold(Algebra *a, Term term)
{
  double value[3] = {0.0, 0.0, 0.0}, result;
  for (int k = 0; k < 3; k++) {
    if (term.operand[k] < 0)
      continue;
    if (!constant(a, term.operand[k]))
      return intern(a, term);
    value[k] = at(a, term.operand[k])->constant;
  }
  operation_apply(term.op, term.constant, term.index, &value[0], &value[1], &value[2], &result, 1);
  return algebra_constant(a, result);
}

static int fold_two(Algebra *a, Operation op, int u, int v) { return fold(a, make(op, 0.0, 0, u, v, -1)); }

static int operand(const Algebra *a, int i, int k) { return at(a, i)->operand[k]; }

int algebra_negate(Algebra *a, int u)
{
  if (has(a, u, OPERATION_NEGATE))
    return operand(a, u, 0);
  return fold_two(a, OPERATION_NEGATE, u, -1);
}

int algebra_add(Algebra *a, int u, int v)
{
  if (algebra_is(a, u, 0.0))
    return v;
  if (algebra_is(a, v, 0.0))
    return u;
  if (has(a, v, OPERATION_NEGATE))
    return algebra_subtract(a, u, operand(a, v, 0));
  if (has(a, u, OPERATION_NEGATE))
    return algebra_subtract(a, v, operand(a, u, 0));
  return fold_two(a, OPERATION_ADD, u < v ? u : v, u < v ? v : u);
}

int algebra_subtract(Algebra *a, int u, int v)
{
  if (algebra_is(a, v, 0.0))
    return u;
  if (algebra_is(a, u, 0.0))
    return algebra_negate(a, v);
  if (u == v)
    return algebra_constant(a, 0.0);
  if (has(a, v, OPERATION_NEGATE))
    return algebra_add(a, u, operand(a, v, 0));
  return fold_two(a, OPERATION_SUBTRACT, u, v);
}

/* c u, with constants inside u taken together with c. */
static int scaled(Algebra *a, double c, int u)
{
  if (c == 0.0)
    return algebra_constant(a, 0.0);
  if (c == 1.0)
    return u;
  if (c == -1.0)
    return algebra_negate(a, u);
  if (has(a, u, OPERATION_NEGATE))
    return scaled(a, -c, operand(a, u, 0));
  if (has(a, u, OPERATION_MULTIPLY) && constant(a, operand(a, u, 0)))
    return scaled(a, c * at(a, operand(a, u, 0))->constant, operand(a, u, 1));
  if (has(a, u, OPERATION_DIVIDE) && constant(a, operand(a, u, 1)))
    return scaled(a, c / at(a, operand(a, u, 1))->constant, operand(a, u, 0));
  return fold_two(a, OPERATION_MULTIPLY, algebra_constant(a, c), u);
}

/* Constants are kept to the left, so that they meet. */
int algebra_multiply(Algebra *a, int u, int v)
{
  if (constant(a, u))
    return scaled(a, at(a, u)->constant, v);
  if (constant(a, v))
    return scaled(a, at(a, v)->constant, u);
  if (has(a, u, OPERATION_NEGATE))
    return algebra_negate(a, algebra_multiply(a, operand(a, u, 0), v));
  if (has(a, v, OPERATION_NEGATE))
    return algebra_negate(a, algebra_multiply(a, u, operand(a, v, 0)));
  if (has(a, u, OPERATION_MULTIPLY) && constant(a, operand(a, u, 0)))
    return algebra_multiply(a, operand(a, u, 0), algebra_multiply(a, operand(a, u, 1), v));
  if (has(a, v, OPERATION_MULTIPLY) && constant(a, operand(a, v, 0)))
    return algebra_multiply(a, operand(a, v, 0), algebra_multiply(a, u, operand(a, v, 1)));
  if (u == v)
    return algebra_power(a, u, 2.0);
  return fold_two(a, OPERATION_MULTIPLY, u < v ? u : v, u < v ? v : u);
}

int algebra_divide(Algebra *a, int u, int v)
{
  if (algebra_is(a, v, 1.0) || (algebra_is(a, u, 0.0) && !algebra_is(a, v, 0.0)))
    return u;
  if (algebra_is(a, v, -1.0))
    return algebra_negate(a, u);
  if (has(a, u, OPERATION_NEGATE))
    return algebra_negate(a, algebra_divide(a, operand(a, u, 0), v));
  if (has(a, v, OPERATION_NEGATE))
    return algebra_negate(a, algebra_divide(a, u, operand(a, v, 0)));
  if (constant(a, u) && has(a, v, OPERATION_POWER))
    return algebra_multiply(a, u, algebra_power(a, operand(a, v, 0), -at(a, v)->constant));
  if (constant(a, v) && !constant(a, u)) {
    const double c = at(a, v)->constant;
    const int left = operand(a, u, 0), right = operand(a, u, 1);
    if (has(a, u, OPERATION_MULTIPLY) && constant(a, left))
      return scaled(a, at(a, left)->constant / c, right);
    if (has(a, u, OPERATION_DIVIDE) && constant(a, right))
      return algebra_divide(a, left, algebra_constant(a, at(a, right)->constant * c));
  }
  return fold_two(a, OPERATION_DIVIDE, u, v);
}

static bool whole(double x) { return x == rint(x); }

static bool even(double x) { return whole(x) && fmod(x, 2.0) == 0.0; }

/* (k u)^c = k^c u^c for a constant k > 0. Left inside, third derivatives of |x/a|^2.5 at x = 0 would be
 * infinity times zero: the powers must stand on |x| itself. */
static int power_of_scaled(Algebra *a, int u, double c)
{
  const bool times = has(a, u, OPERATION_MULTIPLY);
  const int side = times ? 0 : 1;
  if ((!times && !has(a, u, OPERATION_DIVIDE)) || !constant(a, operand(a, u, side)))
    return -1;
  const double k = at(a, operand(a, u, side))->constant;
  if (!(k > 0.0))
    return -1;
  return scaled(a, pow(k, times ? c : -c), algebra_power(a, operand(a, u, 1 - side), c));
}

int algebra_power(Algebra *a, int u, double c)
{
  if (c == 0.0)
    return algebra_constant(a, 1.0);
  if (c == 1.0)
    return u;
  const Term inner = *at(a, u);
  if (inner.op == OPERATION_NEGATE && whole(c)) {
    const int power = algebra_power(a, inner.operand[0], c);
    return even(c) ? power : algebra_negate(a, power);
  }
  if (inner.op == OPERATION_POWER && whole(inner.constant) && whole(c))
    return algebra_power(a, inner.operand[0], inner.constant * c);
  if ((inner.op == OPERATION_POWER && even(inner.constant)) ||
      (inner.op == OPERATION_ABS_POWER && inner.index == 0))
    return algebra_abs_power(a, inner.operand[0], inner.constant * c, 0);
  const int outside = whole(c) ? -1 : power_of_scaled(a, u, c);
  return outside >= 0 ? outside : fold(a, make(OPERATION_POWER, c, 0, u, -1, -1));
}

int algebra_abs_power(Algebra *a, int u, double c, int odd)
{
  if (whole(c) && even(c) == (odd == 0))
    return algebra_power(a, u, c);
  const Term inner = *at(a, u);
  if (inner.op == OPERATION_NEGATE) {
    const int power = algebra_abs_power(a, inner.operand[0], c, odd);
    return odd ? algebra_negate(a, power) : power;
  }
  if (inner.op == OPERATION_ABS_POWER && !odd && inner.index == 0)
    return algebra_abs_power(a, inner.operand[0], inner.constant * c, 0);
  return fold(a, make(OPERATION_ABS_POWER, c, odd, u, -1, -1));
}

int algebra_power_log(Algebra *a, int u, int v, int k)
{
  if (k == 0 && constant(a, v))
    return algebra_power(a, u, at(a, v)->constant);
  return fold(a, make(OPERATION_POWER_LOG, 0.0, k, u, v, -1));
}

int algebra_select(Algebra *a, int condition, int yes, int no)
{
  if (yes == no)
    return yes;
  if (constant(a, condition))
    return at(a, condition)->constant > 0.0 ? yes : no;
  return fold(a, make(OPERATION_SELECT, 0.0, 0, condition, yes, no));
}

int algebra_function(Algebra *a, Operation op, int u, int v) { return fold_two(a, op, u, v); }

/* --- into and out of expressions ------------------------------------------------------------------------ */

/* They were all different and folded when they were made, and are so again under the same numbers. */
void algebra_import(Algebra *a, const Expression *expression)
{
  for (int i = 0; i < expression->nterm; i++)
    intern(a, expression->term[i]);
}

/* Those of the terms that `root` is made of, operands first, in number[0..]; depth first keeps few of them
 * alive at once. place[i]: where term i stands, -1 if it is not needed. Both of the size of the algebra;
 * stack: 3 times that. Returns how many. */
static int sequence(const Algebra *a, int root, int *number, int *place, int *stack)
{
  int n = 0, top = 0;
  for (int i = 0; i < a->n; i++)
    place[i] = -1;
  stack[top++] = root;
  while (top > 0) {
    const int i = stack[top - 1];
    const int before = top;
    for (int k = 2; k >= 0 && place[i] < 0; k--)
      if (a->term[i].operand[k] >= 0 && place[a->term[i].operand[k]] < 0)
        stack[top++] = a->term[i].operand[k];
    if (top > before)
      continue;
    top--;
    if (place[i] < 0) {
      place[i] = n;
      number[n++] = i;
    }
  }
  return n;
}

static size_t aligned(size_t bytes) { return (bytes + sizeof(Octet) - 1) / sizeof(Octet) * sizeof(Octet); }

/* Terms renumbered into one allocation, with room for as many instructions and constants. */
static Expression *extract(const Algebra *a, int n, const int *number, const int *place, int nvar)
{
  const size_t count = (size_t)n, head = aligned(sizeof(Expression)), terms = aligned(count * sizeof(Term)),
               code = aligned(count * sizeof(Instruction));
  char *memory = aligned_alloc(sizeof(Octet), head + terms + code + count * sizeof(Octet));
  if (memory == NULL)
    return NULL;
  Expression *e = (Expression *)memory;
  Term *term = (Term *)(memory + head);
  for (int i = 0; i < n; i++) {
    term[i] = a->term[number[i]];
    for (int k = 0; k < 3; k++)
      if (term[i].operand[k] >= 0)
        term[i].operand[k] = place[term[i].operand[k]];
  }
  *e = (Expression){.nvar = nvar,
                    .nterm = n,
                    .term = term,
                    .instruction = (const Instruction *)(memory + head + terms),
                    .constant = (const double *)(memory + head + terms + code)};
  return e;
}

/* Registers in use while instructions are written. */
typedef struct Registers {
  int n, spare[ALGEBRA_REGISTERS];
} Registers;

/* The register of a term is spare again after the last use of it. `uses` counts them down; place as in
 * Instruction. */
static bool instruct(const Term *term, Instruction *to, Registers *registers, int *uses, const Place *place,
                     Place *result)
{
  *to = (Instruction){term->op,
                      term->index,
                      term->constant,
                      {{PLACE_CONSTANT, 0}, {PLACE_CONSTANT, 0}, {PLACE_CONSTANT, 0}},
                      0};
  for (int k = 0; k < 3; k++) {
    const int from = term->operand[k];
    if (from < 0)
      continue;
    to->operand[k] = place[from];
    if (--uses[from] == 0 && place[from].bank == PLACE_REGISTER)
      registers->spare[registers->n++] = place[from].index;
  }
  if (registers->n == 0)
    return false;
  to->result = registers->spare[--registers->n];
  *result = (Place){PLACE_REGISTER, to->result};
  return true;
}

/* uses and place: [nterm]. */
static bool compile(Expression *e, Instruction *code, double *constant_bank, int *uses, Place *place)
{
  Registers registers = {.n = ALGEBRA_REGISTERS};
  for (int i = 0; i < ALGEBRA_REGISTERS; i++)
    registers.spare[i] = ALGEBRA_REGISTERS - 1 - i;
  for (int i = 0; i < e->nterm; i++) {
    uses[i] = i == e->nterm - 1;
    for (int k = 0; k < 3; k++)
      if (e->term[i].operand[k] >= 0)
        uses[e->term[i].operand[k]]++;
  }
  int nconstant = 0;
  for (int l = 0; l < LANES; l++)
    constant_bank[l] = 0.0; /* so that operands that are not there can be pointed to */
  for (int i = 0; i < e->nterm; i++) {
    const Term *term = &e->term[i];
    if (term->op == OPERATION_VARIABLE) {
      place[i] = (Place){PLACE_VARIABLE, term->index};
    } else if (term->op == OPERATION_CONSTANT) {
      for (int l = 0; l < LANES; l++)
        constant_bank[nconstant * LANES + l] = term->constant;
      place[i] = (Place){PLACE_CONSTANT, nconstant++};
    } else if (!instruct(term, &code[e->ninstruction++], &registers, uses, place, &place[i])) {
      return false;
    }
  }
  e->result = place[e->nterm - 1];
  return true;
}

static Status build(Algebra *a, int root, int nvar, Expression **expression, int *work, Place *place,
                    Error *error)
{
  int *number = work, *where = work + a->n, *stack = work + 2 * a->n;
  const int n = sequence(a, root, number, where, stack);
  Expression *e = extract(a, n, number, where, nvar);
  if (e == NULL)
    return error_memory(error, "a formula");
  if (!compile(e, (Instruction *)e->instruction, (double *)e->constant, number, place)) {
    expression_free(e);
    return error_set(error, STATUS_INPUT,
                     "the formula (or a derivative of it) needs more than %d intermediate values at once: "
                     "split it into a sum of several",
                     ALGEBRA_REGISTERS);
  }
  *expression = e;
  return STATUS_OK;
}

Status algebra_finish(Algebra *a, int root, int nvar, Expression **expression, Error *error)
{
  *expression = NULL;
  if (a->memory || root < 0)
    return error_memory(error, "a formula");
  if (a->size)
    return error_set(error, STATUS_INPUT, "the formula (or a derivative of it) has more than %d terms",
                     ALGEBRA_TERMS);
  /* number, place and a stack on which every term stands at most once for each of its users' operands. */
  int *work = malloc((size_t)a->n * 6 * sizeof *work);
  Place *place = malloc((size_t)a->n * sizeof *place);
  const Status status = work == NULL || place == NULL ? error_memory(error, "a formula")
                                                      : build(a, root, nvar, expression, work, place, error);
  free(work);
  free(place);
  return status;
}
