#include "simulation/molecules/frozen_virial.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "forcefields/atoms_input.h"
#include "forcefields/periodic.h"
#include "simulation/molecules/freeze.h"
#include "simulation/molecules/system_topology.h"

SCOPED_POINTER(Topology, topology_free)
SCOPED_POINTER(State, state_free)

/* The result for one replica, and the positions of all frozen atoms and the box that it belongs to. */
typedef struct FrozenReplica {
  double *x; /* [frozen atoms][3]; NULL: not computed yet */
  Box box;
  double virial[3][3];
  Status status; /* of the last computation */
  Error why;
} FrozenReplica;

struct FrozenVirial {
  const Simulation *s;
  size_t nreplica;
  FrozenReplica *replica; /* [nreplica] */
};

Status frozen_virial_create(FrozenVirial **frozen, const Simulation *s, Error *error)
{
  *frozen = NULL;
  if (system_molecules(s)->nfrozen == 0)
    return STATUS_OK;
  FrozenVirial *f = calloc(1, sizeof *f);
  FrozenReplica *replica = calloc((size_t)s->replicas, sizeof *replica);
  if (f == NULL || replica == NULL) {
    free(f);
    free(replica);
    return error_memory(error, "virials of frozen atoms");
  }
  *f = (FrozenVirial){s, (size_t)s->replicas, replica};
  *frozen = f;
  return STATUS_OK;
}

void frozen_virial_free(FrozenVirial *f)
{
  for (size_t r = 0; f != NULL && r < f->nreplica; r++)
    free(f->replica[r].x);
  if (f != NULL)
    free(f->replica);
  free(f);
}

/* --- the field ------- */

/* Whether a site of a molecule is frozen: a virtual site, if all atoms that place it are. */
static bool stands(const TopologySort *sort, int site)
{
  const int natom = sort->kind->nsite;
  if (site < natom)
    return sort->group[sort->atom[site].group].kind->frozen;
  const VirtualSite *v = &sort->virtual[site - natom];
  bool all = true;
  for (int k = 0; k < virtual_site_types[v->kind].nparent; k++)
    all = all && stands(sort, v->parent[k]);
  return all;
}

/* Removes the charges of sites that move, and gives them the last type, which has no Lennard-Jones. */
static void mute(Topology *topology, int type)
{
  for (int k = 0; k < topology->nsort; k++)
    for (int site = 0; site < topology->sort[k].nsite; site++)
      if (!stands(&topology->sort[k], site)) {
        topology->sort[k].charge[site] = 0.0;
        topology->sort[k].type[site] = type;
      }
}

/* The Lennard-Jones table with one more type. */
static const double (*extend_types(const AtomsInput *atoms, Arena *arena))[2]
{
  const int n = atoms->ntype + 1;
  double(*lj)[2] = arena_take(arena, (size_t)n * (size_t)n, sizeof *lj);
  for (int i = 0; i < atoms->ntype && lj != NULL; i++)
    for (int k = 0; k < atoms->ntype; k++)
      memcpy(lj[i * n + k], atoms->lj[i * atoms->ntype + k], sizeof *lj);
  return (const double(*)[2])lj;
}

/* The table of c4 with that type. */
static const double *extend_c4(const AtomsInput *atoms, Arena *arena)
{
  const int n = atoms->ntype + 1;
  if (atoms->c4 == NULL)
    return NULL;
  double *c4 = arena_take(arena, (size_t)n * (size_t)n, sizeof *c4);
  for (int i = 0; i < atoms->ntype && c4 != NULL; i++)
    memcpy(c4 + (ptrdiff_t)i * n, atoms->c4 + (ptrdiff_t)i * atoms->ntype, (size_t)atoms->ntype * sizeof *c4);
  return c4;
}

/* The terms of frozen sites alone. */
static Status choose_terms(const Simulation *s, const Topology *topology, Arena *arena, FieldInput *input,
                           Error *error)
{
  TermList *list = arena_take(arena, (size_t)topology->nsort, sizeof *list);
  TRY(arena_check(arena, "terms", error));
  bool any = false;
  for (int k = 0; k < topology->nsort; k++) {
    list[k] = system_molecules(s)->terms[k];
    Term *term = arena_take(arena, (size_t)list[k].n + 1, sizeof *term);
    TRY(arena_check(arena, "terms", error));
    int n = 0;
    for (int i = 0; i < list[k].n; i++) {
      bool all = true;
      for (int a = 0; a < list[k].term[i].type->natom; a++)
        all = all && stands(&topology->sort[k], list[k].term[i].atom[a]);
      if (all)
        term[n++] = list[k].term[i];
    }
    list[k].term = term;
    list[k].n = n;
    any = any || n > 0;
  }
  input->terms = any ? list : NULL;
  return STATUS_OK;
}

