/* The configuration of a run: the checked values of all keys of an input file, in AKMA units. */
#ifndef HOLONOM_CONFIG_CONFIG_H
#define HOLONOM_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "engine/box.h"
#include "forcefields/field.h"
#include "integrators/scheme.h"
#include "io/input.h"
#include "io/trajectory.h"
#include "methods/kinematic_search.h"
#include "observables/collective.h"
#include "observables/observable.h"

typedef enum ConfigStart { START_BUILD, START_FILE, START_MINIMUM } ConfigStart;
/* Values of system.frame other than numbers from 0. */
enum { FRAME_EACH = -3, FRAME_LAST = -2, FRAME_UNSAID = -1 };
typedef enum ConfigInitial { INITIAL_ZERO, INITIAL_MAXWELL, INITIAL_FILE } ConfigInitial;
typedef enum ConfigThermostat { THERMOSTAT_NONE, THERMOSTAT_LANGEVIN, THERMOSTAT_RESCALE } ConfigThermostat;
typedef enum ConfigBarostat { BAROSTAT_NONE, BAROSTAT_MONTE_CARLO, BAROSTAT_RESCALE } ConfigBarostat;
typedef enum ConfigMomenta { MOMENTA_RESCALED, MOMENTA_REDRAWN } ConfigMomenta;
enum { GEOMETRY_NONE, GEOMETRY_PENALTY, GEOMETRY_CONSTRAINTS }; /* the last + the row of constraint_methods */
enum { CONFIG_ALL = -1 };                                       /* output.trajectory_replica */

enum { CONFIG_TEMPERATURES_MAX = 512 }; /* exchange.number */

enum { CONFIG_BY_MOLECULE = 1, CONFIG_BY_ATOM = 2 }; /* bits of output.pressure */

/* The system type: molecules in open space or in a periodic box, or a mechanical system. */
typedef enum ConfigSort {
#define SORT(name, ...) SORT_##name,
#include "config/config_sorts.def"
#undef SORT
  CONFIG_SORTS
} ConfigSort;

/* Every key, such as KEY_integrator_timestep: its row in config_table. */
typedef enum ConfigKey {
#define KEY1(name, ...)                  KEY_##name,
#define KEY2(section, name, ...)         KEY_##section##_##name,
#define KEY3(section, around, name, ...) KEY_##section##_##around##_##name,
#define RENAMED(...)
#define GONE(...)
#include "config/config_keys.def"
#undef KEY1
#undef KEY2
#undef KEY3
#undef RENAMED
#undef GONE
  KEYS
} ConfigKey;
#define KEY(name)         ((InputKey){.row = KEY_##name})
#define KEY_SECTION(name) ((InputKey){.row = KEY_##name, .section = true}) /* its section */

struct Expression; /* formula/expression.h */

/* Record `number` of the list of output for a form. */
typedef struct ConfigCoordinate {
  CoordinateForm form;
  int number;
} ConfigCoordinate;

/* A collective coordinate: a record of output.torsions and the other lists. */
typedef struct ConfigCollective {
  const char *name, *molecule; /* molecule NULL: atoms of the whole system */
  InputStrings atoms;          /* one selection, or a list of atoms */
  int axis;                    /* 0: z, 1: x, 2: y */
  double radius;               /* of contacts, A; 0: not given */
  InputReals powers;           /* of contacts; none: 6 and 12 */
  const char *file;            /* of points or a reference, as written; NULL: the start */
  const char *formula;         /* NULL: a coordinate of atoms */
  /* found: */
  const struct Expression *expression; /* of a formula, whose variables are the values of: */
  int ncoordinate;
  const ConfigCoordinate *coordinate; /* [ncoordinate] */
} ConfigCollective;

enum { CONFIG_FORMULA_COORDINATES = 64 /* the most of a formula */ };

/* Springs from atoms to points, or on a coordinate between sites: a record of `restraints`. */
typedef struct ConfigRestraint {
  ConfigCollective of; /* atoms and molecule */
  InputReals k;        /* kcal/mol/A^2: one, or one for each axis; of an angle kcal/mol/rad^2 */
  int coordinate;      /* 0: points, else 1 + CoordinateForm */
  double centre;       /* of a coordinate: A, degrees             */
  double flat;         /* A                                       */
  double above, below; /* A: walls; see config_walls              */
  int scale;           /* ConfigScale                             */
} ConfigRestraint;

