#include "observables/column_unit.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Patterns of fnmatch, several between blanks; the first row that fits counts. */
static const struct {
  const char *tables, *columns, *unit;
} rows[] = {
    {"*", "step replica slot block samples count blocks", ""},
    {"*", "time mean_time", "AKMA"},
    {"*", "time_ps mean_time_ps", "ps"},
    {"*", "target temperature temperature_unbiased kinetic_temperature", "K"},
    /* Waters and atoms. */
    {"thermo replicas", "pressure*", "bar"},
    {"thermo replicas", "largest_g", "A^2"},
    {"thermo replicas", "p[xyz]", "g/mol A/AKMA"},
    {"thermo replicas", "l[xyz]", "g/mol A^2/AKMA"},
    {"thermo replicas", "*", "kcal/mol"}, /* terms of forces, and their sums */
    {"multipliers", "lambda_* mean_*", "kcal/mol/A^2"},
    /* Mechanical systems; coordinates of a Hamiltonian may be anything. */
    {"energy ensemble", "kinetic potential penalty penalty_excess total", "kcal/mol"},
    {"energy ensemble", "largest_g", ""},
    {"energy ensemble", "momentum_[xyz]", "g/mol A/AKMA"},
    {"energy ensemble", "angular_[xyz]", "g/mol A^2/AKMA"},
    {"trajectory ensemble", "[xyz][0-9]*", "A"},
    {"trajectory ensemble", "p[xyz][0-9]*", "g/mol A/AKMA"},
    /* Ladders of temperatures. */
    {"ladder", "kT potential potential_sd", "kcal/mol"},
    {"ladder", "acceptance attempts exchanges up", ""},
    {"heat_capacity", "energy", "kcal/mol"},
    {"heat_capacity", "heat", "kcal/mol/K"},
    {"heat_capacity", "heat_per_molecule_k free effective_samples", ""},
    /* Observables. */
    {"rdf gofr rdf_ladder rdf_reweighted", "r r_hi", "A"},
    {"rdf", "P", "1/A"},
    {"rdf gofr rdf_ladder rdf_reweighted", "g g[0-9]* [gn]_*", ""},
    {"rdf_replicas", "monitor* n[0-9]* beyond", ""},
    {"isomers isomers_reweighted", "energy", "kcal/mol"},
    {"isomers isomers_reweighted", "isomer population p[0-9]* p_*", ""},
    {"lindemann", "lindemann", ""},
    {"msd", "msd_*", "A^2"},
    {"vacf", "C_*", "A^2/ps^2"},
    {"vacf_spectrum", "wavenumber", "1/cm"},
    {"vacf_spectrum", "S_*", "ps"},
    {"dipole", "epsilon epsilon_zero kirkwood", ""},
    {"dipole", "mean_dipole m[xyz]", "D"},
    {"dipole", "m2", "D^2"},
    /* Studies, whose other table has the unit of each row in a column. */
    {"study_runs", "energy", "kcal/mol"},
    {"study_runs", "replicas independent share_of_solves", ""},
    {"study_runs", "step_us", "us"},
    {"study_runs", "independent_s", "s"},
};

static int fits(const char *patterns, const char *name)
{
  char pattern[64];
  int taken;
  for (; sscanf(patterns, " %63s%n", pattern, &taken) == 1; patterns += taken)
    if (fnmatch(pattern, name, 0) == 0)
      return 1;
  return 0;
}

const char *column_unit(const char *table, const char *column)
{
  static const char error[] = "_err";
  char name[128];
  const size_t length = strlen(column), end = sizeof error - 1;
  const size_t bare = length > end && strcmp(column + length - end, error) == 0 ? length - end : length;
  snprintf(name, sizeof name, "%.*s", (int)bare, column);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (fits(rows[i].tables, table) && fits(rows[i].columns, name))
      return rows[i].unit;
  return NULL;
}
