#include "simulation/molecules/single_point.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "io/structure.h"
#include "simulation/molecules/frames.h"
#include "simulation/molecules/system_frames.h"

struct SinglePoint {
  Simulation *s;
  bool kept, doubled;
  int threads;
  State *state;
  ForceField field;
  Box chosen;     /* that the field's mesh was chosen for */
  double *x, *p;  /* [coordinates] positions; zero momenta for the projection */
  double *own;    /* [2 coordinates] scratch of the projection */
  double *energy; /* [columns] */
  Frame shown;
  int64_t step; /* of the last frame */
  double time;
};

static const double other = 0.1; /* of the edges: larger changes need a new mesh */

static Status make_field(SinglePoint *point, Error *error)
{
  const Simulation *s = point->s;
  force_field_free(&point->field);
  point->field = (ForceField){0};
  point->chosen = point->state->box;
  FieldInput input = simulation_field_input(s);
  input.plumed = s->plumed;
  return simulation_field_create(s, &input, point->state, &point->field, error);
}

static Status fill_in(SinglePoint *point, Error *error)
{
  const Simulation *s = point->s;
  const size_t n = s->coordinates;
  TRY(topology_state(s->topology, 1, 0, 0, &point->state, error));
  point->state->box = s->box;
  TRY(make_field(point, error));
  point->x = calloc(5 * n, sizeof *point->x);
  point->energy = calloc((size_t)single_point_columns(point), sizeof *point->energy);
  TRY_MEMORY(point->x != NULL && point->energy != NULL, "positions", error);
  point->p = point->x + n;
  point->own = point->p + n;
  return frames_shape(s, &point->shown, error);
}

Status single_point_create(SinglePoint **point, Simulation *s, bool kept, Error *error)
{
  SinglePoint *made = *point = calloc(1, sizeof *made);
  TRY_MEMORY(made != NULL, "a configuration", error);
  made->s = s;
  made->kept = kept;
  made->threads = s->replicas > 1 ? 1 : s->threads; /* as for the forces of a box */
  TRY_ELSE(fill_in(made, error), (single_point_free(made), *point = NULL));
  return STATUS_OK;
}

void single_point_free(SinglePoint *point)
{
  if (point == NULL)
    return;
  force_field_free(&point->field);
  state_free(point->state);
  frame_free(&point->shown);
  free(point->x);
  free(point->energy);
  free(point);
}

bool single_point_doubled(const SinglePoint *point) { return point->doubled; }

int single_point_columns(const SinglePoint *point) { return force_field_terms(&point->field) + 1; }

const char *single_point_name(const SinglePoint *point, int column)
{
  return column < force_field_terms(&point->field) ? force_field_term(&point->field, column) : "potential";
}

/* --- forces ------- */

static Status compute(SinglePoint *point, double *energy, Error *error)
{
  const ForceSums sums = {energy, NULL};
  Status status = STATUS_OK;
  TeamBarrier barrier = {0};
#pragma omp parallel num_threads(point->threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    Error own;
    const Status mine =
        force_field_compute(&point->field, &team, point->state, &sums, team.rank == 0 ? error : &own);
    if (team.rank == 0)
      status = mine;
  }
  return status;
}

static Status set_box(SinglePoint *point, const Box *box, Error *error)
{
  if (box_same(box, &point->state->box))
    return STATUS_OK;
  if (box_alike(box, &point->chosen, other))
    return force_field_set_box(&point->field, point->state, box, error);
  point->state->box = *box;
  return make_field(point, error);
}

/* Atoms may be too close for single precision, for example in a newly built start; later evaluations then use
 * double precision. */
static Status compute_in_double(SinglePoint *point, double *energy, Status status, Error *error)
{
  MolecularSystem *own = system_molecules(point->s);
  if (status != STATUS_RUN || own->precision != PAIR_MIXED)
    return status;
  own->precision = PAIR_DOUBLE;
  point->doubled = true;
  TRY(make_field(point, error));
  return compute(point, energy, error);
}

