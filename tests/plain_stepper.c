#include "tests/plain_stepper.h"

#include <Random123/philox.h>
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plain_maps.h"
#include "thermostat/rescale.h"

#if defined(HOLONOM_ENGINE_VEC8_H) || defined(HOLONOM_ENGINE_KIND_H) || defined(HOLONOM_ENGINE_STATE_H)
#error "the plain stepper is built from descriptions alone"
#endif

enum { MOTIONS = 6 };

struct PlainStepper {
  const Scheme *scheme;
  const ForceDescription *force;
  int nforce;
  NoiseDescription noise;
  int n, nmolecule;
  PlainMolecule *molecule;
  double *q, *p, *f, *slow; /* [n] */
  int64_t step;
  double heat;
};

/* --- molecules ------------------------------------------------------------------------------------------ */

static const SchemeKind *kind_of(const PlainStepper *s, const PlainMolecule *m)
{
  return &s->scheme->kind[m->block];
}

/* p += W J' mu, so that J M^-1 p = 0, J of the first n constraints; W = NULL: 1. */
static void project(const PlainStepper *s, const PlainMolecule *m, int n, const double *weight, double *p)
{
  double g[PLAIN_MOST], jacobian[PLAIN_MOST][PLAIN_MOST], gram[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS],
      mu[PLAIN_MOST];
  const int size = plain_size_of(m), dim = m->kind->dim;
  plain_constraints(m, n, s->q + m->first, g, jacobian);
  for (int c = 0; c < n; c++) {
    mu[c] = 0.0;
    for (int i = 0; i < size; i++)
      mu[c] -= jacobian[c][i] * p[i] / plain_mass_of(m, i);
    for (int k = 0; k < n; k++) {
      gram[c][k] = 0.0;
      for (int i = 0; i < size; i++)
        gram[c][k] +=
            jacobian[c][i] * jacobian[k][i] / plain_mass_of(m, i) * (weight != NULL ? weight[i / dim] : 1.0);
    }
  }
  plain_solve(n, gram, mu);
  for (int c = 0; c < n; c++)
    for (int i = 0; i < size; i++)
      p[i] += (weight != NULL ? weight[i / dim] : 1.0) * jacobian[c][i] * mu[c];
}

/* What friction does to a site in the time of an O, as the exponent of its decay. */
static double decay_of(const SchemeNoise *noise, double mass)
{
  const double rate = noise->friction == FRICTION_UNIFORM ? noise->gamma / mass : noise->gamma;
  return isinf(noise->t) ? INFINITY : rate * noise->t;
}

/* W of the projection that follows O (thermostat/ou.h). */
static double weight_of(const SchemeNoise *noise, double mass)
{
  return 1.0 / (1.0 + tanh(0.5 * decay_of(noise, mass)));
}

static void project_onto(const PlainStepper *s, const PlainMolecule *m, const SchemeNoise *noise, double *p)
{
  double weight[PLAIN_MOST];
  for (int site = 0; site < m->kind->nsite; site++)
    weight[site] = weight_of(noise, m->kind->mass[site]);
  if (noise->onto != SPACE_FREE)
    project(s, m, noise->onto == SPACE_ALL ? m->kind->nconstraint : kind_of(s, m)->kept, weight, p);
}

/* --- acceleration maps ---------------------------------------------------------------------------------- */

static const SchemeMap *map_of(const SchemeKind *kind, int map)
{
  return &kind->map[map < kind->nmap ? map : 0];
}

static void accelerate(const PlainStepper *s, int i, const SchemeMap *map)
{
  const PlainMolecule *m = &s->molecule[i];
  double hess[PLAIN_MOST][PLAIN_MOST] = {{0}};
  for (int k = 0; k < s->nforce && map->block; k++)
    if (s->force[k].block)
      plain_forces_block(&s->force[k], s->nmolecule, s->molecule, i, s->q, hess);
  plain_accelerate(m, map, kind_of(s, m)->kept, s->q + m->first, hess, s->f + m->first);
}

