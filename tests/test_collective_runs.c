/* Collective variables of runs: a chain whose torsion has a distribution by quadrature, with Fixman's
 * potential and without; columns against time; equal bits whatever cuts a run; and what is no variable. */
#include "tests/chain_of_four.h"
#include "tests/program.h"
#include "tests/shorter.h"
#include "tests/tables.h"
#include "topology/coordinate_sites.h"

/* The density of the torsion at 300 K in bin b of n, per degree. */
static void quadrature(bool fixman, int n, double *P)
{
  enum { POINTS = 20 };
  const double kT = 300.0 * 0.001987204;
  double all = 0.0;
  for (int b = 0; b < n; b++) {
    P[b] = 0.0;
    for (int i = 0; i < POINTS; i++) {
      const double phi = 2.0 * M_PI * (b + (i + 0.5) / POINTS) / n - M_PI;
      P[b] += exp(-torsion_energy(phi) / kT + (fixman ? 0.0 : chain_measure(phi)));
    }
    all += P[b];
  }
  for (int b = 0; b < n; b++)
    P[b] *= n / (360.0 * all);
}

static double chi2_of(const ResultTable *t, int n, const double *P)
{
  double sum = 0.0;
  for (int b = 0; b < n; b++) {
    const double error = tables_cell(t, (size_t)b, "P_twist_err");
    sum += pow((tables_cell(t, (size_t)b, "P_twist") - P[b]) / error, 2);
  }
  return sum;
}

TEST(a_torsion_is_distributed_as_by_quadrature, .rows = 2, .skip = SHORT)
{
  enum { BINS = 18 };
  double right[BINS], other[BINS];
  begin_chain();
  program_runs(
      "run run.yaml -o a%d --set geometry.fixman=%s --set ensemble.replicas=512 --set integrator.steps=%d "
      "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}]\" --set output.torsions_bins=%d "
      "--set output.thermo_every=20 --set \"output.equilibration=4 ps\"",
      _i, _i == 1 ? "true" : "false", 4000, BINS);
  ResultTable *t = program_table(_i == 1 ? "a1/torsions.csv" : "a0/torsions.csv");
  ck_assert_uint_eq(t->nrow, BINS);
  quadrature(_i == 1, BINS, right);
  quadrature(_i == 0, BINS, other);
  const double chi2 = chi2_of(t, BINS, right), wrong = chi2_of(t, BINS, other);
  ck_assert_msg(chi2 < 45.0, "chi^2 of %d bins: %g", BINS, chi2);
  ck_assert_msg(wrong > 100.0, "with the other potential: %g", wrong);
  results_free_table(t);
}

/* A row's value, A or degrees, in a chain with this torsion, of the atoms below. */
static double value_of(int form, double phi)
{
  static const int taken[4][4] = {{3}, {0, 3}, {0, 1, 3}, {0, 1, 2, 3}}, each[4] = {1, 1, 1, 1};
  static const double whole[4] = {1.0, 1.0, 1.0, 1.0};
  static const Box open_space = {0};
  const CoordinateType *type = &coordinate_types[form];
  if (type->composed)
    return value_of(COORDINATE_DISTANCE, phi) - 0.5 * cos(phi);
  const int n = type->pairs ? 2 : type->nsite > 0 ? type->nsite : 4;
  CoordinatePlace place[4];
  double at[4][3], shares[4]; /* in the mass of all, which is 75 */
  for (int i = 0; i < 4; i++) {
    place[i] = (CoordinatePlace){0, 0, i};
    shares[i] = chain_mass[i] / 75.0;
  }
  double start[4][3], middle[3] = {0.0}; /* of the file, relative to its mean */
  place_chain(1.0, start);
  for (int k = 0; k < 12; k++)
    middle[k % 3] += start[k / 3][k % 3] / 4.0;
  for (int k = 0; k < 12; k++)
    start[k / 3][k % 3] -= middle[k % 3];
  const CoordinateSites sites = {.form = (CoordinateForm)form,
                                 .nsite = n,
                                 .natom = n,
                                 .natoms = each,
                                 .place = place,
                                 .share = whole,
                                 .weight = shares,
                                 .axis = 2,
                                 .contacts = {4.0, 6, 12},
                                 .first = 1,
                                 .reference = (const double(*)[3])start};
  Vec8 memory[64];
  CoordinateReading r = coordinate_sites_reading(&sites, memory);
  place_chain(phi, at);
  for (int k = 0; k < 3 * n; k++)
    r.x[k] = vec8_set(at[taken[n - 1][k / 3]][k % 3]);
  coordinate_sites_read(&sites, &open_space, &r, false);
  return r.value[0] * (type->angle ? 180.0 / M_PI : 1.0);
}

