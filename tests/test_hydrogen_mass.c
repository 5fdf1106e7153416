/* geometry.hydrogen_mass: mass moves along bonds and changes no energy. */
#include "io/molecules_file.h"
#include "tests/chain_of_four.h"
#include "topology/groups.h"
#include "topology/hydrogen_mass.h"

static const double heavy = 3.0;

/* A dipeptide with three atoms of water, and an ion of hydrogen. */
static const char others[] = "  water:\n    atoms:\n      - [OW, C, 0, 15.9994]\n      - [HW1, C, 0, 1.008]\n"
                             "      - [HW2, C, 0, 1.008]\n    constraints:\n      - [1, 2, 0.9572]\n"
                             "      - [1, 3, 0.9572]\n      - [2, 3, 1.5139]\n"
                             "  proton:\n    atoms:\n      - [H, C, 0, 1.008]\n";

static void write_file(const char *name, const Made *m, const char *more, const char *contents)
{
  FILE *file = program_create(name);
  fprintf(
      file,
      "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05]}\nmolecules:\n%s%ssystem:\n%s",
      m->text, more, contents);
  ck_assert_int_eq(fclose(file), 0);
}

static Molecules *read_file(const char *name)
{
  Molecules *all;
  Error error;
  char path[512];
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  ck_assert_msg(molecules_file_read(&all, path, &error) == STATUS_OK, "%s", error.text);
  return all;
}

static double mass_of_molecule(const Molecule *m)
{
  double sum = 0.0;
  for (int i = 0; i < m->natom; i++)
    sum += m->atom[i].mass;
  return sum;
}

/* The rule, atom by atom: a heavy atom loses what its hydrogens gain. */
static void follows_rule(const Molecule *before, const Molecule *after, bool changed)
{
  for (int i = 0; i < before->natom; i++) {
    const MoleculesAtom *was = &before->atom[i], *is = &after->atom[i];
    int hydrogens = 0;
    for (int b = 0; b < before->nbond; b++)
      for (int k = 0; k < 2; k++)
        hydrogens += before->bond[b].atom[k] == i && *before->atom[before->bond[b].atom[1 - k]].name == 'H';
    const bool hydrogen = *was->name == 'H';
    const double wanted = !changed ? was->mass : hydrogen ? heavy : was->mass - hydrogens * (heavy - 1.008);
    ck_assert_msg(fabs(is->mass - wanted) < 1e-12, "%s %s: %g, not %g", before->name, was->name, is->mass,
                  wanted);
    ck_assert_str_eq(groups_symbol(is), groups_symbol(was));
  }
  ck_assert_double_eq_tol(mass_of_molecule(before), mass_of_molecule(after), 1e-11);
}

TEST(mass_moves_along_bonds, .rows = 2)
{
  const bool water = _i == 1;
  Made m;
  HydrogenCount count;
  Error error;
  make_dipeptide(&m);
  write_file("all.yaml", &m, others, "  - [dipeptide, 2]\n  - [water, 3]\n  - [proton, 1]\n");
  Molecules *before = read_file("all.yaml"), *after = read_file("all.yaml");
  ck_assert_msg(hydrogen_mass_set(after, heavy, water, &count, &error) == STATUS_OK, "%s", error.text);
  follows_rule(&before->molecule[0], &after->molecule[0], true);
  if (water)
    ck_assert_double_eq_tol(after->molecule[1].atom[0].mass, 15.9994 - 2.0 * (heavy - 1.008), 1e-12);
  else
    follows_rule(&before->molecule[1], &after->molecule[1], false);
  ck_assert_double_eq(after->molecule[2].atom[0].mass, 1.008);
  ck_assert_int_eq(count.bonded, 2 * 12 + (water ? 6 : 0));
  ck_assert_int_eq(count.light, count.bonded);
  ck_assert_int_eq(count.water, water ? 0 : 6);
  ck_assert_int_eq(count.lone, 1);
  /* Setting it again changes nothing. */
  const double first = after->molecule[0].atom[1].mass;
  ck_assert_int_eq(hydrogen_mass_set(after, heavy, water, &count, &error), STATUS_OK);
  ck_assert_double_eq(after->molecule[0].atom[1].mass, first);
  ck_assert_int_eq(count.light, 0);
  molecules_free(before);
  molecules_free(after);
}

static void begin(const char *settings)
{
  static const char *const names[] = {"HH31", "CH3", "HH32", "HH33", "C",    "O",   "N", "H",
                                      "CA",   "HA",  "CB",   "HB1",  "HB2",  "HB3", "C", "O",
                                      "N",    "H",   "CH3",  "HH31", "HH32", "HH33"};
  Made m;
  make_dipeptide(&m);
  write_file("made.yaml", &m, "", "  - [dipeptide, 1]\n");
  write_gro("made.gro", m.n, names, "MOL", (const double(*)[3])m.x, 0.0);
  FILE *file = program_create("run.yaml");
  fprintf(file,
          "system: {topology: made.yaml, file: made.gro, minimise: true}\n%soutput: {report: false, "
          "progress: false}\n",
          settings);
  ck_assert_int_eq(fclose(file), 0);
}

