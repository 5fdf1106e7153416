/* The loop of all runs: folder, log, stops, clocks, checkpoints, the last good state, and the rewind after a
 * fault. It uses writers and samples and does not depend on sorts. */
#include <limits.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/scoped.h"
#include "base/stop.h"
#include "base/ticks.h"
#include "observables/decoupling.h"
#include "simulation/parts/ranks.h"
#include "simulation/run/record.h"
#include "simulation/run/report.h"
#include "simulation/run/rewind.h"
#include "simulation/run/run_part.h"

/* The time of a gathering of samples: the start, after a stretch of steps, after a stretch with a fault, or
 * the end of the run. */
typedef enum Occasion { OCCASION_START, OCCASION_WAY, OCCASION_FAULT, OCCASION_END } Occasion;

/* Seconds between flushes of files to the system. */
static const double flush_seconds = 0.1;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static bool stopped(const Run *run) { return flag_value(run->options->stop) != 0; }

/* --- opening ------- */

static Status open_log(Run *run, Error *error)
{
  const Simulation *s = run->s;
  TRY(run->resume ? text_resume(&run->log, run->options->dir, "holonom.log", -1, error)
                  : text_create(&run->log, run->options->dir, "holonom.log", error));
  text_print(run->log, "Holonom %s, %s instructions, %d threads\n", HOLONOM_VERSION, isa_name(s->isa),
             s->threads);
  text_say(run->log, "input: %s\n", input_name(s->config->input));
  for (int i = 0; input_notes(s->config->input, i) != NULL; i++)
    text_print(run->log, "note: %s\n", input_notes(s->config->input, i));
  if (s->replicas != s->config->ensemble.replicas)
    text_print(run->log, "note: %d replicas requested, %d run: replicas run in batches of %d\n",
               s->config->ensemble.replicas, s->replicas, s->width);
  const int rungs = s->config->exchange.number * s->config->exchange.ladders;
  if (rungs > 0 && rungs < s->replicas)
    text_print(run->log,
               "note: replicas %d to %d (from 0) are on no ladder and stay at the first temperature\n", rungs,
               s->replicas - 1);
  if (run->options->part)
    text_print(run->log, "of these replicas %d to %d\n", run->first, run->last);
  if (run_folder_unlocked(run->folder) != NULL)
    text_print(run->log, "note: the folder is not locked against another run: %s\n",
               run_folder_unlocked(run->folder));
  report_begin(run);
  if (run->resume)
    text_print(run->log, "resumed at step %lld, after %.1f s%s\n", (long long)run->saved, run->times.wall,
               run->options->other_build ? "; with --other-build: possibly with other bits" : "");
  else if (run->options->from != NULL)
    text_say(run->log, "begun at step %lld of the run in %s\n", (long long)ensemble_step(s->ensemble),
             run->options->from);
  else if (s->sort->log_start != NULL)
    s->sort->log_start(run);
  if (run->parts != NULL)
    parts_tell(run->parts, run->log);
  return text_flush(run->log, error);
}

/* Allocates all memory of the run, and lists its chunks. */
static Status make_memory(Run *run, Error *error)
{
  Simulation *s = run->s;
  if (run->options->ranks == NULL)
    TRY(simulation_biases_files(s, run->options->dir, run->resume, error));
  TRY(simulation_prepare(s, error));
  simulation_chunks(s, &run->chunks);
  chunk_owner(&run->chunks, CHUNK_OF_FILES);
  TRY(record_create(run, error));
  TRY(run_part_files(run, error));
  if (run->keeps_good)
    TRY(ensemble_copy_create(&run->good, s->ensemble, error));
  TRY(rewind_create(&run->rewind, s, &run->samples, run->options->ranks, error));
  run->mark = calloc((size_t)run->nwriter + 1, sizeof *run->mark);
  TRY_MEMORY(run->mark != NULL, "the files of a run", error);
  simulation_contents(s, run->contents, sizeof run->contents);
  chunk_add_list(&run->chunks, &run->samples.chunks, CHUNK_OF_ALL, INT_MAX);
  chunk_owner(&run->chunks, CHUNK_OF_RUN);
  chunk_add(&run->chunks, run->mark, (size_t)run->nwriter * sizeof *run->mark);
  chunk_add(&run->chunks, &run->times, sizeof run->times);
  chunk_sort(&run->chunks);
  return run->chunks.failed ? error_memory(error, "a checkpoint") : STATUS_OK;
}