/* --- drifts --------------------------------------------------------------------------------------------- */

/* Along the manifold: nu with g(q + t M^-1 (p + J(q)' nu)) = 0, by Newton's method. */
static void slide(const PlainStepper *s, const PlainMolecule *m, double t)
{
  const int n = kind_of(s, m)->kept, size = plain_size_of(m);
  double g[PLAIN_MOST], old[PLAIN_MOST][PLAIN_MOST], now[PLAIN_MOST][PLAIN_MOST], *q = s->q + m->first,
                                                                                  *p = s->p + m->first;
  double most = INFINITY;
  plain_constraints(m, n, q, g, old);
  for (int i = 0; i < size; i++)
    q[i] += t * p[i] / plain_mass_of(m, i);
  for (int k = 0; k < 50 && most > 1e-14; k++) {
    double a[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS];
    plain_constraints(m, n, q, g, now);
    for (int c = 0; c < n; c++)
      for (int e = 0; e < n; e++) {
        a[c][e] = 0.0;
        for (int i = 0; i < size; i++)
          a[c][e] -= t * now[c][i] * old[e][i] / plain_mass_of(m, i);
      }
    plain_solve(n, a, g);
    most = 0.0;
    for (int i = 0; i < size; i++) {
      double push = 0.0;
      for (int c = 0; c < n; c++)
        push += old[c][i] * g[c];
      p[i] += push;
      q[i] += t * push / plain_mass_of(m, i);
      most = fmax(most, fabs(t * push / plain_mass_of(m, i)));
    }
  }
}

/* --- noise ---------------------------------------------------------------------------------------------- */

static void words_of(const uint32_t key[2], uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t word[4])
{
  const philox4x32_key_t k = {{key[0], key[1]}};
  const philox4x32_ctr_t counter = {{a, b, c, d}};
  const philox4x32_ctr_t out = philox4x32(counter, k);
  memcpy(word, out.v, 4 * sizeof *word);
}

/* The key of a purpose: Philox of replica and purpose by the seed. */
static void key_of(const PlainStepper *s, uint32_t purpose, uint32_t key[2])
{
  const uint32_t seed[2] = {(uint32_t)s->noise.seed, (uint32_t)(s->noise.seed >> 32)};
  uint32_t word[4];
  words_of(seed, s->noise.replica, purpose, 0, 0, word);
  memcpy(key, word, 2 * sizeof *key);
}

/* Box and Muller: component i of molecule m, which is lane `index` of the replica. */
static double normal(const PlainStepper *s, const uint32_t key[2], int index, uint32_t letter, int i)
{
  const uint32_t number = s->noise.number != NULL ? s->noise.number[index] : (uint32_t)index;
  uint32_t word[4];
  words_of(key, (uint32_t)s->step, (uint32_t)((uint64_t)s->step >> 32), number,
           letter << 16 | (uint32_t)i / 4, word);
  const uint32_t *pair = word + (i % 4 / 2) * 2;
  const double r = sqrt(-2.0 * log((pair[0] + 0.5) * 0x1p-32)), a = 2.0 * M_PI * ((pair[1] + 0.5) * 0x1p-32);
  return r * (i % 2 == 0 ? cos(a) : sin(a));
}

/* p <- c p + s xi, c = exp(-x) and s^2 = m kT (1 - c^2). */
static void draw(const PlainStepper *s, int i, const SchemeNoise *noise, uint32_t purpose, uint32_t letter)
{
  const PlainMolecule *m = &s->molecule[i];
  uint32_t key[2];
  key_of(s, purpose, key);
  for (int k = 0; k < plain_size_of(m); k++) {
    const double mass = plain_mass_of(m, k);
    const double x = decay_of(noise, mass);
    double *p = &s->p[m->first + k];
    *p = exp(-x) * *p + sqrt(-expm1(-2.0 * x) * mass * noise->kT) * normal(s, key, i, letter, k);
  }
}

