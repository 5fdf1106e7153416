/* Reads the section alchemy: the states of a decoupled molecule. */
#include <string.h>

#include "config/config_private.h"

static const InputKey keys[ALCHEMY_STRENGTHS] = {{.row = KEY_alchemy_coulomb}, {.row = KEY_alchemy_lj}};
static const char *const names[ALCHEMY_STRENGTHS] = {".coulomb", ".lj"};

/* Reads a list of strengths, 1 if it is absent; returns their number, or 0 after reporting an error. */
static int read_strengths(Draft *draft, Input *in, int which, const double **value)
{
  static const double full = 1.0;
  const ConfigParameter like = {.name = "the strengths", .positive = true, .most = 1.0};
  const InputStrings *const list = &draft->alchemy[which];
  *value = &full;
  if (list->n == 0)
    return 1;
  const int n = config_parameters_list(draft, in, keys[which], list, &like, 0, value);
  for (int i = 1; i < n; i++)
    if (!((*value)[i] < (*value)[i - 1])) {
      input_complain(in, keys[which],
                     "strength %d is %g, not below the %g before it; wanted: falling strengths from 1 to 0, "
                     "such as [1, 0.5, 0]",
                     i + 1, (*value)[i], (*value)[i - 1]);
      return 0;
    }
  return n > 0 ? n : 0;
}

/* The states are the first list at the first value of the second, then the second at the last of the first.
 */
static void add_strength(Draft *draft, Input *in, int which, const int n[ALCHEMY_STRENGTHS],
                         const double *value)
{
  Config *const c = &draft->config;
  const int states = n[0] + n[1] - 1, before = which == ALCHEMY_LJ ? n[0] - 1 : 0;
  double *const each = arena_take(&c->arena, (size_t)states, sizeof *each);
  ConfigParameter like = {.measures = CONFIG_PLAIN, .positive = true, .most = 1.0, .value = value[0]};
  if (each == NULL)
    return;
  for (int k = 0; k < states; k++) {
    const int at = k - before;
    each[k] = value[at < 0 ? 0 : at < n[which] ? at : n[which] - 1];
  }
  if (states > 1) {
    like.row = 1 + keys[which].row;
    like.states = true;
    like.neach = states;
    like.each = each;
  }
  config_parameters_add(draft, in, keys[which], "alchemy", names[which], like);
  c->alchemy.parameter[which] = c->parameters.n;
}

void config_alchemy_read(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const double *value[ALCHEMY_STRENGTHS];
  int n[ALCHEMY_STRENGTHS];
  if (c->alchemy.molecules == NULL)
    return;
  for (int i = 0; i < ALCHEMY_STRENGTHS; i++) {
    n[i] = read_strengths(draft, in, i, &value[i]);
    if (n[i] == 0)
      return;
  }
  for (int i = 0; i < ALCHEMY_STRENGTHS; i++)
    add_strength(draft, in, i, n, value[i]);
  c->alchemy.states = n[0] + n[1] > 2 ? n[0] + n[1] - 1 : 0;
}

void config_alchemy_check(const Config *c, Input *in)
{
  static const int others[] = {KEY_exchange_temperatures, KEY_exchange_lowest, KEY_exchange_highest,
                               KEY_exchange_pressures};
  if (c->alchemy.molecules == NULL)
    return;
  for (size_t i = 0; i < sizeof others / sizeof *others && c->alchemy.states > 0; i++)
    if (config_table_has(c->sort, (InputKey){.row = others[i]}) &&
        input_given(in, (InputKey){.row = others[i]}))
      input_complain(in, (InputKey){.row = others[i]},
                     "contradicts the states of alchemy, which have one temperature and one pressure; remove "
                     "one of the two");
  if (c->alchemy.states == 0)
    input_note(in, KEY(alchemy_molecules),
               "has one state, so the run computes no free energy; lists of strengths (alchemy.coulomb, "
               "alchemy.lj) make a ladder of states");
  else if (c->exchange.interval > 0 && /* an exchange precedes a step, so the last step has none */
           (c->integrator.steps - 1) / c->exchange.interval <= c->output.equilibration / c->exchange.interval)
    input_note(
        in, KEY(exchange_interval),
        "leaves no sample of the states, so the run computes no free energy: no multiple of %lld is above "
        "%lld steps (output.equilibration) and below %lld, the whole run",
        (long long)c->exchange.interval, (long long)c->output.equilibration, (long long)c->integrator.steps);
  if (c->freeze != NULL)
    input_complain(in, KEY(freeze),
                   "cannot be combined with alchemy; use restraints, or remove one of the two");
}
