/* Pages of runs: what they say follows from the numbers, of runs that ended well, went wrong, or are still
 * going; whatever names and titles hold stays text; no extreme of a long curve is lost. */
#include "base/text.h"
#include "engine/random.h"
#include "html/html.h"
#include "observables/picture.h"
#include "results/results.h"
#include "tests/program.h"

/* --- figures ---------------------------------------------------------------------------------------------
 */

TEST(long_curves_keep_their_extremes)
{
  enum { N = 100000 };
  static double x[N], y[N];
  for (int i = 0; i < N; i++) {
    x[i] = i;
    y[i] = sin(1e-3 * i);
  }
  y[31337] = 17.25;
  y[31340] = -9.5;
  y[70001] = NAN;
  const PictureCurve curve = {.n = N, .x = x, .y = y, .label = "</script>\"\\"};
  const PicturePanel panel = {.n = 1, .curve = &curve};
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  picture_json_print(file, 1, &panel, 1);
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_uint_lt(size, 120000);
  ck_assert_ptr_nonnull(strstr(text, ",17.25,"));
  ck_assert_ptr_nonnull(strstr(text, ",-9.5,"));
  ck_assert_ptr_nonnull(strstr(text, ",null,"));
  ck_assert_ptr_nonnull(strstr(text, "\"x\":[0,"));
  ck_assert_ptr_nonnull(strstr(text, ",99999]"));
  ck_assert_ptr_nonnull(strstr(text, "\"of\":100000"));
  ck_assert_ptr_null(strchr(text, '<'));
  ck_assert_ptr_nonnull(strstr(text, "\\u003c/script>\\\"\\\\"));
  free(text);
}

TEST(numbers_have_the_digits_of_their_errors)
{
  char text[RESULTS_SHOWN];
  ck_assert_str_eq(results_show(text, -57.55592269, 0.007176), "-57.5559 ± 0.0072");
  ck_assert_str_eq(results_show(text, 298.1451742, 0.5942), "298.15 ± 0.59");
  ck_assert_str_eq(results_show(text, -89.28859153, 38.51), "-89 ± 39");
  ck_assert_str_eq(results_show_error(text, 1.0, NAN), "?");
}

/* As many as there are, and with an error two; nothing is cut. */
TEST(tables_show_all_their_columns)
{
  enum { COLUMNS = 40 };
  Html *html;
  char list[16 * COLUMNS] = "", name[16];
  ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  ResultTable *table = results_add_table(&set, "wide", 1);
  for (int k = 0; k < COLUMNS; k++) {
    snprintf(name, sizeof name, "C%02d", k);
    text_append(list, sizeof list, "%s%s", k > 0 ? "  " : "", name);
    results_add_column(table, name, &(double){1000 + k}, &(double){1.0});
  }
  ck_assert_int_eq(html_create(&html, program_scratch, "wide.html", "wide", NULL, NULL), STATUS_OK);
  html_results(html, "wide", table, list);
  ck_assert_int_eq(html_close(html, true, NULL), STATUS_OK);
  const char *page = program_read("wide.html");
  for (int k = 0; k < COLUMNS; k++) {
    char cells[96];
    snprintf(cells, sizeof cells, "<th scope=\"col\" class=\"r\">C%02d</th>", k);
    ck_assert_msg(strstr(page, cells) != NULL, "column %d has no heading", k);
    snprintf(cells, sizeof cells, "<td class=\"r\">%d.0</td><td class=\"r\">1.0</td>", 1000 + k);
    ck_assert_msg(strstr(page, cells) != NULL, "column %d has no number and error", k);
  }
  results_free(&set);
}

/* What a page draws and what gnuplot draws are the same numbers. */
TEST(pages_and_pictures_have_the_same_numbers)
{
  const double x[] = {1.0 / 3.0, 123456.7892}, y[] = {-2.0 / 7e9, NAN}, e[] = {0.123456789, INFINITY};
  const PictureCurve curve = {.n = 2, .x = x, .y = y, .error = e};
  const PicturePanel panel = {.n = 1, .curve = &curve};
  const Status drawn = picture_panels(program_scratch, "same", 1, &panel, 1, NULL);
  ck_assert(drawn == STATUS_OK || drawn == STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(program_read("same.dat"), "0.3333333333 -2.857142857e-10 0.123456789\n"
                                                         "123456.7892 nan nan\n"));
  ck_assert_ptr_nonnull(strstr(program_read("same.plot.json"),
                               "\"x\":[0.3333333333,123456.7892],\"y\":[-2.857142857e-10,null],"
                               "\"e\":[0.123456789,null]"));
}

