/* Records: torsions and so on; sites, constraints and potentials of mechanical systems. */
#include "config/config_private.h"

/* Whose atoms a record names. */
#define MOLECULE                                                                                             \
  "molecule", PARAMETER_STRING,                                                                              \
      .optional = true, .absent = "the whole system",                                                        \
      .help = "Atoms are those of the molecule of this name (indices from its first one), in all molecules " \
              "of the name."

const Parameter config_records_collective[] = {
    {"name", PARAMETER_STRING, .offset = offsetof(ConfigCollective, name),
     .help = "In files: letters, digits and '_'."},
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigCollective, atoms),
     .wanted = "a selection, \"name CA and resid 2\", or a list of atoms, [C, N, CA, C]",
     .help = "A selection by MDAnalysis's words, of as many atoms as are wanted, in the order of the system; "
             "or a list of "
             "atoms, each by its name, its index from 0, or a selection. Where names are those of several "
             "atoms, torsions "
             "and angles take those that are bonded to each other in this order."},
    {MOLECULE, .offset = offsetof(ConfigCollective, molecule)},
    {.key = NULL},
};

const Parameter config_records_keep[] = {
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigKeep, atoms),
     .wanted = "two atoms, [C, H*], or three, [H*, C, H*]",
     .help = "Two or three, each a name or a type, which may have *, ? and [abc], an index from 0 in the "
             "molecule, or a "
             "selection by MDAnalysis's words, \"moltype SOL and name H*\"; in this order or the other way "
             "round. A row "
             "that no bond or angle fits is an error."},
    {"method", PARAMETER_CHOICE, .offset = offsetof(ConfigKeep, method), .name = config_table_method,
     .help =
         "none: terms of the force field hold it, and a constraint of the file that has none is not let go; "
         "penalty; or the method of all constraints."},
    {"w", PARAMETER_REAL, .offset = offsetof(ConfigKeep, w), .quantity = QUANTITY_PENALTY,
     .limits = LIMIT_ABOVE, .min = 0.0, .optional = true, .absent = "geometry.w",
     .help = "Strength of these penalties."},
    {.key = NULL},
};

const Parameter config_records_pair[] = {
    {"between", PARAMETER_STRINGS, .offset = offsetof(ConfigPair, between),
     .wanted = "the names of two torsions, [phi, psi]",
     .help = "Names of two torsions of the same molecules."},
    {.key = NULL},
};

const Parameter config_records_restraint[] = {
    {"name", PARAMETER_STRING, .offset = offsetof(ConfigRestraint, of.name), .optional = true,
     .absent = "its constants are no parameters",
     .help =
         "Makes k, and the centre of a coordinate, parameters of the Hamiltonian, NAME.k and NAME.centre, "
         "with values by replica (ensemble.parameters) or by state of a ladder (exchange.parameters)."},
    {"coordinate", PARAMETER_CHOICE, .offset = offsetof(ConfigRestraint, coordinate),
     .names = (const char *const[]){"point",
#define COORDINATE(FORM, id, ...) #id,
#include "engine/coordinates.def"
                                    NULL},
     .fallback = "point",
     .help = "What is held: atoms at points, or the dihedral angle of four sites, the angle of three, the "
             "distance of two, the radius of gyration of all atoms, the height along z of the first site "
             "above the second."},
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigRestraint, of.atoms),
     .wanted = "a selection, such as \"protein and not element H\"",
     .help = "A selection by MDAnalysis's words, or a list of them, without virtual sites. Of a coordinate a "
             "list with a selection for each site, [index 0, resname LIG]; a site of several atoms is their "
             "centre of mass."},
    {MOLECULE, .offset = offsetof(ConfigRestraint, of.molecule)},
    {"k", PARAMETER_REALS, .offset = offsetof(ConfigRestraint, k), .quantity = QUANTITY_STIFFNESS,
     .limits = LIMIT_FROM, .min = 0.0,
     .help = "Of 1/2 k x^2 (1000 kJ/mol/nm^2 is 2.39): one number, or three, for x, y and z; nothing acts "
             "along an axis with 0. Of an angle in kcal/mol/rad^2."},
    {"centre", PARAMETER_REAL, .offset = offsetof(ConfigRestraint, centre), .quantity = QUANTITY_LENGTH,
     .optional = true,
     .help = "Where a coordinate is held, 1/2 k (value - centre)^2: A, of an angle degrees."},
    {"flat", PARAMETER_REAL, .offset = offsetof(ConfigRestraint, flat), .quantity = QUANTITY_LENGTH,
     .limits = LIMIT_FROM, .min = 0.0, .fallback = "0",
     .help = "A flat bottom: nothing acts up to this distance from the point, 1/2 k (distance - flat)^2 "
             "beyond; the distance is that along the axes with a k, so that it is a ball, a cylinder or a "
             "layer."},
    {"file", PARAMETER_STRING, .offset = offsetof(ConfigRestraint, file), .optional = true, .path = true,
     .absent = "the start file",
     .help = "Where the points are: the positions of the atoms in this file of all atoms (its first frame), "
             "as they are before any minimisation."},
    {"scale", PARAMETER_CHOICE, .offset = offsetof(ConfigRestraint, scale),
     .names = (const char *const[]){"centres", "none", "all", NULL}, .fallback = "centres",
     .help = "What of the points follows the box as it changes: the centre of mass of their molecule, as "
             "molecules do under a barostat; nothing; or each point."},
    {.key = NULL},
};

