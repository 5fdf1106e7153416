/* What a user can get wrong in a mechanical input, and in the run of one: each is refused with exit code 2,
 * file, line, key and what is wanted, and nothing is written; a run that goes wrong on its way ends with 3,
 * says step and replica, and leaves files that can be read. */
#include "tests/program.h"

/* Lines as in the file. */
/* clang-format off */
static const char chain[] =
    "units: reduced\n"
    "system:\n"
    "  dimensions: 2\n"
    "  constants: {L: 1, g: 9.81}\n"
    "  sites:\n"
    "    - {count: 3, mass: 1, position: [\"i*L\", \"0\"]}\n"
    "  constraints:\n"
    "    - {type: anchor, site: 1, point: [0, 0], distance: L}\n"
    "    - {type: distance, chain: [1, 3], distance: L}\n"
    "  potentials:\n"
    "    - {type: gravity, acceleration: [0, -g]}\n"
    "geometry: {method: rattle}\n"
    "integrator: {word: BAB, timestep: 0.01, time: 0.1}\n";

static const char general[] =
    "units: reduced\n"
    "system:\n"
    "  hamiltonian: \"(p1^2 + p2^2)/2 + q2\"\n"
    "  position: [1, 0]\n"
    "  momentum: [0, 1]\n"
    "  constraints: [{formula: \"q1^2 + q2^2 - 1\"}]\n"
    "integrator: {method: geometric-rattle, base: midpoint, timestep: 0.1, steps: 10}\n";
/* clang-format on */

/* One piece of the text is replaced; the message holds all parts. */
typedef struct Slip {
  const char *piece, *by, *part[3];
} Slip;

