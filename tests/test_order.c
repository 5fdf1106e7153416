/* The order of molecules in a file, and the order in which it describes them, have no part in what is
 * computed: trajectories, energies and restarts are equal to the bit, atom by atom. */
#include "tests/chain_of_four.h"
#include "tests/program.h"

enum { WATER, METHANOL, BUTANE, ION, SORTS, ROWS = 8, SIDE = 4, MOLECULES = SIDE * SIDE * SIDE };

/* Butane and methanol share CH3; of methanols and ions there are equally many. */
static const int copies[SORTS] = {46, 6, 6, 6};
static const int first[SORTS] = {0, 46, 52, 58}; /* where on the lattice each sort begins */

static const char methanol_text[] =
    "  methanol:\n    atoms:\n      - [C, C, 0.145, 12.011]\n      - [O, O, -0.683, 15.9994]\n"
    "      - [HO, H, 0.418, 1.008]\n      - [H1, H, 0.04, 1.008]\n      - [H2, H, 0.04, 1.008]\n"
    "      - [H3, H, 0.04, 1.008]\n    terms:\n      bond:\n        - [1, 2, 1.41, 640]\n"
    "        - [2, 3, 0.945, 1106]\n        - [1, 4, 1.090, 600]\n        - [1, 5, 1.090, 600]\n"
    "        - [1, 6, 1.090, 600]\n      angle:\n        - [1, 2, 3, 108.5, 110]\n"
    "        - [2, 1, 4, 109.5, 70]\n        - [2, 1, 5, 109.5, 70]\n        - [2, 1, 6, 109.5, 70]\n"
    "        - [4, 1, 5, 109.5, 70]\n        - [4, 1, 6, 109.5, 70]\n        - [5, 1, 6, 109.5, 70]\n"
    "      torsion:\n        - [3, 2, 1, 4, 0, 0.225, 3]\n    exclude: 3\n";
static const char water_text[] =
    "  SOL:\n    atoms:\n      - [OW, OW, -0.834, 15.9994]\n      - [HW1, HW, 0.417, 1.008]\n"
    "      - [HW2, HW, 0.417, 1.008]\n    constraints:\n      - [1, 2, 0.9572]\n      - [1, 3, 0.9572]\n"
    "      - [2, 3, 1.5139006545273224]\n";
static const char ion_text[] = "  ion:\n    atoms:\n      - [NA, O, 0, 22.99]\n";

static Made made[SORTS];
static const char *name[SORTS][ATOMS];

static void make_sorts(void)
{
  static const char *const water[] = {"OW", "HW1", "HW2"}, *const methanol[] = {"C",  "O",  "HO",
                                                                                "H1", "H2", "H3"};
  static const Place place[] = {{"O", 0, 0, 0, 0, 0, 0},
                                {"H", 0, 0, 0, 0.9572, 0, 0},
                                {"H", 0, 1, 0, 0.9572, 104.52, 0}},
                     ion[] = {{"NA", 0, 0, 0, 0, 0, 0}};
  make(&made[WATER], "SOL", 3, place, NULL);
  make_methanol(&made[METHANOL]);
  make_butane(&made[BUTANE]);
  make(&made[ION], "ion", 1, ion, NULL);
  for (int i = 0; i < 14; i++) {
    name[WATER][i] = i < 3 ? water[i] : "";
    name[METHANOL][i] = i < 6 ? methanol[i] : "";
    name[BUTANE][i] = i < 4 ? (const char *const[]){"C1", "C2", "C3", "C4"}[i] : "H";
    name[ION][i] = "NA";
  }
}

/* Some molecules of a sort, beside each other in a file. */
typedef struct Row {
  int sort, n;
} Row;

/* The order of the descriptions, and of molecules. */
typedef struct Order {
  int text[SORTS];
  Row row[ROWS];
} Order;

static const Order order[] = {
    {{WATER, METHANOL, BUTANE, ION}, {{WATER, 46}, {METHANOL, 6}, {BUTANE, 6}, {ION, 6}}},
    {{ION, BUTANE, WATER, METHANOL}, {{BUTANE, 6}, {ION, 6}, {METHANOL, 6}, {WATER, 46}}},
    {{BUTANE, WATER, ION, METHANOL},
     {{METHANOL, 2}, {WATER, 17}, {BUTANE, 5}, {ION, 6}, {METHANOL, 4}, {WATER, 29}, {BUTANE, 1}}},
};
enum { ORDERS = sizeof order / sizeof *order };

