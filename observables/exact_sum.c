#include "observables/exact_sum.h"

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Each addition changes a digit by less than 2^32; so many fit into an int64_t. */
static const int64_t additions = INT64_C(1) << 30;

/* Propagates carries: digits are then in [0, 2^32), except the last one, which has the sign. */
static void take_out_carries(int64_t *digit)
{
  for (int i = 0; i + 1 < EXACT_SUM_DIGITS; i++) {
    const int64_t low = digit[i] & UINT32_MAX;
    digit[i + 1] += (digit[i] - low) / (INT64_C(1) << 32);
    digit[i] = low;
  }
}

static void spend(ExactSum *sum, int64_t n)
{
  if (sum->spare < n) {
    take_out_carries(sum->sum);
    take_out_carries(sum->square);
    sum->spare = additions;
  }
  sum->spare -= n;
}

static void add(int64_t *digit, double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int power = (int)(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  const uint64_t mantissa = power > 0 ? fraction | UINT64_C(1) << 52 : fraction;
  const int at = (power > 0 ? power : 1) - 1075 - EXACT_SUM_LOWEST, shift = at % 32;
  const uint64_t low = (mantissa & UINT32_MAX) << shift, high = ((mantissa >> 32) << shift) + (low >> 32);
  const int64_t part[3] = {(int64_t)(low & UINT32_MAX), (int64_t)(high & UINT32_MAX), (int64_t)(high >> 32)};
  for (int i = 0; i < 3; i++)
    digit[at / 32 + i] += signbit(x) ? -part[i] : part[i];
}

void exact_sum_add(ExactSum *sum, double x)
{
  const double square = x * x;
  sum->top = sum->n == 0 ? x : fmax(sum->top, x);
  sum->n++;
  if (x == 0.0)
    return;
  if (!isfinite(square)) {
    sum->odd++;
    return;
  }
  spend(sum, 2);
  add(sum->sum, x);
  add(sum->square, square);
  add(sum->square, fma(x, x, -square)); /* the rounding error of the square */
}

void exact_sum_merge(ExactSum *into, const ExactSum *from)
{
  if (from->n == 0)
    return;
  ExactSum add = *from;
  spend(&add, additions + 1); /* after carries are propagated, digits are below 2^32 */
  spend(into, 1);
  into->top = into->n == 0 ? from->top : fmax(into->top, from->top);
  into->n += from->n;
  into->odd += from->odd;
  for (int i = 0; i < EXACT_SUM_DIGITS; i++) {
    into->sum[i] += add.sum[i];
    into->square[i] += add.square[i];
  }
}

/* The digits of the absolute value; returns true if the sum is negative. */
static bool absolute(const int64_t *digit, uint32_t word[EXACT_SUM_DIGITS])
{
  int64_t own[EXACT_SUM_DIGITS];
  memcpy(own, digit, sizeof own);
  take_out_carries(own);
  const bool negative = own[EXACT_SUM_DIGITS - 1] < 0;
  for (int i = 0; i < EXACT_SUM_DIGITS && negative; i++)
    own[i] = -own[i];
  take_out_carries(own);
  for (int i = 0; i < EXACT_SUM_DIGITS; i++)
    word[i] = (uint32_t)own[i];
  return negative;
}

/* The digits as one integer, in units of 2^EXACT_SUM_LOWEST. */
static void integer(const int64_t *digit, mpz_t value)
{
  uint32_t word[EXACT_SUM_DIGITS];
  const bool negative = absolute(digit, word);
  mpz_import(value, EXACT_SUM_DIGITS, -1, sizeof *word, 0, 0, word);
  if (negative)
    mpz_neg(value, value);
}

/* numerator/denominator 2^power, with each truncated to 53 bits. */
static double ratio(const mpz_t numerator, const mpz_t denominator, long power)
{
  long above, below;
  const double a = mpz_get_d_2exp(&above, numerator), b = mpz_get_d_2exp(&below, denominator);
  const long shift = above - below + power;
  return ldexp(a / b, shift < INT_MIN ? INT_MIN : shift > INT_MAX ? INT_MAX : (int)shift);
}

double exact_sum_mean(const ExactSum *sum)
{
  if (sum->n == 0 || sum->odd > 0)
    return NAN;
  mpz_t total, n;
  mpz_inits(total, n, NULL);
  integer(sum->sum, total);
  mpz_set_si(n, sum->n);
  const double mean = ratio(total, n, EXACT_SUM_LOWEST);
  mpz_clears(total, n, NULL);
  return mean;
}

/* sqrt((n sum x^2 - (sum x)^2)/(n^2 (n - 1))) */
double exact_sum_error(const ExactSum *sum)
{
  if (sum->n == 0 || sum->odd > 0)
    return NAN;
  if (sum->n == 1)
    return 0.0;
  mpz_t total, squares, n;
  mpz_inits(total, squares, n, NULL);
  integer(sum->sum, total);
  integer(sum->square, squares);
  mpz_set_si(n, sum->n);
  mpz_mul(squares, squares, n);
  mpz_mul_2exp(squares, squares, -EXACT_SUM_LOWEST);
  mpz_submul(squares, total, total);
  mpz_mul(n, n, n);
  mpz_mul_si(n, n, sum->n - 1);
  const double variance = ratio(squares, n, 2L * EXACT_SUM_LOWEST);
  mpz_clears(total, squares, n, NULL);
  return sqrt(fmax(variance, 0.0));
}

/* --- as bytes --------------------------------------------------------------------------------------------
 */

/* The used digits of a sum. */
typedef struct Span {
  int32_t negative, first, n, spare;
} Span;

static size_t pack(const int64_t *digit, unsigned char *to)
{
  uint32_t word[EXACT_SUM_DIGITS];
  Span span = {.negative = absolute(digit, word), .n = EXACT_SUM_DIGITS};
  while (span.n > 0 && word[span.n - 1] == 0)
    span.n--;
  while (span.first < span.n && word[span.first] == 0)
    span.first++;
  span.n -= span.first;
  memcpy(to, &span, sizeof span);
  memcpy(to + sizeof span, word + span.first, (size_t)span.n * sizeof *word);
  return sizeof span + (size_t)span.n * sizeof *word;
}

static size_t unpack(int64_t *digit, const unsigned char *from, size_t size)
{
  Span span;
  uint32_t word[EXACT_SUM_DIGITS];
  if (size < sizeof span)
    return 0;
  memcpy(&span, from, sizeof span);
  if (span.first < 0 || span.n < 0 || span.n > EXACT_SUM_DIGITS || span.first > EXACT_SUM_DIGITS - span.n ||
      size - sizeof span < (size_t)span.n * sizeof *word)
    return 0;
  memcpy(word, from + sizeof span, (size_t)span.n * sizeof *word);
  for (int i = 0; i < span.n; i++)
    digit[span.first + i] = span.negative ? -(int64_t)word[i] : (int64_t)word[i];
  return sizeof span + (size_t)span.n * sizeof *word;
}

typedef struct Head {
  int64_t n, odd;
  double top;
} Head;

size_t exact_sum_pack(const ExactSum *sum, void *to)
{
  unsigned char *at = to;
  const Head head = {sum->n, sum->odd, sum->top};
  memcpy(at, &head, sizeof head);
  at += sizeof head;
  at += pack(sum->sum, at);
  at += pack(sum->square, at);
  return (size_t)(at - (unsigned char *)to);
}

/* Returns the length of the packed sum; 0: invalid. */
static size_t unpack_one(ExactSum *sum, const void *from, size_t size)
{
  const unsigned char *at = from;
  Head head;
  *sum = (ExactSum){0};
  if (size < sizeof head)
    return 0;
  memcpy(&head, at, sizeof head);
  *sum = (ExactSum){.n = head.n, .odd = head.odd, .top = head.top, .spare = additions};
  const size_t first = unpack(sum->sum, at + sizeof head, size - sizeof head);
  const size_t second =
      first > 0 ? unpack(sum->square, at + sizeof head + first, size - sizeof head - first) : 0;
  return second > 0 ? sizeof head + first + second : 0;
}

bool exact_sum_merge_packed(ExactSum *into, int n, const void *from, size_t size)
{
  const unsigned char *at = from;
  for (int k = 0; k < n; k++) {
    ExactSum sum;
    const size_t used = unpack_one(&sum, at, size);
    if (used == 0)
      return false;
    exact_sum_merge(&into[k], &sum);
    at += used;
    size -= used;
  }
  return size == 0;
}
