/* `holonom energy`: the library's numbers from files of every kind, and what is refused. */
#include "engine/units.h"
#include "forcefields/ewald.h"
#include "forcefields/pair.h"
#include "tests/boxes.h"
#include "tests/ewald_water.h"
#include "tests/mixed_box.h"
#include "tests/pair_reference.h"
#include "tests/program.h"
#include "tests/scenes_random.h"
#include "tests/tables.h"

enum { N = 64 };
static const Box box = BOXES_BRICK(13.0, 13.5, 14.25);
static const EwaldOptions options = {.accuracy = 1e-10, .lj.cutoff = 6.0};

typedef struct Waters {
  double x[N][3][3], f[N][3][3];
  EwaldResult result;
} Waters;

static Waters make_waters(const char *model)
{
  Waters w;
  Kind *kind;
  ck_assert_int_eq(water_kind(water_find(model), 15.9994, 1.008, &kind, NULL), STATUS_OK);
  scenes_random(kind, N, 7, 0.02, &w.x[0][0][0]);
  for (int i = 0; i < 9 * N; i++) /* what a GRO file can hold */
    (&w.x[0][0][0])[i] = round(100.0 * (&w.x[0][0][0])[i]) / 100.0;
  ck_assert_int_eq(ewald_water_compute(water_find(model), kind, &box, &options, N, &w.x[0][0][0],
                                       &w.f[0][0][0], &w.result, NULL),
                   STATUS_OK);
  kind_free(kind);
  return w;
}

/* Atoms each in the box by itself, so that some molecules are torn. */
static double wrapped(const Waters *w, int m, int s, int d)
{
  return w->x[m][s][d] - box_length(&box, d) * floor(w->x[m][s][d] / box_length(&box, d));
}

static void write_files(const Waters *w)
{
  FILE *xyz = program_create("box.xyz"), *gro = program_create("box.gro"), *pdb = program_create("box.pdb");
  fprintf(xyz, "%d\nLattice=\"%g 0 0 0 %g 0 0 0 %g\" pbc=\"T T T\" Properties=species:S:1:pos:R:3\n", 3 * N,
          box_length(&box, 0), box_length(&box, 1), box_length(&box, 2));
  fprintf(gro, "water\n%d\n", 3 * N);
  fprintf(pdb, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1           1\n", box_length(&box, 0),
          box_length(&box, 1), box_length(&box, 2), 90.0, 90.0, 90.0);
  for (int m = 0; m < N; m++)
    for (int s = 0; s < 3; s++) {
      static const char *const names[3] = {"OW", "HW1", "HW2"};
      double x[3];
      for (int d = 0; d < 3; d++)
        x[d] = wrapped(w, m, s, d);
      fprintf(xyz, "%c %.15g %.15g %.15g\n", names[s][0], x[0], x[1], x[2]);
      fprintf(gro, "%5dSOL  %5s%5d%8.3f%8.3f%8.3f\n", m + 1, names[s], 3 * m + s + 1, x[0] / 10.0,
              x[1] / 10.0, x[2] / 10.0);
      fprintf(pdb, "ATOM  %5d %-4s SOL A%4d    %8.3f%8.3f%8.3f  1.00  0.00\n", 3 * m + s + 1, names[s], m + 1,
              x[0], x[1], x[2]);
    }
  fprintf(gro, "%10.5f%10.5f%10.5f\n", box_length(&box, 0) / 10.0, box_length(&box, 1) / 10.0,
          box_length(&box, 2) / 10.0);
  fputs("END\n", pdb);
  ck_assert(fclose(xyz) == 0 && fclose(gro) == 0 && fclose(pdb) == 0);
}

