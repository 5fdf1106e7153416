#include "integrators/triangle.h"

static const int edge[3][2] = {{0, 1}, {0, 2}, {1, 2}};

void triangle_pairs(const double weight[3], double pair[9])
{
  for (int c = 0; c < 3; c++)
    for (int e = 0; e < 3; e++) {
      double sum = 0.0;
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++)
          if (edge[c][k] == edge[e][l])
            sum += (k == l ? 4.0 : -4.0) * weight[edge[c][k]];
      pair[3 * c + e] = sum;
    }
}

Status triangle_inverse(const Kind *kind, const double weight[3], double inverse[9], Error *error)
{
  double pair[9], a[9];
  triangle_pairs(weight, pair);
  /* r_1 = r_0 + r_2, hence 2 r_0.r_1 = d0^2 + d1^2 - d2^2 and so on. */
  double square[3];
  for (int c = 0; c < 3; c++)
    square[c] = kind->con[c].param[0] * kind->con[c].param[0];
  const double d01 = 0.5 * (square[0] + square[1] - square[2]);
  const double d02 = 0.5 * (square[1] - square[0] - square[2]);
  const double d12 = 0.5 * (square[1] + square[2] - square[0]);
  const double dot[9] = {square[0], d01, d02, d01, square[1], d12, d02, d12, square[2]};
  for (int i = 0; i < 9; i++)
    a[i] = pair[i] * dot[i];
  const double minor[3] = {a[4] * a[8] - a[5] * a[7], a[5] * a[6] - a[3] * a[8], a[3] * a[7] - a[4] * a[6]};
  const double det = a[0] * minor[0] + a[1] * minor[1] + a[2] * minor[2];
  if (!(det > 1e-12 * a[0] * a[4] * a[8]))
    return error_set(error, STATUS_INPUT,
                     "'%s': the distances %g, %g, %g form no triangle; its constraints are not independent",
                     kind->name, kind->con[0].param[0], kind->con[1].param[0], kind->con[2].param[0]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      /* The cofactor of element (j, i), by cyclic indices, which include the sign. */
      const int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
      inverse[3 * i + j] = (a[3 * r0 + c0] * a[3 * r1 + c1] - a[3 * r0 + c1] * a[3 * r1 + c0]) / det;
    }
  return STATUS_OK;
}
