/* Ladders of a decoupling that is known exactly: two coordinates in harmonic wells. The strength c of charges
 * pulls x, U = x^2/2 - c pull x, so its free energy is -c^2 pull^2/2. The strength l of Lennard-Jones narrows
 * the well of y, U = (1 + l NARROW) y^2/2, so its free energy is ln(1 + l NARROW)/2; kT = 1 kcal/mol. Moves
 * keep the distribution of the present state, with a correlation between samples, and replicas exchange. */
#ifndef HOLONOM_TESTS_WELLS_H
#define HOLONOM_TESTS_WELLS_H

#include "engine/random.h"
#include "observables/decoupling.h"
#include "tests/suite.h"

enum { WELLS_STATES = 9, WELLS_LADDERS = 16 };
#define WELLS_PRESSURE 0.01

static const double wells_narrow = 20.0;
static const double wells_coulomb[WELLS_STATES] = {1.0, 0.75, 0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0},
                    wells_lj[WELLS_STATES] = {1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.3, 0.1, 0.0};

typedef struct Wells {
  int states, ladders, samples;
  double coulomb[WELLS_STATES], lj[WELLS_STATES];
  double stay; /* correlation of a coordinate from sample to sample */
  double pull;
  int wrong; /* the state whose samples have x + 0.5, which is not its distribution; -1: none */
  int drift; /* the first samples of all states, whose x is off by 0.5; 0: none */
  bool exchange, volumes;
  uint32_t stream;
  DecouplingPath path;
  ReducedEnergies *ladder[WELLS_LADDERS];
} Wells;

static inline double wells_free(const Wells *w, int k)
{
  return -0.5 * pow(w->coulomb[k] * w->pull, 2) + 0.5 * log1p(w->lj[k] * wells_narrow);
}

/* The mean of dU/dstrength. */
static inline double wells_slope(const Wells *w, int k, int parameter)
{
  return parameter == DECOUPLING_COULOMB ? -w->coulomb[k] * w->pull * w->pull
                                         : 0.5 * wells_narrow / (1.0 + w->lj[k] * wells_narrow);
}

static inline double wells_energy(const Wells *w, int k, const double x[2])
{
  return 0.5 * x[0] * x[0] - w->coulomb[k] * w->pull * x[0] +
         0.5 * (1.0 + w->lj[k] * wells_narrow) * x[1] * x[1];
}

/* Moves a replica in state k: an autoregressive step about the well, exact for the distribution. */
static inline void wells_move(const Wells *w, int k, double x[2], RandomStream *s)
{
  const double mean[2] = {w->coulomb[k] * w->pull, 0.0},
               width[2] = {1.0, 1.0 / sqrt(1.0 + w->lj[k] * wells_narrow)};
  for (int d = 0; d < 2; d++)
    x[d] = mean[d] + w->stay * (x[d] - mean[d]) + sqrt(1.0 - w->stay * w->stay) * width[d] * random_normal(s);
}

static inline void wells_exchange(const Wells *w, int *holder, double (*x)[2], int parity, RandomStream *s)
{
  for (int k = parity; k + 1 < w->states; k += 2) {
    const double *a = x[holder[k]], *b = x[holder[k + 1]];
    const double gain =
        wells_energy(w, k, a) + wells_energy(w, k + 1, b) - wells_energy(w, k, b) - wells_energy(w, k + 1, a);
    if (random_uniform(s) < exp(gain)) {
      const int other = holder[k];
      holder[k] = holder[k + 1];
      holder[k + 1] = other;
    }
  }
}

static inline void wells_add(const Wells *w, int a, int i, const int *holder, double (*x)[2])
{
  double row[WELLS_STATES * (WELLS_STATES + 4)], *to = row;
  for (int k = 0; k < w->states; k++) {
    const bool off = k == w->wrong || i < w->drift;
    const double at[2] = {x[holder[k]][0] + (off ? 0.5 : 0.0), x[holder[k]][1]};
    for (int j = 0; j < w->states; j++)
      *to++ = wells_energy(w, j, at) + (w->volumes ? WELLS_PRESSURE * 3.0 : 0.0);
    if (w->volumes)
      *to++ = 3.0;
    *to++ = -w->pull * at[0];
    *to++ = 0.5 * wells_narrow * at[1] * at[1];
    *to++ = holder[k];
  }
  reduced_energies_add(w->ladder[a], row);
}

/* Samples all ladders. */
static inline void wells_run(Wells *w)
{
  Error error;
  RandomStream s = random_stream(11, w->stream, RANDOM_TEST);
  ck_assert_int_le(w->ladders, WELLS_LADDERS);
  const ReducedColumns columns = {w->states, w->volumes, DECOUPLING_PARAMETERS, 1};
  w->path = (DecouplingPath){w->states, {w->coulomb, w->lj}, {0, 1}, 1.0};
  for (int a = 0; a < w->ladders; a++) {
    int holder[WELLS_STATES];
    double x[WELLS_STATES][2];
    ck_assert(reduced_energies_create(&w->ladder[a], &columns, w->ladders, &error) == STATUS_OK);
    for (int k = 0; k < w->states; k++) {
      const double stay = w->stay;
      holder[k] = k;
      x[k][0] = x[k][1] = 0.0;
      w->stay = 0.0; /* a first sample of the distribution */
      wells_move(w, k, x[k], &s);
      w->stay = stay;
    }
    for (int i = 0; i < w->samples; i++) {
      for (int k = 0; k < w->states; k++)
        wells_move(w, k, x[holder[k]], &s);
      wells_add(w, a, i, holder, x);
      if (w->exchange)
        wells_exchange(w, holder, x, i % 2, &s);
    }
  }
}

/* The ladder of all states but those that are missing: keep[] ends with -1; NULL: all. */
static inline Wells wells_make(int ladders, int samples, double stay, uint32_t stream, const int *keep)
{
  Wells w = {.ladders = ladders,
             .samples = samples,
             .stay = stay,
             .pull = 2.0,
             .wrong = -1,
             .exchange = true,
             .stream = stream};
  for (int k = 0; keep != NULL ? keep[k] >= 0 : k < WELLS_STATES; k++, w.states++) {
    w.coulomb[k] = wells_coulomb[keep != NULL ? keep[k] : k];
    w.lj[k] = wells_lj[keep != NULL ? keep[k] : k];
  }
  return w;
}

static inline void wells_clear(Wells *w)
{
  for (int a = 0; a < w->ladders; a++)
    reduced_energies_free(w->ladder[a]);
}

#endif
