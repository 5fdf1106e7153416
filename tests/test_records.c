/* Input files with lists of records and maps of names: what is read, what is refused and where, what is
 * printed. */
#include <sys/resource.h>

#include "io/input.h"
#include "tests/keys.h"
#include "tests/suite.h"

typedef struct Ball {
  const char *name;
  int count;
  double mass, radius;
  InputStrings place;
} Ball;

typedef struct Target {
  double step;
  InputRecords balls;
  InputMap names;
} Target;

static const Parameter ball_table[] = {
    {"name", PARAMETER_STRING, offsetof(Ball, name), .optional = true, .help = "a name"},
    {"count", PARAMETER_INT, offsetof(Ball, count), .limits = LIMIT_FROM, .min = 1, .fallback = "1",
     .help = "how many"},
    {"mass", PARAMETER_REAL, offsetof(Ball, mass), QUANTITY_MASS, .limits = LIMIT_ABOVE, .help = "how heavy"},
    {"radius", PARAMETER_REAL, offsetof(Ball, radius), QUANTITY_LENGTH, .optional = true,
     .help = "how large"},
    {"place", PARAMETER_STRINGS, offsetof(Ball, place), .optional = true, .help = "where"},
    {.key = NULL},
};

static const Parameter table[] = {
    {"step", PARAMETER_REAL, offsetof(Target, step), QUANTITY_TIME, .fallback = "1", .help = "how long"},
    {"bag.balls", PARAMETER_RECORDS, offsetof(Target, balls), .optional = true, .record = ball_table,
     .size = sizeof(Ball), .help = "what is in it"},
    {"bag.names", PARAMETER_MAP, offsetof(Target, names), .optional = true, .help = "what things are called"},
    {.key = NULL},
};

static const char text[] = "step: 2\n"
                           "bag:\n"
                           "  names: {a: 1, b2: 'a + 1'}\n"
                           "  balls:\n"
                           "    - {mass: 1, place: [0, 'min(a, b2)']}\n"
                           "    - name: \"the second, \\\"quoted\\\"\"\n"
                           "      mass: 2 g/mol\n"
                           "      count: 3\n"
                           "      place: r\n";

static Input *parse(const char *from, const char *set, Target *target)
{
  Input *input;
  Error error;
  *target = (Target){0};
  ck_assert_msg(input_parse(&input, table, "f.yaml", from, strlen(from), &set, set != NULL, target, &error) ==
                    STATUS_OK,
                "%s", error.text);
  return input;
}

static const Ball *ball(const Target *target, int i) { return (const Ball *)target->balls.item + i; }

TEST(records_are_read)
{
  Target t;
  Input *const input = parse(text, NULL, &t);
  ck_assert_int_eq(t.balls.n, 2);
  ck_assert_ptr_null(ball(&t, 0)->name);
  ck_assert_int_eq(ball(&t, 0)->count, 1);
  ck_assert_double_eq(ball(&t, 0)->mass, 1.0);
  ck_assert_int_eq(ball(&t, 0)->place.n, 2);
  ck_assert_str_eq(ball(&t, 0)->place.value[1], "min(a, b2)");
  ck_assert_str_eq(ball(&t, 1)->name, "the second, \"quoted\"");
  ck_assert_int_eq(ball(&t, 1)->count, 3);
  ck_assert_int_eq(ball(&t, 1)->place.n, 1);
  ck_assert_int_eq(t.names.n, 2);
  ck_assert_str_eq(t.names.name[1], "b2");
  ck_assert_str_eq(t.names.value[1], "a + 1");
  ck_assert(input_given(input, key_named(input, "bag.balls[1].mass")) &&
            !input_given(input, key_named(input, "bag.balls[1].count")));
  ck_assert(input_given(input, key_named(input, "bag.balls[2].count")) &&
            !input_given(input, key_named(input, "bag.balls[3].mass")));
  ck_assert_str_eq(input_where(input, key_named(input, "bag.balls[2].count")), "f.yaml:8");
  ck_assert_str_eq(input_where(input, key_named(input, "bag.balls[2].radius")), "f.yaml:6");
  ck_assert_str_eq(input_where(input, key_named(input, "bag.balls[1]")), "f.yaml:5");
  ck_assert_str_eq(input_where(input, key_named(input, "bag.names.b2")), "f.yaml:3");
  ck_assert(input_quantity(input, key_named(input, "bag.balls[2].mass")) == QUANTITY_MASS);
  input_free(input);
}