/* O of a molecule. Where noise is along penalties alone, what is across all constraints decays apart. */
static void noise_step(const PlainStepper *s, int i, uint32_t letter)
{
  const PlainMolecule *m = &s->molecule[i];
  const SchemeNoise *noise = &kind_of(s, m)->noise[letter];
  double across[PLAIN_MOST] = {0}, *p = s->p + m->first;
  if (kind_of(s, m)->split) {
    double decay = 0.0;
    for (int site = 0; site < m->kind->nsite; site++)
      decay += decay_of(noise, m->kind->mass[site]) / m->kind->nsite;
    memcpy(across, p, (size_t)plain_size_of(m) * sizeof *p);
    project(s, m, m->kind->nconstraint, NULL, p);
    for (int k = 0; k < plain_size_of(m); k++)
      across[k] = exp(-decay) * (across[k] - p[k]);
  }
  draw(s, i, noise, s->noise.purpose, letter);
  project_onto(s, m, noise, p);
  for (int k = 0; k < plain_size_of(m); k++)
    p[k] += across[k];
}

static double kinetic(const PlainStepper *s)
{
  double sum = 0.0;
  for (int i = 0; i < s->nmolecule; i++)
    for (int k = 0; k < plain_size_of(&s->molecule[i]); k++) {
      const double p = s->p[s->molecule[i].first + k];
      sum += 0.5 * p * p / plain_mass_of(&s->molecule[i], k);
    }
  return sum;
}

/* --- the motion of the whole ---------------------------------------------------------------------------- */

/* Rigid motion k of a site at x from the centre: a translation or a rotation. */
static void rigid(int k, const double x[3], double v[3])
{
  const int a = k % 3, b = (a + 1) % 3, c = (a + 2) % 3;
  v[a] = k < 3 ? 1.0 : 0.0;
  v[b] = k < 3 ? 0.0 : -x[c];
  v[c] = k < 3 ? 0.0 : x[b];
}

static void centre_of(const PlainStepper *s, double centre[3])
{
  double mass = 0.0;
  memset(centre, 0, 3 * sizeof *centre);
  for (int i = 0; i < s->nmolecule; i++)
    for (int k = 0; k < plain_size_of(&s->molecule[i]); k++) {
      centre[k % 3] += plain_mass_of(&s->molecule[i], k) * s->q[s->molecule[i].first + k];
      mass += plain_mass_of(&s->molecule[i], k) / 3.0;
    }
  for (int d = 0; d < 3; d++)
    centre[d] /= mass;
}

/* motion[k][] = R of motion k; moved[k][] = its momenta, projected in the metric of an O or a draw (letter
 * -1).
 */
static void motions_of(const PlainStepper *s, int n, int letter, double **motion, double **moved)
{
  double centre[3];
  centre_of(s, centre);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < s->nmolecule; i++) {
      const PlainMolecule *m = &s->molecule[i];
      const SchemeKind *kind = kind_of(s, m);
      const SchemeNoise *noise = letter < 0 ? &kind->draw : &kind->noise[letter];
      for (int site = 0; site < m->kind->nsite; site++) {
        double x[3];
        const int at = m->first + 3 * site;
        for (int d = 0; d < 3; d++)
          x[d] = s->q[at + d] - centre[d];
        rigid(k, x, motion[k] + at);
        for (int d = 0; d < 3; d++)
          moved[k][at + d] = weight_of(noise, m->kind->mass[site]) * m->kind->mass[site] * motion[k][at + d];
      }
      project_onto(s, m, noise, moved[k] + m->first);
    }
}

