/* The input reader: values, units, every kind of mistake, printing and reading back, broken files. */
#include <limits.h>
#include <unistd.h>

#include "base/nearest.h"
#include "tests/keys.h"
#include "tests/suite.h"

typedef struct Target {
  int count;
  int64_t large;
  double length, step, total, kT, rate;
  bool flag;
  const char *title, *model;
  int choice;
  InputReals weights;
  InputStrings labels;
  unsigned formats;
} Target;

static const char *const models[] = {"tip3p", "tip4p", "spce", NULL};
static const char *const choices[] = {"penalty", "settle", NULL};
static const char *const formats[] = {"xyz", "dcd", NULL};
static const char *model(int i) { return models[i]; }

#define FIELD(name) .offset = offsetof(Target, name)

static const Parameter table[] = {
    {"title", PARAMETER_STRING, FIELD(title), .fallback = "", .help = "A title."},
    {"large", PARAMETER_INT64, FIELD(large), .fallback = "7"},
    {"system.model", PARAMETER_NAME, FIELD(model), .name = model, .fallback = "spce"},
    {"system.count", PARAMETER_INT, FIELD(count), .limits = LIMIT_FROM | LIMIT_TO, .min = 1, .max = 1e6},
    {"system.wall.length", PARAMETER_REAL, FIELD(length), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .fallback = "1 nm"},
    {"system.choice", PARAMETER_CHOICE, FIELD(choice), .names = choices, .fallback = "settle"},
    {"run.step", PARAMETER_REAL, FIELD(step), QUANTITY_TIME, .rival = "run.total"},
    {"run.total", PARAMETER_REAL, FIELD(total), QUANTITY_TIME, .rival = "run.step"},
    {"run.temperature", PARAMETER_REAL, FIELD(kT), QUANTITY_TEMPERATURE, .limits = LIMIT_ABOVE | LIMIT_BELOW,
     .max = 1000, .optional = true},
    {"run.rate", PARAMETER_REAL, FIELD(rate), QUANTITY_FREQUENCY, .alternative = QUANTITY_FRICTION,
     .optional = true},
    {"run.flag", PARAMETER_BOOL, FIELD(flag), .fallback = "true"},
    {"out.weights", PARAMETER_REALS, FIELD(weights), .optional = true},
    {"out.labels", PARAMETER_STRINGS, FIELD(labels), .fallback = "[]"},
    {"out.formats", PARAMETER_CHOICES, FIELD(formats), .names = formats, .fallback = "[xyz]"},
    {.key = NULL,
     .names = (const char *const[]){"barostat", "there is none", "dt", "here it is run.step", NULL}},
};

/* Every key, in every style. */
static const char full[] = "title: \"a \\\"b\\\" \\x85 \\u2028 \\t é\"\n"
                           "large: 9223372036854775807\n"
                           "system:\n"
                           "  model: tip4p\n"
                           "  count: 1.5e1\n"
                           "  wall: {length: 250 pm}\n"
                           "  choice: penalty\n"
                           "run:\n"
                           "  step: 2.1fs\n"
                           "  temperature: 300.3 K\n"
                           "  rate: 3 g/mol/ps\n"
                           "  flag: no\n"
                           "out:\n"
                           "  weights: [0.1, 1e-300, -3, 1e22]\n"
                           "  labels: [one, 'two, three', \"\"]\n"
                           "  formats: [dcd]\n";

static const char brief[] = "system: {count: 3}\nrun: {step: 1}\n";

static Status parse(const char *text, const char *const *set, int nset, Input **input, Target *target,
                    Error *error)
{
  memset(target, 0, sizeof *target);
  return input_parse(input, table, "f.yaml", text, strlen(text), set, nset, target, error);
}

/* Parses something wrong and wants both parts in the message. */
static void refused(const char *text, const char *set, const char *part, const char *other)
{
  Input *input;
  Target target;
  Error error;
  ck_assert_int_eq(parse(text, &set, set != NULL, &input, &target, &error), STATUS_INPUT);
  ck_assert_ptr_null(input);
  ck_assert_msg(strstr(error.text, part) != NULL, "'%s' lacks '%s'", error.text, part);
  ck_assert_msg(strstr(error.text, other) != NULL, "'%s' lacks '%s'", error.text, other);
}

