#include "simulation/molecules/soften.h"

#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "engine/random.h"
#include "forcefields/external.h"
#include "forcefields/water_float.h"
#include "simulation/molecules/freeze.h"
#include "simulation/molecules/system_field.h"
#include "simulation/start/contacts.h"

SCOPED_POINTER(Contacts, contacts_free)
SCOPED_POINTER(External, external_free)

static const double stiffness = 50.0; /* kcal/mol/A^2 */
static const double hard = 100.0;     /* kcal/mol/A: defines a type's own distance */
static const double least = 1.2;      /* A: of any two atoms that have charges or Lennard-Jones repulsion */
static const double widest = 6.0;     /* A: the start of the search for that distance */
static const double coincident = 0.05, nudge = 0.1; /* A */
static const double tolerance = 1.0;                /* kcal/mol/A: an overlap of 0.02 A */

typedef struct Soft {
  const Topology *topology;
  int natom;
  double *size;        /* [natom] d of two such atoms, A; 0: not repelled */
  int *molecule;       /* [natom] */
  int *at;             /* [natom] index in its molecule */
  int *lane;           /* [natom] */
  const Molecule **of; /* [natom] NULL: atoms of a molecule do not interact */
  double reach;        /* the largest d */
  Contacts *contacts;
  ExternalCall *call; /* the present call */
  bool *shifted;      /* [lanes] coincides with another */
} Soft;

/* --- atoms ------- */

/* The distance at which two atoms of a type repel each other by `hard`. */
static double size_of(double a, double c, bool charged)
{
  const double far = a > 0.0 ? sqrt(water_float_near(a, c, 0.0, widest, hard, 0.0)) : 0.0;
  return a > 0.0 || charged ? fmax(far, least) : 0.0;
}

static void take_atom(Soft *soft, int atom, double size)
{
  soft->size[atom] = size;
  soft->reach = fmax(soft->reach, size);
}

/* Atoms of molecules in the order of the topology, which has no virtual sites. */
static void take_molecules(const Simulation *s, Soft *soft)
{
  const MolecularSystem *w = system_molecules(s);
  const Molecules *all = w->molecules;
  for (int k = 0, atom = 0; k < all->ncount; k++) {
    const GroupsMolecule *of = &w->groups->molecule[all->count[k].molecule];
    for (int i = 0; i < all->count[k].n * of->natom; i++, atom++) {
      const int at = of->file[i % of->natom];
      const MoleculesAtom *own = &of->molecule->atom[at];
      const MoleculesDispersion *lj = &all->dispersion[own->type * all->ntype + own->type];
      take_atom(soft, atom, size_of(lj->a, lj->c, own->charge != 0.0));
      soft->at[atom] = at;
      soft->of[atom] = of->molecule;
    }
  }
}

static void number_atoms(Soft *soft)
{
  const Topology *t = soft->topology;
  for (int b = 0, lane = 0; b < t->nblock; b++)
    for (int i = 0; i < t->lanes[b]; i++, lane++)
      for (int site = 0; site < t->block[b]->nsite; site++) {
        const size_t atom = topology_place(t, lane, site) / 3;
        soft->lane[atom] = lane;
        soft->molecule[atom] = t->molecule[lane];
      }
}

static Status take_atoms(const Simulation *s, Soft *soft, Arena *arena, Error *error)
{
  const Topology *t = soft->topology;
  const size_t n = (size_t)t->natom;
  size_t lanes = 0;
  for (int b = 0; b < t->nblock; b++)
    lanes += (size_t)t->lanes[b];
  soft->size = arena_take(arena, n, sizeof *soft->size);
  soft->molecule = arena_take(arena, n, sizeof *soft->molecule);
  soft->at = arena_take(arena, n, sizeof *soft->at);
  soft->lane = arena_take(arena, n, sizeof *soft->lane);
  soft->of = arena_take(arena, n, sizeof *soft->of);
  soft->shifted = arena_take(arena, lanes, sizeof *soft->shifted);
  TRY(arena_check(arena, "a soft repulsion", error));
  number_atoms(soft);
  take_molecules(s, soft);
  return STATUS_OK;
}

/* --- who sees whom ------- */

static bool is_excluded(const Molecule *m, int a, int b)
{
  for (int e = 0; e < m->nexclusion; e++)
    if (m->exclusion[e].atom[0] == a && m->exclusion[e].atom[1] == b)
      return true;
  return false;
}

static bool is_pair_14(const Molecule *m, int a, int b)
{
  for (int t = 0; t < m->nterm; t++) {
    const int *atom = m->term[t].atom;
    if (m->term[t].type == &term_types[TERM_ROW_pair_14] &&
        ((atom[0] == a && atom[1] == b) || (atom[0] == b && atom[1] == a)))
      return true;
  }
  return false;
}

