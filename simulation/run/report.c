#include "simulation/run/report.h"

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/visible.h"
#include "observables/picture.h"
#include "simulation/ladder/ladder_report.h"

/* How it ended, and what ran. */
static Status summarise(Run *run, Error *error)
{
  const Simulation *s = run->s;
  ResultSet *set = &run->results;
  const bool whole = ensemble_step(s->ensemble) >= s->steps;
  results_words(set, "", "ended", run->status != STATUS_OK ? "failed" : whole ? "complete" : "interrupted");
  if (run->message != NULL)
    results_words(set, "", "message", run->message);
  results_words(set, "", "title", s->config->title != NULL ? s->config->title : "");
  results_words(set, "", "program", "holonom " HOLONOM_VERSION);
  TRY(s->sort->summary(run, error));
  ladder_report_summary(run);
  for (int i = 0; i < run->nwriter; i++)
    if (text_ends(run->writer[i].name, ".csv"))
      TRY(results_csv_describe(&run->results, run->options->dir, run->writer[i].name, error));
  return STATUS_OK;
}

/* The summary is written whatever is missing in it. */
static Status write_results(Run *run, Error *error)
{
  Error why;
  const Status status = summarise(run, error);
  TRY(results_yaml_write(&run->results, run->options->dir, status == STATUS_OK ? error : &why));
  TRY(results_json_write(&run->results, run->options->dir, status == STATUS_OK ? error : &why));
  return status;
}

static Status close_with_words(Run *run, Error *error)
{
  const Sort *sort = run->s->sort;
  FILE *out = run->options->out;
  char words[1024] = "", files[256] = "";
  TRY(sort->words(run, words, sizeof words, error));
  sort->files(run, files, sizeof files);
  ladder_report_words(run, words, sizeof words, files, sizeof files);
  if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  text_print(run->log, "%s", words);
  if (out == NULL)
    return STATUS_OK;
  fputs(words, out);
  visible_print(out, "results in %s: summary.yaml%s, holonom.log\n", run->options->dir, files);
  return STATUS_OK;
}

Status report_picture(const Run *run, Status drawn, const Error *why, Error *error)
{
  if (drawn == STATUS_RUN)
    report_remark(run, "no picture: ", why->text);
  return picture_outcome(drawn, why, error);
}

void report_remark(const Run *run, const char *of, const char *text)
{
  text_print(run->log, "%s%s\n", of, text);
  if (run->options->out != NULL)
    visible_print(run->options->out, "%s%s\n", of, text);
}

void report_list_picture(const Run *run, const char *name, char *words, size_t size)
{
  char file[64];
  snprintf(file, sizeof file, "%s.png", name);
  if (file_exists(run->options->dir, file))
    text_append(words, size, ", %s", file);
}

void report_wall(Run *run)
{
  results_real(&run->results, "", "wall", run->times.wall);
  results_note(&run->results, "of which %.3f for the start configuration", run->times.start);
  if (run->parts != NULL)
    results_note(&run->results, "; all times are those of %d parts, added up", parts_number(run->parts));
}

Status report_table(Run *run, const ResultTable *table, Error *error)
{
  return results_csv_write(table, run->options->dir, error);
}

Status report_write(Run *run, Error *error)
{
  LOCALE_PLAIN;
  Error why;
  run->results = results_make(run->s->sort->quantities, run->s->config->reduced);
  Status others = run_folder_end(run->folder, &why);
  if (others == STATUS_OK)
    others = ladder_report_results(run, &why);
  if (others == STATUS_OK)
    others = run->s->sort->results(run, &why);
  const bool first = others != STATUS_OK && run->status == STATUS_OK;
  if (first) { /* a summary that says "complete" stands for all files */
    run->status = others;
    run->message = why.text;
  }
  Status status = write_results(run, error);
  if (status == STATUS_OK && others == STATUS_OK)
    status = close_with_words(run, error);
  else if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  if (first)
    run->message = NULL;
  return others == STATUS_OK ? status : error_pass(error, others, &why);
}