TEST(values_of_all_types)
{
  Input *input;
  Target t;
  Error error;
  ck_assert_msg(parse(full, NULL, 0, &input, &t, &error) == STATUS_OK, "%s", error.text);
  ck_assert_str_eq(t.title, "a \"b\" \xc2\x85 \xe2\x80\xa8 \t é");
  ck_assert_int_eq(t.large, INT64_MAX);
  ck_assert_str_eq(t.model, "tip4p");
  ck_assert_int_eq(t.count, 15);
  ck_assert_double_eq_tol(t.length, 2.5, 1e-14);
  ck_assert_int_eq(t.choice, 0);
  ck_assert_double_eq_tol(t.step, 2.1 / UNITS_AKMA_FS, 1e-16);
  ck_assert_double_eq_tol(t.kT, 300.3 * UNITS_BOLTZMANN, 1e-15);
  ck_assert_double_eq_tol(t.rate, 3e-3 * UNITS_AKMA_FS, 1e-15);
  ck_assert_int_eq(input_quantity(input, key_named(input, "run.rate")), QUANTITY_FRICTION);
  ck_assert(!t.flag);
  ck_assert_int_eq(t.weights.n, 4);
  ck_assert_double_eq(t.weights.value[3], 1e22);
  ck_assert_int_eq(t.labels.n, 3);
  ck_assert_str_eq(t.labels.value[1], "two, three");
  ck_assert_uint_eq(t.formats, 2);
  ck_assert(input_given(input, key_named(input, "run.step")));
  ck_assert_str_eq(input_where(input, key_named(input, "run.step")), "f.yaml:9");
  ck_assert(!input_given(input, key_named(input, "run.total")));
  ck_assert_str_eq(input_where(input, key_named(input, "run.total")), "f.yaml:8");
  ck_assert_int_eq(input_error(input, key_named(input, "run.step"), &error, "is %d", 5), STATUS_INPUT);
  ck_assert_str_eq(error.text, "f.yaml:9: run.step: is 5");
  input_free(input);
}

TEST(defaults_fill_what_is_absent)
{
  Input *input;
  Target t;
  Error error;
  ck_assert_int_eq(parse(brief, NULL, 0, &input, &t, &error), STATUS_OK);
  ck_assert_str_eq(t.title, "");
  ck_assert_int_eq(t.large, 7);
  ck_assert_str_eq(t.model, "spce");
  ck_assert_double_eq(t.length, 10.0);
  ck_assert_int_eq(t.choice, 1);
  ck_assert(t.flag);
  ck_assert_int_eq(t.weights.n, 0);
  ck_assert_uint_eq(t.formats, 1);
  ck_assert(!input_given(input, key_named(input, "large")));
  input_default(input, key_named(input, "run.temperature"), "12");
  input_default(input, key_named(input, "system.count"), "99");
  ck_assert_double_eq_tol(t.kT, 12 * UNITS_BOLTZMANN, 1e-16);
  ck_assert_int_eq(t.count, 3);
  input_free(input);
}

static bool same_reals(InputReals a, InputReals b)
{
  return a.n == b.n && (a.n == 0 || memcmp(a.value, b.value, (size_t)a.n * sizeof(double)) == 0);
}

static void same_target(const Target *a, const Target *b)
{
  ck_assert_int_eq(a->count, b->count);
  ck_assert_int_eq(a->large, b->large);
  ck_assert(memcmp(&a->length, &b->length, 5 * sizeof(double)) == 0);
  ck_assert(a->flag == b->flag && a->choice == b->choice && a->formats == b->formats);
  ck_assert_str_eq(a->title, b->title);
  ck_assert_str_eq(a->model, b->model);
  ck_assert(same_reals(a->weights, b->weights));
  ck_assert_int_eq(a->labels.n, b->labels.n);
  for (int i = 0; i < a->labels.n; i++)
    ck_assert_str_eq(a->labels.value[i], b->labels.value[i]);
}

