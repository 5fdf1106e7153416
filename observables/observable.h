/* Observables of clusters and boxes, during a run and from trajectories. Each is one file and one row of
 * observable_rows.def. Internal units are AKMA; files state theirs. Memory does not grow with the number of
 * samples, and results are identical to the last bit for any number of threads.
 *
 *   observable_create(&o, ops, &options, &frame, e);   once for each series of samples of one system;
 *   observable_add(o, &team, &frame, e);               for each sample;
 *   observable_write(o, dir, &set, e);                 at any time, repeatedly;
 *   observable_free(o);
 *
 * A row defines the sums that it needs and the contribution of a sample to them (BlockRows, whose blocks give
 * errors of any function of the sums), and its results. All rows share the code for memory, the end of a
 * sample, errors, files, pictures and checkpoints.
 *
 * Memory: histograms; for mean-square displacements the last 16 samples at each of a few spacings; for
 * velocities 32 time origins. Sums are taken over fixed parts of the molecules, and counts are integers.
 *
 * A result that the samples do not determine is left out, and the report states why. Peaks and minima of g(r)
 * must exceed their surroundings by five standard errors, and by five standard errors of counting. D requires
 * displacements of at least 0.3 of the distance between molecules and a slope/6 that is constant within the
 * fit window. The Green-Kubo integral may change by at most a tenth if every other lag or the later half of
 * the times is left out. The dielectric constant requires that |<M>|^2 is at most a fifth of <M^2>; their
 * ratio is one over the number of independent samples. Errors of fewer than 90 independent samples have no
 * plateau: they are lower bounds, and `compare` does not use them. */
#ifndef HOLONOM_OBSERVABLES_OBSERVABLE_H
#define HOLONOM_OBSERVABLES_OBSERVABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/chunk.h"
#include "base/status.h"
#include "engine/box.h"
#include "engine/kind.h"
#include "engine/state.h"
#include "engine/team.h"
#include "integrators/sample.h"
#include "observables/block_rows.h"
#include "results/results.h"
#include "topology/topology.h"

/* All molecules of one type in a sample. */
typedef struct ObservableBlock {
  const Kind *kind; /* of a whole molecule, in three dimensions */
  const double *
      charge; /* [nsite] e, charges of virtual sites distributed over atoms by their weights; NULL: unknown */
  int nmol;
  const double *x; /* [nmol][nsite][3] A: whole molecules, at any image */
  const double *v; /* [nmol][nsite][3] A per AKMA time; or NULL */
} ObservableBlock;

/* A sample; box and blocks are borrowed. All samples of a series have the same kinds and numbers. */
typedef struct ObservableFrame {
  double time; /* AKMA */
  const Box *box;
  int nblock;
  const ObservableBlock *block;
  const double *energy;         /* potential energy without penalties, kcal/mol; NULL: unknown */
  const double *square;         /* F'M^-1 F of the forces along constraints, kcal/mol/AKMA^2; NULL: unknown */
  const WalkPressure *pressure; /* NULL: unknown */
} ObservableFrame;

/* The replicas in the lanes of a state. */
typedef struct ObservableLanes {
  const Topology *topology; /* of the molecules, in the order of the frame's blocks */
  int first;                /* number of the first replica, among those of one observable */
  const int *slot;          /* [width] ladder and temperature of each replica now; NULL: no ladder */
  const double *energy;     /* [width] potential energies used in exchanges; NULL: not required (points) */
  const double *square;     /* [width] as in a frame; NULL: not required */
  const WalkPressure *pressure; /* width 1 only; NULL: not required */
} ObservableLanes;

/* The rows of observable_table. */
typedef enum ObservableRow {
#define OBSERVABLE(name, ...) OBSERVABLE_##name,
#include "observables/observable_rows.def"
  OBSERVABLES
} ObservableRow;

/* Options; 0 stands for the observable's default or for unknown. Each observable also has options for its own
 * keys, such as options->gofr.max. Lengths in A, times in AKMA. */
