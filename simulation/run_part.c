/* Runs that take steps of some replicas only. */
#include "simulation/run_part.h"

static Status write_part(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  return parts_write(self, writer->text, error);
}

/* Whole groups, but for the last one of an ensemble that ends within it. */
static Status check_range(const Run *run, int first, int last, Error *error)
{
  const Simulation *s = run->s;
  const int w = s->width, next = last / w * w + w, end = next < s->replicas ? next : s->replicas;
  if (first < 0 || last < first || last >= s->replicas)
    return error_set(error, STATUS_INPUT, "replicas %d to %d: there are 0 to %d", first, last,
                     s->replicas - 1);
  if (first % w != 0 || last != end - 1)
    return error_set(error, STATUS_INPUT,
                     "replicas %d to %d: they go in groups of %d, so that %d..%d would do", first, last, w,
                     first / w * w, end - 1);
  return STATUS_OK;
}

static Status check_ranks(const Run *run, Error *error)
{
  const Simulation *s = run->s;
  const int size = run->options->ranks->size;
  if (run->options->part)
    return error_set(error, STATUS_INPUT,
                     "%d processes share out all replicas: leave --replicas out, or mpirun", size);
  if (size > simulation_gangs(s))
    return error_set(
        error, STATUS_INPUT,
        "%d processes cannot share out %d replica%s: they go in groups of %d, one for each at least", size,
        s->replicas, s->replicas > 1 ? "s" : "", s->width);
  return STATUS_OK;
}

/* Temperatures are exchanged by those who know the energies of all. */
static Status check_ladder(const Run *run, Error *error)
{
  if (run->s->config->exchange.number == 0)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "a ladder of temperatures (exchange) is run by the threads of one process: run other "
                   "ladders as runs of their own, with another seed");
}

Status run_part_range(Run *run, Error *error)
{
  Simulation *s = run->s;
  const SimulationRun *o = run->options;
  if (!o->part && o->nparts == 0 && o->ranks == NULL)
    return STATUS_OK;
  Status status = check_ladder(run, error);
  if (status != STATUS_OK)
    return status;
  if (o->ranks == NULL && s->replicas == 1)
    status = error_set(error, STATUS_INPUT, "only ensembles can be run in parts; this is one replica");
  else if (o->ranks != NULL)
    status = check_ranks(run, error);
  else if (o->part)
    status = check_range(run, o->first, o->last, error);
  if (status != STATUS_OK)
    return status;
  if (o->part) {
    run->first = o->first;
    run->last = o->last;
    s->first = o->first / s->width;
    s->end = o->last / s->width + 1;
  } else if (!ranks_writes(o->ranks))
    ranks_share_out(o->ranks, simulation_gangs(s), &s->first, &s->end);
  return STATUS_OK;
}

Status run_part_files(Run *run, Error *error)
{
  const SimulationRun *o = run->options;
  const Writer samples = {.name = PARTS_SAMPLES, .self = run, .head = parts_head, .write = write_part};
  if (!o->part && o->nparts == 0 && o->ranks == NULL)
    return STATUS_OK;
  for (int i = 0; i < run->nwriter; i++)
    if (run->writer[i].every > 0)
      return error_set(error, STATUS_INPUT, "%s is written from the states of one process: leave it out",
                       run->writer[i].name);
  if (o->part || !ranks_writes(o->ranks))
    run->nwriter = 0;
  return o->part ? simulation_run_add(run, &samples, error) : STATUS_OK;
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
