/* Built-in ions and noble gases: rows that make sense, mixing, the tail and the Ewald sum of mixed kinds
 * against plain loops and against water alone. */
#include "tests/force_switch.h"
#include "tests/mixed_box.h"
#include "tests/suite.h"

TEST(rows_make_sense)
{
  Error error = {0};
  for (const AtomModel *s = atom_model_list; s->name != NULL; s++) {
    ck_assert(s->mass > 0.0 && s->sigma > 1.0 && s->sigma < 6.0 && s->epsilon > 0.0 && s->epsilon < 1.0);
    ck_assert(s->water == NULL || water_find(s->water) != NULL);
    const char end = s->name[strlen(s->name) - 1];
    ck_assert_double_eq(s->charge, end == '+' ? 1.0 : (end == '-' ? -1.0 : 0.0));
    ck_assert_ptr_eq(atom_model_find(s->name, s->water), s);
    Kind *kind;
    ck_assert_int_eq(atom_model_kind(s, &kind, &error), STATUS_OK);
    ck_assert(kind->nsite == 1 && kind->dim == 3 && kind->ncon == 0 && kind->mass[0] == s->mass);
    ck_assert_str_eq(kind->site[0], s->symbol);
    kind_free(kind);
  }
  /* a row for the water, else one for any, else none */
  ck_assert_str_eq(atom_model_find("Na+", "tip3p")->water, "tip3p");
  ck_assert_str_eq(atom_model_find("Na+", "spce")->water, "spce");
  ck_assert_ptr_null(atom_model_find("Na+", "tip4p")->water);
  ck_assert_ptr_null(atom_model_find("Na+", NULL)->water);
  ck_assert_ptr_null(atom_model_find("K+", "tip4p"));
  ck_assert_ptr_nonnull(atom_model_find("argon", "tip3p"));
  ck_assert_ptr_null(atom_model_find("unobtainium", NULL));
}

TEST(mixing)
{
  const AtomModel *na = atom_model_find("Na+", "tip3p"), *cl = atom_model_find("Cl-", "tip3p");
  const WaterModel *water = water_find("tip3p");
  const SiteMap a = atom_model_site_map(na), b = atom_model_site_map(cl), c = water_site_map(water);
  double lj[2];
  atom_model_mix(&a, &b, lj);
  /* the minimum lies at the sum of the half distances (1.369 and 2.513 A), as deep as the geometric mean */
  const double r6 = pow(1.369 + 2.513, 6.0);
  ck_assert_double_eq_tol(2.0 * lj[0] / lj[1], r6, 1e-12 * r6);
  ck_assert_double_eq_tol((lj[0] / r6 - lj[1]) / r6, -sqrt(0.0874393 * 0.0355910), 1e-12);
  atom_model_mix(&c, &c, lj);
  ck_assert_double_eq(lj[0], water->a);
  ck_assert_double_eq(lj[1], water->c);
  ck_assert_double_eq_tol(4.0 * c.epsilon * pow(c.sigma, 12.0), water->a, 1e-9 * water->a);
}

/* The tail of waters and ions, pair of kinds by pair of kinds. */
TEST(tail_of_kinds)
{
  MixedBox s;
  double tail[2], energy = 0.0, virial = 0.0;
  const double rc = 5.0;
  const LjCut cut = {.cutoff = rc};
  mixed_box_make(&s, &(MixedCase){"spce", 50, {"Na+", "Cl-"}, 7, {12.0, 12.4, 12.9}});
  ewald_tail_lj(&s.particles, &s.state->box, &cut, tail);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const double *lj = mixed_box_lj(&s, a, b), pairs = s.particles.kind[a].nmol * s.particles.kind[b].nmol;
      const double part = 2.0 * M_PI * pairs / box_volume(&s.state->box);
      energy += part * (lj[0] / (9.0 * pow(rc, 9.0)) - lj[1] / (3.0 * pow(rc, 3.0)));
      virial += part / 3.0 * (12.0 * lj[0] / (9.0 * pow(rc, 9.0)) - 6.0 * lj[1] / (3.0 * pow(rc, 3.0)));
    }
  ck_assert_double_eq_tol(tail[0], energy, 1e-12 * fabs(energy));
  ck_assert_double_eq_tol(tail[1], virial, 1e-12 * fabs(virial));
  ck_assert_int_eq(particles_block(&s.particles, 49), 0);
  ck_assert_int_eq(particles_block(&s.particles, 50), 1);
  ck_assert_int_eq(particles_block(&s.particles, 63), 2);
  mixed_box_free(&s);
}

/* V - what it has become at r within the cutoff, and minus r times its slope, of A/r^12 - C/r^6. */
static double missing(const LjCut *cut, const double lj[2], double r, double *virial)
{
  const double v = (lj[0] / pow(r, 6.0) - lj[1]) / pow(r, 6.0),
               end = (lj[0] / pow(cut->cutoff, 6.0) - lj[1]) / pow(cut->cutoff, 6.0),
               force = (12.0 * lj[0] / pow(r, 6.0) - 6.0 * lj[1]) / pow(r, 7.0),
               t = fmax((r - cut->from) / (cut->cutoff - cut->from), 0.0);
  const double lost = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t),
               slope = 30.0 * t * t * (1.0 - t) * (1.0 - t) / (cut->cutoff - cut->from);
  double factor;
  *virial = 0.0;
  switch (cut->truncation) {
  case TRUNCATION_SHIFT:
    return end;
  case TRUNCATION_SWITCH:
    *virial = r * (force * lost - v * slope);
    return v * lost;
  case TRUNCATION_FORCE_SWITCH: {
    const double left = force_switch_lj(lj, cut->from, cut->cutoff, r, &factor);
    *virial = r * (force - r * factor);
    return v - left;
  }
  default:
    return 0.0;
  }
}

