/* H5MD 1.1 (https://www.nongnu.org/h5md): molecular data in an HDF5 file, written with the HDF5 C library.
 *
 *   /h5md                       version [1, 1]; creator and author; modules/units
 *   /particles/GROUP            "trajectory", or "replica_0", "replica_1", ... of several replicas
 *     box                       dimension 3, boundary "periodic" or "none" in each; edges/value [frame][3][3]
 *
 *     position/value            [frame][atom][3] float32 (float64 for exact numbers), Angstrom
 *     position/step, time       [frame], ps; other elements link to these
 *     velocity, force           likewise, if the first frame has them
 *
 *     species, mass             [atom]: an index into the attribute `names` (symbols); mass in u
 *     id                        [atom] of a part of a system: index in the system, from 0
 *     name, resname, resid      [atom] of molecules of a file; and chain, if any
 *
 *   /connectivity/bonds         [bond][2] indices in the system, of atoms that are both written
 *   /observables                numbers of the system in each frame: h5md_observables.c
 *   /parameters                 the title; holonom_rows: the number of whole frames (of each replica)
 *
 * A chunk has several frames, 16 kB, or one frame. Single frames are shuffled and deflated; other chunks
 * are not, so that rows can be added in place. Each mark flushes the file, and before the first mark a
 * flush follows every second: first all rows, then their number, so that an interrupted flush is
 * recognised. A resumed run first resets the number, then the lengths. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ticks.h"
#include "io/h5md_private.h"

enum { CHUNK = 16384, SPECIES_MOST = 256 };

static const double flush_seconds = 1.0;

/* Datasets of one replica's frames; -1: absent. */
typedef struct Set {
  hid_t position, velocity, force, edges;
} Set;

typedef struct Writer {
  H5mdFile file;
  bool marked;
  double flushed; /* time of the last flush, s */
  hid_t step, time;
  H5mdObservables observables;
  int nset;
  Set set[];
} Writer;

static int sets_of(const TrajectoryWriter *writer)
{
  return writer->options.replicas > 1 ? writer->options.replicas : 1;
}

static void group_name(const TrajectoryWriter *writer, int r, char name[32])
{
  const int n = sets_of(writer), digits = snprintf(NULL, 0, "%d", n - 1);
  if (n == 1)
    strcpy(name, "trajectory");
  else
    snprintf(name, 32, "replica_%0*d", digits, r);
}

/* --- the empty file ------------------------------------------------------------------------------------ */

static bool put_version(hid_t at, int minor)
{
  const int version[2] = {1, minor};
  return h5md_object_attribute(at, "version", H5T_NATIVE_INT, 2, version);
}

static bool put_head(const TrajectoryWriter *writer, hid_t file)
{
  H5MD_ID head = h5md_object_group(file, "h5md"), author = h5md_object_group(head, "author"),
          creator = h5md_object_group(head, "creator"), modules = h5md_object_group(head, "modules"),
          units = h5md_object_group(modules, "units"), parameters = h5md_object_group(file, "parameters");
  return put_version(head, 1) && h5md_object_text(author, "name", "not given") &&
         h5md_object_text(creator, "name", "holonom") &&
         h5md_object_text(creator, "version", HOLONOM_VERSION) && put_version(units, 0) &&
         h5md_object_text(units, "system", "Angstrom, ps, kcal mol-1, u") &&
         (writer->title[0] == '\0' || h5md_object_text(parameters, "title", writer->title));
}

static bool put_box(hid_t file, hid_t at, const Frame *frame, bool timed)
{
  const int dimension = 3;
  const char *const boundary = frame->has_cell ? "periodic" : "none";
  const char *const three[3] = {boundary, boundary, boundary};
  const H5mdRows edges = {H5T_IEEE_F64LE, 3, {3, 3}, CHUNK / (9 * (int)sizeof(double))};
  H5MD_ID box = h5md_object_group(at, "box");
  return box >= 0 && h5md_object_attribute(box, "dimension", H5T_NATIVE_INT, 0, &dimension) &&
         h5md_object_texts(box, "boundary", 3, three) &&
         (!frame->has_cell || h5md_object_element(file, box, "edges", h5md_unit_length, &edges, timed));
}

