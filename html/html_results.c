/* Writes tables of results on a page. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "html/html_private.h"

static bool is_empty(const ResultTable *table, const ResultColumn *c)
{
  bool empty = true;
  for (size_t row = 0; row < table->nrow && empty; row++)
    empty = c->word != NULL ? c->word[row][0] == '\0' : !isfinite(c->value[row]);
  return empty;
}

/* The next named column that is not empty; NULL at the end. */
static const ResultColumn *next_shown(const ResultTable *table, const char **columns)
{
  int length;
  for (const char *word = *columns; (word = text_word(word, &length)) != NULL; word += length) {
    char name[sizeof table->column->name];
    snprintf(name, sizeof name, "%.*s", length, word);
    const ResultColumn *c = results_column(table, name);
    *columns = word + length;
    if (c != NULL && !is_empty(table, c))
      return c;
  }
  return NULL;
}

/* Capitalises a label unless it is a symbol ("w", "z"). */
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

static void put_headings(Html *html, const ResultTable *table, const char *columns)
{
  for (const ResultColumn *c; (c = next_shown(table, &columns)) != NULL;) {
    html_cell(html, HTML_HEADING, c->word != NULL ? 'l' : 'r', heading_of(c).text);
    if (c->error != NULL)
      html_cell(html, HTML_HEADING, 'r', "Error");
  }
}

static bool has_number(const ResultTable *table, const char *columns, size_t row)
{
  for (const ResultColumn *c; (c = next_shown(table, &columns)) != NULL;)
    if (c->value != NULL && isfinite(c->value[row]))
      return true;
  return false;
}

static void put_number(Html *html, const ResultColumn *c, size_t row)
{
  char text[RESULTS_SHOWN];
  const double x = c->value[row], error = c->error != NULL ? c->error[row] : NAN;
  const char *format = c->quantity != NULL && c->quantity->format[0] != '\0' ? c->quantity->format : "%.6g";
  const bool plain = c->error == NULL || !isfinite(x);
  html_cell(html, "td", 'r', plain ? html_number(text, format, x) : results_show_value(text, x, error));
  if (c->error != NULL)
    html_cell(html, "td", 'r', isfinite(x) ? results_show_error(text, x, error) : "");
}

static void put_row(Html *html, const ResultTable *table, const char *columns, size_t row)
{
  fputs("<tr>", html->body);
  for (const ResultColumn *c; (c = next_shown(table, &columns)) != NULL;)
    if (c->word != NULL)
      html_cell(html, "td", 'l', c->word[row]);
    else
      put_number(html, c, row);
  fputs("</tr>\n", html->body);
}

void html_results(Html *html, const char *name, const ResultTable *table, const char *columns)
{
  bool open = false;
  for (size_t row = 0; row < table->nrow; row++) {
    if (!has_number(table, columns, row))
      continue;
    if (!open) {
      html_table_begin(html, name);
      put_headings(html, table, columns);
      html_table_rows(html);
    }
    open = true;
    put_row(html, table, columns, row);
  }
  if (open)
    html_table_end(html);
}
