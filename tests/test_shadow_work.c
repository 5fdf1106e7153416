/* The steady shadow work of words: the conserved energy of oscillators that the engine moves drifts as the
 * stationary distribution says (docs/theory.md, "The drift of the conserved energy"). */
#include "tests/shorter.h"
#include "tests/suite.h"
#include "tests/swarm.h"

/* Energy less heat of each oscillator, over kT. */
static void conserved(const Swarm *w, double *to)
{
  const Block *block = &w->state->block[0];
  for (int i = 0; i < OSCILLATORS; i++) {
    const double q = block->q[i / LANES][i % LANES], p = block->p[i / LANES][i % LANES];
    to[i] =
        (0.5 * p * p / mass + 0.5 * mass * w->mode.square * q * q - block->heat[i / LANES][i % LANES]) / kT;
  }
}

static void conserved_energy_drifts_as_theory_says(const Case *c)
{
  enum { WARM = 300, STEPS = SHORT ? 800 : 3000 };
  Swarm w;
  double first[OSCILLATORS], last[OSCILLATORS], sum = 0.0, square = 0.0;
  swarm_open(&w, c);
  const double expected = -theory(&w).heat;
  swarm_start(&w, 0.0);
  swarm_run(&w, WARM);
  conserved(&w, first);
  swarm_run(&w, STEPS);
  conserved(&w, last);
  for (int i = 0; i < OSCILLATORS; i++) {
    const double rate = (last[i] - first[i]) / STEPS;
    sum += rate / OSCILLATORS;
    square += rate * rate / OSCILLATORS;
  }
  const double error = sqrt((square - sum * sum) / (OSCILLATORS - 1));
  printf("%-18s h W %.2f: conserved energy %+.6f +- %.6f kT a step, theory %+.6f\n", c->word, c->reach, sum,
         error, expected);
  ck_assert_msg(fabs(sum - expected) < 4.5 * error, "%s h W %.3g: %.6f +- %.6f kT a step, theory %.6f",
                c->word, c->reach, sum, error, expected);
  swarm_close(&w);
}

/* The steady shadow work of a word: none where noise finds momenta that have its temperature, about
 * (h W)^2/12 of what noise exchanges under GL-BAOAOAB (docs/theory.md, "The drift of the conserved energy").
 */
TEST(energy_less_heat_drifts_as_theory_says)
{
  static const double reach[3] = {0.4, 1.0, 1.6}, friction[3] = {0.05, 0.2, 1.0};
  for (const Word *word = word_table; word->name != NULL; word++) {
    WordSpelling s;
    ck_assert_int_eq(word_spell(word->name, NULL, 0, &s, NULL), STATUS_OK);
    if (!word_has(&s, 'O') || !word_has(&s, 'B'))
      continue;
    for (int i = SHORT ? 2 : 0; i < 3; i++)
      conserved_energy_drifts_as_theory_says(&(Case){.word = word->name,
                                                     .accel = "verlet",
                                                     .reach = reach[i],
                                                     .slow = word_has(&s, 'S') ? 0.3 : 0.0,
                                                     .friction = friction[i],
                                                     .heat = true});
  }
  conserved_energy_drifts_as_theory_says(
      &(Case){.word = "ABO", .accel = "verlet", .reach = 1.0, .friction = 0.3, .heat = true});
  conserved_energy_drifts_as_theory_says(&(Case){
      .word = "GL-BAOAOAB", .accel = "zss", .reach = 3.0, .beta = 0.3, .friction = 0.3, .heat = true});
}

/* To second order: gamma kT (h W)^2/12 of GL-BAOAOAB, whatever the friction, and nothing of simple words. */
TEST(shadow_work_to_second_order)
{
  static const struct {
    const char *word;
    double order;
  } known[] = {{"GL-BAOAOAB", 1.0 / 12}, {"BAOAB", 0.0}, {"OBABO", 0.0}, {"BAOA", 0.0}, {"G-BAOAB-3", 0.0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    for (double reach = 0.05; reach < 0.5; reach *= 2.0)
      for (double friction = 1e-4; friction < 0.02; friction *= 10.0) {
        WordSpelling s;
        ck_assert_int_eq(word_spell(known[i].word, NULL, 0, &s, NULL), STATUS_OK);
        const OscillatorStep step = {&s, NULL, h};
        const OscillatorMode mode = {.square = reach * reach / (h * h), .rate = friction / h};
        const double square = reach * reach, work = -oscillator_solve(&step, &mode).heat / friction;
        ck_assert_msg(fabs(work - known[i].order * square) <
                          square * (0.03 * square + 0.02 * friction) + 1e-7,
                      "%s: %.3g, h W %.3g, friction %.3g", known[i].word, work, reach, friction);
      }
}
