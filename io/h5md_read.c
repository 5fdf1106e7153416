/* Reads H5MD files of any program: elements with or without time, steps and times for each frame or
 * equidistant, numbers of any type, units known to h5md_unit. If there are several groups of particles,
 * the first is read; groups with the names of our replicas are read in turn, frame by frame. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5md_private.h"

enum { SPECIES_MOST = 4096, REPLICAS_MOST = 1 << 20 };

/* --- the box ------------------------------------------------------------------------------------------- */

static Status open_box(TrajectoryReader *reader, hid_t at, H5mdSet *set, Error *error)
{
  set->edges.value = -1;
  H5MD_ID box = -1;
  const H5I_type_t type = h5md_element_object(at, "box", &box);
  if (type != H5I_GROUP && type != H5I_BADID)
    return h5md_element_wrong(reader, "box", "cannot be read", error);
  if (type == H5I_BADID) {
    h5md_element_warn(reader, "the group of particles", "has no box: the system is read as open");
    return STATUS_OK;
  }
  char boundary[3][H5MD_TEXT];
  int periodic = 0;
  if (!h5md_element_texts(box, "boundary", 3, boundary))
    return h5md_element_wrong(reader, "box", "does not have three boundaries, 'periodic' or 'none'", error);
  for (int d = 0; d < 3; d++)
    periodic += strcmp(boundary[d], "periodic") == 0;
  if (periodic != 0 && periodic != 3)
    return h5md_element_wrong(
        reader, "box",
        "is periodic in some directions only: it must be periodic in all directions or in none", error);
  set->periodic = periodic == 3;
  if (!set->periodic)
    return STATUS_OK;
  H5mdElement *e = &set->edges;
  TRY(h5md_element(reader, box, "edges", H5MD_ANY, e, error));
  if (e->value < 0)
    return h5md_element_wrong(reader, "box", "is periodic but has no edges", error);
  if (e->size[0] != 3 || (e->rank == 2 && e->size[1] != 3))
    return h5md_element_wrong(reader, "box/edges", "are not three numbers or vectors", error);
  return h5md_element_get_unit(reader, e->value, "box/edges", h5md_unit_length, &e->factor, error);
}

static Status read_box(const TrajectoryReader *reader, const H5mdSet *set, int64_t row, Frame *frame,
                       Error *error)
{
  const H5mdReader *own = reader->own;
  const H5mdElement *e = &set->edges;
  if (!set->periodic)
    return STATUS_OK;
  double x[9] = {0.0};
  TRY(h5md_element_read_row(own, e, row < e->rows ? row : e->rows - 1, H5T_NATIVE_DOUBLE, "the box", x,
                            error));
  memset(frame->cell, 0, sizeof frame->cell);
  for (int i = 0; i < (e->rank == 2 ? 9 : 3); i++) {
    if (!isfinite(x[i]))
      return error_set(error, STATUS_INPUT, "%s, frame %lld: number %d of the box is %g", reader->path,
                       (long long)row, i + 1, x[i]);
    frame->cell[e->rank == 2 ? i / 3 : i][e->rank == 2 ? i % 3 : i] = x[i] * e->factor;
  }
  frame->has_cell = true;
  return STATUS_OK;
}

static void close_element(const H5mdElement *e) { h5md_file_drop(&e->value); }

/* --- names --------------------------------------------------------------------------------------------- */

/* Names atoms by the names of an enumeration. */
static Status name_by_type(const TrajectoryReader *reader, const H5mdElement *species, hid_t type,
                           Error *error)
{
  H5mdReader *own = reader->own;
  H5MD_ID memory = H5Tget_nmembers(type) <= SPECIES_MOST ? H5Tget_native_type(type, H5T_DIR_ASCEND) : -1;
  const size_t size = memory >= 0 ? H5Tget_size(memory) : 0;
  if (size < 1 || size > 8)
    return h5md_element_wrong(reader, "species", "is not an enumeration that can be read", error);
  SCOPED(scoped_free) unsigned char *value = malloc(size * (size_t)own->natoms);
  TRY_MEMORY(value != NULL, "species", error);
  TRY(h5md_element_read_row(own, species, 0, memory, "species", value, error));
  for (int i = 0; i < own->natoms; i++) {
    char name[64] = "";
    if (H5Tenum_nameof(memory, value + size * (size_t)i, name, sizeof name) < 0)
      return h5md_element_wrong(reader, "species", "has a number without a name", error);
    frame_name(own->labels.symbols[i], name, (int)strlen(name));
  }
  return STATUS_OK;
}

