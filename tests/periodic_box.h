/* A state in a periodic box with the force "periodic", for tests. */
#ifndef HOLONOM_TESTS_PERIODIC_BOX_H
#define HOLONOM_TESTS_PERIODIC_BOX_H

#include <check.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/periodic.h"
#include "tests/water_box.h"

#define UNUSED __attribute__((unused))

enum { PERIODIC_THREADS = 3 };

typedef struct Periodicals {
  Kind *kind;
  State *state;
  ForceField field;
  double energy[EWALD_TERMS], virial[3][3];
  Error error;
} Periodicals;

static const PeriodicOptions periodic_usual = {
    .cutoff = 9.0, .tail = true, .threads = PERIODIC_THREADS, .kT = 0.6, .h = 0.02};

/* The liquid's positions as x[molecule][site][3]. */
UNUSED static void periodic_liquid(double *x)
{
  static WaterBox w;
  static bool made;
  if (!made)
    water_box_make(&w, 40);
  made = true;
  for (int i = 0; i < BOX_N; i++)
    for (int d = 0; d < 3; d++)
      x[3 * i + d] = w.x[d][i];
}

UNUSED static State *periodic_state(const Kind *kind, int nmol, double side)
{
  State *state;
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  state->box = (Box){{side, side, side}};
  return state;
}

/* The liquid of 216 waters of a model of three sites. */
UNUSED static void periodic_open(Periodicals *p, const PeriodicOptions *options)
{
  static double x[3 * BOX_N];
  *p = (Periodicals){.field.n = 1};
  PeriodicOptions o = *options;
  o.isa = isa_best();
  if (o.model == NULL)
    o.model = water_find("tip3p");
  ck_assert_int_eq(water_kind(o.model, 15.9994, 1.008, &p->kind, NULL), STATUS_OK);
  p->state = periodic_state(p->kind, BOX_NMOL, box_side);
  periodic_liquid(x);
  state_set(&p->state->block[0], 1, p->state->block[0].q, 0, x);
  ck_assert_msg(periodic_create(&p->field.force[0], &o, p->state, &p->error) == STATUS_OK, "%s",
                p->error.text);
}

UNUSED static void periodic_close(Periodicals *p)
{
  force_field_free(&p->field);
  state_free(p->state);
  kind_free(p->kind);
}

/* By a team of so many: f, and sums where they are asked for; the status of all of them. */
UNUSED static Status periodic_run(Periodicals *p, int threads, bool sums)
{
  TeamBarrier barrier = {0};
  Status all[PERIODIC_THREADS];
  Error errors[PERIODIC_THREADS];
  const ForceSums where = {p->energy, p->virial};
#pragma omp parallel num_threads(threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    all[team.rank] =
        force_field_compute(&p->field, &team, p->state, sums ? &where : NULL, &errors[team.rank]);
  }
  for (int k = 1; k < threads; k++)
    ck_assert_int_eq(all[k], all[0]);
  p->error = errors[threads - 1];
  return all[0];
}

#endif
