/* The real part of the Ewald sum, Lennard-Jones, and what is taken out inside molecules. Every molecule goes
 * over all others, so that each force is summed by one thread in one order; each pair is met from both sides
 * and counts half. */
#include <string.h>

#include "engine/units.h"
#include "forcefields/ewald_private.h"

static const double nearest_allowed = 0.5; /* angstrom */

/* One molecule at work. */
typedef struct Work {
  const Ewald *ewald;
  const double *x;
  double (*f)[3];
  EwaldShare *share;
} Work;

/* Half the virial of the force s r on a site at r from another. */
static void add_virial(EwaldShare *share, double s, const double r[3])
{
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      share->virial[a][b] += 0.5 * s * r[a] * r[b];
}

static void push(const Work *work, int site, double s, const double r[3])
{
  for (int d = 0; d < 3; d++)
    work->f[site][d] += s * r[d];
  add_virial(work->share, s, r);
}

/* erfc(a r)/r times C q q: value, and -dV/dr/r. */
static double real_value(double qq, double alpha, double r, double *factor)
{
  const double v = qq * erfc(alpha * r) / r;
  *factor = (v + qq * alpha * M_2_SQRTPI * exp(-alpha * alpha * r * r)) / (r * r);
  return v;
}

static void add_real(const Work *work, int i, int j, double r2, const double r[3])
{
  const Ewald *w = work->ewald;
  const double qq = UNITS_COULOMB * w->charge[i] * w->charge[j];
  if (qq == 0.0)
    return;
  double factor;
  work->share->energy[EWALD_REAL] += 0.5 * real_value(qq, w->options.alpha, sqrt(r2), &factor);
  push(work, i, factor, r);
}

/* The switching function, and its derivative. */
static double switch_value(const EwaldOptions *o, double r, double *slope)
{
  *slope = 0.0;
  if (o->truncation != EWALD_SWITCH || r <= o->lj_switch)
    return 1.0;
  const double width = o->lj_cutoff - o->lj_switch, t = (r - o->lj_switch) / width;
  *slope = -30.0 * t * t * (1.0 - t) * (1.0 - t) / width;
  return ewald_switch(t);
}

/* A/r^12 - C/r^6, shifted if so wanted, and -dV/dr/r. */
static double lj_value(const Ewald *w, int i, int j, double r2, double *factor)
{
  const double *lj = w->lj[w->type[i] * w->ntype + w->type[j]], r6 = 1.0 / (r2 * r2 * r2);
  double v = (lj[0] * r6 - lj[1]) * r6;
  *factor = (12.0 * lj[0] * r6 - 6.0 * lj[1]) * r6 / r2;
  if (w->options.truncation == EWALD_SHIFT) {
    const double c6 = pow(w->options.lj_cutoff, -6.0);
    v -= (lj[0] * c6 - lj[1]) * c6;
  }
  return v;
}

static bool has_lj(const Ewald *w, int i, int j)
{
  const double *lj = w->lj[w->type[i] * w->ntype + w->type[j]];
  return lj[0] != 0.0 || lj[1] != 0.0;
}

static void note_overlap(EwaldShare *share, int partner, double r2)
{
  if (share->partner >= 0 || r2 >= nearest_allowed * nearest_allowed)
    return;
  share->partner = partner;
  share->distance = sqrt(r2);
}

/* --- cutoffs between sites ---------------------------------------------------------------------------------
 */

static void pair_of_sites(const Work *work, int i, int j, int partner)
{
  const Ewald *w = work->ewald;
  const EwaldOptions *o = &w->options;
  const bool charged = !o->real_by_molecule && w->charge[i] * w->charge[j] != 0.0;
  const bool lj = !o->lj_by_molecule && has_lj(w, i, j);
  if (!charged && !lj)
    return;
  double r[3];
  const double r2 = box_distance(&w->box, work->x + 3 * i, work->x + 3 * j, r);
  note_overlap(work->share, partner, r2);
  if (charged && r2 < o->cutoff * o->cutoff)
    add_real(work, i, j, r2, r);
  if (!lj || r2 >= o->lj_cutoff * o->lj_cutoff)
    return;
  double slope, factor;
  const double at = sqrt(r2), s = switch_value(o, at, &slope), v = lj_value(w, i, j, r2, &factor);
  work->share->energy[EWALD_LJ] += 0.5 * s * v;
  push(work, i, s * factor - v * slope / at, r);
}

/* --- cutoffs between first sites ---------------------------------------------------------------------------
 */

