/* The gallery on made-up exhibits: a page, as Markdown and as HTML, that is well formed whatever its texts
 * hold, numbers as CSV, each exhibit's own page, failures shown and passed, nothing written over, and the
 * input files inside the program equal those of examples/. */
#include <check.h>
#include <math.h>
#include <sys/stat.h>

#include "engine/file.h"
#include "gallery/example.h"
#include "gallery/gallery.h"
#include "tests/files.h"
#include "tests/suite.h"

#define NASTY "<b>a & b</b> \"c\" 'd' \xC3\xA9 \xFF \x01]]> <!-- </section>"
#define MARKS "1. `x` *y* _z_ [l](u) | a\\b\\| ![i](j) ~~s~~ $m$ &amp; x < y, <i>\n# h\n- | --- |"

static Status show_all(Page *page, Error *error)
{
  const double x[3] = {0.0, 1.0, 2.0}, y[3] = {0.1, 1.0 / 3.0, NAN};
  const double *const columns[2] = {x, y};
  const char *const names[2] = {"t", "y"};
  const PictureCurve curve = {.label = NASTY, .n = 2, .x = x, .y = y};
  const PictureAxes axes = {.title = NASTY, .xlabel = "t"};
  ck_assert_int_eq(page_threads(page), 3);
  ck_assert_ptr_nonnull(page_input(page, "penalty.yaml"));
  ck_assert_str_eq(page_input(page, "penalty.yaml"), page_input(page, "penalty.yaml"));
  page_text(page, "one %d & <two>", 17);
  page_text(page, "%s", NASTY);
  page_text(page, "%s", MARKS);
  page_text(page, "# no heading");
  ck_assert_int_eq(picture_lines(page_folder(page), "curve", &axes, 1, &curve, NULL), STATUS_OK);
  page_figure(page, "curve", NASTY);
  page_figure(page, "absent", "never drawn");
  page_claim(page, "order, <h>", "2 & \"more\"", 1, "%.2f", 2.0);
  page_claim(page, "another", "1", 0, "%s", NASTY);
  page_claim(page, "look", "smooth", -1, "smooth");
  page_claim(page, MARKS, "marks", -1, "%s", MARKS);
  return page_csv(page, "data.csv", 2, names, 3, columns, error);
}

static Status break_off(Page *page, Error *error)
{
  page_text(page, "as far as this");
  return error_set(error, STATUS_RUN, "step 7, replica 2: <bond> & more");
}

static Status ask_for_too_much(Page *page, Error *error)
{
  (void)error;
  ck_assert_ptr_nonnull(page_input(page, "absent.yaml"));
  return STATUS_OK;
}

static const Exhibit good = {"water-cluster", "Title " NASTY, "Paper & <sons>", "Summary " NASTY, show_all};
static const Exhibit bad = {"bad", "Bad", "none", "fails", break_off};
static const Exhibit greedy = {"greedy", "Greedy", "none", "wants a file that is not there",
                               ask_for_too_much};
static const Exhibit *const all_good[] = {&good, NULL}, *const mixed[] = {&bad, &greedy, &good, NULL};

static const char *slurp(const char *dir, const char *name)
{
  static char text[1 << 20];
  char path[512];
  size_t size;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  unsigned char *data = files_read(path, &size);
  ck_assert_uint_lt(size, sizeof text);
  memcpy(text, data, size);
  text[size] = '\0';
  free(data);
  return text;
}

static void says(const char *text, const char *what)
{
  ck_assert_msg(strstr(text, what) != NULL, "no '%s' in: %s", what, text);
}

