/* Pages: one self-contained HTML file each, which asks nothing of a network. Words, tables and verdicts are
 * there without scripts; figures that zoom and molecules that move are drawn by what html/page has compiled
 * into the program (html_assets.h), from data inside the page. Where the program was built without these,
 * figures are pictures and molecules are left out, and the page says so.
 *
 * Texts are UTF-8 and may hold anything: they stay texts. What fails while a page is written is reported by
 * html_close. */
#ifndef HOLONOM_HTML_HTML_H
#define HOLONOM_HTML_HTML_H

#include <stdbool.h>

#include "base/status.h"
#include "io/frame.h"
#include "observables/picture.h"
#include "results/results.h"

typedef struct Html Html;

/* dir/name, which takes its place when it is closed; until then the texts are borrowed. lead: under the
 * title, NULL: none. STATUS_MEMORY. */
Status html_create(Html **html, const char *dir, const char *name, const char *title, const char *lead,
                   Error *error);

/* Ends and frees (NULL is fine); STATUS_IO if anything could not be written. With `whole` false what was
 * there before stays. */
Status html_close(Html *html, bool whole, Error *error);

/* A part with a heading; id (letters, digits and dashes): where links lead, and in the list of parts on top.
 */
void html_section(Html *html, const char *id, const char *heading);

/* A smaller heading within a part. */
void html_heading(Html *html, const char *heading);

void html_text(Html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text that keeps its lines, folded up under `summary` (NULL: open). */
void html_lines(Html *html, const char *summary, const char *text);

/* A list of verdicts: the sentence on top, then one for each matter, then the end. */
void html_verdicts(Html *html, ResultLevel all, const char *text);
void html_verdict(Html *html, ResultLevel verdict, const char *text);
void html_verdicts_end(Html *html);

/* A table with a sign for each of its columns, 'l' text, 'r' numbers, and as many headings and cells (NULL:
 * empty). It can be sorted by its columns and saved as CSV under `name`. */
void html_table(Html *html, const char *name, const char *signs, const char *const *heading);
void html_row(Html *html, const char *signs, const char *const *cell);
void html_table_end(Html *html);

/* Columns of a table of results, any number of them, named between blanks: headings are labels with units, a
 * number with an error has one more for that, rounded alike. Columns without anything and rows without a
 * number are left out, and a table without rows. */
void html_results(Html *html, const char *name, const ResultTable *table, const char *columns);

/* The picture NAME in a folder, by what observables/picture.h has left of it; caption may be NULL. False:
 * there is none. */
bool html_figure(Html *html, const char *dir, const char *name, const char *caption);

/* Panels that no picture was drawn of; nothing where figures cannot move. */
void html_figure_panels(Html *html, const char *name, const char *caption, int n, const PicturePanel *panel,
                        int columns);

/* A file of text that the page holds and hands out, if it is not larger than `most` bytes; else it is only
 * named. */
void html_file(Html *html, const char *dir, const char *name, size_t most);
void html_files_end(Html *html);

/* Molecules that move: the frames of a structure or trajectory file, thinned evenly to what a page can carry,
 * as the caption says. names: a frame with the symbols of a file that holds none, or NULL. words: the
 * caption. Nothing where molecules cannot move. STATUS_INPUT: the file cannot be read, or has no symbols and
 * names not as many atoms; the page is as before. */
Status html_molecules(Html *html, const char *path, const Frame *names, const char *words, Error *error);

/* By a format of printf; "" for what is no finite number. */
const char *html_number(char text[RESULTS_SHOWN], const char *format, double x);

/* Whether figures and molecules can move. */
bool html_figure_moves(void);

#endif