/* Molecules a and b, first sites at r (nearest image), so that all sites of b come from that image. */
static void pair_of_molecules(const Work *work, int a, int b, double r2, const double r[3])
{
  const Ewald *w = work->ewald;
  const EwaldOptions *o = &w->options;
  const int i0 = w->first[a], j0 = w->first[b];
  const bool real = o->real_by_molecule && r2 < o->cutoff * o->cutoff;
  const bool lj = o->lj_by_molecule && r2 < o->lj_cutoff * o->lj_cutoff;
  double slope, sum = 0.0;
  const double at = sqrt(r2), s = switch_value(o, at, &slope);
  for (int i = i0; i < w->first[a + 1]; i++)
    for (int j = j0; j < w->first[b + 1]; j++) {
      double apart[3], square = 0.0, factor;
      for (int d = 0; d < 3; d++) {
        const double *x = work->x + d;
        apart[d] = r[d] + ((x[3 * i] - x[3 * i0]) - (x[3 * j] - x[3 * j0]));
        square += apart[d] * apart[d];
      }
      if (w->charge[i] * w->charge[j] != 0.0 || has_lj(w, i, j))
        note_overlap(work->share, b, square);
      if (real)
        add_real(work, i, j, square, apart);
      if (lj && has_lj(w, i, j)) {
        const double v = lj_value(w, i, j, square, &factor);
        sum += v;
        push(work, i, s * factor, apart);
      }
    }
  work->share->energy[EWALD_LJ] += lj ? 0.5 * s * sum : 0.0;
  if (lj && slope != 0.0)
    push(work, i0, -sum * slope / at, r);
}

/* --- molecules ---------------------------------------------------------------------------------------------
 */

static void inside(const Work *work, int a)
{
  const Ewald *w = work->ewald;
  for (int i = w->first[a]; i < w->first[a + 1]; i++)
    for (int j = w->first[a]; j < w->first[a + 1]; j++) {
      const double qq = UNITS_COULOMB * w->charge[i] * w->charge[j], alpha = w->options.alpha;
      if (i == j || qq == 0.0)
        continue;
      double r[3], r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        r[d] = work->x[3 * i + d] - work->x[3 * j + d];
        r2 += r[d] * r[d];
      }
      if (r2 == 0.0) { /* the limit of erf(a r)/r; no force */
        work->share->energy[EWALD_INTRAMOLECULAR] -= 0.5 * qq * alpha * M_2_SQRTPI;
        continue;
      }
      const double at = sqrt(r2), v = -qq * erf(alpha * at) / at;
      work->share->energy[EWALD_INTRAMOLECULAR] += 0.5 * v;
      push(work, i, (v + qq * alpha * M_2_SQRTPI * exp(-alpha * alpha * r2)) / r2, r);
    }
}

static void pair_of_all_sites(const Work *work, int a, int b)
{
  const int *first = work->ewald->first;
  for (int i = first[a]; i < first[a + 1]; i++)
    for (int j = first[b]; j < first[b + 1]; j++)
      pair_of_sites(work, i, j, b);
}

static void molecule(const Work *work, int a)
{
  const Ewald *w = work->ewald;
  const EwaldOptions *o = &w->options;
  const double reach = fmax(fmax(o->cutoff, o->lj_cutoff), nearest_allowed);
  for (int b = 0; b < w->nmol; b++) {
    double r[3];
    if (b == a)
      continue;
    const double far = reach + w->extent[a] + w->extent[b];
    const double r2 = box_distance(&w->box, work->x + 3 * w->first[a], work->x + 3 * w->first[b], r);
    if (r2 >= far * far)
      continue;
    if (!o->real_by_molecule || !o->lj_by_molecule)
      pair_of_all_sites(work, a, b);
    if (o->real_by_molecule || o->lj_by_molecule)
      pair_of_molecules(work, a, b, r2, r);
  }
}

void ewald_pairs_compute(Ewald *ewald, const Team *team, const double *x)
{
  int begin, end;
  team_range(team, ewald->nmol, &begin, &end);
  for (int a = begin; a < end; a++) {
    const Work work = {ewald, x, ewald->f, &ewald->share[a]};
    *work.share = (EwaldShare){.partner = -1};
    memset(ewald->f[ewald->first[a]], 0,
           (size_t)(ewald->first[a + 1] - ewald->first[a]) * sizeof ewald->f[0]);
    inside(&work, a);
    molecule(&work, a);
  }
}
