/* Creates the groups, datasets and attributes of H5MD files. */
#include <stdio.h>

#include "io/h5md_private.h"

enum { STEPS_A_CHUNK = 1024, DEFLATE = 4 };

/* n values; n = 0: a scalar. */
bool h5md_object_attribute(hid_t at, const char *name, hid_t type, hsize_t n, const void *value)
{
  H5MD_ID space = n > 0 ? H5Screate_simple(1, &n, NULL) : H5Screate(H5S_SCALAR);
  H5MD_ID id = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  return id >= 0 && H5Awrite(id, type, value) >= 0;
}

/* All texts have the length of the longest. */
bool h5md_object_texts(hid_t at, const char *name, hsize_t n, const char *const *text)
{
  const hsize_t all = n > 0 ? n : 1;
  size_t size = 1;
  for (hsize_t i = 0; i < all; i++)
    size = strlen(text[i]) > size ? strlen(text[i]) : size;
  SCOPED(scoped_free) char *packed = calloc(all, size);
  H5MD_ID type = H5Tcopy(H5T_C_S1);
  for (hsize_t i = 0; i < all && packed != NULL; i++)
    memcpy(packed + i * size, text[i], strlen(text[i]));
  return packed != NULL && H5Tset_size(type, size) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
         H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && h5md_object_attribute(at, name, type, n, packed);
}

bool h5md_object_text(hid_t at, const char *name, const char *text)
{
  return h5md_object_texts(at, name, 0, &text);
}

bool h5md_object_unit(hid_t at, const char *unit)
{
  H5MD_ID type = H5Tcopy(H5T_C_S1);
  return H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
         h5md_object_attribute(at, "unit", type, 0, &unit);
}

