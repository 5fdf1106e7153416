#include "simulation/run/run_part.h"

#include <stdlib.h>

#include "base/printable.h"
#include "simulation/parts/ranks.h"

static void head_part(void *self, Text *text)
{
  const Run *run = self;
  parts_head((int[]){run->first, run->last}, ensemble_step(run->s->ensemble), text);
}

static Status write_part(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  const Run *run = self;
  return parts_write(&run->samples, writer->text, error);
}

/* Whether the range of a process may begin, or end, at this batch. */
static bool may_begin(const Simulation *s, int batch)
{
  const int n = s->config->exchange.number;
  return n == 0 || batch == simulation_batches(s) ||
         ladder_may_begin(n, s->config->exchange.ladders, s->width, batch);
}

/* The last replica before a batch. */
static int last_before(const Simulation *s, int batch)
{
  return (batch * s->width < s->replicas ? batch * s->width : s->replicas) - 1;
}

static Status refuse_range(const Simulation *s, const int wanted[2], int first, int end, Error *error)
{
  enum { RANGES = 8 };
  char words[512] = "";
  int told = 0;
  if (s->config->exchange.number == 0)
    return error_set(error, STATUS_INPUT, "replicas %d to %d: replicas run in batches of %d; use %d..%d",
                     wanted[0], wanted[1], s->width, first * s->width, last_before(s, end));
  for (int g = 0, from = 0; g < simulation_batches(s) && told <= RANGES; g++) {
    if (!may_begin(s, g + 1))
      continue;
    if (told++ < RANGES)
      text_append(words, sizeof words, "%s%d..%d", from > 0 ? ", " : "", from * s->width,
                  last_before(s, g + 1));
    from = g + 1;
  }
  return error_set(
      error, STATUS_INPUT,
      "replicas %d to %d: one process must run whole ladders of %d temperatures (exchange), with all ladders "
      "in the same batch of %d replicas or histogram (at most %d). Use %d..%d; possible ranges: %s%s",
      wanted[0], wanted[1], s->config->exchange.number, s->width, LADDER_HISTOGRAMS, first * s->width,
      last_before(s, end), words, told > RANGES ? ", and so on" : "");
}

/* The range must consist of whole batches (the last may be partly filled) and whole ladders. */
static Status check_range(const Run *run, int first, int last, Error *error)
{
  const Simulation *s = run->s;
  if (first < 0 || last < first || last >= s->replicas)
    return error_set(error, STATUS_INPUT, "replicas %d to %d: this run has replicas 0 to %d", first, last,
                     s->replicas - 1);
  int begin = first / s->width, end = last / s->width + 1;
  while (!may_begin(s, begin))
    begin--;
  while (!may_begin(s, end))
    end++;
  if (first == begin * s->width && last == last_before(s, end))
    return STATUS_OK;
  const int wanted[2] = {first, last};
  return refuse_range(s, wanted, begin, end, error);
}

/* Distributes batches, or groups that must stay together, evenly. */
static Status share_out(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const int size = run->options->ranks->size, nbatch = simulation_batches(s);
  int n = 0;
  if (run->options->part)
    return error_set(error, STATUS_INPUT,
                     "%d processes share all replicas automatically: use --replicas or mpirun, not both",
                     size);
  if ((run->bound = malloc(((size_t)nbatch + 1) * sizeof *run->bound)) == NULL)
    return error_memory(error, "the processes");
  for (int g = 0; g < nbatch; g++)
    if (may_begin(s, g))
      run->bound[n++] = g;
  run->bound[n] = nbatch;
  if (size > n && s->config->exchange.number > 0)
    return error_set(error, STATUS_INPUT,
                     "%d processes cannot share %d ladders of %d temperatures: each needs whole ladders, "
                     "with all ladders in the same batch of %d; use at most %d processes",
                     size, s->config->exchange.ladders, s->config->exchange.number, s->width, n);
  if (size > n)
    return error_set(error, STATUS_INPUT,
                     "%d processes cannot share %d replica%s: each process needs at least one batch of %d",
                     size, s->replicas, s->replicas > 1 ? "s" : "", s->width);
  for (int r = 0; r <= size && size > 0; r++) /* reads ahead of its writes, since size <= n */
    run->bound[r] = run->bound[(int64_t)n * r / size];
  return STATUS_OK;
}

