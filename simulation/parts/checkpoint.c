#include "simulation/parts/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/manifest.h"
#include "base/scoped.h"
#include "base/text.h"
#include "base/ticks.h"
#include "simulation/parts/checkpoint_input.h"
#include "simulation/parts/numerics.h"

const char checkpoint_sign[8] = "HOLONOM";
enum { FORMAT = 7 };

typedef struct Header {
  char magic[8];
  int64_t format;
  char program[16], numerics[NUMERICS_SIZE], isa[16];
  int64_t step;
  int64_t replicas[2]; /* first and last */
  int64_t forces;      /* external */
  int64_t input_size;  /* of the following text */
  int64_t nchunk;
} Header;

/* A file or memory to write to, with the checksum so far. */
typedef struct Sink {
  FILE *file; /* or memory: */
  unsigned char *memory;
  size_t room;
  uint64_t sum;
} Sink;

/* The bytes of a checkpoint in a file or memory, and the position. */
typedef struct Source {
  const char *path;
  const unsigned char *data;
  size_t size, at;
  bool mapped; /* from a file */
} Source;

/* --- bytes ------- */

static bool put(Sink *s, const void *data, size_t size)
{
  s->sum = checksum_add(s->sum, data, size);
  if (s->file != NULL)
    return fwrite(data, 1, size, s->file) == size;
  if (size > s->room)
    return false;
  memcpy(s->memory, data, size);
  s->memory += size;
  s->room -= size;
  return true;
}

/* Copies the next bytes to data, unless NULL; false: beyond the end. */
static bool get(Source *s, void *data, size_t size)
{
  if (size > s->size - s->at)
    return false;
  if (data != NULL)
    memcpy(data, s->data + s->at, size);
  s->at += size;
  return true;
}

static Status source_open(Source *s, const char *path, Error *error)
{
  FILE *file;
  struct stat info;
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY(file_open(&file, path, error));
  void *data = NULL;
  const bool fine = fstat(fileno(file), &info) == 0;
  if (fine && info.st_size > 0)
    data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
  const int why = errno;
  fclose(file); /* only read */
  if (!fine || data == MAP_FAILED)
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(why));
  *s = (Source){path, data, data != NULL ? (size_t)info.st_size : 0, 0, data != NULL};
  return STATUS_OK;
}

static void source_close(const Source *s)
{
  if (s->mapped)
    munmap((void *)(uintptr_t)s->data, s->size);
}

/* --- comparison ------- */

static Header make_header(const CheckpointOf *of, int64_t step, const Bytes *input, const ChunkList *chunks)
{
  Header h = {.format = FORMAT,
              .step = step,
              .replicas = {of->replicas[0], of->replicas[1]},
              .forces = of->forces,
              .input_size = (int64_t)input->size,
              .nchunk = chunks->n};
  memcpy(h.magic, checkpoint_sign, sizeof h.magic);
  snprintf(h.program, sizeof h.program, "%s", HOLONOM_VERSION);
  memcpy(h.numerics, numerics_digest, sizeof h.numerics);
  snprintf(h.isa, sizeof h.isa, "%s", isa_name(of->isa));
  return h;
}

#define TAKE_ANOTHER "'holonom run --resume --other-build' accepts other bits"

static Status compare_headers(const Header *then, const Header *now, bool other_build, Error *error)
{
  if (then->format != now->format)
    return error_set(error, STATUS_INPUT,
                     "the checkpoint is of holonom %.16s and in another form (%lld) than this program's "
                     "(%lld): continue with the program that began the run",
                     then->program, (long long)then->format, (long long)now->format);
  if (other_build)
    return STATUS_OK;
  if (memcmp(then->program, now->program, sizeof then->program) != 0 ||
      memcmp(then->numerics, now->numerics, sizeof then->numerics) != 0)
    return error_set(
        error, STATUS_INPUT,
        "the checkpoint was written by holonom %.16s, numerics %.15s; this build is %s, numerics %s, and may "
        "differ in the last bits. Continue with the build that began the run; " TAKE_ANOTHER,
        then->program, then->numerics, now->program, now->numerics);
  if (memcmp(then->isa, now->isa, sizeof then->isa) != 0)
    return error_set(error, STATUS_INPUT,
                     "the checkpoint was computed with %.16s instructions; this run uses %s, which round "
                     "differently: set HOLONOM_ISA=%.16s in the environment; " TAKE_ANOTHER,
                     then->isa, now->isa, then->isa);
  return STATUS_OK;
}

