#include "engine/units.h"

#include <stddef.h>
#include <string.h>

typedef struct Unit {
  Quantity quantity;
  const char *name;
  double factor;
} Unit;

/* The first row of a quantity is the unit of bare numbers. */
static const Unit units[] = {
    {QUANTITY_LENGTH, "A", 1.0},
    {QUANTITY_LENGTH, "angstrom", 1.0},
    {QUANTITY_LENGTH, "nm", 10.0},
    {QUANTITY_LENGTH, "pm", 0.01},
    {QUANTITY_TIME, "akma", 1.0},
    {QUANTITY_TIME, "fs", 1.0 / UNITS_AKMA_FS},
    {QUANTITY_TIME, "ps", 1e3 / UNITS_AKMA_FS},
    {QUANTITY_TIME, "ns", 1e6 / UNITS_AKMA_FS},
    {QUANTITY_TIME, "us", 1e9 / UNITS_AKMA_FS},
    {QUANTITY_MASS, "g/mol", 1.0},
    {QUANTITY_MASS, "u", 1.0},
    {QUANTITY_ENERGY, "kcal/mol", 1.0},
    {QUANTITY_ENERGY, "kJ/mol", 1.0 / UNITS_JOULE},
    {QUANTITY_ENERGY, "K", UNITS_BOLTZMANN},
    {QUANTITY_TEMPERATURE, "K", UNITS_BOLTZMANN},
    {QUANTITY_FREQUENCY, "1/akma", 1.0},
    {QUANTITY_FREQUENCY, "1/fs", UNITS_AKMA_FS},
    {QUANTITY_FREQUENCY, "1/ps", UNITS_AKMA_FS * 1e-3},
    {QUANTITY_FRICTION, "g/mol/akma", 1.0},
    {QUANTITY_FRICTION, "g/mol/fs", UNITS_AKMA_FS},
    {QUANTITY_FRICTION, "g/mol/ps", UNITS_AKMA_FS * 1e-3},
    {QUANTITY_STIFFNESS, "kcal/mol/A^2", 1.0},
    {QUANTITY_STIFFNESS, "kJ/mol/nm^2", 0.01 / UNITS_JOULE},
    {QUANTITY_PENALTY, "sqrt(kcal/mol)/A^2", 1.0},
    {QUANTITY_CHARGE, "e", 1.0},
    {QUANTITY_DENSITY, "g/cm3", 1.0},
    {QUANTITY_DENSITY, "kg/m3", 1e-3},
};

static const char *const lists[QUANTITY_COUNT] = {
    [QUANTITY_NONE] = "a pure number",
    [QUANTITY_LENGTH] = "A, angstrom, nm, pm",
    [QUANTITY_TIME] = "akma, fs, ps, ns, us",
    [QUANTITY_MASS] = "g/mol, u",
    [QUANTITY_ENERGY] = "kcal/mol, kJ/mol, K",
    [QUANTITY_TEMPERATURE] = "K",
    [QUANTITY_FREQUENCY] = "1/akma, 1/fs, 1/ps",
    [QUANTITY_FRICTION] = "g/mol/akma, g/mol/fs, g/mol/ps",
    [QUANTITY_STIFFNESS] = "kcal/mol/A^2, kJ/mol/nm^2",
    [QUANTITY_PENALTY] = "sqrt(kcal/mol)/A^2",
    [QUANTITY_CHARGE] = "e",
    [QUANTITY_DENSITY] = "g/cm3, kg/m3",
};

bool units_factor(Quantity quantity, const char *unit, double *factor)
{
  const int bare = unit == NULL || *unit == '\0';
  if (quantity == QUANTITY_NONE && bare) {
    *factor = 1.0;
    return true;
  }
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (units[i].quantity == quantity && (bare || strcmp(units[i].name, unit) == 0)) {
      *factor = units[i].factor;
      return true;
    }
  return false;
}

const char *units_name(Quantity quantity)
{
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (units[i].quantity == quantity)
      return units[i].name;
  return "";
}

const char *units_list(Quantity quantity)
{
  return quantity < QUANTITY_COUNT && lists[quantity] != NULL ? lists[quantity] : "";
}
