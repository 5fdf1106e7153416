/* Keys of earlier versions: read with a remark, described beside the keys that they are now. And columns. */
#include "io/input.h"
#include "tests/keys.h"
#include "tests/suite.h"

typedef struct Target {
  int count, other;
} Target;

static const InputOld old[] = {{"system.number", 1, NULL}, {"run.gone", -1, "it did nothing"}, {.key = NULL}};

static const Parameter table[] = {
    {"run.other", PARAMETER_INT, offsetof(Target, other), .fallback = "1"},
    {"system.count", PARAMETER_INT, offsetof(Target, count)},
    {.key = NULL, .old = old},
};

static Status parse(const char *text, const char *const *set, int nset, Input **input, Target *target,
                    Error *error)
{
  return input_parse(input, table, "f.yaml", text, strlen(text), set, nset, target, error);
}

/* What one of the writers below writes. */
static char *written(Status (*write)(const Parameter *table, FILE *file, Error *error))
{
  char *text = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&text, &size);
  ck_assert_int_eq(write(table, file, NULL), STATUS_OK);
  fclose(file);
  return text;
}

/* An old name is read as the new one, and a key that is gone is passed over, whatever its value. */
TEST(old_keys_are_read_with_a_remark)
{
  Input *input;
  Target t;
  Error error;
  const char text[] = "system: {number: 3}\nrun: {gone: [1, 2]}\n";
  ck_assert_msg(parse(text, NULL, 0, &input, &t, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(t.count, 3);
  ck_assert_str_eq(input_where(input, key_named(input, "system.count")), "f.yaml:1");
  ck_assert_str_eq(input_notes(input, 0),
                   "f.yaml:1: system.number: is the old name of system.count, and is read as such");
  ck_assert_str_eq(input_notes(input, 1),
                   "f.yaml:2: run.gone: was removed and has no effect: it did nothing");
  ck_assert_ptr_null(input_notes(input, 2));
  const char *value;
  ck_assert_str_eq(input_item(input, 1, &value)->key, "system.count");
  ck_assert_str_eq(value, "3");
  input_free(input);
}

TEST(the_command_line_takes_them_too)
{
  Input *input;
  Target t;
  Error error;
  const char *const set[] = {"system.number=4", "run.gone=1"};
  ck_assert_msg(parse("system: {count: 3}\n", set, 2, &input, &t, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(t.count, 4);
  ck_assert_ptr_nonnull(
      strstr(input_notes(input, 0), "--set system.number=4: system.number: is the old name"));
  ck_assert_ptr_nonnull(strstr(input_notes(input, 1), "--set run.gone=1: run.gone: was removed"));
  input_free(input);
}

/* Under two names a key is given twice, and what is wrong with a value is said of the new name. */
TEST(a_key_has_one_value)
{
  static const char *const wrong[] = {"system: {count: 3, number: 3}\n", "system: {number: x}\n"};
  static const char *const said[] = {"system.count: is given twice", "f.yaml:1: system.count: 'x'"};
  for (int i = 0; i < 2; i++) {
    Input *input;
    Target t;
    Error error;
    ck_assert_int_eq(parse(wrong[i], NULL, 0, &input, &t, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, said[i]) != NULL, "%s", error.text);
  }
}

TEST(lists_of_keys_name_them)
{
  char *const list = written(input_describe), *const page = written(input_describe_page),
              *const json = written(input_describe_json);
  ck_assert_ptr_nonnull(strstr(list, "; formerly system.number"));
  ck_assert_ptr_nonnull(strstr(page, "; formerly system.number."));
  ck_assert_ptr_nonnull(strstr(page, "### run.gone\n\nNo effect: it did nothing."));
  ck_assert_ptr_nonnull(strstr(json, "\"once\": \"system.number\""));
  free(list);
  free(page);
  free(json);
}
