/* What the files of the configuration share. */
#ifndef HOLONOM_CONFIG_CONFIG_PRIVATE_H
#define HOLONOM_CONFIG_CONFIG_PRIVATE_H

#include "config/config.h"

/* What is read before it is resolved: the configuration, and keys that it keeps in another form. */
typedef struct Draft {
  Config config;
  int units;
  double time;          /* integrator.time                    */
  double equilibration; /* output.equilibration               */
  double inverse_temperature;
  int noise;
  InputStrings box;        /* system.box      */
  const char *frame;       /* system.frame   */
  const char *replica;     /* output.trajectory_replica */
  int forces_by;           /* forces.by       */
  InputReals grid;         /* forces.grid     */
  int pressure;            /* output.pressure */
  InputReals temperatures; /* exchange.temperatures */
  InputReals reweight;     /* exchange.reweight */
  InputMap parameters;     /* of the Hamiltonian */
  InputMap by_replica;     /* ensemble.parameters */
  InputMap by_state;       /* exchange.parameters */
} Draft;

enum { NOISE_ALL, NOISE_TANGENT };

/* Traits of a sort. */
enum {
  SORT_MECHANICAL = 1, /* sites or coordinates, not molecules */
  SORT_GENERAL = 2,    /* no masses and potentials: H is any function */
  SORT_PERIODIC = 4
};

/* What the rows of config_sorts.def say of the configuration. */
typedef struct ConfigSortRow {
  int key; /* a ConfigKey, or KEYS */
  unsigned traits;
  void (*check)(Draft *draft, Input *in);
  void (*own)(Draft *draft, Input *in); /* within that; may be NULL */
} ConfigSortRow;
extern const ConfigSortRow config_sorts[CONFIG_SORTS];

static inline bool config_sort_is(const Config *config, unsigned trait)
{
  return (config_sorts[config->sort].traits & trait) != 0;
}

/* Tables of records. */
extern const Parameter config_records_collective[], config_records_pair[], config_records_restraint[],
    config_records_keep[];

/* How geometry is kept: by name, as geometry.method counts; NULL after the last. */
const char *config_table_method(int i);

extern const Parameter config_records_site[], config_records_constraint[], config_records_potential[];
/* The first rows of the last two. */
enum { RECORDS_TYPE, RECORDS_SITE, RECORDS_SITES, RECORDS_CHAIN, RECORDS_RING, RECORDS_POINT };

/* Reads and checks what is said of a start file: complains if it is not named or cannot be read. */
void config_check_file(Draft *draft, Input *in);

/* Checks of clusters and boxes; the start of a cluster. */
void config_check_molecules(Draft *draft, Input *in);
void config_check_start(Draft *draft, Input *in);

/* Complains of what does not go with molecules that files describe. */
void config_check_described(Draft *draft, Input *in);

/* Checks of a mechanical system, in place of those of water. */
void config_mechanics_check(Draft *draft, Input *in);
/* Of sites or of a Hamiltonian alone: their records. */
void config_mechanics_sites(Draft *draft, Input *in);
void config_mechanics_hamiltonian(Draft *draft, Input *in);

/* Reads the parameters of the Hamiltonian with their lists of values; once all else is known, checks whether
 * lists are as long as there are replicas and states, and whether restraints conserve what is removed. */
void config_parameters_read(Draft *draft, Input *in);
void config_parameters_check(const Config *config, Input *in);

/* A ladder of temperatures, and the replicas that it makes. */
void config_exchange_check(Draft *draft, Input *in);

/* Whether system.box says that there is none. */
bool config_box_none(const Draft *draft);

/* What is missing or goes too far in a periodic box, in place of the checks of a cluster's start. */
void config_box_check(Draft *draft, Input *in);

/* Whether a barostat moves the box at all; after times have become steps. */
void config_box_check_moves(const Config *c, Input *in);

#endif
