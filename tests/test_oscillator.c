/* What words make of a harmonic mode: closed forms, and oscillators that the engine itself moves. Errors come
 * from independent oscillators; seeds are fixed. */
#include "tests/shorter.h"
#include "tests/suite.h"
#include "tests/swarm.h"

/* The same of momenta right after the last O, the mean of all oscillators. */
static void add_thermal(const Swarm *w, double *thermal)
{
  double kinetic[LANES], terms[LANES], penalty[LANES], largest[LANES], now[LANES];
  const WalkEnergies to = {
      .kinetic = kinetic, .terms = terms, .penalty = penalty, .largest = largest, .thermal = now};
  const Team alone = team_alone();
  Error error;
  ck_assert_msg(walk_energies(w->walk, &alone, &to, &error) == STATUS_OK, "%s", error.text);
  for (int l = 0; l < LANES; l++)
    *thermal += now[l] / (0.5 * kT * OSCILLATORS);
}

static void sampled_as_theory_says(const Case *c)
{
  enum { WARM = 400, SAMPLES = 800 };
  Swarm w;
  swarm_open(&w, c);
  const OscillatorResult expected = theory(&w);
  ck_assert_int_eq(expected.fate, OSCILLATOR_SAMPLED);
  swarm_start(&w, 0.0);
  swarm_run(&w, WARM);
  Vec8 q[MOLECULES] = {{0}}, p[MOLECULES] = {{0}};
  double thermal = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    swarm_run(&w, 1);
    add_squares(&w, q, p);
    add_thermal(&w, &thermal);
  }
  double mean[2], error[2];
  mean_of(q, SAMPLES, &mean[0], &error[0]);
  mean_of(p, SAMPLES, &mean[1], &error[1]);
  const double known[2] = {expected.position, expected.momentum};
  for (int k = 0; k < 2; k++) {
    /* About 140 numbers: one beyond 4.5 errors in 1000 tries. */
    ck_assert_msg(fabs(mean[k] - known[k]) < 4.5 * error[k],
                  "%s %s h W %.3g: <%s^2> %.5f +- %.5f, theory %.5f", c->word, c->accel, c->reach,
                  k == 0 ? "q" : "p", mean[k], error[k], known[k]);
    ck_assert_double_lt(error[k], 0.03 * known[k]);
  }
  /* As many oscillators, whose momenta are correlated alike. */
  ck_assert_msg(fabs(thermal / SAMPLES / expected.thermal - 1.0) < 4.5 * error[1] / known[1],
                "%s %s h W %.3g: <p^2> after O %.5f, theory %.5f", c->word, c->accel, c->reach,
                thermal / SAMPLES, expected.thermal);
  swarm_close(&w);
}

TEST(every_word_samples_what_theory_says)
{
  static const double reach[3] = {0.5, 1.0, 1.8}, friction[3] = {0.1, 0.3, 2.0};
  for (const Word *word = word_table; word->name != NULL; word++) {
    WordSpelling s;
    ck_assert_int_eq(word_spell(word->name, NULL, 0, &s, NULL), STATUS_OK);
    if (!word_has(&s, 'O') || !word_has(&s, 'B'))
      continue;
    for (int i = SHORT ? 2 : 0; i < 3; i++)
      sampled_as_theory_says(&(Case){.word = word->name,
                                     .accel = "verlet",
                                     .reach = reach[i],
                                     .slow = word_has(&s, 'S') ? 0.3 : 0.0,
                                     .friction = friction[i]});
  }
}

TEST(every_map_samples_what_theory_says)
{
  static const char *const map[] = {"zss", "zss-block", "zs", "newmark", "newmark-1"};
  static const char *const word[] = {"BAOAB", "BABO", "ABOBA"};
  for (int i = 0; i < 15; i += SHORT ? 4 : 1) /* each map, each word */
    sampled_as_theory_says(&(Case){.word = word[i % 3],
                                   .accel = map[i / 3],
                                   .reach = 1.0 + i,
                                   .beta = i % 2 == 0 ? 0.25 : 0.6,
                                   .friction = 0.3});
  sampled_as_theory_says(&(Case){.word = "BAOAB", .accel = "verlet", .reach = 1.0, .friction = INFINITY});
}

/* Energies of the momenta right after O, over kT/2 for each; that of those at the end of the step beside it.
 */