/* Every tag closed in its turn, every & a reference, no stray <: what XML asks for. */
static void well_formed(const char *text)
{
  char open[64][16];
  int depth = 0;
  for (const char *c = text; *c != '\0'; c++) {
    ck_assert_msg((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t', "control character %d", *c);
    if (*c == '&')
      ck_assert_msg(strncmp(c, "&amp;", 5) == 0 || strncmp(c, "&lt;", 4) == 0 || strncmp(c, "&gt;", 4) == 0 ||
                        strncmp(c, "&quot;", 6) == 0 || strncmp(c, "&#", 2) == 0,
                    "stray &: %.40s", c);
    if (*c != '<' || c[1] == '!')
      continue;
    if (strncmp(c, "<script", 7) == 0) { /* what is in one is none of its */
      c = strstr(c, "</script>");
      ck_assert_ptr_nonnull(c);
      c += 8;
      continue;
    }
    const char *end = strchr(c, '>');
    ck_assert_ptr_nonnull(end);
    char name[16] = "";
    const int closing = c[1] == '/';
    ck_assert_int_eq(sscanf(c + 1 + closing, "%15[a-z0-9]", name), 1);
    if (closing) {
      ck_assert_int_gt(depth, 0);
      ck_assert_str_eq(open[--depth], name);
    } else if (end[-1] != '/') {
      ck_assert_int_lt(depth, 64);
      strcpy(open[depth++], name);
    }
    c = end;
  }
  ck_assert_int_eq(depth, 0);
}

static void check_page(const char *dir) { well_formed(slurp(dir, "index.html")); }

START_TEST(page_shows_everything)
{
  char dir[256];
  strcpy(dir, files_path("page"));
  const GalleryOptions options = {.dir = dir, .threads = 3};
  Error error = {0};
  ck_assert_msg(gallery_run(all_good, &options, &error) == STATUS_OK, "%s", error.text);
  check_page(dir);
  const char *html = slurp(dir, "index.html");
  ck_assert_ptr_null(strstr(html, "<b>"));
  ck_assert_ptr_null(strstr(html, "<em>"));
  says(html, "one 17 &#38; &#60;two&#62;");
  says(html,
       "&#60;b&#62;a &#38; b&#60;/b&#62; &#34;c&#34; &#39;d&#39; \xC3\xA9 \xEF\xBF\xBD \xEF\xBF\xBD]]&#62;");
  says(html,
       "1. `x` *y* _z_ [l](u) | a\\b\\| ![i](j) ~~s~~ $m$ &#38;amp; x &#60; y, &#60;i&#62;\n# h\n- | --- |");
  says(html, "<a href=\"water-cluster/penalty.yaml\">penalty.yaml</a>");
  says(html, "<figure data-name=\"curve\"");
  says(html, "<a href=\"water-cluster/curve.dat\">data</a>");
  says(html, "<a href=\"water-cluster/data.csv\">data.csv</a>");
  says(html, "<a href=\"#water-cluster\">");
  says(html, "<section id=\"water-cluster\">");
  says(html, "was not drawn");
  says(html, ">1 of 2<");
  const char *csv = slurp(dir, "numbers.csv");
  says(csv, "exhibit,what,paper,ours,holds\n");
  says(csv, "water-cluster,\"order, <h>\",\"2 & \"\"more\"\"\",2.00,yes\n");
  says(csv, ",no\n");
  says(csv, "water-cluster,look,smooth,smooth,\n");
  says(slurp(dir, "water-cluster/data.csv"), "t,y\n0,0.10000000000000001\n1,0.33333333333333331\n2,nan\n");
}
END_TEST

/* Cells of a line of a table: those between | that stand unescaped. */
static int cells(const char *line)
{
  int n = 0;
  for (; *line != '\0' && *line != '\n'; line++)
    if (*line == '\\')
      line++;
    else
      n += *line == '|';
  return n - 1;
}

/* The same page as Markdown: texts stay texts, on their lines and in their cells. */
START_TEST(markdown_shows_the_same)
{
  char dir[256], path[2048];
  strcpy(dir, files_path("markdown"));
  const GalleryOptions options = {.dir = dir, .threads = 3};
  Error error = {0};
  ck_assert_msg(gallery_run(all_good, &options, &error) == STATUS_OK, "%s", error.text);
  const char *text = slurp(dir, "water-cluster/README.md");
  says(text, "# Title \\<b>a & b\\</b> \"c\" 'd' \xC3\xA9 \xEF\xBF\xBD \\]\\]> \\<!-- \\</section>\n");
  says(text, "\nPaper: Paper & \\<sons>\n");
  says(text, "\none 17 & \\<two>\n");
  says(text, "\n1\\. \\`x\\` \\*y\\* \\_z\\_ \\[l\\](u) \\| a\\\\b\\\\\\| !\\[i\\](j) \\~\\~s\\~\\~ "
             "\\$m\\$ \\&amp; x < y, \\<i> # h - \\| --- \\|\n");
  says(text, "\n\\# no heading\n");
  says(text, "](curve.png)\n");
  says(text, "was not drawn");
  says(text, "| [penalty.yaml](penalty.yaml): ");
  says(text, " | `holonom run examples/water-cluster/penalty.yaml` |\n");
  says(text, "| order, \\<h> | 2 & \"more\" | 2.00 | yes |\n");
  ck_assert_ptr_null(strstr(text, "data.csv"));
  /* A reader of Markdown makes no markup of the texts, and all cells of the table. */
  snprintf(
      path, sizeof path,
      "cmark-gfm -e table -e strikethrough "
      "%s/water-cluster/README.md >%s/html && ! grep -E '<em>|<del>|<[bi]>|<ol|<h1>h|<hr|\"[uj]\"|omitted' "
      "%s/html && test $(grep -c '<td' %s/html) = $((4 * 4 + 2 * 5))",
      dir, dir, dir, dir);
  ck_assert_int_eq(system(path), 0);
  /* Input that was used, then the others; each is there. */
  ck_assert(strstr(text, "[penalty.yaml]") < strstr(text, "[constraint.yaml]"));
  const char *claims = strstr(text, "## The paper's claims");
  ck_assert_ptr_nonnull(claims);
  int rows = 0;
  for (const char *line = strstr(claims, "\n|"); line != NULL; line = strstr(line + 1, "\n|"), rows++)
    ck_assert_int_eq(cells(line + 1), 4);
  ck_assert_int_eq(rows, 2 + 4);
  for (const Example *e = example_find("water-cluster", NULL);
       e->folder != NULL && strcmp(e->folder, "water-cluster") == 0; e++) {
    snprintf(path, sizeof path, "%s/water-cluster/%s", dir, e->file);
    ck_assert_msg(access(path, R_OK) == 0, "%s", path);
  }
}
END_TEST

START_TEST(failures_are_shown_and_the_rest_goes_on)
{
  char dir[256], *text;
  size_t size;
  strcpy(dir, files_path("mixed"));
  FILE *out = open_memstream(&text, &size);
  const GalleryOptions options = {.dir = dir, .threads = 3, .out = out};
  Error error = {0};
  ck_assert_int_eq(gallery_run(mixed, &options, &error), STATUS_RUN);
  fclose(out);
  says(error.text, "2 of 3");
  says(error.text, "bad, greedy");
  says(text, "1 of 2 claims hold; open ");
  says(text, "failed: step 7, replica 2");
  free(text);
  check_page(dir);
  const char *html = slurp(dir, "index.html");
  says(html, "as far as this");
  says(html, ">failed<");
  says(html, "<pre>step 7, replica 2: &#60;bond&#62; &#38; more</pre>");
  says(html, "examples/greedy/absent.yaml");
  says(html, "one 17");
  says(slurp(dir, "bad/README.md"), "\n    step 7, replica 2: <bond> & more\n");
  says(slurp(dir, "numbers.csv"), "bad,run to the end,,\"step 7, replica 2: <bond> & more\",failed\n");
}
END_TEST

START_TEST(nothing_is_written_over)
{
  char dir[256];
  strcpy(dir, files_path("twice"));
  GalleryOptions options = {.dir = dir, .threads = 3};
  Error error = {0};
  ck_assert_int_eq(mkdir(dir, 0777), 0);
  ck_assert_int_eq(gallery_run(all_good, &options, &error), STATUS_OK); /* an empty folder is fine */
  char path[512];
  snprintf(path, sizeof path, "%s/index.html", dir);
  files_write(path, "mine", 4);
  ck_assert_int_eq(gallery_run(mixed, &options, &error), STATUS_INPUT);
  says(error.text, "--force");
  ck_assert_str_eq(slurp(dir, "index.html"), "mine");
  snprintf(path, sizeof path, "%s/bad", dir);
  ck_assert_int_ne(access(path, F_OK), 0);
  options.force = true;
  ck_assert_int_eq(gallery_run(all_good, &options, &error), STATUS_OK);
  check_page(dir);
  options.dir = "/dev/null/no";
  ck_assert_int_eq(gallery_run(all_good, &options, &error), STATUS_INPUT);
}
END_TEST

/* The program holds the files of the source tree to the byte, all of them. */
START_TEST(embedded_files_are_those_of_examples)
{
  const char *source = getenv("HOLONOM_SOURCE");
  ck_assert_ptr_nonnull(source);
  int n = 0;
  for (const Example *e = example_table; e->folder != NULL; e++, n++) {
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/examples/%s/%s", source, e->folder, e->file);
    unsigned char *data = files_read(path, &size);
    ck_assert_msg(size == strlen(e->text) && memcmp(data, e->text, size) == 0, "%s", path);
    free(data);
    ck_assert_ptr_eq(example_find(e->folder, e->file), e);
  }
  char command[512];
  snprintf(command, sizeof command,
           "test $(ls %s/examples/*/*.yaml %s/examples/*/*.csv 2>/dev/null | wc -l) = %d", source, source, n);
  ck_assert_int_eq(system(command), 0);
  ck_assert_ptr_null(example_find("water-cluster", "none.yaml"));
}
END_TEST

/* An exhibit's own input, changed by a key, is a system that steps. */
static Status step(Page *page, Error *error)
{
  Simulation *mechanics;
  page_set(page, KEY(integrator_timestep), "0.01");
  Status status = page_load(page, example_find("double-pendulum", NULL)->file, &mechanics, error);
  if (status != STATUS_OK)
    return status;
  status = simulation_step(mechanics, 10, NULL, error);
  page_claim(page, "time", "0.1", fabs(simulation_time(mechanics) - 0.1) < 1e-12, "%g",
             simulation_time(mechanics));
  simulation_free(mechanics);
  ck_assert_int_eq(page_load(page, "absent.yaml", &mechanics, error), STATUS_INPUT);
  return status;
}

START_TEST(inputs_load_from_inside_the_program)
{
  static const Exhibit pendulum = {"double-pendulum", "Double pendulum", "none", "steps", step};
  static const Exhibit *const table[] = {&pendulum, NULL};
  char dir[256];
  strcpy(dir, files_path("loaded"));
  const GalleryOptions options = {.dir = dir, .threads = 1};
  Error error = {0};
  /* What was asked for in vain is a failure, even if the exhibit makes nothing of it. */
  ck_assert_int_eq(gallery_run(table, &options, &error), STATUS_RUN);
  says(slurp(dir, "numbers.csv"), "double-pendulum,time,0.1,0.1,yes\n");
  says(slurp(dir, "numbers.csv"), "examples/double-pendulum/absent.yaml");
}
END_TEST

START_TEST(rows_are_whole)
{
  for (int i = 0; exhibit_table[i] != NULL; i++) {
    const Exhibit *e = exhibit_table[i];
    ck_assert_ptr_eq(exhibit_find(e->name), e); /* a name once */
    ck_assert(e->title[0] != '\0' && e->paper[0] != '\0' && e->summary[0] != '\0' && e->run != NULL);
    ck_assert_msg(example_find(e->name, NULL) != NULL, "examples/%s is not there", e->name);
    ck_assert_uint_eq(strspn(e->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(e->name));
  }
  ck_assert_ptr_null(exhibit_find("none"));
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("gallery");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, page_shows_everything);
  tcase_add_test(tc, markdown_shows_the_same);
  tcase_add_test(tc, failures_are_shown_and_the_rest_goes_on);
  tcase_add_test(tc, nothing_is_written_over);
  tcase_add_test(tc, embedded_files_are_those_of_examples);
  tcase_add_test(tc, inputs_load_from_inside_the_program);
  tcase_add_test(tc, rows_are_whole);
  return suite_lacks("gnuplot") || suite_lacks("cmark-gfm") ? SUITE_SKIPPED : files_main("gallery", tc);
}
