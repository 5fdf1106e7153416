/* What holonom import writes is what the program reads: every function type of tests/import_every.top, under
 * each combination rule. Skipped where no interpreter has numpy. */
#include "io/molecules_file.h"
#include "io/trajectory.h"
#include "tests/program.h"

enum { ATOMS = 12, COPIES = 2 };

/* Atoms of two molecules on spirals, virtual sites anywhere. */
static void write_start(void)
{
  static const char *const name[ATOMS] = {"A1", "A2", "B3", "C4",  "A5",  "B6",
                                          "C7", "V8", "V9", "V10", "V11", "V12"};
  FILE *file = program_create("every.gro");
  fprintf(file, "spirals\n%d\n", ATOMS * COPIES);
  for (int i = 0; i < ATOMS * COPIES; i++) {
    const int k = i % ATOMS;
    fprintf(file, "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", k < 5 ? 1 : 2, "RES", name[k], i + 1,
            1 + 0.14 * cos(2.0 * k), 1 + 0.14 * sin(2.0 * k) + 2 * (i / ATOMS), 1 + 0.1 * k);
  }
  fputs("5 5 5\n", file);
  ck_assert_int_eq(fclose(file), 0);
}

/* Tables that a function of one line fills: the square of the coordinate, or the cosine of a dihedral angle.
 */
static void write_tables(void)
{
  static const char *const name[] = {"table_b0.xvg", "table_a1.xvg", "table_d2.xvg"};
  for (int t = 0; t < 3; t++) {
    FILE *file = program_create(name[t]);
    for (int i = 0; i <= 72; i++) {
      const double x = t == 0 ? 0.05 * i : t == 1 ? 2.5 * i : 5.0 * i - 180.0, turn = M_PI / 180.0;
      fprintf(file, "%.6g %.12g %.12g\n", x, t < 2 ? x * x : cos(turn * x),
              t < 2 ? -2 * x : turn * sin(turn * x));
    }
    ck_assert_int_eq(fclose(file), 0);
  }
}

static int terms(const Molecule *m, const char *name)
{
  int n = 0;
  for (int t = 0; t < m->nterm; t++)
    n += strcmp(m->term[t].type->name, name) == 0;
  return n;
}

static bool excluded(const Molecule *m, int a, int b)
{
  bool found = false;
  for (int e = 0; e < m->nexclusion; e++)
    found = found || (m->exclusion[e].atom[0] == a - 1 && m->exclusion[e].atom[1] == b - 1);
  return found;
}

TEST(what_import_writes_is_read, .rows = 3)
{
  static const char *const define[] = {"RULE=1,POWERS", "RULE=2", "RULE=3"};
  static const struct {
    const char *name;
    int n;
  } wanted[] = {
      {"bond", 3},          {"bond-quartic", 1},      {"bond-morse", 1},       {"bond-polynomial", 1},
      {"angle", 2},         {"urey-bradley", 1},      {"angle-cosine", 1},     {"bond-bond", 3},
      {"angle-quartic", 1}, {"angle-restricted", 1},  {"torsion", 3},          {"improper", 2},
      {"pair-14", 5},       {"improper-periodic", 2}, {"torsion-ryckaert", 2}, {"distance-table", 2},
      {"angle-table", 1},   {"torsion-table", 1}};
  char path[512];
  Molecules *m;
  Error error;
  write_start();
  write_tables();
  program_does("$P import $HOLONOM_SOURCE/tests/import_every.top table_b0.xvg table_a1.xvg table_d2.xvg "
               "every.gro --define %s -o out%d",
               define[_i], _i);
  snprintf(path, sizeof path, "%s/out%d/molecules.yaml", program_scratch, _i);
  ck_assert_msg(molecules_file_read(&m, path, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(m->nmolecule, 1);
  ck_assert_int_eq(m->count[0].n, COPIES);
  const Molecule *a = &m->molecule[0];
  ck_assert_int_eq(a->natom, ATOMS);
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
    ck_assert_msg(terms(a, wanted[k].name) == wanted[k].n, "%d %s", terms(a, wanted[k].name), wanted[k].name);
  ck_assert_int_eq(a->nconstraint, 1);
  ck_assert_int_eq(a->nvirtual, 5);
  /* Two bonds apart, or in a list; but neither over the bond of function 6 nor over the constraint of
   * function 2. */
  ck_assert(excluded(a, 1, 3) && excluded(a, 5, 7) && excluded(a, 1, 6) && excluded(a, 2, 7) &&
            excluded(a, 3, 10));
  ck_assert(!excluded(a, 1, 7) && !excluded(a, 1, 4) && excluded(a, 2, 8) && !excluded(a, 8, 9));
  molecules_free(m);
}

int main(void)
{
  setenv("PYTHONDONTWRITEBYTECODE", "1", 1);     /* the package lies among the sources */
  if (SUITE_SANITIZED || program_lacks_import()) /* the interpreter has no sanitizer */
    return SUITE_SKIPPED;
  return program_main("import_read");
}