/* Every row of coordinates.def: a restraint holds it at a value that is not its mean, and the observable and
 * the column against time find it there. */
TEST(every_coordinate_is_held_and_measured, .rows = COORDINATES)
{
  static const char *const atoms[] = {"all", "index 3", "[index 0, index 3]", "[index 0, index 1, index 3]",
                                      "[index 0, index 1, index 2, index 3]"};
  const CoordinateType *type = &coordinate_types[_i];
  char of[128];
  snprintf(of, sizeof of, "atoms: %s", atoms[type->pairs ? 2 : type->nsite]);
  if (type->composed)
    strcpy(of, "formula: ends - 0.5*cos(twist)");
  const char *const keys = type->options == COORDINATE_CONTACTS ? ", radius: 4 A" : "",
                    *const others =
                        type->composed ? "--set 'output.distances=[{name: ends, atoms: [index 0, index 3]}]' "
                                         "--set 'output.torsions=[{name: twist, atoms: all}]'"
                                       : "";
  const double centre = value_of(_i, 1.6);
  char name[32];
  begin_chain();
  program_runs("run run.yaml -o held --force --set ensemble.replicas=32 --set integrator.steps=600 --set "
               "output.equilibration=0.4ps "
               "--set output.thermo_every=20 --set 'output.%s=[{name: v, %s%s}]' "
               "--set 'restraints=[{name: r, coordinate: %s, %s, k: 500, centre: %.6f%s}]' %s",
               type->list, of, keys, type->name, of, centre, keys, others);
  snprintf(name, sizeof name, "%s_v", type->periodic ? "cos" : type->name);
  const double wanted = type->periodic ? cos(centre * M_PI / 180.0) : centre;
  ck_assert_double_eq_tol(program_summary("held", name), wanted, type->angle && !type->periodic ? 3.0 : 0.05);
  snprintf(name, sizeof name, "held/%s.csv", type->list);
  ResultTable *t = program_table(name);
  double mean = 0.0, sum = 0.0;
  for (size_t b = 0; b < t->nrow; b++) {
    mean += t->column[0].value[b] * tables_cell(t, b, "P_v");
    sum += tables_cell(t, b, "P_v");
  }
  ck_assert_double_eq_tol(mean / sum, centre, type->angle ? 3.0 : 0.05);
  results_free_table(t);
}

/* Rows against time are cosine and sine of the same torsion: of one replica their squares are 1; their means
 * are those that the observable has, of the same samples. */
TEST(columns_follow_time)
{
  begin_chain();
  program_runs(
      "run run.yaml -o t --set ensemble.replicas=1 --set integrator.steps=2000 --set output.equilibration=0 "
      "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}]\" --set output.torsions_every=20 "
      "--set output.thermo_every=20 --set \"output.distances=[{name: ends, atoms: [A, D]}]\"");
  ResultTable *t = program_table("t/thermo.csv");
  double c = 0.0, s = 0.0;
  ck_assert_uint_ge(t->nrow, 100);
  for (size_t i = 0; i < t->nrow; i++) {
    const double x = tables_cell(t, i, "cos_twist"), y = tables_cell(t, i, "sin_twist"),
                 r = tables_cell(t, i, "distance_ends");
    ck_assert_double_eq_tol(x * x + y * y, 1.0, 1e-6);
    double at[4][3];
    place_chain(atan2(y, x), at);
    ck_assert_double_eq_tol(r, between(at[0], at[3]), 1e-4);
    c += i > 0 ? x / (double)(t->nrow - 1) : 0.0; /* the start is no sample */
    s += i > 0 ? y / (double)(t->nrow - 1) : 0.0;
  }
  ck_assert_double_eq_tol(program_summary("t", "cos_twist"), c, 1e-5);
  ck_assert_double_eq_tol(program_summary("t", "sin_twist"), s, 1e-5);
  static const char start[] = "quantity: mean_cos, value: ";
  const char *const line = strstr(program_read("t/summary.yaml"), start);
  ck_assert_ptr_nonnull(line);
  ck_assert_double_eq_tol(atof(line + sizeof start - 1), c, 1e-6);
  results_free_table(t);
}

