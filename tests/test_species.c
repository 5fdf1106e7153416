/* Species and mixtures: rows that make sense, mixing, the tail and the Ewald sum of mixed kinds against plain
 * loops and against water alone. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/mixture.h"

START_TEST(rows_make_sense)
{
  Error error = {0};
  for (const Species *s = species_list; s->name != NULL; s++) {
    ck_assert(s->mass > 0.0 && s->sigma > 1.0 && s->sigma < 6.0 && s->epsilon > 0.0 && s->epsilon < 1.0);
    ck_assert(s->water == NULL || water_find(s->water) != NULL);
    const char end = s->name[strlen(s->name) - 1];
    ck_assert_double_eq(s->charge, end == '+' ? 1.0 : (end == '-' ? -1.0 : 0.0));
    ck_assert_ptr_eq(species_find(s->name, s->water), s);
    Kind *kind;
    ck_assert_int_eq(species_kind(s, &kind, &error), STATUS_OK);
    ck_assert(kind->nsite == 1 && kind->dim == 3 && kind->ncon == 0 && kind->mass[0] == s->mass);
    ck_assert_str_eq(kind->site[0], s->symbol);
    kind_free(kind);
  }
  /* a row for the water, else one for any, else none */
  ck_assert_str_eq(species_find("Na+", "tip3p")->water, "tip3p");
  ck_assert_str_eq(species_find("Na+", "spce")->water, "spce");
  ck_assert_ptr_null(species_find("Na+", "tip4p")->water);
  ck_assert_ptr_null(species_find("Na+", NULL)->water);
  ck_assert_ptr_null(species_find("K+", "tip4p"));
  ck_assert_ptr_nonnull(species_find("argon", "tip3p"));
  ck_assert_ptr_null(species_find("unobtainium", NULL));
}
END_TEST

START_TEST(mixing)
{
  const Species *na = species_find("Na+", "tip3p"), *cl = species_find("Cl-", "tip3p");
  const WaterModel *water = water_find("tip3p");
  double lj[2], sigma, epsilon;
  species_mix(na->sigma, na->epsilon, cl->sigma, cl->epsilon, lj);
  /* the minimum lies at the sum of the half distances (1.369 and 2.513 A), as deep as the geometric mean */
  const double r6 = pow(1.369 + 2.513, 6.0);
  ck_assert_double_eq_tol(2.0 * lj[0] / lj[1], r6, 1e-12 * r6);
  ck_assert_double_eq_tol((lj[0] / r6 - lj[1]) / r6, -sqrt(0.0874393 * 0.0355910), 1e-12);
  species_of_water(water, &sigma, &epsilon);
  species_mix(sigma, epsilon, sigma, epsilon, lj);
  ck_assert_double_eq_tol(lj[0], water->a, 1e-9 * water->a);
  ck_assert_double_eq_tol(lj[1], water->c, 1e-9 * water->c);
}
END_TEST

/* n1 waters, then one block for each species, on a lattice in a box of that side, turned at random. */
typedef struct Scene {
  Kind *kind[4];
  State *state;
  Mixture mixture;
} Scene;

