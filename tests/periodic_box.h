/* A state in a periodic box with the force "periodic", for tests. */
#ifndef HOLONOM_TESTS_PERIODIC_BOX_H
#define HOLONOM_TESTS_PERIODIC_BOX_H

#include "forcefields/periodic.h"
#include "tests/blocks.h"
#include "tests/model_input.h"
#include "tests/suite.h"
#include "tests/teams.h"
#include "tests/water_box.h"

enum { PERIODIC_THREADS = 3, PERIODIC_KINDS = 3 };

typedef struct Periodicals {
  Kind *kind[PERIODIC_KINDS];
  State *state;
  SpeciesInput species;
  ForceField field;
  double energy[EWALD_TERMS], virial[3][3];
  Error error;
} Periodicals;

static const PeriodicOptions periodic_usual = {
    .nonbonded.cutoff = 9.0, .nonbonded.tail = true, .threads = PERIODIC_THREADS, .kT = 0.6, .h = 0.02};

static WaterBox periodic_water;

/* Before main, once for all tests of a program, each of which is a process of its own. */
__attribute__((constructor)) static void periodic_make(void) { water_box_make(&periodic_water, 40); }

/* The liquid's positions as x[molecule][site][3]. */
static inline void periodic_liquid(double *x)
{
  for (int i = 0; i < BOX_N; i++)
    for (int d = 0; d < 3; d++)
      x[3 * i + d] = periodic_water.x[d][i];
}

static inline State *periodic_state(const Kind *kind, int nmol, double side)
{
  State *state;
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  state->box = box_brick(side, side, side);
  return state;
}

/* The liquid of 216 molecules, of a model of three sites with mass, the last ones replaced by single atoms
 * where there are species. Without a model all are; with none of both, the model is TIP3P. */
static inline void periodic_open_with(Periodicals *p, const PeriodicOptions *options,
                                      const AtomModel *const *species, const int *natom)
{
  static double x[3 * BOX_N];
  *p = (Periodicals){.field.n = 1};
  PeriodicOptions o = *options;
  o.isa = isa_best();
  if (o.model == NULL && species == NULL)
    o.model = water_find("tip3p");
  int n = 0, nmol[PERIODIC_KINDS], left = BOX_NMOL;
  for (int k = 0; species != NULL && natom[k] > 0; k++) {
    ck_assert_int_eq(atom_model_kind(species[k], &p->kind[(o.model != NULL) + k], NULL), STATUS_OK);
    nmol[(o.model != NULL) + k] = natom[k];
    left -= natom[k];
    n++;
  }
  if (o.model != NULL) {
    ck_assert_int_eq(water_kind(o.model, 15.9994, 1.008, &p->kind[0], NULL), STATUS_OK);
    nmol[0] = left;
    n++;
  }
  ck_assert_int_eq(state_create(&p->state, 1, n, (const Kind *const *)p->kind, nmol, 1, 0, NULL), STATUS_OK);
  p->state->box = box_brick(box_side, box_side, box_side);
  periodic_liquid(x);
  const double *from = x;
  for (int b = 0; b < n; b++) {
    const Block *block = &p->state->block[b];
    for (int i = 0; i < block->nlane; i++, from += 9)
      for (int k = 0; k < 3 * block->kind->nsite; k++)
        ((double *)block->q)[state_index(block, 1, i, 0, k / 3, k % 3)] = from[k];
  }
  species_input_make(&p->species, p->state, o.model, species);
  o.atoms = species != NULL ? &p->species.input : NULL;
  ck_assert_msg(periodic_create(&p->field.force[0], &o, p->state, &p->error) == STATUS_OK, "%s",
                p->error.text);
}

static inline void periodic_open(Periodicals *p, const PeriodicOptions *options)
{
  periodic_open_with(p, options, NULL, NULL);
}

static inline void periodic_close(Periodicals *p)
{
  force_field_free(&p->field);
  species_input_free(&p->species);
  state_free(p->state);
  for (int k = 0; k < PERIODIC_KINDS; k++)
    kind_free(p->kind[k]);
}

/* By a team of so many: f, and sums where they are asked for; the status of all of them. */
static inline Status periodic_run(Periodicals *p, int threads, bool sums)
{
  const ForceSums where = {p->energy, p->virial};
  return team_forces(&p->field, p->state, threads, 1, sums ? &where : NULL, &p->error);
}

/* The sum of all terms. */
static inline double periodic_energy(Periodicals *p)
{
  ck_assert_msg(periodic_run(p, 1, true) == STATUS_OK, "%s", p->error.text);
  double sum = 0.0;
  for (int t = 0; t < EWALD_TERMS; t++)
    sum += p->energy[t];
  return sum;
}

#endif