static void write_order(int k)
{
  static const char *atom[14 * MOLECULES];
  static double x[14 * MOLECULES][3];
  const char *const text[SORTS] = {water_text, methanol_text, made[BUTANE].text, ion_text};
  static const char *const called[SORTS] = {"SOL", "methanol", "butane", "ion"};
  char path[32];
  snprintf(path, sizeof path, "molecules%d.yaml", k);
  FILE *file = program_create(path);
  fprintf(file,
          "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
          "types: {OW: {c12: 582000, c6: 595}, HW: [0, 0], C: [3.4, 0.08], O: [3.1, 0.17], H: [2.4, 0.02]}\n"
          "molecules:\n");
  for (int i = 0; i < SORTS; i++)
    fputs(text[order[k].text[i]], file);
  fprintf(file, "system:\n");
  int n = 0, taken[SORTS] = {0};
  for (const Row *row = order[k].row; row < order[k].row + ROWS && row->n > 0; row++) {
    fprintf(file, "  - [%s, %d]\n", called[row->sort], row->n);
    for (int i = 0; i < row->n; i++) {
      const int at = first[row->sort] + taken[row->sort]++, cell = at * 29 % MOLECULES;
      const double edge[3] = {cell % SIDE, cell / SIDE % SIDE, cell / (SIDE * SIDE)};
      for (int a = 0; a < made[row->sort].n; a++, n++) {
        atom[n] = name[row->sort][a];
        for (int d = 0; d < 3; d++)
          x[n][d] = 7.5 * edge[d] + 0.5 + made[row->sort].x[a][d];
      }
    }
  }
  ck_assert_int_eq(fclose(file), 0);
  snprintf(path, sizeof path, "boxed%d.gro", k);
  write_gro(path, n, atom, "ALL", (const double(*)[3])x, 30.0);
  snprintf(path, sizeof path, "open%d.gro", k);
  write_gro(path, n, atom, "ALL", (const double(*)[3])x, 0.0);
}

/* The lines of molecule `at` of a sort in a frame of an order, text after two lines. */
static const char *lines_of(const char *text, int k, int sort, int at)
{
  int skip = 2;
  for (const Row *row = order[k].row; row->sort != sort || at >= row->n; row++) {
    skip += row->n * made[row->sort].n;
    at -= row->sort == sort ? row->n : 0;
  }
  for (skip += at * made[sort].n; skip > 0; skip--)
    text = strchr(text, '\n') + 1;
  return text;
}

/* Last positions, molecule by molecule. */
static void same_atoms(const char *how, int k)
{
  char path[64];
  snprintf(path, sizeof path, "%s0/final.xyz", how);
  char *const one = strdup(program_read(path));
  snprintf(path, sizeof path, "%s%d/final.xyz", how, k);
  const char *const other = program_read(path);
  for (int s = 0; s < SORTS; s++)
    for (int i = 0; i < copies[s]; i++) {
      const char *a = lines_of(one, 0, s, i), *b = lines_of(other, k, s, i);
      for (int line = 0; line < made[s].n; line++) {
        const size_t n = strcspn(a, "\n");
        ck_assert_msg(n > 20 && strncmp(a, b, n + 1) == 0, "%s %d: %.*s and %.*s", path, i, (int)n, a, (int)n,
                      b);
        a += n + 1;
        b += n + 1;
      }
    }
  free(one);
}

static void run_orders(const char *how, const char *settings, const char *more)
{
  make_sorts();
  for (int k = 0; k < ORDERS; k++) {
    char path[32];
    write_order(k);
    snprintf(path, sizeof path, "%s%d.yaml", how, k);
    FILE *file = program_create(path);
    fprintf(file,
            "system: {topology: molecules%d.yaml, file: %s%d.gro%s}\n%s"
            "output: {report: false, progress: false, thermo_every: 10%s}\n",
            k, *how == 'o' ? "open" : "boxed", k, *how == 'o' ? "" : ", box: file, start: file", settings,
            more);
    ck_assert_int_eq(fclose(file), 0);
    program_runs("run %s -o %s%d --force", path, how, k);
    if (k > 0)
      same_atoms(how, k);
  }
  /* Where sorts are cut into rows, as in the last order, sums over their atoms differ by rounding. */
  char one[32], other[32];
  snprintf(one, sizeof one, "%s0", how);
  snprintf(other, sizeof other, "%s1", how);
  program_same(one, other, "thermo.csv");
}

/* In single and in double precision; what a run keeps of rigid molecules, and of penalties. */
TEST(boxes, .rows = 3)
{
  static const char *const how[] = {"", "precision: double\n", "geometry: {method: penalty, w: 15}\n"};
  char settings[512];
  snprintf(settings, sizeof settings,
           "forces: {cutoff: 9 A}\nintegrator: {timestep: %s fs, steps: 60}\n"
           "thermostat: {temperature: 300 K, friction: 1/ps}\n%s",
           _i == 2 ? "0.5" : "1", how[_i]);
  run_orders("box", settings, "");
}

/* The box changes by energies and by the virial. */
TEST(pressure)
{
  run_orders("box",
             "forces: {cutoff: 9 A}\nintegrator: {timestep: 1 fs, steps: 60}\n"
             "barostat: {type: rescale, pressure: 1 bar, every: 5}\n"
             "thermostat: {temperature: 300 K, friction: 1/ps}\n",
             "");
}

TEST(open_space, .rows = 2)
{
  run_orders("open",
             _i == 0 ? "integrator: {timestep: 1 fs, steps: 60}\n"
                       "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                     : "integrator: {timestep: 1 fs, steps: 60}\nensemble: {replicas: 3}\n"
                       "thermostat: {temperature: 300 K, friction: 1/ps}\n",
             "");
}

/* A run that is cut goes on to the same bits, in whatever order. */
TEST(restarts)
{
  run_orders("box",
             "forces: {cutoff: 9 A}\nintegrator: {timestep: 1 fs, steps: 60}\n"
             "thermostat: {temperature: 300 K, friction: 1/ps}\n",
             "");
  program_runs("run box2.yaml -o cut --set integrator.steps=30");
  program_runs("run box2.yaml -o cut --resume");
  program_same("box2", "cut", "thermo.csv");
}