/* --- verdicts --------------------------------------------------------------------------------------------
 */

/* What a run has found, a number or a word. */
typedef struct Found {
  const char *name;
  double value, error; /* 0: it has none */
  const char *word;
} Found;

/* A folder as a run of one replica leaves it: rows of energies about -100, whose later half is higher by
 * `rise`, with these results up to one without a name (NULL: no results). */
static void make_run(const char *dir, const Found *found, double rise, int rows)
{
  char name[64];
  program_do("mkdir -p %s && echo 'Holonom 0.1.0' >%s/holonom.log", dir, dir);
  snprintf(name, sizeof name, "%s/thermo.csv", dir);
  FILE *file = program_create(name);
  fputs("step,time_ps,potential,conserved,temperature\n# units\n", file);
  for (int i = 0; i < rows; i++)
    fprintf(file, "%d,%g,%.10g,-90,300\n", i, 0.1 * i,
            -100.0 + sin(7919.0 * i) + (2 * i > rows ? rise : 0.0));
  fputs("123,4", file); /* a row that is being written */
  fclose(file);
  ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  for (const Found *f = found; f != NULL && f->name != NULL; f++)
    if (f->word != NULL)
      results_words(&set, "", f->name, f->word);
    else
      results_mean(&set, "", f->name, f->value, f->error > 0.0 ? f->error : NAN, NAN, NAN);
  char folder[512];
  snprintf(folder, sizeof folder, "%s/%s", program_scratch, dir);
  if (found != NULL)
    ck_assert_int_eq(results_json_write(&set, folder, NULL), STATUS_OK);
  results_free(&set);
}

/* Of a run with nothing wrong but for its temperature, perhaps, which should be 300 K. */
static void make_sound(const char *dir, int blocks, double temperature, double rise)
{
  const Found found[] = {{"ended", .word = "complete"},
                         {"title", .word = "a <b>&amp;"},
                         {"model", .word = "tip3p"},
                         {"molecules", 7},
                         {"replicas", 1},
                         {"method", .word = "settle"},
                         {"steps", 9},
                         {"steps_wanted", 9},
                         {"samples", 4000},
                         {"thermostat", .word = "langevin"},
                         {"target_temperature", 300},
                         {"temperature_expected", 299},
                         {"errors", .word = "sound"},
                         {"error_blocks", blocks},
                         {"independent_samples", 500},
                         {"correlation_steps", 3},
                         {"kinetic", 10, 0.1},
                         {"temperature", 299, 0.5},
                         {"temperature_unbiased", temperature, 0.5},
                         {"largest_g", 1e-13},
                         {"evaporated_replicas", 0},
                         {NULL}};
  make_run(dir, found, rise, 4000);
}

static const char *page_of(const char *dir)
{
  program_runs("report %s", dir);
  program_do("sed '/^<script/,$d' %s/report.html >page", dir);
  return program_read("page");
}

static void says(const char *page, const char *what)
{
  const char *verdict = strstr(page, "class=\"verdict");
  ck_assert_msg(strstr(page, what) != NULL, "no \"%s\" in %.3000s", what, verdict != NULL ? verdict : page);
}

TEST(a_sound_run_is_called_so)
{
  make_sound("sound", 20, 300.4, 0.0);
  const char *page = page_of("sound");
  says(page, "<p class=\"all\">Nothing speaks against these numbers.</p>");
  says(page, "300.40 ± 0.50 K, is 0.8 standard errors from the 300 K set: they agree");
  says(page, "no sign that equilibration was too short");
  says(page, "shows no drift");
  says(page, "<h1>a &#60;b&#62;&#38;amp;</h1>");
  ck_assert_ptr_null(strstr(page, "class=\"warn\""));
}

/* By Student's t of the draws there are, of all tests of the page together: what is far by a thousand draws
 * may be chance by eight, and of seven nothing is said. */
