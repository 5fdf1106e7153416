/* Tables of the keys of records: collective coordinates, exceptions to constraints, restraints, and the
 * sites, constraints and potentials of mechanical systems. */
#include "config/config_private.h"

/* The molecule that a record's atoms belong to. */
#define MOLECULE                                                                                             \
  "molecule", PARAMETER_STRING,                                                                              \
      .optional = true, .absent = "the whole system",                                                        \
      .help = "Molecule whose atoms are selected, with indices from its first atom, in all its copies."

/* Keys of single coordinates, which config_parameters.c allows with them. */
#define OPTIONS(type, of)                                                                                    \
  {"axis",                                                                                                   \
   PARAMETER_CHOICE,                                                                                         \
   .offset = offsetof(type, of axis),                                                                        \
   .names = (const char *const[]){"z", "x", "y", NULL},                                                      \
   .fallback = "z",                                                                                          \
   .help = "Axis of a position, a height or walls. An oblique box allows z."},                               \
      {"radius",                                                                                             \
       PARAMETER_REAL,                                                                                       \
       .offset = offsetof(type, of radius),                                                                  \
       .quantity = QUANTITY_LENGTH,                                                                          \
       .limits = LIMIT_ABOVE,                                                                                \
       .min = 0.0,                                                                                           \
       .optional = true,                                                                                     \
       .absent = "none, which is allowed without contacts",                                                  \
       .help = "Distance r0 of the contacts of a coordination number, (1 - (r/r0)^n)/(1 - (r/r0)^m) each."}, \
      {"powers",                                                                                             \
       PARAMETER_REALS,                                                                                      \
       .offset = offsetof(type, of powers),                                                                  \
       .optional = true,                                                                                     \
       .absent = "[6, 12]",                                                                                  \
       .help = "Powers n and m of a coordination number, whole numbers, [6, 12]."},                          \
  {                                                                                                          \
    "formula", PARAMETER_STRING,                                                                             \
        .offset = offsetof(type, of formula), .optional = true,                                              \
        .absent = "none, which is allowed with atoms",                                                       \
        .help = "Formula of coordinates by their names in output, 'd1 - 0.5*d2', or of formulas above it, "  \
                "with the functions of mechanical systems. Lengths are in A, angles in radians; write "      \
                "cos(phi) and sin(phi) of a torsion, which jumps at 180 degrees."                            \
  }

const Parameter config_records_collective[] = {
    {"name", PARAMETER_STRING, .offset = offsetof(ConfigCollective, name),
     .help = "Name in files: letters, digits and '_'."},
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigCollective, atoms), .optional = true,
     .absent = "an error, except with a formula",
     .wanted = "a selection, \"name CA and resid 2\", or a list of atoms, [C, N, CA, C]",
     .help =
         "Atoms of the coordinate: a selection in MDAnalysis's syntax, in the system's order, or a list of "
         "sites, each a name, an index from 0, or a selection. If several atoms have these names, torsions "
         "and angles use those bonded in this order. Other selections of several atoms are centres of mass."},
    {MOLECULE, .offset = offsetof(ConfigCollective, molecule)},
    OPTIONS(ConfigCollective, ),
    {"file", PARAMETER_STRING, .offset = offsetof(ConfigCollective, file), .optional = true, .path = true,
     .absent = "the start file",
     .help = "File of all atoms whose first frame is the reference of an RMSD. Built starts require it."},
    {.key = NULL},
};

const Parameter config_records_keep[] = {
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigKeep, atoms),
     .wanted = "two atoms, [C, H*], or three, [H*, C, H*]",
     .help =
         "Two or three atoms, in either order, each a name or type (with *, ? and [abc]), an index from 0 in "
         "the molecule, or a selection in MDAnalysis's syntax, \"moltype SOL and name H*\". A row that "
         "matches no bond or angle is an error."},
    {"method", PARAMETER_CHOICE, .offset = offsetof(ConfigKeep, method), .name = config_table_method,
     .help =
         "'none': force-field terms only, which must exist for a constraint of the file; 'penalty'; or the "
         "method of all constraints."},
    {"w", PARAMETER_REAL, .offset = offsetof(ConfigKeep, w), .quantity = QUANTITY_PENALTY,
     .limits = LIMIT_ABOVE, .min = 0.0, .optional = true, .absent = "geometry.w",
     .help = "Strength of these penalties."},
    {.key = NULL},
};

