/* A host program with decimal commas: what the library writes and reads under its locale, to the byte what it
 * writes and reads under "C". Locales are made in a folder of their own. */
#include <dirent.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/stat.h>

#include "base/locale.h"
#include "cmd/compare.h"
#include "formula/expression.h"
#include "io/atom_name.h"
#include "results/results.h"
#include "simulation/simulation.h"
#include "tests/files.h"
#include "tests/tables.h"

static const char cluster[] =
    "title: small\n"
    "system: {model: tip3p, molecules: 4, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 1.5 fs, steps: 400}\n"
    "thermostat: {temperature: 50.5 K, friction: 4.5 1/ps}\n"
    "ensemble: {replicas: 8, threads: 1}\n"
    "output: {thermo_every: 20, rdf_every: 10, trajectory: [xyz], trajectory_every: 200, progress: false}\n";
static const char box[] =
    "system: {atoms: {argon: 200}, density: 1.2 g/cm3}\n"
    "geometry: {method: none}\n"
    "forces: {cutoff: 7.5 A}\n"
    "integrator: {word: BAOAB, timestep: 2.5 fs, steps: 200}\n"
    "thermostat: {temperature: 120.5 K, friction: 1.5 1/ps}\n"
    "ensemble: {threads: 1}\n"
    "output: {thermo_every: 20, rdf_every: 10, msd_every: 10, vacf_every: 2, progress: false}\n";
static const char pendulum[] = "units: reduced\n"
                               "system:\n"
                               "  dimensions: 2\n"
                               "  constants: {L: 1.25, g: 9.81}\n"
                               "  sites: [{mass: 1.5, position: [L, 0]}]\n"
                               "  constraints: [{type: implicit, site: 1, formula: x^2 + y^2 - 1.25*L}]\n"
                               "  potentials: [{type: gravity, acceleration: [0, -g]}]\n"
                               "geometry: {method: shake}\n"
                               "integrator: {word: BAB, timestep: 0.0125, steps: 100}\n"
                               "output: {multipliers_every: 5, multipliers_window: 0.2, progress: false}\n";
static const char wrong[] = "system: {model: tip3p, molecules: 4}\n"
                            "integrator: {word: BAOAB, timestep: -1.25 fs}\n"
                            "thermostat: {temperature: 1,5 K}\n";

static void went_well(Status status, const Error *error)
{
  ck_assert_msg(status == STATUS_OK, "%s", error->text);
}

/* --- the locales ------------------------------------------------------------------------------------------
 */

static char home[256]; /* absolute: tests change folders */

/* Whether this locale could be made and is on. */
static bool locale_made(const char *language, const char *characters)
{
  char name[64], command[1024];
  snprintf(name, sizeof name, "%s.%s", language, characters);
  snprintf(command, sizeof command, "test -d '%s/%s' || localedef -i %s -f %s '%s/%s' >'%s/log' 2>&1", home,
           name, language, characters, home, name, home);
  return system(command) == 0 && setlocale(LC_ALL, name) != NULL;
}

static void use_commas(void) { ck_assert(locale_made("de_DE", "UTF-8")); }

static void back(void)
{
  (void)uselocale(LC_GLOBAL_LOCALE); /* also where a test failed */
  (void)setlocale(LC_ALL, "C");
}

/* --- what is done under each ------------------------------------------------------------------------------
 */

static void run(const char *name, const char *text, const char *dir, int nset, const char *const *set)
{
  Error error = {0};
  Config *config;
  char words[64];
  snprintf(words, sizeof words, "%s.log", dir);
  FILE *out = fopen(words, "w");
  ck_assert_ptr_nonnull(out);
  const SimulationRun options = {.dir = dir, .out = out};
  went_well(config_parse(name, text, set, nset, &config, &error), &error);
  Simulation *simulation;
  went_well(simulation_create(&simulation, config, 2, &error), &error);
  went_well(simulation_run(simulation, &options, &error), &error);
  simulation_free(simulation);
  config_free(config);
  ck_assert_int_eq(fclose(out), 0);
}

