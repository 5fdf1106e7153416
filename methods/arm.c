#include "methods/arm.h"
#include "base/scoped.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static Status refuse(const Kind *kind, const char *why, Error *error)
{
  return error_set(
      error, STATUS_INPUT,
      "'%s' is not a planar manipulator: %s; it needs a chain of sites at fixed distances, the first at a "
      "fixed distance from a point (anchor), the last, the hand, on a curve (implicit)",
      kind->name, why);
}

/* A curve: a constraint of one site that is not the anchor. */
static bool is_curve(const Constraint *con) { return con->nsite == 1 && con->type != &constraint_anchor; }

/* Finds the unused constraint from `site` to the next site, or with `site` -1 the anchor; counts such
 * constraints. */
static int next_limb(const Kind *kind, const bool *used, int site, int *count)
{
  int found = -1;
  *count = 0;
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    const bool touches = site < 0 ? con->type == &constraint_anchor
                                  : con->nsite == 2 && (con->site[0] == site || con->site[1] == site);
    if (used[c] || !touches)
      continue;
    (*count)++;
    found = found < 0 ? c : found;
  }
  return found;
}

/* Follows the limbs from the base: limb[i] is the constraint of limb i, site[i] its far end. */
static Status follow(const Kind *kind, int *limb, int *site, Error *error)
{
  SCOPED(scoped_free) bool *used = calloc((size_t)kind->ncon, sizeof *used);
  TRY_MEMORY(used != NULL, "a manipulator", error);
  for (int i = 0, at = -1; i < kind->nsite; i++) {
    int count;
    const int c = next_limb(kind, used, at, &count);
    if (count != 1)
      return refuse(kind,
                    i == 0       ? "it does not have one anchor"
                    : count == 0 ? "its limbs do not form a chain through all sites"
                                 : "its limbs branch",
                    error);
    const Constraint *con = &kind->con[c];
    if (con->nsite == 2 && con->type != &constraint_distance)
      return refuse(kind, "a constraint between two sites is not a distance", error);
    used[c] = true;
    at = con->nsite == 1 || con->site[0] != at ? con->site[0] : con->site[1];
    limb[i] = c;
    site[i] = at;
  }
  return STATUS_OK;
}

static Status check_shape(const Kind *kind, Error *error)
{
  if (kind->dim != 2)
    return refuse(kind, "it is not in two dimensions", error);
  if (kind->nsite < 3)
    return error_set(
        error, STATUS_INPUT,
        "'%s' has %d limbs, and no free joint once the hand is on its curve; a redundant arm has at least 3",
        kind->name, kind->nsite);
  int curves = 0;
  for (int c = 0; c < kind->ncon; c++)
    curves += is_curve(&kind->con[c]);
  if (curves != 1)
    return refuse(kind, curves == 0 ? "no site is on a curve" : "more than one constraint is a curve", error);
  if (kind->ncon != kind->nsite + 1)
    return refuse(kind, "it does not have one limb for each site and one curve", error);
  return STATUS_OK;
}

/* Splits the kind in two with their own constraints and masses; con[nlimb] and mass[nsite] are memory for
 * these. */
static Status split(Arm *arm, const Kind *kind, const int *limb, Constraint *con, double *mass, Error *error)
{
  const int hand = arm->site[arm->nlimb - 1];
  Constraint curve = {0};
  TRY_MEMORY(con != NULL && mass != NULL, "a manipulator", error);
  for (int c = 0; c < kind->ncon; c++)
    if (is_curve(&kind->con[c]))
      curve = kind->con[c];
  if (curve.site[0] != hand)
    return refuse(kind, "the site on the curve is not the chain's last", error);
  for (int i = 0; i < arm->nlimb; i++)
    con[i] = kind->con[limb[i]];
  memcpy(mass, kind->mass, (size_t)kind->nsite * sizeof *mass);
  mass[hand] = INFINITY;
  Kind limbs = *kind, alone = *kind;
  limbs.con = con;
  limbs.ncon = arm->nlimb;
  limbs.mass = mass;
  curve.site[0] = 0;
  alone.nsite = alone.ncon = 1;
  alone.npot = limbs.npot = 0;
  alone.con = &curve;
  alone.mass = kind->mass + hand;
  alone.site = kind->site + hand;
  alone.reference = kind->reference + 2 * hand;
  TRY(kind_copy(&arm->limbs, &limbs, error));
  return kind_copy(&arm->hand, &alone, error);
}

Status arm_create(Arm **arm, const Kind *kind, Error *error)
{
  *arm = NULL;
  TRY(check_shape(kind, error));
  const size_t n = (size_t)kind->nsite;
  Arm *a = calloc(1, sizeof *a + n * (sizeof(double) + 2 * sizeof(int)));
  TRY_MEMORY(a != NULL, "a manipulator", error);
  double *length = (double *)(a + 1);
  int *limb = (int *)(length + n);
  a->site = limb + n;
  a->nlimb = kind->nsite;
  a->length = length;
  SCOPED(scoped_free) Constraint *con = malloc(n * sizeof *con);
  SCOPED(scoped_free) double *mass = malloc(n * sizeof *mass);
  TRY_ELSE(follow(kind, limb, a->site, error), arm_free(a));
  TRY_ELSE(split(a, kind, limb, con, mass, error), arm_free(a));
  for (int i = 0; i < a->nlimb; i++)
    length[i] = kind->con[limb[i]].param[0];
  memcpy(a->base, &kind->con[limb[0]].param[1], sizeof a->base);
  *arm = a;
  return STATUS_OK;
}

void arm_free(Arm *arm)
{
  if (arm == NULL)
    return;
  kind_free(arm->limbs);
  kind_free(arm->hand);
  free(arm);
}