/* A made trajectory whose torsion is elsewhere once: there is no telling how uncertain the free energy is. */
TEST(bins_that_are_met_once_have_no_error)
{
  enum { FRAMES = 640, BINS = 36 };
  begin_chain();
  FILE *file = program_create("made.xyz");
  for (int i = 0; i < FRAMES; i++) {
    double at[4][3];
    place_chain(i == 200 || i == 201 ? -1.0 : 3.0 + 0.1 * (i % 3), at);
    fprintf(file, "4\nstep %d\n", i);
    for (int k = 0; k < 4; k++)
      fprintf(file, "%c %.6f %.6f %.6f\n", "ABCD"[k], at[k][0], at[k][1], at[k][2]);
  }
  ck_assert_int_eq(fclose(file), 0);
  program_runs("observe torsions --interval 1 run.yaml made.xyz -o made --force "
               "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}]\" --set output.torsions_bins=%d",
               BINS);
  ResultTable *t = program_table("made/torsions.csv");
  int met = 0;
  for (size_t b = 0; b < t->nrow; b++) {
    const double P = tables_cell(t, b, "P_twist"), P_err = tables_cell(t, b, "P_twist_err"),
                 F = tables_cell(t, b, "F_twist"), F_err = tables_cell(t, b, "F_twist_err");
    met += P > 0.0;
    ck_assert_int_eq(isfinite(F), P > 0.0);
    if (P > 0.0 && P < 0.001) { /* 2 frames of 640, in bins of 10 degrees */
      ck_assert(isnan(F_err));
      ck_assert_double_eq_tol(P_err, P, 0.02 * P);
    } else if (P > 0.0)
      ck_assert(F_err < 0.1);
  }
  ck_assert_int_ge(met, 3);
  results_free_table(t);
  ck_assert_ptr_nonnull(
      strstr(program_read("made/torsions.csv"),
             "# alone_twist: 1, bins with samples of only one block of time: the error of F"));
}

/* Threads, a run that goes on, parts put together and ladders: the same files. */
TEST(equal_bits_whatever_cuts_a_run)
{
  static const char set[] =
      "--set ensemble.replicas=32 --set output.thermo_every=20 --set \"output.equilibration=0.4 ps\" "
      "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}, {name: back, atoms: [D, C, B, "
      "A]}]\" --set \"output.torsions_pairs=[{between: [twist, back]}]\" "
      "--set \"output.radius_of_gyration=[{name: all, atoms: all}]\"";
  static const char *const files[] = {"torsions.csv", "torsions_pairs.csv", "radius_of_gyration.csv",
                                      "thermo.csv", "replicas.csv"};
  begin_chain();
  program_runs("run run.yaml -o one --threads 1 --set integrator.steps=600 %s", set);
  program_runs("run run.yaml -o two --threads 3 --set integrator.steps=600 %s", set);
  program_runs("run run.yaml -o cut --set integrator.steps=300 %s", set);
  program_runs("run run.yaml -o cut --resume --set integrator.steps=600 %s", set);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    program_same("one", "two", files[i]);
    program_same("one", "cut", files[i]);
  }
  program_runs("run run.yaml -o first --replicas 0..15 --set integrator.steps=600 %s", set);
  program_runs("run run.yaml -o second --replicas 16..31 --set integrator.steps=600 %s", set);
  program_runs("merge first second -o joined");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    program_same("one", "joined", files[i]);
}

/* Runs are compared by distributions and means, those with other seeds agree; with a ladder files are those
 * of its lowest temperature, from the ladders. */
TEST(runs_are_compared_and_ladders_have_theirs)
{
  static const char set[] =
      "--set ensemble.replicas=32 --set integrator.steps=600 --set output.equilibration=0 "
      "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}]\" --set output.torsions_bins=9";
  begin_chain();
  program_runs("run run.yaml -o seed1 %s", set);
  program_runs("run run.yaml -o seed2 --set seed=2 %s", set);
  program_runs("compare seed1 seed2 -o compared");
  program_says("mean cosine of twist");
  program_says("distribution of twist by");
  program_runs("run run.yaml -o ladder --set integrator.steps=400 --set output.equilibration=0 --set "
               "ensemble.replicas= "
               "--set thermostat.temperature= --set \"exchange.temperatures=[300 K, 600 K]\" --set "
               "exchange.ladders=16 "
               "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}]\"");
  const char *const text = program_read("ladder/torsions.csv");
  ck_assert_ptr_nonnull(strstr(text, "at 300 K, the lowest of the ladder"));
  ck_assert_ptr_nonnull(strstr(text, "# samples: 640\n# replicas: 16\n"));
}