/* A part begins with the checkpoint of another folder, without that run's files. */
static Status load(const Run *run, Error *error)
{
  const CheckpointOf of = run_checkpoint(run);
  if (run->options->from == NULL || run->resume)
    return checkpoint_load(&of, run->options->dir, &run->chunks, error);
  SCOPED(scoped_free) char *path = file_path(run->options->from, CHECKPOINT_NAME);
  SCOPED(chunk_free) ChunkList own = {0};
  TRY_MEMORY(path != NULL, "a file name", error);
  chunk_add_list(&own, &run->chunks, CHUNK_OF_ALL, INT_MAX);
  return checkpoint_read(&of, &(CheckpointStore){.path = path}, &own, error);
}

/* Restores the checkpoint; changes no file. */
static Status restore(Run *run, Error *error)
{
  Simulation *s = run->s;
  const char *dir = run->resume ? run->options->dir : run->options->from;
  bool changed = false;
  TRY(load(run, error));
  TRY(ensemble_follow_boxes(s->ensemble, &changed, error));
  if (changed) /* data of forces belong to the new box */
    TRY(load(run, error));
  s->started = true;
  if (!run->resume)
    return checkpoint_reached(dir, ensemble_step(s->ensemble), s->steps, error);
  run->saved = ensemble_step(s->ensemble);
  run->began -= run->times.wall;
  TRY(checkpoint_reached(dir, run->saved, s->steps, error));
  for (int i = 0; i < run->nwriter; i++)
    TRY(checkpoint_file(dir, run->writer[i].name, run->mark[i].size, run->saved, error));
  if (run->parts != NULL && run->saved != parts_begun(run->parts))
    return error_set(error, STATUS_INPUT, "%s is at step %lld, but its parts began at step %lld", dir,
                     (long long)run->saved, (long long)parts_begun(run->parts));
  return STATUS_OK;
}

static Status open_files(Run *run, Error *error)
{
  const char *dir = run->options->dir;
  const Sort *sort = run->s->sort;
  TRY(run_folder_prepare(run->folder, error));
  TRY(open_log(run, error));
  if (sort->keep_start != NULL && run->options->from == NULL)
    TRY(sort->keep_start(run, error));
  for (int i = 0; i < run->nwriter; i++)
    TRY(writer_open(&run->writer[i], dir, run->resume ? &run->mark[i] : NULL, error));
  return STATUS_OK;
}

static Status open_whole(Run *run, Error *error)
{
  Simulation *s = run->s;
  const SimulationRun *o = run->options;
  if (o->nparts > 0)
    TRY(parts_open(&run->parts, s->replicas, o->nparts, o->parts, o->dir, error));
  run->resume = o->resume || (run->parts != NULL && parts_begun(run->parts) > 0);
  const bool begun = run->resume || o->from != NULL;
  const SimulationStart how = {.folder = run->parts != NULL ? parts_folder(run->parts) : o->dir,
                               .given = o->start,
                               .out = s->config->output.progress ? o->out : NULL,
                               .stop = o->stop};
  TRY(run_folder_open(&run->folder, s->config, o->dir, run_folder_use(o->force, run->resume, o->again),
                      error));
  if (!begun)
    TRY(simulation_find_start(s, &how, error));
  TRY(make_memory(run, error));
  if (begun)
    TRY(restore(run, error));
  else if (run->parts == NULL)
    TRY(simulation_place(s, error));
  const CheckpointOf of = run_checkpoint(run);
  if (run->parts != NULL)
    TRY(parts_load(run->parts, &of, &run->chunks, s->ensemble, error));
  TRY(run_part_begun(run, error));
  return open_files(run, error);
}

/* Sends the initial data from rank 0 to all. The first round sets the boxes; the second, if boxes changed,
 * restores the data of forces. */
