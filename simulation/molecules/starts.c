#include "simulation/molecules/starts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/progress.h"
#include "base/scoped.h"
#include "base/text.h"
#include "engine/place.h"
#include "engine/units.h"
#include "simulation/molecules/downhill.h"
#include "simulation/molecules/restraints.h"
#include "simulation/molecules/system.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/system_field.h"
#include "simulation/molecules/system_frames.h"
#include "simulation/start/cluster.h"
#include "simulation/start/contacts.h"
#include "simulation/start/filling.h"
#include "simulation/start/lattice.h"

SCOPED_POINTER(State, state_free)
SCOPED_POINTER(Contacts, contacts_free)

struct StartForm {
  Status (*build)(const Simulation *s, const SimulationStart *how, Start *start, Error *error);
  void (*tell)(const Simulation *s, const Start *start, char *words, size_t size); /* appends a description */
  bool each;         /* energies are reported per molecule */
  const char *given; /* why --start does not apply; NULL: it does */
};

static const StartForm *form_of(const Simulation *s) { return system_form(s)->start; }

static bool moving(const Simulation *s) { return s->config->thermostat.initial == INITIAL_FILE; }

/* Whether the start file's bonds are unchanged: with penalties and the file's velocities, the energy in the
 * bonds is part of the state. */
static bool keeps_bonds(const Simulation *s)
{
  return moving(s) && s->config->geometry.method == GEOMETRY_PENALTY && !s->constrained;
}

static Status make_state(const Simulation *s, State **state, Error *error)
{
  TRY(topology_state(s->topology, 1, (uint64_t)s->config->system.seed, 0, state, error));
  (*state)->box = s->box;
  return STATUS_OK;
}

/* --- files ------- */

/* All frames for replicas must have one box and the same molecules. */
static Status check_same_box(const Simulation *s, const Box *box, Error *error)
{
  char words[BOX_WORDS], other[BOX_WORDS];
  if (box_alike(box, &s->box, SYSTEM_FRAMES_SAME))
    return STATUS_OK;
  return input_error(s->config->input, KEY(system_file), error,
                     "the frames of %s have different boxes, %s and %s, but all replicas need one box: use "
                     "one frame for all, such as frame: 0",
                     s->config->system.file, box_words(&s->box, 10, words), box_words(box, 10, other));
}

/* Converts velocities, A/ps. */
static void make_momenta(const Topology *topology, double *p)
{
  static const double per_ps = UNITS_AKMA_FS * 1e-3; /* A per AKMA unit of time */
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int i = 0; i < 3 * sort->nmol * sort->kind->nsite; i++, p++)
      *p = per_ps * *p * sort->kind->mass[i / 3 % sort->kind->nsite];
  }
}

/* Makes waters rigid (oxygen, bisector and plane are preserved), or measures their deviation. */
static Status make_rigid(const Simulation *s, double *x, double *moved, Error *error)
{
  for (const TopologySort *sort = s->topology->sort; sort < s->topology->sort + s->topology->nsort; sort++)
    for (int m = 0; m < sort->nmol; m++, x += (size_t)sort->kind->nsite * 3) {
      double copy[9];
      if (!kind_is_triangle(sort->kind))
        continue;
      memcpy(copy, x, sizeof copy);
      *moved = fmax(*moved, place_rigid(sort->kind, keeps_bonds(s) ? copy : x));
      if (!isfinite(*moved))
        return input_error(s->config->input, KEY(system_file), error,
                           "molecule %d of the start file has collinear bonds, so its plane is undefined",
                           sort->first + m + 1);
    }
  return STATUS_OK;
}

/* Closer sites of different molecules, A, overlap: only a minimisation helps. */
static const double overlap = 0.8;

/* The first two overlapping molecules, and their nearest sites. */
typedef struct Overlap {
  const Topology *topology;
  const int *molecule; /* [atoms] */
  int solute;          /* the molecule of alchemy, which may overlap others; -1: none */
  int one, other;      /* atoms; -1: no overlap */
  double distance;
} Overlap;

