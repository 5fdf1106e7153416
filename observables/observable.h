/* Observables of clusters and boxes, during a run and from trajectories. One is one file and one row of
 * observable_rows.def. All are AKMA inside; files say what units they are in. Memory is bounded whatever the
 * number of samples; the same samples give the same bits for any number of threads.
 *
 *   observable_create(&o, ops, &options, &frame, e);   one for one series of samples of one system
 *   observable_add(o, &team, &frame, e);  ...
 *   observable_write(o, dir, &set, e);                 as often as wanted
 *   observable_free(o);
 *
 * A row says what is its own: the sums that it wants kept and what a sample adds to them (BlockRows, whose
 * blocks give errors of whatever is evaluated), and what results say of the values. Memory, the end of a
 * sample, errors, files, doubts, remarks about pictures and checkpoints are the same for all.
 *
 * Memory: histograms; the last 16 samples at each of a few spacings for mean-square displacements; 32 time
 * origins alive at a time for velocities. Sums are made over fixed parts of the molecules, and counts are
 * whole numbers. A number that the samples cannot give is left out, and its place in the report says why: a
 * peak or minimum of g(r) that is not five standard errors, and five of plain counting, above or below what
 * follows; D where slope/6 changes within the fit window, molecules move by less than 0.3 of the distance
 * between them, or every other lag or the later half of the times would change the Green-Kubo integral by a
 * tenth; the dielectric constant where |<M>|^2 is more than a fifth of <M^2>, one over the number of
 * independent samples. A run of fewer than 90 independent samples has no plateau of errors: they are given as
 * lower bounds, and `compare` says nothing of it. */
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

/* All molecules of one sort in a sample. */
typedef struct ObservableBlock {
  const Kind *kind; /* of a whole molecule, in three dimensions                              */
  const double
      *charge; /* [nsite] e, the charges of massless sites shared out by their weights; NULL: unknown */
  int nmol;
  const double *x; /* [nmol][nsite][3] A: molecules whole, anywhere, in whatever image            */
  const double *v; /* [nmol][nsite][3] A per AKMA time, or NULL                                   */
} ObservableBlock;

/* A sample; box and blocks are borrowed. Every sample of a series has the kinds and numbers of the first. */
typedef struct ObservableFrame {
  double time; /* AKMA */
  const Box *box;
  int nblock;
  const ObservableBlock *block;
  const double *energy; /* potential, without that of penalties, kcal/mol; NULL: not known */
  const double *square; /* F'M^-1 F of the forces along constraints, kcal/mol/AKMA^2; NULL: not known */
} ObservableFrame;

/* The replicas in a state's lanes. */
typedef struct ObservableLanes {
  const Topology *topology; /* of their molecules, in the order of the frame's blocks */
  int first;                /* number of the first one, of those that one self is for */
  const int *slot; /* [width] which temperature of which ladder each is at now; NULL: there is no ladder  */
  const double *energy; /* [width] potential energies, by which exchanges go; NULL: nobody asks (points) */
  const double *square; /* [width] as in a frame; NULL: nobody asks */
} ObservableLanes;

/* The rows of observable_table. */
typedef enum ObservableRow {
#define OBSERVABLE(name, ...) OBSERVABLE_##name,
#include "observables/observable_rows.def"
  OBSERVABLES
} ObservableRow;

/* What is 0 is left to the observable, or unknown. Beside what all share each has what its own keys say,
 * options->gofr.max and so on: lengths in A, times in AKMA. */
