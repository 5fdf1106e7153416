/* H5MD 1.1 (https://www.nongnu.org/h5md): molecular data in an HDF5 file, by Debian's C library.
 *
 *   /h5md                       version [1, 1]; creator and author; modules/units
 *   /particles/GROUP            "trajectory", or "replica_0", "replica_1", ... of several replicas
 *     box                       dimension 3, boundary "periodic" or "none" in each; edges/value [frame][3][3]
 *     position/value            [frame][atom][3] float32 (float64 where all digits are asked for), Angstrom
 *     position/step, time       [frame], ps; those of the others are links to these
 *     velocity, force           likewise, if the first frame has them
 *     species, mass             [atom]: an enumeration of the symbols, and u
 *   /parameters                 the title
 *
 * Chunks have some frames, 16 kB or one frame; single frames are shuffled and deflated, others stand as they
 * are, so that a chunk that is not full never moves (io/h5md_file.h says why). A mark is a commit; before the
 * first mark there is one every second, and after it none but marks: what a killed run leaves is the file as
 * it was at its last checkpoint. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/ticks.h"
#include "io/h5md_private.h"

enum { CHUNK = 16384, STEPS_A_CHUNK = 1024, DEFLATE = 4, SPECIES_MOST = 256 };

static const double commit_seconds = 1.0;

/* Ids of what frames of one replica go to; -1: not there. */
typedef struct Set {
  hid_t position, velocity, force, edges;
} Set;

typedef struct Writer {
  H5mdFile file;
  bool marked;
  double committed; /* when, in seconds */
  hid_t step, time;
  int nset;
  Set set[];
} Writer;

static int sets_of(const TrajectoryWriter *writer) { return writer->replicas > 1 ? writer->replicas : 1; }

static void group_name(const TrajectoryWriter *writer, int r, char name[32])
{
  const int n = sets_of(writer), digits = snprintf(NULL, 0, "%d", n - 1);
  if (n == 1)
    strcpy(name, "trajectory");
  else
    snprintf(name, 32, "replica_%0*d", digits, r);
}

/* --- attributes and objects ---------------------------------------------------------------------------- */

/* n values, or 0: a scalar. */
static bool put_attribute(hid_t at, const char *name, hid_t type, hsize_t n, const void *value)
{
  const hid_t space = n > 0 ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
  const hid_t id = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool good = id >= 0 && H5Awrite(id, type, value) >= 0;
  if (id >= 0)
    H5Aclose(id);
  H5Sclose(space);
  return good;
}

static bool put_texts(hid_t at, const char *name, hsize_t n, const char *const *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  const bool good = H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                    put_attribute(at, name, type, n, text);
  H5Tclose(type);
  return good;
}

static bool put_text(hid_t at, const char *name, const char *text) { return put_texts(at, name, 0, &text); }

static bool put_version(hid_t at, int major, int minor)
{
  const int version[2] = {major, minor};
  return put_attribute(at, "version", H5T_NATIVE_INT, 2, version);
}

static hid_t make_group(hid_t at, const char *name)
{
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  const hid_t id =
      H5Pset_obj_track_times(list, false) >= 0 ? H5Gcreate2(at, name, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
  H5Pclose(list);
  return id;
}

/* Chunks are written as they come: none waits in the library. */
static hid_t access_list(void)
{
  const hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(list, 0, 0, 1.0);
  return list;
}

/* A dataset of no rows yet, each of size[0..rank-2]. */
static hid_t make_rows(hid_t at, const char *name, hid_t type, int rank, const hsize_t *size, int64_t rows)
{
  hsize_t now[3] = {0}, most[3] = {H5S_UNLIMITED}, chunk[3] = {(hsize_t)rows};
  for (int i = 1; i < rank; i++)
    now[i] = most[i] = chunk[i] = size[i - 1];
  const hid_t space = H5Screate_simple(rank, now, most), list = H5Pcreate(H5P_DATASET_CREATE),
              access = access_list();
  bool good = H5Pset_obj_track_times(list, false) >= 0 && H5Pset_chunk(list, rank, chunk) >= 0 &&
              H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0;
  if (good && rows == 1 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
    good = H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, DEFLATE) >= 0;
  const hid_t id = good ? H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, access) : -1;
  H5Sclose(space);
  H5Pclose(list);
  H5Pclose(access);
  return id;
}