static char *printed(const Input *input)
{
  char *out = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&out, &size);
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(input_print(input, file, NULL), STATUS_OK);
  ck_assert_int_eq(fclose(file), 0);
  return out;
}

/* The printout reads back to the same, and that prints the same. */
TEST(the_printout_reads_back)
{
  Target t, u;
  Input *const input = parse(text, NULL, &t);
  char *const first = printed(input);
  Input *const again = parse(first, NULL, &u);
  char *const second = printed(again);
  ck_assert_int_eq(u.balls.n, 2);
  ck_assert_str_eq(ball(&u, 1)->name, ball(&t, 1)->name);
  ck_assert_double_eq(ball(&u, 1)->mass, 2.0);
  ck_assert_str_eq(ball(&u, 0)->place.value[1], "min(a, b2)");
  ck_assert_int_eq(u.names.n, 2);
  ck_assert_str_eq(u.names.value[1], "a + 1");
  ck_assert_str_eq(first, second);
  free(first);
  free(second);
  input_free(again);
  input_free(input);
}

TEST(the_command_line_overrides)
{
  Target t;
  Input *input = parse(text, "bag.balls[2].mass=7", &t);
  ck_assert_double_eq(ball(&t, 1)->mass, 7.0);
  ck_assert_str_eq(input_where(input, key_named(input, "bag.balls[2].mass")), "--set bag.balls[2].mass=7");
  input_free(input);
  input = parse(text, "bag.balls[1].place=max(1, 2),3", &t);
  ck_assert_int_eq(ball(&t, 0)->place.n, 2);
  ck_assert_str_eq(ball(&t, 0)->place.value[0], "max(1, 2)");
  input_free(input);
  input = parse(text, "bag.balls=", &t);
  ck_assert_int_eq(t.balls.n, 0);
  ck_assert(!input_given(input, key_named(input, "bag.balls")));
  input_free(input);
  input = parse(text, "bag.balls=[{mass: 5}, {mass: 6}, {mass: 7}]", &t);
  ck_assert_int_eq(t.balls.n, 3);
  ck_assert_double_eq(ball(&t, 2)->mass, 7.0);
  input_free(input);
  input = parse(text, "bag.names.a=17", &t);
  ck_assert_int_eq(t.names.n, 2);
  ck_assert_str_eq(t.names.value[0], "17");
  ck_assert_str_eq(input_where(input, key_named(input, "bag.names.a")), "--set bag.names.a=17");
  input_free(input);
  input = parse(text, "bag.names.a=", &t);
  ck_assert_int_eq(t.names.n, 1);
  input_free(input);
  input = parse(text, "bag.names=", &t);
  ck_assert_int_eq(t.names.n, 0);
  input_free(input);
}

static void refused(const char *from, const char *set, const char *part)
{
  Input *input;
  Error error;
  Target t = {0};
  ck_assert_int_eq(input_parse(&input, table, "f.yaml", from, strlen(from), &set, set != NULL, &t, &error),
                   STATUS_INPUT);
  ck_assert_ptr_null(input);
  ck_assert_msg(strstr(error.text, part) != NULL, "'%s' lacks '%s'", error.text, part);
}

