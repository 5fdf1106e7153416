/* Corrections of energy and virial for cutoffs, with uniform density (g = 1) and random orientations in the
 * omitted range. */
#include "forcefields/ewald.h"

#include "engine/units.h"

/* A pair potential V(r), averaged over orientations. */
typedef struct Pair {
  double (*energy)(const struct Pair *pair, double r);
  double beyond; /* integral of r^2 V from the cutoff on, plus the part that a force switch removes before */
  double arm;    /* at the cutoff, the mean of V times the component along r of the vector between the centres
                    that scale with the box; r V(r) if the cutoff is on their distance */
  int power;     /* of r^-power */
  double beta;
  const ParticlesBlock *kind[2]; /* of the real part, rotating freely */
} Pair;

static double simpson(int i, int parts) { return i == 0 || i == parts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0; }

/* Integral of r^2 (1 - S) V over the range of the switching function S, by Simpson's rule: the polynomial
 * integrated term by term over powers of r cancels to few digits. */
static double switched(const Pair *pair, const LjCut *cut)
{
  enum { PARTS = 1000 };
  const double width = cut->cutoff - cut->from;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double t = (double)i / PARTS, r = cut->from + width * t;
    sum += simpson(i, PARTS) * (1.0 - lj_switch_factor(t)) * r * r * pair->energy(pair, r);
  }
  return sum * width / (3.0 * PARTS);
}

/* Integrals over all r of the missing part D: *energy of r^2 D, *virial of -r^3 dD/dr, with the vector
 * between centres for r. Omits the jump of a plain cutoff, which exerts no force. */
static void missing(const Pair *pair, const LjCut *cut, double *energy, double *virial)
{
  const double rc = cut->cutoff;
  *energy = pair->beyond;
  if (cut->truncation == TRUNCATION_SHIFT)
    *energy += rc * rc * rc / 3.0 * pair->energy(pair, rc);
  if (cut->truncation == TRUNCATION_SWITCH)
    *energy += switched(pair, cut);
  /* by parts */
  *virial = 3.0 * *energy + (cut->truncation == TRUNCATION_PLAIN ? rc * rc * pair->arm : 0.0);
}

/* --- Lennard-Jones -------------------------------------------------------------------------------------- */

/* Integral of r^2 times the part of r^-n that a force switch removes before the cutoff. */
static double bent(const LjCut *cut, int n)
{
  const LjBend bend = nonbonded_bend(cut, n);
  const double rc = cut->cutoff, rs = cut->from, w = rc - rs, d[2] = {bend.a / 3.0, bend.b / 4.0};
  double sum = bend.shift * rc * rc * rc / 3.0;
  for (int k = 3; k <= 4; k++)
    sum += d[k - 3] * pow(w, k + 1) * (rs * rs / (k + 1) + 2.0 * rs * w / (k + 2) + w * w / (k + 3));
  return sum;
}

static double power_energy(const Pair *pair, double r) { return pow(r, -pair->power); }

static void missing_power(int n, const LjCut *cut, double *energy, double *virial)
{
  const double rc = cut->cutoff;
  const Pair pair = {.energy = power_energy,
                     .power = n,
                     .beyond = pow(rc, 3 - n) / (n - 3) + bent(cut, n),
                     .arm = pow(rc, 1 - n)};
  missing(&pair, cut, energy, virial);
}

void ewald_tail_lj(const Particles *p, const Box *box, const LjCut *cut, double tail[2])
{
  const Atoms *const types = p->atoms;
  const int ntype = types != NULL ? types->ntype : p->nblock;
  double twelve[2], six[2];
  tail[0] = tail[1] = 0.0;
  if (cut->cutoff == 0.0)
    return;
  missing_power(12, cut, &twelve[0], &twelve[1]);
  missing_power(6, cut, &six[0], &six[1]);
  for (int a = 0; a < ntype; a++)
    for (int b = 0; b < ntype; b++) {
      const double *v = types != NULL ? types->lj[a * ntype + b] : p->kind[a].map.lj;
      const double pairs = types != NULL ? 2.0 * M_PI * types->number[a] * types->number[b] / box_volume(box)
                                         : 2.0 * M_PI * p->kind[a].nmol * p->kind[b].nmol / box_volume(box);
      tail[0] += pairs * (v[0] * twelve[0] - v[1] * six[0]);
      tail[1] += pairs / 3.0 * (v[0] * twelve[1] - v[1] * six[1]);
    }
}

/* --- the real part between molecules -------------------------------------------------------------------- */