/* Energy and virial that are missing in the mean, by quadrature: all of it beyond the cutoff, what the end
 * takes off before, which is constant up to where a switch begins. */
TEST(tail_is_what_is_missing, .rows = 4)
{
  enum { PARTS = 2000 };
  MixedBox s;
  double tail[2];
  static const Truncation truncations[] = {TRUNCATION_PLAIN, TRUNCATION_SHIFT, TRUNCATION_SWITCH,
                                           TRUNCATION_FORCE_SWITCH};
  const LjCut cut = {truncations[_i], 7.0, 5.2};
  mixed_box_make(&s, &(MixedCase){NULL, 0, {"argon", NULL}, 50, {20.0, 20.0, 20.0}});
  ewald_tail_lj(&s.particles, &s.state->box, &cut, tail);
  const double *lj = mixed_box_lj(&s, 0, 0), rc = cut.cutoff, rs = cut.from,
               each = 2.0 * M_PI * 50.0 * 50.0 / 8000.0;
  double w, energy = 0.0, virial = 0.0;
  for (int k = 0; k <= PARTS; k++) {
    const double r = rs + (rc - rs) * k / PARTS,
                 weight = k % PARTS == 0 ? 1.0
                          : k % 2 == 1   ? 4.0
                                         : 2.0,
                 d = missing(&cut, lj, r, &w);
    energy += weight * r * r * d;
    virial += weight * r * r * w;
  }
  energy *= (rc - rs) / (3.0 * PARTS);
  virial *= (rc - rs) / (3.0 * PARTS);
  const double before = missing(&cut, lj, rs, &w);
  ck_assert_double_eq_tol(missing(&cut, lj, 0.9 * rs, &w), before, 1e-12);
  ck_assert_double_eq_tol(w, 0.0, 1e-12);
  energy += before * rs * rs * rs / 3.0 + lj[0] / (9.0 * pow(rc, 9.0)) - lj[1] / (3.0 * pow(rc, 3.0));
  virial += 12.0 * lj[0] / (9.0 * pow(rc, 9.0)) - 6.0 * lj[1] / (3.0 * pow(rc, 3.0));
  ck_assert_double_eq_tol(tail[0], each * energy, 1e-9 * fabs(each * energy));
  ck_assert_double_eq_tol(tail[1], each / 3.0 * virial, 1e-9 * fabs(each * virial));
  mixed_box_free(&s);
}

/* Forces of ions in water are minus the gradient. */
TEST(gradient_of_kinds)
{
  MixedBox s;
  Error error = {0};
  const EwaldOptions options = {.accuracy = 1e-11, .lj.cutoff = 4.9};
  EwaldResult result;
  double f[9 * 20 + 12], g[9 * 20 + 12];
  mixed_box_make(&s, &(MixedCase){"spce", 20, {"K+", "Br-"}, 2, {10.0, 10.4, 10.9}});
  ck_assert_msg(ewald_alone(&s.particles, s.state, &options, f, &result, &error) == STATUS_OK, "%s",
                error.text);
  for (int b = 0; b < 3; b++) {
    Block *block = &s.state->block[b];
    double *x = (double *)block->q + state_index(block, 1, 1, 0, 0, 1), e[2];
    const double at = *x, h = 1e-5;
    for (int k = 0; k < 2; k++) {
      *x = at + (k ? h : -h);
      ck_assert_int_eq(ewald_alone(&s.particles, s.state, &options, g, &result, &error), STATUS_OK);
      e[k] = 0.0;
      for (int t = 0; t < EWALD_TERMS; t++)
        e[k] += result.energy[t];
    }
    *x = at;
    const int index = b == 0 ? 9 + 1 : 9 * 20 + 6 * (b - 1) + 3 + 1;
    ck_assert_double_eq_tol(f[index], -(e[1] - e[0]) / (2.0 * h), 1e-5 * (1.0 + fabs(f[index])));
  }
  mixed_box_free(&s);
}

TEST(bad_input)
{
  MixedBox s;
  Error error = {0};
  Particles m;
  mixed_box_make(&s, &(MixedCase){"tip3p", 10, {"Na+", NULL}, 2, {12.0, 12.4, 12.9}});
  ck_assert_int_eq(particles_make(&m, NULL, s.atoms, s.state, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "group type 1 (tip3p)"));
  ck_assert_int_eq(particles_make(&m, s.model, NULL, s.state, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "group type 2 (Na+)"));
  const EwaldOptions options = {.accuracy = 1e-6, .lj.cutoff = 5.0};
  EwaldResult result;
  ck_assert_int_eq(ewald_alone(&s.particles, s.state, &options, NULL, &result, &error), STATUS_OK);
  ck_assert_double_eq_tol(result.charge, 2.0, 1e-12);
  mixed_box_free(&s);
}
