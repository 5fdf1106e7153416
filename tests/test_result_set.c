/* A set of results is the same after a way through results.json, to the last bit; its views say what is in
 * it; the table of quantities has a row for each name that it is asked for. */
#include "base/text.h"
#include "results/results.h"
#include "tests/files.h"
#include "topology/term.h"

/* Of every kind, with numbers that no decimal has. */
static ResultSet filled(void)
{
  static const double box[] = {18.6, 0.1, -1.0 / 3.0}, errors[] = {0.5, NAN, 1e-300};
  static const double r[] = {0.5, 1.5, 2.5}, g[] = {0.0, NAN, 1.0 / 3.0}, g_err[] = {NAN, 0.125, INFINITY};
  static const char *const word[] = {"one", "inf", "with \"quotes\", and a comma"};
  ResultSet set = results_make(QUANTITY_BOXES, false);
  results_words(&set, "", "title", "A \"title\", with # and :");
  results_whole(&set, "", "seed", INT64_MAX);
  results_list(&set, "", "box", 3, box, NULL);
  results_real(&set, "", "timestep", 0.1);
  results_note(&set, "%.6g fs", 4.888821);
  results_mean(&set, "", "temperature", 300.0 / 7.0, 0.1, 2.5, 40.0);
  results_mean(&set, "", "pressure", -INFINITY, NAN, NAN, 40.0);
  results_group(&set, "ladder");
  results_whole(&set, "ladder", "round_trips", 7);
  results_list(&set, "means", "potential", 3, box, errors);
  results_observed(&set, "gofr", "O-O", "peak_g", 2.75, 0.02, "bins of 0.02 A");
  results_doubt(&set, set.n - 1, "gofr", "%d samples are few", 3);
  results_observed(&set, "msd", "tip3p", "D_L", NAN, NAN, "left out: \\ too short");
  ResultTable *t = results_add_table(&set, "gofr", 3);
  results_add_column(t, "r", r, NULL);
  results_add_column(t, "g_O-O", g, g_err);
  results_say(t, "samples: %d", 12);
  results_say(t, "%s", "two\nlines");
  t->samples = 12.0;
  t->blocks = 6.0;
  t->sound = false;
  results_add_words(results_add_table(&set, "study", 3), "run", word);
  results_judge(&set, "run", RESULT_BAD, NAN, "Not to be \"used\"");
  results_judge(&set, "temperature", RESULT_WARN, 1.0 / 3.0, "off");
  return set;
}

static void same(double a, double b)
{
  ck_assert_msg(isnan(a) ? isnan(b) : a == b, "%.17g became %.17g", a, b);
}

static void same_numbers(const ResultNumber *a, const ResultNumber *b)
{
  ck_assert_str_eq(a->name, b->name);
  ck_assert_str_eq(a->of, b->of);
  ck_assert_str_eq(a->subject, b->subject);
  ck_assert_str_eq(a->note, b->note);
  ck_assert_str_eq(a->unit, b->unit);
  ck_assert_int_eq(a->kind, b->kind);
  ck_assert_int_eq(a->whole, b->whole);
  ck_assert(a->observed == b->observed && a->doubtful == b->doubtful && a->meant == b->meant);
  ck_assert_ptr_eq(a->quantity, b->quantity);
  same(a->value, b->value);
  same(a->error, b->error);
  same(a->correlation, b->correlation);
  same(a->samples, b->samples);
  ck_assert_int_eq(a->n, b->n);
  ck_assert((a->errors == NULL) == (b->errors == NULL));
  for (int i = 0; i < a->n; i++) {
    same(a->values[i], b->values[i]);
    if (a->errors != NULL)
      same(a->errors[i], b->errors[i]);
  }
  if (a->kind == RESULT_WORD)
    ck_assert_str_eq(a->word, b->word);
}

static void same_tables(const ResultTable *a, const ResultTable *b)
{
  ck_assert_str_eq(a->name, b->name);
  ck_assert_uint_eq(a->nrow, b->nrow);
  ck_assert_int_eq(a->ncol, b->ncol);
  ck_assert_str_eq(a->remark != NULL ? a->remark : "", b->remark);
  same(a->samples, b->samples);
  same(a->blocks, b->blocks);
  ck_assert_int_eq(a->sound, b->sound);
  for (int c = 0; c < a->ncol; c++) {
    const ResultColumn *x = &a->column[c], *y = &b->column[c];
    ck_assert_str_eq(x->name, y->name);
    ck_assert_str_eq(x->unit, y->unit);
    ck_assert((x->error == NULL) == (y->error == NULL) && (x->word == NULL) == (y->word == NULL));
    for (size_t i = 0; i < a->nrow; i++)
      if (x->word != NULL)
        ck_assert_str_eq(x->word[i], y->word[i]);
      else {
        same(x->value[i], y->value[i]);
        if (x->error != NULL)
          same(x->error[i], y->error[i]);
      }
  }
}