/* A potential of named coordinates of `output`: a record of `biases`. Numbers are texts with units, one for
 * all replicas, a list, or linear(first, last). */
typedef struct ConfigBias {
  InputStrings on;
  const char *name; /* of its parameters and files; NULL: the name of the first coordinate */
  int type;         /* BiasForm */
  InputStrings k, centre, above, below, from, to, width;
  double height; /* kcal/mol */
  double every;  /* AKMA time between hills */
  double factor; /* of well-tempered metadynamics */
  double over;   /* AKMA time in which the centre of a pull moves */
  /* found: */
  CoordinateForm form; /* of the first coordinate */
  const char *full;    /* the name */
  double low[2], high[2],
      wide[2];    /* of metadynamics: edges, A, degrees or numbers; widths, A, radians or numbers */
  int64_t stride; /* steps between hills, or between stairs of a pull */
  int64_t stairs; /* of a pull */
  int nend[2];    /* ... its centres at the start and at the end: one, or one for each replica; 0: wrong */
  const double *end[2]; /* [nend], A, degrees or numbers */
  const char *constant; /* "centre", "above" or "below": the second parameter */
} ConfigBias;

/* The coordinate that a restraint acts on; NULL: it ties atoms to points. */
const CoordinateType *config_parameters_coordinate(const ConfigRestraint *restraint);

/* Which of the keys `above` and `below` record i of `restraints` has, so that it is walls and has no points.
 */
enum { WALL_ABOVE = 1, WALL_BELOW = 2 };
int config_walls(const Input *in, int i);

/* The unit of a restrained coordinate's constant k, or of its centre: "kcal/mol/A^2", "A", "". */
const char *config_parameters_unit(const CoordinateType *type, bool centre);

/* How points follow the box. */
typedef enum ConfigScale { SCALE_CENTRES, SCALE_NONE, SCALE_ALL } ConfigScale;

/* Temperature and pressure at a time: a record of `schedule`. */
typedef struct ConfigSchedulePoint {
  double time;                      /* AKMA */
  InputReals temperature, pressure; /* kcal/mol, kcal/mol/A^3: none, one, or one for each replica */
} ConfigSchedulePoint;
typedef enum ConfigScheduled { SCHEDULED_TEMPERATURE, SCHEDULED_PRESSURE, SCHEDULED } ConfigScheduled;

/* The quantity of a parameter, in AKMA units or degrees. */
typedef enum ConfigMeasure {
  CONFIG_PLAIN,
  CONFIG_STIFFNESS,
  CONFIG_LENGTH,
  CONFIG_BEND,
  CONFIG_DEGREES,
  CONFIG_ENERGY
} ConfigMeasure;

/* A parameter of the Hamiltonian: a named restraint's k or centre, or one of `parameters`. */
enum { CONFIG_PARAMETERS = 64, CONFIG_PARAMETER_NAME = 24 };
typedef struct ConfigParameter {
  char name[CONFIG_PARAMETER_NAME + 16]; /* "pull.centre" */
  ConfigMeasure measures;
  bool positive;      /* values must not be negative                        */
  double most;        /* the largest value of a positive one; 0: any        */
  bool turns;         /* of a whole turn: linear() leaves out its last point */
  double value;       /* of replicas without a value in `each`              */
  int record;         /* 1 + the record of `biases` that gives `each`; 0: none */
  int row;            /* 1 + the ConfigKey that gives `each`; 0: none */
  const char *key;    /* of that record; NULL: the last part of the name */
  bool states;        /* `each` has a value for each state of a ladder, else for each replica */
  int neach;          /* 0: none                                            */
  const double *each; /* [neach] */
} ConfigParameter;

typedef struct ConfigPair {
  InputStrings between;
} ConfigPair;

/* Hydrogen bonds within a selection, or between two. */
typedef struct ConfigHydrogenBonds {
  const char *name;
  InputStrings between;
} ConfigHydrogenBonds;

/* How some bonds or angles are constrained or penalised, instead of by geometry.method. */
typedef struct ConfigKeep {
  InputStrings atoms; /* two or three */
  int method;         /* GEOMETRY_... */
  double w;           /* of a penalty; 0: geometry.w */
} ConfigKeep;

/* A friction of some atoms: a record of thermostat.frictions. */
typedef struct ConfigFriction {
  InputStrings atoms; /* selections within each molecule type, joined */
  double friction;    /* AKMA, as thermostat.friction */
} ConfigFriction;