static void scene_make(Scene *s, const WaterModel *water, int n, const char *const *species, int nspecies,
                       int each, double side)
{
  const int row = (int)ceil(cbrt(n + nspecies * each) - 1e-9);
  MixturePart part[4] = {{water, NULL}};
  int nmol[4] = {n}, nblock = water != NULL ? 1 : 0;
  Error error = {0};
  *s = (Scene){0};
  if (water != NULL)
    ck_assert_int_eq(water_kind(water, 15.9994, 1.008, &s->kind[0], &error), STATUS_OK);
  for (int k = 0; k < nspecies; k++, nblock++) {
    part[nblock] = (MixturePart){NULL, species_find(species[k], water != NULL ? water->name : NULL)};
    nmol[nblock] = each;
    ck_assert_int_eq(species_kind(part[nblock].species, &s->kind[nblock], &error), STATUS_OK);
  }
  const Kind *kind[4] = {s->kind[0], s->kind[1], s->kind[2], s->kind[3]};
  ck_assert_int_eq(state_create(&s->state, 1, nblock, kind, nmol, 1, 0, &error), STATUS_OK);
  s->state->box = (Box){{side, side + 0.4, side + 0.9}};
  ck_assert_int_eq(mixture_make(&s->mixture, part, s->state, &error), STATUS_OK);
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  /* places of the lattice in an order that mixes the kinds */
  for (int b = 0, at = 0; b < nblock; b++)
    for (int i = 0; i < nmol[b]; i++, at++) {
      const int cells = row * row * row, cell = (int)((int64_t)at * 37 % cells);
      const double c = cos(6.3 * random_uniform(&stream)), u = sqrt(1.0 - c * c);
      double x[9], *q = (double *)s->state->block[b].q;
      for (int k = 0; k < 3 * kind[b]->nsite; k++)
        x[k] = kind[b]->reference[k];
      for (int a = 0; a < kind[b]->nsite; a++) {
        const double old[3] = {x[3 * a], x[3 * a + 1], x[3 * a + 2]};
        const double turned[3] = {c * old[0] - u * old[1], c * old[1] + u * old[0], old[2]};
        for (int d = 0; d < 3; d++) {
          const int in = d == 0 ? cell % row : (d == 1 ? cell / row % row : cell / row / row);
          q[state_index(&s->state->block[b], 1, i, 0, a, d)] =
              turned[(d + at) % 3] + in * s->state->box.length[d] / row;
        }
      }
      for (int d = 0; d < 3; d++) {
        const double by = 0.3 * (random_uniform(&stream) - 0.5);
        for (int a = 0; a < kind[b]->nsite; a++)
          q[state_index(&s->state->block[b], 1, i, 0, a, d)] += by;
      }
    }
}

static void scene_free(Scene *s)
{
  state_free(s->state);
  for (int k = 0; k < 4; k++)
    kind_free(s->kind[k]);
}

/* Water alone as a mixture is what the Ewald sum of water says. */
START_TEST(water_alone)
{
  static const char *const models[] = {"tip3p", "tip4p"};
  for (int k = 0; k < 2; k++) {
    const WaterModel *water = water_find(models[k]);
    Scene s;
    Error error = {0};
    EwaldResult mine, theirs;
    double f[9 * 27], g[9 * 27], x[9 * 27];
    const EwaldOptions options = {.accuracy = 1e-10, .lj_cutoff = 4.5};
    scene_make(&s, water, 27, NULL, 0, 0, 9.6);
    ck_assert_msg(mixture_ewald(&s.mixture, s.state, &options, f, &mine, &error) == STATUS_OK, "%s",
                  error.text);
    state_get(&s.state->block[0], 1, s.state->block[0].q, 0, x);
    ck_assert_int_eq(
        ewald_water_compute(water, s.kind[0], &s.state->box, &options, 27, x, g, &theirs, &error), STATUS_OK);
    for (int t = 0; t < EWALD_TERMS; t++)
      ck_assert_double_eq_tol(mine.energy[t], theirs.energy[t], 1e-10 * (1.0 + fabs(theirs.energy[t])));
    for (int i = 0; i < 9 * 27; i++)
      ck_assert_double_eq_tol(f[i], g[i], 1e-9);
    for (int i = 0; i < 9; i++)
      ck_assert_double_eq_tol((&mine.virial_molecule[0][0])[i], (&theirs.virial_molecule[0][0])[i], 1e-8);
    scene_free(&s);
  }
}
END_TEST

