#include "tests/plain_forces.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plain_coordinate.h"
#include "tests/plain_ewald.h"
#include "tests/plain_maps.h"
#include "tests/plain_terms.h"

int plain_forces_find(int n, const PlainMolecule *molecule, const AtomIndex *atom, int *at)
{
  for (int i = 0; i < n; i++)
    if (molecule[i].block == atom->block && molecule[i].lane == atom->lane) {
      *at = molecule[i].first + 3 * atom->site;
      return i;
    }
  ck_abort_msg("there is no such atom");
}

/* --- sites ---------------------------------------------------------------------------------------------- */

/* A site with the atoms that place it. */
typedef struct Site {
  int owner, at[3];
  double x[3], r[2][3]; /* position; x_i - x_0 of a virtual site */
} Site;

static Site place(const SiteDescription *s, int n, const PlainMolecule *molecule, const double *q)
{
  Site site = {0};
  double normal[3];
  for (int k = 0; k < s->natom; k++)
    site.owner = plain_forces_find(n, molecule, &s->atom[k], &site.at[k]);
  for (int d = 0; d < 3; d++) {
    site.x[d] = q[site.at[0] + d];
    for (int k = 1; k < s->natom; k++)
      site.r[k - 1][d] = q[site.at[k] + d] - site.x[d];
  }
  plain_cross(site.r[0], site.r[1], normal);
  for (int d = 0; d < 3 && s->natom > 1; d++)
    site.x[d] += s->weight[0] * site.r[0][d] + s->weight[1] * site.r[1][d] + s->weight[2] * normal[d];
  return site;
}

/* A force on a site goes to its atoms. */
static void hand_on(const SiteDescription *s, const Site *site, const double force[3], double *f)
{
  double first[3], second[3];
  plain_cross(site->r[1], force, first);
  plain_cross(force, site->r[0], second);
  for (int d = 0; d < 3; d++) {
    const double g1 = s->natom > 1 ? s->weight[0] * force[d] + s->weight[2] * first[d] : 0.0;
    const double g2 = s->natom > 1 ? s->weight[1] * force[d] + s->weight[2] * second[d] : 0.0;
    f[site->at[0] + d] += force[d] - g1 - g2;
    if (s->natom > 1) {
      f[site->at[1] + d] += g1;
      f[site->at[2] + d] += g2;
    }
  }
}

/* --- pairs ---------------------------------------------------------------------------------------------- */

/* Sites at their places, and which do not see each other. */
typedef struct Sites {
  Site *site;
  bool *blind; /* [nsite][nsite] */
} Sites;

static Sites open_sites(const PairsDescription *p, int n, const PlainMolecule *molecule, const double *q)
{
  const size_t nsite = (size_t)p->nsite;
  Sites s = {malloc(nsite * sizeof *s.site), calloc(nsite * nsite, sizeof *s.blind)};
  ck_assert(s.site != NULL && s.blind != NULL);
  for (int i = 0; i < p->nsite; i++)
    s.site[i] = place(&p->site[i], n, molecule, q);
  for (int k = 0; k < p->nexcluded; k++) {
    s.blind[(size_t)p->excluded[k][0] * nsite + (size_t)p->excluded[k][1]] = true;
    s.blind[(size_t)p->excluded[k][1] * nsite + (size_t)p->excluded[k][0]] = true;
  }
  return s;
}

static void close_sites(Sites *s)
{
  free(s->site);
  free(s->blind);
}

/* r = x_i - x_j, of the nearest image, and whether the pair is within the cutoff. */
static bool apart(const PairsDescription *p, const double (*box)[3], const Sites *s, int i, int j,
                  double r[3])
{
  const int wi = p->site[i].whole - 1, wj = p->site[j].whole - 1;
  const bool whole = wi >= 0 && wj >= 0;
  double first[3], image[3];
  for (int d = 0; d < 3; d++) {
    first[d] = whole ? s->site[wi].x[d] - s->site[wj].x[d] : s->site[i].x[d] - s->site[j].x[d];
    image[d] = first[d];
  }
  plain_nearest(box, image);
  for (int d = 0; d < 3; d++)
    r[d] = s->site[i].x[d] - s->site[j].x[d] + image[d] - first[d];
  return p->cutoff == NULL || plain_dot(image, image) < p->cutoff->cutoff * p->cutoff->cutoff;
}

static bool is(const char *name, const char *other) { return strcmp(name, other) == 0; }

/* (e - 1)/((2 e + 1) rc^3) of a reaction field. */
static double field_of(const CutoffDescription *c)
{
  if (c == NULL || !is(c->coulomb, "reaction-field"))
    return 0.0;
  const double e = c->permittivity, k = isinf(e) ? 0.5 : (e - 1.0) / (2.0 * e + 1.0);
  return k / pow(c->cutoff, 3);
}