const Parameter config_records_friction[] = {
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigFriction, atoms),
     .wanted = "a selection, \"resname SOL\", or a list of selections",
     .help =
         "Atoms: a selection in MDAnalysis's syntax, or a list of selections, in every molecule type; "
         "indices "
         "count from the first atom of a molecule. Atoms that constraints or penalties tie together must be "
         "selected together."},
    {"friction", PARAMETER_REAL, .offset = offsetof(ConfigFriction, friction), .quantity = QUANTITY_FREQUENCY,
     .alternative = QUANTITY_FRICTION, .limits = LIMIT_FROM, .min = 0.0,
     .help = "Their friction, as thermostat.friction; 0: neither friction nor noise."},
    {.key = NULL},
};

const Parameter config_records_pair[] = {
    {"between", PARAMETER_STRINGS, .offset = offsetof(ConfigPair, between),
     .wanted = "the names of two torsions, [phi, psi]",
     .help = "Names of two torsions in the same molecules."},
    {.key = NULL},
};

const Parameter config_records_hydrogen_bonds[] = {
    {"name", PARAMETER_STRING, .offset = offsetof(ConfigHydrogenBonds, name),
     .help = "Name in files: letters, digits and '_'."},
    {"between", PARAMETER_STRINGS, .offset = offsetof(ConfigHydrogenBonds, between),
     .wanted = "one selection, [protein], or two, [protein, resname SOL]",
     .help = "One selection, for bonds within it, or two, for bonds between them in either direction, in "
             "MDAnalysis's syntax."},
    {.key = NULL},
};

#define TEXTS(key, help_, ...)                                                                               \
  {                                                                                                          \
#key, PARAMETER_STRINGS, .offset = offsetof(ConfigBias, key), .optional = true, .help = help_,           \
                             __VA_ARGS__                                                                     \
  }

const Parameter config_records_bias[] = {
    {"on", PARAMETER_STRINGS, .offset = offsetof(ConfigBias, on), .wanted = "names of coordinates, [phi]",
     .help = "Names of the coordinates, from output.torsions and the other lists: one, or for metadynamics "
             "one or two. Each has one value, not one for each molecule."},
    {"type", PARAMETER_CHOICE, .offset = offsetof(ConfigBias, type),
     .names =
         (const char *const[]){
#define BIAS(FORM, id, ...) #id,
#include "forcefields/biases.def"
             NULL},
     .help =
         "harmonic: 1/2 k (value - centre)^2. wall: the same, only above or below a value. pull: the same as "
         "harmonic, with a centre that moves. metadynamics: a sum of hills."},
    {"name", PARAMETER_STRING, .offset = offsetof(ConfigBias, name), .optional = true,
     .absent = "the name of the first coordinate",
     .help =
         "Name of the bias in files and of its parameters, NAME.k and NAME.centre (of walls NAME.above or "
         "NAME.below), for ensemble.parameters and exchange.parameters."},
    TEXTS(
        k,
        "Force constant, in kcal/mol/A^2; of angles in kcal/mol/rad^2; of numbers in kcal/mol. One value, a "
        "list with one for each replica, or linear(first, last)."),
    TEXTS(centre,
          "Centre of a harmonic bias, in A; of angles in degrees (or with deg or rad). One value, a list "
          "with one for each replica, or 'linear(-180, 180)', evenly spaced values; those of a whole turn "
          "leave out the last, which is the first."),
    TEXTS(above, "A wall acts above this value; one value, a list, or linear(first, last)."),
    {"height", PARAMETER_REAL, .offset = offsetof(ConfigBias, height), .quantity = QUANTITY_ENERGY,
     .limits = LIMIT_ABOVE, .min = 0.0, .optional = true, .absent = "an error with metadynamics",
     .help = "Height of the first hill of metadynamics, usually a third of kT."},
    TEXTS(width,
          "Width (standard deviation) of the hills of metadynamics, in A; of angles in radians (or with "
          "deg). One value, or one for each coordinate."),
    {"every", PARAMETER_REAL, .offset = offsetof(ConfigBias, every), .quantity = QUANTITY_TIME,
     .limits = LIMIT_ABOVE, .min = 0.0, .optional = true, .absent = "1 ps",
     .help =
         "Time between the hills of each walker of metadynamics. All replicas are walkers with one bias."},
    {"factor", PARAMETER_REAL, .offset = offsetof(ConfigBias, factor), .limits = LIMIT_ABOVE, .min = 1.0,
     .optional = true, .absent = "an error with metadynamics",
     .help = "Factor (T + dT)/T of well-tempered metadynamics, usually 5 to 15."},
    TEXTS(from,
          "Centre of a pull at its start, with values for replicas as for centre. Lower edge of the grid of "
          "metadynamics, for each coordinate but torsions: beyond the edges the bias keeps its value, and no "
          "hills are added. Angles have 0 to 180 degrees by default."),
    TEXTS(to,
          "Centre of a pull at its end, with values for replicas. Upper edge of the grid of metadynamics."),
    {"over", PARAMETER_REAL, .offset = offsetof(ConfigBias, over), .quantity = QUANTITY_TIME,
     .limits = LIMIT_ABOVE, .min = 0.0, .optional = true, .absent = "an error with a pull",
     .help = "Time in which the centre of a pull moves, from output.equilibration on; then it rests."},
    TEXTS(below, "A wall acts below this value; one value, a list, or linear(first, last)."),
    {.key = NULL},
};

