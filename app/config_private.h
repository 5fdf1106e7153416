/* What the files of the configuration share. */
#ifndef HOLONOM_APP_CONFIG_PRIVATE_H
#define HOLONOM_APP_CONFIG_PRIVATE_H

#include "app/config.h"

/* What is read before it is resolved: the configuration, and keys that it keeps in another form. */
typedef struct Draft {
  Config config;
  int units;
  double time;          /* integrator.time                    */
  double equilibration; /* output.equilibration               */
  double inverse_temperature;
  int thermostat, noise, initial;
} Draft;

enum { THERMOSTAT_NONE, THERMOSTAT_LANGEVIN };
enum { NOISE_ALL, NOISE_TANGENT };
enum { INITIAL_ZERO, INITIAL_MAXWELL };

/* Tables of records. */
extern const Parameter config_mechanics_site[], config_mechanics_constraint[], config_mechanics_potential[];

/* Finds out what the file is about, and complains of keys that have no place there. False if it is about
 * nothing, or about two things, so that more complaints would only confuse. */
bool config_mechanics_sort(Draft *draft, Input *in);

/* Defaults and checks of a mechanical system, in place of those of water. */
void config_mechanics_check(Draft *draft, Input *in);

/* After all checks: takes keys that have no effect on this system out of the printout, and remarks on those
 * that were given. */
void config_mechanics_trim(const Draft *draft, Input *in);

#endif
