/* What an input file is about, and which keys have a place there. */
#include "config/config_private.h"
#include "engine/text.h"

/* Keys and the sorts of system that they have a place in. */
enum {
  CLUSTER = 1 << SORT_WATER,
  SITED = 1 << SORT_SITES,
  HAMILTON = 1 << SORT_HAMILTONIAN,
  BOX = 1 << SORT_BOX,
  WATER = CLUSTER | BOX
};

static const struct {
  const char *key;
  unsigned sorts;
} places[] = {
    {"precision", WATER},
    {"system.molecules", WATER},
    {"system.start", WATER},
    {"system.file", WATER | SITED | HAMILTON},
    {"system.frame", WATER},
    {"system.centre", CLUSTER},
    {"system.spacing", CLUSTER},
    {"system.seed", WATER},
    {"system.minimise", WATER},
    {"system.anneal", CLUSTER},
    {"system.mass_O", WATER},
    {"system.mass_H", WATER},
    {"system.wall.radius", CLUSTER},
    {"system.wall.stiffness", CLUSTER},
    {"system.dimensions", SITED},
    {"system.constants", SITED | HAMILTON},
    {"system.constraints", SITED | HAMILTON},
    {"system.potentials", SITED},
    {"system.position", HAMILTON},
    {"system.momentum", HAMILTON},
    {"system.project", SITED | HAMILTON},
    {"geometry.w", WATER | SITED},
    {"geometry.hessian", WATER | SITED},
    {"geometry.solver", WATER | SITED},
    {"geometry.fixman", SITED},
    {"integrator.acceleration", WATER | SITED},
    {"integrator.beta", WATER | SITED},
    {"integrator.method", SITED | HAMILTON},
    {"integrator.base", SITED | HAMILTON},
    {"integrator.search.trials", SITED},
    {"integrator.search.amplitude", SITED},
    {"integrator.search.velocity", SITED},
    {"integrator.search.acceleration", SITED},
    {"thermostat.remove", WATER | SITED},
    {"output.every", SITED | HAMILTON},
    {"output.ensemble_every", SITED | HAMILTON},
    {"output.observables", SITED | HAMILTON},
    {"output.thermo_every", WATER},
    {"output.rdf_every", CLUSTER},
    {"output.rdf_max", CLUSTER},
    {"output.rdf_bins", CLUSTER},
    {"output.trajectory", WATER},
    {"output.trajectory_every", WATER},
    {"output.conserved", WATER},
    {"system.atoms", BOX},
    {"system.box", BOX},
    {"system.density", BOX},
    {"forces.cutoff", BOX},
    {"forces.by", BOX},
    {"forces.truncation", BOX},
    {"forces.switch", BOX},
    {"forces.tail", BOX},
    {"forces.coulomb", BOX},
    {"forces.accuracy", BOX},
    {"forces.beta", BOX},
    {"forces.order", BOX},
    {"forces.grid", BOX},
    {"forces.permittivity", BOX},
    {"forces.lists", BOX},
    {"forces.buffer", BOX},
    {"forces.drift", BOX},
    {"forces.wisdom", BOX},
    {"output.gofr_every", BOX},
    {"output.gofr_max", BOX},
    {"output.gofr_width", BOX},
    {"output.msd_every", BOX},
    {"output.msd_max", BOX},
    {"output.msd_from", BOX},
    {"output.msd_to", BOX},
    {"output.vacf_every", BOX},
    {"output.vacf_max", BOX},
    {"output.viscosity", BOX},
    {"output.dipole_every", BOX},
    {"output.wrap", BOX},
    {"output.velocities", BOX},
    {"output.pressure", BOX},
};

const char *const config_sort_keys[CONFIG_SORT_KEYS] = {"system.model", "system.sites", "system.hamiltonian"};
static const char *const sort_words[] = {"water without a box (system.model)", "sites (system.sites)",
                                         "a Hamiltonian (system.hamiltonian)",
                                         "a periodic box (system.box, system.density)"};
enum { SORTS = 4 };

static void check_place(const Config *c, Input *in, const char *key, unsigned sorts)
{
  if (sorts & 1u << c->sort)
    return;
  if (!input_given(in, key)) {
    input_drop(in, key);
    return;
  }
  char fits[256] = "";
  for (int i = 0; i < SORTS; i++)
    if (sorts & 1u << i)
      text_append(fits, sizeof fits, "%s%s", fits[0] != '\0' ? " or " : "", sort_words[i]);
  input_complain(in, key, "has no place in a system of %s; it belongs to %s", sort_words[c->sort], fits);
}

/* A box makes a periodic system of water, or of atoms alone. */
static bool boxed(const Config *c, const Input *in, int n)
{
  const bool box = input_given(in, "system.box") || input_given(in, "system.density");
  return (n == 1 && c->sort == SORT_WATER && box) || (n == 0 && input_given(in, "system.atoms"));
}

bool config_sort(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  int n = 0;
  for (int i = 0; i < CONFIG_SORT_KEYS; i++) {
    if (!input_given(in, config_sort_keys[i]))
      continue;
    if (n++ == 0)
      c->sort = (ConfigSort)i;
    else
      input_complain(in, config_sort_keys[i], "given together with %s (%s); a file describes one system",
                     config_sort_keys[c->sort], input_where(in, config_sort_keys[c->sort]));
  }
  if (boxed(c, in, n)) {
    c->sort = SORT_BOX;
    n = 1;
  }
  if (n == 0) {
    input_complain(in, "system",
                   "says of nothing what it is; wanted: model (water), box with atoms (a periodic fluid), or "
                   "sites or hamiltonian (a mechanical system)");
  }
  if (n != 1)
    return false;
  c->reduced = draft->units == 1;
  if (c->reduced && !config_mechanical(c))
    input_complain(in, "units",
                   "'reduced' has no meaning for water and atoms, whose models are in real units");
  else if (c->reduced)
    input_unitless(in, "with units: reduced numbers are bare");
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    check_place(c, in, places[i].key, places[i].sorts);
  return true;
}
