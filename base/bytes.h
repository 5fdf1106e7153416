/* A growing buffer for a whole frame, so that a file receives all of it or nothing. */
#ifndef HOLONOM_BASE_BYTES_H
#define HOLONOM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
  unsigned char *data;
  size_t size, capacity;
  bool failed; /* an allocation failed since bytes_clear: the contents are incomplete */
} Bytes;

void bytes_clear(Bytes *bytes);
void bytes_free(Bytes *bytes);

/* Append to the buffer; no effect after a failed allocation (test `failed` at the end). */
void bytes_put(Bytes *bytes, const void *data, size_t size);
void bytes_printf(Bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Little-endian on every host. */
void bytes_int32(Bytes *bytes, int32_t value);
void bytes_float(Bytes *bytes, float value);
void bytes_double(Bytes *bytes, double value);

/* Writes all bytes into a file at an offset; false with errno on failure. */
bool bytes_write(int fd, const void *data, size_t size, int64_t offset);

#endif
