#include "simulation/start/system_start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/text.h"
#include "engine/units.h"
#include "simulation/molecules/system_box.h"
#include "simulation/run/progress.h"
#include "simulation/start/kept_start.h"

/* --- velocities ------------------------------------------------------------------------------------------
 */

static bool moving(const Simulation *s) { return s->config->thermostat.initial == INITIAL_FILE; }

bool system_start_keeps_bonds(const Simulation *s)
{
  return moving(s) && s->config->geometry.method == GEOMETRY_PENALTY;
}

Status system_start_velocities(const Simulation *s, const StructureGroup *group, Error *error)
{
  if (!moving(s) || group->nmol == 0 || group->v != NULL)
    return STATUS_OK;
  return input_error(s->config->input, KEY(thermostat_initial), error,
                     "%s has no velocities; wanted: a GRO or XYZ file that has, or initial: maxwell",
                     s->config->system.file);
}

void system_start_momenta(const Kind *kind, const StructureGroup *group, double *p)
{
  static const double per_ps = UNITS_AKMA_FS * 1e-3; /* A per AKMA time of A/ps */
  for (int i = 0; i < 3 * group->nmol * group->nsite; i++)
    p[i] = per_ps * group->v[i] * kind->mass[i / 3 % group->nsite];
}

/* --- files -----------------------------------------------------------------------------------------------
 */

typedef struct Taking Taking;

struct StartForm {
  /* Frame i of a file, into x and p (NULL: no momenta). */
  Status (*take)(Taking *t, int i, Frame *frame, const char *path, double *x, double *p, Error *error);
  Status (*build)(const Simulation *s, const SimulationStart *how, SystemStart *start, Error *error);
  void (*tell)(const Taking *t, bool minimised, char *words,
               size_t size); /* how it was moved, and where to */
  bool each;                 /* energies are told of a molecule */
  const char *given;         /* why there is no start to be taken from elsewhere; NULL: there is */
};

static const StartForm *form_of(const Simulation *s) { return system_form(s)->start; }

/* What was found in the frames taken so far. */
struct Taking {
  const Simulation *system;
  StartOptions options; /* of clusters                             */
  SystemStart *start;
  bool velocities;            /* the file has some                       */
  bool boxed;                 /* it has a box, and this is a cluster     */
  double moved, force;        /* the largest of all frames               */
  double least, most, energy; /* energies: extremes, the sum of all      */
  int steps;                  /* downhill, at most                       */
  bool converged;             /* all minimisations                       */
  double centre[3], reach;    /* of a cluster: of the first; farthest oxygen from the origin, of all */
};

static void note(Taking *t, double moved, double energy, double force, int steps)
{
  t->moved = fmax(t->moved, moved);
  t->force = fmax(t->force, force);
  t->least = fmin(t->least, energy);
  t->most = fmax(t->most, energy);
  t->energy += energy;
  t->steps = steps > t->steps ? steps : t->steps;
}

static StartOptions start_options(const Simulation *s)
{
  const Config *c = s->config;
  return (StartOptions){.model = system_water(s)->model,
                        .kind = s->kind[0],
                        .nmol = s->lanes[0],
                        .spacing = c->system.spacing,
                        .anneal = c->system.anneal,
                        .thorough = c->system.start == START_MINIMUM,
                        .minimise = c->system.minimise,
                        .as_it_is = system_start_keeps_bonds(s),
                        .centre = c->system.centre,
                        .seed = (uint64_t)c->system.seed,
                        .work = 0.5 * s->lanes[0] * (s->lanes[0] - 1.0) * (double)s->steps * s->replicas,
                        .threads = s->threads,
                        .isa = s->isa};
}

static void measure_place(Taking *t, int i, const double *x)
{
  const Simulation *s = t->system;
  if (i == 0)
    start_centre(s->kind[0], s->lanes[0], x, t->centre);
  for (int m = 0; m < s->lanes[0]; m++)
    t->reach = fmax(t->reach, hypot(hypot(x[9 * m], x[9 * m + 1]), x[9 * m + 2]));
}

static Status take_waters(Taking *t, int i, const StructureGroup *group, double *x, Error *error)
{
  const Simulation *s = t->system;
  StartReport report;
  double moved;
  Error why;
  memcpy(x, group->x, s->coordinates * sizeof *x);
  if (start_adopt(&t->options, x, &moved, &report, &why) != STATUS_OK)
    return input_error(s->config->input, KEY(system_file), error, "%s", why.text);
  note(t, moved, report.energy, report.force, 0);
  t->converged = t->converged && report.converged;
  measure_place(t, i, x);
  return STATUS_OK;
}

static Status take_cluster(Taking *t, int i, Frame *frame, const char *path, double *x, double *p,
                           Error *error)
{
  const Simulation *s = t->system;
  Structure structure;
  Status status = system_cluster_read(s, frame, path, &structure, error);
  if (status != STATUS_OK)
    return status;
  const StructureGroup *group = &structure.group[0];
  status = system_start_velocities(s, group, error);
  if (status == STATUS_OK && group->nmol != s->lanes[0])
    status = input_error(s->config->input, KEY(system_file), error,
                         "the frames of %s differ in their molecules", s->config->system.file);
  if (status == STATUS_OK && p != NULL)
    system_start_momenta(s->kind[0], group, p);
  if (status == STATUS_OK)
    status = take_waters(t, i, group, x, error);
  structure_free(&structure);
  t->boxed = frame->has_cell;
  return status;
}

