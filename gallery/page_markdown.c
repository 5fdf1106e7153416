/* A page by itself, as Markdown in the dialect of GitHub and GitLab: README.md of an example's folder. */
#include <ctype.h>
#include <string.h>

#include "engine/file.h"
#include "gallery/example.h"
#include "gallery/page.h"
#include "gallery/page_write.h"

/* --- text ------------------------------------------------------------------------------------------------
 */

/* Bytes of the UTF-8 character at text that may stand in a text; 0 if there is none. */
static int character(const char *text)
{
  const unsigned char *s = (const unsigned char *)text;
  const int n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90)) /* a longer way to write another */
    return 0;
  return (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F) ? 0 : n;
}

/* Whether the character would begin markup: & and < do only before what makes an entity or a tag of them. */
static bool is_markup(const char *s)
{
  const unsigned char next = (unsigned char)s[1];
  if (*s == '&')
    return isalpha(next) || next == '#';
  if (*s == '<')
    return isalpha(next) || (next != '\0' && strchr("/!?", next) != NULL);
  return strchr("\\`*_[]|~$", *s) != NULL;
}

/* Text within a line: whatever it holds, it stays text and on this line. */
static void print_text(FILE *file, const char *text)
{
  for (const char *s = text != NULL ? text : ""; *s != '\0';) {
    const int n = character(s);
    if (n == 0) {
      fputs("\xEF\xBF\xBD", file); /* no character: U+FFFD */
    } else if (*s == '\n' || *s == '\t') {
      fputc(' ', file);
    } else if (n > 1 || (unsigned char)*s >= ' ') {
      if (is_markup(s))
        fputc('\\', file);
      fwrite(s, 1, (size_t)n, file);
    }
    s += n > 0 ? n : 1;
  }
}

/* At the start of a line some more would open a block: heading, list, quotation, underline, or a numbered
 * list
 * ("1." or "1)"), of which the sign after the digits is the one to escape. */
static void paragraph(FILE *file, const char *text)
{
  text += strspn(text, " \t\n");
  const size_t digits = strspn(text, "0123456789");
  const char *mark = text + digits;
  fprintf(file, "\n%.*s", (int)digits, text);
  if (*mark != '\0' && strchr(digits > 0 ? ".)" : "#+-=>", *mark) != NULL)
    fprintf(file, "\\%c", *mark++);
  print_text(file, mark);
  fputs("\n", file);
}

/* Part of a link's target: what is neither letter, digit nor one of -._/ becomes %XX. */
static void print_target(FILE *file, const char *text)
{
  for (const char *s = text; *s != '\0'; s++)
    if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
        strchr("-._/", *s) != NULL)
      fputc(*s, file);
    else
      fprintf(file, "%%%02X", (unsigned char)*s);
}

/* The page that is written, and where to. */
typedef struct Place {
  FILE *file;
  const Page *page;
} Place;

static void heading(const Place *at, const char *text) { fprintf(at->file, "\n## %s\n", text); }

/* "](NAME SUFFIX)" */
static void end_link(const Place *at, const char *name, const char *suffix)
{
  fputs("](", at->file);
  print_target(at->file, name);
  fprintf(at->file, "%s)", suffix);
}

static void link_to(const Place *at, const char *name)
{
  fputs("[", at->file);
  print_text(at->file, name);
  end_link(at, name, "");
}

/* A message as it is, indented: nothing in it can end such a block. */
static void indented(FILE *file, const char *text)
{
  fputs("\n    ", file);
  for (const char *s = text; *s != '\0';) {
    const int n = character(s);
    if (n == 0)
      fputs("\xEF\xBF\xBD", file);
    else if (*s == '\n')
      fputs("\n    ", file);
    else if (n > 1 || (unsigned char)*s >= ' ')
      fwrite(s, 1, (size_t)n, file);
    s += n > 0 ? n : 1;
  }
  fputs("\n", file);
}

/* --- parts -----------------------------------------------------------------------------------------------
 */

static bool is_input(const char *file)
{
  const size_t n = strlen(file);
  return n > 5 && strcmp(file + n - 5, ".yaml") == 0;
}

/* What stands behind "title:" in the file, quotes off. */
static void write_title(FILE *file, const char *text)
{
  static const char key[] = "title:";
  while (text != NULL && strncmp(text, key, sizeof key - 1) != 0) {
    text = strchr(text, '\n');
    text = text != NULL ? text + 1 : NULL;
  }
  if (text == NULL)
    return;
  text += sizeof key - 1;
  text += strspn(text, " ");
  size_t n = strcspn(text, "\n");
  if (n > 1 && (text[0] == '"' || text[0] == '\'') && text[n - 1] == text[0]) {
    text++;
    n -= 2;
  }
  char title[256];
  snprintf(title, sizeof title, "%.*s", (int)n, text);
  print_text(file, title);
}