static void keep_first(void *self, int i, int k, const double r[3], double distance)
{
  (void)r;
  Overlap *o = self;
  const int *of = o->molecule, one = i < k ? i : k, other = i < k ? k : i;
  if (of[one] == of[other] || of[one] == o->solute || of[other] == o->solute)
    return;
  const int before = o->one < 0 ? 1 : of[o->one] != of[one] ? of[o->one] - of[one] : of[o->other] - of[other];
  if (before > 0 || (before == 0 && distance < o->distance)) {
    o->one = one;
    o->other = other;
    o->distance = distance;
  }
}

static const char *site_of(const Topology *t, int atom)
{
  int k = 0;
  for (; atom >= t->sort[k].nmol * t->sort[k].kind->nsite; k++)
    atom -= t->sort[k].nmol * t->sort[k].kind->nsite;
  return t->sort[k].kind->site[atom % t->sort[k].kind->nsite];
}

/* In open space, where forces of overlapping molecules may be finite. */
static Status check_overlaps(const Simulation *s, const double *x, Error *error)
{
  const Topology *t = s->topology;
  SCOPED(contacts_free_at) Contacts *contacts = NULL;
  SCOPED(scoped_free) int *molecule = calloc((size_t)t->natom, sizeof *molecule);
  TRY_MEMORY(molecule != NULL, "positions", error);
  for (int k = 0, i = 0; k < t->nsort; k++)
    for (int a = 0; a < t->sort[k].nmol * t->sort[k].kind->nsite; a++)
      molecule[i++] = t->sort[k].first + a / t->sort[k].kind->nsite;
  const int solute = system_molecules(s)->alchemy.solute;
  Overlap found = {t, molecule, solute > 0 ? t->sort[solute - 1].first : -1, -1, -1, 0.0};
  TRY(contacts_create(&contacts, t->natom, error));
  contacts_visit(contacts, &(Box){0}, overlap, (const double(*)[3])x, keep_first, &found);
  if (found.one < 0)
    return STATUS_OK;
  return input_error(s->config->input, KEY(system_file), error,
                     "molecules %d and %d overlap: %s and %s are %.3g A apart; 'system.minimise: true' "
                     "moves them apart",
                     molecule[found.one] + 1, molecule[found.other] + 1, site_of(t, found.one),
                     site_of(t, found.other), found.distance);
}

/* The largest distance from the origin of a site that the wall acts on. */
static double find_reach(const Topology *t, const double *x)
{
  double reach = 0.0;
  for (int k = 0; k < t->nsort; k++) {
    const TopologySort *sort = &t->sort[k];
    for (int i = 0; i < sort->kind->nsite * sort->nmol; i++, x += 3)
      if (sort->atom[i % sort->kind->nsite].site == 0)
        reach = fmax(reach, hypot(hypot(x[0], x[1]), x[2]));
  }
  return reach;
}

/* Moves a cluster to the origin, or leaves it at its place in the file. */
static void find_place(const Simulation *s, int i, Start *start, double *x)
{
  if (s->config->system.centre)
    topology_to_origin(s->topology, x);
  if (i == 0)
    topology_centre(s->topology, x, start->centre);
  start->reach = fmax(start->reach, find_reach(s->topology, x));
}

typedef struct Reading {
  const Simulation *system;
  const SimulationStart *how;
  Start *start;
} Reading;

/* Projects x[coordinates] onto the constraints, and momenta (may be NULL) along them; or, if bonds must not
 * change, measures the deviation. Built-in water preserves oxygen, bisector and plane. */
static Status make_kept(const Simulation *s, double *x, double *p, double *moved, Error *error)
{
  const size_t n = s->coordinates;
  if (!system_origin(s)->described)
    return make_rigid(s, x, moved, error);
  SCOPED(scoped_free) double *room = calloc(4 * n, sizeof *room);
  TRY_MEMORY(room != NULL, "positions", error);
  double *const q = room, *const along = room + n;
  memcpy(q, x, n * sizeof *q);
  if (p != NULL)
    memcpy(along, p, n * sizeof *along);
  Error why;
  const Status status = simulation_project_molecules(s, q, along, room + 2 * n, &why);
  TRY(input_pass(s->config->input, KEY(system_file), status, &why, error));
  for (size_t i = 0; i < n; i += 3)
    *moved = fmax(*moved, hypot(hypot(q[i] - x[i], q[i + 1] - x[i + 1]), q[i + 2] - x[i + 2]));
  if (keeps_bonds(s))
    return STATUS_OK;
  memcpy(x, q, n * sizeof *q);
  if (p != NULL)
    memcpy(p, along, n * sizeof *along);
  return STATUS_OK;
}

