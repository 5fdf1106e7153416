/* The compressed coordinates of XTC ("3dfcoord"). The head has eight numbers: the smallest x, y, z, the
 * largest, an index into `edges`, the number of bytes that follow. Then come bits, the most significant
 * first, in groups:
 *
 *   a point in full     minus the smallest value of each coordinate
 *   a bit               1: five bits follow, 3 r + c + 1; 0: r is that of the group before, c = 0
 *   r points            each minus the one before it, plus half an edge: three digits to the base
 * edges[index] then                index += c, one of -1, 0, 1
 *
 * In a group with r > 0 the first two points are swapped: for a water O H H a hydrogen is stored in full,
 * and the next two points are one bond length away. A point is one number, (x size_y + y) size_z + z, with
 * as many bits as the product of the sizes, its bytes from the least significant on, the remaining bits
 * last. In full, if a size has more than 24 bits, it is three numbers, each with as many bits as its size.
 *
 * `edges[i]` is about 2^(i/3): three digits need i bits. The writer chooses r and c: it looks one group
 * ahead and moves the index towards the fewest bits per point, if that saves the five bits of the change
 * and the same number for the way back. */
#include "io/packed.h"

#include <string.h>

__extension__ typedef unsigned __int128 Wide;

enum { FIRST = 9, LAST = 72, RUN = 8, SAYING = 5, APART = 1 << 24 };

static const int32_t edges[LAST + 1] = {
    0,       0,       0,       0,       0,        0,        0,       0,       0,       8,       10,
    12,      16,      20,      25,      32,       40,       50,      64,      80,      101,     128,
    161,     203,     256,     322,     406,      512,      645,     812,     1024,    1290,    1625,
    2048,    2580,    3250,    4096,    5060,     6501,     8192,    10321,   13003,   16384,   20642,
    26007,   32768,   41285,   52015,   65536,    82570,    104031,  131072,  165140,  208063,  262144,
    330280,  416127,  524287,  660561,  832255,   1048576,  1321122, 1664510, 2097152, 2642245, 3329021,
    4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216};

/* Three digits as one number. */
typedef struct Base {
  uint32_t size[3];
  int bits;    /* of a point */
  bool apart;  /* each coordinate is a separate number */
  int each[3]; /* then their bits */
} Base;