/* Writes the species: the symbols' indices, in order of appearance. */
static bool put_species(hid_t at, const Frame *frame)
{
  SCOPED(scoped_free) int *species = malloc((size_t)frame->natoms * sizeof *species);
  const char *known[SPECIES_MOST];
  int n = 0;
  for (int i = 0; i < frame->natoms && species != NULL; i++) {
    int k = 0;
    while (k < n && strcmp(known[k], frame->symbols[i]) != 0)
      k++;
    if (k == SPECIES_MOST)
      return false;
    if (k == n)
      known[n++] = frame->symbols[i];
    species[i] = k;
  }
  if (species == NULL ||
      !h5md_object_array(at, "species", H5T_STD_I32LE, H5T_NATIVE_INT, (hsize_t)frame->natoms, species, NULL))
    return false;
  H5MD_ID id = H5Dopen2(at, "species", H5P_DEFAULT);
  return id >= 0 && h5md_object_texts(id, H5MD_NAMES, (hsize_t)n, known);
}

static bool has_chains(const Frame *frame)
{
  for (int i = 0; i < frame->natoms; i++)
    if (frame->chains[i][0] != '\0')
      return true;
  return false;
}

static bool put_atoms(hid_t at, const Frame *frame)
{
  const hsize_t n = (hsize_t)frame->natoms;
  return (!frame->has_symbols || put_species(at, frame)) &&
         (!frame->has_masses || h5md_object_array(at, "mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n,
                                                  frame->masses, h5md_unit_mass)) &&
         (!frame->has_indices ||
          h5md_object_array(at, "id", H5T_STD_I32LE, H5T_NATIVE_INT, n, frame->indices, NULL)) &&
         (!frame->has_names ||
          ((!has_chains(frame) ||
            h5md_object_names(at, "chain", frame->natoms, (const char(*)[FRAME_NAME])frame->chains)) &&
           h5md_object_names(at, "name", frame->natoms, (const char(*)[FRAME_NAME])frame->names) &&
           h5md_object_names(at, "resname", frame->natoms, (const char(*)[FRAME_NAME])frame->residues) &&
           h5md_object_array(at, "resid", H5T_STD_I32LE, H5T_NATIVE_INT, n, frame->numbers, NULL)));
}

/* Links to constant data, which is written once. */
static bool link_atoms(hid_t particles, const char *first, hid_t at)
{
  static const char *const names[] = {"species", "mass", "id", "name", "resname", "resid", "chain"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", first, names[i]);
    if (H5Lexists(particles, path, H5P_DEFAULT) > 0 &&
        H5Lcreate_hard(particles, path, at, names[i], H5P_DEFAULT, H5P_DEFAULT) < 0)
      return false;
  }
  return true;
}

static bool put_bonds(const TrajectoryWriter *writer, hid_t file)
{
  char name[32], path[64];
  if (writer->options.nbond == 0)
    return true;
  group_name(writer, 0, name);
  snprintf(path, sizeof path, "particles/%s", name);
  H5MD_ID at = h5md_object_group(file, "connectivity");
  return at >= 0 && h5md_object_pairs(at, "bonds", writer->options.nbond, writer->options.bond, file, path);
}

static bool put_group(const TrajectoryWriter *writer, hid_t file, hid_t particles, int r, const Frame *frame)
{
  char name[32], first[32];
  group_name(writer, r, name);
  group_name(writer, 0, first);
  const int64_t size = 3 * (int64_t)frame->natoms * (writer->options.exact ? 8 : 4);
  const H5mdRows rows = {writer->options.exact ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                         3,
                         {(hsize_t)frame->natoms, 3},
                         size < CHUNK ? CHUNK / size : 1};
  const bool timed = isfinite(frame->time);
  H5MD_ID at = h5md_object_group(particles, name);
  return at >= 0 && h5md_object_element(file, at, "position", h5md_unit_length, &rows, timed) &&
         (!frame->has_velocities ||
          h5md_object_element(file, at, "velocity", h5md_unit_velocity, &rows, timed)) &&
         (!frame->has_forces || h5md_object_element(file, at, "force", h5md_unit_force, &rows, timed)) &&
         put_box(file, at, frame, timed) &&
         (r == 0 ? put_atoms(at, frame) : link_atoms(particles, first, at));
}

static bool put_groups(const TrajectoryWriter *writer, hid_t file, const Frame *frame)
{
  H5MD_ID particles = h5md_object_group(file, "particles");
  for (int r = 0; r < sets_of(writer); r++)
    if (particles < 0 || !put_group(writer, file, particles, r, frame))
      return false;
  return put_bonds(writer, file) &&
         h5md_observables_create(file, sets_of(writer), frame, isfinite(frame->time)) &&
         H5Ldelete(file, "steps", H5P_DEFAULT) >= 0 &&
         (!isfinite(frame->time) || H5Ldelete(file, "times", H5P_DEFAULT) >= 0);
}