/* Records of a mechanical system. Numbers are formulas, not yet evaluated with system.constants. */
typedef struct ConfigSite {
  const char *count, *mass, *name;
  InputStrings position, momentum, velocity;
} ConfigSite;

typedef enum ConfigConstraintType {
  CONSTRAIN_DISTANCE,
  CONSTRAIN_ANCHOR,
  CONSTRAIN_IMPLICIT,
  CONSTRAIN_ORTHONORMAL,
  CONSTRAIN_DOT
} ConfigConstraintType;

typedef enum ConfigPotentialType {
  POTENTIAL_GRAVITY,
  POTENTIAL_FIELD,
  POTENTIAL_LINK,
  POTENTIAL_SPRING,
  POTENTIAL_QUARTIC,
  POTENTIAL_FORMULA
} ConfigPotentialType;

/* A constraint or a potential. */
typedef struct ConfigTerm {
  int type; /* ConfigConstraintType or ConfigPotentialType */
  const char *site;
  InputStrings sites, chain, ring;
  InputStrings point, vector;              /* vector: acceleration or force */
  const char *length, *stiffness, *factor; /* length: distance of constraints */
  const char *value, *formula;
} ConfigTerm;

typedef struct Config {
  const char *title;
  ConfigSort sort;
  bool reduced; /* numbers have no units */
  int64_t seed;
  int precision; /* 0 double, 1 mixed */
  struct {
    const char *model;
    const char *topology; /* as written; a file of molecules, or NULL */
    InputMap types;       /* a map of molecules and numbers, unless it names one water alone */
    bool described;       /* files describe the molecules (topology or types) */
    int molecules;        /* of the model */
    int start;            /* ConfigStart */
    const char *file;     /* as written; config_path resolves it */
    int64_t frame;        /* of the file: a number from 0, or FRAME_... */
    double spacing;
    int64_t seed; /* of the built start */
    bool minimise, anneal;
    double minimise_tolerance; /* kcal/mol/A */
    int minimise_steps;
    bool centre; /* a cluster from a file is moved to its centre of mass */
    double mass_O, mass_H;
    FieldOptions force;         /* keys of force_rows.def, such as system.wall.radius */
    double constraining_radius; /* 0: none */
    /* Periodic boxes. */
    Box box;                    /* all zero: known from the start file or the density */
    int shape;                  /* BoxShape of a box given by one length or by its density */
    bool box_of_file, box_none; /* none: a cluster, even if its start file has a box */
    double density;             /* g/cm^3; 0: not given */
    InputMap atoms;             /* species and numbers */
    /* Mechanical systems. */
    int dimensions;
    InputMap constants;
    InputRecords sites;       /* ConfigSite */
    InputRecords constraints; /* ConfigTerm */
    InputRecords potentials;  /* ConfigTerm */
    const char *hamiltonian;
    InputStrings position, momentum; /* with a Hamiltonian */
    bool project;
  } system;
  InputRecords restraints; /* ConfigRestraint */
  InputRecords biases;     /* ConfigBias */
  struct {
    const char *molecules; /* the decoupled molecule type; NULL: none */
    int states;            /* of the ladder that its lists define; 0: they define none */
    bool exchange;         /* replicas exchange these states */
    double alpha, sigma;   /* of the soft core; sigma in A */
    int power;
    int parameter[ALCHEMY_STRENGTHS]; /* 1 + the number of the parameter; 0: no alchemy */
  } alchemy;
  const char *plumed; /* file with actions of PLUMED; NULL: none */
  const char *freeze; /* selection of atoms that do not move; NULL: none */
  struct {
    int n;
    ConfigParameter item[CONFIG_PARAMETERS];
  } parameters;
  Arena arena; /* of their values */
  struct {
    double electric[3];   /* kcal/mol/A/e; all zero: no field */
    double period, phase; /* AKMA, degrees; period 0: constant */
  } field;
  Nonbonded forces; /* of periodic boxes; `precision` replaces its `mixed` */
  struct {
    int method;               /* GEOMETRY_... */
    int constrain;            /* GroupsKeep of topology/groups.h, for molecules of files */
    double hydrogen_mass;     /* g/mol, of molecules of files; 0: as in the files */
    bool hydrogen_mass_water; /* also of waters */
    InputRecords keep;        /* of ConfigKeep: exceptions to both, in order */
    const char *solver;       /* "auto", or a row of constraint_solvers */
    double w;
    int hessian; /* 0 full, 1 gauss-newton: as PenaltyHessian of integrators/accel.h */
    double tolerance;
    int max_iterations;
    bool fixman; /* adds Fixman's potential */
  } geometry;
  struct {
    const char *word;
    InputReals weights;
    const char *acceleration; /* "verlet", "zss", "zss-block" */
    const char *method;       /* the letter H: a row of method_table, or NULL */
    const char *base, *composition;
    SearchOptions search; /* of the method kinematic-search */
    double tolerance;     /* of nonlinear solves */
    int max_iterations;
    double beta, timestep;
    int64_t steps; /* resolved: from time or steps */
  } integrator;
  struct {
    int type;        /* ConfigThermostat */
    double kT;       /* kcal/mol: resolved from temperature or inverse_temperature */
    double friction; /* AKMA */
    int convention;  /* 0 uniform, 1 mass: as Friction of thermostat/ou.h */
    bool tangent;    /* noise: tangent (always true with constraints) */
    int remove;      /* 0 none, 1 linear, 2 angular: as Removal of integrators/motion.h */
    int initial;     /* momenta: ConfigInitial */
    double time;     /* AKMA: of THERMOSTAT_RESCALE */
    /* ConfigFriction: frictions of some atoms, in order. */
    InputRecords frictions;
  } thermostat;
  struct {                        /* periodic boxes */
    int type;                     /* ConfigBarostat */
    double pressure;              /* kcal/mol/A^3 */
    int64_t every;                /* steps */
    int shape;                    /* as BarostatShape of simulation/ensemble/barostat.h */
    double compressibility, time; /* A^3 mol/kcal, AKMA: of BAROSTAT_RESCALE */
    int until;                    /* 0: the end, 1: the end of equilibration */
  } barostat;
  struct {
    InputRecords points;     /* ConfigSchedulePoint, in the order of time; none: constant conditions */
    int64_t every;           /* steps between updates */
    double start[SCHEDULED]; /* values at time 0 without a point there; reduced temperatures are kT */
    bool varies;             /* a quantity changes after equilibration or differs between replicas, the field
                                oscillates, or a bias pulls */
  } schedule; /* thermostat.kT and barostat.pressure are those of replica 0 after the last point */
  struct {
    int replicas, threads; /* threads 0: all */
  } ensemble;
  struct {
    int number;                               /* number of states of the ladder; 0: no ladder */
    double kT[CONFIG_TEMPERATURES_MAX];       /* [number] kcal/mol; rising, unless states differ in more */
    double pressure[CONFIG_TEMPERATURES_MAX]; /* [number] kcal/mol/A^3, with a barostat */
    double lowest, highest;
    int ladders;
    int64_t interval; /* steps */
    int momenta;      /* ConfigMomenta */
    int trajectory;   /* 0 by temperature, 1 by replica */
    double acceptance;
    int tunings;
    int reweights;          /* number of temperatures for reweighting */
    const double *reweight; /* [reweights] kcal/mol, rising, within the ladder; owned by the Input */
  } exchange;
  struct {
    int64_t equilibration;                                     /* resolved to steps */
    InputMap observables;                                      /* names and formulas, of mechanical systems */
    int64_t thermo_every, trajectory_every, multipliers_every; /* steps; 0: off */
    unsigned trajectory;                                       /* bit i: row i of trajectory_formats       */
    int trajectory_replica;                                    /* CONFIG_ALL: all */
    struct {                                                   /* of a row of trajectory_formats */
      int64_t every;                                           /* steps */
      InputStrings atoms;                                      /* selections; empty: all           */
    } frames[TRAJECTORY_FORMATS];
    double xtc_precision;      /* angstrom */
    double multipliers_window; /* AKMA time */
    bool wrap, velocities;
    InputRecords collective[COORDINATES]; /* of ConfigCollective: a list for each coordinate     */
    InputRecords rdf_sites;               /* of ConfigCollective: names of selections             */
    InputRecords hydrogen_bonds;          /* of ConfigHydrogenBonds: selections and their names   */
    InputRecords torsion_pairs;           /* of ConfigPair: names of torsions                     */
    ObservableOptions observe;            /* keys of observable_rows.def */
    unsigned pressure;                    /* CONFIG_BY_MOLECULE | CONFIG_BY_ATOM */
    bool surface_tension;                 /* of interfaces normal to z */
    bool conserved, report, progress;
    double checkpoint_every; /* s of wall time; 0: only at the end */
  } output;
  Input *input; /* for messages with file and line */
} Config;