static void thermal_of(const Swarm *w, double thermal[8], double kinetic[8])
{
  const Team alone = team_alone();
  double terms[8], penalty[8], largest[8];
  const WalkEnergies to = {kinetic, terms, penalty, largest, NULL, thermal};
  ck_assert_int_eq(walk_energies(w->walk, &alone, &to, NULL), STATUS_OK);
  for (int r = 0; r < 8; r++) {
    thermal[r] *= 2.0 / (MOLECULES * kT);
    kinetic[r] *= 2.0 / (MOLECULES * kT);
  }
}

/* Whatever the end of a step reads. Several O's in a step with unlike letters between are beyond the law. */
TEST(momenta_after_noise_have_the_temperature_set)
{
  enum { WARM = 300, SAMPLES = 600 };
  for (const Word *word = word_table; word->name != NULL; word++) {
    WordSpelling s;
    ck_assert_int_eq(word_spell(word->name, NULL, 0, &s, NULL), STATUS_OK);
    if (!word_has(&s, 'O') || !word_has(&s, 'B') || word_has(&s, 'S'))
      continue;
    if (SHORT && (word - word_table) % 4 != 0) /* the others are sampled above */
      continue;
    Swarm w;
    swarm_open(&w, &(Case){.word = word->name, .accel = "verlet", .reach = 1.2, .friction = 0.4});
    if (!oscillator_unbiased(w.plan)) {
      ck_assert_str_eq(word->name, "GL-BAOAOAB");
      swarm_close(&w);
      continue;
    }
    swarm_start(&w, 0.0);
    swarm_run(&w, WARM);
    double sum[8] = {0}, end = 0.0, mean = 0.0, square = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
      double thermal[8], kinetic[8];
      swarm_run(&w, 1 + i % 3);
      thermal_of(&w, thermal, kinetic);
      for (int r = 0; r < 8; r++) {
        sum[r] += thermal[r] / SAMPLES;
        end += kinetic[r] / (8 * SAMPLES);
      }
    }
    for (int r = 0; r < 8; r++)
      mean += sum[r] / 8;
    for (int r = 0; r < 8; r++)
      square += (sum[r] - mean) * (sum[r] - mean);
    const double error = sqrt(square / 7 / 8);
    ck_assert_msg(fabs(mean - 1.0) < 6.0 * error, "%s: %.4f +- %.4f", word->name, mean, error);
    ck_assert_double_lt(error, 0.01);
    ck_assert_double_eq_tol(end, theory(&w).momentum, 0.02);
    swarm_close(&w);
  }
}

