/* The page of all exhibits: index.md, and index.html from it by cmark-gfm. */
#include <stdlib.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/text.h"
#include "engine/tool.h"
#include "gallery/page.h"
#include "gallery/page_write.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1d2126;--soft:#5b6570;--paper:#fdfdfc;--line:#dcdfe3;--link:#0b5a8a;"
    "--no:#b0420b}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e6e9;--soft:#a0a8b1;--paper:#15181b;--line:#353b41;"
    "--link:#7cc0ea;--no:#f0905a}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe "
    "UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}\n"
    "main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 5rem}\n"
    "h1{font-size:2rem;line-height:1.2;margin:0 0 .4rem}\n"
    "h2{font-size:1.45rem;line-height:1.25;margin:0 0 .2rem;border-top:1px solid "
    "var(--line);padding-top:1.6rem}\n"
    "h2+p{margin-top:0;color:var(--soft);font-size:.9rem}\n"
    "p{margin:.7rem 0;max-width:46rem}\n"
    "p:has(img){max-width:none}\n"
    "p:has(>a[id]){margin:2rem 0 1rem}\n"
    "a{color:var(--link)}\n"
    "img{display:block;width:100%;height:auto;background:#fff;border:1px solid "
    "var(--line);border-radius:4px}\n"
    "table{border-collapse:collapse;width:100%;margin:1.2rem 0;font-size:.93rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.45rem .8rem .45rem 0;border-bottom:1px solid "
    "var(--line);"
    "overflow-wrap:anywhere}\n"
    "th{font-weight:600;color:var(--soft)}\n"
    "td[align=right]{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "strong{color:var(--no)}\n"
    "code,pre{font:.88rem/1.5 ui-monospace,'Cascadia Mono','DejaVu Sans Mono',monospace}\n"
    "pre{border-left:4px solid var(--no);padding:.6rem .8rem;overflow-x:auto;white-space:pre-wrap}\n";

static void write_contents(FILE *file, int n, Page *const *page)
{
  int yes = 0, no = 0;
  double seconds = 0.0;
  fputs("\n| exhibit | paper | claims that hold | time |\n| --- | --- | --- | ---: |\n", file);
  for (int i = 0; i < n; i++) {
    const Exhibit *e = page[i]->exhibit;
    const int y = page_count(page[i], 1), x = page_count(page[i], 0);
    yes += y;
    no += x;
    seconds += page[i]->seconds;
    fputs("| [", file);
    page_markdown_text(file, e->title);
    fprintf(file, "](#%s) | ", e->name);
    page_markdown_text(file, e->paper);
    fputs(page[i]->status != STATUS_OK ? " | **failed** " : " | ", file);
    if (y + x > 0)
      fprintf(file, x == 0 ? "%d of %d" : "**%d of %d**", y, y + x);
    fprintf(file, " | %.1f s |\n", page[i]->seconds);
  }
  fprintf(file,
          "\n%d of %d claims hold; %.0f s in all. The same as numbers: [numbers.csv](numbers.csv). Where a "
          "claim does "
          "not hold, the column beside it and the text above the table say what was found.\n",
          yes, yes + no, seconds);
}

/* Names of exhibits are letters, digits and dashes. */
static void write_all(FILE *file, int n, Page *const *page)
{
  fputs("# Gallery\n\nThe examples of four papers on molecules and mechanisms held together by constraints "
        "or by stiff "
        "springs, run by Holonom " HOLONOM_VERSION " from input files: each with its figures drawn anew, and "
        "what the paper says beside what comes out here.\n",
        file);
  write_contents(file, n, page);
  for (int i = 0; i < n; i++) {
    fprintf(file, "\n<a id=\"%s\"></a>\n\n## ", page[i]->exhibit->name);
    page_markdown_print(file, page[i], true);
  }
}

static Status write_html(const char *dir, const char *body, Error *error)
{
  Text *text;
  const Status status = text_replace(&text, dir, "index.html", error);
  if (status != STATUS_OK)
    return status;
  text_print(text,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<title>Holonom: "
             "gallery</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n%s</main>\n</body>\n</html>\n",
             style, body);
  return text_close(text, error);
}

Status page_index_write(const char *dir, int n, Page *const *page, bool *html, Error *error)
{
  static const char *const command[] = {"cmark-gfm", "--unsafe", "-e", "table", "index.md", NULL};
  static const char name[] = "index.body";
  enum { MOST = 1 << 24 };
  *html = false;
  Status status = page_write_file(dir, "index.md", write_all, n, page, error);
  char *path = status == STATUS_OK ? file_path(dir, name) : NULL, *body = NULL;
  if (path == NULL)
    return status == STATUS_OK ? error_memory(error, "a file name") : status;
  const int result = tool_run(dir, command, name);
  if (result == 0) {
    status = file_read(path, MOST, &body, NULL, error);
    if (status == STATUS_OK)
      status = write_html(dir, body, error);
    *html = status == STATUS_OK;
  }
  (void)unlink(path);
  free(body);
  free(path);
  return status;
}
