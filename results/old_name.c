#include "results/old_name.h"

#include <stdio.h>
#include <string.h>

/* Old and new. */
static const char *const renamed[][2] = {
    {"nonbonded", "potential"}, {"px", "momentum_x"}, {"py", "momentum_y"}, {"pz", "momentum_z"},
    {"lx", "angular_x"},        {"ly", "angular_y"},  {"lz", "angular_z"},  {"wall", "wall_energy"}};

OldName old_name_other(const char *name)
{
  OldName other = {""};
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
    for (int k = 0; k < 2; k++) {
      const size_t n = strlen(renamed[i][k]);
      if (strncmp(name, renamed[i][k], n) == 0 && (name[n] == '\0' || strcmp(name + n, "_err") == 0))
        snprintf(other.text, sizeof other.text, "%s%s", renamed[i][1 - k], name + n);
    }
  return other;
}