/* To second order, with weak noise (docs/theory.md, "Temperatures of a long step"). */
TEST(weak_noise_shares_out_a_temperature)
{
  static const struct {
    const char *word;
    double order; /* in (h W)^2 */
  } known[] = {{"BAOAB", -1.0 / 12}, {"BAOA", -1.0 / 12}, {"G-BAOAB-3", -1.0 / 12}, {"OABAO", -1.0 / 12},
               {"OBABO", 1.0 / 6},   {"BABO", 1.0 / 6},   {"ABOBA", 1.0 / 6},       {"GL-BAOAOAB", 0.0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    for (double reach = 0.05; reach < 0.5; reach *= 2.0) {
      WordSpelling s;
      ck_assert_int_eq(word_spell(known[i].word, NULL, 0, &s, NULL), STATUS_OK);
      const OscillatorStep step = {&s, NULL, h};
      const OscillatorMode mode = {.square = reach * reach / (h * h), .rate = 1e-4 / h};
      const double shared = oscillator_solve(&step, &mode).shared, square = reach * reach;
      ck_assert_msg(fabs(shared - 1.0 - known[i].order * square) < 0.05 * square * square + 2e-6, "%s: %.8f",
                    known[i].word, shared);
    }
}

/* Of velocity Verlet in any form the same; of GL-BAOAOAB T' goes by what holds the temperature; none of a
 * word whose last forces are not those of the end of its step, with slow forces, or without noise. */
TEST(shadows_of_words)
{
  static const struct {
    const char *word;
    bool has;
    double heat;
    double time; /* of a thermostat that rescales all momenta together; 0: noise on each */
  } known[] = {{"BAOAB", true, -1.0 / 12, 3.0},
               {"OBABO", true, 1.0 / 6, 3.0},
               {"GL-BAOAOAB", true, -1.0 / 12, 3.0},
               {"BAOAB", true, -1.0 / 12},
               {"OBABO", true, 1.0 / 6},
               {"GL-BAOAOAB", true, 0.0},
               {"BABO", true, 1.0 / 6},
               {"G-BAOAB-3", true, -1.0 / 12},
               {"BAOA", false, 0},
               {"RESPA-BAOAB-2", false, 0},
               {"BAB", false, 0}};
  static const double unit = 1.0, origin[1] = {0.0};
  static const char *const site[1] = {"X"};
  const Kind kind = {"particle", 1, 1, 0, &unit, site, NULL, origin, 0, NULL, NULL};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const PlanOptions o = {.word = known[i].word,
                           .h = h,
                           .accel = "verlet",
                           .friction = FRICTION_MASS,
                           .gamma = known[i].time > 0.0 ? 0.0 : 0.1,
                           .time = known[i].time,
                           .kT = 1.0,
                           .isa = isa_best()};
    Plan *plan;
    Error error;
    OscillatorShadow shadow;
    ck_assert_msg(plan_create(&plan, &kind, &o, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(oscillator_shadow(plan, &shadow) == known[i].has, "%s", known[i].word);
    if (known[i].has) {
      ck_assert_double_eq_tol(shadow.drift, 1.0 / 12, 1e-3);
      ck_assert_double_eq_tol(shadow.kick, -1.0 / 24, 1e-3);
      ck_assert_double_eq_tol(shadow.heat, known[i].heat, 1e-3);
    }
    plan_free(plan);
  }
}

/* Looked at after every step, or never. */
TEST(looking_changes_no_bit, .rows = 2)
{
  static const Case table[] = {{"BAOAB", "zss", NULL, 1.5, 0, 0.3, 0.4, true},
                               {"OBABO", "verlet", NULL, 1.2, 0, 0, 0.4, false}};
  Vec8 q[2][MOLECULES], p[2][MOLECULES];
  for (int looks = 0; looks < 2; looks++) {
    Swarm w;
    double thermal[8], kinetic[8];
    swarm_open(&w, &table[_i]);
    swarm_start(&w, 0.1);
    for (int i = 0; i < (looks ? 50 : 1); i++) {
      swarm_run(&w, looks ? 1 : 50);
      if (looks)
        thermal_of(&w, thermal, kinetic);
    }
    memcpy(q[looks], w.state->block[0].q, sizeof q[0]);
    memcpy(p[looks], w.state->block[0].p, sizeof p[0]);
    swarm_close(&w);
  }
  ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
  ck_assert_mem_eq(p[0], p[1], sizeof p[0]);
}

/* Means along one trajectory over so many periods that the ends do not matter. */
TEST(without_noise_a_form_is_conserved, .rows = 7)
{
  static const Case table[] = {{"BAB", "verlet", NULL, 1.3, 0, 0, 0, false},
                               {"ABA", "verlet", NULL, 1.3, 0, 0, 0, false},
                               {"BAOAB", "verlet", NULL, 0.9, 0, 0, 0, false},
                               {"RESPA-2", "verlet", NULL, 2.2, 0.4, 0, 0, false},
                               {"BAB", "zss", NULL, 7.0, 0, 0.3, 0, false},
                               {"BAB", "verlet", "yoshida4", 1.1, 0, 0, 0, false},
                               {"BAB", "newmark", "suzuki4", 2.1, 0, 0.25, 0, false}};
  const Case *c = &table[_i];
  enum { STEPS = 20000 / (SHORT ? 10 : 1) };
  Swarm w;
  swarm_open(&w, c);
  const OscillatorResult expected = theory(&w);
  ck_assert_int_eq(expected.fate, OSCILLATOR_CONSERVED);
  ck_assert_double_eq_tol(expected.growth, 1.0, 1e-12);
  swarm_start(&w, 0.1);
  Vec8 q[MOLECULES] = {{0}}, p[MOLECULES] = {{0}};
  for (int i = 0; i < STEPS; i++) {
    swarm_run(&w, 1);
    add_squares(&w, q, p);
  }
  const double found = q[0][0] / (q[0][0] + p[0][0]);
  ck_assert_double_eq_tol(found, 0.5 * expected.position, SHORT ? 1e-2 : 1e-3);
  ck_assert_double_eq_tol(expected.position + expected.momentum, 2.0, 1e-12);
  swarm_close(&w);
}

/* Cold modes die, unstable ones grow, each by what is said. */
TEST(amplitudes_change_by_the_growth_said, .rows = 7)
{
  static const Case table[] = {
      {"BAOAB", "zss", NULL, 3.0, 0, 0.3, 0.1, true},    {"BAOAB", "verlet", NULL, 1.0, 0, 0, 0.1, true},
      {"BABO", "zss", NULL, 9.0, 0, 0.3, 0.4, true},     {"BAB", "verlet", NULL, 2.01, 0, 0, 0, false},
      {"BAOAB", "verlet", NULL, 2.2, 0, 0, 0, false},    {"RESPA-2", "verlet", NULL, 4.02, 0, 0, 0, false},
      {"ABA", "verlet", "yoshida4", 1.6, 0, 0, 0, false}};
  const Case *c = &table[_i];
  Swarm w;
  swarm_open(&w, c);
  const OscillatorResult expected = theory(&w);
  ck_assert_int_eq(expected.fate, c->tangent ? OSCILLATOR_DIES : OSCILLATOR_UNSTABLE);
  ck_assert(c->tangent ? expected.position == 0.0 : isinf(expected.position));
  swarm_start(&w, 1e-3);
  /* An oscillation is not at the same phase: a sum over many steps is of the same size but for growth. */
  enum { SPAN = 60 };
  double sum[2] = {0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < SPAN; i++) {
      swarm_run(&w, 1);
      Vec8 q[MOLECULES] = {{0}}, p[MOLECULES] = {{0}};
      add_squares(&w, q, p);
      sum[k] += q[0][0] + p[0][0];
    }
  const double found = pow(sum[1] / sum[0], 0.5 / SPAN);
  ck_assert_msg(fabs(found - expected.growth) < 0.02 * fabs(expected.growth - 1.0) + 1e-3,
                "%s: %.5f, theory %.5f", c->word, found, expected.growth);
  swarm_close(&w);
}

static OscillatorResult solve(const char *word, double reach, double friction, double beta)
{
  WordSpelling s;
  ck_assert_int_eq(word_spell(word, NULL, 0, &s, NULL), STATUS_OK);
  const OscillatorStep step = {&s, NULL, h};
  const OscillatorMode mode = {.square = reach * reach / (h * h), .rate = friction / h, .beta = beta};
  return oscillator_solve(&step, &mode);
}

/* Leimkuhler & Matthews 2013 (BAOAB); the Hamiltonian step of BABO conserves (1 - s^2/4) x^2 + p^2, and the
 * form of the filtered one likewise. */
TEST(closed_forms)
{
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 6; k++) {
      const double s = 0.1 + 0.3 * i, g = 0.05 * (1 << k);
      OscillatorResult r = solve("BAOAB", s, g, 0.0);
      ck_assert_double_eq_tol(r.position, 1.0, 1e-11);
      ck_assert_double_eq_tol(r.momentum, 1.0 - 0.25 * s * s, 1e-11);
      r = solve("BABO", s, g, 0.0);
      ck_assert_double_eq_tol(r.position, 1.0 / (1.0 - 0.25 * s * s), 1e-10);
      ck_assert_double_eq_tol(r.momentum, 1.0, 1e-11);
      r = solve("BABO", 5.0 * s, g, 0.4);
      const double filtered = 1.0 + 0.4 * 25.0 * s * s;
      ck_assert_double_eq_tol(r.position, filtered / (1.0 - 25.0 * s * s / (4.0 * filtered)),
                              1e-10 * r.position);
      r = solve("BAOA", s, g, 0.0);
      ck_assert_double_eq_tol(r.position, 1.0, 1e-11);
    }
  /* Without a force momenta are right; where it drives apart the formula goes on. */
  ck_assert_double_eq(solve("BAOAB", 0.0, 0.1, 0.0).momentum, 1.0);
  WordSpelling s;
  ck_assert_int_eq(word_spell("BAOAB", NULL, 0, &s, NULL), STATUS_OK);
  const OscillatorStep step = {&s, NULL, h};
  const OscillatorResult saddle =
      oscillator_solve(&step, &(OscillatorMode){.square = -0.2 / (h * h), .rate = 1.0});
  ck_assert_int_eq(saddle.fate, OSCILLATOR_UNSTABLE);
  ck_assert_double_eq_tol(saddle.momentum, 1.05, 1e-11);
  ck_assert_int_eq(word_spell("HO", NULL, 0, &s, NULL), STATUS_OK);
  ck_assert_int_eq(oscillator_solve(&step, &(OscillatorMode){.square = 1.0}).fate, OSCILLATOR_UNKNOWN);
}

/* Kicks differ between the O's of RESPA, and AB conserves a form with q and p in one term. */
TEST(momenta_right_after_the_last_o)
{
  static const char *const biased[] = {"RESPA-BAOAB-2", "RESPA-BAOAB-3", "RESPA-G-BAOAB-2", "ABO", "OAB"};
  static const char *const exact[] = {"BABO", "OBABO",     "BAOAB",      "ABOBA",   "OABAO",
                                      "BAOA", "G-BAOAB-5", "BAOABBAOAB", "SBAOABS", "SBABOBABS"};
  for (size_t i = 0; i < sizeof biased / sizeof *biased + sizeof exact / sizeof *exact; i++) {
    const bool is_exact = i >= sizeof biased / sizeof *biased;
    const char *word = is_exact ? exact[i - sizeof biased / sizeof *biased] : biased[i];
    for (int slow = 0; slow < 2; slow++) {
      Swarm w;
      WordSpelling s;
      ck_assert_int_eq(word_spell(word, NULL, 0, &s, NULL), STATUS_OK);
      swarm_open(&w, &(Case){.word = word,
                             .accel = "verlet",
                             .reach = 0.8,
                             .slow = word_has(&s, 'S') ? 0.5 * slow : 0.0,
                             .friction = slow == 0 ? 0.0 : 0.3});
      const double thermal = theory(&w).thermal;
      ck_assert_int_eq(oscillator_unbiased(w.plan), is_exact && slow == 1);
      if (slow == 1 && is_exact)
        ck_assert_double_eq_tol(thermal, 1.0, 1e-11);
      else if (slow == 1)
        ck_assert_msg(fabs(thermal - 1.0) > 5e-4, "%s: %.6f", word, thermal);
      swarm_close(&w);
    }
  }
}

/* How far a mode of frequency 1 gets from 1 in some hundred steps of length s: B kicks with all of its force.
 */
static double reach_of(const WordSpelling *word, double s)
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

TEST(words_are_stable_up_to_their_limit)
{
  for (const Word *w = word_table; w->name != NULL; w++) {
    WordSpelling s;
    ck_assert_int_eq(word_spell(w->name, NULL, 0, &s, NULL), STATUS_OK);
    const double limit = oscillator_limit(&(OscillatorStep){&s, NULL, h});
    if (!word_has(&s, 'A') || !word_has(&s, 'B'))
      continue;
    for (int i = 1; i < 100; i++)
      ck_assert_msg(reach_of(&s, 0.01 * i * limit) < 100.0, "%s at %.2f of its limit", w->name, 0.01 * i);
    ck_assert_msg(reach_of(&s, 1.01 * limit) > 1e6, "%s beyond its limit of %g", w->name, limit);
  }
}

/* Kicks of a third each: s^4/36 - s^2/2 + 1 = -1 at s^2 = 6. */
TEST(limits_are_those_known)
{
  static const struct {
    const char *word, *composition;
    double limit;
  } known[] = {{"BAB", NULL, 2.0},
               {"BABO", NULL, 2.0},
               {"G-BAOAB-5", NULL, 2.0},
               {"RESPA-2", NULL, 4.0},
               {"H", NULL, INFINITY},
               {"RESPA-BAOAB-3", NULL, 6.0},
               {"WALK", NULL, INFINITY},
               {"BABAB", NULL, 2.449489742783178},
               {"BAB", "yoshida4", 1.5734019}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    WordSpelling s;
    ck_assert_int_eq(word_spell(known[i].word, NULL, 0, &s, NULL), STATUS_OK);
    const Composition *c = known[i].composition != NULL ? composition_find(known[i].composition) : NULL;
    const double limit = oscillator_limit(&(OscillatorStep){&s, c, h});
    ck_assert_msg(limit == known[i].limit || fabs(limit - known[i].limit) < (c != NULL ? 1e-4 : 1e-8),
                  "%s: %.17g", known[i].word, limit);
  }
}