/* --- its datasets -------------------------------------------------------------------------------------- */

static bool open_set(Writer *own, const TrajectoryWriter *writer, int r)
{
  char name[32], path[64];
  group_name(writer, r, name);
  snprintf(path, sizeof path, "particles/%s", name);
  H5MD_ID at = H5Gopen2(own->file.id, path, H5P_DEFAULT);
  if (at < 0)
    return false;
  Set *set = &own->set[r];
  set->position = h5md_object_open_rows(at, "position", "value");
  set->velocity = h5md_object_open_rows(at, "velocity", "value");
  set->force = h5md_object_open_rows(at, "force", "value");
  set->edges = h5md_object_open_rows(at, "box/edges", "value");
  if (r == 0) {
    own->step = h5md_object_open_rows(at, "position", "step");
    own->time = h5md_object_open_rows(at, "position", "time");
  }
  return set->position >= 0 && own->step >= 0;
}

/* Opens the file and its datasets. */
static Status open_all(TrajectoryWriter *writer, H5mdAccess access, Error *error)
{
  Writer *own = writer->own;
  h5md_observables_free(&own->observables);
  own->observables.row = NULL;
  TRY(h5md_file_open(&own->file, writer->out.path, writer->out.fd, access, error));
  for (int r = 0; r < own->nset; r++)
    if (!open_set(own, writer, r))
      return h5md_file_fail(&own->file, STATUS_IO, error, "its groups of particles cannot be opened");
  return h5md_observables_open(&own->observables, &own->file, own->nset, error);
}

static Status make_own(TrajectoryWriter *writer, Error *error)
{
  const int n = sets_of(writer);
  Writer *own = writer->own = calloc(1, sizeof *own + (size_t)n * sizeof *own->set);
  TRY_MEMORY(own != NULL, "a writer of H5MD", error);
  own->nset = n;
  own->file.id = -1;
  return STATUS_OK;
}

/* Writes the number of whole rows. */
static bool put_rows(const H5mdFile *file, int64_t rows)
{
  H5MD_ID at = H5Gopen2(file->id, "parameters", H5P_DEFAULT);
  H5MD_ID id = at >= 0 && H5Aexists(at, H5MD_ROWS) > 0 ? H5Aopen(at, H5MD_ROWS, H5P_DEFAULT) : -1;
  return id >= 0 ? H5Awrite(id, H5T_NATIVE_INT64, &rows) >= 0
                 : at >= 0 && h5md_object_attribute(at, H5MD_ROWS, H5T_NATIVE_INT64, 0, &rows);
}

static Status create(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  TRY(make_own(writer, error));
  H5mdFile *file = &((Writer *)writer->own)->file;
  Status status = h5md_file_open(file, writer->out.path, writer->out.fd, H5MD_CREATE, error);
  if (status == STATUS_OK &&
      !(put_head(writer, file->id) && put_groups(writer, file->id, frame) && put_rows(file, 0)))
    status = h5md_file_fail(file, STATUS_IO, error, "cannot be created as H5MD");
  if (status == STATUS_OK)
    status = h5md_file_flush(file, error);
  h5md_file_close(file);
  return status == STATUS_OK ? open_all(writer, H5MD_WRITE, error) : status;
}

/* --- frames -------------------------------------------------------------------------------------------- */

static Status put_vectors(TrajectoryWriter *writer, hid_t id, int64_t row, const Frame *frame,
                          const double (*x)[3], Error *error)
{
  const Writer *own = writer->own;
  Bytes *out = &writer->buffer;
  const hsize_t size[2] = {(hsize_t)frame->natoms, 3};
  bytes_clear(out);
  for (int i = 0; i < 3 * frame->natoms; i++)
    if (writer->options.exact)
      bytes_double(out, x[i / 3][i % 3]);
    else
      bytes_float(out, (float)x[i / 3][i % 3]);
  TRY_MEMORY(!out->failed, "a frame of a trajectory", error);
  return h5md_object_put_row(id, row, 3, size, writer->options.exact ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                             out->data)
             ? STATUS_OK
             : h5md_file_fail(&own->file, STATUS_IO, error, "frame %lld cannot be written",
                              (long long)writer->frames);
}

static bool fits(const double (*x)[3], int natoms)
{
  bool good = true;
  for (int i = 0; i < 3 * natoms; i++)
    good &= fabs(x[i / 3][i % 3]) <= (double)FLT_MAX;
  return good;
}

