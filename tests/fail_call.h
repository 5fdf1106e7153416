/* Runs a program whose n-th file call of one kind fails, by tracing it (ptrace): what a preloaded library
 * cannot do, since it does not see the calls inside stdio. */
#ifndef HOLONOM_TESTS_FAIL_CALL_H
#define HOLONOM_TESTS_FAIL_CALL_H

#include <stdbool.h>

typedef enum FailKind {
  FAIL_WRITE,  /* write, pwrite: no space left                                                     */
  FAIL_SYNC,   /* fsync: an error of the device                                                    */
  FAIL_RENAME, /* rename, link: no space left                                                      */
  FAIL_OPEN,   /* open: too many files                                                             */
  FAIL_CLOSE,  /* close, after closing: an error of the device                                     */
  FAIL_REMOVE, /* unlink, ftruncate, mkdir: permission denied                                      */
  FAIL_CUT,    /* ftruncate: an error of the device                                                */
  FAIL_MEMORY, /* brk, mmap, from the n-th on: no memory                                           */
  FAIL_KILL,   /* killed at the n-th of all these calls but those for memory                       */
  FAIL_KINDS
} FailKind;

extern const char *const fail_call_names[FAIL_KINDS];

typedef struct FailResult {
  int code;         /* exit code, or minus the number of the signal that ended it */
  long calls;       /* of that kind, the failed one included                      */
  char words[4096]; /* stdout and stderr                                          */
} FailResult;

/* Whether this machine lets one program trace another, and this file knows how. */
bool fail_call_possible(void);

/* Runs argv in a folder; calls count from the program's first fcntl (from main on). n = 0: none fails. */
FailResult fail_call(const char *folder, char *const argv[], FailKind kind, long n);

#endif
