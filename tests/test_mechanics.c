/* Mechanical systems from input files: what is refused and why, starts and replicas, motion against what is
 * known of it, and the run folder. */
#include <gsl/gsl_sf_ellint.h>

#include "simulation/simulation_private.h"
#include "tests/energies.h"
#include "tests/program.h"

#define HEAD "units: reduced\nsystem:\n  dimensions: 2\n  constants: {L: 2, g: 9.81}\n"
#define TAIL                                                                                                 \
  "integrator: {word: BAB, timestep: 0.01, time: 1}\n"                                                       \
  "geometry: {method: rattle}\n"
static const char pendulum[] = HEAD "  sites:\n"
                                    "    - {mass: 3, position: [\"L*sin(1)\", \"-L*cos(1)\"]}\n"
                                    "  constraints:\n"
                                    "    - {type: anchor, site: 1, distance: L}\n"
                                    "  potentials:\n"
                                    "    - {type: gravity, acceleration: [0, -g]}\n" TAIL;
static const char chain[] = HEAD "  sites:\n"
                                 "    - {count: 4, mass: 1, position: [\"L*i\", \"0\"], momentum: [0, 0]}\n"
                                 "  constraints:\n"
                                 "    - {type: anchor, site: 1, distance: L}\n"
                                 "    - {type: distance, chain: [1, 4], distance: L}\n"
                                 "  potentials:\n"
                                 "    - {type: gravity, acceleration: [0, -g]}\n" TAIL;

static Simulation *make(const char *text, int nset, const char *const *set, Config **config)
{
  Simulation *m;
  Error error;
  ck_assert_msg(config_parse("f.yaml", text, set, nset, config, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_create(&m, *config, 0, &error) == STATUS_OK &&
                    simulation_start(m, NULL, &error) == STATUS_OK,
                "%s", error.text);
  return m;
}

static void done(Simulation *m, Config *config)
{
  simulation_free(m);
  config_free(config);
}

static void run(Simulation *m, int64_t n)
{
  Error error;
  ck_assert_msg(simulation_step(m, n, NULL, &error) == STATUS_OK, "%s", error.text);
}

/* A text with one piece of it replaced. */
static const char *with(const char *text, const char *piece, const char *by)
{
  static char out[4096];
  const char *const at = strstr(text, piece);
  ck_assert_msg(at != NULL, "no '%s'", piece);
  snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, by, at + strlen(piece));
  return out;
}

static void refused(const char *text, const char *const *part)
{
  Config *config = NULL;
  Simulation *m = NULL;
  Error error = {0};
  Status status = config_parse("f.yaml", text, NULL, 0, &config, &error);
  if (status == STATUS_OK)
    status = simulation_create(&m, config, 0, &error);
  if (m != NULL && (status = simulation_start(m, NULL, &error)) != STATUS_OK) {
    simulation_free(m);
    m = NULL;
  }
  ck_assert_msg(status == STATUS_INPUT, "status %d of\n%s", (int)status, text);
  ck_assert_ptr_null(m);
  config_free(config);
  for (int i = 0; i < 2 && part[i] != NULL; i++)
    ck_assert_msg(strstr(error.text, part[i]) != NULL, "'%s' lacks '%s'", error.text, part[i]);
}

