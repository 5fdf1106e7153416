/* Words: splittings as data. A step is a word of letters, each the flow of one part of the equations:
 *
 *   A  drift of positions (with constraints: along the manifold)
 *   B  kick of momenta by the acceleration map
 *   S  kick of momenta by the slow forces, which B then leaves out (engine/force.h has the groups): a word
 *      takes them less often than the fast ones
 *   O  Ornstein-Uhlenbeck flow of momenta: exact, but with constraints and uniform friction a midpoint
 *      rule on the tangent space, whose distribution is exact (thermostat/ou.h)
 *   H  a whole step of a method (integrators/method.h)
 *   P, C  Newmark's predictor and corrector, only in the named words that need them
 *
 * The weight of a letter is its share of the time step; unless weights are given, letters of one kind
 * share it evenly, so BAOAB means B h/2, A h/2, O h, A h/2, B h/2. Letters that follow one another stay
 * apart: AA along constraints is two drifts of half the length, each projected. */
#ifndef HOLONOM_INTEGRATORS_WORD_H
#define HOLONOM_INTEGRATORS_WORD_H

#include "engine/status.h"

enum { WORD_LETTERS = 32 };

typedef struct Word {
  const char *name;
  const char *letters;
  const char *doc, *cite;
} Word;

/* All named words, ended by a row whose name is NULL. */
extern const Word word_table[];

typedef struct WordSpelling {
  int n;
  char letter[WORD_LETTERS];
  double weight[WORD_LETTERS];
} WordSpelling;

/* Spells out a word: the name of a row, or letters A, B, O, S, H written by the user. nweight is 0 or the
 * number of letters. Errors: STATUS_INPUT (unknown letter, neither H nor both A and B, too long, weights that
 * do not match or whose sum for a letter is not 1). */
Status word_spell(const char *word, const double *weight, int nweight, WordSpelling *spelling, Error *error);

/* The weights read the same from both ends (the step is its own adjoint if each letter's flow is). */
int word_is_palindrome(const WordSpelling *spelling);

int word_has(const WordSpelling *spelling, char letter);

#endif
