#include "forcefields/mixture.h"

#include <stdlib.h>
#include <string.h>

#include "forcefields/ewald_private.h"

/* The kind's centre of mass is at the origin. */
static void fill_kind(MixtureKind *k, const Kind *kind)
{
  double x[3 * SITE_MAP_SITES];
  site_map_sites(&k->map, kind->reference, x);
  for (int s = 0; s < k->map.nsite; s++) {
    double dot = 0.0;
    for (int d = 0; d < 3; d++)
      dot -= x[d] * (x[3 * s + d] - x[d]);
    k->mass[s] = s < k->map.natom ? kind->mass[s] : 0.0;
    k->arm[s] = s > 0 ? dot / k->map.bond[s] : 0.0;
  }
}

static Status check(const MixturePart *part, const State *shape, Error *error)
{
  if (shape->width != 1 || shape->nblock > MIXTURE_BLOCKS)
    return error_set(error, STATUS_INPUT,
                     "forces of a periodic box want one replica and at most %d kinds, not %d and %d",
                     MIXTURE_BLOCKS, shape->width, shape->nblock);
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind;
    const int natom = part[b].water != NULL ? 3 : 1;
    if ((part[b].water == NULL) == (part[b].species == NULL) || kind->dim != 3 || kind->nsite != natom)
      return error_set(error, STATUS_INPUT,
                       "kind %d (%s) of the box is neither a water nor of the one atom of a species", b + 1,
                       kind->name);
  }
  return STATUS_OK;
}

Status mixture_make(Mixture *mixture, const MixturePart *part, const State *shape, Error *error)
{
  const Status status = check(part, shape, error);
  if (status != STATUS_OK)
    return status;
  *mixture = (Mixture){.nblock = shape->nblock};
  for (int b = 0; b < shape->nblock; b++) {
    MixtureKind *k = &mixture->kind[b];
    k->part = part[b];
    k->nmol = shape->block[b].nmol;
    k->map = part[b].water != NULL ? water_site_map(part[b].water) : species_site_map(part[b].species);
    fill_kind(k, shape->block[b].kind);
    mixture->first[b] = mixture->nmol;
    mixture->nmol += k->nmol;
    mixture->first[b + 1] = mixture->nmol;
  }
  for (int a = 0; a < shape->nblock; a++)
    for (int b = 0; b < shape->nblock; b++)
      species_mix(&mixture->kind[a].map, &mixture->kind[b].map, mixture->lj[a][b]);
  return STATUS_OK;
}

void mixture_tail(const Mixture *m, const Box *box, const EwaldOptions *options, double tail[2])
{
  double count[MIXTURE_BLOCKS], lj[MIXTURE_BLOCKS * MIXTURE_BLOCKS][2];
  for (int a = 0; a < m->nblock; a++) {
    count[a] = m->kind[a].nmol;
    for (int b = 0; b < m->nblock; b++)
      memcpy(lj[a * m->nblock + b], m->lj[a][b], sizeof *lj);
  }
  const EwaldCut cut = ewald_lj_cut(options);
  ewald_tail_compute(m->nblock, count, (const double(*)[2])lj, box, &cut, tail);
}

void mixture_real_tail(const Mixture *m, const Box *box, const EwaldOptions *options, double tail[2])
{
  double count[MIXTURE_BLOCKS];
  EwaldShells shells[MIXTURE_BLOCKS];
  for (int b = 0; b < m->nblock; b++) {
    const MixtureKind *k = &m->kind[b];
    count[b] = k->nmol;
    shells[b] = (EwaldShells){k->map.nsite, k->map.charge, k->map.bond, k->arm};
  }
  const EwaldCut cut = ewald_lj_cut(options);
  ewald_tail_real(m->nblock, count, shells, options->alpha, box, &cut, tail);
}

/* --- all sites, as an Ewald sum wants them -------------------------------------------------------------- */

typedef struct Flat {
  EwaldSystem system;
  int *first, *type;
  double *charge, *mass, *x, *f;
  double (*lj)[2];
} Flat;

static void flat_free(Flat *s)
{
  free(s->first);
  free(s->type);
  free(s->charge);
  free(s->mass);
  free(s->x);
  free(s->f);
  free(s->lj);
}

static size_t count_sites(const Mixture *m)
{
  size_t n = 0;
  for (int b = 0; b < m->nblock; b++)
    n += (size_t)m->kind[b].nmol * (size_t)m->kind[b].map.nsite;
  return n;
}

