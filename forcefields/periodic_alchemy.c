/* The solute of alchemy (alchemy.h) in the periodic force: its charges in the mesh, and energies at other
 * strengths.
 *
 * The charges s q of the solute make the energy of the mesh, of the charges themselves, and of pairs that an
 * Ewald sum or a reaction field must not have, quadratic in s. Three evaluations of a second mesh, in double
 * precision, give its coefficients. */
#include <math.h>

#include "engine/units.h"
#include "forcefields/periodic_private.h"
#include "forcefields/water_float.h"

/* The sum of the squares of the solute's charges. */
static double squares_of(const Atoms *a)
{
  double sum = 0.0;
  for (int i = 0; i < a->nrow; i++)
    sum += a->solute[i] ? a->charge[i] * a->charge[i] : 0.0;
  return sum;
}

/* A net charge needs a correction for the size of the box. */
static Status check_neutral(const TopologySort *solute, Error *error)
{
  double net = 0.0;
  for (int i = 0; i < solute->nsite; i++)
    net += solute->charge[i];
  if (fabs(net) < 1e-4)
    return STATUS_OK;
  return error_input(
      error, "solute",
      "'%.60s' has a net charge of %.4g e: its free energy in a periodic box needs a correction for "
      "the size of the box, which is not built; wanted: a neutral molecule",
      solute->kind->name, net);
}

Status periodic_alchemy_make(Periodic *p, const MeshOptions *mesh, const State *shape, Error *error)
{
  const PeriodicOptions *const o = &p->options;
  TRY(check_neutral(&p->atoms->topology->sort[o->alchemy->solute - 1], error));
  Nonbonded nonbonded = o->nonbonded;
  if (!periodic_build_charged(p))
    nonbonded.coulomb = COULOMB_NONE;
  const int block = p->atoms->water;
  const AlchemyOptions options = {.input = o->alchemy,
                                  .parameters = o->parameters,
                                  .atoms = p->atoms,
                                  .water = block >= 0 ? &p->particles.kind[block].map : NULL,
                                  .nonbonded = &nonbonded,
                                  .box = &p->box,
                                  .isa = o->isa};
  TRY(alchemy_create(&p->alchemy, &options, shape, error));
  p->solute = *o->alchemy;
  p->strength = 1.0;
  if (nonbonded.coulomb == COULOMB_REACTION_FIELD)
    p->solute_self =
        -0.5 * UNITS_COULOMB * water_float_table_coulomb(&nonbonded).constant * squares_of(p->atoms);
  if (p->mesh == NULL || p->solute.parameter[ALCHEMY_COULOMB] == 0 || squares_of(p->atoms) == 0.0)
    return STATUS_OK;
  MeshOptions own = *mesh;
  own.pme.precision = PME_DOUBLE;
  own.pme.threads = 1;
  return mesh_create(&p->query, &own, shape, error);
}

void periodic_alchemy_set(Periodic *p, const Team *team, const State *state)
{
  if (p->alchemy == NULL)
    return;
  if (team->rank == 0) {
    p->strength = alchemy_strength_of(&p->solute, ALCHEMY_COULOMB, p->options.parameters, state->replica);
    atoms_set_strength(p->atoms, p->strength);
    if (p->mesh != NULL)
      mesh_set_strength(p->mesh, p->strength);
  }
  team_barrier(team);
}

void periodic_alchemy_sums(Periodic *p)
{
  if (p->alchemy == NULL)
    return;
  const AlchemySums sums = alchemy_sums(p->alchemy, 0, p->virial);
  p->energy[EWALD_LJ] += sums.lj;
  p->energy[EWALD_LJ_TAIL] += sums.tail;
  p->energy[EWALD_REAL] += sums.coulomb;
  p->energy[EWALD_INTRAMOLECULAR] += sums.inside;
  p->energy[EWALD_SELF] += (p->strength * p->strength - 1.0) * p->solute_self;
}

/* The energy of the second mesh and of its charges at strength s. Sites carry their charges from stage_run
 * on. */
static Status mesh_energy(const Periodic *p, const State *view, double s, double *energy, Error *error)
{
  const Team alone = team_alone();
  PmeSums sums;
  mesh_set_strength(p->query, s);
  TRY(stage_run(&p->stage, &alone, view, &(StageOut){.mesh = &p->query->stage}, error));
  pme_count(p->query->pme, &alone);
  pme_sort(p->query->pme, &alone);
  pme_solve(p->query->pme, &alone, &sums);
  *energy = sums.energy + p->query->self;
  return STATUS_OK;
}

/* c[2]: the parts of the energy, except that of pairs, that are linear and quadratic in s. */
static Status find_parts(const Periodic *p, const State *view, double c[2], Error *error)
{
  double none, half, full;
  c[0] = 0.0;
  c[1] = p->solute_self + alchemy_excess(p->alchemy, view);
  if (p->query == NULL)
    return STATUS_OK;
  TRY(mesh_energy(p, view, 0.0, &none, error));
  TRY(mesh_energy(p, view, 0.5, &half, error));
  TRY(mesh_energy(p, view, 1.0, &full, error));
  c[0] = 4.0 * half - 3.0 * none - full;
  c[1] += 2.0 * (none - 2.0 * half + full);
  return STATUS_OK;
}

Status periodic_alchemy_respond(void *self, const State *state, const ParameterQuery *query, Error *error)
{
  const Periodic *const p = self;
  const int by = p->solute.parameter[ALCHEMY_COULOMB];
  const State *view;
  double c[2];
  TRY(virtual_lanes_look(p->virtual, state, &view, error));
  TRY(alchemy_respond(p->alchemy, view, query, error));
  if (by == 0)
    return STATUS_OK;
  TRY(find_parts(p, view, c, error));
  for (int k = 0; k < query->nset; k++) {
    const double s = query->set[(ptrdiff_t)k * query->parameters->n + by - 1];
    query->energy[k] += s * (c[0] + s * c[1]);
  }
  const double own = parameters_of(query->parameters, state->replica)[by - 1];
  query->own[0] += own * (c[0] + own * c[1]);
  if (query->slope != NULL)
    query->slope[by - 1] += c[0] + 2.0 * own * c[1];
  return STATUS_OK;
}
