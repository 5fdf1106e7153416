#include "forcefields/nonbonded.h"

#include <math.h>
#include <stddef.h>

const char *const nonbonded_truncations[] = {"plain",        "shift", "switch", "switch-pairs",
                                             "force-switch", "auto",  NULL};
const char *const nonbonded_coulombs[] = {"pme", "ewald", "reaction-field", "cutoff", NULL};

LjBend nonbonded_bend(const LjCut *cut, int n)
{
  if (cut->truncation != TRUNCATION_FORCE_SWITCH)
    return (LjBend){0};
  const double rc = cut->cutoff, rs = cut->from, w = rc - rs, f = n / (pow(rc, n + 2) * w * w);
  const double a = -f * ((n + 4) * rc - (n + 1) * rs), b = f / w * ((n + 3) * rc - (n + 1) * rs);
  return (LjBend){a, b, pow(rc, -n) - (a / 3.0 + b / 4.0 * w) * w * w * w};
}

double nonbonded_shift(const LjCut *cut, const double lj[2])
{
  const double c6 = pow(cut->cutoff, -6.0);
  if (cut->truncation == TRUNCATION_SHIFT)
    return (lj[0] * c6 - lj[1]) * c6;
  return lj[0] * nonbonded_bend(cut, 12).shift - lj[1] * nonbonded_bend(cut, 6).shift;
}