const Parameter config_records_restraint[] = {
    {"name", PARAMETER_STRING, .offset = offsetof(ConfigRestraint, of.name), .optional = true,
     .absent = "constants that are not parameters",
     .help = "Name that makes k and centre parameters of the Hamiltonian, NAME.k and NAME.centre, for "
             "ensemble.parameters and exchange.parameters."},
    {"coordinate", PARAMETER_CHOICE, .offset = offsetof(ConfigRestraint, coordinate),
     .names = (const char *const[]){"point",
#define COORDINATE(FORM, id, ...) #id,
#include "engine/coordinates.def"
                                    NULL},
     .fallback = "point",
     .help =
         "Restrained coordinate. Points tie atoms to places. The other coordinates are those of output: the "
         "dihedral angle of four sites, the angle of three, and the distance of two; the radius of gyration "
         "of all atoms, and their deviation from a reference (rmsd). Along an axis there are the height of "
         "one site above another, and the position of a site. Two selections have a coordination number. A "
         "formula has other coordinates in place of atoms."},
    {"atoms", PARAMETER_STRINGS, .offset = offsetof(ConfigRestraint, of.atoms), .optional = true,
     .absent = "an error, except with a formula",
     .wanted = "a selection, such as \"protein and not element H\"",
     .help = "Restrained atoms: a selection in MDAnalysis's syntax, or a list of selections, without virtual "
             "sites. A coordinate requires one selection for each site, [index 0, resname LIG]; a site of "
             "several atoms is their centre of mass."},
    {MOLECULE, .offset = offsetof(ConfigRestraint, of.molecule)},
    OPTIONS(ConfigRestraint, of.),
    {"k", PARAMETER_REALS, .offset = offsetof(ConfigRestraint, k), .quantity = QUANTITY_STIFFNESS,
     .limits = LIMIT_FROM, .min = 0.0,
     .help =
         "Force constant k of 1/2 k x^2 (1000 kJ/mol/nm^2 is 2.39): one number, or three for x, y and z; 0 "
         "leaves an axis free. Angles: in kcal/mol/rad^2; coordination numbers: in kcal/mol."},
    {"centre", PARAMETER_REAL, .offset = offsetof(ConfigRestraint, centre), .quantity = QUANTITY_LENGTH,
     .optional = true,
     .help = "Centre of a coordinate's restraint 1/2 k (value - centre)^2, in A; angles in degrees; "
             "numbers bare. Points "
             "have no centre."},
    {"flat", PARAMETER_REAL, .offset = offsetof(ConfigRestraint, flat), .quantity = QUANTITY_LENGTH,
     .limits = LIMIT_FROM, .min = 0.0, .fallback = "0",
     .help =
         "Radius of a flat bottom: no force up to this distance from the point, 1/2 k (distance - flat)^2 "
         "beyond. The distance is along the axes with k > 0: a ball, a cylinder or a layer."},
    {"above", PARAMETER_REAL, .offset = offsetof(ConfigRestraint, above), .quantity = QUANTITY_LENGTH,
     .optional = true, .absent = "no upper wall",
     .help = "Position of a flat wall normal to the axis, instead of points: 1/2 k (x - above)^2 for each "
             "atom above it. "
             "With below, atoms stay between two walls; a periodic axis requires both, whose images repeat. "
             "Walls "
             "follow the box."},
    {"below", PARAMETER_REAL, .offset = offsetof(ConfigRestraint, below), .quantity = QUANTITY_LENGTH,
     .optional = true, .absent = "no lower wall", .help = "Position of a wall that acts on atoms below it."},
    {"file", PARAMETER_STRING, .offset = offsetof(ConfigRestraint, of.file), .optional = true, .path = true,
     .absent = "the start file",
     .help = "File of all atoms whose first frame gives the points, or the reference of an RMSD; "
             "minimisation does "
             "not change them. Built starts require it."},
    {"scale", PARAMETER_CHOICE, .offset = offsetof(ConfigRestraint, scale),
     .names = (const char *const[]){"centres", "none", "all", NULL}, .fallback = "centres",
     .help =
         "How points follow changes of the box: with the centre of mass of their molecule (centres), not at "
         "all (none), or each point (all)."},
    {.key = NULL},
};

