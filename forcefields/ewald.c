#include "forcefields/ewald.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/ewald_private.h"
#include "forcefields/pme_exclusion.h"

/* Contributions of one molecule, with half of each of its pairs. */
typedef struct Share {
  double energy[EWALD_TERMS];
  double virial[3][3];
  int partner;     /* a molecule that is too near, or -1 */
  double distance; /* from it */
} Share;

struct Ewald {
  Particles particles;
  const Box *box; /* borrowed */
  EwaldOptions options;
  LjBend bend[2]; /* for the twelfth and the sixth power */
  double tail[2], real_tail[2], self;
  double net, background; /* sum of all charges; the background energy, part of self */
  int nsite;
  int *first;     /* [nmol + 1] site of each molecule */
  double *charge; /* [nsite] */
  double (*x)[3]; /* [nsite] */
  double (*f)[3]; /* [nsite] */
  double *extent; /* [nmol] largest distance of a site from the first one */
  Share *share;   /* [nmol] */
  EwaldReciprocal reciprocal;
  Status status;
  Error error;
};

const char *const ewald_terms[EWALD_TERMS] = {"lj",         "lj_tail", "real",          "real_tail",
                                              "reciprocal", "self",    "intramolecular"};

/* --- parameters ----------------------------------------------------------------------------------------- */

/* Errors of forces are estimated after Kolafa and Perram, Mol. Sim. 9, 351 (1992), relative to C q^2/d^2
 * with the mean q^2 and volume d^3 of a site: 2 sqrt(d/rc) exp(-u^2) with u = alpha rc, and 2 sqrt(d
 * alpha/v) exp(-v^2) with v = kmax/(2 alpha). */

static const double safety = 0.1; /* factor of the requested accuracy */

/* Solves factor sqrt(1/x^root) exp(-x^2) = error for x. */
static double solve(double factor, double root, double error)
{
  double x = 1.0;
  for (int i = 0; i < 60; i++)
    x = sqrt(fmax(log(factor / (error * pow(x, 0.5 * root))), 1.0));
  return x;
}

/* The real cutoff at which both parts take about equal time: N^2/2 4/3 pi rc^3/V pairs and N (V kmax^3/12
 * pi^2) phases; a pair costs about eight phases. kmax = 2 u^2/rc. */
static double balanced_cutoff(double nsite, double volume, double u)
{
  const double pairs = 8.0 * nsite * nsite * 2.0 / 3.0 * M_PI / volume;
  const double phases = nsite * volume * 8.0 * pow(u, 6.0) / (12.0 * M_PI * M_PI);
  return pow(phases / pairs, 1.0 / 6.0);
}

static void choose(EwaldOptions *o, const Box *box, int nsite)
{
  const double volume = box_volume(box), d = cbrt(volume / nsite), error = safety * o->accuracy;
  const double half = 0.5 * box_shortest(box);
  if (o->cutoff == 0.0) {
    const double u = solve(2.0 * sqrt(d / half), 0.0, error);
    o->cutoff = o->alpha > 0.0 ? u / o->alpha : balanced_cutoff(nsite, volume, u);
    o->cutoff = fmin(o->cutoff, half);
  }
  if (o->alpha == 0.0)
    o->alpha = solve(2.0 * sqrt(d / o->cutoff), 0.0, error) / o->cutoff;
  if (o->kmax == 0.0)
    o->kmax = 2.0 * o->alpha * solve(2.0 * sqrt(d * o->alpha), 1.0, error);
}

static Status check_number(const char *name, double value, double least, double most, Error *error)
{
  if (value >= least && value <= most)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "Ewald sum: %s is %g; it must be %g to %g", name, value, least, most);
}

static bool interacts(const Particles *m)
{
  const Atoms *const types = m->atoms;
  for (int t = 0; types != NULL && t < types->ntype * types->ntype; t++)
    if (types->lj[t][0] != 0.0 || types->lj[t][1] != 0.0)
      return true;
  for (int b = 0; b < m->nblock; b++)
    if (m->kind[b].map.lj[0] != 0.0 || m->kind[b].map.lj[1] != 0.0)
      return true;
  return false;
}

static Status check_options(const Particles *m, const EwaldOptions *o, Error *error)
{
  static const double far = 1e6;
  const double nearest = interacts(m) ? 0.1 : 0.0;
  TRY(check_number("the accuracy", o->accuracy, 1e-12, 0.1, error));
  TRY(check_number("the splitting parameter (1/A)", o->alpha, 0.0, far, error));
  TRY(check_number("the real-space cutoff (A)", o->cutoff, 0.0, far, error));
  TRY(check_number("the reciprocal cutoff (1/A)", o->kmax, 0.0, far, error));
  TRY(check_number("the Lennard-Jones cutoff (A)", o->lj.cutoff, nearest, far, error));
  return o->lj.cutoff > 0.0 ? nonbonded_check_cut(&o->lj, error) : STATUS_OK;
}