static int bits_of(Wide value)
{
  const uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
  return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

static Base base_full(const int32_t least[3], const int32_t most[3])
{
  Base base = {.bits = 0};
  Wide product = 1;
  for (int d = 0; d < 3; d++) {
    base.size[d] = (uint32_t)most[d] - (uint32_t)least[d] + 1;
    base.each[d] = bits_of(base.size[d]);
    base.apart |= base.size[d] >= APART;
    base.bits += base.each[d];
    product *= base.size[d];
  }
  base.bits = base.apart ? base.bits : bits_of(product);
  return base;
}

static Base base_small(int index)
{
  const uint32_t size = (uint32_t)edges[index];
  return (Base){.size = {size, size, size}, .bits = index};
}

/* --- writing ------------------------------------------------------------------------------------------- */

typedef struct Sink {
  Bytes *out;
  uint64_t word; /* bits not yet in out, from the top */
  int used;      /* number of these bits */
} Sink;

static void sink_word(Sink *sink, int bytes)
{
  unsigned char text[8];
  for (int i = 0; i < bytes; i++)
    text[i] = (unsigned char)(sink->word >> (56 - 8 * i) & 0xff);
  bytes_put(sink->out, text, (size_t)bytes);
}

/* Writes the lowest n <= 64 bits of value. */
static void sink_bits(Sink *sink, uint64_t value, int n)
{
  const int room = 64 - sink->used;
  if (n == 0)
    return;
  value <<= 64 - n;
  sink->word |= value >> sink->used;
  if (n < room) {
    sink->used += n;
    return;
  }
  sink_word(sink, 8);
  sink->used = n - room;
  sink->word = sink->used > 0 ? value << room : 0;
}

/* Writes whole bytes from the least significant on, then the remaining bits. */
static void sink_number(Sink *sink, Wide value, int n)
{
  while (n > 64) {
    sink_bits(sink, __builtin_bswap64((uint64_t)value), 64);
    value >>= 64;
    n -= 64;
  }
  const int whole = n / 8 * 8, rest = n - whole;
  const uint64_t low = (uint64_t)value;
  sink_bits(sink, whole > 0 ? __builtin_bswap64(low) >> (64 - whole) : 0, whole);
  sink_bits(sink, rest > 0 ? low >> whole : 0, rest);
}

static void sink_point(Sink *sink, const Base *base, const uint32_t digit[3])
{
  if (base->apart)
    for (int d = 0; d < 3; d++)
      sink_bits(sink, digit[d], base->each[d]);
  else
    sink_number(sink, ((Wide)digit[0] * base->size[1] + digit[1]) * base->size[2] + digit[2], base->bits);
}

/* The smallest index with half an edge of at least |a - b|; beyond LAST: none. */
static int index_for(const int32_t a[3], const int32_t b[3])
{
  int32_t reach = 1;
  for (int d = 0; d < 3; d++) {
    const int32_t step = a[d] - b[d], far = step < 0 ? -step : step + 1;
    reach = far > reach ? far : reach;
  }
  int index = 3 * (31 - __builtin_clz((uint32_t)reach)) + 2; /* at most the result */
  index = index < FIRST ? FIRST : index;
  while (index <= LAST && edges[index] / 2 < reach)
    index++;
  return index;
}

/* A group that may begin at a point: the index needed for each length, increasing, up to the last at which
 * a step is cheaper than a point in full. */
typedef struct Ahead {
  int most, index[RUN + 1];
} Ahead;

static Ahead look_ahead(const int32_t (*x)[3], int left, int full)
{
  Ahead a = {.most = 0, .index = {FIRST}};
  for (int k = 1; k <= RUN && k < left; k++) {
    const int wanted = k == 1 ? index_for(x[0], x[1]) : index_for(x[k], x[k == 2 ? 0 : k - 1]);
    if (wanted > LAST || wanted >= full)
      break;
    a.index[k] = wanted > a.index[k - 1] ? wanted : a.index[k - 1];
    a.most = k;
  }
  return a;
}

/* Whether bits/points is less than others/for_points. */
static bool cheaper(int bits, int points, int others, int for_points)
{
  return bits * for_points < others * points;
}

/* The best length of a group: none, as before, or the longest possible. */
static int choose_run(const Ahead *a, int full, int index, int before)
{
  int best = 0, longest = 0, bits = full + (before != 0 ? SAYING : 0);
  while (longest < a->most && a->index[longest + 1] <= index)
    longest++;
  for (int turn = 0; turn < 2; turn++) {
    const int run = turn == 0 && before > 0 && before < longest ? before : longest;
    const int cost = full + run * index + (run != before ? SAYING : 0);
    if (cheaper(cost, 1 + run, bits, 1 + best)) {
      best = run;
      bits = cost;
    }
  }
  return best;
}

/* The length with the fewest bits per point if the index is free. */
static int cheapest_run(const Ahead *a, int full)
{
  int best = 0;
  for (int k = 1; k <= a->most; k++)
    if (cheaper(full + k * a->index[k], 1 + k, full + best * a->index[best], 1 + best))
      best = k;
  return best;
}

/* The change of the index in favour of the next group. */
static int choose_change(const Ahead *next, int full, int index)
{
  const int run = cheapest_run(next, full), wanted = next->index[run];
  int now = 0;
  while (now < next->most && next->index[now + 1] <= index)
    now++;
  if (run == 0 || wanted == index ||
      !cheaper(full + run * wanted + 2 * SAYING, 1 + run, full + now * index, 1 + now))
    return 0;
  return wanted > index ? 1 : -1;
}

static int first_index(int n, const int32_t (*x)[3], int full)
{
  for (int i = 0; i < n - 1; i++) {
    const Ahead a = look_ahead(x + i, n - i, full);
    const int run = cheapest_run(&a, full);
    if (run > 0)
      return a.index[run];
  }
  return FIRST;
}

static void sink_full(Sink *sink, const Base *full, const int32_t least[3], const int32_t x[3])
{
  uint32_t digit[3];
  for (int d = 0; d < 3; d++)
    digit[d] = (uint32_t)x[d] - (uint32_t)least[d];
  sink_point(sink, full, digit);
}

static void sink_step(Sink *sink, const Base *small, const int32_t x[3], const int32_t before[3])
{
  uint32_t digit[3];
  for (int d = 0; d < 3; d++)
    digit[d] = (uint32_t)(x[d] - before[d] + (int32_t)small->size[0] / 2);
  sink_point(sink, small, digit);
}

static void sink_groups(Sink *sink, int n, const int32_t (*x)[3], const Base *full, const int32_t least[3],
                        int index)
{
  const int cost = full->bits + 1;
  Ahead next = look_ahead(x, n, cost);
  for (int i = 0, before = -1; i < n;) {
    const int run = choose_run(&next, cost, index, before);
    const int32_t(*at)[3] = x + i;
    sink_full(sink, full, least, at[run > 0]);
    i += 1 + run;
    next = look_ahead(x + i, n - i, cost);
    const int change = i < n ? choose_change(&next, cost, index) : 0;
    const bool said = run != before || change != 0;
    sink_bits(sink, said ? 32u + (uint32_t)(3 * run + change + 1) : 0u, said ? 6 : 1);
    const Base small = base_small(index);
    for (int k = 1; k <= run; k++)
      sink_step(sink, &small, at[k == 1 ? 0 : k], at[k == 1 ? 1 : k == 2 ? 0 : k - 1]);
    index += change;
    before = run;
  }
  sink_word(sink, (sink->used + 7) / 8);
}

static void to_bytes(uint32_t value, unsigned char bytes[4])
{
  for (int i = 0; i < 4; i++)
    bytes[i] = (unsigned char)(value >> (24 - 8 * i) & 0xff);
}

void packed_int32(Bytes *out, int32_t value)
{
  unsigned char bytes[4];
  to_bytes((uint32_t)value, bytes);
  bytes_put(out, bytes, sizeof bytes);
}

bool packed_put(Bytes *out, int n, const int32_t (*x)[3])
{
  int32_t least[3], most[3];
  memcpy(least, x[0], sizeof least);
  memcpy(most, x[0], sizeof most);
  for (int i = 1; i < n; i++)
    for (int d = 0; d < 3; d++) {
      least[d] = x[i][d] < least[d] ? x[i][d] : least[d];
      most[d] = x[i][d] > most[d] ? x[i][d] : most[d];
    }
  const Base full = base_full(least, most);
  const int index = first_index(n, x, full.bits + 1);
  for (int d = 0; d < 3; d++)
    packed_int32(out, least[d]);
  for (int d = 0; d < 3; d++)
    packed_int32(out, most[d]);
  packed_int32(out, index);
  packed_int32(out, 0);
  const size_t begin = out->size;
  sink_groups(&(Sink){.out = out}, n, x, &full, least, index);
  const size_t length = out->size - begin;
  if (out->failed || length > INT32_MAX - 3)
    return out->failed;
  to_bytes((uint32_t)length, out->data + begin - 4);
  bytes_put(out, "\0\0", (4 - length % 4) % 4);
  return true;
}

/* --- reading ------------------------------------------------------------------------------------------- */

typedef struct Source {
  const unsigned char *data;
  int64_t at, end; /* bits */
} Source;

/* The next n <= 64 bits; zeros past the end, which `at` then passes. */
static uint64_t source_bits(Source *source, int n)
{
  uint64_t value = 0;
  for (int left = n; left > 0;) {
    const int shift = (int)(source->at % 8), room = 8 - shift, take = left < room ? left : room;
    const unsigned byte = source->at < source->end ? source->data[source->at / 8] : 0;
    value = value << take | (byte >> (room - take) & ((1u << take) - 1));
    source->at += take;
    left -= take;
  }
  return value;
}

/* Reads a number of at most 64 bits that sink_number wrote. */
static uint64_t source_word(Source *source, int n)
{
  const int whole = n / 8 * 8, rest = n - whole;
  const uint64_t bits = source_bits(source, n);
  const uint64_t low = whole > 0 ? __builtin_bswap64(bits >> rest) >> (64 - whole) : 0;
  return rest > 0 ? low | (bits & ((UINT64_C(1) << rest) - 1)) << whole : low;
}

static Wide source_number(Source *source, int n)
{
  const Wide low = source_word(source, n < 64 ? n : 64);
  return n > 64 ? low | (Wide)source_word(source, n - 64) << 64 : low;
}

/* False: the number exceeds its base. */
static bool source_point(Source *source, const Base *base, uint32_t digit[3])
{
  if (base->apart) {
    for (int d = 0; d < 3; d++)
      digit[d] = (uint32_t)source_bits(source, base->each[d]);
    return digit[0] < base->size[0] && digit[1] < base->size[1] && digit[2] < base->size[2];
  }
  Wide value = source_number(source, base->bits);
  for (int d = 2; d > 0; d--) {
    if (base->size[d] == 0)
      return false;
    const Wide rest = value >> 64 != 0 ? value / base->size[d] : (uint64_t)value / base->size[d];
    digit[d] = (uint32_t)(value - rest * base->size[d]);
    value = rest;
  }
  digit[0] = (uint32_t)value;
  return value < base->size[0];
}

int32_t packed_get_int32(const unsigned char *bytes)
{
  return (int32_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]);
}