/* Lennard-Jones and its slope by the squared distance where a switch acts. */
static void switch_off(const CutoffDescription *c, double square, double *value, double *slope)
{
  const double r = sqrt(square), t = (r - c->from) / (c->cutoff - c->from);
  const double factor = 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t)),
               falls = -30.0 * t * t * (1.0 - t) * (1.0 - t) / (c->cutoff - c->from);
  *slope = *slope * factor + *value * falls / (2.0 * r);
  *value *= factor;
}

/* V' and V'' of a pair by the squared distance, without charges that an Ewald sum counts. */
static void slopes(const PairsDescription *p, const double r[3], int i, int j, double slope[2])
{
  const double *lj = p->lj[p->site[i].type * p->ntype + p->site[j].type];
  const CutoffDescription *c = p->cutoff;
  const double square = plain_dot(r, r), qq = p->coulomb * p->site[i].charge * p->site[j].charge;
  const double coulomb = plain_ewald_sums(c) ? 0.0 : qq / sqrt(square);
  const double a = lj[0] / pow(square, 6), b = lj[1] / pow(square, 3);
  double value = a - b, falls = (-6.0 * a + 3.0 * b) / square;
  if (c != NULL && is(c->truncation, "switch") && square > c->from * c->from)
    switch_off(c, square, &value, &falls);
  ck_assert(c == NULL || is(c->truncation, "switch") || is(c->truncation, "shift") ||
            is(c->truncation, "plain"));
  slope[0] = falls - 0.5 * coulomb / square + qq * field_of(c);
  slope[1] = (0.75 * coulomb + 42.0 * a - 12.0 * b) / (square * square);
}

static void push_apart(const PairsDescription *p, const Sites *s, int i, int j, const double r[3],
                       double slope, double *f)
{
  double force[3], back[3];
  for (int d = 0; d < 3; d++) {
    force[d] = -2.0 * slope * r[d];
    back[d] = -force[d];
  }
  hand_on(&p->site[i], &s->site[i], force, f);
  hand_on(&p->site[j], &s->site[j], back, f);
}

static void add_ewald(const PairsDescription *p, const double (*box)[3], const Sites *s, double *f)
{
  double(*x)[3] = malloc((size_t)p->nsite * sizeof *x), (*force)[3] = calloc((size_t)p->nsite, sizeof *force);
  ck_assert(x != NULL && force != NULL);
  for (int i = 0; i < p->nsite; i++)
    memcpy(x[i], s->site[i].x, sizeof x[i]);
  plain_ewald(p, box, x, force);
  for (int i = 0; i < p->nsite; i++)
    hand_on(&p->site[i], &s->site[i], force[i], f);
  free(x);
  free(force);
}

/* A reaction field acts between pairs that are excluded, too. */
static void add_pairs(const PairsDescription *p, const double (*box)[3], int n, const PlainMolecule *molecule,
                      const double *q, double *f)
{
  Sites s = open_sites(p, n, molecule, q);
  for (int i = 0; i < p->nsite; i++)
    for (int j = 0; j < i; j++) {
      double r[3], slope[2];
      const bool within = apart(p, box, &s, i, j, r),
                 blind = s.blind[(size_t)i * (size_t)p->nsite + (size_t)j];
      if (blind)
        slope[0] = p->coulomb * p->site[i].charge * p->site[j].charge * field_of(p->cutoff);
      else
        slopes(p, r, i, j, slope);
      if (within && (!blind || field_of(p->cutoff) != 0.0))
        push_apart(p, &s, i, j, r, slope[0], f);
    }
  if (plain_ewald_sums(p->cutoff))
    add_ewald(p, box, &s, f);
  close_sites(&s);
}

/* Of atoms alone: where a virtual site is moves with three of them. */
static void block_of_pairs(const PairsDescription *p, int n, const PlainMolecule *molecule, int m,
                           const double *q, double hess[PLAIN_MOST][PLAIN_MOST])
{
  Sites s = open_sites(p, n, molecule, q);
  for (int i = 0; i < p->nsite; i++)
    for (int j = 0; j < p->nsite; j++) {
      double r[3], slope[2];
      if (j == i || s.site[i].owner != m || s.blind[(size_t)i * (size_t)p->nsite + (size_t)j])
        continue;
      ck_assert(p->site[i].natom == 1 && p->site[j].natom == 1 && s.site[j].owner != m);
      const int at = s.site[i].at[0] - molecule[m].first;
      ck_assert(apart(p, NULL, &s, i, j, r) && p->cutoff == NULL);
      slopes(p, r, i, j, slope);
      for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++)
          hess[at + d][at + e] += 4.0 * slope[1] * r[d] * r[e] + (d == e ? 2.0 * slope[0] : 0.0);
    }
  close_sites(&s);
}

/* --- wall ----------------------------------------------------------------------------------------------- */

