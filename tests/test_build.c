/* holonom build: the box in the file is the one that was asked for, at the temperature asked for, with the
 * energy that was printed; bad calls write nothing. */
#include "engine/units.h"
#include "io/trajectory.h"
#include "tests/program.h"
#include "tests/shorter.h"
#include "tests/structure_groups.h"

enum { SPECIES = 3 };
static const char *const species[SPECIES] = {"Na+", "Cl-", "Ar"};
static const double masses[1 + SPECIES][3] = {{15.9994, 1.008, 1.008}, {22.98977}, {35.453}, {39.948}};

static StructureGroups read_box(const char *name)
{
  char path[512];
  Frame frame = {0};
  StructureGroups s;
  Error error = {0};
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  ck_assert_msg(trajectory_read_first(path, &frame, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(structure_groups_find(&frame, path, SPECIES, species, &s, &error) == STATUS_OK, "%s",
                error.text);
  frame_free(&frame);
  return s;
}

static double density(const StructureGroups *s)
{
  double mass = 0.0;
  for (int g = 0; g <= SPECIES; g++)
    for (int k = 0; k < (g == 0 ? 3 : 1); k++)
      mass += s->found.nmol[g] * masses[g][k];
  return 1.66053907 * mass / box_volume(&s->box);
}

static double kinetic_temperature(const StructureGroups *s, int freedom)
{
  double twice = 0.0, net[3] = {0};
  for (int g = 0, at = 0; g <= SPECIES; g++)
    for (int i = 0; i < s->found.nmol[g] * (g == 0 ? 3 : 1); i++, at++)
      for (int d = 0; d < 3; d++) {
        const double m = masses[g][i % 3 * (g == 0)];
        const double v = s->v[3 * at + d] * UNITS_AKMA_FS * 1e-3;
        twice += m * v * v;
        net[d] += m * v;
      }
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(net[d], 0.0, 1e-4);
  return twice / (freedom * UNITS_BOLTZMANN);
}

static double closest_oxygens(const StructureGroups *s)
{
  double least = INFINITY, r[3];
  for (int i = 0; i < s->found.nmol[0]; i++)
    for (int j = 0; j < i; j++)
      least = fmin(least, box_distance(&s->box, s->x + 9 * i, s->x + 9 * j, r));
  return sqrt(least);
}

TEST(water_of_a_number, .rows = 2)
{
  static const char *const names[] = {"a.gro", "a.xyz"};
  program_runs("build --model TIP3P --molecules 216 --equilibrate 0.3 --quiet --out %s", names[_i]);
  StructureGroups s = read_box(names[_i]);
  ck_assert_int_eq(s.found.nmol[0], 216);
  ck_assert_double_eq_tol(density(&s), 0.982, 1e-6);
  ck_assert_double_eq_tol(program_number("density"), 0.982, 1e-6);
  ck_assert_double_eq_tol(program_number("box"), box_length(&s.box, 0), 1e-5);
  const int freedom = 6 * 216 - 3;
  ck_assert_double_eq_tol(kinetic_temperature(&s, freedom), 298.15, 4.0 * 298.15 * sqrt(2.0 / freedom));
  ck_assert_double_ge(closest_oxygens(&s), 2.3);
  static const char half[] = "mean of the second half: ";
  program_says(half);
  const double kelvin = atof(strstr(program_output, half) + strlen(half));
  ck_assert_double_eq_tol(kelvin, 298.15, 60.0); /* on the way there */
  structure_groups_free(&s);
}

/* Minimised only: the plain Ewald sum of the file is what was printed, but for the mesh, which at the usual
 * error of forces makes 3e-4 of the energy; and nothing moves. */
TEST(energy_of_the_file)
{
  program_runs("build --model spce --size 19,20,21.5 --equilibrate 0 --quiet --out m.gro");
  const double minimum = program_number("minimised");
  StructureGroups s = read_box("m.gro");
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(box_length(&s.box, d), d == 0 ? 19.0 : d == 1 ? 20.0 : 21.5, 1e-6);
  ck_assert_int_eq(s.found.nmol[0], 273);
  for (int i = 0; i < 9 * 273; i++)
    ck_assert_double_eq(s.v[i], 0.0);
  structure_groups_free(&s);
  program_runs("energy m.gro --model spce --ewald --accuracy 1e-6");
  ck_assert_double_eq_tol(program_number("total") / 273, minimum, 5e-4 * fabs(minimum));
}

TEST(salt_water)
{
  program_runs("build --model tip3p --molecules 300 --atoms Na+=6,Cl-=6 --equilibrate 0.2 --quiet "
               "--out salt.gro --density 1.02");
  program_says("300 tip3p 6 Na+ 6 Cl-");
  StructureGroups s = read_box("salt.gro");
  ck_assert_int_eq(s.found.nmol[0], 300);
  ck_assert_int_eq(s.found.nmol[1], 6);
  ck_assert_int_eq(s.found.nmol[2], 6);
  ck_assert_double_eq_tol(density(&s), 1.02, 1e-6);
  const int freedom = 6 * 300 + 3 * 12 - 3;
  ck_assert_double_eq_tol(kinetic_temperature(&s, freedom), 298.15, 4.0 * 298.15 * sqrt(2.0 / freedom));
  structure_groups_free(&s);
}

TEST(argon)
{
  program_runs("build --atoms argon=400 --density 1.374 --temperature 94.4 --equilibrate 0.5 --quiet "
               "--out argon.xyz --cutoff 8.5");
  StructureGroups s = read_box("argon.xyz");
  ck_assert_int_eq(s.found.nmol[0], 0);
  ck_assert_int_eq(s.found.nmol[3], 400);
  ck_assert_double_eq_tol(density(&s), 1.374, 1e-4);
  ck_assert_double_eq_tol(kinetic_temperature(&s, 1197), 94.4, 4.0 * 94.4 * sqrt(2.0 / 1197));
  structure_groups_free(&s);
}

/* The file has the box and the density that are printed, more of it at more pressure, and momenta that fit.
 */
TEST(at_a_pressure)
{
  static const char *const pressure[] = {"-20MPa", "'1 kbar'"};
  double found[2];
  for (int i = 0; i < 2; i++) {
    program_runs("build --atoms argon=216 --density 1.374 --temperature 94.4 --pressure %s "
                 "--equilibrate 3 --cutoff 7 --quiet --force --out pressed.xyz",
                 pressure[i]);
    StructureGroups s = read_box("pressed.xyz");
    found[i] = density(&s);
    ck_assert_double_eq_tol(program_number("density"), found[i], 1e-4);
    ck_assert_double_eq_tol(program_number("box"), box_length(&s.box, 0), 1e-5);
    ck_assert_double_eq_tol(kinetic_temperature(&s, 645), 94.4, 4.0 * 94.4 * sqrt(2.0 / 645));
    structure_groups_free(&s);
  }
  ck_assert_double_lt(found[0], 1.36);
  ck_assert_double_gt(found[1], 1.42);
}

/* Too few steps for quarters of them to have densities. */
TEST(at_a_pressure_for_a_moment)
{
  program_runs("build --atoms argon=64 --density 1.374 --temperature 94.4 --pressure 1bar "
               "--equilibrate 0.1 --cutoff 5 --quiet --force --out moment.xyz");
  program_says("too few steps to judge");
  ck_assert_ptr_null(strstr(program_output, "nan"));
}

/* A gas at a liquid's pressure has no end of growing. */
TEST(what_boils_is_not_built)
{
  ck_assert_int_eq(program_call("build --atoms argon=216 --density 1.374 --temperature 300 --pressure 1bar "
                                "--equilibrate 20 --cutoff 7 --quiet --out gas.gro"),
                   3);
  program_says("it boils");
  ck_assert(!program_exists("gas.gro"));
  ck_assert(!program_exists("gas.gro.holonom.part"));
}

/* Of a number, and of a distance of images: these boxes, full of water. */
TEST(shapes, .rows = 2)
{
  static const char *const name[] = {"octahedron", "dodecahedron"};
  const BoxShape shape = _i == 0 ? BOX_OCTAHEDRON : BOX_DODECAHEDRON;
  for (int k = 0; k < 2; k++) {
    program_runs("build --model tip3p --shape %s --equilibrate 0.1 --cutoff 7 --quiet --force "
                 "--out shape.gro %s",
                 name[_i], k == 0 ? "--molecules 230" : "--size 20.5");
    StructureGroups s = read_box("shape.gro");
    const Box box = k == 0 ? box_of_volume(shape, box_volume(&s.box)) : box_of_shape(shape, 20.5);
    ck_assert(box_alike(&s.box, &box, 1e-7));
    ck_assert(k == 1 || s.found.nmol[0] == 230);
    ck_assert_double_eq_tol(density(&s), 0.982, k == 0 ? 1e-6 : 3e-3);
    ck_assert_double_ge(closest_oxygens(&s), 2.3);
    structure_groups_free(&s);
  }
}

TEST(same_bytes_for_any_threads, .rows = 2)
{
  static char first[1 << 20];
  const char *const call =
      _i == 0
          ? "build --model tip3p --molecules 250 --equilibrate 0.1 --quiet --force --threads %d --seed %d "
            "--out t.xyz"
          : "build --model tip3p --molecules 100 --cutoff 6 --pressure 1 --equilibrate 0.1 --quiet --force "
            "--threads %d --seed %d --out t.xyz";
  program_runs(call, 1, 4);
  strcpy(first, program_read("t.xyz"));
  program_runs(call, 3, 4);
  ck_assert_str_eq(first, program_read("t.xyz"));
  if (SHORT)
    return;
  program_runs(call, 3, 5);
  ck_assert_str_ne(first, program_read("t.xyz"));
}

static const struct {
  const char *call, *says;
} bad[] = {
    {"--model tip3p --size 17", "less than twice the cutoff"},
    {"--model tip3p --molecules 100", "less than twice the cutoff"},
    {"--model tip3p --size 30,30,12 --cutoff 6.5", "twice the cutoff"},
    {"--model tip3p --molecules 500 --density 997", "g/cm3"},
    {"--model tip3p --size 30 --density 4.5", "too small: molecules would be only"},
    {"--model tip3p --size 30 --density 1e-5", "g/cm3"},
    {"--model tip3p --molecules 500 --atoms Na+=3,Zz=2", "unknown species 'Zz' for tip3p; known: Li+"},
    {"--model tip3p --molecules 500 --atoms Na+=3,Na+=2", "twice"},
    {"--model tip3p --molecules 500 --atoms Na+", "NAME=NUMBER"},
    {"--model tip3p --molecules 500 --atoms Na+=0", "NAME=NUMBER"},
    {"--model tip9 --molecules 500", "unknown water model 'tip9'; did you mean"},
    {"--model tip3p", "--molecules or --size is missing"},
    {"--molecules 500", "--molecules needs a --model"},
    {"--size 40", "give a --model"},
    {"--atoms argon=500", "needs either --size or --density"},
    {"--atoms argon=500 --size 40 --density 1", "not both"},
    {"--model tip3p --molecules 500 --size 40 --density 1", "two of them determine the third"},
    {"--model tip3p --molecules 500 --out box.dcd", ".gro, .xyz, .h5md or .pdb"},
    {"--model tip3p --molecules 500 --out no/such/box.gro", "No such file"},
    {"--model tip3p --molecules -500", "--molecules -500"},
    {"--model tip3p --molecules 1e3", "--molecules 1e3"},
    {"--model tip3p --size 40,40", "--size 40,40"},
    {"--model tip3p --size nan", "--size nan"},
    {"--model tip3p --size -40", "--size -40"},
    {"--model tip3p --size 40,40,40,40", "--size"},
    {"--model tip3p --size 40 --temperature 0", "--temperature 0"},
    {"--model tip3p --size 40 --equilibrate -1", "--equilibrate -1"},
    {"--model tip3p --size 40 --density no", "--density no"},
    {"--model tip3p --size 40 --pressure no", "a pressure is required, in bar"},
    {"--model tip3p --size 40 --pressure '1 psi'", "a pressure is required, in bar"},
    {"--model tip3p --size 40 --pressure inf", "a pressure is required, in bar"},
    {"--model tip3p --size 40 --pressure 1 --equilibrate 0", "needs an equilibration"},
    {"--model tip3p --size 40 --speed 3", "unknown option"},
    {"--model tip3p --size 40 here.gro", "options only"},
    {"--model tip3p --size 4e9", "a box of 4e+09 x 4e+09 x 4e+09 A: 2.1"},
    {"--model tip3p --size 2000", "molecules are too many; a system may have at most 50000000"},
};

TEST(bad_calls_write_nothing, .rows = sizeof bad / sizeof *bad)
{
  program_refuses(bad[_i].says, "build --quiet %s", bad[_i].call);
  ck_assert(!program_exists("box.gro"));
  ck_assert(!program_exists("box.gro.holonom.part"));
}

/* A uniform background neutralises ions without counter ions; a line says so. */
TEST(net_charges_are_told)
{
  program_runs("build --model tip3p --molecules 220 --atoms Na+=3,Cl-=1 --equilibrate 0 "
               "--out charged.gro");
  program_says("warning: the box has a net charge of +2 e");
}

TEST(files_are_kept)
{
  program_write("mine.gro", "mine");
  program_refuses("--force", "build --quiet --model tip3p --molecules 216 --out mine.gro");
  ck_assert_str_eq(program_read("mine.gro"), "mine");
  program_runs("build --quiet --model tip3p --molecules 216 --equilibrate 0 --out mine.gro --force");
  StructureGroups s = read_box("mine.gro");
  ck_assert_int_eq(s.found.nmol[0], 216);
  structure_groups_free(&s);
  ck_assert(!program_exists("mine.gro.holonom.part"));
}
