/* What the tests of observables share: kinds, series of samples, teams, and what was written. */
#ifndef HOLONOM_TESTS_OBSERVABLES_H
#define HOLONOM_TESTS_OBSERVABLES_H

#include "engine/random.h"
#include "engine/units.h"
#include "observables/observable_set.h"
#include "tests/chunks.h"
#include "tests/files.h"
#include "tests/tables.h"
#include "tests/teams.h"

static const double observed_mass[3] = {15.9994, 1.008, 1.008}, observed_charge[3] = {-0.8, 0.4, 0.4};
static const double observed_one_charge[1] = {0.0};
static const char *const observed_ohh[3] = {"O", "H", "H"}, *const observed_argon[1] = {"Ar"};
static const double observed_at[9] = {0.0, 0.0, 0.06, 0.76, 0.0, -0.52, -0.76, 0.0, -0.52};
static const Kind observed_water = {"water", 3, 3, 0, observed_mass, observed_ohh, NULL, observed_at};
static const Kind observed_atom = {"argon", 1, 3, 0, observed_mass, observed_argon, NULL, observed_at};

static inline const ObservableOps *observed_ops(const char *name)
{
  int row;
  Error error;
  ck_assert_msg(observable_find(name, &row, &error) == STATUS_OK, "%s", error.text);
  return observable_table[row];
}

static inline Observable *observed_create(const ObservableOps *ops, const ObservableOptions *options,
                                          const ObservableFrame *frame)
{
  Observable *o;
  Error error;
  ck_assert_msg(observable_create(&o, ops, options, frame, &error) == STATUS_OK, "%s", error.text);
  return o;
}

/* Of the options asked for, for samples of a state that are 0.04 apart. */
static inline ObservableSet *observed_set(const ObservableOptions *options, const Topology *topology,
                                          const State *state)
{
  ObservableSet *set;
  Error error;
  ck_assert_msg(observable_set_create_sample(&set, options, 0.04, topology, &(Sample){.state = state},
                                             &error) == STATUS_OK,
                "%s", error.text);
  return set;
}

typedef struct Observed {
  Observable *observable;
  const ObservableFrame *frame;
} Observed;

static inline Status observed_member(void *self, const Team *team, Error *error)
{
  Observed *o = self;
  return observable_add(o->observable, team, o->frame, error);
}

/* Adds by so many threads. */
static inline Status observed_add(Observable *o, int threads, const ObservableFrame *frame, Error *error)
{
  Observed member = {o, frame};
  return team_run(threads, observed_member, &member, error);
}

static inline void observed_sample(Observable *o, int threads, const ObservableFrame *frame)
{
  Error error;
  ck_assert_msg(observed_add(o, threads, frame, &error) == STATUS_OK, "%s", error.text);
}

/* Writes, and reads the first table back. */
static inline ResultTable *observed_write(Observable *o, ResultSet *report)
{
  Error error;
  char path[300];
  snprintf(path, sizeof path, "%s", files_path("")); /* makes the folder */
  path[strlen(path) - 1] = '\0';
  ck_assert_msg(observable_write(o, path, report, &error) == STATUS_OK, "%s", error.text);
  snprintf(path, sizeof path, "%s.csv", report->table[0]->name);
  return tables_read(files_path(path));
}

static inline const ResultNumber *observed_number(const ResultSet *report, const char *subject,
                                                  const char *quantity)
{
  for (int i = 0; i < report->n; i++)
    if (strcmp(report->number[i].subject, subject) == 0 && strcmp(report->number[i].name, quantity) == 0)
      return &report->number[i];
  ck_abort_msg("the report has no %s of %s", quantity, subject);
}

/* One goes on in another, as after a restart, and is freed; the other. */
static inline Observable *observed_restart(const ObservableOptions *options, const ObservableFrame *frame,
                                           Observable *o)
{
  Observable *fresh = observed_create(o->ops, options, frame);
  ChunkList from = {0}, to = {0};
  observable_chunks(o, &from);
  observable_chunks(fresh, &to);
  chunks_restore(&from, &to);
  observable_free(o);
  return fresh;
}

/* Both hold the same bits. */
static inline void observed_same(Observable *one, Observable *other)
{
  ChunkList a = {0}, b = {0};
  observable_chunks(one, &a);
  observable_chunks(other, &b);
  chunks_same(&a, &b);
}

/* By one thread; and by one to options->threads in turn, which goes on in another after sample `cut`, as
 * after a restart: the same bits. `next` makes sample k of the scene, which has the frame. */
static inline void observed_leaves_no_trace(const ObservableOps *ops, const ObservableOptions *options,
                                            const ObservableFrame *frame, int samples, int cut,
                                            void (*next)(void *scene, RandomStream *stream, int k),
                                            void *scene, RandomStream *stream)
{
  Observable *one = observed_create(ops, options, frame), *many = observed_create(ops, options, frame);
  for (int k = 0; k < samples; k++) {
    next(scene, stream, k);
    observed_sample(one, 1, frame);
    observed_sample(many, 1 + k % options->threads, frame);
    if (k == cut)
      many = observed_restart(options, frame, many);
  }
  observed_same(one, many);
  observable_free(one);
  observable_free(many);
}

#endif
