/* The state of a run in one file, DIR/checkpoint.hol, from which the run goes on to the bit.
 *
 *   Header (below)
 *   the resolved input that may not change, text: "key: value\n" for each key, padded with zero bytes
 *   chunks: the size as int64, then the bytes as they lie in memory, in the order of the list
 *   FNV-1a, 64 bits, of everything before
 *
 * Integers and doubles are the host's (little-endian wherever Holonom is known to run). Only the same version
 * with the same instruction set reads a checkpoint: another one's bits would differ. */
#ifndef HOLONOM_APP_CHECKPOINT_H
#define HOLONOM_APP_CHECKPOINT_H

#include "app/config.h"
#include "engine/chunk.h"
#include "engine/isa.h"

/* The file that is written, and the one before it, kept against damage to the last. */
#define CHECKPOINT_NAME     "checkpoint.hol"
#define CHECKPOINT_PREVIOUS "checkpoint.prev"

/* What a run must have in common with the one whose checkpoint it goes on from. */
typedef struct CheckpointOf {
  const Config *config;
  Isa isa;
} CheckpointOf;

/* Whatever happens meanwhile, one of the two files is whole. STATUS_IO, STATUS_MEMORY. */
Status checkpoint_save(const CheckpointOf *of, const char *dir, int64_t step, const ChunkList *chunks,
                       Error *error);

/* Fills the chunks, which are those of a run made from `of`. STATUS_INPUT: no checkpoint, damaged or cut
 * short, another version, instruction set or input (naming the first key that differs); STATUS_IO,
 * STATUS_MEMORY. The folder is not changed. */
Status checkpoint_load(const CheckpointOf *of, const char *dir, const ChunkList *chunks, Error *error);

/* Takes both files away, before a run that writes over an earlier one. STATUS_IO. */
Status checkpoint_remove(const char *dir, Error *error);

#endif
