/* The stepper against a second, plain one that is built from the scheme and the descriptions alone: the same
 * trajectories to rounding, for all rows of the tables that fit. */
#include "engine/random.h"
#include "forcefields/atoms_input.h"
#include "forcefields/fixman.h"
#include "forcefields/internal.h"
#include "forcefields/open_pairs.h"
#include "forcefields/pair.h"
#include "forcefields/periodic.h"
#include "forcefields/wall.h"
#include "integrators/plan.h"
#include "io/molecules_file.h"
#include "methods/method_table.h"
#include "tests/stepping.h"
#include "tests/suite.h"

enum { MOST_KINDS = 8 };

/* --- systems -------------------------------------------------------------------------------------------- */

typedef struct World {
  int nkind;
  const Kind *kind[MOST_KINDS];
  int nmol[MOST_KINDS];
  State *state;
  ForceField field;
  ForceOps slow; /* the wall's, as slow forces */
  Kind *water;
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  AtomsInput input;
} World;

static void world_free(World *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  kind_free(w->water);
  topology_free(w->topology);
  groups_free(w->groups);
  molecules_free(w->molecules);
}

/* Each lane at its reference, turned by quarters, on a lattice; of another replica a little wider. */
static void place(World *w, double apart)
{
  for (int b = 0, at = 0; b < w->nkind; b++)
    for (int m = 0; m < w->nmol[b]; m++, at++)
      for (int r = 0; r < w->state->width; r++)
        for (int s = 0; s < w->kind[b]->nsite; s++)
          for (int d = 0; d < 3; d++) {
            const int cell[3] = {at % 2, at / 2 % 2, at / 4};
            *state_element(&w->state->block[b], w->state->block[b].q, w->state->width, m, r, s, d) =
                w->kind[b]->reference[3 * s + (d + m) % 3] + (apart + 0.02 * r) * (cell[d] - 0.5);
          }
}

static void make_state(World *w, int width)
{
  fine(state_create(&w->state, width, w->nkind, w->kind, w->nmol, 7, 11, &stepping_error));
}

static void world_of_waters(World *w, const WaterModel *model, int nmol, int width)
{
  *w = (World){.nkind = 1, .nmol = {nmol}, .field.n = 1};
  fine(water_kind(model, WATER_MASS_O, WATER_MASS_H, &w->water, &stepping_error));
  w->kind[0] = w->water;
  make_state(w, width);
  place(w, 3.8);
  fine(pair_create(&w->field.force[0], model, PAIR_DOUBLE, w->state, best(), &stepping_error));
}

static void add_wall(World *w, bool slow)
{
  Force *wall = &w->field.force[w->field.n++];
  fine(wall_create(wall, 2.0, 1.5, w->state, &stepping_error));
  if (slow) {
    w->slow = *wall->ops;
    w->slow.groups = FORCE_SLOW;
    wall->ops = &w->slow;
  }
}

/* A chain whose bonds are constraints, with each potential of its own. */
static const double chain_mass[4] = {12.0, 1.0, 14.0, 16.0};
static const char *const chain_site[4] = {"A", "B", "C", "D"};
static const double chain_at[12] = {0, 0, 0, 1.1, 0, 0, 1.1, 1.2, 0, 1.1, 1.2, 1.3};
static const Constraint chain_con[3] = {{&constraint_distance, 2, {0, 1}, {1.1}, NULL},
                                        {&constraint_distance, 2, {1, 2}, {1.2}, NULL},
                                        {&constraint_distance, 2, {2, 3}, {1.3}, NULL}};
static const Potential chain_pot[4] = {{&potential_spring, 2, {0, 2}, {60.0, 0, 0, 0, 1.5}, NULL},
                                       {&potential_quartic, 2, {1, 3}, {8.0, 0, 0, 0, 1.9}, NULL},
                                       {&potential_link, 2, {0, 3}, {4.0}, NULL},
                                       {&potential_field, 1, {2}, {0, 0.3, -0.2, 0.1}, NULL}};
static const double chain_held[3] = {INFINITY, 60.0, 30.0};
#define CHAIN                                                                                                \
  .name = "chain", .nsite = 4, .dim = 3, .ncon = 3, .mass = chain_mass, .site = chain_site,                  \
  .con = chain_con, .reference = chain_at, .npot = 4, .pot = chain_pot
