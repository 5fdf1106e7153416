#include "forcefields/plumed.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scoped.h"
#include "engine/units.h"
#include "forcefields/field.h"
#include "forcefields/plumed_kernel.h"
#include "forcefields/plumed_lines.h"

/* PLUMED's units are kJ/mol, nm and ps. */
static const double energy_unit = UNITS_JOULE, length_unit = 0.1, time_unit = UNITS_AKMA_FS * 1e-3,
                    mass_unit = 1.0, charge_unit = 1.0;

/* An instance with the arrays that PLUMED reads and writes, which live as long as it does. */
typedef struct PlumedReplica {
  struct PlumedReplica *next;
  uint32_t replica;
  void *instance;  /* NULL: not made yet, or closed */
  int64_t updated; /* the last step that has been updated, or will be */
  bool pending;    /* PLUMED has computed this step, and not updated it */
  double *x, *f;   /* [natom][3] A, kcal/mol/A */
  double box[3][3], virial[3][3], bias;
} PlumedReplica;

struct Plumed {
  PlumedOptions options; /* without the path */
  PlumedKernel kernel;
  PlumedLines lines;
  char *folder; /* NULL: nothing is written */
  bool restart;
  double *mass, *charge; /* [natom]; charge NULL: unknown */
  PlumedReplica *first;
  pthread_mutex_t list;  /* guards the list of replicas, and the making of instances */
  pthread_mutex_t calls; /* locked during calls, unless the kernel allows several threads */
  Arena arena;
};

/* --- making --------------------------------------------------------------------------------------------- */

static bool fill_atoms(Plumed *p, const Topology *topology)
{
  bool charges = true;
  int n = 0;
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    for (int i = 0; i < sort->nmol * sort->kind->nsite; i++, n++) {
      p->mass[n] = sort->kind->mass[i % sort->kind->nsite];
      p->charge[n] = sort->shared != NULL ? sort->shared[i % sort->kind->nsite] : NAN;
      charges = charges && isfinite(p->charge[n]);
    }
  }
  return charges;
}

static Status build(Plumed *p, Error *error)
{
  const Topology *topology = p->options.topology;
  p->mass = arena_take(&p->arena, (size_t)topology->natom, sizeof *p->mass);
  p->charge = arena_take(&p->arena, (size_t)topology->natom, sizeof *p->charge);
  TRY(arena_check(&p->arena, "plumed", error));
  if (!fill_atoms(p, topology))
    p->charge = NULL;
  return plumed_lines_read(&p->lines, p->options.path, &p->arena, error);
}

Status plumed_create(Plumed **plumed, const PlumedOptions *options, Error *error)
{
  Plumed *p = *plumed = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "plumed", error);
  p->options = *options;
  (void)pthread_mutex_init(&p->list, NULL); /* cannot fail on Linux */
  (void)pthread_mutex_init(&p->calls, NULL);
  TRY_ELSE(build(p, error), (plumed_free(p), *plumed = NULL));
  p->options.path = NULL;
  return STATUS_OK;
}

Status plumed_load(Plumed *p, Error *error)
{
  (void)pthread_mutex_lock(&p->list);
  const Status status = plumed_kernel_load(&p->kernel, error);
  (void)pthread_mutex_unlock(&p->list);
  return status;
}

int plumed_actions(const Plumed *p) { return p->lines.n; }

uint64_t plumed_digest(const Plumed *p) { return p->lines.digest; }

/* --- instances ------------------------------------------------------------------------------------------ */

typedef struct Command {
  const char *name;
  const void *value;
} Command;

static Status send(const Plumed *p, const PlumedReplica *r, int n, const Command *command, Error *error)
{
  for (int i = 0; i < n; i++)
    TRY(plumed_kernel_call(&p->kernel, r->instance, command[i].name, command[i].value, error));
  return STATUS_OK;
}

static Status send_line(const Plumed *p, const PlumedReplica *r, int i, Error *error)
{
  SCOPED(scoped_free) char *text = NULL;
  Error why;
  TRY(plumed_lines_resolve(&p->lines, i, p->folder, &text, error));
  const Status status = plumed_kernel_call(&p->kernel, r->instance, "readInputLine", text, &why);
  return status == STATUS_OK
             ? status
             : error_set(error, STATUS_INPUT, "%s:%d: %s", p->lines.name, p->lines.line[i].number, why.text);
}

/* PLUMED's log in the folder of the run; NULL: no memory. */
static char *log_path(const Plumed *p, const PlumedReplica *r)
{
  char name[32] = "plumed.log";
  if (p->options.several)
    snprintf(name, sizeof name, "plumed.%u.log", r->replica);
  return p->folder != NULL ? file_path(p->folder, name) : strdup("/dev/null");
}

