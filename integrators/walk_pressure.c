/* The terms of pressures at the end of a step. */
#include "integrators/walk_private.h"

/* Adds p_a p_b/m of the atoms of a block, and of its groups as wholes. */
static void add_block(const Walk *walk, const WalkBlock *own, WalkMeasured momenta, Vec8 atom[9],
                      Vec8 group[9])
{
  const Kind *kind = own->block->kind;
  const double mass = kind_mass(kind);
  for (int i = 0; i < own->npack; i++) {
    const Pack pack = walk_measured_pack(walk, own, i, momenta);
    Vec8 whole[3] = {{0}};
    for (int s = 0; s < kind->nsite; s++)
      for (int k = 0; k < 9; k++)
        atom[k] += pack.p[3 * s + k / 3] * pack.p[3 * s + k % 3] * (*pack.active / kind->mass[s]);
    for (int s = 0; s < 3 * kind->nsite; s++)
      whole[s % 3] += pack.p[s];
    for (int k = 0; k < 9; k++)
      group[k] += whole[k / 3] * whole[k % 3] * (*pack.active / mass);
  }
}

/* Replaces the sum over groups by the sum over molecules of a molecule type. */
static void join_groups(const Walk *walk, WalkMeasured momenta, const TopologySort *sort,
                        double molecule[3][3])
{
  for (int m = 0; m < sort->nmol; m++) {
    double whole[3] = {0.0};
    for (int g = 0; g < sort->ngroup; g++) {
      const TopologyGroup *group = &sort->group[g];
      const int lane = group->first + m * group->step;
      const Pack pack = walk_measured_pack(walk, &walk->block[group->block], lane / LANES, momenta);
      double part[3] = {0.0};
      for (int s = 0; s < 3 * group->kind->nsite; s++)
        part[s % 3] += pack.p[s][lane % LANES];
      for (int k = 0; k < 9; k++)
        molecule[k / 3][k % 3] -= part[k / 3] * part[k % 3] / kind_mass(group->kind);
      for (int d = 0; d < 3; d++)
        whole[d] += part[d];
    }
    for (int k = 0; k < 9; k++)
      molecule[k / 3][k % 3] += whole[k / 3] * whole[k % 3] / kind_mass(sort->kind);
  }
}

void walk_pressure_sum(const Walk *walk, WalkMeasured momenta, WalkPressure *to)
{
  const Topology *topology = to->topology;
  Vec8 atom[9] = {{0}}, group[9] = {{0}};
  topology_virial(topology, walk->state, (const double(*)[3])to->virial_atom, to->virial_molecule);
  for (int b = 0; b < walk->nblock; b++)
    add_block(walk, &walk->block[b], momenta, atom, group);
  for (int k = 0; k < 9; k++) {
    to->kinetic_atom[k / 3][k % 3] = vec8_sum(atom[k]);
    to->kinetic_molecule[k / 3][k % 3] = vec8_sum(group[k]);
  }
  for (int k = 0; k < topology->nsort; k++)
    if (topology->sort[k].ngroup > 1 && !topology->sort[k].anchored)
      join_groups(walk, momenta, &topology->sort[k], to->kinetic_molecule);
}