static void begin_box(void)
{
  program_write(
      "box.yaml",
      "system: {model: tip3p, molecules: 100, density: 0.9 g/cm3, atoms: {Na+: 1, Cl-: 1}, minimise: false}\n"
      "geometry: {method: settle}\nforces: {cutoff: 6 A}\nintegrator: {timestep: 2 fs, steps: 40}\n"
      "thermostat: {temperature: 300 K, friction: 1/ps}\n"
      "output: {rdf_every: 10, report: false, progress: false}\n");
}

/* --- what is no variable ------- */

static const struct {
  const char *set, *said;
} wrong[] = {
    {"torsions=[{name: t, atoms: [A, B, C]}]",
     "output.torsions[1].atoms: 3 atoms are listed; a torsion needs 4"},
    {"torsions=[{name: t, atoms: name A B C}]", "'name A B C' selects 3 atoms; wanted: 4"},
    {"angles=[{name: t, atoms: all}]", "'all' selects 4 atoms; wanted: 3"},
    {"torsions=[{name: t, atoms: name E}]", "'name E' selects no atom"},
    {"torsions=[{name: t, atoms: [A, B, C, E]}]", "'name E' selects no atom"},
    {"torsions=[{name: t, atoms: [A, B, C, C]}]", "'C' and 'C' are the same atom"},
    {"torsions=[{name: t, atoms: nam A}]",
     "column 1: 'nam' is not a word of selections; did you mean 'name'"},
    {"torsions=[{name: t, atoms: around 3 name A}]", "column 1: 'around' selects by position"},
    {"torsions=[{name: t, atoms: []}]", "output.torsions[1].atoms"},
    {"torsions=[{name: t}]", "output.torsions[1].atoms: is missing"},
    {"torsions=[{name: 1t, atoms: all}]", "'1t' is not a valid name"},
    {"torsions=[{name: a/b, atoms: all}]", "'a/b' is not a valid name"},
    {"torsions=[{name: t, atoms: [A, B, C, D]}, {name: t, atoms: [D, C, B, A]}]",
     "output.torsions[2].name: 't' is also the name of another torsion"},
    {"torsions=[{name: t, atoms: [A, B, C, D], molecule: chian}]",
     "there is no molecule 'chian'; did you mean 'chain'? molecules: chain"},
    {"angles=[{name: t, atoms: [A, B, C, D]}]", "4 atoms are listed; an angle needs 3"},
    {"distances=[{name: t, atoms: [index 0, index 99]}]", "'index 99' selects no atom"},
    {"distances=[{name: t, atoms: [A, B], axis: x}]",
     "distances[1].axis: applies only to positions, heights and walls"},
    {"rdf_sites=[{name: t, atoms: name A, radius: 3}]",
     "rdf_sites[1].radius: applies only to coordination numbers"},
    {"coordination=[{name: t, atoms: [A, B]}]", "coordination[1].radius: is missing"},
    {"coordination=[{name: t, atoms: [A, B, C], radius: 3}]", "has 3; wanted: two selections"},
    {"coordination=[{name: t, atoms: [A, B], radius: 3, powers: [6, 6]}]", "the lower one first"},
    {"positions=[{name: t, atoms: all, axis: w}]", "wanted: one of z, x, y"},
    {"distances=[{name: t, atoms: [name A or name B, name B or name A]}]", "are the same atoms"},
    {"angles=[{name: t, atoms: [name A, name C, name D, name B]}]", "4 atoms are listed; an angle needs 3"},
    {"radius_of_gyration=[{name: t, atoms: none}]", "'none' is not a word"},
    {"torsions_pairs=[{between: [a, b]}]", "there is no torsion 'a' in output.torsions"},
    {"formulas=[{name: s, formula: d + 1}]",
     "output.formulas[1].formula: formula 'd + 1', column 1: unknown name 'd'"},
    {"formulas=[{name: s, formula: 2*s}]", "output.formulas[1].formula: names itself, 's'"},
    {"formulas=[{name: s, formula: 2*t}, {name: t, formula: 3}]", "names the formula below it, 't'"},
    {"formulas=[{name: s, formula: 3 + 2}]", "'3 + 2' depends on no coordinate"},
    {"formulas=[{name: s}]", "output.formulas[1].formula: is missing"},
    {"formulas=[{name: s, formula: 1, atoms: all}]", "formulas[1].atoms: does not apply to a formula"},
    {"distances=[{name: s, formula: 1, atoms: [A, B]}]", "distances[1].formula: applies only to formulas"},
    {"torsions_every=10", "no coordinate is named: list coordinates in output.torsions of an input file"},
};

