/* An advisory lock on a folder, by a file in it, that prevents two concurrent runs in one folder. The system
 * releases it when the program ends in any way. */
#ifndef HOLONOM_BASE_FOLDER_LOCK_H
#define HOLONOM_BASE_FOLDER_LOCK_H

#include "base/status.h"

#define FOLDER_LOCK "holonom.lock"

typedef struct FolderLock FolderLock;

/* Locks dir/holonom.lock (flock; over NFS, Linux locks on the file server). The file names the process.
 * Errors: STATUS_INPUT (another program has the lock; the message names it and its start), STATUS_IO (the
 * folder cannot be written), STATUS_MEMORY. A file system without locks is no error: see
 * folder_lock_failure. */
Status folder_lock(FolderLock **lock, const char *dir, Error *error);

/* The system's reason why there is no lock; NULL if there is one, or `lock` is NULL. */
const char *folder_lock_failure(const FolderLock *lock);

/* Removes the file and releases the lock. NULL is allowed. */
void folder_lock_release(FolderLock *lock);

/* The state of a folder. */
typedef enum FolderUse {
  FOLDER_FREE,    /* not locked */
  FOLDER_HELD,    /* a run is active */
  FOLDER_LEFT,    /* the last run was killed, or its machine failed: the file exists without a lock */
  FOLDER_UNLOCKED /* either of these two: the file system has no locks */
} FolderUse;

/* Memory for a text such as "process 17 on HOST since 2026-11-25 18:07". */
enum { FOLDER_HOLDER = 256 };

/* Returns the state of a folder, by a momentary lock for which a starting run waits; writes nothing. who: the
 * text of the present or last run, any bytes but newlines; "": no text. */
FolderUse folder_lock_look(const char *dir, char who[FOLDER_HOLDER]);

#endif
