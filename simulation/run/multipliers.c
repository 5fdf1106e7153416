#include "simulation/run/multipliers.h"

#include <math.h>
#include <stdlib.h>

#include "simulation/run/ladder_report.h"

struct Multipliers {
  const Run *run;
  const char *of;
  double spacing,
      age; /* between samples; from a multiplier's time to the end of its step, in the input's time */
  int ncon, window; /* samples in the window */
  int64_t n;        /* samples written */
  double *ring;     /* [window][ncon] */
};

Status multipliers_create(Multipliers **multipliers, const Run *run, const char *of, Error *error)
{
  const Config *c = run->s->config;
  const double spacing = c->integrator.timestep * (double)c->output.multipliers_every;
  const double samples = fmax(1.0, round(c->output.multipliers_window / spacing));
  Multipliers *m = *multipliers = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "multipliers", error);
  *m = (Multipliers){.run = run,
                     .of = of,
                     .spacing = spacing,
                     .age = plan_multipliers_age(run->s->plan),
                     .ncon = run->s->ncon,
                     .window = samples < 1e6 ? (int)samples : 1000000};
  m->ring = calloc((size_t)m->window * (size_t)m->ncon, sizeof *m->ring);
  TRY_MEMORY(m->ring != NULL, "multipliers", error);
  return STATUS_OK;
}

void multipliers_chunks(Multipliers *m, ChunkList *list)
{
  chunk_add(list, &m->n, sizeof m->n);
  chunk_add(list, m->ring, (size_t)m->window * (size_t)m->ncon * sizeof *m->ring);
}

void multipliers_head(void *self, Text *text)
{
  char where[96];
  const Multipliers *m = self;
  const RunClock *clock = m->run->clock;
  const bool reduced = m->run->s->config->reduced;
  ladder_report_place(m->run->s, m->run->multiplied, where, sizeof where);
  text_print(text, "%s", clock->name);
  for (int c = 1; c <= m->ncon; c++)
    text_print(text, ",lambda_%d", c);
  text_print(text, ",mean_%s", clock->name);
  for (int c = 1; c <= m->ncon; c++)
    text_print(text, ",mean_%d", c);
  text_print(text,
             "\n# multipliers of %s of %s: Force = -grad V0 + sum lambda_c grad g_c%s\n# constraints: Lambda "
             "is the impulse of a step over h; penalties: Lambda is -w^2 g\n# %s: Time of lambda, %.10g "
             "before the end of its step\n# mean_c: Average of lambda_c over the last %d samples (%.6g%s), "
             "at the middle of their time; nan before the first\n",
             m->of, where, reduced ? "" : ", kcal/mol/A^2", clock->name, m->age * clock->per, m->window,
             m->window * m->spacing * clock->per, reduced ? "" : clock->unit);
}

static void write_means(const Multipliers *m, Text *text, double time)
{
  text_print(text, ",%.10g", (time - 0.5 * (m->window - 1) * m->spacing) * m->run->clock->per);
  for (int c = 0; c < m->ncon; c++) {
    double sum = 0.0;
    for (int i = 0; i < m->window; i++)
      sum += m->ring[i * m->ncon + c];
    text_print(text, ",%.10g", sum / m->window);
  }
}

static void write_row(Multipliers *m, Text *text, int64_t step, const double *lambda)
{
  const double time = (double)step * m->run->s->config->integrator.timestep - m->age;
  text_print(text, "%.10g", time * m->run->clock->per);
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

Status multipliers_write(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step, (void)error;
  Multipliers *m = self;
  for (int i = 0; i < measure_multipliers(m->run->measure); i++) {
    int64_t at;
    const double *lambda = measure_multiplier(m->run->measure, i, &at);
    write_row(m, writer->text, at, lambda);
  }
  return STATUS_OK;
}

void multipliers_free(Multipliers *m)
{
  if (m == NULL)
    return;
  free(m->ring);
  free(m);
}
