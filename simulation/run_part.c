/* Runs that take steps of some replicas only. */
#include "simulation/run_part.h"

static Status write_part(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  return parts_write(self, writer->text, error);
}

/* Frames of one replica can be handed on as they come. */
static Status check_frames(const Run *run, Error *error)
{
  const Config *c = run->s->config;
  if (c->output.trajectory == 0 || c->output.trajectory_replica != CONFIG_ALL)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "trajectories of all replicas are not put together from parts or processes: take one "
                   "(output.trajectory_replica) or none (output.trajectory)");
}

/* Temperatures are exchanged by those who know the energies of all. */
static Status check_ladder(const Run *run, Error *error)
{
  if (run->s->ladder == NULL)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "a ladder of temperatures (exchange) is run by the threads of one process: run other "
                   "ladders as runs of their own, with another seed");
}

Status run_part_begin(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const int w = s->width, first = run->options->first, last = run->options->last;
  const Writer samples = {.name = PARTS_SAMPLES, .self = run, .head = parts_head, .write = write_part};
  if (run->samples.pack == NULL)
    return error_set(error, STATUS_INPUT,
                     "only clusters and boxes of several replicas can be run in parts; this is %s",
                     s->replicas == 1 ? "one replica" : "another sort of system");
  Status status = check_ladder(run, error);
  if (status == STATUS_OK)
    status = check_frames(run, error);
  if (status != STATUS_OK)
    return status;
  if (first < 0 || last < first || last >= s->replicas)
    return error_set(error, STATUS_INPUT, "replicas %d to %d: there are 0 to %d", first, last,
                     s->replicas - 1);
  if (first % w != 0 || last % w != w - 1)
    return error_set(error, STATUS_INPUT,
                     "replicas %d to %d: they go in groups of %d, so that %d..%d would do", first, last, w,
                     first / w * w, last / w * w + w - 1);
  run->first = first;
  run->last = last;
  run->nwriter = 0;
  ensemble_set_range(s->ensemble, first / w, last / w + 1);
  return simulation_run_add(run, &samples, error);
}

Status run_part_share(Run *run, Error *error)
{
  const Ranks *ranks = run->options->ranks;
  const int ngang = ensemble_gangs(run->s->ensemble);
  if (run->samples.pack == NULL || run->options->part)
    return error_set(error, STATUS_INPUT,
                     "%d processes cannot share out this run: only clusters and boxes of several replicas",
                     ranks->size);
  if (ranks->size > ngang)
    return error_set(
        error, STATUS_INPUT,
        "%d processes cannot share out %d replicas: they go in groups of %d, one for each at least",
        ranks->size, run->s->replicas, run->s->width);
  Status status = ranks->size > 1 ? check_ladder(run, error) : STATUS_OK;
  if (status == STATUS_OK && ranks->size > 1)
    status = check_frames(run, error);
  if (status != STATUS_OK)
    return status;
  if (!ranks_writes(ranks))
    run->nwriter = 0;
  return STATUS_OK;
}

void run_part_close(const Run *run)
{
  char words[256] = "";
  text_append(words, sizeof words, "replicas %d to %d of %d: step %lld of %lld\n", run->first, run->last,
              run->s->replicas, (long long)ensemble_step(run->s->ensemble), (long long)run->s->steps);
  if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  text_print(run->log, "%s", words);
  if (run->options->out != NULL)
    fprintf(run->options->out, "%sin %s, for holonom merge: %s, %s, holonom.log\n", words, run->options->dir,
            CHECKPOINT_NAME, PARTS_SAMPLES);
}