static const struct {
  const char *piece, *by, *part[2];
} bad[] = {
    {"[\"L*i\", \"0\"]", "[\"L*i\"]", {"f.yaml:6: system.sites[1].position", "has 1 component; wanted: 2"}},
    {"[0, -g]", "[0, 0, -g]", {"system.potentials[1].acceleration", "has 3 components; wanted: 2"}},
    {"momentum: [0, 0]", "momentum: [0, 0, 0]", {"system.sites[1].momentum", "has 3 components"}},
    {"site: 1", "site: 5", {"f.yaml:8: system.constraints[1].site", "whole number from 1 to 4"}},
    {"chain: [1, 4]", "chain: [1, 5]", {"f.yaml:9: system.constraints[2].chain", "from 1 to 4"}},
    {"chain: [1, 4]", "chain: [3, 3]", {"the last site must come after the first", NULL}},
    {"chain: [1, 4]", "sites: [2, 2]", {"names the same site twice", NULL}},
    {"chain: [1, 4]", "sites: [1, 2, 3]", {"wanted: two sites", NULL}},
    {"mass: 1", "mass: \"2 - i\"", {"f.yaml:6: system.sites[1].mass", "must be positive, not 0"}},
    {"mass: 1", "mass: 1 g/mol", {"system.sites[1].mass", "has a unit"}},
    {"mass: 1", "mass: 1 +", {"system.sites[1].mass: formula '1 +'", NULL}},
    {"count: 4", "count: 2.5", {"system.sites[1].count: found 2.5; wanted: a whole number", NULL}},
    {"position: [\"L*i\"", "position: [\"L*sqrt(1 - i)\"", {"is not a finite number for i = 2", NULL}},
    {"position: [\"L*i\"",
     "position: [\"1.5*i\"",
     {"violates the constraints (replica 0): constraint 1 (anchor, site 1) has |g|/scale = 0.438",
      "system.project: true"}},
    {"    - {type: distance, chain",
     "    - {type: anchor, site: 1, distance: L}\n    - {type: distance, chain",
     {"f.yaml:9: system.constraints[2]: the 5 constraints have rank 4", "constraint"}},
    {"constants: {L: 2,", "constants: {L: M,", {"f.yaml:4: system.constants.L: formula 'M'", NULL}},
    {"constants: {L: 2,", "constants: {x: 2, L: 2,", {"system.constants.x: is a variable of formulas", NULL}},
    {"constants: {L: 2,", "constants: {2x: 2, L: 2,", {"system.constants.2x: is not a name", NULL}},
    {"distance: L}",
     "distance: \"-L\"}",
     {"f.yaml:8: system.constraints[1].distance: must be positive", NULL}},
    {"distance: L}", "length: L}", {"system.constraints[1]: unknown key 'length'", NULL}},
    {"type: anchor, site: 1, distance: L",
     "type: anchor, site: 1",
     {"f.yaml:8: system.constraints[1].distance: is missing", NULL}},
    {"type: anchor, site: 1, distance: L",
     "type: anchor, distance: L",
     {"f.yaml:8: system.constraints[1]: has no sites", NULL}},
    {"type: anchor, site: 1, distance: L",
     "site: 1, distance: L",
     {"system.constraints[1].type: is missing", NULL}},
    {"type: anchor, site: 1, distance: L",
     "type: anchor, site: 1, distance: L, formula: x",
     {"system.constraints[1].formula: has no meaning with type: anchor", NULL}},
    {"type: anchor, site: 1, distance: L",
     "site: 1, formula: \"x^2 + w\"",
     {"system.constraints[1].formula: formula 'x^2 + w'", NULL}},
    {"acceleration: [0, -g]", "force: [0, -g]", {"system.potentials[1].acceleration: is missing", NULL}},
    {"geometry: {method: rattle}", "", {"the constraints need a method or penalties", NULL}},
    {"geometry: {method: rattle}", "geometry: {method: penalty}", {"geometry.w: is missing", NULL}},
    {"geometry: {method: rattle}", "geometry: {method: rattle, w: 3}", {"geometry.w: has no meaning", NULL}},
    {"geometry: {method: rattle}", "geometry: {method: settle}", {"settle", "f.yaml:"}},
    {"timestep: 0.01", "timestep: 0.01 fs", {"f.yaml:12: integrator.timestep: has a unit", "units: reduced"}},
    {"word: BAB",
     "word: BAB, acceleration: zs",
     {"integrator.acceleration: 'zs' filters stiff potentials", NULL}},
    {"word: BAB", "word: BABO", {"contains the letter O", NULL}},
    {"dimensions: 2\n",
     "dimensions: 2\n  molecules: 3\n",
     {"f.yaml:4: system.molecules: is not allowed for sites", "it applies to molecules"}},
    {"dimensions: 2\n", "model: spc\n", {"system.sites: given together with system.model (f.yaml:3)", NULL}},
    {"dimensions: 2\n", "hamiltonian: p1\n", {"system.hamiltonian: given together with", NULL}},
    {"  dimensions: 2\n", "", {"system.dimensions: is missing", NULL}},
    {"units: reduced", "output: {dipole_every: 1}", {"output.dipole_every: is not allowed", NULL}},
};

TEST(bad_input_is_refused_with_the_reason, .rows = sizeof bad / sizeof *bad)
{
  refused(with(chain, bad[_i].piece, bad[_i].by), bad[_i].part);
}