/* The table of all keys. */
extern const Parameter config_table[KEYS + 1];

/* Whether systems of this type accept the key. */
bool config_table_has(ConfigSort sort, InputKey key);

/* Write docs/input.md, and every-key.yaml of the examples for a system type. Errors: STATUS_IO. */
Status config_keys_page(FILE *file, Error *error);
Status config_keys_example(ConfigSort sort, FILE *file, Error *error);

/* Writes all keys as JSON (input_describe_json); the caller frees *json. Errors: STATUS_MEMORY. */
Status config_keys_json(char **json, Error *error);

/* Reads and checks an input file; set[nset] are overrides "key=value" (io/input.h). Errors: STATUS_INPUT with
 * file, line, key, the value found, the values allowed and the nearest name; STATUS_MEMORY; STATUS_IO. */
Status config_load(const char *path, const char *const *set, int nset, Config **config, Error *error);

/* Reads and checks a text; `name` is the file name in messages. */
Status config_parse(const char *name, const char *text, const char *const *set, int nset, Config **config,
                    Error *error);

/* Whether the system is mechanical (sites or a Hamiltonian). */
bool config_mechanical(const Config *config);

/* input_bare for molecules; false for mechanical systems, whose numbers may be bare. */
bool config_bare(const Config *config, char *words, size_t size);

