#include "base/bytes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/locale.h"

void bytes_clear(Bytes *bytes)
{
  bytes->size = 0;
  bytes->failed = false;
}

void bytes_free(Bytes *bytes)
{
  free(bytes->data);
  *bytes = (Bytes){0};
}

/* Reserves `more` bytes after the end; false: no memory. */
static bool reserve(Bytes *bytes, size_t more)
{
  if (bytes->failed)
    return false;
  if (bytes->capacity - bytes->size >= more)
    return true;
  const size_t wanted = bytes->size + more;
  const size_t capacity = wanted < 2 * bytes->capacity ? 2 * bytes->capacity : wanted + 1024;
  unsigned char *data = realloc(bytes->data, capacity);
  bytes->failed = data == NULL;
  if (bytes->failed)
    return false;
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

void bytes_put(Bytes *bytes, const void *data, size_t size)
{
  if (size == 0 || !reserve(bytes, size))
    return;
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

void bytes_printf(Bytes *bytes, const char *format, ...)
{
  LOCALE_PLAIN;
  size_t room = 256;
  for (int attempt = 0; attempt < 2; attempt++) {
    if (!reserve(bytes, room))
      return;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf((char *)bytes->data + bytes->size, room, format, args);
    va_end(args);
    if (length < 0) {
      bytes->failed = true;
      return;
    }
    if ((size_t)length < room) {
      bytes->size += (size_t)length;
      return;
    }
    room = (size_t)length + 1;
  }
}

static void put_little(Bytes *bytes, uint64_t bits, int size)
{
  unsigned char little[8];
  for (int i = 0; i < size; i++)
    little[i] = (unsigned char)(bits >> (8 * i) & 0xff);
  bytes_put(bytes, little, (size_t)size);
}

void bytes_int32(Bytes *bytes, int32_t value) { put_little(bytes, (uint32_t)value, 4); }

void bytes_float(Bytes *bytes, float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_little(bytes, bits, 4);
}

void bytes_double(Bytes *bytes, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_little(bytes, bits, 8);
}

bool bytes_write(int fd, const void *data, size_t size, int64_t offset)
{
  for (const unsigned char *from = data; size > 0;) {
    const ssize_t written = pwrite(fd, from, size, offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      errno = written == 0 ? ENOSPC : errno;
      return false;
    }
    from += written;
    size -= (size_t)written;
    offset += written;
  }
  return true;
}