static char *printed(const Input *input)
{
  char *text = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&text, &size);
  ck_assert_int_eq(input_print(input, file, NULL), STATUS_OK);
  ck_assert_int_eq(fclose(file), 0);
  return text;
}

/* Prints, reads back, compares bit for bit. */
static void round_trip(const char *text, const char *const *set, int nset)
{
  Input *input, *again;
  Target a, b;
  Error error;
  ck_assert_msg(parse(text, set, nset, &input, &a, &error) == STATUS_OK, "%s", error.text);
  char *const yaml = printed(input);
  ck_assert_msg(parse(yaml, NULL, 0, &again, &b, &error) == STATUS_OK, "%s\n%s", error.text, yaml);
  same_target(&a, &b);
  free(yaml);
  input_free(input);
  input_free(again);
}

TEST(what_is_printed_reads_back_to_the_same_bits)
{
  round_trip(full, NULL, 0);
  round_trip(brief, NULL, 0);
  srand48(5);
  for (int i = 0; i < 500; i++) {
    char number[3][80];
    snprintf(number[0], 80, "run.step=%.*g %s", 1 + i % 17, exp(40 * drand48() - 20), i % 2 ? "fs" : "");
    snprintf(number[1], 80, "run.temperature=%.17g", 1000 * drand48());
    snprintf(number[2], 80, "out.weights=[%.17g, %.17g]", drand48(), -exp(200 * drand48()));
    const char *const set[] = {number[0], number[1], number[2]};
    round_trip(brief, set, 3);
  }
}

TEST(whole_numbers_are_exact)
{
  static const struct {
    const char *set;
    int64_t value;
  } good[] = {{"large=1e3", 1000},
              {"large=+12", 12},
              {"large=1.50e1", 15},
              {"large=100.", 100},
              {"large=-4e0", -4},
              {"large=0.0", 0},
              {"large=9e18", 9000000000000000000},
              {"large=9007199254740993", 9007199254740993},
              {"large=1200e-2", 12},
              {"large=0e99999999999999999999", 0}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    Input *input;
    Target t;
    Error error;
    ck_assert_msg(parse(brief, &good[i].set, 1, &input, &t, &error) == STATUS_OK, "%s", error.text);
    ck_assert_int_eq(t.large, good[i].value);
    input_free(input);
  }
  refused(brief, "large=1.5", "'1.5' is not a whole number", "--set large=1.5");
  refused(brief, "large=1e-1", "not a whole number", "large");
  refused(brief, "large=9223372036854775808", "too large", "large");
  refused(brief, "large=1e19", "too large", "large");
  refused(brief, "large=1e999999999999", "too large", "large");
  refused(brief, "large=0x10", "not a whole number", "large");
  refused(brief, "system.count=4294967297", "too large", ">= 1 and <= 1000000");
  refused(brief, "system.count=1000001", "out of range", ">= 1 and <= 1000000");
  refused(brief, "system.count=0", "out of range", "--set");
  refused(brief, "large=3 fs", "not a whole number", "large");
}

