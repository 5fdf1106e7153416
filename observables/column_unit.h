/* The units of all tables that runs and `holonom observe` leave, in one place: what a table's column is in,
 * for hol_column_unit, hol_table_unit (the Python package), the pages of runs. */
#ifndef HOLONOM_OBSERVABLES_COLUMN_UNIT_H
#define HOLONOM_OBSERVABLES_COLUMN_UNIT_H

/* Of a column, or of its error ("total_err"), of the table NAME.csv ("thermo"): "kcal/mol"; "": a pure
 * number. NULL: not known, as of what a user calls an observable. Systems in reduced units have none. The
 * columns of replicas.csv are those of thermo.csv, of mechanical systems those of ensemble.csv. */
const char *column_unit(const char *table, const char *column);

#endif
