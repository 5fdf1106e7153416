#include "simulation/parts/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scoped.h"
#include "io/trajectory.h"

typedef struct Part {
  const char *dir;
  int replicas[2];
  int64_t step, begun; /* last and first step */
  RunTimes times;
  TrajectoryMark mark; /* of the samples file */
  char *path;
  SampleReader samples;
  long first; /* position of its records */
} Part;

struct Parts {
  int n;
  Part *part; /* ordered by replicas */
};

/* --- opening ------- */

bool parts_read_head(FILE *file, int replicas[2], int64_t *begun)
{
  char head[128] = "";
  const char *format = "Holonom samples of replicas %d to %d from step %" SCNd64;
  return fgets(head, sizeof head, file) != NULL &&
         sscanf(head, format, &replicas[0], &replicas[1], begun) == 3;
}

static Status open_samples(Part *p, Error *error)
{
  int replicas[2];
  TRY(file_open(&p->samples.file, p->path, error));
  if (!parts_read_head(p->samples.file, replicas, &p->begun) ||
      memcmp(replicas, p->replicas, sizeof replicas) != 0)
    return error_set(error, STATUS_INPUT, "%s does not belong to the checkpoint in its folder", p->path);
  p->samples.name = p->path;
  p->first = ftell(p->samples.file);
  return STATUS_OK;
}

static Status open_part(Part *p, const char *dir, const char *into, Error *error)
{
  *p = (Part){.dir = dir};
  if (file_same(dir, into))
    return error_set(error, STATUS_INPUT,
                     "%s is one of the parts, which are not changed: merge into another folder", into);
  CheckpointFacts facts = {.step = 0};
  SCOPED(scoped_free) char *checkpoint = file_path(dir, CHECKPOINT_NAME);
  p->path = file_path(dir, PARTS_SAMPLES);
  if (checkpoint == NULL || p->path == NULL)
    return error_memory(error, "a file name");
  if (!file_exists(dir, PARTS_SAMPLES))
    return error_set(error, STATUS_INPUT, "%s contains no partial run (holonom run --replicas)", dir);
  TRY(checkpoint_look(checkpoint, &facts, error));
  p->step = facts.step;
  memcpy(p->replicas, facts.replicas, sizeof p->replicas);
  return open_samples(p, error);
}

static int compare(const void *a, const void *b)
{
  const Part *x = a, *y = b;
  return (x->replicas[0] > y->replicas[0]) - (x->replicas[0] < y->replicas[0]);
}

/* Checks that each replica occurs once, and that all parts have the same first and last step. */
static Status check(const Parts *parts, int replicas, Error *error)
{
  int next = 0;
  for (int i = 0; i <= parts->n; i++) {
    const int first = i < parts->n ? parts->part[i].replicas[0] : replicas;
    const Part *p = &parts->part[i < parts->n ? i : 0], *before = i > 0 ? p - 1 : p;
    if (first > next)
      return error_set(error, STATUS_INPUT, "no part has the replicas %d to %d", next, first - 1);
    if (first < next && i < parts->n)
      return error_set(error, STATUS_INPUT, "the replicas from %d on are in both %s and %s", first,
                       before->dir, p->dir);
    if (i < parts->n)
      next = p->replicas[1] + 1;
  }
  for (int i = 1; i < parts->n; i++) {
    const Part *p = &parts->part[i], *q = &parts->part[0];
    if (p->begun != q->begun)
      return error_set(error, STATUS_INPUT, "%s began at step %lld, %s at step %lld", q->dir,
                       (long long)q->begun, p->dir, (long long)p->begun);
    if (p->step != q->step)
      return error_set(error, STATUS_INPUT,
                       "%s is at step %lld, %s at step %lld: continue the shorter one (holonom run --resume)",
                       q->dir, (long long)q->step, p->dir, (long long)p->step);
  }
  return STATUS_OK;
}

Status parts_open(Parts **parts, int replicas, int n, const char *const *dir, const char *into, Error *error)
{
  Parts *list = *parts = calloc(1, sizeof *list);
  TRY_MEMORY(list != NULL, "the parts of a run", error);
  list->part = calloc((size_t)n, sizeof *list->part);
  if (list->part == NULL)
    return error_memory(error, "the parts of a run");
  for (int i = 0; i < n; i++)
    TRY(open_part(&list->part[list->n++], dir[i], into, error));
  qsort(list->part, (size_t)n, sizeof *list->part, compare);
  return check(list, replicas, error);
}

void parts_close(Parts *parts)
{
  if (parts == NULL)
    return;
  for (int i = 0; i < parts->n; i++) {
    if (parts->part[i].samples.file != NULL)
      fclose(parts->part[i].samples.file); /* only read */
    free(parts->part[i].path);
  }
  free(parts->part);
  free(parts);
}

int64_t parts_begun(const Parts *parts) { return parts->part[0].begun; }

const char *parts_folder(const Parts *parts) { return parts->part[0].dir; }

