#include "simulation/molecules/plumed_input.h"

#include "base/checksum.h"
#include "base/scoped.h"

Status plumed_input_create(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->plumed == NULL)
    return STATUS_OK;
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
