/* PLUMED's kernel, a shared library that is loaded when a run needs it, through PLUMED's C interface
 * (plumed_symbol_table, since PLUMED 2.5; www.plumed.org, developer manual). The environment variable
 * PLUMED_KERNEL names the library. */
#ifndef HOLONOM_FORCEFIELDS_PLUMED_KERNEL_H
#define HOLONOM_FORCEFIELDS_PLUMED_KERNEL_H

#include <stdbool.h>

#include "base/status.h"

#define PLUMED_KERNEL_VARIABLE "PLUMED_KERNEL"

/* The library stays loaded until the program ends, since libraries of C++ cannot be unloaded safely. All
 * zero: not loaded. */
typedef struct PlumedKernel {
  const struct PlumedTable *table;
  bool threads; /* several threads may call at once, each with an instance of its own: PLUMED 2.9 and later */
} PlumedKernel;

/* Loads the kernel, unless that is done. STATUS_INPUT: the variable is not set, or names no such library. */
Status plumed_kernel_load(PlumedKernel *kernel, Error *error);

/* Makes an instance of PLUMED, and frees it (may be NULL). STATUS_RUN: PLUMED makes none. */
Status plumed_kernel_create(const PlumedKernel *kernel, void **instance, Error *error);
void plumed_kernel_free(const PlumedKernel *kernel, void *instance);

/* Sends a command with its value, such as "setNatoms" with a pointer to int. STATUS_RUN: PLUMED reports an
 * error; the message is its own, on one line. */
Status plumed_kernel_call(const PlumedKernel *kernel, void *instance, const char *command, const void *value,
                          Error *error);

#endif