static void check_printed(const EwaldResult *result)
{
  double total = 0.0, trace = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++) {
    total += result->energy[t];
    if (t != EWALD_REAL_TAIL)
      ck_assert_double_eq_tol(program_number(ewald_terms[t]), result->energy[t],
                              1e-9 * fabs(result->energy[t]));
  }
  ck_assert_double_eq_tol(program_number("total"), total, 1e-8);
  for (int d = 0; d < 3; d++)
    trace += result->virial_molecule[d][d];
  ck_assert_double_eq_tol(program_number("pressure_molecule"), UNITS_BAR * trace / (3.0 * box_volume(&box)),
                          1e-5);
}

static const char *const files[] = {"box.xyz", "box.gro", "box.pdb"};

TEST(files_with_a_box, .rows = 6)
{
  const char *model = _i % 2 ? "tip4p" : "tip3p";
  const Waters w = make_waters(model);
  write_files(&w);
  program_runs("energy %s --model %s --ewald --cutoff 6", files[_i / 2], model);
  check_printed(&w.result);
}

/* The box of the call stands in for that of the file; forces are written as they are. */
TEST(box_of_the_call)
{
  const Waters w = make_waters("spce");
  write_files(&w);
  char *text = strdup(program_read("box.xyz"));
  memset(strstr(text, "Lattice"), 'x', 7);
  memset(strstr(text, "pbc"), 'x', 3);
  program_write("open.xyz", text);
  free(text);
  program_refuses("has no periodic box", "energy open.xyz --model spce --ewald --cutoff 6");
  program_runs("energy open.xyz --model spce --ewald --cutoff 6 --box 13,13.5,14.25 --forces "
               "f.xyz --force");
  check_printed(&w.result);
  const char *row = program_read("f.xyz");
  for (int i = 0; i < 2 + 3 * 5 + 1; i++) /* water 6, first hydrogen */
    row = strchr(row, '\n') + 1;
  double x[3], f[3];
  ck_assert_int_eq(sscanf(row, "H %lf %lf %lf %lf %lf %lf", &x[0], &x[1], &x[2], &f[0], &f[1], &f[2]), 6);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(f[d], w.f[5][1][d], 1e-8);
}

/* Without --ewald all is as before: all pairs, or the nearest images. */
TEST(without_ewald)
{
  const Waters w = make_waters("tip3p");
  write_files(&w);
  program_runs("energy box.xyz --model tip3p");
  const double open = program_number("total");
  program_runs("energy box.xyz --model tip3p --box 13,13.5,14.25");
  ck_assert_double_gt(fabs(program_number("total") - open), 1e-3);
  ck_assert_double_eq_tol(program_number("coulomb") + program_number("lj"), program_number("total"), 1e-9);
}

/* --- with ions and noble gases ----------------------------------------------------------------------------
 */

static const MixedCase salts[] = {
    {"spce", 52, {"Na+", "Cl-"}, 6, {16.0, 16.5, 17.0}},
    {"tip4p", 52, {"Cl-", "Na+"}, 6, {16.0, 16.5, 17.0}},
    {"tip3p", 40, {"argon", "xenon"}, 12, {16.0, 16.5, 17.0}},
};
enum { SALTS = sizeof salts / sizeof *salts };

/* Where the atoms of a box stand in its file: kinds by turns, the last first. */
typedef struct Row {
  int block, molecule, site, atom; /* atom: counted block by block */
} Row;

static int rows_of(const MixedBox *s, Row *row)
{
  int n = 0;
  for (int i = 0; i < 100; i++)
    for (int b = s->state->nblock; b-- > 0;)
      for (int k = 0; i < s->state->block[b].nlane && k < s->kind[b]->nsite; k++) {
        int atom = i * s->kind[b]->nsite + k;
        for (int c = 0; c < b; c++)
          atom += s->state->block[c].nlane * s->kind[c]->nsite;
        row[n++] = (Row){b, i, k, atom};
      }
  return n;
}

/* Atoms each in the box by itself, and of a fourth site beside each water nothing is to be seen; the first
 * atom of the file that is none of a water is moved by `by` along d. */
