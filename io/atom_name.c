#include "io/atom_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "topology/groups.h"

AtomRole atom_name_role(const char *name)
{
  LOCALE_PLAIN;
  static const struct {
    const char *stem;
    AtomRole role;
  } stems[] = {{"O", ATOM_OXYGEN},    {"OW", ATOM_OXYGEN},   {"OH", ATOM_OXYGEN},   {"OT", ATOM_OXYGEN},
               {"H", ATOM_HYDROGEN},  {"HW", ATOM_HYDROGEN}, {"HT", ATOM_HYDROGEN}, {"M", ATOM_MASSLESS},
               {"MW", ATOM_MASSLESS}, {"X", ATOM_MASSLESS},  {"EP", ATOM_MASSLESS}, {"EPW", ATOM_MASSLESS},
               {"LP", ATOM_MASSLESS}, {"IW", ATOM_MASSLESS}, {"DU", ATOM_MASSLESS}};
  char stem[FRAME_NAME];
  while (isdigit((unsigned char)*name))
    name++;
  size_t length = strlen(name);
  while (length > 0 && isdigit((unsigned char)name[length - 1]))
    length--;
  if (length == 0)
    return ATOM_NUMBER;
  if (length >= sizeof stem)
    return ATOM_OTHER;
  for (size_t i = 0; i < length; i++)
    stem[i] = (char)toupper((unsigned char)name[i]);
  stem[length] = '\0';
  for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
    if (strcmp(stems[i].stem, stem) == 0)
      return stems[i].role;
  return ATOM_OTHER;
}

/* The name in capitals, without leading digits and without digits and charge at its end: "Na+" and "na"
 * are NA, "CA2+" is CA. */
static void stem_of(const char *name, char stem[FRAME_NAME])
{
  while (isdigit((unsigned char)*name))
    name++;
  size_t length = strnlen(name, FRAME_NAME - 1);
  while (length > 0 && !isalpha((unsigned char)name[length - 1]))
    length--;
  for (size_t i = 0; i < length; i++)
    stem[i] = (char)toupper((unsigned char)name[i]);
  stem[length] = '\0';
}

/* Names of one element; the first is its symbol. SOD, CLA, POT ... are CHARMM's names, IP and IM those of
 * old Amber. */
static const char *element_of(const char *stem)
{
  static const char *const names[][3] = {
      {"NA", "SOD", "IP"}, {"CL", "CLA", "IM"}, {"K", "POT"},    {"LI", "LIT"},     {"RB", "RUB"},
      {"CS", "CES"},       {"F", "FLU"},        {"BR", "BRO"},   {"I", "IOD"},      {"CA", "CAL"},
      {"HE", "HELIUM"},    {"NE", "NEON"},      {"AR", "ARGON"}, {"KR", "KRYPTON"}, {"XE", "XENON"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int k = 0; k < 3 && names[i][k] != NULL; k++)
      if (strcmp(names[i][k], stem) == 0)
        return names[i][0];
  return stem;
}

bool atom_name_same_element(const char *name, const char *other)
{
  LOCALE_PLAIN;
  char a[FRAME_NAME], b[FRAME_NAME];
  stem_of(name, a);
  stem_of(other, b);
  return a[0] != '\0' && strcmp(element_of(a), element_of(b)) == 0;
}

bool atom_name_any_residue(const char *residue)
{
  static const char *const names[] = {"", "ION", "IONS", "UNK", "UNL", "MOL", "SYS", "SYST"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], residue) == 0)
      return true;
  return false;
}

/* The residue of a single atom is its element in capitals, as in GROMACS and PDB files. */
static void begin_residue(AtomResidue *at, const Frame *frame, int i, const char *water)
{
  const char *symbol = frame->symbols[i];
  const bool is_water = atom_name_role(symbol) == ATOM_OXYGEN && i + 1 < frame->natoms &&
                        atom_name_role(frame->symbols[i + 1]) == ATOM_HYDROGEN;
  at->residue++;
  at->hydrogens = 0;
  if (frame->residues[i][0] != '\0')
    memcpy(at->residue_name, frame->residues[i], FRAME_NAME);
  else if (is_water)
    snprintf(at->residue_name, FRAME_NAME, "%s", water);
  else
    stem_of(symbol, at->residue_name);
  if (at->residue_name[0] == '\0')
    snprintf(at->residue_name, FRAME_NAME, "MOL");
}

const AtomNames atom_name_gro = {"SOL", {"OW", "HW", "MW"}}, atom_name_pdb = {"HOH", {"O", "H", "M"}};

void atom_name_next(AtomResidue *at, const Frame *frame, int i, const AtomNames *format)
{
  LOCALE_PLAIN;
  if (frame->has_names) {
    at->residue = frame->numbers[i];
    memcpy(at->residue_name, frame->residues[i], FRAME_NAME);
    memcpy(at->name, frame->names[i], FRAME_NAME);
    return;
  }
  const char *symbol = frame->symbols[i];
  const AtomRole role = atom_name_role(symbol);
  const bool plain = symbol[0] != '\0' && symbol[1] == '\0'; /* an element, not already a name */
  if (i == 0 || (role != ATOM_HYDROGEN && role != ATOM_MASSLESS))
    begin_residue(at, frame, i, format->residue);
  at->hydrogens += role == ATOM_HYDROGEN;
  if (plain && role == ATOM_HYDROGEN)
    snprintf(at->name, sizeof at->name, "%s%d", format->site[1], at->hydrogens);
  else if (plain && role == ATOM_MASSLESS)
    snprintf(at->name, sizeof at->name, "%s", format->site[2]);
  else if (plain && role == ATOM_OXYGEN)
    snprintf(at->name, sizeof at->name, "%s", format->site[0]);
  else if (role == ATOM_OTHER)
    stem_of(symbol, at->name);
  else
    snprintf(at->name, sizeof at->name, "%s", symbol);
}

const char *atom_name_element(long number)
{
  static const char *const symbol[] = {
      "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
      "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
      "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
      "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
      "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
      "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
      "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};
  return number >= 1 && number <= (long)(sizeof symbol / sizeof *symbol) ? symbol[number - 1] : NULL;
}

bool atom_name_fits(const MoleculesAtom *atom, const char *called)
{
  const size_t n = strlen(called);
  return strcmp(called, atom->name) == 0 || (n >= 4 && strncmp(called, atom->name, n) == 0) ||
         (atom->mass > 0.0 && strcasecmp(called, groups_symbol(atom)) == 0) ||
         (atom->mass == 0.0 && atom_name_role(called) == ATOM_MASSLESS);
}
