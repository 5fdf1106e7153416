/* Declarations shared by free_energy.c (counting) and free_energy_result.c (evaluation). */
#ifndef HOLONOM_OBSERVABLES_FREE_ENERGY_PRIVATE_H
#define HOLONOM_OBSERVABLES_FREE_ENERGY_PRIVATE_H

#include "observables/free_energy.h"
#include "observables/observable.h"
#include "observables/umbrella.h"

/* The bins of a coordinate. */
typedef struct FreeEnergyAxis {
  const CoordinateType *type;
  CoordinateForm form;
  double low, width; /* of fine bins, A or radians */
  int bins, each;    /* fine bins, and fine bins in one of the table */
  double period;     /* 0: not periodic */
} FreeEnergyAxis;

/* The solution of the last call of gather, for evaluate and write. */
typedef struct FreeEnergyWork {
  double *u;     /* [bins][windows] reduced bias energies */
  double *count; /* [windows][bins] */
  double *drawn; /* [windows] */
  Umbrella *umbrella;
  int *part;       /* [rows of the first table] */
  double *density; /* [bins] scratch */
  char why[256];   /* why there is no profile; "": there is one */
  Arena arena;
} FreeEnergyWork;

typedef struct FreeEnergy {
  Observable is;
  const FreeEnergyList *list;
  FreeEnergyAxis axis[FREE_ENERGY_COORDINATES];
  int bins;        /* of all coordinates together */
  int slots, nrow; /* replicas, and blocks of time of each */
  size_t row;      /* counts of a block: the bins, and the values outside */
  size_t monitors; /* numbers of a block: sums and sums of squares of two moments of each coordinate */
  const char *why; /* why nothing is sampled; NULL: samples are counted */
  double *value;   /* [batches][coordinates][LANES] */
  Vec8 *scratch;   /* [batches][memory] */
  size_t memory;
  BlockRowsSeries *series; /* [slots] */
  uint32_t *count;         /* [slots][nrow][row] */
  double *monitor;         /* [slots][nrow][monitors] */
  int64_t *changed;        /* [slots] samples with other constants than the window's */
  FreeEnergyWork *work;
} FreeEnergy;

/* The number of rows of a coordinate's table, and the place of its free energies among the results; those of
 * the windows follow. */
static inline int free_energy_rows(const FreeEnergyAxis *axis) { return axis->bins / axis->each; }

static inline int free_energy_out(const FreeEnergy *f, int coordinate)
{
  int at = 0;
  for (int d = 0; d < coordinate && d < f->list->n; d++)
    at += free_energy_rows(&f->axis[d]);
  return at;
}

Status free_energy_result_gather(const void *self, BlockRows **rows, Error *error);
void free_energy_result_evaluate(const void *self, const double *sum, double n, double *out);
Status free_energy_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                                Error *error);
Status free_energy_result_draw(const void *self, const ObservableResult *result, const char *dir,
                               const ResultSet *set, Error *why);
void free_energy_result_work_clear(FreeEnergyWork *work);

/* The mean of exp(-V/kT) over a bin, as -ln: the reduced bias energy of a window in it. The unbiased density
 * in the bin is exp(slope[coordinate] x), not normalised. */
double free_energy_reduced(const FreeEnergy *f, int window, int bin, const double *slope);

#endif
