/* Waters with virtual sites as a file of molecules against the models of them, alone and beside other
 * molecules with sites. */
#include "engine/random.h"
#include "forcefields/open_pairs.h"
#include "forcefields/pair.h"
#include "forcefields/periodic.h"
#include "tests/norms.h"
#include "tests/plain_forces.h"
#include "tests/suite.h"
#include "tests/virtual_world.h"

enum { WATERS = 27, SIDE = 3 };

/* TIP4P, or TIP5P with sites out of the plane, as the model has it. */
static void write_water(const WaterModel *model, char *out, size_t size)
{
  const SiteMap map = water_site_map(model);
  char sites[512] = "", rows[512] = "", hidden[128] = "";
  for (int v = 3; v < map.nsite; v++) {
    snprintf(sites + strlen(sites), sizeof sites - strlen(sites), "      - [M%d, N, %.17g, 0]\n", v,
             map.charge[v]);
    snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "      - [%d, %s, 1, 2, 3, %.17g, %.17g", v + 1,
             map.planar ? "\"3\"" : "3out", map.place[v][0], map.place[v][1]);
    if (!map.planar)
      snprintf(rows + strlen(rows), sizeof rows - strlen(rows), ", %.17g", map.place[v][2]);
    snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "]\n");
  }
  if (map.nsite == 5)
    snprintf(hidden, sizeof hidden, "    exclusions: [[4, 5]]\n");
  snprintf(out, size,
           "format: holonom-molecules 1\nrule: geometric\ntypes: {O: {c12: %.17g, c6: %.17g}, N: [0, 0]}\n"
           "molecules:\n  water:\n    atoms:\n      - [O, O, %.17g, 15.9994]\n      - [H1, N, %.17g, 1.008]\n"
           "      - [H2, N, %.17g, 1.008]\n%s    virtual:\n%s"
           "    constraints: [[1, 2, %.17g], [1, 3, %.17g], [2, 3, %.17g]]\n    exclude: 2\n%s"
           "system: [[water, %d]]\n",
           map.lj[0], map.lj[1], map.charge[0], map.charge[1], map.charge[2], sites, rows, model->d_oh,
           model->d_oh, water_d_hh(model), hidden, WATERS);
}

/* Waters on a lattice, their bonds not quite at rest. */
static void place_waters(const double *reference, double (*x)[3])
{
  RandomStream stream = random_stream(11, 0, RANDOM_TEST);
  for (int i = 0; i < 3 * WATERS; i++) {
    const int m = i / 3, at[3] = {m % SIDE, m / SIDE % SIDE, m / SIDE / SIDE};
    for (int d = 0; d < 3; d++)
      x[i][d] = reference[3 * (i % 3) + (d + m) % 3] + 4.4 * at[d] + 0.03 * random_normal(&stream);
  }
}

/* As a file or as the model, open or in a box: f of the atoms, the energy, and the virial. */
static double run_waters(World *w, bool box, const PeriodicOptions *o, const WaterModel *model,
                         double (*f)[3])
{
  double x[3 * WATERS][3];
  place_waters(w->groups->kind[0]->reference, x);
  topology_set(w->topology, w->state, STATE_POSITIONS, 0, x[0]);
  force_field_free(&w->field);
  w->field.n = 1;
  if (box)
    fine(periodic_create(&w->field.force[0], o, w->state, &error));
  else if (model != NULL)
    fine(pair_create(&w->field.force[0], model, PAIR_DOUBLE, w->state, isa(), &error));
  else
    fine(open_pairs_create(&w->field.force[0], &w->input, PAIR_DOUBLE, w->state, isa(), &error));
  const double energy = world_energy(w);
  topology_get(w->topology, w->state, STATE_FORCES, 0, f[0]);
  return energy;
}

/* The pairs as they describe themselves, by double loops. */
static void check_description(const World *w, const double *f)
{
  Arena arena = {0};
  ForceDescription pairs = {0};
  PlainMolecule molecule[WATERS];
  double x[9 * WATERS], plain[9 * WATERS] = {0.0};
  fine(w->field.force[0].ops->describe(w->field.force[0].self, w->state, &arena, &pairs, &error));
  for (int m = 0; m < WATERS; m++)
    molecule[m] = (PlainMolecule){.lane = m, .first = 9 * m};
  topology_get(w->topology, w->state, STATE_POSITIONS, 0, x);
  plain_forces_add(&pairs, WATERS, molecule, x, plain);
  ck_assert_double_le(deviation(9 * WATERS, plain, f), 1e-10);
  arena_free(&arena);
}

