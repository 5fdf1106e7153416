/* Pictures as JSON for reports, with long curves thinned to the resolution of a screen. */
#include <math.h>

#include "base/locale.h"
#include "observables/picture_private.h"

/* --- values ------------------------------------------------------------------------------------------------
 */

/* A "<" could end the script that contains the text. */
void picture_json_text(FILE *file, const char *text)
{
  fputc('"', file);
  for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if ((unsigned char)*c < ' ' || *c == '<' || *c == '&')
      fprintf(file, "\\u%04x", (unsigned char)*c);
    else
      fputc(*c, file);
  fputc('"', file);
}

static void write_numbers(FILE *file, const char *key, const double *x, int n, const int *chosen)
{
  fprintf(file, ",\"%s\":[", key);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? "," : "", file);
    picture_data_number(file, x[chosen != NULL ? chosen[i] : i], "null");
  }
  fputs("]", file);
}

static void write_words(FILE *file, const char *key, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  fprintf(file, ",\"%s\":", key);
  picture_json_text(file, text);
}

/* --- thinning ----------------------------------------------------------------------------------------------
 */

enum { STRETCHES = 600, KEPT = 6, MOST = STRETCHES * KEPT };

static void keep(int chosen[KEPT], int *n, int i)
{
  int at = *n;
  for (int k = 0; k < *n; k++)
    if (chosen[k] == i)
      return;
  for (; at > 0 && chosen[at - 1] > i; at--)
    chosen[at] = chosen[at - 1];
  chosen[at] = i;
  ++*n;
}

/* Selects from each stretch of points the first one, the extremes in x and y, and one NaN, which interrupts
 * the curve; so no extreme is lost. In order; returns their number. */
static int thin(const PictureCurve *curve, int chosen[MOST])
{
  int n = 0;
  if (curve->n <= MOST) {
    for (; n < curve->n; n++)
      chosen[n] = n;
    return n;
  }
  for (int s = 0; s < STRETCHES; s++) {
    const int from = (int)((int64_t)curve->n * s / STRETCHES),
              to = (int)((int64_t)curve->n * (s + 1) / STRETCHES);
    int low_x = from, high_x = from, low_y = from, high_y = from, gap = from, of_stretch = 0;
    for (int i = from; i < to; i++) {
      const double x = curve->x[i], y = curve->y[i];
      gap = isfinite(x) && isfinite(y) ? gap : i;
      low_x = x < curve->x[low_x] ? i : low_x;
      high_x = x > curve->x[high_x] ? i : high_x;
      low_y = y < curve->y[low_y] || isnan(curve->y[low_y]) ? i : low_y;
      high_y = y > curve->y[high_y] || isnan(curve->y[high_y]) ? i : high_y;
    }
    const int all[KEPT] = {from, low_x, high_x, low_y, high_y, s + 1 == STRETCHES ? to - 1 : gap};
    for (int k = 0; k < KEPT; k++)
      keep(chosen + n, &of_stretch, all[k]);
    n += of_stretch;
  }
  return n;
}

/* --- panels ------------------------------------------------------------------------------------------------
 */

static void write_curve(FILE *file, const PicturePanel *panel, int c)
{
  static const char *const style[] = {"line", "points", "dashes"};
  const PictureCurve *curve = &panel->curve[c];
  int chosen[MOST];
  const int n = thin(curve, chosen);
  const char *dark = picture_script_dark(panel, c);
  fprintf(file, "%s{\"style\":\"%s\",\"colour\":\"%s\",", c > 0 ? "," : "", style[curve->style],
          picture_script_colour(panel, c));
  if (dark != NULL)
    fprintf(file, "\"dark\":\"%s\",", dark);
  fputs("\"width\":", file);
  picture_data_number(file, curve->width > 0.0 ? curve->width : 1.0, "null");
  write_words(file, "label", curve->label);
  if (n < curve->n)
    fprintf(file, ",\"of\":%d", curve->n);
  write_numbers(file, "x", curve->x, n, chosen);
  write_numbers(file, "y", curve->y, n, chosen);
  if (picture_data_has_errors(curve))
    write_numbers(file, "e", curve->error, n, chosen);
  fputs("}", file);
}

static void write_axes(FILE *file, const PictureAxes *axes)
{
  fprintf(file, "{\"logx\":%d,\"logy\":%d,\"equal\":%d", axes->logx != 0, axes->logy != 0, axes->equal != 0);
  write_words(file, "title", axes->title);
  write_words(file, "xlabel", picture_data_label(axes->xlabel, axes->x).text);
  write_words(file, "ylabel", picture_data_label(axes->ylabel, axes->y).text);
  const double x[] = {axes->xmin, axes->xmax}, y[] = {axes->ymin, axes->ymax};
  if (axes->xmax > axes->xmin)
    write_numbers(file, "xrange", x, 2, NULL);
  if (axes->ymax > axes->ymin)
    write_numbers(file, "yrange", y, 2, NULL);
  fputs(",\"guides\":[", file);
  for (int k = 0; k < axes->nguide; k++) {
    fprintf(file, "%s{\"vertical\":%d", k > 0 ? "," : "", axes->guide[k].vertical != 0);
    write_numbers(file, "at", &axes->guide[k].at, 1, NULL);
    write_words(file, "label", axes->guide[k].label);
    fputs("}", file);
  }
  fputs("]", file);
}

void picture_json_print(FILE *file, int n, const PicturePanel *panel, int columns)
{
  LOCALE_PLAIN;
  fprintf(file, "{\"columns\":%d,\"panels\":[", columns);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ",\n" : "\n", file);
    write_axes(file, &panel[i].axes);
    fputs(",\"curves\":[", file);
    for (int c = 0; c < panel[i].n; c++)
      write_curve(file, &panel[i], c);
    fputs("]}", file);
  }
  fputs("\n]}\n", file);
}

Status picture_json_write(const char *dir, const char *name, int n, const PicturePanel *panel, int columns,
                          Error *error)
{
  Text *text;
  TRY(picture_data_open(&text, dir, name, "plot.json", error));
  picture_json_print(text_file(text), n, panel, columns);
  return text_close(text, error);
}
