/* Forces between molecules of any kinds: against plain loops and the Ewald sum, in every scheme of cutoffs;
 * minus the gradient; the same bits for any threads, numbering and age of the list; in double and with
 * pairs of waters in float. */
#include "engine/units.h"
#include "tests/force_switch.h"
#include "tests/norms.h"
#include "tests/scenes_random.h"
#include "tests/shorter.h"
#include "tests/sites_box.h"
#include "tests/suite.h"

/* --- plain loops ---------------------------------------------------------------------------------------- */

typedef struct Plain {
  double f[3 * ATOMS];
  SitesSums sums;
  double size; /* of the energies' terms without their signs */
} Plain;

/* One molecule: its sites, and where its atoms' forces go. */
typedef struct Molecule {
  int block, atom, number;
  double x[SITE_MAP_SITES][3];
} Molecule;

static Molecule molecule(const Scene *s, const double *x, int m)
{
  Molecule mol = {.block = particles_block(&s->box.particles, m), .number = m};
  for (int b = 0; b < mol.block; b++)
    mol.atom += s->box.particles.kind[b].nmol * s->box.particles.kind[b].map.natom;
  const SiteMap *map = &s->box.particles.kind[mol.block].map;
  mol.atom += (m - s->box.particles.first[mol.block]) * map->natom;
  site_map_sites(map, x + 3 * mol.atom, mol.x[0]);
  return mol;
}

static void push(const Scene *s, const Molecule *m, int site, double f, const double *r, Plain *p)
{
  double g[SITE_MAP_SITES][3] = {{0.0}};
  for (int d = 0; d < 3; d++)
    g[site][d] = f * r[d];
  const SiteMap *map = &s->box.particles.kind[m->block].map;
  site_map_forces(map, m->x[0], g[0], p->f + 3 * m->atom);
  site_map_virial(map, m->x[0], g[0], p->sums.virial);
}

/* f r on site b of j and back on site a of i. */
static void add_force(const Scene *s, const Molecule *i, const Molecule *j, int a, int b, double f,
                      const double *r, Plain *p)
{
  push(s, j, b, f, r, p);
  push(s, i, a, -f, r, p);
  for (int n = 0; n < 9; n++)
    (&p->sums.virial[0][0])[n] += r[n / 3] * f * r[n % 3];
}

/* The switching function at distance l and its derivative. */
static double switched(const Nonbonded *o, double l, double *slope)
{
  const double width = o->switch_width, t = (l - o->cutoff + width) / width;
  *slope = 0.0;
  if (nonbonded_lj_cut(o).truncation != TRUNCATION_SWITCH || t <= 0.0)
    return 1.0;
  *slope = (-30.0 * t * t + 60.0 * t * t * t - 30.0 * pow(t, 4.0)) / width;
  return 1.0 - 10.0 * pow(t, 3.0) + 15.0 * pow(t, 4.0) - 6.0 * pow(t, 5.0);
}

static double charge(const Scene *s, const Molecule *m, int site)
{
  return mixed_box_charge(&s->box, m->block, m->number, site);
}

/* `share` of the energies and forces of two sites, r from i to j; returns all of the energy. */
static double plain_sites(const Scene *s, const Molecule *i, const Molecule *j, int a, int b, const double *r,
                          double share, Plain *p)
{
  const Nonbonded *o = &s->options;
  const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], l = sqrt(r2), rc = o->cutoff;
  const double qq = UNITS_COULOMB * charge(s, i, a) * charge(s, j, b);
  const double e = o->permittivity,
               k = (e == 0.0 || isinf(e) ? 0.5 : (e - 1.0) / (2.0 * e + 1.0)) / (rc * rc * rc);
  double v = 0.0, f = 0.0;
  if (o->coulomb == COULOMB_PME) {
    v = qq * erfc(o->beta * l) / l;
    f = (v + qq * 2.0 * o->beta / sqrt(M_PI) * exp(-o->beta * o->beta * r2)) / r2;
  } else if (o->coulomb == COULOMB_REACTION_FIELD) {
    v = qq * (1.0 / l + k * r2 - (1.0 / rc + k * rc * rc));
    f = qq * (1.0 / (l * r2) - 2.0 * k);
  } else if (o->coulomb == COULOMB_CUTOFF) {
    v = qq / l;
    f = qq / (l * r2);
  }
  p->sums.real += share * v;
  p->size += fabs(v);
  if (a + b == 0) {
    const double *lj = mixed_box_lj(&s->box, i->block, j->block), r6 = 1.0 / (r2 * r2 * r2),
                 c6 = pow(rc, -6.0);
    double w = (lj[0] * r6 - lj[1]) * r6, g = (12.0 * lj[0] * r6 - 6.0 * lj[1]) * r6 / r2;
    if (o->truncation == TRUNCATION_SHIFT)
      w -= (lj[0] * c6 - lj[1]) * c6;
    if (o->truncation == TRUNCATION_FORCE_SWITCH)
      w = force_switch_lj(lj, rc - o->switch_width, rc, l, &g);
    double slope;
    const bool whole = o->truncation == TRUNCATION_SWITCH_PAIRS;
    const double one = whole ? 1.0 : switched(o, l, &slope);
    if (!whole)
      g = one * g - w * slope / l;
    w *= one;
    p->sums.lj += share * w;
    p->size += fabs(w);
    f += g;
    v += w;
  }
  add_force(s, i, j, a, b, share * f, r, p);
  return v;
}

