/* Pictures: what the scripts say, what the data files hold, and what happens without gnuplot. With
 * HOLONOM_SHOW=FOLDER all pictures are copied there, to be looked at. */
#include <unistd.h>

#include "base/file.h"
#include "observables/picture.h"
#include "tests/suite.h"

static char root[64];

static void setup(void)
{
  strcpy(root, "/tmp/test_picture_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
  char command[512];
  if (getenv("HOLONOM_SHOW") != NULL) {
    snprintf(command, sizeof command, "cp %s/* %s", root, getenv("HOLONOM_SHOW"));
    ck_assert_int_eq(system(command), 0);
  }
  snprintf(command, sizeof command, "rm -r %s", root);
  ck_assert_int_eq(system(command), 0);
}

static int exists(const char *name)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", root, name);
  return access(path, F_OK) == 0;
}

/* Inlined, gcc 12 takes what it returns for the address of its own variable. */
__attribute__((noinline)) static char *slurp(const char *name)
{
  char path[256], *text;
  snprintf(path, sizeof path, "%s/%s", root, name);
  ck_assert_int_eq(file_read(path, SIZE_MAX, &text, NULL, NULL), STATUS_OK);
  return text;
}

static int occurrences(const char *text, const char *what)
{
  int n = 0;
  for (const char *c = text; (c = strstr(c, what)) != NULL; c++)
    n++;
  return n;
}

static void drawn(Status status, const Error *error, const char *name)
{
  char file[64];
  ck_assert_msg(status == STATUS_OK, "%s", error->text);
  snprintf(file, sizeof file, "%s.svg", name);
  ck_assert(exists(file));
  snprintf(file, sizeof file, "%s.png", name);
  ck_assert(exists(file));
  snprintf(file, sizeof file, "%s.gp.log", name);
  ck_assert(!exists(file));
}

enum { N = 400 };
typedef struct Wave {
  double x[N], y[N], z[N];
} Wave;

static Wave wave(double frequency, double phase)
{
  Wave w;
  for (int i = 0; i < N; i++) {
    w.x[i] = 0.25 * i;
    w.y[i] = sin(frequency * w.x[i] + phase);
    w.z[i] = 0.02 * i;
  }
  return w;
}

/* Six methods, energy and a coordinate, as a figure of a paper has them. */
TEST(panels_share_axes_and_legend)
{
  static Wave w[6];
  PictureCurve curve[12];
  PicturePanel panel[12];
  static const char *const title[6] = {
      "Verlet", "Z&Ss", "Newmark", "variational Euler", "partially solved Newmark", "implicit midpoint"};
  for (int k = 0; k < 6; k++) {
    w[k] = wave(0.3 + 0.1 * k, k);
    curve[2 * k] = (PictureCurve){.label = k == 0 ? "energy" : NULL, .n = N, .x = w[k].x, .y = w[k].y};
    curve[2 * k + 1] = (PictureCurve){
        .label = k == 0 ? "angle" : NULL, .n = N, .x = w[k].x, .y = w[k].z, .style = PICTURE_DASHES};
  }
  for (int i = 0; i < 12; i++)
    panel[i] = (PicturePanel){.axes = {.title = title[i / 2], .xlabel = "time", .ylabel = i % 2 ? "θ" : "H"},
                              .n = 2,
                              .curve = &curve[i / 2 * 2]};
  panel[1].curve = &curve[2]; /* no labels */
  Error error;
  drawn(picture_panels(root, "panels", 12, panel, 2, &error), &error, "panels");
  char *script = slurp("panels.gp"), *data = slurp("panels.dat");
  ck_assert_int_eq(occurrences(script, "\n  plot "), 12);
  ck_assert_int_eq(occurrences(script, "set xlabel 'time'"), 2); /* the lowest row alone */
  ck_assert_int_eq(occurrences(script, "set format x ''"), 10);
  ck_assert_int_eq(occurrences(script, "title 'energy'"), 1);
  ck_assert_int_eq(occurrences(script, "'implicit midpoint'"), 2);
  ck_assert_int_eq(occurrences(data, "# x y error"), 24);
  free(script);
  free(data);
}

