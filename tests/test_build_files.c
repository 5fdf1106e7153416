/* holonom build of molecules of files: the box runs, has the density and the molecules that were asked for,
 * whole and apart; the joined file has the forces of its parts; what does not go together writes nothing. */
#include "io/trajectory.h"
#include "tests/made_molecules.h"
#include "tests/program.h"

static const char head[] = "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3, 0.1]}\nmolecules:\n";

static void write_xyz(const char *name, const Made *m, const char *const *element)
{
  FILE *file = program_create(name);
  fprintf(file, "%d\nmade\n", m->n);
  for (int i = 0; i < m->n; i++)
    fprintf(file, "%s %.10f %.10f %.10f\n", element[i], m->x[i][0], m->x[i][1], m->x[i][2]);
  ck_assert_int_eq(fclose(file), 0);
}

static const char *const methanol_elements[] = {"C", "O", "H", "H", "H", "H"};

/* methanol.yaml, without charges, and methanol.xyz. */
static void begin(void)
{
  static Made m;
  char text[TEXT + sizeof head];
  make_methanol(&m);
  snprintf(text, sizeof text, "%s%s", head, m.text);
  program_write("methanol.yaml", text);
  write_xyz("methanol.xyz", &m, methanol_elements);
}

static Frame read_frame(const char *name)
{
  char path[512];
  Frame frame = {0};
  Error error = {0};
  snprintf(path, sizeof path, "%s/%s", program_scratch, name);
  ck_assert_msg(trajectory_read_first(path, &frame, &error) == STATUS_OK, "%s", error.text);
  return frame;
}

/* The box of 60 methanols and 240 waters, as its file has it. */
enum { METHANOLS = 60, WATERS = 240, IN_METHANOL = 6 };

static double distance(const Frame *f, int i, int k, bool image)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++) {
    double r = f->positions[i][d] - f->positions[k][d];
    if (image)
      r -= f->cell[d][d] * rint(r / f->cell[d][d]);
    sum += r * r;
  }
  return sqrt(sum);
}

static int molecule_of(int atom)
{
  return atom < METHANOLS * IN_METHANOL ? atom / IN_METHANOL
                                        : METHANOLS + (atom - METHANOLS * IN_METHANOL) / 3;
}

/* Bonds as long as they are, without images: molecules are whole; others are no nearer than atoms of a
 * liquid. */
static void check_molecules(const Frame *f)
{
  static Made m;
  make_methanol(&m);
  for (int k = 0; k < METHANOLS; k++)
    for (int b = 0; b < m.nbond; b++) {
      const int i = m.bond[b][0], j = m.bond[b][1];
      const double r = distance(f, k * IN_METHANOL + i, k * IN_METHANOL + j, false);
      /* Bonds of hydrogens are kept, the other one swings by kT. */
      ck_assert_double_eq_tol(r, between(m.x[i], m.x[j]), methanol_elements[j][0] == 'H' ? 1e-3 : 0.2);
    }
  for (int k = 0; k < WATERS; k++) {
    const int o = METHANOLS * IN_METHANOL + 3 * k;
    ck_assert_double_eq_tol(distance(f, o, o + 1, false), 0.9572, 1e-6);
    ck_assert_double_eq_tol(distance(f, o + 1, o + 2, false), 1.5139, 1e-4);
  }
  for (int i = 0; i < f->natoms; i++)
    for (int k = 0; k < i; k++)
      if (molecule_of(i) != molecule_of(k))
        ck_assert_double_gt(distance(f, i, k, true), 1.2);
}

TEST(a_box_of_two_runs)
{
  begin();
  program_runs("build --molecules methanol.yaml=%d,tip3p=%d --density 0.9 --cutoff 8 --equilibrate 0.3 "
               "--quiet --threads 2 -o two.gro",
               METHANOLS, WATERS);
  program_says("molecules 60 methanol 240 tip3p");
  Frame f = read_frame("two.gro");
  ck_assert_int_eq(f.natoms, METHANOLS * IN_METHANOL + WATERS * 3);
  const double mass = METHANOLS * (12.011 + 15.9994 + 4 * 1.008) + WATERS * (15.9994 + 2 * 1.008);
  ck_assert_double_eq_tol(1.66053907 * mass / pow(f.cell[0][0], 3.0), 0.9, 1e-6);
  ck_assert_str_eq(f.residues[0], "metha");
  ck_assert_str_eq(f.symbols[0], "C");
  ck_assert_str_eq(f.residues[f.natoms - 1], "SOL");
  ck_assert_str_eq(f.symbols[f.natoms - 1], "HW2");
  program_do("tail -2 two.gro | grep -q '^  300SOL    HW2 1080 '");
  check_molecules(&f);
  frame_free(&f);
  /* Begins with its velocities, where the equilibration has ended. */
  const double minimum = program_number("minimised");
  ck_assert_double_lt(minimum, 0.0);
  program_runs("run two.yaml -o two --quiet --set \"integrator.time=0.2 ps\" --set output.report=false");
  ck_assert_double_eq_tol(program_summary("two", "temperature"), 298.15, 80.0);
  program_do("test ! -e holonom-*");
}