/* Checks a frame before any part of it is written. */
static Status check_frame(const TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  const Writer *own = writer->own;
  const Set *set = own != NULL ? &own->set[writer->frames % own->nset] : NULL;
  if (set != NULL &&
      ((set->velocity >= 0 && !frame->has_velocities) || (set->force >= 0 && !frame->has_forces)))
    return error_set(error, STATUS_RUN, "%s: frame %lld lacks velocities or forces, which the first has",
                     writer->out.path, (long long)writer->frames);
  if (own != NULL && !h5md_observables_fit(&own->observables, frame))
    return error_set(error, STATUS_RUN, "%s: frame %lld has other observables than the first",
                     writer->out.path, (long long)writer->frames);
  if (!fits((const double(*)[3])frame->positions, frame->natoms) ||
      (frame->has_velocities && !fits((const double(*)[3])frame->velocities, frame->natoms)) ||
      (frame->has_forces && !fits((const double(*)[3])frame->forces, frame->natoms)))
    return error_set(error, STATUS_RUN, "%s: frame %lld: a number is not finite, or too large for H5MD",
                     writer->out.path, (long long)writer->frames);
  return STATUS_OK;
}

static Status put_frame(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  Writer *own = writer->own;
  const int r = (int)(writer->frames % own->nset);
  const int64_t row = writer->frames / own->nset, step = frame->step >= 0 ? frame->step : row;
  const Set *set = &own->set[r];
  const hsize_t edges[2] = {3, 3};
  const bool good =
      (r != 0 ||
       (h5md_object_put_row(own->step, row, 1, NULL, H5T_NATIVE_INT64, &step) &&
        (own->time < 0 || h5md_object_put_row(own->time, row, 1, NULL, H5T_NATIVE_DOUBLE, &frame->time)))) &&
      (set->edges < 0 || h5md_object_put_row(set->edges, row, 3, edges, H5T_NATIVE_DOUBLE, frame->cell)) &&
      h5md_observables_put(&own->observables, row, r, frame);
  if (!good)
    return h5md_file_fail(&own->file, STATUS_IO, error, "frame %lld cannot be written",
                          (long long)writer->frames);
  TRY(put_vectors(writer, set->position, row, frame, (const double(*)[3])frame->positions, error));
  if (set->velocity >= 0)
    TRY(put_vectors(writer, set->velocity, row, frame, (const double(*)[3])frame->velocities, error));
  return set->force >= 0
             ? put_vectors(writer, set->force, row, frame, (const double(*)[3])frame->forces, error)
             : STATUS_OK;
}

/* Writes all rows, and then their number, so that a killed run leaves the rows of the last flush. The file
 * is then reopened, because the library would keep metadata of all chunks in memory. */
static Status flush(TrajectoryWriter *writer, int64_t frames, bool last, Error *error)
{
  Writer *own = writer->own;
  struct stat info = {0};
  TRY(h5md_file_flush(&own->file, error));
  if (!put_rows(&own->file, frames / own->nset))
    return h5md_file_fail(&own->file, STATUS_IO, error, "its number of frames cannot be written");
  TRY(h5md_file_flush(&own->file, error));
  if (!last) {
    h5md_file_close(&own->file);
    TRY(open_all(writer, H5MD_WRITE, error));
  }
  own->flushed = ticks_seconds();
  if (fstat(writer->out.fd, &info) == 0)
    writer->out.size = info.st_size;
  return STATUS_OK;
}

/* An incomplete frame never reaches the file: after a failure nothing more is flushed. */
static Status h5md_append(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  H5MD_LOCK lock = {0};
  TRY(check_frame(writer, frame, error));
  TRY(h5md_file_lock(&lock, (size_t)frame->natoms * sizeof *frame->positions, error));
  Status status = writer->own == NULL ? create(writer, frame, error) : STATUS_OK;
  Writer *own = writer->own;
  if (status == STATUS_OK)
    status = put_frame(writer, frame, error);
  if (status == STATUS_OK && !own->marked && (writer->frames + 1) % own->nset == 0 &&
      ticks_seconds() > own->flushed + flush_seconds)
    status = flush(writer, writer->frames + 1, false, error);
  if (status != STATUS_OK && own != NULL)
    own->file.failed = true;
  return status;
}

static Status h5md_commit(TrajectoryWriter *writer, bool last, Error *error)
{
  Writer *own = writer->own;
  if (own == NULL || (last && own->file.failed))
    return STATUS_OK;
  H5MD_LOCK lock = {0};
  TRY(h5md_file_lock(&lock, 0, error));
  own->marked = true;
  return flush(writer, writer->frames, last, error);
}

