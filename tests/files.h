/* For the tests of files: a folder of their own, whole files in and out, a frame to write. */
#ifndef HOLONOM_TESTS_FILES_H
#define HOLONOM_TESTS_FILES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/frame.h"

static char files_folder[64];

/* The path of a file in this test's folder (made at the first call; static memory, eight in turn). */
static inline const char *files_path(const char *name)
{
  static char path[8][512];
  static int turn;
  if (files_folder[0] == '\0') {
    strcpy(files_folder,
           access("/dev/shm", W_OK) == 0 ? "/dev/shm/holonom-test-XXXXXX" : "/tmp/holonom-test-XXXXXX");
    if (mkdtemp(files_folder) == NULL) {
      perror("mkdtemp");
      exit(1);
    }
  }
  turn = (turn + 1) % 8;
  snprintf(path[turn], sizeof path[turn], "%s/%s", files_folder, name);
  return path[turn];
}

static inline void files_clear(void)
{
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", files_folder);
  if (files_folder[0] != '\0' && system(command) != 0)
    fprintf(stderr, "cannot remove %s\n", files_folder);
}

static inline void files_write(const char *path, const void *data, size_t size)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

static inline unsigned char *files_read(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  unsigned char *data = malloc(1 << 22);
  if (file == NULL || data == NULL) {
    perror(path);
    exit(1);
  }
  *size = fread(data, 1, 1 << 22, file);
  fclose(file);
  return data;
}

/* What tests/read_with_mdanalysis.py expects too: coordinate d of atom i in frame k. Not inlined, so that it
 * is rounded alike at every call. */
__attribute__((noinline, unused)) static double files_coordinate(int k, int i, int d)
{
  return 3.0 * i + 10.0 * sin(0.1 * k + 0.37 * i + 1.3 * d);
}

/* Frame k of a run of three-site waters (no geometry of waters). */
static inline void files_frame(Frame *frame, int natoms, int k, int64_t step, double time)
{
  if (frame_resize(frame, natoms, NULL) != STATUS_OK)
    exit(1);
  for (int i = 0; i < natoms; i++) {
    strcpy(frame->symbols[i], i % 3 == 0 ? "O" : "H");
    for (int d = 0; d < 3; d++) {
      frame->positions[i][d] = files_coordinate(k, i, d);
      frame->velocities[i][d] = files_coordinate(k + 1, i, d) / 7.0;
      frame->forces[i][d] = -files_coordinate(k + 2, i, d) * 1e-3;
    }
  }
  frame->has_symbols = true;
  frame->step = step;
  frame->time = time;
}

#endif
