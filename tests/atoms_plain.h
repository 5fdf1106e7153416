/* The forces of that box by plain sums over all pairs, for tests. */
#ifndef HOLONOM_TESTS_ATOMS_PLAIN_H
#define HOLONOM_TESTS_ATOMS_PLAIN_H

#include <complex.h>

#include "tests/atoms_box.h"
#include "tests/force_switch.h"

typedef struct PlainSites {
  int n;
  double x[SITES][3], q[SITES], f[SITES][3];
  int type[SITES];  /* -1: no Lennard-Jones                     */
  int first[SITES]; /* site of the water, -1: it is none's      */
  int atom[SITES];  /* its number, of water that of the first   */
  bool hidden[SITES][SITES];
} PlainSites;

static void plain_sites(const AtomsBox *s, PlainSites *p)
{
  static double x[ATOMS][3];
  const SiteMap map = water_site_map(s->model);
  const int water = s->last ? 2 * EACH * LONG + IONS : 0;
  static int site_of[ATOMS];
  topology_get(s->topology, s->state, STATE_POSITIONS, 0, x[0]);
  memset(p, 0, sizeof *p);
  for (int i = 0; i < ATOMS; i++) {
    const bool wet = i >= water && i < water + 3 * WATERS;
    int site, begin;
    const TopologySort *const sort = atoms_type_of(s, i, &site, &begin);
    site_of[i] = p->n;
    if (!wet) {
      memcpy(p->x[p->n], x[i], sizeof x[i]);
      p->q[p->n] = sort->charge[site];
      p->type[p->n] = sort->type[site];
      p->first[p->n] = -1;
      p->atom[p->n++] = i;
    } else if ((i - water) % 3 == 0) {
      const int first = p->n;
      site_map_sites(&map, x[i], p->x[first]);
      for (int k = 0; k < map.nsite; k++, p->n++) {
        p->q[p->n] = map.charge[k];
        p->type[p->n] = k == 0 ? 5 : -1;
        p->first[p->n] = first;
        p->atom[p->n] = i;
      }
    }
  }
  for (int a = 0; a < ATOMS; a++) {
    int site, begin;
    const TopologySort *const sort = atoms_type_of(s, a, &site, &begin);
    for (int k = 0; k < sort->nexcluded && site == 0; k++) {
      const int i = site_of[begin + sort->excluded[k][0]], j = site_of[begin + sort->excluded[k][1]];
      p->hidden[i][j] = p->hidden[j][i] = true;
    }
  }
}

/* To atoms in the order of molecules. */
static void plain_forces(const AtomsBox *s, const PlainSites *p, double (*f)[3])
{
  const SiteMap map = water_site_map(s->model);
  memset(f, 0, ATOMS * sizeof *f);
  for (int i = 0; i < p->n; i++)
    if (p->first[i] < 0)
      memcpy(f[p->atom[i]], p->f[i], sizeof p->f[i]);
    else if (p->first[i] == i)
      site_map_forces(&map, p->x[i], p->f[i], f[p->atom[i]]);
}

static void plain_push(PlainSites *p, double virial[3][3], int i, int j, double factor, const double r[3])
{
  for (int a = 0; a < 3; a++) {
    p->f[i][a] += factor * r[a];
    p->f[j][a] -= factor * r[a];
    for (int b = 0; b < 3; b++)
      virial[a][b] += factor * r[a] * r[b];
  }
}

/* V of Lennard-Jones and -V'/r. */
static double plain_lj(const PeriodicOptions *o, const double lj[2], double r, double *factor)
{
  const double v = lj[0] / pow(r, 12.0) - lj[1] / pow(r, 6.0),
               slope = -12.0 * lj[0] / pow(r, 13.0) + 6.0 * lj[1] / pow(r, 7.0), rc = o->nonbonded.cutoff,
               w = o->nonbonded.switch_width;
  *factor = -slope / r;
  if (o->nonbonded.truncation == TRUNCATION_SHIFT)
    return v - (lj[0] / pow(rc, 12.0) - lj[1] / pow(rc, 6.0));
  if (o->nonbonded.truncation == TRUNCATION_FORCE_SWITCH)
    return force_switch_lj(lj, rc - w, rc, r, factor);
  if (o->nonbonded.truncation != TRUNCATION_SWITCH || r < rc - w)
    return v;
  const double t = (r - rc + w) / w, part = 1.0 - 10.0 * pow(t, 3.0) + 15.0 * pow(t, 4.0) - 6.0 * pow(t, 5.0);
  const double bent = -30.0 * t * t * (1.0 - t) * (1.0 - t) / w;
  *factor = -(slope * part + v * bent) / r;
  return v * part;
}

