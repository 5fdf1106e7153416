/* The state of a run in one file, DIR/checkpoint.hol, from which the run goes on to the bit.
 *
 *   Header (below)
 *   the resolved input that may not change, text: "key: value\n" for each key, padded with zero bytes
 *   chunks: size and owner (base/chunk.h) as int64, then the bytes as they lie in memory, in the order of
 *   the list, which is sorted by owners
 *   FNV-1a, 64 bits, of everything before
 *
 * Integers and doubles are the host's (little-endian wherever Holonom is known to run). Only a build with the
 * same numerics (simulation/parts/numerics.h) and the same instruction set reads a checkpoint, since another
 * one's bits would differ, unless it is told that they may. */
#ifndef HOLONOM_SIMULATION_PARTS_CHECKPOINT_H
#define HOLONOM_SIMULATION_PARTS_CHECKPOINT_H

#include "base/chunk.h"
#include "config/config.h"
#include "engine/isa.h"

/* The file that is written, the one before it, kept against damage to the last, and the next one until it is
 * whole. */
#define CHECKPOINT_NAME     "checkpoint.hol"
#define CHECKPOINT_PREVIOUS "checkpoint.prev"
#define CHECKPOINT_NEXT     "checkpoint.tmp"

/* How such files begin. */
extern const char checkpoint_sign[8];

/* Where a checkpoint is that stands by itself. */
typedef struct CheckpointStore {
  const char *path; /* a file; NULL: in memory */
  void *memory;     /* [size] the caller's; only read when it is read */
  size_t size;
} CheckpointStore;

/* What a run must have in common with the one whose checkpoint it goes on from. */
typedef struct CheckpointOf {
  const Config *config;
  Isa isa;
  const char *contents; /* names and numbers of the kinds that a start file brought; or NULL */
  bool other_build;     /* the other run may be another build's, or have had other instructions */
  int replicas[2];      /* that chunks are there of: the first and the last             */
  int forces;           /* from outside                                                 */
} CheckpointOf;

/* Whatever happens meanwhile, one of the two files is whole. STATUS_IO, STATUS_MEMORY. */
Status checkpoint_save(const CheckpointOf *of, const char *dir, int64_t step, const ChunkList *chunks,
                       Error *error);

/* Fills the chunks, which are those of a run made from `of`. STATUS_INPUT: no checkpoint, damaged or cut
 * short, another build, instruction set or input (naming the first key that differs); STATUS_IO,
 * STATUS_MEMORY. The folder is not changed. */
Status checkpoint_load(const CheckpointOf *of, const char *dir, const ChunkList *chunks, Error *error);

/* The same by itself; a file that is there is written over if it is a checkpoint, else refused
 * (STATUS_INPUT). Read, it may hold more replicas, and more of each behind what is asked
 * for: a run's own checkpoint has the state of a simulation, and that of a part of its replicas. */
Status checkpoint_write(const CheckpointOf *of, const CheckpointStore *store, int64_t step,
                        const ChunkList *chunks, Error *error);
Status checkpoint_read(const CheckpointOf *of, const CheckpointStore *store, const ChunkList *chunks,
                       Error *error);

/* Bytes that it takes in memory. Errors: STATUS_MEMORY. */
Status checkpoint_size(const CheckpointOf *of, const ChunkList *chunks, size_t *size, Error *error);

/* What a checkpoint says of itself, whichever run and build it is of. */
typedef struct CheckpointFacts {
  char program[17]; /* the version that wrote it */
  int replicas[2];
  int64_t step;
} CheckpointFacts;

/* STATUS_IO, STATUS_INPUT: there is none. */
Status checkpoint_look(const char *path, CheckpointFacts *facts, Error *error);

/* The same, and STATUS_INPUT where it is damaged, cut short or in another form. The last of the chunks that
 * belong to the run goes to last[size] if it has that many bytes, else last stays as it is. */
Status checkpoint_examine(const char *path, CheckpointFacts *facts, void *last, size_t size, Error *error);

/* What a run that goes on looks at before it changes a file. STATUS_INPUT if it has come further than it is
 * to go, ... */
Status checkpoint_reached(const char *dir, int64_t saved, int64_t steps, Error *error);

/* ... or if dir/name has fewer bytes than the `length` that it had at the checkpoint of step `saved`. */
Status checkpoint_file(const char *dir, const char *name, int64_t length, int64_t saved, Error *error);

/* Whether the next one is due, the last one's time being saved_time (ticks_seconds). */
bool checkpoint_due(const Config *config, double saved_time);

/* Adds to a message of failure which step's checkpoint there is to go on from; saved < 0: none. */
void checkpoint_tell(int64_t saved, Error *error);

#endif
