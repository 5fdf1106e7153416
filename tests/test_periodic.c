/* The periodic force of water, all parts together: against the plain Ewald sum, as the gradient of its
 * energy, and the same bits for any team and age of the list. */
#include "tests/boxes.h"
#include "tests/ewald_water.h"
#include "tests/filling.h"
#include "tests/force_laws.h"
#include "tests/norms.h"
#include "tests/periodic_box.h"
#include "tests/suite.h"
#include "topology/topology.h"

enum { N = 3 * BOX_N };

static const PeriodicOptions tight = {.nonbonded.cutoff = 9.0,
                                      .nonbonded.tail = true,
                                      .nonbonded.beta = 0.4,
                                      .nonbonded.order = 6,
                                      .nonbonded.grid = {90, 90, 90},
                                      .threads = PERIODIC_THREADS,
                                      .kT = 0.6,
                                      .h = 0.02};

/* --- the Ewald sum ----------------------------------------------------------------------------------------
 */

/* The liquid in a larger box that leans, molecules at the same fractions. */
static void lean(Periodicals *p)
{
  static double x[N];
  const Box from = p->state->box;
  p->state->box = boxes_edges(22.0, 7.0, 21.0, -6.0, 8.0, 20.5);
  blocks_get(p->state, 'q', x);
  for (int m = 0; m < BOX_NMOL; m++) {
    double u[3], at[3];
    box_fractions(&from, x + 9 * m, u);
    box_point(&p->state->box, u, at);
    for (int k = 8; k >= 0; k--)
      x[9 * m + k] += at[k % 3] - x[9 * m + k % 3];
  }
  blocks_set(p->state, 'q', x);
  const Force *force = &p->field.force[0];
  ck_assert_msg(force->ops->set_box(force->self, p->state, &p->error) == STATUS_OK, "%s", p->error.text);
}

TEST(agrees_with_the_ewald_sum, .rows = 6)
{
  static double x[N], f[N], exact[N];
  const WaterModel *model = water_find(_i % 3 == 1 ? "spce" : "tip3p");
  PeriodicOptions o = tight;
  o.model = model;
  o.nonbonded.mixed = _i % 3 == 2;
  const double good = o.nonbonded.mixed ? 3e-5 : 1e-7;
  Periodicals p;
  periodic_open(&p, &o);
  if (_i / 3 != 0)
    lean(&p);
  const EwaldOptions options = {.accuracy = 1e-12,
                                .alpha = o.nonbonded.beta,
                                .cutoff = o.nonbonded.cutoff,
                                .kmax = 4.0,
                                .lj.cutoff = o.nonbonded.cutoff,
                                .real_by_molecule = true};
  EwaldResult e;
  blocks_get(p.state, 'q', x);
  ck_assert_int_eq(
      ewald_water_compute(model, p.kind[0], &p.state->box, &options, BOX_NMOL, x, exact, &e, NULL),
      STATUS_OK);
  ck_assert_msg(periodic_run(&p, 2, true) == STATUS_OK, "%s", p.error.text);
  blocks_get(p.state, 'f', f);
  ck_assert_double_le(deviation(N, f, exact), good);
  for (int t = 0; t < EWALD_TERMS; t++)
    ck_assert_double_eq_tol(p.energy[t], e.energy[t], good * fabs(e.energy[t]));
  double molecule[3][3];
  Topology *topology;
  ck_assert_int_eq(topology_of_state(&topology, p.state, NULL), STATUS_OK);
  topology_virial(topology, p.state, (const double(*)[3])p.virial, molecule);
  topology_free(topology);
  ck_assert_double_le(deviation(9, &p.virial[0][0], &e.virial_atom[0][0]), 10.0 * good);
  for (int k = 0; k < 9; k++) /* row: displacement, column: force; the other way round there */
    ck_assert_double_eq_tol(molecule[k / 3][k % 3], e.virial_molecule[k % 3][k / 3],
                            20.0 * good * fabs(e.virial_atom[0][0]));
  periodic_close(&p);
}

