/* The part of an input that a run which goes on must have in common with the one that it goes on from. */
#ifndef HOLONOM_SIMULATION_PARTS_CHECKPOINT_INPUT_H
#define HOLONOM_SIMULATION_PARTS_CHECKPOINT_INPUT_H

#include "base/bytes.h"
#include "simulation/parts/checkpoint.h"

/* "key: value\n" for each key that may not change, and what a start file brought, padded with zero bytes to a
 * multiple of 8. bytes_free frees it. Errors: STATUS_MEMORY. */
Status checkpoint_input_fixed(const CheckpointOf *of, Bytes *text, Error *error);

/* STATUS_INPUT: two such texts differ; the message has the first line that does. what: the checkpoint's file,
 * or, with `folder`, its folder. A key of `input` that `then` does not list, or lists without a value, counts
 * as its default. */
Status checkpoint_input_compare(const char *what, bool folder, const Input *input, const char *then,
                                const char *now, Error *error);

#endif