Status run_part_range(Run *run, Error *error)
{
  Simulation *s = run->s;
  const SimulationRun *o = run->options;
  if (!o->part && o->nparts == 0 && o->ranks == NULL)
    return STATUS_OK;
  if (o->ranks == NULL && s->replicas == 1)
    return error_set(error, STATUS_INPUT, "only several replicas can be run in parts; this system has one");
  if (s->metadynamics != NULL && (o->part || o->nparts > 0))
    return error_set(error, STATUS_INPUT,
                     "metadynamics (biases) needs all walkers in one run, since they share one bias: run "
                     "without --replicas and merge; threads, and the processes of mpirun, share the walkers");
  if (o->ranks != NULL)
    TRY(share_out(run, error));
  if (o->part)
    TRY(check_range(run, o->first, o->last, error));
  if (o->part) {
    run->first = o->first;
    run->last = o->last;
    s->first = o->first / s->width;
    s->end = o->last / s->width + 1;
  } else if (o->ranks != NULL && !ranks_writes(o->ranks)) {
    s->first = run->bound[o->ranks->rank];
    s->end = run->bound[o->ranks->rank + 1];
  }
  return STATUS_OK;
}

static Status agree_on_hills(const void *self, Status own, int64_t step, Error *error)
{
  const Run *run = self;
  return ranks_agree(run->options->ranks, own, step, error);
}

static void gather_hills(const void *self, void *data, size_t size)
{
  const Run *run = self;
  ranks_allgather(run->options->ranks, data, size, run->bound);
}

void run_part_share_hills(const Run *run)
{
  if (run->s->metadynamics != NULL)
    run->s->hills.share = (HillsShare){run, agree_on_hills, gather_hills};
}

Status run_part_begun(const Run *run, Error *error)
{
  const SimulationRun *o = run->options;
  const Simulation *s = run->s;
  const bool some = o->part || (o->ranks != NULL && o->ranks->size > 1);
  const int64_t step = ensemble_step(s->ensemble);
  int64_t last = -1;
  if (!some || s->ladder == NULL)
    return STATUS_OK;
  for (int64_t next = ladder_next_tuning(s->ladder, step > 0 ? step - 1 : 0); next < INT64_MAX;
       next = ladder_next_tuning(s->ladder, next))
    last = next;
  if (last < 0)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "the temperatures of the ladders are tuned (exchange.tunings) up to step %lld from the energies of all "
      "replicas: run beyond equilibration in one process (integrator.steps), and continue from there%s",
      (long long)last, o->part ? " (--replicas A..B --from DIR)" : " (--resume)");
}

Status run_part_files(Run *run, Error *error)
{
  const SimulationRun *o = run->options;
  const Writer samples = {.name = PARTS_SAMPLES, .self = run, .head = head_part, .write = write_part};
  if (!o->part && o->nparts == 0 && o->ranks == NULL)
    return STATUS_OK;
  for (int i = 0; i < run->nwriter; i++)
    if (run->writer[i].every > 0)
      return error_set(error, STATUS_INPUT, "%s can be written only in one process: omit it",
                       run->writer[i].name);
  if (o->part || !ranks_writes(o->ranks))
    run->nwriter = 0;
  return o->part ? run_add(run, &samples, error) : STATUS_OK;
}

void run_part_close(const Run *run)
{
  char words[256] = "";
  text_append(words, sizeof words, "replicas %d to %d of %d: step %lld of %lld\n", run->first, run->last,
              run->s->replicas, (long long)ensemble_step(run->s->ensemble), (long long)run->s->steps);
  if (run->message != NULL)
    text_print(run->log, "FAILED: %s\n", run->message);
  text_print(run->log, "%s", words);
  if (run->options->out == NULL)
    return;
  fputs(words, run->options->out);
  printable_print(run->options->out, "in %s, for holonom merge: %s, %s, holonom.log\n", run->options->dir,
                  CHECKPOINT_NAME, PARTS_SAMPLES);
}
