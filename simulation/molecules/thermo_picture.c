#include "simulation/molecules/thermo_picture.h"

#include <stdlib.h>

#include "simulation/run/history.h"

/* Conserved energy is drawn as its drift: less its first value. */
struct ThermoPicture {
  const Simulation *system;
  int n, column[HISTORY_QUANTITIES];
  const char *label[HISTORY_QUANTITIES];
  int drift; /* the quantity that is drawn from its first row on; -1: none */
  double first;
  History *history;
};

static void want(ThermoPicture *t, int column, const char *label)
{
  if (column < 0)
    return;
  t->column[t->n] = column;
  t->label[t->n++] = label;
}

Status thermo_picture_create(ThermoPicture **picture, const Simulation *system, Error *error)
{
  ThermoPicture *t = *picture = calloc(1, sizeof *t);
  if (t == NULL)
    return error_memory(error, "a picture");
  const WaterColumns *c = water_columns(system);
  const Config *config = system->config;
  t->system = system;
  want(t, c->potential, "potential (kcal/mol)");
  want(t, c->total, "total energy (kcal/mol)");
  t->drift = -1;
  if (config->output.conserved) {
    t->drift = t->n;
    want(t, c->conserved, "drift (kcal/mol)");
  }
  want(t, c->temperature, "temperature (K)");
  want(t, c->pressure[c->pressure[0] >= 0 ? 0 : 1], "pressure (bar)");
  const Status status = history_create(&t->history, t->n, error);
  if (status != STATUS_OK) {
    thermo_picture_free(t);
    *picture = NULL;
  }
  return status;
}

void thermo_picture_free(ThermoPicture *picture)
{
  if (picture == NULL)
    return;
  history_free(picture->history);
  free(picture);
}

void thermo_picture_add(ThermoPicture *picture, const MeasureRow *row)
{
  double value[HISTORY_QUANTITIES];
  for (int k = 0; k < picture->n; k++)
    value[k] = measure_row_mean(row, picture->column[k]);
  if (picture->drift >= 0 && history_rows(picture->history) == 0)
    picture->first = value[picture->drift];
  if (picture->drift >= 0)
    value[picture->drift] -= picture->first;
  history_add(picture->history, system_picoseconds(picture->system, row->step), value);
}

void thermo_picture_chunks(ThermoPicture *picture, ChunkList *list)
{
  chunk_add(list, &picture->first, sizeof picture->first);
  history_chunks(picture->history, list);
}

Status thermo_picture_draw(const ThermoPicture *picture, const char *dir, Error *error)
{
  const Simulation *s = picture->system;
  const HistoryPicture of = {.n = picture->n,
                             .label = picture->label,
                             .after = system_picoseconds(s, s->equilibration),
                             .xlabel = "time (ps)",
                             .title = s->config->title};
  return history_draw(picture->history, &of, dir, "thermo", error);
}
