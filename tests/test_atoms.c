/* Atoms one by one in a periodic box (forcefields/atoms.h): molecules of several groups, ions and water
 * against plain sums over all pairs. */
#include "tests/atoms_plain.h"
#include "tests/force_laws.h"
#include "tests/norms.h"
#include "tests/suite.h"

static const double upright[3] = {0.0, 0.0, 0.0}, leaning[3] = {5.0, -4.0, 6.0};
static const double side = 21.5;

/* Schemes of cutoffs, where all of a pair's force is within the cutoff. */
typedef struct Scheme {
  const char *water;
  bool last;
  const double *lean;
  PeriodicOptions options;
} Scheme;

static const Scheme schemes[] = {
    {"tip3p",
     true,
     upright,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD,
      .nonbonded.truncation = TRUNCATION_SHIFT,
      .nonbonded.permittivity = 78.0}},
    {"tip4p",
     false,
     upright,
     {.nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.truncation = TRUNCATION_SWITCH}},
    {"tip3p", false, leaning, {.nonbonded.coulomb = COULOMB_CUTOFF}},
    {"tip5p", true, upright, {.nonbonded.coulomb = COULOMB_REACTION_FIELD, .nonbonded.permittivity = 78.0}},
    {"tip4p",
     true,
     leaning,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD, .nonbonded.by_atom = true, .nonbonded.permittivity = 1e9}},
    {"tip4p",
     true,
     upright,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD,
      .nonbonded.truncation = TRUNCATION_FORCE_SWITCH,
      .nonbonded.by_atom = true,
      .nonbonded.permittivity = INFINITY}},
    {"tip3p",
     false,
     leaning,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD,
      .nonbonded.truncation = TRUNCATION_FORCE_SWITCH,
      .nonbonded.permittivity = 1.0}},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static void open_scheme(AtomsBox *s, const Scheme *c, PeriodicOptions *o)
{
  *o = c->options;
  o->nonbonded.cutoff = 8.0;
  o->nonbonded.switch_width = 1.5;
  atoms_box_make(s, c->water, c->last, side, c->lean);
  ck_assert_msg(atoms_box_open(s, o) == STATUS_OK, "%s", s->error.text);
}

static double largest(const double (*f)[3])
{
  double most = 0.0;
  for (int i = 0; i < ATOMS; i++)
    most = fmax(most, sqrt(f[i][0] * f[i][0] + f[i][1] * f[i][1] + f[i][2] * f[i][2]));
  return most;
}

static double furthest(const double (*f)[3], const double (*g)[3])
{
  double most = 0.0;
  for (int k = 0; k < 3 * ATOMS; k++)
    most = fmax(most, fabs(f[k / 3][k % 3] - g[k / 3][k % 3]));
  return most;
}

TEST(pairs_are_those_of_a_plain_sum, .rows = SCHEMES)
{
  static AtomsBox s;
  static double f[ATOMS][3];
  double virial[3][3];
  PeriodicOptions o;
  open_scheme(&s, &schemes[_i], &o);
  const double energy = atoms_box_run(&s, 2), want = plain_pairs(&s, &o, f, virial);
  ck_assert_double_le(furthest((const double(*)[3])s.f, (const double(*)[3])f),
                      1e-10 * largest((const double(*)[3])f));
  ck_assert_double_eq_tol(energy, want, 1e-10 * (fabs(want) + 1e4));
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(s.virial[k / 3][k % 3], virial[k / 3][k % 3], 1e-6);
  atoms_box_free(&s);
}

TEST(plain_ewald_is_converged, .rows = 2)
{
  static AtomsBox s;
  static double f[ATOMS][3];
  const PeriodicOptions o = {.nonbonded.coulomb = COULOMB_EWALD, .nonbonded.cutoff = 8.0};
  atoms_box_make(&s, _i == 0 ? "tip3p" : "tip4p", _i == 0, side, _i == 0 ? upright : leaning);
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  const double energy = atoms_box_run(&s, 2), tail = s.energy[EWALD_LJ_TAIL], want = plain_ewald(&s, &o, f);
  ck_assert_double_le(furthest((const double(*)[3])s.f, (const double(*)[3])f), 1e-8);
  ck_assert_double_eq_tol(energy - tail, want, 1e-6);
  atoms_box_free(&s);
}

