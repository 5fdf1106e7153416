#include "simulation/molecules/freeze.h"

#include <stdlib.h>

#include "base/scoped.h"
#include "simulation/molecules/system_frames.h"
#include "topology/select.h"

SCOPED_POINTER(Topology, topology_free)

/* Selects chosen[atoms of the topology]. */
static Status select_frozen(const Simulation *s, const Topology *topology, bool *chosen, int *n, Error *error)
{
  SCOPED(labels_free) Labels labels = {0};
  const Config *c = s->config;
  char none[SELECT_WORDS];
  Error why;
  TRY(system_frames_labels(s, topology, &labels, error));
  TRY(input_pass(c->input, KEY(freeze), select_atoms(&labels, c->freeze, chosen, n, &why), &why, error));
  if (*n == 0)
    return input_error(c->input, KEY(freeze), error, "'%.100s' %s", c->freeze,
                       select_none(labels.nsort, labels.sort, c->freeze, none));
  if (*n == labels.natom)
    return input_error(
        c->input, KEY(freeze), error,
        "'%.100s' selects all %d atoms, so nothing would move; 'holonom energy' computes the energy "
        "of one configuration",
        c->freeze, *n);
  return STATUS_OK;
}

/* Converts atoms of the topology to all atoms of the molecules' files, where virtual sites are not frozen. */
static void to_files(const Groups *groups, const bool *chosen, bool *frozen)
{
  const Molecules *all = groups->molecules;
  for (int c = 0; c < all->ncount; c++) {
    const GroupsMolecule *of = &groups->molecule[all->count[c].molecule];
    for (int n = 0; n < all->count[c].n; n++) {
      for (int i = 0; i < of->natom; i++)
        frozen[of->file[i]] = chosen[i];
      chosen += of->natom;
      frozen += of->molecule->natom;
    }
  }
}

Status freeze_apply(Simulation *s, const int **like, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  SCOPED(topology_free_at) Topology *topology = NULL;
  TRY(groups_topology(w->groups, -1, &topology, error));
  SCOPED(scoped_free) bool *chosen = calloc((size_t)topology->natom, sizeof *chosen);
  SCOPED(scoped_free) bool *frozen = calloc(groups_file_atoms(w->groups), sizeof *frozen);
  TRY_MEMORY(chosen != NULL && frozen != NULL, "frozen atoms", error);
  TRY(select_frozen(s, topology, chosen, &w->nfrozen, error));
  to_files(w->groups, chosen, frozen);
  return molecules_freeze(w->molecules, frozen, like, error);
}

void freeze_atoms(const Topology *topology, bool *frozen)
{
  for (int b = 0, lane = 0; b < topology->nblock; b++)
    for (int i = 0; i < topology->lanes[b]; i++, lane++)
      for (int site = 0; site < topology->block[b]->nsite; site++)
        frozen[topology_place(topology, lane, site) / (size_t)topology->dim] = topology->block[b]->frozen;
}

bool freeze_thaws(const Simulation *s) { return s->config->system.start != START_FILE; }