typedef struct ObservableOptions {
  int64_t every[OBSERVABLES]; /* steps between samples; 0: off                           */
  int threads;                /* members of the largest team that adds samples */
  int replicas, batches; /* number of replicas and batches of one observable (add_lanes); 0: one system */
  bool joint;            /* these replicas are states of width 1, as boxes are */
  int idle;              /* replicas at the end that only fill a batch */
  int first;             /* number of the first replica in the whole run */
  /* Slot a temperatures + k is temperature k of ladder a; 0: no ladder; 1: all samples are of one state. */
  int temperatures, ladders;
  const double *kT;  /* [temperatures] of a ladder, kcal/mol, at the time when results are written */
  int points;        /* number of further temperatures for results by MBAR; 0: none */
  const double *at;  /* [points] kT, rising, within the ladder's; both borrowed */
  const char *title; /* of pictures, or NULL                                    */
  bool breathes;     /* the box changes from sample to sample */
  bool enthalpy;     /* ... at the pressure below, and samples have energies */
  double pressure;   /* kcal/mol/A^3 */
  /* Coefficients of the step's effect on sampled positions, times its square (oscillator.h); all zero:
   * unknown. */
  struct {
    double drift, kick, heat, square; /* AKMA^2; heat, and h^2 itself: over the degrees of freedom */
    const double *counted; /* factor of s^2 in the heat, with motions counted by their friction; borrowed,
                              read when results are evaluated; NULL: 1 */
  } shadow;
  double kinetic;     /* k/2 for each degree of freedom of rigid molecules, kcal/mol/K */
  double interval;    /* AKMA time between samples; required by msd and vacf */
  double temperature; /* K                                                       */
  /* Langevin friction, for diffusion: a rate, 1/AKMA; or, if uniform, the friction of each site,
   * g/mol/AKMA. */
  double friction;
  bool friction_uniform;
  bool reduced;               /* reduced units: numbers are written without conversion */
  char viscosity_source[128]; /* source of the viscosity, for the files (diffusion_viscosity) */
  /* [COORDINATES] the collective variables that a run measures (collective.h), or NULL; borrowed. */
  const struct CollectiveList *collective;
  const struct RdfSites *sites;               /* of g(r) (rdf.h); NULL: no names; borrowed */
  const struct MetadynamicsBias *hills;       /* of metadynamics (metadynamics.h), or NULL; borrowed */
  const struct FreeEnergyList *free_energies; /* windows (free_energy.h); NULL: none; borrowed */
  /* Donors and acceptors (hydrogen_bonds.h); NULL: those of water molecules; borrowed. */
  const struct HydrogenBondList *hydrogen_bond_list;
  const struct Landscape *landscape; /* for isomers (isomers.h); NULL: unknown; borrowed */
  bool penalised;                    /* some or all constraints are penalties */
  const struct WaterModel *water;    /* the model of all molecules of a built-in water; borrowed */
  bool keep_drift;    /* velocities and displacements include the motion of the system's centre */
  int vacf_molecules; /* molecules of each kind, evenly spaced; 4096 */
#define OBSERVABLE_REAL               double
#define OBSERVABLE_INT                int
#define OWN_KEY(name, key, type, ...) OBSERVABLE_##type key;
#define SHARED_KEY(key, type, ...)    OBSERVABLE_##type given_##key;
#define OBSERVABLE(name, sorts, fallback, help, ...)                                                         \
  struct {                                                                                                   \
    __VA_ARGS__                                                                                              \
  } name;
#include "observables/observable_rows.def"
} ObservableOptions;

typedef struct ObservableOps ObservableOps;

/* The first member of every observable. */
typedef struct Observable {
  const ObservableOps *ops;
  ObservableOptions options;
  const char *name; /* in results: the row's name, unless create sets another */
  /* Set by create if the observable has sums: columns and monitors (all zero: no sums, and write receives no
   * result), the number of results of evaluate, and whether the run's series and this one share their
   * correlation times. */
  BlockRowsShape shape;
  int nout;
  bool heeded;
  BlockRows *rows;
  double *monitor; /* [shape.monitors] values of the current sample */
  Arena arena;
  ChunkList kept; /* parts of the arena for checkpoints; one batch's share */
  Status status;
  Error error; /* of the current sample */
} Observable;

/* The results of all samples. */
typedef struct ObservableResult {
  double *value, *error; /* [nout] values, and standard errors by jackknife */
  double *sum;           /* [whole + real] sums of all samples */
  BlockRowsErrors errors;
  char doubt[160]; /* why errors may be too small without a plateau; "": unknown */
} ObservableResult;

