/* The configuration of a run: every key of the input file, checked for meaning, in AKMA units. */
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
/* Of system.frame, beside numbers from 0. */
enum { FRAME_EACH = -3, FRAME_LAST = -2, FRAME_UNSAID = -1 };
typedef enum ConfigInitial { INITIAL_ZERO, INITIAL_MAXWELL, INITIAL_FILE } ConfigInitial;
typedef enum ConfigThermostat { THERMOSTAT_NONE, THERMOSTAT_LANGEVIN, THERMOSTAT_RESCALE } ConfigThermostat;
typedef enum ConfigBarostat { BAROSTAT_NONE, BAROSTAT_MONTE_CARLO, BAROSTAT_RESCALE } ConfigBarostat;
typedef enum ConfigMomenta { MOMENTA_RESCALED, MOMENTA_REDRAWN } ConfigMomenta;
enum { GEOMETRY_NONE, GEOMETRY_PENALTY, GEOMETRY_CONSTRAINTS }; /* the last + the row of constraint_methods */
enum { CONFIG_ALL = -1 };                                       /* output.trajectory_replica */

enum { CONFIG_TEMPERATURES_MAX = 512 }; /* exchange.number */

enum { CONFIG_BY_MOLECULE = 1, CONFIG_BY_ATOM = 2 }; /* bits of output.pressure */

/* What an input file is about: molecules in open space or in a periodic box, or a mechanical system. */
typedef enum ConfigSort {
#define SORT(name, ...) SORT_##name,
#include "config/config_sorts.def"
#undef SORT
  CONFIG_SORTS
} ConfigSort;

/* Every key, KEY_integrator_timestep and so on: the rows of config_table. */
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
#define KEY_SECTION(name) ((InputKey){.row = KEY_##name, .section = true}) /* the section that it is in */

/* A coordinate that is measured; two of them. */
typedef struct ConfigCollective {
  const char *name, *molecule; /* molecule NULL: atoms are those of the system */
  InputStrings atoms;          /* one selection, or a list of atoms */
} ConfigCollective;

/* Springs from atoms to points, or on a coordinate between sites: an entry of `restraints`. */
typedef struct ConfigRestraint {
  ConfigCollective of; /* atoms and molecule, as there */
  InputReals k;        /* kcal/mol/A^2: one, or one for each axis; of an angle kcal/mol/rad^2 */
  int coordinate;      /* what is held: 0 points, else 1 + CoordinateForm */
  double centre;       /* of a coordinate: A, degrees             */
  double flat;         /* A                                       */
  const char *file;    /* as written; NULL: the start             */
  int scale;           /* ConfigScale                             */
} ConfigRestraint;

/* The coordinate that a restraint holds; NULL: it ties atoms to points. */
const CoordinateType *config_parameters_coordinate(const ConfigRestraint *restraint);

/* What of a point follows the box. */
typedef enum ConfigScale { SCALE_CENTRES, SCALE_NONE, SCALE_ALL } ConfigScale;

/* What the values of a parameter measure, in AKMA units and degrees. */
typedef enum ConfigMeasure {
  CONFIG_PLAIN,
  CONFIG_STIFFNESS,
  CONFIG_LENGTH,
  CONFIG_BEND,
  CONFIG_DEGREES
} ConfigMeasure;

/* A parameter of the Hamiltonian: a named restraint's k or centre, or one of `parameters`. */
enum { CONFIG_PARAMETERS = 64, CONFIG_PARAMETER_NAME = 24 };
typedef struct ConfigParameter {
  char name[CONFIG_PARAMETER_NAME + 16]; /* "pull.centre" */
  ConfigMeasure measures;
  bool positive;      /* 0 or more                                          */
  double value;       /* of replicas that have none of their own            */
  bool states;        /* `each` is of the states of a ladder, else of the replicas */
  int neach;          /* 0: none                                            */
  const double *each; /* [neach] */
} ConfigParameter;

