/* geometry.keep: rings, branches and a peptide whose bonds are kept, penalised or let go, one by one. */
#include "tests/chain_of_four.h"
#include "tests/program.h"
#include "tests/shorter.h"

static const double kT = 300.0 * 0.001987204;

static void begin(const Made *m, const char *const *names, const char *settings)
{
  FILE *file = program_create("made.yaml");
  const char *name = m->text + 2;
  fprintf(file,
          "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05]}\nmolecules:\n%ssystem:\n"
          "  - [%.*s, 1]\n",
          m->text, (int)strcspn(name, ":"), name);
  ck_assert_int_eq(fclose(file), 0);
  write_gro("made.gro", m->n, names, "MOL", (const double(*)[3])m->x, 0.0);
  file = program_create("run.yaml");
  fprintf(file, "system: {topology: made.yaml, file: made.gro}\n%soutput: {report: false, progress: false}\n",
          settings);
  ck_assert_int_eq(fclose(file), 0);
}

static const char warm[] = "integrator: {word: BAOAB, timestep: 1 fs, steps: 4000}\n"
                           "thermostat: {temperature: 300 K, friction: 30/ps}\nensemble: {replicas: 32}\n";

static const char *const ring_names[ATOMS] = {"C", "C", "C", "C", "C", "C", "H", "H", "H", "H", "H", "H",
                                              "H", "H", "H", "H", "H", "H", "H", "H", "H", "H", "H", "H"};
static const char *const methane_names[] = {"C", "H", "H", "H", "H"};
static const char *const diamond_names[] = {"C", "C", "C", "C"};

static void make_methane(Made *m)
{
  static const Place place[] = {{"C", 0, 0, 0, 0, 0, 0},
                                {"H", 0, 0, 0, 1.09, 0, 0},
                                {"H", 0, 1, 0, 1.09, 109.4712206, 0},
                                {"H", 0, 1, 2, 1.09, 109.4712206, 120},
                                {"H", 0, 1, 2, 1.09, 109.4712206, 240}};
  make(m, "methane", 5, place, NULL);
}

/* Two triangles that share a side, folded. */
static void make_diamond(Made *m)
{
  static const Place place[] = {{"C", 0, 0, 0, 0, 0, 0},
                                {"C", 0, 0, 0, 1.5, 0, 0},
                                {"C", 1, 0, 0, 1.5, 60, 0},
                                {"C", 1, 2, 0, 1.5, 60, 130}};
  static const int more[2][2] = {{0, 2}, {2, 3}};
  make(m, "diamond", 4, place, NULL);
  for (int b = 0; b < 2; b++)
    memcpy(m->bond[m->nbond++], more[b], sizeof more[b]);
  m->text[0] = '\0';
  append(m->text, "  diamond:\n    atoms:\n");
  for (int i = 0; i < 4; i++)
    append(m->text, "      - [C, C, 0, 12.011]\n");
  append(m->text, "    terms:\n      bond:\n");
  for (int b = 0; b < m->nbond; b++)
    append(m->text, "        - [%d, %d, 1.5, 600]\n", m->bond[b][0] + 1, m->bond[b][1] + 1);
}

static void run(const char *name, const char *settings)
{
  program_runs("run run.yaml -o %s %s", name, settings);
}

static void is_warm(const char *name, double freedom)
{
  const double kelvin = program_summary(name, "temperature_unbiased"),
               off = program_summary(name, "temperature_unbiased_err");
  ck_assert_double_eq(program_summary(name, "freedom"), freedom);
  ck_assert_double_lt(off, 12.0);
  ck_assert_msg(fabs(kelvin - 300.0) < 4.0 * off, "%s: %g +- %g K", name, kelvin, off);
}

/* --- rings and branches ------- */

/* Methane, cyclohexane, benzene and a diamond with all bonds kept; each with what is not of hydrogen
 * penalised, and of methane half of its bonds. Under sanitizers each by one of the methods. */