hid_t h5md_object_group(hid_t at, const char *name)
{
  H5MD_ID list = H5Pcreate(H5P_GROUP_CREATE);
  return H5Pset_obj_track_times(list, false) >= 0 ? H5Gcreate2(at, name, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
}

bool h5md_object_array(hid_t at, const char *name, hid_t type, hid_t memory, hsize_t n, const void *value,
                       const char *unit)
{
  H5MD_ID space = H5Screate_simple(1, &n, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, false);
  H5MD_ID id = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  return id >= 0 && H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0 &&
         (unit == NULL || h5md_object_unit(id, unit));
}

bool h5md_object_names(hid_t at, const char *name, int n, const char (*text)[FRAME_NAME])
{
  H5MD_ID type = H5Tcopy(H5T_C_S1);
  return H5Tset_size(type, FRAME_NAME) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
         H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
         h5md_object_array(at, name, type, type, (hsize_t)n, text, NULL);
}

bool h5md_object_pairs(hid_t at, const char *name, int n, const int (*pair)[2], hid_t file, const char *group)
{
  const hsize_t size[2] = {(hsize_t)n, 2};
  hobj_ref_t reference;
  H5MD_ID space = H5Screate_simple(2, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, false);
  H5MD_ID id = H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  return id >= 0 && H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, pair) >= 0 &&
         H5Rcreate(&reference, file, group, H5R_OBJECT, -1) >= 0 &&
         h5md_object_attribute(id, "particles_group", H5T_STD_REF_OBJ, 0, &reference);
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Without a cache each chunk is written at once. */
static hid_t access_list(void)
{
  const hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(list, 0, 0, 1.0);
  return list;
}

/* Creates a dataset without rows. Only single frames of atoms are deflated. */
static hid_t make_rows(hid_t at, const char *name, const H5mdRows *of)
{
  hsize_t now[3] = {0}, most[3] = {H5S_UNLIMITED}, chunk[3] = {(hsize_t)of->chunk};
  for (int i = 1; i < of->rank; i++)
    now[i] = most[i] = chunk[i] = of->size[i - 1];
  H5MD_ID space = H5Screate_simple(of->rank, now, most), list = H5Pcreate(H5P_DATASET_CREATE),
          access = access_list();
  bool good = H5Pset_obj_track_times(list, false) >= 0 && H5Pset_chunk(list, of->rank, chunk) >= 0 &&
              H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0;
  if (good && of->rank == 3 && of->chunk == 1 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
    good = H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, DEFLATE) >= 0;
  return good ? H5Dcreate2(at, name, of->type, space, H5P_DEFAULT, list, access) : -1;
}

bool h5md_object_element(hid_t file, hid_t at, const char *name, const char *unit, const H5mdRows *of,
                         bool timed)
{
  const H5mdRows steps = {H5T_STD_I64LE, 1, {0}, STEPS_A_CHUNK},
                 times = {H5T_IEEE_F64LE, 1, {0}, STEPS_A_CHUNK};
  H5MD_ID group = h5md_object_group(at, name), value = make_rows(group, "value", of);
  if (value < 0 || !h5md_object_unit(value, unit))
    return false;
  if (H5Lexists(file, "steps", H5P_DEFAULT) > 0)
    return H5Lcreate_hard(file, "steps", group, "step", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
           (!timed || H5Lcreate_hard(file, "times", group, "time", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5MD_ID step = make_rows(group, "step", &steps), time = timed ? make_rows(group, "time", &times) : -1;
  return step >= 0 && H5Lcreate_hard(group, "step", file, "steps", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
         (!timed || (time >= 0 && h5md_object_unit(time, h5md_unit_time) &&
                     H5Lcreate_hard(group, "time", file, "times", H5P_DEFAULT, H5P_DEFAULT) >= 0));
}

hid_t h5md_object_open_rows(hid_t at, const char *element, const char *name)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", element, name);
  if (H5Lexists(at, element, H5P_DEFAULT) <= 0 || H5Lexists(at, path, H5P_DEFAULT) <= 0)
    return -1;
  H5MD_ID list = access_list();
  return H5Dopen2(at, path, list);
}

/* Entries of an index of chunks stay in place as the index grows. */
static hid_t transfer_list(void)
{
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_btree_ratios(list, 0.5, 0.5, 1.0);
  return list;
}

bool h5md_object_put_row(hid_t id, int64_t row, int rank, const hsize_t *size, hid_t type, const void *data)
{
  hsize_t all[3] = {(hsize_t)row + 1}, from[3] = {(hsize_t)row}, count[3] = {1};
  for (int i = 1; i < rank; i++)
    all[i] = count[i] = size[i - 1];
  if (H5Dset_extent(id, all) < 0)
    return false;
  H5MD_ID file = H5Dget_space(id), memory = H5Screate_simple(rank, count, NULL), list = transfer_list();
  return file >= 0 && H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
         H5Dwrite(id, type, memory, file, list, data) >= 0;
}

/* The lengths of a dataset of rows, and the number of rows in its chunks. */
static bool count_rows(hid_t id, hsize_t all[3], int64_t *room)
{
  hsize_t chunk[3], chunks;
  H5MD_ID space = H5Dget_space(id), list = H5Dget_create_plist(id);
  const int rank = H5Sget_simple_extent_ndims(space);
  const bool good = rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, all, NULL) == rank &&
                    H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, rank, chunk) == rank &&
                    H5Dget_num_chunks(id, space, &chunks) >= 0;
  *room = good ? (int64_t)(chunks * chunk[0]) : 0;
  return good;
}

bool h5md_object_has_rows(hid_t id, int64_t rows)
{
  hsize_t all[3];
  int64_t room;
  return count_rows(id, all, &room) && (int64_t)all[0] >= rows && room >= rows;
}

/* An interrupted flush may have left chunks behind the end in the index. They are removed as well, after
 * the dataset has been extended to include them. */
bool h5md_object_cut_rows(hid_t id, int64_t rows)
{
  hsize_t all[3];
  int64_t room;
  if (!count_rows(id, all, &room))
    return false;
  if ((int64_t)all[0] < room) {
    all[0] = (hsize_t)room;
    if (H5Dset_extent(id, all) < 0)
      return false;
  }
  all[0] = (hsize_t)rows;
  return H5Dset_extent(id, all) >= 0;
}
