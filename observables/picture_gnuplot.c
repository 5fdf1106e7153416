#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/tool.h"
#include "observables/picture_private.h"

/* Whether a picture has arrived as a whole: gnuplot does not tell of a full disk. A file that is not there is
 * no failure of writing: gnuplot may have been built without that format. */
static bool whole_picture(const char *path, const char *end)
{
  enum { TAIL = 12 };
  char tail[TAIL + 1] = {0};
  FILE *file;
  if (access(path, F_OK) != 0)
    return true;
  if (file_open(&file, path, NULL) != STATUS_OK)
    return false;
  bool same = fseeko(file, -(off_t)TAIL, SEEK_END) == 0 && fread(tail, 1, TAIL, file) == TAIL;
  for (int i = 0; i < TAIL; i++)
    if (tail[i] == '\0')
      tail[i] = ' ';
  same = same && strstr(tail, end) != NULL;
  fclose(file); /* only read */
  return same;
}

Status picture_gnuplot_draw(const char *dir, const char *name, Error *error)
{
  static const char *const suffix[] = {"gp", "gp.log", "svg", "png", "pdf"};
  enum { SCRIPT, LOG, SVG, PNG, PDF, FILES };
  const size_t n = strlen(name) + 8;
  char *file[FILES] = {0}, *path[FILES] = {0};
  int whole = 1;
  for (int k = 0; k < FILES; k++) {
    file[k] = malloc(n);
    if (file[k] != NULL) {
      snprintf(file[k], n, "%s.%s", name, suffix[k]);
      path[k] = file_path(dir, file[k]);
    }
    whole = whole && path[k] != NULL;
  }
  Status status = STATUS_OK;
  if (!whole)
    status = error_memory(error, "file names");
  else {
    unlink(path[LOG]);
    unlink(path[SVG]); /* else an old picture would stand beside new data if gnuplot fails */
    unlink(path[PNG]);
    unlink(path[PDF]);
    const char *const command[] = {"gnuplot", file[SCRIPT], NULL};
    const int result = tool_run(dir, command, file[LOG]);
    const bool missing = result < 0 || result == 127;
    if (missing || result == 0)
      unlink(path[LOG]);
    if (missing)
      status = error_set(
          error, STATUS_RUN,
          "gnuplot cannot be started. The data and the script are there: install it (Debian: apt-get "
          "install gnuplot-nox) and say: cd %s && gnuplot %s",
          dir, file[SCRIPT]);
    else if (result != 0)
      status = error_set(error, STATUS_RUN, "gnuplot failed on %s with status %d; it says why in %s",
                         path[SCRIPT], result, path[LOG]);
    else if (!whole_picture(path[SVG], "</svg>") || !whole_picture(path[PNG], "IEND") ||
             !whole_picture(path[PDF], "%%EOF")) {
      status = error_set(error, STATUS_IO,
                         "writing %s, its .png and its .pdf: gnuplot could not write all of them", path[SVG]);
      unlink(path[SVG]);
      unlink(path[PNG]);
      unlink(path[PDF]);
    }
  }
  for (int k = 0; k < FILES; k++) {
    free(file[k]);
    free(path[k]);
  }
  return status;
}
