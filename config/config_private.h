/* Declarations shared by the files of config/. */
#ifndef HOLONOM_CONFIG_CONFIG_PRIVATE_H
#define HOLONOM_CONFIG_CONFIG_PRIVATE_H

#include "config/config.h"

/* The configuration while it is read, and the keys that it stores in another form. */
typedef struct Draft {
  Config config;
  int units;
  double time;          /* integrator.time                    */
  double equilibration; /* output.equilibration               */
  double inverse_temperature;
  int noise;
  InputStrings box;                        /* system.box      */
  const char *frame;                       /* system.frame   */
  const char *replica;                     /* output.trajectory_replica */
  int forces_by;                           /* forces.by       */
  InputReals grid;                         /* forces.grid     */
  InputReals electric;                     /* field.electric  */
  int pressure;                            /* output.pressure */
  InputReals temperatures;                 /* exchange.temperatures */
  InputReals reweight;                     /* exchange.reweight */
  InputReals pressures;                    /* exchange.pressures */
  InputMap parameters;                     /* of the Hamiltonian */
  InputMap by_replica;                     /* ensemble.parameters */
  InputMap by_state;                       /* exchange.parameters */
  InputStrings alchemy[ALCHEMY_STRENGTHS]; /* alchemy.coulomb, alchemy.lj */
} Draft;

enum { NOISE_ALL, NOISE_TANGENT };

/* Traits of a system type. */
enum {
  SORT_MECHANICAL = 1, /* sites or coordinates, not molecules */
  SORT_GENERAL = 2,    /* no masses and potentials: H is any function */
  SORT_PERIODIC = 4
};

/* The columns of config_sorts.def that checks use. */
typedef struct ConfigSortRow {
  int key; /* a ConfigKey, or KEYS */
  unsigned traits;
  void (*check)(Draft *draft, Input *in);
  void (*own)(Draft *draft, Input *in); /* called by check; may be NULL */
} ConfigSortRow;
extern const ConfigSortRow config_sorts[CONFIG_SORTS];

static inline bool config_sort_is(const Config *config, unsigned trait)
{
  return (config_sorts[config->sort].traits & trait) != 0;
}

/* Tables of records. */
extern const Parameter config_records_collective[], config_records_hydrogen_bonds[], config_records_pair[],
    config_records_restraint[], config_records_keep[], config_records_friction[], config_records_schedule[],
    config_records_bias[];

/* The name of value i of geometry.method; NULL after the last. */
const char *config_table_method(int i);

extern const Parameter config_records_site[], config_records_constraint[], config_records_potential[];
/* The first rows of the last two tables. */
enum { RECORDS_TYPE, RECORDS_SITE, RECORDS_SITES, RECORDS_CHAIN, RECORDS_RING, RECORDS_POINT };

/* Checks the keys of a start file, and that the file can be read. */
void config_check_file(Draft *draft, Input *in);

/* Check clusters and boxes; the start of a cluster. */
void config_check_molecules(Draft *draft, Input *in);
void config_check_start(Draft *draft, Input *in);

/* Reports keys that contradict molecules of files. */
void config_check_described(Draft *draft, Input *in);

/* Checks a mechanical system. */
void config_mechanics_check(Draft *draft, Input *in);
/* Check the records of sites, and those of a Hamiltonian. */
void config_mechanics_sites(Draft *draft, Input *in);
void config_mechanics_hamiltonian(Draft *draft, Input *in);

/* Read the parameters of the Hamiltonian with their lists of values; and check, when all other keys are
 * known, that the lists have a value for each replica or state, and that restraints conserve the removed
 * momenta. */
void config_parameters_read(Draft *draft, Input *in);
void config_parameters_check(const Config *config, Input *in);

/* Reads a text of values for the parameter p: one, a list, or linear(first, last) for `count` values (0:
 * the text must have a number). Returns their number, or -1 after reporting an error. */
enum { CONFIG_LINEAR = 65536 };
int config_parameters_numbers(Config *c, Input *in, InputKey key, const char *text, const ConfigParameter *p,
                              int count, double **out);

