#include "engine/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Status kind_copy(Kind **kind, const Kind *from, Error *error)
{
  *kind = NULL;
  const size_t nsite = (size_t)from->nsite, ncon = (size_t)from->ncon, npot = (size_t)from->npot,
               dim = (size_t)from->dim, nw = from->w != NULL ? ncon : 0;
  size_t names = strlen(from->name) + 1;
  for (size_t s = 0; s < nsite; s++)
    names += strlen(from->site[s]) + 1;
  const size_t bytes = sizeof(Kind) + (ncon + npot) * sizeof(Constraint) + nsite * sizeof(char *) +
                       (nsite + nsite * dim + nw) * sizeof(double) + names;
  Kind *k = malloc(bytes);
  TRY_MEMORY(k != NULL, "a kind of molecule", error);
  *k = *from;
  Constraint *con = (Constraint *)(k + 1);
  Potential *pot = con + ncon;
  double *mass = (double *)(pot + npot), *reference = mass + nsite, *w = reference + nsite * dim;
  const char **site = (const char **)(w + nw);
  char *text = (char *)(site + nsite);
  if (ncon > 0)
    memcpy(con, from->con, ncon * sizeof *con);
  memcpy(mass, from->mass, nsite * sizeof *mass);
  memcpy(reference, from->reference, nsite * dim * sizeof *reference);
  if (nw > 0)
    memcpy(w, from->w, nw * sizeof *w);
  if (npot > 0)
    memcpy(pot, from->pot, npot * sizeof *pot);
  k->con = con;
  k->pot = pot;
  k->mass = mass;
  k->w = nw > 0 ? w : NULL;
  k->reference = reference;
  k->name = strcpy(text, from->name);
  text += strlen(text) + 1;
  for (size_t s = 0; s < nsite; s++) {
    site[s] = strcpy(text, from->site[s]);
    text += strlen(text) + 1;
  }
  k->site = site;
  *kind = k;
  return STATUS_OK;
}

void kind_free(Kind *kind) { free(kind); }

double kind_mass(const Kind *kind)
{
  double sum = 0.0;
  for (int s = 0; s < kind->nsite; s++)
    sum += kind->mass[s];
  return sum;
}

void kind_potential(const Kind *kind, const Vec8 *q, Vec8 *energy, Vec8 *f)
{
  Vec8 sum = vec8_set(0.0);
  for (int i = 0; i < kind->npot; i++) {
    const Potential *pot = &kind->pot[i];
    Vec8 value, grad[CONSTRAINT_SITES * 3];
    pot->type->eval(pot, kind->dim, q, &value, f != NULL ? grad : NULL);
    sum += value;
    for (int k = 0; f != NULL && k < pot->nsite * kind->dim; k++)
      f[pot->site[k / kind->dim] * kind->dim + k % kind->dim] -= grad[k];
  }
  if (energy != NULL)
    *energy = sum;
}

static const FunctionDescription *describe_functions(Arena *arena, int n, const Constraint *function)
{
  FunctionDescription *to = arena_take(arena, (size_t)n, sizeof *to);
  for (int i = 0; i < n && to != NULL; i++)
    to[i] =
        (FunctionDescription){function[i].type->name, function[i].nsite, function[i].site, function[i].param};
  return to;
}

Status kind_describe(const Kind *kind, Arena *arena, KindDescription *to, Error *error)
{
  *to = (KindDescription){.name = kind->name,
                          .nsite = kind->nsite,
                          .dim = kind->dim,
                          .mass = kind->mass,
                          .nconstraint = kind->ncon,
                          .npotential = kind->npot,
                          .frozen = kind->frozen,
                          .constraint = describe_functions(arena, kind->ncon, kind->con),
                          .potential = describe_functions(arena, kind->npot, kind->pot)};
  return arena_check(arena, "a kind's description", error);
}

Kind kind_kept(const Kind *kind)
{
  Kind kept = *kind;
  for (int c = 0; kind->w != NULL && c < kept.ncon; c++)
    if (!isinf(kind->w[c]))
      kept.ncon = c;
  return kept;
}

bool kind_has_penalties(const Kind *kind)
{
  return kind->w != NULL && kind->ncon > 0 && !isinf(kind->w[kind->ncon - 1]);
}

double kind_strength(const Kind *kind, int c, double w)
{
  const double own = kind->w != NULL ? kind->w[c] : w;
  return isinf(own) ? 0.0 : own;
}

int kind_freedom(const Kind *kind, int constrained)
{
  return kind->frozen ? 0 : kind->nsite * kind->dim - (constrained ? kind->ncon : 0);
}

int kind_is_triangle(const Kind *kind)
{
  if (kind->nsite != 3 || kind->dim != 3 || kind->ncon != 3)
    return 0;
  static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int c = 0; c < 3; c++)
    if (kind->con[c].type != &constraint_distance || kind->con[c].site[0] != pair[c][0] ||
        kind->con[c].site[1] != pair[c][1] || (kind->w != NULL && kind->w[c] != kind->w[0]))
      return 0;
  return 1;
}
