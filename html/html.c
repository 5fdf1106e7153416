#include "html/html_private.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/printable.h"
#include "base/scoped.h"
#include "html/html_assets.h"

/* --- text -------------------------------------------------------------------------------------------------
 */

void html_print(FILE *file, const char *text)
{
  uint32_t code;
  for (const char *s = text != NULL ? text : ""; *s != '\0';) {
    const size_t n = printable_character(s, &code);
    if (n == 0 || (code < ' ' && *s != '\n' && *s != '\t'))
      fputs("\xEF\xBF\xBD", file); /* not a character: U+FFFD */
    else if (strchr("&<>\"'", *s) != NULL)
      fprintf(file, "&#%d;", *s);
    else
      fwrite(s, 1, n, file);
    s += n > 0 ? n : 1;
  }
}

void html_put(FILE *file, const char *before, const char *text, const char *after)
{
  fputs(before, file);
  html_print(file, text);
  fputs(after, file);
}

void html_script(FILE *file, const char *json, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (json[i] == '<')
      fputs("\\u003c", file);
    else
      fputc(json[i], file);
}

/* A part of a link's target. */
static void print_target(FILE *file, const char *text)
{
  for (const unsigned char *s = (const unsigned char *)text; *s != '\0'; s++)
    if (isalnum(*s) || strchr("-._/", *s) != NULL)
      fputc(*s, file);
    else
      fprintf(file, "%%%02X", *s);
}

void html_data(FILE *file, const char *dir, const char *name, const char *type)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  enum { MOST = 1 << 23 };
  SCOPED(scoped_free) char *path = file_path(dir, name);
  SCOPED(scoped_free) char *bytes = NULL;
  size_t n = 0;
  const bool read = path != NULL && file_read(path, MOST, &bytes, &n, NULL) == STATUS_OK && n > 0;
  if (read)
    fprintf(file, "data:%s;base64,", type);
  for (size_t i = 0; read && i < n; i += 3) {
    const unsigned char *b = (const unsigned char *)bytes + i;
    const uint32_t three =
        (uint32_t)b[0] << 16 | (i + 1 < n ? (uint32_t)b[1] << 8 : 0) | (i + 2 < n ? (uint32_t)b[2] : 0);
    fputc(digit[three >> 18 & 63], file);
    fputc(digit[three >> 12 & 63], file);
    fputc(i + 1 < n ? digit[three >> 6 & 63] : '=', file);
    fputc(i + 2 < n ? digit[three & 63] : '=', file);
  }
}

/* --- numbers ----------------------------------------------------------------------------------------------
 */

const char *html_number(char text[RESULTS_SHOWN], const char *format, double x)
{
  LOCALE_PLAIN;
  text[0] = '\0';
  if (isfinite(x))
    snprintf(text, RESULTS_SHOWN, format, x);
  return text;
}

/* --- the page ---------------------------------------------------------------------------------------------
 */

Status html_create(Html **html, const char *dir, const char *name, const char *title, const char *lead,
                   Error *error)
{
  Html *h = *html = calloc(1, sizeof *h);
  TRY_MEMORY(h != NULL, "a page", error);
  *h = (Html){.dir = dir, .file = name, .title = title, .lead = lead};
  h->body = open_memstream(&h->memory, &h->size);
  if (h->body != NULL)
    return STATUS_OK;
  free(h);
  *html = NULL;
  return error_memory(error, "a page");
}

/* The policy makes the browser refuse every request from the page. */
static void write_head(const Html *h, FILE *file)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"generator\" content=\"Holonom " HOLONOM_VERSION "\"/>\n",
        file);
  html_put(file, "<title>", h->title, "</title>\n");
  fprintf(file, "<style>\n%s%s</style>\n</head>\n<body>\n<main>\n<header>\n", html_assets_style,
          h->figures > 0 ? html_assets_figures_style : "");
  html_put(file, "<h1>", h->title, "</h1>\n");
  if (h->lead != NULL)
    html_put(file, "<p class=\"lead\">", h->lead, "</p>\n");
  fputs("</header>\n", file);
  if (h->nsection > 2) {
    fputs("<nav aria-label=\"Parts of this page\"><ul>\n", file);
    for (int i = 0; i < h->nsection; i++) {
      fprintf(file, "<li><a href=\"#%s\"", h->section[i].id);
      html_put(file, ">", h->section[i].heading, "</a></li>\n");
    }
    fputs("</ul></nav>\n", file);
  }
}

static void write_tail(const Html *h, FILE *file)
{
  fputs("<footer>\n<p>Written by Holonom " HOLONOM_VERSION ". This page needs no network.</p>\n", file);
  if (h->figures + h->molecules > 0)
    html_put(file, "<details><summary>Software in this page</summary><pre>", html_assets_licences,
             "</pre></details>\n");
  else if (!html_figure_moves())
    fputs("<p>The program was built without npm's packages: figures are pictures, and molecules are left "
          "out.</p>\n",
          file);
  fputs("</footer>\n</main>\n", file);
  if (h->figures > 0)
    fprintf(file, "<script>\n%s</script>\n", html_assets_figures);
  if (h->molecules > 0) /* or 3Dmol.js reports its use to its authors */
    fprintf(file, "<script>var $3Dmol = {notrack: true};</script>\n<script>\n%s</script>\n",
            html_assets_molecules);
  fprintf(file, "<script>\n%s</script>\n</body>\n</html>\n", html_assets_script);
}

static Status write_page(const Html *h, Error *error)
{
  Text *text;
  TRY(text_replace(&text, h->dir, h->file, error));
  FILE *file = text_file(text);
  write_head(h, file);
  fwrite(h->memory, 1, h->size, file);
  fputs(h->nsection > 0 ? "</section>\n" : "", file);
  write_tail(h, file);
  return text_close(text, error);
}

