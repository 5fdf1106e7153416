/* FNV-1a, 64 bits: detects damaged or edited files; not cryptographic. */
#ifndef HOLONOM_BASE_CHECKSUM_H
#define HOLONOM_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START 0xcbf29ce484222325u

/* Updates the sum with these bytes. */
static inline uint64_t checksum_add(uint64_t sum, const void *data, size_t size)
{
  const unsigned char *byte = data;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ byte[i]) * 0x100000001b3u;
  return sum;
}

#endif
