/* An advisory lock on a folder, by a file in it: two runs at once would mix their rows. The system releases
 * it when the program ends, in whatever way. */
#ifndef HOLONOM_BASE_FOLDER_LOCK_H
#define HOLONOM_BASE_FOLDER_LOCK_H

#include "base/status.h"

#define FOLDER_LOCK "holonom.lock"

typedef struct FolderLock FolderLock;

/* Locks dir/holonom.lock (flock; over NFS Linux makes a lock of the file server of it), which says who holds
 * it. STATUS_INPUT: another program does; the message says which, and since when. STATUS_IO: the folder
 * cannot be written; STATUS_MEMORY. A file system without locks is no error: see folder_lock_failure. */
Status folder_lock(FolderLock **lock, const char *dir, Error *error);

/* Why there is no lock, in the system's words; NULL if there is one, or `lock` is NULL. */
const char *folder_lock_failure(const FolderLock *lock);

/* Takes the file away and releases the lock. NULL is fine. */
void folder_lock_release(FolderLock *lock);

/* How a folder is used. */
typedef enum FolderUse {
  FOLDER_FREE,    /* nobody holds it                                                      */
  FOLDER_HELD,    /* a run is at work in it                                               */
  FOLDER_LEFT,    /* its last holder was killed, or its machine went down: the file stays */
  FOLDER_UNLOCKED /* as that, or held: the file system has no locks                       */
} FolderUse;

/* Memory for "process 17 on HOST since 2026-11-25 18:07". */
enum { FOLDER_HOLDER = 256 };

/* Looks without writing: a lock of a moment, which a run that begins just then waits for. who: what the
 * holder, or the last one, has written of itself, of any bytes but newlines; "": nothing. */
FolderUse folder_lock_look(const char *dir, char who[FOLDER_HOLDER]);

#endif