static const Slip slips[] = {
    {"dimensions: 2", "dimensions: 4", {"f.yaml:3: system.dimensions: '4'", "<= 3"}},
    {"dimensions: 2", "dimensions: two", {"f.yaml:3: system.dimensions: 'two'", "whole number"}},
    {"mass: 1", "mass: 0", {"f.yaml:6: system.sites[1].mass", "positive, not 0"}},
    {"mass: 1", "mass: -1", {"system.sites[1].mass", "positive, not -1"}},
    {"mass: 1", "mass: 0/0", {"system.sites[1].mass: formula '0/0', column 2", "finite"}},
    {"mass: 1", "mass: .nan", {"system.sites[1].mass: formula '.nan', column 1"}},
    {"mass: 1", "mass: [1, 2]", {"system.sites[1].mass: found a list", "a number or a formula"}},
    {"count: 3", "count: 0", {"system.sites[1].count: found 0", "from 1 to"}},
    {"count: 3", "count: L - 4", {"system.sites[1].count: found L - 4 = -3"}},
    {"count: 3", "count: 100000000", {"system.sites[1].count: found 100000000"}},
    {"\"i*L\"", "\"i*(L+\"", {"f.yaml:6: system.sites[1].position: formula 'i*(L+', column 6"}},
    {"\"i*L\"", "\"i*LL\"", {"column 3: unknown name 'LL': did you mean 'L'?"}},
    {"\"i*L\"", "\"i*sinn(L)\"", {"column 3: unknown function 'sinn'", "did you mean 'si"}},
    {"position: [\"i*L\", \"0\"]", "velocity: [1, 0]", {"system.sites[1].position: is missing", "a formula"}},
    {"position:", "positon:", {"unknown key 'positon'; did you mean position?"}},
    {"potentials:", "potentails:", {"f.yaml:10: system.potentails", "did you mean system.potentials?"}},
    {"type: gravity", "type: gravty", {"f.yaml:11: system.potentials[1].type", "did you mean 'gravity'?"}},
    {"site: 1", "site: 0", {"f.yaml:8: system.constraints[1].site: found 0", "from 1 to 3"}},
    {"chain: [1, 3]", "chain: [1, 4]", {"f.yaml:9: system.constraints[2].chain: found 4", "from 1 to 3"}},
    {"chain: [1, 3]", "chain: [1]", {"f.yaml:9: system.constraints[2].chain", "[a, b]"}},
    {", distance: L", "", {"f.yaml:8: system.constraints[1].distance: is missing", "a formula"}},
    {"chain: [1, 3]", "sites: [2, 2]", {"f.yaml:9: system.constraints[2].sites: names the same site twice"}},
    {"chain: [1, 3]",
     "chain: [1, 3], sites: [1, 2]",
     {"f.yaml:9: system.constraints[2].", "given together with ", "remove one of the two"}},
    {"{type: gravity, acceleration: [0, -g]}",
     "{type: spring, sites: [1, 2], point: [0, 0], stiffness: 1, length: 1}",
     {"f.yaml:11: system.potentials[1].point: applies to 'site', not to 'sites'"}},
    {"\n    - {count: 3, mass: 1, position: [\"i*L\", \"0\"]}",
     " []",
     {"f.yaml:5: system.sites: is an empty list"}},
    {"constraints:\n    - {type: anchor, site: 1, point: [0, 0], distance: L}\n"
     "    - {type: distance, chain: [1, 3], distance: L}\n  ",
     "",
     {"f.yaml:9: geometry.method: there are no constraints (system.constraints); wanted: none"}},
    {"method: rattle}\nintegrator: {word: BAB",
     "method: penalty, w: 10}\nintegrator: {method: energy-momentum",
     {"f.yaml:12: geometry.method: ", "'energy-momentum' does not support penalties (w = 10): leave out w"}},
    {"geometry:",
     "thermostat: {initial: file}\ngeometry:",
     {"f.yaml:12: thermostat.initial: 'file' applies to molecules"}},
    {"  potentials:",
     "    - {type: distance, sites: [2, 3], distance: L}\n  potentials:",
     {"f.yaml:10: system.constraints[3]: the 4 constraints have rank 3",
      "constraint 4 (distance, sites 2 and 3)"}},
    {"{type: anchor, site: 1, point: [0, 0], distance: L}",
     "{type: implicit, site: 1, formula: \"x^2 - x^2\"}",
     {"f.yaml:8: system.constraints[1]: the 3 constraints have rank 2", "its gradient vanishes"}},
    {"\"i*L\"", "\"1.1*i\"", {"f.yaml:8: system.constraints[1]: the start violates", "system.project: true"}},
    {"\"i*L\"", "\"0*i\"", {"f.yaml:8: system.constraints[1]: the start violates", "= 1; allowed"}},
    {"  potentials", "  project: maybe\n  potentials", {"f.yaml:10: system.project", "true or false"}},
    {"{type: gravity, acceleration: [0, -g]}",
     "{type: formula, sites: all, formula: \"1/y\"}",
     {"f.yaml:10: system.potentials: the energy at the start is not finite (replica 0)"}},
    {"{type: gravity, acceleration: [0, -g]}",
     "{type: formula, sites: all, formula: \"x*z\"}",
     {"f.yaml:11: system.potentials[1].formula: formula 'x*z', column 3", "known: x, y"}},
    {"{type: gravity, acceleration: [0, -g]}",
     "{type: spring, chain: [1, 3], stiffness: 5}",
     {"f.yaml:11: system.potentials[1].length: is missing"}},
    {"potentials:", "hamiltonian: \"p1^2\"\n  potentials:", {"system.hamiltonian", "one system"}},
    {"method: rattle",
     "method: penalty",
     {"f.yaml:12: geometry.w: is missing with penalties", "a penalty strength > 0"}},
    {"method: rattle", "method: penalty, w: -1", {"f.yaml:12: geometry.w: '-1'", "> 0"}},
    {"method: rattle", "method: none", {"f.yaml:12: geometry.method: the constraints need"}},
    {"method: rattle", "method: settle", {"f.yaml:12: geometry.method", "use rattle or shake"}},
    {"method: rattle", "method: rattle, solver: milk", {"geometry.solver: 'milk'", "did you mean 'milc'?"}},
    {"method: rattle", "method: rattle, solver: settle", {"f.yaml:12: geometry.solver", "use newton"}},
    {"word: BAB", "word: BAB, acceleration: zs", {"f.yaml:13: integrator.acceleration: 'zs'", "use verlet"}},
    {"word: BAB", "word: H", {"f.yaml:13: integrator.word: the letter H"}},
    {"word: BAB", "word: SABAS", {"f.yaml:13: integrator.word: the word 'SABAS'", "leave out S"}},
    {"word: BAB",
     "word: BA, composition: yoshida4",
     {"f.yaml:13: integrator.composition", "'BA' is not symmetric"}},
    {"word: BAB",
     "method: energy-momentum, acceleration: verlet",
     {"f.yaml:13: integrator.", "only one of the two is allowed"}},
    {"word: BAB", "word: BAB, composition: yosida4", {"integrator.composition", "did you mean 'yoshida4'?"}},
    {"timestep: 0.01", "timestep: 0", {"f.yaml:13: integrator.timestep: '0' is out of range"}},
    {"time: 0.1", "time: 0.001", {"f.yaml:13: integrator.time", "at least one step"}},
    {"time: 0.1", "time: 2 fs", {"f.yaml:13: integrator.time: has a unit"}},
    {"dimensions: 2", "dimensions: 2\n  molecules: 3", {"f.yaml:4: system.molecules: is not allowed"}},
    {"geometry:",
     "output: {trajectory_every: 0}\ngeometry:",
     {"f.yaml:12: output.trajectory_every: '0'", ">= 1"}},
    {"geometry:", "ensemble: {replicas: 0}\ngeometry:", {"f.yaml:12: ensemble.replicas"}},
    {"geometry:", "output: {trajectory_replica: 3}\ngeometry:", {"there is no replica 3"}},
    {"geometry:", "output: {trajectory_replica: all}\ngeometry:", {"applies to molecules"}},
    {"geometry:", "thermostat: {type: langevin, friction: 1}\ngeometry:", {"is missing", "> 0 (kT)"}},
    {"geometry:", "geometry: {method: shake}\ngeometry:", {"f.yaml:13: geometry: is given twice"}},
};