/* Two chains, at x. */
static void begin_two(double (*x)[3])
{
  static const char *const both[] = {"A", "B", "C", "D", "A", "B", "C", "D"};
  char text[2048];
  begin_chain();
  place_chain(1.0, x);
  place_chain(2.0, x + 4);
  for (int i = 4; i < 8; i++)
    x[i][2] += 30.0;
  snprintf(text, sizeof text, "%s", chain_file);
  strcpy(strstr(text, "[chain, 1]"), "[chain, 2]\n");
  program_write("chain.yaml", text);
  write_gro("chain.gro", 8, both, "chain", (const double(*)[3])x, 0.0);
}

/* Formulas of distances, of which one is measured in two molecules of the same type. */
static const struct {
  const char *set, *said;
} no_formulas[] = {
    {"[{name: s, formula: d +}]", "column 4: found the end"},
    {"[{name: s, formula: d/0}]", "'d/0' is finite for no values of its coordinates"},
    {"[{name: s, formula: 1/0 + d}]", "column 2: this is not a finite number"},
    {"[{name: s, formula: log(-d)}]", "'log(-d)' is finite for no values"},
    {"[{name: s, formula: dd}]", "did you mean 'd'?; known: d, pi and functions"},
    {"[{name: d, formula: 2*d}]", "'d' is also the name of a coordinate in output.distances"},
    {"[{name: s, formula: d, molecule: chain}]", "formulas[1].molecule: does not apply to a formula"},
    {"[{name: s, formula: d}, {name: t, formula: 2*s}]", "but biases and formulas need one"},
};

TEST(what_is_no_formula_is_refused, .rows = sizeof no_formulas / sizeof *no_formulas)
{
  double x[8][3];
  begin_two(x);
  program_refuses(no_formulas[_i].said,
                  "check run.yaml --set \"output.distances=[{name: d, atoms: [A, D], molecule: "
                  "chain}]\" --set \"output.formulas=%s\"",
                  no_formulas[_i].set);
}

/* A formula is that of the columns beside it, in open space as in a box, where it acts with the same forces
 * and the same pressure as the coordinate that it names. */
TEST(formulas_follow_their_coordinates, .rows = 2)
{
  static const char set[] =
      "--set output.thermo_every=4 --set output.equilibration=0 --set \"output.distances=[{name: d, "
      "atoms: [index 0, index 3]}, {name: e, atoms: [index 1, index 2]}]\" --set "
      "\"output.formulas=[{name: s, formula: d}, {name: t, formula: s^2 - d/e}]\"";
  const char *const from =
      _i == 0 ? "run.yaml --set ensemble.replicas=1 --set integrator.steps=40" : "box.yaml";
  begin_chain();
  begin_box();
  program_runs("run %s -o direct --force %s --set \"restraints=[{coordinate: distance, atoms: [index 0, "
               "index 3], k: 8, "
               "centre: 2}]\"",
               from, set);
  program_runs(
      "run %s -o named --force %s --set \"restraints=[{coordinate: formula, formula: s, k: 8, centre: 2}]\"",
      from, set);
  program_same("direct", "named", "final.xyz");
  ResultTable *a = program_table("direct/thermo.csv"), *b = program_table("named/thermo.csv");
  for (size_t i = 0; i < b->nrow; i++) {
    const double d = tables_cell(b, i, "distance_d"), e = tables_cell(b, i, "distance_e");
    ck_assert_double_eq(tables_cell(b, i, "formula_s"), d);
    ck_assert_double_eq_tol(tables_cell(b, i, "formula_t"), d * d - d / e, 1e-6 * d * d);
    ck_assert_double_eq_tol(tables_cell(b, i, "coordinate_restraint"),
                            tables_cell(a, i, "coordinate_restraint"), 1e-9);
    if (_i == 1)
      ck_assert_double_eq_tol(tables_cell(b, i, "pressure"), tables_cell(a, i, "pressure"), 1e-6);
  }
  results_free_table(a);
  results_free_table(b);
}

