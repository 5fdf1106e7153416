/* What files and the command line say reaches the terminal as something to read: no control character, no
 * line of its own. And names that are empty are refused. */
#include <stdint.h>

#include "base/printable.h"
#include "base/status.h"
#include "tests/program.h"

/* Nothing below a blank, no DEL. */
static bool is_quiet(const char *text, const char *allowed)
{
  for (const char *c = text; *c != '\0'; c++)
    if (((unsigned char)*c < 0x20 || *c == 0x7f) && strchr(allowed, *c) == NULL)
      return false;
  return true;
}

TEST(any_bytes_are_shown_in_one_line)
{
  uint32_t state = 1;
  for (int k = 0; k < 20000; k++) {
    char text[24], shown[128], again[256], part[16];
    size_t n = 0;
    for (; n < sizeof text - 1; n++) {
      state = state * 1664525u + 1013904223u;
      text[n] = (char)(state >> 24);
      if (text[n] == '\0')
        break;
    }
    text[n] = '\0';
    const size_t length = printable_copy(shown, sizeof shown, text);
    ck_assert_uint_eq(strlen(shown), length);
    ck_assert(is_quiet(shown, ""));
    /* It is UTF-8, so that what is shown stays as it is. */
    ck_assert_uint_eq(printable_copy(again, sizeof again, shown), length);
    ck_assert_str_eq(again, shown);
    const size_t cut = printable_copy(part, sizeof part, text);
    ck_assert(cut < sizeof part && strncmp(part, shown, cut) == 0);
  }
  static const char *const fine[] = {"", "plain.yaml", "Größe 1 µs, 水分子, 🙂", "a\\nb",
                                     "50 % +- 1"};
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    char shown[128];
    printable_copy(shown, sizeof shown, fine[i]);
    ck_assert_str_eq(shown, fine[i]);
  }
  static const char *const bad[][2] = {{"a\nb\tc\r", "a\\nb\\tc\\r"},
                                       {"\033[31m\177", "\\x1b[31m\\x7f"},
                                       {"\xc2\x9b"
                                        "2J",
                                        "\\xc2\\x9b2J"},
                                       {"\x9b"
                                        "2J",
                                        "\\x9b2J"},
                                       {"a\xe2\x80\xae"
                                        "b",
                                        "a\\xe2\\x80\\xaeb"},
                                       {"\xc0\x80\xed\xa0\x80", "\\xc0\\x80\\xed\\xa0\\x80"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char shown[128];
    printable_copy(shown, sizeof shown, bad[i][0]);
    ck_assert_str_eq(shown, bad[i][1]);
  }
}

/* Lines of a message are those of its format. */
TEST(messages_keep_their_own_lines)
{
  Error error;
  ck_assert_int_eq(error_set(&error, STATUS_INPUT, "%s:\n\tat %d,\n%s%%", "x\ny", 3, "\1\2\033"),
                   STATUS_INPUT);
  ck_assert_str_eq(error.text, "x\\ny:\n\tat 3,\n\\x01\\x02\\x1b%");
  error_prefix(&error, "of %s", "a\nb");
  ck_assert_str_eq(error.text, "of a\\nb: x\\ny:\n\tat 3,\n\\x01\\x02\\x1b%");
  const Error why = error;
  (void)error_pass(&error, STATUS_IO, &why);
  ck_assert_str_eq(error.text, why.text);
  (void)error_set(&error, STATUS_IO, "%.7s; and more", error.text);
  ck_assert_str_eq(error.text, "of a\\nb; and more");
}

/* Escapes, the bell, another line. */
#define NASTY "x\033]0;y\a\033[31m\nPLANTED"