/* Names atoms by a list in an attribute, as in our files. */
static Status name_by_list(const TrajectoryReader *reader, const H5mdElement *species, int n, Error *error)
{
  H5mdReader *own = reader->own;
  SCOPED(scoped_free) char(*name)[H5MD_TEXT] = malloc((size_t)n * sizeof *name);
  SCOPED(scoped_free) int *value = calloc((size_t)own->natoms, sizeof *value);
  TRY_MEMORY(name != NULL && value != NULL, "species", error);
  if (!h5md_element_texts(species->value, H5MD_NAMES, n, name))
    return h5md_element_wrong(reader, "species", "has names that cannot be read", error);
  TRY(h5md_element_read_row(own, species, 0, H5T_NATIVE_INT, "species", value, error));
  for (int i = 0; i < own->natoms; i++) {
    if (value[i] < 0 || value[i] >= n)
      return h5md_element_wrong(reader, "species", "has a number without a name", error);
    frame_name(own->labels.symbols[i], name[value[i]], (int)strlen(name[value[i]]));
  }
  return STATUS_OK;
}

/* Plain numbers have no names. */
static Status name_atoms(const TrajectoryReader *reader, const H5mdElement *species, Error *error)
{
  H5mdReader *own = reader->own;
  H5MD_ID type = H5Dget_type(species->value);
  const bool enumeration = type >= 0 && H5Tget_class(type) == H5T_ENUM;
  const int n = h5md_element_count(species->value, H5MD_NAMES);
  own->labels.has_symbols = enumeration || (n > 0 && n <= SPECIES_MOST);
  if (!own->labels.has_symbols)
    return STATUS_OK;
  return enumeration ? name_by_type(reader, species, type, error) : name_by_list(reader, species, n, error);
}

static Status open_names(TrajectoryReader *reader, hid_t at, Error *error)
{
  H5mdReader *own = reader->own;
  SCOPED(close_element) H5mdElement species;
  TRY(h5md_element(reader, at, "species", 1, &species, error));
  if (species.value < 0)
    return STATUS_OK;
  if (species.size[0] != (hsize_t)own->natoms)
    return h5md_element_wrong(reader, "species", "does not have one number for each atom", error);
  return name_atoms(reader, &species, error);
}

/* Masses matter only to programs that copy files: they are read only if they are unambiguous. */
static Status open_masses(TrajectoryReader *reader, hid_t at, Error *error)
{
  H5mdReader *own = reader->own;
  SCOPED(close_element) H5mdElement mass;
  char unit[1][H5MD_TEXT];
  TRY(h5md_element(reader, at, "mass", 1, &mass, error));
  if (mass.value < 0 || mass.size[0] != (hsize_t)own->natoms ||
      (own->rows < 0 && !(h5md_element_texts(mass.value, "unit", 1, unit) &&
                          h5md_unit(unit[0], h5md_unit_mass, &mass.factor))))
    return STATUS_OK;
  own->labels.has_masses = true;
  TRY(h5md_element_read_row(own, &mass, 0, H5T_NATIVE_DOUBLE, "mass", own->labels.masses, error));
  for (int i = 0; i < own->natoms; i++)
    own->labels.masses[i] *= mass.factor;
  return STATUS_OK;
}

/* Whole numbers of atoms; *there: the file has them. */
static Status open_numbers(TrajectoryReader *reader, hid_t at, const char *name, int *number, bool *there,
                           Error *error)
{
  const H5mdReader *own = reader->own;
  SCOPED(close_element) H5mdElement e;
  TRY(h5md_element(reader, at, name, 1, &e, error));
  *there = e.value >= 0;
  if (!*there)
    return STATUS_OK;
  if (e.timed || e.size[0] != (hsize_t)own->natoms)
    return h5md_element_wrong(reader, name, "does not have one number for each atom", error);
  return h5md_element_read_row(own, &e, 0, H5T_NATIVE_INT, name, number, error);
}

/* Labels in our files: names of molecules of a file, indices of a part of a system. */
static Status open_labels(TrajectoryReader *reader, hid_t at, Error *error)
{
  H5mdReader *own = reader->own;
  Frame *to = &own->labels;
  if (own->rows < 0)
    return STATUS_OK;
  TRY(open_numbers(reader, at, "id", to->indices, &to->has_indices, error));
  TRY(open_numbers(reader, at, "resid", to->numbers, &to->has_names, error));
  return !to->has_names || (h5md_element_names(at, "name", own->natoms, to->names) &&
                            h5md_element_names(at, "resname", own->natoms, to->residues))
             ? STATUS_OK
             : h5md_element_wrong(reader, "name or resname", "cannot be read", error);
}

/* --- groups -------------------------------------------------------------------------------------------- */

/* Ignores an element that was not sampled with the positions. */
static void drop_unmatched(TrajectoryReader *reader, const H5mdSet *set, H5mdElement *e, const char *name)
{
  if (e->value < 0 || (e->rows == set->position.rows && e->size[0] == set->position.size[0]))
    return;
  h5md_element_warn(reader, name, "has another number of frames or atoms than position, and is left out");
  close_element(e);
  e->value = -1;
}