void parts_tell(const Parts *parts, Text *log)
{
  for (int i = 0; i < parts->n; i++)
    text_say(log, "merged: replicas %d to %d, steps %lld to %lld, from %s\n", parts->part[i].replicas[0],
             parts->part[i].replicas[1], (long long)parts->part[i].begun, (long long)parts->part[i].step,
             parts->part[i].dir);
}

int parts_number(const Parts *parts) { return parts->n; }

/* --- chunks ------- */

/* Chunks of all replicas are equal in all parts; the first part provides them. */
static Status take_chunks(Part *p, const CheckpointOf *whole, const ChunkList *chunks, int width,
                          Error *error)
{
  const int first = p->replicas[0] / width;
  CheckpointOf of = *whole;
  SCOPED(chunk_free) ChunkList list = {0};
  SCOPED(scoped_free) char *path = file_path(p->dir, CHECKPOINT_NAME);
  memcpy(of.replicas, p->replicas, sizeof of.replicas);
  chunk_owner(&list, CHUNK_OF_RUN);
  chunk_add(&list, &p->mark, sizeof p->mark);
  chunk_add(&list, &p->times, sizeof p->times);
  chunk_add_list(&list, chunks, first == 0 ? CHUNK_OF_ALL : first, p->replicas[1] / width);
  Error why = {0};
  const Status status = path != NULL ? checkpoint_read(&of, &(CheckpointStore){.path = path}, &list, &why)
                                     : error_memory(&why, "a file name");
  return status == STATUS_OK ? checkpoint_file(p->dir, PARTS_SAMPLES, p->mark.size, p->step, error)
                             : error_set(error, status, "%s: %s", p->dir, why.text);
}

Status parts_load(Parts *parts, const CheckpointOf *of, const ChunkList *chunks, Ensemble *ensemble,
                  Error *error)
{
  bool changed = true;
  for (int round = 0; round < 2 && changed; round++) { /* data of forces belong to the new box */
    for (int i = 0; i < parts->n; i++)
      TRY(take_chunks(&parts->part[i], of, chunks, ensemble_width(ensemble), error));
    TRY(ensemble_follow_boxes(ensemble, &changed, error));
  }
  return STATUS_OK;
}

RunTimes parts_times(const Parts *parts)
{
  RunTimes sum = {0};
  for (int i = 0; i < parts->n; i++) {
    const RunTimes *times = &parts->part[i].times;
    sum.wall += times->wall;
    sum.start += times->start;
    sum.stepping += times->stepping;
    sum.output += times->output;
  }
  return sum;
}

/* --- samples ------- */

/* Reads the records of a step from a part. */
static Status take_step(Part *p, const Samples *samples, int64_t step, Error *error)
{
  const SampleRecord *next = &p->samples.next;
  if (p->samples.what == 0 && (next->size < 0 || next->step != step))
    return samples_damaged(&p->samples, error);
  while (next->size >= 0 && next->step == step)
    TRY(samples_read(&p->samples, samples, error));
  return STATUS_OK;
}

/* The next step of any part; -1: no records remain. */
static int64_t next_step(const Parts *parts)
{
  int64_t step = -1;
  for (int i = 0; i < parts->n; i++) {
    const SampleRecord *next = &parts->part[i].samples.next;
    if (next->size >= 0 && (step < 0 || next->step < step))
      step = next->step;
  }
  return step;
}

/* Reads all records of one event, step by step. */
static Status take_event(const Parts *parts, const PartsWriting *to, int what, Error *error)
{
  const Samples *samples = to->samples;
  for (int i = 0; i < parts->n; i++) {
    Part *p = &parts->part[i];
    p->samples.what = what;
    p->samples.left = p->mark.size - p->first;
    TRY(fseek(p->samples.file, p->first, SEEK_SET) == 0 ? samples_next(&p->samples, error)
                                                        : samples_damaged(&p->samples, error));
  }
  for (int64_t step; (step = next_step(parts)) >= 0;) {
    for (int i = 0; i < parts->n; i++)
      TRY(take_step(&parts->part[i], samples, step, error));
    if (samples->full(samples->sampler.self))
      TRY(to->write(to->self, error));
  }
  return to->write(to->self, error);
}

Status parts_take(const Parts *parts, const PartsWriting *to, Error *error)
{
  for (int what = 0; what < EVENTS_MAX; what++)
    TRY(take_event(parts, to, what, error));
  return STATUS_OK;
}

/* --- writing ------- */

void parts_head(const int replicas[2], int64_t begun, Text *text)
{
  text_print(text, "Holonom samples of replicas %d to %d from step %" PRId64 "\n", replicas[0], replicas[1],
             begun);
}

Status parts_write(const Samples *samples, Text *text, Error *error)
{
  SCOPED(bytes_free) Bytes records = {0};
  samples->pack(samples->sampler.self, &records);
  if (records.failed)
    return error_memory(error, "samples");
  if (records.size > 0)
    (void)fwrite(records.data, 1, records.size, text_file(text)); /* the stream records failures */
  return STATUS_OK;
}
