/* Checks the section exchange, and computes the temperatures of a ladder. */
#include <math.h>
#include <stdio.h>

#include "config/config_private.h"

/* The ratio r of neighbouring temperatures at which harmonic wells with f degrees of freedom accept this
 * share of exchanges, erfc(sqrt(m)/2) with m = f/2 (r - 2 + 1/r) (Kofke, J. Chem. Phys. 117, 6911 (2002)). */
static double ratio_for(double acceptance, int f)
{
  double low = 1.0, high = 1e6;
  for (int i = 0; i < 200; i++) {
    const double r = sqrt(low * high), m = 0.5 * f * (r - 2.0 + 1.0 / r);
    *(erfc(0.5 * sqrt(m)) > acceptance ? &low : &high) = r;
  }
  return low;
}

/* The potential heat capacity of a system in units of k/2. Harmonic wells have one for each degree of
 * freedom; stiff modes of penalties count if they have noise. A molecule of liquid water has WATER: its heat
 * capacity of 9 k without the kinetic 3 k. */
static int heat_capacity(const Config *c, bool warm)
{
  enum { HARMONIC = 6, WATER = 12, STIFF = 3 };
  const bool liquid = c->sort == SORT_BOX && c->system.model != NULL;
  const int each = (liquid ? WATER : HARMONIC) + (warm ? STIFF : 0), f = each * c->system.molecules - 6;
  return f > 0 ? f : 1;
}

/* Sets the number of temperatures, as given or by the acceptance. */
static void find_number(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool given = input_given(in, KEY(exchange_number));
  if (given == input_given(in, KEY(exchange_acceptance)))
    input_complain(
        in, KEY(exchange_number),
        given ? "contradicts exchange.acceptance; remove one of the two lines"
              : "is missing; wanted: the number of temperatures of the ladder, or exchange.acceptance");
  else if (!given && !input_given(in, KEY(system_molecules)))
    input_complain(in, KEY(exchange_number),
                   c->system.described
                       ? "is missing; exchange.acceptance determines it only for system.model"
                       : "is missing; exchange.acceptance determines it only with system.molecules");
  if (given || !input_given(in, KEY(exchange_acceptance)) || !input_given(in, KEY(system_molecules)))
    return;
  const int f = heat_capacity(c, config_penalises(c) && draft->noise == NOISE_ALL);
  const double span = log(c->exchange.highest / c->exchange.lowest);
  const double n = span > 0.0 ? 1.0 + ceil(span / log(ratio_for(c->exchange.acceptance, f))) : 2.0;
  c->exchange.number = (int)fmin(fmax(n, 2.0), CONFIG_TEMPERATURES_MAX);
}

/* The key that gives states more than a temperature. */
static InputKey states_key(const Draft *draft)
{
  return draft->by_state.n > 0                   ? KEY(exchange_parameters)
         : draft->config.alchemy.states < 1      ? KEY(exchange_pressures)
         : draft->alchemy[ALCHEMY_COULOMB].n > 1 ? KEY(alchemy_coulomb)
                                                 : KEY(alchemy_lj);
}

/* Sets the states of exchange.parameters or exchange.pressures, at the temperature of the thermostat. */
static bool find_states(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool by_parameter = draft->by_state.n > 0 || c->alchemy.states > 0;
  const int n = by_parameter ? config_parameters_states(c) : draft->pressures.n;
  double kelvin = 1.0;
  (void)units_factor(QUANTITY_TEMPERATURE, NULL, &kelvin); /* for reduced units */
  const double kT = !input_given(in, KEY(thermostat_inverse_temperature)) ? c->thermostat.kT
                    : c->reduced ? kelvin / draft->inverse_temperature
                                 : 1.0 / draft->inverse_temperature;
  if (n == 0 && by_parameter) /* reported already */
    return false;
  if (n < 2 || n > CONFIG_TEMPERATURES_MAX) {
    input_complain(in, states_key(draft), "has values for %d state%s; wanted: 2 to %d%s", n,
                   n == 1 ? "" : "s", CONFIG_TEMPERATURES_MAX, by_parameter ? " of each parameter" : "");
    return false;
  }
  if (!(kT > 0.0)) /* reported by the check of the thermostat */
    return false;
  c->exchange.number = n;
  for (int k = 0; k < n; k++)
    c->exchange.kT[k] = kT;
  return true;
}