struct ObservableOps {
  const char *name, *doc;
  size_t size;     /* of the observable, which begins with an Observable and is zero at first */
  bool velocities; /* samples must have velocities */
  bool energies;   /* samples of a run include energies */
  bool squares;    /* samples of a run include F'M^-1 F */
  bool pressures;  /* samples must have the pressure; those of trajectories do not */
  bool timed; /* follows one system in time: the time between samples must be known, and there is no ladder */
  bool boxed; /* the box must be periodic in all directions */
  bool flat;  /* samples may have one or two dimensions */
  bool joint; /* replicas in states of width 1 share it: add_lanes also adds samples of such states */
  /* Initialises from a frame's kinds, numbers, box and charges; positions may be NULL. Errors: STATUS_INPUT
   * (a requirement of the observable is not met), STATUS_MEMORY. */
  Status (*create)(void *self, const ObservableFrame *frame, Error *error);
  /* The steps of observable_add: all members of the team prepare, one begins, all share the work, one ends.
   * All but `begin` may be NULL. STATUS_INPUT: the sample does not fit the series (times not evenly spaced,
   * distances too long to unwrap); the sums are unchanged. */
  void (*prepare)(void *self, const Team *team, const ObservableFrame *frame);
  Status (*begin)(void *self, const Team *team, const ObservableFrame *frame, Error *error);
  void (*share)(void *self, const Team *team, const ObservableFrame *frame);
  void (*end)(void *self, const Team *team, const ObservableFrame *frame);
  /* Adds a sample of each replica in the lanes of a state of width 8 or 16 (`joint`: or 1), for an observable
   * that covers all replicas of a run. Threads add different batches concurrently, or a team calls it
   * together. The function assigns data to slots in place of replicas where needed, and ends rows itself.
   * NULL: every replica has an observable of its own. */
  void (*add_lanes)(void *self, const Sample *sample, const ObservableLanes *lanes);
  /* For observables with their own storage of sums: returns rows computed from it, which the caller frees;
   * *rows left NULL: use the observable's rows. shortest: minimum number of samples in a block; NULL: 1. */
  Status (*gather)(const void *self, BlockRows **rows, Error *error);
  double (*shortest)(const void *self);
  /* Computes out[nout] from the sums over n samples. */
  void (*evaluate)(const void *self, const double *sum, double n, double *out);
  /* Whether result k is a fluctuation about a mean, and is corrected for bias (BlockRowsFunction). NULL: no
   * result is. */
  bool (*fluctuates)(const void *self, int k);
  /* Writes tables into dir as CSV and numbers into the set (rows of results/quantities.def). result: empty
   * without sums. Errors: STATUS_INPUT, STATUS_MEMORY. */
  Status (*write)(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
  /* Draws the last tables of the set. STATUS_RUN: no picture, which becomes a remark. NULL: plots the last
   * table's columns against its first. */
  Status (*draw)(const void *self, const ObservableResult *result, const char *dir, const ResultSet *set,
                 Error *why);
  /* List the data that samples change, and free memory, beyond rows, observable_kept and observable_arena.
   * May be NULL. */
  void (*chunks)(void *self, ChunkList *list);
  void (*free)(void *self);
};

#define OBSERVABLE(name, ...) extern const ObservableOps observable_##name;
#include "observables/observable_rows.def"

/* All rows, ended by NULL. */
extern const ObservableOps *const observable_table[OBSERVABLES + 1];

/* Finds the row with that name. STATUS_INPUT: the message has the nearest name and the list of all. */
Status observable_find(const char *name, int *row, Error *error);

/* Creates an observable; errors as ops->create. *o is NULL after an error. */
Status observable_create(Observable **o, const ObservableOps *ops, const ObservableOptions *options,
                         const ObservableFrame *frame, Error *error);
void observable_free(Observable *o);

/* kT of the samples, kcal/mol, and their temperature, K: those of a ladder's first temperature, or of the
 * options; final when results are evaluated. */
double observable_kT(const Observable *o);
double observable_temperature(const Observable *o);

/* Allocate memory for create, zero and aligned to 64 bytes, which is freed with the observable. Memory of
 * observable_kept is part of checkpoints, with equal shares for all batches. NULL: out of memory, which
 * observable_create reports after create has returned. */
void *observable_arena(void *self, size_t n, size_t size);
void *observable_kept(void *self, size_t n, size_t size);

/* Adds one sample. All members of the team call it together, and it returns the same status to all. */
Status observable_add(Observable *o, const Team *team, const ObservableFrame *frame, Error *error);

/* Adds tables and numbers to the set, and writes tables (CSV) and pictures into dir. STATUS_INPUT: no sample
 * yet. */
Status observable_write(Observable *o, const char *dir, ResultSet *set, Error *error);

/* Evaluates the observable's rows, or others of their shape. The caller frees the result, also after an
 * error. */
Status observable_result(const Observable *o, const BlockRows *rows, ObservableResult *result, Error *error);
void observable_result_free(ObservableResult *result);
BlockRowsFunction observable_function(const Observable *o);

/* Lists all data that samples change. If the data are restored into a new observable with the same options
 * and shape, it continues bit for bit. */
void observable_chunks(Observable *o, ChunkList *list);

/* The number of molecules in a sample. */
int observable_molecules(const ObservableFrame *frame);

/* The points whose distances describe the arrangement of an open system: the first sites of all molecules of
 * the first kind (oxygens of water), or all sites of a single molecule. */
typedef struct ObservablePoints {
  int n, dim;
  bool sites; /* sites of one molecule */
} ObservablePoints;
ObservablePoints observable_points(const ObservableFrame *frame);

/* Pointers at[n] to the points in a sample: [dim] consecutive numbers; in lane r of a batch, LANES apart. */
void observable_points_frame(const ObservablePoints *points, const ObservableFrame *frame, const double **at);
void observable_points_lane(const ObservablePoints *points, const ObservableLanes *lanes,
                            const Sample *sample, int r, const double **at);

/* Divides the molecules of a block into this many parts for any team, so that sums by part are identical for
 * any number of threads. */
enum { OBSERVABLE_SLICES = 32 };
void observable_slice(int nmol, int slice, int *begin, int *end);

/* Time origins in a ring of n, one every `every` samples: the age, in samples, of origin k of the ring when
 * sample number `now`, from 0, is added; -1: no origin yet. Sample `now` is itself origin now / every % n if
 * it is a multiple of `every`. */
int64_t observable_origin_age(int64_t now, int every, int n, int k);

/* Whether a sample follows the previous one after `interval`, within 2 % (times in files are rounded).
 * STATUS_INPUT. */
Status observable_check_time(double last, double time, double interval, Error *error);

/* The centre of mass, or its velocity, of one molecule from x[nsite][dim]. */
void observable_centre(const Kind *kind, const double *x, double *centre);

#endif