/* Whether a name is valid; reports one that is not. */
bool config_parameters_name(Input *in, InputKey key, const char *name);

/* The same for a list of texts. */
int config_parameters_list(Draft *draft, Input *in, InputKey key, const InputStrings *list,
                           const ConfigParameter *p, int count, const double **value);

/* Adds the parameter NAME followed by `of`. */
void config_parameters_add(Draft *draft, Input *in, InputKey key, const char *name, const char *of,
                           ConfigParameter like);

/* The momenta among `conserved` that potentials of a coordinate conserve, too. */
Removal config_parameters_kept(const CoordinateType *type, Removal conserved);

/* Read the formulas of output and of restraints; and the same momenta for a coordinate, which may be a
 * formula.
 */
void config_formulas_read(Draft *draft, Input *in);
Removal config_formulas_kept(const Config *config, CoordinateForm form, const ConfigCollective *record,
                             Removal conserved);

/* Reports a formula that jumps where a torsion passes 180 degrees, since its potentials would have no force
 * there. */
void config_formulas_check(const Config *config, Input *in, InputKey key, const ConfigCollective *record);

/* The measures of k and of points on a coordinate, and whether these points are 0 or more. */
ConfigMeasure config_parameters_stiffness(const CoordinateType *type);
ConfigMeasure config_parameters_centre(const CoordinateType *type);
bool config_parameters_positive(const CoordinateType *type);

/* A parameter that is a value of the coordinate, without its name and value. */
ConfigParameter config_parameters_point(const CoordinateType *type);

/* Reads the biases, and adds their parameters. */
void config_biases_read(Draft *draft, Input *in);

/* Reads the strengths of the section alchemy, and adds them as parameters; checks what cannot be combined
 * with a ladder of them. */
void config_alchemy_read(Draft *draft, Input *in);
void config_alchemy_check(const Config *config, Input *in);

/* Read the keys of metadynamics in a record; and whether any record has metadynamics. */
void config_biases_hills_read(Draft *draft, Input *in, int record, ConfigBias *bias);
bool config_biases_hills_any(const Config *config);

/* Reads the keys of a pull in a record, and adds the parameter NAME.centre, which begins at the start of the
 * pull. Checks what a pull cannot be combined with, once times and schedule are known. */
void config_biases_pull_read(Draft *draft, Input *in, int record, ConfigBias *bias);
void config_biases_pull_check(Config *config, Input *in);

/* Reads the values of a list of a record for a parameter; their number, or -1 after reporting an error. Adds
 * the parameter NAME.KEY with the values of the record's key `of`. */
int config_biases_values(Draft *draft, Input *in, int record, const char *of, const InputStrings *list,
                         const ConfigParameter *like, const double **value);
void config_biases_add(Draft *draft, Input *in, int record, const ConfigBias *bias, const char *key,
                       const char *of, const InputStrings *list, ConfigParameter like);

/* Refuses what cannot be combined with biases of PLUMED. */
void config_plumed_check(const Config *config, Input *in);

/* The momenta among `conserved` that the biases conserve, too. */
Removal config_biases_conserved(const Config *config, Removal conserved);

/* The nearest number of steps of length h to a time, with a note if they differ. -1: too many steps. */
int64_t config_steps(Input *in, InputKey key, double time, double h);

/* Checks the schedule, when times are known in steps, and sets the temperature and pressure of its end. */
void config_schedule_check(Draft *draft, Input *in);

/* Checks the ladder, and sets its states and the number of replicas. */
void config_exchange_check(Draft *draft, Input *in);

/* Checks record i of `restraints` if it is walls. */
void config_walls_check(Input *in, int i, const ConfigRestraint *record);

/* Checks the electric field, and reads its components. */
void config_field_check(Draft *draft, Input *in);

/* Whether system.box is `none`. */
bool config_box_none(const Draft *draft);

/* Checks a periodic box, its forces, its start and its barostat. */
void config_box_check(Draft *draft, Input *in);

/* Checks that a barostat moves the box, when times are known in steps. */
void config_box_check_moves(const Config *c, Input *in);

#endif
