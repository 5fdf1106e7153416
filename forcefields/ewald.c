#include "forcefields/ewald.h"

#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/ewald_private.h"

const char *const ewald_terms[EWALD_TERMS] = {"lj",         "lj_tail", "real",          "real_tail",
                                              "reciprocal", "self",    "intramolecular"};

/* --- parameters --------------------------------------------------------------------------------------------
 *
 * The errors of the forces are those of Kolafa and Perram, Mol. Sim. 9, 351 (1992), over C q^2/d^2 with the
 * mean q^2 and volume d^3 of a site: 2 sqrt(d/rc) exp(-u^2) with u = alpha rc, and 2 sqrt(d alpha/v)
 * exp(-v^2) with v = kmax/(2 alpha). */

static const double safety = 0.1; /* of the accuracy asked for */

/* x with factor sqrt(1/x^root) exp(-x^2) = error. */
static double solve(double factor, double root, double error)
{
  double x = 1.0;
  for (int i = 0; i < 60; i++)
    x = sqrt(fmax(log(factor / (error * pow(x, 0.5 * root))), 1.0));
  return x;
}

/* The real cutoff for which both parts take about equal time: N^2/2 4/3 pi rc^3/V pairs against N (V
 * kmax^3/12 pi^2) phases, of which a pair costs about eight. kmax = 2 u^2/rc. */
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
  return error_set(error, STATUS_INPUT, "Ewald sum: %s is %g, where %g to %g is wanted", name, value, least,
                   most);
}

static bool interacts(const EwaldSystem *system)
{
  for (int i = 0; i < system->ntype * system->ntype; i++)
    if (system->lj[i][0] != 0.0 || system->lj[i][1] != 0.0)
      return true;
  return false;
}

static Status check_options(const EwaldSystem *system, const EwaldOptions *o, Error *error)
{
  static const double far = 1e6;
  Status status = check_number("the accuracy", o->accuracy, 1e-12, 0.1, error);
  if (status == STATUS_OK)
    status = check_number("the splitting parameter (1/A)", o->alpha, 0.0, far, error);
  if (status == STATUS_OK)
    status = check_number("the real-space cutoff (A)", o->cutoff, 0.0, far, error);
  if (status == STATUS_OK)
    status = check_number("the reciprocal cutoff (1/A)", o->kmax, 0.0, far, error);
  if (status == STATUS_OK)
    status =
        check_number("the Lennard-Jones cutoff (A)", o->lj_cutoff, interacts(system) ? 0.1 : 0.0, far, error);
  if (status == STATUS_OK && o->truncation == EWALD_SWITCH &&
      !(o->lj_switch > 0.0 && o->lj_switch < o->lj_cutoff))
    return error_set(
        error, STATUS_INPUT,
        "Lennard-Jones is switched off from %g to %g A: the first must be positive and the smaller one",
        o->lj_switch, o->lj_cutoff);
  return status;
}

static Status check_box(const Box *box, const EwaldOptions *o, Error *error)
{
  for (int d = 0; d < 3; d++)
    if (box->length[d] == 0.0)
      return error_set(error, STATUS_INPUT,
                       "an Ewald sum wants a box that is periodic in x, y and z; length %c is 0", "xyz"[d]);
  const Status status = box_check(box, o->cutoff, "real-space cutoff", error);
  return status == STATUS_OK ? box_check(box, o->lj_cutoff, "Lennard-Jones cutoff", error) : status;
}

static Status check_charge(const EwaldSystem *system, Error *error)
{
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < system->first[system->nmol]; i++) {
    sum += system->charge[i];
    size += fabs(system->charge[i]);
  }
  if (fabs(sum) <= 1e-9 * size)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "the charges sum to %g e, and an Ewald sum wants 0: add ions of the opposite charge", sum);
}

/* --- creation ----------------------------------------------------------------------------------------------
 */

static void *copy(const void *from, size_t n, size_t size)
{
  void *to = malloc(n * size + 1);
  if (to != NULL)
    memcpy(to, from, n * size);
  return to;
}