TEST(tests_heed_their_draws)
{
  static const struct {
    int blocks;
    double temperature;
    const char *said;
  } row[4] = {{7, 305.0, "these errors allow no test"},
              {8, 301.7, ": they agree"},
              {1000, 301.7, ": they disagree"},
              {1000, 301.3, ": they agree"}};
  for (int k = 0; k < 4; k++) {
    char dir[16];
    snprintf(dir, sizeof dir, "t%d", k);
    make_sound(dir, row[k].blocks, row[k].temperature, 0.0);
    says(page_of(dir), row[k].said);
  }
}

TEST(what_is_wrong_is_said)
{
  make_sound("off", 20, 310.0, 0.5);
  const char *page = page_of("off");
  says(
      page,
      "To be used with care, since the energy still drifts after equilibration (raise output.equilibration), "
      "and the temperature differs from the one set (try a shorter integrator.timestep).</p>");
  says(page, "is 20.0 standard errors from the 300 K set: they disagree");
  says(page, "differs: equilibration was too short");

  static const Found brief[] = {{"ended", .word = "interrupted"},
                                {"replicas", 1},
                                {"samples", 10},
                                {"steps", 5},
                                {"steps_wanted", 9},
                                {"errors", .word = "lower bounds"},
                                {"independent_samples", 3},
                                {"target_temperature", 300},
                                {"temperature_unbiased", 900, 1},
                                {"evaporated_replicas", 1},
                                {"rhat", 1.3},
                                {"time_ps", 0.01},
                                {"drift_until", 3},
                                {NULL}};
  make_run("short", brief, 0.0, 30);
  page = page_of("short");
  says(page, "The energy drifts until step 3 (0.006 ps): output.equilibration should exclude");
  says(page, "To be used with care, since there are few independent samples (raise integrator.time or "
             "ensemble.replicas), the run still depends on its start (raise integrator.time), the energy "
             "still drifts after equilibration (raise output.equilibration), and molecules have left the "
             "cluster (lower the temperature, or set system.constraining_radius).");
  says(page, "The run was interrupted.");
  says(page, "at most 3 independent samples");
  static const Found frozen[] = {
      {"ended", .word = "complete"}, {"replicas", 8}, {"rhat", 1.3}, {"mixing", .word = "frozen"}, {NULL}};
  make_run("frozen", frozen, 0.0, 4000);
  says(page_of("frozen"),
       "R-hat of the energies of the replicas is 1.3: they are frozen, each in its own region");
  page = page_of("short");
  says(page, "R-hat of the energies of the halves of the run is 1.3: they still depend on their starts");
  says(page, "these errors allow no test");
  says(page, "Too few rows to test");
  says(page, "In 1 of 1 replicas a molecule has left");

  static const Found wrong[] = {{"ended", .word = "failed"},
                                {"message", .word = "step 7: <molecule> 3 blew up"},
                                {"replicas", 1},
                                {NULL}};
  make_run("wrong", wrong, 0.0, 30);
  page = page_of("wrong");
  says(page, "<p class=\"all\">This run failed: step 7: &#60;molecule&#62; 3 blew up</p>");
}

/* What a run's page says is what its results say, and what status, compare and the log do: none of them
 * judges by itself. A folder of an earlier version has no verdicts in its results, and the same page. */
