#include "forcefields/atom_model.h"

#include <stdbool.h>
#include <string.h>

#include "engine/units.h"

#define JOUNG_CHEATHAM "Joung and Cheatham, J. Phys. Chem. B 112, 9020 (2008)"
#define SMITH_DANG     "Smith and Dang, J. Chem. Phys. 100, 3757 (1994)"
#define SECOND_VIRIAL  "Hirschfelder, Curtiss and Bird, Molecular Theory of Gases and Liquids (1954)"

/* Converts half the distance of the minimum to sigma: 2/2^(1/6). */
#define HALF_MINIMUM(r) ((r)*1.7817974362806785)
#define KELVIN(t)       ((t)*UNITS_BOLTZMANN)

#define ION(name, element, water, symbol, mass, charge, half, epsilon)                                       \
  {                                                                                                          \
    name, element " ion, for " water " water", JOUNG_CHEATHAM, water, symbol, mass, charge,                  \
        HALF_MINIMUM(half), epsilon                                                                          \
  }
#define ATOM(name, symbol, mass, sigma, kelvin)                                                              \
  {                                                                                                          \
    name, name " atom, from the second virial coefficient", SECOND_VIRIAL, NULL, symbol, mass, 0.0, sigma,   \
        KELVIN(kelvin)                                                                                       \
  }

const AtomModel atom_model_list[] = {
    ION("Li+", "lithium", "tip3p", "Li", 6.94, 1.0, 1.025, 0.0279896),
    ION("Na+", "sodium", "tip3p", "Na", 22.98977, 1.0, 1.369, 0.0874393),
    ION("K+", "potassium", "tip3p", "K", 39.0983, 1.0, 1.705, 0.1936829),
    ION("Rb+", "rubidium", "tip3p", "Rb", 85.4678, 1.0, 1.813, 0.3278219),
    ION("Cs+", "caesium", "tip3p", "Cs", 132.90545, 1.0, 1.976, 0.4065394),
    ION("F-", "fluoride", "tip3p", "F", 18.998403, -1.0, 2.303, 0.0033640),
    ION("Cl-", "chloride", "tip3p", "Cl", 35.453, -1.0, 2.513, 0.0355910),
    ION("Br-", "bromide", "tip3p", "Br", 79.904, -1.0, 2.608, 0.0586554),
    ION("I-", "iodide", "tip3p", "I", 126.90447, -1.0, 2.860, 0.0536816),
    ION("Li+", "lithium", "spce", "Li", 6.94, 1.0, 0.791, 0.3367344),
    ION("Na+", "sodium", "spce", "Na", 22.98977, 1.0, 1.212, 0.3526418),
    ION("K+", "potassium", "spce", "K", 39.0983, 1.0, 1.593, 0.4297054),
    ION("Rb+", "rubidium", "spce", "Rb", 85.4678, 1.0, 1.737, 0.4451036),
    ION("Cs+", "caesium", "spce", "Cs", 132.90545, 1.0, 2.021, 0.0898565),
    ION("F-", "fluoride", "spce", "F", 18.998403, -1.0, 2.257, 0.0074005),
    ION("Cl-", "chloride", "spce", "Cl", 35.453, -1.0, 2.711, 0.0127850),
    ION("Br-", "bromide", "spce", "Br", 79.904, -1.0, 2.751, 0.0269586),
    ION("I-", "iodide", "spce", "I", 126.90447, -1.0, 2.919, 0.0427845),
    {"Na+", "sodium ion, for other waters", SMITH_DANG, NULL, "Na", 22.98977, 1.0, 2.35, 0.13},
    {"Cl-", "chloride ion, for other waters", SMITH_DANG, NULL, "Cl", 35.453, -1.0, 4.40, 0.10},
    ATOM("neon", "Ne", 20.1797, 2.78, 34.9),
    ATOM("argon", "Ar", 39.948, 3.405, 119.8),
    ATOM("krypton", "Kr", 83.798, 3.60, 171.0),
    ATOM("xenon", "Xe", 131.293, 4.10, 221.0),
    {0}};

const AtomModel *atom_model_find(const char *name, const char *water)
{
  const AtomModel *any = NULL;
  for (const AtomModel *s = atom_model_list; s->name != NULL; s++) {
    if (strcmp(s->name, name) != 0)
      continue;
    if (s->water == NULL)
      any = s;
    else if (water != NULL && strcmp(s->water, water) == 0)
      return s;
  }
  return any;
}

AtomModelNames atom_model_names(void)
{
  AtomModelNames names = {0};
  for (const AtomModel *row = atom_model_list; row->name != NULL; row++) {
    bool seen = false;
    for (int i = 0; i < names.n; i++)
      seen = seen || strcmp(names.symbol[i], row->symbol) == 0;
    if (seen || names.n == ATOM_MODEL_NAMES)
      continue;
    names.symbol[names.n] = row->symbol;
    names.name[names.n++] = row->name;
  }
  return names;
}

Status atom_model_kind(const AtomModel *species, Kind **kind, Error *error)
{
  const double origin[3] = {0.0, 0.0, 0.0};
  const Kind own = {.name = species->name,
                    .nsite = 1,
                    .dim = 3,
                    .mass = &species->mass,
                    .site = &species->symbol,
                    .reference = origin};
  return kind_copy(kind, &own, error);
}