TEST(panels_keep_what_differs)
{
  const Wave a = wave(0.3, 0.0), b = wave(1.0, 1.0);
  const PictureCurve first = {.label = "first", .n = N, .x = a.x, .y = a.y},
                     second = {.label = "second", .n = N / 2, .x = b.x, .y = b.y, .style = PICTURE_POINTS};
  const PicturePanel panel[4] = {{.axes = {.xlabel = "t", .ylabel = "q"}, .n = 1, .curve = &first},
                                 {.axes = {.xlabel = "t", .ylabel = "q"}, .n = 1, .curve = &second},
                                 {.axes = {.xlabel = "t", .ylabel = "p"}, .n = 1, .curve = &first},
                                 {.axes = {.xlabel = "s", .ylabel = "p"}, .n = 1, .curve = &second}};
  Error error;
  drawn(picture_panels(root, "four", 4, panel, 2, &error), &error, "four");
  char *script = slurp("four.gp");
  ck_assert_int_eq(occurrences(script, "set format x ''"), 0);
  ck_assert_int_eq(occurrences(script, "set ylabel 'q'"), 2);
  ck_assert_int_eq(occurrences(script, "title 'first'"), 1);
  free(script);
  drawn(picture_panels(root, "column", 3, panel, 1, &error), &error, "column");
}

/* Around all plots, as shares of the sheet. */
typedef struct Margins {
  double left, right, bottom, top;
} Margins;

static Margins margins(const char *script)
{
  Margins m;
  ck_assert_int_eq(sscanf(strstr(script, "margins screen"), "margins screen %lf,%lf,%lf,%lf", &m.left,
                          &m.right, &m.bottom, &m.top),
                   4);
  return m;
}

/* The ranges that the script asks for make units of x and y equally long on the sheet. */
TEST(equal_means_equal)
{
  static double x[2000], y[2000];
  for (int i = 0; i < 2000; i++) {
    x[i] = 5.0 * cos(0.01 * i);
    y[i] = sin(0.01 * i) + 0.1 * sin(0.07 * i);
  }
  const PictureCurve curve[2] = {{.n = 2000, .x = x, .y = y, .label = "path"},
                                 {.n = 500, .x = y, .y = x, .label = "points", .style = PICTURE_POINTS}};
  const PictureGuide guide[2] = {{.at = 1.0, .label = "wall"}, {.vertical = 1, .at = 2.0, .label = "door"}};
  const PictureAxes axes = {
      .title = "An ellipse", .xlabel = "x", .ylabel = "y", .equal = 1, .nguide = 2, .guide = guide};
  Error error;
  drawn(picture_lines(root, "equal", &axes, 2, curve, &error), &error, "equal");
  char *script = slurp("equal.gp");
  double low[2], high[2];
  int width, height;
  ck_assert_int_eq(sscanf(strstr(script, "svg size "), "svg size %d,%d", &width, &height), 2);
  ck_assert_int_eq(sscanf(strstr(script, "set xrange"), "set xrange [%lf:%lf]", &low[0], &high[0]), 2);
  ck_assert_int_eq(sscanf(strstr(script, "set yrange"), "set yrange [%lf:%lf]", &low[1], &high[1]), 2);
  const Margins at = margins(script);
  const double unit_x = width * (at.right - at.left) / (high[0] - low[0]),
               unit_y = height * (at.top - at.bottom) / (high[1] - low[1]);
  ck_assert_double_eq_tol(unit_x / unit_y, 1.0, 2e-3);
  ck_assert(low[0] < -5.0 && high[0] > 5.0 && low[1] < -5.0 && high[1] > 5.0);
  ck_assert_int_eq(occurrences(script, "'wall'") + occurrences(script, "'door'"), 2);
  free(script);
}