TEST(rings_and_branches, .rows = 4)
{
  static const struct {
    int atoms, bonds, soft;
    const char *keep;
  } of[] = {
      {5, 4, 2,
       "[{atoms: [C, index 1], method: penalty, w: 60}, {atoms: [C, index 2], method: penalty, w: 90}]"},
      {18, 18, 6, "[{atoms: [element C, element C], method: penalty, w: 80}]"},
      {12, 12, 6, "[{atoms: [element C, element C], method: penalty, w: 80}]"},
      {4, 5, 1, "[{atoms: [1, 2], method: penalty, w: 50}]"}};
  static const char *const method[] = {"rattle", "shake"};
  Made m;
  _i == 0   ? make_methane(&m)
  : _i == 1 ? make_ring(&m, "cyclohexane", 6, 2, 0.25)
  : _i == 2 ? make_ring(&m, "benzene", 6, 1, 0.0)
            : make_diamond(&m);
  ck_assert_int_eq(m.n, of[_i].atoms);
  begin(&m, _i == 0 ? methane_names : _i == 3 ? diamond_names : ring_names, warm);
  for (int k = SHORT ? _i % 2 : 0; k < (SHORT ? _i % 2 + 1 : 2); k++) {
    char set[512], name[64];
    snprintf(
        set, sizeof set,
        "--set geometry.constrain=all-bonds --set geometry.method=%s --set \"output.equilibration=0.5 ps\"",
        method[k]);
    snprintf(name, sizeof name, "kept%d%d", _i, k);
    run(name, set);
    is_warm(name, 3.0 * of[_i].atoms - of[_i].bonds);
    snprintf(set, sizeof set,
             "--set geometry.constrain=all-bonds --set geometry.method=%s --set \"geometry.keep=%s\" --set "
             "\"integrator.timestep=0.25 fs\" --set \"output.equilibration=0.3 ps\"",
             method[k], of[_i].keep);
    snprintf(name, sizeof name, "soft%d%d", _i, k);
    run(name, set);
    is_warm(name, 3.0 * of[_i].atoms - of[_i].bonds + of[_i].soft);
    ck_assert_double_eq_tol(program_summary(name, "penalty_equipartition"), 0.5 * kT * of[_i].soft, 1e-4);
    const double v = program_summary(name, "penalty"), off = program_summary(name, "penalty_err");
    ck_assert_msg(fabs(v - 0.5 * kT * of[_i].soft) < 4.0 * off + 0.1 * kT * of[_i].soft, "%g +- %g", v, off);
  }
}

/* Bonds kept and angles penalised, or left to their terms: no metric is left in the torsion's distribution,
 * as there is where both are kept. One angle kept as well: Fixman's potential of the kept ones takes it out.
 */
TEST(a_chain_is_sampled_as_by_quadrature)
{
  static const struct {
    const char *keep, *more;
    double freedom;
  } of[] = {
      {"[{atoms: [A, B, C], method: penalty, w: 15}, {atoms: [D, C, B], method: penalty, w: 20}]", "", 9.0},
      {"[{atoms: ['*', '*', '*'], method: none}]", "", 9.0},
      {"[{atoms: [B, C, D], method: penalty, w: 20}]", "--set geometry.fixman=true", 8.0}};
  double all = 0.0, wanted = 0.0, other = 0.0, rigid = 0.0;
  for (int i = 0; i < 720; i++) {
    const double phi = M_PI * i / 360.0, v = torsion_energy(phi), weight = exp(-v / kT),
                 measure = weight * exp(chain_measure(phi));
    all += weight;
    wanted += weight * v;
    other += measure;
    rigid += measure * v;
  }
  ck_assert_double_gt(fabs(wanted / all - rigid / other), 0.03);
  begin_chain();
  for (int k = 0; k < 3; k++) {
    char name[64], set[512];
    snprintf(name, sizeof name, "run%d", k);
    snprintf(
        set, sizeof set,
        "--set \"geometry.keep=%s\" --set \"integrator.timestep=0.5 fs\" --set \"integrator.time=%d ps\" "
        "--set \"output.equilibration=%d ps\" --set output.thermo_every=100 %s",
        of[k].keep, SHORT ? 6 : 40, SHORT ? 2 : 5, of[k].more);
    run(name, set);
    const double mean = program_summary(name, "torsion"), off = program_summary(name, "torsion_err");
    ck_assert_double_lt(off, SHORT ? 0.05 : 0.015);
    ck_assert_msg(fabs(mean - wanted / all) < 3.5 * off + CHAIN_BIAS, "%s: %g +- %g, and %g is right",
                  of[k].keep, mean, off, wanted / all);
    ck_assert_double_eq(program_summary(name, "freedom"), of[k].freedom);
  }
  program_do("grep -q '^method: rattle and penalty' run0/summary.yaml && grep -q '^penalty_heated: no' "
             "run0/summary.yaml");
}

/* Rows one after the other, either way round, on top of what is kept otherwise. */
TEST(the_last_row_counts)
{
  static const struct {
    const char *set, *words;
  } of[] = {
      {"--set geometry.constrain=none --set \"geometry.keep=[{atoms: [B, A], method: rattle}]\"",
       "with 1 constraints"},
      {"--set geometry.constrain=none --set geometry.method=none --set \"geometry.keep=[{atoms: [A, B], "
       "method: shake}]\"",
       "degrees of freedom: 11 "},
      {"--set \"geometry.keep=[{atoms: ['*', '*'], method: none}, {atoms: ['[A-C]', 'name [!AD]'], method: "
       "rattle}]\"",
       "with 4 constraints"},
      {"--set \"geometry.keep=[{atoms: [A, B], method: none}, {atoms: [B, A], method: rattle}]\"",
       "degrees of freedom: 7 "},
      {"--set \"geometry.keep=[{atoms: [A, B], method: rattle}, {atoms: [index 0, bynum 2], method: penalty, "
       "w: 9}]\"",
       "degrees of freedom: 8 "},
      {"--set geometry.method=penalty --set geometry.w=9 --set \"geometry.keep=[{atoms: [A, B, C], method: "
       "rattle}]\"",
       "degrees of freedom: 11 "}};
  begin_chain();
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    program_runs("check run.yaml --set \"integrator.timestep=0.5 fs\" %s", of[k].set);
    program_says(of[k].words);
  }
}

