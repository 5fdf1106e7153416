#include "simulation/mechanics/mechanics_means.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observables/exact_sum.h"
#include "observables/statistics.h"
#include "simulation/ladder/ladder_report.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/mechanics/mechanics_report.h"

struct MechanicsMeans {
  const Mechanics *m;
  int ncol, nenergy, nobs;
  Expression **observable; /* [nobs]: the last columns                        */
  double *variable;        /* [2*size + 1]: q, p, time                        */
  double *value;           /* [held][ncol] looked at last, with ladders by slot */
  double time;
  bool looked;
  ExactSum *row; /* [temperatures][ncol] of that, over replicas     */
  Means all;     /* over rows; lanes to spare are in memory, too    */
};

/* --- columns ---------------------------------------------------------------------------------------------
 */

static void name_columns(MechanicsMeans *means)
{
  const Mechanics *m = means->m;
  const MechanicsEnergy none = {0};
  const MechanicsColumns energies = mechanics_report_columns(m, &none);
  MeansColumn *c = means->all.column;
  for (int i = 0; i < energies.n; i++, c++) {
    snprintf(c->name, sizeof c->name, "%s", energies.name[i]);
    c->largest = c->hidden = energies.largest[i];
  }
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < m->size; i++, c++) {
      snprintf(c->name, sizeof c->name, "%s", mechanics_report_name(m, i, half).text);
      c->hidden = m->s->replicas == 1;
    }
  for (int i = 0; i < means->nobs; i++, c++)
    snprintf(c->name, sizeof c->name, "%s", m->s->config->output.observables.name[i]);
}

static Status check_name(const MechanicsMeans *means, int i, InputKey key, Error *error)
{
  const Input *in = means->m->s->config->input;
  const int at = means->ncol - means->nobs + i;
  const char *name = means->m->s->config->output.observables.name[i];
  size_t n = 0;
  while (isalnum((unsigned char)name[n]) || name[n] == '_')
    n++;
  if (n == 0 || name[n] != '\0' || isdigit((unsigned char)name[0]) || n >= sizeof means->all.column->name)
    return input_error(in, key, error,
                       "is not a name; wanted: letters, digits and _, a letter first, 63 at most");
  for (int j = 0; j < at; j++)
    if (strcmp(means->all.column[j].name, name) == 0)
      return input_error(in, key, error, "is a column already; take another name");
  return STATUS_OK;
}

static Status parse_observables(MechanicsMeans *means, Error *error)
{
  const Mechanics *m = means->m;
  const InputMap *map = &m->s->config->output.observables;
  const int nvar = 2 * m->size + 1;
  MechanicsName *names = malloc((size_t)nvar * sizeof *names);
  const char **var = malloc((size_t)nvar * sizeof *var);
  Status status = names == NULL || var == NULL ? error_memory(error, "observables") : STATUS_OK;
  for (int i = 0; i < nvar && status == STATUS_OK; i++) {
    if (i < nvar - 1)
      names[i] = mechanics_report_name(m, i % m->size, i >= m->size);
    else
      snprintf(names[i].text, sizeof names[i].text, "t");
    var[i] = names[i].text;
  }
  for (int i = 0; i < means->nobs && status == STATUS_OK; i++) {
    const InputKey key = input_line(KEY(output_observables), map->name[i]);
    status = check_name(means, i, key, error);
    if (status == STATUS_OK)
      status = mechanics_value_parse(m, key, map->value[i], (Names){nvar, var}, &means->observable[i], error);
  }
  free(names);
  free((void *)var);
  return status;
}