/* The box of the liquid by other vectors: pairs are the same, and what the mesh gives, to its error. */
TEST(vectors_make_no_difference, .rows = 4)
{
  static const double by[2][3] = {{1.0, 0.0, 1.0}, {-1.0, 1.0, -1.0}};
  static double f[N], again[N];
  PeriodicOptions o = tight;
  o.nonbonded.mixed = _i % 2;
  Periodicals p;
  periodic_open(&p, &o);
  ck_assert_msg(periodic_run(&p, 2, true) == STATUS_OK, "%s", p.error.text);
  double energy[EWALD_TERMS], virial[3][3];
  memcpy(energy, p.energy, sizeof energy);
  memcpy(virial, p.virial, sizeof virial);
  blocks_get(p.state, 'f', f);
  const double *lean = by[_i / 2], edge[3][3] = {{box_side},
                                                 {lean[0] * box_side, box_side},
                                                 {lean[1] * box_side, lean[2] * box_side, box_side}};
  p.state->box = boxes_unreduced(edge);
  const Force *force = &p.field.force[0];
  ck_assert_msg(force->ops->set_box(force->self, p.state, &p.error) == STATUS_OK, "%s", p.error.text);
  blocks_clear_forces(p.state);
  ck_assert_msg(periodic_run(&p, 2, true) == STATUS_OK, "%s", p.error.text);
  blocks_get(p.state, 'f', again);
  for (int t = 0; t < EWALD_TERMS; t++)
    ck_assert_double_eq_tol(p.energy[t], energy[t],
                            (o.nonbonded.mixed || t == EWALD_RECIPROCAL ? 1e-6 : 1e-10) * fabs(energy[t]));
  ck_assert_double_le(deviation(N, again, f), o.nonbonded.mixed ? 5e-5 : 2e-6);
  ck_assert_double_le(deviation(9, &p.virial[0][0], &virial[0][0]), 1e-4);
  periodic_close(&p);
}

/* --- laws -------------------------------------------------------------------------------------------------
 */

static Periodicals law;

/* Where whole pairs are switched off, those that cross the cutoff have a slope too. */
enum { DOUBLE, MIXED, KEPT, SWITCHED };