static Status begin(const Plumed *p, const PlumedReplica *r, Error *error)
{
  const int precision = sizeof(double), restart = p->restart, natom = p->options.topology->natom;
  SCOPED(scoped_free) char *log = log_path(p, r);
  TRY_MEMORY(log != NULL, "a file name", error);
  const Command before[] = {{"setRealPrecision", &precision},
                            {"setMDEnergyUnits", &energy_unit},
                            {"setMDLengthUnits", &length_unit},
                            {"setMDTimeUnits", &time_unit},
                            {"setMDMassUnits", &mass_unit},
                            {"setMDChargeUnits", &charge_unit},
                            {"setMDEngine", "holonom"},
                            {"setLogFile", log},
                            {"setNatoms", &natom},
                            {"setTimestep", &p->options.h},
                            {"setRestart", &restart}};
  TRY(send(p, r, sizeof before / sizeof *before, before, error));
  if (p->options.kT > 0.0)
    TRY(send(p, r, 1, &(Command){"setKbT", &p->options.kT}, error));
  TRY(send(p, r, 1, &(Command){"init", NULL}, error));
  char suffix[32];
  snprintf(suffix, sizeof suffix, "_SET_SUFFIX .%u", r->replica);
  if (p->options.several)
    TRY(send(p, r, 1, &(Command){"readInputLine", suffix}, error));
  for (int i = 0; i < p->lines.n; i++)
    TRY(send_line(p, r, i, error));
  return STATUS_OK;
}

static void end(const Plumed *p, PlumedReplica *r)
{
  plumed_kernel_free(&p->kernel, r->instance);
  r->instance = NULL;
  r->pending = false;
}

Status plumed_write(Plumed *p, const char *folder, bool restart, Error *error)
{
  char *const own = arena_take(&p->arena, strlen(folder) + 1, 1);
  for (PlumedReplica *r = p->first; r != NULL; r = r->next) {
    end(p, r);
    r->updated = restart ? r->updated : -1;
  }
  TRY(arena_check(&p->arena, "plumed", error));
  p->folder = memcpy(own, folder, strlen(folder) + 1);
  p->restart = restart;
  return STATUS_OK;
}

static Status open_replica(const Plumed *p, PlumedReplica *r, Error *error)
{
  TRY(plumed_kernel_create(&p->kernel, &r->instance, error));
  TRY_ELSE(begin(p, r, error), end(p, r));
  return STATUS_OK;
}

static PlumedReplica *find(const Plumed *p, uint32_t replica)
{
  PlumedReplica *r = p->first;
  while (r != NULL && r->replica != replica)
    r = r->next;
  return r;
}

/* A run that continues at `step` has updated it before. */
static Status add_replica(Plumed *p, uint32_t replica, int64_t step, PlumedReplica **to, Error *error)
{
  const size_t n = 3 * (size_t)p->options.topology->natom;
  PlumedReplica *r = arena_take(&p->arena, 1, sizeof *r);
  double *const x = arena_take(&p->arena, 2 * n, sizeof *x);
  TRY(arena_check(&p->arena, "plumed", error));
  *r = (PlumedReplica){
      .next = p->first, .replica = replica, .updated = p->restart ? step : -1, .x = x, .f = x + n};
  p->first = *to = r;
  return STATUS_OK;
}

static void lock_calls(Plumed *p)
{
  if (!p->kernel.threads)
    (void)pthread_mutex_lock(&p->calls);
}

static void unlock_calls(Plumed *p)
{
  if (!p->kernel.threads)
    (void)pthread_mutex_unlock(&p->calls);
}

/* The instance of a replica, which is made now unless it exists. */
static Status take_replica(Plumed *p, uint32_t replica, int64_t step, PlumedReplica **to, Error *error)
{
  (void)pthread_mutex_lock(&p->list);
  *to = find(p, replica);
  Status status = *to == NULL ? add_replica(p, replica, step, to, error) : STATUS_OK;
  if (status == STATUS_OK && (*to)->instance == NULL) {
    lock_calls(p);
    status = open_replica(p, *to, error);
    unlock_calls(p);
  }
  (void)pthread_mutex_unlock(&p->list);
  return status;
}

static Status update(const Plumed *p, PlumedReplica *r, Error *error)
{
  if (!r->pending)
    return STATUS_OK;
  r->pending = false;
  return send(p, r, 1, &(Command){"update", NULL}, error);
}

Status plumed_close(Plumed *p, Error *error)
{
  Status status = STATUS_OK;
  for (PlumedReplica *r = p->first; r != NULL; r = r->next) {
    if (r->instance != NULL && status == STATUS_OK)
      status = update(p, r, error);
    end(p, r);
  }
  return status;
}

void plumed_free(Plumed *p)
{
  if (p == NULL)
    return;
  (void)plumed_close(p, NULL);
  (void)pthread_mutex_destroy(&p->list);
  (void)pthread_mutex_destroy(&p->calls);
  arena_free(&p->arena);
  free(p);
}

/* --- evaluation ----------------------------------------------------------------------------------------- */

static Status check_finite(const Plumed *p, const PlumedReplica *r, Error *error)
{
  double sum = r->bias;
  for (int i = 0; i < 9; i++)
    sum += r->virial[i / 3][i % 3];
  for (int i = 0; i < 3 * p->options.topology->natom; i++)
    sum += r->f[i];
  return isfinite(sum)
             ? STATUS_OK
             : error_set(error, STATUS_RUN, "the bias (%g) or its forces are not finite numbers", r->bias);
}

