/* Neighbour lists: the pairs of a plain double loop and no others, each once; they never lack a pair
 * that moves into the cutoff; the same for any number of threads. */
#include "engine/random.h"
#include "forcefields/list.h"
#include "tests/boxes.h"
#include "tests/shorter.h"
#include "tests/suite.h"
#include "tests/teams.h"

typedef int32_t Place[4];

static int32_t fraction(double f) { return (int32_t)(uint32_t)(int64_t)floor((f - floor(f)) * 4294967296.0); }

/* clustered: most of them in one corner. */
static void scatter(RandomStream *s, const Box *box, int n, bool clustered, double (*x)[3])
{
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      x[i][d] = box_length(box, d) * random_uniform(s) * (clustered && i % 8 != 0 ? 0.2 : 1.0);
}

static void places(const Box *box, int n, double (*x)[3], Place *o)
{
  for (int i = 0; i < n; i++) {
    double u[3];
    box_fractions(box, x[i], u);
    for (int d = 0; d < 3; d++)
      o[i][d] = fraction(u[d]);
    o[i][3] = (i % 20) * 77777777; /* means nothing */
  }
}

static double distance(const Box *box, const int32_t *a, const int32_t *b)
{
  double u[3], r[3];
  for (int d = 0; d < 3; d++)
    u[d] = (int32_t)((uint32_t)a[d] - (uint32_t)b[d]) / 4294967296.0;
  box_point(box, u, r);
  box_nearest(box, r);
  return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

enum { SORTS = 3 };

/* The entry of places p..p+n-1, of sort s; `fills`: one that fills up, with these marks, or -1. Whether it is
 * bad. */
static bool mark_entry(const ListView *v, int p, int n, int s, uint32_t entry, int fills,
                       unsigned char *found)
{
  const int q = (int)(entry & LIST_PLACE);
  const unsigned marks = entry >> LIST_MARK;
  if (fills >= 0)
    return q != p || marks != (unsigned)fills;
  if (q >= v->n || q < v->chunk[0].first[s] || q >= v->chunk[v->nchunk - 1].last[s] || marks >> n != 0 ||
      marks == (1u << n) - 1u)
    return true;
  bool bad = false;
  for (int m = 0; m < n; m++) {
    if ((marks >> m & 1) != 0)
      continue;
    const int a = v->order[p + m], b = v->order[q];
    bad |= a == b;
    found[(size_t)(a < b ? a : b) * (size_t)v->n + (size_t)(a < b ? b : a)]++;
  }
  return bad;
}

/* found[i*n + j], i < j: how often the pair is listed. share[] is that of ListSorts. */
static void mark(const ListView *v, const bool *share, unsigned char *found)
{
  memset(found, 0, (size_t)v->n * (size_t)v->n);
  int next[SORTS] = {0}, bad = 0, last = 0; /* a call of Check for each pair would take most of the time */
  for (int k = 0; k < v->nchunk * v->nsort * v->nsort; k++) {
    const int c = k / (v->nsort * v->nsort), of = k / v->nsort % v->nsort, s = k % v->nsort;
    const ListChunk *const chunk = &v->chunk[c];
    if (c == 0)
      next[of] = chunk->first[of];
    ck_assert_int_eq(chunk->first[of], next[of]);
    const bool shared = share != NULL && share[of];
    int left = 0; /* places that have the list of one before them */
    for (int p = chunk->first[of]; p < chunk->last[of]; p++) {
      const int begin = v->begin[s * v->n + p], end = v->end[s * v->n + p], n = v->share[p];
      bad += begin % LIST_PAD != 0 || ((s > of || n == 0) && begin != end) || (n == 0) != (left > 0) ||
             n > (shared ? LIST_SHARE : 1);
      left = n > 0 ? n - 1 : left - 1;
      const int padded = (end + LIST_PAD - 1) / LIST_PAD * LIST_PAD;
      for (int e = begin; e < padded; e++)
        bad += mark_entry(v, p, n, s, (uint32_t)chunk->j[e], e < end ? -1 : shared ? 15 : 0, found);
    }
    bad += left != 0;
    if (s == v->nsort - 1)
      next[of] = chunk->last[of];
  }
  for (int of = 0; of < v->nsort; of++) {
    ck_assert_int_eq(v->chunk[0].first[of], last);
    last = next[of];
  }
  ck_assert_int_eq(last, v->n);
  ck_assert_int_eq(bad, 0);
}

/* A distance between faces of the box, in the units of places. */
static void units(const Box *box, double distance, int64_t far[3])
{
  for (int d = 0; d < 3; d++) {
    const double share = distance * hypot(hypot(box->inverse[0][d], box->inverse[1][d]), box->inverse[2][d]);
    far[d] = (int64_t)(1.0000001 * share * 4294967296.0);
  }
}

/* Whether they are further apart than `far` along one axis: so in any image. */
static bool beyond(const int32_t *a, const int32_t *b, const int64_t far[3])
{
  for (int d = 0; d < 3; d++) {
    const int64_t by = (int32_t)((uint32_t)a[d] - (uint32_t)b[d]);
    if (by > far[d] || -by > far[d])
      return true;
  }
  return false;
}

/* All pairs nearer than `inner` are there, none further than `outer`, none twice. Returns those that are
 * lacking. */
static int verify(const ListView *v, const Box *box, Place *o, double inner, double outer)
{
  unsigned char *found = malloc((size_t)v->n * (size_t)v->n);
  mark(v, NULL, found);
  int lacking = 0, bad = 0;
  int64_t far[3];
  units(box, inner, far);
  for (int i = 0; i < v->n; i++)
    for (int j = i + 1; j < v->n; j++) {
      const int times = found[(size_t)i * (size_t)v->n + (size_t)j];
      if (times == 0 ? beyond(o[i], o[j], far) : times == 1 && isinf(outer))
        continue;
      const double r = distance(box, o[i], o[j]);
      lacking += r < inner && times == 0;
      bad += times > 1 || (r >= outer && times > 0);
    }
  free(found);
  ck_assert_int_eq(bad, 0);
  return lacking;
}

static const struct {
  double length[3], cutoff, buffer;
  int n;
  double lean[3]; /* b_x, c_x, c_y */
} boxes[] = {
    {{30.0, 30.0, 30.0}, 9.0, 0.5, 900},
    {{20.0, 20.0, 20.0}, 10.0, 0.0, 300},
    {{19.0, 47.0, 31.0}, 9.0, 0.5, 700},
    {{18.0, 18.0, 90.0}, 9.0, 1.0, 700},
    {{60.0, 19.0, 25.0}, 6.0, 1.0, 900},
    {{24.0, 24.0, 24.0}, 4.0, 0.3, 500},
    {{18.1, 18.1, 18.1}, 9.0, 3.0, 200},
    {{500.0, 400.0, 300.0}, 9.0, 1.0, 400},
    {{33.0, 28.0, 22.5}, 11.0, 0.4, 600},
    {{40.0, 40.0, 40.0}, 3.0, 0.0, 1000},
    {{25.0, 25.0, 25.0}, 9.0, 0.5, 2},
    {{25.0, 25.0, 25.0}, 9.0, 0.5, 1},
    /* a dodecahedron, an octahedron, two that lean, a large one, a cube by other vectors */
    {{20.0, 20.0, 14.142135623730951}, 9.99, 0.5, 300, {0.0, 10.0, 10.0}},
    {{21.0, 19.798989873223331, 17.146428199482246}, 10.49, 0.6, 300, {7.0, -7.0, 9.8994949366116654}},
    {{30.0, 24.0, 19.0}, 8.0, 0.5, 500, {-14.0, 13.0, 11.0}},
    {{60.0, 19.0, 25.0}, 6.0, 1.0, 900, {28.0, -11.0, 8.0}},
    {{200.0, 170.0, 140.0}, 9.0, 1.0, 400, {90.0, -80.0, 70.0}},
    {{22.0, 22.0, 22.0}, 10.9, 0.4, 300, {22.0, -22.0, 22.0}}};
enum { NBOX = (int)(sizeof boxes / sizeof *boxes), NMAX = 1000 };

/* Of laws over many steps and boxes: a third, of another remainder each, where sanitizers look on or another
 * set is asked for (CMakeLists.txt, "kernels"): which lists are made anew, and of what, is decided without
 * kernels. */
static bool left_out(int which) { return shorter_few() && (which + which / NBOX) % 3 != 0; }

/* Box b, longer by factors along x, y and z, then tilted. */
static Box box_at(int b, const double stretch[3], double tilt)
{
  const double *length = boxes[b].length, *lean = boxes[b].lean;
  double edge[3][3] = {{length[0]}, {lean[0], length[1]}, {lean[1], lean[2], length[2]}};
  for (int k = 0; k < 9 && stretch != NULL; k++)
    edge[k / 3][k % 3] *= stretch[k % 3];
  for (int k = 0; k < 3; k++)
    edge[(k + 3) / 2][k == 2] += tilt * (k - 1.3) * edge[k == 2][k == 2];
  return boxes_unreduced((const double(*)[3])edge);
}

static ListOptions options_of(int b, Isa isa)
{
  static Box box;
  box = box_at(b, NULL, 0.0);
  return (ListOptions){&box, boxes[b].cutoff, boxes[b].buffer, isa};
}

TEST(all_pairs, .rows = NBOX, .all_sets = true)
{
  static double x[NMAX][3];
  static Place o[NMAX];
  const Team team = team_alone();
  RandomStream s = random_stream(3, (uint32_t)_i, RANDOM_TEST);
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++)
    for (int clustered = 0; clustered < 2 && isa_runs((Isa)isa); clustered++) {
      const ListOptions options = options_of(_i, (Isa)isa);
      const double radius = options.cutoff + options.buffer;
      List *list = NULL;
      Error error = {0};
      ck_assert_int_eq(list_create(&list, &options, boxes[_i].n, &error), STATUS_OK);
      for (int again = 0; again < 2; again++) {
        scatter(&s, options.box, boxes[_i].n, clustered, x);
        places(options.box, boxes[_i].n, x, o);
        list_forget(list);
        ck_assert_int_eq(list_update(list, &team, (const int32_t(*)[4])o, &error), STATUS_OK);
        ck_assert_int_eq(verify(list_view(list), options.box, o, radius, radius * (1.0 + 2e-5)), 0);
      }
      list_free(list);
    }
}

