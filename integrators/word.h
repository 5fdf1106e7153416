/* Words: splittings as data. A step is a word of letters, the rows of letter_table (integrators/letters.h).
 * The weight of a letter is its share of the time step. Without given weights, equal letters have equal
 * shares: BAOAB means B h/2, A h/2, O h, A h/2, B h/2. Repeated letters are not merged: AA along constraints
 * is two drifts of half the length, each projected. */
#ifndef HOLONOM_INTEGRATORS_WORD_H
#define HOLONOM_INTEGRATORS_WORD_H

#include "base/status.h"

enum { WORD_LETTERS = 32 };

typedef struct Word {
  const char *name;
  const char *letters;
  const char *doc, *cite;
  const double *weight; /* one for each letter; NULL: shared evenly */
} Word;

/* All named words, ended by a row whose name is NULL. */
extern const Word word_table[];

typedef struct WordSpelling {
  int n;
  char letter[WORD_LETTERS];
  double weight[WORD_LETTERS];
} WordSpelling;

/* Spells a word: the name of a row, or letters. nweight is 0 (the row's weights) or the number of letters.
 * Errors: STATUS_INPUT (unknown letter, neither H nor both A and B, too long, weights that do not match or
 * whose sum for a letter is not 1). */
Status word_spell(const char *word, const double *weight, int nweight, WordSpelling *spelling, Error *error);

/* Whether the word and its weights are palindromic: the step is its own adjoint if each letter's flow is. */
int word_is_palindrome(const WordSpelling *spelling);

int word_has(const WordSpelling *spelling, char letter);

#endif