TEST(wrong_values_are_refused_with_place_and_remedy)
{
  refused("system: {count: x}\nrun: {step: 1}", NULL, "f.yaml:1: system.count: 'x' is not a number",
          "a whole number");
  refused("system: {count: 3}\nrun:\n  step: 2 fsec", NULL, "f.yaml:3: run.step: '2 fsec' has a unit",
          "akma, fs, ps");
  refused(brief, "run.step=2 f", "did you mean 'fs'?", "unit");
  refused(brief, "run.step=2 K", "unit", "akma");
  refused(brief, "out.weights=1 fs", "pure number", "out.weights");
  refused(brief, "run.step=nan", "not a finite number", "'nan'");
  refused(brief, "run.step=-.inf", "not a finite number", "a time");
  refused(brief, "run.step=1e999", "too large", "1e999");
  refused(brief, "run.step=1e308 us", "too large", "us");
  refused(brief, "run.step=1,5", "not a number", "point");
  refused(brief, "run.temperature=0", "out of range", "> 0 and < 1000");
  refused(brief, "run.temperature=1000 K", "out of range", "> 0 and < 1000");
  refused(brief, "system.wall.length=-1e-300", "out of range", "> 0");
  refused(brief, "system.model=tip3", "did you mean 'tip3p'?", "tip3p, tip4p, spce");
  refused(brief, "system.model=TIP4P", "did you mean 'tip4p'?", "not on the list");
  refused(brief, "system.choice=setle", "did you mean 'settle'?", "penalty, settle");
  refused(brief, "run.flag=ture", "did you mean 'true'?", "neither true nor false");
  refused(brief, "run.rate=1 fs", "1/akma, 1/fs, 1/ps or in g/mol/akma", "unit");
  refused(brief, "run.rate=1/fsec", "not a number", "1/fs");
  refused(brief, "run.step=fs", "'fs' is a unit without a number", "did you mean '1 fs'?");
  refused(brief, "run.step=1/fs", "not a number", "a time");
  refused(brief, "out.formats=[xyz, dcf]", "did you mean 'dcd'?", "a list with any of xyz, dcd");
  refused(brief, "title=\xff\xfe", "UTF-8", "title");
  refused("large: [1]\n", NULL, "f.yaml:1: large: found a list", "a whole number");
  refused("large: {a: 1}\n", NULL, "found a section", "a whole number");
  refused("large:\n", NULL, "has no value", "a whole number");
  refused("large: ~\n", NULL, "has no value", "f.yaml:1");
  refused("out:\n  weights: [1, [2]]\n", NULL, "f.yaml:2: out.weights", "not a single value");
  refused("out:\n  weights: [1, x]\n", NULL, "'x' is not a number", "out.weights");
  refused("title: \"a\\0b\"\n", NULL, "zero byte", "title");
  /* A comma within parentheses ends a value in braces or brackets. */
  refused("run: {step: f(0, 1), total: 9}\n", NULL, "f.yaml:1: 'f(0' lacks a ')'", "in quotes");
  refused("out:\n  labels: [a, f(b, c), d]\n", NULL, "f.yaml:2: 'f(b' lacks a ')'", "in quotes");
}

TEST(wrong_keys_are_refused_with_the_nearest_name)
{
  refused("run:\n  setp: 1\n", NULL, "f.yaml:2: run.setp: unknown key; did you mean run.step?", "run.step");
  refused("system:\n  step: 1\n", NULL, "f.yaml:2: system.step: unknown key; did you mean run.step?", "run");
  refused("step: 1\n", NULL, "f.yaml:1: step: unknown key; did you mean run.step?", "run");
  refused("sistem: {count: 1}\n", NULL, "did you mean system?", "sistem");
  refused("Title: x\n", NULL, "did you mean title?", "Title");
  refused("wall: {length: 2}\n", NULL, "did you mean system.wall?", "wall");
  refused("run:\n  temp: 3\n", NULL, "did you mean run.temperature?", "run.temp");
  refused("run:\n  qqq: 3\n", NULL, "the section run has step, total, temperature, rate, flag", "run.qqq");
  refused("qqq: 3\n", NULL, "the top of the file has title, large, system, run, out", "qqq");
  refused(brief, "run.stp=1", "--set run.stp=1: run.stp: unknown key; did you mean run.step?", "run");
  refused(brief, "run=1", "is a section", "--set run=1");
  /* A section is compared with sections, and what other programs have is said to be missing. */
  refused("runs: {rate: 3}\n", NULL, "f.yaml:1: runs: unknown section; did you mean run?", "runs");
  refused("large: 1\nlength: {a: 1}\n", NULL, "length: unknown section; the top of the file has", "length");
  refused(brief, "pressure.rate=1", "pressure: unknown section; the top of the file has title", "--set");
  refused(brief, "runs.large=1", "runs: unknown section; did you mean run?", "--set");
  refused(brief, "barostat.rate=1", "barostat.rate: unknown key; there is none", "--set");
  refused("Barostat: {rate: 1}\n", NULL, "f.yaml:1: Barostat: unknown key; there is none", "Barostat");
  refused("run: {dt: 1}\n", NULL, "run.dt: unknown key; here it is run.step", "f.yaml:1");
  refused(brief, "run.step", "wanted: --set key=value", "--set run.step");
  refused("large: 1\nlarge: 2\n", NULL, "f.yaml:2: large: is given twice, the first time in line 1", "large");
  refused("run: {step: 1}\nrun: {flag: true}\n", NULL, "f.yaml:2: run: is given twice", "line 1");
  refused("run: 3\n", NULL, "f.yaml:1: run: is a section", "indented");
  refused("? [a]\n: 1\n", NULL, "f.yaml:1: a key that is not a plain word", "plain word");
  refused("run: {step: 1}", NULL, "f.yaml: system.count: is missing; wanted: a whole number >= 1", "count");
  refused("run: {step: 1}\nsystem: {model: spce}", NULL, "f.yaml:2: system.count: is missing", "count");
  refused("system: {count: 3}\n", NULL, "run.step: is missing; wanted: a time", "or else run.total");
  refused("system: {count: 3}\nrun:\n  total: 1\n  step: 2\n", NULL,
          "f.yaml:4: run.step: is given together with run.total (f.yaml:3)", "only one");
}