/* What the texts are. */
#define NUMBER  .wanted = "a number or a formula"
#define NUMBERS .wanted = "a list, [a, b, ...], of a number or a formula for each dimension"
#define FORMULA .wanted = "a formula, such as \"x^2 + y^2 - 1\""

#define FIELD(name) .offset = offsetof(ConfigSite, name)

const Parameter config_records_site[] = {
    {"count", PARAMETER_STRING, FIELD(count), NUMBER, .fallback = "1",
     .help = "How many sites this record stands for; i in its formulas is 1 to n = count."},
    {"name", PARAMETER_STRING, FIELD(name), .fallback = "X", .help = "For messages and files."},
    {"mass", PARAMETER_STRING, FIELD(mass), NUMBER, .fallback = "1",
     .help = "A positive number or a formula."},
    {"position", PARAMETER_STRINGS, FIELD(position), NUMBERS,
     .help = "A formula for each dimension, in i, n, r (replica, from 0), xi (normal), u (uniform)."},
    {"momentum", PARAMETER_STRINGS, FIELD(momentum), NUMBERS, .optional = true, .rival = "velocity",
     .help = "Likewise; zero by default."},
    {"velocity", PARAMETER_STRINGS, FIELD(velocity), NUMBERS, .optional = true, .rival = "momentum",
     .help = "In place of the momentum."},
    {.key = NULL},
};

#undef FIELD
#define FIELD(name) .offset = offsetof(ConfigTerm, name)

/* Types, and of each key those that it may stand with (OF) or must (NEEDED). */
static const InputSort constraint_sorts[] = {
    [CONSTRAIN_DISTANCE] = {.name = "distance"}, [CONSTRAIN_ANCHOR] = {.name = "anchor"},
    [CONSTRAIN_IMPLICIT] = {.name = "implicit"}, [CONSTRAIN_ORTHONORMAL] = {.name = "orthonormal"},
    [CONSTRAIN_DOT] = {.name = "dot"},           {.name = NULL}};
static const InputSort potential_sorts[] = {[POTENTIAL_GRAVITY] = {.name = "gravity"},
                                            [POTENTIAL_FIELD] = {.name = "field"},
                                            [POTENTIAL_LINK] = {.name = "link"},
                                            [POTENTIAL_SPRING] = {.name = "spring"},
                                            [POTENTIAL_QUARTIC] = {.name = "quartic"},
                                            [POTENTIAL_FORMULA] = {.name = "formula"},
                                            {.name = NULL}};
static const char *constraint_name(int i) { return constraint_sorts[i].name; }
static const char *potential_name(int i) { return potential_sorts[i].name; }

