/* Units. Internal units are AKMA: angstrom, g/mol, kcal/mol, time unit 48.88821 fs, charge in e. */
#ifndef HOLONOM_ENGINE_UNITS_H
#define HOLONOM_ENGINE_UNITS_H

#include <stdbool.h>

#define UNITS_AKMA_FS   48.88821     /* one AKMA time unit in femtoseconds         */
#define UNITS_BOLTZMANN 0.0019872043 /* kcal/mol/K                                 */
#define UNITS_COULOMB   332.0637     /* kcal angstrom / mol / e^2                  */
#define UNITS_VOLT      23.0605480   /* kcal/mol per e V                           */
#define UNITS_JOULE     4.184        /* kJ per kcal                                */
#define UNITS_BAR       69476.9546   /* bar per kcal/mol/A^3                       */

/* The quantity of a number in an input file, with its units. */
typedef enum Quantity {
  QUANTITY_NONE,            /* dimensionless                                         */
  QUANTITY_LENGTH,          /* A, nm, pm                                             */
  QUANTITY_TIME,            /* akma, fs, ps, ns                                      */
  QUANTITY_MASS,            /* g/mol, u                                              */
  QUANTITY_ENERGY,          /* kcal/mol, kJ/mol, K                                   */
  QUANTITY_TEMPERATURE,     /* K; internally kT in kcal/mol                          */
  QUANTITY_FREQUENCY,       /* 1/akma, 1/fs, 1/ps (a friction rate)                  */
  QUANTITY_FRICTION,        /* g/mol/akma, g/mol/ps (a friction coefficient)         */
  QUANTITY_STIFFNESS,       /* kcal/mol/A^2, kJ/mol/nm^2                             */
  QUANTITY_FORCE,           /* kcal/mol/A, kJ/mol/nm                                 */
  QUANTITY_PENALTY,         /* sqrt(kcal/mol)/A^2: the w of 1/2 w^2 |g|^2            */
  QUANTITY_CHARGE,          /* e                                                     */
  QUANTITY_ELECTRIC,        /* V/A, V/nm; internally kcal/mol/A/e                    */
  QUANTITY_DENSITY,         /* g/cm3, kg/m3                                          */
  QUANTITY_PRESSURE,        /* bar, atm, MPa; internally kcal/mol/A^3                */
  QUANTITY_COMPRESSIBILITY, /* 1/bar, 1/MPa                                      */
  QUANTITY_COUNT
} Quantity;

/* The factor that converts a number in `unit` to AKMA; also accepts angstrom and kelvin signs, and ps^-1.
 * Unit "" or NULL means AKMA (for QUANTITY_TEMPERATURE: kelvin). False: the unit is not in units_list. */
bool units_factor(Quantity quantity, const char *unit, double *factor);

/* The unit of numbers without a unit, for messages and help: "A", "akma", ... */
const char *units_name(Quantity quantity);

/* All allowed units of a quantity, separated by ", ". */
const char *units_list(Quantity quantity);

#endif
