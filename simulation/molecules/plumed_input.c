#include "simulation/molecules/plumed_input.h"

#include "base/checksum.h"
#include "base/scoped.h"

/* PLUMED takes such a box for open space. */
static bool is_slab(const Box *box)
{
  int open = 0;
  for (int d = 0; d < 3; d++)
    open += box->h[d][d] == 0.0;
  return open == 1 || open == 2;
}

Status plumed_input_create(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->plumed == NULL)
    return STATUS_OK;
  if (is_slab(&s->box))
    return input_error(c->input, KEY(plumed), error,
                       "PLUMED needs a box that is periodic in all directions, or open space; this box is "
                       "open in one or two directions");
  SCOPED(scoped_free) char *path = config_path(c, c->plumed);
  TRY_MEMORY(path != NULL, "a file name", error);
  const PlumedOptions options = {
      .path = path, .topology = s->topology, .h = s->h, .kT = s->kT, .several = s->replicas > 1};
  Error why;
  const Status status = plumed_create(&system_molecules(s)->plumed, &options, &why);
  TRY(input_pass(c->input, KEY(plumed), status, &why, error));
  s->plumed = system_molecules(s)->plumed;
  const uint64_t digest = plumed_digest(s->plumed);
  s->digest = checksum_add(s->digest, &digest, sizeof digest);
  return STATUS_OK;
}