TEST(one_verdict_everywhere)
{
  program_write("small.yaml", program_small);
  program_do("rm -rf v c");
  program_runs("run small.yaml -o v --set output.equilibration=0");
  program_do("cp v/report.html before.html");
  ResultSet set;
  char folder[512];
  snprintf(folder, sizeof folder, "%s/v", program_scratch);
  ck_assert_int_eq(results_json_read(&set, folder, NULL), STATUS_OK);
  ck_assert_int_gt(set.nverdict, 3);
  ck_assert_str_eq(set.verdict[0].matter, "run");
  program_runs("status v");
  program_says(set.verdict[0].words);
  program_runs("status --json v");
  program_says(results_level_name(set.verdict[0].level));
  /* Changed words turn up where they are printed. */
  for (int i = 0; i < set.nverdict; i++) {
    free(set.verdict[i].words);
    set.verdict[i].words = strdup("Changed words.");
    set.verdict[i].level = RESULT_WARN;
  }
  ck_assert_int_eq(results_json_write(&set, folder, NULL), STATUS_OK);
  program_runs("status v");
  program_says("Changed words.");
  says(page_of("v"), "<p class=\"all\">Changed words.</p>");
  program_runs("compare v v -o c");
  program_says(": Changed words.");
  /* Without verdicts they are found anew. */
  const int nverdict = set.nverdict;
  set.nverdict = 0;
  ck_assert_int_eq(results_json_write(&set, folder, NULL), STATUS_OK);
  set.nverdict = nverdict; /* to be freed */
  program_call("report v");
  program_do(
      "for f in before.html v/report.html; do sed -n '/class=\"verdict/,/<.div>/p' $f >$f.verdict; done; "
      "cmp before.html.verdict v/report.html.verdict; grep -q 'class=.all' before.html.verdict");
  results_free(&set);
}

/* A conserved energy that wanders and drifts by so much a ps, where `expected` is the word's own rate; what
 * its page says of it. */
static const char *drifting(int rows, double rate, double expected)
{
  const Found found[] = {{"ended", .word = "complete"},
                         {"replicas", 1},
                         {"samples", rows},
                         {"kinetic", 1400, 1},
                         {"conserved_drift_expected", expected, 0.1 * fabs(expected)},
                         {NULL}};
  const Found plain[] = {found[0], found[1], found[2], found[3], {NULL}};
  make_run("drift", expected != 0.0 ? found : plain, 0.0, 30);
  RandomStream s = random_stream(1, 0, RANDOM_TEST);
  FILE *file = program_create("drift/thermo.csv");
  double walk = 0.0;
  fputs("step,time_ps,potential,conserved,temperature\n", file);
  for (int i = 0; i < rows; i++)
    fprintf(file, "%d,%g,%.10g,%.10g,300\n", i, 0.04 * i, -100.0 + random_normal(&s),
            -90.0 + rate * 0.04 * i + (walk += 0.1 * random_normal(&s)));
  fclose(file);
  return page_of("drift");
}

static void warns(const char *page, bool warning, const char *what)
{
  const char *at = strstr(page, what), *sign = page;
  ck_assert_msg(at != NULL, "no \"%s\" in %.3000s", what, strstr(page, "class=\"verdict"));
  for (const char *next; (next = strstr(sign + 1, "<li class=\"")) != NULL && next < at; sign = next)
    ;
  ck_assert_msg((strncmp(sign, "<li class=\"warn", 15) == 0) == warning, "%.200s", sign);
}

/* What counts is the part that the word does not explain, and its size whatever the length of the series. */
TEST(drifts_are_held_against_the_expected_rate)
{
  warns(drifting(450, 24.5, 24.0), false, "The conserved energy drifts at the rate that the word explains");
  warns(drifting(450, 24.5, 0.0), true, "The conserved energy drifts: ");
  warns(drifting(450, 24.5, 4.0), true,
        "The conserved energy drifts at a rate that the word does not explain");
  warns(drifting(450, 0.0, 0.0), false, "The conserved energy shows no drift");
  /* 24.5 kcal/mol/ps are 2 % of the kinetic energy in the first 30 rows, and so little in a ps is a note. */
  warns(drifting(30, 24.5, 0.0), true, "The conserved energy drifts: ");
  warns(drifting(450, 0.6, 0.0), false, "The conserved energy drifts: ");
}

/* What a step reads is known to a fifth of its distance from what is set, and with friction that differs
 * between motions momenta right after O are held against nothing. */
