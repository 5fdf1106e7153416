#include "integrators/jacobian_hot.h"
#include "integrators/letters.h"

ISA_DECLARE(LetterKernels, letter_kernels_table);

VEC_INLINE bool is_water_sized(const Kind *kind) { return kind->nsite == 3 && kind->dim == 3; }

static void kick(double t, Pack *pack)
{
  Octet *p = pack->p;
  const Octet *f = pack->f;
  if (is_water_sized(pack->kind)) {
    UNROLL for (int i = 0; i < 9; i++) p[i] += t * f[i];
    return;
  }
  const int n = pack->kind->nsite * pack->kind->dim;
  for (int i = 0; i < n; i++)
    p[i] += t * f[i];
}

static void drift(double t, Pack *pack)
{
  const Kind *kind = pack->kind;
  Octet *q = pack->q;
  const Octet *p = pack->p;
  if (is_water_sized(kind)) {
    const double scale[3] = {t / kind->mass[0], t / kind->mass[1], t / kind->mass[2]};
    UNROLL for (int i = 0; i < 9; i++) q[i] += scale[i / 3] * p[i];
    return;
  }
  for (int s = 0; s < kind->nsite; s++) {
    const double scale = t / kind->mass[s];
    for (int d = 0; d < kind->dim; d++)
      q[s * kind->dim + d] += scale * p[s * kind->dim + d];
  }
}

static void kinetic(const Pack *pack, Octet *energy)
{
  const Kind *kind = pack->kind;
  Octet sum = octet_set(0.0);
  for (int s = 0; s < kind->nsite; s++) {
    const Octet *p = pack->p + s * kind->dim;
    Octet square = octet_set(0.0);
    for (int d = 0; d < kind->dim; d++)
      square += p[d] * p[d];
    sum += (0.5 / kind->mass[s]) * square;
  }
  *energy = sum;
}

static void heat(double sign, Pack *pack)
{
  Octet energy;
  kinetic(pack, &energy);
  *pack->heat += sign * energy * *pack->active;
}

static unsigned wild(double h, double limit, const Pack *pack)
{
  const Kind *kind = pack->kind;
  const Octet zero = octet_set(0.0);
  OctetMask good = *pack->active == *pack->active;
  for (int s = 0; s < kind->nsite; s++) {
    const Octet reach = octet_set(limit * kind->mass[s] / h);
    for (int i = s * kind->dim; i < (s + 1) * kind->dim; i++)
      good &= (octet_abs(pack->p[i]) < reach) & (pack->q[i] - pack->q[i] == zero);
  }
  return octet_bits(~good & (*pack->active != zero));
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const LetterKernels ISA_SYMBOL(letter_kernels_table) = {
    .isa = STRING(ISA_NAME), .kick = kick, .drift = drift, .kinetic = kinetic, .heat = heat, .wild = wild};
