/* The state of a run in one file, DIR/checkpoint.hol, from which the run continues to the bit.
 *
 *   Header (below)
 *   the fixed part of the resolved input, text: "key: value\n" for each key, padded with zero bytes
 *   chunks: size and owner (base/chunk.h) as int64, then their bytes in memory order, sorted by owner
 *   FNV-1a, 64 bits, of everything before
 *
 * Integers and doubles have the host's format (little-endian on all known machines). A checkpoint is read
 * only by a build with the same numerics (simulation/parts/numerics.h) and instruction set, since another
 * build gives other bits, unless the caller allows that. */
#ifndef HOLONOM_SIMULATION_PARTS_CHECKPOINT_H
#define HOLONOM_SIMULATION_PARTS_CHECKPOINT_H

#include "base/chunk.h"
#include "config/config.h"
#include "engine/isa.h"

/* The last checkpoint; the one before it, as a backup; and the next one while it is incomplete. */
#define CHECKPOINT_NAME     "checkpoint.hol"
#define CHECKPOINT_PREVIOUS "checkpoint.prev"
#define CHECKPOINT_NEXT     "checkpoint.tmp"

/* The first bytes of such files. */
extern const char checkpoint_sign[8];

/* The place of a single checkpoint. */
typedef struct CheckpointStore {
  const char *path; /* a file; NULL: memory */
  void *memory;     /* [size] of the caller; loading only reads it */
  size_t size;
} CheckpointStore;

/* Data that a run must share with the one that it continues. */
typedef struct CheckpointOf {
  const Config *config;
  Isa isa;
  const char *contents; /* names and numbers of kinds from a start file; or NULL */
  bool other_build;     /* allow another build or instruction set */
  int replicas[2];      /* first and last with chunks */
  int forces;           /* number of external forces */
} CheckpointOf;

/* Saves a run's checkpoint. At any time one of the two files is whole. STATUS_IO, STATUS_MEMORY. */
Status checkpoint_save(const CheckpointOf *of, const char *dir, int64_t step, const ChunkList *chunks,
                       Error *error);

/* Fills the chunks of a run made from `of`. STATUS_INPUT: no checkpoint, damaged or incomplete, or another
 * build, instruction set or input (with the first different key); STATUS_IO, STATUS_MEMORY. The folder is not
 * changed. */
Status checkpoint_load(const CheckpointOf *of, const char *dir, const ChunkList *chunks, Error *error);

/* Writes or reads a single checkpoint. Overwrites only checkpoints (else STATUS_INPUT). A checkpoint that is
 * read may contain more replicas, and more chunks of each after the requested ones: a run's checkpoint
 * contains the state of a simulation and that of a part of its replicas. */
Status checkpoint_write(const CheckpointOf *of, const CheckpointStore *store, int64_t step,
                        const ChunkList *chunks, Error *error);
Status checkpoint_read(const CheckpointOf *of, const CheckpointStore *store, const ChunkList *chunks,
                       Error *error);

/* Computes its size in memory, bytes. Errors: STATUS_MEMORY. */
Status checkpoint_size(const CheckpointOf *of, const ChunkList *chunks, size_t *size, Error *error);

/* The header of a checkpoint of any run and build. */
typedef struct CheckpointFacts {
  char program[17]; /* version of the program that wrote it */
  int replicas[2];
  int64_t step;
} CheckpointFacts;

/* STATUS_IO; STATUS_INPUT: the file is not a checkpoint. */
Status checkpoint_look(const char *path, CheckpointFacts *facts, Error *error);

/* The same with a check: STATUS_INPUT if the file is damaged, incomplete or in another format. Copies the
 * last chunk of the run to last[size] if it has that size. */
Status checkpoint_examine(const char *path, CheckpointFacts *facts, void *last, size_t size, Error *error);

/* Checks of a resumed run before it changes a file. STATUS_INPUT: the run is already longer than requested,
 * ... */
Status checkpoint_reached(const char *dir, int64_t saved, int64_t steps, Error *error);

/* ... or dir/name is shorter than its `length` at the checkpoint of step `saved`. */
Status checkpoint_file(const char *dir, const char *name, int64_t length, int64_t saved, Error *error);

/* Whether the next checkpoint is due; saved_time: time of the last (ticks_seconds). */
bool checkpoint_due(const Config *config, double saved_time);

/* Adds the step of the last checkpoint to an error; saved < 0: there is no checkpoint. */
void checkpoint_tell(int64_t saved, Error *error);

#endif