/* Threads and calls are not in the bytes; the seed is. Minimised only: at rest, and the input draws momenta.
 */
TEST(same_bytes_for_any_threads)
{
  static char first[1 << 20];
  static const char call[] =
      "build --molecules methanol.yaml=50,tip4p=100 --size 20 --equilibrate %s --cutoff 8 "
      "--quiet --force --threads %d --seed %d -o t.gro";
  begin();
  for (int k = 0; k < 2; k++) {
    program_runs(call, k == 0 ? "0" : "0.1", 1, 4);
    snprintf(first, sizeof first, "%s", program_read("t.gro"));
    program_do(k == 0 ? "grep -q 'initial: maxwell' t.yaml" : "grep -q 'initial: file' t.yaml");
    program_runs(call, k == 0 ? "0" : "0.1", 2, 4);
    ck_assert_str_eq(first, program_read("t.gro"));
    program_runs(call, k == 0 ? "0" : "0.1", 2, 5);
    ck_assert_str_ne(first, program_read("t.gro"));
  }
  /* Virtual sites are not placed; the run knows where they are. */
  Frame f = read_frame("t.gro");
  ck_assert_int_eq(f.natoms, 50 * 6 + 100 * 3);
  frame_free(&f);
  program_runs("run t.yaml -o t4 --quiet --force --set integrator.steps=5 --set output.report=false");
}

/* The program's own water as a file of molecules has the energy of the program's own. */
TEST(water_is_the_programs_own, .rows = 4)
{
  static const char *const name[] = {"tip3p", "tip4p", "spce", "tip4p2005"};
  program_runs("build --molecules %s=220 --density 1 --cutoff 8 --equilibrate 0 --quiet --force -o w.xyz",
               name[_i]);
  const double minimum = program_number("minimised"); /* with a mesh, which makes 3e-4 of the energy */
  program_runs("energy w.xyz --model %s --ewald --cutoff 8 --accuracy 1e-6", name[_i]);
  ck_assert_double_eq_tol(program_number("total") / 220, minimum, 5e-4 * fabs(minimum));
  program_runs("check w.yaml");
  ck_assert(strstr(program_output, "atom by atom") == NULL); /* the kernel for water */
}

/* What is wrong, beside which all is right; other.yaml has another rule, same.yaml the same type with other
 * numbers. */
static const struct {
  const char *call, *says;
} bad[] = {
    {"--molecules methanol.yaml=0 --density 1", "with a number above 0"},
    {"--molecules methanol.yaml=-3 --density 1", "with a number above 0"},
    {"--molecules methanol.yaml=1e3 --density 1", "with a number above 0"},
    {"--molecules methanol.yaml=99999999999 --density 1", "with a number above 0"},
    {"--molecules =5 --density 1", "is not FILE=NUMBER"},
    {"--molecules methanol.yaml=50, --density 1", "is not FILE=NUMBER"},
    {"--molecules methanol.yaml=300", "either --size or --density"},
    {"--molecules methanol.yaml=300 --size 30 --density 1", "not both"},
    {"--molecules methanol.yaml=300 --density 997", "outside 0.001 to 5"},
    {"--molecules methanol.yaml=300 --size 16 --cutoff 8", "molecules still overlap"},
    {"--molecules methanol.yaml=60 --size 17", "less than twice the cutoff"},
    {"--molecules methanol.yaml=300 --density 0.8 --model tip3p", "lists the whole box"},
    {"--molecules methanol.yaml=300 --density 0.8 --atoms argon=3", "lists the whole box"},
    {"--molecules 300 --model tip3p --coordinates methanol.xyz", "needs --molecules FILE=N"},
    {"--molecules none.yaml=300 --density 0.8", "none.yaml"},
    {"--molecules methanol.xyz=300 --density 0.8", "methanol.xyz"},
    {"--molecules .=300 --density 0.8", ", not a file"},
    {"--molecules methanol.yaml:ethanol=300 --density 0.8",
     "methanol.yaml has no molecule 'ethanol'; did you mean"},
    {"--molecules store.yaml=300 --density 0.8", "store.yaml has 2 molecules; choose one"},
    {"--molecules methanol.yaml=100,methanol.yaml=100 --density 0.8", "both molecules are called methanol"},
    {"--molecules methanol.yaml=100,store.yaml:methanol=100 --density 0.8",
     "both molecules are called methanol"},
    {"--molecules methanol.yaml=100,other.yaml=100 --density 0.8",
     "other.yaml has rule: lorentz-berthelot, and "
     "methanol.yaml rule: geometric"},
    {"--molecules methanol.yaml=100,same.yaml=100 --density 0.8", "same.yaml has other numbers for type C"},
    {"--molecules other.yaml=300 --density 0.8",
     "a file with the coordinates of one molecule is missing next to it"},
    {"--molecules methanol.yaml=300 --density 0.8 --coordinates none.gro", "none.gro"},
    {"--molecules methanol.yaml=300 --density 0.8 --coordinates methanol.yaml", "methanol.yaml"},
    {"--molecules methanol.yaml=300 --density 0.8 --coordinates atom.xyz",
     "atom.xyz has 1 atoms, but methanol has 6"},
    {"--molecules methanol.yaml=300 --density 0.8 --coordinates wrong.xyz",
     "atom 2 is 'H', where methanol has O"},
    {"--molecules methanol.yaml=300 --density 0.8 --coordinates flat.xyz", "are only 0 A apart"},
    {"--molecules methanol.yaml=300 --density 0.8 --coordinates methanol.xyz,methanol.xyz",
     "more files than"},
    {"--molecules methanol.yaml=300 --density 0.8 -o kept.gro", "kept.yaml exists"},
    {"--molecules methanol.yaml=300 --density 0.8 -o methanol.xyz --force", "methanol.xyz is an input"},
    {"--molecules methanol.yaml=300 --density 0.8 -o methanol.gro --force", "methanol.yaml is an input"},
    {"--molecules methanol.yaml=300 --density 0.8 -o no/such.gro", "No such file"},
};

