/* -C/r^4 of ions with other atoms (12-6-4 model): energies by plain sums over all pairs, the laws of forces
 * in open space and in boxes, runs that are cut and shared by threads, and what is refused. */
#include "simulation/simulation_private.h"
#include "tests/force_laws.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "topology/topology.h"

enum { ION, OXYGEN, HYDROGEN, CARBON, POINT, TYPES };
enum { IONS = 2, WATERS = 3, CHAINS = 2, ATOMS = IONS + 3 * WATERS + 4 * CHAINS, SITES = ATOMS + CHAINS };

static const char *const type_name[TYPES] = {"M", "OW", "HW", "C", "V"};

/* C of each pair of types; that of hydrogens only where waters are individual atoms. */
static double c4_of(int a, int b, bool hydrogens)
{
  static const double c4[TYPES][TYPES] = {{20, 132, 3, -55, 30}, {0}, {0}, {0, 0, 0, 5, 7}, {0}};
  const int low = a < b ? a : b, high = a < b ? b : a;
  return low == ION && high == HYDROGEN && !hydrogens ? 0.0 : c4[low][high];
}

typedef struct Case {
  const char *box, *forces; /* lattice in an XYZ file, keys of forces */
  bool hydrogens;
} Case;

static const char brick[] = "14 0 0 0 14 0 0 0 14", oblique[] = "14 0 0 3 14 0 -2 3 14";
#define PLAIN_SUM "coulomb: cutoff, cutoff: 5.9 A"
static const Case cases[] = {{NULL, NULL, false},
                             {NULL, NULL, true},
                             {brick, "{" PLAIN_SUM ", truncation: plain, tail: false}", false},
                             {brick, "{" PLAIN_SUM ", truncation: shift, tail: false}", true},
                             {brick, "{" PLAIN_SUM ", truncation: switch, switch: 1.5 A}", false},
                             {oblique, "{" PLAIN_SUM ", truncation: force-switch, switch: 2 A}", true},
                             {oblique, "{" PLAIN_SUM ", truncation: switch}", false}};
enum { CASES = sizeof cases / sizeof *cases, OPEN = 2 };

/* --- the system ----------------------------------------------------------------------------------------- */

/* Positions of atoms in the order of the file, moved a little in each replica. */
static void positions(int replica, double (*x)[3])
{
  static const double ion[IONS][3] = {{0, 0, 0}, {6.5, 1, 0.5}};
  static const double oxygen[WATERS][3] = {{2.2, 0.3, 0.1}, {0.2, -2.3, 1.0}, {5.5, 3.5, -1.0}};
  static const double hydrogen[2][3] = {{0.9572, 0, 0}, {-0.2399872, 0.9266272, 0}};
  static const double carbon[4][3] = {{-4, 4, 4}, {-2.6, 4.5, 4}, {-1.6, 3.4, 4.3}, {-0.2, 3.8, 4}};
  static const double apart[3] = {5, -7.5, -6};
  int n = 0;
  for (int i = 0; i < IONS; i++, n++)
    memcpy(x[n], ion[i], sizeof *x);
  for (int w = 0; w < WATERS; w++)
    for (int s = 0; s < 3; s++, n++)
      for (int d = 0; d < 3; d++)
        x[n][d] = oxygen[w][d] + (s > 0 ? hydrogen[s - 1][d] : 0.0);
  for (int c = 0; c < CHAINS; c++)
    for (int s = 0; s < 4; s++, n++)
      for (int d = 0; d < 3; d++)
        x[n][d] = carbon[s][d] + c * apart[d];
  for (int i = 0; i < ATOMS && replica > 0; i++)
    for (int d = 0; d < 3; d++)
      x[i][d] += 0.05 * sin(7.0 * replica + 3.0 * i + d);
}

