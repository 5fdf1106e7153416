#include "forcefields/images.h"

#include <stdbool.h>

/* The larger of two bounds: from the least of each coordinate, and from the heights of the box. */
double images_least(const Box *box, const double low[3], const double high[3])
{
  double apart = 0.0, most = 0.0;
  for (int d = 0; d < 3; d++) {
    const double between = fmax(fmax(low[d], -high[d]), 0.0) * box_height(box, d);
    double from = 0.0, to = 0.0;
    for (int e = d; e < 3; e++) {
      const double h = box->h[e][d];
      from += h * (h > 0.0 ? low[e] : high[e]);
      to += h * (h > 0.0 ? high[e] : low[e]);
    }
    const double gap = fmax(fmax(from, -to), 0.0);
    apart += gap * gap;
    most = fmax(most, between * between);
  }
  return fmax(apart, most);
}

/* Adds the vector of `whole` edges if a point less than half an edge from it in each direction may be within
 * the radius; false: no room. */
static bool try(Images *images, const Box *box, const int whole[3], double radius, double unit)
{
  const double u[3] = {whole[0], whole[1], whole[2]};
  double low[3], high[3], *const shift = images->exact[images->n];
  for (int d = 0; d < 3; d++) {
    low[d] = u[d] - 0.5;
    high[d] = u[d] + 0.5;
  }
  if (images_least(box, low, high) >= radius * radius)
    return true;
  if (images->n == IMAGES_MAX - 1)
    return false;
  box_point(box, u, shift);
  shift[3] = shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2];
  for (int d = 0; d < 4; d++)
    images->single[images->n][d] = (float)(shift[d] / (d < 3 ? unit : unit * unit));
  images->n++;
  return true;
}

Status images_find(Images *images, const Box *box, double radius, double unit, Error *error)
{
  int most[3], whole[3];
  bool room = true;
  images->n = 0;
  if (!box_oblique(box))
    return STATUS_OK;
  for (int d = 0; d < 3; d++)
    most[d] = (int)fmin(IMAGES_MAX, 0.5 + radius / box_height(box, d));
  for (whole[0] = 0; whole[0] <= most[0]; whole[0]++)
    for (whole[1] = whole[0] > 0 ? -most[1] : 0; whole[1] <= most[1]; whole[1]++)
      for (whole[2] = whole[0] > 0 || whole[1] > 0 ? -most[2] : 1; whole[2] <= most[2] && room; whole[2]++)
        room = try(images, box, whole, radius, unit);
  if (room)
    return STATUS_OK;
  return error_input(error, "cutoff",
                     "the box is too flat for a cutoff of %g A: its faces are %g, %g and %g A apart; reduce "
                     "the cutoff, or describe the lattice by edges closer to right angles",
                     radius, box_height(box, 0), box_height(box, 1), box_height(box, 2));
}
