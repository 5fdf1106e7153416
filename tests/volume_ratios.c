/* A measurement for docs/notes/validation-bulk.md: volumes at two pressures (volume_ratio.h).
 *
 *   volume_ratios FILE1 FILE2 SLOPE
 *
 * Each file has a volume a line, A^3, at even distances; SLOPE is -(P1 - P2)/kT, 1/A^3. Prints,
 * tab-separated, SAMPLES1 SAMPLES2 SLOPE ITS-ERROR Z LARGEST-|Z|-OF-BINS SUM-OF-Z^2 CHANCE-OF-AS-MUCH and
 * ends with 1 where the ratio does not hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/volume_ratio.h"

static double *read_volumes(const char *path, int64_t *n)
{
  FILE *file = fopen(path, "r");
  double *volume = NULL, value;
  for (*n = 0; file != NULL && fscanf(file, "%lf", &value) == 1; volume[(*n)++] = value)
    if ((*n & (*n - 1)) == 0 && (volume = realloc(volume, 2 * (size_t)(*n + 1) * sizeof *volume)) == NULL)
      abort();
  if (file != NULL)
    fclose(file);
  return volume;
}

int main(int argc, char **argv)
{
  double *volume[2] = {NULL, NULL}, largest = 0.0;
  int64_t n[2] = {0, 0};
  for (int k = 0; k < 2 && argc == 4; k++)
    volume[k] = read_volumes(argv[1 + k], &n[k]);
  if (n[0] < 2 || n[1] < 2) {
    fprintf(stderr, "wanted: two files of volumes, and the slope\n");
    return 2;
  }
  const VolumeRatio ratio = volume_ratio(volume, n, strtod(argv[3], NULL));
  for (int b = 0; b < VOLUME_RATIO_BINS; b++)
    largest = fmax(largest, fabs(ratio.bin[b]));
  printf("%d\t%d\t%.6g\t%.2g\t%.2f\t%.2f\t%.1f\t%.4f\n", (int)ratio.samples[0], (int)ratio.samples[1],
         ratio.slope, ratio.error, ratio.z, largest, ratio.chi2, ratio.p);
  for (int k = 0; k < 2; k++)
    free(volume[k]);
  return !volume_ratio_holds(&ratio);
}