const Parameter config_records_schedule[] = {
    {"time", PARAMETER_REAL, .offset = offsetof(ConfigSchedulePoint, time), .quantity = QUANTITY_TIME,
     .limits = LIMIT_FROM, .min = 0.0, .help = "Time of the point. Two points at one time make a jump."},
    {"temperature", PARAMETER_REALS, .offset = offsetof(ConfigSchedulePoint, temperature),
     .quantity = QUANTITY_TEMPERATURE, .limits = LIMIT_ABOVE, .min = 0.0, .optional = true,
     .absent = "on the line between other points",
     .help = "Temperature: one number, or one for each replica."},
    {"pressure", PARAMETER_REALS, .offset = offsetof(ConfigSchedulePoint, pressure),
     .quantity = QUANTITY_PRESSURE, .optional = true, .absent = "on the line between other points",
     .help = "Pressure of the barostat: one number, or one for each replica."},
    {.key = NULL},
};

/* Descriptions of values. */
#define NUMBER  .wanted = "a number or a formula"
#define NUMBERS .wanted = "a list, [a, b, ...], of a number or a formula for each dimension"
#define FORMULA .wanted = "a formula, such as \"x^2 + y^2 - 1\""

#define FIELD(name) .offset = offsetof(ConfigSite, name)

const Parameter config_records_site[] = {
    {"count", PARAMETER_STRING, FIELD(count), NUMBER, .fallback = "1",
     .help = "Number n of sites of this record; in its formulas, i runs from 1 to n."},
    {"name", PARAMETER_STRING, FIELD(name), .fallback = "X", .help = "Name in messages and files."},
    {"mass", PARAMETER_STRING, FIELD(mass), NUMBER, .fallback = "1", .help = "Mass, positive."},
    {"position", PARAMETER_STRINGS, FIELD(position), NUMBERS,
     .help =
         "Initial position. Formulas may contain i, n, r (replica, from 0), xi (normal) and u (uniform)."},
    {"momentum", PARAMETER_STRINGS, FIELD(momentum), NUMBERS, .optional = true, .rival = "velocity",
     .help = "Initial momentum, as position; zero by default."},
    {"velocity", PARAMETER_STRINGS, FIELD(velocity), NUMBERS, .optional = true, .rival = "momentum",
     .help = "Initial velocity, instead of the momentum."},
    {.key = NULL},
};

