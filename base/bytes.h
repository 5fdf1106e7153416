/* A growing buffer: a writer composes a whole frame in it, so that the file receives all of it or nothing. */
#ifndef HOLONOM_BASE_BYTES_H
#define HOLONOM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
  unsigned char *data;
  size_t size, capacity;
  bool failed; /* an allocation failed since bytes_clear: what is in it is incomplete */
} Bytes;

void bytes_clear(Bytes *bytes);
void bytes_free(Bytes *bytes);

/* Each appends; after a failed allocation they do nothing (look at `failed` once, at the end). */
void bytes_put(Bytes *bytes, const void *data, size_t size);
void bytes_printf(Bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Little-endian on every host. */
void bytes_int32(Bytes *bytes, int32_t value);
void bytes_float(Bytes *bytes, float value);
void bytes_double(Bytes *bytes, double value);

/* All of it into a file at this place; false with errno if the system refuses. */
bool bytes_write(int fd, const void *data, size_t size, int64_t offset);

#endif
