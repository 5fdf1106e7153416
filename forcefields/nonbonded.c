#include "forcefields/nonbonded.h"

#include <math.h>
#include <stddef.h>

const char *const nonbonded_truncations[] = {"plain",        "shift", "switch", "switch-pairs",
                                             "force-switch", "auto",  NULL};
const char *const nonbonded_coulombs[] = {"pme", "ewald", "reaction-field", "cutoff", NULL};

void nonbonded_choose_cut(Nonbonded *o)
{
  if (o->cutoff == 0.0)
    o->cutoff = 9.0;
  if (o->switch_width == 0.0)
    o->switch_width = 1.0;
}

Status nonbonded_check_cut(const LjCut *cut, Error *error)
{
  if (!(cut->cutoff > 0.0 && isfinite(cut->cutoff)))
    return error_input(error, "cutoff", "the cutoff must be positive, not %g A", cut->cutoff);
  if (truncation_switches(cut->truncation) && !(cut->from > 0.0 && cut->from < cut->cutoff))
    return error_input(error, "switch",
                       "Lennard-Jones is switched off over the last %g A before the cutoff of %g A; the "
                       "width must be above 0 and below the cutoff",
                       cut->cutoff - cut->from, cut->cutoff);
  return STATUS_OK;
}

Status nonbonded_check(const Nonbonded *o, Error *error)
{
  const LjCut cut = nonbonded_lj_cut(o);
  TRY(nonbonded_check_cut(&cut, error));
  if (o->truncation == TRUNCATION_SWITCH_PAIRS && o->by_atom)
    return error_input(error, "truncation",
                       "'switch-pairs' needs a cutoff by molecule; 'switch', which switches Lennard-Jones "
                       "only, allows both");
  if (o->beta < 0.0 || !isfinite(o->beta))
    return error_input(error, "beta", "the splitting parameter of the Ewald sum must be positive, not %g/A",
                       o->beta);
  if (o->coulomb == COULOMB_REACTION_FIELD && !(o->permittivity == 0.0 || o->permittivity >= 1.0))
    return error_input(
        error, "permittivity",
        "the permittivity of a reaction field must be at least 1, not %g (0 or infinity: a conductor)",
        o->permittivity);
  return STATUS_OK;
}

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
