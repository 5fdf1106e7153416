/* Reads the start of a mechanical system from a table with one row for each replica. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/nearest.h"
#include "base/scoped.h"
#include "results/results.h"
#include "simulation/mechanics/mechanics_private.h"

SCOPED_POINTER(ResultTable, results_free_table)

/* The meaning of a column: coordinate, momentum, velocity (times the mass), or unused. */
enum { USE_NONE, USE_POSITION, USE_MOMENTUM, USE_VELOCITY };
typedef struct ColumnUse {
  int what, at;
} ColumnUse;

static MechanicsName velocity_name(const Mechanics *m, int i)
{
  MechanicsName name;
  snprintf(name.text, sizeof name.text, "v%.20s", mechanics_name(m, i, false).text);
  return name;
}

/* Tables of trajectories are accepted with their label columns. */
static bool is_label(const char *name) { return strcmp(name, "time") == 0 || strcmp(name, "replica") == 0; }

/* *near: storage for the nearest name. */
static bool find_use(const Mechanics *m, const char *name, ColumnUse *use, Nearest *nearest,
                     MechanicsName *near)
{
  for (int i = 0; i < m->size; i++) {
    const MechanicsName names[] = {mechanics_name(m, i, false), mechanics_name(m, i, true),
                                   velocity_name(m, i)};
    for (int k = 0; k < (m->sort->form->velocities ? 3 : 2); k++) {
      if (strcmp(names[k].text, name) == 0) {
        *use = (ColumnUse){USE_POSITION + k, i};
        return true;
      }
      nearest_try(nearest, names[k].text, 0.0);
      if (nearest->name == names[k].text) {
        *near = names[k];
        nearest->name = near->text;
      }
    }
  }
  return false;
}

static Status wrong(const Mechanics *m, const ResultTable *t, int line, const char *what, Error *error)
{
  return input_error(m->s->config->input, KEY(system_file), error, "%s:%d: %s", t->path, line, what);
}

static Status read_use(const Mechanics *m, const ResultTable *t, int column, ColumnUse *use, Error *error)
{
  const char *name = t->column[column].name;
  Nearest nearest = nearest_start(name);
  MechanicsName near;
  char text[384];
  *use = (ColumnUse){USE_NONE, 0};
  if (is_label(name))
    return STATUS_OK;
  if (!find_use(m, name, use, &nearest, &near)) {
    snprintf(text, sizeof text, "there is no coordinate or momentum '%.60s'%s; names are %s, ..., %s, ...",
             name, nearest_hint(&nearest, "").text, mechanics_name(m, 0, false).text,
             mechanics_name(m, 0, true).text);
    return wrong(m, t, t->head, text, error);
  }
  for (int k = 0; k < column; k++) {
    ColumnUse other;
    Nearest none = nearest_start("");
    const bool same = find_use(m, t->column[k].name, &other, &none, &near) && other.at == use->at &&
                      (other.what == use->what || (other.what != USE_POSITION && use->what != USE_POSITION));
    if (same) {
      snprintf(text, sizeof text, "'%.60s' and '%.60s' are the same column", t->column[k].name, name);
      return wrong(m, t, t->head, text, error);
    }
  }
  return STATUS_OK;
}

static Status fill_column(const Mechanics *m, const ResultTable *t, int column, const ColumnUse *use,
                          double *q, double *p, Error *error)
{
  LOCALE_PLAIN;
  double *x = use->what == USE_POSITION ? q : p;
  const double factor = use->what == USE_VELOCITY ? m->s->kind[0]->mass[use->at / m->s->kind[0]->dim] : 1.0;
  for (int r = 0; r < m->s->replicas; r++) {
    const size_t row = t->nrow == 1 ? 0 : (size_t)r;
    const double value = t->column[column].value[row];
    char text[128];
    snprintf(text, sizeof text, "'%.60s' is %g; wanted: a finite number", t->column[column].name, value);
    if (!isfinite(value))
      return wrong(m, t, t->line[row], text, error);
    x[(size_t)r * (size_t)m->size + (size_t)use->at] = factor * value;
  }
  return STATUS_OK;
}

Status mechanics_file_fill(const Mechanics *m, double *q, double *p, Error *error)
{
  const Config *c = m->s->config;
  if (c->system.file == NULL)
    return STATUS_OK;
  SCOPED(scoped_free) char *path = config_path(c, c->system.file);
  TRY_MEMORY(path != NULL, "a file name", error);
  SCOPED(results_free_table_at) ResultTable *t = NULL;
  Error why;
  if (results_csv_load(&t, path, &why) != STATUS_OK)
    return input_error(c->input, KEY(system_file), error, "%s", why.text);
  if (t->nrow != 1 && t->nrow != (size_t)m->s->replicas)
    return input_error(c->input, KEY(system_file), error, "%s has %zu rows for %d replicas", c->system.file,
                       t->nrow, m->s->replicas);
  for (int k = 0; k < t->ncol; k++) {
    ColumnUse use;
    TRY(read_use(m, t, k, &use, error));
    if (use.what != USE_NONE)
      TRY(fill_column(m, t, k, &use, q, p, error));
  }
  return STATUS_OK;
}
