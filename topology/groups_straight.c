/* Finds sites of a group that the requested distances put in a line: three sites with all distances, the
 * longest the sum of the others, and further sites that share two of them. Distances cannot constrain sites
 * to a line (the rank of their Jacobian is too low there). The distance of the ends can, together with three
 * linear rows for each site between them. */
#include <math.h>

#include "topology/groups_private.h"

/* A triple is straight if its longest distance is at least this fraction of half the sum of all: from 175
 * degrees on, where distances do not constrain bent triples either. The second number limits the excess. */
#define SHORTEST 0.9995
#define LONGEST  1.0005

/* The sites of a triple, the fractions of the middle one's distances from the ends, and the strength. */
typedef struct Triple {
  int end[2], middle;
  double part[2], w;
} Triple;

/* A line under construction: its sites as bits, and their positions. */
typedef struct Line {
  uint64_t sites;
  double at[GROUPS_ATOMS], w;
} Line;

_Static_assert(GROUPS_ATOMS <= 64, "bits of one word represent sites");

static bool has(uint64_t sites, int site) { return sites >> site & 1; }

/* The requested distance of i and j with strength w, or 0. */
static double wanted_between(const GroupsPart *part, int i, int j, double w)
{
  for (int c = 0; c < part->n; c++) {
    const Distance *d = &part->wanted[c].distance;
    if (part->wanted[c].w == w &&
        ((d->site[0] == i && d->site[1] == j) || (d->site[0] == j && d->site[1] == i)))
      return d->length;
  }
  return 0.0;
}

/* Whether two distances with a common first site, and the third distance, are in a line and of equal
 * strength. */
static bool is_straight(const GroupsPart *part, const GroupsWanted *one, const GroupsWanted *other,
                        Triple *triple)
{
  const int from = one->distance.site[0], i = one->distance.site[1], j = other->distance.site[1];
  if (other->distance.site[0] != from || i == j || one->w != other->w)
    return false;
  const double a = one->distance.length, b = other->distance.length, c = wanted_between(part, i, j, one->w),
               half = 0.5 * (a + b + c), most = fmax(c, fmax(a, b));
  if (c == 0.0 || most < SHORTEST * half || most > LONGEST * half)
    return false;
  *triple = most == c   ? (Triple){{i, j}, from, {a, b}, one->w}
            : most == a ? (Triple){{from, i}, j, {b, c}, one->w}
                        : (Triple){{from, j}, i, {a, c}, one->w};
  return true;
}

/* Lists all straight triples, each once, at its first site. NULL: only counts them. */
static int list_triples(const GroupsPart *part, Triple *triple)
{
  int n = 0;
  for (int c = 0; c < part->n; c++)
    for (int e = 0; e < c; e++) {
      Triple found;
      if (!is_straight(part, &part->wanted[c], &part->wanted[e], &found))
        continue;
      if (triple != NULL)
        triple[n] = found;
      n++;
    }
  return n;
}

static void put(Line *line, int site, double at)
{
  line->sites |= UINT64_C(1) << site;
  line->at[site] = at;
}

/* Adds the third site of a triple that shares two sites with the line; returns whether it did. */
static bool extend(Line *line, const Triple *t)
{
  const bool first = has(line->sites, t->end[0]), second = has(line->sites, t->end[1]);
  if (t->w != line->w || first + second + has(line->sites, t->middle) != 2)
    return false;
  if (first && second) {
    const double from = line->at[t->end[0]], way = line->at[t->end[1]] - from;
    put(line, t->middle, from + copysign(t->part[0], way));
    return true;
  }
  const int end = first ? 0 : 1; /* the end that is in the line */
  const double from = line->at[t->middle], way = from - line->at[t->end[end]];
  put(line, t->end[!end], from + copysign(t->part[!end], way));
  return true;
}

static Line line_of(int n, const Triple *triple, int first)
{
  Line line = {.w = triple[first].w};
  put(&line, triple[first].end[0], 0.0);
  put(&line, triple[first].middle, triple[first].part[0]);
  for (bool more = true; more;) {
    more = false;
    for (int t = 0; t < n; t++)
      more = extend(&line, &triple[t]) || more;
  }
  return line;
}

/* Adds the rows of a line: the distance of its ends, and three for each other site. */
static void add_rows(const Line *line, GroupsWanted *row, int *n)
{
  int low = -1, high = -1;
  for (int s = 0; s < GROUPS_ATOMS; s++) {
    if (!has(line->sites, s))
      continue;
    low = low < 0 || line->at[s] < line->at[low] ? s : low;
    high = high < 0 || line->at[s] > line->at[high] ? s : high;
  }
  const int first = low < high ? low : high, last = low < high ? high : low;
  const double length = line->at[high] - line->at[low];
  row[(*n)++] = (GroupsWanted){{.site = {first, last}, .length = length}, .w = line->w};
  for (int s = 0; s < GROUPS_ATOMS; s++)
    for (int axis = 1; axis <= 3 && has(line->sites, s) && s != low && s != high; axis++)
      row[(*n)++] = (GroupsWanted){
          {{s, first, last}, length, axis, fabs(line->at[s] - line->at[first]) / length}, .w = line->w};
}

Status groups_straight_find(const GroupsPart *part, Arena *arena, GroupsWanted **row, int *nrow,
                            double *length, Error *error)
{
  const int n = list_triples(part, NULL);
  *nrow = 0;
  for (int c = 0; c < part->n; c++)
    length[c] = 0.0;
  *row = arena_take(arena, 3 * (size_t)n * GROUPS_ATOMS + 1, sizeof **row);
  Triple *triple = arena_take(arena, (size_t)n + 1, sizeof *triple);
  TRY(arena_check(arena, "sites in a line", error));
  (void)list_triples(part, triple);
  uint64_t all[GROUPS_ATOMS];
  int lines = 0;
  for (int t = 0; t < n; t++) {
    const int *end = triple[t].end;
    bool known = false;
    for (int k = 0; k < lines && !known; k++)
      known = has(all[k], end[0]) && has(all[k], end[1]) && has(all[k], triple[t].middle);
    if (known || lines == GROUPS_ATOMS)
      continue;
    const Line line = line_of(n, triple, t);
    all[lines++] = line.sites;
    add_rows(&line, *row, nrow);
    for (int c = 0; c < part->n; c++) {
      const int *site = part->wanted[c].distance.site;
      if (part->wanted[c].w == line.w && has(line.sites, site[0]) && has(line.sites, site[1]))
        length[c] = fabs(line.at[site[0]] - line.at[site[1]]);
    }
  }
  return STATUS_OK;
}
