#include "engine/place.h"

#include <math.h>
#include <string.h>

/* A rotation from four normals: a uniform unit quaternion. */
static void random_rotation(RandomStream *stream, double r[3][3])
{
  double q[4], norm = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = random_normal(stream);
    norm += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++)
    q[i] /= sqrt(norm);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(r, rows, sizeof rows);
}

void place_molecule(const Kind *kind, RandomStream *stream, const double centre[3], double *x)
{
  double r[3][3];
  random_rotation(stream, r);
  for (int s = 0; s < kind->nsite; s++)
    for (int i = 0; i < 3; i++) {
      x[3 * s + i] = centre[i];
      for (int j = 0; j < 3; j++)
        x[3 * s + i] += r[i][j] * kind->reference[3 * s + j];
    }
}
