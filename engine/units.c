#include "engine/units.h"

#include <string.h>

/* Of each quantity the unit of bare numbers, all of its units, and their factors. */
static const struct Units {
  const char *name, *list;
  double factor[6];
} units[QUANTITY_COUNT] = {
    [QUANTITY_NONE] = {"", "a pure number", {1.0}},
    [QUANTITY_LENGTH] = {"A", "A, angstrom, nm, pm", {1.0, 1.0, 10.0, 0.01}},
    [QUANTITY_TIME] = {"akma",
                       "akma, fs, ps, ns, us",
                       {1.0, 1.0 / UNITS_AKMA_FS, 1e3 / UNITS_AKMA_FS, 1e6 / UNITS_AKMA_FS,
                        1e9 / UNITS_AKMA_FS}},
    [QUANTITY_MASS] = {"g/mol", "g/mol, u", {1.0, 1.0}},
    [QUANTITY_ENERGY] = {"kcal/mol", "kcal/mol, kJ/mol, K", {1.0, 1.0 / UNITS_JOULE, UNITS_BOLTZMANN}},
    [QUANTITY_TEMPERATURE] = {"K", "K", {UNITS_BOLTZMANN}},
    [QUANTITY_FREQUENCY] = {"1/akma", "1/akma, 1/fs, 1/ps", {1.0, UNITS_AKMA_FS, UNITS_AKMA_FS * 1e-3}},
    [QUANTITY_FRICTION] = {"g/mol/akma",
                           "g/mol/akma, g/mol/fs, g/mol/ps",
                           {1.0, UNITS_AKMA_FS, UNITS_AKMA_FS * 1e-3}},
    [QUANTITY_STIFFNESS] = {"kcal/mol/A^2", "kcal/mol/A^2, kJ/mol/nm^2", {1.0, 0.01 / UNITS_JOULE}},
    [QUANTITY_FORCE] = {"kcal/mol/A", "kcal/mol/A, kJ/mol/nm", {1.0, 0.1 / UNITS_JOULE}},
    [QUANTITY_PENALTY] = {"sqrt(kcal/mol)/A^2", "sqrt(kcal/mol)/A^2", {1.0}},
    [QUANTITY_CHARGE] = {"e", "e", {1.0}},
    [QUANTITY_DENSITY] = {"g/cm3", "g/cm3, kg/m3", {1.0, 1e-3}},
    [QUANTITY_PRESSURE] = {"bar",
                           "bar, kbar, atm, kPa, MPa, GPa",
                           {1.0 / UNITS_BAR, 1e3 / UNITS_BAR, 1.01325 / UNITS_BAR, 0.01 / UNITS_BAR,
                            10.0 / UNITS_BAR, 1e4 / UNITS_BAR}},
    [QUANTITY_COMPRESSIBILITY] = {"1/bar",
                                  "1/bar, 1/kbar, 1/atm, 1/MPa, 1/GPa",
                                  {UNITS_BAR, 1e-3 * UNITS_BAR, UNITS_BAR / 1.01325, 0.1 * UNITS_BAR,
                                   1e-4 * UNITS_BAR}},
};

bool units_factor(Quantity quantity, const char *unit, double *factor)
{
  const struct Units *row = &units[quantity];
  const size_t length = unit != NULL ? strlen(unit) : 0;
  const char *at = row->list;
  int i = 0;
  if (length > 0 && quantity == QUANTITY_NONE)
    return false;
  for (size_t n; length > 0 && ((n = strcspn(at, ",")) != length || memcmp(at, unit, n) != 0); i++) {
    if (at[n] == '\0')
      return false;
    at += n + 2;
  }
  *factor = row->factor[i];
  return true;
}

const char *units_name(Quantity quantity) { return units[quantity].name; }

const char *units_list(Quantity quantity) { return units[quantity].list; }