/* The reaction field inside a molecule. */
static void plain_inside(const Scene *s, const Molecule *m, Plain *p)
{
  const SiteMap *kind = &s->box.particles.kind[m->block].map;
  const double e = s->options.permittivity, rc = s->options.cutoff;
  const double k = (e == 0.0 || isinf(e) ? 0.5 : (e - 1.0) / (2.0 * e + 1.0)) / (rc * rc * rc),
               c = 1.0 / rc + k * rc * rc;
  for (int a = 0; a < kind->nsite; a++)
    for (int b = a; b < kind->nsite; b++) {
      const double qq = UNITS_COULOMB * charge(s, m, a) * charge(s, m, b);
      double r[3], r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        r[d] = m->x[b][d] - m->x[a][d];
        r2 += r[d] * r[d];
      }
      if (a == b) {
        p->sums.self -= 0.5 * qq * c;
        continue;
      }
      p->sums.intramolecular += qq * (k * r2 - c);
      p->size += fabs(qq * (k * r2 - c));
      add_force(s, m, m, a, b, -2.0 * k * qq, r, p);
    }
}

/* Whether the sites of both are cut one by one, as those of single atoms are. */
static bool cut_by_atom(const Scene *s, const Molecule *one, const Molecule *two)
{
  return s->options.by_atom || atoms_are(s->box.atoms, one->block) || atoms_are(s->box.atoms, two->block);
}

/* Two molecules, two.x + shift the nearest image; `apart`: squared distance of the first sites. */
static void plain_pair(const Scene *s, const Molecule *one, const Molecule *two, const double *shift,
                       double apart, Plain *p)
{
  const Nonbonded *o = &s->options;
  double slope = 0.0, all = 0.0, first[3] = {0.0};
  const double share = o->truncation == TRUNCATION_SWITCH_PAIRS ? switched(o, sqrt(apart), &slope) : 1.0;
  for (int a = 0; a < s->box.particles.kind[one->block].map.nsite; a++)
    for (int b = 0; b < s->box.particles.kind[two->block].map.nsite; b++) {
      double r[3], r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        r[d] = two->x[b][d] - one->x[a][d] + shift[d];
        r2 += r[d] * r[d];
      }
      if (a + b == 0)
        memcpy(first, r, sizeof r);
      if (!cut_by_atom(s, one, two) || r2 < o->cutoff * o->cutoff)
        all += plain_sites(s, one, two, a, b, r, share, p);
    }
  if (slope != 0.0)
    add_force(s, one, two, 0, 0, -slope / sqrt(apart) * all, first, p);
}

static void plain(const Scene *s, Plain *p)
{
  static double x[3 * ATOMS];
  const Particles *m = &s->box.particles;
  const double rc = s->options.cutoff;
  *p = (Plain){0};
  blocks_get(s->box.state, 'q', x);
  for (int i = 0; i < m->nmol; i++) {
    const Molecule one = molecule(s, x, i);
    if (s->options.coulomb == COULOMB_REACTION_FIELD)
      plain_inside(s, &one, p);
    for (int j = i + 1; j < m->nmol; j++) {
      const Molecule two = molecule(s, x, j);
      double shift[3], near[3];
      const double apart = box_distance(&s->box.state->box, two.x[0], one.x[0], near);
      for (int d = 0; d < 3; d++)
        shift[d] = near[d] - (two.x[0][d] - one.x[0][d]);
      if (cut_by_atom(s, &one, &two) || apart < rc * rc)
        plain_pair(s, &one, &two, shift, apart, p);
    }
  }
}