static Status check_box(const Box *box, const EwaldOptions *o, Error *error)
{
  for (int d = 0; d < 3; d++)
    if (box_length(box, d) == 0.0)
      return error_set(error, STATUS_INPUT,
                       "an Ewald sum needs a box that is periodic in x, y and z; length %c is 0", "xyz"[d]);
  TRY(box_check(box, o->cutoff, "real-space cutoff", error));
  return box_check(box, o->lj.cutoff, "Lennard-Jones cutoff", error);
}

double ewald_background(double charge, double beta)
{
  return -M_PI * UNITS_COULOMB * charge * charge / (2.0 * beta * beta);
}

static void sum_charges(Ewald *w)
{
  for (int i = 0; i < w->nsite; i++) {
    w->net += w->charge[i];
    w->self -= UNITS_COULOMB * w->options.alpha * 0.5 * M_2_SQRTPI * w->charge[i] * w->charge[i];
  }
  w->background = ewald_background(w->net, w->options.alpha) / box_volume(w->box);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status make_sites(Ewald *w, Error *error)
{
  const Particles *m = &w->particles;
  for (int b = 0; b < m->nblock; b++)
    w->nsite += m->kind[b].nmol * m->kind[b].map.nsite;
  const size_t nmol = (size_t)m->nmol, nsite = (size_t)w->nsite;
  w->first = malloc((nmol + 1) * sizeof *w->first);
  w->extent = malloc((nmol + 1) * sizeof *w->extent);
  w->share = malloc((nmol + 1) * sizeof *w->share);
  w->charge = calloc(nsite + 1, sizeof *w->charge);
  w->x = malloc((nsite + 1) * sizeof *w->x);
  w->f = malloc((nsite + 1) * sizeof *w->f);
  TRY_MEMORY(w->first != NULL && w->extent != NULL && w->share != NULL && w->charge != NULL && w->x != NULL &&
                 w->f != NULL,
             "an Ewald sum", error);
  int molecule = 0, at = 0;
  for (int b = 0; b < m->nblock; b++)
    for (int i = 0; i < m->kind[b].nmol; i++) {
      w->first[molecule] = at;
      for (int k = 0; k < m->kind[b].map.nsite; k++)
        w->charge[at++] = atoms_are(m->atoms, b) ? m->atoms->charge[molecule] : m->kind[b].map.charge[k];
      molecule++;
    }
  w->first[molecule] = at;
  return STATUS_OK;
}

static Status make(Ewald *w, Error *error)
{
  EwaldOptions *const o = &w->options;
  if (w->particles.nmol < 1)
    return error_set(error, STATUS_INPUT, "an Ewald sum needs at least one molecule");
  TRY(check_options(&w->particles, o, error));
  TRY(check_box(w->box, o, error));
  TRY(make_sites(w, error));
  choose(o, w->box, w->nsite);
  sum_charges(w);
  w->bend[0] = nonbonded_bend(&o->lj, 12);
  w->bend[1] = nonbonded_bend(&o->lj, 6);
  if (!o->no_tail)
    ewald_tail_lj(&w->particles, w->box, &o->lj, w->tail);
  if (o->real_by_molecule)
    ewald_tail_real(&w->particles, w->box, o->alpha, &(LjCut){.cutoff = o->cutoff}, w->real_tail);
  return ewald_reciprocal_create(&w->reciprocal, w->nsite, w->charge, w->box, o->alpha, o->kmax, error);
}

Status ewald_create(Ewald **ewald, const Particles *particles, const Box *box, const EwaldOptions *options,
                    Error *error)
{
  *ewald = NULL;
  Ewald *w = calloc(1, sizeof *w);
  TRY_MEMORY(w != NULL, "an Ewald sum", error);
  w->particles = *particles;
  w->box = box;
  w->options = *options;
  TRY_ELSE(make(w, error), ewald_free(w));
  *ewald = w;
  return STATUS_OK;
}

void ewald_free(Ewald *w)
{
  if (w == NULL)
    return;
  ewald_reciprocal_free(&w->reciprocal);
  free(w->first);
  free(w->extent);
  free(w->share);
  free(w->charge);
  free(w->x);
  free(w->f);
  free(w);
}

/* --- pairs ---------------------------------------------------------------------------------------------- */

/* Each molecule is computed with all others, so that one thread sums each force in one order; each pair
 * occurs twice and counts half. */

static const double nearest_allowed = 0.5; /* angstrom */

/* Adds the force s r on a site at r from another, and half of its virial. */
static void push(Ewald *w, Share *share, int site, double s, const double r[3])
{
  for (int a = 0; a < 3; a++) {
    w->f[site][a] += s * r[a];
    for (int b = 0; b < 3; b++)
      share->virial[a][b] += 0.5 * s * r[a] * r[b];
  }
}

static void note_overlap(Share *share, int partner, double r2)
{
  if (share->partner >= 0 || r2 >= nearest_allowed * nearest_allowed)
    return;
  share->partner = partner;
  share->distance = sqrt(r2);
}

/* C q q erfc(a r)/r. */
static void add_real(Ewald *w, Share *share, int i, double qq, double r2, const double r[3])
{
  const double alpha = w->options.alpha, at = sqrt(r2), v = qq * erfc(alpha * at) / at;
  share->energy[EWALD_REAL] += 0.5 * v;
  push(w, share, i, (v + qq * alpha * M_2_SQRTPI * exp(-alpha * alpha * at * at)) / (at * at), r);
}

/* The switching function and its derivative. */
static double switch_value(const LjCut *cut, double r, double *slope)
{
  *slope = 0.0;
  if (cut->truncation != TRUNCATION_SWITCH || r <= cut->from)
    return 1.0;
  const double width = cut->cutoff - cut->from, t = (r - cut->from) / width;
  *slope = -30.0 * t * t * (1.0 - t) * (1.0 - t) / width;
  return lj_switch_factor(t);
}

/* A/r^12 - C/r^6 between first sites, with its truncation. */
static void add_lj(Ewald *w, Share *share, int i, const double lj[2], double r2, const double r[3])
{
  const LjCut *const cut = &w->options.lj;
  const double at = sqrt(r2), r6 = 1.0 / (r2 * r2 * r2), x = fmax(at - cut->from, 0.0);
  double slope, v = (lj[0] * r6 - lj[1]) * r6 - nonbonded_shift(cut, lj),
                factor = (12.0 * lj[0] * r6 - 6.0 * lj[1]) * r6 / r2;
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? lj[0] : -lj[1];
    const LjBend *const bend = &w->bend[k];
    factor += sign * (bend->a + bend->b * x) * x * x / at;
    v -= sign * (bend->a / 3.0 + bend->b / 4.0 * x) * x * x * x;
  }
  const double s = switch_value(cut, at, &slope);
  share->energy[EWALD_LJ] += 0.5 * s * v;
  push(w, share, i, s * factor - v * slope / at, r);
}

