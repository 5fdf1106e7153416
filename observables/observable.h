/* Observables of clusters and boxes, during a run and from trajectories. One is one file and one row of
 * observable_rows.def. All are AKMA inside; files say what units they are in. Memory is bounded whatever the
 * number of samples; the same samples give the same bits for any number of threads.
 *
 *   ops->create(&self, &options, &frame, e);   one self for one series of samples of one system
 *   observable_add(ops, self, &outcome, &team, &frame, e);  ...
 *   ops->write(self, dir, &set, e);            as often as wanted
 *   ops->free(self);
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

#include "engine/box.h"
#include "engine/chunk.h"
#include "engine/kind.h"
#include "engine/state.h"
#include "engine/status.h"
#include "engine/team.h"
#include "observables/statistics.h"
#include "results/results.h"
#include "topology/topology.h"

enum { OBSERVABLE_BLOCKS = 16 };

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
  int nblock; /* up to OBSERVABLE_BLOCKS */
  const ObservableBlock *block;
  const double *energy; /* potential, without that of penalties, kcal/mol; NULL: not known */
} ObservableFrame;

/* The replicas in a state's lanes. */
typedef struct ObservableLanes {
  const Topology *topology; /* of their molecules, in the order of the frame's blocks */
  int first;                /* number of the first one, of those that one self is for */
  const int *slot; /* [width] which temperature of which ladder each is at now; NULL: there is no ladder  */
  const double *energy; /* [width] potential energies, by which exchanges go; NULL: nobody asks (points) */
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
  int replicas, gangs;        /* that one self is for: see add_lanes; 0: one system      */
  int idle;                   /* of the last ones that are no replicas but fill a gang    */
  int first;                  /* of these, in the whole run                              */
  int temperatures, ladders; /* of them: slot a temperatures + k is temperature k of ladder a; 0: no ladder */
  const double *kT;   /* [temperatures] of a ladder, kcal/mol, as they are when results are written      */
  int points;         /* further temperatures that results are wanted at, by MBAR; 0: none               */
  const double *at;   /* [points] kT, rising, within those of the ladder; both borrowed                    */
  const char *title;  /* of pictures, or NULL                                    */
  bool breathes;      /* the box is another one from sample to sample */
  bool enthalpy;      /* ... by the pressure below, and samples have energies */
  double pressure;    /* kcal/mol/A^3 */
  double kinetic;     /* half of k for each degree of freedom of rigid molecules, kcal/mol/K */
  double interval;    /* AKMA time between samples: msd and vacf need it         */
  double temperature; /* K                                                       */
  bool reduced;       /* numbers are pure ones, and are written as they are                               */
  char viscosity_source[128]; /* where the viscosity is from, for the files: diffusion_viscosity */
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

typedef struct ObservableOps {
  const char *name, *doc;
  bool velocities; /* samples must have them                     */
  bool energies;   /* samples of a run at constant pressure have that of the frame */
  bool timed;      /* the time between samples must be known   */
  bool flat;       /* samples may have one dimension, or two   */
  /* The frame says the shape: kinds, numbers, box, charges; positions are not looked at and may be NULL.
   * STATUS_INPUT (what the observable lacks), STATUS_MEMORY. *self is NULL after an error. */
  Status (*create)(void **self, const ObservableOptions *options, const ObservableFrame *frame, Error *error);
  /* One sample, by observable_add: what all members of the team prepare, what one begins, all share out, and
   * one ends; all but `begin` may be NULL. STATUS_INPUT: the sample does not fit the series (times that are
   * not evenly spaced, distances beyond what can be unwrapped); nothing of it was taken. */
  void (*prepare)(void *self, const Team *team, const ObservableFrame *frame);
  Status (*begin)(void *self, const Team *team, const ObservableFrame *frame, Error *error);
  void (*share)(void *self, const Team *team, const ObservableFrame *frame);
  void (*end)(void *self, const Team *team, const ObservableFrame *frame);
  /* Of one whose one self is for all replicas of a run, a sample of each of those in the lanes of a state of
   * width 8 or 16; different gangs by different threads at the same time, or by a team that calls it
   * together. What may belong to a slot, in the place of the replica, goes there. NULL: every replica has a
   * self of its own. */
  void (*add_lanes)(void *self, const Team *team, const State *state, const ObservableLanes *lanes);
  /* How slow its monitors say that the run is, in samples; and what other series of the run say, in its
   * samples too, from which errors are to be taken. NULL: nobody asks, and it goes by its own. */
  StatisticsCorrelation (*correlation)(const void *self);
  void (*learn)(void *self, double inefficiency);
  /* Tables and numbers into the set (results/quantities.def has their rows); tables as CSV, and pictures,
   * into dir. STATUS_INPUT: no sample yet. */
  Status (*write)(void *self, const char *dir, ResultSet *set, Error *error);
  /* Lists all that changes as samples are added: what is restored into a new self of the same options and
   * shape goes on bit for bit. */
  void (*chunks)(void *self, ChunkList *list);
  void (*free)(void *self);
} ObservableOps;

#define OBSERVABLE(name, ...) extern const ObservableOps observable_##name;
#include "observables/observable_rows.def"

/* All rows, ended by NULL. */
extern const ObservableOps *const observable_table[OBSERVABLES + 1];

/* The row by name; STATUS_INPUT with the nearest name and the list of all. */
Status observable_find(const char *name, int *row, Error *error);

/* How one member's part of a sample went, for all. */
typedef struct ObservableOutcome {
  Status status;
  Error error;
} ObservableOutcome;

/* One sample: all members of the team call it together, with the same outcome, and get the same status. */
Status observable_add(const ObservableOps *ops, void *self, ObservableOutcome *outcome, const Team *team,
                      const ObservableFrame *frame, Error *error);

/* Atoms, or molecules, of a sample. */
int observable_sites(const ObservableFrame *frame);
int observable_molecules(const ObservableFrame *frame);

/* The points whose distances tell how an open system is arranged: the first sites of all molecules of the
 * first kind (the oxygens of water), or of one molecule alone all its sites. */
typedef struct ObservablePoints {
  int n, dim;
  bool sites; /* of one molecule */
} ObservablePoints;
ObservablePoints observable_points(const ObservableFrame *frame);

/* Where they are in a sample, at[n]: [dim] numbers one after the other; in lane r of a gang, LANES apart. */
void observable_points_frame(const ObservablePoints *points, const ObservableFrame *frame, const double **at);
void observable_points_lane(const ObservablePoints *points, const ObservableLanes *lanes, const State *state,
                            int r, const double **at);

/* Molecules of a block are shared out in this many parts whatever the team, so that sums by part have the
 * same bits for any number of threads. */
enum { OBSERVABLE_SLICES = 32 };
void observable_slice(int nmol, int slice, int *begin, int *end);

/* Whether a sample follows the one before after `interval`, within 2 % (times in files are rounded).
 * STATUS_INPUT. */
Status observable_check_time(double last, double time, double interval, Error *error);

/* Ends the picture of an observable, as picture_outcome; gnuplot's failure is a remark of the set. */
Status observable_drawn(Status drawn, const char *name, const Error *why, ResultSet *set, Error *error);

/* Centre of mass, or its velocity, of one molecule from x[nsite][dim]. */
void observable_centre(const Kind *kind, const double *x, double *centre);

#endif
