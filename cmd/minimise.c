#include "cmd/minimise.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/scoped.h"
#include "base/text.h"
#include "integrators/quench.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/molecules/frames.h"
#include "simulation/molecules/freeze.h"
#include "simulation/molecules/starts.h"
#include "simulation/molecules/system_field.h"

SCOPED_POINTER(State, state_free)

const char *const minimise_names[] = {"minimised.xyz", "minimised.gro", "minimised.csv", "minimised.yaml",
                                      NULL};

static bool is_mechanical(const Simulation *s) { return config_mechanical(s->config); }

/* Creates the forces for a start: for molecules without a wall and in double precision. */
static Status make_field(const Simulation *s, const State *state, ForceField *field, Error *error)
{
  return is_mechanical(s) ? simulation_field_create(s, NULL, state, field, error)
                          : system_field_start(s, state, field, error);
}

static Status make_terms(Minimised *m, const ForceField *field, Error *error)
{
  m->nterm = force_field_terms(field);
  m->term = arena_take(&m->arena, (size_t)m->nterm + 1, sizeof *m->term);
  m->frame = arena_take(&m->arena, (size_t)m->n, sizeof *m->frame);
  for (int i = 0; i < m->n && m->frame != NULL; i++)
    m->frame[i].term = arena_take(&m->arena, (size_t)m->nterm + 1, sizeof *m->frame[i].term);
  TRY(arena_check(&m->arena, "a minimisation", error));
  for (int t = 0; t < m->nterm; t++)
    m->term[t] = force_field_term(field, t);
  return STATUS_OK;
}

/* Minimises x (infinite tolerance: evaluates it only) and computes the energies of the result. */
static Status minimise_frame_at(const Simulation *s, const QuenchOptions *options, const ForceField *field,
                                State *state, double *x, MinimiseFrame *frame, QuenchResult *result,
                                Error *error)
{
  const Team alone = team_alone();
  const ForceSums sums = {frame->term, NULL};
  topology_set(s->topology, state, STATE_POSITIONS, 0, x);
  TRY(quench_run(state, field, options, s->isa, result, error));
  topology_get(s->topology, state, STATE_POSITIONS, 0, x);
  frame->energy = result->energy;
  frame->force = result->force;
  return force_field_compute(field, &alone, state, &sums, error);
}

/* Minimises each configuration of x[n][coordinates]. */
static Status minimise_all(const Simulation *s, const QuenchOptions *options, double *x, Minimised *m,
                           Error *error)
{
  SCOPED(state_free_at) State *state = NULL;
  SCOPED(force_field_free) ForceField field = {.n = 0};
  TRY(topology_state(s->topology, 1, (uint64_t)s->config->seed, 0, &state, error));
  state->box = s->box;
  TRY(make_field(s, state, &field, error));
  TRY(make_terms(m, &field, error));
  for (int i = 0; i < m->n; i++) {
    QuenchResult result;
    TRY(minimise_frame_at(s, options, &field, state, x + (size_t)i * s->coordinates, &m->frame[i], &result,
                          error));
    m->steps = result.steps > m->steps ? result.steps : m->steps;
    m->converged = m->converged && m->frame[i].force <= m->tolerance;
  }
  m->x = x;
  return STATUS_OK;
}

static Status minimise_molecules(Simulation *s, const SimulationStart *how, Minimised *m, Error *error)
{
  const QuenchOptions look = {.tolerance = INFINITY, .thaw = freeze_thaws(s)};
  Start *start = &system_molecules(s)->start;
  TRY(start_make(s, how, start, error));
  m->n = start->frames;
  m->tolerance = s->config->system.minimise_tolerance;
  TRY(minimise_all(s, &look, start->x, m, error));
  m->steps = start->down.steps;
  m->softened = start->down.softened;
  return STATUS_OK;
}

static Status minimise_mechanics(Simulation *s, const SimulationStart *how, int steps, Minimised *m,
                                 Error *error)
{
  const QuenchOptions options = {
      .tolerance = m->tolerance, .max_steps = steps, .threads = 1, .stop = how->stop};
  if (s->sort->no_forces != NULL)
    return error_set(error, STATUS_INPUT, "%s: cannot be minimised: %s", input_name(s->config->input),
                     s->sort->no_forces);
  TRY(simulation_start(s, how, error));
  m->n = s->replicas;
  double *x = arena_take(&m->arena, (size_t)m->n * s->coordinates, sizeof *x);
  TRY(arena_check(&m->arena, "a minimisation", error));
  for (int r = 0; r < m->n; r++)
    TRY(simulation_get(s, SIMULATION_POSITIONS, r, x + (size_t)r * s->coordinates, error));
  return minimise_all(s, &options, x, m, error);
}

Status minimise_start(Simulation *s, const SimulationStart *how, double tolerance, int steps, Minimised *m,
                      Error *error)
{
  *m = (Minimised){.tolerance = tolerance, .converged = true};
  TRY_ELSE(is_mechanical(s) ? minimise_mechanics(s, how, steps, m, error)
                            : minimise_molecules(s, how, m, error),
           minimise_free(m));
  return STATUS_OK;
}

void minimise_free(Minimised *m)
{
  arena_free(&m->arena);
  *m = (Minimised){0};
}

/* --- files ------- */

typedef struct Frames {
  const Simulation *system;
  const Minimised *of;
} Frames;

static void fill_frame(void *self, int64_t i, Frame *frame)
{
  const Frames *f = self;
  const Simulation *s = f->system;
  frames_fill(s, &s->box, box_periodic(&s->box), 0, f->of->x + (size_t)i * s->coordinates, NULL, frame);
}

static Status write_frames(const Simulation *s, const Minimised *m, const char *dir, const char *name,
                           Error *error)
{
  TrajectoryOptions options = frames_options(s, 1);
  options.exact = true;
  Frames frames = {s, m};
  SCOPED(frame_free) Frame frame = {0};
  SCOPED(scoped_free) char *path = file_path(dir, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY(frames_shape(s, &frame, error));
  return trajectory_write_all(path, NULL, &options, &frame, m->n, fill_frame, &frames, error);
}

static Status write_table(const Simulation *s, const Minimised *m, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  TRY(text_replace(&text, dir, "minimised.csv", error));
  for (size_t k = 0; k < s->coordinates; k++)
    text_print(text, "%s%s", k > 0 ? "," : "", mechanics_name(mechanics_of(s), (int)k, false).text);
  for (int i = 0; i < m->n; i++)
    for (size_t k = 0; k < s->coordinates; k++)
      text_print(text, "%s%.17g", k > 0 ? "," : "\n", m->x[(size_t)i * s->coordinates + k]);
  text_print(text, "\n");
  return text_close(text, error);
}

Status minimise_write(const Simulation *s, const Minimised *m, const char *dir, Error *error)
{
  if (is_mechanical(s))
    return write_table(s, m, dir, error);
  TRY(write_frames(s, m, dir, "minimised.xyz", error));
  return system_writes_gro(s) ? write_frames(s, m, dir, "minimised.gro", error) : STATUS_OK;
}