Status mechanics_means_create(MechanicsMeans **out, const Mechanics *m, Error *error)
{
  *out = NULL;
  MechanicsMeans *means = calloc(1, sizeof *means);
  if (means == NULL)
    return error_memory(error, "means");
  const MechanicsEnergy none = {0};
  means->m = m;
  means->nenergy = mechanics_report_columns(m, &none).n;
  means->nobs = m->s->config->output.observables.n;
  means->ncol = means->nenergy + 2 * m->size + means->nobs;
  const int ngang = m->s->end > 0 ? m->s->end - m->s->first : simulation_gangs(m->s);
  const int held = ngang * m->s->width;
  const size_t ncol = (size_t)means->ncol;
  const int number = m->s->config->exchange.number;
  const MeansShape shape = {.ncol = means->ncol,
                            .replicas = m->s->replicas,
                            .temperatures = number > 0 ? number : 1,
                            .first = m->s->first * m->s->width,
                            .held = held};
  means->observable = calloc((size_t)means->nobs + 1, sizeof(Expression *));
  means->variable = malloc((2 * (size_t)m->size + 1) * sizeof *means->variable);
  means->value = calloc(ncol * (size_t)held, sizeof *means->value);
  means->row = calloc(ncol * (size_t)shape.temperatures, sizeof *means->row);
  const bool fine =
      means->observable != NULL && means->variable != NULL && means->value != NULL && means->row != NULL;
  Status status = fine ? means_create(&means->all, &shape, error) : error_memory(error, "means");
  if (status == STATUS_OK) {
    name_columns(means);
    status = parse_observables(means, error);
  }
  if (status != STATUS_OK) {
    mechanics_means_free(means);
    return status;
  }
  *out = means;
  return STATUS_OK;
}

void mechanics_means_free(MechanicsMeans *means)
{
  if (means == NULL)
    return;
  for (int i = 0; means->observable != NULL && i < means->nobs; i++)
    expression_free(means->observable[i]);
  free((void *)means->observable);
  free(means->variable);
  free(means->value);
  free(means->row);
  means_free(&means->all);
  free(means);
}

void mechanics_means_chunks(MechanicsMeans *means, ChunkList *list)
{
  chunk_owner(list, CHUNK_OF_ALL);
  means_chunks(&means->all, means->m->s->width, list);
}

/* --- looking ---------------------------------------------------------------------------------------------
 */

static double *value_of(const MechanicsMeans *means, int slot)
{
  return means->value + (size_t)(slot - means->all.shape.first) * (size_t)means->ncol;
}

/* The sums at a temperature. */
static ExactSum *row_of(const MechanicsMeans *means, int temperature)
{
  return means->row + (size_t)temperature * (size_t)means->ncol;
}

static int sums(const MechanicsMeans *means) { return means->ncol * means->all.shape.temperatures; }

static Status look(MechanicsMeans *means, int r, Error *error)
{
  const Mechanics *m = means->m;
  double *value = value_of(means, ladder_slot(m->s->ladder, r));
  const size_t size = (size_t)m->size;
  simulation_get_point(m->s, r, means->variable, means->variable + size);
  means->variable[2 * size] = means->time;
  const MechanicsEnergy e = mechanics_energy(m->s, r);
  const MechanicsColumns energies = mechanics_report_columns(m, &e);
  memcpy(value, energies.value, (size_t)energies.n * sizeof *value);
  memcpy(value + means->nenergy, means->variable, 2 * size * sizeof *value);
  for (int i = 0; i < means->nobs; i++) {
    double *to = value + means->ncol - means->nobs + i;
    *to = expression_value(means->observable[i], means->variable);
    if (!isfinite(*to))
      return error_set(error, STATUS_RUN,
                       "output.observables.%s is not a finite number at time %.9g in replica %d",
                       means->all.column[means->ncol - means->nobs + i].name, means->time, r);
  }
  return STATUS_OK;
}

/* Replicas from *first up to before *end, which are also the slots that they are in. */
static void at_work(const MechanicsMeans *means, int *first, int *end)
{
  const Simulation *s = means->m->s;
  *first = ensemble_first(s->ensemble) * s->width;
  *end = ensemble_end(s->ensemble) * s->width;
  *end = *end < s->replicas ? *end : s->replicas;
}

Status mechanics_means_take(MechanicsMeans *means, Error *error)
{
  Status status = STATUS_OK;
  int first, end;
  at_work(means, &first, &end);
  means->time = simulation_time(means->m->s);
  for (int r = first; r < end && status == STATUS_OK; r++)
    status = look(means, r, error);
  for (int r = first; r < end && status == STATUS_OK; r++)
    for (int c = 0; c < means->ncol; c++)
      exact_sum_add(&row_of(means, r % means->all.shape.temperatures)[c], value_of(means, r)[c]);
  means->looked = status == STATUS_OK;
  return status;
}

static void add(MechanicsMeans *means)
{
  int first, end;
  at_work(means, &first, &end);
  for (int r = first; r < end; r++)
    means_add(&means->all, r, value_of(means, r));
  means->all.samples++;
}