static void write_salt(const MixedBox *s, const char *name, int d, double by)
{
  Row row[256];
  const int n = rows_of(s, row);
  FILE *file = program_create(name);
  int waters = 0;
  for (int i = 0; i < n; i++)
    waters += row[i].block == 0 && row[i].site == 2;
  const Box *of = &s->state->box;
  fprintf(file, "%d\nLattice=\"%g 0 0 0 %g 0 0 0 %g\" pbc=\"T T T\"\n", n + waters, box_length(of, 0),
          box_length(of, 1), box_length(of, 2));
  for (int i = 0; i < n; i++) {
    double x[3];
    for (int e = 0; e < 3; e++) {
      const Block *block = &s->state->block[row[i].block];
      x[e] = ((const double *)block->q)[state_index(block, 1, row[i].molecule, 0, row[i].site, e)];
      x[e] -= box_length(of, e) * floor(x[e] / box_length(of, e));
    }
    x[d] += i == 0 ? by : 0.0;
    fprintf(file, "%s %.17g %.17g %.17g\n", s->kind[row[i].block]->site[row[i].site], x[0], x[1], x[2]);
    if (row[i].block == 0 && row[i].site == 2)
      fprintf(file, "M %.17g %.17g %.17g\n", x[0], x[1], x[2]);
  }
  ck_assert_int_eq(fclose(file), 0);
}

/* Row i of a file of forces. */
static void read_force(const char *name, int i, char symbol[8], double f[3])
{
  const char *at = program_read(name);
  for (int k = 0; k < i + 2; k++)
    at = strchr(at, '\n') + 1;
  double x[3];
  ck_assert_int_eq(
      sscanf(at, "%7s %lf %lf %lf %lf %lf %lf", symbol, &x[0], &x[1], &x[2], &f[0], &f[1], &f[2]), 7);
}

TEST(salt_as_in_the_library, .rows = SALTS)
{
  MixedBox s;
  mixed_box_make(&s, &salts[_i]);
  write_salt(&s, "salt.xyz", 0, 0.0);
  const bool force = _i % 2 == 1;
  const EwaldOptions switched = {.accuracy = 1e-10,
                                 .lj = {force ? TRUNCATION_FORCE_SWITCH : TRUNCATION_SWITCH, 7.0, 6.0}};
  EwaldResult result;
  double f[3 * 256];
  ck_assert_int_eq(ewald_alone(&s.particles, s.state, &switched, f, &result, NULL), STATUS_OK);
  program_runs("energy salt.xyz --model %s --ewald --cutoff 7 --%s 6 --forces f.xyz --force", salts[_i].water,
               force ? "force-switch" : "switch");
  double total = 0.0, atom = 0.0, molecule = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++) {
    total += result.energy[t];
    if (t != EWALD_REAL_TAIL)
      ck_assert_double_eq_tol(program_number(ewald_terms[t]), result.energy[t], 1e-8);
  }
  for (int d = 0; d < 3; d++) {
    atom += result.virial_atom[d][d];
    molecule += result.virial_molecule[d][d];
  }
  const double bar = UNITS_BAR / (3.0 * box_volume(&s.state->box));
  ck_assert_double_eq_tol(program_number("total"), total, 1e-8);
  ck_assert_double_eq_tol(program_number("pressure_molecule"), bar * molecule, 1e-5);
  ck_assert_double_eq_tol(program_number("pressure_atom"), bar * atom, 1e-5);
  Row row[256];
  const int n = rows_of(&s, row);
  ck_assert_int_eq(atoi(program_read("f.xyz")), n);
  for (int i = 0; i < n; i++) {
    char symbol[8];
    double read[3];
    read_force("f.xyz", i, symbol, read);
    ck_assert_str_eq(symbol, s.kind[row[i].block]->site[row[i].site]);
    for (int d = 0; d < 3; d++)
      ck_assert_double_eq_tol(read[d], f[3 * row[i].atom + d], 1e-8);
  }
  mixed_box_free(&s);
}

static double said_after(const char *words)
{
  const char *at = strstr(program_output, words);
  ck_assert_msg(at != NULL, "'%s' is missing in: %s", words, program_output);
  return strtod(at + strlen(words), NULL);
}

