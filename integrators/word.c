#include "integrators/word.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "integrators/letters.h"

/* The drift's two Gauss-Legendre points are at a distance GAUSS from its ends. */
#define GAUSS 0.21132486540518708 /* 1/2 - 1/sqrt(12) */
static const double gauss_legendre[] = {0.5, GAUSS, 0.5, 1.0 - 2.0 * GAUSS, 0.5, GAUSS, 0.5};

/* The optional fields of a row are named; NULL if left out. */
#define WORD(word, in_letters, what, source, ...)                                                            \
  {                                                                                                          \
    .name = word, .letters = in_letters, .doc = what, .cite = source, __VA_ARGS__                            \
  }

const Word word_table[] = {
    WORD("BAB", "BAB", "kick, drift, kick: velocity Verlet, or Zhang-Skeel with its map; no thermostat",
         "Tao & Owhadi 2015, (2.7), (2.8)"),
    WORD("ABA", "ABA", "drift, kick, drift: position Verlet; no thermostat", "Leimkuhler & Matthews 2013"),
    WORD("BABO", "BABO", "geometric Langevin: a Hamiltonian step, then O, the Ornstein-Uhlenbeck flow",
         "Bou-Rabee & Owhadi 2010; Tao & Owhadi 2015, sec. 4.3"),
    WORD("OBABO", "OBABO", "geometric Langevin in Strang form", "Bussi & Parrinello 2007"),
    WORD("BAOAB", "BAOAB", "smallest configurational error of the simple words",
         "Leimkuhler & Matthews 2013"),
    WORD("ABOBA", "ABOBA", "one force evaluation in the middle", "Leimkuhler & Matthews 2013"),
    WORD("OABAO", "OABAO", "noise outside, position Verlet inside", "Leimkuhler & Matthews 2013"),
    WORD("BAOA", "BAOA",
         "the middle scheme: BAOAB shifted by half a kick, with kinetic energies of its middle",
         "Kieninger & Keller 2022; Zhang et al. 2019"),
    WORD("G-BAOAB-2", "BAAOAAB",
         "geodesic BAOAB: with constraints, every drift has two projected parts on either side of the noise, "
         "for larger time steps at the same cost in forces",
         "Leimkuhler & Matthews, Proc. R. Soc. A 472, 20160138 (2016)"),
    WORD("G-BAOAB-3", "BAAAOAAAB", "the same in three parts",
         "Leimkuhler & Matthews, Proc. R. Soc. A 472, 20160138 (2016)"),
    WORD("G-BAOAB-5", "BAAAAAOAAAAAB", "the same in five parts",
         "Leimkuhler & Matthews, Proc. R. Soc. A 472, 20160138 (2016)"),
    WORD("GL-BAOAOAB", "BAOAOAB",
         "noise at the Gauss-Legendre points of the drift: all motions have the set temperature even with "
         "weak friction; under BAOAB slow motions are too cold",
         "docs/theory.md, \"Temperatures of a long step\"", .weight = gauss_legendre),
    WORD("RESPA-2", "SBABBABS",
         "two velocity Verlet steps with the fast forces between half kicks of the slow forces (a mesh), in "
         "one time step; no thermostat",
         "Tuckerman, Berne & Martyna, J. Chem. Phys. 97, 1990 (1992)"),
    WORD("RESPA-3", "SBABBABBABS", "the same with three",
         "Tuckerman, Berne & Martyna, J. Chem. Phys. 97, 1990 (1992)"),
    WORD("RESPA-BAOAB-2", "SBAOABBAOABS",
         "two BAOAB steps with the fast forces between half kicks of the slow forces, in one time step",
         "Tuckerman, Berne & Martyna 1992; Leimkuhler & Matthews 2013"),
    WORD("RESPA-BAOAB-3", "SBAOABBAOABBAOABS", "the same with three",
         "Tuckerman, Berne & Martyna 1992; Leimkuhler & Matthews 2013"),
    WORD("RESPA-G-BAOAB-2", "SBAAOAABBAAOAABS",
         "two geodesic BAOAB steps of two drifts between the slow half kicks",
         "Tuckerman, Berne & Martyna 1992; Leimkuhler & Matthews 2016"),
    WORD("H", "H", "one step of the method alone; no thermostat", "see the method"),
    WORD("HO", "HO", "geometric Langevin over any method: its step, then O, the Ornstein-Uhlenbeck flow",
         "Bou-Rabee & Owhadi 2010"),
    WORD("OHO", "OHO", "the same in Strang form", "Bussi & Parrinello 2007"),
    WORD("WALK", "OA",
         "noise and drift without forces: with constraints and infinite friction a random walk on the "
         "manifold, "
         "fresh momenta each step",
         "Vesely 2013, Kramers chain"),
    {.name = NULL},
};