/* A dataset that does not change. */
static bool put_array(hid_t at, const char *name, hid_t type, hid_t memory, hsize_t n, const void *value,
                      const char *unit)
{
  const hid_t space = H5Screate_simple(1, &n, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, false);
  const hid_t id = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const bool good = id >= 0 && H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0 &&
                    (unit == NULL || put_text(id, "unit", unit));
  if (id >= 0)
    H5Dclose(id);
  H5Sclose(space);
  H5Pclose(list);
  return good;
}

/* --- the empty file ------------------------------------------------------------------------------------ */

static bool put_head(const TrajectoryWriter *writer, hid_t file)
{
  const hid_t head = make_group(file, "h5md"), author = make_group(head, "author"),
              creator = make_group(head, "creator"), modules = make_group(head, "modules"),
              units = make_group(modules, "units"), parameters = make_group(file, "parameters");
  const hid_t all[] = {head, author, creator, modules, units, parameters};
  bool good = put_version(head, 1, 1) && put_text(author, "name", "not given") &&
              put_text(creator, "name", "holonom") && put_text(creator, "version", HOLONOM_VERSION) &&
              put_version(units, 1, 0) && put_text(units, "system", "Angstrom, ps, kcal mol-1, u");
  if (good && writer->title[0] != '\0')
    good = put_text(parameters, "title", writer->title);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] >= 0)
      H5Gclose(all[i]);
  return good;
}

