/* Functions of two variables as maps, drawn only by gnuplot; reports show the picture. */
#include "base/locale.h"
#include "observables/picture_private.h"

typedef struct Range {
  double low, high;
} Range;

static Range range_y(const PictureMap *map)
{
  return map->other[0] < map->other[1] ? (Range){map->other[0], map->other[1]} : (Range){map->low, map->high};
}

enum { ACROSS = 520, DOWN = 420 }; /* size of a map with its axes, points */

static Status write_data(const char *dir, const char *name, int n, const PictureMap *map, Error *error)
{
  Text *text;
  TRY(picture_data_open(&text, dir, name, "dat", error));
  for (int k = 0; k < n; k++) {
    text_print(text, "%s# x y z\n", k > 0 ? "\n\n" : "");
    for (int i = 0; i < map[k].n; i++)
      for (int j = 0; j < map[k].n; j++) {
        const Range y = range_y(&map[k]);
        const double low = map[k].low, step = (map[k].high - low) / map[k].n;
        text_print(text, "%.9g %.9g ", low + (i + 0.5) * step,
                   y.low + (j + 0.5) * ((y.high - y.low) / map[k].n));
        picture_data_number(text_file(text), map[k].z[i * map[k].n + j], "nan");
        text_print(text, "\n");
      }
  }
  return text_close(text, error);
}

static Status write_script(const char *dir, const char *name, int n, const PictureMap *map, Error *error)
{
  const int columns = n > 1 ? 2 : 1, rows = (n + columns - 1) / columns;
  Text *text;
  TRY(picture_data_open(&text, dir, name, "gp", error));
  picture_script_head(text_file(text), name, ACROSS * columns, DOWN * rows, "noenhanced", "");
  text_print(text,
             "  set output '%s.'.kind\n  set multiplot layout %d,%d\n"
             "  set border lw 0.8 lc rgb '#404040'; set tics nomirror out textcolor rgb '#202020'\n"
             "  set palette defined (0 '#08306b', 0.3 '#2e8bc0', 0.6 '#a8d5ba', 1 '#fff7bc')\n"
             "  unset key; set size square\n",
             name, rows, columns);
  for (int k = 0; k < n; k++) {
    const Range y = range_y(&map[k]);
    text_print(text,
               "  set xlabel '%s'; set ylabel '%s'; set cblabel '%s'\n"
               "  set xrange [%.9g:%.9g]; set yrange [%.9g:%.9g]\n"
               "  set xtics %.9g; set ytics %.9g\n"
               "  plot '%s.dat' index %d using 1:2:3 with image\n",
               map[k].x, map[k].y, map[k].words, map[k].low, map[k].high, y.low, y.high,
               (map[k].high - map[k].low) / 6, (y.high - y.low) / 6, name, k);
  }
  text_print(text, "  unset multiplot\n  set output\n  reset\n}\n");
  return text_close(text, error);
}

Status picture_map(const char *dir, const char *name, int n, const PictureMap *map, Error *error)
{
  LOCALE_PLAIN;
  TRY(picture_claim(dir, name, error));
  picture_gnuplot_remove(dir, name);
  TRY(write_data(dir, name, n, map, error));
  TRY(write_script(dir, name, n, map, error));
  return picture_gnuplot_draw(dir, name, error);
}
