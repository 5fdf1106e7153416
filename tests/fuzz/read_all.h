/* A trajectory's bytes as a file: read to the end, or refused with a message. */
#ifndef HOLONOM_TESTS_FUZZ_READ_ALL_H
#define HOLONOM_TESTS_FUZZ_READ_ALL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/trajectory.h"

static void read_path(const char *path)
{
  TrajectoryReader *reader;
  Frame frame = {0};
  Error error = {0};
  bool end = false;
  Status status = trajectory_open(&reader, path, &error);
  for (int i = 0; i < 100 && status == STATUS_OK && !end; i++)
    status = trajectory_read(reader, &frame, &end, &error);
  if (status != STATUS_OK && error.text[0] == '\0')
    abort(); /* a failure says why */
  frame_free(&frame);
  trajectory_close(reader);
}

static void read_all(const uint8_t *data, size_t size)
{
  char path[64];
  const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0)
    return;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (write(fd, data, size) == (ssize_t)size)
    read_path(path);
  close(fd);
}

#endif
