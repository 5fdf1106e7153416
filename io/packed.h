/* Whole-numbered coordinates in few bits, as XTC files hold them. */
#ifndef HOLONOM_IO_PACKED_H
#define HOLONOM_IO_PACKED_H

#include <stdbool.h>

#include "base/bytes.h"

/* No coordinate goes further from 0, so that differences stay numbers of 32 bits; fewer points are not
 * packed. */
enum { PACKED_MOST = 1 << 30, PACKED_LEAST = 10, PACKED_HEAD = 32 };

/* Appends n >= PACKED_LEAST points, PACKED_HEAD bytes of their bounds, first index and length, then that many
 * bytes and zeros up to a multiple of 4. False: the stream is longer than its length can say. */
bool packed_put(Bytes *out, int n, const int32_t (*x)[3]);

/* The length of the stream that such a head announces; -1: it is no head. */
int64_t packed_length(const unsigned char head[PACKED_HEAD]);

/* The points of a head and the stream behind it, whose length it says; false if they are none that were
 * packed. */
bool packed_get(const unsigned char *data, int n, int32_t (*x)[3]);

/* XDR: the most significant byte comes first. */
void packed_int32(Bytes *out, int32_t value);
int32_t packed_get_int32(const unsigned char *bytes);

#endif