/* Evaluates positions x in a box. */
static Status measure(SinglePoint *point, const Box *box, double *energy, Error *error)
{
  const Simulation *s = point->s;
  const int n = force_field_terms(&point->field);
  if (point->kept) {
    memset(point->p, 0, s->coordinates * sizeof *point->p);
    TRY(simulation_project_molecules(s, point->x, point->p, point->own, error));
  }
  TRY(set_box(point, box, error));
  topology_set(s->topology, point->state, STATE_POSITIONS, 0, point->x);
  TRY(compute_in_double(point, energy, compute(point, energy, error), error));
  energy[n] = force_field_energy(&point->field, energy, 1, 0).potential;
  return isfinite(energy[n])
             ? STATUS_OK
             : error_set(error, STATUS_INPUT, "the energy is not finite: do two atoms overlap?");
}

/* Evaluates a frame; a fault that would end a run is here an error of the file. */
static Status measure_frame(SinglePoint *point, const Frame *frame, const char *path, const Box *box,
                            double *energy, Error *error)
{
  Error why;
  const Status status = measure(point, box, energy, &why);
  point->step = frame->step;
  point->time = frame->time;
  return status == STATUS_OK || status == STATUS_MEMORY
             ? error_pass(error, status, &why)
             : error_set(error, STATUS_INPUT, "%s: %s", path, why.text);
}

/* --- frames ------- */

/* The frame's own box; all zero in open space. */
static Status find_box(const SinglePoint *point, const Frame *frame, const char *path, Box *box, Error *error)
{
  const Simulation *s = point->s;
  *box = (Box){0};
  if (box_periodic(&s->box))
    return structure_box(frame, path, box, error);
  if (!frame->has_cell || s->config->system.box_none)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s has a box, but %s describes molecules in open space: set system.box: none to ignore "
                   "it, or system.box: file",
                   path, input_name(s->config->input));
}

Status single_point_frame(SinglePoint *point, const Frame *frame, const char *path, double *energy,
                          Error *error)
{
  Box box;
  TRY(find_box(point, frame, path, &box, error));
  TRY(system_frames_read(point->s, frame, path, &box, point->x, error));
  return measure_frame(point, frame, path, &box, energy, error);
}

int single_point_starts(const SinglePoint *point) { return system_molecules(point->s)->from.count; }

typedef struct Visiting {
  SinglePoint *point;
  SinglePointVisit visit;
  void *self;
} Visiting;

static Status visit_start(void *self, int i, Frame *frame, const char *path, Error *error)
{
  (void)i;
  const Visiting *v = self;
  SinglePoint *point = v->point;
  Box box;
  TRY(system_frames_start(point->s, frame, path, point->x, NULL, &box, error));
  TRY(measure_frame(point, frame, path, &box, point->energy, error));
  return v->visit(v->self, frame, point->energy, error);
}

Status single_point_start(SinglePoint *point, SinglePointVisit visit, void *self, Error *error)
{
  const Config *c = point->s->config;
  if (c->system.start != START_FILE)
    return input_error(c->input, KEY(system_start), error,
                       "has no coordinates for energies; wanted: file, or a trajectory; 'holonom minimise' "
                       "writes a start");
  Visiting visiting = {point, visit, self};
  return start_file_read(c, &system_molecules(point->s)->from, visit_start, &visiting, error);
}

const Frame *single_point_forces(SinglePoint *point)
{
  const Simulation *s = point->s;
  Frame *shown = &point->shown;
  frames_fill(s, &point->state->box, false, 0, point->x, NULL, shown);
  topology_get(s->topology, point->state, STATE_FORCES, 0, &shown->forces[0][0]);
  shown->has_forces = true;
  shown->step = point->step;
  shown->time = point->time;
  return shown;
}
