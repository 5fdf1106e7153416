#include "html/run_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/folder_lock.h"

enum { MOST = 1 << 24 };

Table *run_read_table(const char *dir, const char *name)
{
  Table *table = NULL;
  char *path = file_exists(dir, name) ? file_path(dir, name) : NULL;
  if (path == NULL || table_read_growing(&table, path, NULL) != STATUS_OK)
    table = NULL;
  free(path);
  return table;
}

Status run_read(RunRead *run, const char *dir, Error *error)
{
  char who[FOLDER_HOLDER];
  *run = (RunRead){.dir = dir, .held = folder_lock_look(dir, who) == FOLDER_HELD};
  char *path = file_path(dir, "summary.yaml");
  if (path == NULL)
    return error_memory(error, "a file name");
  if (summary_read(&run->summary, dir, NULL) != STATUS_OK)
    run->summary = NULL;
  if (file_read(path, MOST, &run->words, NULL, NULL) != STATUS_OK)
    run->words = NULL;
  free(path);
  run->series_name = "thermo.csv";
  run->series = run_read_table(dir, run->series_name);
  run->water = run->series != NULL;
  if (run->series == NULL) {
    run->series_name = "energy.csv";
    run->series = run_read_table(dir, run->series_name);
  }
  run->time = run->series != NULL ? table_find(run->series, "time_ps") : -1;
  run->time_label = run->time >= 0 ? "time (ps)" : "time";
  if (run->time < 0 && run->series != NULL)
    run->time = table_find(run->series, "time");
  run->replicas = run_read_table(dir, "replicas.csv");
  if (run->summary == NULL && run->series == NULL && !file_exists(dir, "holonom.log"))
    return error_set(error, STATUS_INPUT,
                     "%s holds nothing that a run has left: no summary.yaml, no holonom.log", dir);
  return STATUS_OK;
}

void run_read_free(RunRead *run)
{
  summary_free(run->summary);
  table_free(run->series);
  table_free(run->replicas);
  free(run->words);
}

size_t run_read_slots(const RunRead *run)
{
  const Table *t = run->series;
  const int time = t != NULL && table_find(t, "target") >= 0 ? run->time : -1;
  size_t n = 1;
  while (time >= 0 && n < t->nrow && table_at(t, n, time) == table_at(t, 0, time))
    n++;
  return n;
}

int run_read_column(const RunRead *run, const char *name, double **x, double **time)
{
  const Table *t = run->series;
  const int column = t != NULL ? table_find(t, name) : -1;
  *x = NULL;
  if (time != NULL)
    *time = NULL;
  if (column < 0 || run->time < 0)
    return 0;
  const double samples = run->summary != NULL ? fmax(summary_number(run->summary, "samples"),
                                                     summary_number(run->summary, "rows"))
                                              : NAN;
  const size_t slots = run_read_slots(run), all = t->nrow / slots;
  const size_t n = samples >= 1.0 && samples < (double)all ? (size_t)samples
                   : run->summary == NULL                  ? all / 2
                                                           : all;
  *x = malloc((n + 1) * sizeof **x);
  if (time != NULL)
    *time = malloc((n + 1) * sizeof **time);
  if (*x == NULL || (time != NULL && *time == NULL)) {
    free(*x);
    *x = NULL;
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    const size_t row = (all - n + i) * slots;
    (*x)[i] = table_at(t, row, column);
    if (time != NULL)
      (*time)[i] = table_at(t, row, run->time);
  }
  return (int)n;
}

void run_read_remark(const RunRead *run, const char *key, char *remark, size_t size)
{
  const size_t length = strlen(key);
  remark[0] = '\0';
  for (const char *line = run->words; line != NULL; line = strchr(line, '\n'), line += line != NULL)
    if (strncmp(line, key, length) == 0 && line[length] == ':') {
      const size_t end = strcspn(line, "\n");
      const char *mark = strstr(line, " # ");
      if (mark != NULL && mark < line + end)
        snprintf(remark, size, "%.*s", (int)(line + end - mark - 3), mark + 3);
      return;
    }
}
