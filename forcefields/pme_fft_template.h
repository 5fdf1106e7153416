/* Plans of one precision: included with FFTW(name) and NAME(name). */

static void NAME(destroy)(PmeFft *fft)
{
  for (int k = 0; k < PME_PLANS; k++) {
    if (fft->plan[k] != NULL)
      FFTW(destroy_plan)(fft->plan[k]);
    fft->plan[k] = NULL;
  }
}

static bool NAME(plan)(PmeFft *fft, const PmeMesh *m, void *mesh, void *buffer, unsigned flags)
{
  const int nz = m->n[2] / 2 + 1, row = m->row / 2, plane = m->plane / 2;
  FFTW(complex) *q = mesh, *b = buffer;
  const int *nx = &m->n[0], *ny = &m->n[1];
  fft->plan[ROWS] = FFTW(plan_many_dft_r2c)(1, &m->n[2], *ny, mesh, NULL, 1, m->row, b, NULL, 1, row, flags);
  fft->plan[COLUMNS] = FFTW(plan_many_dft)(1, ny, nz, b, NULL, row, 1, q, NULL, row, 1, FFTW_FORWARD, flags);
  fft->plan[LINES] = FFTW(plan_many_dft)(1, nx, nz, q, NULL, plane, 1, b, NULL, row, 1, FFTW_FORWARD, flags);
  fft->plan[LINES_BACK] =
      FFTW(plan_many_dft)(1, nx, nz, b, NULL, row, 1, q, NULL, plane, 1, FFTW_BACKWARD, flags);
  fft->plan[COLUMNS_BACK] =
      FFTW(plan_many_dft)(1, ny, nz, q, NULL, row, 1, b, NULL, row, 1, FFTW_BACKWARD, flags);
  fft->plan[ROWS_BACK] =
      FFTW(plan_many_dft_c2r)(1, &m->n[2], *ny, b, NULL, 1, row, mesh, NULL, 1, m->row, flags);
  bool whole = true;
  for (int k = 0; k < PME_PLANS; k++)
    whole = whole && fft->plan[k] != NULL;
  if (!whole)
    NAME(destroy)(fft);
  return whole;
}

/* Brings what FFTW knows now into the file, beside whatever was read from it. */
static Status NAME(keep)(const char *wisdom, Error *error)
{
  SCOPED(scoped_free) char *known = FFTW(export_wisdom_to_string)();
  TRY_MEMORY(known != NULL, "the measurements of Fourier transforms", error);
  Text *text;
  TRY(text_replace_named(&text, wisdom, error));
  fputs(known, text_file(text));
  return text_close(text, error);
}

/* Measured plans: from the file if they are there, else measured, and added to it if it is to be kept. */
static Status NAME(measured)(PmeFft *fft, const PmeMesh *m, void *q, void *buffer, const PmeWisdom *wisdom,
                             Error *error)
{
  SCOPED(scoped_free) char *text = NULL;
  TRY(read_wisdom(wisdom->path, &text, error));
  if (text != NULL && FFTW(import_wisdom_from_string)(text) == 0)
    return error_set(error, STATUS_INPUT,
                     "'%s' holds measurements of another precision or version of FFTW: name another file",
                     wisdom->path);
  if (text != NULL && NAME(plan)(fft, m, q, buffer, FFTW_MEASURE | FFTW_WISDOM_ONLY))
    return STATUS_OK;
  if (!NAME(plan)(fft, m, q, buffer, FFTW_MEASURE))
    return error_memory(error, "the Fourier transforms");
  TRY_ELSE(wisdom->keep ? NAME(keep)(wisdom->path, error) : STATUS_OK, NAME(destroy)(fft));
  return STATUS_OK;
}

/* What FFTW has learnt in this process would change its estimates: it is put aside, and brought back after.
 */
static Status NAME(make)(PmeFft *fft, const PmeMesh *m, void *q, void *buffer, const PmeWisdom *wisdom,
                         Error *error)
{
  Status status = STATUS_OK;
  char *known = FFTW(export_wisdom_to_string)();
  FFTW(forget_wisdom)();
  if (wisdom->path != NULL)
    status = NAME(measured)(fft, m, q, buffer, wisdom, error);
  else if (!NAME(plan)(fft, m, q, buffer, FFTW_ESTIMATE))
    status = error_memory(error, "the Fourier transforms");
  FFTW(forget_wisdom)();
  if (known != NULL)
    FFTW(import_wisdom_from_string)(known);
  free(known);
  return status;
}

static void NAME(plane_forward)(const PmeFft *fft, void *plane, void *buffer)
{
  FFTW(execute_dft_r2c)(fft->plan[ROWS], plane, buffer);
  FFTW(execute_dft)(fft->plan[COLUMNS], buffer, plane);
}

static void NAME(plane_backward)(const PmeFft *fft, void *plane, void *buffer)
{
  FFTW(execute_dft)(fft->plan[COLUMNS_BACK], plane, buffer);
  FFTW(execute_dft_c2r)(fft->plan[ROWS_BACK], buffer, plane);
}
