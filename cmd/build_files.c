#include "cmd/build_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/text.h"
#include "cmd/command.h"
#include "forcefields/water_molecule.h"

SCOPED_POINTER(Kind, kind_free)

/* Concatenates first[n] and second; NULL without memory. */
static char *join(Arena *arena, const char *first, size_t n, const char *second)
{
  const size_t size = n + strlen(second) + 1;
  char *text = arena_take(arena, size, 1);
  if (text != NULL)
    (void)snprintf(text, size, "%.*s%s", (int)n, first, second);
  return text;
}

static char *copy(Arena *arena, const char *text) { return join(arena, text, strlen(text), ""); }

/* The length of a path without its suffix. */
static size_t stem(const char *path)
{
  const char *name = file_last(path), *dot = strrchr(path, '.');
  return dot != NULL && dot > name ? (size_t)(dot - path) : strlen(path);
}

/* --- the list of molecules ------- */

bool build_files_named(const char *words) { return strchr(words, '=') != NULL; }

/* A built-in water model. */
static Status add_water(BuildFiles *f, int i, const WaterModel *model, Error *error)
{
  char *text = arena_take(&f->arena, WATER_MOLECULE_TEXT, 1);
  TRY(arena_check(&f->arena, "molecules", error));
  water_molecule_text(model, NULL, text, WATER_MOLECULE_TEXT);
  f->water[i] = model;
  f->part[i].text = text;
  f->part[i].path = model->name;
  f->part[i].any_rule = true;
  return STATUS_OK;
}

static Status read_word(BuildFiles *f, int i, char *word, Error *error)
{
  char *equals = strrchr(word, '=');
  int64_t number;
  if (equals == NULL || equals == word || !command_number(equals + 1, 1, STATE_MOLECULES, &number))
    return error_set(error, STATUS_INPUT,
                     "--molecules: '%s' is not FILE=NUMBER, FILE:NAME=NUMBER or MODEL=NUMBER with a number "
                     "above 0, as in methanol.yaml=50,tip3p=450",
                     word);
  *equals = '\0';
  f->part[i].n = (int)number;
  const WaterModel *model = water_find(word);
  if (model != NULL)
    return add_water(f, i, model, error);
  molecules_join_name(word, &f->part[i]);
  return STATUS_OK;
}

static Status read_words(BuildFiles *f, const char *words, Error *error)
{
  char *rest = copy(&f->arena, words);
  int most = 1;
  for (const char *c = words; *c != '\0'; c++)
    most += *c == ',';
  f->part = arena_take(&f->arena, (size_t)most, sizeof *f->part);
  f->water = arena_take(&f->arena, (size_t)most, sizeof *f->water);
  f->coordinates = arena_take(&f->arena, (size_t)most, sizeof *f->coordinates);
  TRY(arena_check(&f->arena, "molecules", error));
  for (char *word; (word = strsep(&rest, ",")) != NULL; f->n++)
    TRY(read_word(f, f->n, word, error));
  return STATUS_OK;
}

/* --- coordinates ------- */

static Status find_coordinates(BuildFiles *f, const char *coordinates, Error *error)
{
  char *rest = coordinates != NULL ? copy(&f->arena, coordinates) : NULL;
  TRY(arena_check(&f->arena, "molecules", error));
  for (int i = 0; i < f->n; i++)
    if (f->water[i] == NULL) {
      f->coordinates[i] = rest != NULL ? strsep(&rest, ",") : NULL;
      if (f->coordinates[i] == NULL)
        TRY(filling_find(&f->part[i], ", or --coordinates FILE", &f->arena, &f->coordinates[i], error));
    }
  return rest == NULL
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "--coordinates %s: more files than molecules of files in --molecules", coordinates);
}

Status build_files_read(BuildFiles *f, const char *words, const char *coordinates, Error *error)
{
  TRY(read_words(f, words, error));
  TRY(molecules_join(f->n, f->part, &f->text, &f->molecules, error));
  return find_coordinates(f, coordinates, error);
}

/* --- output files ------- */

static Status claim(const BuildFiles *f, const char *path, bool force, Error *error)
{
  TRY(command_file(path, force, error));
  for (int i = 0; i < f->n; i++)
    if (f->water[i] == NULL && (file_same(path, f->part[i].path) || file_same(path, f->coordinates[i])))
      return error_set(error, STATUS_INPUT,
                       "%s is an input of this call and would be overwritten; name another file with -o",
                       path);
  return STATUS_OK;
}