TEST(water_takes_no_keys_of_mechanics)
{
  static const char water[] = "system: {model: tip3p, molecules: 7, dimensions: 3}\n"
                              "geometry: {method: settle}\n"
                              "integrator: {timestep: 0.05, steps: 10}\n"
                              "thermostat: {temperature: 10, friction: 0.01}\n";
  refused(water,
          (const char *const[]){"system.dimensions: is not allowed for molecules without a box", NULL});
  refused(with(water, "system: {", "units: reduced\nsystem: {"),
          (const char *const[]){"units: 'reduced' has no meaning for water", NULL});
}

/* Off the manifold with project: true: on it, along M^-1 grad g, momenta tangent; and a remark. */
TEST(starts_are_projected)
{
  const char *text =
      with(chain, "\"L*i\", \"0\"], momentum: [0, 0]", "\"1.9*i\", \"0.1*i^2\"], momentum: [i, 1]");
  const char *const set[] = {"system.project=true"};
  Config *config;
  Simulation *m = make(text, 1, set, &config);
  const MechanicsEnergy e = mechanics_energy(m, 0);
  ck_assert_double_lt(e.largest, 1e-13);
  ck_assert_double_lt(e.hidden, 1e-12);
  ck_assert_double_gt(e.kinetic, 0.1);
  ck_assert_ptr_nonnull(strstr(input_notes(config->input, 0), "initial momenta were projected"));
  ck_assert_ptr_nonnull(
      strstr(input_notes(config->input, 1), "the start was projected onto the constraints"));
  done(m, config);
}

/* Looks at replicas in lanes, of which the last are nobody's, are what one replica by itself says. */
TEST(looks_in_lanes_are_those_of_one)
{
  const char *const many[] = {"ensemble.replicas=11", "integrator.timestep=0.01"};
  Config *config[2];
  Simulation *m = make(chain, 2, many, &config[0]), *one = make(chain, 1, many + 1, &config[1]);
  double q[8], p[8];
  run(m, 20);
  for (int r = 0; r < 11; r++) {
    simulation_get_point(m, r, q, p);
    for (int i = 0; i < 8; i++)
      p[i] += 0.1 * (i + r);
    ck_assert_int_eq(simulation_set_point(m, r, q, p, NULL), STATUS_OK);
    ck_assert_int_eq(simulation_set_point(one, 0, q, p, NULL), STATUS_OK);
    const MechanicsEnergy a = mechanics_energy(m, r), b = mechanics_energy(one, 0);
    double kinetic = 0.0, momentum = 0.0, angular = 0.0;
    for (int i = 0; i < 8; i += 2) {
      kinetic += 0.5 * (p[i] * p[i] + p[i + 1] * p[i + 1]);
      momentum += p[i];
      angular += q[i] * p[i + 1] - q[i + 1] * p[i];
    }
    ck_assert_double_eq(a.total, b.total);
    ck_assert_double_eq(a.hidden, b.hidden);
    ck_assert_double_eq(a.largest, b.largest);
    ck_assert_double_eq_tol(a.kinetic, kinetic, 1e-13);
    ck_assert_double_eq_tol(a.momentum[0], momentum, 1e-13);
    ck_assert_double_eq_tol(a.angular[2], angular, 1e-13);
    ck_assert_double_gt(a.hidden, 0.1);
  }
  done(m, config[0]);
  done(one, config[1]);
}

/* Time between upward crossings of the vertical, by linear interpolation of the angle. */
static double period(Simulation *m, double h)
{
  double q[2], p[2], before = 0.0, crossing[2];
  int found = 0;
  for (int64_t k = 1; found < 2; k++) {
    run(m, 1);
    simulation_get_point(m, 0, q, p);
    const double angle = atan2(q[0], -q[1]);
    if (before < 0.0 && angle >= 0.0)
      crossing[found++] = h * ((double)k - angle / (angle - before));
    before = angle;
  }
  return crossing[1] - crossing[0];
}