Status html_close(Html *h, bool whole, Error *error)
{
  if (h == NULL)
    return STATUS_OK;
  Status status = STATUS_OK;
  if (fclose(h->body) != 0)
    status = error_memory(error, "a page");
  if (whole && status == STATUS_OK)
    status = write_page(h, error);
  free(h->memory);
  free(h);
  return status;
}

void html_section(Html *h, const char *id, const char *heading)
{
  if (h->nsection == HTML_SECTIONS)
    return;
  fprintf(h->body, "%s<section id=\"%s\">\n", h->nsection > 0 ? "</section>\n" : "", id);
  html_put(h->body, "<h2>", heading, "</h2>\n");
  snprintf(h->section[h->nsection].id, sizeof h->section->id, "%s", id);
  snprintf(h->section[h->nsection++].heading, sizeof h->section->heading, "%s", heading);
}

void html_heading(Html *h, const char *heading) { html_put(h->body, "<h3>", heading, "</h3>\n"); }

void html_text(Html *h, const char *format, ...)
{
  LOCALE_PLAIN;
  char *text;
  va_list args;
  va_start(args, format);
  const int length = vasprintf(&text, format, args);
  va_end(args);
  if (length < 0)
    return;
  html_put(h->body, "<p>", text, "</p>\n");
  free(text);
}

void html_lines(Html *h, const char *summary, const char *text)
{
  if (summary != NULL)
    html_put(h->body, "<details><summary>", summary, "</summary>");
  html_put(h->body, "<pre>", text, summary != NULL ? "</pre></details>\n" : "</pre>\n");
}

/* --- verdicts ---------------------------------------------------------------------------------------------
 */

static const struct {
  const char *sign, *words;
} verdicts[] = {{"\xE2\x9C\x93", "Good"}, {"i", "Note"}, {"!", "Use with care"}, {"\xC3\x97", "Bad"}};

void html_verdicts(Html *h, ResultLevel all, const char *text)
{
  fprintf(h->body, "<div class=\"verdict %s\" role=\"note\">\n", results_level_name(all));
  html_put(h->body, "<p class=\"all\">", text, "</p>\n<ul>\n");
}

void html_verdict(Html *h, ResultLevel verdict, const char *text)
{
  fprintf(h->body, "<li class=\"%s\"><span class=\"sign\" role=\"img\" aria-label=\"%s\">%s</span>",
          results_level_name(verdict), verdicts[verdict].words, verdicts[verdict].sign);
  html_put(h->body, "<span>", text, "</span></li>\n");
}

void html_verdicts_end(Html *h) { fputs("</ul>\n</div>\n", h->body); }

/* --- tables -----------------------------------------------------------------------------------------------
 */

void html_cell(Html *h, const char *tag, char sign, const char *text)
{
  fprintf(h->body, sign == 'r' ? "<%s class=\"r\">" : "<%s>", tag);
  html_print(h->body, text);
  fprintf(h->body, "</%.2s>", tag);
}

void html_table_begin(Html *h, const char *name)
{
  html_put(h->body, "<div class=\"table\"><table data-name=\"", name, "\">\n<thead><tr>");
}

void html_table_rows(Html *h) { fputs("</tr></thead>\n<tbody>\n", h->body); }

void html_table(Html *h, const char *name, const char *signs, const char *const *heading)
{
  html_table_begin(h, name);
  for (int k = 0; signs[k] != '\0'; k++)
    html_cell(h, HTML_HEADING, signs[k], heading[k]);
  html_table_rows(h);
}

void html_row(Html *h, const char *signs, const char *const *cell)
{
  fputs("<tr>", h->body);
  for (int k = 0; signs[k] != '\0'; k++)
    html_cell(h, "td", signs[k], cell[k]);
  fputs("</tr>\n", h->body);
}

void html_table_end(Html *h) { fputs("</tbody></table></div>\n", h->body); }

/* --- files ------------------------------------------------------------------------------------------------
 */

void html_file(Html *h, const char *dir, const char *name, size_t most)
{
  enum { SHOWN = 200 };
  const int64_t length = file_length(dir, name);
  if (length < 0)
    return;
  SCOPED(scoped_free) char *path = file_path(dir, name);
  SCOPED(scoped_free) char *text = NULL;
  size_t n = 0;
  const bool held = path != NULL && length > 0 && (size_t)length <= most &&
                    file_read(path, most, &text, &n, NULL) == STATUS_OK && strlen(text) == n;
  if (!h->files_open)
    fputs("<ul class=\"files\">\n", h->body);
  h->files_open = true;
  fputs("<li>", h->body);
  if (held) {
    fprintf(h->body, "<a class=\"file\" data-of=\"file-%d\" download=\"", ++h->files);
    html_print(h->body, name);
    fputs("\" href=\"", h->body);
    print_target(h->body, name);
    fputs("\">", h->body);
  }
  html_print(h->body, name);
  fputs(held ? "</a>" : "", h->body);
  fprintf(h->body, length < 100000 ? " <small>%.1f kB%s</small>" : " <small>%.0f kB%s</small>",
          1e-3 * (double)length, held ? "" : ", in the folder");
  if (held) {
    fprintf(h->body, "<script type=\"application/json\" id=\"file-%d\">", h->files);
    picture_json_text(h->body, text);
    fputs("</script>", h->body);
  }
  fputs("</li>\n", h->body);
}

void html_files_end(Html *h)
{
  fputs(h->files_open ? "</ul>\n" : "", h->body);
  h->files_open = false;
}
