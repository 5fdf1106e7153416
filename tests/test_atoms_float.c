/* Atoms one by one in mixed precision (forcefields/atoms_float.h) against those in double. */
#include "tests/atoms_plain.h"
#include "tests/norms.h"
#include "tests/shorter.h"
#include "tests/suite.h"

static const double upright[3] = {0.0, 0.0, 0.0}, leaning[3] = {5.0, -4.0, 6.0};
static const double side = 21.5;

typedef struct Scheme {
  const char *water;
  bool last, alone; /* the water; it is atoms one by one, too */
  const double *lean;
  PeriodicOptions options;
} Scheme;

#define MESH                                                                                                 \
  .nonbonded.coulomb = COULOMB_PME, .nonbonded.beta = 0.4, .nonbonded.order = 6,                             \
  .nonbonded.grid = {48, 48, 48}
static const Scheme schemes[] = {
    {"tip3p", true, false, upright, {MESH}},
    {"tip4p", false, false, leaning, {MESH, .nonbonded.truncation = TRUNCATION_SHIFT}},
    {"tip3p", true, true, upright, {MESH, .nonbonded.truncation = TRUNCATION_SWITCH}},
    {"tip3p",
     false,
     true,
     leaning,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD, .nonbonded.permittivity = 78.0}},
    {"tip4p",
     true,
     false,
     upright,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD, .nonbonded.truncation = TRUNCATION_SHIFT}},
    {"tip4p",
     true,
     false,
     leaning,
     {.nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.truncation = TRUNCATION_SWITCH}},
    {"tip4p", true, false, upright, {MESH, .nonbonded.truncation = TRUNCATION_FORCE_SWITCH}},
    {"tip3p",
     false,
     true,
     leaning,
     {.nonbonded.coulomb = COULOMB_REACTION_FIELD, .nonbonded.truncation = TRUNCATION_FORCE_SWITCH}},
    {"spce", true, false, upright, {.nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.by_atom = true}},
    {"tip3p", true, true, leaning, {MESH, .nonbonded.truncation = TRUNCATION_FORCE_SWITCH}},
    {"tip4p", false, false, upright, {MESH, .nonbonded.truncation = TRUNCATION_FORCE_SWITCH}},
    {"tip5p", true, false, upright, {.nonbonded.coulomb = COULOMB_CUTOFF}},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Waters as a molecule file would have them. */
static void make_alone(AtomsBox *s)
{
  const SiteMap map = water_site_map(s->model);
  static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 3; k++) {
    s->sort[3]->charge[k] = map.charge[k];
    s->sort[3]->type[k] = k == 0 ? 5 : 3;
  }
  s->sort[3]->excluded = pair;
  s->sort[3]->nexcluded = 3;
  s->input.water = -1;
  s->model = NULL;
}

static void make(AtomsBox *s, const Scheme *c)
{
  atoms_box_make(s, c->water, c->last, side, c->lean);
  if (c->alone)
    make_alone(s);
}

static PeriodicOptions options_of(const Scheme *c, bool mixed)
{
  PeriodicOptions o = c->options;
  o.nonbonded.cutoff = 7.9; /* where no two are just that far apart */
  o.nonbonded.switch_width = 1.5;
  o.nonbonded.mixed = mixed;
  return o;
}

static void open(AtomsBox *s, const PeriodicOptions *o, Isa isa)
{
  ck_assert_msg(atoms_box_open_on(s, o, isa) == STATUS_OK, "%s", s->error.text);
}

/* Energies of all pairs without their signs. */
static double size_of(const AtomsBox *s, const PeriodicOptions *o)
{
  static PlainSites p;
  double size = 0.0, unused;
  plain_sites(s, &p);
  for (int i = 0; i < p.n; i++)
    for (int j = 0; j < i; j++) {
      double r[3];
      const double r2 = box_distance(&s->state->box, p.x[i], p.x[j], r);
      if (p.hidden[i][j] || (p.first[i] >= 0 && p.first[i] == p.first[j]) ||
          r2 > o->nonbonded.cutoff * o->nonbonded.cutoff)
        continue;
      size += UNITS_COULOMB * fabs(p.q[i] * p.q[j]) / sqrt(r2);
      if (p.type[i] >= 0 && p.type[j] >= 0)
        size += fabs(plain_lj(o, s->lj[p.type[i] * TYPES + p.type[j]], sqrt(r2), &unused));
    }
  return size;
}

