#include "simulation/run/run.h"

#include <stdlib.h>

#include "base/printable.h"
#include "base/stop.h"
#include "observables/picture.h"

CheckpointOf run_checkpoint(const Run *run)
{
  return (CheckpointOf){.config = run->s->config,
                        .isa = run->s->isa,
                        .contents = run->contents,
                        .other_build = run->options->other_build,
                        .replicas = {run->first, run->last},
                        .forces = run->s->nforce};
}

Status run_add(Run *run, const Writer *writer, Error *error)
{
  Writer *grown = realloc(run->writer, (size_t)(run->nwriter + 1) * sizeof *grown);
  TRY_MEMORY(grown != NULL, "the files of a run", error);
  run->writer = grown;
  run->writer[run->nwriter++] = *writer;
  return STATUS_OK;
}

Status run_picture(const Run *run, Status drawn, const Error *why, Error *error)
{
  if (drawn == STATUS_RUN && !stop_asked()) /* otherwise drawn after the results: report.c */
    run_remark(run, "no picture: ", why->text);
  return picture_outcome(drawn, why, error);
}

void run_remark(const Run *run, const char *of, const char *text)
{
  printable_lines(text_file(run->log), of, text);
  if (run->options->out != NULL)
    printable_lines(run->options->out, of, text);
}