typedef struct ConfigPair {
  InputStrings between;
} ConfigPair;

/* How bonds or angles between some atoms are held, in place of geometry.method. */
typedef struct ConfigKeep {
  InputStrings atoms; /* two or three */
  int method;         /* GEOMETRY_... */
  double w;           /* of a penalty; 0: geometry.w */
} ConfigKeep;

/* Records of a mechanical system. Numbers are formulas as text, to be evaluated with system.constants. */
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

/* A constraint, or a potential: which sites, and what of them. */
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
    InputMap types;       /* molecules and their numbers where a map names them, but for one water alone */
    bool described;       /* files describe the molecules: topology, or types */
    int molecules;        /* of the model */
    int start;            /* ConfigStart */
    const char *file;     /* as written; config_path() resolves it against the input file's folder */
    int64_t frame;        /* of the file: a number from 0, or FRAME_... */
    double spacing;
    int64_t seed; /* of the built start */
    bool minimise, anneal;
    double minimise_tolerance; /* kcal/mol/A */
    int minimise_steps;
    bool centre; /* a cluster from a file is moved to its centre of mass */
    double mass_O, mass_H;
    FieldOptions force;         /* keys of the rows of force_rows.def: system.wall.radius and so on */
    double constraining_radius; /* 0: none */
    /* Periodic boxes. */
    Box box;   /* all zero: not known before the start is (box_of_file), or from the density */
    int shape; /* BoxShape: of a box of one length, or by its density                           */
    bool box_of_file, box_none; /* none: a cluster, whatever box its start file has */
    double density; /* g/cm^3; 0: not given                                                       */
    InputMap atoms; /* species and numbers                                                        */
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
  struct {
    int n;
    ConfigParameter item[CONFIG_PARAMETERS];
  } parameters;
  Arena arena;      /* of their values */
  Nonbonded forces; /* of periodic boxes; `mixed` stands in system */
  struct {
    int method;         /* GEOMETRY_... */
    int constrain;      /* GroupsKeep of topology/groups.h: of molecules of a file */
    InputRecords keep;  /* of ConfigKeep: changes of both, in order */
    const char *solver; /* "auto", or a row of constraint_solvers */
    double w;
    int hessian; /* 0 full, 1 gauss-newton: as PenaltyHessian of integrators/accel.h */
    double tolerance;
    int max_iterations;
    bool fixman; /* with Fixman's potential */
  } geometry;
  struct {
    const char *word;
    InputReals weights;
    const char *acceleration; /* "verlet", "zss", "zss-block" */
    const char *method;       /* what H does: a row of method_table, or NULL */
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
  } thermostat;
  struct {                        /* periodic boxes */
    int type;                     /* ConfigBarostat */
    double pressure;              /* kcal/mol/A^3 */
    int64_t every;                /* steps */
    int shape;                    /* as BarostatShape of simulation/ensemble/barostat.h */
    double compressibility, time; /* A^3 mol/kcal, AKMA: of BAROSTAT_RESCALE */
    int until;                    /* 0 the end, 1 that of equilibration */
  } barostat;
  struct {
    int replicas, threads; /* threads 0: all */
  } ensemble;
  struct {
    int number;                         /* of temperatures of a ladder; 0: there is none */
    double kT[CONFIG_TEMPERATURES_MAX]; /* [number] kcal/mol, rising */
    double lowest, highest;
    int ladders;
    int64_t interval; /* steps */
    int momenta;      /* ConfigMomenta */
    int trajectory;   /* 0 by temperature, 1 by replica */
    double acceptance;
    int tunings;
    int reweights;          /* temperatures that observables are wanted at, too */
    const double *reweight; /* [reweights] kcal/mol, rising, within the ladder; of the Input */
  } exchange;
  struct {
    int64_t equilibration;                                     /* resolved to steps */
    InputMap observables;                                      /* of mechanical systems: names and formulas */
    int64_t thermo_every, trajectory_every, multipliers_every; /* steps; 0: off */
    unsigned trajectory;                                       /* bit i: row i of trajectory_formats       */
    int trajectory_replica;                                    /* CONFIG_ALL: every one */
    struct {                                                   /* of a row of trajectory_formats */
      int64_t every;                                           /* steps, of those that are written */
      InputStrings atoms;                                      /* selections; none: all            */
    } frames[TRAJECTORY_FORMATS];
    double xtc_precision;      /* angstrom */
    double multipliers_window; /* AKMA time */
    bool wrap, velocities;
    InputRecords collective[COORDINATES]; /* of ConfigCollective: lists of each coordinate       */
    InputRecords rdf_sites;               /* of ConfigCollective: names of selections             */
    InputRecords torsion_pairs;           /* of ConfigPair: names of torsions                     */
    ObservableOptions observe;            /* what the rows of observable_rows.def say */
    unsigned pressure;                    /* CONFIG_BY_MOLECULE | CONFIG_BY_ATOM */
    bool conserved, report, progress;
    double checkpoint_every; /* s of wall time; 0: only at the end */
  } output;
  Input *input; /* for messages with file and line */
} Config;

