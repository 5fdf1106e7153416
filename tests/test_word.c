/* Words: spelling, weights, refusals. Every row of the table is checked, so a new row needs no new test. */
#include "integrators/word.h"
#include "tests/suite.h"

TEST(rows_are_consistent)
{
  for (const Word *w = word_table; w->name != NULL; w++) {
    WordSpelling s;
    Error error;
    ck_assert_msg(word_spell(w->name, NULL, 0, &s, &error) == STATUS_OK, "%s", error.text);
    for (int i = 0; i < s.n; i++) {
      double sum = 0.0;
      for (int j = 0; j < s.n; j++)
        sum += s.letter[j] == s.letter[i] ? s.weight[j] : 0.0;
      ck_assert_double_eq_tol(sum, 1.0, 1e-14);
    }
    ck_assert(strlen(w->doc) > 0 && strlen(w->cite) > 0);
  }
}

TEST(users_words_are_spelt)
{
  WordSpelling s;
  ck_assert_int_eq(word_spell("BAOAB", NULL, 0, &s, NULL), STATUS_OK);
  ck_assert_int_eq(s.n, 5);
  ck_assert_double_eq(s.weight[0], 0.5);
  ck_assert_double_eq(s.weight[2], 1.0);
  ck_assert(word_is_palindrome(&s));
  ck_assert(word_has(&s, 'O'));
  ck_assert_int_eq(word_spell("BABO", NULL, 0, &s, NULL), STATUS_OK);
  ck_assert(!word_is_palindrome(&s));
  /* A fourth-order composition, as weights. */
  const double a = 1.0 / (2.0 - cbrt(2.0)), b = 1.0 - 2.0 * a;
  const double yoshida[7] = {a / 2, a, (a + b) / 2, b, (a + b) / 2, a, a / 2};
  ck_assert_int_eq(word_spell("BABABAB", yoshida, 7, &s, NULL), STATUS_OK);
  ck_assert_double_eq(s.weight[3], b);
  ck_assert(word_is_palindrome(&s));
  /* Letters alone do not make one. */
  ck_assert_int_eq(word_spell("BAB", (const double[3]){0.25, 1.0, 0.75}, 3, &s, NULL), STATUS_OK);
  ck_assert(!word_is_palindrome(&s));
}

static const struct {
  const char *word;
  int nweight;
  double weight[3];
  const char *says;
} bad[] = {
    {"", 0, {0}, "letters"},
    {"BXB", 0, {0}, "'X'"},
    {"BOB", 0, {0}, "at least one A"},
    {"AO", 0, {0}, "at least one A"},
    {"PC", 0, {0}, "'P'"},
    {"BAB", 2, {0.5, 1.0}, "3 letters but 2 weights"},
    {"BAB", 3, {0.5, 1.0, 0.6}, "add up to 1.1"},
    {"BAB", 3, {0.5, NAN, 0.5}, "letter A"},
    {"BABABABABABABABABABABABABABABABABABABAB", 0, {0}, "1 to 32"},
};

TEST(bad_words_are_refused, .rows = sizeof bad / sizeof *bad)
{
  WordSpelling s;
  Error error;
  ck_assert_int_eq(word_spell(bad[_i].word, bad[_i].weight, bad[_i].nweight, &s, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "'%s' does not say '%s'", error.text, bad[_i].says);
}