/* A pendulum's period, 4 sqrt(L/g) K(sin(amplitude/2)), with an error of second order in h. */
TEST(a_pendulum_takes_its_time, .rows = 2)
{
  static const char *const methods[] = {"rattle", "shake"};
  const double exact = 4.0 * sqrt(2.0 / 9.81) * gsl_sf_ellint_Kcomp(sin(0.5), GSL_PREC_DOUBLE);
  double error[2];
  for (int k = 0; k < 2; k++) {
    char step[48], method[48];
    snprintf(step, sizeof step, "integrator.timestep=%g", k == 0 ? 0.02 : 0.01);
    snprintf(method, sizeof method, "geometry.method=%s", methods[_i]);
    const char *const set[] = {step, method};
    Config *config;
    Simulation *m = make(pendulum, 2, set, &config);
    error[k] = period(m, config->integrator.timestep) - exact;
    done(m, config);
  }
  ck_assert_double_lt(fabs(error[1]), 1e-3 * exact);
  ck_assert_double_eq_tol(error[0] / error[1], 4.0, 0.5);
}

TEST(rattle_keeps_energy_and_the_manifold)
{
  Config *config;
  Simulation *m = make(pendulum, 0, NULL, &config);
  const double first = mechanics_energy(m, 0).total;
  ck_assert_double_eq_tol(first, -3.0 * 9.81 * 2.0 * cos(1.0), 1e-12);
  double worst = 0.0;
  for (int k = 0; k < 200; k++) {
    run(m, 100);
    const MechanicsEnergy e = mechanics_energy(m, 0);
    worst = fmax(worst, fabs(e.total - first));
    ck_assert_double_lt(e.largest, 1e-12);
    ck_assert_double_lt(e.hidden, 1e-11);
    double q[2], p[2];
    simulation_get_point(m, 0, q, p);
    ck_assert_double_eq_tol(e.angular[2], q[0] * p[1] - q[1] * p[0], 1e-12);
  }
  ck_assert_double_eq_tol(simulation_time(m), 200.0, 1e-9);
  ck_assert_double_lt(worst, 0.02);
  done(m, config);
}

/* A stiff rod is off a rigid one, and stretched, in proportion to 1/w^2 (Tao & Owhadi 2015). */
TEST(penalties_converge_to_constraints)
{
  enum { STRENGTHS = 3, ROWS = 100 };
  static const char *const strength[STRENGTHS] = {"geometry.w=40", "geometry.w=80", "geometry.w=160"};
  const char *set[] = {"integrator.timestep=0.0005", "geometry.method=penalty", NULL,
                       "integrator.acceleration=zs"};
  double far[STRENGTHS] = {0}, stretch[STRENGTHS] = {0};
  for (int k = 0; k < STRENGTHS; k++) {
    Config *config[2];
    set[2] = strength[k];
    Simulation *rigid = make(pendulum, 1, set, &config[0]), *stiff = make(pendulum, 4, set, &config[1]);
    for (int i = 0; i < ROWS; i++) {
      double q[2][2], p[2];
      run(rigid, 20);
      run(stiff, 20);
      simulation_get_point(rigid, 0, q[0], p);
      simulation_get_point(stiff, 0, q[1], p);
      far[k] = fmax(far[k], hypot(q[0][0] - q[1][0], q[0][1] - q[1][1]));
      stretch[k] = fmax(stretch[k], mechanics_energy(stiff, 0).largest);
    }
    done(rigid, config[0]);
    done(stiff, config[1]);
  }
  for (int k = 1; k < STRENGTHS; k++) {
    ck_assert_double_eq_tol(log2(far[k - 1] / far[k]), 2.0, 0.1);
    ck_assert_double_eq_tol(log2(stretch[k - 1] / stretch[k]), 2.0, 0.1);
  }
}

/* Replicas that start apart move as single runs from the same starts, to the bit; so does what a set brings.
 */
