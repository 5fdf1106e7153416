/* The force of water in mixed precision: against a plain loop over all pairs, the same bits for any threads,
 * numbering and age of the list, and guards that speak up. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/place.h"
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/sites.h"
#include "tests/blocks.h"
#include "tests/norms.h"
#include "tests/scenes_random.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { NMAX = 400, THREADS = 16 };

typedef struct Scene {
  const WaterModel *model;
  Kind *kind;
  State *state;
  List *list;
  Sites *sites;
  int n;
  double length[3];
  SitesOptions options;
  double x[9 * NMAX], f[9 * NMAX];
  int32_t o[NMAX][4];
  bool want_sums;
  SitesSums sums;
} Scene;

static const struct {
  const char *model;
  double length[3], cutoff, beta;
  int n;
} boxes[] = {{"tip3p", {21.0, 21.0, 21.0}, 9.0, 0.32, 300},
             {"spce", {18.2, 23.0, 27.0}, 9.0, 0.35, 370},
             {"spc", {19.0, 19.0, 19.0}, 6.0, 0.0, 210},
             {"tip3p", {26.0, 24.5, 25.0}, 12.0, 0.25, 400},
             {"tip4p", {21.0, 20.0, 22.0}, 9.0, 0.3, 300}};
enum { NBOX = (int)(sizeof boxes / sizeof *boxes) };

static bool collides(const Scene *s, int i)
{
  for (int j = 0; j < i; j++)
    for (int ab = 0; ab < 9; ab++) {
      double r2 = 0.0;
      for (int k = 0; k < 3; k++) {
        const double d = s->x[9 * j + 3 * (ab % 3) + k] - s->x[9 * i + 3 * (ab / 3) + k];
        r2 += pow(remainder(d, s->length[k]), 2);
      }
      if (r2 < 1.2 * 1.2)
        return true;
    }
  return false;
}

/* Near the points of a simple cubic lattice, closer than in a liquid, where forces are large. */
static void crowd(Scene *s)
{
  RandomStream stream = random_stream(7, 0, RANDOM_START);
  const double *length = s->length, spacing = cbrt(length[0] * length[1] * length[2] / s->n);
  int m[3];
  for (int d = 0; d < 3; d++)
    m[d] = (int)floor(length[d] / spacing);
  for (int d = 0; m[0] * m[1] * m[2] < s->n; d = (d + 1) % 3)
    m[d]++;
  for (int i = 0; i < s->n; i++) {
    const int place = i * (m[0] * m[1] * m[2]) / s->n; /* holes evenly spread */
    const int cell[3] = {place / (m[1] * m[2]), place / m[2] % m[1], place % m[2]};
    do {
      double at[3];
      for (int d = 0; d < 3; d++)
        at[d] = cell[d] * length[d] / m[d] + 0.3 * (random_uniform(&stream) - 0.5);
      double *x = s->x + 9 * i;
      place_molecule(s->kind, &stream, at, x);
      for (int k = 8; k >= 0; k--)
        x[k] += at[k % 3] - x[k % 3]; /* the oxygen there, and last */
    } while (collides(s, i));
  }
}

static void scene_create(Scene *s, int b, Isa isa, EwaldTruncation truncation, bool molecules)
{
  Error error = {0};
  *s = (Scene){.model = water_find(boxes[b].model), .n = boxes[b].n};
  s->options = (SitesOptions){.cutoff = boxes[b].cutoff,
                              .coulomb = boxes[b].beta > 0.0 ? SITES_EWALD : SITES_CUTOFF,
                              .beta = boxes[b].beta,
                              .mixed = true,
                              .threads = THREADS,
                              .isa = isa,
                              .truncation = truncation,
                              .lj_switch = boxes[b].cutoff - 1.5,
                              .switch_molecules = molecules};
  memcpy(s->length, boxes[b].length, sizeof s->length);
  ListOptions list = {.cutoff = boxes[b].cutoff, .buffer = 0.4, .isa = isa};
  memcpy(list.length, boxes[b].length, sizeof list.length);
  ck_assert_int_eq(water_kind(s->model, 15.9994, 1.008, &s->kind, &error), STATUS_OK);
  const Kind *kind = s->kind;
  const MixturePart part = {.water = s->model};
  Mixture mixture;
  ck_assert_int_eq(state_create(&s->state, 1, 1, &kind, &s->n, 1, 0, &error), STATUS_OK);
  memcpy(s->state->box.length, boxes[b].length, sizeof s->length);
  ck_assert_int_eq(mixture_make(&mixture, &part, s->state, &error), STATUS_OK);
  ck_assert_int_eq(list_create(&s->list, &list, s->n, &error), STATUS_OK);
  ck_assert_int_eq(sites_create(&s->sites, &mixture, &s->state->box, &s->options, &error), STATUS_OK);
  crowd(s);
}

