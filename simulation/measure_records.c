/* What was gathered, as records, and back. */
#include <string.h>

#include "simulation/measure_private.h"

static void pack(Bytes *out, int what, int64_t step, const void *data, size_t size)
{
  const SampleRecord record = {what, (int32_t)size, step};
  bytes_put(out, &record, sizeof record);
  bytes_put(out, data, size);
}

static void pack_row(const Measure *m, int i, Bytes *out)
{
  unsigned char packed[COLUMNS_MAX * EXACT_SUM_PACKED];
  size_t size = 0;
  for (int c = 0; c < m->columns.n; c++)
    size += exact_sum_pack(&m->sum[i * m->columns.n + c], packed + size);
  pack(out, MEASURE_THERMO, m->row_step[i], packed, size);
}

void measure_pack(const Measure *m, Bytes *records)
{
  for (int i = 0; i < m->nrow; i++)
    pack_row(m, i, records);
  for (int i = 0; i < m->nframe; i++)
    pack(records, MEASURE_FRAME, m->frame_step[i], m->frame + (size_t)i * m->frame_room,
         m->frame_room * sizeof *m->frame);
  for (int i = 0; i < m->nmultiplier; i++)
    pack(records, MEASURE_MULTIPLIERS, m->multiplier_step[i], m->multiplier + (size_t)i * (size_t)m->ncon,
         (size_t)m->ncon * sizeof *m->multiplier);
}

static bool unpack_row(Measure *m, int64_t step, const unsigned char *data, size_t size)
{
  const int ncol = m->columns.n;
  int i = 0;
  while (i < m->nrow && m->row_step[i] != step)
    i++;
  if (i == ROWS)
    return false;
  ExactSum *sum = &m->sum[i * ncol];
  if (i == m->nrow) {
    m->row_step[m->nrow++] = step;
    memset(sum, 0, (size_t)ncol * sizeof *sum);
  }
  for (int c = 0; c < ncol; c++) {
    ExactSum add;
    const size_t used = exact_sum_unpack(&add, data, size);
    if (used == 0)
      return false;
    exact_sum_merge(&sum[c], &add);
    data += used;
    size -= used;
  }
  return size == 0;
}

bool measure_unpack(Measure *m, const SampleRecord *record, const void *data)
{
  const size_t size = (size_t)record->size, constraints = (size_t)m->ncon * sizeof *m->multiplier;
  switch (record->what) {
  case MEASURE_THERMO:
    return m->sum != NULL && unpack_row(m, record->step, data, size);
  case MEASURE_FRAME:
    if (m->frame == NULL || m->nframe == m->frames_most || size != m->frame_room * sizeof *m->frame)
      return false;
    memcpy(m->frame + (size_t)m->nframe * m->frame_room, data, size);
    m->frame_step[m->nframe++] = record->step;
    return true;
  case MEASURE_MULTIPLIERS:
    if (m->nmultiplier == MULTIPLIERS || size != constraints)
      return false;
    memcpy(m->multiplier + (size_t)m->nmultiplier * (size_t)m->ncon, data, size);
    m->multiplier_step[m->nmultiplier++] = record->step;
    return true;
  default:
    return false;
  }
}

bool measure_full(const Measure *m)
{
  return m->nrow == ROWS || m->nframe == m->frames_most || m->nmultiplier == MULTIPLIERS;
}
