/* What GROMACS answered in the scratch folder of a test: energies of e.xvg, other tables, and the coordinates
 * of conf.gro. */
#ifndef HOLONOM_TESTS_GROMACS_ANSWERS_H
#define HOLONOM_TESTS_GROMACS_ANSWERS_H

#include "engine/units.h"
#include "tests/program.h"

/* The numbers of the last line of a table, after the time; kJ. */
static inline int last_line(const char *name, int most, double *number)
{
  char *text = strdup(program_read(name)), *end = text + strlen(text);
  ck_assert_ptr_nonnull(text);
  while (end > text && end[-1] == '\n')
    *--end = '\0';
  char *at = strrchr(text, '\n');
  ck_assert_ptr_nonnull(at);
  (void)strtod(at, &at);
  int n = 0;
  for (char *next = at; n < most; at = next, n++) {
    number[n] = strtod(at, &next);
    if (next == at)
      break;
  }
  free(text);
  return n;
}

/* kcal/mol; 0: they have no such column, which may not be where it is wanted. */
static inline double their_energy(const char *name, bool wanted)
{
  double number[64];
  int column = -1;
  char legend[64];
  for (const char *line = program_read("e.xvg"); line != NULL; line = strchr(line + 1, '\n')) {
    int k;
    if (sscanf(line + (*line == '\n'), "@ s%d legend \"%63[^\"]\"", &k, legend) == 2 &&
        strcmp(legend, name) == 0)
      column = k;
  }
  ck_assert_msg(column >= 0 || !wanted, "no %s", name);
  if (column < 0)
    return 0.0;
  ck_assert_int_gt(last_line("e.xvg", 64, number), column);
  return number[column] / UNITS_JOULE;
}

/* A. */
static inline void read_positions(int natom, double (*x)[3])
{
  const char *line = strchr(program_read("conf.gro"), '\n');
  for (int i = -1; i < natom; i++, line = strchr(line + 1, '\n'))
    for (int d = 0; i >= 0 && d < 3; d++) {
      char text[9] = "";
      memcpy(text, line + 1 + 20 + (ptrdiff_t)8 * d, 8);
      x[i][d] = 10.0 * atof(text);
    }
}

#endif