static Status broadcast(Run *run, Error *error)
{
  const Ranks *ranks = run->options->ranks;
  bool changed = true;
  for (int round = 0; round < 2 && changed; round++) {
    ranks_spread(ranks, &run->chunks, run->bound);
    const Status status = ensemble_follow_boxes(run->s->ensemble, &changed, error);
    TRY(ranks_agree(ranks, status, 0, error));
    changed = ranks_least(ranks, changed ? 0 : 1) == 0;
  }
  return STATUS_OK;
}

/* Rank 0 opens the run and sends the initial data; each process then steps its own batches. */
static Status open_run(Run *run, Error *error)
{
  const Ranks *ranks = run->options->ranks;
  Status status = run_part_range(run, error);
  if (status == STATUS_OK)
    status = ranks_writes(ranks) ? open_whole(run, error) : make_memory(run, error);
  TRY(ranks_agree(ranks, status, 0, error));
  if (ranks == NULL)
    return STATUS_OK;
  const int first = run->bound[ranks->rank], end = run->bound[ranks->rank + 1], width = run->s->width;
  TRY(broadcast(run, error));
  ensemble_set_range(run->s->ensemble, first, end);
  run_part_share_hills(run);
  run->share.first = first * width;
  run->share.last = (int)least((int64_t)end * width, run->s->replicas) - 1;
  run->s->started = true;
  run->resume = run->options->resume;
  run->saved = run->resume ? ensemble_step(run->s->ensemble) : -1;
  return simulation_biases_files(run->s, run->options->dir, run->resume, error);
}

/* --- writing ------- */

static Status flush(Run *run, Error *error)
{
  for (int i = 0; i < run->nwriter; i++)
    TRY(writer_flush(&run->writer[i], error));
  run->flushed = ticks_seconds();
  return STATUS_OK;
}

/* Whether a writer writes now: all that write samples, and those whose stride is due. */
static bool is_due(const Writer *w, Occasion occasion, int64_t step)
{
  return w->every == 0 || (occasion == OCCASION_START && w->first) ||
         (occasion == OCCASION_WAY && step % w->every == 0);
}

/* Gathers the samples of this process, then, at rank 0, those of all. After an error they may be
 * incomplete. */
static Status gather(Run *run, Error *error)
{
  const double start = ticks_seconds();
  const Ranks *ranks = run->options->ranks;
  if (run->samples.gather != NULL)
    run->samples.gather(run->samples.sampler.self);
  const Status sent = ranks_samples(ranks, &run->samples, error);
  const Status status = ranks_agree(ranks, sent, ensemble_step(run->s->ensemble), error);
  run->times.output += ticks_seconds() - start;
  return status;
}

/* Sends all data of this process's batches to rank 0. */
static void collect(const Run *run) { ranks_collect(run->options->ranks, &run->chunks, run->bound); }

static Status write_due(Run *run, Occasion occasion, Error *error)
{
  const double start = ticks_seconds();
  const int64_t step = ensemble_step(run->s->ensemble);
  Status status = STATUS_OK;
  char now[112] = "";
  for (int i = 0; i < run->nwriter && status == STATUS_OK; i++) {
    Writer *w = &run->writer[i];
    if (is_due(w, occasion, step))
      status = w->write(w->self, w, step, error);
  }
  if (run->progress.out != NULL && run->s->sort->progress(run, now, sizeof now))
    progress_show(&run->progress, step, now);
  if (status == STATUS_OK && (occasion == OCCASION_START || start - run->flushed > flush_seconds))
    status = flush(run, error);
  run->times.output += ticks_seconds() - start;
  return status;
}

/* Gathers and writes samples; they count once all are gathered. */
static Status write_samples(Run *run, Occasion occasion, Error *error)
{
  Error second;
  const Status gathered = gather(run, error);
  Status status = write_due(run, occasion, gathered == STATUS_OK ? error : &second);
  status = ranks_agree(run->options->ranks, gathered == STATUS_OK ? status : gathered,
                       ensemble_step(run->s->ensemble), error);
  if (gathered == STATUS_OK && run->samples.flush != NULL)
    run->samples.flush(run->samples.sampler.self);
  return status;
}

/* --- checkpoints ------- */