static Status open_set(TrajectoryReader *reader, hid_t particles, const char *name, H5mdSet *set,
                       Error *error)
{
  H5mdReader *own = reader->own;
  H5MD_ID at = -1;
  if (h5md_element_object(particles, name, &at) != H5I_GROUP)
    return h5md_element_wrong(reader, name, "is not a group of particles", error);
  H5mdElement *x = &set->position;
  TRY(h5md_element_vectors(reader, at, "position", h5md_unit_length, x, error));
  if (x->value < 0 || x->size[0] > INT32_MAX / 3)
    return h5md_element_wrong(reader, name, x->value < 0 ? "has no positions" : "has too many atoms", error);
  TRY(h5md_element_vectors(reader, at, "velocity", h5md_unit_velocity, &set->velocity, error));
  TRY(h5md_element_vectors(reader, at, "force", h5md_unit_force, &set->force, error));
  if (x->timed) {
    TRY(h5md_element_clock(reader, at, "position/step", x->rows, NULL, &set->step, error));
    TRY(h5md_element_clock(reader, at, "position/time", x->rows, h5md_unit_time, &set->time, error));
  }
  TRY(open_box(reader, at, set, error));
  drop_unmatched(reader, set, &set->velocity, "velocity");
  drop_unmatched(reader, set, &set->force, "force");
  if (own->natoms == 0) {
    own->natoms = (int)x->size[0];
    reader->frames = x->rows;
    TRY(frame_resize(&own->labels, own->natoms, error));
    TRY(open_names(reader, at, error));
    TRY(open_labels(reader, at, error));
    return open_masses(reader, at, error);
  }
  if (own->natoms != (int)x->size[0])
    return h5md_element_wrong(reader, name, "has another number of atoms than the replica before", error);
  reader->frames = reader->frames < x->rows ? reader->frames : x->rows;
  return STATUS_OK;
}

static bool is_replica(const char *name)
{
  if (strncmp(name, "replica_", 8) != 0 || name[8] == '\0')
    return false;
  for (const char *c = name + 8; *c != '\0'; c++)
    if (!isdigit((unsigned char)*c))
      return false;
  return true;
}

static bool group_name(hid_t particles, hsize_t i, char name[64])
{
  const ssize_t length =
      H5Lget_name_by_idx(particles, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, 64, H5P_DEFAULT);
  return length > 0 && length < 64;
}

/* Allocates the sets, all closed. */
static Status make_sets(H5mdReader *own, int nset, Error *error)
{
  own->set = malloc((size_t)nset * sizeof *own->set);
  TRY_MEMORY(own->set != NULL, "a reader of H5MD", error);
  const H5mdElement none = {.value = -1};
  for (int i = 0; i < nset; i++)
    own->set[i] = (H5mdSet){none, none, none, none, false, {.id = -1}, {.id = -1}};
  own->nset = nset;
  return STATUS_OK;
}

static Status open_groups(TrajectoryReader *reader, hid_t particles, Error *error)
{
  H5G_info_t info;
  char name[64] = "";
  if (H5Gget_info(particles, &info) < 0 || info.nlinks == 0)
    return h5md_element_wrong(reader, "particles", "has no group", error);
  bool replicas = info.nlinks > 1 && info.nlinks < REPLICAS_MOST;
  for (hsize_t i = 0; i < info.nlinks && replicas; i++)
    replicas = group_name(particles, i, name) && is_replica(name);
  H5mdReader *own = reader->own;
  TRY(make_sets(own, replicas ? (int)info.nlinks : 1, error));
  own->replicas = replicas;
  if (info.nlinks > 1 && !replicas && group_name(particles, 0, name)) {
    char words[160];
    snprintf(words, sizeof words, "are in %llu groups, of which '%s' is read",
             (unsigned long long)info.nlinks, name);
    h5md_element_warn(reader, "the particles", words);
  }
  for (int r = 0; r < own->nset; r++)
    TRY(group_name(particles, (hsize_t)r, name)
            ? open_set(reader, particles, name, &own->set[r], error)
            : h5md_element_wrong(reader, "particles", "cannot be read", error));
  reader->frames *= own->nset;
  return STATUS_OK;
}

/* --- frames -------------------------------------------------------------------------------------------- */