static Status take_box(Taking *t, int i, Frame *frame, const char *path, double *x, double *p, Error *error)
{
  (void)i;
  SystemBoxLook look;
  TRY(system_box_adopt(t->system, frame, path, x, p, &look, error));
  note(t, look.moved, look.energy, look.force, look.steps);
  return STATUS_OK;
}

static Status take(void *self, int i, Frame *frame, const char *path, Error *error)
{
  Taking *t = self;
  const Simulation *s = t->system;
  const size_t at = (size_t)i * s->coordinates;
  double *x = t->start->x + at, *p = t->start->p != NULL ? t->start->p + at : NULL;
  t->velocities = frame->has_velocities;
  return form_of(s)->take(t, i, frame, path, x, p, error);
}

/* --- words -----------------------------------------------------------------------------------------------
 */

static void tell_place(const Taking *t, char *words, size_t size)
{
  const Config *c = t->system->config;
  if (c->system.centre)
    text_append(words, size, ", moved to its centre of mass");
  else
    text_append(words, size, ", left where it is (centre of mass at %.3g, %.3g, %.3g A)", t->centre[0],
                t->centre[1], t->centre[2]);
}

static void tell_wall(const Taking *t, char *words, size_t size)
{
  const Config *c = t->system->config;
  if (c->system.wall_radius > 0.0 && t->reach > c->system.wall_radius)
    text_append(words, size, "; WARNING: it reaches %.3g A from the origin, beyond the wall at %.3g A%s",
                t->reach, c->system.wall_radius,
                c->system.centre ? "" : " ('system.centre: true' would move it)");
}

static void tell_cluster(const Taking *t, bool minimised, char *words, size_t size)
{
  if (minimised)
    text_append(words, size, ", minimised%s", t->converged ? "" : " (without convergence)");
  tell_place(t, words, size);
  if (t->boxed)
    text_append(words, size, ", its box left out");
}

static void tell_box(const Taking *t, bool minimised, char *words, size_t size)
{
  if (minimised)
    text_append(words, size, ", moved downhill in %d steps", t->steps);
}

static void tell_file(const Taking *t, char *words, size_t size)
{
  const Simulation *s = t->system;
  const bool minimised = s->config->system.minimise, each = form_of(s)->each;
  const double per = each ? s->topology->nmol : 1.0;
  text_append(words, size, "%.300s", s->config->system.file);
  start_file_words(&system_water(s)->from, words, size);
  text_append(words, size,
              system_start_keeps_bonds(s) ? ": bonds left as they are (sites up to %.3g A off the rigid ones)"
                                          : ": made rigid (sites moved by up to %.3g A)",
              t->moved);
  text_append(words, size, "%s", minimised ? "" : ", not minimised");
  form_of(s)->tell(t, minimised, words, size);
  if (moving(s))
    text_append(words, size, ", with its velocities");
  else if (t->velocities)
    text_append(words, size, ", its velocities left out");
  if (t->start->frames > 1)
    text_append(words, size, "; %.4f to %.4f", t->least / per, t->most / per);
  else
    text_append(words, size, "; %.4f", t->energy / per);
  text_append(words, size, " kcal/mol%s, largest force %.3g kcal/mol/A", each ? " a molecule" : "", t->force);
  tell_wall(t, words, size);
}

/* --- the whole -------------------------------------------------------------------------------------------
 */

/* StartOptions with somebody who watches. */
static StartOptions watched(const Simulation *s, const SimulationStart *how, ProgressWatch *watch)
{
  StartOptions options = start_options(s);
  *watch = (ProgressWatch){.out = how->out};
  options.show = progress_watch;
  options.watcher = watch;
  options.stop = how->stop;
  return options;
}

static Status start_of_file(const Simulation *s, const SimulationStart *how, SystemStart *start, Error *error)
{
  ProgressWatch watch;
  Taking taking = {.system = s, .start = start, .least = INFINITY, .most = -INFINITY, .converged = true};
  taking.options = watched(s, how, &watch);
  const Status status = start_file_read(s->config, &system_water(s)->from, take, &taking, error);
  progress_end(&watch.progress);
  if (status == STATUS_OK)
    tell_file(&taking, start->remark, sizeof start->remark);
  return status;
}

static Status start_built_box(const Simulation *s, const SimulationStart *how, SystemStart *start,
                              Error *error)
{
  (void)how;
  SystemBoxLook look;
  TRY(system_box_build(s, NULL, start->x, &look, error));
  text_append(start->remark, sizeof start->remark, "lattice");
  if (s->config->system.minimise)
    text_append(start->remark, sizeof start->remark, ", moved downhill in %d steps", look.steps);
  text_append(start->remark, sizeof start->remark,
              "; %.4f kcal/mol a molecule, largest force %.3g kcal/mol/A", look.energy / s->topology->nmol,
              look.force);
  return STATUS_OK;
}

