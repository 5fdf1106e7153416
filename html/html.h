/* Writes pages: self-contained HTML files that load nothing from a network. Texts, tables and verdicts are
 * there without scripts. Scripts of html/page, compiled into the program (html_assets.h), draw figures
 * that zoom and molecules that move from data in the page. Without these scripts figures are pictures,
 * molecules are left out, and the page says so.
 *
 * Texts are UTF-8 and are escaped. html_close reports failures of earlier calls. */
#ifndef HOLONOM_HTML_HTML_H
#define HOLONOM_HTML_HTML_H

#include <stdbool.h>

#include "base/status.h"
#include "io/frame.h"
#include "observables/picture.h"
#include "results/results.h"

typedef struct Html Html;

/* Creates dir/name, which appears when the page is closed. The texts are borrowed until then. lead: text
 * below the title, or NULL. STATUS_MEMORY. */
Status html_create(Html **html, const char *dir, const char *name, const char *title, const char *lead,
                   Error *error);

/* Ends and frees the page (NULL is allowed). With `whole` false, a file that was there before stays.
 * STATUS_IO if anything could not be written. */
Status html_close(Html *html, bool whole, Error *error);

/* Begins a part with a heading; id (letters, digits and dashes) is the target of links and of the list of
 * parts. */
void html_section(Html *html, const char *id, const char *heading);

/* A smaller heading within a part. */
void html_heading(Html *html, const char *heading);

void html_text(Html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text with its line breaks, folded under `summary` (NULL: open). */
void html_lines(Html *html, const char *summary, const char *text);

/* A list of verdicts: the sentence on top, then one for each matter, then the end. */
void html_verdicts(Html *html, ResultLevel all, const char *text);
void html_verdict(Html *html, ResultLevel verdict, const char *text);
void html_verdicts_end(Html *html);

/* A table with a sign for each column, 'l' text, 'r' numbers, and as many headings and cells (NULL:
 * empty). It can be sorted by its columns and saved as CSV under `name`. */
void html_table(Html *html, const char *name, const char *signs, const char *const *heading);
void html_row(Html *html, const char *signs, const char *const *cell);
void html_table_end(Html *html);

/* Columns of a table of results, by their names between blanks. Headings are labels with units; a number
 * with an error has a second column for it, rounded alike. Empty columns, rows without a number and tables
 * without rows are left out. */
void html_results(Html *html, const char *name, const ResultTable *table, const char *columns);

/* The picture NAME of a folder, from the files that observables/picture.h wrote; caption may be NULL.
 * False: no such picture. */
bool html_figure(Html *html, const char *dir, const char *name, const char *caption);

/* Panels without a picture in the folder; nothing if figures cannot move. */
void html_figure_panels(Html *html, const char *name, const char *caption, int n, const PicturePanel *panel,
                        int columns);

/* A text file that the page contains and offers for saving if it has at most `most` bytes; else only its
 * name. */
void html_file(Html *html, const char *dir, const char *name, size_t most);
void html_files_end(Html *html);

/* Moving molecules: the frames of a structure or trajectory file, thinned evenly to what a page can
 * contain, as the caption states. names: a frame with symbols for a file without them, or NULL. words: the
 * caption. Nothing if molecules cannot move. STATUS_INPUT: the file cannot be read, or has no symbols and
 * `names` has another number of atoms; the page is unchanged. */
Status html_molecules(Html *html, const char *path, const Frame *names, const char *words, Error *error);

/* Formats a number for printf's format; "" if it is not finite. */
const char *html_number(char text[RESULTS_SHOWN], const char *format, double x);

/* Whether figures and molecules can move. */
bool html_figure_moves(void);

#endif
