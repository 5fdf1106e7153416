#include "simulation/run/multipliers.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"

struct Multipliers {
  const Config *config;
  double h, spacing; /* the time step, and between samples, in the input's unit of time */
  MultipliersClock clock;
  double age;       /* of multipliers at the end of their step       */
  int ncon, window; /* samples in the window                      */
  int64_t n;        /* samples seen                                  */
  double *ring;     /* [window][ncon]                                */
};

Status multipliers_create(Multipliers **multipliers, const Config *config, const MultipliersClock *clock,
                          int ncon, double age, Error *error)
{
  *multipliers = NULL;
  Multipliers *m = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "multipliers", error);
  const double spacing = config->integrator.timestep * (double)config->output.multipliers_every;
  const double samples = fmax(1.0, round(config->output.multipliers_window / spacing));
  m->config = config;
  m->h = config->integrator.timestep;
  m->spacing = spacing;
  m->clock = *clock;
  m->age = age;
  m->ncon = ncon;
  m->window = samples < 1e6 ? (int)samples : 1000000;
  m->ring = calloc((size_t)m->window * (size_t)m->ncon, sizeof *m->ring);
  if (m->ring == NULL) {
    free(m);
    return error_memory(error, "multipliers");
  }
  *multipliers = m;
  return STATUS_OK;
}

void multipliers_head(const Multipliers *m, const char *of, const char *where, Text *text)
{
  const char *const time = m->clock.name;
  text_print(text, "%s", time);
  for (int c = 1; c <= m->ncon; c++)
    text_print(text, ",lambda_%d", c);
  text_print(text, ",mean_%s", time);
  for (int c = 1; c <= m->ncon; c++)
    text_print(text, ",mean_%d", c);
  text_print(text,
             "\n# multipliers of %s of %s: force = -grad V0 + sum lambda_c grad g_c%s\n"
             "# constraints: impulse of a step over h; penalties: -w^2 g\n"
             "# %s: to which lambda belongs, %.10g before the end of the step that it was taken in\n"
             "# mean_c: lambda_c averaged over the %d samples (%.6g%s) up to here, placed at their middle, "
             "nan before the first\n",
             of, where, m->config->reduced ? "" : ", kcal/mol/A^2", time, m->age * m->clock.per, m->window,
             m->window * m->spacing * m->clock.per, m->config->reduced ? "" : m->clock.unit);
}

void multipliers_chunks(Multipliers *m, ChunkList *list)
{
  chunk_add(list, &m->n, sizeof m->n);
  chunk_add(list, m->ring, (size_t)m->window * (size_t)m->ncon * sizeof *m->ring);
}

static void write_means(const Multipliers *m, Text *text, double time)
{
  text_print(text, ",%.10g", (time - 0.5 * (m->window - 1) * m->spacing) * m->clock.per);
  for (int c = 0; c < m->ncon; c++) {
    double sum = 0.0;
    for (int i = 0; i < m->window; i++)
      sum += m->ring[i * m->ncon + c];
    text_print(text, ",%.10g", sum / m->window);
  }
}

void multipliers_add(Multipliers *m, Text *text, int64_t step, const double *lambda)
{
  const double time = (double)step * m->h - m->age;
  text_print(text, "%.10g", time * m->clock.per);
  for (int c = 0; c < m->ncon; c++) {
    text_print(text, ",%.10g", lambda[c]);
    m->ring[m->n % m->window * m->ncon + c] = lambda[c];
  }
  if (++m->n >= m->window)
    write_means(m, text, time);
  else
    for (int c = 0; c <= m->ncon; c++)
      text_print(text, ",nan");
  text_print(text, "\n");
}

void multipliers_free(Multipliers *m)
{
  if (m == NULL)
    return;
  free(m->ring);
  free(m);
}
