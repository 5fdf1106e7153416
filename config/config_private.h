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
  int thermostat, noise;
  InputStrings box;  /* system.box      */
  const char *frame; /* system.frame   */
  int forces_by;     /* forces.by       */
  int pressure;      /* output.pressure */
} Draft;

enum { THERMOSTAT_NONE, THERMOSTAT_LANGEVIN };
enum { NOISE_ALL, NOISE_TANGENT };

/* What geometry.method: none is before it becomes GEOMETRY_NONE. */
int config_table_no_method(void);

/* Tables of records. */
extern const Parameter config_mechanics_site[], config_mechanics_constraint[], config_mechanics_potential[];

/* Reads and checks what is said of a start file: complains if it is not named or cannot be read. */
void config_check_file(Draft *draft, Input *in);

/* Complains of keys that only a start file gives a meaning. */
void config_check_no_file(const Draft *draft, Input *in);

/* Takes a key that has no effect out of the printout, and remarks on it if it was given. */
void config_trim(Input *in, bool effective, const char *key, const char *reason);

/* The keys that say what a file is about, in the order of ConfigSort. */
enum { CONFIG_SORT_KEYS = 3 };
extern const char *const config_sort_keys[CONFIG_SORT_KEYS];

/* Finds out what the file is about, and complains of keys that have no place there. False if it is about
 * nothing, or about two things, so that more complaints would only confuse. */
bool config_sort(Draft *draft, Input *in);

/* Defaults and checks of a mechanical system, in place of those of water. */
void config_mechanics_check(Draft *draft, Input *in);

/* What is missing or goes too far in a periodic box, in place of the checks of a cluster's start. */
void config_box_check(Draft *draft, Input *in);

/* After all checks: takes keys that have no effect on this system out of the printout, and remarks on those
 * that were given. */
void config_mechanics_trim(const Draft *draft, Input *in);

#endif