/* Precedes each chunk. Files omit the zeros at a chunk's end, which are unused capacity. */
typedef struct ChunkHead {
  int64_t size, owner, held;
} ChunkHead;

static size_t held_by(const Chunk *chunk)
{
  const unsigned char *const data = chunk->data;
  size_t held = chunk->size;
  while (held > 0 && data[held - 1] == 0)
    held--;
  return held;
}

/* --- saving ------- */

static bool put_all(Sink *s, const Header *header, const Bytes *input, const ChunkList *chunks)
{
  bool fine = put(s, header, sizeof *header) && put(s, input->data, input->size);
  for (int i = 0; i < chunks->n && fine; i++) {
    const Chunk *chunk = &chunks->chunk[i];
    const size_t held = s->file != NULL ? held_by(chunk) : chunk->size; /* the size in memory is constant */
    const ChunkHead head = {(int64_t)chunk->size, chunk->owner, (int64_t)held};
    fine = put(s, &head, sizeof head) && put(s, chunk->data, held);
  }
  const uint64_t sum = s->sum;
  return fine && put(s, &sum, sizeof sum) && (s->file == NULL || fflush(s->file) == 0);
}

/* Files are renamed once they are whole, so a crash leaves the old one or the new one. */
static bool rotate(const char *next, const char *now)
{
  if (access(now, F_OK) != 0) /* only the previous one exists: it stays */
    return rename(next, now) == 0;
  char *folder = strndup(now, strlen(now) - strlen(CHECKPOINT_NAME) - 1);
  char *before = folder != NULL ? file_path(folder, CHECKPOINT_PREVIOUS) : NULL;
  free(folder);
  bool fine = before != NULL && (unlink(before) == 0 || errno == ENOENT);
  /* A second name keeps the last one in existence. On a file system without links only the previous one
   * exists for a moment. */
  fine = fine && (link(now, before) == 0 || errno == ENOENT || rename(now, before) == 0);
  const int why = errno;
  free(before);
  errno = why;
  return fine && rename(next, now) == 0;
}

/* Writes the whole file to disk, then moves it to its place; after a failure no file is left. */
static Status put_file(const CheckpointOf *of, int64_t step, const ChunkList *chunks, const char *part,
                       const char *name, bool (*move)(const char *part, const char *name), Error *error)
{
  SCOPED(bytes_free) Bytes input = {0};
  Sink s = {.sum = CHECKSUM_START};
  int fd;
  if (chunks->failed || part == NULL)
    return error_memory(error, "a checkpoint");
  TRY(checkpoint_input_fixed(of, &input, error));
  const Header header = make_header(of, step, &input, chunks);
  TRY(file_new(&fd, part, true, error));
  s.file = fdopen(fd, "wb");
  bool fine = s.file != NULL && put_all(&s, &header, &input, chunks) && fsync(fd) == 0;
  int why = errno;
  if ((s.file != NULL ? fclose(s.file) : close(fd)) != 0 && fine) {
    why = errno;
    fine = false;
  }
  if (fine && !move(part, name)) {
    why = errno;
    fine = false;
  }
  if (fine)
    return STATUS_OK;
  unlink(part);
  return error_set(error, STATUS_IO, "%s: the checkpoint cannot be written: %s", name, strerror(why));
}

static bool move_over(const char *part, const char *name) { return rename(part, name) == 0; }

/* A file named by the caller is replaced only if it is a checkpoint or empty. */
static Status replaceable(const char *path, Error *error)
{
  struct stat info;
  if (*path == '\0')
    return error_set(error, STATUS_INPUT, "the name of the file is empty");
  if (lstat(path, &info) != 0 ||
      (S_ISREG(info.st_mode) && (info.st_size == 0 || file_begins(path, checkpoint_sign))))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s exists and is not a checkpoint: choose another file, since it will not be overwritten",
                   path);
}

static Status write_file(const CheckpointOf *of, const char *path, int64_t step, const ChunkList *chunks,
                         Error *error)
{
  SCOPED(bytes_free) Bytes part = {0};
  TRY(replaceable(path, error));
  bytes_printf(&part, "%s.part", path);
  bytes_put(&part, "", 1);
  const char *const begun = part.failed ? NULL : (const char *)part.data;
  if (begun != NULL)
    TRY(replaceable(begun, error));
  return put_file(of, step, chunks, begun, path, move_over, error);
}