/* --- resuming ------------------------------------------------------------------------------------------ */

/* Applies a function to all datasets of rows. */
static bool for_all(const Writer *own, int64_t rows, bool (*what)(hid_t id, int64_t rows))
{
  bool good = what(own->step, rows) && (own->time < 0 || what(own->time, rows));
  for (int r = 0; r < own->nset && good; r++) {
    const Set *set = &own->set[r];
    const hid_t all[] = {set->position, set->velocity, set->force, set->edges};
    for (size_t i = 0; i < sizeof all / sizeof *all && good; i++)
      good = all[i] < 0 || what(all[i], rows);
  }
  for (int i = 0; i < own->observables.n && good; i++)
    good = what(own->observables.value[i], rows);
  return good;
}

static bool has_atoms(hid_t id, int natoms)
{
  hsize_t all[3] = {0};
  H5MD_ID space = H5Dget_space(id);
  return H5Sget_simple_extent_ndims(space) == 3 && H5Sget_simple_extent_dims(space, all, NULL) == 3 &&
         all[1] == (hsize_t)natoms && all[2] == 3;
}

static Status check_rows(const Writer *own, int natoms, int64_t rows, Error *error)
{
  const H5mdFile *file = &own->file;
  for (int r = 0; r < own->nset; r++)
    if (!has_atoms(own->set[r].position, natoms))
      return h5md_file_fail(file, STATUS_IO, error, "does not have the %d atoms of the run", natoms);
  return for_all(own, rows, h5md_object_has_rows)
             ? STATUS_OK
             : h5md_file_fail(file, STATUS_IO, error, "has fewer than the %lld frames of the checkpoint",
                              (long long)rows);
}

/* An interrupted flush may have left index entries beyond the end that the file records: the end is moved
 * behind all of its bytes. */
static Status set_back(Writer *own, int64_t rows, Error *error)
{
  H5mdFile *file = &own->file;
  if (H5Fincrement_filesize(file->id, 0) < 0 || !put_rows(file, rows))
    return h5md_file_fail(file, STATUS_IO, error, "cannot be written");
  TRY(h5md_file_flush(file, error));
  if (!for_all(own, rows, h5md_object_cut_rows))
    return h5md_file_fail(file, STATUS_IO, error, "cannot be reset to frame %lld", (long long)rows);
  return h5md_file_flush(file, error);
}

/* HDF5 writes to a file when it opens it for writing, so a file of another run is recognised before. */
static Status go_on(TrajectoryWriter *writer, Error *error)
{
  TRY(make_own(writer, error));
  Writer *own = writer->own;
  const int64_t rows = writer->frames / own->nset;
  own->marked = true;
  TRY(open_all(writer, H5MD_READ, error));
  TRY(check_rows(own, writer->natoms, rows, error));
  h5md_file_close(&own->file);
  TRY(open_all(writer, H5MD_WRITE, error));
  return set_back(own, rows, error);
}

static Status h5md_resume(TrajectoryWriter *writer, Error *error)
{
  H5MD_LOCK lock = {0};
  TRY(h5md_file_lock(&lock, 0, error));
  return go_on(writer, error);
}

static void h5md_release(TrajectoryWriter *writer)
{
  Writer *own = writer->own;
  H5mdLock lock;
  (void)h5md_file_lock(&lock, 0, NULL);
  h5md_file_close(&own->file);
  h5md_file_unlock(&lock);
  h5md_observables_free(&own->observables);
  free(own);
}

static bool h5md_matches(const char *head, size_t size)
{
  return size >= 8 && memcmp(head, "\x89HDF\r\n\x1a\n", 8) == 0;
}

const TrajectoryFormat h5md_format = {
    .name = "h5md",
    .suffixes = ".h5 .h5md .hdf5",
    .doc =
        "H5MD: binary (HDF5), with time, step, box, symbols, masses, velocities, energies and temperature; "
        "all replicas in one file; read by MDAnalysis, h5py",
    .traits = TRAJECTORY_VELOCITIES | TRAJECTORY_NUMBERS | TRAJECTORY_TOGETHER | TRAJECTORY_NAMES,
    .matches = h5md_matches,
    .open = h5md_read_open,
    .next = h5md_read_next,
    .fill = h5md_read_fill,
    .close = h5md_read_close,
    .append = h5md_append,
    .commit = h5md_commit,
    .resume = h5md_resume,
    .release = h5md_release,
};