/* A run's first row, less the errors that `check --forces` finds in it, is the same. */
TEST(salt_as_in_a_run, .rows = SALTS)
{
  static const char *const column[] = {"lj", "lj_tail", "total", "pressure"};
  const char *water = salts[_i].water;
  MixedBox s;
  mixed_box_make(&s, &salts[_i]);
  write_salt(&s, "salt.xyz", 0, 0.0);
  FILE *input = program_create("run.yaml");
  fprintf(input,
          "system: {model: %s, start: file, file: salt.xyz, box: file}\ngeometry: {method: rattle}\n"
          "thermostat: {temperature: 298.15 K, friction: 1 1/ps, initial: zero}\n"
          "integrator: {timestep: 0.01 fs, steps: 1}\n"
          "forces: {cutoff: 7 A, accuracy: 0.0005}\noutput: {equilibration: 0}\n",
          water);
  ck_assert_int_eq(fclose(input), 0);
  program_runs("run run.yaml -o run --force --quiet");
  program_runs("check run.yaml --forces");
  const double error[] = {0.0, 0.0, said_after("error of the energy: "),
                          said_after("error of the pressure: ")};
  /* Lennard-Jones in mixed precision; errors are said to three digits. */
  const double tolerance[] = {1e-3, 1e-8, 1e-7 + 5e-3 * fabs(error[2]), 1e-5 + 5e-3 * fabs(error[3])};
  program_runs("energy salt.xyz --model %s --ewald --cutoff 7", water);
  const double printed[] = {program_number("lj"), program_number("lj_tail"), program_number("total"),
                            program_number("pressure_molecule")};
  ck_assert_double_lt(fabs(error[2]), 1e-4 * fabs(printed[2]));
  ck_assert_double_lt(fabs(error[3]), 1.0); /* bar */
  ResultTable *thermo = program_table("run/thermo.csv");
  for (int k = 0; k < 4; k++)
    ck_assert_double_eq_tol(printed[k], tables_cell(thermo, 0, column[k]) - error[k], tolerance[k]);
  results_free_table(thermo);
  mixed_box_free(&s);
}

/* The force on an atom that is none of a water is minus the slope of the energy, by every route. */
TEST(force_is_the_slope, .rows = 3 * SALTS)
{
  static const char *const route[] = {"--ewald --cutoff 7 --switch 6", "--box 16,16.5,17", ""};
  const char *arguments = route[_i % 3];
  const MixedCase *c = &salts[_i / 3];
  const double h = 1e-4;
  MixedBox s;
  mixed_box_make(&s, c);
  write_salt(&s, "salt.xyz", 0, 0.0);
  program_runs("energy salt.xyz --model %s %s --forces f.xyz --force", c->water, arguments);
  char symbol[8];
  double f[3];
  read_force("f.xyz", 0, symbol, f);
  ck_assert_str_eq(symbol, s.kind[2]->site[0]);
  for (int d = 0; d < 3; d++) {
    double energy[2];
    for (int k = 0; k < 2; k++) {
      write_salt(&s, "moved.xyz", d, k ? h : -h);
      program_runs("energy moved.xyz --model %s %s", c->water, arguments);
      energy[k] = program_number("total");
    }
    ck_assert_double_eq_tol(-(energy[1] - energy[0]) / (2.0 * h), f[d], 1e-5 * (1.0 + fabs(f[d])));
  }
  mixed_box_free(&s);
}