/* The distance of a molecule's first site from the origin. */
static double distance(const PlainMolecule *m, const double *q)
{
  const double *x = q + m->first;
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void add_wall(const WallDescription *wall, int n, const PlainMolecule *molecule, const double *q,
                     double *f)
{
  for (int i = 0; i < n; i++) {
    const double r = distance(&molecule[i], q);
    for (int d = 0, at = molecule[i].first; d < 3 && r > wall->radius; d++)
      f[at + d] -= wall->stiffness * (r - wall->radius) * q[at + d] / r;
  }
}

static void block_of_wall(const WallDescription *wall, const PlainMolecule *m, const double *q,
                          double hess[PLAIN_MOST][PLAIN_MOST])
{
  const double r = distance(m, q), across = 1.0 - wall->radius / r;
  for (int d = 0; d < 3 && r > wall->radius; d++)
    for (int e = 0; e < 3; e++) {
      const double along = q[m->first + d] * q[m->first + e] / (r * r);
      hess[d][e] += wall->stiffness * (along + across * ((d == e ? 1.0 : 0.0) - along));
    }
}

/* --- the electric field ----------------------------------------------------------------------------------
 */

static void add_electric(const ElectricDescription *electric, int n, const PlainMolecule *molecule, double *f)
{
  for (int i = 0; i < electric->n; i++) {
    int at;
    (void)plain_forces_find(n, molecule, &electric->charge[i].atom, &at);
    for (int d = 0; d < 3; d++)
      f[at + d] += electric->charge[i].charge * electric->e[d];
  }
}

/* --- potentials inside ---------------------------------------------------------------------------------- */

static void add_inside(int n, const PlainMolecule *molecule, const double *q, double *f)
{
  for (int i = 0; i < n; i++) {
    const PlainMolecule *m = &molecule[i];
    PlainFunction at;
    for (int k = 0; k < m->kind->npotential; k++) {
      plain_function(m->kind, &m->kind->potential[k], q + m->first, NULL, &at);
      for (int c = 0; c < m->kind->nsite * m->kind->dim; c++)
        f[m->first + c] -= at.grad[c];
    }
  }
}

/* --- Fixman's potential --------------------------------------------------------------------------------- */

/* grad 1/2 kT ln det G = kT sum_c Hess g_c M^-1 sum_e (G^-1)_ce grad g_e, of one molecule. */
static void add_fixman_of(double kT, const PlainMolecule *m, const double *q, double *f)
{
  const int size = plain_size_of(m);
  double g[PLAIN_MOST], jacobian[PLAIN_MOST][PLAIN_MOST], gram[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS];
  plain_constraints(m, m->kept, q, g, jacobian);
  for (int c = 0; c < m->kept; c++) {
    PlainFunction at;
    double column[PLAIN_MOST] = {0}, u[PLAIN_MOST] = {0};
    column[c] = 1.0;
    for (int e = 0; e < m->kept; e++)
      for (int k = 0; k < m->kept; k++) {
        gram[e][k] = 0.0;
        for (int i = 0; i < size; i++)
          gram[e][k] += jacobian[e][i] * jacobian[k][i] / plain_mass_of(m, i);
      }
    plain_solve(m->kept, gram, column);
    for (int e = 0; e < m->kept; e++)
      for (int i = 0; i < size; i++)
        u[i] += column[e] * jacobian[e][i] / plain_mass_of(m, i);
    plain_function(m->kind, &m->kind->constraint[c], q, NULL, &at);
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        f[i] -= kT * at.hess[i][j] * u[j];
  }
}

void plain_forces_add(const ForceDescription *force, int n, const PlainMolecule *molecule, const double *q,
                      double *f)
{
  switch (force->form) {
  case FORM_INSIDE:
    add_inside(n, molecule, q, f);
    break;
  case FORM_PAIRS:
    add_pairs(&force->pairs, force->box, n, molecule, q, f);
    break;
  case FORM_WALL:
    add_wall(&force->wall, n, molecule, q, f);
    break;
  case FORM_TERMS:
    plain_terms_add(&force->terms, n, molecule, q, f);
    break;
  case FORM_RESTRAINTS:
    plain_terms_restrain(&force->restraints, force->box, n, molecule, q, f);
    break;
  case FORM_SPRINGS:
    plain_terms_pull(&force->springs, force->box, n, molecule, q, f);
    break;
  case FORM_ELECTRIC:
    add_electric(&force->electric, n, molecule, f);
    break;
  case FORM_FIXMAN:
    for (int i = 0; i < n; i++)
      add_fixman_of(force->fixman.kT, &molecule[i], q + molecule[i].first, f + molecule[i].first);
    break;
  }
}

void plain_forces_block(const ForceDescription *force, int n, const PlainMolecule *molecule, int i,
                        const double *q, double hess[PLAIN_MOST][PLAIN_MOST])
{
  if (force->form == FORM_PAIRS)
    block_of_pairs(&force->pairs, n, molecule, i, q, hess);
  else if (force->form == FORM_WALL)
    block_of_wall(&force->wall, &molecule[i], q, hess);
}
