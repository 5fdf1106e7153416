/* The instruction set that a user wants. */
#ifndef HOLONOM_ENGINE_ISA_WANTED_H
#define HOLONOM_ENGINE_ISA_WANTED_H

#include "engine/isa.h"

/* That which the environment variable HOLONOM_ISA names, or else the best. STATUS_INPUT for an unknown one or
 * one that this machine lacks. */
Status isa_wanted(Isa *isa, Error *error);

#endif
