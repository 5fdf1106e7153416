#include "simulation/parts/samples.h"

#include <stdlib.h>

#include "base/scoped.h"

Status samples_damaged(const SampleReader *reader, Error *error)
{
  return error_set(error, STATUS_INPUT, "%s is damaged, incomplete, or from another build", reader->name);
}

Status samples_next(SampleReader *reader, Error *error)
{
  SampleRecord *next = &reader->next;
  for (; reader->left > 0; reader->left -= next->size) {
    reader->left -= (int64_t)sizeof *next;
    if (fread(next, sizeof *next, 1, reader->file) != 1 || next->size < 0 || next->size > reader->left)
      return samples_damaged(reader, error);
    if (reader->what < 0 || next->what == reader->what)
      return STATUS_OK;
    if (fseek(reader->file, next->size, SEEK_CUR) != 0)
      return samples_damaged(reader, error);
  }
  next->size = -1;
  return STATUS_OK;
}

Status samples_read(SampleReader *reader, const Samples *samples, Error *error)
{
  const size_t size = (size_t)reader->next.size;
  SCOPED(scoped_free) unsigned char *data = malloc(size + 1);
  TRY_MEMORY(data != NULL, "a sample", error);
  if (fread(data, 1, size, reader->file) != size ||
      !samples->unpack(samples->sampler.self, &reader->next, data))
    return samples_damaged(reader, error);
  reader->left -= reader->next.size;
  return samples_next(reader, error);
}
