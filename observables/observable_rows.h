/* The rows of observable_table. */
#ifndef HOLONOM_OBSERVABLES_OBSERVABLE_ROWS_H
#define HOLONOM_OBSERVABLES_OBSERVABLE_ROWS_H

#include "observables/observable.h"

extern const ObservableOps observable_gofr, observable_msd, observable_vacf, observable_dipole;

#endif
