/* The gallery: every example of the papers, run from its input files, with figures, our numbers and the
 * papers' claims beside each other. One exhibit is one file and one row in the table of gallery.c. */
#ifndef HOLONOM_GALLERY_EXHIBIT_H
#define HOLONOM_GALLERY_EXHIBIT_H

#include "observables/picture.h"
#include "simulation/mechanics/mechanics.h"

typedef struct Page Page; /* where an exhibit puts what it shows */

typedef struct Exhibit {
  const char *name;    /* of its folder under examples/ and of its part of the page: "double-pendulum" */
  const char *title;   /* "Double pendulum"                                                          */
  const char *paper;   /* "Tao & Owhadi 2015, section 4.1, Figs. 1 and 2"                            */
  const char *summary; /* what it is and what there is to see, a few plain sentences                 */
  /* Runs, draws, fills the page. Errors go up; what was shown so far stays. */
  Status (*run)(Page *page, Error *error);
} Exhibit;

/* All rows, in the order of the page, ended by NULL. */
extern const Exhibit *const exhibit_table[];
const Exhibit *exhibit_find(const char *name);

/* The exhibit's output folder, DIR/NAME; trajectories and figures go there. */
const char *page_folder(const Page *page);

/* The path of an input file of this exhibit's example folder ("zs.yaml"), which the page keeps. Lives as long
 * as the page. */
const char *page_input(Page *page, const char *file);

/* Another value of a key in the next page_load or page_open: page_set(page, KEY(geometry_w), "%.17g", w). */
void page_set(Page *page, InputKey key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reads such a file with what was set; page_load starts it, too. NULL after an error. */
Status page_open(Page *page, const char *file, Simulation **simulation, Error *error);
Status page_load(Page *page, const char *file, Simulation **simulation, Error *error);

/* Threads that a run may use. */
int page_threads(const Page *page);

/* A paragraph, printf-like. */
void page_text(Page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A figure that lies in page_folder() under `name`, with its caption; page_draw makes it, too, as
 * picture_panels does. Where that fails (no gnuplot) the page says so and links the data. */
void page_figure(Page *page, const char *name, const char *caption);
void page_draw(Page *page, const char *name, const char *caption, int n, const PicturePanel *panel,
               int columns);
void page_lines(Page *page, const char *name, const char *caption, const PictureAxes *axes, int n,
                const PictureCurve *curve); /* one panel */

/* A line of the table "what | paper | ours | verdict". claim: what the paper says; ours: printf-like; holds:
 * whether it is borne out (1 yes, 0 no, -1 not a yes-or-no matter). Also kept for the gallery's numbers.csv.
 */
void page_claim(Page *page, const char *what, const char *claim, int holds, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes columns as CSV into page_folder()/name: what a figure shows, 17 digits. */
Status page_csv(Page *page, const char *name, int ncol, const char *const *column, int n,
                const double *const *x, Error *error);

#endif
