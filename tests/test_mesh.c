/* The mesh for states: against the plain Ewald sum, and the laws that it keeps by itself. */
#include "engine/units.h"
#include "forcefields/ewald.h"
#include "forcefields/mesh.h"
#include "forcefields/stage.h"
#include "tests/blocks.h"
#include "tests/boxes.h"
#include "tests/norms.h"
#include "tests/scenes_random.h"
#include "tests/shorter.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { WATERS = 21, IONS = 2, BLOCKS = 4, MOLECULES = WATERS + 3 * IONS, ATOMS = 3 * WATERS + 3 * IONS };
static const double sides[3] = {9.4, 9.7, 10.3};
static const Box box = BOXES_BRICK(9.4, 9.7, 10.3);
static const double charges[BLOCKS] = {0.0, 1.0, 0.0, -1.0}; /* water, sodium, argon, chloride */

typedef struct Scene {
  const WaterModel *model;
  Kind *water;
  State *state;
  Topology *topology;
  Atoms *atoms;
  Particles particles; /* without Lennard-Jones */
  double x[3 * ATOMS];
} Scene;

/* Block after block, molecule after molecule: where each begins. */
static int first_of(int molecule) { return molecule < WATERS ? 3 * molecule : molecule + 2 * WATERS; }

static Kind atom(const char *const *name, const double *mass)
{
  static const double origin[3] = {0.0};
  return (Kind){.name = *name, .nsite = 1, .dim = 3, .mass = mass, .site = name, .reference = origin};
}

/* Atoms of these charges, those before are freed. */
static void charge_atoms(Scene *s, const double charge[BLOCKS])
{
  static const double none[1][2];
  for (int k = 1; k < BLOCKS; k++)
    s->topology->sort[k].charge[0] = charge[k];
  const AtomsInput input = {.topology = s->topology, .water = 0, .ntype = 1, .lj = none};
  particles_free(&s->particles);
  atoms_free(s->atoms);
  ck_assert_int_eq(atoms_create(&s->atoms, &input, s->state, NULL), STATUS_OK);
  ck_assert_int_eq(particles_make(&s->particles, s->model, s->atoms, s->state, NULL), STATUS_OK);
  s->particles.kind[0].map.lj[0] = s->particles.kind[0].map.lj[1] = 0.0;
}

