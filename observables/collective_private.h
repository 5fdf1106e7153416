/* Shared by the files of collective variables: collective.c counts, collective_result.c evaluates. */
#ifndef HOLONOM_OBSERVABLES_COLLECTIVE_PRIVATE_H
#define HOLONOM_OBSERVABLES_COLLECTIVE_PRIVATE_H

#include "observables/collective.h"
#include "observables/observable.h"

typedef struct Collectives {
  Observable is; /* rows: [n][nbin + 1] counts, of those beyond the range at last; [npair][nbin][nbin];
                    real: [n][2] moments */
  CoordinateForm form;
  const CoordinateType *type;
  CollectiveList list;
  int nbin;
  double low, width; /* of bins: radians, or A */
  double kT;         /* 0: not known, and there are no free energies */
  int *value_at;     /* [n] where the values of a sample of variable v begin, in */
  double *value;     /* [batches][values][LANES] */
  int nvalue;
  Vec8 *scratch; /* [batches][COLLECTIVE_SCRATCH natom] */
  int natom;     /* most atoms of a variable */
} Collectives;

/* What comes of a row's sums: of each variable the density and the free energy in each bin, then its means;
 * of each pair density and free energy in the plane. */
enum { COLLECTIVE_MEANS = 2 };

static inline int collective_out(const Collectives *c, int variable)
{
  return variable * (2 * c->nbin + COLLECTIVE_MEANS);
}

static inline int collective_out_pair(const Collectives *c, int pair)
{
  return collective_out(c, c->list.n) + pair * 2 * c->nbin * c->nbin;
}

void collective_result_evaluate(const void *self, const double *sum, double n, double *out);
bool collective_result_fluctuates(const void *self, int k);
Status collective_result_gather(const void *self, BlockRows **rows, Error *error);
Status collective_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                               Error *error);
Status collective_result_draw(const void *self, const ObservableResult *result, const char *dir,
                              const ResultSet *set, Error *why);

#endif