TEST(many_mistakes_come_at_once_in_the_order_of_the_file)
{
  Input *input;
  Target t;
  Error error;
  const char *const set = "large=x";
  ck_assert_int_eq(parse("a1: 1\nlarge: 2\nb2: 2\nrun:\n  step: x\n", &set, 1, &input, &t, &error),
                   STATUS_INPUT);
  const char *const first = strstr(error.text, "f.yaml:1: a1"),
                    *const second = strstr(error.text, "f.yaml:3: b2"),
                    *const third = strstr(error.text, "f.yaml:5: run.step"),
                    *const last = strstr(error.text, "--set large=x");
  ck_assert(first != NULL && second > first && third > second && last > third);
  char long_text[4096] = "";
  for (int i = 0; i < 30; i++)
    sprintf(long_text + strlen(long_text), "unknownkey%d_that_is_rather_long_%060d: 1\n", i, i);
  ck_assert_int_eq(parse(long_text, NULL, 0, &input, &t, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "more)"));
}

TEST(overrides_win_and_take_away)
{
  Input *input;
  Target t;
  Error error;
  const char *const set[] = {
      "run.total=4", "title= x = y # z", "run.flag=", "out.labels=a, b", "large=1", "large=2"};
  ck_assert_msg(parse(full, set, 6, &input, &t, &error) == STATUS_OK, "%s", error.text);
  ck_assert_double_eq(t.total, 4.0);
  ck_assert(!input_given(input, key_named(input, "run.step"))); /* the rival in the file gives way */
  ck_assert_str_eq(t.title, " x = y # z");
  ck_assert(t.flag); /* taken away: the default */
  ck_assert_int_eq(t.labels.n, 2);
  ck_assert_str_eq(t.labels.value[1], "b");
  ck_assert_int_eq(t.large, 2);
  ck_assert_str_eq(input_where(input, key_named(input, "run.total")), "--set run.total=4");
  input_free(input);
  refused(brief, "run.step=", "run.step: is missing", "f.yaml:2");
}

TEST(complaints_and_notes_after_reading)
{
  Input *input;
  Target t;
  Error error;
  ck_assert_int_eq(parse(brief, NULL, 0, &input, &t, &error), STATUS_OK);
  ck_assert_int_eq(input_verdict(input, &error), STATUS_OK);
  input_complain(input, key_named(input, "run.step"), "second");
  input_complain(input, key_named(input, "system.count"), "first %d", 1);
  input_note(input, key_named(input, "title"), "a remark");
  ck_assert_int_eq(input_verdict(input, &error), STATUS_INPUT);
  ck_assert_str_eq(error.text, "f.yaml:1: system.count: first 1\nf.yaml:2: run.step: second");
  ck_assert_str_eq(input_notes(input, 0), "f.yaml: title: a remark");
  ck_assert_ptr_null(input_notes(input, 1));
  input_free(input);
}