TEST(a_set_comes_back_as_it_was)
{
  ResultSet a = filled(), b;
  Error error;
  ck_assert_int_eq(results_json_write(&a, files_folder, &error), STATUS_OK);
  ck_assert_msg(results_json_read(&b, files_folder, &error) == STATUS_OK, "%s", error.text);
  ck_assert_uint_eq(a.sorts, b.sorts);
  ck_assert_int_eq(a.n, b.n);
  ck_assert_int_eq(a.ntable, b.ntable);
  ck_assert_int_eq(b.nverdict, 2);
  for (int i = 0; i < a.nverdict; i++) {
    ck_assert_str_eq(a.verdict[i].words, results_verdict(&b, a.verdict[i].matter)->words);
    ck_assert_int_eq(a.verdict[i].level, b.verdict[i].level);
    same(a.verdict[i].p, b.verdict[i].p);
  }
  ck_assert_ptr_null(results_verdict(&b, "drift"));
  for (int i = 0; i < a.n; i++)
    same_numbers(&a.number[i], &b.number[i]);
  for (int i = 0; i < a.ntable; i++)
    same_tables(a.table[i], b.table[i]);
  ck_assert(results_value(&b, "", "temperature") == 300.0 / 7.0 &&
            results_error(&b, "", "temperature") == 0.1);
  ck_assert(isnan(results_value(&b, "", "pressure")) && isnan(results_value(&b, "", "nothing")));
  ck_assert_str_eq(results_word(&b, "", "title"), "A \"title\", with # and :");
  ck_assert(results_find(&b, "gofr", "O-O", "peak_g")->value == 2.75);
  ck_assert(isnan(results_find(&b, "msd", "tip3p", "D_L")->value));
  ck_assert_ptr_null(results_find(&b, "gofr", "H-H", "peak_g"));
  results_free(&a);
  results_free(&b);
}