static double product(int n, const double *x, const double *y)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* p += Y nu, (R'Y) nu = -R'p. */
static void remove_motion(const PlainStepper *s, int letter)
{
  const int n = s->scheme->removal == REMOVE_ANGULAR ? MOTIONS : 3;
  double *memory = calloc((size_t)(2 * n * s->n), sizeof *memory), *motion[MOTIONS], *moved[MOTIONS];
  double a[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS], nu[MOTIONS];
  ck_assert_ptr_nonnull(memory);
  for (int k = 0; k < n; k++) {
    motion[k] = memory + k * s->n;
    moved[k] = memory + (n + k) * s->n;
  }
  motions_of(s, n, letter, motion, moved);
  for (int k = 0; k < n; k++) {
    nu[k] = -product(s->n, motion[k], s->p);
    for (int l = 0; l < n; l++)
      a[k][l] = product(s->n, motion[k], moved[l]);
  }
  plain_solve(n, a, nu);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < s->n; i++)
      s->p[i] += nu[k] * moved[k][i];
  free(memory);
}

/* Constraints whose motions have no temperature. */
static int bound_of(const SchemeKind *kind) { return kind->split ? kind->kind.nconstraint : kind->kept; }

/* All momenta times one number. */
static void rescale(const PlainStepper *s, const Op *op)
{
  int freedom = s->scheme->removal == REMOVE_ANGULAR  ? -MOTIONS
                : s->scheme->removal == REMOVE_LINEAR ? -3
                                                      : 0;
  RescaleAddress at = {.step = s->step, .letter = op->letter};
  key_of(s, s->noise.purpose, at.key);
  for (int i = 0; i < s->nmolecule; i++)
    if (!s->molecule[i].kind->frozen)
      freedom += plain_size_of(&s->molecule[i]) - bound_of(kind_of(s, &s->molecule[i]));
  const double by = rescale_factor(kinetic(s), s->scheme->kT, freedom, op->t / s->scheme->rescale_tau, &at);
  for (int i = 0; i < s->n; i++)
    s->p[i] *= by;
}

/* --- running -------------------------------------------------------------------------------------------- */

static void compute(const PlainStepper *s, bool slow)
{
  bool split = false;
  for (int i = 0; i < s->scheme->nop; i++)
    split = split || s->scheme->op[i].code == OP_FORCE_SLOW;
  double *f = slow ? s->slow : s->f;
  memset(f, 0, (size_t)s->n * sizeof *f);
  for (int k = 0; k < s->nforce; k++)
    if (!split || s->force[k].slow == slow)
      plain_forces_add(&s->force[k], s->nmolecule, s->molecule, s->q, f);
}

static void run_op_on(PlainStepper *s, const Op *op, int i)
{
  const PlainMolecule *m = &s->molecule[i];
  const SchemeKind *kind = kind_of(s, m);
  double *p = s->p + m->first;
  switch (op->code) {
  case OP_KICK:
  case OP_KICK_SLOW:
    for (int k = 0; k < plain_size_of(m); k++)
      p[k] += op->t * (op->code == OP_KICK ? s->f : s->slow)[m->first + k];
    break;
  case OP_SLIDE:
    if (kind->solver != NULL) {
      slide(s, m, op->t);
      break;
    }
    plain_drift(m, &(SchemeMap){0}, op->t, p, s->q + m->first);
    break;
  case OP_DRIFT:
    plain_drift(m, map_of(kind, op->map), op->t, p, s->q + m->first);
    break;
  case OP_PROJECT:
    project(s, m, kind->kept, NULL, p);
    break;
  case OP_NOISE:
    noise_step(s, i, op->letter);
    break;
  case OP_ACCEL:
    accelerate(s, i, map_of(kind, op->map));
    break;
  default:
    ck_abort_msg("the plain stepper has no operation %d", (int)op->code);
  }
}

static void run_op(PlainStepper *s, const Op *op)
{
  switch (op->code) {
  case OP_FORCE:
  case OP_FORCE_SLOW:
    compute(s, op->code == OP_FORCE_SLOW);
    break;
  case OP_HEAT:
    s->heat += op->t * kinetic(s);
    break;
  case OP_REMOVE:
    remove_motion(s, (int)op->letter);
    break;
  case OP_RESCALE:
    rescale(s, op);
    break;
  case OP_COUNT:
  case OP_THERMAL:
    break; /* accounts of what is measured */
  default:
    for (int i = 0; i < s->nmolecule; i++)
      if (!s->molecule[i].kind->frozen)
        run_op_on(s, op, i);
  }
}