static const Slip general_slips[] = {
    {"momentum: [0, 1]",
     "momentum: [0, 1, 2]",
     {"f.yaml:5: system.momentum: has 3 components, but system.position has 2"}},
    {"position: [1, 0]", "position: []", {"f.yaml:4: system.position: is an empty list"}},
    {"  position: [1, 0]\n", "", {"f.yaml:2: system.position: is missing", "numbers or formulas"}},
    {"+ q2", "+ q3", {"f.yaml:3: system.hamiltonian", "unknown name 'q3': did you mean 'q"}},
    {"method: geometric-rattle, base: midpoint, ",
     "",
     {"f.yaml:7: integrator.method: ", "cannot move a general", "such as midpoint"}},
    {"integrator:", "geometry: {method: rattle}\nintegrator:", {"f.yaml:7: geometry.method"}},
    {"geometric-rattle, base: midpoint",
     "midpoint",
     {"'midpoint' does not support constraints: use geometric-"}},
    {"base: midpoint", "base: midpiont", {"f.yaml:7: integrator.base", "did you mean 'midpoint'?"}},
    {"base: midpoint",
     "base: symplectic-euler, composition: yoshida4",
     {"f.yaml:7: integrator.composition", "'geometric-rattle' over symplectic-euler is not symmetric"}},
    {"position: [1, 0]", "position: [1.1, 0]", {"f.yaml:6: system.constraints[1]: the start violates"}},
    {"momentum: [0, 1]", "momentum: [1, 1]", {"off the hidden constraints: {g_1, H} = 2"}},
    {"integrator:",
     "thermostat: {type: langevin, inverse_temperature: 1, friction: 1}\nintegrator:",
     {"f.yaml:7: thermostat.type", "no masses"}},
};

enum { SLIPS = sizeof slips / sizeof *slips, GENERAL = sizeof general_slips / sizeof *general_slips };

static void write_with(const char *text, const char *piece, const char *by)
{
  char out[4096];
  const char *const at = strstr(text, piece);
  ck_assert_msg(at != NULL, "no '%s'", piece);
  snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, by, at + strlen(piece));
  program_write("f.yaml", out);
}