TEST(float_is_double_but_for_rounding, .rows = SCHEMES, .all_sets = true)
{
  static AtomsBox s;
  static double f[ATOMS][3], g[ATOMS][3];
  double virial[3][3];
  const Scheme *const c = &schemes[_i];
  const PeriodicOptions exact = options_of(c, false), mixed = options_of(c, true);
  atoms_box_make(&s, c->water, c->last, side, c->lean);
  const double size = size_of(&s, &mixed);
  if (c->alone)
    make_alone(&s);
  open(&s, &exact, isa_best());
  const double energy = atoms_box_run(&s, 1);
  memcpy(f, s.f, sizeof f);
  memcpy(virial, s.virial, sizeof virial);
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    open(&s, &mixed, (Isa)isa);
    const double got = atoms_box_run(&s, 2);
    ck_assert_double_le(deviation(3 * ATOMS, s.f[0], f[0]), 1e-5);
    ck_assert_double_eq_tol(got, energy, 1e-7 * size);
    ck_assert_double_le(distance(9, s.virial[0], virial[0]), 3e-7 * size);
    memcpy(g, s.f, sizeof g);
    ck_assert_int_eq(team_forces(&s.field, s.state, 1, 1, NULL, &s.error), STATUS_OK);
    topology_get(s.topology, s.state, STATE_FORCES, 0, s.f[0]);
    ck_assert_int_eq(memcmp(g, s.f, sizeof g), 0); /* without sums */
  }
  atoms_box_free(&s);
}

/* Who comes first, who has whom in its list, teams and lists of another age: forces of pairs are sums of
 * integers, and a pair is computed one way. */
TEST(bits_are_those_of_the_pairs, .rows = 4, .threads = true, .all_sets = true)
{
  static AtomsBox s, t;
  const bool alone = _i % 2 == 1;
  const double *const lean = _i < 2 ? upright : leaning;
  const PeriodicOptions o = {
      .nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.cutoff = 7.9, .nonbonded.mixed = true};
  const Scheme first = {"tip4p", false, false, lean, o}, last = {"tip4p", true, false, lean, o};
  const Scheme first_alone = {"tip3p", false, true, lean, o}, last_alone = {"tip3p", true, true, lean, o};
  const int solute = 2 * EACH * LONG + IONS;
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    make(&s, alone ? &last_alone : &last);
    make(&t, alone ? &first_alone : &first);
    open(&s, &o, (Isa)isa);
    open(&t, &o, (Isa)isa);
    const double energy = atoms_box_run(&s, 1);
    for (int threads = 1; threads <= 3; threads++) {
      ck_assert_double_eq(atoms_box_run(&t, threads), energy);
      ck_assert_int_eq(memcmp(s.f, t.f[3 * WATERS], 3 * solute * sizeof(double)), 0);
      ck_assert_int_eq(memcmp(s.f[solute], t.f, 9 * WATERS * sizeof(double)), 0);
    }
    atoms_box_free(&s);
    atoms_box_free(&t);
  }
}

/* More types than registers hold, all like one of the few: the same bits. */
TEST(a_long_table_of_types_is_no_other, .rows = 2)
{
  static AtomsBox s;
  static double f[ATOMS][3], lj[36 * TYPES * TYPES][2];
  const Scheme c = {_i == 0 ? "tip3p" : "tip4p", true, false, upright};
  const PeriodicOptions o = {
      .nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.cutoff = 7.9, .nonbonded.mixed = true};
  enum { MANY = 6 * TYPES };
  make(&s, &c);
  open(&s, &o, isa_best());
  const double energy = atoms_box_run(&s, 1);
  memcpy(f, s.f, sizeof f);
  for (int k = 0; k < MANY * MANY; k++)
    memcpy(lj[k], s.lj[k / MANY % TYPES * TYPES + k % MANY % TYPES], sizeof lj[k]);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < s.sort[k]->nsite; i++)
      s.sort[k]->type[i] += (i + k) % 6 * TYPES;
  s.input.lj = (const double(*)[2])lj;
  s.input.ntype = MANY;
  s.input.water_type += 3 * TYPES;
  open(&s, &o, isa_best());
  ck_assert_double_eq(atoms_box_run(&s, 1), energy);
  ck_assert_int_eq(memcmp(f, s.f, sizeof f), 0);
  atoms_box_free(&s);
}

static double largest(const double (*f)[3])
{
  double most = 0.0;
  for (int i = 0; i < ATOMS; i++)
    most = fmax(most, distance(3, f[i], NULL));
  return most;
}

/* Forces in float, where there are any, are those in double; else two are named. Returns whether there are.
 */
static bool right_or_named(AtomsBox *s, const PeriodicOptions *mixed)
{
  static double f[ATOMS][3];
  PeriodicOptions exact = *mixed;
  exact.nonbonded.mixed = false;
  open(s, mixed, isa_best());
  if (team_forces(&s->field, s->state, 1, 1, NULL, &s->error) != STATUS_OK) {
    ck_assert_msg(strstr(s->error.text, "overlap: they are") != NULL, "%s", s->error.text);
    ck_assert_msg(strstr(s->error.text, "in mixed precision: minimise the start") != NULL, "%s",
                  s->error.text);
    return false;
  }
  topology_get(s->topology, s->state, STATE_FORCES, 0, f[0]);
  open(s, &exact, isa_best());
  (void)atoms_box_run(s, 1);
  for (int i = 0; i < ATOMS; i++)
    ck_assert_double_le(distance(3, f[i], s->f[i]), 2e-5 * largest((const double(*)[3])s->f));
  return true;
}