Status checkpoint_size(const CheckpointOf *of, const ChunkList *chunks, size_t *size, Error *error)
{
  SCOPED(bytes_free) Bytes input = {0};
  if (chunks->failed)
    return error_memory(error, "a checkpoint");
  TRY(checkpoint_input_fixed(of, &input, error));
  *size = sizeof(Header) + input.size + (size_t)chunks->n * sizeof(ChunkHead) + chunk_size(chunks) +
          sizeof(uint64_t);
  return STATUS_OK;
}

static Status write_memory(const CheckpointOf *of, const CheckpointStore *store, int64_t step,
                           const ChunkList *chunks, Error *error)
{
  SCOPED(bytes_free) Bytes input = {0};
  Sink s = {.memory = store->memory, .room = store->size, .sum = CHECKSUM_START};
  TRY(checkpoint_input_fixed(of, &input, error));
  const Header header = make_header(of, step, &input, chunks);
  return put_all(&s, &header, &input, chunks) ? STATUS_OK : error_memory(error, "a checkpoint");
}

Status checkpoint_write(const CheckpointOf *of, const CheckpointStore *store, int64_t step,
                        const ChunkList *chunks, Error *error)
{
  return store->path != NULL ? write_file(of, store->path, step, chunks, error)
                             : write_memory(of, store, step, chunks, error);
}

Status checkpoint_save(const CheckpointOf *of, const char *dir, int64_t step, const ChunkList *chunks,
                       Error *error)
{
  static const char *const names[] = {CHECKPOINT_NAME, CHECKPOINT_PREVIOUS, CHECKPOINT_NEXT};
  TRY(manifest_claim_all(dir, names, (int)(sizeof names / sizeof *names), error));
  SCOPED(scoped_free) char *next = file_path(dir, CHECKPOINT_NEXT), *now = file_path(dir, CHECKPOINT_NAME);
  TRY(put_file(of, step, chunks, now != NULL ? next : NULL, now, rotate, error));
  file_sync_folder(dir);
  return STATUS_OK;
}

/* --- loading ------- */

/* Whether the checksum is right. */
static bool whole(const Source *s)
{
  uint64_t sum;
  if (s->size <= sizeof(Header))
    return false;
  memcpy(&sum, s->data + s->size - sizeof sum, sizeof sum);
  return sum == checksum_add(CHECKSUM_START, s->data, s->size - sizeof sum);
}

static Status damaged(const Source *s, Error *error)
{
  return error_set(error, STATUS_INPUT, "%s is damaged or incomplete: its checksum is wrong", s->path);
}

/* Adds advice after a damaged checkpoint.hol. */
static void advise(const char *dir, Error *error)
{
  if (error == NULL)
    return;
  SCOPED(source_close) Source s = {0};
  Header h = {.step = -1};
  SCOPED(scoped_free) char *path = file_path(dir, CHECKPOINT_PREVIOUS);
  if (source_open(&s, path, NULL) == STATUS_OK && whole(&s))
    (void)get(&s, &h, sizeof h);
  char words[sizeof error->text];
  snprintf(words, sizeof words, "%s", error->text);
  if (h.step >= 0)
    error_set(error, STATUS_INPUT,
              "%.1500s; %s, of step %lld, is whole: rename it to %s to continue from there", words,
              CHECKPOINT_PREVIOUS, (long long)h.step, CHECKPOINT_NAME);
  else
    error_set(error, STATUS_INPUT,
              "%.1500s; start again, in another folder without --resume, or with --force", words);
}

/* The error of a whole file with other chunks. */
static Status misfit(const Source *s, Error *error)
{
  return error_set(error, STATUS_INPUT,
                   "%s does not fit this run: another build wrote it, or it belongs to another start file",
                   s->path);
}

static Status get_input(Source *s, const CheckpointOf *of, const char *dir, const Header *h, const Bytes *now,
                        Error *error)
{
  const char *then = (const char *)s->data + s->at;
  if (h->input_size < 1 || !get(s, NULL, (size_t)h->input_size) || then[h->input_size - 1] != '\0')
    return misfit(s, error);
  return checkpoint_input_compare(dir != NULL ? dir : s->path, dir != NULL, of->config->input, then,
                                  (const char *)now->data, error);
}

