#include "engine/units.h"

#include <string.h>

enum { WORD = 32 }; /* all units are shorter */

/* For each quantity: the unit of numbers without a unit, all units, and their factors. */
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
    [QUANTITY_ELECTRIC] = {"kcal/mol/A/e",
                           "kcal/mol/A/e, V/A, V/nm, V/m",
                           {1.0, UNITS_VOLT, 0.1 * UNITS_VOLT, 1e-10 * UNITS_VOLT}},
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

/* Converts other spellings: the sign of the angstrom (two characters of Unicode) to A, kelvin to K, X^-1 to
 * 1/X. */
static void spell(const char *unit, char plain[WORD])
{
  static const char *const angstrom[] = {"\xc3\x85", "\xe2\x84\xab"};
  const size_t length = strlen(unit);
  size_t n = 0;
  if (length > 3 && strcmp(unit + length - 3, "^-1") == 0 && strpbrk(unit, "/ ") == NULL) {
    plain[n++] = '1';
    plain[n++] = '/';
  }
  for (const char *at = unit, *const end = unit + length - (n > 0 ? 3 : 0); at < end && n < WORD - 1;) {
    const size_t first = strlen(angstrom[0]), second = strlen(angstrom[1]);
    const bool sign = strncmp(at, angstrom[0], first) == 0, other = strncmp(at, angstrom[1], second) == 0;
    plain[n++] = sign || other ? 'A' : *at;
    at += sign ? first : other ? second : 1;
  }
  plain[n] = '\0';
  if (strcmp(plain, "kelvin") == 0 || strcmp(plain, "Kelvin") == 0)
    memcpy(plain, "K", 2);
}

bool units_factor(Quantity quantity, const char *unit, double *factor)
{
  const struct Units *row = &units[quantity];
  char word[WORD] = "";
  if (unit != NULL)
    spell(unit, word);
  unit = word;
  const size_t length = strlen(word);
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