/* An ion ever nearer to a hydrogen without Lennard-Jones, an oxygen, and those of a water. */
TEST(close_pairs_are_right_or_named, .rows = 16)
{
  static AtomsBox s;
  static double x[ATOMS][3];
  static const int to[4] = {LONG + 5, LONG + 4, 2 * EACH * LONG + IONS + 3 * 4 + 1,
                            2 * EACH * LONG + IONS + 3 * 4};
  const PeriodicOptions o = {
      .nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.cutoff = 7.9, .nonbonded.mixed = true};
  const Scheme c = {_i % 8 < 4 ? "tip3p" : "tip4p", true, false, upright, o};
  const int ion = 2 * EACH * LONG + 1;
  int right = 0, named = 0;
  for (double by = 3.6; by > 0.05; by *= 0.9) {
    make(&s, &c);
    *s.sort[2]->charge = -1.5;
    *s.sort[2]->type = _i < 8 ? *s.sort[2]->type : 3; /* without Lennard-Jones */
    topology_get(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    for (int d = 0; d < 3; d++)
      x[ion][d] = x[to[_i % 4]][d] - (d == 2 ? by : 0.0);
    topology_set(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    if (right_or_named(&s, &o))
      right++;
    else
      named++;
    atoms_box_free(&s);
  }
  ck_assert_int_ge(right, 2);
  ck_assert_int_ge(named, 10);
}

/* Atoms that do not interact are never too close for anyone, in either precision. */
TEST(what_does_not_interact_is_never_close, .rows = 8)
{
  static AtomsBox s;
  static double x[ATOMS][3];
  static const int to[4] = {LONG + 5, LONG + 4, 2 * EACH * LONG + IONS + 3 * 4 + 1,
                            2 * EACH * LONG + IONS + 3 * 4};
  const PeriodicOptions o = {
      .nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.cutoff = 7.9, .nonbonded.mixed = true};
  const Scheme c = {_i % 8 < 4 ? "tip3p" : "tip4p", true, false, upright, o};
  const int ghost = 2 * EACH * LONG + 1;
  for (double by = 1.0; by > 1e-3; by *= 0.5) {
    make(&s, &c);
    *s.sort[2]->charge = 0.0;
    *s.sort[2]->type = 3; /* without Lennard-Jones */
    topology_get(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    for (int d = 0; d < 3; d++)
      x[ghost][d] = x[to[_i % 4]][d] - (d == 2 ? by : 0.0);
    topology_set(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    ck_assert_msg(right_or_named(&s, &o), "%g A: %s", by, s.error.text);
    atoms_box_free(&s);
  }
}

/* Molecules ever closer, until all of them overlap: no sum leaves the range before a pair is named. */
TEST(a_crowd_is_right_or_named, .rows = 2)
{
  static AtomsBox s;
  static double x[ATOMS][3];
  const PeriodicOptions o = {
      .nonbonded.coulomb = COULOMB_CUTOFF, .nonbonded.cutoff = 7.9, .nonbonded.mixed = true};
  const Scheme c = {"tip3p", true, _i == 1, upright, o};
  const int solute = 2 * EACH * LONG, ions = solute + IONS;
  int right = 0, named = 0;
  for (double by = 1.0; by > 0.1; by *= 0.98) {
    make(&s, &c);
    topology_get(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    for (int i = 0; i < ATOMS; i++) {
      const int first = i < solute ? i - i % LONG : i < ions ? i : i - (i - ions) % 3;
      for (int d = 0; d < 3 && i > first; d++)
        x[i][d] += (by - 1.0) * x[first][d] / by;
      for (int d = 0; d < 3 && i == first; d++)
        x[i][d] *= by;
    }
    topology_set(s.topology, s.state, STATE_POSITIONS, 0, x[0]);
    if (right_or_named(&s, &o))
      right++;
    else
      named++;
    atoms_box_free(&s);
  }
  ck_assert_int_ge(right, 3);
  ck_assert_int_ge(named, 10);
}

TEST(what_floats_do_not_hold_is_refused)
{
  static AtomsBox s;
  const Scheme c = {"tip3p", true, true, upright, {.nonbonded.mixed = true, .nonbonded.cutoff = 8.0}};
  PeriodicOptions o = c.options;
  make(&s, &c);
  s.lj[1][0] = s.lj[TYPES][0] = 1e25;
  ck_assert_int_eq(atoms_box_open(&s, &o), STATUS_INPUT);
  ck_assert_msg(strstr(s.error.text, "types 1 and 2") != NULL, "%s", s.error.text);
  s.lj[1][0] = s.lj[TYPES][0] = 0.0;
  o.nonbonded.beta = 1.0;
  o.nonbonded.grid[0] = o.nonbonded.grid[1] = o.nonbonded.grid[2] = 64;
  ck_assert_int_eq(atoms_box_open(&s, &o), STATUS_INPUT);
  ck_assert_msg(strstr(s.error.text, "mixed precision") != NULL, "%s", s.error.text);
  o.nonbonded.mixed = false;
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  atoms_box_free(&s);
}