TEST(what_is_no_variable_is_refused, .rows = sizeof wrong / sizeof *wrong)
{
  begin_chain();
  program_refuses(wrong[_i].said, "check run.yaml --set \"output.%s\"", wrong[_i].set);
  ck_assert_int_eq(program_call("run run.yaml -o not --set \"output.%s\"", wrong[_i].set), 2);
  ck_assert(!program_exists("not/torsions.csv"));
}

/* The centre of mass of atoms begin to end - 1 of x, whose masses repeat. */
static void centre_of(const double (*x)[3], int begin, int end, double centre[3])
{
  double whole = 0.0;
  memset(centre, 0, 3 * sizeof *centre);
  for (int i = begin; i < end; i++)
    whole += chain_mass[i % 4];
  for (int i = begin; i < end; i++)
    for (int d = 0; d < 3; d++)
      centre[d] += chain_mass[i % 4] / whole * x[i][d];
}

/* Distances between molecules, and of centres of mass, and a radius of gyration of both chains. */
static void centres_are_known(ResultTable *t, const double (*x)[3])
{
  double one[3], other[3], all[3], tail = 0.0, square = 0.0, whole = 0.0;
  ck_assert_double_eq_tol(tables_cell(t, 0, "distance_ends"), between(x[0], x[5]), 2e-4);
  centre_of(x, 0, 4, one);
  centre_of(x, 4, 8, other);
  ck_assert_double_eq_tol(tables_cell(t, 0, "distance_centres"), between(one, other), 2e-4);
  for (int m = 0; m < 2; m++) {
    centre_of(x, 4 * m + 2, 4 * m + 4, one);
    tail += 0.5 * between(x[4 * m], one);
  }
  ck_assert_double_eq_tol(tables_cell(t, 0, "distance_tail"), tail, 2e-4);
  centre_of(x, 0, 8, all);
  for (int i = 0; i < 8; i++) {
    whole += chain_mass[i % 4];
    square += chain_mass[i % 4] * between(x[i], all) * between(x[i], all);
  }
  ck_assert_double_eq_tol(tables_cell(t, 0, "gyration_both"), sqrt(square / whole), 2e-4);
}

/* Two chains, of which a torsion may be that of one or of both, and names that are those of several atoms. */
TEST(molecules_are_told_apart)
{
  double x[8][3];
  begin_two(x);
  program_refuses("atoms with these names are bonded in this order in 2 places",
                  "check run.yaml --set \"output.torsions=[{name: t, atoms: [A, B, C, D]}]\"");
  program_refuses("'A' matches 2 atoms: select one, as in \"name A and resid 2\"",
                  "check run.yaml --set \"output.distances=[{name: t, atoms: [A, D]}]\"");
  program_runs(
      "run run.yaml -o both --set ensemble.replicas=1 --set integrator.steps=20 --set output.thermo_every=20 "
      "--set output.equilibration=0 --set \"output.torsions=[{name: all, atoms: [A, B, C, D], molecule: "
      "chain}, "
      "{name: one, atoms: 'resid 2'}]\" --set \"output.distances=[{name: ends, atoms: [index 0, index 5]}, "
      "{name: centres, atoms: [resid 1, resid 2]}, {name: tail, atoms: [A, name C D], molecule: chain}]\" "
      "--set \"output.radius_of_gyration=[{name: both, atoms: all}]\"");
  ResultTable *t = program_table("both/thermo.csv");
  centres_are_known(t, (const double(*)[3])x);
  ck_assert_double_eq_tol(tables_cell(t, 0, "cos_all"), 0.5 * (cos(1.0) + cos(2.0)), 1e-6);
  ck_assert_double_eq_tol(tables_cell(t, 0, "cos_one"), cos(2.0), 1e-6);
  results_free_table(t);
  ck_assert_ptr_nonnull(
      strstr(program_read("both/torsions.csv"), "# molecules_all: 2\n# molecules_one: 1\n"));
}

/* --- g(r) between selections ------- */

/* A restraint and the column of its coordinate agree: V = 1/2 k (d - centre)^2, in a box, where sites cross
 * the faces, and in open space. */
