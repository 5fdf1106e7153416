/* What a user's program looks like: a hydrogen-bonded TIP3P dimer, and an input file read. */
#include <math.h>
#include <stdio.h>

#include "config/config.h"
#include "forcefields/pair.h"

int main(int argc, char **argv)
{
  const double r = 0.9572, half = 0.5 * 104.52 * M_PI / 180.0, c = r * cos(half), s = r * sin(half);
  const double x[18] = {
      0.0,      0.0, 0.0, r,        0.0, 0.0, r * cos(2 * half), r * sin(2 * half), 0.0, 2.75, 0.0, 0.0,
      2.75 + c, 0.0, s,   2.75 + c, 0.0, -s};
  double energy[PAIR_TERMS];
  pair_reference(water_find("tip3p"), 2, x, NULL, energy);
  const double total = energy[0] + energy[1];
  printf("coulomb %.6f lj %.6f total %.6f kcal/mol\n", energy[0], energy[1], total);
  Config *config;
  Error error;
  if (argc != 2 || config_load(argv[1], NULL, 0, &config, &error) != STATUS_OK)
    return 2;
  config_free(config);
  return !(total > -6.55 && total < -5.5); /* the minimum of all dimers is -6.54 */
}
