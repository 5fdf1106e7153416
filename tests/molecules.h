/* Kinds and packs for the tests of the bonds: triangles of all sorts, and kinds that are none. */
#ifndef HOLONOM_TESTS_MOLECULES_H
#define HOLONOM_TESTS_MOLECULES_H

#include "engine/state.h"
#include "tests/suite.h"

enum { SITES = 4, COORDINATES = 12, CONSTRAINTS = 4 };

#define D_OH 0.9572
#define D_HH 1.5139006545273224 /* 2 d sin(104.52 / 2 degrees) */

static const char *const letter[SITES] = {"A", "B", "C", "D"};
#define BOND(i, j, d)                                                                                        \
  {                                                                                                          \
    &constraint_distance, 2, {i, j}, { d }                                                                   \
  }

/* Water with the oxygen first, second and third: what SETTLE takes. */
static const double mass_ohh[3] = {15.9994, 1.008, 1.008}, mass_hoh[3] = {1.008, 15.9994, 1.008},
                    mass_hho[3] = {1.008, 1.008, 15.9994};
static const Constraint con_ohh[3] = {BOND(0, 1, D_OH), BOND(0, 2, D_OH), BOND(1, 2, D_HH)};
static const Constraint con_hoh[3] = {BOND(0, 1, D_OH), BOND(0, 2, D_HH), BOND(1, 2, D_OH)};
static const Constraint con_hho[3] = {BOND(0, 1, D_HH), BOND(0, 2, D_OH), BOND(1, 2, D_OH)};
#define HEIGHT 0.585882276618295 /* d cos(104.52 / 2 degrees) */
static const double ref_ohh[9] = {0, 0, 0, D_HH / 2, HEIGHT, 0, -D_HH / 2, HEIGHT, 0};
static const double ref_hoh[9] = {D_HH / 2, HEIGHT, 0, 0, 0, 0, -D_HH / 2, HEIGHT, 0};
static const double ref_hho[9] = {D_HH / 2, HEIGHT, 0, -D_HH / 2, HEIGHT, 0, 0, 0, 0};
/* The same water with its constraints in another order: it goes the general route. */
static const Constraint con_plain[3] = {BOND(1, 2, D_HH), BOND(0, 2, D_OH), BOND(0, 1, D_OH)};
/* A triangle with nothing equal: 3, 4, 5 over 3. */
static const double mass_scalene[3] = {12.0, 1.0, 16.0};
static const Constraint con_scalene[3] = {BOND(0, 1, 1.0), BOND(0, 2, 4.0 / 3.0), BOND(1, 2, 5.0 / 3.0)};
static const double ref_scalene[9] = {0, 0, 0, 1, 0, 0, 0, 4.0 / 3.0, 0};
/* A double pendulum, and a chain of four hung at a point, in the plane. */
static const double mass_chain[4] = {1.0, 2.0, 0.5, 1.5};
static const Constraint con_chain[4] = {
    {&constraint_anchor, 1, {0}, {1.0, 0.5, 0.25}, NULL}, BOND(0, 1, 1.5), BOND(1, 2, 0.7), BOND(2, 3, 1.1)};
static const double ref_chain[8] = {1.5, 0.25, 3.0, 0.25, 3.0, -0.45, 4.1, -0.45};
/* Three in a line with nothing equal, the last on that of the others. */
static const double mass_straight[3] = {14.0, 1.0, 12.0};
#define STRAIGHT(axis)                                                                                       \
  {                                                                                                          \
    &constraint_straight, 3, {2, 0, 1}, { 2.0, 0.6, axis }                                                   \
  }
static const Constraint con_straight[4] = {BOND(0, 1, 2.0), STRAIGHT(0), STRAIGHT(1), STRAIGHT(2)};
static const double ref_straight[9] = {0, 0, 0, 1.2, 1.6, 0, 0.72, 0.96, 0};

static const Kind kinds[] = {
    {"ohh", 3, 3, 3, mass_ohh, letter, con_ohh, ref_ohh},
    {"hoh", 3, 3, 3, mass_hoh, letter, con_hoh, ref_hoh},
    {"hho", 3, 3, 3, mass_hho, letter, con_hho, ref_hho},
    {"plain", 3, 3, 3, mass_ohh, letter, con_plain, ref_ohh},
    {"scalene", 3, 3, 3, mass_scalene, letter, con_scalene, ref_scalene},
    {"pendulum", 2, 2, 2, mass_chain, letter, con_chain, ref_chain},
    {"chain", 4, 2, 4, mass_chain, letter, con_chain, ref_chain},
    {"straight", 3, 3, 4, mass_straight, letter, con_straight, ref_straight},
};
enum {
  KIND_OHH,
  KIND_HOH,
  KIND_HHO,
  KIND_PLAIN,
  KIND_SCALENE,
  KIND_PENDULUM,
  KIND_CHAIN,
  KIND_STRAIGHT,
  KINDS
};

/* A pack and what is behind it. */
typedef struct Molecules {
  Vec8 q[COORDINATES], p[COORDINATES], f[COORDINATES], heat, active, scratch[512];
} Molecules;

