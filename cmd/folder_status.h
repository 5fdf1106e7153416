/* holonom status: where runs are, for people and for programs. */
#ifndef HOLONOM_CMD_FOLDER_STATUS_H
#define HOLONOM_CMD_FOLDER_STATUS_H

#include <stdio.h>

#include "cmd/run_status.h"

/* A folder: of a run, of several (a study, its points), or one that a study has not come to. */
typedef struct FolderStatus {
  char *path;
  bool is_run;
  RunStatus run; /* of a run */
  int n;         /* of several */
  struct FolderStatus *in;
} FolderStatus;

/* STATUS_INPUT: no run has been there, and no study; STATUS_MEMORY. */
Status folder_status_read(FolderStatus *folder, const char *path, Error *error);
void folder_status_free(FolderStatus *folder); /* all zero is fine */

/* A run with all that is known of it, or a line a run. */
void folder_status_print_run(const FolderStatus *folder, FILE *file);
void folder_status_print_rows(const FolderStatus *folder, int n, FILE *file);

/* How many of all runs are in which state, and when those at work and to come will have ended. */
void folder_status_print_sum(const FolderStatus *folder, FILE *file);

/* An object. */
void folder_status_print_json(const FolderStatus *folder, FILE *file);

#endif