static Status allocate(Ewald *w, const EwaldSystem *system, Error *error)
{
  const size_t nsite = (size_t)w->nsite, nmol = (size_t)w->nmol;
  w->first = copy(system->first, nmol + 1, sizeof *w->first);
  w->type = copy(system->type, nsite, sizeof *w->type);
  w->charge = copy(system->charge, nsite, sizeof *w->charge);
  w->mass = copy(system->mass, nsite, sizeof *w->mass);
  w->lj = copy(system->lj, (size_t)w->ntype * (size_t)w->ntype, sizeof *w->lj);
  w->extent = malloc(nmol * sizeof *w->extent);
  w->share = malloc(nmol * sizeof *w->share);
  w->f = malloc(nsite * sizeof *w->f);
  if (w->first == NULL || w->type == NULL || w->charge == NULL || w->mass == NULL || w->lj == NULL ||
      w->extent == NULL || w->share == NULL || w->f == NULL)
    return error_memory(error, "an Ewald sum");
  return STATUS_OK;
}

static Status make_tail(Ewald *w, Error *error)
{
  double *count = calloc((size_t)w->ntype + 1, sizeof *count);
  if (count == NULL)
    return error_memory(error, "the types of sites");
  for (int i = 0; i < w->nsite; i++)
    count[w->type[i]] += 1.0;
  const EwaldCut cut = ewald_lj_cut(&w->options);
  ewald_tail_compute(w->ntype, count, (const double(*)[2])w->lj, &w->box, &cut, w->tail);
  free(count);
  return STATUS_OK;
}

Status ewald_create(Ewald **ewald, const EwaldSystem *system, const Box *box, const EwaldOptions *options,
                    Error *error)
{
  *ewald = NULL;
  if (system->nmol < 1)
    return error_set(error, STATUS_INPUT, "an Ewald sum wants at least one molecule");
  Status status = check_options(system, options, error);
  if (status == STATUS_OK)
    status = check_box(box, options, error);
  if (status == STATUS_OK)
    status = check_charge(system, error);
  if (status != STATUS_OK)
    return status;
  Ewald *w = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "an Ewald sum");
  w->nmol = system->nmol;
  w->nsite = system->first[system->nmol];
  w->ntype = system->ntype;
  w->box = *box;
  w->options = *options;
  choose(&w->options, box, w->nsite);
  status = allocate(w, system, error);
  if (status == STATUS_OK)
    status = make_tail(w, error);
  if (status == STATUS_OK)
    status = ewald_reciprocal_create(&w->reciprocal, w->nsite, w->charge, box, &w->options, error);
  if (status != STATUS_OK) {
    ewald_free(w);
    return status;
  }
  for (int i = 0; i < w->nsite; i++)
    w->self -= UNITS_COULOMB * w->options.alpha * 0.5 * M_2_SQRTPI * w->charge[i] * w->charge[i];
  *ewald = w;
  return STATUS_OK;
}

void ewald_free(Ewald *w)
{
  if (w == NULL)
    return;
  ewald_reciprocal_free(&w->reciprocal);
  free(w->first);
  free(w->type);
  free(w->charge);
  free(w->mass);
  free(w->lj);
  free(w->extent);
  free(w->share);
  free(w->f);
  free(w);
}

/* --- computation -------------------------------------------------------------------------------------------
 */

/* Coordinates that can be worked with, and how far each molecule reaches from its first site. */
static Status check_molecule(Ewald *w, int m, const double *x)
{
  double most = 0.0;
  for (int i = w->first[m]; i < w->first[m + 1]; i++) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
      if (!isfinite(x[3 * i + d]))
        return error_set(&w->error, STATUS_INPUT, "molecule %d, site %d: coordinate %c is %g", m + 1,
                         i - w->first[m] + 1, "xyz"[d], x[3 * i + d]);
      square += (x[3 * i + d] - x[3 * w->first[m] + d]) * (x[3 * i + d] - x[3 * w->first[m] + d]);
    }
    most = fmax(most, square);
  }
  w->extent[m] = sqrt(most);
  if (4.0 * w->extent[m] < box_shortest(&w->box))
    return STATUS_OK;
  return error_set(
      &w->error, STATUS_INPUT,
      "molecule %d reaches %g A from its first site, in a box of %g A: is it torn across the box's edge?",
      m + 1, w->extent[m], box_shortest(&w->box));
}