/* Molecules a and b, first sites at r (nearest image). */
static void pair(Ewald *w, Share *share, int a, int b, double r2, const double r[3])
{
  const EwaldOptions *const o = &w->options;
  const int i0 = w->first[a], j0 = w->first[b];
  const Particles *const m = &w->particles;
  const double *const lj = particles_lj(m, particles_block(m, a), a, particles_block(m, b), b);
  for (int i = i0; i < w->first[a + 1]; i++)
    for (int j = j0; j < w->first[b + 1]; j++) {
      const double qq = UNITS_COULOMB * w->charge[i] * w->charge[j];
      double apart[3];
      if (qq == 0.0)
        continue;
      double square = o->real_by_molecule ? 0.0 : box_distance(w->box, w->x[i], w->x[j], apart);
      for (int d = 0; d < 3 && o->real_by_molecule; d++) { /* sites of b relative to its first */
        apart[d] = r[d] + ((w->x[i][d] - w->x[i0][d]) - (w->x[j][d] - w->x[j0][d]));
        square += apart[d] * apart[d];
      }
      note_overlap(share, b, square);
      if ((o->real_by_molecule ? r2 : square) < o->cutoff * o->cutoff)
        add_real(w, share, i, qq, square, apart);
    }
  if (lj[0] == 0.0 && lj[1] == 0.0)
    return;
  note_overlap(share, b, r2);
  if (r2 < o->lj.cutoff * o->lj.cutoff)
    add_lj(w, share, i0, lj, r2, r);
}

/* Subtracts the reciprocal part's interaction of sites i and j at r; i belongs to the share. */
static void take_out(Ewald *w, Share *share, int i, int j, double r2, const double r[3])
{
  double factor;
  if (w->charge[i] * w->charge[j] == 0.0)
    return;
  share->energy[EWALD_INTRAMOLECULAR] +=
      0.5 * pme_exclusion_pair(w->options.alpha, w->charge[i] * w->charge[j], r2, &factor);
  push(w, share, i, factor, r);
}