static void scene_free(Scene *s)
{
  sites_free(s->sites);
  list_free(s->list);
  state_free(s->state);
  kind_free(s->kind);
}

static Status scene_add(void *self, const Team *team, Error *error)
{
  Scene *s = self;
  Status status = sites_stage(s->sites, team, list_view(s->list), s->state, s->o, NULL, error);
  if (status == STATUS_OK)
    status = list_update(s->list, team, (const int32_t(*)[4])s->o, NULL, error);
  if (status == STATUS_OK)
    status = sites_add(s->sites, team, list_view(s->list), s->state, s->want_sums ? &s->sums : NULL, error);
  return status;
}

/* Forces f and sums by a team of so many; the status of all of them. */
static Status compute(Scene *s, int threads, bool sums, Error *error)
{
  Block *block = &s->state->block[0];
  state_set(block, 1, block->q, 0, s->x);
  blocks_clear_forces(s->state);
  s->want_sums = sums;
  const Status status = team_run(threads, scene_add, s, error);
  state_get(block, 1, block->f, 0, s->f);
  return status;
}

/* --- a plain loop --------------------------------------------------------------------------------------- */

typedef struct Plain {
  double f[9 * NMAX];
  SitesSums sums;
  double lj, real; /* of the energies' terms without their signs */
} Plain;

/* The switching function of the O-O distance and its derivative. */
static double switched(const Scene *s, double r, double *slope)
{
  const double width = s->options.cutoff - s->options.lj_switch, t = (r - s->options.lj_switch) / width;
  *slope = 0.0;
  if (s->options.truncation != EWALD_SWITCH || t <= 0.0)
    return 1.0;
  *slope = -30.0 * t * t * (1.0 - t) * (1.0 - t) / width;
  return 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t));
}

static void push(Plain *p, double *on, double *back, double f, const double *r)
{
  for (int k = 0; k < 3; k++) {
    on[k] += f * r[k];
    back[k] -= f * r[k];
    for (int m = 0; m < 3; m++)
      p->sums.virial[k][m] += r[k] * f * r[m];
  }
}

/* The force on M goes to the atoms. */
static void hand_back(double weight, const double g[3][3], double *f)
{
  for (int k = 0; k < 3; k++) {
    f[k] += (1.0 - 2.0 * weight) * g[0][k];
    f[3 + k] += g[1][k] + weight * g[0][k];
    f[6 + k] += g[2][k] + weight * g[0][k];
  }
}

static void charge_sites(const double *x, double weight, double at[3][3])
{
  for (int k = 0; k < 3; k++) {
    at[1][k] = x[3 + k] - x[k];
    at[2][k] = x[6 + k] - x[k];
    at[0][k] = weight * (at[1][k] + at[2][k]);
  }
}