TEST(replicas_are_single_runs, .threads = true)
{
  const char *text = with(pendulum, "[\"L*sin(1)\", \"-L*cos(1)\"]",
                          "[\"L*sin(0.1*r + 0.1)\", \"-L*cos(0.1*r + 0.1)\"], momentum: [xi, u]");
  const char *const many[] = {"ensemble.replicas=11"};
  Config *config, *other;
  Simulation *m = make(text, 1, many, &config), *one = make(text, 0, NULL, &other);
  ck_assert_int_eq(simulation_replicas(m), 11);
  ck_assert_int_eq(simulation_coordinates(m), 2);
  double q[11][2], p[11][2];
  for (int r = 0; r < 11; r++) {
    simulation_get_point(m, r, q[r], p[r]);
    ck_assert_double_eq_tol(q[r][0], 2.0 * sin(0.1 * r + 0.1), 1e-15); /* compilers may fuse this line */
    for (int s = 0; s < r; s++)
      ck_assert(p[r][0] != p[s][0]);
  }
  run(m, 300);
  for (int r = 0; r < 11; r++) {
    Error error;
    ck_assert_int_eq(simulation_set_point(one, 0, q[r], p[r], &error), STATUS_OK);
    run(one, 300);
    double a[2], b[2], c[2], d[2];
    simulation_get_point(m, r, a, b);
    simulation_get_point(one, 0, c, d);
    ck_assert(memcmp(a, c, sizeof a) == 0 && memcmp(b, d, sizeof b) == 0);
  }
  Error error;
  ck_assert_int_eq(simulation_set_point(one, 1, q[0], p[0], &error), STATUS_INPUT);
  done(m, config);
  done(one, other);
}

/* Every sort of constraint and potential, as penalties: energy kept by small steps of Verlet. */
TEST(every_term_moves)
{
  static const char text[] =
      "units: reduced\nsystem:\n  dimensions: 3\n  constants: {k: 3}\n  sites:\n"
      "    - {count: 3, mass: i, position: [a, b, c], momentum: [0.1, i, 0.2]}\n"
      "  constraints:\n    - {type: orthonormal, sites: [1, 2, 3], factor: 0.5}\n"
      "    - {formula: \"x - y^2/5\", sites: all}\n    - {type: dot, sites: [1, 2], value: 0}\n"
      "  potentials:\n    - {type: gravity, acceleration: [0, 0, -1]}\n"
      "    - {type: field, site: 2, force: [1, 0, 0]}\n    - {type: link, ring: [1, 3], stiffness: k}\n"
      "    - {type: spring, sites: [1, 2], stiffness: \"k*i\", length: 1}\n"
      "    - {type: quartic, site: 1, point: [0, 0, 1], stiffness: 1, length: 2}\n"
      "    - {formula: \"cos(x1 - x2)/n\", chain: [1, 3]}\n    - {formula: \"x^2*y\", sites: [1, 2]}\n"
      "geometry: {method: penalty, w: 2}\nintegrator: {acceleration: verlet, timestep: 0.001, time: 1}\n";
  const char *fine = with(text, "[a, b, c]", "[\"abs(i - 2)\", \"i/2\", \"1/i\"]");
  refused(fine, (const char *const[]){"system.potentials[7].formula: formula 'x^2*y'", NULL});
  char copy[4096];
  snprintf(copy, sizeof copy, "%s", fine);
  fine = with(copy, "sites: [1, 2]}\ngeometry", "site: 1}\ngeometry");
  refused(fine, (const char *const[]){"rank 9", "depends on the others"});
  snprintf(copy, sizeof copy, "%s", fine);
  Config *config;
  Simulation *m = make(with(copy, "    - {type: dot, sites: [1, 2], value: 0}\n", ""), 0, NULL, &config);
  ck_assert_int_eq(m->kind[0]->ncon, 9);
  ck_assert_int_eq(m->kind[0]->npot, 3 + 1 + 3 + 1 + 1 + 2 + 1);
  const MechanicsEnergy first = mechanics_energy(m, 0);
  run(m, 1000);
  const MechanicsEnergy last = mechanics_energy(m, 0);
  ck_assert_double_eq_tol(first.total, last.total, 1e-3);
  ck_assert_double_gt(fabs(first.potential - last.potential), 0.01);
  double lambda[9];
  Error error;
  ck_assert_int_eq(simulation_multipliers(m, 0, lambda, &error), STATUS_OK);
  ck_assert(lambda[0] != 0.0);
  done(m, config);
}

