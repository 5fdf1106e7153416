/* The plain Ewald sum in place of lists and mesh. */
#include <stdlib.h>

#include "forcefields/periodic_private.h"

/* Of forces, relative: far below all that it is compared with. */
static const double converged = 1e-10;

struct PeriodicPlain {
  MixtureEwald *ewald;
  double *f; /* of all atoms, block after block */
  EwaldResult result;
};

Status periodic_plain_create(PeriodicPlain **plain, const Mixture *mixture, const Box *box,
                             const PeriodicOptions *o, Error *error)
{
  size_t natom = 0;
  for (int b = 0; b < mixture->nblock; b++)
    natom += (size_t)mixture->kind[b].nmol * (size_t)mixture->kind[b].map.natom;
  const EwaldOptions options = {.accuracy = converged,
                                .alpha = o->beta,
                                .lj_cutoff = o->cutoff,
                                .lj_switch = o->cutoff - o->switch_width,
                                .truncation = o->truncation,
                                .lj_by_molecule = !o->by_atom};
  PeriodicPlain *p = calloc(1, sizeof *p);
  if (p == NULL)
    return error_memory(error, "an Ewald sum");
  p->f = malloc((3 * natom + 1) * sizeof *p->f);
  const Status status = p->f != NULL ? mixture_ewald_create(&p->ewald, mixture, box, &options, error)
                                     : error_memory(error, "an Ewald sum");
  if (status != STATUS_OK) {
    periodic_plain_free(p);
    return status;
  }
  *plain = p;
  return STATUS_OK;
}

void periodic_plain_free(PeriodicPlain *p)
{
  if (p == NULL)
    return;
  mixture_ewald_free(p->ewald);
  free(p->f);
  free(p);
}

static void add_forces(const double *f, const Team *team, State *state)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const int nsite = block->kind->nsite;
    int begin, end;
    team_range(team, block->nmol, &begin, &end);
    for (int i = begin; i < end; i++)
      for (int k = 0; k < 3 * nsite; k++)
        *state_element(block, block->f, 1, i, 0, k / 3, k % 3) += f[3 * nsite * i + k];
    f += (size_t)3 * (size_t)nsite * (size_t)block->nmol;
  }
}

Status periodic_plain_add(PeriodicPlain *p, const Team *team, State *state, double energy[EWALD_TERMS],
                          double virial[3][3], Error *error)
{
  const Status status = mixture_ewald_compute(p->ewald, team, state, p->f, &p->result, error);
  if (status != STATUS_OK && error != NULL)
    error->status = status == STATUS_INPUT ? STATUS_RUN : status;
  if (status != STATUS_OK)
    return status == STATUS_INPUT ? STATUS_RUN : status;
  add_forces(p->f, team, state);
  for (int t = 0; t < EWALD_TERMS && team->rank == 0; t++)
    energy[t] = p->result.energy[t];
  for (int k = 0; k < 9 && team->rank == 0; k++)
    virial[k / 3][k % 3] = p->result.virial_atom[k / 3][k % 3];
  team_barrier(team);
  return STATUS_OK;
}