/* The same inside molecule a, and with excluded atoms. */
static void inside(Ewald *w, Share *share, int a)
{
  const Atoms *const atoms = w->particles.atoms;
  double r[3];
  for (int i = w->first[a]; i < w->first[a + 1]; i++)
    for (int j = w->first[a]; j < w->first[a + 1]; j++) {
      double r2 = 0.0;
      for (int d = 0; d < 3; d++) {
        r[d] = w->x[i][d] - w->x[j][d];
        r2 += r[d] * r[d];
      }
      if (i != j)
        take_out(w, share, i, j, r2, r);
    }
  for (int k = atoms != NULL ? atoms->begin[a] : 0; atoms != NULL && k < atoms->begin[a + 1]; k++) {
    const int i = w->first[a], j = w->first[atoms->partner[k]];
    const double r2 = box_distance(w->box, w->x[i], w->x[j], r);
    take_out(w, share, i, j, r2, r);
  }
}

static void molecule(Ewald *w, int a)
{
  const EwaldOptions *const o = &w->options;
  const double reach = fmax(fmax(o->cutoff, o->lj.cutoff), nearest_allowed);
  Share *const share = &w->share[a];
  *share = (Share){.partner = -1};
  memset(w->f[w->first[a]], 0, (size_t)(w->first[a + 1] - w->first[a]) * sizeof w->f[0]);
  inside(w, share, a);
  for (int b = 0; b < w->particles.nmol; b++) {
    double r[3];
    const double far = reach + w->extent[a] + w->extent[b];
    const double r2 = box_distance(w->box, w->x[w->first[a]], w->x[w->first[b]], r);
    if (b != a && r2 < far * far && !(w->particles.atoms != NULL && atoms_excluded(w->particles.atoms, a, b)))
      pair(w, share, a, b, r2, r);
  }
}

/* --- computation ---------------------------------------------------------------------------------------- */

/* The name of a molecule, for messages. */
static const char *words_of(const Ewald *w, const State *state, int m, char words[ATOMS_WORDS])
{
  if (w->particles.atoms != NULL)
    return atoms_words(w->particles.atoms, m, words);
  snprintf(words, ATOMS_WORDS, "molecule %d", state_molecule(state, m) + 1);
  return words;
}

/* Checks that coordinates are finite and computes the largest distance of a site from the first. */
static Status check_molecule(Ewald *w, const State *state, int m)
{
  double most = 0.0;
  char words[ATOMS_WORDS];
  for (int i = w->first[m]; i < w->first[m + 1]; i++) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
      const double r = w->x[i][d] - w->x[w->first[m]][d];
      if (!isfinite(w->x[i][d]))
        return error_set(&w->error, STATUS_INPUT, "%s, site %d: coordinate %c is %g",
                         words_of(w, state, m, words), i - w->first[m] + 1, "xyz"[d], w -> x[i][d]);
      square += r * r;
    }
    most = fmax(most, square);
  }
  w->extent[m] = sqrt(most);
  if (4.0 * w->extent[m] < box_shortest(w->box))
    return STATUS_OK;
  return error_set(&w->error, STATUS_INPUT,
                   "%s reaches %g A from its first site, in a box of %g A: is it split by a face of the box?",
                   words_of(w, state, m, words), w->extent[m], box_shortest(w->box));
}

static void check_overlap(Ewald *w, const State *state)
{
  char one[ATOMS_WORDS], other[ATOMS_WORDS];
  for (int m = 0; m < w->particles.nmol && w->status == STATUS_OK; m++) {
    const int partner = w->share[m].partner;
    if (partner >= 0 && w->particles.atoms != NULL)
      w->status =
          error_set(&w->error, STATUS_INPUT, "%s and %s overlap: they are %.3g A apart",
                    words_of(w, state, m, one), words_of(w, state, partner, other), w->share[m].distance);
    else if (partner >= 0)
      w->status = error_set(
          &w->error, STATUS_INPUT, "molecules %d and %d overlap: two of their sites are %.3g A apart",
          state_molecule(state, m) + 1, state_molecule(state, partner) + 1, w->share[m].distance);
  }
}

static void place(Ewald *w, const State *state)
{
  double *x = w->x[0];
  for (int b = 0; b < w->particles.nblock; b++)
    for (int i = 0; i < w->particles.kind[b].nmol; i++, x += (ptrdiff_t)3 * w->particles.kind[b].map.nsite)
      particles_sites(&w->particles, state, b, i, x);
}