static const char *known_words(char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (const Word *w = word_table; w->name != NULL && used < size; w++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", w->name);
  return text;
}

static const Word *word_row(const char *word)
{
  const Word *w = word_table;
  while (w->name != NULL && strcasecmp(w->name, word) != 0)
    w++;
  return w->name != NULL ? w : NULL;
}

static Status word_letters(const char *word, const Word *row, WordSpelling *s, Error *error)
{
  const char *letters = row != NULL ? row->letters : word;
  char known[512];
  if (strlen(letters) == 0 || strlen(letters) > WORD_LETTERS)
    return error_set(error, STATUS_INPUT, "the word '%s' has %zu letters; 1 to %d are allowed", word,
                     strlen(letters), WORD_LETTERS);
  s->n = (int)strlen(letters);
  for (int i = 0; i < s->n; i++) {
    if (letter_find(letters[i]) == NULL)
      return error_set(error, STATUS_INPUT,
                       "the word '%s' has the letter '%c'; use A (drift), B (kick), O (thermostat), S (kick "
                       "by slow forces alone) and H (a method), or one of %s",
                       word, letters[i], known_words(known, sizeof known));
    s->letter[i] = letters[i];
  }
  if (word_has(s, 'H') && (word_has(s, 'A') || word_has(s, 'B') || word_has(s, 'S')))
    return error_set(error, STATUS_INPUT,
                     "the word '%s' mixes H, a whole step of a method, with A, B or S: remove either", word);
  if (row == NULL && !word_has(s, 'H') && !(word_has(s, 'A') && word_has(s, 'B')))
    return error_set(error, STATUS_INPUT, "the word '%s' needs at least one A (drift) and one B (kick)",
                     word);
  return STATUS_OK;
}

Status word_spell(const char *word, const double *weight, int nweight, WordSpelling *spelling, Error *error)
{
  WordSpelling s = {0};
  const Word *row = word_row(word);
  TRY(error_option(error, "word", word_letters(word, row, &s, error)));
  if (nweight != 0 && nweight != s.n)
    return error_input(error, "weights", "the word '%s' has %d letters but %d weights", word, s.n, nweight);
  if (nweight == 0 && row != NULL && row->weight != NULL) {
    weight = row->weight;
    nweight = s.n;
  }
  for (int i = 0; i < s.n; i++) {
    int same = 0;
    double sum = 0.0;
    for (int j = 0; j < s.n; j++)
      if (s.letter[j] == s.letter[i]) {
        same++;
        sum += nweight != 0 ? weight[j] : 0.0;
      }
    if (nweight != 0 && !(fabs(sum - 1.0) < 1e-12))
      return error_input(error, "weights", "the weights of the letter %c in '%s' add up to %.15g, not 1",
                         s.letter[i], word, sum);
    s.weight[i] = nweight != 0 ? weight[i] : 1.0 / same;
  }
  *spelling = s;
  return STATUS_OK;
}

int word_is_palindrome(const WordSpelling *s)
{
  for (int i = 0; i < s->n; i++)
    if (s->letter[i] != s->letter[s->n - 1 - i] || fabs(s->weight[i] - s->weight[s->n - 1 - i]) > 1e-15)
      return 0;
  return 1;
}

int word_has(const WordSpelling *s, char letter)
{
  for (int i = 0; i < s->n; i++)
    if (s->letter[i] == letter)
      return 1;
  return 0;
}
