/* The nearest valid name, for messages: "unknown key 'timstep'; did you mean 'timestep'?" */
#ifndef HOLONOM_BASE_NEAREST_H
#define HOLONOM_BASE_NEAREST_H

#include <stddef.h>

/* Keeps the best of the names that it is shown; the names are borrowed. */
typedef struct Nearest {
  const char *word; /* what the user wrote                       */
  const char *name; /* the best so far, or NULL                  */
  double distance;
} Nearest;

Nearest nearest_start(const char *word);

/* Looks at one candidate: swaps, insertions, deletions and changes of letters cost 1 each, case and the
 * difference of '-' and '_' nothing; an abbreviation of at least three letters counts as one change.
 * Names further off than a third of their letters are not taken. `extra` is added to the distance, so
 * that names from elsewhere lose against equally near ones from here; on a tie the first wins. */
void nearest_try(Nearest *nearest, const char *name, double extra);

/* "; did you mean 'NAME'?" of the best name, or `otherwise` if there is none, to end a message with. */
typedef struct NearestHint {
  char text[128];
} NearestHint;
NearestHint nearest_hint(const Nearest *nearest, const char *otherwise);

/* The file beside `path` whose name is nearest to it, as a path, or "" if none is near. */
const char *nearest_file(const char *path, char *text, size_t size);

#endif
