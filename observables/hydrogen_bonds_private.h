/* Data of hydrogen bonds, shared by hydrogen_bonds.c (samples), hydrogen_bonds_search.c (bonds of one sample)
 * and hydrogen_bonds_result.c (evaluation). */
#ifndef HOLONOM_OBSERVABLES_HYDROGEN_BONDS_PRIVATE_H
#define HOLONOM_OBSERVABLES_HYDROGEN_BONDS_PRIVATE_H

#include "observables/hydrogen_bonds.h"
#include "observables/observable.h"

enum { HYDROGEN_BONDS_ORIGINS = 16 };

/* The curves of a pair of selections, as columns of rows: bonds of the origins; bonds again; bonds ever
 * since; broken, but within the distance. */
enum { BONDS_FIRST, BONDS_AGAIN, BONDS_SINCE, BONDS_APART, BONDS_CURVES };

/* One series of samples: the run, or one replica. */
typedef struct HydrogenBondClock {
  int64_t n;        /* samples so far */
  int64_t left_out; /* bonds of origins beyond the slots of their donors */
  double time;
} HydrogenBondClock;

/* Positions of one sample, and acceptors sorted by cell: those of cell c are order[start[c]] to
 * order[start[c + 1] - 1]. In open space the cells cover the acceptors, from `low` on. */
typedef struct HydrogenBondScene {
  Box box;
  double (*donor)[3], (*hydrogen)[3], (*acceptor)[3]; /* hydrogens: [ndonor][HYDROGEN_BONDS_HYDROGENS] */
  int ncell[3], *start, *order, *cell;                /* cell: [nacceptor] */
  double low[3], scale[3];
} HydrogenBondScene;

typedef struct HydrogenBonds {
  Observable is; /* rows: whole [n] bonds, [n][BONDS_CURVES][nlag] */
  HydrogenBondList list;
  double distance, cosine; /* the criterion */
  double ps;               /* of a unit of time */
  bool followed;           /* with autocorrelations */
  int nlag, every, norigin;
  int *slot;                /* [ndonor + 1] first slot of a donor in a snapshot; */
  int64_t slots;            /* of a snapshot */
  int series, workers;      /* workers: threads, or batches of replicas */
  HydrogenBondClock *clock; /* [series] */
  int32_t *origin; /* [series][norigin][slots]: 0: none; acceptor + 1: unbroken; negative: broken since */
  HydrogenBondScene *scene; /* [1 for frames, or batches] */
  int32_t *now;             /* likewise [slots] bonds of the sample */
  int64_t *sum;             /* [workers][sums] of the sample */
} HydrogenBonds;

/* Sums of a sample: [n] bonds, left out, [norigin][n][BONDS_CURVES]. */
static inline size_t hydrogen_bonds_sums(const HydrogenBonds *h)
{
  return (size_t)h->list.n + 1 + (size_t)h->norigin * (size_t)h->list.n * BONDS_CURVES;
}

/* Memory of a scene; STATUS_MEMORY is reported by arena_check. */
void hydrogen_bonds_search_create(HydrogenBonds *h, HydrogenBondScene *scene);

/* Sorts the acceptors at scene->acceptor into cells of at least the distance. */
void hydrogen_bonds_search_sort(const HydrogenBonds *h, HydrogenBondScene *scene, const Box *box);

/* Counts the bonds of donors begin to end - 1 and lists them in now, and compares all origins of the series
 * with the sample. sum[hydrogen_bonds_sums]. */
void hydrogen_bonds_search_count(const HydrogenBonds *h, const HydrogenBondScene *scene, int series,
                                 int begin, int end, int32_t *now, int64_t *sum);

void hydrogen_bonds_result_evaluate(const void *self, const double *sum, double n, double *out);
int hydrogen_bonds_result_outs(const HydrogenBonds *h);
Status hydrogen_bonds_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                                   Error *error);

#endif