TEST(agrees_with_plain_loops, .rows = CASES, .all_sets = true)
{
  static Scene s;
  static Plain p;
  static double x[3 * ATOMS];
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++)
    for (int mixed = 0; mixed < 2 && isa_runs((Isa)isa); mixed++) {
      Error error = {0};
      Case c = cases[_i];
      c.options.mixed = mixed;
      scene_create(&s, &c, (Isa)isa);
      blocks_get(s.box.state, 'q', x);
      int at = 0; /* any image of a molecule will do */
      for (int b = 0; b < s.box.particles.nblock; b++)
        for (int m = 0; m < s.box.particles.kind[b].nmol; m++)
          for (int k = 0; k < 3 * s.box.particles.kind[b].map.natom; k++) {
            const double(*h)[3] = s.box.state->box.h;
            x[at++] += (m % 5 - 2) * (h[0][k % 3] + h[1][k % 3] + h[2][k % 3]);
          }
      blocks_set(s.box.state, 'q', x);
      if (isa == (int)shorter_first_set() && mixed == 0) /* of the same positions always */
        plain(&s, &p);
      ck_assert_msg(compute(&s, 1, true, &error) == STATUS_OK, "%s", error.text);
      const double tolerance = mixed ? 1e-6 * p.size + 3e-9 : 1e-12 * p.size + 3e-9;
      ck_assert_double_eq_tol(s.sums.lj, p.sums.lj, tolerance);
      ck_assert_double_eq_tol(s.sums.real, p.sums.real, tolerance);
      ck_assert_double_eq_tol(s.sums.intramolecular, p.sums.intramolecular, tolerance);
      ck_assert_double_eq_tol(s.sums.self, p.sums.self, tolerance);
      ck_assert_double_le(deviation(3 * s.box.natom, s.f, p.f), mixed ? 1e-5 : 1e-12);
      ck_assert_double_le(deviation(9, &s.sums.virial[0][0], &p.sums.virial[0][0]), mixed ? 5e-5 : 1e-11);
      double net[3] = {0.0};
      for (int k = 0; k < 3 * s.box.natom; k++)
        net[k % 3] += s.f[k];
      for (int k = 0; k < 3; k++)
        ck_assert_double_le(fabs(net[k]), mixed ? 1e-6 * 40.0 * sqrt(s.box.natom) : 2e-11);
      ck_assert_int_eq(compute(&s, 1, false, &error), STATUS_OK); /* the same forces without sums */
      static double f[3 * ATOMS];
      memcpy(f, s.f, sizeof f);
      ck_assert_int_eq(compute(&s, 2, true, &error), STATUS_OK);
      ck_assert_mem_eq(f, s.f, 3 * (size_t)s.box.natom * sizeof *f);
      scene_free(&s);
    }
}

/* Along every coordinate of some molecules of each kind, where energies have no steps: plain cutoffs jump. */
TEST(forces_are_minus_the_gradient, .rows = suite_rows(2, 5))
{
  static const int of[] = {1, 3, 10, 11, 22};
  static Scene s;
  static double f[3 * ATOMS];
  Error error = {0};
  Case c = cases[of[_i]];
  scene_create(&s, &c, isa_best());
  ck_assert_int_eq(compute(&s, 1, true, &error), STATUS_OK);
  memcpy(f, s.f, sizeof f);
  int at = 0;
  for (int b = 0; b < s.box.particles.nblock; b++) {
    Block *block = &s.box.state->block[b];
    const int size = 3 * block->kind->nsite;
    for (int m = 0; m < 4; m++)
      for (int k = 0; k < size; k++) {
        double *x = (double *)block->q + state_index(block, 1, m, 0, k / 3, k % 3), e[2];
        const double middle = *x, h = 1e-5;
        for (int side = 0; side < 2; side++) {
          *x = middle + (side ? h : -h);
          ck_assert_int_eq(compute(&s, 1, true, &error), STATUS_OK);
          e[side] = s.sums.lj + s.sums.real + s.sums.intramolecular + s.sums.self;
        }
        *x = middle;
        const double force = f[at + size * m + k];
        ck_assert_double_eq_tol(force, -(e[1] - e[0]) / (2.0 * h), 2e-5 * (1.0 + fabs(force)));
      }
    at += size * block->nlane;
  }
  scene_free(&s);
}

/* to = from in that order, block by block. */
static void permute(const Scene *s, const int *order, const double *from, double *to)
{
  for (int b = 0; b < s->box.particles.nblock; b++) {
    const ParticlesBlock *k = &s->box.particles.kind[b];
    const size_t size = 3 * (size_t)k->map.natom;
    for (int i = 0; i < k->nmol; i++)
      memcpy(to + size * (size_t)i, from + size * (size_t)order[s->box.particles.first[b] + i],
             size * sizeof *to);
    from += size * (size_t)k->nmol;
    to += size * (size_t)k->nmol;
  }
}