TEST(readings_of_a_step_are_judged_by_what_is_known)
{
  for (int k = 0; k < 4; k++) {
    Found found[] = {{"ended", .word = "complete"},
                     {"replicas", 1},
                     {"samples", 4000},
                     {"thermostat", .word = "langevin"},
                     {"target_temperature", 300},
                     {"temperature_expected", 293},
                     {"errors", .word = "sound"},
                     {"error_blocks", 100},
                     {"temperature", k == 1 ? 287 : 291.5, 0.1},
                     {"temperature_unbiased", 302, 0.1},
                     {NULL}};
    if (k < 2)
      found[9] = (Found){NULL};
    make_run("reading", found, 0.0, 400);
    if (k == 3) {
      ResultSet set;
      char folder[512];
      snprintf(folder, sizeof folder, "%s/reading", program_scratch);
      ck_assert_int_eq(results_json_read(&set, folder, NULL), STATUS_OK);
      results_real(&set, "", "friction", 0.15);
      results_note(&set, "uniform");
      ck_assert_int_eq(results_json_write(&set, folder, NULL), STATUS_OK);
      results_free(&set);
    }
    warns(page_of("reading"), k == 1 || k == 2, "The temperature, ");
  }
}

TEST(unfinished_runs_have_pages)
{
  make_run("going", NULL, 0.0, 200);
  says(page_of("going"), "This run has no results");
  says(program_read("page"), "Its last row is of step 199.");
  ck_assert_str_eq(program_output, "going/report.html\n");
  program_do("exec 9<>going/holonom.lock && flock 9 && $P report going >/dev/null && sed '/^<script/,$d' "
             "going/report.html >page");
  says(program_read("page"), "This run is in progress");
  program_do("mkdir -p empty");
  program_refuses("has no results of a run", "report empty");
  ck_assert(!program_exists("empty/report.html"));
}

/* Of a folder without results.json the page would be of a part of what the run has found. */
TEST(folders_of_earlier_versions_are_refused)
{
  make_run("old", NULL, 0.0, 200);
  program_write("old/summary.yaml", "ended: complete\nreplicas: 1\n");
  program_write("old/report.html", "before");
  program_do("printf 'Files of Holonom in this folder; what is not named here is never replaced or "
             "removed.\\nreport.html\\n' >old/holonom.files");
  program_refuses("there is a summary.yaml but no results.json: an earlier version of holonom", "report old");
  ck_assert_str_eq(program_read("old/report.html"), "before");
  program_write("old/results.json", "{\"format\": \"holonom results\", \"version\": 1, \"numbers\": [");
  program_refuses("old/results.json:1: is not JSON", "report old");
  ck_assert_str_eq(program_read("old/report.html"), "before");
}

/* Whatever results.json holds: words for numbers, lists that are too short. */
TEST(odd_results_make_a_page)
{
  static const char *const words[3] = {"a", "b", "c"}, *const tables[] = {"thermo", "replicas", "ladder"};
  static const char *const columns[] = {"time_ps", "step", "target", "potential", "temperature", "slot"};
  ResultSet set = results_make(QUANTITY_ALL, false);
  char folder[512];
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
    ResultTable *t = results_add_table(&set, tables[k], 3);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
      results_add_words(t, columns[c], words);
  }
  results_add_table(&set, "heat_capacity", 0);
  results_list(&set, "means", "potential", 0, (const double[]){0.0}, NULL);
  results_list(&set, "", "largest_g", 2, (const double[]){NAN, INFINITY}, NULL);
  results_group(&set, "ladder");
  results_words(&set, "", "replicas", "many");
  program_do("mkdir -p odd");
  snprintf(folder, sizeof folder, "%s/odd", program_scratch);
  ck_assert_int_eq(results_json_write(&set, folder, NULL), STATUS_OK);
  results_free(&set);
  says(page_of("odd"), "<td>many</td>");
}

/* --- runs ------------------------------------------------------------------------------------------------
 */

TEST(runs_write_their_page)
{
  program_write("input.yaml", program_small);
  program_runs("run input.yaml -o run --set integrator.steps=200");
  program_says("report page: run/report.html");
  ck_assert(program_exists("run/report.html"));
  program_runs("run input.yaml -o quiet --set integrator.steps=200 --set output.report=false");
  ck_assert(!program_exists("quiet/report.html"));
  /* nothing leads out of the page, and it can do without scripts */
  program_do("! grep -oE '(src|href)=\"[a-z]+:[^\"]{0,40}' run/report.html | grep -v '\"data:'");
  program_do("cp run/report.html first.html");
  says(page_of("run"), "Content-Security-Policy");
  program_do("cmp first.html run/report.html"); /* of what the run had in memory, and of its folder */
  /* Every column that varies is a curve against time, whatever it is called. */
  program_do(
      "for name in $(head -1 run/thermo.csv | tr , '\\n' | grep -vE '_err$|^step$|^time_ps$|^penalty$'); do "
      "grep -q \"\\\"label\\\":\\\"$name\\\",\\\"x\\\":\" run/report.html || { echo no $name && exit 1; }; "
      "done");
}

