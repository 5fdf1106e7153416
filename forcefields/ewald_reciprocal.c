/* The reciprocal part of the Ewald sum in two passes: structure factors, shared by rows of k vectors; forces,
 * shared by sites. One thread computes each number, in a fixed order. */
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/ewald_private.h"

/* --- the k vectors -------------------------------------------------------------------------------------- */

/* The vector k with the phases 2 pi n along the edges. */
static void wave(const Box *box, const double n[3], double k[3])
{
  const double(*h)[3] = box->h;
  k[0] = 2.0 * M_PI * n[0] / h[0][0];
  k[1] = (2.0 * M_PI * n[1] - h[1][0] * k[0]) / h[1][1];
  k[2] = (2.0 * M_PI * n[2] - h[2][0] * k[0] - h[2][1] * k[1]) / h[2][2];
}

/* The row (nx, ny) of the half space: nx > 0, or nx = 0 and ny > 0, or both 0 and nz > 0; |nz| <= top. An
 * empty row has count 0. */
static EwaldRow make_row(const Box *box, double kmax, int nx, int ny, int top)
{
  double k[3];
  wave(box, (const double[3]){nx, ny, 0.0}, k);
  const double rest = kmax * kmax - k[0] * k[0] - k[1] * k[1], step = 2.0 * M_PI / box_length(box, 2);
  EwaldRow row = {.n = {nx, ny}};
  if (rest < 0.0)
    return row;
  const int last = (int)fmin(top, floor((sqrt(rest) - k[2]) / step));
  row.lo = nx == 0 && ny == 0 ? 1 : (int)fmax(-top, ceil((-sqrt(rest) - k[2]) / step));
  row.count = last >= row.lo ? last - row.lo + 1 : 0;
  return row;
}

/* Fills rows unless NULL; returns their number. */
static int make_rows(const Box *box, double kmax, const int top[3], EwaldRow *rows, size_t *nk)
{
  int n = 0;
  *nk = 0;
  for (int nx = 0; nx <= top[0]; nx++)
    for (int ny = nx == 0 ? 0 : -top[1]; ny <= top[1]; ny++) {
      EwaldRow row = make_row(box, kmax, nx, ny, top[2]);
      if (row.count == 0)
        continue;
      row.at = *nk;
      *nk += (size_t)row.count;
      if (rows != NULL)
        rows[n] = row;
      n++;
    }
  return n;
}

static void make_weights(EwaldReciprocal *r)
{
  const Box *const box = r->box;
  for (int i = 0; i < r->nrow; i++) {
    const EwaldRow *row = &r->row[i];
    for (int z = 0; z < row->count; z++) {
      double k[3];
      wave(box, (const double[3]){row->n[0], row->n[1], row->lo + z}, k);
      const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
      r->weight[row->at + (size_t)z] =
          4.0 * M_PI * UNITS_COULOMB / box_volume(box) * exp(-k2 / (4.0 * r->alpha * r->alpha)) / k2;
    }
  }
}

/* --- memory --------------------------------------------------------------------------------------------- */

static size_t phases(const EwaldReciprocal *r)
{
  return (size_t)r->top[0] + (size_t)r->top[1] + (size_t)r->top[2] + 3;
}

static void *vectors(size_t n, size_t size)
{
  return aligned_alloc(sizeof(Vec8), n * size > 0 ? n * size : sizeof(Vec8));
}

