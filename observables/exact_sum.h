/* Sums of doubles without rounding, so that neither the order of samples nor how they are shared out among
 * threads, processes or runs is in the result: a wide fixed-point accumulator (Kulisch, 1971; Collange et
 * al., Parallel Computing 49, 83 (2015)) of the samples and one of their squares. */
#ifndef HOLONOM_OBSERVABLES_EXACT_SUM_H
#define HOLONOM_OBSERVABLES_EXACT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits of 32 bits from 2^EXACT_SUM_LOWEST up: room for the product of any two doubles from 1e-160 to 1e150.
 */
enum { EXACT_SUM_DIGITS = 68, EXACT_SUM_LOWEST = -1088 };

/* All zero is empty. Plain numbers: a copy of the bytes is a copy. */
typedef struct ExactSum {
  int64_t n;                     /* samples                                                  */
  int64_t odd;                   /* of these, no numbers, or beyond the range: the sums are NaN */
  int64_t spare;                 /* additions until carries must be taken out                */
  int64_t sum[EXACT_SUM_DIGITS]; /* digits with carries not taken out yet                    */
  int64_t square[EXACT_SUM_DIGITS];
  double top; /* the largest sample; of none, 0                           */
} ExactSum;

void exact_sum_add(ExactSum *sum, double x);

/* Adds what another has seen. */
void exact_sum_merge(ExactSum *into, const ExactSum *from);

/* Of all samples, as if they were independent: their mean and its standard error (0 for one sample, NaN for
 * none). The same bits for the same samples in any order. */
double exact_sum_mean(const ExactSum *sum);
double exact_sum_error(const ExactSum *sum);

/* As few bytes as hold it, of this machine's order, for files and messages: how many; at most
 * EXACT_SUM_PACKED. And back: adds to n sums the bytes of n others, one after the other; false if they are
 * none. */
enum { EXACT_SUM_PACKED = 64 + 2 * 4 * EXACT_SUM_DIGITS };
size_t exact_sum_pack(const ExactSum *sum, void *to);
bool exact_sum_merge_packed(ExactSum *into, int n, const void *from, size_t size);

#endif