static const char *const calls[] = {
    "run \"$N\" -o \"$N.out\" && grep -a PLANTED \"$N.out/input.yaml\" | grep -qv ^PLANTED && $P run "
    "\"$N.out/input.yaml\" "
    "-o \"$N.out\" --resume --set integrator.steps=40",
    "run small.yaml -o \"$N.log/$N\"",
    "run \"no$N\"",
    "run small.yaml -o \"$N\"",
    "run small.yaml -o r \"$N\"",
    "run small.yaml -o r --start \"$N\"",
    "run small.yaml -o r --replicas \"$N\"",
    "run small.yaml -o r --resume --quiet --\"$N\"",
    "\"$N\"",
    "check small.yaml --set \"$N\"",
    "check small.yaml --set \"$N=1\"",
    "check small.yaml --set \"system.$N=1\"",
    "check small.yaml --set \"system.model=$N\"",
    "check small.yaml --set \"title=$N\"",
    "check small.yaml --set \"integrator.time=1 $N\"",
    "check small.yaml --set system.start=file --set \"system.file=$N\"",
    "check small.yaml --set system.start=file --set system.file=planted.xyz",
    "energy planted.xyz --model tip3p",
    "energy planted.xyz --model \"$N\"",
    "energy good.xyz --model tip3p --forces \"$N\"",
    "energy \"$N.dcd\" --model tip3p",
    "rdf planted.xyz -o \"$N.rdf\"",
    "rdf good.xyz -o \"$N.rdf\"",
    "observe \"$N\" good.xyz",
    "observe gofr \"$N.xyz\" --box 20 -o o",
    "report r \"$N\"",
    "report \"$N.out\"",
    "compare \"$N.out\" \"$N.out\" -o \"$N.compare\"",
    "merge \"$N\" -o m",
    "merge r -o \"$N\"",
    "study \"$N.study\" --list -o \"$N.s\"",
    "study \"$N.study\" -o \"$N.s\"",
    "build --atoms \"$N=3\" --density 1",
    "build --atoms argon=40 --density 0.5 --cutoff 8 --equilibrate 0 --quiet --out \"$N.gro\"",
    "minima --model tip3p --molecules 2 --steps 5 -o \"$N.xyz\"",
    "example \"$N\"",
    "example trimer -o \"$N.e\"",
    "gallery --only \"$N\"",
    "help \"$N\"",
    "list \"$N\"",
};
enum { CALLS = (int)(sizeof calls / sizeof *calls) };

/* Steps with TRY, of which one fails: how many were taken. */
static Status take_steps(int bad, int *taken)
{
  for (int i = 0; i < 4; i++)
    TRY(++*taken == bad ? STATUS_RUN : STATUS_OK);
  return STATUS_OK;
}

TEST(an_error_returns_at_once)
{
  for (int bad = 1; bad <= 5; bad++) {
    int taken = 0;
    ck_assert_int_eq(take_steps(bad, &taken), bad < 5 ? STATUS_RUN : STATUS_OK);
    ck_assert_int_eq(taken, bad < 5 ? bad : 4); /* each once, none after an error */
  }
}

TEST(nothing_gets_through)
{
  setenv("N", NASTY, 1);
  program_write("small.yaml", program_small);
  program_write("planted.xyz", "3\ntitle \033[31m\nO\033[1m 0 0 0\nH 0 0 1\nH 0 1 0\n");
  program_write("good.xyz", "3\nProperties=species:S:1:pos:R:3 \033[31m\nO 0 0 0\nH 0 0 1\nH 0 1 0\n");
  program_do(
      "cp small.yaml \"$N\"; printf 'base: \"%%s\"\\nset: [integrator.steps=400]\\nruns: [{name: a}, {name: "
      "\"b\\\\e[31m\\\\nPLANTED\", set: [seed=2]}]\\n' small.yaml > \"$N.study\"");
  for (int i = 0; i < CALLS; i++) {
    const int code = program_shell("$P %s", calls[i]);
    ck_assert_msg(code >= 0 && code <= 3, "%s: %d", calls[i], code);
    /* Progress draws its line again. */
    ck_assert_msg(is_quiet(program_output, "\n\t\r"), "%s:\n%s", calls[i], program_output);
    ck_assert_msg(strstr(program_output, "\nPLANTED") == NULL, "%s:\n%s", calls[i], program_output);
  }
}

TEST(empty_names_are_refused)
{
  static const char *const empty[] = {
      "run small.yaml -o ''",
      "run small.yaml --start ''",
      "run small.yaml --replicas 0..7 --from ''",
      "run ''",
      "study ''",
      "study small.yaml -o ''",
      "report ''",
      "compare r ''",
      "compare r r -o ''",
      "merge r -o ''",
      "merge ''",
      "build --atoms argon=40 --density 0.5 --cutoff 8 --out ''",
      "minima --model tip3p --molecules 2 -o ''",
      "energy ''",
      "energy planted.xyz --forces ''",
      "observe gofr ''",
      "observe gofr planted.xyz -o ''",
      "rdf ''",
      "rdf planted.xyz -o ''",
      "check ''",
      "example trimer -o ''",
      "gallery -o ''",
  };
  program_write("small.yaml", program_small);
  program_write("planted.xyz", "3\n\nO 0 0 0\nH 0 0 1\nH 0 1 0\n");
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
    program_refuses("empty", "%s", empty[i]);
  }
  /* Of a key, an empty value is as none. */
  program_refuses("system.file", "check small.yaml --set system.start=file --set system.file=");
}