/* Molecules of one place, or in a line across a face of the box. */
TEST(coincidences)
{
  static Place o[300];
  const Box box = box_brick(20.0, 20.0, 20.0);
  const ListOptions options = {&box, 9.0, 0.5, isa_best()};
  const Team team = team_alone();
  Error error = {0};
  List *list = NULL;
  ck_assert_int_eq(list_create(&list, &options, 300, &error), STATUS_OK);
  for (int i = 0; i < 300; i++)
    for (int d = 0; d < 3; d++)
      o[i][d] = i < 100 ? 5 : (i < 200 ? INT32_MAX : (i < 250 ? INT32_MIN : (i - 275) * (d == 0)));
  ck_assert_int_eq(list_update(list, &team, (const int32_t(*)[4])o, &error), STATUS_OK);
  ck_assert_int_eq(verify(list_view(list), options.box, o, 9.5, 9.5 * (1.0 + 2e-5)), 0);
  list_free(list);
}

static void walk(RandomStream *s, int n, double step, double (*x)[3])
{
  for (int i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      x[i][d] += step * random_normal(s);
}

TEST(strict_misses_none, .rows = NBOX)
{
  if (left_out(_i))
    return;
  static double x[NMAX][3];
  static Place o[NMAX];
  const ListOptions options = options_of(_i, isa_best());
  const int n = boxes[_i].n < 400 ? boxes[_i].n : 400;
  const Team team = team_alone();
  RandomStream s = random_stream(4, (uint32_t)_i, RANDOM_TEST);
  Error error = {0};
  List *list = NULL;
  ck_assert_int_eq(list_create(&list, &options, n, &error), STATUS_OK);
  scatter(&s, options.box, n, false, x);
  enum { STEPS = 60 };
  for (int step = 0; step < STEPS; step++) {
    places(options.box, n, x, o);
    ck_assert_int_eq(list_update(list, &team, (const int32_t(*)[4])o, &error), STATUS_OK);
    ck_assert_int_eq(verify(list_view(list), options.box, o, options.cutoff, INFINITY), 0);
    walk(&s, n, 0.02, x);
  }
  const int64_t made = list_view(list)->made;
  ck_assert_int_ge(made, 1);
  if (options.buffer >= 0.3)
    ck_assert_int_lt(made, STEPS / 2);
  else if (n > 1)
    ck_assert_int_eq(made, STEPS);
  list_free(list);
}

typedef struct Update {
  List *list;
  const Place *o;
} Update;

static Status update_member(void *self, const Team *team, Error *error)
{
  const Update *u = self;
  return list_update(u->list, team, u->o, error);
}

/* The box breathes, up to `depth`, or tilts too, and is half as large again for a while, as molecules are:
 * where no pair can be missing the list stays, and nothing is left out where it cannot. */
TEST(a_box_that_breathes_misses_none, .rows = 3 * NBOX)
{
  enum { STEPS = 60 };
  if (left_out(_i))
    return;
  static double x[NMAX][3];
  static Place o[NMAX];
  static const double depths[] = {1e-4, 3e-2};
  const double depth = depths[_i / NBOX % 2], tilt = _i / NBOX == 2 ? 2e-4 : 0.0;
  const int at = _i % NBOX, n = boxes[at].n < 300 ? boxes[at].n : 300,
            most = _i / NBOX == 1 && at % 5 == 0 ? 3 : 1;
  Box box;
  ListOptions options = options_of(at, isa_best());
  options.box = &box;
  RandomStream s = random_stream(8, (uint32_t)_i, RANDOM_TEST);
  Error error = {0};
  List *list = NULL;
  int64_t made_before = 0;
  box = box_at(at, NULL, 0.0);
  scatter(&s, &box, n, false, x);
  ck_assert_int_eq(list_create(&list, &options, n, &error), STATUS_OK);
  for (int step = 0; step < STEPS; step++) {
    double stretch[3];
    for (int d = 0; d < 3; d++)
      stretch[d] = step / 10 % 3 == 1 ? 1.5 : 1.0 + depth * (1.0 + sin(0.7 * step + d));
    const Box wide = box_at(at, stretch, tilt * cos(0.5 * step)), first = box_at(at, NULL, 0.0);
    places(&first, n, x, o); /* fractions stay where the box alone changes */
    box = wide;
    ck_assert_int_eq(list_set_box(list, NULL), STATUS_OK);
    ck_assert_int_eq(team_run(step % most + 1, update_member, &(Update){list, (const Place *)o}, NULL),
                     STATUS_OK);
    ck_assert_int_eq(verify(list_view(list), &box, o, options.cutoff, INFINITY), 0);
    if (step > 0 && step % 10 == 0 && step / 10 % 3 == 1) /* all is further apart */
      ck_assert_int_eq(list_view(list)->made, made_before);
    made_before = list_view(list)->made;
    walk(&s, n, 0.002, x);
  }
  if (options.buffer >= 0.3 && depth < 1e-3) /* and after each time that it was larger */
    ck_assert_int_lt(made_before, 12);
  list_free(list);
}

/* Molecules of three sorts, of which neighbours by number are hidden now and then. */
typedef struct Sorted {
  uint8_t of[NMAX];
  double cutoff[SORTS * SORTS], buffer[SORTS * SORTS];
  int begin[NMAX + 1], hidden[2 * NMAX];
  ListSorts sorts;
} Sorted;

static void make_sorted(RandomStream *s, int n, double cutoff, const bool *share, Sorted *out)
{
  int at = 0;
  bool before = false;
  for (int k = 0; k < SORTS * SORTS; k++) {
    const int a = k / SORTS, b = k % SORTS;
    out->cutoff[k] = cutoff * (a + b == 0 ? 0.7 : a + b == 1 ? 0.8 : 1.0);
    out->buffer[k] = 0.2 * (1 + (a > b ? a : b));
  }
  for (int i = 0; i < n; i++) {
    const bool next = i + 1 < n && random_uniform(s) < 0.5;
    out->of[i] = (uint8_t)(random_uniform(s) < 0.6 ? 0 : random_uniform(s) < 0.8 ? 1 : 2);
    out->begin[i] = at;
    if (before)
      out->hidden[at++] = i - 1;
    if (next)
      out->hidden[at++] = i + 1;
    before = next;
  }
  out->begin[n] = at;
  out->sorts = (ListSorts){SORTS, out->of, out->cutoff, out->buffer, out->begin, out->hidden, share};
}

static bool is_hidden(const Sorted *s, int i, int j)
{
  for (int k = s->begin[i]; k < s->begin[i + 1]; k++)
    if (s->hidden[k] == j)
      return true;
  return false;
}

/* All that are nearer than the cutoff of their sorts are there once, but for the hidden, and where the list
 * is new none beyond the buffer, or of those that share a list as much further as they are apart. */
static void verify_sorted(const ListView *v, const Box *box, Place *o, const Sorted *s, bool is_new)
{
  unsigned char *found = malloc((size_t)v->n * (size_t)v->n);
  mark(v, s->sorts.share, found);
  const int widest = SORTS * SORTS - 1;
  const double together = LIST_TOGETHER * (s->cutoff[widest] + s->buffer[widest]);
  int bad = 0;
  int64_t widely[3];
  units(box, s->cutoff[widest], widely);
  for (int i = 0; i < v->n; i++)
    for (int j = i + 1; j < v->n; j++) {
      if (found[(size_t)i * (size_t)v->n + (size_t)j] == 0 && beyond(o[i], o[j], widely))
        continue;
      const int times = found[(size_t)i * (size_t)v->n + (size_t)j], pair = s->of[i] * SORTS + s->of[j];
      const bool shared = s->sorts.share != NULL && s->sorts.share[s->of[i] > s->of[j] ? s->of[i] : s->of[j]];
      const double r = distance(box, o[i], o[j]),
                   far = (s->cutoff[pair] + s->buffer[pair] + (shared ? together : 0.0)) * (1.0 + 2e-5);
      if (is_hidden(s, i, j))
        bad += times != 0;
      else
        bad += times > 1 || (r < s->cutoff[pair] && times == 0) || (is_new && r >= far && times > 0);
    }
  free(found);
  ck_assert_int_eq(bad, 0);
}

TEST(sorts_have_radii_of_their_own, .rows = 2 * NBOX)
{
  if (left_out(_i))
    return;
  static double x[NMAX][3];
  static Place o[NMAX];
  static Sorted sorted;
  const int at = _i % NBOX, n = boxes[at].n < 250 ? boxes[at].n : 250;
  static const bool share[SORTS] = {false, true, true};
  const bool shared = _i >= NBOX;
  ListOptions options = options_of(at, isa_best());
  RandomStream s = random_stream(9, (uint32_t)at, RANDOM_TEST);
  Error error = {0};
  List *list = NULL;
  int64_t made = 0;
  int most = 0;
  make_sorted(&s, n, options.cutoff, shared ? share : NULL, &sorted);
  options.sorts = &sorted.sorts;
  ck_assert_msg(list_create(&list, &options, n, &error) == STATUS_OK, "%s", error.text);
  scatter(&s, options.box, n, false, x);
  for (int i = 1; i < n && shared; i++) /* molecules of up to six */
    for (int d = 0; d < 3 && i % 6 != 0; d++)
      x[i][d] = x[i - 1][d] + 0.5 * random_normal(&s);
  enum { STEPS = 40 };
  for (int step = 0; step < STEPS; step++) {
    places(options.box, n, x, o);
    ck_assert_int_eq(
        team_run(at % 5 == 0 ? step % 3 + 1 : 1, update_member, &(Update){list, (const Place *)o}, NULL),
        STATUS_OK);
    verify_sorted(list_view(list), options.box, o, &sorted, list_view(list)->made != made);
    for (int p = 0; p < n; p++)
      most = list_view(list)->share[p] > most ? list_view(list)->share[p] : most;
    made = list_view(list)->made;
    for (int i = 0; i < n; i++) /* the last sort is the quickest */
      walk(&s, 1, 0.01 * (1 + sorted.of[i]), x + i);
  }
  ck_assert_int_lt(made, STEPS / 2);
  ck_assert_int_ge(most, shared && n > 100 ? 2 : 1);
  list_free(list);
}

/* The same entries in the same order for any team. */
/* Molecules stand in the order of their cells, each row of cells along z by itself, in a cell by number. */
static void verify_order(const ListView *v, const Place *o, const int *cells)
{
  int64_t before = -1;
  for (int p = 0; p < v->n; p++) {
    const int i = v->order[p];
    int64_t cell = 0;
    for (int d = 0; d < 3; d++)
      cell = cell * cells[d] + (int64_t)((uint64_t)(uint32_t)o[i][d] * (uint64_t)cells[d] >> 32);
    const int64_t key = cell * v->n + i;
    ck_assert_int_gt(key, before);
    ck_assert_int_eq(v->place[i], p);
    before = key;
  }
}

/* Crowded: nearly all in one corner, so that most columns of cells are empty. */
TEST(any_team_makes_the_same, .rows = 2, .threads = true)
{
  enum { N = 900, TEAMS = 5 };
  static const int size[TEAMS] = {1, 2, 3, 5, 16};
  const bool crowded = _i == 1;
  static double x[N][3];
  static Place o[N];
  const ListOptions options = options_of(0, isa_best());
  RandomStream s = random_stream(6, 0, RANDOM_TEST);
  scatter(&s, options.box, N, crowded, x);
  Error error = {0};
  List *list[TEAMS];
  for (int k = 0; k < TEAMS; k++)
    ck_assert_int_eq(list_create(&list[k], &options, N, &error), STATUS_OK);
  for (int step = 0; step < 20; step++) {
    places(options.box, N, x, o);
    for (int k = 0; k < TEAMS && step % 3 == 0; k++)
      list_forget(list[k]);
    for (int k = 0; k < TEAMS; k++)
      ck_assert_int_eq(team_run(size[k], update_member, &(Update){list[k], (const Place *)o}, NULL),
                       STATUS_OK);
    const ListView *a = list_view(list[0]);
    if (step % 3 == 0)
      verify_order(a, o, (const int[3]){6, 6, 6}); /* half the radius of 9.5 A wide, or more */
    for (int k = 1; k < TEAMS; k++) {
      const ListView *b = list_view(list[k]);
      ck_assert_mem_eq(a->order, b->order, N * sizeof *a->order);
      ck_assert_mem_eq(a->begin, b->begin, N * sizeof *a->begin);
      ck_assert_mem_eq(a->end, b->end, N * sizeof *a->end);
      for (int c = 0; c < a->nchunk; c++)
        for (int p = a->chunk[c].first[0]; p < a->chunk[c].last[0]; p++)
          ck_assert_mem_eq(a->chunk[c].j + a->begin[p], b->chunk[c].j + b->begin[p],
                           (size_t)(a->end[p] - a->begin[p]) * sizeof *a->chunk[c].j);
    }
    walk(&s, N, 0.03, x);
  }
  for (int k = 0; k < TEAMS; k++)
    list_free(list[k]);
}

TEST(errors)
{
  List *list = NULL;
  Error error = {0};
  const Box small = box_brick(30.0, 17.9, 30.0), just = box_brick(30.0, 18.0, 30.0);
  ListOptions options = {&small, 9.0, 0.5, isa_best()};
  ck_assert_int_eq(list_create(&list, &options, 10, &error), STATUS_INPUT);
  ck_assert_ptr_null(list);
  ck_assert_ptr_nonnull(strstr(error.text, "length y is 17.9 A"));
  options.box = &just;
  ck_assert_int_eq(list_create(&list, &options, 0, &error), STATUS_INPUT);
  options.buffer = -1.0;
  ck_assert_int_eq(list_create(&list, &options, 10, &error), STATUS_INPUT);
  options.buffer = (double)NAN;
  ck_assert_int_eq(list_create(&list, &options, 10, &error), STATUS_INPUT);
  options.buffer = 0.5;
  ck_assert_int_eq(list_create(&list, &options, 10, &error), STATUS_OK);
  list_free(list);
  list_free(NULL);
}
