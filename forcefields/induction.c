/* A 12-6-4 ion's -C/r^4 with all other atoms. */
#include "forcefields/induction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "forcefields/field.h"
#include "forcefields/virtual_lanes.h"

/* Parts of the work, each summed in a fixed order: sums then do not depend on the team. */
enum { SHARES = 32 };

/* An atom of the list: its row, and where a state has it. */
typedef struct InducedAtom {
  int row, block, lane, site;
  int ion; /* 1 + its index among the ions; 0: not an ion */
} InducedAtom;

/* Sums of one share and replica. */
typedef struct InducedSums {
  double energy, virial[3][3];
} InducedSums;

typedef struct Induction {
  ForceOps ops;
  VirtualLanes *virtual; /* NULL: no virtual site has such a pair */
  Atoms *atoms;
  double *c4; /* [types][types] kcal A^4/mol */
  bool boxed;
  LjCut cut; /* in a box */
  LjBend bend;
  double shift; /* subtracted from r^-4 */
  int nion, ntarget;
  InducedAtom *ion;    /* [nion] */
  InducedAtom *target; /* [ntarget] all atoms with such pairs, ions among them */
  double (*x)[3];      /* [nion][width] positions of ions */
  double (*pull)[3];   /* [SHARES][nion][width] forces on ions */
  InducedSums *sums;   /* [SHARES][width] */
  Arena arena;
} Induction;

static const char *const term[] = {"induction_energy"};

/* --- the force ------------------------------------------------------------------------------------------ */

/* r^-4 as truncated, and minus its derivative divided by r; square: r^2. False beyond the cutoff. */
static bool truncated(const Induction *f, double square, double *value, double *slope)
{
  const double inverse = 1.0 / square, four = inverse * inverse;
  *value = four - f->shift;
  *slope = 4.0 * four * inverse;
  if (!f->boxed)
    return true;
  if (square >= f->cut.cutoff * f->cut.cutoff)
    return false;
  const double r = sqrt(square), x = r - f->cut.from;
  if (!truncation_switches(f->cut.truncation) || x <= 0.0)
    return true;
  if (f->cut.truncation == TRUNCATION_FORCE_SWITCH) {
    *value -= x * x * x * (f->bend.a / 3.0 + f->bend.b * x / 4.0);
    *slope += x * x * (f->bend.a + f->bend.b * x) / r;
    return true;
  }
  const double width = f->cut.cutoff - f->cut.from, t = x / width, factor = lj_switch_factor(t);
  const double fall = 30.0 * t * t * (1.0 - t) * (1.0 - t) / width;
  *slope = factor * *slope + four * fall / r;
  *value = factor * four;
  return true;
}

static void position_of(const State *view, const Vec8 *field, const InducedAtom *at, int r, double x[3])
{
  const Block *block = &view->block[at->block];
  for (int d = 0; d < 3; d++)
    x[d] = ((const double *)field)[state_index(block, view->width, at->lane, r, at->site, d)];
}

static void add_force(const State *view, const InducedAtom *at, int r, const double force[3])
{
  const Block *block = &view->block[at->block];
  for (int d = 0; d < 3; d++)
    *state_element(block, block->f, view->width, at->lane, r, at->site, d) += force[d];
}

/* An atom and all ions, in one replica: each pair of ions once. */
static void attract(const Induction *f, const State *view, const InducedAtom *target, int r,
                    double (*pull)[3], InducedSums *sums)
{
  const Atoms *a = f->atoms;
  const int last = target->ion > 0 ? target->ion - 1 : f->nion, width = view->width;
  const double *c4 = f->c4 + (ptrdiff_t)a->type[target->row] * a->ntype;
  double own[3], force[3] = {0.0}, d[3], value, slope;
  position_of(view, view->block[target->block].q, target, r, own);
  for (int i = 0; i < last; i++) {
    const double c = c4[a->type[f->ion[i].row]];
    if (c == 0.0)
      continue;
    for (int k = 0; k < 3; k++)
      d[k] = own[k] - f->x[i * width + r][k];
    if (f->boxed)
      box_nearest(&view->box, d);
    if (!truncated(f, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], &value, &slope) ||
        atoms_excluded(a, f->ion[i].row, target->row))
      continue;
    sums->energy -= c * value;
    for (int k = 0; k < 3; k++) {
      const double part = -c * slope * d[k];
      force[k] += part;
      pull[i * width + r][k] -= part;
      for (int l = 0; l < 3; l++)
        sums->virial[l][k] += d[l] * part;
    }
  }
  add_force(view, target, r, force);
}

