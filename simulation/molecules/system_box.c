#include "simulation/molecules/system_box.h"

#include <math.h>

#include "simulation/molecules/system_topology.h"
#include "simulation/start/lattice.h"

double system_box_charge(const Simulation *s, bool *rounding)
{
  const Molecules *const all = system_molecules(s)->molecules;
  double charge = 0.0, whole = 0.0;
  for (int k = 0; k < all->ncount; k++) {
    const double each = all->molecule[all->count[k].molecule].charge;
    charge += all->count[k].n * each;
    whole += all->count[k].n * rint(each);
  }
  *rounding = whole == 0.0;
  return charge;
}

Status system_box_check(const Simulation *s, Error *error)
{
  const Input *in = s->config->input;
  Error why;
  const Status status = config_box_holds_cutoff(s->config, &s->box, &why);
  return input_pass(in, input_given(in, KEY(system_box)) ? KEY(system_box) : KEY(system_density), status,
                    &why, error);
}

double system_box_density(const Simulation *s)
{
  return lattice_density_of(lattice_mass(s->nkind, s->kind, s->lanes), &s->box);
}