/* All keys, for input_describe. */
extern const Parameter config_table[KEYS + 1];

/* Whether the key has a place in systems of this sort. */
bool config_table_has(ConfigSort sort, InputKey key);

/* The manual's page of all keys, docs/input.md; and an examples' every-key.yaml. Errors: STATUS_IO. */
Status config_keys_page(FILE *file, Error *error);
Status config_keys_example(ConfigSort sort, FILE *file, Error *error);

/* All keys for programs: a JSON array, as input_describe_json has it. The caller frees it. STATUS_MEMORY. */
Status config_keys_json(char **json, Error *error);

/* Reads and checks a file; set[nset] are overrides "key=value" (see io/input.h). Errors: STATUS_INPUT with
 * file, line, key, what was found, what is wanted, the nearest name; STATUS_MEMORY; STATUS_IO. */
Status config_load(const char *path, const char *const *set, int nset, Config **config, Error *error);

/* The same from a text, `name` standing for the file. */
Status config_parse(const char *name, const char *text, const char *const *set, int nset, Config **config,
                    Error *error);

/* Whether it is a mechanical system, of sites or with a Hamiltonian, and not one of molecules. */
bool config_mechanical(const Config *config);

/* input_bare, for inputs of molecules: the numbers of mechanical systems are meant to be bare. */
bool config_bare(const Config *config, char *words, size_t size);

/* A box of one length (of that shape), three lengths, three with the angles between edges in degrees, or nine
 * numbers; lengths may have units. STATUS_INPUT. */
Status config_box_read(const InputStrings *text, BoxShape shape, Box *box, Error *error);

/* Whether the shortest side of the box is at least twice the cutoff. STATUS_INPUT. */
Status config_box_holds_cutoff(const Config *config, const Box *box, Error *error);

/* How many samples there are after equilibration, for averages over time. */
int64_t config_samples(const Config *config);

/* The largest stride of which those of all trajectories are multiples. */
int64_t config_frames_every(const Config *config);

/* The name of the method that keeps constraints exactly, or NULL. */
const char *config_constraint_method(const Config *config);

/* Whether anything is penalised. */
bool config_penalises(const Config *config);

/* How many states of a ladder the input gives parameters of; 0: states differ in temperature alone. */
int config_parameters_states(const Config *config);

/* The most of the motion of the whole that restraints leave conserved: those that tie atoms to points
 * nothing, those along an axis linear momentum. */
Removal config_parameters_conserved(const Config *config);

/* "A"; "" of a plain number. */
const char *config_parameter_unit(const ConfigParameter *parameter);

/* NULL is fine. */
void config_free(Config *config);

/* A path of the input file, relative to the folder that the file is in. The caller frees it; NULL: no
 * memory. */
char *config_path(const Config *config, const char *path);

#endif