/* Rock salt without water has the energy of Madelung's constant and no force. */
TEST(rock_salt)
{
  enum { ROW = 6 };
  static const double apart = 2.82, madelung = 1.747564594633;
  FILE *file = program_create("rock.xyz");
  fprintf(file, "%d\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\"\n", ROW * ROW * ROW, ROW * apart, ROW * apart,
          ROW * apart);
  for (int i = 0; i < ROW * ROW * ROW; i++) {
    const int x = i % ROW, y = i / ROW % ROW, z = i / ROW / ROW;
    fprintf(file, "%s %.17g %.17g %.17g\n", (x + y + z) % 2 ? "Na" : "Cl", apart * x, apart * y, apart * z);
  }
  ck_assert_int_eq(fclose(file), 0);
  double lj[3];
  static const char *const water[] = {"", "--model tip3p", "--model spce"};
  for (int k = 0; k < 3; k++) {
    program_runs("energy rock.xyz %s --ewald --cutoff 8 --forces f.xyz --force", water[k]);
    const double found = program_number("real") + program_number("reciprocal") + program_number("self");
    ck_assert_double_eq_tol(found, -madelung * UNITS_COULOMB / apart * (0.5 * ROW * ROW * ROW), 1e-6);
    lj[k] = program_number("lj");
    char symbol[8];
    double f[3];
    read_force("f.xyz", 1, symbol, f);
    ck_assert_str_eq(symbol, "Na");
    for (int d = 0; d < 3; d++)
      ck_assert_double_eq_tol(f[d], 0.0, 1e-7);
  }
  for (int k = 0; k < 3; k++) /* ions have a row for each water */
    ck_assert_double_gt(fabs(lj[k] - lj[(k + 1) % 3]), 1.0);
}

/* An input may name a model without water. */
TEST(ions_of_a_model_by_an_input, .rows = 2)
{
  static const char *const model[] = {"tip3p", "spce"};
  program_write("pair.xyz", "2\n\nNa 0 0 0\nCl 2.5 0 0\n");
  FILE *file = program_create("pair.yaml");
  fprintf(file,
          "system: {model: %s, molecules: 0, atoms: {Na+: 1, Cl-: 1}%s}\nthermostat: {type: none, initial: "
          "zero}\nintegrator: {word: BAB, timestep: 1 fs, steps: 1}\ngeometry: {method: none}\n",
          model[_i], ", start: file, file: pair.xyz");
  ck_assert_int_eq(fclose(file), 0);
  program_runs("energy pair.xyz --model %s", model[_i]);
  const double total = program_number("total"), lj = program_number("lj");
  program_runs("energy pair.yaml");
  ck_assert_double_eq_tol(program_number("potential"), total, 1e-12 * fabs(total));
  program_runs("energy pair.xyz --model %s", model[1 - _i]);
  ck_assert_double_gt(fabs(program_number("lj") - lj), 0.1);
}

TEST(argon_alone)
{
  const AtomModel *argon = atom_model_find("argon", NULL);
  const double r = 3.8, s6 = pow(argon->sigma / r, 6.0), pair = 4.0 * argon->epsilon * (s6 * s6 - s6);
  program_write("argon.xyz", "2\nLattice=\"20 0 0 0 20 0 0 0 20\"\nAr 1 2 3\nAr 17.2 2 3\n");
  program_runs("energy argon.xyz --ewald");
  ck_assert_double_eq_tol(program_number("lj"), pair, 1e-12);
  ck_assert_double_eq_tol(program_number("real") + program_number("reciprocal") + program_number("self"), 0.0,
                          1e-12);
  program_runs("energy argon.xyz --box 20,20,20");
  ck_assert_double_eq_tol(program_number("lj"), pair, 1e-12);
  ck_assert_double_eq(program_number("coulomb"), 0.0);
  program_write("far.xyz", "2\n\nAr 1 2 3\nAr -5 -18 32.284271247461902\n"); /* by c - a - b and 3.8 A */
  program_runs("energy far.xyz --box '20 A, 0,0, 0,2 nm,0, 10.2,0,29.284271247461902'");
  ck_assert_double_eq_tol(program_number("lj"), pair, 1e-12);
  program_runs("energy argon.xyz"); /* 16.2 A apart */
  ck_assert_double_lt(fabs(program_number("lj")), 1e-3);
}