static int64_t file_size(const Page *page, const char *name, const char *suffix)
{
  char file[512];
  snprintf(file, sizeof file, "%s%s", name, suffix);
  return file_length(page->folder, file);
}

static void write_input(const Place *at, const char *name)
{
  const char *folder = at->page->exhibit->name;
  const Example *e = example_find(folder, name);
  if (e == NULL || !is_input(name))
    return;
  fputs("| ", at->file);
  link_to(at, name);
  fputs(": ", at->file);
  write_title(at->file, e->text);
  fprintf(at->file, " | `holonom run examples/%s/%s` |\n", folder, name);
}

static bool has_input(const Page *page, const char *name)
{
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_INPUT && strcmp(page->item[i].text[0], name) == 0)
      return true;
  return false;
}

/* All inputs of the example: first those that the exhibit has used, in its order. */
static void write_inputs(const Place *at)
{
  const Page *page = at->page;
  const char *folder = page->exhibit->name;
  const Example *first = example_find(folder, NULL);
  if (first == NULL)
    return;
  heading(at, "Run it");
  fprintf(at->file,
          "\n`holonom gallery --only %s` makes the figures and numbers below. Each input by itself, "
          "from the root of the sources, or from anywhere after `holonom example %s -o examples/%s`:\n\n"
          "| input | |\n| --- | --- |\n",
          folder, folder, folder);
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_INPUT)
      write_input(at, page->item[i].text[0]);
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, folder) == 0; e++)
    if (!has_input(page, e->file))
      write_input(at, e->file);
}

static void write_figure(const Place *at, const PageItem *item)
{
  const char *name = item->text[0];
  const int64_t png = file_size(at->page, name, ".png"), svg = file_size(at->page, name, ".svg");
  if (png > 0 || svg > 0) {
    fputs("\n![", at->file);
    print_text(at->file, name);
    end_link(at, name, png > 0 ? ".png" : ".svg");
    fputc('\n', at->file);
  }
  paragraph(at->file, item->text[1]);
  if (png <= 0 && svg <= 0)
    fputs("\n(This figure was not drawn: gnuplot is missing or failed.)\n", at->file);
}

static void write_claims(const Place *at)
{
  const Page *page = at->page;
  if (page_count(page, 1) + page_count(page, 0) + page_count(page, -1) == 0)
    return;
  heading(at, "The paper's claims and our numbers");
  fputs("\n| what | paper | ours | holds |\n| --- | --- | --- | --- |\n", at->file);
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind != PAGE_CLAIM)
      continue;
    for (int k = 0; k < 3; k++) {
      fputs("| ", at->file);
      print_text(at->file, item->text[k]);
      fputs(" ", at->file);
    }
    fprintf(at->file, "| %s |\n", page_write_verdict(item->holds));
  }
}

static void write_shown(const Place *at)
{
  bool any = false;
  for (int i = 0; i < at->page->n; i++) {
    const PageItem *item = &at->page->item[i];
    if (item->kind != PAGE_TEXT && item->kind != PAGE_FIGURE)
      continue;
    if (!any)
      heading(at, "What comes out");
    any = true;
    if (item->kind == PAGE_TEXT)
      paragraph(at->file, item->text[0]);
    else
      write_figure(at, item);
  }
}

static void print(FILE *file, const Page *page)
{
  const Place at = {file, page};
  const Exhibit *e = page->exhibit;
  print_text(file, e->title);
  fputs("\n\nPaper: ", file);
  print_text(file, e->paper);
  fputs("\n", file);
  paragraph(file, e->summary);
  write_inputs(&at);
  write_shown(&at);
  if (page->status != STATUS_OK) {
    heading(&at, "It failed");
    indented(file, page->error.text);
  }
  write_claims(&at);
}

static void write_all(FILE *file, int n, Page *const *page)
{
  for (int i = 0; i < n; i++) {
    fputs("# ", file);
    print(file, page[i]);
  }
}

Status page_markdown_write(Page *page, Error *error)
{
  const Example *e = example_find(page->exhibit->name, NULL);
  Status status = STATUS_OK;
  for (; e != NULL && e->folder != NULL && strcmp(e->folder, page->exhibit->name) == 0 && status == STATUS_OK;
       e++)
    status = example_write(e, page->folder, true, error);
  return status == STATUS_OK ? page_write_file(page->folder, "README.md", write_all, 1, &page, error)
                             : status;
}