static void check_overlap(Ewald *w)
{
  for (int m = 0; m < w->nmol && w->status == STATUS_OK; m++)
    if (w->share[m].partner >= 0)
      w->status = error_set(&w->error, STATUS_INPUT,
                            "molecules %d and %d overlap: two of their sites are %.3g A from each other",
                            m + 1, w->share[m].partner + 1, w->share[m].distance);
}

/* What the forces on a molecule's sites about its centre add to the virial by atom. */
static void subtract_inner(const Ewald *w, int m, const double *x, double virial[3][3])
{
  double centre[3] = {0}, mass = 0.0;
  const double *origin = x + 3 * w->first[m];
  for (int i = w->first[m]; i < w->first[m + 1]; i++) {
    mass += w->mass[i];
    for (int d = 0; d < 3; d++)
      centre[d] += w->mass[i] * (x[3 * i + d] - origin[d]);
  }
  for (int i = w->first[m]; i < w->first[m + 1]; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        virial[a][b] -= w->f[i][a] * (x[3 * i + b] - origin[b] - centre[b] / mass);
}

static void sum_up(Ewald *w, const double *x)
{
  static const int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  const EwaldReciprocal *r = &w->reciprocal;
  EwaldResult *result = &w->result;
  *result = (EwaldResult){.options = w->options};
  double wave[7] = {0};
  for (int i = 0; i < r->nrow; i++)
    for (int k = 0; k < 7; k++)
      wave[k] += r->share[i][k];
  for (int m = 0; m < w->nmol; m++) {
    for (int t = 0; t < EWALD_TERMS; t++)
      result->energy[t] += w->share[m].energy[t];
    for (int k = 0; k < 9; k++)
      (&result->virial_atom[0][0])[k] += (&w->share[m].virial[0][0])[k];
  }
  result->energy[EWALD_LJ_TAIL] = w->tail[0];
  result->energy[EWALD_RECIPROCAL] = wave[0];
  result->energy[EWALD_SELF] = w->self;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      result->virial_atom[a][b] += wave[1 + at[a][b]] + (a == b ? w->tail[1] : 0.0);
  memcpy(result->virial_molecule, result->virial_atom, sizeof result->virial_atom);
  for (int m = 0; m < w->nmol; m++)
    subtract_inner(w, m, x, result->virial_molecule);
}

/* The first of the team looks at the coordinates; nobody goes on if they are wrong. */
static Status prepare(Ewald *w, const Team *team, const double *x)
{
  team_barrier(team);
  if (team->rank == 0) {
    w->status = STATUS_OK;
    for (int m = 0; m < w->nmol && w->status == STATUS_OK; m++)
      w->status = check_molecule(w, m, x);
  }
  team_barrier(team);
  return w->status;
}

Status ewald_compute(Ewald *w, const Team *team, const double *x, double *f, EwaldResult *result,
                     Error *error)
{
  Status status = prepare(w, team, x);
  if (status == STATUS_OK) {
    ewald_pairs_compute(w, team, x);
    ewald_reciprocal_add(&w->reciprocal, team, &w->box, w->options.alpha, x, w->f);
    if (team->rank == 0) {
      check_overlap(w);
      sum_up(w, x);
    }
    team_barrier(team);
    status = w->status;
  }
  if (status != STATUS_OK)
    return error_set(error, status, "%s", w->error.text);
  if (team->rank == 0 && result != NULL)
    *result = w->result;
  if (team->rank == 0 && f != NULL)
    memcpy(f, w->f, (size_t)w->nsite * sizeof *w->f);
  team_barrier(team);
  return STATUS_OK;
}
