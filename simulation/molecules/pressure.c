#include "simulation/molecules/pressure.h"

#include <string.h>

#include "engine/units.h"

static const int row[PRESSURE_COMPONENTS] = {0, 1, 2, 0, 0, 1},
                 column[PRESSURE_COMPONENTS] = {0, 1, 2, 1, 2, 2};

void pressure_molecule(const WalkPressure *sums, const Box *box, double bar[PRESSURE_COMPONENTS])
{
  static const double none[3][3];
  WalkPressure of = *sums;
  memcpy(of.kinetic_atom, sums->kinetic_molecule, sizeof of.kinetic_atom);
  memcpy(of.virial_atom, sums->virial_molecule, sizeof of.virial_atom);
  pressure_atom(&of, none, box, bar);
}

void pressure_atom(const WalkPressure *sums, const double inside[3][3], const Box *box,
                   double bar[PRESSURE_COMPONENTS])
{
  const double factor = UNITS_BAR / box_volume(box);
  for (int k = 0; k < PRESSURE_COMPONENTS; k++) {
    const int a = row[k], b = column[k];
    bar[k] = factor * (sums->kinetic_atom[a][b] + 0.5 * (sums->virial_atom[a][b] + sums->virial_atom[b][a] +
                                                         inside[a][b] + inside[b][a]));
  }
}

/* The sum over the constraints of one pack. */
static void pack_virial(const Sample *sample, int block, int i, Vec8 sum[9])
{
  const Pack pack = sample_multiplier_pack(sample, block, i);
  memset(sum, 0, 9 * sizeof *sum);
  for (int c = 0; c < pack.kind->ncon; c++) {
    const Constraint *con = &pack.kind->con[c];
    const Vec8 value = sample_multiplier(sample, block, &pack, c);
    Vec8 lambda, g, grad[CONSTRAINT_SITES * 3];
    for (int l = 0; l < LANES; l++)
      lambda[l] = (*pack.active)[l] != 0.0 ? value[l] : 0.0;
    con->type->eval(con, 3, pack.q, &g, grad);
    for (int k = 0; k < con->nsite; k++)
      for (int ab = 0; ab < 9; ab++)
        sum[ab] += lambda * pack.q[3 * con->site[k] + ab / 3] * grad[3 * k + ab % 3];
  }
}

/* Packs of all blocks whose kind has constraints. */
size_t pressure_packs(const Sample *sample)
{
  size_t n = 0;
  for (int b = 0; b < sample_blocks(sample); b++)
    n += sample_kind(sample, b)->ncon > 0 ? (size_t)sample_packs(sample, b) : 0;
  return n;
}

void pressure_inside(const Sample *sample, Vec8 (*part)[9], double virial[3][3])
{
  const Team *team = sample->team;
  const size_t packs = pressure_packs(sample);
  Vec8(*own)[9] = part, sum[9] = {{0}};
  for (int b = 0; b < sample_blocks(sample); b++) {
    int begin, end;
    if (sample_kind(sample, b)->ncon == 0)
      continue;
    team_range(team, sample_packs(sample, b), &begin, &end);
    for (int i = begin; i < end; i++)
      pack_virial(sample, b, i, own[i]);
    own += sample_packs(sample, b);
  }
  team_barrier(team);
  for (size_t i = 0; i < packs && team->rank == 0; i++)
    for (int ab = 0; ab < 9; ab++)
      sum[ab] += part[i][ab];
  for (int ab = 0; ab < 9; ab++)
    virial[ab / 3][ab % 3] = vec8_sum(sum[ab]);
  team_barrier(team);
}
