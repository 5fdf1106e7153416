#include "engine/box.h"

Status box_set(Box *box, const double edge[3][3], Error *error)
{
  static const double straight = 1e-8; /* angstrom */
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      if (d == e ? !(edge[d][d] >= 0.0) : !(fabs(edge[d][e]) <= straight))
        return error_set(error, STATUS_INPUT,
                         "its box is not rectangular with edges along x, y and z: edge %c is (%g, %g, %g) A; "
                         "triclinic boxes cannot be used",
                         "abc"[d], edge[d][0], edge[d][1], edge[d][2]);
  *box = box_brick(edge[0][0], edge[1][1], edge[2][2]);
  return STATUS_OK;
}

int box_same(const Box *a, const Box *b)
{
  int same = 1;
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      same = same && a->h[d][e] == b->h[d][e];
  return same;
}

double box_volume(const Box *box) { return box_length(box, 0) * box_length(box, 1) * box_length(box, 2); }

double box_shortest(const Box *box)
{
  double least = 0.0;
  for (int d = 0; d < 3; d++)
    if (box_length(box, d) != 0.0 && (least == 0.0 || box_length(box, d) < least))
      least = box_length(box, d);
  return least;
}

void box_wrap(const Box *box, int nmol, int nsite, double *x)
{
  for (int m = 0; m < nmol; m++) {
    double shift[3];
    box_inside(box, x, shift);
    for (int s = 0; s < nsite; s++)
      for (int d = 0; d < 3; d++)
        *x++ += shift[d];
  }
}

Status box_check(const Box *box, double cutoff, const char *what, Error *error)
{
  for (int d = 0; d < 3; d++) {
    const double length = box_length(box, d);
    if (!isfinite(length) || length < 0.0)
      return error_set(error, STATUS_INPUT,
                       "length %c of the box is %g A: a positive number is wanted, or 0 where "
                       "the system is open",
                       "xyz"[d], length);
    if (length != 0.0 && length < 2.0 * cutoff)
      return error_set(
          error, STATUS_INPUT,
          "the box is too small: its length %c is %.10g A, less than twice the %s of %.10g A; take a "
          "cutoff of at most %.10g A, or a larger box",
          "xyz"[d], length, what, cutoff, 0.5 * box_shortest(box));
  }
  return STATUS_OK;
}