/* Mean of w(u) f over the directions of a sphere, u the cosine with an axis, by Gauss-Legendre quadrature: f
 * is erfc(beta r)/r at the distance r from a point on that axis, `distance` from the centre. */
typedef struct Sphere {
  double u, weight;
} Sphere;
enum { NODES = 8 };
static const Sphere sphere[NODES] = {
    {-0.96028985649753623, 0.05061426814518813}, {-0.79666647741362674, 0.11119051722668724},
    {-0.52553240991632899, 0.15685332293894364}, {-0.18343464249564980, 0.18134189168918099},
    {0.18343464249564980, 0.18134189168918099},  {0.52553240991632899, 0.15685332293894364},
    {0.79666647741362674, 0.11119051722668724},  {0.96028985649753623, 0.05061426814518813}};

static double across(double distance, double radius, double u)
{
  return sqrt(distance * distance + radius * radius + 2.0 * distance * radius * u);
}

static double one_sphere(double beta, double distance, double radius)
{
  double sum = 0.0;
  for (int k = 0; k < NODES; k++) {
    const double r = across(distance, radius, sphere[k].u);
    sum += sphere[k].weight * erfc(beta * r) / r;
  }
  return sum;
}

/* For two sites at a and b from their molecules' centres; `by`: weighted with that power of the second's u,
 * which points away from the first. */
static double two_spheres(double beta, double distance, double a, double b, int by)
{
  double sum = 0.0;
  for (int k = 0; k < NODES; k++)
    sum += sphere[k].weight * (by == 1 ? sphere[k].u : 1.0) *
           one_sphere(beta, across(distance, b, sphere[k].u), a);
  return sum;
}

/* Mean energy of two molecules with first sites r apart. */
static double whole_energy(const Pair *pair, double r)
{
  const SiteMap *a = &pair->kind[0]->map, *b = &pair->kind[1]->map;
  double sum = 0.0;
  for (int i = 0; i < a->nsite; i++)
    for (int j = 0; j < b->nsite; j++)
      sum += a->charge[i] * b->charge[j] * two_spheres(pair->beta, r, a->bond[i], b->bond[j], 0);
  return UNITS_COULOMB * sum;
}

static double whole_arm(const Pair *pair, double r)
{
  double sum = 0.0;
  for (int k = 0; k < 2; k++) {
    const SiteMap *a = &pair->kind[k]->map, *b = &pair->kind[1 - k]->map;
    const double *const arm = pair->kind[1 - k]->arm;
    for (int i = 0; i < a->nsite; i++)
      for (int j = 0; j < b->nsite; j++)
        if (arm[j] != 0.0)
          sum += a->charge[i] * b->charge[j] * arm[j] * two_spheres(pair->beta, r, a->bond[i], b->bond[j], 1);
  }
  return r * whole_energy(pair, r) + UNITS_COULOMB * sum;
}

static double reach(const SiteMap *map)
{
  double most = 0.0;
  for (int i = 0; i < map->nsite; i++)
    most = fmax(most, map->bond[i]);
  return most;
}

/* By Simpson's rule, up to where erfc is below rounding. */
static double whole_beyond(const Pair *pair, double cutoff)
{
  enum { PARTS = 200 };
  const double width = reach(&pair->kind[0]->map) + reach(&pair->kind[1]->map) + 6.0 / pair->beta;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double r = cutoff + width * i / PARTS;
    sum += simpson(i, PARTS) * r * r * pair->energy(pair, r);
  }
  return sum * width / (3.0 * PARTS);
}

void ewald_tail_real(const Particles *p, const Box *box, double beta, const LjCut *cut, double tail[2])
{
  tail[0] = tail[1] = 0.0;
  for (int a = 0; a < p->nblock; a++)
    for (int b = 0; b <= a && !atoms_are(p->atoms, a); b++) {
      if (atoms_are(p->atoms, b))
        continue; /* cut by atom */
      Pair pair = {.energy = whole_energy, .beta = beta, .kind = {&p->kind[a], &p->kind[b]}};
      double energy, virial;
      pair.beyond = whole_beyond(&pair, cut->cutoff);
      pair.arm = whole_arm(&pair, cut->cutoff);
      missing(&pair, cut, &energy, &virial);
      const double pairs = (a == b ? 2.0 : 4.0) * M_PI * p->kind[a].nmol * p->kind[b].nmol / box_volume(box);
      tail[0] += pairs * energy;
      tail[1] += pairs / 3.0 * virial;
    }
}