/* XTC and DCD hold no names: the page has those of the run's last structure, of a part of the atoms too.
 * Without that structure the page says what is missing. */
TEST(trajectories_without_names_are_shown)
{
  program_write("box.yaml",
                "system: {model: tip3p, molecules: 60, density: 1 g/cm3, atoms: {Na+: 1, Cl-: 1}}\n"
                "geometry: {method: settle}\nforces: {cutoff: 4.5 A, coulomb: reaction-field}\n"
                "integrator: {timestep: 2 fs, steps: 20}\nthermostat: {temperature: 300 K, friction: 1/ps}\n"
                "output: {equilibration: 0, trajectory: [xtc, dcd], trajectory_every: 10}\n");
  program_runs("run box.yaml -o parts --quiet --set 'output.xtc_atoms=index 3:4 180 181'");
  if (!html_figure_moves())
    return;
  says(page_of("parts"), "The trajectory. Drag to rotate");
  program_do("grep -q '\"symbols\":\\[\"O\",\"H\",\"Na\",\"Cl\"\\],' parts/report.html");
  program_do("rm parts/trajectory.xtc");
  says(page_of("parts"), "The trajectory. Drag to rotate");
  program_do("grep -q '\"symbols\":\\[\"O\",\"H\",\"H\",\"O\",' parts/report.html");
  program_do("rm parts/final.xyz");
  says(page_of("parts"), "The page cannot show trajectory.dcd: dcd files have no names of atoms; the page "
                         "takes them from final.xyz");
}

/* The mean box of a barostat: a row for each length, with its error. */
TEST(lists_with_errors_are_means)
{
  program_write("box.yaml", "system: {atoms: {argon: 64}, density: 1.4 g/cm3}\nforces: {cutoff: 6 A}\n"
                            "integrator: {timestep: 10 fs, steps: 200}\n"
                            "thermostat: {temperature: 90 K, friction: 1/ps}\n"
                            "barostat: {type: monte-carlo, pressure: 1 bar, every: 2}\n"
                            "output: {thermo_every: 5, equilibration: 500 fs}\n");
  program_runs("run box.yaml -o box --quiet");
  program_do(
      "grep -q '^box_mean_err: \\[0' box/summary.yaml && for k in 1 2 3; do "
      "grep -qE \"<td>box_mean $k</td><td[^>]*>[0-9.]+</td><td[^>]*>0\\.[0-9]+</td>\" box/report.html || "
      "{ echo no $k && exit 1; }; done");
}

TEST(comparisons_have_pages)
{
  program_write("input.yaml", program_small);
  program_runs("run input.yaml -o one --quiet --set 'title=<one>'");
  program_runs("run input.yaml -o same --quiet --set seed=2");
  program_runs("run input.yaml -o hot --quiet --set 'thermostat.temperature=150 K'");
  program_runs("compare one same hot -o both");
  program_says("report page: both/compare.html");
  program_do("sed '/^<script/,$d' both/compare.html >page");
  says(program_read("page"), "2 pairs of runs: 1 different; 1 without a significant difference.");
  says(program_read("page"), "same, against &#60;one&#62;: agree;");
  program_do(
      "grep -q 'data-name=\"compare\"' both/compare.html && grep -q 'data-name=\"tests\"' both/compare.html");
}

TEST(mechanical_runs_have_pages)
{
  program_do("$P run \"$HOLONOM_SOURCE/examples/double-pendulum/shake.yaml\" -o pendulum --quiet");
  const char *page = page_of("pendulum");
  says(page, "The energy, -3 at first, deviated by up to 0.0019.");
  program_do("grep -q 'data-name=\"paths\"' pendulum/report.html && grep -q '<td>angular_z</td>' "
             "pendulum/report.html");
}

int main(void) { return suite_lacks("gnuplot") ? SUITE_SKIPPED : program_main("html"); }