static Status read_frame(void *self, int i, Frame *frame, const char *path, Error *error)
{
  const Reading *r = self;
  const Simulation *s = r->system;
  Start *start = r->start;
  const size_t at = (size_t)i * s->coordinates;
  double *const x = start->x + at, *const p = start->p != NULL ? start->p + at : NULL;
  SCOPED(state_free_at) State *state = NULL;
  Box box;
  start->velocities = frame->has_velocities;
  start->boxed = frame->has_cell;
  TRY(system_frames_start(s, frame, path, x, p, &box, error));
  TRY(check_same_box(s, &box, error));
  if (p != NULL)
    make_momenta(s->topology, p);
  TRY(make_kept(s, x, p, &start->moved, error));
  const bool open = !box_periodic(&s->box), minimise = s->config->system.minimise;
  if (open && !minimise)
    TRY(check_overlaps(s, x, error));
  TRY(make_state(s, &state, error));
  topology_set(s->topology, state, STATE_POSITIONS, 0, x);
  TRY(downhill_settle(s, r->how, minimise, state, &start->down, x, error));
  if (open)
    find_place(s, i, start, x);
  return STATUS_OK;
}

static void tell_cluster(const Simulation *s, const Start *start, char *words, size_t size)
{
  downhill_words(s, &start->down, words, size);
  if (s->config->system.centre)
    text_append(words, size, ", moved to its centre of mass");
  else
    text_append(words, size, ", not moved (centre of mass at %.3g, %.3g, %.3g A)", start->centre[0],
                start->centre[1], start->centre[2]);
  if (start->boxed)
    text_append(words, size, ", its box ignored");
}

static void tell_box(const Simulation *s, const Start *start, char *words, size_t size)
{
  downhill_words(s, &start->down, words, size);
}

static void tell_wall(const Simulation *s, const Start *start, char *words, size_t size)
{
  const Config *c = s->config;
  if (c->system.force.wall.radius > 0.0 && start->reach > c->system.force.wall.radius)
    text_append(words, size, "; WARNING: it extends %.3g A from the origin, beyond the wall at %.3g A%s",
                start->reach, c->system.force.wall.radius,
                c->system.centre ? "" : " ('system.centre: true' would move it)");
}

static Status start_of_file(const Simulation *s, const SimulationStart *how, Start *start, Error *error)
{
  Reading reading = {s, how, start};
  char *words = start->remark;
  const size_t size = sizeof start->remark;
  const bool each = form_of(s)->each;
  const double per = each ? s->topology->nmol : 1.0;
  TRY(start_file_read(s->config, &system_molecules(s)->from, read_frame, &reading, error));
  text_append(words, size, "%.300s", s->config->system.file);
  start_file_words(&system_molecules(s)->from, words, size);
  if (keeps_bonds(s))
    text_append(words, size, ": bonds not changed (sites up to %.3g A from the rigid geometry)",
                start->moved);
  else
    text_append(words, size, ": %s moved by up to %.3g A)", system_origin(s)->placed, start->moved);
  text_append(words, size, "%s", s->config->system.minimise ? "" : ", not minimised");
  form_of(s)->tell(s, start, words, size);
  if (moving(s))
    text_append(words, size, ", with its velocities");
  else if (start->velocities)
    text_append(words, size, ", its velocities ignored");
  if (start->frames > 1)
    text_append(words, size, "; %.4f to %.4f", start->down.least / per, start->down.most / per);
  else
    text_append(words, size, "; %.4f", start->down.energy / per);
  text_append(words, size, " kcal/mol%s, largest force %.3g kcal/mol/A", each ? " per molecule" : "",
              start->down.force);
  tell_wall(s, start, words, size);
  return STATUS_OK;
}

/* --- built starts ------- */