/* All measurements must have been written. The files reach the disk before the checkpoint that refers to
 * them. */
static Status save(Run *run, Error *error)
{
  const double start = ticks_seconds();
  const CheckpointOf of = run_checkpoint(run);
  const int64_t step = ensemble_step(run->s->ensemble);
  Status status = STATUS_OK;
  for (int i = 0; i < run->nwriter && status == STATUS_OK; i++)
    status = writer_mark(&run->writer[i], &run->mark[i], error);
  run->times.wall = start - run->began;
  collect(run);
  if (status == STATUS_OK && ranks_writes(run->options->ranks))
    status = checkpoint_save(&of, run->options->dir, step, &run->chunks, error);
  TRY(ranks_agree(run->options->ranks, status, step, error));
  run->saved = step;
  run->saved_time = ticks_seconds();
  run->times.output += run->saved_time - start;
  return STATUS_OK;
}

/* Besides those by the clock there are checkpoints of the start and of the end of equilibration, so that an
 * early failure can be resumed. */
static bool save_is_due(const Run *run)
{
  const int64_t end = run->s->equilibration;
  const bool equilibrated = run->s->config->output.checkpoint_every > 0.0 && run->saved < end &&
                            ensemble_step(run->s->ensemble) >= end;
  const bool due = equilibrated || checkpoint_due(run->s->config, run->saved_time);
  return ranks_least(run->options->ranks, due && ranks_writes(run->options->ranks) ? 0 : 1) == 0;
}

/* --- stepping ------- */

/* Stores the good states. */
static void keep_good(Run *run)
{
  if (!run->keeps_good)
    return;
  ensemble_copy_take_all(run->good);
  run->kept = true;
}

/* Samples the present step and writes the samples. */
static Status sample_now(Run *run, unsigned events, Occasion occasion, Error *error)
{
  const Ensemble *e = run->s->ensemble;
  Status status =
      events != 0 ? ensemble_sample(run->s->ensemble, &run->samples.sampler, events, error) : STATUS_OK;
  TRY(ranks_agree(run->options->ranks, status, ensemble_step(e), error));
  return write_samples(run, occasion, error);
}

static Status begin(Run *run, Error *error)
{
  const Simulation *s = run->s;
  keep_good(run);
  TRY(sample_now(run, run->samples.first, OCCASION_START, error));
  return s->config->output.checkpoint_every > 0.0 ? save(run, error) : STATUS_OK;
}

/* The next step at which an observer or a writer needs the states. */
static int64_t next_stop(const Run *run, int64_t step, int64_t until)
{
  int64_t stop = simulation_step_next_stop(run->s, step, until);
  for (int i = 0; i < run->nwriter; i++) {
    const int64_t every = run->writer[i].every;
    if (every > 0 && every - step % every < stop - step)
      stop = step + every - step % every;
  }
  return stop;
}

/* Steps to `until`; after a fault, to the last step that all replicas complete. */
static Status run_stretch(Run *run, int64_t until, double *took, Error *error)
{
  Simulation *s = run->s;
  const int64_t from = ensemble_step(s->ensemble);
  const double start = ticks_seconds();
  keep_good(run);
  rewind_keep(run->rewind);
  Status status = simulation_step_to(s, until, &run->samples.sampler, error);
  const double own = ticks_seconds() - start;
  status = ranks_agree(run->options->ranks, status, ensemble_sound(s->ensemble), error);
  *took = ticks_seconds() - start;
  run->times.stepping += *took;
  run->share.stepping += own;
  run->share.waiting += *took - own;
  run->share.steps += until - from;
  if (status == STATUS_OK)
    return STATUS_OK;
  rewind_to_last(run->rewind, from, error);
  if (run->rewind != NULL) /* time of steps that do not count */
    run->times.stepping -=
        *took * (1.0 - (double)(ensemble_step(s->ensemble) - from) / (double)(until - from));
  return status;
}

/* Writes the samples merged from parts. */
static Status write_merged(void *self, Error *error)
{
  Run *run = self;
  const Status status = write_due(run, OCCASION_WAY, error);
  run->samples.flush(run->samples.sampler.self);
  return status;
}

