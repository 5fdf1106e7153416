#include "forcefields/electric_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "forcefields/field.h"
#include "forcefields/virtual_lanes.h"

/* The charges of a block's lanes; 0 in tail lanes. */
typedef struct ChargedLanes {
  Vec8 *charge; /* [npack][nsite] e */
  Vec8 *about;  /* the same minus the molecule's net charge, shared out by mass: sum about x = sum q (x - R).
                   Width 1 */
  Vec8 (*sums)[4]; /* [npack] energy; sum of about x; of the last call with sums */
} ChargedLanes;

typedef struct ElectricForce {
  ForceOps ops;
  ElectricField field;
  const Topology *topology;
  VirtualLanes *virtual; /* NULL: all charges are on atoms */
  int nblock;            /* that of virtual sites included */
  ChargedLanes *block;   /* [nblock] */
  Arena arena;
} ElectricForce;

static const char *const term[] = {"field_energy"};

/* --- the force ----------------------------------------------------------------------------------------- */

static void at_time(const ElectricField *field, const State *state, double e[3])
{
  const double t = field->time + ((double)(state->step - field->since) + state->elapsed) * field->h,
               factor = field->period > 0.0 ? cos(2.0 * M_PI * t / field->period + field->phase) : 1.0;
  for (int d = 0; d < 3; d++)
    e[d] = factor * field->e[d];
}

static void add_pack(const ChargedLanes *own, const Block *block, int i, const double e[3], bool sums)
{
  const size_t n = (size_t)block->kind->nsite, first = (size_t)i * n;
  Vec8 energy = vec8_set(0.0), about[3] = {energy, energy, energy};
  for (size_t s = first; s < first + n; s++)
    for (size_t d = 0; d < 3; d++) {
      const Vec8 force = own->charge[s] * e[d];
      block->f[3 * s + d] += force;
      if (!sums)
        continue;
      energy -= force * block->q[3 * s + d];
      if (own->about != NULL)
        about[d] += own->about[s] * block->q[3 * s + d];
    }
  if (!sums)
    return;
  own->sums[i][0] = energy;
  memcpy(own->sums[i] + 1, about, sizeof about);
}

/* The virial of the charges, about the centres of mass: one of positions of atoms and sites. */
static void add_up(const ElectricForce *f, const State *view, const double e[3], const ForceSums *sums)
{
  Vec8 about[3] = {{0.0}};
  memset(sums->energy, 0, (size_t)view->width * sizeof *sums->energy);
  for (int b = 0; b < f->nblock; b++)
    for (int i = 0; i < view->block[b].npack; i++) {
      const Vec8 *const own = f->block[b].sums[i];
      for (int l = 0; l < LANES; l++)
        sums->energy[view->width == 1 ? 0 : i % (view->width / LANES) * LANES + l] += own[0][l];
      for (int d = 0; d < 3; d++)
        about[d] += own[1 + d];
    }
  for (int k = 0; k < 9 && sums->virial != NULL && view->width == 1; k++)
    sums->virial[k / 3][k % 3] += vec8_sum(about[k / 3]) * e[k % 3];
}

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  const ElectricForce *f = self;
  State *view;
  double e[3];
  (void)groups;
  at_time(&f->field, state, e);
  TRY(virtual_lanes_place(f->virtual, team, state, &view, error));
  for (int b = 0; b < f->nblock; b++) {
    const Block *block = &view->block[b];
    int begin, end;
    team_range(team, block->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      add_pack(&f->block[b], block, i, e, sums != NULL);
  }
  if (f->virtual == NULL && sums == NULL)
    return STATUS_OK;
  team_barrier(team);
  if (sums != NULL && team->rank == 0)
    add_up(f, view, e, sums);
  if (sums != NULL)
    team_barrier(team);
  virtual_lanes_spread(f->virtual, team, sums);
  return STATUS_OK;
}

/* ChargedLanes on atoms under a constant field alone. */
static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  const ElectricForce *f = self;
  if (f->virtual != NULL || f->field.period > 0.0)
    return error_set(
        error, STATUS_INPUT,
        "a description has no electric field that is periodic in time, or that acts on virtual sites "
        "other than fixed means of atoms");
  int n = 0;
  for (int b = 0; b < f->nblock; b++)
    n += shape->block[b].nlane * shape->block[b].kind->nsite;
  ChargeDescription *charge = arena_take(arena, (size_t)n + 1, sizeof *charge);
  TRY(arena_check(arena, "a description", error));
  to->form = FORM_ELECTRIC;
  to->electric = (ElectricDescription){.n = n, .charge = charge};
  memcpy(to->electric.e, f->field.e, sizeof f->field.e);
  for (int b = 0; b < f->nblock; b++)
    for (int lane = 0; lane < shape->block[b].nlane; lane++)
      for (int s = 0; s < shape->block[b].kind->nsite; s++) {
        const int at = lane * shape->width;
        const size_t k = (size_t)(at / LANES) * (size_t)shape->block[b].kind->nsite + (size_t)s;
        *charge++ = (ChargeDescription){{b, lane, s}, f->block[b].charge[k][at % LANES]};
      }
  return STATUS_OK;
}

