/* Words: spelling, weights, refusals. Every row of the table is checked, so a new row needs no new test. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/frequency.h"
#include "integrators/word.h"
#include "tests/suite.h"

START_TEST(rows_are_consistent)
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
END_TEST

START_TEST(users_words_are_spelt)
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
}
END_TEST

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
    {"BPB", 0, {0}, "'P'"},
    {"BAB", 2, {0.5, 1.0}, "3 letters but 2 weights"},
    {"BAB", 3, {0.5, 1.0, 0.6}, "add up to 1.1"},
    {"BAB", 3, {0.5, NAN, 0.5}, "letter A"},
    {"BABABABABABABABABABABABABABABABABABABAB", 0, {0}, "1 to 32"},
};

START_TEST(bad_words_are_refused)
{
  WordSpelling s;
  Error error;
  ck_assert_int_eq(word_spell(bad[_i].word, bad[_i].weight, bad[_i].nweight, &s, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "'%s' does not say '%s'", error.text, bad[_i].says);
}
END_TEST

/* How far a mode of frequency 1 gets from 1 in some hundred steps of length s: B kicks with all of its force.
 */
static double reach(const WordSpelling *word, double s)
{
  double q = 1.0, p = 0.0, most = 1.0;
  for (int step = 0; step < 500; step++) {
    for (int i = 0; i < word->n; i++) {
      q += word->letter[i] == 'A' ? word->weight[i] * s * p : 0.0;
      p -= word->letter[i] == 'B' ? word->weight[i] * s * q : 0.0;
    }
    most = fmax(most, fabs(q));
  }
  return most;
}

START_TEST(words_are_stable_up_to_their_limit)
{
  for (const Word *w = word_table; w->name != NULL; w++) {
    WordSpelling s;
    ck_assert_int_eq(word_spell(w->name, NULL, 0, &s, NULL), STATUS_OK);
    const double limit = frequency_limit(&s);
    if (!word_has(&s, 'A') || !word_has(&s, 'B'))
      continue;
    for (int i = 1; i < 100; i++)
      ck_assert_msg(reach(&s, 0.01 * i * limit) < 100.0, "%s at %.2f of its limit", w->name, 0.01 * i);
    ck_assert_msg(reach(&s, 1.01 * limit) > 1e6, "%s beyond its limit of %g", w->name, limit);
  }
}
END_TEST

START_TEST(limits_are_those_known)
{
  static const struct {
    const char *word;
    double limit;
  } known[] = {{"BAB", 2.0},           {"BABO", 2.0},   {"G-BAOAB-5", 2.0}, {"RESPA-2", 4.0},
               {"RESPA-BAOAB-3", 6.0}, {"H", INFINITY}, {"WALK", INFINITY}, {"NEWMARK-1", 2.0}};
  WordSpelling s;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    ck_assert_int_eq(word_spell(known[i].word, NULL, 0, &s, NULL), STATUS_OK);
    const double limit = frequency_limit(&s);
    ck_assert_msg(limit == known[i].limit || fabs(limit - known[i].limit) < 1e-8, "%s: %.17g", known[i].word,
                  limit);
  }
  /* Kicks of a third each: s^4/36 - s^2/2 + 1 = -1 at s^2 = 6. */
  ck_assert_int_eq(word_spell("BABAB", NULL, 0, &s, NULL), STATUS_OK);
  ck_assert_double_eq_tol(frequency_limit(&s), sqrt(6.0), 1e-8);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("word");
  tcase_add_test(tc, rows_are_consistent);
  tcase_add_test(tc, users_words_are_spelt);
  tcase_add_test(tc, words_are_stable_up_to_their_limit);
  tcase_add_test(tc, limits_are_those_known);
  tcase_add_loop_test(tc, bad_words_are_refused, 0, (int)(sizeof bad / sizeof *bad));
  return suite_main("word", tc);
}
