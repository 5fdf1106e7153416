/* The page of all exhibits: XHTML that is HTML too. */
#include <stdlib.h>
#include <string.h>

#include "gallery/page.h"
#include "gallery/page_write.h"

/* --- text ------------------------------------------------------------------------------------------------
 */

/* Text between tags or in an attribute: whatever it holds, it stays text. */
static void escape(FILE *file, const char *text)
{
  const char *s = text != NULL ? text : "";
  while (*s != '\0') {
    const int n = page_write_character(s);
    if (n == 0)
      fputs("\xEF\xBF\xBD", file); /* no character: U+FFFD */
    else if (*s == '&')
      fputs("&amp;", file);
    else if (*s == '<')
      fputs("&lt;", file);
    else if (*s == '>')
      fputs("&gt;", file);
    else if (*s == '"')
      fputs("&quot;", file);
    else if (*s == '\'')
      fputs("&#39;", file);
    else if (n > 1 || (unsigned char)*s >= ' ' || *s == '\n' || *s == '\t')
      fwrite(s, 1, (size_t)n, file);
    s += n > 0 ? n : 1;
  }
}

/* FOLDER/NAME.SUFFIX as a link's target. */
static void target(FILE *file, const char *folder, const char *name, const char *suffix)
{
  page_write_target(file, folder);
  fputc('/', file);
  page_write_target(file, name);
  page_write_target(file, suffix);
}

static void element(FILE *file, const char *tag, const char *text)
{
  fprintf(file, "<%s>", tag);
  escape(file, text);
  fprintf(file, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

/* --- parts -----------------------------------------------------------------------------------------------
 */

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d2126;--soft:#5b6570;--paper:#fdfdfc;--card:#ffffff;"
    "--line:#dcdfe3;--link:#0b5a8a;--yes:#0f6b45;--no:#b0420b}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e6e9;--soft:#a0a8b1;--paper:#15181b;--card:#1c2024;"
    "--line:#353b41;--link:#7cc0ea;--yes:#5cc79a;--no:#f0905a}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe "
    "UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}\n"
    "main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 5rem}\n"
    "h1{font-size:2rem;line-height:1.2;margin:0 0 .4rem}\n"
    "h2{font-size:1.45rem;line-height:1.25;margin:0 0 .2rem}\n"
    "p{margin:.7rem 0;max-width:46rem}\n"
    "a{color:var(--link)}\n"
    ".paper,.small{color:var(--soft);font-size:.9rem}\n"
    "section{margin-top:3rem;padding-top:1.6rem;border-top:1px solid var(--line)}\n"
    "figure{margin:1.6rem 0}\n"
    "figure img{display:block;width:100%;height:auto;background:#fff;border:1px solid "
    "var(--line);border-radius:4px}\n"
    "figcaption{margin-top:.5rem;max-width:52rem;font-size:.93rem}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;margin:1.2rem 0;font-size:.93rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.45rem .8rem .45rem 0;border-bottom:1px solid "
    "var(--line)}\n"
    "th{font-weight:600;color:var(--soft)}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".yes{color:var(--yes);font-weight:600}.no{color:var(--no);font-weight:600}\n"
    "code,pre{font:.88rem/1.5 ui-monospace,'Cascadia Mono','DejaVu Sans Mono',monospace}\n"
    "pre{background:var(--card);border:1px solid var(--line);border-radius:4px;padding:.6rem .8rem;"
    "overflow-x:auto;white-space:pre-wrap}\n"
    ".failed{border-left:4px solid var(--no)}\n";

static void write_head(FILE *file)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>Holonom: gallery</title>\n<style>\n",
        file);
  fputs(style, file);
  fputs("</style>\n</head>\n<body>\n<main>\n<h1>Gallery</h1>\n"
        "<p>The examples of four papers on molecules and mechanisms held together by constraints or by stiff "
        "springs, run by Holonom " HOLONOM_VERSION " from input files: each with its figures drawn anew, and "
        "what the paper says beside what comes out here.</p>\n",
        file);
}

static void write_contents(FILE *file, int n, Page *const *page)
{
  int yes = 0, no = 0;
  double seconds = 0.0;
  fputs("<nav class=\"wide\"><table>\n<thead><tr><th>exhibit</th><th>paper</th><th>claims that hold</th>"
        "<th>time</th></tr></thead>\n<tbody>\n",
        file);
  for (int i = 0; i < n; i++) {
    const Exhibit *e = page[i]->exhibit;
    const int y = page_count(page[i], 1), x = page_count(page[i], 0);
    yes += y;
    no += x;
    seconds += page[i]->seconds;
    fputs("<tr><td><a href=\"#", file);
    escape(file, e->name);
    fputs("\">", file);
    escape(file, e->title);
    fputs("</a></td><td>", file);
    escape(file, e->paper);
    fputs("</td><td>", file);
    if (page[i]->status != STATUS_OK)
      fputs("<span class=\"no\">failed</span> ", file);
    if (y + x > 0)
      fprintf(file, "<span class=\"%s\">%d of %d</span>", x == 0 ? "yes" : "no", y, y + x);
    fprintf(file, "</td><td class=\"n\">%.1f s</td></tr>\n", page[i]->seconds);
  }
  fprintf(file,
          "</tbody>\n</table></nav>\n<p class=\"small\">%d of %d claims hold; %.0f s in all. The same as "
          "numbers: <a href=\"numbers.csv\">numbers.csv</a>. Where a claim does not hold, the "
          "column beside it and the text above the table say what was found.</p>\n",
          yes, yes + no, seconds);
}