static void copy_ions(const Induction *f, const State *view)
{
  for (int i = 0; i < f->nion; i++)
    for (int r = 0; r < view->used; r++)
      position_of(view, view->block[f->ion[i].block].q, &f->ion[i], r, f->x[i * view->width + r]);
}

static void run_shares(const Induction *f, const Team *team, const State *view)
{
  const size_t each = (size_t)f->nion * (size_t)view->width;
  int first, end, from, to;
  team_range(team, SHARES, &first, &end);
  for (int share = first; share < end; share++) {
    double(*pull)[3] = f->pull + (size_t)share * each;
    InducedSums *sums = f->sums + (ptrdiff_t)share * view->width;
    memset(pull, 0, each * sizeof *pull);
    memset(sums, 0, (size_t)view->width * sizeof *sums);
    team_share(f->ntarget, share, SHARES, &from, &to);
    for (int k = from; k < to; k++)
      for (int r = 0; r < view->used; r++)
        attract(f, view, &f->target[k], r, pull, &sums[r]);
  }
}

/* Adds the forces on this thread's ions, in the order of shares. */
static void collect(const Induction *f, const Team *team, const State *view)
{
  const size_t each = (size_t)f->nion * (size_t)view->width;
  int first, end;
  team_range(team, f->nion, &first, &end);
  for (int i = first; i < end; i++)
    for (int r = 0; r < view->used; r++) {
      double sum[3] = {0.0};
      for (int share = 0; share < SHARES; share++)
        for (int d = 0; d < 3; d++)
          sum[d] += f->pull[(size_t)share * each + (size_t)(i * view->width + r)][d];
      add_force(view, &f->ion[i], r, sum);
    }
}

static void add_up(const Induction *f, int width, const ForceSums *sums)
{
  memset(sums->energy, 0, (size_t)width * sizeof *sums->energy);
  for (int share = 0; share < SHARES; share++)
    for (int r = 0; r < width; r++) {
      const InducedSums *of = &f->sums[share * width + r];
      sums->energy[r] += of->energy;
      for (int k = 0; k < 9 && sums->virial != NULL && width == 1; k++)
        sums->virial[k / 3][k % 3] += of->virial[k / 3][k % 3];
    }
}

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  const Induction *f = self;
  State *view;
  (void)groups;
  TRY(virtual_lanes_place(f->virtual, team, state, &view, error));
  if (team->rank == 0)
    copy_ions(f, view);
  team_barrier(team); /* forces before this one have written to packs of all threads */
  run_shares(f, team, view);
  team_barrier(team);
  collect(f, team, view);
  if (sums != NULL && team->rank == 0)
    add_up(f, view->width, sums);
  team_barrier(team);
  virtual_lanes_spread(f->virtual, team, sums);
  return STATUS_OK;
}

static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  (void)self, (void)shape, (void)arena, (void)to;
  return error_set(error, STATUS_INPUT, "a description has no r^-4 terms (c4)");
}

static void release(void *self)
{
  Induction *f = self;
  virtual_lanes_free(f->virtual);
  atoms_free(f->atoms);
  arena_free(&f->arena);
  free(f);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const AtomsInput *in, Error *error)
{
  const int n = in->ntype;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (!isfinite(in->c4[i * n + j]) || in->c4[i * n + j] != in->c4[j * n + i])
        return error_set(error, STATUS_INPUT,
                         "c4 between types %d and %d is %g in one order and %g in the other; both must be "
                         "equal and finite",
                         i + 1, j + 1, in->c4[i * n + j], in->c4[j * n + i]);
  return STATUS_OK;
}

/* Marks the types that are ions: of two types with a pair, the one with fewer atoms. */
static void choose_ions(const Induction *f, bool *ion)
{
  const Atoms *a = f->atoms;
  for (int i = 0; i < a->ntype; i++)
    for (int j = 0; j <= i; j++)
      if (f->c4[i * a->ntype + j] != 0.0)
        ion[a->number[i] < a->number[j] ? i : j] = true;
}

