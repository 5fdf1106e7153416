/* Checks the electric field. */
#include <string.h>

#include "config/config_private.h"

void config_field_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const InputReals *e = &draft->electric;
  if (e->n == 0)
    return;
  if (e->n != 3) {
    input_complain(in, KEY(field_electric),
                   "has %d number%s; wanted: three, along x, y and z, [0, 0, 0.1 V/nm]", e->n,
                   e->n == 1 ? "" : "s");
    return;
  }
  memcpy(c->field.electric, e->value, sizeof c->field.electric);
  if (c->field.period > 0.0 && c->exchange.number > 0)
    input_complain(in, KEY(field_period),
                   "contradicts replica exchange (section exchange), whose states are in "
                   "equilibrium; remove one of the two");
  if (c->field.period > 0.0 && c->field.period < 2.0 * c->integrator.timestep)
    input_complain(in, KEY(field_period), "is shorter than two time steps");
}