/* Every frame of a trajectory in another format. */
static void convert(const char *from, const char *to)
{
  Error error = {0};
  Frame frame = {0};
  TrajectoryReader *reader;
  TrajectoryWriter *writer;
  const TrajectoryOptions options = {.replace = true, .timestep = 0.0015, .stride = 200};
  went_well(trajectory_open(&reader, from, &error), &error);
  went_well(trajectory_create(&writer, to, NULL, &options, &error), &error);
  for (bool end = false;;) {
    went_well(trajectory_read(reader, &frame, &end, &error), &error);
    if (end)
      break;
    if (!frame.has_cell) {
      const double edge[3] = {30.5, 31.25, 32.125};
      went_well(frame_set_cell(&frame, edge, frame_right, &error), &error);
    }
    went_well(trajectory_write(writer, &frame, &error), &error);
  }
  went_well(trajectory_finish(writer, &error), &error);
  trajectory_close(reader);
  frame_free(&frame);
}

static void write_messages(void)
{
  static const char *const variables[1] = {"x"};
  static const ExpressionNames names = {1, variables, 0, NULL, NULL};
  Error error = {0};
  Config *config;
  Expression *expression;
  FILE *file = fopen("messages.txt", "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(config_parse("wrong.yaml", wrong, NULL, 0, &config, &error), STATUS_INPUT);
  fputs(error.text, file);
  ck_assert_int_eq(expression_parse(&expression, "1.5*x + 2,5", &names, &error), STATUS_INPUT);
  fputs(error.text, file);
  error_set(&error, STATUS_RUN, "energy %.3f, %g", 1234.5, 0.125);
  error_prefix(&error, "at %g ps", 2.5);
  fputs(error.text, file);
  ck_assert_int_eq(fclose(file), 0);
}

static void do_all(void)
{
  static const char *const other[2] = {"seed=2", "integrator.timestep=0.75 fs"};
  Error error = {0};
  run("cluster.yaml", cluster, "one", 0, NULL);
  run("cluster.yaml", cluster, "two", 2, other);
  run("box.yaml", box, "box", 0, NULL);
  run("pendulum.yaml", pendulum, "pendulum", 0, NULL);
  convert("one/trajectory.xyz", "again.gro");
  convert("again.gro", "again.pdb");
  convert("again.pdb", "again.xyz");
  FILE *file = fopen("compare.txt", "w");
  ck_assert_ptr_nonnull(file);
  static const char *const dir[2] = {"one", "two"};
  went_well(compare_runs(dir, 2, &(CompareOptions){0}, "one", file, &error), &error);
  ck_assert_int_eq(fclose(file), 0);
  write_messages();
}

/* --- the same files ----------------------------------------------------------------------------------------
 */

/* Every number becomes one sign, so that lines of times can be compared; "0,5" becomes two and a comma. */
static void mask_numbers(char *line)
{
  char *to = line;
  for (const char *c = line; *c != '\0';) {
    const size_t digits = strspn(c, "0123456789.");
    const char *end = c + digits;
    if (digits > 0 && *end == 'e' && (end[1] == '+' || end[1] == '-'))
      end += 2 + strspn(end + 2, "0123456789");
    const bool number = *c >= '0' && *c <= '9';
    *to++ = number ? '#' : *c;
    c = number ? end : c + 1;
  }
  *to = '\0';
}

static void same_text(const char *one, const char *other)
{
  char a[1 << 14], b[1 << 14];
  FILE *x = fopen(one, "r"), *y = fopen(other, "r");
  ck_assert_msg(x != NULL && y != NULL, "%s: missing under one of the locales", one);
  const bool has_times = strstr(one, "summary.yaml") != NULL || strstr(one, "results.json") != NULL ||
                         strstr(one, "compare_runs.csv") != NULL || strstr(one, "compare.json") != NULL ||
                         strstr(one, ".log") != NULL;
  for (int line = 1;; line++) {
    const char *p = fgets(a, sizeof a, x), *q = fgets(b, sizeof b, y);
    ck_assert_msg((p == NULL) == (q == NULL), "%s: line %d in one file only", one, line);
    if (p == NULL)
      break;
    if (has_times) {
      mask_numbers(a);
      mask_numbers(b);
    }
    ck_assert_msg(strcmp(a, b) == 0, "%s:%d: %s%s", one, line, a, b);
  }
  fclose(x);
  fclose(y);
}

/* Compares all text files of two folders; returns how many there are. */
static int same_folders(const char *one, const char *other)
{
  static const char *const text[] = {".csv", ".yaml", ".json", ".xyz", ".gro", ".pdb",
                                     ".dat", ".gp",   ".txt",  ".log", NULL};
  int n = 0;
  DIR *dir = opendir(one);
  ck_assert_ptr_nonnull(dir);
  for (const struct dirent *file; (file = readdir(dir)) != NULL;) {
    char a[1024], b[1024];
    struct stat info;
    snprintf(a, sizeof a, "%s/%s", one, file->d_name);
    snprintf(b, sizeof b, "%s/%s", other, file->d_name);
    if (file->d_name[0] == '.' || stat(a, &info) != 0)
      continue;
    const char *suffix = strrchr(file->d_name, '.');
    if (S_ISDIR(info.st_mode))
      n += same_folders(a, b);
    for (int i = 0; suffix != NULL && text[i] != NULL; i++)
      if (strcmp(suffix, text[i]) == 0) {
        same_text(a, b);
        n++;
      }
  }
  closedir(dir);
  return n;
}

static void under(const char *name)
{
  char folder[512];
  snprintf(folder, sizeof folder, "%s/under-%s", home, name);
  ck_assert_int_eq(mkdir(folder, 0777), 0);
  ck_assert_int_eq(chdir(folder), 0);
  if (strcmp(name, "C") != 0)
    use_commas();
  do_all();
}

TEST(files_and_messages_are_those_of_the_plain_locale)
{
  under("C");
  under("de_DE");
  char number[16];
  snprintf(number, sizeof number, "%.1f", 0.5);
  ck_assert_str_eq(number, "0,5"); /* the host has its locale back */
  ck_assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  back();
  ck_assert_int_eq(chdir(home), 0);
  ck_assert_int_ge(same_folders("under-C", "under-de_DE"), 40);
}

TEST(tables_are_read_with_points)
{
  const char *const path = files_text("table.csv", "x,y\n# width: 0.25\n1.5,2.5e-3\n-0.125,1e300\n");
  use_commas();
  Error error = {0};
  ResultTable *table;
  double width;
  went_well(results_csv_load(&table, path, &error), &error);
  went_well(results_csv_number(table, "width", &width, &error), &error);
  ck_assert_double_eq(width, 0.25);
  ck_assert_int_eq((int)table->nrow, 2);
  ck_assert_double_eq(tables_at(table, 0, 0), 1.5);
  ck_assert_double_eq(tables_at(table, 0, 1), 2.5e-3);
  ck_assert_double_eq(tables_at(table, 1, 0), -0.125);
  ck_assert_double_eq(tables_at(table, 1, 1), 1e300);
  results_free_table(table);
}

TEST(scopes_nest_and_give_back_what_was)
{
  use_commas();
  const locale_t own = duplocale(LC_GLOBAL_LOCALE); /* newlocale loses the path of LOCPATH */
  ck_assert(own != (locale_t)0);
  const locale_t before = uselocale(own);
  {
    LOCALE_PLAIN;
    {
      const LocaleScope inner = locale_begin();
      ck_assert_str_eq(nl_langinfo(RADIXCHAR), ".");
      locale_end(&inner);
    }
    ck_assert_str_eq(nl_langinfo(RADIXCHAR), ".");
  }
  ck_assert(uselocale(before) == own);
  freelocale(own);
}

/* In Turkish the capital of i is none of ASCII's. */
TEST(names_of_atoms_have_capitals_of_ascii)
{
  ck_assert(locale_made("tr_TR", "ISO-8859-9"));
  ck_assert(atom_name_same_element("Li+", "LI"));
}

int main(void)
{
  snprintf(home, sizeof home, "%s", files_path(""));
  home[strlen(home) - 1] = '\0';
  const int set = setenv("LOCPATH", home, 1);
  const bool made = set == 0 && locale_made("de_DE", "UTF-8") &&
                    strcmp(localeconv()->decimal_point, ",") == 0 && locale_made("tr_TR", "ISO-8859-9");
  back();
  if (!made) {
    printf(
        "skipped: localedef cannot make the locales de_DE and tr_TR (Debian's locales has their sources)\n");
    suite_clear();
    return SUITE_SKIPPED;
  }
  suite_fixture(true, NULL, back);
  return files_main("locale");
}