/* The tail of a mixture, pair of kinds by pair of kinds. */
START_TEST(tail_of_kinds)
{
  static const char *const salt[] = {"Na+", "Cl-"};
  Scene s;
  Error error = {0};
  double tail[2], energy = 0.0, virial = 0.0;
  const double rc = 5.0;
  const EwaldOptions options = {.lj_cutoff = rc};
  scene_make(&s, water_find("spce"), 50, salt, 2, 7, 12.0);
  ck_assert_int_eq(mixture_tail(&s.mixture, &s.state->box, &options, tail, &error), STATUS_OK);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double *lj = s.mixture.lj[a][b], pairs = s.mixture.kind[a].nmol * s.mixture.kind[b].nmol;
      const double part = 2.0 * M_PI * pairs / box_volume(&s.state->box);
      energy += part * (lj[0] / (9.0 * pow(rc, 9.0)) - lj[1] / (3.0 * pow(rc, 3.0)));
      virial += part / 3.0 * (12.0 * lj[0] / (9.0 * pow(rc, 9.0)) - 6.0 * lj[1] / (3.0 * pow(rc, 3.0)));
    }
  ck_assert_double_eq_tol(tail[0], energy, 1e-12 * fabs(energy));
  ck_assert_double_eq_tol(tail[1], virial, 1e-12 * fabs(virial));
  ck_assert_double_eq_tol(mixture_charge(&s.mixture), 0.0, 1e-12);
  ck_assert_int_eq(mixture_block(&s.mixture, 49), 0);
  ck_assert_int_eq(mixture_block(&s.mixture, 50), 1);
  ck_assert_int_eq(mixture_block(&s.mixture, 63), 2);
  scene_free(&s);
}
END_TEST

/* Forces of ions in water are minus the gradient. */
START_TEST(gradient_of_kinds)
{
  static const char *const salt[] = {"K+", "Br-"};
  Scene s;
  Error error = {0};
  const EwaldOptions options = {.accuracy = 1e-11, .lj_cutoff = 4.9};
  EwaldResult result;
  double f[9 * 20 + 12], g[9 * 20 + 12];
  scene_make(&s, water_find("spce"), 20, salt, 2, 2, 10.0);
  ck_assert_msg(mixture_ewald(&s.mixture, s.state, &options, f, &result, &error) == STATUS_OK, "%s",
                error.text);
  for (int b = 0; b < 3; b++) {
    Block *block = &s.state->block[b];
    double *x = (double *)block->q + state_index(block, 1, 1, 0, 0, 1), e[2];
    const double at = *x, h = 1e-5;
    for (int k = 0; k < 2; k++) {
      *x = at + (k ? h : -h);
      ck_assert_int_eq(mixture_ewald(&s.mixture, s.state, &options, g, &result, &error), STATUS_OK);
      e[k] = 0.0;
      for (int t = 0; t < EWALD_TERMS; t++)
        e[k] += result.energy[t];
    }
    *x = at;
    const int index = b == 0 ? 9 + 1 : 9 * 20 + 6 * (b - 1) + 3 + 1;
    ck_assert_double_eq_tol(f[index], -(e[1] - e[0]) / (2.0 * h), 1e-5 * (1.0 + fabs(f[index])));
  }
  scene_free(&s);
}
END_TEST

START_TEST(bad_input)
{
  static const char *const salt[] = {"Na+"};
  Scene s;
  Error error = {0};
  Mixture m;
  scene_make(&s, water_find("tip3p"), 10, salt, 1, 2, 12.0);
  const MixturePart swapped[] = {{NULL, species_find("Na+", "tip3p")}, {water_find("tip3p"), NULL}};
  ck_assert_int_eq(mixture_make(&m, swapped, s.state, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "kind 1 (tip3p)"));
  const EwaldOptions options = {.accuracy = 1e-6, .lj_cutoff = 5.0};
  ck_assert_int_eq(mixture_ewald(&s.mixture, s.state, &options, NULL, NULL, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "charges sum to 2 e"));
  scene_free(&s);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("species");
  TCase *tc = tcase_create("species");
  tcase_set_timeout(tc, 60.0);
  tcase_add_test(tc, rows_make_sense);
  tcase_add_test(tc, mixing);
  tcase_add_test(tc, water_alone);
  tcase_add_test(tc, tail_of_kinds);
  tcase_add_test(tc, gradient_of_kinds);
  tcase_add_test(tc, bad_input);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? 0 : 1;
}
