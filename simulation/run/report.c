#include "simulation/run/report.h"

#include "engine/file.h"
#include "engine/locale.h"
#include "engine/visible.h"
#include "observables/picture.h"
#include "simulation/ladder/ladder_report.h"

static Status write_summary(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const bool whole = ensemble_step(s->ensemble) >= s->steps;
  Text *text;
  Status status = text_replace(&text, run->options->dir, "summary.yaml", error);
  if (status != STATUS_OK)
    return status;
  text_print(text, "ended: %s\n", run->status != STATUS_OK ? "failed" : whole ? "complete" : "interrupted");
  if (run->message != NULL)
    text_quoted(text, "message", run->message);
  text_quoted(text, "title", s->config->title != NULL ? s->config->title : "");
  text_print(text, "program: holonom %s\n", HOLONOM_VERSION);
  status = s->sort->summary(run, text, error);
  ladder_report_summary(run, text);
  const Status closed = text_close(text, status == STATUS_OK ? error : NULL);
  return status == STATUS_OK ? closed : status;
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

void report_wall(const Run *run, Text *text)
{
  text_print(text, "wall: %.3f # seconds, of which %.3f for the start configuration", run->times.wall,
             run->times.start);
  if (run->parts != NULL)
    text_print(text, "; all times are those of %d parts, added up", parts_number(run->parts));
  text_print(text, "\n");
}

Status report_write(Run *run, Error *error)
{
  LOCALE_PLAIN;
  Error why;
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
  Status status = write_summary(run, error);
  if (status == STATUS_OK && others == STATUS_OK)
    status = close_with_words(run, error);
  else if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  if (first)
    run->message = NULL;
  return others == STATUS_OK ? status : error_pass(error, others, &why);
}