#define WARM                                                                                                 \
  "geometry: {constrain: none}\nintegrator: {word: BAOAB, timestep: 0.5 fs, steps: 4000}\n"                  \
  "thermostat: {temperature: 300 K, friction: 20/ps}\nensemble: {replicas: 32}\n"

/* Energies of a start are the same to the last printed digit, and forces to rounding. Means of the potential
 * energy are equal within their errors, and momenta have the temperature. */
TEST(energies_do_not_depend_on_masses)
{
  begin(WARM);
  for (int k = 0; k < 2; k++)
    program_runs("energy run.yaml --forces %s --csv %s%s", k == 0 ? "light.xyz" : "heavy.xyz",
                 k == 0 ? "light.csv" : "heavy.csv",
                 k == 0 ? "" : " --set \"geometry.hydrogen_mass=3 g/mol\"");
  program_do("cmp light.csv heavy.csv");
  program_do("paste light.xyz heavy.xyz | awk 'NR > 2 {for (i = 5; i < 8; i++) if ($i - $(i + 7) > 1e-9 || "
             "$(i + 7) - $i > 1e-9 || NF != 14) exit 1}'");
  program_runs("run run.yaml -o light --quiet --set \"output.equilibration=0.5 ps\"");
  program_runs("run run.yaml -o heavy --quiet --set \"output.equilibration=0.5 ps\" --set "
               "\"geometry.hydrogen_mass=3 g/mol\"");
  const double light = program_summary("light", "potential"),
               light_err = program_summary("light", "potential_err"),
               other = program_summary("heavy", "potential"),
               other_err = program_summary("heavy", "potential_err"), off = hypot(light_err, other_err);
  ck_assert_double_lt(off, 1.0);
  ck_assert_msg(fabs(light - other) < 4.0 * off, "%g +- %g, %g +- %g", light, light_err, other, other_err);
  for (int k = 0; k < 2; k++) {
    const char *name = k == 0 ? "light" : "heavy";
    const double kelvin = program_summary(name, "temperature_unbiased"),
                 error = program_summary(name, "temperature_unbiased_err");
    ck_assert_double_eq(program_summary(name, "freedom"), 66.0);
    ck_assert_double_lt(error, 5.0);
    ck_assert_msg(fabs(kelvin - 300.0) < 4.0 * error, "%s: %g +- %g K", name, kelvin, error);
  }
  ck_assert_double_eq(program_summary("heavy", "hydrogen_mass"), 3.0);
  ck_assert_ptr_nonnull(strstr(program_read("heavy/holonom.log"), "12 hydrogens have 3 g/mol"));
  program_refuses("hydrogen_mass",
                  "run run.yaml -o light --resume --quiet --set \"geometry.hydrogen_mass=3 g/mol\"");
}

/* Longer steps: the proposal of check, which follows from lower temperatures of slow motions. */
TEST(check_proposes_it_for_long_steps)
{
  static const char proposal[] = "geometry.hydrogen_mass: 3 g/mol would slow the angles of 12 hydrogens";
  begin("integrator: {word: BAOAB, timestep: 4 fs, steps: 8}\n"
        "thermostat: {temperature: 300 K, friction: 20/ps}\n");
  program_runs("check run.yaml");
  program_says(proposal);
  static const char *const without[] = {"integrator.timestep=1 fs", "geometry.hydrogen_mass=3 g/mol"};
  for (int k = 0; k < 2; k++) {
    program_runs("check run.yaml --set \"%s\"", without[k]);
    ck_assert_ptr_null(strstr(program_output, proposal));
  }
  program_refuses("or slow hydrogens (geometry.hydrogen_mass: 3 g/mol)",
                  "check run.yaml --set geometry.constrain=none");
}

TEST(wrong_masses_are_named)
{
  begin(WARM);
  program_refuses("CH3 (2) would keep 3.035 g/mol, less than each of its hydrogens",
                  "check run.yaml --set \"geometry.hydrogen_mass=4 g/mol\"");
  program_refuses("geometry.hydrogen_mass", "check run.yaml --set \"geometry.hydrogen_mass=0.5 g/mol\"");
  program_refuses("geometry.hydrogen_mass", "check run.yaml --set \"geometry.hydrogen_mass=3 A\"");
  program_refuses("use geometry.hydrogen_mass", "check run.yaml --set integrator.mass_repartition_factor=3");
  /* A hydrogen between two oxygens, and waters alone. */
  Made none = {.text = ""};
  write_file(
      "made.yaml", &none,
      "  bridge:\n    atoms:\n      - [O1, C, 0, 16]\n      - [H, C, 0, 1.008]\n      - [O2, C, 0, 16]\n"
      "    terms:\n      bond:\n        - [1, 2, 1.1, 500]\n        - [2, 3, 1.1, 500]\n",
      "  - [bridge, 1]\n");
  program_refuses("molecule bridge: hydrogen H (2) is bonded to both O1 (1) and O2 (3)",
                  "check run.yaml --set \"geometry.hydrogen_mass=3 g/mol\"");
  write_file("made.yaml", &none, others, "  - [water, 2]\n");
  program_refuses("the only hydrogens are those of waters",
                  "check run.yaml --set \"geometry.hydrogen_mass=3 g/mol\"");
}

int main(void) { return program_main("hydrogen_mass"); }
