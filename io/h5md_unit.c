#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/units.h"
#include "io/h5md_private.h"

const char h5md_unit_length[] = "Angstrom", h5md_unit_time[] = "ps", h5md_unit_velocity[] = "Angstrom ps-1",
           h5md_unit_force[] = "kcal mol-1 Angstrom-1", h5md_unit_mass[] = "u";

/* Symbols in angstrom, ps and u, with powers of length, time and mass; a mole is a number. */
#define AVOGADRO 6.02214076e23

static const struct Symbol {
  const char *name;
  double factor;
  int length, time, mass;
} symbols[] = {
    {"Angstrom", 1.0, 1, 0, 0},
    {"angstrom", 1.0, 1, 0, 0},
    {"Ang", 1.0, 1, 0, 0},
    {"A", 1.0, 1, 0, 0},
    {"fm", 1e-5, 1, 0, 0},
    {"pm", 1e-2, 1, 0, 0},
    {"nm", 10.0, 1, 0, 0},
    {"um", 1e4, 1, 0, 0},
    {"m", 1e10, 1, 0, 0},
    {"bohr", 0.529177210903, 1, 0, 0},
    {"fs", 1e-3, 0, 1, 0},
    {"ps", 1.0, 0, 1, 0},
    {"ns", 1e3, 0, 1, 0},
    {"us", 1e6, 0, 1, 0},
    {"s", 1e12, 0, 1, 0},
    {"sec", 1e12, 0, 1, 0},
    {"second", 1e12, 0, 1, 0},
    {"AKMA", UNITS_AKMA_FS * 1e-3, 0, 1, 0},
    {"u", 1.0, 0, 0, 1},
    {"amu", 1.0, 0, 0, 1},
    {"Da", 1.0, 0, 0, 1},
    {"g", AVOGADRO, 0, 0, 1},
    {"kg", 1e3 * AVOGADRO, 0, 0, 1},
    {"mol", AVOGADRO, 0, 0, 0},
    {"J", 0.1 * AVOGADRO, 2, -2, 1},
    {"kJ", 100.0 * AVOGADRO, 2, -2, 1},
    {"cal", 0.4184 * AVOGADRO, 2, -2, 1},
    {"kcal", 418.4 * AVOGADRO, 2, -2, 1},
    {"eV", 9648.533212331, 2, -2, 1},
    {"N", 1e-11 * AVOGADRO, 1, -2, 1},
    {"Newton", 1e-11 * AVOGADRO, 1, -2, 1},
};

typedef struct Unit {
  double factor;
  int length, time, mass;
} Unit;

/* Multiplies by one factor of a unit, a number or a symbol with its power. */
static bool multiply(const char *word, int length, Unit *unit)
{
  char text[32], *end = NULL;
  if ((size_t)length >= sizeof text)
    return false;
  snprintf(text, sizeof text, "%.*s", length, word);
  const size_t name = strcspn(text, "+-0123456789");
  if (name == 0) { /* "60", "0.1", "10+3" */
    const double number = strtod(text, &end);
    const double ten = *end == '+' || *end == '-' ? strtod(end, &end) : 1.0;
    unit->factor *= pow(number, ten);
    return *end == '\0' && number > 0.0 && isfinite(unit->factor);
  }
  const long power = text[name] != '\0' ? strtol(text + name, &end, 10) : 1;
  if ((end != NULL && *end != '\0') || power == 0 || labs(power) > 9)
    return false;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    const struct Symbol *row = &symbols[i];
    if (strlen(row->name) != name || strncmp(row->name, text, name) != 0)
      continue;
    unit->factor *= pow(row->factor, (double)power);
    unit->length += row->length * (int)power;
    unit->time += row->time * (int)power;
    unit->mass += row->mass * (int)power;
    return true;
  }
  return false;
}

static bool parse(const char *text, Unit *unit)
{
  int length;
  *unit = (Unit){.factor = 1.0};
  if (text_word(text, &length) == NULL)
    return false;
  for (; (text = text_word(text, &length)) != NULL; text += length)
    if (!multiply(text, length, unit))
      return false;
  return true;
}

bool h5md_unit(const char *text, const char *like, double *factor)
{
  Unit unit, wanted;
  if (!parse(text, &unit) || !parse(like, &wanted) || unit.length != wanted.length ||
      unit.time != wanted.time || unit.mass != wanted.mass)
    return false;
  *factor = unit.factor / wanted.factor;
  return *factor > 0.0 && isfinite(*factor);
}