#undef FIELD
#define FIELD(name) .offset = offsetof(ConfigTerm, name)

/* Types of records. A key is allowed (OF) or required (NEEDED) with some of them. */
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

/* The first rows of both tables, which choose the sites (RECORDS_SITE ... of config_private.h). */
#define SITES(type_name, type_help, one, pairs, from_point)                                                  \
  {"type", PARAMETER_CHOICE, FIELD(type), .name = (type_name), .optional = true, .help = (type_help)},       \
      {"site", PARAMETER_STRING, FIELD(site), NUMBER, OF(one), .help = "Number of one site, from 1."},       \
      {"sites", PARAMETER_STRINGS, FIELD(sites), OF(ANY),                                                    \
       .help = "Two sites of a pair, a list of single sites, or all."},                                      \
      {"chain", PARAMETER_STRINGS, FIELD(chain), OF(pairs),                                                  \
       .help = "[a, b]: the pairs (a, a+1), ..., (b-1, b); in formulas, i counts the n pairs from 1."},      \
      {"ring", PARAMETER_STRINGS, FIELD(ring), OF(pairs), .help = "The pairs of chain, and (b, a)."},        \
  {                                                                                                          \
    "point", PARAMETER_STRINGS, FIELD(point), NUMBERS, OF(from_point),                                       \
        .help = "Fixed point, instead of a second site; default: the origin."                                \
  }

const Parameter config_records_constraint[] = {
    SITES(constraint_name,
          "distance: |q_i - q_j| = d; anchor: |q - x| = d; implicit: formula g = 0 "
          "(default with formula); orthonormal: sites as columns; dot: q_i . q_j = c.",
          ANCHOR | IMPLICIT | DOT, DISTANCE | IMPLICIT, ANCHOR),
    {"distance", PARAMETER_STRING, FIELD(length), NUMBER, NEEDED(DISTANCE | ANCHOR), .help = "Distance d."},
    {"value", PARAMETER_STRING, FIELD(value), NUMBER, OF(DOT), .help = "Value c; default: 0."},
    {"factor", PARAMETER_STRING, FIELD(factor), NUMBER, OF(ORTHONORMAL | DOT),
     .help = "Factor of the constraint, which scales penalties; default: 1. orthonormal also multiplies "
             "products of different sites by sqrt(2)."},
    {"formula", PARAMETER_STRING, FIELD(formula), FORMULA, NEEDED(IMPLICIT),
     .help = "Function g of x, y, z of one site, of x1, y1, z1, x2, y2, z2 of two, or, with a Hamiltonian, "
             "of q1, ..., p1, ..."},
    {.key = NULL, .sort = constraint_sorts},
};

const Parameter config_records_potential[] = {
    SITES(potential_name,
          "gravity: -m a.q; field: -f.q; link: k/2 s^2; spring: k/2 (s - d)^2; quartic: k/4 (s^2 - d^2)^2, "
          "s being the distance of two sites or from a point; formula (default with formula).",
          ANY, ELASTIC | 1 << POTENTIAL_FORMULA, ELASTIC),
    {"acceleration", PARAMETER_STRINGS, FIELD(vector), NUMBERS, NEEDED(1 << POTENTIAL_GRAVITY),
     .rival = "force", .help = "Acceleration a."},
    {"force", PARAMETER_STRINGS, FIELD(vector), NUMBERS, NEEDED(1 << POTENTIAL_FIELD),
     .rival = "acceleration", .help = "Force f."},
    {"stiffness", PARAMETER_STRING, FIELD(stiffness), NUMBER, NEEDED(ELASTIC), .help = "Stiffness k."},
    {"length", PARAMETER_STRING, FIELD(length), NUMBER, NEEDED(STRETCHED), .help = "Rest length d."},
    {"formula", PARAMETER_STRING, FIELD(formula), FORMULA, NEEDED(1 << POTENTIAL_FORMULA),
     .help = "Energy as a function of x, y, z of one site or x1, y1, z1, x2, y2, z2 of two."},
    {.key = NULL, .sort = potential_sorts},
};