int64_t packed_length(const unsigned char head[PACKED_HEAD])
{
  for (int d = 0; d < 3; d++) {
    const int64_t size = (int64_t)packed_get_int32(head + 12 + 4 * d) - packed_get_int32(head + 4 * d) + 1;
    if (size < 1 || size > INT32_MAX)
      return -1;
  }
  const int32_t index = packed_get_int32(head + 24), length = packed_get_int32(head + 28);
  return index >= FIRST && index <= LAST && length > 0 ? length : -1;
}

/* A point at a small step from the one before; false if it is outside the bounds. */
static bool get_step(Source *source, const Base *small, const int32_t least[3], const Base *full,
                     const int32_t before[3], int32_t x[3])
{
  uint32_t digit[3] = {0};
  bool good = source_point(source, small, digit);
  for (int d = 0; d < 3; d++) {
    const int64_t place = (int64_t)before[d] + digit[d] - small->size[d] / 2;
    good &= place >= least[d] && place - least[d] < full->size[d];
    x[d] = (int32_t)place;
  }
  return good;
}

static bool get_groups(Source *source, int n, int32_t (*x)[3], const Base *full, const int32_t least[3],
                       int index)
{
  for (int i = 0, run = 0; i < n;) {
    uint32_t digit[3] = {0};
    int32_t first[3];
    bool good = source_point(source, full, digit);
    for (int d = 0; d < 3; d++)
      first[d] = (int32_t)((uint32_t)least[d] + digit[d]);
    int change = 0;
    if (source_bits(source, 1) != 0) {
      const int said = (int)source_bits(source, 5);
      run = said / 3;
      change = said % 3 - 1;
    }
    if (!good || run > n - i - 1 || source->at > source->end)
      return false;
    const Base small = base_small(index);
    int32_t(*at)[3] = x + i;
    memcpy(at[run > 0], first, sizeof first);
    for (int k = 1; k <= run; k++)
      good &= get_step(source, &small, least, full, at[k == 1 ? 1 : k == 2 ? 0 : k - 1], at[k == 1 ? 0 : k]);
    index += change;
    i += 1 + run;
    if (!good || index < FIRST || index > LAST)
      return false;
  }
  return source->at <= source->end;
}

bool packed_get(const unsigned char *data, int n, int32_t (*x)[3])
{
  int32_t least[3], most[3];
  const int64_t length = packed_length(data);
  if (length < 0)
    return false;
  for (int d = 0; d < 3; d++) {
    least[d] = packed_get_int32(data + 4 * d);
    most[d] = packed_get_int32(data + 12 + 4 * d);
  }
  const Base full = base_full(least, most);
  Source source = {.data = data + PACKED_HEAD, .end = 8 * length};
  return get_groups(&source, n, x, &full, least, packed_get_int32(data + 24));
}