static void plain_pair(const Scene *s, int i, int j, const double *d, Plain *p)
{
  const WaterModel *m = s->model;
  const double q[3] = {-2.0 * m->q_h, m->q_h, m->q_h}, beta = s->options.beta,
               weight = water_site_map(m).along[3][0];
  const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r6 = r2 * r2 * r2, oo = sqrt(r2);
  double at[2][3][3], g[2][3][3] = {0}, slope, real = 0.0;
  charge_sites(s->x + 9 * i, weight, at[0]);
  charge_sites(s->x + 9 * j, weight, at[1]);
  const double share = switched(s, oo, &slope), all = s->options.switch_molecules ? share : 1.0;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double r[3], s2 = 0.0;
      for (int k = 0; k < 3; k++) {
        r[k] = d[k] + at[1][b][k] - at[0][a][k];
        s2 += r[k] * r[k];
      }
      const double l = sqrt(s2), v = UNITS_COULOMB * q[a] * q[b] * erfc(beta * l) / l;
      const double e = UNITS_COULOMB * q[a] * q[b] * 2.0 * beta / sqrt(M_PI) * exp(-beta * beta * s2);
      real += v;
      p->real += fabs(v);
      push(p, g[1][b], g[0][a], all * (v + e) / s2, r);
    }
  hand_back(weight, g[1], p->f + 9 * j);
  hand_back(weight, g[0], p->f + 9 * i);
  double lj = m->a / (r6 * r6) - m->c / r6;
  const double force = (12.0 * m->a / (r6 * r6) - 6.0 * m->c / r6) / r2;
  p->lj += m->a / (r6 * r6) + m->c / r6;
  if (s->options.truncation == EWALD_SHIFT)
    lj -= m->a * pow(s->options.cutoff, -12.0) - m->c * pow(s->options.cutoff, -6.0);
  push(p, p->f + 9 * j, p->f + 9 * i,
       share * force - slope / oo * (s->options.switch_molecules ? lj + real : lj), d);
  p->sums.lj += share * lj;
  p->sums.real += all * real;
}

static void plain(const Scene *s, Plain *p)
{
  *p = (Plain){0};
  for (int i = 0; i < s->n; i++)
    for (int j = i + 1; j < s->n; j++) {
      double d[3], r2 = 0.0;
      for (int k = 0; k < 3; k++) {
        d[k] = s->x[9 * j + k] - s->x[9 * i + k];
        d[k] -= s->length[k] * rint(d[k] / s->length[k]);
        r2 += d[k] * d[k];
      }
      if (r2 < s->options.cutoff * s->options.cutoff)
        plain_pair(s, i, j, d, p);
    }
}

static void check_against(Scene *s, const Plain *p)
{
  Error error = {0};
  ck_assert_int_eq(compute(s, 1, true, &error), STATUS_OK);
  ck_assert_double_le(deviation(9 * s->n, s->f, p->f), 1e-5);
  ck_assert_double_eq_tol(s->sums.lj, p->sums.lj, 1e-6 * p->lj);
  ck_assert_double_eq_tol(s->sums.real, p->sums.real, 1e-6 * p->real);
  ck_assert_double_le(deviation(9, &s->sums.virial[0][0], &p->sums.virial[0][0]), 1e-5);
  double net[3] = {0.0}, before[9 * NMAX];
  for (int k = 0; k < 9 * s->n; k++)
    net[k % 3] += s->f[k];
  for (int k = 0; k < 3; k++)
    ck_assert_double_le(fabs(net[k]), 1e-6 * 40.0 * sqrt(s->n)); /* one unit a pair at random */
  memcpy(before, s->f, sizeof before);
  ck_assert_int_eq(compute(s, 1, false, &error), STATUS_OK);
  ck_assert_mem_eq(before, s->f, 9 * (size_t)s->n * sizeof(double));
}

START_TEST(agrees_with_all_pairs)
{
  static Scene s;
  static Plain p;
  static const EwaldTruncation truncations[] = {EWALD_PLAIN, EWALD_SHIFT, EWALD_SWITCH, EWALD_SWITCH};
  for (int t = 0; t < 4; t++)
    for (int isa = 0; isa < ISA_COUNT; isa++) {
      if (!isa_runs((Isa)isa))
        continue;
      scene_create(&s, _i, (Isa)isa, truncations[t], t == 3);
      for (int i = 0; i < s.n; i++) /* any image of a molecule will do */
        for (int k = 0; k < 9; k++)
          s.x[9 * i + k] += (i % 5 - 2) * s.length[k % 3];
      if (isa == 0)
        plain(&s, &p);
      check_against(&s, &p);
      scene_free(&s);
    }
}
END_TEST

