/* What XTC packs. The bytes as bits behind a head of theirs, which may give points, and then finite ones; and
 * as differences of points of all sizes, which come back as they were. */
#include <stdlib.h>
#include <string.h>

#include "io/packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4096 };

static void unpack(const uint8_t *data, size_t size)
{
  static int32_t x[MOST][3];
  const int n = PACKED_LEAST + data[0] + 16 * (data[1] & 0x0f);
  unsigned char *stream = malloc(size - 2); /* its end is where reading must stop */
  if (stream == NULL)
    return;
  memcpy(stream, data + 2, size - 2);
  const size_t length = size - 2 - PACKED_HEAD;
  for (int b = 0; b < 4; b++)
    stream[PACKED_HEAD - 4 + b] = (unsigned char)(length >> (24 - 8 * b) & 0xff);
  (void)packed_get(stream, n, x);
  free(stream);
}

static void pack_and_unpack(const uint8_t *data, size_t size)
{
  static int32_t x[MOST][3], y[MOST][3];
  Bytes bytes = {0};
  int n = 0;
  for (size_t at = 0; at + 7 <= size && n < MOST; at += 7, n++)
    for (int d = 0; d < 3; d++) {
      const int32_t step =
          (int32_t)((uint32_t)(int16_t)(data[at + 2 * (size_t)d] | data[at + 2 * (size_t)d + 1] << 8)
                    << data[at + 6] % 16);
      const int64_t place = step + (n > 0 ? (int64_t)x[n - 1][d] : 0);
      x[n][d] = place > -PACKED_MOST && place < PACKED_MOST ? (int32_t)place : step / 2;
    }
  if (n < PACKED_LEAST)
    return;
  if (!packed_put(&bytes, n, (const int32_t(*)[3])x) || !packed_get(bytes.data, n, y) ||
      memcmp(x, y, (size_t)n * sizeof *x) != 0)
    abort();
  bytes_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > 2 + PACKED_HEAD)
    unpack(data, size);
  pack_and_unpack(data, size);
  return 0;
}