/* A planar pendulum as a general Hamiltonian: geometric RATTLE moves as RATTLE on the sites. */
TEST(a_hamiltonian_moves_as_the_sites_do)
{
  static const char text[] =
      "units: reduced\n"
      "system:\n"
      "  constants: {L: 2, g: 9.81, m: 3}\n"
      "  hamiltonian: \"(p1^2 + p2^2)/(2*m) + m*g*q2\"\n"
      "  position: [\"L*sin(1)\", \"-L*cos(1)\"]\n"
      "  constraints: [{formula: \"q1^2 + q2^2 - L^2\"}]\n"
      "integrator: {method: geometric-rattle, base: stormer-verlet, timestep: 0.01, time: 1}\n";
  Config *config, *other;
  Simulation *m = make(text, 0, NULL, &config), *one = make(pendulum, 0, NULL, &other);
  ck_assert_double_eq_tol(mechanics_energy(m, 0).total, mechanics_energy(one, 0).total, 1e-12);
  run(m, 100);
  run(one, 100);
  double q[2], p[2], x[2], y[2];
  simulation_get_point(m, 0, q, p);
  simulation_get_point(one, 0, x, y);
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(q[i], x[i], 1e-9);
    ck_assert_double_eq_tol(p[i], y[i], 1e-9);
  }
  const MechanicsEnergy e = mechanics_energy(m, 0);
  ck_assert_double_lt(e.largest, 1e-11);
  ck_assert_double_lt(e.hidden, 1e-10);
  done(m, config);
  done(one, other);
  refused(with(text, "\"-L*cos(1)\"", "0"),
          (const char *const[]){"violates the constraints", "constraint 1"});
  refused(with(text, "q1^2", "q3^2"), (const char *const[]){"system.hamiltonian", "q3"});
  refused(with(text, "L: 2", "q1: 1, L: 2"),
          (const char *const[]){"system.constants.q1: is a variable", NULL});
  refused(with(text, "method: geometric-rattle, ", ""),
          (const char *const[]){"cannot move a general Hamiltonian system", NULL});
  refused(with(text, "{formula", "{site: 1, formula"),
          (const char *const[]){"has no meaning with a Hamiltonian", NULL});
  refused(with(text, "position: [", "position: [1, "), (const char *const[]){"f.yaml", NULL});
}

/* docs/mechanics.md has every key and every type of the records that mechanical systems have. */
TEST(the_document_has_every_key)
{
  static char text[65536];
  const unsigned mechanical = 1u << SORT_SITES | 1u << SORT_HAMILTONIAN;
  char path[512];
  const char *const root = getenv("HOLONOM_SOURCE");
  snprintf(path, sizeof path, "%s/docs/mechanics.md", root != NULL ? root : ".");
  FILE *const file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s", path);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  for (const Parameter *p = config_table; p->key != NULL; p++)
    for (const Parameter *row = p->sorts == 0 || (p->sorts & mechanical) != 0 ? p->record : NULL;
         row != NULL && row->key != NULL; row++) {
      char key[64];
      snprintf(key, sizeof key, "`%s", row->key);
      ck_assert_msg(strstr(text, key) != NULL, "%s", row->key);
      for (int i = 0; row->names != NULL && row->names[i] != NULL; i++) {
        snprintf(key, sizeof key, "\n| `%s` |", row->names[i]);
        ck_assert_msg(strstr(text, key) != NULL, "%s", row->names[i]);
      }
    }
}

/* --- the program ------------------------------------------------------------------------------------------
 */

static double number_in(const char *line, int column)
{
  for (; column > 0; column--)
    line = strchr(line, ',') + 1;
  return strtod(line, NULL);
}

/* The last row of trajectory.csv is the state, to the bit. */
TEST(the_folder_holds_the_states, .threads = true)
{
  program_write("p.yaml", pendulum);
  program_runs("run p.yaml -o p");
  program_says("100 steps");
  Config *config;
  Simulation *m = make(pendulum, 0, NULL, &config);
  run(m, 100);
  double q[2], p[2];
  simulation_get_point(m, 0, q, p);
  const char *const rows = program_read("p/trajectory.csv");
  ck_assert_int_eq(strncmp(rows, "time,x1,y1,px1,py1\n", 19), 0);
  const char *last = strstr(rows, "\n1,");
  ck_assert_ptr_nonnull(last);
  ck_assert_double_eq(number_in(last + 1, 1), q[0]);
  ck_assert_double_eq(number_in(last + 1, 2), q[1]);
  ck_assert_double_eq(number_in(last + 1, 3), p[0]);
  ck_assert_double_eq(number_in(last + 1, 4), p[1]);
  done(m, config);
  ck_assert_ptr_nonnull(strstr(program_read("p/energy.csv"), "time,kinetic,potential,penalty,total,"));
  ck_assert_double_eq(program_summary("p", "steps"), 100);
  ck_assert(program_exists("p/trajectory.gp") && program_exists("p/paths.dat"));
  /* The resolved input is the same run; nothing is written over. */
  program_runs("run p/input.yaml -o again --quiet");
  program_same("p", "again", "trajectory.csv");
  program_refuses("of an earlier run", "run p.yaml -o p");
  program_says("--resume");
  program_runs("run p.yaml -o p --force --quiet");
}