/* Ewald's plain sum against the mesh with a short range of all digits: terms, forces and virial. Waters are
 * cut by atom too, as else their mean beyond the cutoff is only guessed. */
TEST(mesh_comes_to_plain_ewald, .rows = 4)
{
  static AtomsBox s;
  static double f[ATOMS][3];
  PeriodicOptions o = {.nonbonded.coulomb = COULOMB_EWALD,
                       .nonbonded.cutoff = 8.0,
                       .nonbonded.tail = true,
                       .nonbonded.by_atom = true};
  double virial[3][3];
  atoms_box_make(&s, _i % 2 == 0 ? "tip4p" : "tip3p", _i % 2 == 0, side, _i < 2 ? upright : leaning);
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  const double want = atoms_box_run(&s, 1);
  memcpy(f, s.f, sizeof f);
  memcpy(virial, s.virial, sizeof virial);
  o.nonbonded.coulomb = COULOMB_PME;
  o.nonbonded.beta = 0.58;
  o.nonbonded.order = 6;
  o.nonbonded.grid[0] = o.nonbonded.grid[1] = o.nonbonded.grid[2] = 96;
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  const double got = atoms_box_run(&s, 3);
  ck_assert_double_le(deviation(3 * ATOMS, s.f[0], f[0]), 1e-6);
  ck_assert_double_eq_tol(got, want, 1e-7 * fabs(s.energy[EWALD_SELF]));
  for (int k = 0; k < 9; k++) {
    ck_assert_double_eq_tol(s.virial[k / 3][k % 3], virial[k / 3][k % 3], 1e-6 * fabs(s.energy[EWALD_SELF]));
    ck_assert_double_eq(s.virial[k / 3][k % 3], s.virial[k % 3][k / 3]);
  }
  atoms_box_free(&s);
}

/* Waters in float and cut whole beside atoms in double and cut one by one, as a run has it. */
TEST(mixed_precision_is_as_good_as_was_asked, .rows = 2)
{
  static AtomsBox s;
  static double f[ATOMS][3];
  PeriodicOptions o = {.nonbonded.coulomb = COULOMB_EWALD, .nonbonded.cutoff = 8.0, .nonbonded.tail = true};
  atoms_box_make(&s, "tip3p", _i == 0, side, upright);
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  (void)atoms_box_run(&s, 1);
  memcpy(f, s.f, sizeof f);
  o.nonbonded.coulomb = COULOMB_PME;
  o.nonbonded.mixed = true;
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  (void)atoms_box_run(&s, 2);
  ck_assert_double_le(rms(3 * ATOMS, s.f[0], f[0]), 0.0145);
  atoms_box_free(&s);
}

static const PeriodicOptions usual = {
    .nonbonded.coulomb = COULOMB_PME, .nonbonded.cutoff = 8.0, .kT = 0.6, .h = 0.02};

static AtomsBox law;

enum { STRAINED = 3, DOUBLE = STRAINED, MIXED };