/* Threads, another numbering of the molecules, and a list from before they moved. */
START_TEST(same_bits)
{
  static Scene s, t;
  static double f[9 * NMAX], x[9 * NMAX];
  int order[NMAX];
  for (int isa = 0; isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    Error error = {0};
    scene_create(&s, 1, (Isa)isa, EWALD_PLAIN, false);
    scene_create(&t, 1, (Isa)isa, EWALD_PLAIN, false);
    ck_assert_int_eq(compute(&t, 1, false, &error), STATUS_OK); /* t makes its list here */
    RandomStream stream = random_stream(9, 0, RANDOM_TEST);
    for (int i = 0; i < s.n; i++)
      for (int k = 0; k < 3; k++) {
        const double by = 0.1 * (2.0 * random_uniform(&stream) - 1.0);
        for (int b = 0; b < 3; b++)
          s.x[9 * i + 3 * b + k] += by;
      }
    ck_assert_int_eq(compute(&s, 1, true, &error), STATUS_OK);
    memcpy(f, s.f, sizeof f);
    memcpy(x, s.x, sizeof x);
    const SitesSums sums = s.sums;
    static const int teams[] = {2, 3, 5, THREADS};
    for (size_t k = 0; k < sizeof teams / sizeof *teams; k++) {
      ck_assert_int_eq(compute(&s, teams[k], true, &error), STATUS_OK);
      ck_assert_mem_eq(f, s.f, 9 * (size_t)s.n * sizeof *f);
      ck_assert_mem_eq(&sums, &s.sums, sizeof sums);
    }
    memcpy(t.x, x, sizeof x);
    const int64_t pairs = list_pairs(t.list);
    ck_assert_int_eq(compute(&t, 1, true, &error), STATUS_OK);
    ck_assert(list_pairs(t.list) == pairs && pairs != list_pairs(s.list)); /* it is the old list */
    ck_assert_mem_eq(f, t.f, 9 * (size_t)s.n * sizeof *f);
    ck_assert_mem_eq(&sums, &t.sums, sizeof sums);
    stream = random_stream(8, 0, RANDOM_TEST);
    scenes_order(&stream, s.n, order);
    for (int i = 0; i < s.n; i++)
      memcpy(s.x + 9 * i, x + 9 * order[i], 9 * sizeof *x);
    list_forget(s.list);
    ck_assert_int_eq(compute(&s, 1, true, &error), STATUS_OK);
    int other = 0;
    for (int i = 0; i < s.n; i++)
      other += memcmp(s.f + 9 * i, f + 9 * order[i], 9 * sizeof *f) != 0;
    ck_assert_int_eq(other, 0);
    ck_assert_mem_eq(&sums, &s.sums, sizeof sums);
    scene_free(&s);
    scene_free(&t);
  }
}
END_TEST

/* Puts molecule i so that its oxygen is `r` from that of molecule j, opposite to the hydrogens of j. */
static void push_together(Scene *s, int i, int j, double r)
{
  double out[3], norm = 0.0;
  for (int k = 0; k < 3; k++) {
    out[k] = 2.0 * s->x[9 * j + k] - s->x[9 * j + 3 + k] - s->x[9 * j + 6 + k];
    norm += out[k] * out[k];
  }
  for (int b = 2; b >= 0; b--)
    for (int k = 0; k < 3; k++) {
      const double h =
          b > 0 ? s->x[9 * j + k] - s->x[9 * j + 3 * b + k] : 0.0; /* mirrored: hydrogens point away */
      s->x[9 * i + 3 * b + k] = s->x[9 * j + k] + r * out[k] / sqrt(norm) + h;
    }
}