static void write_molecules(bool hydrogens)
{
  FILE *file = program_create("m.yaml");
  fprintf(file, "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
                "types: {M: [2.0, 0.2], OW: [3.15061, 0.1521], HW: [0, 0], C: [3.4, 0.1], V: [0, 0]}\nc4:\n");
  for (int a = 0; a < TYPES; a++)
    for (int b = 0; b <= a; b++)
      if (c4_of(a, b, hydrogens) != 0.0)
        fprintf(file, "  - [%s, %s, %g]\n", type_name[a], type_name[b], c4_of(a, b, hydrogens));
  fprintf(file,
          "molecules:\n  ion: {atoms: [[Mg, M, 2, 24.3]]}\n"
          "  water:\n    atoms: [[OW, OW, -0.834, 16], [HW1, HW, 0.417, 1.008], [HW2, HW, 0.417, 1.008]]\n"
          "    constraints: [[1, 2, 0.9572], [1, 3, 0.9572], [2, 3, 1.513900654]]\n"
          "  chain:\n    atoms: [[A, C, 0, 12], [B, C, 0, 12], [D, C, 0, 12], [E, C, 0, 12], [F, V, 0, 0]]\n"
          "    terms: {bond: [[1, 2, 1.5, 300], [2, 3, 1.5, 300], [3, 4, 1.5, 300]]}\n"
          "    virtual: [[5, 2, 1, 2, 0.4]]\n    exclude: 2\n"
          "system: [[ion, %d], [water, %d], [chain, %d]]\n",
          IONS, WATERS, CHAINS);
  ck_assert_int_eq(fclose(file), 0);
}

/* Writes the molecules, the start and the input run.yaml; returns the input's text. */
static const char *write_case(const Case *c, const char *more)
{
  static char text[2048];
  double x[ATOMS][3];
  write_molecules(c->hydrogens);
  positions(0, x);
  FILE *file = program_create("m.xyz");
  fprintf(file, "%d\n", ATOMS);
  if (c->box != NULL)
    fprintf(file, "Lattice=\"%s\" Properties=species:S:1:pos:R:3", c->box);
  for (int i = 0; i < ATOMS; i++)
    fprintf(file, "\n%s %.9f %.9f %.9f",
            i < IONS                 ? "Mg"
            : i >= IONS + 3 * WATERS ? "C"
            : (i - IONS) % 3 == 0    ? "O"
                                     : "H",
            x[i][0], x[i][1], x[i][2]);
  fprintf(file, "\n");
  ck_assert_int_eq(fclose(file), 0);
  snprintf(text, sizeof text,
           "system: {topology: %s/m.yaml, file: %s/m.xyz, minimise: false, box: %s}\n%s%s\n"
           "geometry: {method: rattle}\nprecision: double\n"
           "integrator: {word: BAOAB, timestep: 1 fs, steps: 60}\n"
           "thermostat: {temperature: 100 K, friction: 5/ps}\n"
           "output: {thermo_every: 20, trajectory: [xyz], report: false, progress: false}\n%s",
           program_scratch, program_scratch, c->box != NULL ? "file" : "none",
           c->forces != NULL ? "forces: " : "", c->forces != NULL ? c->forces : "", more);
  program_write("run.yaml", text);
  return text;
}

/* --- plain sums ----------------------------------------------------------------------------------------- */

typedef struct Site {
  int type, molecule, at; /* at: number in the molecule */
  double x[3];
} Site;

static void list_sites(const double (*x)[3], Site *site)
{
  int n = 0, molecule = 0;
  for (int i = 0; i < ATOMS; i++) {
    const bool water = i >= IONS && i < IONS + 3 * WATERS;
    const int first = i < IONS ? i : water ? i - (i - IONS) % 3 : i - (i - IONS - 3 * WATERS) % 4;
    molecule += i > 0 && first == i;
    site[n] = (Site){i < IONS ? ION : !water ? CARBON : first == i ? OXYGEN : HYDROGEN, molecule, i - first};
    memcpy(site[n++].x, x[i], sizeof *x);
    if (i >= IONS + 3 * WATERS && i - first == 3) {
      site[n] = (Site){POINT, molecule, 4};
      for (int d = 0; d < 3; d++)
        site[n].x[d] = 0.6 * x[first][d] + 0.4 * x[first + 1][d];
      n++;
    }
  }
  ck_assert_int_eq(n, SITES);
}