static const Kind chain = {CHAIN}, held = {CHAIN, .w = chain_held};

static void world_of_chains(World *w, const Kind *kind, int nmol, int width)
{
  *w = (World){.nkind = 1, .kind = {kind}, .nmol = {nmol}, .field.n = 1};
  make_state(w, width);
  place(w, 4.0);
  fine(internal_create(&w->field.force[0], w->state, &stepping_error));
}

/* The forces of a small box in place of those of open space. */
static void enclose(World *w, const PeriodicOptions *options)
{
  force_field_free(&w->field);
  w->state->box = box_brick(12.0, 12.5, 13.0);
  fine(periodic_create(&w->field.force[0], options, w->state, &stepping_error));
  w->field.n = 1;
}

/* The atoms of the file that do not move: the second methanol, the hydroxyl group of the third, and the ion.
 */
static void freeze(World *w)
{
  bool frozen[19] = {false};
  const int *like;
  for (int i = 6; i < 12; i++)
    frozen[i] = true;
  frozen[13] = frozen[14] = frozen[18] = true;
  fine(molecules_freeze(w->molecules, frozen, &like, &stepping_error));
  ck_assert_int_eq(w->molecules->nmolecule, 5);
  ck_assert_int_eq(w->molecules->ncount, 4);
  const int from[] = {0, 1, 0, 0, 1};
  for (int m = 0; m < 5; m++)
    ck_assert_int_eq(like[m], from[m]);
}

/* Methanol, whose groups are of three kinds, and ions. */
static void world_of_file(World *w, int width, bool freezes)
{
  static const char text[] =
      "format: holonom-molecules 1\nrule: geometric\n"
      "types: {CT: [3.5, 0.066], HC: [2.5, 0.03], OH: [3.12, 0.17], HO: [0, 0], NA: [3.3, 0.003]}\n"
      "molecules:\n  methanol:\n    atoms:\n      - [C, CT, 0.145, 12.011]\n      - [O, OH, -0.683, "
      "15.9994]\n"
      "      - [H, HO, 0.418, 1.008]\n      - [H1, HC, 0.04, 1.008]\n      - [H2, HC, 0.04, 1.008]\n"
      "      - [H3, HC, 0.04, 1.008]\n"
      "    constraints: [[1, 4, 1.09], [1, 5, 1.09], [1, 6, 1.09], [2, 3, 0.945]]\n"
      "    bonds: [[1, 2]]\n    exclude: 3\n"
      "  ion:\n    atoms:\n      - [NA, NA, 1.0, 22.99]\n"
      "system: [[methanol, 3], [ion, 1]]\n";
  static const double ion[1][3],
      methanol[6][3] = {{0, 0, 0},          {1.41, 0, 0},           {1.7, 0.9, 0},
                        {-0.36, 1.03, 0.0}, {-0.36, -0.515, 0.892}, {-0.36, -0.515, -0.892}};
  const GroupsKeep keep[5] = {GROUPS_NONE};
  *w = (World){.field.n = 1};
  fine(molecules_file_parse(&w->molecules, "m.yaml", text, strlen(text), &stepping_error));
  if (freezes)
    freeze(w);
  fine(groups_create(&w->groups, w->molecules, keep,
                     (const double(*const[])[3]){methanol, ion, methanol, methanol, ion}, &stepping_error));
  fine(groups_topology(w->groups, -1, &w->topology, &stepping_error));
  fine(topology_state(w->topology, width, 7, 11, &w->state, &stepping_error));
  w->nkind = w->state->nblock;
  ck_assert_int_le(w->nkind, MOST_KINDS);
  for (int b = 0; b < w->nkind; b++) {
    w->kind[b] = w->state->block[b].kind;
    w->nmol[b] = w->state->block[b].nlane;
  }
  place(w, 4.5);
  w->input = atoms_input(w->groups, w->topology, NULL);
  fine(open_pairs_create(&w->field.force[0], &w->input, PAIR_DOUBLE, w->state, best(), &stepping_error));
}

/* --- options -------------------------------------------------------------------------------------------- */

static bool compare(World *w, const PlanOptions *options, const char *name)
{
  return stepping_compare(&stepping, w->state, &w->field, options, name);
}

