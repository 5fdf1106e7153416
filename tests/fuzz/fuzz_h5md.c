/* H5MD: the bytes as they are, if they begin as HDF5's do (the corpus has a file by h5py), and as changes of
 * a file of ours (records of 4 bytes: 3 bytes where, and what). HDF5 itself is not watched, but for where it
 * ends a program. */
#include <string.h>

#include "tests/fuzz/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* HDF5 loses memory of its own where a file is damaged. */
const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }

static uint8_t good[1 << 17];
static size_t good_size;

/* Two frames of a water in a box. */
static bool write_good(const char *path)
{
  static const char *const symbols[3] = {"O", "H", "H"};
  const double edge[3] = {30.0, 30.0, 30.0}, cosine[3] = {0.0, 0.0, 0.0};
  Frame frame = {0};
  Error error;
  TrajectoryWriter *writer;
  Status status = trajectory_create(&writer, path, "h5md", &(TrajectoryOptions){.replace = true}, &error);
  if (status != STATUS_OK)
    return false;
  status = frame_resize(&frame, 3, &error);
  frame.has_symbols = frame.has_velocities = true;
  for (int i = 0; i < 3 && status == STATUS_OK; i++)
    strcpy(frame.symbols[i], symbols[i]);
  if (status == STATUS_OK)
    status = frame_set_cell(&frame, edge, cosine, &error);
  for (frame.step = 0; frame.step < 2 && status == STATUS_OK; frame.step++)
    status = trajectory_write(writer, &frame, &error);
  frame_free(&frame);
  if (status == STATUS_OK)
    return trajectory_finish(writer, &error) == STATUS_OK;
  trajectory_discard(writer);
  return false;
}

static bool prepare(void)
{
  char path[] = "/dev/shm/holonom-fuzz-XXXXXX.h5md";
  const int fd = mkstemps(path, 5);
  FILE *file = fd >= 0 && write_good(path) ? fopen(path, "rb") : NULL;
  good_size = file != NULL ? fread(good, 1, sizeof good, file) : 0;
  if (file != NULL)
    (void)fclose(file);
  if (fd >= 0)
    (void)close(fd);
  (void)unlink(path);
  return good_size > 0 && good_size < sizeof good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static uint8_t changed[sizeof good];
  if (good_size == 0 && !prepare()) {
    (void)fputs("no good file can be made\n", stderr);
    abort();
  }
  if (size > 8 && memcmp(data, "\x89HDF", 4) == 0)
    read_all(data, size);
  memcpy(changed, good, good_size);
  for (size_t i = 0; i + 4 <= size && i < 64; i += 4)
    changed[(data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16) % good_size] = data[i + 3];
  read_all(changed, good_size);
  return 0;
}
