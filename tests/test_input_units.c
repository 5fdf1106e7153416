/* The input reader: in which units numbers are taken, and shown in messages; errors from below as those of a
 * key. */
#include "io/input.h"
#include "tests/keys.h"
#include "tests/suite.h"

typedef struct Target {
  int units, count;
  double step, rate;
} Target;

static const char *const systems[] = {"real", "bare", NULL};

#define FIELD(name) .offset = offsetof(Target, name)

static const Parameter table[] = {
    {"units", PARAMETER_CHOICE, FIELD(units), .names = systems, .fallback = "real", .unitless = 2},
    {"system.count", PARAMETER_INT, FIELD(count)},
    {"run.step", PARAMETER_REAL, FIELD(step), QUANTITY_TIME},
    {"run.rate", PARAMETER_REAL, FIELD(rate), QUANTITY_FREQUENCY, .alternative = QUANTITY_FRICTION,
     .optional = true},
    {.key = NULL},
};

static const char brief[] = "system: {count: 3}\nrun: {step: 1}\n";

static Status parse(const char *text, const char *const *set, int nset, Input **input, Target *target,
                    Error *error)
{
  memset(target, 0, sizeof *target);
  return input_parse(input, table, "f.yaml", text, strlen(text), set, nset, target, error);
}

/* In the file and on the command line; bare numbers have no unit whose name would help. */
TEST(no_units_where_there_are_none)
{
  static const char text[] = "run: {step: x}\nsystem: {count: 3}\nunits: bare\n";
  Input *input;
  Target target;
  Error error;
  const char *const set[] = {"units=bare"};
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(
        parse(i == 0 ? text : "run: {step: x}\nsystem: {count: 3}\n", set, i, &input, &target, &error),
        STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "run.step: 'x' is not a number; wanted: a time"));
    ck_assert_ptr_null(strstr(error.text, "fs"));
  }
  const char *const real[] = {"units=real"};
  ck_assert_int_eq(parse(text, real, 1, &input, &target, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "a time in akma, fs"));
}

TEST(rates_may_be_written_short)
{
  Input *input;
  Target one, other;
  Error error;
  static const char *const pair[][2] = {{"run.rate=1/ps", "run.rate=1 1/ps"},
                                        {"run.rate=2.5 /fs", "run.rate=2.5 1/fs"}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    ck_assert_int_eq(parse(brief, &pair[i][1], 1, &input, &other, &error), STATUS_OK);
    input_free(input);
    ck_assert_msg(parse(brief, &pair[i][0], 1, &input, &one, &error) == STATUS_OK, "%s", error.text);
    ck_assert_double_eq(one.rate, other.rate);
    const Parameter *p;
    const char *value;
    for (int k = 0; (p = input_item(input, k, &value)) != NULL; k++)
      if (strcmp(p->key, "run.rate") == 0)
        ck_assert_str_eq(value, strchr(pair[i][1], '=') + 1);
    input_free(input);
  }
}

TEST(amounts_are_in_the_users_units)
{
  Input *input;
  Target target;
  Error error;
  char text[64];
  const char *const set[] = {"run.step=2 ps"};
  ck_assert_int_eq(parse(brief, set, 1, &input, &target, &error), STATUS_OK);
  ck_assert_str_eq(input_amount(input, key_named(input, "run.step"), 0.25 * target.step, text, sizeof text),
                   "0.5 ps");
  ck_assert_str_eq(input_amount(input, key_named(input, "system.count"), 7, text, sizeof text), "7");
  input_free(input);
  ck_assert_int_eq(parse(brief, NULL, 0, &input, &target, &error), STATUS_OK);
  ck_assert_str_eq(input_amount(input, key_named(input, "run.step"), 0.25, text, sizeof text), "0.25");
  input_free(input);
}

TEST(errors_from_below_are_those_of_a_key)
{
  Input *input;
  Target target;
  Error error;
  const Error below = {.text = "no room"};
  ck_assert_int_eq(parse(brief, NULL, 0, &input, &target, &error), STATUS_OK);
  const InputKey key = key_named(input, "run.step");
  ck_assert_int_eq(input_pass(input, key, STATUS_OK, &below, &error), STATUS_OK);
  ck_assert_int_eq(input_pass(input, key, STATUS_INPUT, &below, &error), STATUS_INPUT);
  ck_assert_str_eq(error.text, "f.yaml:2: run.step: no room");
  ck_assert_int_eq(input_pass(input, key, STATUS_MEMORY, &below, &error), STATUS_MEMORY);
  ck_assert_str_eq(error.text, "no room");
  input_free(input);
}
