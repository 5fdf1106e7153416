/* Declarations shared by collective.c (counting), collective_result.c (evaluation), free_energy.c and
 * metadynamics.c. */
#ifndef HOLONOM_OBSERVABLES_COLLECTIVE_PRIVATE_H
#define HOLONOM_OBSERVABLES_COLLECTIVE_PRIVATE_H

#include "observables/collective.h"
#include "observables/observable.h"

typedef struct Collectives {
  Observable is; /* rows: [n][nbin + 1] counts, the last those out of range; [npair][nbin][nbin]; real: [n][2]
                    moments */
  CoordinateForm form;
  const CoordinateType *type;
  CollectiveList list;
  int nbin;
  double low, width; /* of the bins: radians, or A */
  double kT;         /* 0: unknown, no free energies */
  int *value_at;     /* [n] index of variable v's first value of a sample in */
  double *value;     /* [batches][values][LANES] */
  int nvalue;
  Vec8 *scratch; /* [batches][memory] */
  size_t memory; /* the most that a variable needs */
} Collectives;

/* The value of sites in a frame. */
double collective_frame_site_value(const CoordinateSites *on, const ObservableFrame *frame, Vec8 *scratch);

/* The values of a variable, value[collective_count], in a frame (STATUS_RUN: not a number); and in the 8
 * replicas of group k of the lanes, value[collective_count][LANES]. */
Status collective_frame_values(const Collective *of, const ObservableFrame *frame, Vec8 *scratch,
                               double *value, Error *error);
void collective_lane_values(const Collective *of, const Topology *topology, const Sample *sample, int k,
                            Vec8 *scratch, double *value);

/* Results of a row: for each variable density and free energy in each bin, then its means; for each pair
 * density and free energy in the plane. */
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