static const char *text_of(const char *name)
{
  static char text[8192];
  FILE *file = fopen(files_path(name), "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

/* Files for people have units, meanings and errors, and their digits, from the table. */
TEST(files_for_people_are_views)
{
  ResultSet set = filled();
  Error error;
  ck_assert_int_eq(results_yaml_write(&set, files_folder, NULL), STATUS_OK);
  static const char *const lines[] = {
      "title: \"A \\\"title\\\", with # and :\"\n",
      "seed: 9223372036854775807\n",
      "box: [18.6, 0.1, -0.3333333333] # A\n",
      "timestep: 0.1 # AKMA, 4.88882 fs\n",
      "temperature: 42.85714286 # K\ntemperature_err: 0.1\n"
      "temperature_correlation: 2.5 # samples\n",
      "pressure: -.inf # bar\nladder:\n  round_trips: 7 # from the lowest",
      "  potential: {mean: [18.6, 0.1, -0.333333333333], error: [0.5, .nan, 1e-300]}\n",
      "observables:\n  - {observable: gofr, subject: \"O-O\", quantity: peak_g, value: "
      "2.75, error: 0.02, unit: \"\", note: \"bins of 0.02 A; the error may be too small\"}\n",
      "value: null, error: null, unit: \"1e-9 m2/s\", note: \"left out: \\\\ too short\"}\n"};
  const char *text = text_of("summary.yaml");
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    ck_assert_msg(strstr(text, lines[i]) != NULL, "no %sin\n%s", lines[i], text);
  ck_assert_msg(results_csv_write_all(&set, 0, files_folder, &error) == STATUS_OK, "%s", error.text);
  ck_assert_str_eq(text_of("gofr.csv"), "r,g_O-O,g_O-O_err\n# samples: 12\n# two\n# lines\n"
                                        "0.5,0,nan\n1.5,nan,0.125\n2.5,0.3333333,inf\n");
  ck_assert_str_eq(text_of("study.csv"), "run\n\"one\"\n\"inf\"\n\"with \"\"quotes\"\", and a comma\"\n");
  results_free(&set);
}

/* A table that a run writes as it goes, with errors beside their columns, and a last line that is not whole.
 */
TEST(tables_of_a_folder_are_read_into_the_set)
{
  static const char text[] =
      "step,time_ps,temperature,temperature_err\n# rows\n0,0,300,1\n10,0.5,310,2\n20,1.0,3";
  ResultSet set;
  const ResultTable *t;
  const ResultColumn *c;
  Error error;
  files_write(files_path("thermo.csv"), text, strlen(text));
  (void)remove(files_path("results.json"));
  ck_assert_int_eq(results_json_read(&set, files_folder, NULL), STATUS_INPUT);
  ck_assert_int_eq(results_table(&set, "nothing", &t, NULL), STATUS_OK);
  ck_assert_ptr_null(t);
  ck_assert_int_eq(results_table(&set, "thermo", &t, NULL), STATUS_OK);
  ck_assert(t->nrow == 2 && t->ncol == 3);
  c = results_column(t, "temperature");
  ck_assert(c->value[1] == 310.0 && c->error[1] == 2.0);
  ck_assert_str_eq(c->unit, "K");
  ck_assert_int_eq(results_want(t, "presure", &c, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "no column \"presure\"; it has step, time_ps, temperature"));
  results_free(&set);
}

/* What is damaged, or made to harm, is refused or read as far as it means something. */
TEST(damaged_files_do_no_harm)
{
  static const char *const texts[] = {
      "",
      "{",
      "[]",
      "{}",
      "{\"format\": \"holonom results\", \"version\": 2}",
      "{\"format\": \"holonom results\", \"verdicts\": {}}",
      "{\"format\": \"holonom results\", \"verdicts\": [{\"matter\": \"run\", "
      "\"verdict\": \"best\", \"words\": \"fine\"}]}",
      "{\"format\": \"holonom results\", \"verdicts\": [{\"matter\": \"drift\", "
      "\"verdict\": \"good\", \"words\": \"fine\"}]}",
      "{\"format\": \"holonom results\", \"numbers\": 3, \"tables\": {}}",
      "{\"format\": \"holonom results\", \"numbers\": [3, {}, {\"kind\": "
      "\"list\", \"value\": 3, \"error\": [1]}, "
      "{\"kind\": \"word\", \"value\": 3}], \"tables\": [4, {\"rows\": 1e9}, "
      "{\"rows\": 1000000000000, \"columns\": "
      "[{\"name\": \"x\", \"values\": [1, \"two\", null]}, {\"name\": \"y\", "
      "\"values\": 3, \"errors\": [1]}, 7]}]}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ResultSet set;
    Error error;
    files_write(files_path("results.json"), texts[i], strlen(texts[i]));
    const Status status = results_json_read(&set, files_folder, &error);
    ck_assert_int_eq(status, i < 8 ? STATUS_INPUT : STATUS_OK);
    for (int k = 0; k < set.ntable; k++)
      ck_assert_uint_le(set.table[k]->nrow, 3);
    results_free(&set);
  }
}

/* Units differ by the sort of system; a unit as pages show it. */
TEST(rows_are_found_by_table_and_sort)
{
  ck_assert_str_eq(quantity_unit(QUANTITY_MOLECULES, "replicas", "largest_g"), "A^2");
  ck_assert_str_eq(quantity_unit(QUANTITY_MECHANICAL, "replicas", "largest_g"), "");
  ck_assert_str_eq(quantity_unit(QUANTITY_ALL, "thermo", "pressure_xy_err"), "bar");
  ck_assert_ptr_null(quantity_unit(QUANTITY_ALL, "trajectory", "q1"));
  ck_assert_str_eq(quantity_show_unit("A^2/ps^2").text, "Å²/ps²");
  ck_assert_str_eq(quantity_show_unit("1e-9 m2/s").text, "10⁻⁹ m²/s");
  ck_assert_str_eq(quantity_show_unit("g/mol A/AKMA").text, "g/mol Å/AKMA");
  const QuantityRow *msd = quantity_find(QUANTITY_BOXES, "msd", "msd_tip3p");
  ck_assert_str_eq(quantity_caption(msd, msd->unit).text, "mean-square displacement (Å²)");
  for (int c = 0; c < TERM_COLUMNS; c++) /* what the force of terms says its energies by */
    ck_assert_str_eq(quantity_unit(QUANTITY_MOLECULES, "summary", term_column_names[c]), "kcal/mol");
  for (size_t i = 0; i < quantity_count; i++)
    ck_assert_msg(quantity_table[i].error != QUANTITY_EXACT || quantity_table[i].error_format[0] == '\0',
                  "%s has digits of an error that it has not", quantity_table[i].name);
}
