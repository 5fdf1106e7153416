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

/* A line: its sites, and their positions. */
typedef struct Line {
  int nsite;  /* of the group */
  bool *has;  /* [nsite] */
  double *at; /* [nsite] */
  double w;
} Line;

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
  line->has[site] = true;
  line->at[site] = at;
}

/* Adds the third site of a triple that shares two sites with the line; returns whether it did. */
static bool extend(Line *line, const Triple *t)
{
  const bool first = line->has[t->end[0]], second = line->has[t->end[1]];
  if (t->w != line->w || first + second + line->has[t->middle] != 2)
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

/* Finds the line of a triple. */
static void find_line(int n, const Triple *triple, int first, Line *line)
{
  line->w = triple[first].w;
  put(line, triple[first].end[0], 0.0);
  put(line, triple[first].middle, triple[first].part[0]);
  for (bool more = true; more;) {
    more = false;
    for (int t = 0; t < n; t++)
      more = extend(line, &triple[t]) || more;
  }
}

/* Whether all sites of a triple are in the line. */
static bool contains(const Line *line, const Triple *t)
{
  return line->has[t->end[0]] && line->has[t->end[1]] && line->has[t->middle];
}

/* Adds the rows of a line: the distance of its ends, and three for each other site. */
static void add_rows(const Line *line, GroupsWanted *row, int *n)
{
  int low = -1, high = -1;
  for (int s = 0; s < line->nsite; s++) {
    if (!line->has[s])
      continue;
    low = low < 0 || line->at[s] < line->at[low] ? s : low;
    high = high < 0 || line->at[s] > line->at[high] ? s : high;
  }
  const int first = low < high ? low : high, last = low < high ? high : low;
  const double length = line->at[high] - line->at[low];
  row[(*n)++] = (GroupsWanted){{.site = {first, last}, .length = length}, .w = line->w};
  for (int s = 0; s < line->nsite; s++)
    for (int axis = 1; axis <= 3 && line->has[s] && s != low && s != high; axis++)
      row[(*n)++] = (GroupsWanted){
          {{s, first, last}, length, axis, fabs(line->at[s] - line->at[first]) / length}, .w = line->w};
}

/* Lists the lines of all triples, each once, in line[n]; returns their number. */
static Status list_lines(int nsite, int n, const Triple *triple, Arena *arena, Line *line, int *nline,
                         Error *error)
{
  *nline = 0;
  for (int t = 0; t < n; t++) {
    bool known = false;
    for (int k = 0; k < *nline && !known; k++)
      known = contains(&line[k], &triple[t]);
    if (known)
      continue;
    Line *const to = &line[(*nline)++];
    *to = (Line){.nsite = nsite,
                 .has = arena_take(arena, (size_t)nsite, sizeof(bool)),
                 .at = arena_take(arena, (size_t)nsite, sizeof(double))};
    TRY(arena_check(arena, "sites in a line", error));
    find_line(n, triple, t, to);
  }
  return STATUS_OK;
}

static int count_rows(int nline, const Line *line)
{
  int n = 0;
  for (int k = 0; k < nline; k++)
    for (int s = 0; s < line[k].nsite; s++)
      n += line[k].has[s] ? 3 : 0;
  return n;
}

Status groups_straight_find(const GroupsPart *part, Arena *arena, GroupsWanted **row, int *nrow,
                            double *length, Error *error)
{
  const int n = list_triples(part, NULL);
  int nline;
  *nrow = 0;
  for (int c = 0; c < part->n; c++)
    length[c] = 0.0;
  Triple *triple = arena_take(arena, (size_t)n + 1, sizeof *triple);
  Line *line = arena_take(arena, (size_t)n + 1, sizeof *line);
  TRY(arena_check(arena, "sites in a line", error));
  (void)list_triples(part, triple);
  TRY(list_lines(part->nsite, n, triple, arena, line, &nline, error));
  *row = arena_take(arena, (size_t)count_rows(nline, line) + 1, sizeof **row);
  TRY(arena_check(arena, "sites in a line", error));
  for (int k = 0; k < nline; k++) {
    add_rows(&line[k], *row, nrow);
    for (int c = 0; c < part->n; c++) {
      const int *site = part->wanted[c].distance.site;
      if (part->wanted[c].w == line[k].w && line[k].has[site[0]] && line[k].has[site[1]])
        length[c] = fabs(line[k].at[site[0]] - line[k].at[site[1]]);
    }
  }
  return STATUS_OK;
}
