#include "forcefields/atoms_input.h"

AtomsInput atoms_input(const Groups *groups, const Topology *topology, const WaterMolecule *water)
{
  return (AtomsInput){.topology = topology,
                      .water = water != NULL ? water->block : -1,
                      .water_type = water != NULL ? water->type : 0,
                      .ntype = groups->molecules->ntype,
                      .lj = (const double(*)[2])groups->molecules->dispersion,
                      .c4 = groups->molecules->c4};
}
