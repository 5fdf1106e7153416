/* Steps of molecules of several groups with their terms, ions and rigid water in a periodic box: what the
 * forces of atoms one by one leave of the energy. */
#include "forcefields/term_force.h"
#include "integrators/plan.h"
#include "tests/atoms_box.h"
#include "tests/suite.h"

enum { BONDS = 5, ANGLES = 7, TERMS = BONDS + ANGLES };

/* Bonds and angles of the molecules as atoms_methanol has them. */
static void make_terms(Term *term)
{
  static const int atom[TERMS][3] = {{0, 1},    {0, 2},    {0, 3},    {0, 4},    {4, 5},    {1, 0, 2},
                                     {1, 0, 3}, {2, 0, 3}, {1, 0, 4}, {2, 0, 4}, {3, 0, 4}, {0, 4, 5}};
  for (int t = 0; t < TERMS; t++) {
    term[t] = (Term){.type = term_find(t < BONDS ? "bond" : "angle")};
    memcpy(term[t].atom, atom[t], sizeof atom[t]);
    const double *const a = atoms_methanol[atom[t][0]], *const b = atoms_methanol[atom[t][1]],
                        *const c = atoms_methanol[atom[t][2]];
    double r2 = 0.0, s2 = 0.0, dot = 0.0;
    for (int d = 0; d < 3; d++) {
      r2 += (a[d] - b[d]) * (a[d] - b[d]);
      s2 += (c[d] - b[d]) * (c[d] - b[d]);
      dot += (a[d] - b[d]) * (c[d] - b[d]);
    }
    term[t].param[0] = t < BONDS ? sqrt(r2) : acos(dot / sqrt(r2 * s2));
    term[t].param[1] = t < BONDS ? 600.0 : 80.0;
  }
}

typedef struct Moving {
  AtomsBox box;
  Plan *plan;
  Walk *walk;
} Moving;

static void walk_on(Moving *m, bool prepare, int64_t n)
{
  const Team alone = team_alone();
  if (prepare)
    ck_assert_msg(walk_prepare(m->walk, &alone, &m->box.error) == STATUS_OK, "%s", m->box.error.text);
  ck_assert_msg(walk_run(m->walk, &alone, n, &m->box.error) == STATUS_OK, "%s", m->box.error.text);
}

static void take_word(Moving *m, const char *word, double h)
{
  const PlanOptions o = {.word = word,
                         .h = h / UNITS_AKMA_FS,
                         .accel = "verlet",
                         .constraints = "settle",
                         .constraint = {1e-12, 100},
                         .gamma = 20.0 * UNITS_AKMA_FS * 1e-3,
                         .kT = 300.0 * UNITS_BOLTZMANN,
                         .isa = isa_best()};
  AtomsBox *const s = &m->box;
  walk_free(m->walk);
  plan_free(m->plan);
  ck_assert_msg(plan_create_kinds(&m->plan, s->topology->nblock, s->topology->block, &o, &s->error) ==
                    STATUS_OK,
                "%s", s->error.text);
  ck_assert_int_eq(walk_create(&m->walk, m->plan, &s->field, s->state, &s->error), STATUS_OK);
  walk_attach(m->walk, s->state, RANDOM_THERMOSTAT);
}

static double total_energy(Moving *m)
{
  double kinetic, terms[FORCE_TERMS * FORCES_MAX], penalty, most, sum = 0.0;
  const WalkEnergies to = {&kinetic, terms, &penalty, &most, NULL, NULL};
  const Team alone = team_alone();
  ck_assert_msg(walk_energies(m->walk, &alone, &to, &m->box.error) == STATUS_OK, "%s", m->box.error.text);
  for (int t = 0; t < force_field_terms(&m->box.field); t++)
    sum += terms[t];
  return kinetic + sum;
}

/* RMS of the energy about its mean over so many fs, with steps of h. */
static double scatter(Moving *m, const double *x, const double *p, double h, double time)
{
  const int samples = 20;
  double sum = 0.0, square = 0.0, first = 0.0;
  topology_set(m->box.topology, m->box.state, STATE_POSITIONS, 0, x);
  topology_set(m->box.topology, m->box.state, STATE_VELOCITIES, 0, p);
  take_word(m, "BAB", h);
  for (int k = 0; k < samples; k++) {
    walk_on(m, k == 0, (int64_t)(time / samples / h + 0.5));
    first = k == 0 ? total_energy(m) : first;
    const double e = total_energy(m) - first;
    sum += e / samples;
    square += e * e / samples;
  }
  return sqrt(square - sum * sum);
}

/* The energy is kept as well as the step allows: the square of its scatter is that of a part that falls with
 * the square of the step, or somewhat faster, and of one that no step takes away: what comes and goes at
 * cutoffs and in the mesh, and floats. The second is small; a list or an exclusion that is not right would
 * show in it. */
TEST(energy_is_kept_as_steps_allow, .rows = 2)
{
  static Moving m;
  static double x[3 * ATOMS], p[3 * ATOMS];
  Term term[TERMS];
  make_terms(term);
  const TermList methanol = {TERMS, term}, lists[4] = {methanol, methanol, {0}, {0}};
  const PeriodicOptions o = {.nonbonded.coulomb = COULOMB_PME,
                             .nonbonded.truncation = TRUNCATION_SWITCH,
                             .nonbonded.cutoff = 8.0,
                             .nonbonded.buffer = 0.5,
                             .nonbonded.mixed = _i == 1};
  atoms_box_make(&m.box, "tip3p", true, 21.5, (const double[3]){0.0});
  ck_assert_msg(atoms_box_open(&m.box, &o) == STATUS_OK, "%s", m.box.error.text);
  ck_assert_msg(term_force_create(&m.box.field.force[1], m.box.topology, lists, m.box.state, isa_best(),
                                  &m.box.error) == STATUS_OK,
                "%s", m.box.error.text);
  m.box.field.n = 2;
  take_word(&m, "BAOAB", 0.5);
  walk_draw_momenta(m.walk);
  walk_on(&m, true, 150);
  topology_get(m.box.topology, m.box.state, STATE_POSITIONS, 0, x);
  topology_get(m.box.topology, m.box.state, STATE_VELOCITIES, 0, p);
  double square[3];
  for (int k = 0; k < 3; k++)
    square[k] = pow(scatter(&m, x, p, ldexp(1.0, -k), 100.0), 2.0);
  const double fall = sqrt((square[0] - square[1]) / (square[1] - square[2]));
  ck_assert_double_ge(fall, 3.3);
  ck_assert_double_le(fall, 5.0);
  ck_assert_double_lt(square[2] - (square[1] - square[2]) / 15.0, 0.02 * square[0]);
  walk_free(m.walk);
  plan_free(m.plan);
  atoms_box_free(&m.box);
}