typedef struct ObservableOptions {
  int64_t every[OBSERVABLES]; /* steps between samples; 0: off                           */
  int threads;                /* members of the largest team that will add               */
  int replicas, batches;      /* that one self is for: see add_lanes; 0: one system      */
  int idle;                   /* of the last ones that are no replicas but fill a batch    */
  int first;                  /* of these, in the whole run                              */
  int temperatures, ladders; /* of them: slot a temperatures + k is temperature k of ladder a; 0: no ladder */
  const double *kT;  /* [temperatures] of a ladder, kcal/mol, as they are when results are written      */
  int points;        /* further temperatures that results are wanted at, by MBAR; 0: none               */
  const double *at;  /* [points] kT, rising, within those of the ladder; both borrowed                    */
  const char *title; /* of pictures, or NULL                                    */
  bool breathes;     /* the box is another one from sample to sample */
  bool enthalpy;     /* ... by the pressure below, and samples have energies */
  double pressure;   /* kcal/mol/A^3 */
  /* What the step makes of sampled positions, times its square (oscillator.h); all zero: not known. */
  struct {
    double drift, kick, heat, square; /* AKMA^2; heat, and h^2 itself: over the degrees of freedom */
    const double *counted; /* times this, borrowed, heat goes by s^2 with motions counted by their friction:
                              read when numbers are asked for; NULL: 1 */
  } shadow;
  double kinetic;     /* half of k for each degree of freedom of rigid molecules, kcal/mol/K */
  double interval;    /* AKMA time between samples: msd and vacf need it         */
  double temperature; /* K                                                       */
  /* Of Langevin's thermostat, for diffusion: a rate, 1/AKMA; or, uniform, that of each site, g/mol/AKMA. */
  double friction;
  bool friction_uniform;
  bool reduced; /* numbers are pure ones, and are written as they are                               */
  char viscosity_source[128]; /* where the viscosity is from, for the files: diffusion_viscosity */
  /* [COORDINATES] torsions and so on that a run measures (collective.h), or NULL; borrowed. */
  const struct CollectiveList *collective;
  const struct RdfSites *sites;      /* of g(r) (rdf.h); NULL: none are named; borrowed */
  const struct Landscape *landscape; /* for isomers (isomers.h); NULL: not known; borrowed           */
  bool penalised;                    /* constraints are penalised, or some of them               */
  const struct WaterModel *water;    /* that all molecules are, where nothing else describes them; borrowed */
  bool keep_drift;    /* the motion of the whole system's centre is left in velocities and displacements */
  int vacf_molecules; /* of each kind, evenly from all; 4096                             */
#define OBSERVABLE_REAL               double
#define OBSERVABLE_INT                int
#define OWN_KEY(name, key, type, ...) OBSERVABLE_##type key;
#define SHARED_KEY(key, type, ...)    OBSERVABLE_##type key;
#define OBSERVABLE(name, sorts, fallback, help, ...)                                                         \
  struct {                                                                                                   \
    __VA_ARGS__                                                                                              \
  } name;
#include "observables/observable_rows.def"
} ObservableOptions;

typedef struct ObservableOps ObservableOps;

/* What the memory of every one begins with. */
typedef struct Observable {
  const ObservableOps *ops;
  ObservableOptions options;
  const char *name; /* in results: the row's, or what create says               */
  /* Of create, if sums are to be kept: columns and monitors (all zero: none are, and write has no result);
   * how many numbers evaluate makes of them; whether the run's errors heed its monitors, and it those of the
   * run's other series. */
  BlockRowsShape shape;
  int nout;
  bool heeded;
  BlockRows *rows;
  double *monitor; /* [shape.monitors] of the present sample */
  Arena arena;
  ChunkList kept; /* of it, what goes into checkpoints, a batch's share */
  Status status;
  Error error; /* of the present sample */
} Observable;

/* What all samples say. */
typedef struct ObservableResult {
  double *value, *error; /* [nout] and standard errors, of the jackknife                     */
  double *sum;           /* [whole + real] of all samples                                    */
  BlockRowsErrors errors;
  char doubt[160]; /* why errors may be too small where there is no plateau; "": not said */
} ObservableResult;

struct ObservableOps {
  const char *name, *doc;
  size_t size;     /* of its memory, at first zero, which begins with an Observable */
  bool velocities; /* samples must have them                     */
  bool energies;   /* samples of a run come with them, */
  bool squares;    /* and with F'M^-1 F      */
  bool timed; /* follows one system in time: the time between samples must be known, there is no ladder */
  bool boxed; /* the box must be periodic in all directions */
  bool flat;  /* samples may have one dimension, or two   */
  /* The frame says the shape: kinds, numbers, box, charges; positions are not looked at and may be NULL.
   * STATUS_INPUT (what the observable lacks), STATUS_MEMORY. */
  Status (*create)(void *self, const ObservableFrame *frame, Error *error);
  /* One sample, by observable_add: what all members of the team prepare, what one begins, all share out, and
   * one ends; all but `begin` may be NULL. STATUS_INPUT: the sample does not fit the series (times that are
   * not evenly spaced, distances beyond what can be unwrapped); nothing of it was taken. */
  void (*prepare)(void *self, const Team *team, const ObservableFrame *frame);
  Status (*begin)(void *self, const Team *team, const ObservableFrame *frame, Error *error);
  void (*share)(void *self, const Team *team, const ObservableFrame *frame);
  void (*end)(void *self, const Team *team, const ObservableFrame *frame);
  /* Of one whose one self is for all replicas of a run, a sample of each of those in the lanes of a state of
   * width 8 or 16; different batches by different threads at the same time, or by a team that calls it
   * together. What may belong to a slot, in the place of the replica, goes there; it ends rows by itself.
   * NULL: every replica has a self of its own. */
  void (*add_lanes)(void *self, const Sample *sample, const ObservableLanes *lanes);
  /* Of one that keeps sums in a way of its own: rows made of them, which the caller frees; left NULL: those
   * of its own. Samples that blocks must have, whatever the monitors say; NULL: 1. */
  Status (*gather)(const void *self, BlockRows **rows, Error *error);
  double (*shortest)(const void *self);
  /* out[nout] from the sums over n samples. */
  void (*evaluate)(const void *self, const double *sum, double n, double *out);
  /* Whether result k is of fluctuations about a mean, and so is corrected for bias (BlockRowsFunction). NULL:
   * none is. */
  bool (*fluctuates)(const void *self, int k);
  /* Tables, which are written into dir as CSV after it, and numbers into the set (results/quantities.def has
   * their rows). result: empty where no sums are kept. STATUS_INPUT, STATUS_MEMORY. */
  Status (*write)(void *self, ObservableResult *result, const char *dir, ResultSet *set, Error *error);
  /* The picture, of what the last tables of the set have. STATUS_RUN: there is none, which becomes a remark.
   * NULL: the last table's columns against its first. */
  Status (*draw)(const void *self, const ObservableResult *result, const char *dir, const ResultSet *set,
                 Error *why);
  /* What changes as samples are added, beside rows and observable_kept; what is to be freed, beside these and
   * observable_arena. NULL: nothing. */
  void (*chunks)(void *self, ChunkList *list);
  void (*free)(void *self);
};