static void refused(const char *text, const Slip *slip)
{
  write_with(text, slip->piece, slip->by);
  ck_assert_msg(program_call("run f.yaml -o out --quiet") == 2, "'%s' for '%s': %s", slip->by, slip->piece,
                program_output);
  for (int i = 0; i < 3 && slip->part[i] != NULL; i++)
    program_says(slip->part[i]);
  ck_assert_msg(!program_exists("out"), "'%s' for '%s' left a folder", slip->by, slip->piece);
}

TEST(slips_are_named, .rows = SLIPS) { refused(chain, &slips[_i]); }

TEST(slips_of_hamiltonians_are_named, .rows = GENERAL) { refused(general, &general_slips[_i]); }

TEST(replicas_are_named)
{
  write_with(chain, "\"i*L\"", "\"i*L + r/4\"");
  program_refuses("the start violates the constraints (replica 1)",
                  "run f.yaml -o out --quiet --set ensemble.replicas=4");
  ck_assert(!program_exists("out"));
}

TEST(overrides_are_named)
{
  program_write("f.yaml", chain);
  program_refuses("system.sites[3].mass: system.sites has 1 record, counted from 1",
                  "check f.yaml --set system.sites[3].mass=2");
  program_refuses("with the keys count, name, mass", "check f.yaml --set system.sites[1].mas=2");
  program_refuses("the file has no 'M' here", "check f.yaml --set system.constants.M=2");
}

/* What has no effect is left out of the printout, or remarked on. */
TEST(the_printout_has_what_applies)
{
  program_write("f.yaml", chain);
  program_runs("check f.yaml --all");
  static const char *const foreign[] = {"model",    "molecules", "wall",   "hamiltonian", "dipole_every",
                                        "search",   "base",      "beta:",  "hessian",     "convention",
                                        "friction", "precision", " steps:"};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    ck_assert_msg(strstr(program_output, foreign[i]) == NULL, "'%s' in: %s", foreign[i], program_output);
  program_says("solver: auto");
  program_runs("check f.yaml --set integrator.beta=0.3");
  program_says("integrator.beta: has no effect");
  program_write("f.yaml", general);
  program_runs("check f.yaml --all");
  ck_assert_ptr_null(strstr(program_output, "thermostat"));
  ck_assert_ptr_null(strstr(program_output, "acceleration"));
  program_says("base: midpoint");
}

/* Rows of numbers throughout, as many in each. */
static void check_rows(const char *file)
{
  const char *text = program_read(file);
  int columns = 0, rows = 0;
  for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
    int n = 1;
    const char *const end = strchr(line, '\n');
    ck_assert_msg(end != NULL, "%s ends within a line", file);
    for (const char *c = line; c < end; c++)
      n += *c == ',';
    if (*line == '#')
      continue;
    columns = columns == 0 ? n : columns;
    ck_assert_int_eq(n, columns);
    rows++;
  }
  ck_assert_int_ge(rows, 2);
}

static const struct {
  const char *set, *says;
} wrong[] = {
    {"--set integrator.timestep=3 --set integrator.time=30", "replica 0 cannot satisfy constraint"},
    {"--set geometry.method=penalty --set geometry.w=1000 --set integrator.acceleration=verlet "
     "--set integrator.time=100",
     "replica 0 has coordinates that are not numbers"},
    {"--set geometry.method=penalty --set geometry.w=50 --set integrator.acceleration=newmark "
     "--set integrator.max_iterations=1 --set integrator.time=100",
     "the nonlinear system of 'newmark' is not solved after 1 iterations"},
};

TEST(runs_that_go_wrong_say_when, .rows = sizeof wrong / sizeof *wrong)
{
  write_with(chain, "[\"i*L\", \"0\"]", "[\"i*L\", \"0\"], velocity: [0, i]");
  ck_assert_msg(program_call("run f.yaml -o out --force --quiet %s", wrong[_i].set) == 3, "%s",
                program_output);
  program_says("step ");
  program_says(wrong[_i].says);
  ck_assert_ptr_null(strstr(program_output, "molecule"));
  ck_assert_ptr_nonnull(strstr(program_read("out/summary.yaml"), "ended: failed\nmessage: \"step "));
  check_rows("out/trajectory.csv");
  check_rows("out/energy.csv");
}