/* ENERGY may come with a file that is included. */
static Status check_energy(const Plumed *p, const PlumedReplica *r, Error *error)
{
  int needed = 0;
  TRY(send(p, r, 1, &(Command){"isEnergyNeeded", &needed}, error));
  return needed == 0 ? STATUS_OK
                     : error_set(error, STATUS_RUN,
                                 "an action needs the energy of the system (ENERGY), which is not supported");
}

/* Computes a step at the positions r->x. */
static Status compute(const Plumed *p, PlumedReplica *r, int64_t step, Error *error)
{
  const long now = (long)step;
  const Command set[] = {{"setStepLong", &now}, {"setPositions", r->x}, {"setMasses", p->mass},
                         {"setBox", r->box},    {"setForces", r->f},    {"setVirial", r->virial}};
  memset(r->f, 0, 3 * (size_t)p->options.topology->natom * sizeof *r->f);
  memset(r->virial, 0, sizeof r->virial);
  r->bias = 0.0;
  TRY(send(p, r, sizeof set / sizeof *set, set, error));
  if (p->charge != NULL)
    TRY(send(p, r, 1, &(Command){"setCharges", p->charge}, error));
  TRY(send(p, r, 1, &(Command){"prepareCalc", NULL}, error));
  TRY(check_energy(p, r, error));
  TRY(send(p, r, 1, &(Command){"performCalcNoUpdate", NULL}, error));
  TRY(send(p, r, 1, &(Command){"getBias", &r->bias}, error));
  return check_finite(p, r, error);
}

/* The first evaluation of a step is the one that is updated; others are trials at the same step. */
static Status evaluate(const Plumed *p, PlumedReplica *r, const State *state, int lane, Error *error)
{
  const int64_t step = state->step + (state->elapsed == 1.0);
  TRY(update(p, r, error));
  topology_get(p->options.topology, state, STATE_POSITIONS, lane, r->x);
  memcpy(r->box, state->box.h, sizeof r->box);
  TRY(compute(p, r, step, error));
  r->pending = step > r->updated;
  r->updated = r->pending ? step : r->updated;
  return STATUS_OK;
}

/* += the forces of a replica, in lane `lane` of each group's lanes. */
static void add_forces(const Topology *topology, const PlumedReplica *r, State *state, int lane)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    for (int n = 0; n < block->nlane; n++)
      for (int site = 0; site < block->kind->nsite; site++) {
        const double *const f = r->f + topology_place(topology, block->first + n, site);
        for (int d = 0; d < 3; d++)
          *state_element(block, block->f, state->width, n, lane, site, d) += f[d];
      }
  }
}

static Status add_replica_forces(Plumed *p, State *state, int lane, const ForceSums *sums, Error *error)
{
  PlumedReplica *r;
  Error why;
  TRY(take_replica(p, state->replica + (uint32_t)lane, state->step, &r, error));
  lock_calls(p);
  const Status status = evaluate(p, r, state, lane, &why);
  unlock_calls(p);
  if (status != STATUS_OK)
    return error_set(error, status, "%s: replica %u, after %lld steps: %s", p->lines.name, r->replica,
                     (long long)state->step, why.text);
  add_forces(p->options.topology, r, state, lane);
  if (sums != NULL)
    sums->energy[lane] = r->bias;
  for (int i = 0; i < 9 && sums != NULL && sums->virial != NULL; i++)
    sums->virial[i / 3][i % 3] -= r->virial[i / 3][i % 3]; /* PLUMED's virial is minus the sum of x_a f_b */
  return STATUS_OK;
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* One field has one, which remembers the status of the team's present call of `add`. */
typedef struct PlumedForce {
  Plumed *plumed;
  Status status;
  Error why;
} PlumedForce;

static Status add_all(Plumed *p, State *state, const ForceSums *sums, Error *error)
{
  if (sums != NULL)
    memset(sums->energy, 0, (size_t)state->width * sizeof *sums->energy);
  for (int lane = 0; lane < state->used; lane++)
    TRY(add_replica_forces(p, state, lane, sums, error));
  return STATUS_OK;
}

/* The team's first member does all: PLUMED's arrays have all atoms. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  PlumedForce *force = self;
  team_barrier(team);
  if (team->rank == 0)
    force->status = add_all(force->plumed, state, sums, &force->why);
  team_barrier(team);
  return error_pass(error, force->status, &force->why);
}

static const ForceOps ops = {.name = "plumed",
                             .doc = "biases that PLUMED computes",
                             .nterm = 1,
                             .term = (const char *const[]){"plumed"},
                             .add = add,
                             .telling = 1,
                             .driven = 1,
                             .biases = 1,
                             .free = free};

Status plumed_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  (void)shape;
  TRY(plumed_load(input->plumed, error));
  PlumedForce *const self = calloc(1, sizeof *self);
  TRY_MEMORY(self != NULL, "plumed", error);
  self->plumed = input->plumed;
  *force = (Force){&ops, self};
  return STATUS_OK;
}
