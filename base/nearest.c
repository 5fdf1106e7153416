#include "base/nearest.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 80 };

Nearest nearest_start(const char *word) { return (Nearest){word, NULL, 1e9}; }

static int fold(char c) { return c == '_' || c == ' ' ? '-' : tolower((unsigned char)c); }

static int smaller(int a, int b) { return a < b ? a : b; }

/* The edit distance with swaps of neighbours (optimal string alignment), with three rows of the table. */
static int edit_distance(const char *a, const char *b)
{
  const int na = (int)strlen(a), nb = (int)strlen(b);
  int row[3][WORD_MAX + 1];
  int *before = row[0], *above = row[1], *here = row[2];
  for (int j = 0; j <= nb; j++)
    above[j] = j;
  for (int i = 1; i <= na; i++) {
    here[0] = i;
    for (int j = 1; j <= nb; j++) {
      const int change = fold(a[i - 1]) != fold(b[j - 1]);
      here[j] = smaller(smaller(above[j], here[j - 1]) + 1, above[j - 1] + change);
      const int swapped =
          i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]);
      if (swapped)
        here[j] = smaller(here[j], before[j - 2] + 1);
    }
    int *const oldest = before;
    before = above;
    above = here;
    here = oldest;
  }
  return above[nb];
}

void nearest_try(Nearest *nearest, const char *name, double extra)
{
  const size_t n = strlen(nearest->word), m = strlen(name);
  if (n == 0 || n > WORD_MAX || m > WORD_MAX)
    return;
  const int abbreviated = n >= 3 && m > n && strncasecmp(nearest->word, name, n) == 0;
  const int edits = abbreviated ? 1 : edit_distance(nearest->word, name);
  const size_t longer = n > m ? n : m;
  if (3 * (size_t)edits > longer + 1 || edits >= (int)longer)
    return;
  const double distance = edits + extra;
  if (distance < nearest->distance) {
    nearest->distance = distance;
    nearest->name = name;
  }
}

NearestHint nearest_hint(const Nearest *nearest, const char *otherwise)
{
  NearestHint hint;
  snprintf(hint.text, sizeof hint.text, nearest->name != NULL ? "; did you mean '%s'?" : "%s",
           nearest->name != NULL ? nearest->name : otherwise);
  return hint;
}

const char *nearest_file(const char *path, char *text, size_t size)
{
  text[0] = '\0';
  const char *const slash = strrchr(path, '/');
  const char *const name = slash != NULL ? slash + 1 : path;
  const int nfolder = slash != NULL ? (int)(slash - path) + 1 : 0;
  char folder[1024];
  if ((size_t)nfolder >= sizeof folder)
    return text;
  snprintf(folder, sizeof folder, "%.*s", nfolder, path);
  DIR *const dir = opendir(nfolder > 0 ? folder : ".");
  if (dir == NULL)
    return text;
  Nearest nearest = nearest_start(name);
  for (const struct dirent *file = readdir(dir); file != NULL; file = readdir(dir)) {
    const double before = nearest.distance;
    nearest_try(&nearest, file->d_name, 0.0);
    if (nearest.distance < before)
      snprintf(text, size, "%s%s", folder, file->d_name);
  }
  closedir(dir);
  return text;
}