TEST(yaml_that_is_none)
{
  refused("", NULL, "f.yaml: is empty", "examples/");
  refused("# nothing\n", NULL, "is empty", "examples/");
  refused("- a\n- b\n", NULL, "f.yaml:1: has no 'key: value' lines", "examples/");
  refused("hello\n", NULL, "has no 'key: value' lines", "examples/");
  refused("a: b: c\n", NULL, "f.yaml:1: is not YAML", "mapping values");
  refused("run:\n\tstep: 1\n", NULL, "f.yaml:2: is not YAML", "tab");
  refused("large: 1\ntitle: \"open\n", NULL, "is not YAML", "quoted");
  refused("large: 1\n---\nlarge: 2\n", NULL, "f.yaml:3: a second document", "one run");
  refused("large: 1\n\x01\n", NULL, "f.yaml:2: is not text", "control");
  refused("title: \xff\xff\n", NULL, "f.yaml:1: is not text", "UTF-8");
  refused("large: *none\n", NULL, "is not YAML", "alias");
  refused("system: &a\n  wall: *a\n", NULL, "system.wall.wall: unknown section", "f.yaml:2");
  char *const deep = malloc(100001);
  memset(deep, '[', 100000);
  deep[100000] = '\0';
  refused(deep, NULL, "nested", "f.yaml");
  free(deep);
}

TEST(aliases_stand_for_values)
{
  Input *input;
  Target t;
  Error error;
  ck_assert_int_eq(
      parse("large: &n 5\nsystem: {count: *n}\nrun: {step: *n}\nout:\n", NULL, 0, &input, &t, &error),
      STATUS_OK);
  ck_assert_int_eq(t.count, 5);
  ck_assert_double_eq(t.step, 5.0);
  input_free(input);
}

static void file_refused(const char *path, const char *part)
{
  Input *input;
  Target t = {0};
  Error error;
  ck_assert_int_eq(input_load(&input, table, path, NULL, 0, &t, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, part) != NULL && strstr(error.text, path) != NULL, "%s", error.text);
}

