/* The folder that a run writes into: what an earlier run left there is not written over unasked. */
#ifndef HOLONOM_APP_RUN_FOLDER_H
#define HOLONOM_APP_RUN_FOLDER_H

#include <stdbool.h>

#include "app/config.h"

/* Where results go unless it is said: FILE without folder and suffix, with ".out" behind. The caller frees
 * it; NULL: no memory. */
char *run_folder_default(const char *file);

/* Looked at before anything is computed. STATUS_INPUT if there are results and `force` is not set. */
Status run_folder_check(const char *dir, bool force, Error *error);

/* Takes away what earlier runs of any sort left, which would otherwise be taken for this run's. */
Status run_folder_clear(const char *dir, Error *error);

/* Writes input.yaml, the resolved input. */
Status run_folder_input(const Config *config, const char *dir, Error *error);

#endif
