#include "simulation/molecules/solute.h"

#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "simulation/molecules/system_topology.h"

static Status unknown(const Simulation *s, Error *error)
{
  const char *const name = s->config->alchemy.molecules;
  char known[512] = "";
  Nearest nearest = nearest_start(name);
  for (int k = 0; k < s->topology->nsort; k++) {
    nearest_try(&nearest, s->topology->sort[k].kind->name, 0.0);
    text_append(known, sizeof known, "%s%s", k > 0 ? ", " : "", s->topology->sort[k].kind->name);
  }
  return input_error(s->config->input, KEY(alchemy_molecules), error,
                     "'%.60s' is not a molecule type of the system%s there are: %s", name,
                     nearest_hint(&nearest, ";").text, known);
}

/* The number of the molecule type; -1: unknown. */
static int find_sort(const Simulation *s)
{
  for (int k = 0; k < s->topology->nsort; k++)
    if (strcmp(s->topology->sort[k].kind->name, s->config->alchemy.molecules) == 0)
      return k;
  return -1;
}

static Status check_one(const Simulation *s, int sort, Error *error)
{
  const TopologySort *const own = &s->topology->sort[sort];
  const WaterMolecule *water = system_topology_water(s);
  const InputKey key = KEY(alchemy_molecules);
  if (water != NULL && own->group->block == water->block)
    return input_error(
        s->config->input, key, error,
        "'%.60s' is the model water, whose kernels know no strengths; wanted: another molecule type, such "
        "as a water of a molecules file with a name of its own",
        own->kind->name);
  if (own->nmol != 1)
    return input_error(
        s->config->input, key, error,
        "there are %d molecules of '%.60s'; wanted: one, of a type of its own (a second type with the same "
        "atoms may have the others)",
        own->nmol, own->kind->name);
  if (s->topology->nmol < 2)
    return input_error(
        s->config->input, key, error,
        "'%.60s' is the only molecule, and interacts with no other; wanted: a solute among others",
        own->kind->name);
  return STATUS_OK;
}

static bool is_charged(const TopologySort *sort)
{
  for (int i = 0; i < sort->nsite; i++)
    if (sort->charge[i] != 0.0)
      return true;
  return false;
}

/* At the values of a state of the ladder, or of a replica. */
static Status check_state(const Simulation *s, int state, Error *error)
{
  const Config *const c = s->config;
  double value[ALCHEMY_STRENGTHS];
  for (int i = 0; i < ALCHEMY_STRENGTHS; i++) {
    const ConfigParameter *const p = &c->parameters.item[c->alchemy.parameter[i] - 1];
    value[i] = state < p->neach ? p->each[state] : p->value;
  }
  if (!(value[ALCHEMY_COULOMB] > 0.0 && value[ALCHEMY_LJ] < 1.0))
    return STATUS_OK;
  return input_error(c->input, KEY(alchemy_coulomb), error,
                     "charges have the strength %g where Lennard-Jones has %g, and no least energy under a "
                     "soft core; wanted: a "
                     "list that ends with 0, such as [1, 0.75, 0.5, 0.25, 0]",
                     value[ALCHEMY_COULOMB], value[ALCHEMY_LJ]);
}

static Status check_charges(const Simulation *s, const TopologySort *sort, Error *error)
{
  const Config *const c = s->config;
  int n = 1;
  for (int i = 0; i < ALCHEMY_STRENGTHS; i++) {
    const int each = c->parameters.item[c->alchemy.parameter[i] - 1].neach;
    n = each > n ? each : n;
  }
  for (int k = 0; k < n && is_charged(sort); k++)
    TRY(check_state(s, k, error));
  return STATUS_OK;
}

static Status check_forces(const Simulation *s, Error *error)
{
  const Config *const c = s->config;
  if (system_molecules(s)->atoms.c4 != NULL)
    return input_error(c->input, KEY(alchemy_molecules), error,
                       "r^-4 terms of ions (c4) do not support alchemy; wanted: molecules without them");
  if (config_field_is(c))
    return input_error(c->input, KEY(field_electric), error,
                       "cannot be combined with alchemy; remove one of the two");
  return STATUS_OK;
}

Status solute_find(Simulation *s, Error *error)
{
  const Config *const c = s->config;
  MolecularSystem *const w = system_molecules(s);
  if (c->alchemy.molecules == NULL)
    return STATUS_OK;
  const int sort = find_sort(s);
  if (sort < 0)
    return unknown(s, error);
  TRY(check_one(s, sort, error));
  TRY(check_charges(s, &s->topology->sort[sort], error));
  TRY(check_forces(s, error));
  w->atoms.solute = 1 + sort;
  w->alchemy = (AlchemyInput){
      .solute = 1 + sort, .alpha = c->alchemy.alpha, .sigma = c->alchemy.sigma, .power = c->alchemy.power};
  for (int i = 0; i < ALCHEMY_STRENGTHS; i++) {
    w->alchemy.parameter[i] = c->alchemy.parameter[i];
    w->alchemy.strength[i] = c->parameters.item[c->alchemy.parameter[i] - 1].value;
  }
  return STATUS_OK;
}
