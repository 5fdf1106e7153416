#include "tests/plain_forces.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int d = 0; d < 3; d++)
    c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

/* The molecule of an atom, and where its coordinates begin. */
static int find(int n, const PlainMolecule *molecule, const AtomIndex *atom, int *at)
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
    site.owner = find(n, molecule, &s->atom[k], &site.at[k]);
  for (int d = 0; d < 3; d++) {
    site.x[d] = q[site.at[0] + d];
    for (int k = 1; k < s->natom; k++)
      site.r[k - 1][d] = q[site.at[k] + d] - site.x[d];
  }
  cross(site.r[0], site.r[1], normal);
  for (int d = 0; d < 3 && s->natom > 1; d++)
    site.x[d] += s->weight[0] * site.r[0][d] + s->weight[1] * site.r[1][d] + s->weight[2] * normal[d];
  return site;
}

/* A force on a site goes to its atoms. */
static void hand_on(const SiteDescription *s, const Site *site, const double force[3], double *f)
{
  double first[3], second[3];
  cross(site->r[1], force, first);
  cross(force, site->r[0], second);
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

/* V' and V'' of a pair by the squared distance, and r = x_i - x_j. */
static void slopes(const PairsDescription *p, const Sites *s, int i, int j, double r[3], double slope[2])
{
  const double *lj = p->lj[p->site[i].type * p->ntype + p->site[j].type];
  double square = 0.0;
  for (int d = 0; d < 3; d++) {
    r[d] = s->site[i].x[d] - s->site[j].x[d];
    square += r[d] * r[d];
  }
  const double coulomb = p->coulomb * p->site[i].charge * p->site[j].charge / sqrt(square);
  const double a = lj[0] / pow(square, 6), c = lj[1] / pow(square, 3);
  slope[0] = (-0.5 * coulomb - 6.0 * a + 3.0 * c) / square;
  slope[1] = (0.75 * coulomb + 42.0 * a - 12.0 * c) / (square * square);
}

static void add_pairs(const PairsDescription *p, int n, const PlainMolecule *molecule, const double *q,
                      double *f)
{
  Sites s = open_sites(p, n, molecule, q);
  for (int i = 0; i < p->nsite; i++)
    for (int j = 0; j < i; j++) {
      double r[3], slope[2], force[3], back[3];
      if (s.blind[(size_t)i * (size_t)p->nsite + (size_t)j])
        continue;
      slopes(p, &s, i, j, r, slope);
      for (int d = 0; d < 3; d++) {
        force[d] = -2.0 * slope[0] * r[d];
        back[d] = -force[d];
      }
      hand_on(&p->site[i], &s.site[i], force, f);
      hand_on(&p->site[j], &s.site[j], back, f);
    }
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
      slopes(p, &s, i, j, r, slope);
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

void plain_forces_add(const ForceDescription *force, int n, const PlainMolecule *molecule, const double *q,
                      double *f)
{
  switch (force->form) {
  case FORM_INSIDE:
    add_inside(n, molecule, q, f);
    break;
  case FORM_PAIRS:
    add_pairs(&force->pairs, n, molecule, q, f);
    break;
  case FORM_WALL:
    add_wall(&force->wall, n, molecule, q, f);
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