static void release(void *self)
{
  ElectricForce *f = self;
  virtual_lanes_free(f->virtual);
  arena_free(&f->arena);
  free(f);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static double net_of(const TopologySort *sort)
{
  double net = 0.0;
  for (int i = 0; i < sort->nsite; i++)
    net += sort->charge[i];
  return net;
}

const TopologySort *electric_field_charged(const Topology *topology)
{
  const double rounding = 1e-6;
  for (int k = 0; k < topology->nsort; k++)
    if (fabs(net_of(&topology->sort[k])) > rounding)
      return &topology->sort[k];
  return NULL;
}

/* Whether atoms can have the charges of the molecule's virtual sites, because these are fixed means of atoms.
 */
static bool on_atoms(const TopologySort *sort)
{
  for (int i = 0; i < sort->kind->nsite; i++)
    if (!isfinite(sort->shared[i]))
      return false;
  return true;
}

static bool has_charge(const TopologySort *sort)
{
  for (int i = 0; i < sort->nsite; i++)
    if (sort->charge[i] != 0.0)
      return true;
  return false;
}

/* Fills in a site's charges in all lanes of the molecule type. */
static void fill_site(const ElectricForce *f, const State *shape, const TopologySort *sort, int site,
                      double charge, double about)
{
  const TopologyGroup *group = &sort->group[sort->atom[site].group];
  const ChargedLanes *own = &f->block[group->block];
  for (int m = 0; m < sort->nmol; m++)
    for (int r = 0; r < shape->used; r++) {
      const int lane = (group->first + m * group->step) * shape->width + r;
      const size_t at = (size_t)(lane / LANES) * (size_t)group->kind->nsite + (size_t)sort->atom[site].site;
      own->charge[at][lane % LANES] = charge;
      if (own->about != NULL)
        own->about[at][lane % LANES] = about;
    }
}

static bool is_frozen(const TopologySort *sort, int atom)
{
  return sort->group[sort->atom[atom].group].kind->frozen;
}

/* Frozen atoms feel nothing: no force, energy or virial. */
static Status fill_sort(const ElectricForce *f, const State *shape, const TopologySort *sort, Error *error)
{
  const bool atoms = on_atoms(sort);
  const double *const charge = atoms ? sort->shared : sort->charge;
  const int natom = sort->kind->nsite, nsite = atoms ? natom : sort->nsite;
  double mass = 0.0, net = 0.0;
  for (int i = 0; i < nsite; i++) {
    if (!isfinite(charge[i]))
      return error_set(error, STATUS_INPUT, "an electric field acts on charges, but those of %s are unknown",
                       sort->kind->name);
    if (i < natom && is_frozen(sort, i))
      continue;
    net += charge[i];
    mass += i < natom ? sort->kind->mass[i] : 0.0;
  }
  for (int i = 0; i < nsite; i++)
    if (i >= natom)
      fill_site(f, shape, sort, i, charge[i], charge[i]);
    else if (!is_frozen(sort, i))
      fill_site(f, shape, sort, i, charge[i], charge[i] - net * sort->kind->mass[i] / mass);
  return STATUS_OK;
}

static Status fill(ElectricForce *f, const State *shape, Isa isa, Error *error)
{
  bool all = true;
  for (int k = 0; k < f->topology->nsort; k++)
    all = all && on_atoms(&f->topology->sort[k]);
  if (!all)
    TRY(virtual_lanes_create(&f->virtual, f->topology, shape, isa, error));
  const State *view = virtual_lanes_view(f->virtual, shape);
  f->nblock = view->nblock;
  f->block = arena_take(&f->arena, (size_t)f->nblock, sizeof *f->block);
  TRY(arena_check(&f->arena, "an electric field", error));
  for (int b = 0; b < f->nblock; b++) {
    const size_t npack = (size_t)view->block[b].npack, n = npack * (size_t)view->block[b].kind->nsite;
    f->block[b] = (ChargedLanes){.charge = arena_take(&f->arena, n, sizeof(Vec8)),
                                 .about = shape->width == 1 ? arena_take(&f->arena, n, sizeof(Vec8)) : NULL,
                                 .sums = arena_take(&f->arena, npack, sizeof *f->block->sums)};
  }
  TRY(arena_check(&f->arena, "an electric field", error));
  bool any = false;
  for (int k = 0; k < f->topology->nsort; k++) {
    TRY(fill_sort(f, shape, &f->topology->sort[k], error));
    any = any || has_charge(&f->topology->sort[k]);
  }
  return any ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "an electric field has no effect, since no molecule has charges");
}

Status electric_field_create(Force *force, const ElectricField *field, const Topology *topology,
                             const State *shape, Isa isa, Error *error)
{
  *force = (Force){0};
  if (!isfinite(field->e[0]) || !isfinite(field->e[1]) || !isfinite(field->e[2]) || !(field->period >= 0.0))
    return error_set(error, STATUS_INPUT, "an electric field must be finite, and its period 0 or more");
  ElectricForce *f = calloc(1, sizeof *f);
  TRY_MEMORY(f != NULL, "an electric field", error);
  f->field = *field;
  f->topology = topology;
  f->ops = (ForceOps){.name = "electric_field",
                      .doc = "a uniform electric field, constant or periodic in time, on all charges",
                      .nterm = 1,
                      .term = term,
                      .telling = 1,
                      .driven = field->period > 0.0,
                      .add = add,
                      .describe = describe,
                      .free = release};
  TRY_ELSE(fill(f, shape, isa, error), release(f));
  *force = (Force){&f->ops, f};
  return STATUS_OK;
}

Status electric_field_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return electric_field_create(force, &input->electric, input->topology, shape, input->isa, error);
}
