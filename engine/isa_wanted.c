#include "engine/isa_wanted.h"

#include <stdlib.h>

Status isa_wanted(Isa *isa, Error *error)
{
  const char *name = getenv("HOLONOM_ISA");
  *isa = isa_best();
  return name != NULL ? isa_find(name, isa, error) : STATUS_OK;
}