/* Types: the blocks' first sites, and one of all that has no Lennard-Jones. */
static Status flat_make(Flat *s, const Mixture *m, Error *error)
{
  const size_t n = count_sites(m), types = (size_t)m->nblock + 1;
  *s = (Flat){.first = malloc(((size_t)m->nmol + 1) * sizeof *s->first),
              .type = malloc((n + 1) * sizeof *s->type),
              .charge = malloc((n + 1) * sizeof *s->charge),
              .mass = malloc((n + 1) * sizeof *s->mass),
              .x = malloc((3 * n + 1) * sizeof *s->x),
              .f = malloc((3 * n + 1) * sizeof *s->f),
              .lj = calloc(types * types, sizeof *s->lj)};
  if (s->first == NULL || s->type == NULL || s->charge == NULL || s->mass == NULL || s->x == NULL ||
      s->f == NULL || s->lj == NULL) {
    flat_free(s);
    return error_memory(error, "the sites of a box");
  }
  for (size_t a = 0; a + 1 < types; a++)
    for (size_t b = 0; b + 1 < types; b++)
      memcpy(s->lj[a * types + b], m->lj[a][b], sizeof *s->lj);
  int molecule = 0, at = 0;
  for (int b = 0; b < m->nblock; b++)
    for (int i = 0; i < m->kind[b].nmol; i++) {
      s->first[molecule++] = at;
      for (int k = 0; k < m->kind[b].map.nsite; k++, at++) {
        s->type[at] = k == 0 ? b : m->nblock;
        s->charge[at] = m->kind[b].map.charge[k];
        s->mass[at] = m->kind[b].mass[k];
      }
    }
  s->first[molecule] = at;
  s->system =
      (EwaldSystem){m->nmol, s->first, s->charge, s->mass, s->type, (int)types, (const double(*)[2])s->lj};
  return STATUS_OK;
}

static void place(const Mixture *m, const State *state, double *x)
{
  for (int b = 0; b < m->nblock; b++) {
    const SiteMap *map = &m->kind[b].map;
    const Block *block = &state->block[b];
    for (int i = 0; i < m->kind[b].nmol; i++, x += 3 * map->nsite) {
      double atom[3 * SITE_MAP_ATOMS];
      for (int k = 0; k < 3 * map->natom; k++)
        atom[k] = *state_element(block, block->q, 1, i, 0, k / 3, k % 3);
      site_map_sites(map, atom, x);
    }
  }
}

/* Forces on atoms in place of those on sites, and what they change in the virial. */
static void gather(const Mixture *m, const double *x, const double *from, double *f, EwaldResult *result)
{
  for (int b = 0; b < m->nblock; b++) {
    const SiteMap *map = &m->kind[b].map;
    for (int i = 0; i < m->kind[b].nmol; i++, x += 3 * map->nsite, from += 3 * map->nsite) {
      site_map_virial(map, x, from, result->virial_atom);
      if (f == NULL)
        continue;
      memset(f, 0, 3 * (size_t)map->natom * sizeof *f);
      site_map_forces(map, x, from, f);
      f += 3 * map->natom;
    }
  }
}

struct MixtureEwald {
  Mixture mixture;
  Flat flat;
  Ewald *ewald;
  double tail[2]; /* of the real part */
};

void mixture_ewald_free(MixtureEwald *w)
{
  if (w == NULL)
    return;
  ewald_free(w->ewald);
  flat_free(&w->flat);
  free(w);
}

Status mixture_ewald_create(MixtureEwald **ewald, const Mixture *mixture, const Box *box,
                            const EwaldOptions *options, Error *error)
{
  *ewald = NULL;
  MixtureEwald *w = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "an Ewald sum");
  w->mixture = *mixture;
  Status status = flat_make(&w->flat, mixture, error);
  if (status != STATUS_OK) {
    free(w);
    return status;
  }
  status = ewald_create(&w->ewald, &w->flat.system, box, options, error);
  if (status != STATUS_OK) {
    mixture_ewald_free(w);
    return status;
  }
  if (options->real_by_molecule)
    mixture_real_tail(mixture, box, &(EwaldOptions){.alpha = options->alpha, .lj_cutoff = options->cutoff},
                      w->tail);
  *ewald = w;
  return STATUS_OK;
}

static void add_tail(const MixtureEwald *w, EwaldResult *result)
{
  result->energy[EWALD_REAL_TAIL] = w->tail[0];
  for (int d = 0; d < 3; d++) {
    result->virial_atom[d][d] += w->tail[1];
    result->virial_molecule[d][d] += w->tail[1];
  }
}

Status mixture_ewald_compute(MixtureEwald *w, const Team *team, const State *state, double *f,
                             EwaldResult *result, Error *error)
{
  team_barrier(team);
  if (team->rank == 0)
    place(&w->mixture, state, w->flat.x);
  team_barrier(team);
  const Status status = ewald_compute(w->ewald, team, w->flat.x, w->flat.f, result, error);
  if (status == STATUS_OK && team->rank == 0) {
    gather(&w->mixture, w->flat.x, w->flat.f, f, result);
    add_tail(w, result);
  }
  team_barrier(team);
  return status;
}

Status mixture_ewald(const Mixture *mixture, const State *state, const EwaldOptions *options, double *f,
                     EwaldResult *result, Error *error)
{
  MixtureEwald *w;
  const Team team = team_alone();
  Status status = mixture_ewald_create(&w, mixture, &state->box, options, error);
  if (status == STATUS_OK)
    status = mixture_ewald_compute(w, &team, state, f, result, error);
  mixture_ewald_free(w);
  return status;
}
