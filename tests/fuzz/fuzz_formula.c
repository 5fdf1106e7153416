/* Formulas: parsed, differentiated and evaluated, or refused with a message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formula/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const variables[] = {"x", "y"};
  static const ExpressionNames names = {.nvar = 2, .var = variables};
  char *text = malloc(size + 1);
  if (text == NULL)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  Expression *e;
  Error error = {0};
  if (expression_parse(&e, text, &names, &error) == STATUS_OK) {
    const double at[2] = {0.3, -1.7};
    double gradient[2], hessian[4];
    (void)expression_value(e, at);
    expression_gradient(e, at, gradient);
    expression_hessian(e, at, hessian);
    expression_free(e);
  } else if (error.text[0] == '\0')
    abort(); /* a failure says why */
  free(text);
  return 0;
}
