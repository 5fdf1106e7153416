/* Creates the parts of the periodic force. */
#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "forcefields/periodic_private.h"

bool periodic_build_charged(const Periodic *p)
{
  const Particles *const m = &p->particles;
  for (int b = 0; b < m->nblock; b++)
    if (site_map_charged(&m->kind[b].map))
      return true;
  for (int i = 0; m->atoms != NULL && i < m->nmol; i++)
    if (m->atoms->charge[i] != 0.0)
      return true;
  return false;
}

/* --- pairs ---------------------------------------------------------------------------------------------- */

static Status make_sites(Periodic *p, Error *error)
{
  Nonbonded nonbonded = p->options.nonbonded;
  if (!periodic_build_charged(p))
    nonbonded.coulomb = COULOMB_NONE;
  return sites_create(&p->sites, &p->particles, &p->box, &nonbonded, p->options.threads, p->options.isa,
                      error);
}

static Status make_list(Periodic *p, Error *error)
{
  const ListOptions options =
      sites_list(p->sites, &p->box, p->options.nonbonded.buffer, p->options.atoms_buffer);
  return list_create(&p->list, &options, p->particles.nmol, error);
}

/* --- mesh, tails and plain sum -------------------------------------------------------------------------- */

static MeshOptions mesh_options(const Periodic *p)
{
  const PeriodicOptions *o = &p->options;
  const Nonbonded *n = &o->nonbonded;
  return (MeshOptions){.particles = &p->particles,
                       .keep_net = o->keep_net,
                       .pme = {.box = &p->box,
                               .beta = n->beta,
                               .order = n->order,
                               .grid = {n->grid[0], n->grid[1], n->grid[2]},
                               .precision = n->mixed ? PME_FLOAT : PME_DOUBLE,
                               .threads = o->threads,
                               .isa = o->isa}};
}

/* Real parts are cut plainly, or switched off like Lennard-Jones. Both are proportional to 1/V and stored for
 * 1 A^3. */
static void make_tails(Periodic *p)
{
  const Nonbonded *o = &p->options.nonbonded;
  const Box unit = box_brick(1.0, 1.0, 1.0);
  LjCut cut = nonbonded_lj_cut(o);
  if (o->tail)
    ewald_tail_lj(&p->particles, &unit, &cut, p->tail);
  cut.truncation = o->truncation == TRUNCATION_SWITCH_PAIRS ? TRUNCATION_SWITCH : TRUNCATION_PLAIN;
  if (p->mesh != NULL)
    p->background = ewald_background(p->mesh->charge, o->beta);
  if (p->mesh != NULL && !o->by_atom)
    ewald_tail_real(&p->particles, &unit, o->beta, &cut, p->real_tail);
}

/* With errors far below those of the routes compared with it. */
static Status make_plain(Periodic *p, Error *error)
{
  const Nonbonded *o = &p->options.nonbonded;
  const EwaldOptions options = {
      .accuracy = 1e-10, .alpha = o->beta, .lj = nonbonded_lj_cut(o), .no_tail = !o->tail};
  return ewald_create(&p->plain, &p->particles, &p->box, &options, error);
}

static Status make_atoms(Periodic *p, const State *shape, Error *error)
{
  const PeriodicOptions *o = &p->options;
  if ((o->atoms->water >= 0) != (o->model != NULL))
    return error_set(
        error, STATUS_INPUT,
        "the atoms of a box must name a block of water if a water model is given, and only then");
  TRY(virtual_lanes_create(&p->virtual, o->atoms->topology, shape, o->isa, error));
  return atoms_create(&p->atoms, o->atoms, virtual_lanes_view(p->virtual, shape), error);
}

Status periodic_build(Periodic *p, const State *shape, Error *error)
{
  PeriodicOptions *o = &p->options;
  if (o->atoms != NULL)
    TRY(make_atoms(p, shape, error));
  shape = virtual_lanes_view(p->virtual, shape);
  TRY(particles_make(&p->particles, o->model, p->atoms, shape, error));
  p->box = shape->box;
  TRY(periodic_choose(o, &p->particles, shape, &p->choice, error));
  const size_t coordinates = o->nonbonded.coulomb == COULOMB_EWALD ? state_coordinates(shape) : 0;
  p->o = calloc((size_t)p->particles.nmol, sizeof *p->o);
  p->plain_f = malloc((coordinates + 1) * sizeof *p->plain_f);
  const bool pairs = p->particles.atoms != NULL && p->atoms->nexcluded > 0;
  if (pairs)
    p->atom = calloc((size_t)p->particles.nmol, sizeof *p->atom);
  TRY_MEMORY(p->o != NULL && p->plain_f != NULL && (!pairs || p->atom != NULL), "the periodic force", error);
  const bool solute = p->atoms != NULL && p->atoms->solute != NULL;
  if (o->nonbonded.coulomb == COULOMB_EWALD && solute)
    return error_input(error, "coulomb",
                       "'ewald' does not support alchemy; wanted: pme, which has any accuracy "
                       "(forces.accuracy), reaction-field or cutoff");
  if (o->nonbonded.coulomb == COULOMB_EWALD)
    return make_plain(p, error);
  TRY(make_sites(p, error));
  TRY(sites_make_stage(p->sites, &p->stage, error));
  TRY(make_list(p, error));
  const MeshOptions mesh = mesh_options(p);
  if (o->nonbonded.coulomb == COULOMB_PME && periodic_build_charged(p))
    TRY(mesh_create(&p->mesh, &mesh, shape, error));
  make_tails(p);
  return solute ? periodic_alchemy_make(p, &mesh, shape, error) : STATUS_OK;
}

/* Calls that can fail come first. The mesh stays; only its expected errors change. */
Status periodic_build_set_box(Periodic *p, const State *shape, Error *error)
{
  PmeChoice choice;
  const Box old = p->box;
  TRY(periodic_choose(&p->options, &p->particles, shape, &choice, error));
  if (p->list != NULL) {
    Images images;
    TRY(box_check(&shape->box, sites_image_cutoff(p->sites), "cutoff", error));
    TRY(images_find(
        &images, &shape->box,
        1.0001 * (sites_list_cutoff(p->sites) + fmax(p->options.nonbonded.buffer, p->options.atoms_buffer)),
        1.0, error));
  }
  p->box = shape->box;
  if (p->sites == NULL) {
    Ewald *const plain = p->plain;
    TRY_ELSE(make_plain(p, error), (p->box = old, p->plain = plain));
    ewald_free(plain);
    return STATUS_OK;
  }
  if (p->mesh != NULL)
    TRY_ELSE(pme_set_box(p->mesh->pme, &p->box, error), p->box = old);
  if (p->query != NULL)
    TRY(pme_set_box(p->query->pme, &p->box, error));
  TRY(list_set_box(p->list, error));
  TRY(sites_set_box(p->sites, &p->box, error));
  p->choice = choice;
  return STATUS_OK;
}

void periodic_build_free(Periodic *p)
{
  ewald_free(p->plain);
  mesh_free(p->mesh);
  mesh_free(p->query);
  alchemy_free(p->alchemy);
  sites_free(p->sites);
  stage_free(&p->stage);
  particles_free(&p->particles);
  list_free(p->list);
  atoms_free(p->atoms);
  virtual_lanes_free(p->virtual);
  free(p->o);
  free(p->atom);
  free(p->plain_f);
}
