/* The valid name nearest to a wrong one, for messages: "unknown key 'timstep'; did you mean 'timestep'?" */
#ifndef HOLONOM_BASE_NEAREST_H
#define HOLONOM_BASE_NEAREST_H

#include <stddef.h>

/* The best of the candidates so far; names are borrowed. */
typedef struct Nearest {
  const char *word; /* the user's word */
  const char *name; /* the best so far, or NULL                  */
  double distance;
} Nearest;

Nearest nearest_start(const char *word);

/* Compares one candidate. Swaps, insertions, deletions and changes of letters cost 1 each; case and the
 * difference of '-' and '_' cost nothing; an abbreviation of at least three letters costs 1. Names farther
 * than a third of their letters are ignored. `extra` is added to the distance, to rank names from elsewhere
 * lower; the first of equal names wins. */
void nearest_try(Nearest *nearest, const char *name, double extra);

/* The end of a message: "; did you mean 'NAME'?", or `otherwise` without a near name. */
typedef struct NearestHint {
  char text[128];
} NearestHint;
NearestHint nearest_hint(const Nearest *nearest, const char *otherwise);

/* The path of the file next to `path` whose name is nearest to it, or "". */
const char *nearest_file(const char *path, char *text, size_t size);

#endif