TEST(files_that_are_none)
{
  char folder[] = "/tmp/holonom-input-XXXXXX", path[128], large[128];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  file_refused(folder, "is a directory");
  snprintf(path, sizeof path, "%s/water.yaml", folder);
  file_refused(path, "No such file");
  FILE *file = fopen(path, "w");
  ck_assert_int_ge(fputs(brief, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  Input *input;
  Target t = {0};
  ck_assert_int_eq(input_load(&input, table, path, NULL, 0, &t, NULL), STATUS_OK);
  ck_assert_str_eq(input_name(input), path);
  input_free(input);
  char wrong[128];
  snprintf(wrong, sizeof wrong, "%s/watre.yaml", folder);
  file_refused(wrong, "did you mean");
  snprintf(large, sizeof large, "%s/large.yaml", folder);
  file = fopen(large, "w");
  ck_assert_int_eq(ftruncate(fileno(file), (off_t)1 << 33), 0); /* 8 GiB, none of it on the disk */
  ck_assert_int_eq(fclose(file), 0);
  file_refused(large, "larger than");
  unlink(large);
  unlink(path);
  rmdir(folder);
}

/* One random change: bytes set, removed, repeated, or a piece of another place put in. */
static size_t mutate(char *text, size_t n, size_t room)
{
  static const char spice[] = "\0\t\n :[]{}&*!|>'\"%@`#,-?\x80\xff\xc3.e9";
  const size_t at = (size_t)(lrand48() % (long)n);
  const size_t run = 1 + (size_t)(lrand48() % 12);
  switch (lrand48() % 4) {
  case 0:
    text[at] = spice[lrand48() % (long)sizeof spice];
    return n;
  case 1:
    text[at] = (char)lrand48();
    return n;
  case 2: {
    const size_t cut = at + run < n ? run : n - at;
    memmove(text + at, text + at + cut, n - at - cut);
    return n - cut > 0 ? n - cut : 1;
  }
  default: {
    const size_t from = (size_t)(lrand48() % (long)n);
    const size_t length = from + run < n ? run : n - from;
    char piece[16];
    if (n + length > room)
      return n;
    memcpy(piece, text + from, length);
    memmove(text + at + length, text + at, n - at);
    memcpy(text + at, piece, length);
    return n + length;
  }
  }
}

TEST(mutated_files_give_clean_statuses)
{
  enum { ROOM = 2 * sizeof full };
  srand48(20151);
  int good = 0;
  for (int i = 0; i < 20000; i++) {
    char text[ROOM];
    size_t n = sizeof full - 1;
    memcpy(text, full, n);
    for (long k = lrand48() % 8; k >= 0; k--)
      n = mutate(text, n, ROOM);
    char *const exact = malloc(n); /* so that a sanitizer sees reading past the end */
    memcpy(exact, text, n);
    Input *input;
    Target t = {0};
    Error error = {.text = ""};
    const Status status = input_parse(&input, table, "f.yaml", exact, n, NULL, 0, &t, &error);
    ck_assert(status == STATUS_OK || status == STATUS_INPUT);
    ck_assert((status == STATUS_OK) == (input != NULL));
    ck_assert(status == STATUS_OK || strncmp(error.text, "f.yaml", 6) == 0);
    if (status == STATUS_OK) {
      ck_assert(isfinite(t.length) && t.length > 0.0 && t.count >= 1);
      if (good++ % 16 == 0) {
        Input *again;
        Target b;
        char *const yaml = printed(input);
        ck_assert_msg(parse(yaml, NULL, 0, &again, &b, &error) == STATUS_OK, "%s\n%s", error.text, yaml);
        same_target(&t, &b);
        input_free(again);
        free(yaml);
      }
    }
    input_free(input);
    free(exact);
  }
  ck_assert_int_gt(good, 200);
}

TEST(mutated_overrides_give_clean_statuses)
{
  srand48(7);
  for (int i = 0; i < 5000; i++) {
    char text[200] = "run.step=2.5e0 fs out.weights=[1, 2]";
    size_t n = strlen(text);
    for (long k = lrand48() % 6; k >= 0; k--)
      n = mutate(text, n, 199);
    text[n] = '\0';
    const char *const set = text;
    Input *input;
    Target t;
    Error error;
    const Status status = parse(brief, &set, 1, &input, &t, &error);
    ck_assert(status == STATUS_OK || status == STATUS_INPUT);
    input_free(input);
  }
}

static const char *nearest(const char *word, const char *a, const char *b)
{
  Nearest n = nearest_start(word);
  nearest_try(&n, a, 0.0);
  nearest_try(&n, b, 0.0);
  return n.name == NULL ? "" : n.name;
}

TEST(nearest_names)
{
  ck_assert_str_eq(nearest("rattel", "settle", "rattle"), "rattle");
  ck_assert_str_eq(nearest("GAUSS_NEWTON", "full", "gauss-newton"), "gauss-newton");
  ck_assert_str_eq(nearest("equil", "thermo", "equilibration"), "equilibration");
  ck_assert_str_eq(nearest("x", "y", "z"), "");
  ck_assert_str_eq(nearest("", "y", "z"), "");
  ck_assert_str_eq(nearest("abc", "abd", "abe"), "abd");
}

TEST(all_keys_are_described)
{
  char *text = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&text, &size);
  ck_assert_int_eq(input_describe(table, file, NULL), STATUS_OK);
  ck_assert_int_eq(fclose(file), 0);
  for (const Parameter *p = table; p->key != NULL; p++)
    ck_assert_ptr_nonnull(strstr(text, p->key));
  free(text);
  FILE *const full_disk = fopen("/dev/full", "w");
  if (full_disk != NULL) {
    Error error;
    ck_assert_int_eq(input_describe(table, full_disk, &error), STATUS_IO);
    fclose(full_disk);
  }
}
