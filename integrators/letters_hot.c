#include "engine/vec.h"
#include "integrators/letters.h"

ISA_DECLARE(LetterKernels, letter_kernels_table);

/* Each letter is written once for any kind and inlined a second time with the size of a water. */
VEC_INLINE bool is_water_sized(const Kind *kind) { return kind->nsite == 3 && kind->dim == 3; }

VEC_INLINE void kick_sites(int n, double t, Pack *pack)
{
  vd *p = (vd *)pack->p;
  const vd *f = (const vd *)pack->f;
  for (int i = 0; i < n * REGISTERS; i++)
    p[i] += t * f[i];
}

static void kick(double t, Pack *pack)
{
  if (is_water_sized(pack->kind))
    kick_sites(9, t, pack);
  else
    kick_sites(pack->kind->nsite * pack->kind->dim, t, pack);
}

VEC_INLINE void drift_sites(int nsite, int dim, double t, Pack *pack)
{
  vd *q = (vd *)pack->q;
  const vd *p = (const vd *)pack->p;
  for (int s = 0; s < nsite; s++) {
    const double scale = t / pack->kind->mass[s];
    for (int i = s * dim * REGISTERS; i < (s + 1) * dim * REGISTERS; i++)
      q[i] += scale * p[i];
  }
}

static void drift(double t, Pack *pack)
{
  if (is_water_sized(pack->kind))
    drift_sites(3, 3, t, pack);
  else
    drift_sites(pack->kind->nsite, pack->kind->dim, t, pack);
}

VEC_INLINE vd kinetic_sites(int nsite, int dim, const Pack *pack, int part)
{
  vd sum = vd_set(0.0);
  for (int s = 0; s < nsite; s++) {
    vd square = vd_set(0.0);
    for (int d = 0; d < dim; d++) {
      const vd p = vd_load(&pack->p[s * dim + d], part);
      square += p * p;
    }
    sum += (0.5 / pack->kind->mass[s]) * square;
  }
  return sum;
}

VEC_INLINE vd kinetic_part(const Pack *pack, int part)
{
  return is_water_sized(pack->kind) ? kinetic_sites(3, 3, pack, part)
                                    : kinetic_sites(pack->kind->nsite, pack->kind->dim, pack, part);
}

static void kinetic(const Pack *pack, Vec8 *energy)
{
  for (int part = 0; part < REGISTERS; part++)
    vd_store(energy, part, kinetic_part(pack, part));
}

static void heat(double sign, Pack *pack)
{
  for (int part = 0; part < REGISTERS; part++)
    vd_store(pack->heat, part,
             vd_load(pack->heat, part) + sign * kinetic_part(pack, part) * vd_load(pack->active, part));
}

static unsigned wild(double h, double limit, const Pack *pack)
{
  const Kind *kind = pack->kind;
  unsigned bits = 0;
  for (int part = 0; part < REGISTERS; part++) {
    vi good = ~(vi){0};
    for (int s = 0; s < kind->nsite; s++) {
      const vd reach = vd_set(limit * kind->mass[s] / h);
      for (int i = s * kind->dim; i < (s + 1) * kind->dim; i++)
        good &= (vd_abs(vd_load(&pack->p[i], part)) < reach) & vd_finite(vd_load(&pack->q[i], part));
    }
    bits |= vi_bits(~good & (vd_load(pack->active, part) != 0.0)) << part * WIDTH;
  }
  return bits;
}

const LetterKernels ISA_SYMBOL(letter_kernels_table) = {
    .kick = kick, .drift = drift, .kinetic = kinetic, .heat = heat, .wild = wild};