/* Reads a box from one length (with this shape), three lengths, three lengths with three angles in degrees,
 * or the nine numbers of the edges; lengths may have units. Errors: STATUS_INPUT. */
Status config_box_read(const InputStrings *text, BoxShape shape, Box *box, Error *error);

/* Checks that the shortest side of the box is at least twice the cutoff. Errors: STATUS_INPUT. */
Status config_box_holds_cutoff(const Config *config, const Box *box, Error *error);

/* The number of samples of thermo_every after equilibration. */
int64_t config_samples(const Config *config);

/* The greatest common divisor of the strides of all trajectories. */
int64_t config_frames_every(const Config *config);

/* The name of the constraint method, or NULL. */
const char *config_constraint_method(const Config *config);

/* Whether there are penalties. */
bool config_penalises(const Config *config);

/* The kT (kcal/mol, or reduced) or pressure (kcal/mol/A^3) of a replica for the step after `step`: linear
 * between the points of the schedule, updated every schedule.every steps, constant after the last point. */
double config_schedule_at(const Config *config, ConfigScheduled what, int replica, int64_t step);

/* Whether the schedule changes this quantity; and whether it gives its value at time 0. */
bool config_schedule_has(const Config *config, ConfigScheduled what);
bool config_schedule_begins(const Config *config, ConfigScheduled what);

/* The highest kT of the schedule in any replica. */
double config_schedule_highest(const Config *config);

/* Writes the points, "300 K at 0, 600 K at 50 ps, linear between", into words[size]. False: this quantity is
 * not scheduled. */
bool config_schedule_words(const Config *config, ConfigScheduled what, char *words, size_t size);

/* The number of states in exchange.parameters; 0: states differ only in temperature. */
int config_parameters_states(const Config *config);

/* Whether there is an electric field. */
static inline bool config_field_is(const Config *config)
{
  const double *e = config->field.electric;
  return e[0] != 0.0 || e[1] != 0.0 || e[2] != 0.0;
}

/* The key that gives the values of a parameter in each replica or state. */
InputKey config_parameter_each(const ConfigParameter *parameter);

/* Finds the coordinate of this name among those of output: its form, and its number in the list of that form.
 * False: no coordinate has this name. */
bool config_biases_find(const Config *config, const char *name, CoordinateForm *form, int *number);

/* Whether there are biases, and all are harmonic or walls, as those of umbrella windows. */
bool config_biases_windowed(const Config *config);

/* The bias that pulls, or NULL; and the number of its first step: its centre moves after equilibration. */
const ConfigBias *config_biases_pull(const Config *config);
int64_t config_biases_pull_begin(const Config *config);

/* The momenta that restraints and fields conserve: none if they tie atoms to points, linear momentum if they
 * act along an axis, else linear and angular momentum. */
Removal config_parameters_conserved(const Config *config);

/* The unit, such as "A"; "" for a plain number. */
const char *config_parameter_unit(const ConfigParameter *parameter);

/* Frees the configuration; NULL is allowed. */
void config_free(Config *config);

/* Resolves a path relative to the input file's folder; the caller frees it. NULL: no memory. */
char *config_path(const Config *config, const char *path);

#endif