void mechanics_means_flush(MechanicsMeans *means, bool counts)
{
  if (means->looked && counts)
    add(means);
  means->looked = false;
  memset(means->row, 0, (size_t)sums(means) * sizeof *means->row);
}

void mechanics_means_pack(const MechanicsMeans *means, Bytes *bytes)
{
  for (int c = 0; c < sums(means); c++) {
    unsigned char packed[EXACT_SUM_PACKED];
    bytes_put(bytes, packed, exact_sum_pack(&means->row[c], packed));
  }
}

bool mechanics_means_unpack(MechanicsMeans *means, const void *data, size_t size)
{
  return exact_sum_merge_packed(means->row, sums(means), data, size);
}

/* --- against time ----------------------------------------------------------------------------------------
 */

static bool has_error(const MechanicsMeans *means, int c)
{
  return means_draws(&means->all) > 1 && !means->all.column[c].largest;
}

void mechanics_means_head(const MechanicsMeans *means, Text *text)
{
  static const char largest[] = "largest_g and hidden_g are";
  const Simulation *s = means->m->s;
  text_print(text, s->ladder != NULL ? "time,target" : "time");
  for (int c = 0; c < means->ncol; c++) {
    text_print(text, ",%s", means->all.column[c].name);
    if (has_error(means, c))
      text_print(text, ",%s_err", means->all.column[c].name);
  }
  text_print(text, "\n# units: %s\n", mechanics_report_units(means->m));
  if (s->ladder != NULL)
    ladder_report_rows(s, largest, text);
  else if (s->replicas > 1)
    text_print(text, "# means over %d replicas; x_err is the standard error of x; %s the largest of all\n",
               s->replicas, largest);
  else
    text_print(text, "# of one replica\n");
}

static void print_row(const MechanicsMeans *means, int temperature, Text *text)
{
  for (int c = 0; c < means->ncol; c++) {
    const ExactSum *row = &row_of(means, temperature)[c];
    const bool one = means->m->s->replicas == 1; /* whatever it is, if only a zero's sign */
    const bool largest = means->all.column[c].largest;
    text_print(text, largest ? ",%.6g" : ",%.12g",
               one       ? means->value[c]
               : largest ? row->top
                         : exact_sum_mean(row));
    if (has_error(means, c))
      text_print(text, ",%.6g", exact_sum_error(row));
  }
  text_print(text, "\n");
}

void mechanics_means_row(const MechanicsMeans *means, double time, Text *text)
{
  const Simulation *s = means->m->s;
  for (int k = 0; k < means->all.shape.temperatures; k++) {
    if (row_of(means, k)[0].n != means_draws(&means->all))
      return;
    text_print(text, "%.17g", time);
    if (s->ladder != NULL)
      text_print(text, ",%.10g", ladder_report_kelvin(s, k));
    print_row(means, k, text);
  }
}

/* --- over rows -------------------------------------------------------------------------------------------
 */

void mechanics_means_summary(const MechanicsMeans *means, Text *text)
{
  double kelvin[LADDER_TEMPERATURES];
  const MeansTable table = ladder_report_table(means->m->s, "rows", "", kelvin);
  if (means->all.samples == 0)
    return;
  text_print(text, "rows: %lld # after equilibration, in the averages\n", (long long)means->all.samples);
  means_summary(&means->all, &table, text);
}

int64_t mechanics_means_of(const MechanicsMeans *means, const char *name, int temperature, double *mean,
                           double *error)
{
  const int draws = means_draws(&means->all);
  *mean = *error = NAN;
  for (int c = 0; c < means->ncol && means->all.samples > 0; c++)
    if (strcmp(means->all.column[c].name, name) == 0)
      means_all(&means->all, c, temperature, NULL, mean, error, NULL);
  return draws > 1 ? draws : 0;
}

Status mechanics_means_replicas(const MechanicsMeans *means, const char *dir, Error *error)
{
  double kelvin[LADDER_TEMPERATURES];
  char remark[256];
  snprintf(remark, sizeof remark, "largest_g and hidden_g are the largest; units: %s",
           mechanics_report_units(means->m));
  const MeansTable table = ladder_report_table(means->m->s, "rows", remark, kelvin);
  return means_write(&means->all, &table, dir, error);
}
