/* Reads and prints the state of runs for 'holonom status', as text or JSON. */
#ifndef HOLONOM_CMD_FOLDER_STATUS_H
#define HOLONOM_CMD_FOLDER_STATUS_H

#include <stdio.h>

#include "cmd/run_status.h"

/* The folder of a run, of several runs (a study, its points), or of a run that a study has not started. */
typedef struct FolderStatus {
  char *path;
  bool is_run;
  RunStatus run; /* if is_run */
  int n;         /* number of folders in `in` */
  struct FolderStatus *in;
} FolderStatus;

/* STATUS_INPUT: neither a run nor a study has used the folder; STATUS_MEMORY. */
Status folder_status_read(FolderStatus *folder, const char *path, Error *error);
void folder_status_free(FolderStatus *folder); /* accepts all zero */

/* Prints one run in full; prints n runs, one per line. */
void folder_status_print_run(const FolderStatus *folder, FILE *file);
void folder_status_print_rows(const FolderStatus *folder, int n, FILE *file);

/* Prints the number of runs in each state, and when the running and waiting ones will have ended. */
void folder_status_print_sum(const FolderStatus *folder, FILE *file);

/* Prints a JSON object. */
void folder_status_print_json(const FolderStatus *folder, FILE *file);

#endif
