/* Exact sums of doubles, independent of the order of samples and of their distribution over threads,
 * processes or runs: wide fixed-point accumulators (Kulisch, 1971; Collange et al., Parallel Computing 49, 83
 * (2015)) of the samples and of their squares. */
#ifndef HOLONOM_OBSERVABLES_EXACT_SUM_H
#define HOLONOM_OBSERVABLES_EXACT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits of 32 bits from 2^EXACT_SUM_LOWEST upwards, for products of any two doubles from 1e-160 to 1e150. */
enum { EXACT_SUM_DIGITS = 68, EXACT_SUM_LOWEST = -1088 };

/* All zero is empty. The struct contains no pointers: copy it bytewise. */
typedef struct ExactSum {
  int64_t n;                     /* samples                                                  */
  int64_t odd;                   /* samples that are NaN or out of range; if any, the sums are NaN */
  int64_t spare;                 /* additions possible before carries must be propagated */
  int64_t sum[EXACT_SUM_DIGITS]; /* digits with pending carries */
  int64_t square[EXACT_SUM_DIGITS];
  double top; /* the largest sample; 0 without samples */
} ExactSum;

void exact_sum_add(ExactSum *sum, double x);

/* Adds the samples of another sum. */
void exact_sum_merge(ExactSum *into, const ExactSum *from);

/* Mean and standard error of the samples as if they were independent (0 for one sample, NaN for none); the
 * bits do not depend on the order of samples. */
double exact_sum_mean(const ExactSum *sum);
double exact_sum_error(const ExactSum *sum);

/* Packs a sum into the fewest bytes, in this machine's byte order; returns their number, at most
 * EXACT_SUM_PACKED. exact_sum_merge_packed adds n consecutive packed sums to n sums; false: the bytes are
 * invalid. */
enum { EXACT_SUM_PACKED = 64 + 2 * 4 * EXACT_SUM_DIGITS };
size_t exact_sum_pack(const ExactSum *sum, void *to);
bool exact_sum_merge_packed(ExactSum *into, int n, const void *from, size_t size);

#endif