TEST(short_logarithmic_axes_have_numbers)
{
  double x[30], y[30], e[30];
  for (int i = 0; i < 30; i++) {
    x[i] = 0.1 * pow(1.08, i);
    y[i] = 1e-7 * pow(x[i], 6.0);
    e[i] = 0.2 * y[i];
  }
  const PictureCurve curve = {.n = 30, .x = x, .y = y, .error = e, .style = PICTURE_POINTS, .colour = 3};
  const PictureAxes axes = {.xlabel = "h", .ylabel = "error", .logx = 1, .logy = 1};
  Error error;
  drawn(picture_lines(root, "order", &axes, 1, &curve, &error), &error, "order");
  char *script = slurp("order.gp");
  ck_assert_ptr_nonnull(strstr(script, "set xtics (0.1, 0.2, 0.5)"));
  ck_assert_ptr_nonnull(strstr(script, "set format y '10^{%L}'"));
  ck_assert_ptr_nonnull(strstr(script, "yerrorbars"));
  ck_assert_ptr_nonnull(strstr(script, "#D55E00"));
  free(script);
}

/* Displacements of molecules that do not move, of which a logarithmic axis shows none, and errors that nobody
 * knows: the plot is there. */
TEST(numbers_that_axes_cannot_show)
{
  static const double x[] = {1.0, 10.0, 100.0}, y[][3] = {{0.0, 0.0, 0.0}, {NAN, NAN, NAN}};
  const PictureCurve curve[] = {{.n = 3, .x = x, .y = y[0]}, {.n = 3, .x = x, .y = y[1]}};
  const PicturePanel panel[] = {{.axes = {.logx = 1, .logy = 1}, .n = 1, .curve = &curve[0]},
                                {.axes = {.logx = 1, .logy = 1}, .n = 1, .curve = &curve[1]},
                                {.n = 1, .curve = &curve[1]}};
  Error error;
  for (int i = 0; i < 3; i++)
    drawn(picture_panels(root, "nothing", 1, &panel[i], 1, &error), &error, "nothing");
  drawn(picture_panels(root, "nothing", 3, panel, 2, &error), &error, "nothing");
}

/* However long the numbers at an axis are, its label stands left of them and on the sheet; the last number of
 * x, centred on the edge of the plot, has room. */
TEST(long_numbers_leave_labels_their_place)
{
  static const double base[4] = {0.0, -40000.0, 1234.0, 1e5}, step[4] = {1.0, 0.01, 1e-3, 1.0};
  Error error;
  for (int k = 0; k < 4; k++) {
    double x[10], y[10];
    int width;
    double label;
    for (int i = 0; i < 10; i++) {
      x[i] = 1000.0 * i;
      y[i] = base[k] + step[k] * i;
    }
    const PictureCurve curve = {.n = 10, .x = x, .y = y};
    const PictureAxes axes = {.xlabel = "x", .ylabel = "long"};
    drawn(picture_lines(root, "numbers", &axes, 1, &curve, &error), &error, "numbers");
    char *script = slurp("numbers.gp"), *svg = slurp("numbers.svg"), *words = strstr(svg, ">long<");
    ck_assert_int_eq(sscanf(strstr(script, "svg size "), "svg size %d", &width), 1);
    const Margins at = margins(script);
    ck_assert_ptr_nonnull(words);
    while (strncmp(words, "translate(", 10) != 0)
      words--;
    ck_assert_int_eq(sscanf(words, "translate(%lf", &label), 1);
    ck_assert_double_ge(label, 10.0);
    ck_assert_double_ge(at.left * width - label, k == 0 ? 30.0 : 70.0); /* a digit or more than six */
    ck_assert_double_ge((1.0 - at.right) * width, 20.0);
    free(svg);
    free(script);
  }
}

/* The lines of a text that the script sets ("set title"), the longest of them in letters, and whether they
 * are `text` but for their ends; returns how many. */