/* The pendulum's multiplier at a time, from its angle: 2 L lambda = -m (g cos a + L a'^2). */
static double pendulum_multiplier(double time)
{
  enum { STEPS = 2000 };
  const double g = 9.81, length = 2.0, h = time / STEPS;
  double a = 1.0, v = 0.0;
  for (int i = 0; i < STEPS; i++) { /* velocity Verlet, to 1e-7 */
    v -= 0.5 * h * g / length * sin(a);
    a += h * v;
    v -= 0.5 * h * g / length * sin(a);
  }
  return -3.0 * (g * cos(a) + length * v * v) / (2.0 * length);
}

/* Rows of the file, each at the time that it belongs to: off by O(h^2), not by O(h). */
static void rows_are_in_time(const char *path)
{
  const char *line = program_read(path);
  int rows = 0;
  for (; (line = strchr(line, '\n')) != NULL && *++line != '\0'; rows += *line != '#') {
    char *end;
    if (*line == '#')
      continue;
    const double time = strtod(line, &end), lambda = strtod(end + 1, NULL), exact = pendulum_multiplier(time);
    ck_assert_msg(fabs(lambda - exact) < 1e-4 * (1.0 + fabs(exact)), "%s at %g: %g, not %g", path, time,
                  lambda, exact);
  }
  ck_assert_int_ge(rows, 5);
}

TEST(multipliers_are_written_where_there_are_any)
{
  program_write("p.yaml", pendulum);
  program_runs("run p.yaml -o r --quiet --set output.multipliers_every=10");
  ck_assert_ptr_nonnull(strstr(program_read("r/multipliers.csv"), "\n0.095,"));
  rows_are_in_time("r/multipliers.csv");
  program_runs("run p.yaml -o m --quiet --set geometry.method=shake "
               "--set output.multipliers_every=10 --set output.trajectory_every=30");
  ck_assert_ptr_nonnull(strstr(program_read("m/multipliers.csv"), "\n0.095,"));
  rows_are_in_time("m/multipliers.csv");
  ck_assert_ptr_nonnull(strstr(program_read("m/trajectory.csv"), "\n0.90000000000000002,"));
}

TEST(check_says_what_it_understood)
{
  program_write("c.yaml", chain);
  program_runs("check c.yaml");
  program_says("4 sites in 2 dimensions");
  program_says("constraints: 4, independent (rank 4), exact");
  program_says("degrees of freedom: 4\n");
  program_says("method: rattle, word BAB; symplectic: yes");
  program_says("\n# the input is fine\n");
  ck_assert_ptr_null(strstr(program_output, "solver: auto")); /* a key, and no warning */
  ck_assert_ptr_null(strstr(program_output, "warning"));
  program_runs("check c.yaml --all");
  program_says("\n# the input is fine\n");
  const char *const meaning = strstr(program_output, "degrees of freedom"), *const key =
                                                                                strstr(program_output,
                                                                                       "solver: auto");
  ck_assert_ptr_nonnull(meaning);
  ck_assert_ptr_nonnull(key);
  ck_assert(meaning < key);
  program_runs("check c.yaml --set geometry.method=penalty --set geometry.w=1000 "
               "--set integrator.acceleration=verlet");
  program_says("UNSTABLE");
  program_says("\n# 1 warning\n");
  ck_assert_ptr_null(strstr(program_output, "the input is fine"));
}

TEST(a_run_that_blows_up_says_when, .threads = true)
{
  program_write("c.yaml", chain);
  ck_assert_int_eq(program_call("run c.yaml -o b --quiet --set geometry.method=penalty --set geometry.w=1000 "
                                "--set integrator.acceleration=verlet --set ensemble.replicas=2"),
                   3);
  program_says("step ");
  program_says("replica 0");
  ck_assert_ptr_nonnull(strstr(program_read("b/summary.yaml"), "ended: failed"));
  ck_assert_ptr_nonnull(strstr(program_read("b/trajectory.csv"), "\n0,"));
}