/* Waters whole; in chains atoms up to two bonds apart, and the point with the two atoms that place it. */
static bool excluded(const Site *a, const Site *b)
{
  if (a->molecule != b->molecule)
    return false;
  const int low = a->at < b->at ? a->at : b->at, high = a->at < b->at ? b->at : a->at;
  return a->type == OXYGEN || a->type == HYDROGEN || (high == 4 ? low < 2 : high - low <= 2);
}

/* r^-4 truncated: from rs on the force switch adds a x^2 + b x^3 to the force, so that it and its slope
 * vanish at rc, and the energy is the work from rc. */
static double truncated(const Simulation *s, double r)
{
  const Nonbonded *o = &s->config->forces;
  const double rc = o->cutoff, width = o->switch_width > 0.0 ? o->switch_width : 1.0, rs = rc - width;
  const Truncation how = s->box.h[0][0] > 0.0 ? o->truncation : TRUNCATION_PLAIN;
  if (s->box.h[0][0] > 0.0 && r >= rc)
    return 0.0;
  const double v = pow(r, -4.0), t = r > rs ? (r - rs) / width : 0.0;
  if (how == TRUNCATION_SHIFT)
    return v - pow(rc, -4.0);
  if (how == TRUNCATION_SWITCH)
    return v * (1.0 - 10.0 * t * t * t + 15.0 * t * t * t * t - 6.0 * t * t * t * t * t);
  if (how != TRUNCATION_FORCE_SWITCH)
    return v;
  /* a w^2 + b w^3 = -4/rc^5, 2 a w + 3 b w^2 = 20/rc^6 */
  const double p = -4.0 / pow(rc, 5.0), q = 20.0 / pow(rc, 6.0), w = width;
  const double b = (q * w - 2.0 * p) / (w * w * w), a = (p - b * w * w * w) / (w * w), x = t * w;
  return v - pow(rc, -4.0) + a / 3.0 * (w * w * w - x * x * x) + b / 4.0 * (w * w * w * w - x * x * x * x);
}

static double plain_sum(const Simulation *s, const double (*x)[3], bool hydrogens)
{
  Site site[SITES];
  double sum = 0.0;
  list_sites(x, site);
  for (int i = 0; i < SITES; i++)
    for (int k = 0; k < i; k++) {
      const double c = c4_of(site[i].type, site[k].type, hydrogens);
      if (c == 0.0 || excluded(&site[i], &site[k]))
        continue;
      /* All images near the box, of which at most one is within the cutoff. */
      const int most = s->box.h[0][0] > 0.0 ? 2 : 0;
      for (int a = -most; a <= most; a++)
        for (int b = -most; b <= most; b++)
          for (int e = -most; e <= most; e++) {
            double square = 0.0;
            for (int d = 0; d < 3; d++) {
              const double r =
                  site[i].x[d] - site[k].x[d] + a * s->box.h[0][d] + b * s->box.h[1][d] + e * s->box.h[2][d];
              square += r * r;
            }
            sum -= c * truncated(s, sqrt(square));
          }
    }
  return sum;
}

/* --- the force alone ------------------------------------------------------------------------------------ */

static struct {
  Simulation *s;
  State *state;
  ForceField field;
} world;

/* Keeps only the force "induction" of the system's field. */
static ForceSystem open_world(int which, int width, int used)
{
  double x[ATOMS][3];
  world.s = parsed(write_case(&cases[which], ""));
  fine(topology_state(world.s->topology, width, 1, 0, &world.state, &error));
  state_use(world.state, used);
  world.state->box = world.s->box;
  ck_assert_int_eq((int)topology_coordinates(world.s->topology), 3 * ATOMS);
  for (int r = 0; r < used; r++) {
    positions(r, x);
    topology_set(world.s->topology, world.state, STATE_POSITIONS, r, &x[0][0]);
  }
  ForceField all = {.n = 0};
  fine(simulation_field_create(world.s, NULL, world.state, &all, &error));
  world.field.n = 0;
  for (int i = 0; i < all.n; i++)
    if (strcmp(all.force[i].ops->name, "induction") == 0)
      world.field.force[world.field.n++] = all.force[i];
    else
      all.force[i].ops->free(all.force[i].self);
  ck_assert_int_eq(world.field.n, 1);
  return (ForceSystem){&world.field, world.state};
}