/* Copies the stored bytes of a chunk, and zeros after them; NULL: skips them. */
static bool get_held(Source *s, const ChunkHead *head, void *to)
{
  if (head->held < 0 || head->held > head->size || !get(s, to, (size_t)head->held))
    return false;
  if (to != NULL)
    memset((char *)to + head->held, 0, (size_t)(head->size - head->held));
  return true;
}

/* Reads the first chunks of each owner; all: further chunks are errors. */
static Status get_chunks(Source *s, int64_t nchunk, bool all, const ChunkList *chunks, Error *error)
{
  int taken = 0;
  for (int64_t i = 0; i < nchunk; i++) {
    ChunkHead head;
    bool fine = get(s, &head, sizeof head);
    const Chunk *next = taken < chunks->n ? &chunks->chunk[taken] : NULL;
    const bool wanted = fine && next != NULL && head.size == (int64_t)next->size && head.owner == next->owner;
    fine = fine && (wanted || !all) && get_held(s, &head, wanted ? next->data : NULL);
    if (!fine)
      return misfit(s, error);
    taken += wanted;
  }
  return taken == chunks->n ? STATUS_OK : misfit(s, error);
}

static Status compare_replicas(const char *what, bool all, const Header *then, const Header *now,
                               Error *error)
{
  const int64_t *a = then->replicas, *b = now->replicas;
  if (all ? a[0] == b[0] && a[1] == b[1] : a[0] <= b[0] && a[1] >= b[1])
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s has replicas %lld to %lld, but this run has %lld to %lld", what,
                   (long long)a[0], (long long)a[1], (long long)b[0], (long long)b[1]);
}

/* A run continues with its own number of forces. A single state may be loaded with additional forces, which
 * act from there on, but not with missing ones. */
static Status compare_forces(const char *what, bool all, const Header *then, const Header *now, Error *error)
{
  const long long had = then->forces, has = now->forces;
  if (has == had || (!all && has > had))
    return STATUS_OK;
  if (has < had)
    return error_set(error, STATUS_INPUT,
                     "%s was saved with %lld external %s (hol_add_force), but only %lld %s been added here: "
                     "add the missing ones first",
                     what, had, had == 1 ? "force" : "forces", has, has == 1 ? "has" : "have");
  return error_set(error, STATUS_INPUT,
                   "%s is a run with %lld external %s (hol_add_force), but %lld %s been added here: a run "
                   "must continue with the same forces",
                   what, had, had == 1 ? "force" : "forces", has, has == 1 ? "has" : "have");
}

/* Reads everything after the checksum test. dir: NULL for a single checkpoint. */
static Status get_parts(Source *s, const CheckpointOf *of, const char *dir, const Bytes *input,
                        const ChunkList *chunks, Error *error)
{
  Header then;
  const Header now = make_header(of, 0, input, chunks);
  if (!get(s, &then, sizeof then) || memcmp(then.magic, checkpoint_sign, sizeof checkpoint_sign) != 0)
    return error_set(error, STATUS_INPUT, "%s is not a checkpoint", s->path);
  TRY(compare_headers(&then, &now, of->other_build, error));
  TRY(get_input(s, of, dir, &then, input, error));
  TRY(compare_replicas(dir != NULL ? dir : s->path, dir != NULL, &then, &now, error));
  TRY(compare_forces(dir != NULL ? dir : s->path, dir != NULL, &then, &now, error));
  return get_chunks(s, then.nchunk, dir != NULL, chunks, error);
}

static Status get_all(Source *s, const CheckpointOf *of, const char *dir, const ChunkList *chunks,
                      Error *error)
{
  if (!whole(s)) {
    (void)damaged(s, error);
    if (dir != NULL)
      advise(dir, error);
    return STATUS_INPUT;
  }
  SCOPED(bytes_free) Bytes input = {0};
  TRY(checkpoint_input_fixed(of, &input, error));
  return get_parts(s, of, dir, &input, chunks, error);
}

static Status get_file(const CheckpointOf *of, const char *path, const char *dir, const ChunkList *chunks,
                       Error *error)
{
  SCOPED(source_close) Source s = {0};
  if (chunks->failed)
    return error_memory(error, "a checkpoint");
  TRY(source_open(&s, path, error));
  return get_all(&s, of, dir, chunks, error);
}