/* The coefficients of O that a description has beside what they follow from. */
static void check_noise(const KindDescription *kind, const SchemeNoise *noise)
{
  for (int site = 0; site < kind->nsite; site++) {
    const double mass = kind->mass[site], x = decay_of(noise, mass);
    ck_assert_double_eq_tol(noise->decay[site], exp(-x), 1e-14);
    ck_assert_double_eq_tol(noise->amplitude[site], sqrt(-expm1(-2.0 * x) * mass * noise->kT), 1e-14);
    ck_assert_double_eq_tol(noise->weight[site], weight_of(noise, mass), 1e-14);
  }
}

PlainStepper *plain_create(const Scheme *scheme, int nforce, const ForceDescription *force, const int *nlane,
                           const NoiseDescription *noise)
{
  PlainStepper *s = calloc(1, sizeof *s);
  ck_assert_ptr_nonnull(s);
  *s = (PlainStepper){
      .scheme = scheme, .force = force, .nforce = nforce, .noise = *noise, .step = noise->step};
  for (int k = 0; k < scheme->nkind; k++) {
    s->nmolecule += nlane[k];
    for (int i = 0; i < scheme->nnoise; i++)
      check_noise(&scheme->kind[k].kind, &scheme->kind[k].noise[i]);
  }
  s->molecule = calloc((size_t)s->nmolecule, sizeof *s->molecule);
  ck_assert_ptr_nonnull(s->molecule);
  for (int k = 0, i = 0; k < scheme->nkind; k++)
    for (int lane = 0; lane < nlane[k]; lane++, i++) {
      s->molecule[i] = (PlainMolecule){&scheme->kind[k].kind, k, lane, s->n, scheme->kind[k].kept};
      ck_assert_int_le(plain_size_of(&s->molecule[i]), PLAIN_MOST);
      s->n += plain_size_of(&s->molecule[i]);
    }
  s->q = calloc(4 * (size_t)s->n, sizeof *s->q);
  ck_assert_ptr_nonnull(s->q);
  s->p = s->q + s->n;
  s->f = s->p + s->n;
  s->slow = s->f + s->n;
  return s;
}

void plain_free(PlainStepper *s)
{
  free(s->molecule);
  free(s->q);
  free(s);
}

int plain_size(const PlainStepper *s) { return s->n; }

double *plain_positions(PlainStepper *s) { return s->q; }

double *plain_momenta(PlainStepper *s) { return s->p; }

double plain_heat(const PlainStepper *s) { return s->heat; }

void plain_draw(PlainStepper *s)
{
  memset(s->p, 0, (size_t)s->n * sizeof *s->p);
  for (int i = 0; i < s->nmolecule; i++) {
    const SchemeNoise *noise = &kind_of(s, &s->molecule[i])->draw;
    if (s->molecule[i].kind->frozen)
      continue;
    draw(s, i, noise, s->noise.momenta, 0);
    project_onto(s, &s->molecule[i], noise, s->p + s->molecule[i].first);
  }
  if (s->scheme->removal != REMOVE_NONE)
    remove_motion(s, -1);
}

void plain_prepare(PlainStepper *s)
{
  run_op(s, &(Op){.code = OP_FORCE_SLOW});
  run_op(s, &(Op){.code = OP_FORCE});
  run_op(s, &(Op){.code = OP_ACCEL});
}

void plain_run(PlainStepper *s, int n)
{
  for (int k = 0; k < n; k++, s->step++)
    for (int i = 0; i < s->scheme->nop; i++)
      run_op(s, &s->scheme->op[i]);
}