Status ewald_reciprocal_create(EwaldReciprocal *r, int nsite, const double *charge, const Box *box,
                               double alpha, double kmax, Error *error)
{
  *r = (EwaldReciprocal){.box = box, .alpha = alpha, .nsite = nsite, .ngroup = (nsite + LANES - 1) / LANES};
  for (int d = 0; d < 3; d++)
    r->top[d] = (int)floor(kmax / (2.0 * M_PI / box_edge(box, d)));
  r->nrow = make_rows(box, kmax, r->top, NULL, &r->nk);
  r->row = calloc((size_t)r->nrow + 1, sizeof *r->row);
  r->weight = malloc((r->nk + 1) * sizeof *r->weight);
  r->sum = malloc((r->nk + 1) * sizeof *r->sum);
  r->share = malloc(((size_t)r->nrow + 1) * sizeof *r->share);
  r->charge = vectors((size_t)r->ngroup, sizeof *r->charge);
  r->phase = vectors((size_t)r->ngroup * phases(r), sizeof *r->phase);
  r->partial = vectors(r->nk, sizeof *r->partial);
  TRY_MEMORY(r->row != NULL && r->weight != NULL && r->sum != NULL && r->share != NULL && r->charge != NULL &&
                 r->phase != NULL && r->partial != NULL,
             "the reciprocal part of an Ewald sum", error);
  make_rows(box, kmax, r->top, r->row, &r->nk);
  make_weights(r);
  for (int i = 0; i < r->ngroup * LANES; i++)
    r->charge[i / LANES][i % LANES] = i < nsite ? charge[i] : 0.0;
  return STATUS_OK;
}

void ewald_reciprocal_free(EwaldReciprocal *r)
{
  free(r->row);
  free(r->weight);
  free(r->sum);
  free(r->share);
  free(r->charge);
  free(r->phase);
  free(r->partial);
}

/* --- phases --------------------------------------------------------------------------------------------- */

static EwaldPhase *phase_of(const EwaldReciprocal *r, int group, int d)
{
  EwaldPhase *phase = r->phase + (size_t)group * phases(r);
  return d == 0 ? phase : d == 1 ? phase + r->top[0] + 1 : phase + r->top[0] + r->top[1] + 2;
}

/* Each phase has its own sine and cosine, reduced to the nearest turn: errors do not grow with n. */
static void set_phases(const EwaldReciprocal *r, const double (*x)[3], int group)
{
  const double(*h)[3] = r->box->h;
  for (int l = 0; l < LANES; l++) {
    const int site = group * LANES + l;
    double at[3] = {0.0};
    for (int d = 2; d >= 0 && site < r->nsite; d--) {
      double rest = x[site][d];
      for (int e = d + 1; e < 3; e++)
        rest -= at[e] * h[e][d];
      at[d] = rest / h[d][d];
    }
    for (int d = 0; d < 3; d++) {
      EwaldPhase *phase = phase_of(r, group, d);
      const double turn = at[d] - rint(at[d]);
      for (int n = 0; n <= r->top[d]; n++) {
        const double angle = 2.0 * M_PI * (n * turn - rint(n * turn));
        phase[n].re[l] = cos(angle);
        phase[n].im[l] = sin(angle);
      }
    }
  }
}

/* a b, with b's conjugate for a negative sign. */
static inline void multiply(const EwaldPhase *a, const EwaldPhase *b, double sign, EwaldPhase *product)
{
  const Vec8 im = sign * b->im;
  product->re = a->re * b->re - a->im * im;
  product->im = a->re * im + a->im * b->re;
}

/* exp(i (kx x + ky y)) of a group for the k vectors of a row. */
static inline void in_plane(const EwaldReciprocal *r, int group, const EwaldRow *row, EwaldPhase *product)
{
  const int ny = row->n[1];
  multiply(&phase_of(r, group, 0)[row->n[0]], &phase_of(r, group, 1)[abs(ny)], ny < 0 ? -1.0 : 1.0, product);
}

static inline void along_z(const EwaldPhase *plane, const EwaldPhase *z, int nz, EwaldPhase *product)
{
  multiply(plane, &z[abs(nz)], nz < 0 ? -1.0 : 1.0, product);
}

/* --- sums ----------------------------------------------------------------------------------------------- */