__attribute__((unused)) static Pack molecules_pack(const Kind *kind, Molecules *m)
{
  return (Pack){.kind = kind,
                .q = m->q,
                .p = m->p,
                .f = m->f,
                .heat = &m->heat,
                .active = &m->active,
                .scratch = m->scratch};
}

__attribute__((unused)) static int coordinates(const Kind *kind) { return kind->nsite * kind->dim; }

__attribute__((unused)) static double uniform(void) { return 2.0 * drand48() - 1.0; }

/* A random rotation about a random axis (in the plane: about its normal). */
static void random_rotation(int dim, double r[3][3])
{
  double axis[3] = {0, 0, 1}, norm = 0;
  if (dim == 3)
    do {
      norm = 0;
      for (int d = 0; d < 3; d++) {
        axis[d] = uniform();
        norm += axis[d] * axis[d];
      }
    } while (norm > 1 || norm < 0.01);
  norm = dim == 3 ? sqrt(norm) : 1;
  const double angle = M_PI * uniform(), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double cross = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -1 : 1) * axis[(3 - i - j) % 3] / norm;
      r[i][j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j] / (norm * norm) + s * cross;
    }
}

/* On the manifold: the reference turned and moved; an anchored one bent at its joints instead. Momenta
 * (velocities up to `speed`) and forces at random. */
__attribute__((unused)) static void molecules_random(const Kind *kind, double far, double speed, Molecules *m)
{
  const int dim = kind->dim, n = coordinates(kind);
  const int anchored = kind->con[0].type == &constraint_anchor;
  m->active = vec8_set(1.0);
  m->heat = vec8_set(0.0);
  for (int l = 0; l < LANES; l++) {
    double r[3][3], shift[3], x[COORDINATES];
    memcpy(x, kind->reference, (size_t)n * sizeof(double));
    for (int joint = 0; joint < (anchored ? kind->nsite : 1); joint++) {
      random_rotation(dim, r);
      double from[3] = {0}, y[COORDINATES];
      for (int d = 0; d < dim; d++) {
        shift[d] = anchored ? 0 : far * uniform();
        if (anchored)
          from[d] = joint == 0 ? kind->con[0].param[1 + d] : x[(joint - 1) * dim + d];
      }
      memcpy(y, x, sizeof y);
      for (int s = joint; s < kind->nsite; s++)
        for (int d = 0; d < dim; d++) {
          y[s * dim + d] = from[d] + shift[d];
          for (int e = 0; e < dim; e++)
            y[s * dim + d] += r[d][e] * (x[s * dim + e] - from[e]);
        }
      memcpy(x, y, sizeof x);
    }
    for (int i = 0; i < n; i++) {
      m->q[i][l] = x[i];
      m->p[i][l] = speed * kind->mass[i / dim] * uniform();
      m->f[i][l] = 10.0 * uniform();
    }
  }
}

/* b = J diag(1/m) x and x = J' mu by the constraints' own functions, in the order of the constraints. */
__attribute__((unused)) static void molecules_gradient(const Kind *kind, const Vec8 *q,
                                                       Vec8 j[CONSTRAINTS][COORDINATES])
{
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 g, grad[CONSTRAINT_SITES * 3];
    con->type->eval(con, kind->dim, q, &g, grad);
    for (int i = 0; i < COORDINATES; i++)
      j[c][i] = vec8_set(0.0);
    for (int k = 0; k < con->nsite; k++)
      for (int d = 0; d < kind->dim; d++)
        j[c][con->site[k] * kind->dim + d] = grad[k * kind->dim + d];
  }
}

__attribute__((unused)) static double largest(Vec8 x)
{
  double most = 0.0;
  for (int l = 0; l < LANES; l++)
    most = fmax(most, x[l] == x[l] ? fabs(x[l]) : INFINITY);
  return most;
}

/* Runs `work` on a pack as it is, with its lanes turned by three, and with every lane but one replaced by
 * wild ones: the bits of q, p and f of a lane must not change. */
__attribute__((unused)) static void check_lanes_independent(const Kind *kind, const Molecules *start,
                                                            void (*work)(void *context, Pack *pack),
                                                            void *context)
{
  Molecules plain = *start, turned = *start;
  Vec8 *const from[3] = {plain.q, plain.p, plain.f}, *const to[3] = {turned.q, turned.p, turned.f};
  const int n = coordinates(kind);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      for (int l = 0; l < LANES; l++)
        to[k][i][l] = from[k][i][(l + 3) % LANES];
  Pack pack = molecules_pack(kind, &plain), other = molecules_pack(kind, &turned);
  work(context, &pack);
  work(context, &other);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      for (int l = 0; l < LANES; l++)
        ck_assert_int_eq(((Vec8Mask)to[k][i])[l], ((Vec8Mask)from[k][i])[(l + 3) % LANES]);
  for (int keep = 0; keep < LANES; keep++) {
    turned = *start;
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < n; i++)
        for (int l = 0; l < LANES; l++)
          if (l != keep)
            to[k][i][l] = 30.0 * uniform();
    work(context, &other);
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < n; i++)
        ck_assert_int_eq(((Vec8Mask)to[k][i])[keep], ((Vec8Mask)from[k][i])[keep]);
  }
}

#endif