static const char hyperboloid[] =
    "units: reduced\nsystem:\n  dimensions: 3\n"
    "  sites:\n    - {mass: 1, position: [1, 0, 0], velocity: [0, 1, 0.3]}\n"
    "  constraints:\n    - {type: implicit, site: 1, formula: \"x^2 + y^2 - z^2 - 1\"}\n"
    "integrator: {word: BAB, timestep: 0.005, time: 10}\ngeometry: {method: rattle}\n";
static const char harmonic[] =
    "units: reduced\nsystem:\n  constants: {c: 0.98000000636258130}\n"
    "  hamiltonian: \"(p1^2 + p2^2)/2 + q2\"\n"
    "  position: [-0.78652612, -0.4043988]\n"
    "  momentum: [-0.3880746864163783, 0.2173391755798215]\n"
    "  constraints: [{formula: \"q1^2 + q2^2 + p1^2 + p2^2 - c\"}]\n"
    "integrator: {method: geometric-rattle, base: midpoint, timestep: 0.1, time: 20}\n";

/* A tolerance that rounding cannot meet is told from steps that are too long, and the one that is named
 * works. */
TEST(tolerances_below_rounding_are_named, .rows = 4)
{
  static const struct {
    const char *text, *key;
  } table[] = {{hyperboloid, "geometry.solver=newton --set geometry.tolerance"},
               {hyperboloid, "geometry.solver=gauss-seidel --set geometry.tolerance"},
               {hyperboloid, "geometry.method=shake --set geometry.tolerance"},
               {harmonic, "integrator.tolerance"}};
  program_write("fine.yaml", table[_i].text);
  ck_assert_int_eq(program_call("run fine.yaml -o fine --force --quiet --set %s=1e-17", table[_i].key), 3);
  program_says("rounding");
  program_says("the tolerance is 1e-17");
  ck_assert_ptr_null(strstr(program_output, "time step"));
  const char *at = strstr(program_output, ": use ");
  ck_assert_ptr_nonnull(at);
  const double enough = strtod(at + strlen(": use "), NULL);
  ck_assert(enough > 0.0 && enough < 1e-12);
  const int code = program_call("run fine.yaml -o fine --force --quiet --set %s=%g", table[_i].key, enough);
  ck_assert_msg(code == 0, "%s", program_output);
}

/* A spring of some rest length has no direction where its length is 0; one of none is smooth there. */
TEST(springs_without_a_direction_are_named)
{
  static const char text[] = "units: reduced\n"
                             "system:\n"
                             "  dimensions: 2\n"
                             "  sites: [{count: 3, mass: 1, position: [\"i\", 0]}]\n"
                             "  potentials:\n"
                             "    - {type: link, sites: [1, 2], stiffness: 1}\n"
                             "    - {type: spring, site: 3, point: [3, 0], stiffness: 1, length: 0.5}\n"
                             "integrator: {word: BAB, timestep: 0.01, steps: 3}\n";
  program_write("f.yaml", text);
  program_refuses("potential 2 (spring on site 3) has no finite gradient at the start",
                  "run f.yaml -o out --force --quiet");
  program_says("rest length 0.5 is undefined where its length is 0");
  program_runs("run f.yaml -o out --force --quiet --set 'system.potentials=[{type: spring, site: 3, "
               "point: [3, 0], stiffness: 1, length: 0}]'");
}

TEST(folders_are_not_written_over)
{
  program_write("f.yaml", chain);
  program_write("file", "text\n");
  program_refuses("is not a folder", "run f.yaml -o file --quiet");
  program_refuses("/proc/out", "run f.yaml -o /proc/out --quiet");
  program_runs("run f.yaml -o kept --quiet");
  program_refuses("which is not overwritten", "run f.yaml -o kept --quiet");
  program_refuses("geometry.w", "run f.yaml -o kept --quiet --resume --set geometry.w=3");
  program_refuses("nowhere", "run f.yaml -o nowhere --quiet --resume");
}
