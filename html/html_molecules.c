/* Writes moving molecules: coordinates in hundredths of an angstrom, as many frames as a page can contain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "html/html_assets.h"
#include "html/html_private.h"
#include "io/trajectory.h"

SCOPED_POINTER(TrajectoryReader, trajectory_close)

/* Limits of a page; beyond MOST_NUMBERS or MOST_FRAMES every other stored frame is dropped. */
enum { MOST_NUMBERS = 400000, MOST_FRAMES = 400, MOST_ATOMS = 30000 };

typedef struct Movie {
  const Frame *names;  /* a frame with symbols for a file without them, or NULL */
  int natoms, n, room; /* frames stored */
  int64_t seen, every; /* frames read; one in `every` is stored */
  char (*symbols)[FRAME_NAME];
  double cell[9]; /* the edges of an oblique box, or three lengths */
  int ncell;
  int *x;       /* [n][natoms][3] hundredths of an angstrom */
  double *time; /* [n] */
  int *replica; /* [n] */
} Movie;

static void movie_free(Movie *m)
{
  free(m->symbols);
  free(m->x);
  free(m->time);
  free(m->replica);
}

static Status movie_begin(Movie *m, const Frame *frame, const char *path, Error *error)
{
  if (frame->natoms > MOST_ATOMS)
    return error_set(error, STATUS_INPUT, "%s: %d atoms are too many for a page", path, frame->natoms);
  const Frame *named = frame->has_symbols ? frame : m->names;
  if (named == NULL)
    return error_set(error, STATUS_INPUT, "%s has no names of atoms", path);
  if (named->natoms != frame->natoms)
    return error_set(error, STATUS_INPUT, "%s has %d atoms without names; the structure with names has %d",
                     path, frame->natoms, named->natoms);
  const size_t n = (size_t)frame->natoms;
  m->natoms = frame->natoms;
  m->room = MOST_NUMBERS / (3 * frame->natoms);
  m->room = m->room > MOST_FRAMES ? MOST_FRAMES : m->room < 4 ? 4 : m->room;
  m->symbols = malloc(n * sizeof *m->symbols);
  m->x = calloc((size_t)m->room * n * 3, sizeof *m->x);
  m->time = calloc((size_t)m->room, sizeof *m->time);
  m->replica = calloc((size_t)m->room, sizeof *m->replica);
  TRY_MEMORY(m->symbols != NULL && m->x != NULL && m->time != NULL && m->replica != NULL,
             "molecules for a page", error);
  memcpy(m->symbols, named->symbols, n * sizeof *m->symbols);
  bool oblique = false;
  for (int k = 0; k < 9; k++)
    oblique = oblique || (k % 4 != 0 && frame->cell[k / 3][k % 3] != 0.0);
  for (int k = 0; k < 9 && frame->has_cell; k++)
    if (oblique || k % 4 == 0)
      m->cell[m->ncell++] = frame->cell[k / 3][k % 3];
  return STATUS_OK;
}

/* Open clusters are centred, because they may travel far. */
static void movie_store(Movie *m, const Frame *frame)
{
  double middle[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < frame->natoms && m->ncell == 0; i++)
    for (int d = 0; d < 3; d++)
      middle[d] += frame->positions[i][d] / frame->natoms;
  int *x = m->x + (size_t)m->n * (size_t)m->natoms * 3;
  for (int i = 0; i < frame->natoms; i++)
    for (int d = 0; d < 3; d++)
      x[3 * i + d] = (int)lround(fmax(-1e6, fmin(1e6, 100.0 * (frame->positions[i][d] - middle[d]))));
  m->replica[m->n] = frame->replica;
  m->time[m->n++] = frame->time;
}