static int set_lines(const char *script, const char *what, const char *text, int *longest)
{
  const char *at = strstr(script, what);
  int n = 1, letters = 0;
  ck_assert_ptr_nonnull(at);
  *longest = 0;
  for (at = strchr(at, '\'') + 1; *at != '\'' || strncmp(at, "'.\"\\n\".'", 8) == 0;) {
    if (*at == '\'') {
      at += 8;
      n++;
      letters = 0;
      text += *text == ' ';
    } else {
      letters += (*at & 0xC0) != 0x80;
      ck_assert_int_eq(*at++, *text++);
    }
    *longest = letters > *longest ? letters : *longest;
  }
  ck_assert_int_eq(*text, '\0');
  return n;
}

/* Titles longer than their plot, and labels longer than their axis, have several lines, with room for them:
 * no line leaves the sheet, or reaches the next plot. */
TEST(long_words_stay_on_the_sheet)
{
  static const char *const title[] = {
      "Penalties of w = 50 kcal/mol, filtered (h = 0) − Constraints that are kept exactly (settle)",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅÅaaaa"};
  static const char label[] = "energy between molecules, but not of bonds (kcal/mol)";
  enum { LINE = 16, LETTER = 7 }; /* of words in this font no line is lower, and few are as narrow */
  const Wave w = wave(0.3, 0.0);
  const PictureCurve curve = {.n = N, .x = w.x, .y = w.y};
  Error error;
  for (int k = 0; k < 2; k++) {
    const PicturePanel one = {
        .axes = {.title = title[k], .xlabel = "t", .ylabel = label}, .n = 1, .curve = &curve};
    const PicturePanel panel[8] = {one, one, one, one, one, one, one, one};
    double width, height, down;
    int longest;
    drawn(picture_panels(root, "long", 8, panel, 2, &error), &error, "long");
    char *script = slurp("long.gp");
    const Margins at = margins(script);
    ck_assert_int_eq(sscanf(strstr(script, "svg size "), "svg size %lf,%lf", &width, &height), 2);
    ck_assert_int_eq(sscanf(strstr(script, "spacing screen"), "spacing screen %*f,%lf", &down), 1);
    const double plot = (at.top - at.bottom - 3.0 * down) / 4.0 * height;
    int lines = set_lines(script, "set title", title[k], &longest);
    ck_assert_int_ge(lines, 2);
    ck_assert_double_le(LETTER * longest, 0.5 * width);
    ck_assert_double_ge((1.0 - at.top) * height, LINE * lines);
    ck_assert_double_ge(down * height, LINE * lines);
    lines = set_lines(script, "set ylabel", label, &longest);
    ck_assert_int_ge(lines, 2);
    ck_assert_double_le(LETTER * longest, plot + down * height);
    ck_assert_double_ge(at.left * width, LINE * lines + 40.0);
    free(script);
  }
}

TEST(without_gnuplot_the_script_is_there)
{
  const double x[3] = {1, 2, 3}, y[3] = {1, 4, 9}, e[3] = {0.1, 0.2, 0.3};
  const PictureCurve curve = {.label = "it's `date`", .n = 3, .x = x, .y = y, .error = e};
  const PictureAxes axes = {.title = "a 'title'", .xlabel = "x", .ylabel = "y"};
  Error error;
  char *keep = strdup(getenv("PATH"));
  ck_assert_int_eq(setenv("PATH", root, 1), 0);
  ck_assert_int_eq(picture_lines(root, "lines", &axes, 1, &curve, &error), STATUS_RUN);
  ck_assert_int_eq(setenv("PATH", keep, 1), 0);
  ck_assert_msg(strstr(error.text, "gnuplot-nox") != NULL, "%s", error.text);
  ck_assert(exists("lines.gp") && exists("lines.dat") && !exists("lines.png") && !exists("lines.gp.log"));
  drawn(picture_lines(root, "lines", &axes, 1, &curve, &error), &error, "lines");
  /* An old picture does not stand beside new data. */
  ck_assert_int_eq(setenv("PATH", root, 1), 0);
  ck_assert_int_eq(picture_lines(root, "lines", &axes, 1, &curve, &error), STATUS_RUN);
  ck_assert_int_eq(setenv("PATH", keep, 1), 0);
  free(keep);
  ck_assert(!exists("lines.png") && !exists("lines.svg"));
  ck_assert_int_eq(picture_lines("/no/such/folder", "lines", &axes, 1, &curve, &error), STATUS_IO);
  ck_assert_int_eq(picture_lines(root, "lines", &axes, 0, NULL, &error), STATUS_INPUT);
}

/* Curves of a series have shades of one scale, all different, and others on a dark page. */
TEST(series_have_shades)
{
  enum { CURVES = 12 };
  const double x[2] = {0.0, 1.0}, y[2] = {1.0, 2.0};
  PictureCurve curve[CURVES];
  char *text;
  size_t size;
  char seen[CURVES][64];
  for (int k = 0; k < CURVES; k++)
    curve[k] = (PictureCurve){.n = 2, .x = x, .y = y, .shade = k, .shades = CURVES};
  const PicturePanel panel = {.n = CURVES, .curve = curve};
  FILE *file = open_memstream(&text, &size);
  picture_json_print(file, 1, &panel, 1);
  ck_assert_int_eq(fclose(file), 0);
  const char *at = text;
  for (int k = 0; k < CURVES; k++) {
    at = strstr(at, "\"colour\":\"#");
    ck_assert_ptr_nonnull(at);
    snprintf(seen[k], sizeof seen[k], "%.38s", at++);
    ck_assert_ptr_nonnull(strstr(seen[k], ",\"dark\":\"#"));
    for (int j = 0; j < k; j++)
      ck_assert_str_ne(seen[j], seen[k]);
  }
  free(text);
}

TEST(quotes_reach_the_picture_unharmed)
{
  const double x[2] = {1, 2}, y[2] = {1, 4};
  const PictureCurve curve = {.label = "it's `touch stray` \"and\" $(touch stray)", .n = 2, .x = x, .y = y};
  const PictureAxes axes = {.title = "@x_y ^2"};
  Error error;
  const Status status = picture_lines(root, "quotes", &axes, 1, &curve, &error);
  ck_assert_int_eq(exists("stray"), 0);
  if (status != STATUS_OK) {
    ck_assert_msg(strstr(error.text, "cannot be started") != NULL, "%s", error.text);
    return;
  }
  char path[256], *text;
  snprintf(path, sizeof path, "%s/quotes.svg", root);
  ck_assert_int_eq(file_read(path, SIZE_MAX, &text, NULL, &error), STATUS_OK);
  ck_assert_ptr_nonnull(strstr(text, "@x_y ^2"));
  ck_assert_ptr_nonnull(strstr(text, "`touch stray`"));
  free(text);
}

/* Angles begin below zero, where distances end. */
TEST(distributions_are_shown_where_they_are)
{
  double x[2][3] = {{-170.0, 0.0, 170.0}, {0.05, 3.0, 6.0}}, y[] = {0.2, 0.3, 0.4};
  for (int k = 0; k < 2; k++) {
    const PictureCurve curve[2] = {{.label = "one", .n = 3, .x = x[k], .y = y},
                                   {.label = "two", .n = 3, .x = x[k], .y = y}};
    const PictureSet set = {.xlabel = "x", .ylabel = "P", .n = 2, .curve = curve};
    Error error;
    drawn(picture_rdf_differences(root, "where", 1, &set, &error), &error, "where");
    char *script = slurp("where.gp");
    const char *range = strstr(script, "set xrange [");
    ck_assert_ptr_nonnull(range);
    const double low = strtod(range + strlen("set xrange ["), NULL);
    ck_assert_msg(k == 0 ? low < -170.0 : low == 0.0, "%g", low);
    free(script);
  }
}

int main(void)
{
  suite_fixture(true, setup, teardown);
  return suite_lacks("gnuplot") ? SUITE_SKIPPED : suite_main("picture");
}
