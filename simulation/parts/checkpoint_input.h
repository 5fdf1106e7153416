/* The part of an input that a resumed run must share with the original. */
#ifndef HOLONOM_SIMULATION_PARTS_CHECKPOINT_INPUT_H
#define HOLONOM_SIMULATION_PARTS_CHECKPOINT_INPUT_H

#include "base/bytes.h"
#include "simulation/parts/checkpoint.h"

/* Lists "key: value\n" for each fixed key, and the contents of a start file, padded with zero bytes to a
 * multiple of 8. bytes_free frees it. Errors: STATUS_MEMORY. */
Status checkpoint_input_fixed(const CheckpointOf *of, Bytes *text, Error *error);

/* STATUS_INPUT: two such texts differ, with the first different line. what: the checkpoint's file, or with
 * `folder` its folder. A key of `input` that is missing or empty in `then` counts as its default. */
Status checkpoint_input_compare(const char *what, bool folder, const Input *input, const char *then,
                                const char *now, Error *error);

#endif