static void close_world(void)
{
  force_field_free(&world.field);
  state_free(world.state);
  simulation_free(world.s);
}

TEST(energies_are_plain_sums, .rows = CASES + OPEN)
{
  const int which = _i % CASES, width = _i < CASES ? 1 : 8, used = _i < CASES ? 1 : 5;
  const Team team = team_alone();
  double energy[WIDTH_MAX];
  const ForceSystem now = open_world(which, width, used);
  fine(force_field_compute(now.field, &team, now.state, &(ForceSums){energy, NULL}, &error));
  for (int r = 0; r < used; r++) {
    double x[ATOMS][3];
    positions(r, x);
    const double want = plain_sum(world.s, (const double(*)[3])x, cases[which].hydrogens);
    ck_assert_double_gt(fabs(want), 1.0);
    ck_assert_msg(fabs(energy[r] - want) < 1e-10 * fabs(want), "replica %d: %.15g, and %.15g by a plain sum",
                  r, energy[r], want);
  }
  close_world();
}

/* In boxes, waters have kernels of their own unless hydrogens have C. */
TEST(waters_are_one_row_unless_hydrogens_have_c4, .first = OPEN, .rows = CASES - OPEN)
{
  open_world(_i, 1, 1);
  const FieldInput input = simulation_field_input(world.s);
  ck_assert_int_eq(input.water == NULL, cases[_i].hydrogens);
  close_world();
}

#define LAW(number, ...)                                                                                     \
  {                                                                                                          \
    .name = "induction " #number, .open = open_world, .close = close_world, .which = number,                 \
    .gradient = 1e-8, .net = 1e-13, __VA_ARGS__                                                              \
  }
static const ForceRow forces[] = {LAW(0, .strain = 1e-8, .torque = 1e-12, .symmetric = true),
                                  LAW(1, .strain = 1e-8, .torque = 1e-12, .symmetric = true),
                                  LAW(0, .width = 8, .used = 5, .alone = 1e-15),
                                  LAW(1, .width = 16, .alone = 1e-15),
                                  LAW(2, .strain = 1e-8, .symmetric = true),
                                  LAW(3, .strain = 1e-8, .symmetric = true),
                                  LAW(4, .strain = 1e-8, .symmetric = true),
                                  LAW(5, .strain = 1e-8, .symmetric = true),
                                  LAW(6, .strain = 1e-8, .symmetric = true)};

/* --- runs ----------------------------------------------------------------------------------------------- */

/* Threads, cuts and a barostat; and in open space many replicas. */
TEST(cuts_and_threads_are_in_no_bit, .rows = 3, .threads = true)
{
  write_case(&cases[_i == 0 ? 1 : 4], _i == 0   ? "ensemble: {replicas: 8}\n"
                                      : _i == 1 ? "barostat: {type: rescale, pressure: 1 bar, every: 7}\n"
                                                : "freeze: name Mg\n");
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --set integrator.steps=27 --threads 2");
  program_runs("run run.yaml -o cut --resume --threads 3");
  program_same("whole", "cut", "thermo.csv");
  program_same("whole", "cut", "trajectory.xyz");
  ck_assert_double_lt(program_summary("whole", "induction_energy"), -0.1);
}

/* Mixed precision computes this force in double precision too. */
TEST(the_energy_has_a_column, .rows = 2)
{
  double x[ATOMS][3];
  open_world(4, 1, 1);
  positions(0, x);
  const double want = plain_sum(world.s, (const double(*)[3])x, false);
  close_world();
  program_runs("energy run.yaml --set precision=%s", _i == 0 ? "double" : "mixed");
  ck_assert_double_eq_tol(program_number("induction_energy"), want, 1e-6 * fabs(want));
  ck_assert_int_eq(program_call("check run.yaml"), 0);
  program_runs("minimise run.yaml -o low.xyz --force --set precision=%s", _i == 0 ? "double" : "mixed");
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return program_main("induction");
}
