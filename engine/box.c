#include "engine/box.h"

double box_volume(const Box *box) { return box->length[0] * box->length[1] * box->length[2]; }

double box_shortest(const Box *box)
{
  double least = 0.0;
  for (int d = 0; d < 3; d++)
    if (box->length[d] != 0.0 && (least == 0.0 || box->length[d] < least))
      least = box->length[d];
  return least;
}

void box_wrap(const Box *box, int nmol, int nsite, double *x)
{
  for (int m = 0; m < nmol; m++) {
    double shift[3];
    for (int d = 0; d < 3; d++)
      shift[d] = box->length[d] != 0.0 ? -box->length[d] * floor(x[d] / box->length[d]) : 0.0;
    for (int s = 0; s < nsite; s++)
      for (int d = 0; d < 3; d++)
        *x++ += shift[d];
  }
}

Status box_check(const Box *box, double cutoff, const char *what, Error *error)
{
  for (int d = 0; d < 3; d++) {
    const double length = box->length[d];
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
