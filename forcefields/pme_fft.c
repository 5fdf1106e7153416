#include <math.h>
#include <stdlib.h>

#include "forcefields/pme_private.h"

/* --- one length ----------------------------------------------------------------------------------------- */

/* Few passes: powers of two by radix 8; the remaining 2 or 4 with factors 3 and 5 by radix 6 and 10, or
 * alone. */
static int next_radix(int n)
{
  static const int small[] = {7, 5, 3, 2};
  const int twos = __builtin_ctz((unsigned)n), left = twos % 3, odd = n >> twos;
  if (left == 1 || (left == 2 && (odd % 9 == 0 || odd % 15 == 0 || odd % 25 == 0))) {
    if (odd % 5 == 0)
      return 10;
    if (odd % 3 == 0)
      return 6;
  }
  if (left == 2 || twos == 4)
    return 4;
  if (twos >= 3)
    return 8;
  for (int k = 0; k < (int)(sizeof small / sizeof *small); k++)
    if (n % small[k] == 0)
      return small[k];
  for (int r = 11; r * r <= n; r += 2)
    if (n % r == 0)
      return r;
  return n;
}

int pme_fft_passes(int n)
{
  int passes = 0;
  for (int radix; n > 1; n /= radix) {
    radix = next_radix(n);
    passes += radix == 7 ? 2 : 1;
  }
  return passes;
}

/* Reals of a pass: roots of a butterfly, then twiddles of both ways. */
static size_t pass_size(const PmeFftPass *p)
{
  return 2 * (size_t)p->radix + 6 * (size_t)p->count * (size_t)(p->radix - 1);
}

/* Appends a real to a table. */
static void put(void **at, PmePrecision precision, double x)
{
  if (precision == PME_DOUBLE)
    *(double *)*at = x;
  else
    *(float *)*at = (float)x;
  *at = (char *)*at + pme_real_size(precision);
}

static void fill_pass(PmeFftPass *p, PmePrecision precision, void **at)
{
  p->root = *at;
  for (int k = 0; k < p->radix; k++) {
    put(at, precision, cos(2.0 * M_PI * k / p->radix));
    put(at, precision, sin(2.0 * M_PI * k / p->radix));
  }
  for (int way = 0; way < 2; way++) {
    p->twiddle[way] = *at;
    for (int i = 0; i < p->count; i++)
      for (int k = 1; k < p->radix; k++) {
        const double angle = 2.0 * M_PI * i * k / ((double)p->count * p->radix);
        const double s = way == PME_FFT_FORWARD ? sin(angle) : -sin(angle);
        put(at, precision, cos(angle));
        put(at, precision, s);
        put(at, precision, -s);
      }
  }
}

void pme_fft_length_free(PmeFftLength *length)
{
  free(length->table);
  *length = (PmeFftLength){0};
}

Status pme_fft_length_create(PmeFftLength *length, PmePrecision precision, int n, Error *error)
{
  *length = (PmeFftLength){.n = n};
  size_t size = 0;
  for (int left = n, done = 1; left > 1; length->passes++) {
    const int radix = next_radix(left);
    left /= radix;
    length->pass[length->passes] = (PmeFftPass){.radix = radix, .count = left, .stride = done};
    size += pass_size(&length->pass[length->passes]);
    done *= radix;
  }
  length->table = calloc(size + 1, pme_real_size(precision)); /* one point has no pass */
  TRY_MEMORY(length->table != NULL, "the Fourier transforms", error);
  void *at = length->table;
  for (int k = 0; k < length->passes; k++)
    fill_pass(&length->pass[k], precision, &at);
  return STATUS_OK;
}

/* --- a mesh --------------------------------------------------------------------------------------------- */

void pme_fft_free(PmeFft *fft)
{
  for (int d = 0; d < 3; d++)
    pme_fft_length_free(&fft->length[d]);
}

static ptrdiff_t up(ptrdiff_t n, ptrdiff_t step) { return (n + step - 1) / step * step; }

static ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b) { return a > b ? a : b; }

Status pme_fft_create(PmeFft *fft, PmePrecision precision, const PmeMesh *mesh, Isa isa, Error *error)
{
  static const PmeFftKernels *const sets[2][ISA_COUNT] = {
      [PME_DOUBLE] = ISA_TABLES(pme_fft_double), [PME_FLOAT] = ISA_TABLES(pme_fft_float)};
  const int *n = mesh->n;
  const ptrdiff_t real = (ptrdiff_t)pme_real_size(precision), per_line = 64 / real;
  *fft = (PmeFft){
      .kernels = sets[precision][isa], .precision = precision, .row = mesh->row, .plane = mesh->plane};
  fft->slab_row = (up(2 * n[2], per_line) / per_line | 1) * per_line;
  fft->slab = up(n[0], PME_FFT_LANES) * fft->slab_row;
  fft->longest = (larger(larger(n[0], n[1]), n[2]) + 1) * per_line;
  fft->influence_row = 2 * up(n[0], PME_FFT_LANES);
  fft->influence = (size_t)((n[1] / 2 + 1) * ((n[2] + 1) / 2) * fft->influence_row * real);
  const ptrdiff_t columns = up(n[2], per_line) * n[1];
  fft->buffer = (size_t)((larger(columns, fft->slab) + 4 * fft->longest) * real);
  for (int d = 0; d < 3; d++)
    TRY(pme_fft_length_create(&fft->length[d], precision, n[d], error));
  return STATUS_OK;
}