static void link_to(FILE *file, const Page *page, const char *name, const char *suffix, const char *text)
{
  fputs("<a href=\"", file);
  target(file, page->exhibit->name, name, suffix);
  fputs("\">", file);
  escape(file, text);
  fputs("</a>", file);
}

/* A drawing of many points is smaller, and quicker to show, as pixels. */
static const char *shown(const Page *page, const char *name)
{
  const int64_t svg = page_write_length(page, name, ".svg"), png = page_write_length(page, name, ".png");
  if (svg > 0 && (svg < 400000 || png <= 0))
    return ".svg";
  return png > 0 ? ".png" : NULL;
}

static void write_figure(FILE *file, const Page *page, const PageItem *item)
{
  static const struct {
    const char *suffix, *word;
  } links[] = {{".svg", "SVG"}, {".png", "PNG"}, {".dat", "data"}, {".gp", "gnuplot script"}};
  const char *name = item->text[0], *suffix = shown(page, name);
  fputs("<figure>\n", file);
  if (suffix != NULL) {
    fputs("<a href=\"", file);
    target(file, page->exhibit->name, name, suffix);
    fputs("\"><img loading=\"lazy\" src=\"", file);
    target(file, page->exhibit->name, name, suffix);
    fputs("\" alt=\"", file);
    escape(file, item->text[1]);
    fputs("\"/></a>\n", file);
  } else {
    fprintf(file, "<p class=\"failed\">&#160; This figure was not drawn%s.</p>\n",
            page_write_length(page, name, ".gp") > 0
                ? "; gnuplot is missing or failed. Its data and script are below"
                : "");
  }
  fputs("<figcaption>", file);
  escape(file, item->text[1]);
  const char *separator = " <span class=\"small\">(";
  for (size_t k = 0; k < sizeof links / sizeof *links; k++)
    if (page_write_length(page, name, links[k].suffix) > 0) {
      fputs(separator, file);
      link_to(file, page, name, links[k].suffix, links[k].word);
      separator = ", ";
    }
  fputs(*separator == ',' ? ")</span></figcaption>\n</figure>\n" : "</figcaption>\n</figure>\n", file);
}

static void write_claims(FILE *file, const Page *page)
{
  if (page_count(page, 1) + page_count(page, 0) + page_count(page, -1) == 0)
    return;
  fputs("<div class=\"wide\"><table>\n<thead><tr><th>what</th><th>paper</th><th>ours</th><th>holds</th></tr>"
        "</thead>\n<tbody>\n",
        file);
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind != PAGE_CLAIM)
      continue;
    fputs("<tr>", file);
    for (int k = 0; k < 3; k++) {
      fputs("<td>", file);
      escape(file, item->text[k]);
      fputs("</td>", file);
    }
    fprintf(file, "<td class=\"%s\">%s</td></tr>\n",
            item->holds < 0 ? "open" : page_write_verdict(item->holds), page_write_verdict(item->holds));
  }
  fputs("</tbody>\n</table></div>\n", file);
}

static void write_files(FILE *file, const Page *page)
{
  int inputs = 0, data = 0;
  for (int i = 0; i < page->n; i++) {
    inputs += page->item[i].kind == PAGE_INPUT;
    data += page->item[i].kind == PAGE_DATA;
  }
  if (inputs > 0) {
    fputs("<p>Run it yourself:</p>\n<pre><code>", file);
    fputs("holonom example ", file);
    escape(file, page->exhibit->name);
    for (int i = 0; i < page->n; i++)
      if (page->item[i].kind == PAGE_INPUT) {
        fputs("\nholonom run ", file);
        link_to(file, page, page->item[i].text[0], "", page->item[i].text[0]);
      }
    fputs("</code></pre>\n", file);
  }
  const char *separator = "<p class=\"small\">Data: ";
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_DATA) {
      fputs(separator, file);
      link_to(file, page, page->item[i].text[0], "", page->item[i].text[0]);
      separator = ", ";
    }
  if (data > 0)
    fputs("</p>\n", file);
}

static void write_exhibit(FILE *file, const Page *page)
{
  const Exhibit *e = page->exhibit;
  fputs("<section id=\"", file);
  escape(file, e->name);
  fputs("\">\n", file);
  element(file, "h2", e->title);
  element(file, "div class=\"paper\"", e->paper);
  element(file, "p", e->summary);
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_TEXT)
      element(file, "p", page->item[i].text[0]);
    else if (page->item[i].kind == PAGE_FIGURE)
      write_figure(file, page, &page->item[i]);
  if (page->status != STATUS_OK) {
    fputs("<p class=\"no\">This exhibit failed:</p>\n", file);
    element(file, "pre class=\"failed\"", page->error.text);
  }
  write_claims(file, page);
  write_files(file, page);
  fputs("</section>\n", file);
}

/* --- the file ---------------------------------------------------------------------------------------------
 */

static void write_all(FILE *file, int n, Page *const *page)
{
  write_head(file);
  write_contents(file, n, page);
  for (int i = 0; i < n; i++)
    write_exhibit(file, page[i]);
  fputs("</main>\n</body>\n</html>\n", file);
}

Status page_html_write(const char *dir, int n, Page *const *page, Error *error)
{
  return page_write_file(dir, "index.html", write_all, n, page, error);
}