/* Whether states differ in more than temperature. */
static bool has_states(const Draft *draft, Input *in)
{
  return input_given(in, KEY(exchange_parameters)) || input_given(in, KEY(exchange_pressures)) ||
         draft->config.alchemy.states > 0;
}

/* Sets the pressures of all states. */
static void find_pressures(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const InputReals *list = &draft->pressures;
  const bool listed = input_given(in, KEY(exchange_pressures));
  if (listed && list->n != c->exchange.number) {
    input_complain(in, KEY(exchange_pressures), "has %d; wanted: %d, one for each state of the ladder",
                   list->n, c->exchange.number);
    return;
  }
  for (int k = 0; k < c->exchange.number; k++)
    c->exchange.pressure[k] = listed ? list->value[k] : c->barostat.pressure;
  if (listed)
    c->barostat.pressure = list->value[0];
}

/* Sets the temperatures, from a list or as a geometric series. False: unknown, with an error reported. */
static bool find_temperatures(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool listed = input_given(in, KEY(exchange_temperatures));
  const InputReals *list = &draft->temperatures;
  if (listed && list->n >= 2 && list->n <= CONFIG_TEMPERATURES_MAX) {
    c->exchange.number = list->n;
    for (int k = 0; k < list->n; k++)
      c->exchange.kT[k] = list->value[k];
  } else if (listed)
    input_complain(in, KEY(exchange_temperatures), "has %d; wanted: 2 to %d temperatures", list->n,
                   CONFIG_TEMPERATURES_MAX);
  else if (!input_given(in, KEY(exchange_highest)))
    input_complain(in, KEY(exchange_highest), "is missing; wanted: the highest temperature of the ladder");
  else
    find_number(draft, in);
  const InputKey other =
      input_given(in, KEY(exchange_highest)) ? KEY(exchange_highest) : KEY(exchange_number);
  if (listed && input_given(in, other))
    input_complain(in, other, "contradicts the list of temperatures (%s); remove one of the two lines",
                   input_where(in, KEY(exchange_temperatures)));
  const int n = c->exchange.number;
  if (n < 2 || (!listed && !input_given(in, KEY(exchange_highest))))
    return false;
  const double low = c->exchange.lowest, ratio = c->exchange.highest / low;
  for (int k = 0; k < n && !listed; k++)
    c->exchange.kT[k] = low * pow(ratio, (double)k / (n - 1));
  for (int k = 1; k < n && !has_states(draft, in); k++)
    if (!(c->exchange.kT[k] > c->exchange.kT[k - 1])) {
      input_complain(in, listed ? KEY(exchange_temperatures) : KEY(exchange_highest),
                     listed ? "temperature %d is not above the previous one; wanted: rising temperatures"
                            : "is not above exchange.lowest",
                     k + 1);
      return false;
    }
  return true;
}

/* Sets the temperatures for reweighting, which must be within the ladder. */
static void find_reweight(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const InputReals *list = &draft->reweight;
  const double low = c->exchange.kT[0], high = c->exchange.kT[c->exchange.number - 1], slack = 1e-9;
  if (!input_given(in, KEY(exchange_reweight)))
    return;
  for (int k = 0; k < list->n; k++)
    if (!(list->value[k] >= low * (1.0 - slack) && list->value[k] <= high * (1.0 + slack)) ||
        (k > 0 && !(list->value[k] > list->value[k - 1]))) {
      input_complain(in, KEY(exchange_reweight),
                     "temperature %d is outside the ladder or not above the previous one; wanted: rising "
                     "temperatures within the ladder",
                     k + 1);
      return;
    }
  if (list->n > CONFIG_TEMPERATURES_MAX)
    input_complain(in, KEY(exchange_reweight), "has %d; wanted: up to %d temperatures", list->n,
                   CONFIG_TEMPERATURES_MAX);
  c->exchange.reweights = list->n;
  c->exchange.reweight = list->value;
}