static ForceSystem open_law(int which, int width, int used)
{
  const PeriodicOptions all[] = {
      {.nonbonded.coulomb = COULOMB_EWALD,
       .nonbonded.truncation = TRUNCATION_SWITCH,
       .nonbonded.cutoff = 8.0,
       .nonbonded.tail = true},
      {.nonbonded.coulomb = COULOMB_EWALD,
       .nonbonded.truncation = TRUNCATION_FORCE_SWITCH,
       .nonbonded.switch_width = 2.0,
       .nonbonded.cutoff = 8.0,
       .nonbonded.tail = true},
      {.nonbonded.coulomb = COULOMB_REACTION_FIELD,
       .nonbonded.truncation = TRUNCATION_SWITCH,
       .nonbonded.cutoff = 8.0,
       .nonbonded.by_atom = true,
       .nonbonded.permittivity = 1e12},
      {.nonbonded.coulomb = COULOMB_PME, .nonbonded.cutoff = 8.0, .kT = 0.6, .h = 0.02},
      {.nonbonded.coulomb = COULOMB_PME,
       .nonbonded.cutoff = 8.0,
       .kT = 0.6,
       .h = 0.02,
       .nonbonded.mixed = true}};
  ck_assert(width == 1 && used == 1);
  atoms_box_make(&law, which < STRAINED ? "tip4p" : "tip3p", true, side,
                 which < STRAINED ? leaning : upright);
  ck_assert_msg(atoms_box_open(&law, &all[which]) == STATUS_OK, "%s", law.error.text);
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { atoms_box_free(&law); }

#define LAW(which_, ...)                                                                                     \
  {                                                                                                          \
    .name = #which_, .open = open_law, .close = close_law, .which = which_, __VA_ARGS__                      \
  }
static const ForceRow forces[] = {
    LAW(0, .strain = 1e-6, .symmetric = true), LAW(1, .strain = 1e-6, .symmetric = true),
    LAW(2, .strain = 1e-5, .symmetric = true), LAW(DOUBLE, .net = 1e-11), LAW(MIXED, .net = 1e-5)};

/* Molecules before the water or behind it; moved by any vector; with a group of a molecule in another image.
 */
TEST(where_things_stand_is_of_no_matter, .rows = 2)
{
  static AtomsBox s, t;
  static double x[ATOMS][3];
  const int solute = 2 * EACH * LONG + IONS;
  atoms_box_make(&s, "tip4p", true, side, _i == 0 ? upright : leaning);
  atoms_box_make(&t, "tip4p", false, side, _i == 0 ? upright : leaning);
  ck_assert_msg(atoms_box_open(&s, &usual) == STATUS_OK, "%s", s.error.text);
  ck_assert_msg(atoms_box_open(&t, &usual) == STATUS_OK, "%s", t.error.text);
  const double energy = atoms_box_run(&s, 1);
  ck_assert_double_eq_tol(atoms_box_run(&t, 1), energy, 1e-9 * fabs(energy));
  ck_assert_double_le(distance(3 * solute, s.f[0], t.f[3 * WATERS]), 1e-9 * largest((const double(*)[3])s.f));
  ck_assert_double_le(distance(9 * WATERS, s.f[solute], t.f[0]), 1e-9 * largest((const double(*)[3])s.f));
  topology_get(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
  for (int i = 0; i < ATOMS; i++)
    for (int d = 0; d < 3; d++) /* the hydroxyls of the first molecules two edges away */
      x[i][d] += i < EACH * LONG && i % LONG >= 4 ? 2.0 * s.state->box.h[2][d] - s.state->box.h[1][d] : 0.0;
  topology_set(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
  ck_assert_double_eq_tol(atoms_box_run(&s, 2), energy, 1e-9 * fabs(energy));
  ck_assert_double_le(distance(3 * solute, s.f[0], t.f[3 * WATERS]), 1e-8 * largest((const double(*)[3])s.f));
  atoms_box_free(&s);
  atoms_box_free(&t);
}

/* As atoms move and the box breathes lists stay for a while, and no pair is missing: the bits are those of a
 * force that is made for where things are. */
TEST(lists_of_any_age_have_all_pairs, .rows = 3)
{
  static AtomsBox s;
  static double x[ATOMS][3], f[ATOMS][3];
  PeriodicOptions o = {.nonbonded.coulomb = COULOMB_CUTOFF,
                       .nonbonded.cutoff = 7.5,
                       .nonbonded.buffer = 0.8,
                       .nonbonded.mixed = _i == 1};
  RandomStream stream = random_stream(3, 0, RANDOM_TEST);
  atoms_box_make(&s, "tip3p", _i == 1, side, _i == 2 ? leaning : upright);
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  for (int k = 0; k < 10; k++) {
    const double grown = k % 3 == 2 ? 1.004 : 1.0;
    topology_get(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    for (int i = 0; i < ATOMS; i += 3) /* threes, so that waters stay what they are */
      for (int d = 0; d < 3; d++) {
        const double by = 0.12 * (random_uniform(&stream) - 0.5) + (grown - 1.0) * x[i][d];
        for (int l = 0; l < 3; l++)
          x[i + l][d] += by;
      }
    topology_set(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    const double(*const h)[3] = s.state->box.h;
    s.state->box = boxes_edges(grown * h[0][0], grown * h[1][0], grown * h[1][1], grown * h[2][0],
                               grown * h[2][1], grown * h[2][2]);
    const Force *const force = &s.field.force[0];
    ck_assert_msg(force->ops->set_box(force->self, s.state, &s.error) == STATUS_OK, "%s", s.error.text);
    const double energy = atoms_box_run(&s, 2);
    memcpy(f, s.f, sizeof f);
    ForceField kept = s.field;
    s.field = (ForceField){0};
    ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
    ck_assert_double_eq(atoms_box_run(&s, 1), energy);
    ck_assert_int_eq(memcmp(f, s.f, sizeof f), 0);
    force_field_free(&s.field);
    s.field = kept;
  }
  atoms_box_free(&s);
}

/* Short and long range apart, as words with slow forces ask for them, are together what all is at once. */
TEST(parts_make_the_whole)
{
  static AtomsBox s;
  static double f[ATOMS][3], part[2][ATOMS][3];
  atoms_box_make(&s, "tip4p", false, side, upright);
  ck_assert_msg(atoms_box_open(&s, &usual) == STATUS_OK, "%s", s.error.text);
  (void)atoms_box_run(&s, 1);
  memcpy(f, s.f, sizeof f);
  for (int g = 0; g < 2; g++) {
    const Team alone = team_alone();
    const Force *const force = &s.field.force[0];
    ck_assert_int_eq(force->ops->add(force->self, &alone, s.state,
                                     (g == 0 ? FORCE_FAST : FORCE_SLOW) | FORCE_FILL, NULL, &s.error),
                     STATUS_OK);
    topology_get(s.topology, s.state, STATE_FORCES, 0, part[g][0]);
  }
  for (int k = 0; k < 3 * ATOMS; k++)
    part[0][k / 3][k % 3] += part[1][k / 3][k % 3];
  ck_assert_double_le(furthest((const double(*)[3])part[0], (const double(*)[3])f), 1e-10);
  ck_assert_double_ge(largest((const double(*)[3])part[1]), 1.0);
  atoms_box_free(&s);
}

static void says(const AtomsBox *s, const char *first, const char *second)
{
  ck_assert_msg(strstr(s->error.text, first) != NULL && strstr(s->error.text, second) != NULL, "%s",
                s->error.text);
}

/* Atom `from` to where atom `to` is, but for `apart`: the status, with what was said. */
static Status moved(AtomsBox *s, const PeriodicOptions *o, int from, int to, const double apart[3])
{
  static double x[ATOMS][3];
  atoms_box_make(s, "tip3p", true, side, upright);
  topology_get(s->topology, s->state, STATE_POSITIONS, 0, x[0]);
  for (int d = 0; d < 3; d++)
    x[from][d] = x[to][d] + apart[d];
  topology_set(s->topology, s->state, STATE_POSITIONS, 0, x[0]);
  ck_assert_msg(atoms_box_open(s, o) == STATUS_OK, "%s", s->error.text);
  const ForceSums sums = {s->energy, s->virial};
  return team_forces(&s->field, s->state, 2, 1, &sums, &s->error);
}

TEST(what_goes_wrong_is_named)
{
  static AtomsBox s;
  static const double close[3] = {0.01, 0.0, 0.0}, gone[3] = {2e8, 0.0, 0.0}, nowhere[3] = {(double)NAN},
                      far[3] = {0.0, 21.5, 0.0};
  const PeriodicOptions plain = {.nonbonded.coulomb = COULOMB_EWALD, .nonbonded.cutoff = 8.0},
                        mixed = {.nonbonded.mixed = true, .nonbonded.cutoff = 8.0};
  const int ion = 2 * EACH * LONG + 2, oxygen = LONG * EACH + 4;
  const PeriodicOptions *const all[3] = {&usual, &plain, &mixed};
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(moved(&s, all[k], ion, oxygen, close), STATUS_RUN);
    says(&s, "(O) of molecule 13 (MOX)", "(X) of molecule 27 (ion)");
    atoms_box_free(&s);
    ck_assert_int_eq(moved(&s, all[k], ion, 2 * EACH * LONG + IONS + 3 * 4, close), STATUS_RUN);
    says(&s, "(X) of molecule 27 (ion)", "molecule 35");
    atoms_box_free(&s);
    ck_assert_int_eq(moved(&s, all[k], ion, ion, nowhere), STATUS_RUN);
    says(&s, "(X) of molecule 27 (ion)", "nan");
    atoms_box_free(&s);
  }
  ck_assert_int_eq(moved(&s, &usual, 2, 2, gone), STATUS_RUN);
  says(&s, "(H2) of molecule 1 (MOH)", "blown up");
  atoms_box_free(&s);
  ck_assert_int_eq(moved(&s, &usual, LONG + 3, LONG + 3, far), STATUS_RUN);
  says(&s, "(H3) of molecule 2 (MOH)", "a face of the box splits");
  atoms_box_free(&s);
}

/* An ion ever closer to a hydrogen that has no Lennard-Jones of its own, and to an oxygen: its forces are
 * those of the plain sum, or the two are named. */
TEST(no_clash_wraps_round)
{
  static AtomsBox s;
  static double f[ATOMS][3];
  const PeriodicOptions o = {.nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.cutoff = 8.0};
  int right = 0, named = 0;
  for (int k = 0; k < 32; k++) {
    const double by = 2.0 * pow(0.75, k / 2), apart[3] = {0.0, 0.0, -by};
    double virial[3][3];
    if (moved(&s, &o, 2 * EACH * LONG + 1, LONG + (k % 2 == 0 ? 5 : 4), apart) == STATUS_OK) {
      (void)atoms_box_run(&s, 1);
      (void)plain_pairs(&s, &o, f, virial);
      ck_assert_double_le(furthest((const double(*)[3])s.f, (const double(*)[3])f),
                          1e-10 * largest((const double(*)[3])f));
      right++;
    } else {
      says(&s, "overlap", "(X) of molecule 26 (ion)");
      named++;
    }
    atoms_box_free(&s);
  }
  ck_assert_int_ge(right, 4);
  ck_assert_int_ge(named, 10);
}

static void refused(AtomsBox *s, const char *first, const char *second)
{
  ck_assert_int_eq(atoms_box_open(s, &usual), STATUS_INPUT);
  says(s, first, second);
}

TEST(wrong_descriptions_are_refused)
{
  static AtomsBox s;
  atoms_box_make(&s, "tip3p", true, side, upright);
  TopologySort *const sort = s.sort[0];
  sort->type[1] = TYPES;
  refused(&s, "atom 2 (H1) of molecule MOH has type 8", "1 to 7");
  sort->type[1] = 1;
  sort->charge[3] = (double)INFINITY;
  refused(&s, "atom 4 (H3) of molecule MOH", "charge");
  sort->charge[3] = atoms_charges[0][3];
  sort->charge[4] += 2e-5; /* of files' rounding */
  ck_assert_msg(atoms_box_open(&s, &usual) == STATUS_OK, "%s", s.error.text);
  s.lj[1][0] *= 2.0;
  refused(&s, "types 1 and 2", "A");
  s.lj[1][0] /= 2.0;
  int *const pair = s.excluded[0][3], own[2] = {pair[0], pair[1]};
  pair[0] = s.excluded[0][2][1]; /* that before it, the other way round */
  pair[1] = s.excluded[0][2][0];
  refused(&s, "atom 1 (C) of molecule 1 (MOH) and atom 4 (H3) of molecule 1 (MOH)", "excluded twice");
  pair[0] = LONG;
  refused(&s, "exclusion 4 of molecule MOH names sites 7 and 1", "two different sites of its 6");
  pair[0] = pair[1];
  refused(&s, "exclusion 4 of molecule MOH names sites 1 and 1", "two different sites of its 6");
  memcpy(pair, own, sizeof own);
  s.input.water = 0;
  refused(&s, "block 1", "water");
  s.input.water = -1;
  refused(&s, "model", "water");
  atoms_box_free(&s);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("atoms");
}
