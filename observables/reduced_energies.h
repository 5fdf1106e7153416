/* Samples for MBAR of a ladder whose states differ in more than temperature: the reduced energies u_k(x) of
 * each state's configuration in all states. Memory is bounded: when it is full, every other sample is
 * dropped, and the stride doubles. One object is of one ladder, used by one thread at a time. */
#ifndef HOLONOM_OBSERVABLES_REDUCED_ENERGIES_H
#define HOLONOM_OBSERVABLES_REDUCED_ENERGIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"

typedef struct ReducedEnergies ReducedEnergies;

/* The columns of a state's row, in this order; 0: none of the kind. */
typedef struct ReducedColumns {
  int states;   /* the configuration's reduced energies in all states */
  int volumes;  /* 1: its volume, A^3 */
  int slopes;   /* dU/dparameter at its own state, kcal/mol, for this number of parameters */
  int replicas; /* 1: the replica that holds the state, counted within its ladder */
} ReducedColumns;

/* Allocates for a run of `ladders` ladders, which share the memory. Errors: STATUS_INPUT (too many states and
 * ladders), STATUS_MEMORY. */
Status reduced_energies_create(ReducedEnergies **energies, const ReducedColumns *columns, int ladders,
                               Error *error);
void reduced_energies_free(ReducedEnergies *energies); /* NULL is allowed */

/* Adds u[states][all columns], a row for each state. */
void reduced_energies_add(ReducedEnergies *energies, const double *u);

void reduced_energies_chunks(ReducedEnergies *energies, ChunkList *list);

int reduced_energies_samples(const ReducedEnergies *energies); /* samples of each state in memory */
int64_t reduced_energies_stride(
    const ReducedEnergies *energies); /* one in this number of added samples is in memory */
const double *reduced_energies_sample(const ReducedEnergies *energies, int i); /* as it was added */
const ReducedColumns *reduced_energies_columns(const ReducedEnergies *energies);
int reduced_energies_width(const ReducedColumns *columns); /* the number of all columns */

/* The least number of samples of any ladder. */
int reduced_energies_least(ReducedEnergies *const *ladder, int ladders);

/* A part of the samples of all ladders, divided into units: ladders, or blocks of time of each. */
typedef struct ReducedCut {
  ReducedEnergies *const *ladder;
  int ladders;
  int first, end; /* samples of each state of each ladder */
  int blocks;     /* number of blocks of each ladder; 1: ladders are the units */
} ReducedCut;

int reduced_energies_units(const ReducedCut *cut);

/* The unit of sample i of ladder a. */
static inline int reduced_energies_unit(const ReducedCut *cut, int a, int i)
{
  return a * cut->blocks + (int)((int64_t)(i - cut->first) * cut->blocks / (cut->end - cut->first));
}

/* Solves MBAR for the samples of all units but one (-1: all) from a start f[states], or from thermodynamic
 * integration over the states (NULL). u has room for all energies of the cut. *pool must outlive *mbar;
 * arena_free(&pool->arena) frees it, also after an error. Errors: STATUS_INPUT (a state without samples),
 * STATUS_RUN (no convergence), STATUS_MEMORY. */
struct Mbar;
struct EnergyPool;
Status reduced_energies_mbar(const ReducedCut *cut, int out, const double *start, double *u,
                             struct EnergyPool *pool, struct Mbar **mbar, Error *error);

/* Computes free energies of the states by MBAR, value[states] = -ln Z_k relative to the first, and if samples
 * have volumes the mean volume in each state, value[states ... 2 states - 1], from the samples of all states.
 * error_of[]: errors by jackknife. With at least eight ladders, one ladder is left out after the other;
 * otherwise one block of time of all ladders, of at least 16. If blocks of twice the length give larger
 * errors, these are used. NaN: too few samples. *overlap is the least of neighbours (mbar.h). Errors:
 * STATUS_INPUT (no samples), STATUS_RUN (no convergence), STATUS_MEMORY. */
Status reduced_energies_averages(ReducedEnergies *const *ladder, int ladders, double *value, double *error_of,
                                 double *overlap, Error *error);

#endif