/* Subtracts the atomic virial of forces on a molecule's sites about its centre. */
static void subtract_inner(const Ewald *w, int m, double virial[3][3])
{
  const double *const weight = w->particles.kind[particles_block(&w->particles, m)].mass;
  const int from = w->first[m];
  double centre[3] = {0}, mass = 0.0;
  if (w->first[m + 1] - from == 1) /* zero, and a virtual site has no mass */
    return;
  for (int i = from; i < w->first[m + 1]; i++) {
    mass += weight[i - from];
    for (int d = 0; d < 3; d++)
      centre[d] += weight[i - from] * (w->x[i][d] - w->x[from][d]);
  }
  for (int i = from; i < w->first[m + 1]; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        virial[a][b] -= w->f[i][a] * (w->x[i][b] - w->x[from][b] - centre[b] / mass);
}

/* Spreads forces on sites to atoms, with the change of the virial. */
static void gather(const Ewald *w, double *f, double virial[3][3])
{
  const double *x = w->x[0], *from = w->f[0];
  for (int b = 0; b < w->particles.nblock; b++) {
    const SiteMap *map = &w->particles.kind[b].map;
    for (int i = 0; i < w->particles.kind[b].nmol; i++, x += 3 * map->nsite, from += 3 * map->nsite) {
      site_map_virial(map, x, from, virial);
      if (f == NULL)
        continue;
      memset(f, 0, 3 * (size_t)map->natom * sizeof *f);
      site_map_forces(map, x, from, f);
      f += 3 * map->natom;
    }
  }
}

static void sum_up(const Ewald *w, double *f, EwaldResult *out)
{
  static const int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  const EwaldReciprocal *r = &w->reciprocal;
  EwaldResult result = {.options = w->options, .charge = w->net};
  double wave[7] = {0};
  for (int i = 0; i < r->nrow; i++)
    for (int k = 0; k < 7; k++)
      wave[k] += r->share[i][k];
  for (int m = 0; m < w->particles.nmol; m++) {
    for (int t = 0; t < EWALD_TERMS; t++)
      result.energy[t] += w->share[m].energy[t];
    for (int k = 0; k < 9; k++)
      result.virial_atom[k / 3][k % 3] += w->share[m].virial[k / 3][k % 3];
  }
  result.energy[EWALD_LJ_TAIL] = w->tail[0];
  result.energy[EWALD_REAL_TAIL] = w->real_tail[0];
  result.energy[EWALD_RECIPROCAL] = wave[0];
  result.energy[EWALD_SELF] = w->self + w->background;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      result.virial_atom[a][b] += wave[1 + at[a][b]] + (a == b ? w->tail[1] : 0.0);
  memcpy(result.virial_molecule, result.virial_atom, sizeof result.virial_atom);
  for (int m = 0; m < w->particles.nmol; m++)
    subtract_inner(w, m, result.virial_molecule);
  gather(w, f, result.virial_atom);
  for (int d = 0; d < 3; d++) {
    result.virial_atom[d][d] += w->real_tail[1] + w->background;
    result.virial_molecule[d][d] += w->real_tail[1] + w->background;
  }
  if (out != NULL)
    *out = result;
}

/* The team's first member checks the coordinates; all return if they are wrong. */
static Status prepare(Ewald *w, const Team *team, const State *state)
{
  team_barrier(team);
  if (team->rank == 0) {
    place(w, state);
    w->status = STATUS_OK;
    for (int m = 0; m < w->particles.nmol && w->status == STATUS_OK; m++)
      w->status = check_molecule(w, state, m);
  }
  team_barrier(team);
  return w->status;
}

Status ewald_compute(Ewald *w, const Team *team, const State *state, double *f, EwaldResult *result,
                     Error *error)
{
  Status status = prepare(w, team, state);
  if (status == STATUS_OK) {
    int begin, end;
    team_range(team, w->particles.nmol, &begin, &end);
    for (int m = begin; m < end; m++)
      molecule(w, m);
    ewald_reciprocal_add(&w->reciprocal, team, (const double(*)[3])w->x, w->f);
    if (team->rank == 0) {
      check_overlap(w, state);
      sum_up(w, f, result);
    }
    team_barrier(team);
    status = w->status;
  }
  return status == STATUS_OK ? status : error_set(error, status, "%s", w->error.text);
}

Status ewald_alone(const Particles *particles, const State *state, const EwaldOptions *options, double *f,
                   EwaldResult *result, Error *error)
{
  Ewald *w;
  const Team team = team_alone();
  TRY(ewald_create(&w, particles, &state->box, options, error));
  const Status status = ewald_compute(w, &team, state, f, result, error);
  ewald_free(w);
  return status;
}