TEST(a_water_is_its_model, .rows = 4)
{
  World w;
  char file[4096];
  double f[2][3 * WATERS][3], virial[3][3];
  const WaterModel *const model = water_find(_i % 2 == 0 ? "tip4p" : "tip5p");
  const bool box = _i >= 2;
  write_water(model, file, sizeof file);
  Kind *kind;
  fine(water_kind(model, 15.9994, 1.008, &kind, &error));
  world_read(&w, file, GROUPS_NONE, (const double(*const[])[3]){(const double(*)[3])kind->reference}, 1);
  kind_free(kind);
  ck_assert_int_eq(w.state->nblock, 1);
  PeriodicOptions o = {.nonbonded.coulomb = COULOMB_PME,
                       .nonbonded.beta = 0.6,
                       .nonbonded.order = 6,
                       .nonbonded.grid = {48, 48, 48},
                       .nonbonded.cutoff = 5.0,
                       .nonbonded.by_atom = true,
                       .keep_net = true,
                       .threads = 2,
                       .isa = isa()};
  o.model = model;
  if (box)
    w.state->box = box_brick(15.3, 15.5, 15.7);
  const double want = run_waters(&w, box, &o, model, f[0]);
  memcpy(virial, w.virial, sizeof virial);
  o.model = NULL;
  o.atoms = &w.input;
  const double energy = run_waters(&w, box, &o, NULL, f[1]);
  ck_assert_double_eq_tol(energy, want, 1e-9 * (fabs(want) + 1e3));
  ck_assert_double_le(deviation(9 * WATERS, f[1][0], f[0][0]), 1e-10);
  if (!box)
    check_description(&w, f[1][0]);
  for (int k = 0; k < 9 && box; k++)
    ck_assert_double_eq_tol(w.virial[k / 3][k % 3], virial[k / 3][k % 3], 1e-6);
  world_free(&w);
}

/* Rigid water that is known as a model's, beside molecules with sites of their own: as when it is not. */
TEST(sites_beside_a_model)
{
  enum { DUMBS = 7, HALF = (WATERS - DUMBS) / 2 };
  static const double dumb[3][3] = {{0, 0, 0}, {0.9, 0.7, -0.5}};
  static double f[2][3 * WATERS][3];
  char file[4096], why[512];
  double virial[2][3][3], energy[2];
  Kind *kind;
  const WaterModel *const model = water_find("tip4p");
  fine(water_kind(model, 15.9994, 1.008, &kind, &error));
  write_water(model, file, sizeof file);
  snprintf(strstr(file, "system:"), 512,
           "  dumb:\n    atoms: [[A, O, 0.4, 12], [V, N, -0.3, 0], [B, N, -0.1, 1]]\n"
           "    virtual: [[2, \"2\", 1, 3, 0.4]]\n    bonds: [[1, 3]]\n"
           "system: [[water, %d], [dumb, %d], [water, %d]]\n",
           HALF, DUMBS, HALF);
  for (int k = 0; k < 2; k++) {
    World w;
    WaterMolecule water;
    double x[3 * WATERS][3], all[3 * WATERS][3];
    world_read(&w, file, GROUPS_NONE,
               (const double(*const[])[3]){(const double(*)[3])kind->reference,
                                           (const double[3][3]){{0, 0, 0}, {0, 0, 0}, {0.9, 0.7, -0.5}}},
               1);
    water_molecule_find(w.groups, 1, &water, why, sizeof why);
    ck_assert_msg(water.molecule == 0, "%s", why);
    if (k == 1) {
      world_free(&w);
      world_describe(
          &w, file, GROUPS_NONE,
          (const double(*const[])[3]){(const double(*)[3])kind->reference,
                                      (const double[3][3]){{0, 0, 0}, {0, 0, 0}, {0.9, 0.7, -0.5}}},
          1, water.molecule);
      w.input = atoms_input(w.groups, w.topology, &water);
    }
    place_waters(kind->reference, all);
    int n = 0;
    for (int m = 0; m < WATERS; m++)
      for (int i = 0; i < (m >= HALF && m < HALF + DUMBS ? 2 : 3); i++, n++)
        for (int d = 0; d < 3; d++)
          x[n][d] = m >= HALF && m < HALF + DUMBS ? all[3 * m][d] + dumb[i][d] : all[3 * m + i][d];
    ck_assert_int_eq(n, w.topology->natom);
    topology_set(w.topology, w.state, STATE_POSITIONS, 0, x[0]);
    w.state->box = box_brick(15.3, 15.5, 15.7);
    const PeriodicOptions o = {.nonbonded.coulomb = COULOMB_PME,
                               .nonbonded.beta = 0.6,
                               .nonbonded.order = 6,
                               .nonbonded.grid = {48, 48, 48},
                               .nonbonded.cutoff = 5.0,
                               .nonbonded.by_atom = true,
                               .threads = 2,
                               .isa = isa(),
                               .model = k == 1 ? &water.model : NULL,
                               .atoms = &w.input};
    fine(periodic_create(&w.field.force[0], &o, w.state, &error));
    energy[k] = world_energy(&w);
    memcpy(virial[k], w.virial, sizeof virial[k]);
    topology_get(w.topology, w.state, STATE_FORCES, 0, f[k][0]);
    world_free(&w);
  }
  kind_free(kind);
  ck_assert_double_eq_tol(energy[0], energy[1], 1e-7 * (fabs(energy[0]) + 1e3));
  ck_assert_double_le(deviation(9 * WATERS - 3 * DUMBS, f[1][0], f[0][0]), 1e-8);
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(virial[0][k / 3][k % 3], virial[1][k / 3][k % 3], 1e-5);
}

int main(void) { return suite_main("virtual_waters"); }