/* The water with kernels of its own, if it is frozen: kernels cut pairs of waters by molecule. */
static const WaterMolecule *frozen_water(const Simulation *s)
{
  const WaterMolecule *water = system_topology_water(s);
  return water != NULL && s->kind[water->block]->frozen ? water : NULL;
}

/* In double precision, with the cutoffs and the mesh of the run. */
static Status make_input(const Simulation *s, Topology *topology, Arena *arena, AtomsInput *atoms,
                         FieldInput *input, Error *error)
{
  const WaterMolecule *water = frozen_water(s);
  const Force *force = &ensemble_field(s->ensemble)->force[0];
  const PmeChoice *choice = periodic_choice(force);
  *atoms = atoms_input(system_molecules(s)->groups, topology, water);
  mute(topology, atoms->ntype);
  atoms->lj = extend_types(atoms, arena);
  atoms->c4 = extend_c4(atoms, arena);
  TRY(arena_check(arena, "types of atoms", error));
  atoms->ntype++;
  *input = simulation_field_input(s);
  input->topology = topology;
  input->threads = 1;
  input->water = water != NULL ? &water->model : NULL;
  input->atoms = atoms;
  input->nonbonded = periodic_options(force)->nonbonded;
  input->nonbonded.mixed = false;
  input->nonbonded.beta = choice->beta;
  input->nonbonded.order = choice->order;
  memcpy(input->nonbonded.grid, choice->grid, sizeof choice->grid);
  input->nrestraint = input->nheld = input->nbias = 0;
  input->fixman = false;
  input->electric = (ElectricField){0};
  return choose_terms(s, topology, arena, input, error);
}

/* Virtual sites of other waters than the kernel's need lanes, so the topology is one of its own. */
static Status compute(const Simulation *s, const Box *box, const double *x, double virial[3][3], Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  SCOPED(topology_free_at) Topology *topology = NULL;
  SCOPED(state_free_at) State *state = NULL;
  SCOPED(force_field_free) ForceField field = {.n = 0};
  const WaterMolecule *water = frozen_water(s);
  const Team alone = team_alone();
  AtomsInput atoms;
  FieldInput input;
  double energy[FORCE_TERMS * FORCES_MAX];
  TRY(groups_topology(system_molecules(s)->groups, water != NULL ? water->molecule : -1, &topology, error));
  TRY(make_input(s, topology, &arena, &atoms, &input, error));
  TRY(topology_state(topology, 1, 0, 0, &state, error));
  state->box = *box;
  topology_set(topology, state, STATE_POSITIONS, 0, x);
  TRY(simulation_field_create(s, &input, state, &field, error));
  return force_field_compute(&field, &alone, state, &(ForceSums){energy, virial}, error);
}

/* --- replicas ------- */

/* Copies the frozen atoms of x[atoms of the topology][3]; returns their number of coordinates. */
static size_t copy_frozen(const bool *frozen, size_t natom, const double *x, double *to)
{
  size_t n = 0;
  for (size_t i = 0; i < natom; i++)
    if (frozen[i]) {
      memcpy(to + n, x + 3 * i, 3 * sizeof *to);
      n += 3;
    }
  return n;
}

/* Computes the virial anew if frozen atoms or the box have been set anew. */
static Status update(const Simulation *s, FrozenReplica *r, const Sample *sample, Error *error)
{
  const size_t natom = (size_t)s->topology->natom;
  SCOPED(scoped_free) double *x = malloc(6 * natom * sizeof *x);
  SCOPED(scoped_free) bool *frozen = calloc(natom, sizeof *frozen);
  TRY_MEMORY(x != NULL && frozen != NULL, "virials of frozen atoms", error);
  double *own = x + 3 * natom;
  sample_get(sample, s->topology, STATE_POSITIONS, 0, x);
  freeze_atoms(s->topology, frozen);
  const size_t bytes = copy_frozen(frozen, natom, x, own) * sizeof *own;
  const Box *box = sample_box(sample);
  if (r->x != NULL && memcmp(r->x, own, bytes) == 0 && box_same(&r->box, box))
    return STATUS_OK;
  if (r->x == NULL)
    r->x = malloc(bytes + sizeof *own);
  TRY_MEMORY(r->x != NULL, "virials of frozen atoms", error);
  TRY_ELSE(compute(s, box, x, r->virial, error), (free(r->x), r->x = NULL));
  memcpy(r->x, own, bytes);
  r->box = *box;
  return STATUS_OK;
}

Status frozen_virial_of(FrozenVirial *f, const Sample *sample, double virial[3][3], Error *error)
{
  memset(virial, 0, 9 * sizeof(double));
  if (f == NULL)
    return STATUS_OK;
  FrozenReplica *r = &f->replica[sample_replica(sample, 0)];
  if (sample_leads(sample))
    r->status = update(f->s, r, sample, &r->why);
  team_barrier(sample->team);
  TRY(error_pass(error, r->status, &r->why));
  memcpy(virial, r->virial, sizeof r->virial);
  return STATUS_OK;
}