Status checkpoint_read(const CheckpointOf *of, const CheckpointStore *store, const ChunkList *chunks,
                       Error *error)
{
  if (store->path != NULL)
    return get_file(of, store->path, NULL, chunks, error);
  if (chunks->failed)
    return error_memory(error, "a checkpoint");
  Source s = {.path = "the checkpoint in memory", .data = store->memory, .size = store->size};
  return get_all(&s, of, NULL, chunks, error);
}

static Status get_facts(Source *s, Header *h, CheckpointFacts *facts, Error *error)
{
  if (!get(s, h, sizeof *h) || memcmp(h->magic, checkpoint_sign, sizeof checkpoint_sign) != 0)
    return error_set(error, STATUS_INPUT, "%s is not a checkpoint", s->path);
  *facts = (CheckpointFacts){.step = h->step, .replicas = {(int)h->replicas[0], (int)h->replicas[1]}};
  memcpy(facts->program, h->program, sizeof h->program);
  return STATUS_OK;
}

Status checkpoint_look(const char *path, CheckpointFacts *facts, Error *error)
{
  SCOPED(source_close) Source s = {0};
  Header h;
  TRY(source_open(&s, path, error));
  return get_facts(&s, &h, facts, error);
}

/* Finds the run's chunk of this size; chunks are sorted by owner. */
static void get_last(Source *s, int64_t nchunk, void *last, size_t size)
{
  ChunkHead head;
  for (int64_t i = 0; i < nchunk && get(s, &head, sizeof head) && head.owner <= CHUNK_OF_RUN; i++) {
    const bool wanted = head.owner == CHUNK_OF_RUN && head.size == (int64_t)size;
    if (!get_held(s, &head, wanted ? last : NULL))
      return;
  }
}

Status checkpoint_examine(const char *path, CheckpointFacts *facts, void *last, size_t size, Error *error)
{
  SCOPED(source_close) Source s = {0};
  Header h;
  TRY(source_open(&s, path, error));
  if (!whole(&s))
    return damaged(&s, error);
  TRY(get_facts(&s, &h, facts, error));
  if (h.format != FORMAT)
    return error_set(error, STATUS_INPUT, "%s has another format: it was written by holonom %s", path,
                     facts->program);
  if (h.input_size >= 0 && get(&s, NULL, (size_t)h.input_size))
    get_last(&s, h.nchunk, last, size);
  return STATUS_OK;
}

Status checkpoint_load(const CheckpointOf *of, const char *dir, const ChunkList *chunks, Error *error)
{
  /* without links, a kill may leave only the previous one */
  const bool last = file_exists(dir, CHECKPOINT_NAME), previous = file_exists(dir, CHECKPOINT_PREVIOUS);
  if (!last && !previous)
    return error_set(
        error, STATUS_INPUT,
        file_exists(dir, "holonom.log")
            ? "%s contains a run, but no " CHECKPOINT_NAME
              " to continue from; start again, in another folder without --resume, or with --force"
            : "%s contains no earlier run for --resume to continue",
        dir);
  SCOPED(scoped_free) char *path = file_path(dir, last ? CHECKPOINT_NAME : CHECKPOINT_PREVIOUS);
  return get_file(of, path, dir, chunks, error);
}

/* --- runs ------- */

Status checkpoint_reached(const char *dir, int64_t saved, int64_t steps, Error *error)
{
  if (saved <= steps)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s has already reached step %lld; the input requests only %lld steps in total", dir,
                   (long long)saved, (long long)steps);
}

Status checkpoint_file(const char *dir, const char *name, int64_t length, int64_t saved, Error *error)
{
  const int64_t has = file_length(dir, name);
  if (length <= 0 || has >= length)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s/%s %s; it had %lld bytes at the checkpoint of step %lld: restore the whole file, or "
                   "start again with --force",
                   dir, name, has < 0 ? "is missing" : "was cut short", (long long)length, (long long)saved);
}

bool checkpoint_due(const Config *config, double saved_time)
{
  const double every = config->output.checkpoint_every;
  return every > 0.0 && ticks_seconds() - saved_time >= every;
}

void checkpoint_tell(int64_t saved, Error *error)
{
  if (saved < 0 || error == NULL)
    return;
  char words[sizeof error->text];
  snprintf(words, sizeof words, "%s", error->text);
  error_set(error, error->status, "%.1900s; the last checkpoint has step %lld", words, (long long)saved);
}
