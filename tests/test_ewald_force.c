/* The Ewald sum by teams of any size, and what it refuses. */
#include "tests/ewald_box.h"
#include "tests/suite.h"
#include "tests/teams.h"

/* --- by a team ---------------------------------------------------------------------------------------------
 */

typedef struct System {
  Kind *kind;
  State *state;
  Particles particles;
  Ewald *ewald;
  double f[3 * ATOMS];
  EwaldResult result;
} System;

static void make_system(System *s, const WaterModel *model, const double *x)
{
  s->kind = make_kind(model);
  const Kind *kind = s->kind;
  const int nmol = N;
  Error error = {0};
  ck_assert_int_eq(state_create(&s->state, 1, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  s->state->box = brick;
  state_set(&s->state->block[0], 1, s->state->block[0].q, 0, x);
  ck_assert_int_eq(particles_make(&s->particles, model, NULL, s->state, &error), STATUS_OK);
  ck_assert_msg(ewald_create(&s->ewald, &s->particles, &brick, &tight, &error) == STATUS_OK, "%s",
                error.text);
}

static void free_system(System *s)
{
  ewald_free(s->ewald);
  particles_free(&s->particles);
  state_free(s->state);
  kind_free(s->kind);
}

/* Again and again: nothing may be left over from the call before. */
static Status compute(void *self, const Team *team, Error *error)
{
  System *s = self;
  Status status = STATUS_OK;
  for (int k = 0; k < 3; k++)
    status = ewald_compute(s->ewald, team, s->state, s->f, &s->result, error);
  return status;
}

TEST(same_bits_whatever_the_team, .rows = 2, .threads = true)
{
  const WaterModel *model = water_find(_i ? "tip4p" : "tip3p");
  double x[3 * ATOMS];
  Error error;
  make_box(model, x);
  const Answer own = ask(model, &brick, &tight, x);
  static System s;
  make_system(&s, model, x);
  ck_assert_str_eq(ewald_terms[EWALD_INTRAMOLECULAR], "intramolecular");
  for (int size = 1; size <= 3; size++) {
    ck_assert_int_eq(team_run(size, compute, &s, &error), STATUS_OK);
    ck_assert_mem_eq(s.f, own.f, sizeof s.f);
    ck_assert_mem_eq(s.result.energy, own.result.energy, sizeof own.result.energy);
    ck_assert_mem_eq(s.result.virial_molecule, own.result.virial_molecule, sizeof own.result.virial_molecule);
  }
  free_system(&s);
}

/* And goes on when all is well again. */
TEST(team_says_what_is_wrong, .threads = true)
{
  double x[3 * ATOMS];
  const WaterModel *model = water_find("tip3p");
  Error error;
  make_box(model, x);
  static System s;
  make_system(&s, model, x);
  const double fine = x[0];
  x[0] = NAN;
  state_set(&s.state->block[0], 1, s.state->block[0].q, 0, x);
  ck_assert_int_eq(team_run(2, compute, &s, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "molecule 1, site 1: coordinate x is nan"));
  x[0] = fine;
  state_set(&s.state->block[0], 1, s.state->block[0].q, 0, x);
  ck_assert_int_eq(team_run(2, compute, &s, &error), STATUS_OK);
  ck_assert(isfinite(s.result.energy[EWALD_LJ]));
  free_system(&s);
}

/* --- what is refused ---------------------------------------------------------------------------------------
 */

static void refused(const Box *box, const EwaldOptions *options, const double *x, const char *says)
{
  const WaterModel *model = water_find("tip4p");
  Kind *kind = make_kind(model);
  Error error = {0};
  ck_assert_int_eq(ewald_water_compute(model, kind, box, options, N, x, NULL, NULL, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, says) != NULL, "'%s' does not say '%s'", error.text, says);
  kind_free(kind);
}

TEST(wrong_input_is_refused)
{
  double x[3 * ATOMS];
  make_box(water_find("tip4p"), x);
  EwaldOptions options = tight;
  options.lj.cutoff = 4.8;
  refused(&brick, &options, x,
          "the box is too small: its length x is 9.4 A, less than twice the Lennard-Jones cutoff");
  options = tight;
  options.cutoff = 4.8;
  refused(&brick, &options, x, "real-space cutoff");
  const Box slab = box_brick(9.4, 9.7, 0.0), negative = box_brick(9.4, 9.7, -10.0);
  refused(&slab, &tight, x, "length z is 0");
  refused(&negative, &tight, x, "length z");
  options = tight;
  options.accuracy = 1e-14;
  refused(&brick, &options, x, "accuracy");
  options.accuracy = NAN;
  refused(&brick, &options, x, "accuracy");
  options = tight;
  options.lj.cutoff = 0.0;
  refused(&brick, &options, x, "Lennard-Jones cutoff");
  options = tight;
  options.lj.from = 4.5;
  refused(&brick, &options, x, "switched");
  const double fine = x[9 * 4 + 5];
  x[9 * 4 + 5] = INFINITY;
  refused(&brick, &tight, x, "molecule 5, site 2: coordinate z is inf");
  x[9 * 4 + 5] = fine + box_length(&brick, 2);
  refused(&brick, &tight, x, "molecule 5 reaches");
  x[9 * 4 + 5] = fine;
  for (int k = 0; k < 9; k++)
    x[9 * 20 + k] = x[9 * 7 + k] + box_length(&brick, k % 3) + 0.01;
  refused(&brick, &tight, x, "molecules 8 and 21 overlap: two of their sites are 0.0173 A");
}

TEST(net_charge_is_returned)
{
  double x[3 * ATOMS];
  static System s;
  const WaterModel *model = water_find("tip3p");
  make_box(model, x);
  make_system(&s, model, x);
  s.particles.kind[0].map.charge[0] += 0.1;
  Ewald *ewald;
  Error error;
  EwaldResult result;
  const Team team = team_alone();
  ck_assert_int_eq(ewald_create(&ewald, &s.particles, &brick, &tight, &error), STATUS_OK);
  ck_assert_int_eq(ewald_compute(ewald, &team, s.state, NULL, &result, &error), STATUS_OK);
  ck_assert_double_eq_tol(result.charge, 2.7, 1e-12);
  ewald_free(ewald);
  free_system(&s);
}