/* All pairs within cutoffs; Coulomb without a mesh. Returns the energy. */
static inline double plain_pairs(const AtomsBox *s, const PeriodicOptions *o, double (*f)[3],
                                 double virial[3][3])
{
  static PlainSites p;
  const bool field = o->nonbonded.coulomb == COULOMB_REACTION_FIELD;
  const double rc = o->nonbonded.cutoff, e = o->nonbonded.permittivity,
               k = field ? (isinf(e) ? 0.5 : (e - 1.0) / (2.0 * e + 1.0)) / (rc * rc * rc) : 0.0,
               c = field ? 1.0 / rc + k * rc * rc : 0.0;
  double energy = 0.0;
  plain_sites(s, &p);
  memset(virial, 0, 9 * sizeof(double));
  for (int i = 0; i < p.n; i++)
    energy -= 0.5 * UNITS_COULOMB * p.q[i] * p.q[i] * c;
  for (int i = 0; i < p.n; i++)
    for (int j = 0; j < i; j++) {
      const bool wet = p.first[i] >= 0 && p.first[j] >= 0, same = wet && p.first[i] == p.first[j];
      const double qq = UNITS_COULOMB * p.q[i] * p.q[j];
      double r[3], r2 = box_distance(&s->state->box, p.x[i], p.x[j], r), by = r2, factor = 0.0;
      if (wet && !same && !o->nonbonded.by_atom) { /* whole waters by their first sites */
        by = box_distance(&s->state->box, p.x[p.first[i]], p.x[p.first[j]], r);
        r2 = 0.0;
        for (int d = 0; d < 3; d++) {
          r[d] += (p.x[i][d] - p.x[p.first[i]][d]) - (p.x[j][d] - p.x[p.first[j]][d]);
          r2 += r[d] * r[d];
        }
      }
      if (by >= rc * rc)
        continue;
      if (!same && !p.hidden[i][j]) {
        energy += qq / sqrt(r2);
        factor += qq / (r2 * sqrt(r2));
      }
      energy += qq * (k * r2 - c);
      factor -= 2.0 * qq * k;
      if (!same && !p.hidden[i][j] && p.type[i] >= 0 && p.type[j] >= 0 && r2 < rc * rc) {
        double own;
        energy += plain_lj(o, s->lj[p.type[i] * TYPES + p.type[j]], sqrt(r2), &own);
        factor += own;
      }
      plain_push(&p, virial, i, j, factor, r);
    }
  plain_forces(s, &p, f);
  const SiteMap map = water_site_map(s->model);
  for (int i = 0; i < p.n; i++)
    if (p.first[i] == i) /* of sites, to that of atoms */
      site_map_virial(&map, p.x[i], (const double *)p.f[i], virial);
  return energy;
}

/* Lennard-Jones within the cutoff, and charges by a converged Ewald sum with a splitting of its own over many
 * images. Returns the energy. */
static inline double plain_ewald(const AtomsBox *s, const PeriodicOptions *o, double (*f)[3])
{
  static PlainSites p;
  enum { WAVES = 12 };
  const Box *box = &s->state->box;
  const double alpha = 0.25, volume = box_volume(box);
  double energy = 0.0, none[3][3];
  plain_sites(s, &p);
  for (int i = 0; i < p.n; i++)
    energy -= UNITS_COULOMB * alpha / sqrt(M_PI) * p.q[i] * p.q[i];
  for (int i = 0; i < p.n; i++)
    for (int j = 0; j < i; j++) {
      const bool out = p.hidden[i][j] || (p.first[i] >= 0 && p.first[i] == p.first[j]);
      const double qq = UNITS_COULOMB * p.q[i] * p.q[j];
      double r[3], near = box_distance(box, p.x[i], p.x[j], r), own;
      for (int n = 0; n < 27; n++) {
        double u[3], square = 0.0;
        for (int d = 0; d < 3; d++) {
          u[d] =
              r[d] + (n % 3 - 1) * box->h[0][d] + (n / 3 % 3 - 1) * box->h[1][d] + (n / 9 - 1) * box->h[2][d];
          square += u[d] * u[d];
        }
        const double l = sqrt(square), erf_part = out && n == 13 ? -1.0 : 0.0,
                     v = (erfc(alpha * l) + erf_part) / l;
        energy += qq * v;
        plain_push(&p, none, i, j,
                   qq * (v + 2.0 * alpha / sqrt(M_PI) * exp(-alpha * alpha * square)) / square, u);
      }
      if (!out && p.type[i] >= 0 && p.type[j] >= 0 && near < o->nonbonded.cutoff * o->nonbonded.cutoff) {
        energy += plain_lj(o, s->lj[p.type[i] * TYPES + p.type[j]], sqrt(near), &own);
        plain_push(&p, none, i, j, own, r);
      }
    }
  for (int n = 0; n < (2 * WAVES + 1) * (2 * WAVES + 1) * (WAVES + 1); n++) {
    const int m[3] = {n % (2 * WAVES + 1) - WAVES, n / (2 * WAVES + 1) % (2 * WAVES + 1) - WAVES,
                      n / (2 * WAVES + 1) / (2 * WAVES + 1)};
    if (m[2] == 0 && (m[1] < 0 || (m[1] == 0 && m[0] <= 0)))
      continue;
    double k[3], k2 = 0.0;
    for (int d = 0; d < 3; d++) {
      k[d] = 2.0 * M_PI * (box->inverse[d][0] * m[0] + box->inverse[d][1] * m[1] + box->inverse[d][2] * m[2]);
      k2 += k[d] * k[d];
    }
    if (k2 > 150.0 * alpha * alpha)
      continue;
    double complex sum = 0.0;
    static double complex phase[SITES];
    for (int i = 0; i < p.n; i++)
      sum += p.q[i] * (phase[i] = cexp(I * (k[0] * p.x[i][0] + k[1] * p.x[i][1] + k[2] * p.x[i][2])));
    const double weight = 4.0 * M_PI * UNITS_COULOMB / volume * exp(-k2 / (4.0 * alpha * alpha)) / k2;
    energy += weight * creal(sum * conj(sum));
    for (int i = 0; i < p.n; i++)
      for (int d = 0; d < 3; d++)
        p.f[i][d] += 2.0 * weight * p.q[i] * k[d] * cimag(phase[i] * conj(sum));
  }
  plain_forces(s, &p, f);
  return energy;
}

#endif
