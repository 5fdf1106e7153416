/* Tables of results on a page. */
#include <math.h>
#include <string.h>

#include "html/html.h"

enum { SHOWN = 24, CELLS = 2 * SHOWN };

static bool is_empty(const ResultTable *table, const ResultColumn *c)
{
  bool empty = true;
  for (size_t row = 0; row < table->nrow && empty; row++)
    empty = c->word != NULL ? c->word[row][0] == '\0' : !isfinite(c->value[row]);
  return empty;
}

/* The columns that have something of those named; returns how many. */
static int choose(const ResultTable *table, const char *columns, const ResultColumn *shown[SHOWN])
{
  char name[64];
  int n = 0, taken;
  for (; n < SHOWN && sscanf(columns, " %63s%n", name, &taken) == 1; columns += taken) {
    shown[n] = results_column(table, name);
    n += shown[n] != NULL && !is_empty(table, shown[n]);
  }
  return n;
}

/* A label begins with a capital, but for letters that stand for something ("w", "z"). */
static QuantityWords heading_of(const ResultColumn *c)
{
  QuantityWords words;
  snprintf(words.text, sizeof words.text, "%s", c->name);
  if (c->quantity != NULL && c->quantity->label[0] != '\0')
    words = quantity_caption(c->quantity, c->unit);
  const char first = words.text[0];
  if (first >= 'a' && first <= 'z' && words.text[1] >= 'a' && words.text[1] <= 'z')
    words.text[0] = (char)(first - 'a' + 'A');
  return words;
}

static void open_table(Html *html, const char *name, int n, const ResultColumn *const *shown)
{
  QuantityWords words[SHOWN];
  const char *heading[CELLS];
  char signs[CELLS + 1] = "";
  int cells = 0;
  for (int k = 0; k < n; k++) {
    words[k] = heading_of(shown[k]);
    signs[cells] = shown[k]->word != NULL ? 'l' : 'r';
    heading[cells++] = words[k].text;
    if (shown[k]->error == NULL)
      continue;
    signs[cells] = 'r';
    heading[cells++] = "Error";
  }
  html_table(html, name, cells, signs, heading);
}

static bool has_number(size_t row, int n, const ResultColumn *const *shown)
{
  bool any = false;
  for (int k = 0; k < n; k++)
    any = any || (shown[k]->value != NULL && isfinite(shown[k]->value[row]));
  return any;
}

static void put_row(Html *html, size_t row, int n, const ResultColumn *const *shown)
{
  char text[CELLS][HTML_NUMBER];
  const char *cell[CELLS];
  int cells = 0;
  for (int k = 0; k < n; k++) {
    const ResultColumn *c = shown[k];
    const double x = c->value != NULL ? c->value[row] : NAN, error = c->error != NULL ? c->error[row] : NAN;
    const char *format = c->quantity != NULL && c->quantity->format[0] != '\0' ? c->quantity->format : "%.6g";
    const bool plain = c->error == NULL || !isfinite(x);
    cell[cells] = c->word != NULL ? c->word[row]
                  : plain         ? html_number(text[cells], format, x)
                                  : html_value(text[cells], x, error);
    cells++;
    if (c->error == NULL)
      continue;
    cell[cells] = isfinite(x) ? html_error(text[cells], x, error) : "";
    cells++;
  }
  html_row(html, cell);
}

void html_results(Html *html, const char *name, const ResultTable *table, const char *columns)
{
  const ResultColumn *shown[SHOWN];
  const int n = choose(table, columns, shown);
  bool open = false;
  for (size_t row = 0; row < table->nrow; row++) {
    if (!has_number(row, n, shown))
      continue;
    if (!open)
      open_table(html, name, n, shown);
    open = true;
    put_row(html, row, n, shown);
  }
  if (open)
    html_table_end(html);
}
