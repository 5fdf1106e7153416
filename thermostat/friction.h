#ifndef HOLONOM_THERMOSTAT_FRICTION_H
#define HOLONOM_THERMOSTAT_FRICTION_H

typedef enum Friction {
  FRICTION_UNIFORM, /* G = gamma: a site of mass m relaxes at gamma/m     */
  FRICTION_MASS     /* G = gamma M: every site relaxes at gamma           */
} Friction;

#endif