static void sum_row(EwaldReciprocal *r, const EwaldRow *row)
{
  EwaldPhase *partial = r->partial + row->at;
  memset(partial, 0, (size_t)row->count * sizeof *partial);
  for (int g = 0; g < r->ngroup; g++) {
    const EwaldPhase *z = phase_of(r, g, 2);
    EwaldPhase plane, e;
    in_plane(r, g, row, &plane);
    plane.re *= r->charge[g];
    plane.im *= r->charge[g];
    for (int i = 0; i < row->count; i++) {
      along_z(&plane, z, row->lo + i, &e);
      partial[i].re += e.re;
      partial[i].im += e.im;
    }
  }
  for (int i = 0; i < row->count; i++) {
    r->sum[row->at + (size_t)i][0] = vec8_sum(partial[i].re);
    r->sum[row->at + (size_t)i][1] = vec8_sum(partial[i].im);
  }
}

/* Energy, and E [1 - 2 (1/k^2 + 1/4a^2) k k'] of the virial (Nose and Klein 1983). */
static void share_row(const EwaldReciprocal *r, const EwaldRow *row, double share[7])
{
  const Box *const box = r->box;
  memset(share, 0, 7 * sizeof *share);
  for (int i = 0; i < row->count; i++) {
    const double *s = r->sum[row->at + (size_t)i];
    double k[3];
    wave(box, (const double[3]){row->n[0], row->n[1], row->lo + i}, k);
    const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double energy = r->weight[row->at + (size_t)i] * (s[0] * s[0] + s[1] * s[1]);
    const double across = 2.0 * energy * (1.0 / k2 + 0.25 / (r->alpha * r->alpha));
    share[0] += energy;
    for (int d = 0; d < 3; d++) {
      share[1 + d] += energy - across * k[d] * k[d];
      share[4 + d] -= across * k[(d + 1) % 3] * k[(d + 2) % 3];
    }
  }
}

/* -dE/dx = 2 weight q k (Re S sin - Im S cos)(k.x), for eight sites. */
static void push_group(const EwaldReciprocal *r, int group, double (*f)[3])
{
  Vec8 sum[3] = {vec8_set(0.0), vec8_set(0.0), vec8_set(0.0)};
  const EwaldPhase *z = phase_of(r, group, 2);
  for (int i = 0; i < r->nrow; i++) {
    const EwaldRow *row = &r->row[i];
    EwaldPhase plane, e;
    Vec8 all = vec8_set(0.0), weighed = vec8_set(0.0);
    in_plane(r, group, row, &plane);
    for (int j = 0; j < row->count; j++) {
      const size_t at = row->at + (size_t)j;
      along_z(&plane, z, row->lo + j, &e);
      const Vec8 t = r->weight[at] * (r->sum[at][0] * e.im - r->sum[at][1] * e.re);
      all += t;
      weighed += (double)(row->lo + j) * t;
    }
    sum[0] += (double)row->n[0] * all;
    sum[1] += (double)row->n[1] * all;
    sum[2] += weighed;
  }
  double k[3][3]; /* of n = 1 along each edge */
  for (int e = 0; e < 3; e++)
    wave(r->box, (const double[3]){e == 0, e == 1, e == 2}, k[e]);
  for (int d = 0; d < 3; d++) {
    Vec8 force = 2.0 * k[d][d] * r->charge[group] * sum[d];
    for (int e = 0; e < d; e++)
      force += 2.0 * k[e][d] * r->charge[group] * sum[e];
    for (int l = 0; l < LANES && group * LANES + l < r->nsite; l++)
      f[group * LANES + l][d] += force[l];
  }
}

void ewald_reciprocal_add(EwaldReciprocal *r, const Team *team, const double (*x)[3], double (*f)[3])
{
  int begin, end;
  team_range(team, r->ngroup, &begin, &end);
  for (int g = begin; g < end; g++)
    set_phases(r, x, g);
  team_barrier(team);
  for (int i = team->rank; i < r->nrow; i += team->size) {
    sum_row(r, &r->row[i]);
    share_row(r, &r->row[i], r->share[i]);
  }
  team_barrier(team); /* also: forces of pairs are complete, which are shared by molecules */
  for (int g = begin; g < end; g++)
    push_group(r, g, f);
  team_barrier(team);
}