static PlanOptions stiff(const char *accel, PenaltyHessian hessian, const char *word)
{
  PlanOptions o =
      base(word, accel_map_has(accel, ACCEL_PLAIN | ACCEL_ALONE | ACCEL_IRREVERSIBLE) ? 0.005 : 0.03);
  o.accel = accel;
  o.hessian = hessian;
  o.w = 40.0;
  return o;
}

static int rows_of_words(void)
{
  int n = 0;
  while (word_table[n].name != NULL)
    n++;
  return n;
}

static int rows_of_maps(void)
{
  int n = 0;
  while (accel_maps[n].name != NULL)
    n++;
  return n;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

TEST(every_word, .rows = rows_of_words())
{
  const Word *word = &word_table[_i];
  World w;
  if (strchr(word->letters, 'H') != NULL)
    return; /* methods are code */
  world_of_waters(&w, water_find("tip3p"), 5, 1);
  add_wall(&w, strchr(word->letters, 'S') != NULL);
  const PlanOptions o = kept("settle", word->name, 0.04);
  ck_assert_msg(compare(&w, &o, word->name), "%s", stepping_error.text);
  world_free(&w);
}

/* With each Hessian, noise everywhere or on the tangent space alone; on waters where the map takes forces
 * between molecules, else on chains with potentials of their own. */
TEST(every_map, .rows = rows_of_maps())
{
  static const char *const words[] = {"BAOAB", "OBABO", "GL-BAOAOAB"};
  const AccelMap *map = &accel_maps[_i];
  int n = 0;
  for (int k = 0; k < 12; k++) {
    World w;
    char name[64];
    if ((map->traits & ACCEL_ALONE) != 0)
      world_of_chains(&w, &chain, 3, 1);
    else
      world_of_waters(&w, water_find("tip3p"), 5, 1);
    if ((map->traits & ACCEL_ALONE) == 0)
      add_wall(&w, false);
    PlanOptions o = stiff(map->name, k / 3 % 2 == 0 ? HESSIAN_FULL : HESSIAN_GAUSS_NEWTON, words[k % 3]);
    o.tangent = k / 6 == 1;
    snprintf(name, sizeof name, "%s, %s, hessian %d, tangent %d", map->name, words[k % 3], k / 3 % 2, k / 6);
    n += compare(&w, &o, name);
    world_free(&w);
  }
  ck_assert_msg(n >= 6, "%s: only %d of 12 ran: %s", map->name, n, stepping_error.text);
}

/* On chains, which the maps for potentials inside take too. */
TEST(every_map_on_chains, .rows = rows_of_maps())
{
  const AccelMap *map = &accel_maps[_i];
  World w;
  world_of_chains(&w, &chain, 3, 1);
  const PlanOptions o = stiff(map->name, HESSIAN_FULL, "BAOAB");
  ck_assert_msg(compare(&w, &o, map->name), "%s", stepping_error.text);
  world_free(&w);
}

TEST(every_constraint_method_with_every_solver)
{
  static const char *const words[] = {"BAOAB", "OBABO", "G-BAOAB-2"};
  int waters = 0, chains = 0;
  for (const ConstraintMethod *const *m = constraint_methods; *m != NULL; m++)
    for (const ConstraintSolver *const *s = constraint_solvers; *s != NULL; s++)
      for (int k = 0; k < 6; k++) {
        World w;
        char name[96];
        if (k / 3 == 0)
          world_of_waters(&w, water_find("tip3p"), 5, 1);
        else
          world_of_chains(&w, &chain, 3, 1);
        PlanOptions o = kept((*m)->name, words[k % 3], 0.04);
        o.constraint.solver = (*s)->name;
        snprintf(name, sizeof name, "%s by %s, %s, %s", (*m)->name, (*s)->name, words[k % 3],
                 k / 3 == 0 ? "waters" : "chains");
        *(k / 3 == 0 ? &waters : &chains) += compare(&w, &o, name);
        world_free(&w);
      }
  /* settle; newton and gauss-seidel, for chains milc too, of two methods; by three words */
  ck_assert_int_eq(waters, 3 * (1 + 2 * 3));
  ck_assert_int_eq(chains, 3 * 2 * 3);
}

/* Frictions and projections of O, removals of motion, and one thermostat for all momenta. */
TEST(every_thermostat, .rows = 6)
{
  static const char *const name[] = {"settle", "shake", "free", "tangent", "held", "held tangent"};
  World w;
  char text[96];
  if (_i < 4)
    world_of_waters(&w, water_find("tip3p"), 5, 1);
  else
    world_of_chains(&w, &held, 3, 1);
  for (int k = 0; k < 12; k++) {
    PlanOptions o = _i < 2 ? kept(name[_i], "OBABO", 0.04) : stiff("zss", HESSIAN_GAUSS_NEWTON, "BAOAB");
    if (_i >= 4) {
      o.constraints = "rattle";
      o.w = 0.0;
    }
    o.tangent = _i == 3 || _i == 5;
    o.friction = k % 2 == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
    o.gamma = k % 2 == 0 ? 3.0 : 0.5;
    o.removal = k / 2 % 3 == 0 ? REMOVE_NONE : k / 2 % 3 == 1 ? REMOVE_LINEAR : REMOVE_ANGULAR;
    o.time = k / 6 == 0 ? 0.0 : 2.0;
    o.keep_heat = true;
    snprintf(text, sizeof text, "%s, friction %d, removal %d, tau %g", name[_i], k % 2, k / 2 % 3, o.time);
    ck_assert_msg(compare(&w, &o, text), "%s: %s", text, stepping_error.text);
  }
  world_free(&w);
}

TEST(every_composition)
{
  for (const Composition *c = composition_table; c->name != NULL; c++)
    for (int k = 0; k < 3; k++) {
      World w;
      world_of_waters(&w, water_find("tip3p"), 5, 1);
      PlanOptions o = k == 0   ? kept("settle", "BAB", 0.02)
                      : k == 1 ? stiff("zss", HESSIAN_FULL, "BAB")
                               : stiff("verlet", HESSIAN_FULL, "ABA");
      o.h = k == 1 ? 0.01 : o.h;
      o.composition = c->name;
      ck_assert_msg(compare(&w, &o, c->name), "%s", stepping_error.text);
      world_free(&w);
    }
}

TEST(every_water_model)
{
  for (const WaterModel *model = water_models; model->name != NULL; model++) {
    World w;
    world_of_waters(&w, model, 5, 1);
    const PlanOptions o = kept("settle", "BAOAB", 0.03);
    ck_assert_msg(compare(&w, &o, model->name), "%s", stepping_error.text);
    world_free(&w);
  }
}

TEST(replicas_side_by_side)
{
  static const int width[2] = {8, 16};
  for (int k = 0; k < 4; k++) {
    World w;
    world_of_waters(&w, water_find("tip3p"), 5, width[k % 2]);
    PlanOptions o = k / 2 == 0 ? kept("settle", "BAOAB", 0.04) : stiff("zss", HESSIAN_FULL, "OBABO");
    o.removal = REMOVE_ANGULAR;
    ck_assert_msg(compare(&w, &o, "batch"), "%s", stepping_error.text);
    world_free(&w);
  }
}

/* Kinds with and without constraints, in one system; also with a friction for each kind. */
TEST(molecules_of_a_file)
{
  static const double frictions[MOST_KINDS] = {NAN, 0.0, 0.4, 7.0};
  for (int k = 0; k < 8; k++) {
    World w;
    world_of_file(&w, k % 2 == 0 ? 1 : 8, false);
    PlanOptions o = kept("shake", "BAOAB", 0.03);
    o.removal = k / 4 == 0 ? REMOVE_ANGULAR : REMOVE_NONE;
    o.friction = k / 4 == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
    o.gamma = 3.0;
    o.kind_gamma = k / 2 % 2 == 0 ? NULL : frictions;
    ck_assert_msg(compare(&w, &o, "methanol and an ion"), "%s", stepping_error.text);
    world_free(&w);
  }
}

TEST(fixmans_potential)
{
  static const char *const method[2] = {"rattle", "shake"};
  for (int k = 0; k < 4; k++) {
    World w;
    world_of_chains(&w, &chain, 3, k / 2 == 0 ? 1 : 8);
    fine(fixman_create(&w.field.force[w.field.n++], 0.6, w.state, &stepping_error));
    const PlanOptions o = kept(method[k % 2], "BAOAB", 0.03);
    ck_assert_msg(compare(&w, &o, method[k % 2]), "%s", stepping_error.text);
    world_free(&w);
  }
}

/* Small boxes: the exact Ewald sum, and charges that end at the cutoff. Positions in lists are whole numbers
 * of 2^-32 of the box, and the plain sum is converged to 1e-10 of a force. */
TEST(boxes)
{
  static const Stepping rough = {60, 30, 1e-7};
  static const Nonbonded ends[3] = {
      {.cutoff = 5.5, .switch_width = 1.0, .truncation = TRUNCATION_SWITCH, .coulomb = COULOMB_EWALD},
      {.cutoff = 5.5,
       .truncation = TRUNCATION_SHIFT,
       .coulomb = COULOMB_REACTION_FIELD,
       .permittivity = 60.0},
      {.cutoff = 3.6, .by_atom = true, .truncation = TRUNCATION_PLAIN, .coulomb = COULOMB_CUTOFF}};
  for (int k = 0; k < 6; k++) {
    World w;
    char name[64];
    PeriodicOptions o = {.nonbonded = ends[k % 3], .threads = 1, .isa = best()};
    o.nonbonded.buffer = 0.3;
    PlanOptions plan = kept(k / 3 == 0 ? "settle" : "shake", "BAOAB", 0.02);
    if (k / 3 == 0) {
      world_of_waters(&w, water_find("tip4p"), 6, 1);
      o.model = water_find("tip4p");
    } else {
      world_of_file(&w, 1, false);
      o.atoms = &w.input;
    }
    enclose(&w, &o);
    snprintf(name, sizeof name, "%s, %s", k / 3 == 0 ? "waters" : "methanol",
             nonbonded_coulombs[ends[k % 3].coulomb]);
    ck_assert_msg(stepping_compare(&rough, w.state, &w.field, &plan, name), "%s: %s", name,
                  stepping_error.text);
    world_free(&w);
  }
}

/* Molecules and groups that do not move, by every word: their positions keep their bits. */
TEST(frozen_molecules, .rows = rows_of_words())
{
  const Word *word = &word_table[_i];
  World w;
  int blocks = 0;
  if (strchr(word->letters, 'H') != NULL)
    return; /* methods are code */
  world_of_file(&w, 8, true);
  add_wall(&w, strchr(word->letters, 'S') != NULL);
  const size_t n = state_coordinates(w.state);
  double *x = malloc(2 * n * sizeof *x), *before = x, *after = x + n;
  ck_assert_ptr_nonnull(x);
  PlanOptions o = kept("rattle", word->name, 0.02);
  o.keep_heat = true;
  state_get_all(w.state, STATE_POSITIONS, 5, before);
  ck_assert_msg(compare(&w, &o, word->name), "%s", stepping_error.text);
  state_get_all(w.state, STATE_POSITIONS, 5, after);
  for (int b = 0; b < w.nkind; b++) {
    const size_t size = (size_t)(w.nmol[b] * w.kind[b]->nsite * 3);
    ck_assert_int_eq(memcmp(before, after, size * sizeof *x) == 0, w.kind[b]->frozen);
    blocks += w.kind[b]->frozen;
    before += size;
    after += size;
  }
  ck_assert_int_eq(blocks, 3);
  Plan *plan;
  o.removal = REMOVE_LINEAR;
  ck_assert_int_eq(plan_create_kinds(&plan, w.nkind, w.kind, &o, &stepping_error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(stepping_error.text, "is frozen"));
  free(x);
  world_free(&w);
}

/* A method is code: its description is its name. */
TEST(a_method_has_a_name)
{
  World w;
  Plan *plan;
  Scheme scheme;
  Arena arena = {0};
  PlanOptions o = kept(NULL, "H", 0.03);
  o.accel = NULL;
  o.method = &method_geometric_rattle;
  o.base = "symplectic-euler";
  world_of_chains(&w, &chain, 1, 1);
  fine(plan_create_kinds(&plan, w.nkind, w.kind, &o, &stepping_error));
  fine(plan_describe(plan, &arena, &scheme, &stepping_error));
  ck_assert_str_eq(scheme.method, "geometric-rattle");
  ck_assert_int_eq(scheme.op[0].code, OP_METHOD);
  plan_free(plan);
  arena_free(&arena);
  world_free(&w);
}

int main(void) { return suite_main("stepper"); }
