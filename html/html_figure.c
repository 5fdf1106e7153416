/* Writes figures of pages: the picture's data for the page's script, or else the picture itself. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scoped.h"
#include "html/html_assets.h"
#include "html/html_private.h"

bool html_figure_moves(void) { return html_assets_figures[0] != '\0'; }

/* Begins a figure; the label is for readers who cannot see the picture. */
static void begin(Html *h, const char *name, const char *caption)
{
  html_put(h->body, "<figure data-name=\"", name, "\"");
  html_put(h->body, " aria-label=\"", caption != NULL ? caption : name, "\">\n");
}

static void end(Html *h, const char *caption)
{
  if (caption != NULL)
    html_put(h->body, "<figcaption>", caption, "</figcaption>\n");
  fputs("</figure>\n", h->body);
}

static void begin_data(Html *h)
{
  fprintf(h->body, "<div class=\"plot\" data-of=\"figure-%d\"></div>\n", ++h->figures);
  fprintf(h->body, "<script type=\"application/json\" id=\"figure-%d\">", h->figures);
}

/* A figure from NAME.plot.json; false if the file is missing. */
static bool moving(Html *h, const char *dir, const char *name, const char *caption)
{
  enum { MOST = 1 << 24 };
  char file[256];
  size_t n = 0;
  snprintf(file, sizeof file, "%s.plot.json", name);
  SCOPED(scoped_free) char *text = NULL;
  SCOPED(scoped_free) char *path = html_figure_moves() ? file_path(dir, file) : NULL;
  const bool read = path != NULL && file_read(path, MOST, &text, &n, NULL) == STATUS_OK &&
                    strncmp(text, "{\"columns\":", 11) == 0;
  if (read) {
    begin(h, name, caption);
    begin_data(h);
    html_script(h->body, text, n);
    fputs("</script>\n", h->body);
    end(h, caption);
  }
  return read;
}

/* The suffix of the smaller picture. */
static const char *picture_suffix(const char *dir, const char *name)
{
  char svg[256], png[256];
  snprintf(svg, sizeof svg, "%s.svg", name);
  snprintf(png, sizeof png, "%s.png", name);
  const int64_t of_svg = file_length(dir, svg), of_png = file_length(dir, png);
  if (of_svg <= 0 && of_png <= 0)
    return NULL;
  return of_png <= 0 || (of_svg > 0 && of_svg <= of_png) ? "svg" : "png";
}

bool html_figure(Html *h, const char *dir, const char *name, const char *caption)
{
  if (moving(h, dir, name, caption))
    return true;
  char file[256];
  const char *suffix = picture_suffix(dir, name);
  if (suffix == NULL)
    return false;
  snprintf(file, sizeof file, "%s.%s", name, suffix);
  begin(h, name, caption);
  html_put(h->body, "<img alt=\"", caption != NULL ? caption : name, "\" src=\"");
  html_data(h->body, dir, file, strcmp(suffix, "svg") == 0 ? "image/svg+xml" : "image/png");
  fputs("\"/>\n", h->body);
  end(h, caption);
  return true;
}

void html_figure_panels(Html *h, const char *name, const char *caption, int n, const PicturePanel *panel,
                        int columns)
{
  if (!html_figure_moves() || n < 1)
    return;
  begin(h, name, caption);
  begin_data(h);
  picture_json_print(h->body, n, panel, columns);
  fputs("</script>\n", h->body);
  end(h, caption);
}