Status build_files_claim(BuildFiles *f, const char *out, bool force, Error *error)
{
  f->out_topology = join(&f->arena, out, stem(out), ".molecules.yaml");
  f->out_input = join(&f->arena, out, stem(out), ".yaml");
  TRY(arena_check(&f->arena, "file names", error));
  TRY(claim(f, out, force, error));
  TRY(claim(f, f->out_topology, force, error));
  return claim(f, f->out_input, force, error);
}

static void write_key(FILE *out, const char *key, const char *path)
{
  fprintf(out, "  %s: ", key);
  molecules_join_scalar(out, file_last(path));
  fputc('\n', out);
}

static Status write_input(const BuildFiles *f, const BuildRun *run, Error *error)
{
  LOCALE_PLAIN;
  Text *text;
  TRY(text_replace_named(&text, f->out_input, error));
  FILE *out = text_file(text);
  fprintf(out, "# holonom run THIS_FILE -o run; all keys: holonom help --keys\nsystem:\n");
  write_key(out, "topology", f->out_topology);
  write_key(out, "file", run->structure);
  fprintf(out,
          "  box: file\ngeometry:\n  constrain: h-bonds\nforces:\n  cutoff: %.10g A\n"
          "integrator:\n  word: BAOAB\n  timestep: 2 fs\n  time: 100 ps\n"
          "thermostat:\n  temperature: %.10g K\n  friction: 1/ps\n  initial: %s\n",
          run->cutoff, run->kelvin, run->moving ? "file" : "maxwell");
  return text_close(text, error);
}

static Status write_text(const BuildFiles *f, const char *path, Error *error)
{
  Text *text;
  TRY(text_replace_named(&text, path, error));
  fputs(f->text, text_file(text));
  return text_close(text, error);
}

Status build_files_write(const BuildFiles *f, const BuildRun *run, Error *error)
{
  TRY(write_text(f, f->out_topology, error));
  return write_input(f, run, error);
}

/* --- placing ------- */

/* Oxygen and hydrogens of a water; a virtual site is last in the kind and left out. */
static Status water_shape(const WaterModel *model, double (*x)[3], Error *error)
{
  SCOPED(kind_free_at) Kind *kind = NULL;
  TRY(water_kind(model, WATER_MASS_O, WATER_MASS_H, &kind, error));
  memcpy(x, kind->reference, 3 * sizeof *x);
  return STATUS_OK;
}

static Status place(BuildFiles *f, const Filling *filling, Frame *frame, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const double(**shape)[3] = arena_take(&arena, (size_t)f->n, sizeof *shape);
  TRY(arena_check(&arena, "coordinates", error));
  for (int i = 0; i < f->n; i++) {
    const Molecule *m = &f->molecules->molecule[i];
    double(*x)[3] = arena_take(&arena, (size_t)m->natom, sizeof *x);
    TRY(arena_check(&arena, "coordinates", error));
    if (f->water[i] != NULL)
      TRY(water_shape(f->water[i], x, error));
    else
      TRY(filling_read(m, f->coordinates[i], x, error));
    shape[i] = (const double(*)[3])x;
  }
  return filling_place(f->molecules, shape, filling, frame, error);
}

static Status make_folder(BuildFiles *f, Error *error)
{
  const char *under = getenv("TMPDIR");
  under = under != NULL && under[0] == '/' ? under : "/tmp";
  char *folder = join(&f->arena, under, strlen(under), "/holonom-XXXXXX");
  TRY(arena_check(&f->arena, "a folder", error));
  if (mkdtemp(folder) == NULL)
    return error_set(error, STATUS_IO, "cannot create a folder in %s; set TMPDIR to another folder", under);
  f->folder = folder;
  f->topology = join(&f->arena, folder, strlen(folder), "/molecules.yaml");
  f->start = join(&f->arena, folder, strlen(folder), "/start.xyz");
  return arena_check(&f->arena, "file names", error);
}

Status build_files_place(BuildFiles *f, const Filling *filling, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  TRY(place(f, filling, &frame, error));
  TRY(make_folder(f, error));
  TRY(write_text(f, f->topology, error));
  return trajectory_write_one(f->start, NULL, &(TrajectoryOptions){.exact = true}, &frame, error);
}

void build_files_free(BuildFiles *f)
{
  if (f->topology != NULL)
    (void)unlink(f->topology);
  if (f->start != NULL)
    (void)unlink(f->start);
  if (f->folder != NULL)
    (void)rmdir(f->folder);
  molecules_free(f->molecules);
  free(f->text);
  arena_free(&f->arena);
  *f = (BuildFiles){0};
}
