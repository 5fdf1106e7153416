#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/ticks.h"
#include "base/tool.h"
#include "observables/picture_private.h"

/* Whether a picture is complete: gnuplot does not report a full disk. A missing file is not an error: gnuplot
 * may lack that format. */
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
  fclose(file); /* was only read */
  return same;
}

/* Formats of gnuplot, and the ends of complete files. */
static const char *const drawn[] = {"svg", "png", "pdf"}, *const ends[] = {"</svg>", "IEND", "%%EOF"};
enum { DRAWN = 3, GNUPLOT_SECONDS = 60 };

/* The path dir/NAME.suffix, which the caller frees; NULL: no memory. */
static char *path_of(const char *dir, const char *name, const char *suffix)
{
  char *path;
  return asprintf(&path, "%s/%s.%s", dir, name, suffix) < 0 ? NULL : path;
}

static void take_away(const char *dir, const char *name, const char *suffix)
{
  char *path = path_of(dir, name, suffix);
  if (path != NULL)
    (void)unlink(path);
  free(path);
}

static void take_pictures(const char *dir, const char *name)
{
  for (int k = 0; k < DRAWN; k++)
    take_away(dir, name, drawn[k]);
}

void picture_gnuplot_remove(const char *dir, const char *name)
{
  take_pictures(dir, name);
  take_away(dir, name, "gp.log");
}

static bool all_whole(const char *dir, const char *name)
{
  bool whole = true;
  for (int k = 0; k < DRAWN; k++) {
    char *path = path_of(dir, name, drawn[k]);
    whole = whole && path != NULL && whole_picture(path, ends[k]);
    free(path);
  }
  return whole;
}

static Status failure(ToolEnd end, int code, const char *dir, const char *name, Error *error)
{
  switch (end) {
  case TOOL_MISSING:
    return error_set(error, STATUS_RUN,
                     "gnuplot cannot be started; data and script are written. Install it (Debian: apt-get "
                     "install gnuplot-nox) and run: cd %s && gnuplot %s.gp",
                     dir, name);
  case TOOL_SLOW:
    return error_set(
        error, STATUS_RUN,
        "gnuplot did not finish %s/%s.gp within %d seconds and was ended; its messages are in %s.gp.log", dir,
        name, GNUPLOT_SECONDS, name);
  case TOOL_STOPPED:
    return error_set(error, STATUS_RUN, "gnuplot was ended at %s/%s.gp because the program was asked to stop",
                     dir, name);
  case TOOL_ENDED:
    break;
  }
  return error_set(error, STATUS_RUN, "gnuplot failed on %s/%s.gp with status %d; see %s.gp.log", dir, name,
                   code, name);
}

static Status draw_within(const char *dir, const char *name, double seconds, Error *error)
{
  char script[256], log[256];
  (void)snprintf(script, sizeof script, "%s.gp", name);
  (void)snprintf(log, sizeof log, "%s.gp.log", name);
  int code;
  ToolEnd end = tool_run(dir, (const char *const[]){"gnuplot", "-d", script, NULL}, log, seconds,
                         &code);        /* -d: no start-up files in any folder */
  if (end == TOOL_SLOW && stop_asked()) /* it had less time than TOOL_SLOW implies */
    end = TOOL_STOPPED;
  if (end == TOOL_MISSING || (end == TOOL_ENDED && code == 0))
    take_away(dir, name, "gp.log");
  Status status = STATUS_OK;
  if (end != TOOL_ENDED || code != 0)
    status = failure(end, code, dir, name, error);
  else if (!all_whole(dir, name))
    status =
        error_set(error, STATUS_IO,
                  "writing %s/%s.svg, its .png and its .pdf: gnuplot could not write all of them", dir, name);
  if (status != STATUS_OK)
    take_pictures(dir, name);
  return status;
}

static Status left_out(const char *dir, const char *name, Error *error)
{
  return error_set(
      error, STATUS_RUN,
      "%s/%s.gp was not drawn because the program was asked to stop; to draw it: cd %s && gnuplot %s.gp", dir,
      name, dir, name);
}

/* After a request to stop, results take precedence: picture_draw_left. */
Status picture_gnuplot_draw(const char *dir, const char *name, Error *error)
{
  return stop_asked() ? left_out(dir, name, error) : draw_within(dir, name, GNUPLOT_SECONDS, error);
}

static bool is_left(const char *dir, const char *name)
{
  char *script = path_of(dir, name, "gp");
  bool left = script != NULL && access(script, F_OK) == 0;
  free(script);
  for (int k = 0; k < DRAWN && left; k++) {
    char *path = path_of(dir, name, drawn[k]);
    left = path != NULL && access(path, F_OK) != 0;
    free(path);
  }
  return left;
}

Status picture_gnuplot_draw_left(const char *dir, const char *const *names, double seconds, Error *error)
{
  const double begun = ticks_seconds();
  Status status = STATUS_OK;
  for (; *names != NULL; names++) {
    const double more = seconds - (ticks_seconds() - begun);
    if (!is_left(dir, *names))
      continue;
    Error *const why = status == STATUS_OK ? error : NULL;
    const Status one = more > 0.0 ? draw_within(dir, *names, more, why) : left_out(dir, *names, why);
    status = status == STATUS_OK ? one : status;
  }
  return status;
}
