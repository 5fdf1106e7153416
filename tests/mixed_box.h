/* Periodic boxes of waters and species for tests. */
#ifndef HOLONOM_TESTS_MIXED_BOX_H
#define HOLONOM_TESTS_MIXED_BOX_H

#include "engine/random.h"
#include "forcefields/ewald.h"
#include "tests/blocks.h"
#include "tests/boxes.h"
#include "tests/model_input.h"
#include "tests/suite.h"

enum { MIXED_BLOCKS = 3 };

typedef struct MixedBox {
  Kind *kind[MIXED_BLOCKS];
  State *state;
  const WaterModel *model; /* NULL: there is no water */
  SpeciesInput species;
  Atoms *atoms; /* NULL: there are no species */
  Particles particles;
  int natom; /* of all blocks */
} MixedBox;

/* What is in it: molecules of a water, unless NULL, and up to two species, `each` of them. */
typedef struct MixedCase {
  const char *water;
  int nwater;
  const char *species[2];
  int each;
  double length[3];
  double lean[3]; /* b_x, c_x, c_y, reduced or not */
} MixedCase;

/* Molecules of all kinds by turns on a lattice that fills the box, moved and turned at random. */
static void mixed_box_place(MixedBox *s, int b, int i, int cell, int row, RandomStream *stream)
{
  const Kind *kind = s->kind[b];
  Block *block = &s->state->block[b];
  const int at[3] = {cell % row, cell / row % row, cell / row / row};
  const double angle = 6.3 * random_uniform(stream), c = cos(angle), u = sin(angle);
  double by[3], part[3], from[3], *q = (double *)block->q;
  for (int d = 0; d < 3; d++) {
    by[d] = 0.3 * (random_uniform(stream) - 0.5);
    part[d] = (double)at[d] / row;
  }
  box_point(&s->state->box, part, from);
  for (int a = 0; a < kind->nsite; a++) {
    const double *x = kind->reference + 3 * a, turned[3] = {c * x[0] - u * x[2], c * x[2] + u * x[0], x[1]};
    for (int d = 0; d < 3; d++)
      q[state_index(block, 1, i, 0, a, d)] = turned[(d + cell) % 3] + by[d] + from[d];
  }
}

static void mixed_box_make(MixedBox *s, const MixedCase *c)
{
  int nmol[MIXED_BLOCKS] = {0}, nblock = 0, done[MIXED_BLOCKS] = {0};
  Error error = {0};
  *s = (MixedBox){0};
  const AtomModel *species[2];
  if (c->water != NULL) {
    s->model = water_find(c->water);
    nmol[nblock++] = c->nwater;
    ck_assert_int_eq(water_kind(s->model, 15.9994, 1.008, &s->kind[0], &error), STATUS_OK);
  }
  for (int k = 0; k < 2 && c->species[k] != NULL; k++, nblock++) {
    species[k] = atom_model_find(c->species[k], c->water);
    nmol[nblock] = c->each;
    ck_assert_int_eq(atom_model_kind(species[k], &s->kind[nblock], &error), STATUS_OK);
  }
  const Kind *kind[MIXED_BLOCKS] = {s->kind[0], s->kind[1], s->kind[2]};
  ck_assert_int_eq(state_create(&s->state, 1, nblock, kind, nmol, 1, 0, &error), STATUS_OK);
  const double edge[3][3] = {
      {c->length[0]}, {c->lean[0], c->length[1]}, {c->lean[1], c->lean[2], c->length[2]}};
  s->state->box = boxes_unreduced(edge);
  species_input_make(&s->species, s->state, s->model, species);
  if (c->species[0] != NULL)
    ck_assert_int_eq(atoms_create(&s->atoms, &s->species.input, s->state, &error), STATUS_OK);
  ck_assert_int_eq(particles_make(&s->particles, s->model, s->atoms, s->state, &error), STATUS_OK);
  const int n = s->particles.nmol, row = (int)ceil(cbrt(n) - 1e-9);
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  for (int m = 0; m < n; m++) { /* the kind that lags behind most */
    int b = 0;
    for (int k = 1; k < nblock; k++)
      if (nmol[k] * (done[b] + 1.0) > nmol[b] * (done[k] + 1.0))
        b = k;
    mixed_box_place(s, b, done[b]++, m, row, &stream);
  }
  for (int b = 0; b < nblock; b++)
    s->natom += nmol[b] * s->kind[b]->nsite;
}

/* The charge of site `site` of molecule m, which is in block b. */
static inline double mixed_box_charge(const MixedBox *s, int b, int m, int site)
{
  return atoms_are(s->atoms, b) ? s->atoms->charge[m] : s->particles.kind[b].map.charge[site];
}

/* A and C between first sites of two blocks. */
static inline const double *mixed_box_lj(const MixedBox *s, int a, int b)
{
  return particles_lj(&s->particles, a, s->particles.first[a], b, s->particles.first[b]);
}

/* What the periodic force gets of them. */
static inline const AtomsInput *mixed_box_input(const MixedBox *s)
{
  return s->atoms != NULL ? &s->species.input : NULL;
}

static void mixed_box_free(MixedBox *s)
{
  particles_free(&s->particles);
  atoms_free(s->atoms);
  species_input_free(&s->species);
  state_free(s->state);
  for (int k = 0; k < MIXED_BLOCKS; k++)
    kind_free(s->kind[k]);
}

#endif