/* Bent and stretched waters and three kinds of atoms at the places of a lattice, some in other images. */
static void make_scene(Scene *s, const char *model)
{
  static const char *const name[3] = {"Na+", "Ar", "Cl-"};
  static const double mass[3] = {22.99, 39.95, 35.45};
  static Kind ions[3];
  *s = (Scene){.model = water_find(model)};
  ck_assert_int_eq(water_kind(s->model, 15.9994, 1.008, &s->water, NULL), STATUS_OK);
  for (int k = 0; k < 3; k++)
    ions[k] = atom(&name[k], &mass[k]);
  const Kind *const kind[BLOCKS] = {s->water, &ions[0], &ions[1], &ions[2]};
  const int nmol[BLOCKS] = {WATERS, IONS, IONS, IONS};
  Error error = {0};
  ck_assert_msg(state_create(&s->state, 1, BLOCKS, kind, nmol, 1, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(topology_of_state(&s->topology, s->state, NULL), STATUS_OK);
  charge_atoms(s, charges);
  double x[9 * MOLECULES];
  scenes_random(s->water, MOLECULES, 5, 0.02, x);
  for (int m = 0; m < MOLECULES; m++)
    for (int k = 0; k < (m < WATERS ? 9 : 3); k++)
      s->x[3 * first_of(m) + k] = x[9 * m + k] + (m % 5 - 2) * sides[k % 3];
  blocks_set(s->state, 'q', s->x);
}

static void free_scene(Scene *s)
{
  particles_free(&s->particles);
  atoms_free(s->atoms);
  topology_free(s->topology);
  state_free(s->state);
  kind_free(s->water);
}

static MeshOptions options(const Scene *s, int order, int n)
{
  return (MeshOptions){.particles = &s->particles,
                       .keep_net = true,
                       .pme = {.box = &box,
                               .beta = 0.6,
                               .order = order,
                               .grid = {n, n + 1, n + 2},
                               .threads = 5,
                               .isa = isa_best()}};
}

static Mesh *create(const MeshOptions *o, const State *state)
{
  Mesh *mesh;
  Error error = {0};
  ck_assert_msg(mesh_create(&mesh, o, state, &error) == STATUS_OK, "%s", error.text);
  return mesh;
}

typedef struct Result {
  double f[3 * ATOMS], inside, self;
  PmeSums sums; /* its virial that of atoms, of all parts */
} Result;

typedef struct Adding {
  Mesh *mesh;
  Stage *stage;
  State *state;
  Result *sums; /* or NULL */
} Adding;

static Status add_member(void *self, const Team *team, Error *error)
{
  const Adding *a = self;
  const StageOut out = {.mesh = &a->mesh->stage};
  const Status status = stage_run(a->stage, team, a->state, &out, error);
  if (status != STATUS_OK) /* for all alike */
    return status;
  pme_count(a->mesh->pme, team);
  team_barrier(team);
  pme_sort(a->mesh->pme, team);
  team_barrier(team);
  StageForces forces = {0};
  mesh_solve(a->mesh, team, a->sums != NULL ? &a->sums->sums : NULL, &forces);
  stage_deliver(a->stage, team, &forces, a->state->block, a->sums != NULL);
  team_barrier(team);
  if (team->rank == 0 && a->sums != NULL) {
    a->sums->self = a->mesh->self;
    stage_sums(a->stage, &a->sums->inside, a->sums->sums.virial);
  }
  return status;
}

/* f += forces, by a team of so many. */
static void add(const MeshOptions *o, Mesh *mesh, const Scene *s, int threads, Result *sums)
{
  Stage stage;
  ck_assert_int_eq(stage_init(&stage, &s->particles, 10.0, o->pme.box, o->pme.isa, NULL), STATUS_OK);
  ck_assert_int_eq(team_run(threads, add_member, &(Adding){mesh, &stage, s->state, sums}, NULL), STATUS_OK);
  stage_free(&stage);
}

static void compute(const MeshOptions *o, Mesh *mesh, Scene *s, int threads, bool sums, Result *r)
{
  blocks_clear_forces(s->state);
  memset(r, 0, sizeof *r);
  add(o, mesh, s, threads, sums ? r : NULL);
  blocks_get(s->state, 'f', r->f);
}

static Result solve(Scene *s, const MeshOptions *o)
{
  Result r;
  Mesh *mesh = create(o, s->state);
  compute(o, mesh, s, 1, true, &r);
  mesh_free(mesh);
  return r;
}

/* --- what it must be -------------------------------------------------------------------------------------
 */

/* The sites of all molecules. */
typedef struct Sites {
  int first[MOLECULES + 1];
  double charge[SITE_MAP_SITES * MOLECULES], x[3 * SITE_MAP_SITES * MOLECULES],
      f[3 * SITE_MAP_SITES * MOLECULES];
} Sites;

static void make_sites(const Scene *s, Sites *t)
{
  const SiteMap map = water_site_map(s->model);
  *t = (Sites){0};
  int n = 0;
  for (int m = 0; m < MOLECULES; m++) {
    const double *x = s->x + 3 * first_of(m);
    t->first[m] = n;
    if (m < WATERS) {
      site_map_sites(&map, x, t->x + 3 * n);
      memcpy(t->charge + n, map.charge, (size_t)map.nsite * sizeof *map.charge);
      n += map.nsite;
    } else {
      memcpy(t->x + 3 * n, x, 3 * sizeof *x);
      t->charge[n++] = charges[1 + (m - WATERS) / IONS];
    }
  }
  t->first[MOLECULES] = n;
}

/* f of atoms += those on sites, and the virial of atoms from that of sites. */
static void to_atoms(const Scene *s, const Sites *t, double *f, double virial[3][3])
{
  const SiteMap map = water_site_map(s->model);
  for (int m = 0; m < MOLECULES; m++) {
    const double *from = t->f + 3 * t->first[m];
    double *to = f + 3 * first_of(m);
    for (int d = 0; d < 3 && m >= WATERS; d++)
      to[d] += from[d];
    if (m < WATERS) {
      site_map_forces(&map, t->x + 3 * t->first[m], from, to);
      site_map_virial(&map, t->x + 3 * t->first[m], from, virial);
    }
  }
}

/* Takes the real part between all images but those inside molecules from forces, energy and virial. */
static void take_real(Sites *t, double beta, double *energy, double virial[3][3])
{
  const int n = t->first[MOLECULES];
  int molecule[SITE_MAP_SITES * MOLECULES];
  for (int m = 0; m < MOLECULES; m++)
    for (int i = t->first[m]; i < t->first[m + 1]; i++)
      molecule[i] = m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < 27; k++) {
        const int image[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
        double r[3], r2 = 0.0, shift = 0.0;
        for (int d = 0; d < 3; d++) {
          const double gap = t->x[3 * i + d] - t->x[3 * j + d];
          const double nearest = gap - sides[d] * rint(gap / sides[d]);
          r[d] = nearest + image[d] * sides[d];
          shift += fabs(r[d] - gap);
          r2 += r[d] * r[d];
        }
        if (molecule[i] == molecule[j] && shift < 1e-6) /* the pair inside, not an image of it */
          continue;
        const double l = sqrt(r2), c = (i == j ? 0.5 : 1.0) * UNITS_COULOMB * t->charge[i] * t->charge[j];
        const double factor =
            c * (erfc(beta * l) / l + 2.0 * beta / sqrt(M_PI) * exp(-beta * beta * r2)) / r2;
        *energy -= c * erfc(beta * l) / l;
        for (int a = 0; a < 3; a++) {
          t->f[3 * i + a] -= factor * r[a];
          t->f[3 * j + a] += factor * r[a];
          for (int b = 0; b < 3; b++)
            virial[a][b] -= factor * r[a] * r[b];
        }
      }
}

/* What is left of a plain Ewald sum when the real part of this beta is taken away. */
static Result exact(const Scene *s, double beta)
{
  static Sites t;
  make_sites(s, &t);
  const EwaldOptions o = {.accuracy = 1e-12};
  const Team team = team_alone();
  Error error = {0};
  Ewald *ewald;
  EwaldResult e;
  Result r = {0};
  ck_assert_msg(ewald_create(&ewald, &s->particles, &box, &o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(ewald_compute(ewald, &team, s->state, r.f, &e, &error) == STATUS_OK, "%s", error.text);
  ewald_free(ewald);
  r.sums.energy = e.energy[EWALD_REAL] + e.energy[EWALD_RECIPROCAL] + e.energy[EWALD_SELF] +
                  e.energy[EWALD_INTRAMOLECULAR];
  memcpy(r.sums.virial, e.virial_atom, sizeof r.sums.virial);
  take_real(&t, beta, &r.sums.energy, r.sums.virial);
  to_atoms(s, &t, r.f, r.sums.virial);
  return r;
}

enum { MODELS = 3, ORDERS = 3 }; /* orders 4, 5 and 6 of the mesh */
static const char *const models[MODELS] = {"tip3p", "tip4p", "tip5p"};

/* Forces on atoms, energies and the virial by atom, waters without and with massless sites among ions. */
TEST(agrees_with_ewald, .rows = MODELS)
{
  Scene s;
  make_scene(&s, models[_i]);
  const MeshOptions o = options(&s, 6, 96);
  const Result want = exact(&s, o.pme.beta), got = solve(&s, &o);
  const double size = rms(3 * ATOMS, want.f, NULL);
  ck_assert_double_le(rms(3 * ATOMS, got.f, want.f), 1e-7 * size);
  ck_assert_double_eq_tol(got.sums.energy + got.self + got.inside, want.sums.energy, 1e-7 * fabs(got.self));
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      ck_assert_double_eq_tol(got.sums.virial[a][b], want.sums.virial[a][b], 1e-7 * fabs(got.self));
  for (int i = 0; i < 3 * IONS; i++) /* argon, uncharged, feels nothing */
    ck_assert(got.f[3 * (3 * WATERS + IONS) + i] == 0.0);
  free_scene(&s);
}

static double energy_of(const Result *r) { return r->sums.energy + r->inside; }

/* Of any mesh; with one molecule torn apart farther than the polynomial reaches. */
TEST(forces_are_the_gradient, .rows = MODELS * ORDERS)
{
  Scene s;
  make_scene(&s, models[_i / ORDERS]);
  const MeshOptions o = options(&s, 4 + _i % ORDERS, 12);
  for (int d = 0; d < 3; d++)
    s.x[9 * 4 + 3 + d] += 1.7;
  blocks_set(s.state, 'q', s.x);
  Mesh *mesh = create(&o, s.state);
  Result r, up, down;
  compute(&o, mesh, &s, 1, true, &r);
  const double h = 1e-4;
  for (int k = 0; k < 3 * ATOMS; k += k < 60 ? 1 : 5) {
    const double at = s.x[k];
    s.x[k] = at + h;
    blocks_set(s.state, 'q', s.x);
    compute(&o, mesh, &s, 1, true, &up);
    s.x[k] = at - h;
    blocks_set(s.state, 'q', s.x);
    compute(&o, mesh, &s, 1, true, &down);
    s.x[k] = at;
    ck_assert_double_eq_tol((energy_of(&down) - energy_of(&up)) / (2.0 * h), r.f[k], 2e-5);
  }
  mesh_free(mesh);
  free_scene(&s);
}

TEST(virial_is_the_derivative_by_the_box, .rows = MODELS * ORDERS)
{
  Scene s;
  make_scene(&s, models[_i / ORDERS]);
  const MeshOptions o = options(&s, 4 + _i % ORDERS, 12);
  Mesh *mesh = create(&o, s.state);
  Result r, moved;
  compute(&o, mesh, &s, 1, true, &r);
  const double h = 1e-5;
  for (int d = 0; d < 3; d++) {
    double energy[2];
    for (int k = 0; k < 2; k++) {
      MeshOptions other = o;
      Box stretched = box;
      double x[3 * ATOMS];
      const double factor = 1.0 + (k == 0 ? h : -h);
      boxes_stretch(&stretched, d, factor);
      other.pme.box = &stretched;
      for (int i = 0; i < 3 * ATOMS; i++)
        x[i] = s.x[i] * (i % 3 == d ? factor : 1.0);
      blocks_set(s.state, 'q', x);
      ck_assert_int_eq(pme_set_box(mesh->pme, &stretched, NULL), STATUS_OK);
      compute(&other, mesh, &s, 1, true, &moved);
      energy[k] = energy_of(&moved);
    }
    ck_assert_double_eq_tol((energy[1] - energy[0]) / (2.0 * h), r.sums.virial[d][d], 1e-4);
  }
  mesh_free(mesh);
  free_scene(&s);
}

/* The net force is taken away in proportion to mass; what is uncharged does not count. */
TEST(net_force, .rows = MODELS)
{
  Scene s;
  make_scene(&s, models[_i]);
  MeshOptions o = options(&s, 4, 16);
  const Result with = solve(&s, &o);
  o.keep_net = false;
  const Result without = solve(&s, &o);
  double sum[3] = {0.0}, left[3] = {0.0}, mass = 0.0;
  for (int k = 0; k < BLOCKS; k++)
    if (k == 0 || charges[k] != 0.0)
      mass += s.state->block[k].nlane * kind_mass(s.state->block[k].kind);
  for (int i = 0; i < 3 * ATOMS; i++) {
    sum[i % 3] += with.f[i];
    left[i % 3] += without.f[i];
  }
  for (int d = 0; d < 3; d++) {
    ck_assert_double_eq_tol(sum[d], with.sums.net[d], 1e-10);
    ck_assert_double_eq_tol(left[d], 0.0, 1e-10);
    ck_assert_double_gt(fabs(sum[d]), 1e-6);
    for (int i = 0; i < 3 * WATERS; i++)
      ck_assert_double_eq_tol(with.f[3 * i + d] - without.f[3 * i + d],
                              s.water->mass[i % 3] / mass * with.sums.net[d], 1e-11);
  }
  free_scene(&s);
}

/* Every instruction set and both precisions: the same numbers, and the same bits for any team. */
TEST(same_everywhere, .rows = MODELS * ORDERS, .threads = true)
{
  Scene s;
  make_scene(&s, models[_i / ORDERS]);
  MeshOptions o = options(&s, 4 + _i % ORDERS, 17);
  o.pme.isa = ISA_PLAIN;
  o.keep_net = false;
  const Result want = solve(&s, &o);
  const double size = rms(3 * ATOMS, want.f, NULL);
  for (Isa isa = shorter_first_set(); isa < ISA_COUNT; isa++)
    for (int single = 0; single < 2; single++) {
      if (!isa_runs(isa))
        continue;
      o.pme.isa = isa;
      o.pme.precision = single ? PME_FLOAT : PME_DOUBLE;
      const double tolerance = single ? 1e-5 : 1e-12;
      Mesh *mesh = create(&o, s.state);
      Result one, many;
      compute(&o, mesh, &s, 1, true, &one);
      ck_assert_double_le(rms(3 * ATOMS, one.f, want.f), tolerance * size);
      ck_assert_double_eq_tol(energy_of(&one), energy_of(&want), tolerance * want.sums.energy);
      for (int threads = 2; threads <= o.pme.threads; threads++) {
        compute(&o, mesh, &s, threads, true, &many);
        ck_assert_mem_eq(&many, &one, sizeof one);
      }
      compute(&o, mesh, &s, 2, false, &many);
      ck_assert_mem_eq(many.f, one.f, sizeof one.f);
      mesh_free(mesh);
    }
  free_scene(&s);
}

/* Forces are added to what is there, and nothing is left over from other positions. */
TEST(adds_and_forgets)
{
  Scene s;
  make_scene(&s, "tip4p");
  MeshOptions o = options(&s, 6, 16);
  o.pme.precision = PME_FLOAT;
  Mesh *mesh = create(&o, s.state);
  Result once, other, again;
  compute(&o, mesh, &s, 1, true, &once);
  add(&o, mesh, &s, 1, NULL);
  const Block *water = &s.state->block[0];
  double f[9 * WATERS];
  state_get(water, 1, water->f, 0, f);
  for (int i = 0; i < 9 * WATERS; i++)
    ck_assert_double_eq(f[i], 2.0 * once.f[i]);
  double x[3 * ATOMS];
  for (int i = 0; i < 3 * ATOMS; i++)
    x[i] = s.x[i] + 0.3 * sin(i);
  blocks_set(s.state, 'q', x);
  compute(&o, mesh, &s, 2, true, &other);
  ck_assert_double_gt(rms(3 * ATOMS, other.f, once.f), 1e-3);
  blocks_set(s.state, 'q', s.x);
  compute(&o, mesh, &s, 3, true, &again);
  ck_assert_mem_eq(&again, &once, sizeof once);
  mesh_free(mesh);
  free_scene(&s);
}

static void refuse(const MeshOptions *o, const State *state, const char *what)
{
  Mesh *mesh;
  Error error = {0};
  ck_assert_int_eq(mesh_create(&mesh, o, state, &error), STATUS_INPUT);
  ck_assert_ptr_null(mesh);
  ck_assert_msg(strstr(error.text, what) != NULL, "%s", error.text);
}

TEST(bad_input_is_refused)
{
  Scene s;
  make_scene(&s, "tip3p");
  const MeshOptions good = options(&s, 4, 16);
  MeshOptions o = good;
  charge_atoms(&s, (const double[BLOCKS]){0.0, 1.0, 0.0, -0.5});
  Mesh *charged = create(&o, s.state);
  ck_assert_double_eq_tol(charged->charge, 1.0, 1e-12);
  mesh_free(charged);
  charge_atoms(&s, (const double[BLOCKS]){0.0});
  memset(s.particles.kind[0].map.charge, 0, sizeof s.particles.kind[0].map.charge);
  refuse(&o, s.state, "the mesh needs charges");
  charge_atoms(&s, charges);
  State *dry;
  ck_assert_int_eq(state_create(&dry, 1, 1, &s.state->block[1].kind, (const int[]){1}, 1, 0, NULL),
                   STATUS_OK);
  refuse(&o, dry, "the atoms of Na+ are not those of tip3p");
  state_free(dry);
  o.pme.order = 7;
  refuse(&o, s.state, "order 7");
  State *wide;
  const Kind *const kind = s.water;
  const int nmol = 3;
  ck_assert_int_eq(state_create(&wide, 8, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  refuse(&good, wide, "one replica");
  state_free(wide);
  Mesh *mesh = create(&good, s.state);
  const Box wrong = box_brick(10.0, -1.0, 10.0);
  ck_assert_int_eq(pme_set_box(mesh->pme, &wrong, NULL), STATUS_INPUT);
  mesh_free(mesh);
  free_scene(&s);
}

int main(void) { return suite_main("mesh"); }
