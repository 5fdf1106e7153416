#include "forcefields/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Status stage_init(Stage *s, const Particles *p, double stretch, const Box *box, Isa isa, Error *error)
{
  *s = (Stage){.nblock = p->nblock, .first = p->first, .stretch = stretch, .frame.box = box};
  s->kind = calloc((size_t)p->nblock, sizeof *s->kind);
  TRY_MEMORY(s->kind != NULL, "the forces between molecules", error);
  for (int b = 0; b < p->nblock; b++) {
    const SiteMap *const map = &p->kind[b].map;
    StageKind *const kind = &s->kind[b];
    *kind = (StageKind){.map = *map, .each = 1, .box = box, .kernel = ISA_PICK(stage_kernels_table, isa)};
    for (int a = 1; a < map->natom; a++)
      kind->reach2[a] = stretch * stretch * map->bond[a] * map->bond[a];
    if (!atoms_are(p->atoms, b))
      continue;
    kind->atoms = p->atoms;
    kind->first = p->first[b];
    kind->each = p->atoms->each[b];
    kind->kernel = ISA_PICK(stage_atoms_kernels_table, isa);
  }
  return STATUS_OK;
}

void stage_free(Stage *s)
{
  free(s->kind);
  *s = (Stage){0};
}

/* Atoms of a lane. */
static size_t atoms_of(const StageKind *kind)
{
  return (size_t)(kind->atoms != NULL ? kind->each : kind->map.natom);
}

static int in_pack(const Block *block, int pack)
{
  const int left = block->nlane - pack * LANES;
  return left < LANES ? left : LANES;
}

/* Offsets arrays to a block's first molecule; those by place stay. */
static StageOut of_block(const Stage *s, int b, const StageOut *out)
{
  StageOut own = *out;
  own.o = out->o != NULL ? out->o + s->first[b] : NULL;
  own.place = out->place != NULL ? out->place + s->first[b] : NULL;
  own.block = b;
  return own;
}

/* Reports a lane of individual atoms. */
static Status say_atoms(const Stage *s, const State *state, int b, int m, Error *error)
{
  const Atoms *const atoms = s->kind[b].atoms;
  const Block *const of = &state->block[b];
  char words[ATOMS_WORDS];
  double longest = 0.0;
  int end = 0;
  for (int a = 0; a < s->kind[b].each; a++) {
    double r2 = 0.0, x[3], u[3];
    for (int d = 0; d < 3; d++) {
      x[d] = *state_element(of, of->q, 1, m, 0, a, d);
      r2 += pow(x[d] - *state_element(of, of->q, 1, m, 0, 0, d), 2.0);
    }
    box_fractions(s->frame.box, x, u);
    for (int d = 0; d < 3; d++)
      if (!(fabs(u[d]) < STAGE_ABSURD))
        return error_set(error, STATUS_RUN, "%s is at (%g, %g, %g) A: the run has blown up",
                         atoms_words(atoms, s->first[b] + m * s->kind[b].each + a, words), x[0], x[1], x[2]);
    if (r2 > longest) {
      longest = r2;
      end = a;
    }
  }
  return error_set(error, STATUS_RUN,
                   "%s is %g A from the first atom of its group, more than half the box: the run has blown "
                   "up, or a face of the box splits the molecule",
                   atoms_words(atoms, s->first[b] + m * s->kind[b].each + end, words), sqrt(longest));
}

static Status say(const Stage *s, const State *state, int lane, Error *error)
{
  int b = 0;
  while (lane >= s->first[b + 1])
    b++;
  if (s->kind[b].atoms != NULL)
    return say_atoms(s, state, b, (lane - s->first[b]) / s->kind[b].each, error);
  const Block *const of = &state->block[b];
  const int m = lane - s->first[b], number = state_molecule(state, of->first + m) + 1;
  const SiteMap *map = &s->kind[b].map;
  double longest = 0.0;
  int end = 0;
  for (int a = 0; a < map->natom; a++) {
    double r2 = 0.0, x[3], u[3];
    for (int d = 0; d < 3; d++)
      x[d] = *state_element(of, of->q, 1, m, 0, a, d);
    box_fractions(s->frame.box, x, u);
    for (int d = 0; d < 3; d++) {
      if (!(fabs(u[d]) < STAGE_ABSURD))
        return error_set(error, STATUS_RUN,
                         "the %s of molecule %d (%s) is at (%g, %g, %g) A: the run has blown up",
                         map->site[a], number, map->name, x[0], x[1], x[2]);
      r2 += pow(x[d] - *state_element(of, of->q, 1, m, 0, 0, d), 2.0);
    }
    if (r2 > s->kind[b].reach2[a] && sqrt(r2) > longest) {
      longest = sqrt(r2);
      end = a;
    }
  }
  return error_set(error, STATUS_RUN,
                   "a bond of molecule %d (%s) is %g A long, more than %g times the %g A at rest: the run "
                   "has blown up, or a face of the box splits the molecule",
                   number, map->name, longest, s->stretch, map->bond[end]);
}