static void write_bad(void)
{
  static const char atom[] = "format: holonom-molecules 1\nrule: %s\ntypes: {C: [%s, 0.1]}\nmolecules:\n"
                             "  %s: {atoms: [[C, C, %s, 12]]}\n%s";
  char text[512];
  snprintf(text, sizeof text, atom, "lorentz-berthelot", "3", "ball", "0", "");
  program_write("other.yaml", text);
  snprintf(text, sizeof text, atom, "geometric", "3.1", "ball", "0", "");
  program_write("same.yaml", text);
  snprintf(text, sizeof text, atom, "geometric", "3", "ball", "0", "  methanol: {atoms: [[C, C, 0, 12]]}\n");
  program_write("store.yaml", text);
  snprintf(text, sizeof text, atom, "geometric", "3", "ball", "1", "");
  program_write("ion.yaml", text);
  program_write("atom.xyz", "1\n\nC 0 0 0\n");
  program_write("ion.xyz", "1\n\nC 0 0 0\n");
  program_write("same.xyz", "1\n\nC 0 0 0\n");
  program_write("wrong.xyz", "6\n\nC 0 0 0\nH 1 0 0\nH 2 0 0\nH 3 0 0\nH 4 0 0\nO 5 0 0\n");
  program_write("flat.xyz", "6\n\nC 0 0 0\nO 0 0 0\nH 2 0 0\nH 3 0 0\nH 4 0 0\nH 5 0 0\n");
  program_write("kept.yaml", "mine");
}

TEST(bad_calls_write_nothing, .rows = sizeof bad / sizeof *bad)
{
  begin();
  write_bad();
  char before[TEXT + sizeof head];
  snprintf(before, sizeof before, "%s", program_read("methanol.yaml"));
  program_refuses(bad[_i].says, "build --quiet --equilibrate 0 %s", bad[_i].call);
  program_do("test -z \"$(ls -d box.* *.part no kept.gro kept.molecules.yaml methanol.gro 2>/dev/null)\"");
  ck_assert_str_eq(program_read("methanol.yaml"), before);
  ck_assert_str_eq(program_read("kept.yaml"), "mine");
}

/* A molecule by its name out of a store, beside that of another file; coordinates that are said. */
TEST(out_of_a_store)
{
  begin();
  write_bad();
  program_runs(
      "build --quiet --equilibrate 0 --molecules methanol.yaml=100,store.yaml:ball=150 --density 0.9 "
      "--cutoff 8 --coordinates methanol.xyz,atom.xyz --force -o mixed.gro");
  program_says("molecules 100 methanol 150 ball");
  program_runs("run mixed.yaml -o mixed --quiet --force --set integrator.steps=20 --set output.report=false");
}

/* A molecule far larger than its neighbours. */
TEST(large_among_small)
{
  static Made m;
  static const char *const element[] = {"H", "C", "H", "H", "C", "O", "N", "H", "C", "H", "C",
                                        "H", "H", "H", "C", "O", "N", "H", "C", "H", "H", "H"};
  char text[TEXT + sizeof head];
  make_dipeptide(&m);
  snprintf(text, sizeof text, "%s%s", head, m.text);
  program_write("dipeptide.yaml", text);
  write_xyz("dipeptide.xyz", &m, element);
  program_runs("build --molecules dipeptide.yaml=8,tip3p=300 --density 0.9 --cutoff 8 --equilibrate 0.2 "
               "--quiet --force -o large.gro");
}