/* Times are summed as if one process had run all parts. */
static Status merge_parts(Run *run, Error *error)
{
  const RunTimes times = parts_times(run->parts);
  run->s->started = true;
  run->times.start += times.start;
  run->times.stepping += times.stepping;
  run->times.output += times.output;
  run->began -= times.wall;
  return parts_take(run->parts, &(PartsWriting){&run->samples, run, write_merged}, error);
}

/* The end of the next stretch of steps, determined by rank 0; -1: all steps are done, or a process was asked
 * to stop. */
static int64_t end_of_stretch(const Run *run, const Pace *pace)
{
  const int64_t step = ensemble_step(run->s->ensemble), left = run->s->steps - step;
  int64_t until = stopped(run) || left <= 0 ? -1 : INT64_MAX;
  if (until >= 0 && ranks_writes(run->options->ranks))
    until = next_stop(run, step, step + least(least(pace->steps, run->samples.longest), left));
  return ranks_least(run->options->ranks, until);
}

/* A final row that is due only because the run ends follows the checkpoint, since a longer run would not have
 * it. Parts have no such row. */
static Status end(Run *run, Error *error)
{
  const int64_t step = ensemble_step(run->s->ensemble);
  unsigned events = run->samples.last;
  for (int i = 0; i < EVENTS_MAX; i++) {
    const int64_t every = run->samples.sampler.every[i];
    events &= every == 0 || step % every == 0 ? ~(1u << i) : ~0u;
  }
  return step == run->s->steps && !run->options->part ? sample_now(run, events, OCCASION_END, error)
                                                      : STATUS_OK;
}

/* All processes learn of a stop that was requested of one. */
static void share_stop(const Run *run)
{
  const Ranks *ranks = run->options->ranks;
  const int64_t number = -ranks_least(ranks, -flag_value(run->options->stop));
  if (ranks != NULL && number != 0)
    stop_ask((int)number);
}

/* Says in the log that the limit of time ended the run before its last step. */
static void log_limit(const Run *run)
{
  const int64_t step = ensemble_step(run->s->ensemble);
  if (flag_value(run->options->stop) == STOP_LIMIT && step < run->s->steps)
    text_print(run->log, "the limit of time (--max-hours) ended this call at step %lld of %lld\n",
               (long long)step, (long long)run->s->steps);
}

static Status step_through(Run *run, Error *error)
{
  Simulation *s = run->s;
  Status status = run->parts != NULL                          ? merge_parts(run, error)
                  : run->resume || run->options->from != NULL ? STATUS_OK
                                                              : begin(run, error);
  Pace pace = simulation_pace();
  for (int64_t until;
       status == STATUS_OK && run->parts == NULL && (until = end_of_stretch(run, &pace)) >= 0;) {
    const int64_t step = ensemble_step(s->ensemble);
    double took;
    status = run_stretch(run, until, &took, error);
    Error second;
    const bool failed = status != STATUS_OK; /* the first error is reported */
    const Status written =
        write_samples(run, failed ? OCCASION_FAULT : OCCASION_WAY, failed ? &second : error);
    status = failed ? status : written;
    if (status == STATUS_OK)
      status = simulation_step_observers(s, error);
    simulation_pace_took(&pace, until - step, took);
    if (status == STATUS_OK && save_is_due(run))
      status = save(run, error);
  }
  share_stop(run);
  if (status == STATUS_OK && run->saved != ensemble_step(s->ensemble))
    status = save(run, error);
  return status == STATUS_OK ? end(run, error) : status;
}

/* --- run ------- */

static Status close_files(Run *run, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < run->nwriter; i++) {
    const Status one = writer_close(&run->writer[i], status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? one : status;
  }
  const Status log = text_close(run->log, status == STATUS_OK ? error : NULL);
  return status == STATUS_OK ? log : status;
}

/* Collects the data that rank 0 reports after a fault. */
static void collect_last(const Run *run)
{
  ChunkList good = {0};
  if (run->options->ranks == NULL)
    return;
  collect(run);
  const int first = run->s->first, end = first + ensemble_held(run->s->ensemble);
  for (int g = first; g < end && run->kept; g++) {
    chunk_owner(&good, g);
    ensemble_copy_chunks(run->good, g, &good);
  }
  if (ranks_least(run->options->ranks, good.failed ? 0 : 1) == 1)
    ranks_collect(run->options->ranks, &good, run->bound);
  chunk_free(&good);
}