/* Threads, another numbering of the molecules, and a list from before they moved. */
TEST(same_bits, .rows = 2 * CASES, .threads = true, .all_sets = true)
{
  static Scene s, t;
  static double f[3 * ATOMS], x[3 * ATOMS], y[3 * ATOMS];
  int order[ATOMS];
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    Error error = {0};
    Case c = cases[_i % CASES];
    c.options.mixed = _i >= CASES;
    scene_create(&s, &c, (Isa)isa);
    scene_create(&t, &c, (Isa)isa);
    ck_assert_int_eq(compute(&t, 2, false, &error), STATUS_OK); /* t makes its list here */
    RandomStream stream = random_stream(9, 0, RANDOM_TEST);
    blocks_get(s.box.state, 'q', x);
    int at = 0;
    for (int b = 0; b < s.box.particles.nblock; b++)
      for (int m = 0; m < s.box.particles.kind[b].nmol; m++) {
        const double by[3] = {0.2 * random_uniform(&stream) - 0.1, 0.2 * random_uniform(&stream) - 0.1,
                              0.2 * random_uniform(&stream) - 0.1};
        for (int k = 0; k < 3 * s.box.particles.kind[b].map.natom; k++)
          x[at++] += by[k % 3];
      }
    blocks_set(s.box.state, 'q', x);
    ck_assert_msg(compute(&s, 1, true, &error) == STATUS_OK, "%s", error.text);
    const size_t bytes = 3 * (size_t)s.box.natom * sizeof *f;
    memcpy(f, s.f, bytes);
    const SitesSums sums = s.sums;
    for (int threads = 2; threads <= THREADS; threads++) {
      list_forget(s.list);
      ck_assert_int_eq(compute(&s, threads, true, &error), STATUS_OK);
      ck_assert_mem_eq(f, s.f, bytes);
      ck_assert_mem_eq(&sums, &s.sums, sizeof sums);
    }
    blocks_set(t.box.state, 'q', x);
    const int64_t made = list_view(t.list)->made;
    ck_assert_int_eq(compute(&t, 1, true, &error), STATUS_OK);
    ck_assert_int_eq(list_view(t.list)->made, made); /* it is the old list */
    ck_assert_mem_eq(f, t.f, bytes);
    ck_assert_mem_eq(&sums, &t.sums, sizeof sums);
    for (int b = 0; b < s.box.particles.nblock; b++) /* the molecules of every block in another order */
      scenes_order(&stream, s.box.particles.kind[b].nmol, order + s.box.particles.first[b]);
    permute(&s, order, x, y);
    blocks_set(s.box.state, 'q', y);
    list_forget(s.list);
    ck_assert_int_eq(compute(&s, 1, true, &error), STATUS_OK);
    permute(&s, order, f, y);
    ck_assert_mem_eq(y, s.f, bytes);
    ck_assert_mem_eq(&sums, &s.sums, sizeof sums);
    scene_free(&s);
    scene_free(&t);
  }
}

/* Real part and Lennard-Jones of the Ewald sum, with its cutoffs, and its tail. */
TEST(agrees_with_the_ewald_sum, .rows = suite_rows(2, 8))
{
  static const Truncation truncations[] = {TRUNCATION_PLAIN, TRUNCATION_SHIFT, TRUNCATION_SWITCH,
                                           TRUNCATION_FORCE_SWITCH};
  static Scene s;
  Error error = {0};
  EwaldResult result;
  Case c = cases[_i / 4 == 0 ? 13 : 0]; /* water, and with ions, whose pairs are cut by atom */
  c.options.by_atom = _i / 4;
  c.options.truncation = truncations[_i % 4];
  c.options.switch_width = 1.5;
  c.options.cutoff = 7.5;
  scene_create(&s, &c, isa_best());
  ck_assert_msg(compute(&s, 2, true, &error) == STATUS_OK, "%s", error.text);
  const EwaldOptions options = {.accuracy = 1e-3,
                                .alpha = c.options.beta,
                                .cutoff = c.options.cutoff,
                                .kmax = 0.5, /* not looked at */
                                .lj = nonbonded_lj_cut(&c.options),
                                .real_by_molecule = !c.options.by_atom};
  ck_assert_msg(ewald_alone(&s.box.particles, s.box.state, &options, NULL, &result, &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_double_eq_tol(s.sums.lj, result.energy[EWALD_LJ], 1e-8);
  ck_assert_double_eq_tol(s.sums.real, result.energy[EWALD_REAL], 1e-8);
  double tail[2];
  ewald_tail_lj(&s.box.particles, &s.box.state->box, &options.lj, tail);
  ck_assert_double_eq_tol(tail[0], result.energy[EWALD_LJ_TAIL], 1e-12);
  scene_free(&s);
}
