/* Converts measurements to records for files or other processes, and back. */
#include <string.h>

#include "simulation/measure/measure_private.h"

static void pack(Bytes *out, int what, int64_t step, const void *data, size_t size)
{
  const SampleRecord record = {what, (int32_t)size, step};
  bytes_put(out, &record, sizeof record);
  bytes_put(out, data, size);
}

static void pack_row(const Recorder *m, int i, Bytes *out)
{
  const int n = m->temperatures * m->ncol;
  unsigned char packed[EXACT_SUM_PACKED];
  SampleRecord record = {MEASURE_THERMO, 0, m->row_step[i]};
  const size_t at = out->size;
  bytes_put(out, &record, sizeof record);
  for (int c = 0; c < n; c++)
    bytes_put(out, packed, exact_sum_pack(&m->sum[i * n + c], packed));
  record.size = (int32_t)(out->size - at - sizeof record);
  if (!out->failed)
    memcpy((unsigned char *)out->data + at, &record, sizeof record);
}

/* A frame of one replica begins with its index. */
static void pack_frame(const Recorder *m, int i, int r, Bytes *out)
{
  const int64_t replica = r;
  const size_t size = m->frame_room * sizeof *m->frame;
  const SampleRecord record = {MEASURE_FRAME, (int32_t)(sizeof replica + size), m->frame_step[i]};
  bytes_put(out, &record, sizeof record);
  bytes_put(out, &replica, sizeof replica);
  bytes_put(out, measure_frame_at(m, i, r), size);
}

void measure_records_pack(void *self, Bytes *records)
{
  const Recorder *const m = self;
  for (int i = 0; i < m->nrow; i++)
    pack_row(m, i, records);
  int first, end;
  const bool frames = measure_own_frames(m, &first, &end);
  for (int i = 0; i < m->nframe && frames; i++)
    for (int r = first; r < end; r++)
      pack_frame(m, i, r, records);
  for (int i = 0; i < m->nmultiplier; i++)
    pack(records, MEASURE_MULTIPLIERS, m->multiplier_step[i],
         m->multiplier + (size_t)i * (size_t)m->options.ncon,
         (size_t)m->options.ncon * sizeof *m->multiplier);
}

/* The index of a step among n buffered samples; n: not found. */
static int find_step(const int64_t *at, int n, int64_t step)
{
  int i = 0;
  while (i < n && at[i] != step)
    i++;
  return i;
}

static bool unpack_row(Recorder *m, int64_t step, const unsigned char *data, size_t size)
{
  const int n = m->temperatures * m->ncol;
  const int i = find_step(m->row_step, m->nrow, step);
  if (i == m->rows_most)
    return false;
  ExactSum *sum = &m->sum[i * n];
  if (i == m->nrow) {
    m->row_step[m->nrow++] = step;
    memset(sum, 0, (size_t)n * sizeof *sum);
  }
  return exact_sum_merge_packed(sum, n, data, size);
}

static bool unpack_frame(Recorder *m, int64_t step, const unsigned char *data, size_t size)
{
  int64_t replica;
  const int i = find_step(m->frame_step, m->nframe, step);
  if (m->frame == NULL || i == m->frames_most || size != sizeof replica + m->frame_room * sizeof *m->frame)
    return false;
  memcpy(&replica, data, sizeof replica);
  if (replica < m->frame_first || replica >= m->frame_first + m->frame_replicas ||
      (i == m->nframe && i > 0 && m->frame_have[i - 1] != m->frame_replicas))
    return false;
  if (i == m->nframe) {
    m->frame_step[m->nframe++] = step;
    m->frame_have[i] = 0;
  }
  memcpy(measure_frame_at(m, i, (int)replica), data + sizeof replica, size - sizeof replica);
  m->frame_have[i]++;
  return true;
}

bool measure_records_unpack(void *self, const SampleRecord *record, const void *data)
{
  Recorder *const m = self;
  const size_t size = (size_t)record->size, constraints = (size_t)m->options.ncon * sizeof *m->multiplier;
  switch (record->what) {
  case MEASURE_THERMO:
    return m->sum != NULL && unpack_row(m, record->step, data, size);
  case MEASURE_FRAME:
    return unpack_frame(m, record->step, data, size);
  case MEASURE_MULTIPLIERS:
    if (m->nmultiplier == m->multipliers_most || size != constraints)
      return false;
    memcpy(m->multiplier + (size_t)m->nmultiplier * (size_t)m->options.ncon, data, size);
    m->multiplier_step[m->nmultiplier++] = record->step;
    return true;
  default:
    return false;
  }
}

bool measure_records_full(void *self)
{
  const Recorder *const m = self;
  return m->nrow == m->rows_most || m->nframe == m->frames_most || m->nmultiplier == m->multipliers_most;
}