/* Prints the work of each process, sent as chunks of their first batches. */
static void print_shares(const Run *run)
{
  const Ranks *ranks = run->options->ranks;
  if (ranks == NULL)
    return;
  SCOPED(chunk_free) ChunkList list = {0};
  SCOPED(scoped_free) RunShare *all = calloc((size_t)ranks->size, sizeof *all);
  for (int rank = 0; rank < ranks->size && all != NULL; rank++) {
    all[rank] = run->share;
    chunk_owner(&list, run->bound[rank]);
    chunk_add(&list, &all[rank], sizeof *all);
  }
  if (ranks_least(ranks, all == NULL || list.failed ? 0 : 1) == 0 || all == NULL)
    return;
  ranks_collect(ranks, &list, run->bound);
  for (int rank = 0; rank < ranks->size && ranks_writes(ranks); rank++)
    text_print(run->log,
               "process %d: replicas %d to %d, %lld steps in %.3f s, and %.3f s waiting for others\n", rank,
               all[rank].first, all[rank].last, (long long)all[rank].steps, all[rank].stepping,
               all[rank].waiting);
}

static Status work(Run *run, Error *error)
{
  Simulation *s = run->s;
  FILE *out = s->config->output.progress ? run->options->out : NULL;
  run->progress = progress_begin(out, ensemble_step(s->ensemble), s->steps, run->last - run->first + 1);
  if (!run->resume)
    run->times.start = ticks_seconds() - run->began;
  Status status = step_through(run, error);
  if (status == STATUS_OK)
    status = simulation_biases_end(s, error);
  if (status != STATUS_OK)
    collect_last(run);
  print_shares(run);
  progress_end(&run->progress);
  if (!ranks_writes(run->options->ranks))
    return status;
  run->times.wall = ticks_seconds() - run->began;
  log_limit(run);
  if (s->sort->leave != NULL && !(run->options->part && status == STATUS_OK))
    status = s->sort->leave(run, status, error);
  if (status != STATUS_OK)
    checkpoint_tell(run->saved, error);
  run->status = status;
  run->message = status != STATUS_OK ? error->text : NULL;
  if (run->options->part) {
    run_part_close(run);
    return status;
  }
  /* Measurements are also reported after an early end or a fault. Reports read the tables; closing these
   * reports faults of writing. */
  Error second;
  (void)flush(run, NULL);
  const Status reported = report_write(run, status == STATUS_OK ? error : &second);
  return status == STATUS_OK ? reported : status;
}

Status simulation_run(Simulation *s, const SimulationRun *options, Error *error)
{
  TRY(simulation_fresh(s, error));
  const double start = ticks_seconds();
  Error own; /* used if the caller has no error */
  Error *const why = error != NULL ? error : &own;
  Run run = {.s = s,
             .options = options,
             .last = s->replicas - 1,
             .samples = {.longest = INT64_MAX},
             .began = start,
             .saved = -1,
             .saved_time = start,
             .flushed = start};
  Status status = open_run(&run, why);
  if (status == STATUS_OK)
    status = work(&run, why);
  const Status closed = close_files(&run, status == STATUS_OK ? why : NULL);
  status = status == STATUS_OK ? closed : status;
  rewind_free(run.rewind);
  record_release(&run);
  ensemble_copy_free(run.good);
  s->hills.share = (HillsShare){0};
  free(run.bound);
  mbar_estimates_free(run.estimates);
  free(run.free_energies);
  decoupling_free(run.decoupling);
  free(run.volumes);
  if (options->found != NULL)
    *options->found = run.results;
  else
    results_free(&run.results);
  sampling_free(run.sampling);
  results_free(&run.observed);
  free(run.writer);
  free(run.mark);
  run_folder_close(run.folder);
  parts_close(run.parts);
  chunk_free(&run.samples.chunks);
  chunk_free(&run.chunks);
  return status;
}