/* Moves molecules of any shape that overlap on the lattice apart; x[coordinates] is scratch. */
static Status come_apart(const Simulation *s, State *state, double *x, Error *error)
{
  topology_get(s->topology, state, STATE_POSITIONS, 0, x);
  TRY(filling_apart(s->topology, state, (double(*)[3])x, error));
  topology_set(s->topology, state, STATE_POSITIONS, 0, x);
  return STATUS_OK;
}

static Status build_box(const Simulation *s, const SimulationStart *how, Start *start, Error *error)
{
  const Input *in = s->config->input;
  SCOPED(state_free_at) State *state = NULL;
  Error why;
  TRY(make_state(s, &state, error));
  const Status status = lattice_fill(s->topology, state, &why);
  TRY(input_pass(in, input_given(in, KEY(system_box)) ? KEY(system_box) : KEY(system_density), status, &why,
                 error));
  const bool scattered = s->config->system.minimise && lattice_stays(s->topology);
  if (scattered)
    TRY(lattice_scatter(s->topology, state, error));
  if (system_origin(s)->described)
    TRY(come_apart(s, state, start->x, error));
  TRY(downhill_settle(s, how, s->config->system.minimise, state, &start->down, start->x, error));
  text_append(start->remark, sizeof start->remark, scattered ? "atoms at random places" : "lattice");
  tell_box(s, start, start->remark, sizeof start->remark);
  text_append(start->remark, sizeof start->remark,
              "; %.4f kcal/mol per molecule, largest force %.3g kcal/mol/A",
              start->down.energy / s->topology->nmol, start->down.force);
  return STATUS_OK;
}

static MinimaOf molecules_of(const Simulation *s)
{
  return (MinimaOf){.on = system_field_search(s),
                    .seed = (uint64_t)s->config->system.seed,
                    .threads = s->threads,
                    .isa = s->isa};
}

Status start_minima(const Simulation *s, MinimaOf *of, Error *error)
{
  if (s->sort->form == NULL || box_periodic(&s->box))
    return error_set(error, STATUS_INPUT,
                     "%s describes no molecules in open space, which a search of minima requires; 'holonom "
                     "minimise' finds the minimum nearest to a start",
                     input_name(s->config->input));
  if (s->config->freeze != NULL)
    return input_error(s->config->input, KEY(freeze), error,
                       "a search of minima moves all molecules; remove the line (--set freeze=)");
  *of = molecules_of(s);
  return STATUS_OK;
}

static ClusterOptions cluster_options(const Simulation *s)
{
  const Config *c = s->config;
  const double n = s->topology->nmol;
  return (ClusterOptions){.of = molecules_of(s),
                          .name = c->system.model != NULL ? c->system.model : system_molecules(s)->source,
                          .digest = restraints_digest(s),
                          .spacing = c->system.spacing,
                          .anneal = c->system.anneal,
                          .thorough = c->system.start == START_MINIMUM,
                          .minimise = c->system.minimise,
                          .work = 0.5 * n * (n - 1.0) * (double)s->steps * s->replicas};
}

/* Finds a saved start that fits. */
static Status find_kept(const Simulation *s, const SimulationStart *how, Start *start, bool *found,
                        Error *error)
{
  LOCALE_PLAIN;
  const ClusterOptions options = cluster_options(s);
  const char *from = how->given != NULL ? how->given : how->folder;
  *found = false;
  if (from == NULL)
    return STATUS_OK;
  Error why;
  const Status status = cluster_read(&options, from, start->x, &why);
  if (status != STATUS_OK)
    return how->given != NULL || status == STATUS_MEMORY
               ? error_set(error, status, "%s%s", how->given != NULL ? "--start: " : "", why.text)
               : STATUS_OK;
  SCOPED(state_free_at) State *state = NULL;
  TRY(make_state(s, &state, error));
  topology_set(s->topology, state, STATE_POSITIONS, 0, start->x);
  TRY(downhill_settle(s, how, false, state, &start->down, start->x, error));
  snprintf(start->remark, sizeof start->remark,
           "built from the same system section for %.300s; %.4f kcal/mol, largest force %.2g kcal/mol/A",
           from, start->down.energy, start->down.force);
  *found = true;
  return STATUS_OK;
}

