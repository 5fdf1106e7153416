/* The page of all exhibits: index.html, one file with all figures. */
#include <stdio.h>
#include <string.h>

#include "engine/file.h"
#include "engine/text.h"
#include "gallery/example.h"
#include "gallery/page.h"
#include "gallery/page_write.h"
#include "html/html.h"

static void write_contents(Html *html, int n, Page *const *page)
{
  static const char *const heading[] = {"Exhibit", "Paper", "Claims that hold", "Time (s)"};
  int yes = 0, no = 0;
  double seconds = 0.0;
  html_table(html, "exhibits", 4, "llrr", heading);
  for (int i = 0; i < n; i++) {
    const Exhibit *e = page[i]->exhibit;
    const int y = page_count(page[i], 1), x = page_count(page[i], 0);
    char claims[64] = "", time[32], target[128];
    yes += y;
    no += x;
    seconds += page[i]->seconds;
    if (page[i]->status != STATUS_OK)
      text_append(claims, sizeof claims, "failed%s", y + x > 0 ? ", " : "");
    if (y + x > 0)
      text_append(claims, sizeof claims, "%d of %d", y, y + x);
    snprintf(time, sizeof time, "%.1f", page[i]->seconds);
    snprintf(target, sizeof target, "#%s", e->name);
    html_cell_link(html, target);
    html_row(html, (const char *[]){e->title, e->paper, claims, time});
  }
  html_table_end(html);
  html_text(
      html,
      "%d of %d claims hold; %.0f s in all. Where one does not, the column beside it and the text above the "
      "table say what was found.",
      yes, yes + no, seconds);
  html_begin(html);
  html_words(html, "The same as numbers: ");
  html_link(html, NULL, "numbers.csv", "numbers.csv");
  html_end(html);
}

/* Those that the exhibit has used. */
static void write_inputs(Html *html, const Page *page)
{
  const char *folder = page->exhibit->name;
  if (example_find(folder, NULL) == NULL)
    return;
  html_heading(html, "Run it");
  html_begin(html);
  html_words(html, "Made by holonom gallery --only ");
  html_words(html, folder);
  html_words(html, "; its inputs, which holonom run takes:");
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_INPUT) {
      html_words(html, " ");
      html_link(html, folder, page->item[i].text[0], page->item[i].text[0]);
    }
  html_end(html);
}

/* What a figure is made of, and its other formats. */
static void write_formats(Html *html, const Page *page, const char *name)
{
  static const char *const suffix[] = {".svg", ".png", ".pdf", ".dat", ".gp"};
  static const char *const word[] = {"SVG", "PNG", "PDF", "data", "gnuplot script"};
  html_begin(html);
  for (size_t k = 0; k < sizeof suffix / sizeof *suffix; k++) {
    char file[512];
    snprintf(file, sizeof file, "%s%s", name, suffix[k]);
    if (file_length(page->folder, file) > 0) {
      html_link(html, page->exhibit->name, file, word[k]);
      html_words(html, " ");
    }
  }
  html_end(html);
}

static void write_shown(Html *html, const Page *page)
{
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind == PAGE_TEXT) {
      html_text(html, "%s", item->text[0]);
    } else if (item->kind == PAGE_FIGURE) {
      if (!html_figure(html, page->folder, item->text[0], item->text[1]))
        html_text(html, "%s (This figure was not drawn: gnuplot is missing or failed.)", item->text[1]);
      write_formats(html, page, item->text[0]);
    }
  }
}

static void write_claims(Html *html, const Page *page)
{
  static const char *const heading[] = {"What", "Paper", "Ours", "Holds"};
  if (page_count(page, 1) + page_count(page, 0) + page_count(page, -1) == 0)
    return;
  html_heading(html, "The paper's claims and our numbers");
  html_table(html, page->exhibit->name, 4, "lllv", heading);
  for (int i = 0; i < page->n; i++) {
    const PageItem *item = &page->item[i];
    if (item->kind == PAGE_CLAIM)
      html_row(html, (const char *[]){item->text[0], item->text[1], item->text[2],
                                      page_write_verdict(item->holds)});
  }
  html_table_end(html);
}

static void write_data(Html *html, const Page *page)
{
  bool any = false;
  for (int i = 0; i < page->n; i++)
    if (page->item[i].kind == PAGE_DATA) {
      if (!any) {
        html_begin(html);
        html_words(html, "Data: ");
      }
      html_words(html, any ? ", " : "");
      html_link(html, page->exhibit->name, page->item[i].text[0], page->item[i].text[0]);
      any = true;
    }
  if (any)
    html_end(html);
}

static void write_exhibit(Html *html, const Page *page)
{
  const Exhibit *e = page->exhibit;
  html_section(html, e->name, e->title);
  html_text(html, "Paper: %s", e->paper);
  html_text(html, "%s", e->summary);
  write_inputs(html, page);
  write_shown(html, page);
  if (page->status != STATUS_OK) {
    html_heading(html, "It failed");
    html_lines(html, NULL, page->error.text);
  }
  write_claims(html, page);
  write_data(html, page);
}

Status page_html_write(const char *dir, int n, Page *const *page, Error *error)
{
  Html *html;
  const Status status = html_create(
      &html, dir, "index.html", "Gallery",
      "The examples of four papers on molecules and mechanisms held together by constraints or by stiff "
      "springs, run by Holonom " HOLONOM_VERSION " from input files: each with its figures drawn anew, "
      "and what the paper says beside what comes out here.",
      error);
  if (status != STATUS_OK)
    return status;
  write_contents(html, n, page);
  for (int i = 0; i < n; i++)
    write_exhibit(html, page[i]);
  return html_close(html, true, error);
}