/* Water alone is what it is without them: the digits are those of the library. */
TEST(water_alone, .rows = 2)
{
  const char *model = _i ? "tip4p" : "tip3p";
  const Waters w = make_waters(model);
  FILE *file = program_create("open.xyz");
  double part[PAIR_TERMS], energy[PAIR_TERMS] = {0.0};
  fprintf(file, "%d\n\n", 3 * N);
  for (int i = 0; i < 3 * N; i++)
    fprintf(file, "%c %.17g %.17g %.17g\n", i % 3 ? 'H' : 'O', w.x[i / 3][i % 3][0], w.x[i / 3][i % 3][1],
            w.x[i / 3][i % 3][2]);
  ck_assert_int_eq(fclose(file), 0);
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      double two[2][9];
      memcpy(two[0], w.x[i], sizeof two[0]);
      memcpy(two[1], w.x[j], sizeof two[1]);
      pair_reference(water_find(model), 2, two[0], NULL, part);
      for (int t = 0; t < PAIR_TERMS; t++)
        energy[t] += part[t];
    }
  program_runs("energy open.xyz --model %s", model);
  char text[256];
  snprintf(text, sizeof text, "coulomb %.15g\nlj %.15g\ntotal %.15g\n", energy[PAIR_COULOMB], energy[PAIR_LJ],
           energy[PAIR_COULOMB] + energy[PAIR_LJ]);
  ck_assert_str_eq(program_output, text);
}

static const struct {
  const char *arguments, *says;
} wrong[] = {
    {"energy box.gro --model tip3p --ewald", "less than twice the Lennard-Jones cutoff of 9 A"},
    {"energy box.gro --model tip3p --ewald --cutoff 6.6 --box 13,13.5,14.25", "length x is 13 A"},
    {"energy box.gro --model tip3p --ewald --cutoff six", "--cutoff six"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --accuracy 1e-20", "accuracy"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --switch 6.5", "switched"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --switch 5 --shift", "exclude each other"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --switch 5 --force-switch 5", "exclude each other"},
    {"energy box.gro --model tip3p --force-switch 5", "--force-switch needs --ewald"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --force-switch 6", "switched"},
    {"energy box.gro --model tip3p --cutoff 6", "--cutoff needs --ewald"},
    {"energy two.xyz --model tip3p --ewald", "molecules 1 and 2 overlap"},
    {"energy skew.xyz --model tip3p --ewald", "rotate"},
    {"energy ions.xyz --ewald", "ions.xyz contains water: give its --model"},
    {"energy ions.xyz --model tip4p --ewald",
     "'K+' has no parameters for tip4p; species with parameters: Na+, Cl-"},
    {"energy other.xyz --model tip4p --ewald", "atom 4 (line 6), 'Q' is neither in a water"},
    {"energy potash.xyz --ewald", "'K+' has no parameters without a water --model"},
    {"energy near.xyz --model spce --ewald",
     "atom 1 (K) of molecule 1 (K+) and atom 1 (Cl) of molecule 2 (Cl-) overlap"},
};

TEST(wrong_calls_are_refused, .rows = sizeof wrong / sizeof *wrong)
{
  const Waters w = make_waters("tip3p");
  write_files(&w);
  program_write("two.xyz", "6\nLattice=\"20 0 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\n"
                           "O 20.1 0 0.1\nH 20.1 0.95 0.1\nH 20.1 0 1.05\n");
  program_write("skew.xyz", "3\nLattice=\"20 1 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\n");
  program_write("ions.xyz",
                "4\nLattice=\"20 0 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\nK 5 5 5\n");
  program_write("other.xyz",
                "4\nLattice=\"20 0 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\nQ 5 5 5\n");
  program_write("potash.xyz", "2\nLattice=\"20 0 0 0 20 0 0 0 20\"\nCl 0 0 0\nK 5 5 5\n");
  program_write("near.xyz", "2\nLattice=\"20 0 0 0 20 0 0 0 20\"\nCl 0 0 0\nK 20.1 0 0\n");
  program_refuses(wrong[_i].says, "%s", wrong[_i].arguments);
}