/* A start that was built before, if there is one that fits. */
static Status find_kept(const Simulation *s, const SimulationStart *how, SystemStart *start, bool *found,
                        Error *error)
{
  LOCALE_PLAIN;
  const StartOptions options = start_options(s);
  const char *from = how->given != NULL ? how->given : how->folder;
  *found = false;
  if (from == NULL)
    return STATUS_OK;
  Error why;
  Status status = kept_start_read(s, &options, from, start->x, &why);
  if (status != STATUS_OK)
    return how->given != NULL || status == STATUS_MEMORY
               ? error_set(error, status, "%s%s", how->given != NULL ? "--start: " : "", why.text)
               : STATUS_OK;
  StartReport report;
  status = start_look(&options, start->x, &report, error);
  snprintf(start->remark, sizeof start->remark,
           "as it was built from the same system section for %.300s; %.4f kcal/mol, largest force %.2g "
           "kcal/mol/A",
           from, report.energy, report.force);
  *found = status == STATUS_OK;
  return status;
}

/* What was done for a start that was built. */
static void tell_built(const StartOptions *o, const StartReport *r, char *words, size_t size)
{
  LOCALE_PLAIN;
  const StartEffort effort = start_effort(o);
  if (effort.way == START_HOPPING)
    text_append(words, size,
                "basin hopping, the lowest minimum of %lld quenches, found by %d of %d independent searches",
                (long long)r->quenches, r->same, r->replicas);
  else if (effort.way == START_ANNEALING)
    text_append(words, size, "lattice, lowest of %d replicas annealed for %d steps (%d of them the same)",
                r->replicas, r->steps, r->same);
  else
    text_append(words, size, "lattice%s",
                o->anneal && o->nmol > 1 ? ", not annealed (too large for a run of this length)" : "");
  if (effort.way != START_HOPPING && o->minimise)
    text_append(words, size, ", minimised");
  text_append(words, size, "; %.4f kcal/mol, largest force %.2g kcal/mol/A%s", r->energy, r->force,
              r->converged ? "" : " (the minimisation did not converge)");
}

static Status start_built_cluster(const Simulation *s, const SimulationStart *how, SystemStart *start,
                                  Error *error)
{
  StartReport report;
  ProgressWatch watch;
  const StartOptions options = watched(s, how, &watch);
  const Status status = start_build(&options, start->x, &report, error);
  progress_end(&watch.progress);
  if (status == STATUS_RUN && flag_value(how->stop) != 0)
    return error_set(error, status, "interrupted while the start was built; nothing was written");
  if (status == STATUS_OK)
    tell_built(&options, &report, start->remark, sizeof start->remark);
  return status;
}

static Status start_any_cluster(const Simulation *s, const SimulationStart *how, SystemStart *start,
                                Error *error)
{
  bool found;
  start->built = true;
  TRY(find_kept(s, how, start, &found, error));
  return found ? STATUS_OK : start_built_cluster(s, how, start, error);
}

const StartForm system_start_cluster = {
    .take = take_cluster, .build = start_any_cluster, .tell = tell_cluster};
const StartForm system_start_box = {.take = take_box,
                                    .build = start_built_box,
                                    .tell = tell_box,
                                    .each = true,
                                    .given = "a box begins from a file by system.start: file"};

Status system_start(const Simulation *s, const SimulationStart *how, SystemStart *start, Error *error)
{
  const bool file = s->config->system.start == START_FILE;
  *start = (SystemStart){.frames = file ? system_water(s)->from.count : 1};
  const char *const given = file ? "system.start: file has one already" : form_of(s)->given;
  if (how->given != NULL && given != NULL)
    return error_set(error, STATUS_INPUT, "--start takes the start that was built for a cluster; %s", given);
  const size_t size = (size_t)start->frames * s->coordinates;
  start->x = malloc(size * sizeof *start->x);
  start->p = moving(s) ? malloc(size * sizeof *start->p) : NULL;
  Status status = STATUS_OK;
  if (start->x == NULL || (moving(s) && start->p == NULL))
    status = error_memory(error, "positions");
  if (status == STATUS_OK)
    status = file ? start_of_file(s, how, start, error) : form_of(s)->build(s, how, start, error);
  if (status != STATUS_OK)
    system_start_free(start);
  return status;
}

Status system_start_find(Simulation *s, const SimulationStart *how, Error *error)
{
  Water *w = system_water(s);
  system_start_free(&w->start);
  TRY(system_start(s, how, &w->start, error));
  return system_rates(s, w->start.x, &w->rates, error);
}

Status system_start_keep(const Simulation *s, const SystemStart *start, const char *dir, Error *error)
{
  const StartOptions options = start->built ? start_options(s) : (StartOptions){0};
  return start->built ? kept_start_write(s, &options, start->x, dir, error) : STATUS_OK;
}

void system_start_free(SystemStart *start)
{
  free(start->x);
  free(start->p);
  *start = (SystemStart){0};
}