/* Drops every other frame. */
static void movie_halve(Movie *m)
{
  const size_t size = (size_t)m->natoms * 3;
  for (int k = 0; 2 * k < m->n; k++) {
    memmove(m->x + (size_t)k * size, m->x + (size_t)(2 * k) * size, size * sizeof *m->x);
    m->time[k] = m->time[2 * k];
    m->replica[k] = m->replica[2 * k];
  }
  m->n = (m->n + 1) / 2;
  m->every *= 2;
}

static Status movie_add(Movie *m, const Frame *frame, const char *path, Error *error)
{
  if (m->natoms == 0)
    TRY(movie_begin(m, frame, path, error));
  if (m->n == m->room)
    movie_halve(m);
  if (m->seen % m->every == 0)
    movie_store(m, frame);
  return STATUS_OK;
}

static Status movie_read(Movie *m, const char *path, Error *error)
{
  SCOPED(trajectory_close_at) TrajectoryReader *reader = NULL;
  SCOPED(frame_free) Frame frame = {0};
  TRY(trajectory_open(&reader, path, error));
  for (bool end = false; !end; m->seen += !end) {
    TRY(trajectory_next(reader, &frame, &end, error));
    if (end || m->seen % m->every != 0)
      continue;
    TRY(trajectory_fill(reader, &frame, error));
    TRY(movie_add(m, &frame, path, error));
  }
  return m->n > 0 ? STATUS_OK : error_set(error, STATUS_INPUT, "%s has no frame", path);
}

static void print_numbers(FILE *file, const double *x, int n)
{
  for (int k = 0; k < n; k++)
    if (isfinite(x[k]))
      fprintf(file, "%s%.6g", k > 0 ? "," : "", x[k]);
    else
      fputs(k > 0 ? ",null" : "null", file);
}

static void movie_print(const Movie *m, FILE *file)
{
  fputs("{\"symbols\":[", file);
  for (int i = 0; i < m->natoms; i++) {
    fputs(i > 0 ? "," : "", file);
    picture_json_text(file, m->symbols[i]);
  }
  fputs("],\"box\":[", file);
  print_numbers(file, m->cell, m->ncell);
  fputs("],\"time\":[", file);
  print_numbers(file, m->time, m->n);
  /* Frames of the same time belong to the replicas, in order. */
  bool by_time = false;
  for (int k = 1; k < m->n; k++)
    by_time = by_time || m->time[k] != m->time[0];
  fputs("],\"replica\":[", file);
  for (int k = 0; k < m->n; k++)
    fprintf(file, "%s%lld", k > 0 ? "," : "", by_time ? (long long)m->replica[k] : (long long)(k * m->every));
  fputs("],\"frames\":[", file);
  for (int k = 0; k < m->n; k++) {
    const int *x = m->x + (size_t)k * (size_t)m->natoms * 3;
    fputs(k > 0 ? ",\n[" : "\n[", file);
    for (int i = 0; i < 3 * m->natoms; i++)
      fprintf(file, "%s%d", i > 0 ? "," : "", x[i]);
    fputs("]", file);
  }
  fputs("]}", file);
}

Status html_molecules(Html *h, const char *path, const Frame *names, const char *words, Error *error)
{
  SCOPED(movie_free) Movie m = {.names = names, .every = 1};
  if (html_assets_molecules[0] == '\0')
    return STATUS_OK;
  TRY(movie_read(&m, path, error));
  fprintf(h->body, "<figure class=\"molecules\" data-of=\"molecules-%d\"", ++h->molecules);
  html_put(h->body, " aria-label=\"", words, "\">\n");
  fprintf(h->body, "<script type=\"application/json\" id=\"molecules-%d\">", h->molecules);
  movie_print(&m, h->body);
  html_put(h->body, "</script>\n<figcaption>", words, "");
  if (m.every > 1)
    fprintf(h->body, " The page shows one of every %lld frames, %d of %lld.", (long long)m.every, m.n,
            (long long)m.seen);
  fputs("</figcaption>\n</figure>\n", h->body);
  return STATUS_OK;
}
