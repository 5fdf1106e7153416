/* A page by itself, as Markdown in the dialect of GitHub and GitLab: README.md of an example's folder. */
#include <ctype.h>
#include <string.h>

#include "gallery/example.h"
#include "gallery/page.h"
#include "gallery/page_write.h"

/* --- text ------------------------------------------------------------------------------------------------
 */

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
static void escape(FILE *file, const char *text)
{
  for (const char *s = text != NULL ? text : ""; *s != '\0';) {
    const int n = page_write_character(s);
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
  escape(file, mark);
  fputs("\n", file);
}

static void link_to(FILE *file, const char *name, const char *text)
{
  fputs("[", file);
  escape(file, text);
  fputs("](", file);
  page_write_target(file, name);
  fputs(")", file);
}

/* A message as it is, indented: nothing in it can end such a block. */
static void indented(FILE *file, const char *text)
{
  fputs("\n    ", file);
  for (const char *s = text; *s != '\0';) {
    const int n = page_write_character(s);
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
  escape(file, title);
}

static void write_input(FILE *file, const char *folder, const char *name)
{
  const Example *e = example_find(folder, name);
  if (e == NULL || !is_input(name))
    return;
  fputs("| ", file);
  link_to(file, name, name);
  fputs(": ", file);
  write_title(file, e->text);
  fprintf(file, " | `holonom run examples/%s/%s` |\n", folder, name);
}

static bool has_input(const Page *page, const char *name)
{
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_INPUT && strcmp(page->item[i].text[0], name) == 0)
      return true;
  return false;
}

/* All inputs of the example: first those that the exhibit has used, in its order. */
static void write_inputs(FILE *file, const Page *page)
{
  const char *folder = page->exhibit->name;
  const Example *first = example_find(folder, NULL);
  if (first == NULL)
    return;
  fprintf(
      file,
      "\n## Run it\n\n`holonom gallery --only %s` makes the figures and numbers below. Each input by itself, "
      "from the root of the sources, or from anywhere after `holonom example %s -o examples/%s`:\n\n"
      "| input | |\n| --- | --- |\n",
      folder, folder, folder);
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_INPUT)
      write_input(file, folder, page->item[i].text[0]);
  for (const Example *e = first; e->folder != NULL && strcmp(e->folder, folder) == 0; e++)
    if (!has_input(page, e->file))
      write_input(file, folder, e->file);
}

static void write_figure(FILE *file, const Page *page, const PageItem *item)
{
  static const char *const suffix[] = {".png", ".svg"};
  for (size_t k = 0; k < sizeof suffix / sizeof *suffix; k++)
    if (page_write_length(page, item->text[0], suffix[k]) > 0) {
      fputs("\n![", file);
      escape(file, item->text[0]);
      fputs("](", file);
      page_write_target(file, item->text[0]);
      fprintf(file, "%s)\n", suffix[k]);
      paragraph(file, item->text[1]);
      return;
    }
  paragraph(file, item->text[1]);
  fputs("\n(This figure was not drawn: gnuplot is missing or failed.)\n", file);
}

static void write_claims(FILE *file, const Page *page)
{
  if (page_count(page, 1) + page_count(page, 0) + page_count(page, -1) == 0)
    return;
  fputs("\n## The paper's claims and our numbers\n\n| what | paper | ours | holds |\n| --- | --- | --- | --- "
        "|\n",
        file);
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind != PAGE_CLAIM)
      continue;
    for (int k = 0; k < 3; k++) {
      fputs("| ", file);
      escape(file, item->text[k]);
      fputs(" ", file);
    }
    fprintf(file, "| %s |\n", page_write_verdict(item->holds));
  }
}

static void write_shown(FILE *file, const Page *page)
{
  bool any = false;
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind != PAGE_TEXT && item->kind != PAGE_FIGURE)
      continue;
    if (!any)
      fputs("\n## What comes out\n", file);
    any = true;
    if (item->kind == PAGE_TEXT)
      paragraph(file, item->text[0]);
    else
      write_figure(file, page, item);
  }
}

static void write_all(FILE *file, int n, Page *const *page)
{
  for (int i = 0; i < n; i++) {
    const Exhibit *e = page[i]->exhibit;
    fputs("# ", file);
    escape(file, e->title);
    fputs("\n\nPaper: ", file);
    escape(file, e->paper);
    fputs("\n", file);
    paragraph(file, e->summary);
    write_inputs(file, page[i]);
    write_shown(file, page[i]);
    if (page[i]->status != STATUS_OK) {
      fputs("\n## It failed\n", file);
      indented(file, page[i]->error.text);
    }
    write_claims(file, page[i]);
  }
}

Status page_markdown_write(Page *page, Error *error)
{
  const Example *e = example_find(page->exhibit->name, NULL);
  Status status = STATUS_OK;
  for (; e != NULL && e->folder != NULL && strcmp(e->folder, page->exhibit->name) == 0 && status == STATUS_OK;
       e++)
    status = example_write(e, page->folder, error);
  return status == STATUS_OK ? page_write_file(page->folder, "README.md", write_all, 1, &page, error)
                             : status;
}