/* Appends the description of a built start. */
static void tell_built(const ClusterOptions *o, const ClusterReport *r, char *words, size_t size)
{
  LOCALE_PLAIN;
  const ClusterEffort effort = cluster_effort(o);
  if (effort.way == CLUSTER_HOPPING)
    text_append(words, size,
                "basin hopping, the lowest minimum of %lld quenches, found by %d of %d independent searches",
                (long long)r->quenches, r->same, r->replicas);
  else if (effort.way == CLUSTER_ANNEALING)
    text_append(words, size, "%s, lowest of %d replicas annealed for %d steps (reached by %d of them)",
                cluster_begins(o), r->replicas, r->steps, r->same);
  else
    text_append(words, size, "%s%s", cluster_begins(o),
                !o->anneal || o->of.on.topology->nmol < 2 ? ""
                : cluster_anneals(o->of.on.topology) ? ", not annealed (too large for a run of this length)"
                                                     : ", not annealed (only waters and atoms are)");
  if (effort.way != CLUSTER_HOPPING && o->minimise)
    text_append(words, size, ", minimised");
  text_append(words, size, "; %.4f kcal/mol, largest force %.2g kcal/mol/A%s", r->energy, r->force,
              r->converged ? "" : " (the minimisation did not converge)");
}

static Status build_cluster(const Simulation *s, const SimulationStart *how, Start *start, Error *error)
{
  bool found;
  ClusterReport report;
  start->built = true;
  TRY(find_kept(s, how, start, &found, error));
  if (found)
    return STATUS_OK;
  SCOPED(progress_watch_end) ProgressWatch watch = {.out = how->out};
  ClusterOptions options = cluster_options(s);
  options.of.show = progress_watch;
  options.of.watcher = &watch;
  options.of.stop = how->stop;
  TRY(cluster_build(&options, start->x, &report, error));
  tell_built(&options, &report, start->remark, sizeof start->remark);
  return STATUS_OK;
}

/* --- start ------- */

const StartForm start_cluster = {.build = build_cluster, .tell = tell_cluster};

const StartForm start_box = {.build = build_box,
                             .tell = tell_box,
                             .each = true,
                             .given = "a box starts from a file with system.start: file"};

static Status make(const Simulation *s, const SimulationStart *how, Start *start, Error *error)
{
  const bool file = s->config->system.start == START_FILE;
  *start = (Start){.frames = file ? system_molecules(s)->from.count : 1, .down = downhill_begin()};
  const char *const given = file ? "system.start: file defines the start" : form_of(s)->given;
  if (how->given != NULL && given != NULL)
    return error_set(error, STATUS_INPUT, "--start applies only to starts built for clusters; %s", given);
  const size_t size = (size_t)start->frames * s->coordinates;
  start->x = malloc(size * sizeof *start->x);
  start->p = moving(s) ? malloc(size * sizeof *start->p) : NULL;
  TRY_MEMORY(start->x != NULL && (!moving(s) || start->p != NULL), "positions", error);
  const Status status = file ? start_of_file(s, how, start, error) : form_of(s)->build(s, how, start, error);
  if (status == STATUS_RUN && flag_value(how->stop) != 0)
    return error_set(error, status, "interrupted while the start was being built; nothing was written");
  return status;
}

Status start_make(const Simulation *s, const SimulationStart *how, Start *start, Error *error)
{
  TRY_ELSE(make(s, how, start, error), start_free(start));
  return STATUS_OK;
}

Status start_find(Simulation *s, const SimulationStart *how, Error *error)
{
  MolecularSystem *w = system_molecules(s);
  start_free(&w->start);
  TRY(start_make(s, how, &w->start, error));
  TRY(system_rates(s, w->start.x, &s->box, &w->rates, error));
  s->apart = w->rates.apart;
  s->counted = w->rates.counted;
  return STATUS_OK;
}

Status start_keep(const Simulation *s, const Start *start, const char *dir, Error *error)
{
  if (!start->built)
    return STATUS_OK;
  const ClusterOptions options = cluster_options(s);
  return cluster_keep(&options, start->x, dir, error);
}