/* --- a peptide ------- */

static const char *const peptide_names[] = {"HH31", "CH3", "HH32", "HH33", "C",    "O",   "N", "H",
                                            "CA",   "HA",  "CB",   "HB1",  "HB2",  "HB3", "C", "O",
                                            "N",    "H",   "CH3",  "HH31", "HH32", "HH33"};

/* Bonds of hydrogens kept, those of heavy atoms penalised: one group of all atoms; at 1 fs by zss. */
TEST(a_dipeptide_has_both)
{
  Made m;
  make_dipeptide(&m);
  begin(&m, peptide_names,
        "geometry:\n  constrain: h-bonds\n  keep:\n    - {atoms: [\"name [CNO]*\", \"name [CNO]*\"], method: "
        "penalty, "
        "w: 100}\n"
        "integrator: {word: BAOAB, timestep: 1 fs, steps: 6000}\n"
        "thermostat: {temperature: 300 K, friction: 5/ps, noise: tangent}\nensemble: {replicas: 16}\n");
  program_runs("check run.yaml --all");
  program_says("groups: 1 of 1 kinds, with 21 constraints, 9 of them penalised");
  program_says("degrees of freedom: 45 of each replica");
  program_says("acceleration: zss");
  run("both", "--set \"output.equilibration=2 ps\"");
  is_warm("both", 45.0);
}

/* --- what is wrong ------- */

static void refused(const char *keep, const char *words)
{
  program_refuses(words, "run run.yaml -o no --set \"geometry.keep=%s\"", keep);
  ck_assert(!program_exists("no"));
}

TEST(what_is_wrong_is_named)
{
  begin_chain();
  refused("[{atoms: [A, Q], method: penalty, w: 9}]", "'Q' is not a name");
  refused("[{atoms: [A, D], method: penalty, w: 9}]", "no bond or constraint of chain.yaml connects");
  refused("[{atoms: [A, C, B], method: none}]", "no angle of chain.yaml connects");
  refused("[{atoms: [A], method: none}]", "has 1 atoms");
  refused("[{atoms: [A, B, C, D], method: none}]", "has 4 atoms");
  refused("[{atoms: [], method: none}]", "has 0 atoms");
  refused("[{atoms: [A, '[B'], method: none}]", "[B");
  refused("[{atoms: [A, name], method: none}]", "needs names after it");
  refused("[{atoms: [A, name B and], method: none}]", "name B and");
  refused("[{atoms: [A, around 3 name B], method: none}]", "around");
  refused("[{atoms: [A, B], method: penalty, w: nan}]", "geometry.keep[1].w");
  refused("[{atoms: [A, B], method: penalty, w: -1}]", "geometry.keep[1].w");
  refused("[{atoms: [A, B], method: penalty, w: 0}]", "geometry.keep[1].w");
  refused("[{atoms: [A, B], method: penalty, w: 1e400}]", "geometry.keep[1].w");
  refused("[{atoms: [A, B], method: penalty}]", "geometry.w: is missing");
  refused("[{atoms: [A, B], method: none, w: 3}]", "has no meaning without method: penalty");
  refused("[{atoms: [A, B], method: lincs}]", "lincs");
  refused("[{atoms: [A, B]}]", "geometry.keep[1].method");
  refused("[{method: none}]", "geometry.keep[1].atoms");
  refused("[{atoms: [A, B], method: shake}]", "a run has one");
  refused("[{atoms: [A, B], method: none}, {atoms: [C, Q], method: none}]", "geometry.keep[2].atoms: 'Q'");
  refused("[{atoms: [A, B], how: none}]", "how");
  refused("{atoms: [A, B], method: none}", "geometry.keep");
  program_refuses("use hessian: gauss-newton",
                  "run run.yaml -o no --set \"geometry.keep=[{atoms: [A, B], method: penalty, w: 9}]\" "
                  "--set geometry.hessian=full");
  program_refuses("rescale",
                  "run run.yaml -o no --set \"geometry.keep=[{atoms: [A, B], method: penalty, w: 9}]\" "
                  "--set thermostat.type=rescale");
  /* The place in the file. */
  program_do(
      "sed 's/^geometry.*/geometry:\\n  keep:\\n    - {atoms: [A, B], method: none}\\n    - {atoms: [A, Q], "
      "method: none}/' run.yaml >lines.yaml");
  program_refuses("lines.yaml:5: geometry.keep[2].atoms: 'Q'", "run lines.yaml -o no");
  ck_assert(!program_exists("no"));
}

/* A constraint of the file is let go where a term takes it over, and nowhere else. */
TEST(constraints_of_the_file)
{
  begin_chain();
  program_do("sed 's/^system:$/    constraints: [[1, 2, 1.5], [1, 4, 3]]\\nsystem:/' chain.yaml >more.yaml; "
             "mv more.yaml "
             "chain.yaml");
  refused("[{atoms: [A, D], method: none}]", "without a term");
  program_runs("check run.yaml --set geometry.constrain=none --set \"geometry.keep=[{atoms: [A, B], "
               "method: none}]\"");
  program_says("with 1 constraints");
}
