#include <errno.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/scoped.h"
#include "engine/text.h"
#include "forcefields/pme_private.h"

/* A file of measurements as text, NULL if there is no such file. STATUS_INPUT if it is something else. */
static Status read_wisdom(const char *path, char **text, Error *error)
{
  enum { LARGEST = 1 << 26 };
  *text = NULL;
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return STATUS_OK;
  const Status status = file_read(path, LARGEST, text, NULL, error);
  if (status != STATUS_OK || strncmp(*text, "(fftw", 5) == 0)
    return status;
  free(*text);
  *text = NULL;
  return error_set(error, STATUS_INPUT,
                   "'%s' is no file of FFTW's measurements, and is not written over: name another one", path);
}

/* Each step goes from the mesh to the thread's buffer or back. FFTW estimates plans in place badly: of 40
 * points they take 2.5 times as long, while these are within 30 % of measured ones. */
enum { ROWS, COLUMNS, LINES, LINES_BACK, COLUMNS_BACK, ROWS_BACK };

#define FFTW(name) fftw_##name
#define NAME(name) name##_double
#include "forcefields/pme_fft_template.h"
#undef FFTW
#undef NAME
#define FFTW(name) fftwf_##name
#define NAME(name) name##_float
#include "forcefields/pme_fft_template.h"

Status pme_fft_create(PmeFft *fft, PmePrecision precision, const PmeMesh *mesh, void *q, void *buffer,
                      const PmeWisdom *wisdom, Error *error)
{
  const size_t real = precision == PME_DOUBLE ? sizeof(double) : sizeof(float);
  *fft = (PmeFft){
      .precision = precision, .plane_size = (size_t)mesh->plane * real, .row_size = (size_t)mesh->row * real};
  Status status;
  /* FFTW plans in one thread at a time, here as in observables. */
#pragma omp critical(fftw_plans)
  status = (precision == PME_DOUBLE ? make_double : make_float)(fft, mesh, q, buffer, wisdom, error);
  return status;
}

void pme_fft_free(PmeFft *fft)
{
#pragma omp critical(fftw_plans)
  (fft->precision == PME_DOUBLE ? destroy_double : destroy_float)(fft);
}

void pme_fft_plane(const PmeFft *fft, void *q, int x, void *buffer)
{
  void *plane = (char *)q + (size_t)x * fft->plane_size;
  (fft->precision == PME_DOUBLE ? plane_forward_double : plane_forward_float)(fft, plane, buffer);
}

void pme_fft_plane_back(const PmeFft *fft, void *q, int x, void *buffer)
{
  void *plane = (char *)q + (size_t)x * fft->plane_size;
  (fft->precision == PME_DOUBLE ? plane_backward_double : plane_backward_float)(fft, plane, buffer);
}

void pme_fft_lines(const PmeFft *fft, void *q, int y, void *buffer)
{
  void *from = (char *)q + (size_t)y * fft->row_size;
  if (fft->precision == PME_DOUBLE)
    fftw_execute_dft(fft->plan[LINES], from, buffer);
  else
    fftwf_execute_dft(fft->plan[LINES], from, buffer);
}

void pme_fft_lines_back(const PmeFft *fft, void *q, int y, void *buffer)
{
  void *to = (char *)q + (size_t)y * fft->row_size;
  if (fft->precision == PME_DOUBLE)
    fftw_execute_dft(fft->plan[LINES_BACK], buffer, to);
  else
    fftwf_execute_dft(fft->plan[LINES_BACK], buffer, to);
}