/* Without friction a replica's energy changes only by the factors of exchanges, so it never equilibrates. */
static void check_mixing(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  if (c->thermostat.type == THERMOSTAT_LANGEVIN && input_given(in, KEY(thermostat_friction)) &&
      c->thermostat.friction == 0.0 && c->exchange.momenta != MOMENTA_REDRAWN)
    input_complain(
        in, KEY(thermostat_friction),
        "0 prevents equilibrium in a ladder: exchanges only scale momenta, so each replica stays at its own "
        "energies and all means are wrong; wanted: a friction > 0, or exchange.momenta: redrawn");
}

/* Reports keys that need states that differ only in temperature. */
static void check_states(const Draft *draft, Input *in, bool one_temperature)
{
  const Config *const c = &draft->config;
  const char *const states = config_table[states_key(draft).row].key;
  if (one_temperature && input_given(in, KEY(exchange_number)))
    input_complain(in, KEY(exchange_number),
                   "applies to a ladder of temperatures; %s has a value for each state, which determines the "
                   "number; remove the line",
                   states);
  static const int alone[] = {KEY_exchange_tunings, KEY_exchange_reweight, KEY_exchange_acceptance};
  for (size_t i = 0; i < sizeof alone / sizeof *alone && has_states(draft, in); i++)
    if (input_given(in, (InputKey){.row = alone[i]}) &&
        (alone[i] != KEY_exchange_tunings || c->exchange.tunings > 0))
      input_complain(in, (InputKey){.row = alone[i]},
                     "applies only to a ladder of temperatures without %s; remove one of the two", states);
}

void config_exchange_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool listed = input_given(in, KEY(exchange_temperatures)),
             spanned = input_given(in, KEY(exchange_lowest)) || input_given(in, KEY(exchange_highest)),
             counted = input_given(in, KEY(exchange_number)) || input_given(in, KEY(exchange_acceptance));
  const bool stated = has_states(draft, in), alone = stated && !listed && !spanned;
  if (!listed && !spanned && !counted && !stated)
    return;
  if (!listed && !alone && !input_given(in, KEY(exchange_lowest))) {
    input_complain(in, KEY(exchange_lowest), "is missing; wanted: the lowest temperature of the ladder");
    return;
  }
  const bool known = alone ? find_states(draft, in) : find_temperatures(draft, in);
  check_states(draft, in, alone);
  if (known) {
    find_reweight(draft, in);
    find_pressures(draft, in);
  }
  const InputKey one = input_given(in, KEY(thermostat_temperature)) ? KEY(thermostat_temperature)
                                                                    : KEY(thermostat_inverse_temperature);
  if (input_given(in, one) && !alone)
    input_complain(in, one, "has no meaning with a ladder of temperatures (%s); remove one of the two lines",
                   input_where(in, listed ? KEY(exchange_temperatures) : KEY(exchange_lowest)));
  if (c->thermostat.type != THERMOSTAT_LANGEVIN)
    input_complain(in,
                   listed  ? KEY(exchange_temperatures)
                   : alone ? states_key(draft)
                           : KEY(exchange_lowest),
                   "a ladder needs thermostat.type: langevin and a word with O");
  check_mixing(draft, in);
  if (c->exchange.tunings > 0 && !input_given(in, KEY(output_equilibration)))
    input_complain(
        in, KEY(exchange_tunings),
        "needs output.equilibration, during which temperatures change; averages need fixed temperatures");
  const int64_t replicas = (int64_t)c->exchange.number * c->exchange.ladders;
  if (!known)
    return;
  if (replicas > 10000000) {
    input_complain(in, KEY(exchange_ladders),
                   "%d ladders of %d temperatures are more than 1e7 replicas; reduce one of them",
                   c->exchange.ladders, c->exchange.number);
    return;
  }
  if (input_given(in, KEY(ensemble_replicas)) && c->ensemble.replicas != replicas)
    input_complain(in, KEY(ensemble_replicas),
                   "contradicts the section exchange, which has %d ladder%s of %d %s; remove the line",
                   c->exchange.ladders, c->exchange.ladders == 1 ? "" : "s", c->exchange.number,
                   stated ? "states" : "temperatures");
  char number[32];
  snprintf(number, sizeof number, "%lld", (long long)replicas);
  input_default(in, KEY(ensemble_replicas), number);
}
