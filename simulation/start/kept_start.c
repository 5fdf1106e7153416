#include "simulation/start/kept_start.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/checksum.h"
#include "engine/file.h"
#include "engine/locale.h"
#include "io/structure.h"
#include "io/trajectory.h"

/* All that a start follows from, in words of name=value. */
typedef struct Recipe {
  char text[256];
} Recipe;

/* How a start was looked for. */
static void effort_words(const StartEffort *e, char *words, size_t size)
{
  if (e->way == START_LATTICE)
    snprintf(words, size, "none");
  else if (e->way == START_ANNEALING)
    snprintf(words, size, "anneal:%dx%d", e->replicas, e->steps);
  else if (e->evaluations > 0)
    snprintf(words, size, "hop:%" PRId64, e->evaluations);
  else
    snprintf(words, size, "hop");
}

static Recipe recipe_of(const Simulation *s, const StartOptions *o)
{
  LOCALE_PLAIN;
  const Config *c = s->config;
  const StartEffort effort = start_effort(o);
  char search[64];
  effort_words(&effort, search, sizeof search);
  Recipe r;
  snprintf(r.text, sizeof r.text,
           "built: version=" HOLONOM_VERSION " model=%s molecules=%d spacing=%.17g seed=%" PRIu64
           " search=%s minimise=%d mass_O=%.17g mass_H=%.17g instructions=%s",
           system_water(s)->model->name, o->nmol, o->spacing, o->seed, search, o->minimise, c->system.mass_O,
           c->system.mass_H, isa_name(s->isa));
  return r;
}

/* By which a file that was edited is told from what was built. */
static uint64_t sum_of(const Simulation *s, const double *x)
{
  return checksum_add(CHECKSUM_START, x, s->coordinates * sizeof *x);
}

/* The file of a folder, or the file itself; the caller frees it. */
static char *path_of(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) ? strdup(path) : file_path(path, KEPT_START_NAME);
}

/* The first word in which they differ, in words. */
static Status tell_difference(const char *path, const char *kept, const char *wanted, Error *error)
{
  for (;;) {
    const size_t a = strcspn(kept, " \""), b = strcspn(wanted, " ");
    if (a != b || strncmp(kept, wanted, a) != 0)
      return error_set(
          error, STATUS_INPUT,
          "%s was built from another system section: it has %.*s, and %.*s is wanted; take it as "
          "it is by system.start: file, or leave it out",
          path, (int)a, kept, (int)b, wanted);
    kept += a + (kept[a] == ' ');
    wanted += b + (wanted[b] == ' ');
    if (*wanted == '\0')
      return STATUS_OK;
  }
}

static Status take(const Simulation *s, const Recipe *recipe, const Frame *frame, const char *path, double *x,
                   Error *error)
{
  const char *kept = strstr(frame->title, "built: "), *sum = strstr(frame->title, " sum=");
  if (kept == NULL || sum == NULL)
    return error_set(error, STATUS_INPUT,
                     "%s is not a start that 'holonom run' has built; take it by "
                     "system.start: file",
                     path);
  Status status = tell_difference(path, kept, recipe->text, error);
  Structure structure = {0};
  if (status == STATUS_OK)
    status = structure_cluster(frame, path, 0, NULL, &structure, error);
  if (status != STATUS_OK)
    return status;
  const StructureGroup *group = &structure.group[0];
  if (group->nmol != s->lanes[0] || sum_of(s, group->x) != strtoull(sum + 5, NULL, 16))
    status = error_set(error, STATUS_INPUT, "%s has been changed since it was built", path);
  else
    memcpy(x, group->x, s->coordinates * sizeof *x);
  structure_free(&structure);
  return status;
}

Status kept_start_read(const Simulation *s, const StartOptions *o, const char *from, double *x, Error *error)
{
  char *path = path_of(from);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Recipe recipe = recipe_of(s, o);
  Frame frame = {0};
  Status status = STATUS_OK;
  if (access(path, F_OK) != 0)
    status =
        error_set(error, STATUS_INPUT, "%s holds no start of an earlier run (" KEPT_START_NAME ")", from);
  if (status == STATUS_OK)
    status = trajectory_read_first(path, &frame, error);
  if (status == STATUS_OK)
    status = take(s, &recipe, &frame, path, x, error);
  frame_free(&frame);
  free(path);
  return status;
}

Status kept_start_write(const Simulation *s, const StartOptions *o, const double *x, const char *dir,
                        Error *error)
{
  const Recipe recipe = recipe_of(s, o);
  char title[FRAME_TITLE];
  snprintf(title, sizeof title, "%s sum=%016" PRIx64, recipe.text, sum_of(s, x));
  const TrajectoryOptions options = {.replace = true, .owned = true, .exact = true, .title = title};
  char *path = file_path(dir, KEPT_START_NAME);
  Frame frame = {0};
  Status status = path == NULL ? error_memory(error, "a file name")
                               : structure_shape(s->topology, &s->box, &frame, error);
  if (status == STATUS_OK) {
    structure_fill(s->topology, NULL, x, NULL, &frame);
    status = trajectory_write_one(path, NULL, &options, &frame, error);
  }
  frame_free(&frame);
  free(path);
  return status;
}