TEST(messages_name_file_line_and_key)
{
  static const struct {
    const char *text, *part;
  } bad[] = {
      {"bag:\n  balls:\n    - {mass: 1}\n    - {mas: 1}\n",
       "f.yaml:4: bag.balls[2]: unknown key 'mas'; did you mean mass?"},
      {"bag:\n  balls:\n    - {mass: 1, colour: red}\n", "it can have name, count, mass, radius, place"},
      {"bag:\n  balls:\n    - {count: 2}\n", "f.yaml:3: bag.balls[1].mass: is missing; wanted: a mass > 0"},
      {"bag:\n  balls:\n    - {mass: -1}\n", "f.yaml:3: bag.balls[1].mass: '-1' is out of range"},
      {"bag:\n  balls:\n    - {mass: 1 fs}\n", "has a unit that does not fit"},
      {"bag:\n  balls:\n    - {mass: 1, count: 1.5}\n", "bag.balls[1].count: '1.5' is not a whole number"},
      {"bag:\n  balls:\n    - {mass: 1, mass: 2}\n", "bag.balls[1].mass: is given twice"},
      {"bag:\n  balls:\n    - 3\n", "f.yaml:3: bag.balls[1]: is not a record"},
      {"bag:\n  balls: 3\n", "f.yaml:2: bag.balls: '3' is a single value; wanted: a list of records"},
      {"bag:\n  balls: {mass: 1}\n", "f.yaml:2: bag.balls: found a section"},
      {"bag:\n  balls:\n", "bag.balls: has no value"},
      {"bag:\n  balls:\n    - {mass: [1, 2]}\n", "bag.balls[1].mass: found a list"},
      {"bag:\n  names: [a, b]\n", "f.yaml:2: bag.names: found a list"},
      {"bag:\n  names: {a: [1]}\n", "bag.names: 'a' has no single value"},
      {"bag:\n  names: {a: }\n", "bag.names: 'a' has no single value"},
      {"bag:\n  names: {a: 1, a: 2}\n", "bag.names: a is given twice"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    refused(bad[i].text, NULL, bad[i].part);
  refused(text, "bag.balls[3].mass=1",
          "--set bag.balls[3].mass=1: bag.balls[3].mass: bag.balls has 2 records, counted from 1");
  refused(text, "bag.balls[2].mass=x", "--set bag.balls[2].mass=x: bag.balls[2].mass: 'x' is not a number");
  refused(text, "bag.balls=[{mass: 1", "--set bag.balls=[{mass: 1: bag.balls: is not YAML");
  refused(text, "bag.balls=[{mess: 1}]", "did you mean mass?");
  refused(text, "bag.names.b3=1", "the file has no 'b3' here; did you mean 'b2'?");
}

TEST(the_list_of_keys_has_those_of_records)
{
  char *out = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&out, &size);
  ck_assert_int_eq(input_describe(table, file, NULL), STATUS_OK);
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_ptr_nonnull(strstr(out, "\nbag.balls\n"));
  ck_assert_ptr_nonnull(strstr(out, "\nbag.balls[i].mass\n    how heavy\n    a mass > 0"));
  free(out);
}

TEST(bare_numbers_only)
{
  Target t;
  Input *const input = parse(text, NULL, &t);
  input_unitless(input, "here numbers are bare");
  Error error;
  ck_assert_int_eq(input_verdict(input, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "f.yaml:7: bag.balls[2].mass: has a unit, and here numbers are bare") !=
                    NULL,
                "%s", error.text);
  input_free(input);
}

/* Sixteen thousand names take memory in proportion, and each is found and printed. */
TEST(large_maps_are_read_in_proportion)
{
  enum { NAMES = 16000 };
  char *file, *printed;
  size_t length, size;
  FILE *stream = open_memstream(&file, &length);
  ck_assert_ptr_nonnull(stream);
  fprintf(stream, "step: 1\nbag:\n  names:\n");
  for (int i = 0; i < NAMES; i++)
    fprintf(stream, "    name_%d: \"%d + %d\"\n", i, i, i + 1);
  ck_assert_int_eq(fclose(stream), 0);
  struct rusage before, after;
  ck_assert_int_eq(getrusage(RUSAGE_SELF, &before), 0);
  Target t;
  Input *const input = parse(file, "bag.names.name_777=33", &t);
  ck_assert_int_eq(getrusage(RUSAGE_SELF, &after), 0);
#ifdef __SANITIZE_ADDRESS__
  const long room = 32; /* kB a name: red zones, and what is freed is kept back; a copy for each is 450 */
#else
  const long room = 4;
#endif
  ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, room * NAMES);
  ck_assert_int_eq(t.names.n, NAMES);
  ck_assert_str_eq(t.names.name[NAMES - 1], "name_15999");
  ck_assert_str_eq(t.names.value[NAMES - 1], "15999 + 16000");
  ck_assert_str_eq(t.names.value[777], "33"); /* of the command line */
  stream = open_memstream(&printed, &size);
  ck_assert_ptr_nonnull(stream);
  ck_assert_int_eq(input_print(input, stream, NULL), STATUS_OK);
  ck_assert_int_eq(fclose(stream), 0);
  ck_assert_ptr_nonnull(strstr(printed, "\"name_778\": \"778 + 779\", \"name_779\": \"779 + 780\""));
  input_free(input);
  free(printed);
  free(file);
}