/* The first molecule at infinite coordinates or torn in share k of `shares` of the packs, or INT64_MAX. */
static int64_t stage_share(const Stage *s, const State *state, const StageOut *out, int k, int shares)
{
  const Block *const block = state->block;
  int64_t unfit = INT64_MAX;
  for (int b = 0; b < s->nblock; b++) {
    const StageOut own = of_block(s, b, out);
    const size_t size = 3 * atoms_of(&s->kind[b]);
    int begin, end;
    team_share(block[b].npack, k, shares, &begin, &end);
    for (int p = begin; p < end; p++) {
      const unsigned bits = s->kind[b].kernel->stage(&s->frame, &s->kind[b], block[b].q + size * (size_t)p, p,
                                                     in_pack(&block[b], p), &own);
      if (bits != 0 && unfit == INT64_MAX)
        unfit = s->first[b] + (p * LANES + __builtin_ctz(bits)) * s->kind[b].each;
    }
  }
  return unfit;
}

Status stage_run(const Stage *s, const Team *team, const State *state, const StageOut *out, Error *error)
{
  const int shares = team->size > 1 ? STAGE_SHARES : 1;
  int64_t unfit = INT64_MAX;
  TeamDeal deal = team_deal(team, shares, NULL);
  for (int k; (k = team_next(&deal)) >= 0;) {
    const int64_t found = stage_share(s, state, out, k, shares);
    unfit = found < unfit ? found : unfit;
  }
  unfit = team_least(team, unfit);
  return unfit == INT64_MAX ? STATUS_OK : say(s, state, (int)unfit, error);
}

void stage_deliver(Stage *s, const Team *team, const StageForces *forces, Block *block, bool sums)
{
  int begin, end;
  TeamDeal deal = team_deal(team, STAGE_SHARES, NULL);
  for (int k; (k = team_next(&deal)) >= 0;) {
    memset(s->sums[k], 0, sizeof s->sums[k]);
    for (int b = 0; b < s->nblock; b++) {
      const size_t size = 3 * atoms_of(&s->kind[b]);
      StageForces own = *forces;
      own.place = forces->place != NULL ? forces->place + s->first[b] : NULL;
      own.block = b;
      team_share(block[b].npack, k, STAGE_SHARES, &begin, &end);
      for (int p = begin; p < end; p++)
        s->kind[b].kernel->deliver(&s->kind[b], block[b].q + size * (size_t)p, p, in_pack(&block[b], p), &own,
                                   block[b].f + size * (size_t)p, sums ? s->sums[k] : NULL);
    }
  }
}

/* Sums high and low halves separately: a double represents each exactly, so only their sum is rounded. */
double stage_total(const int64_t *x, size_t stride, int n, int bits)
{
  int64_t high = 0, low = 0;
  for (int k = 0; k < n; k++) {
    high += x[(size_t)k * stride] >> 32;
    low += x[(size_t)k * stride] & UINT32_MAX;
  }
  high += low >> 32;
  low &= UINT32_MAX;
  return ldexp(ldexp((double)high, 32) + (double)low, -bits);
}

void stage_sums(const Stage *s, double *inside, double (*v)[3])
{
  double w[STAGE_SUMS];
  for (int k = 0; k < STAGE_SUMS; k++)
    w[k] = stage_total(&s->sums[0][k], STAGE_SUMS, STAGE_SHARES, WATER_FLOAT_SITE_BITS);
  *inside = w[0];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b <= a; b++)
      v[a][b] = v[b][a] = 0.5 * (v[a][b] + w[1 + 3 * a + b] + (v[b][a] + w[1 + 3 * b + a]));
}
