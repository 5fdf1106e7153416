/* The memory of g(r): gofr.c counts, gofr_result.c evaluates. */
#ifndef HOLONOM_OBSERVABLES_GOFR_PRIVATE_H
#define HOLONOM_OBSERVABLES_GOFR_PRIVATE_H

#include "observables/block_rows.h"
#include "observables/gofr_kernels.h"
#include "observables/observable.h"

enum { GOFR_SPECIES = 8, GOFR_PAIRS = GOFR_SPECIES * (GOFR_SPECIES + 1) / 2, GOFR_SHELLS = 12 };

/* Sites of the same name, whatever their kind. */
typedef struct GofrSpecies {
  char name[16];
  int n;
} GofrSpecies;

typedef struct GofrPair {
  int a, b;     /* a <= b: species in the order in which they appear                */
  double pairs; /* of sites in different molecules, each once, in a sample          */
} GofrPair;

/* Another cell, as a step from the first; its opposite is not listed unless it is the same. */
typedef struct GofrOffset {
  int step[3];
  int own_opposite;
} GofrOffset;

/* One thread's: candidates side by side, and its counts of a sample. */
typedef struct GofrThread {
  Octet (*x)[4];      /* positions and numbers of molecules */
  uint32_t *apart;    /* [npair][nbin + LANES] pairs of different cells         */
  uint32_t *together; /* the same, of one cell: each pair is counted twice there */
  int *cell;          /* [cells] */
} GofrThread;

typedef struct Gofr {
  int nblock, nmol[OBSERVABLE_BLOCKS], nsite[OBSERVABLE_BLOCKS];
  int *species_of[OBSERVABLE_BLOCKS]; /* [nsite] */
  int nspecies, npair, sites, nbin;
  GofrSpecies species[GOFR_SPECIES];
  GofrPair pair[GOFR_PAIRS];
  int pair_of[GOFR_SPECIES][GOFR_SPECIES];
  double longest, width;
  const GofrKernels *kernels;
  int ncell[3], noffset;
  Box box; /* that the offsets are for             */
  GofrOffset *offset;
  int *start;       /* [cells*nspecies + 1] of each cell's and species' sites in the order below */
  double (*x)[3];   /* [sites] in the box, by cell and species */
  double *molecule; /* [sites] likewise */
  int *key;         /* [sites] cell*nspecies + species, in the order of the sample */
  int nthread;
  GofrThread *thread;
  double *monitor; /* [npair*GOFR_SHELLS] */
  BlockRows *rows; /* [npair][nbin] counts, then the sum of 1/volume */
  Status status;   /* of the sample at hand */
  Error error;
} Gofr;

/* The row's write. */
Status gofr_result_write(void *self, const char *dir, ResultSet *report, Error *error);

#endif