/* Pairs 1-4 are excluded from the forces between atoms but interact by terms. Atoms of one group are no
 * exception: with all angles kept a whole peptide is one group, whose torsions can still turn. */
static bool sees(const Soft *soft, int i, int k)
{
  if (soft->molecule[i] != soft->molecule[k])
    return true;
  const int a = soft->at[i] < soft->at[k] ? soft->at[i] : soft->at[k], b = soft->at[i] + soft->at[k] - a;
  return !is_excluded(soft->of[i], a, b) || is_pair_14(soft->of[i], a, b);
}

/* --- the force ------- */

static void repel(void *self, int i, int k, const double r[3], double distance)
{
  const Soft *soft = self;
  const double a = soft->size[i], b = soft->size[k], deep = 0.5 * (a + b) - distance;
  if (!(a > 0.0 && b > 0.0 && deep > 0.0 && distance > 0.0) || !sees(soft, i, k))
    return;
  soft->call->energy[0] += 0.5 * stiffness * deep * deep;
  for (int d = 0; d < 3; d++) {
    const double f = stiffness * deep * r[d] / distance;
    soft->call->f[3 * i + d] += f;
    soft->call->f[3 * k + d] -= f;
  }
}

static Status push(void *self, ExternalCall *call, Error *error)
{
  (void)error;
  Soft *soft = self;
  Box box = {0};
  double edge[3][3];
  for (int e = 0; e < 9; e++)
    edge[e / 3][e % 3] = call->box[e];
  if (edge[0][0] > 0.0)
    TRY(box_set(&box, edge, error));
  soft->call = call;
  if (soft->reach > 0.0)
    contacts_visit(soft->contacts, &box, soft->reach, (const double(*)[3])call->x, repel, soft);
  return STATUS_OK;
}

/* --- atoms that coincide ------- */

static void find_coincident(void *self, int i, int k, const double r[3], double distance)
{
  (void)r, (void)distance;
  const Soft *soft = self;
  if (soft->lane[i] != soft->lane[k])
    soft->shifted[soft->lane[i]] = true;
}

static Status shift_coincident(const Soft *soft, bool thaw, State *state, Error *error)
{
  const Topology *t = soft->topology;
  SCOPED(scoped_free) double *x = calloc(topology_coordinates(t), sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  topology_get(t, state, STATE_POSITIONS, 0, x);
  contacts_visit(soft->contacts, &state->box, coincident, (const double(*)[3])x, find_coincident,
                 (void *)soft);
  RandomStream stream = random_stream(state->seed, 2, RANDOM_START);
  for (int b = 0, lane = 0; b < t->nblock; b++)
    for (int i = 0; i < t->lanes[b]; i++, lane++) {
      if (!soft->shifted[lane] || (t->block[b]->frozen && !thaw))
        continue;
      double by[3];
      for (int d = 0; d < 3; d++)
        by[d] = nudge * random_normal(&stream);
      for (int site = 0; site < t->block[b]->nsite; site++)
        for (int d = 0; d < 3; d++)
          x[topology_place(t, lane, site) + (size_t)d] += by[d];
    }
  topology_set(t, state, STATE_POSITIONS, 0, x);
  return STATUS_OK;
}

/* --- the whole ------- */

static Status run_field(const Simulation *s, const QuenchOptions *how, const Soft *soft, State *state,
                        int *steps, Error *error)
{
  SCOPED(external_free_at) External *external = NULL;
  SCOPED(force_field_free) ForceField field = {.n = 0};
  QuenchOptions options = *how;
  QuenchResult result;
  options.tolerance = tolerance;
  options.max_steps = SOFTEN_STEPS;
  options.threads = 1;
  options.thaw = freeze_thaws(s);
  TRY(external_create(&external, 1, &(ExternalRow){.function = push, .user = (void *)soft}, s->topology, NULL,
                      0, 1, error));
  field.force[field.n++] = external_force(external);
  TRY(system_field_bonded(s, state, &field, error));
  TRY(quench_run(state, &field, &options, s->isa, &result, error));
  *steps = result.steps;
  return STATUS_OK;
}

Status soften_run(const Simulation *s, const QuenchOptions *how, State *state, int *steps, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  SCOPED(contacts_free_at) Contacts *contacts = NULL;
  Soft soft = {.topology = s->topology, .natom = s->topology->natom};
  TRY(take_atoms(s, &soft, &arena, error));
  TRY(contacts_create(&contacts, soft.natom, error));
  soft.contacts = contacts;
  TRY(shift_coincident(&soft, freeze_thaws(s), state, error));
  return run_field(s, how, &soft, state, steps, error);
}