enum {
  DISTANCE = 1 << CONSTRAIN_DISTANCE,
  ANCHOR = 1 << CONSTRAIN_ANCHOR,
  IMPLICIT = 1 << CONSTRAIN_IMPLICIT,
  ORTHONORMAL = 1 << CONSTRAIN_ORTHONORMAL,
  DOT = 1 << CONSTRAIN_DOT,
  STRETCHED = 1 << POTENTIAL_SPRING | 1 << POTENTIAL_QUARTIC,
  ELASTIC = STRETCHED | 1 << POTENTIAL_LINK,
  ANY = 0
};

#define OF(types)     .sorts = (types), .optional = true
#define NEEDED(types) .sorts = (types)

/* The first rows of both tables: which sites (RECORDS_SITE ... of config_private.h). */
#define SITES(type_name, type_help, one, pairs, from_point)                                                  \
  {"type", PARAMETER_CHOICE, FIELD(type), .name = (type_name), .optional = true, .help = (type_help)},       \
      {"site", PARAMETER_STRING, FIELD(site), NUMBER, OF(one), .help = "One site, from 1."},                 \
      {"sites", PARAMETER_STRINGS, FIELD(sites), OF(ANY),                                                    \
       .help = "Two sites of a pair, or a list of single ones, or all."},                                    \
      {"chain", PARAMETER_STRINGS, FIELD(chain), OF(pairs),                                                  \
       .help = "[a, b]: the pairs (a, a+1), ..., (b-1, b); i in formulas counts them, n is their number."},  \
      {"ring", PARAMETER_STRINGS, FIELD(ring), OF(pairs), .help = "The same, and (b, a)."},                  \
  {                                                                                                          \
    "point", PARAMETER_STRINGS, FIELD(point), NUMBERS, OF(from_point),                                       \
        .help = "Fixed in space, in place of a second site; by default the origin."                          \
  }

const Parameter config_records_constraint[] = {
    SITES(constraint_name,
          "distance |q_i - q_j| = d, anchor |q - x| = d, implicit g = 0 by a formula "
          "(assumed where there is one), orthonormal sites as columns, dot q_i . q_j = c.",
          ANCHOR | IMPLICIT | DOT, DISTANCE | IMPLICIT, ANCHOR),
    {"distance", PARAMETER_STRING, FIELD(length), NUMBER, NEEDED(DISTANCE | ANCHOR), .help = "d."},
    {"value", PARAMETER_STRING, FIELD(value), NUMBER, OF(DOT), .help = "c, by default 0."},
    {"factor", PARAMETER_STRING, FIELD(factor), NUMBER, OF(ORTHONORMAL | DOT),
     .help = "What the constraint is multiplied by, which matters to penalties; by default 1. orthonormal "
             "multiplies its products of different sites by sqrt(2) besides."},
    {"formula", PARAMETER_STRING, FIELD(formula), FORMULA, NEEDED(IMPLICIT),
     .help =
         "g in x, y, z of one site or x1, y1, z1, x2, y2, z2 of two; with a Hamiltonian in q1, ..., p1, ..."},
    {.key = NULL, .sort = constraint_sorts},
};

const Parameter config_records_potential[] = {
    SITES(potential_name,
          "gravity -m a.q, field -f.q, link k/2 s^2, spring k/2 (s - d)^2, quartic k/4 (s^2 - d^2)^2 with "
          "s the distance of two sites or from a point, or a formula (assumed where there is one).",
          ANY, ELASTIC | 1 << POTENTIAL_FORMULA, ELASTIC),
    {"acceleration", PARAMETER_STRINGS, FIELD(vector), NUMBERS, NEEDED(1 << POTENTIAL_GRAVITY),
     .rival = "force", .help = "a."},
    {"force", PARAMETER_STRINGS, FIELD(vector), NUMBERS, NEEDED(1 << POTENTIAL_FIELD),
     .rival = "acceleration", .help = "f."},
    {"stiffness", PARAMETER_STRING, FIELD(stiffness), NUMBER, NEEDED(ELASTIC), .help = "k."},
    {"length", PARAMETER_STRING, FIELD(length), NUMBER, NEEDED(STRETCHED), .help = "d."},
    {"formula", PARAMETER_STRING, FIELD(formula), FORMULA, NEEDED(1 << POTENTIAL_FORMULA),
     .help = "In x, y, z of one site or x1, y1, z1, x2, y2, z2 of two."},
    {.key = NULL, .sort = potential_sorts},
};
