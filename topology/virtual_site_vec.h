/* Virtual sites, a register of lanes at a time. */
#ifndef HOLONOM_TOPOLOGY_VIRTUAL_SITE_VEC_H
#define HOLONOM_TOPOLOGY_VIRTUAL_SITE_VEC_H

#include "engine/vec.h"
#include "topology/virtual_site.h"

VIRTUAL_SITE_FUNCTIONS(vd, vd, vd_sqrt)

#endif
