#include "engine/expression.h"

#include <stdlib.h>

#include "engine/algebra.h"

void expression_free(Expression *expression) { free(expression); }

/* Registers are written before they are read. */
VEC_INLINE const double *evaluate(const Expression *e, const double *x, double *registers, const int lanes)
{
  const double *const bank[3] = {registers, x, e->constant};
  const int stride[3] = {lanes, lanes, LANES};
  for (int i = 0; i < e->ninstruction; i++) {
    const Instruction *to = &e->instruction[i];
    const double *from[3];
    for (int k = 0; k < 3; k++)
      from[k] = bank[to->operand[k].bank] + to->operand[k].index * stride[to->operand[k].bank];
    operation_apply(to->op, to->constant, to->k, from[0], from[1], from[2], registers + to->result * lanes,
                    lanes);
  }
  return bank[e->result.bank] + e->result.index * stride[e->result.bank];
}

double expression_value(const Expression *expression, const double *x)
{
  double registers[ALGEBRA_REGISTERS];
  return *evaluate(expression, x, registers, 1);
}

void expression_lanes(const Expression *expression, const Octet *x, Octet *value)
{
  Octet registers[ALGEBRA_REGISTERS];
  memcpy(value, evaluate(expression, (const double *)x, (double *)registers, LANES), sizeof *value);
}

bool expression_is_constant(const Expression *expression, double *value)
{
  const Term *last = &expression->term[expression->nterm - 1];
  if (last->op != OPERATION_CONSTANT)
    return false;
  if (value != NULL)
    *value = last->constant;
  return true;
}

/* Only terms that are needed are kept. */
bool expression_depends(const Expression *expression, int var)
{
  for (int i = 0; i < expression->nterm; i++)
    if (expression->term[i].op == OPERATION_VARIABLE && expression->term[i].index == var)
      return true;
  return false;
}