static ForceSystem open_law(int which, int width, int used)
{
  PeriodicOptions o = periodic_usual;
  ck_assert(width == 1 && used == 1);
  o.nonbonded.mixed = which == MIXED;
  o.keep_net = which >= KEPT;
  o.nonbonded.truncation = which == SWITCHED ? TRUNCATION_SWITCH_PAIRS : TRUNCATION_PLAIN;
  periodic_open(&law, &o);
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { periodic_close(&law); }

#define LAW(which_, ...)                                                                                     \
  {                                                                                                          \
    .name = #which_, .open = open_law, .close = close_law, .which = which_, __VA_ARGS__                      \
  }
static const ForceRow forces[] = {LAW(DOUBLE, .net = 1e-10), LAW(MIXED, .net = 1e-5),
                                  LAW(KEPT, .gradient = 1e-7, .stride = 97, .h = 1e-4),
                                  LAW(SWITCHED, .gradient = 1e-7, .stride = 97, .h = 1e-4)};

/* --- the same bits ----------------------------------------------------------------------------------------
 */

typedef struct Found {
  double f[N], energy[EWALD_TERMS], virial[3][3];
} Found;

/* What was found now is what was found first. */
static void same_bits(const Periodicals *p, bool is_first, Found *first)
{
  static Found now;
  blocks_get(p->state, 'f', now.f);
  memcpy(now.energy, p->energy, sizeof now.energy);
  memcpy(now.virial, p->virial, sizeof now.virial);
  if (is_first)
    *first = now;
  ck_assert_mem_eq(first->f, now.f, sizeof now.f);
  ck_assert_mem_eq(first->energy, now.energy, sizeof now.energy);
  ck_assert_mem_eq(first->virial, now.virial, sizeof now.virial);
}

/* Whoever does the pieces of a deal: one member leaves all of its own to the others, from the making of the
 * list on. */
TEST(same_bits_whoever_works, .rows = 2, .threads = true)
{
  static Found first;
  PeriodicOptions o = periodic_usual;
  o.nonbonded.mixed = _i != 0;
  for (int threads = 1; threads <= PERIODIC_THREADS; threads++)
    for (int idler = threads > 1; idler <= (threads > 1 ? threads : 0); idler++) {
      Periodicals p;
      periodic_open(&p, &o);
      const ForceSums where = {p.energy, p.virial};
      ck_assert_int_eq(team_forces_idle(&p.field, p.state, threads, idler, 2, &where, &p.error), STATUS_OK);
      same_bits(&p, threads == 1, &first);
      periodic_close(&p);
    }
}

/* Molecules move, now little, now much; a force made anew finds the same pairs. */
TEST(strict_lists_miss_nothing, .rows = 2)
{
  static double x[N], f[N], again[N];
  PeriodicOptions o = periodic_usual;
  o.nonbonded.mixed = _i != 0;
  Periodicals p, q;
  periodic_open(&p, &o);
  RandomStream s = random_stream(3, 0, RANDOM_TEST);
  blocks_get(p.state, 'q', x);
  for (int i = 0; i < 40; i++) {
    const double reach = i % 10 == 9 ? 0.1 : 0.02;
    for (int m = 0; m < BOX_NMOL; m++)
      for (int d = 0; d < 3; d++) {
        const double by = reach * (2.0 * random_uniform(&s) - 1.0) + 0.03;
        for (int b = 0; b < 3; b++)
          x[9 * m + 3 * b + d] += by;
      }
    blocks_set(p.state, 'q', x);
    periodic_open(&q, &o);
    blocks_set(q.state, 'q', x);
    ck_assert_msg(periodic_run(&p, 2, false) == STATUS_OK, "%s", p.error.text);
    ck_assert_int_eq(periodic_run(&q, 1, false), STATUS_OK);
    blocks_get(p.state, 'f', f);
    blocks_get(q.state, 'f', again);
    ck_assert_mem_eq(f, again, sizeof f);
    periodic_close(&q);
  }
  periodic_close(&p);
}

/* --- groups -----------------------------------------------------------------------------------------------
 */

/* Faster molecules and longer steps want wider ones, and so do lists that cost more beside the forces, in
 * float.
 */
TEST(buffers_follow_the_motion)
{
  static const struct {
    double kT, h;
    bool mixed;
  } wish[] = {{0.3, 0.03, false}, {0.6, 0.03, false}, {0.6, 0.03, true}, {0.6, 0.04, true}};
  double before = 0.01;
  for (int i = 0; i < 4; i++) {
    PeriodicOptions o = periodic_usual;
    Periodicals p;
    o.kT = wish[i].kT;
    o.h = wish[i].h;
    o.nonbonded.mixed = wish[i].mixed;
    o.nonbonded.buffer = o.atoms_buffer = 0.0;
    periodic_open(&p, &o);
    const double buffer = periodic_options(&p.field.force[0])->nonbonded.buffer;
    ck_assert_msg(buffer > before && buffer < 2.0, "%d: %g A after %g A", i, buffer, before);
    before = buffer;
    periodic_close(&p);
  }
}

TEST(groups_add_up)
{
  static double f[N], part[2][N];
  Periodicals p;
  periodic_open(&p, &periodic_usual);
  const Team alone = team_alone();
  ck_assert_uint_eq(force_field_groups(&p.field), FORCE_ALL);
  ck_assert_int_eq(periodic_run(&p, 1, false), STATUS_OK);
  blocks_get(p.state, 'f', f);
  for (int g = 0; g < 2; g++) {
    const unsigned group = g == 0 ? FORCE_FAST : FORCE_SLOW;
    ck_assert_int_eq(force_field_compute_groups(&p.field, &alone, p.state, group, NULL), STATUS_OK);
    blocks_get(p.state, 'f', part[g]);
  }
  double slow = 0.0;
  for (int k = 0; k < N; k++) {
    ck_assert_double_eq_tol(f[k], part[0][k] + part[1][k], 1e-11);
    slow += part[1][k] * part[1][k];
  }
  ck_assert_double_gt(sqrt(slow / N), 0.5);
  periodic_close(&p);
}

/* Water alone, and with ions that leave both kinds of packs with a tail. */
TEST(the_first_force_fills, .rows = 3)
{
  static const AtomModel *ions[2];
  PeriodicOptions o = periodic_usual;
  o.model = water_find("tip3p");
  o.nonbonded.mixed = _i != 0;
  ions[0] = atom_model_find("Na+", "tip3p");
  ions[1] = atom_model_find("Cl-", "tip3p");
  Periodicals p;
  periodic_open_with(&p, &o, _i == 2 ? ions : NULL, (const int[]){3, 3, 0});
  filling_check(&p.field, p.state);
  periodic_close(&p);
}

/* --- what is chosen ----------------------------------------------------------------------------------------
 */

TEST(errors_are_as_expected, .rows = 4)
{
  static double x[N], f[N], exact[N];
  PeriodicOptions o = periodic_usual;
  o.nonbonded.accuracy = _i == 0 ? 0.0 : 0.05;
  o.nonbonded.beta = _i == 2 ? 0.3 : 0.0;
  if (_i == 3)
    o.nonbonded.grid[0] = o.nonbonded.grid[1] = o.nonbonded.grid[2] = 18;
  Periodicals p;
  periodic_open(&p, &o);
  const PmeChoice *const c = periodic_choice(&p.field.force[0]);
  const EwaldOptions options = {.accuracy = 1e-10, .lj.cutoff = o.nonbonded.cutoff};
  EwaldResult e;
  blocks_get(p.state, 'q', x);
  ck_assert_int_eq(ewald_water_compute(water_find("tip3p"), p.kind[0], &p.state->box, &options, BOX_NMOL, x,
                                       exact, &e, NULL),
                   STATUS_OK);
  ck_assert_int_eq(periodic_run(&p, 1, false), STATUS_OK);
  blocks_get(p.state, 'f', f);
  double square = 0.0;
  for (int k = 0; k < N; k++)
    square += (f[k] - exact[k]) * (f[k] - exact[k]);
  const double error = sqrt(square / BOX_N), expected = hypot(c->real, c->mesh);
  ck_assert_double_le(error, 2.0 * expected);
  ck_assert_double_le(expected, 2.0 * error);
  if (_i < 3)
    ck_assert_double_le(expected, o.nonbonded.accuracy != 0.0 ? o.nonbonded.accuracy * 1.1 : 0.0145);
  periodic_close(&p);
}

/* --- what is refused, and what goes wrong ------------------------------------------------------------------
 */

static void refused(const PeriodicOptions *options, double side, const char *says)
{
  Kind *kind;
  Error error = {0};
  Force force;
  PeriodicOptions o = *options;
  o.isa = isa_best();
  o.model = o.model != NULL ? o.model : water_find("tip3p");
  ck_assert_int_eq(water_kind(o.model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  State *state = periodic_state(kind, 20, side);
  ck_assert_int_eq(periodic_create(&force, &o, state, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, says) != NULL, "'%s' does not say '%s'", error.text, says);
  state_free(state);
  kind_free(kind);
}

TEST(wrong_input_is_refused)
{
  refused(&periodic_usual, 17.9, "9 A");
  refused(&periodic_usual, 0.0, "open in x");
  PeriodicOptions o = periodic_usual;
  o.nonbonded.cutoff = -1.0;
  refused(&o, 20.0, "the cutoff must be positive, not -1 A");
  o = periodic_usual;
  o.nonbonded.order = 7;
  refused(&o, 20.0, "order 7");
  o = periodic_usual;
  o.nonbonded.grid[0] = 32;
  refused(&o, 20.0, "32 x 0 x 0");
  o = periodic_usual;
  o.nonbonded.accuracy = NAN;
  refused(&o, 20.0, "the force error is nan");
  o = periodic_usual;
  o.nonbonded.mixed = true;
  o.nonbonded.beta = 0.7;
  refused(&o, 20.0, "too large for mixed precision");
}

static void fails(Periodicals *p, const char *says)
{
  for (int threads = 1; threads <= 2; threads++) {
    ck_assert_int_eq(periodic_run(p, threads, false), STATUS_RUN);
    ck_assert_msg(strstr(p->error.text, says) != NULL, "'%s' does not say '%s'", p->error.text, says);
  }
}

/* And goes on when all is well again. */
TEST(faults_are_named, .rows = 2)
{
  static double x[N], y[N], f[N], again[N];
  PeriodicOptions o = periodic_usual;
  o.nonbonded.mixed = _i != 0;
  Periodicals p;
  periodic_open(&p, &o);
  blocks_get(p.state, 'q', x);
  ck_assert_int_eq(periodic_run(&p, 1, false), STATUS_OK);
  blocks_get(p.state, 'f', f);
  memcpy(y, x, sizeof x);
  y[9 * 11] = NAN;
  blocks_set(p.state, 'q', y);
  fails(&p, "molecule 12");
  const Team alone = team_alone();
  ck_assert_int_eq(force_field_compute_groups(&p.field, &alone, p.state, FORCE_SLOW, NULL), STATUS_RUN);
  memcpy(y, x, sizeof x);
  y[9 * 30 + 4] = INFINITY;
  blocks_set(p.state, 'q', y);
  fails(&p, "molecule 31");
  memcpy(y, x, sizeof x);
  y[9 * 30 + 4] += 3.0;
  blocks_set(p.state, 'q', y);
  fails(&p, "a bond of molecule 31 (");
  memcpy(y, x, sizeof x);
  for (int k = 0; k < 9; k++)
    y[9 * 20 + k] = x[9 * 7 + k] + box_side + 0.1;
  blocks_set(p.state, 'q', y);
  fails(&p, "molecules 8 and 21 overlap");
  blocks_set(p.state, 'q', x);
  ck_assert_int_eq(periodic_run(&p, 2, false), STATUS_OK);
  blocks_get(p.state, 'f', again);
  ck_assert_mem_eq(f, again, sizeof f);
  boxes_stretch(&p.state->box, 1, 1.05);
  ck_assert_int_eq(periodic_run(&p, 2, false), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(p.error.text, "box has changed"));
  periodic_close(&p);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("periodic");
}