#define OBSERVABLE(name, ...) extern const ObservableOps observable_##name;
#include "observables/observable_rows.def"

/* All rows, ended by NULL. */
extern const ObservableOps *const observable_table[OBSERVABLES + 1];

/* The row by name; STATUS_INPUT with the nearest name and the list of all. */
Status observable_find(const char *name, int *row, Error *error);

/* *o is NULL after an error: as ops->create. */
Status observable_create(Observable **o, const ObservableOps *ops, const ObservableOptions *options,
                         const ObservableFrame *frame, Error *error);
void observable_free(Observable *o);

/* Allocates memory for create, zero and aligned to 64 bytes, which is freed with the observable; the second
 * also goes into checkpoints, with equal shares for all batches. NULL: out of memory, which observable_create
 * reports after create has returned. */
void *observable_arena(void *self, size_t n, size_t size);
void *observable_kept(void *self, size_t n, size_t size);

/* One sample: all members of the team call it together, and get the same status. */
Status observable_add(Observable *o, const Team *team, const ObservableFrame *frame, Error *error);

/* Tables and numbers into the set; tables as CSV, and pictures, into dir. STATUS_INPUT: no sample yet. */
Status observable_write(Observable *o, const char *dir, ResultSet *set, Error *error);

/* What is evaluated of its rows, or of others of their shape. The caller frees it, also after an error. */
Status observable_result(const Observable *o, const BlockRows *rows, ObservableResult *result, Error *error);
void observable_result_free(ObservableResult *result);
BlockRowsFunction observable_function(const Observable *o);

/* Lists all that changes as samples are added: what is restored into a new one of the same options and shape
 * goes on bit for bit. */
void observable_chunks(Observable *o, ChunkList *list);

/* The number of molecules of a sample. */
int observable_molecules(const ObservableFrame *frame);

/* The points whose distances tell how an open system is arranged: the first sites of all molecules of the
 * first kind (the oxygens of water), or of one molecule alone all its sites. */
typedef struct ObservablePoints {
  int n, dim;
  bool sites; /* of one molecule */
} ObservablePoints;
ObservablePoints observable_points(const ObservableFrame *frame);

/* Where they are in a sample, at[n]: [dim] numbers one after the other; in lane r of a batch, LANES apart. */
void observable_points_frame(const ObservablePoints *points, const ObservableFrame *frame, const double **at);
void observable_points_lane(const ObservablePoints *points, const ObservableLanes *lanes,
                            const Sample *sample, int r, const double **at);

/* Molecules of a block are shared out in this many parts whatever the team, so that sums by part have the
 * same bits for any number of threads. */
enum { OBSERVABLE_SLICES = 32 };
void observable_slice(int nmol, int slice, int *begin, int *end);

/* Whether a sample follows the one before after `interval`, within 2 % (times in files are rounded).
 * STATUS_INPUT. */
Status observable_check_time(double last, double time, double interval, Error *error);

/* Centre of mass, or its velocity, of one molecule from x[nsite][dim]. */
void observable_centre(const Kind *kind, const double *x, double *centre);

#endif