static Status read_vectors(const TrajectoryReader *reader, const H5mdElement *e, int64_t row,
                           const char *name, double (*x)[3], Error *error)
{
  const H5mdReader *own = reader->own;
  const Status status = h5md_element_read_row(own, e, row, H5T_NATIVE_DOUBLE, name, x, error);
  for (int i = 0; i < 3 * own->natoms && status == STATUS_OK; i++) {
    double *value = &x[i / 3][i % 3];
    *value *= e->factor;
    if (!isfinite(*value))
      return error_set(error, STATUS_INPUT, "%s, frame %lld: component %c of the %s of atom %d is %g",
                       reader->path, (long long)reader->frame, "xyz"[i % 3], name, i / 3 + 1, *value);
  }
  return status;
}

static Status read_clocks(const TrajectoryReader *reader, Frame *frame, Error *error)
{
  const H5mdReader *own = reader->own;
  const int64_t row = reader->frame / own->nset;
  const H5mdSet *set = &own->set[reader->frame % own->nset];
  double step = NAN;
  TRY(h5md_element_read_clock(own, &set->step, row, &step, error));
  TRY(h5md_element_read_clock(own, &set->time, row, &frame->time, error));
  frame->step = step >= 0.0 && step < 0x1p62 ? (int64_t)step : -1;
  return STATUS_OK;
}

static Status read_frame(const TrajectoryReader *reader, Frame *frame, Error *error)
{
  const H5mdReader *own = reader->own;
  const int64_t row = reader->frame / own->nset;
  const H5mdSet *set = &own->set[reader->frame % own->nset];
  TRY(read_vectors(reader, &set->position, row, "position", frame->positions, error));
  if (set->velocity.value >= 0)
    TRY(read_vectors(reader, &set->velocity, row, "velocity", frame->velocities, error));
  if (set->force.value >= 0)
    TRY(read_vectors(reader, &set->force, row, "force", frame->forces, error));
  TRY(read_box(reader, set, row, frame, error));
  frame->has_velocities = set->velocity.value >= 0;
  frame->has_forces = set->force.value >= 0;
  frame->replica = own->replicas ? (int)(reader->frame % own->nset) : -1;
  frame_copy_labels(&own->labels, frame);
  return STATUS_OK;
}

/* The number of whole rows in a file of ours; -1 for other files. */
static int64_t find_rows(hid_t file)
{
  int64_t rows;
  H5MD_ID at = -1;
  return h5md_element_object(file, "parameters", &at) == H5I_GROUP &&
                 h5md_element_number(at, H5MD_ROWS, H5T_NATIVE_INT64, &rows)
             ? rows
             : -1;
}

static Status open_content(TrajectoryReader *reader, Error *error)
{
  H5mdReader *own = reader->own;
  H5MD_ID head = -1, particles = -1;
  if (h5md_element_object(own->file.id, "h5md", &head) != H5I_GROUP)
    return error_set(error, STATUS_INPUT, "%s: is an HDF5 file but not H5MD: it has no readable group 'h5md'",
                     reader->path);
  own->rows = find_rows(own->file.id);
  if (h5md_element_object(own->file.id, "particles", &particles) != H5I_GROUP)
    return error_set(error, STATUS_INPUT, "%s: has no particles", reader->path);
  return open_groups(reader, particles, error);
}

static Status open_all(TrajectoryReader *reader, Error *error)
{
  H5mdReader *own = reader->own = calloc(1, sizeof *own);
  TRY_MEMORY(own != NULL, "a reader of H5MD", error);
  if (reader->packed) /* HDF5 opens files by name */
    return error_set(error, STATUS_INPUT, "%s: packed H5MD files cannot be read; unpack the file first",
                     reader->path);
  TRY(h5md_file_open(&own->file, reader->path, fileno(reader->file), H5MD_READ, error));
  return open_content(reader, error);
}

Status h5md_read_open(TrajectoryReader *reader, Error *error)
{
  H5MD_LOCK lock = {0};
  TRY(h5md_file_lock(&lock, 0, error));
  return open_all(reader, error);
}

Status h5md_read_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error)
{
  const H5mdReader *own = reader->own;
  *end = reader->frame == reader->frames;
  if (*end)
    return STATUS_OK;
  H5MD_LOCK lock = {0};
  TRY(frame_resize(frame, own->natoms, error));
  TRY(h5md_file_lock(&lock, 0, error));
  return read_clocks(reader, frame, error);
}

Status h5md_read_fill(TrajectoryReader *reader, Frame *frame, Error *error)
{
  H5MD_LOCK lock = {0};
  TRY(h5md_file_lock(&lock, (size_t)frame->natoms * sizeof *frame->positions, error));
  return read_frame(reader, frame, error);
}

void h5md_read_close(TrajectoryReader *reader)
{
  H5mdReader *own = reader->own;
  if (own == NULL)
    return;
  H5mdLock lock;
  (void)h5md_file_lock(&lock, 0, NULL);
  h5md_file_close(&own->file); /* with all objects in it */
  h5md_file_unlock(&lock);
  frame_free(&own->labels);
  free(own->set);
}
