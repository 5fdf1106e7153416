/* Packs whole-numbered coordinates into few bits, in the format of XTC files. */
#ifndef HOLONOM_IO_PACKED_H
#define HOLONOM_IO_PACKED_H

#include <stdbool.h>

#include "base/bytes.h"

/* The largest coordinate, so that differences fit 32 bits; the least number of points that are packed. */
enum { PACKED_MOST = 1 << 30, PACKED_LEAST = 10, PACKED_HEAD = 32 };

/* Appends n >= PACKED_LEAST points: PACKED_HEAD bytes with their bounds, first index and length, then that
 * many bytes and zeros up to a multiple of 4. False: the stream is too long for its length field. */
bool packed_put(Bytes *out, int n, const int32_t (*x)[3]);

/* The length of the stream after this head; -1: the head is invalid. */
int64_t packed_length(const unsigned char head[PACKED_HEAD]);

/* Unpacks the points of a head and its stream; false if the data is invalid. */
bool packed_get(const unsigned char *data, int n, int32_t (*x)[3]);

/* XDR: most significant byte first. */
void packed_int32(Bytes *out, int32_t value);
int32_t packed_get_int32(const unsigned char *bytes);

#endif