/* Whether a type has a pair with a type that atoms have. */
static bool has_pair(const Induction *f, int type)
{
  const Atoms *a = f->atoms;
  for (int i = 0; i < a->ntype; i++)
    if (f->c4[type * a->ntype + i] != 0.0 && a->number[i] > 0.0)
      return true;
  return false;
}

static void add_row(Induction *f, int block, int row, bool ion)
{
  const Atoms *a = f->atoms;
  const int at = row - a->first[block], each = a->each[block] > 1 ? a->each[block] : 1;
  const InducedAtom own = {row, block, at / each, at % each, ion ? f->nion + 1 : 0};
  if (ion)
    f->ion[f->nion++] = own;
  f->target[f->ntarget++] = own;
}

static Status list_atoms(Induction *f, int blocks, Error *error)
{
  const Atoms *a = f->atoms;
  const size_t n = (size_t)a->nrow + 1, types = (size_t)a->ntype;
  SCOPED(arena_free) Arena arena = {0};
  bool *ion = arena_take(&arena, types, sizeof *ion), *paired = arena_take(&arena, types, sizeof *paired);
  f->ion = arena_take(&f->arena, n, sizeof *f->ion);
  f->target = arena_take(&f->arena, n, sizeof *f->target);
  TRY(arena_check(&arena, "ions", error));
  TRY(arena_check(&f->arena, "ions", error));
  choose_ions(f, ion);
  for (int i = 0; i < a->ntype; i++)
    paired[i] = has_pair(f, i);
  for (int b = 0; b < blocks; b++)
    for (int row = a->first[b]; row < a->first[b + 1]; row++)
      if (paired[a->type[row]])
        add_row(f, b, row, ion[a->type[row]]);
  return STATUS_OK;
}

static void set_cut(Induction *f, const Nonbonded *nonbonded)
{
  Nonbonded o = *nonbonded;
  nonbonded_choose_cut(&o);
  f->cut = nonbonded_lj_cut(&o);
  f->bend = nonbonded_bend(&f->cut, 4);
  f->shift = f->cut.truncation == TRUNCATION_SHIFT ? pow(f->cut.cutoff, -4.0) : f->bend.shift;
}

static Status fill(Induction *f, const AtomsInput *input, const Nonbonded *nonbonded, const State *shape,
                   Isa isa, Error *error)
{
  const size_t types = (size_t)input->ntype * (size_t)input->ntype, width = (size_t)shape->width;
  TRY(virtual_lanes_create(&f->virtual, input->topology, shape, isa, error));
  const State *view = virtual_lanes_view(f->virtual, shape);
  TRY(atoms_create(&f->atoms, input, view, error));
  TRY(check(input, error));
  f->c4 = arena_take(&f->arena, types, sizeof *f->c4);
  TRY(arena_check(&f->arena, "types of atoms", error));
  memcpy(f->c4, input->c4, types * sizeof *f->c4);
  TRY(list_atoms(f, view->nblock, error));
  if (f->virtual != NULL && (f->ntarget == 0 || f->target[f->ntarget - 1].block < shape->nblock)) {
    virtual_lanes_free(f->virtual);
    f->virtual = NULL;
  }
  f->boxed = box_periodic(&shape->box);
  if (f->boxed)
    set_cut(f, nonbonded);
  const size_t n = (size_t)f->nion * width;
  f->x = arena_take(&f->arena, n + 1, sizeof *f->x);
  f->pull = arena_take(&f->arena, SHARES * n + 1, sizeof *f->pull);
  f->sums = arena_take(&f->arena, SHARES * width, sizeof *f->sums);
  return arena_check(&f->arena, "ions", error);
}

Status induction_create(Force *force, const AtomsInput *input, const Nonbonded *nonbonded, const State *shape,
                        Isa isa, Error *error)
{
  *force = (Force){0};
  Induction *f = calloc(1, sizeof *f);
  TRY_MEMORY(f != NULL, "ions", error);
  f->ops = (ForceOps){.name = "induction",
                      .doc = "r^-4 of ions and other atoms (12-6-4 model)",
                      .nterm = 1,
                      .term = term,
                      .telling = 1,
                      .add = add,
                      .describe = describe,
                      .free = release};
  TRY_ELSE(fill(f, input, nonbonded, shape, isa, error), release(f));
  *force = (Force){&f->ops, f};
  return STATUS_OK;
}

Status induction_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return induction_create(force, input->atoms, &input->nonbonded, shape, input->isa, error);
}
