/* `holonom energy --ewald`: the library's numbers from files of every kind, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/ewald.h"
#include "tests/program.h"
#include "tests/scenes_random.h"

enum { N = 64 };
static const Box box = {{13.0, 13.5, 14.25}};
static const EwaldOptions options = {.accuracy = 1e-10, .lj_cutoff = 6.0};

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
  return w->x[m][s][d] - box.length[d] * floor(w->x[m][s][d] / box.length[d]);
}

static void write_files(const Waters *w)
{
  FILE *xyz = program_create("box.xyz"), *gro = program_create("box.gro"), *pdb = program_create("box.pdb");
  fprintf(xyz, "%d\nLattice=\"%g 0 0 0 %g 0 0 0 %g\" pbc=\"T T T\" Properties=species:S:1:pos:R:3\n", 3 * N,
          box.length[0], box.length[1], box.length[2]);
  fprintf(gro, "water\n%d\n", 3 * N);
  fprintf(pdb, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1           1\n", box.length[0], box.length[1],
          box.length[2], 90.0, 90.0, 90.0);
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
  fprintf(gro, "%10.5f%10.5f%10.5f\n", box.length[0] / 10.0, box.length[1] / 10.0, box.length[2] / 10.0);
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

START_TEST(files_with_a_box)
{
  const char *model = _i % 2 ? "tip4p" : "tip3p";
  const Waters w = make_waters(model);
  write_files(&w);
  ck_assert_int_eq(program_call("energy %s --model %s --ewald --cutoff 6", files[_i / 2], model), 0);
  check_printed(&w.result);
}
END_TEST

/* The box of the call stands in for that of the file; forces are written as they are. */
START_TEST(box_of_the_call)
{
  const Waters w = make_waters("spce");
  write_files(&w);
  char *text = strdup(program_read("box.xyz"));
  memset(strstr(text, "Lattice"), 'x', 7);
  memset(strstr(text, "pbc"), 'x', 3);
  program_write("open.xyz", text);
  free(text);
  ck_assert_int_eq(program_call("energy open.xyz --model spce --ewald --cutoff 6"), 2);
  program_says("has no periodic box");
  ck_assert_int_eq(
      program_call("energy open.xyz --model spce --ewald --cutoff 6 --box 13,13.5,14.25 --forces "
                   "f.xyz --force"),
      0);
  check_printed(&w.result);
  const char *row = program_read("f.xyz");
  for (int i = 0; i < 2 + 3 * 5 + 1; i++) /* water 6, first hydrogen */
    row = strchr(row, '\n') + 1;
  double x[3], f[3];
  ck_assert_int_eq(sscanf(row, "H %lf %lf %lf %lf %lf %lf", &x[0], &x[1], &x[2], &f[0], &f[1], &f[2]), 6);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(f[d], w.f[5][1][d], 1e-8);
}
END_TEST

/* Without --ewald all is as before: all pairs, or the nearest images. */
START_TEST(without_ewald)
{
  const Waters w = make_waters("tip3p");
  write_files(&w);
  ck_assert_int_eq(program_call("energy box.xyz --model tip3p"), 0);
  const double open = program_number("total");
  ck_assert_int_eq(program_call("energy box.xyz --model tip3p --box 13,13.5,14.25"), 0);
  ck_assert_double_gt(fabs(program_number("total") - open), 1e-3);
  ck_assert_double_eq_tol(program_number("coulomb") + program_number("lj"), program_number("total"), 1e-9);
}
END_TEST

static const struct {
  const char *arguments, *says;
} wrong[] = {
    {"energy box.gro --model tip3p --ewald", "less than twice the Lennard-Jones cutoff of 9 A"},
    {"energy box.gro --model tip3p --ewald --cutoff 6.6 --box 13,13.5,14.25", "length x is 13 A"},
    {"energy box.gro --model tip3p --ewald --cutoff six", "--cutoff six"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --accuracy 1e-20", "accuracy"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --switch 6.5", "switched"},
    {"energy box.gro --model tip3p --ewald --cutoff 6 --switch 5 --shift", "exclude each other"},
    {"energy box.gro --model tip3p --cutoff 6", "--cutoff has a meaning with --ewald only"},
    {"energy two.xyz --model tip3p --ewald", "molecules 1 and 2 overlap"},
    {"energy skew.xyz --model tip3p --ewald", "not rectangular"},
};

START_TEST(wrong_calls_are_refused)
{
  const Waters w = make_waters("tip3p");
  write_files(&w);
  program_write("two.xyz", "6\nLattice=\"20 0 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\n"
                           "O 20.1 0 0.1\nH 20.1 0.95 0.1\nH 20.1 0 1.05\n");
  program_write("skew.xyz", "3\nLattice=\"20 0 0 1 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\n");
  ck_assert_msg(program_call("%s", wrong[_i].arguments) == 2, "%s: %s", wrong[_i].arguments, program_output);
  program_says(wrong[_i].says);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("energy");
  tcase_add_loop_test(tc, files_with_a_box, 0, 6);
  tcase_add_test(tc, box_of_the_call);
  tcase_add_test(tc, without_ewald);
  tcase_add_loop_test(tc, wrong_calls_are_refused, 0, sizeof wrong / sizeof *wrong);
  return program_main("energy", tc);
}