/* A group of value with its step and time: new ones for the first, links to it for all others. */
static bool make_element(hid_t file, hid_t at, const char *name, const char *unit, hid_t type, hsize_t natoms,
                         int64_t rows, bool timed)
{
  const hsize_t size[2] = {natoms, 3};
  const hid_t group = make_group(at, name), value = make_rows(group, "value", type, 3, size, rows);
  bool good = value >= 0 && put_text(value, "unit", unit);
  if (good && H5Lexists(file, "steps", H5P_DEFAULT) > 0) {
    good = H5Lcreate_hard(file, "steps", group, "step", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
           (!timed || H5Lcreate_hard(file, "times", group, "time", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  } else if (good) {
    const hid_t step = make_rows(group, "step", H5T_STD_I64LE, 1, NULL, STEPS_A_CHUNK);
    const hid_t time = timed ? make_rows(group, "time", H5T_IEEE_F64LE, 1, NULL, STEPS_A_CHUNK) : -1;
    good = step >= 0 && H5Lcreate_hard(group, "step", file, "steps", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    if (good && timed)
      good = time >= 0 && put_text(time, "unit", h5md_unit_time) &&
             H5Lcreate_hard(group, "time", file, "times", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    if (step >= 0)
      H5Dclose(step);
    if (time >= 0)
      H5Dclose(time);
  }
  if (value >= 0)
    H5Dclose(value);
  if (group >= 0)
    H5Gclose(group);
  return good;
}

static bool put_box(hid_t file, hid_t at, const Frame *frame, bool timed)
{
  const int dimension = 3;
  const char *const boundary = frame->has_cell ? "periodic" : "none";
  const char *const three[3] = {boundary, boundary, boundary};
  const hid_t box = make_group(at, "box");
  const bool good = box >= 0 && put_attribute(box, "dimension", H5T_NATIVE_INT, 0, &dimension) &&
                    put_texts(box, "boundary", 3, three) &&
                    (!frame->has_cell || make_element(file, box, "edges", h5md_unit_length, H5T_IEEE_F64LE, 3,
                                                      CHUNK / (9 * (int)sizeof(double)), timed));
  if (box >= 0)
    H5Gclose(box);
  return good;
}

/* An enumeration of the symbols in the order in which they come. */
static bool put_species(hid_t at, const Frame *frame)
{
  const hid_t type = H5Tenum_create(H5T_NATIVE_INT);
  int *species = malloc((size_t)frame->natoms * sizeof *species);
  const char *known[SPECIES_MOST];
  int n = 0;
  bool good = species != NULL && type >= 0;
  for (int i = 0; i < frame->natoms && good; i++) {
    int k = 0;
    while (k < n && strcmp(known[k], frame->symbols[i]) != 0)
      k++;
    if (k == n && n < SPECIES_MOST) {
      known[n++] = frame->symbols[i];
      good = H5Tenum_insert(type, frame->symbols[i], &k) >= 0;
    }
    good = good && k < n;
    species[i] = k;
  }
  good = good && put_array(at, "species", type, type, (hsize_t)frame->natoms, species, NULL);
  free(species);
  H5Tclose(type);
  return good;
}

static bool put_atoms(hid_t at, const Frame *frame)
{
  return (!frame->has_symbols || put_species(at, frame)) &&
         (!frame->has_masses || put_array(at, "mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                                          (hsize_t)frame->natoms, frame->masses, h5md_unit_mass));
}

/* What does not change is written once. */
static bool link_atoms(hid_t particles, const char *first, hid_t at, const Frame *frame)
{
  char species[64], mass[64];
  snprintf(species, sizeof species, "%s/species", first);
  snprintf(mass, sizeof mass, "%s/mass", first);
  return (!frame->has_symbols ||
          H5Lcreate_hard(particles, species, at, "species", H5P_DEFAULT, H5P_DEFAULT) >= 0) &&
         (!frame->has_masses || H5Lcreate_hard(particles, mass, at, "mass", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

static bool put_group(const TrajectoryWriter *writer, hid_t file, hid_t particles, int r, const Frame *frame)
{
  char name[32], first[32];
  group_name(writer, r, name);
  group_name(writer, 0, first);
  const hid_t type = writer->exact ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  const int64_t size = 3 * (int64_t)frame->natoms * (writer->exact ? 8 : 4);
  const int64_t rows = size < CHUNK ? CHUNK / size : 1;
  const hsize_t n = (hsize_t)frame->natoms;
  const bool timed = isfinite(frame->time);
  const hid_t at = make_group(particles, name);
  bool good = at >= 0 && make_element(file, at, "position", h5md_unit_length, type, n, rows, timed);
  if (good && frame->has_velocities)
    good = make_element(file, at, "velocity", h5md_unit_velocity, type, n, rows, timed);
  if (good && frame->has_forces)
    good = make_element(file, at, "force", h5md_unit_force, type, n, rows, timed);
  good = good && put_box(file, at, frame, timed) &&
         (r == 0 ? put_atoms(at, frame) : link_atoms(particles, first, at, frame));
  if (at >= 0)
    H5Gclose(at);
  return good;
}

static bool put_groups(const TrajectoryWriter *writer, hid_t file, const Frame *frame)
{
  const hid_t particles = make_group(file, "particles");
  bool good = particles >= 0;
  for (int r = 0; r < sets_of(writer) && good; r++)
    good = put_group(writer, file, particles, r, frame);
  if (particles >= 0)
    H5Gclose(particles);
  return good && H5Ldelete(file, "steps", H5P_DEFAULT) >= 0 &&
         (!isfinite(frame->time) || H5Ldelete(file, "times", H5P_DEFAULT) >= 0);
}

/* --- its datasets -------------------------------------------------------------------------------------- */

static hid_t open_rows(hid_t at, const char *element, const char *name)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", element, name);
  if (H5Lexists(at, element, H5P_DEFAULT) <= 0 || H5Lexists(at, path, H5P_DEFAULT) <= 0)
    return -1;
  const hid_t list = access_list(), id = H5Dopen2(at, path, list);
  H5Pclose(list);
  return id;
}

static bool open_set(Writer *own, const TrajectoryWriter *writer, int r)
{
  char name[32], path[64];
  group_name(writer, r, name);
  snprintf(path, sizeof path, "particles/%s", name);
  const hid_t at = H5Gopen2(own->file.id, path, H5P_DEFAULT);
  if (at < 0)
    return false;
  Set *set = &own->set[r];
  set->position = open_rows(at, "position", "value");
  set->velocity = open_rows(at, "velocity", "value");
  set->force = open_rows(at, "force", "value");
  set->edges = open_rows(at, "box/edges", "value");
  if (r == 0) {
    own->step = open_rows(at, "position", "step");
    own->time = open_rows(at, "position", "time");
  }
  H5Gclose(at);
  return set->position >= 0 && own->step >= 0;
}

static Status open_sets(TrajectoryWriter *writer, Error *error)
{
  Writer *own = writer->own;
  for (int r = 0; r < own->nset; r++)
    if (!open_set(own, writer, r))
      return h5md_file_fail(&own->file, STATUS_IO, error, "its groups of particles cannot be opened");
  return STATUS_OK;
}

static Status make_own(TrajectoryWriter *writer, Error *error)
{
  const int n = sets_of(writer);
  Writer *own = writer->own = calloc(1, sizeof *own + (size_t)n * sizeof *own->set);
  if (own == NULL)
    return error_memory(error, "a writer of H5MD");
  own->nset = n;
  own->file.id = -1;
  return STATUS_OK;
}

static Status create(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  Status status = make_own(writer, error);
  if (status != STATUS_OK)
    return status;
  Writer *own = writer->own;
  status = h5md_file_open(&own->file, writer->path, writer->fd, true, true, error);
  if (status == STATUS_OK && !(put_head(writer, own->file.id) && put_groups(writer, own->file.id, frame)))
    status = h5md_file_fail(&own->file, STATUS_IO, error, "cannot be laid out as H5MD");
  if (status == STATUS_OK)
    status = h5md_file_reopen(&own->file, error);
  return status == STATUS_OK ? open_sets(writer, error) : status;
}

/* --- frames -------------------------------------------------------------------------------------------- */

/* Row number `row`, the next one. */
static bool put_row(hid_t id, int64_t row, int rank, const hsize_t *size, hid_t type, const void *data)
{
  hsize_t all[3] = {(hsize_t)row + 1}, from[3] = {(hsize_t)row}, count[3] = {1};
  for (int i = 1; i < rank; i++)
    all[i] = count[i] = size[i - 1];
  if (H5Dset_extent(id, all) < 0)
    return false;
  const hid_t file = H5Dget_space(id), memory = H5Screate_simple(rank, count, NULL);
  const bool good = file >= 0 && H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                    H5Dwrite(id, type, memory, file, H5P_DEFAULT, data) >= 0;
  if (file >= 0)
    H5Sclose(file);
  H5Sclose(memory);
  return good;
}

static Status put_vectors(TrajectoryWriter *writer, hid_t id, int64_t row, const Frame *frame,
                          const double (*x)[3], Error *error)
{
  const Writer *own = writer->own;
  Bytes *out = &writer->buffer;
  const hsize_t size[2] = {(hsize_t)frame->natoms, 3};
  bytes_clear(out);
  for (int i = 0; i < 3 * frame->natoms; i++)
    if (writer->exact)
      bytes_double(out, x[i / 3][i % 3]);
    else
      bytes_float(out, (float)x[i / 3][i % 3]);
  if (out->failed)
    return error_memory(error, "a frame of a trajectory");
  return put_row(id, row, 3, size, writer->exact ? H5T_IEEE_F64LE : H5T_IEEE_F32LE, out->data)
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

/* Before anything of it is written. */
static Status check_frame(const TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  const Writer *own = writer->own;
  const Set *set = own != NULL ? &own->set[writer->frames % own->nset] : NULL;
  if (set != NULL &&
      ((set->velocity >= 0 && !frame->has_velocities) || (set->force >= 0 && !frame->has_forces)))
    return error_set(error, STATUS_RUN, "%s: frame %lld has no velocities or forces, the first has",
                     writer->path, (long long)writer->frames);
  if (!fits((const double(*)[3])frame->positions, frame->natoms) ||
      (frame->has_velocities && !fits((const double(*)[3])frame->velocities, frame->natoms)) ||
      (frame->has_forces && !fits((const double(*)[3])frame->forces, frame->natoms)))
    return error_set(error, STATUS_RUN, "%s: frame %lld: a number is not finite, or too large for H5MD",
                     writer->path, (long long)writer->frames);
  return STATUS_OK;
}

static Status put_frame(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  Writer *own = writer->own;
  const int r = (int)(writer->frames % own->nset);
  const int64_t row = writer->frames / own->nset, step = frame->step >= 0 ? frame->step : row;
  const Set *set = &own->set[r];
  const hsize_t edges[2] = {3, 3};
  bool good = true;
  if (r == 0)
    good = put_row(own->step, row, 1, NULL, H5T_NATIVE_INT64, &step) &&
           (own->time < 0 || put_row(own->time, row, 1, NULL, H5T_NATIVE_DOUBLE, &frame->time));
  if (good && set->edges >= 0)
    good = put_row(set->edges, row, 3, edges, H5T_NATIVE_DOUBLE, frame->cell);
  if (!good)
    return h5md_file_fail(&own->file, STATUS_IO, error, "frame %lld cannot be written",
                          (long long)writer->frames);
  Status status = put_vectors(writer, set->position, row, frame, (const double(*)[3])frame->positions, error);
  if (status == STATUS_OK && set->velocity >= 0)
    status = put_vectors(writer, set->velocity, row, frame, (const double(*)[3])frame->velocities, error);
  if (status == STATUS_OK && set->force >= 0)
    status = put_vectors(writer, set->force, row, frame, (const double(*)[3])frame->forces, error);
  return status;
}

static Status commit(TrajectoryWriter *writer, int64_t frames, bool keep, Error *error)
{
  Writer *own = writer->own;
  const Status status = h5md_file_commit(&own->file, frames, keep, error);
  own->committed = ticks_seconds();
  writer->size = own->file.committed;
  return status;
}

/* A frame that is not whole stays outside: nothing is committed any more. */
static Status h5md_append(TrajectoryWriter *writer, const Frame *frame, Error *error)
{
  H5mdLock lock;
  Status status = check_frame(writer, frame, error);
  if (status == STATUS_OK)
    status = h5md_file_lock(&lock, (size_t)frame->natoms * sizeof *frame->positions, error);
  if (status != STATUS_OK)
    return status;
  status = writer->own == NULL ? create(writer, frame, error) : STATUS_OK;
  Writer *own = writer->own;
  if (status == STATUS_OK)
    status = put_frame(writer, frame, error);
  if (status == STATUS_OK && !own->marked && (writer->frames + 1) % own->nset == 0 &&
      ticks_seconds() > own->committed + commit_seconds)
    status = commit(writer, writer->frames + 1, true, error);
  if (status != STATUS_OK && own != NULL && own->file.failed == 0)
    own->file.failed = ECANCELED;
  h5md_file_unlock(&lock);
  return status;
}

static Status h5md_commit(TrajectoryWriter *writer, bool last, Error *error)
{
  Writer *own = writer->own;
  if (own == NULL || (last && own->file.failed != 0))
    return STATUS_OK;
  H5mdLock lock;
  Status status = h5md_file_lock(&lock, 0, error);
  if (status != STATUS_OK)
    return status;
  status = commit(writer, writer->frames, !last, error);
  own->marked = true;
  h5md_file_unlock(&lock);
  return status;
}

/* Opens the file as it stands, and says how many frames it has. */
static Status open_again(TrajectoryWriter *writer, int64_t *frames, Error *error)
{
  H5mdLock lock;
  Status status = h5md_file_lock(&lock, 0, error);
  if (status != STATUS_OK)
    return status;
  status = make_own(writer, error);
  Writer *own = writer->own;
  if (status == STATUS_OK)
    status = h5md_file_open(&own->file, writer->path, writer->fd, false, true, error);
  if (status == STATUS_OK)
    status = open_sets(writer, error);
  if (status == STATUS_OK) {
    const hid_t space = H5Dget_space(own->step);
    *frames = H5Sget_simple_extent_npoints(space) * own->nset;
    H5Sclose(space);
    own->marked = true;
    own->file.mark = writer->frames;
  }
  h5md_file_unlock(&lock);
  return status;
}

/* The first frames of the file, anew: what hangs on what is in a file alone has the bytes that it had. */
static Status copy_frames(const TrajectoryWriter *writer, Error *error)
{
  const TrajectoryOptions options = {.replace = true,
                                     .whole = true,
                                     .exact = writer->exact,
                                     .replicas = writer->replicas,
                                     .title = writer->title};
  TrajectoryReader *reader;
  TrajectoryWriter *copy = NULL;
  Frame frame = {0};
  bool end = false;
  Status status = trajectory_open(&reader, writer->path, error);
  if (status == STATUS_OK)
    status = trajectory_create(&copy, writer->path, "h5md", &options, error);
  for (int64_t i = 0; i < writer->frames && status == STATUS_OK; i++) {
    status = trajectory_read(reader, &frame, &end, error);
    if (status == STATUS_OK && end)
      status = error_set(error, STATUS_IO, "%s: has fewer than the %lld frames that the checkpoint has",
                         writer->path, (long long)writer->frames);
    if (status == STATUS_OK)
      status = trajectory_write(copy, &frame, error);
  }
  trajectory_close(reader);
  frame_free(&frame);
  if (status == STATUS_OK)
    return trajectory_finish(copy, error);
  trajectory_discard(copy);
  return status;
}

static void h5md_release(TrajectoryWriter *writer);

/* As it was at the mark by what the last commit left, or else, where the mark is older than that, by a copy.
 */
static Status h5md_resume(TrajectoryWriter *writer, Error *error)
{
  int64_t end = 0, frames = -1;
  if (writer->frames == 0)
    return ftruncate(writer->fd, 0) == 0
               ? STATUS_OK
               : error_set(error, STATUS_IO, "%s: cannot be cut: %s", writer->path, strerror(errno));
  Status status = h5md_file_undo(writer->path, writer->fd, writer->frames, &end, error);
  for (int turn = 0; turn < 2 && status == STATUS_OK; turn++) {
    if (end == writer->size && ftruncate(writer->fd, writer->size) == 0)
      status = open_again(writer, &frames, error);
    if (status != STATUS_OK || frames == writer->frames)
      return status;
    if (writer->own != NULL)
      h5md_release(writer);
    writer->own = NULL;
    status = turn == 0 ? copy_frames(writer, error) : STATUS_OK;
    if (status == STATUS_OK) {
      close(writer->fd);
      status = file_reopen(&writer->fd, writer->path, 0, error);
    }
    if (status == STATUS_OK)
      status = h5md_file_undo(writer->path, writer->fd, writer->frames, &end, error);
  }
  return status == STATUS_OK
             ? error_set(error, STATUS_IO, "%s: is not the file that the checkpoint has", writer->path)
             : status;
}

static void h5md_release(TrajectoryWriter *writer)
{
  Writer *own = writer->own;
  H5mdLock lock;
  (void)h5md_file_lock(&lock, 0, NULL);
  h5md_file_close(&own->file);
  h5md_file_unlock(&lock);
  free(own);
}

static bool h5md_matches(const char *head, size_t size)
{
  return size >= 8 && memcmp(head, "\x89HDF\r\n\x1a\n", 8) == 0;
}

const TrajectoryFormat h5md_format = {
    .name = "h5md",
    .suffixes = ".h5 .h5md .hdf5",
    .doc = "H5MD: binary (HDF5), with time, step, box, symbols, masses and velocities; all replicas in one "
           "file; read by MDAnalysis, h5py",
    .matches = h5md_matches,
    .open = h5md_read_open,
    .next = h5md_read_next,
    .close = h5md_read_close,
    .append = h5md_append,
    .commit = h5md_commit,
    .resume = h5md_resume,
    .release = h5md_release,
};