TEST(restraints_act_on_what_is_measured, .rows = 2)
{
#define SITES "atoms: [resname SOL and resid 1 2, resname SOL and resid 60:63]"
  static const char open_space[] =
      "--set system.density= --set forces.cutoff= --set system.start=file --set system.molecules= "
      "--set system.atoms= --set system.file=box/final.xyz --set system.box=none";
  begin_box();
  if (_i == 1)
    program_runs("run box.yaml -o box --force");
  program_runs(
      "run box.yaml -o seen --force --set thermostat.temperature=600 --set output.thermo_every=4 --set "
      "output.equilibration=0 %s --set \"output.distances=[{name: d, " SITES "}]\" "
      "--set \"restraints=[{coordinate: distance, " SITES ", k: 8, centre: 1 A}]\"",
      _i == 1 ? open_space : "");
#undef SITES
  ResultTable *t = program_table("seen/thermo.csv");
  for (size_t i = 0; i < t->nrow; i++) {
    const double d = tables_cell(t, i, "distance_d"), v = tables_cell(t, i, "coordinate_restraint");
    ck_assert_double_eq_tol(v, 0.5 * 8.0 * (d - 1.0) * (d - 1.0), 1e-5 * v + 1e-5);
  }
  results_free_table(t);
}

TEST(potentials_need_formulas_without_jumps_in_a_box)
{
  begin_box();
  program_refuses("the formula 'z + 1' jumps where the position z passes a face of the box",
                  "check box.yaml --set \"output.positions=[{name: z, atoms: [index 0]}]\" --set "
                  "\"output.formulas=[{name: s, formula: z + 1}, {name: t, formula: s/2}]\" --set "
                  "\"biases=[{on: [t], type: harmonic, k: 1, centre: 1}]\"");
}

/* Selections of all sites of a name are what there is without; of one hydrogen of each water they have half
 * of the other one's pairs, so that both together are all. */
TEST(sites_may_be_selected)
{
  begin_box();
  program_runs("run box.yaml -o names");
  program_runs(
      "run box.yaml -o sites --set \"output.rdf_sites=[{name: O, atoms: name O}, {name: H, atoms: name H}, "
      "{name: Na, atoms: name Na}, {name: Cl, atoms: name Cl}]\"");
  program_same("names", "sites", "gofr.csv");
  program_runs("run box.yaml -o halves --set \"output.rdf_sites=[{name: O, atoms: name O}, {name: H1, atoms: "
               "[index 1], "
               "molecule: tip3p}, {name: H2, atoms: [index 2], molecule: tip3p}, {name: ions, atoms: not "
               "resname tip3p}]\"");
  ResultTable *all = program_table("names/gofr.csv"), *half = program_table("halves/gofr.csv");
  double most = 0.0;
  for (size_t i = 0; i < all->nrow; i++) {
    const double both = tables_cell(half, i, "g_O-H1") + tables_cell(half, i, "g_O-H2");
    ck_assert_double_eq_tol(0.5 * both, tables_cell(all, i, "g_O-H"), 1e-5);
    most = fmax(most, both);
  }
  ck_assert_double_gt(most, 1.0);
  ck_assert_ptr_nonnull(strstr(program_read("halves/gofr.csv"), "# number_ions: 2\n"));
  results_free_table(all);
  results_free_table(half);
}

static const struct {
  const char *set, *said;
} no_sites[] = {
    {"[{name: a, atoms: name O}, {name: b, atoms: all}]",
     "output.rdf_sites[2].atoms: O of tip3p is also in 'a'"},
    {"[{name: a, atoms: index 0}]",
     "O is selected in 1 of 100 molecules tip3p; a site must select it in all of them"},
    {"[{name: a, atoms: name Q}]", "'name Q' selects no atom"},
    {"[{name: a, atoms: name O}, {name: a, atoms: name H}]", "'a' is also the name of another site"},
    {"[{name: abcdefghijklmnop, atoms: name O}]", "is too long; the limit is 15"},
    {"[{name: Na, atoms: name Na}]", "at least two molecules"},
};

TEST(what_is_no_site_is_refused, .rows = sizeof no_sites / sizeof *no_sites)
{
  begin_box();
  program_refuses(no_sites[_i].said, "check box.yaml --set \"output.rdf_sites=%s\"", no_sites[_i].set);
}