START_TEST(guards)
{
  static Scene s;
  static double x[9 * NMAX];
  for (int isa = 0; isa < ISA_COUNT; isa++)
    if (isa_runs((Isa)isa)) {
      Error error = {0};
      scene_create(&s, 0, (Isa)isa, EWALD_PLAIN, false);
      memcpy(x, s.x, sizeof x);
      /* oxygens */
      push_together(&s, 17, 200, 1.9);
      ck_assert_int_eq(compute(&s, 2, true, &error), STATUS_RUN);
      ck_assert_ptr_nonnull(strstr(error.text, "O of tip3p and O of tip3p are 1.9 A"));
      ck_assert(strstr(error.text, "molecules 18 and 201") != NULL ||
                strstr(error.text, "molecules 201 and 18") != NULL);
      /* hydrogens alone */
      memcpy(s.x, x, sizeof x);
      for (int k = 0; k < 3; k++)
        s.x[9 * 5 + k] = s.x[9 * 6 + k] + (k == 0 ? 2.9 : 0.0);
      for (int b = 1; b < 3; b++)
        for (int k = 0; k < 3; k++) {
          s.x[9 * 6 + 3 * b + k] = s.x[9 * 6 + k] + (k == 0 ? 1.06 : 0.01 * b);
          s.x[9 * 5 + 3 * b + k] = s.x[9 * 5 + k] - (k == 0 ? 1.06 : -0.01 * b);
        }
      /* 0.8 A apart are allowed at this cutoff; these are less */
      ck_assert_int_eq(compute(&s, 1, false, &error), STATUS_RUN);
      ck_assert_ptr_nonnull(strstr(error.text, "overlap: H"));
      memcpy(s.x, x, sizeof x);
      s.x[9 * 33 + 4] += 3.0;
      ck_assert_int_eq(compute(&s, 2, false, &error), STATUS_RUN);
      ck_assert_ptr_nonnull(strstr(error.text, "a bond of molecule 34 "));
      memcpy(s.x, x, sizeof x);
      s.x[9 * 33 + 8] = NAN;
      ck_assert_int_eq(compute(&s, 2, false, &error), STATUS_RUN);
      ck_assert_ptr_nonnull(strstr(error.text, "the H2 of molecule 34 "));
      memcpy(s.x, x, sizeof x);
      s.x[9 * 33 + 1] = INFINITY;
      ck_assert_int_eq(compute(&s, 2, false, &error), STATUS_RUN);
      ck_assert_ptr_nonnull(strstr(error.text, "the O of molecule 34 "));
      /* and it goes on with sound positions */
      memcpy(s.x, x, sizeof x);
      ck_assert_int_eq(compute(&s, 2, false, &error), STATUS_OK);
      scene_free(&s);
    }
}
END_TEST

/* As near as the guard lets oxygens come, from three sides: the sums hold. */
START_TEST(sums_do_not_overflow)
{
  static Scene s;
  static Plain p;
  Error error = {0};
  scene_create(&s, 0, isa_best(), EWALD_PLAIN, false);
  const double r = 2.12, step = 2.95; /* no pair at the cutoff */
  for (int i = 0; i < s.n; i++)       /* hydrogens along z, oxygens on a lattice */
    for (int k = 0; k < 3; k++) {
      const double at = (k == 0 ? i % 7 : (k == 1 ? i / 7 % 7 : i / 49)) * step;
      for (int b = 0; b < 3; b++)
        s.x[9 * i + 3 * b + k] = at + (k == 2 ? 0.9 * (b == 1) - 0.9 * (b == 2) : 0.0);
    }
  const double side = r / step - 1.0; /* neighbours along +x, +y, -y, come nearer */
  for (int b = 0; b < 3; b++) {
    s.x[9 * 1 + 3 * b] += side * step;
    s.x[9 * 7 + 3 * b + 1] += side * step;
    s.x[9 * 42 + 3 * b + 1] -= side * step;
  }
  const Status status = compute(&s, 1, false, &error);
  ck_assert_msg(status == STATUS_OK, "%s", error.text);
  plain(&s, &p);
  ck_assert_double_le(deviation(9 * s.n, s.f, p.f), 1e-5);
  scene_free(&s);
}
END_TEST

START_TEST(too_large_for_the_tables)
{
  static Scene s;
  Sites *sites = NULL;
  Error error = {0};
  const Box box = {{90.0, 90.0, 90.0}};
  const MixturePart part = {.water = water_find("tip3p")};
  Mixture mixture;
  scene_create(&s, 0, isa_best(), EWALD_PLAIN, false);
  ck_assert_int_eq(mixture_make(&mixture, &part, s.state, &error), STATUS_OK);
  SitesOptions o = s.options;
  o.cutoff = 40.0;
  ck_assert_int_eq(sites_create(&sites, &mixture, &box, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "too large for the tables"));
  o.cutoff = 9.0;
  o.beta = 0.8;
  ck_assert_int_eq(sites_create(&sites, &mixture, &box, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "too large for the tables"));
  ck_assert_ptr_null(sites);
  scene_free(&s);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("bulk");
  tcase_set_timeout(tc, 120.0);
  tcase_add_loop_test(tc, agrees_with_all_pairs, 0, NBOX);
  tcase_add_test(tc, same_bits);
  tcase_add_test(tc, guards);
  tcase_add_test(tc, sums_do_not_overflow);
  tcase_add_test(tc, too_large_for_the_tables);
  return suite_main("bulk", tc);
}
