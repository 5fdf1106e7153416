#include "simulation/ladder/mixing.h"

#include <math.h>
#include <stdlib.h>

#include "observables/block_rows.h"

struct Mixing {
  int batches, width;
  BlockRowsSeries *series; /* [batches] */
  double *row;             /* [batches][BLOCK_ROWS][width] */
};

Status mixing_create(Mixing **mixing, int batches, int width, Error *error)
{
  Mixing *m = *mixing = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "energies of replicas", error);
  *m = (Mixing){.batches = batches, .width = width};
  m->series = calloc((size_t)batches, sizeof *m->series);
  m->row = calloc((size_t)batches * BLOCK_ROWS * (size_t)width, sizeof *m->row);
  for (int g = 0; m->series != NULL && g < batches; g++)
    m->series[g].length = 1;
  if (m->series != NULL && m->row != NULL)
    return STATUS_OK;
  mixing_free(m);
  *mixing = NULL;
  return error_memory(error, "energies of replicas");
}

void mixing_free(Mixing *m)
{
  if (m == NULL)
    return;
  free(m->series);
  free(m->row);
  free(m);
}

static double *row_of(const Mixing *m, int batch, int64_t block)
{
  return m->row + ((size_t)batch * BLOCK_ROWS + (size_t)block) * (size_t)m->width;
}

void mixing_add(Mixing *m, int batch, const double *energy)
{
  const size_t size = (size_t)m->width * sizeof *energy;
  block_rows_add_real(size, row_of(m, batch, m->series[batch].full), energy);
  if (block_rows_series_end(&m->series[batch], BLOCK_ROWS))
    block_rows_halve(BLOCK_ROWS, row_of(m, batch, 0), size, block_rows_add_real);
}

void mixing_chunks(Mixing *m, ChunkList *list)
{
  chunk_add_each(list, m->series, sizeof *m->series, m->batches);
  chunk_add_each(list, m->row, BLOCK_ROWS * (size_t)m->width * sizeof *m->row, m->batches);
}

Status mixing_result(const Mixing *m, MixingResult *result, Error *error)
{
  const int all = m->batches * m->width, chains = all < MIXING_CHAINS ? all : MIXING_CHAINS;
  const BlockRowsSeries *s = &m->series[0];
  const int blocks = (int)s->full;
  *result = (MixingResult){.chains = chains, .alike = {.rhat = NAN}, .gain = 1.0};
  double *x = malloc(((size_t)chains + 1) * ((size_t)blocks + 1) * sizeof *x), *mean = x + chains * blocks;
  TRY_MEMORY(x != NULL, "energies of replicas", error);
  for (int b = 0; b < blocks; b++) {
    mean[b] = 0.0;
    for (int c = 0; c < chains; c++) {
      const int r = (int)((int64_t)c * all / chains);
      x[c * blocks + b] = row_of(m, r / m->width, b)[r % m->width] / (double)s->length;
      mean[b] += x[c * blocks + b] / chains;
    }
  }
  const Status status = convergence_chains(x, chains, blocks, &result->alike, error);
  const ConvergenceStart start = convergence_start(mean, blocks);
  result->start = start.start * s->length;
  result->gain = start.whole > 0.0 ? start.effective / start.whole : 1.0;
  free(x);
  return status;
}
