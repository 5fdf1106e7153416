/* Whether two HDF5 files have equal contents, whatever their bytes: the same objects, the same attributes,
 * and in every dataset the same values. HDF5 is asked, not our reader. */
#ifndef HOLONOM_TESTS_H5_SAME_H
#define HOLONOM_TESTS_H5_SAME_H

#include "tests/suite.h"

#ifndef HOLONOM_HDF5
static inline void h5_same(const char *one, const char *other)
{
  (void)one;
  (void)other;
}
#else
#include <hdf5.h>

/* All values of a dataset or an attribute; texts of variable length are not followed. */
static inline void *h5_same_values(hid_t id, bool attribute, size_t *size, bool *texts)
{
  const hid_t space = attribute ? H5Aget_space(id) : H5Dget_space(id);
  const hid_t file = attribute ? H5Aget_type(id) : H5Dget_type(id),
              type = H5Tget_native_type(file, H5T_DIR_ASCEND);
  *size = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  *texts = H5Tis_variable_str(file) > 0;
  void *values = calloc(1, *size + 1);
  ck_assert_ptr_nonnull(values);
  if (*size > 0 && attribute)
    ck_assert_int_ge(H5Aread(id, type, values), 0);
  else if (*size > 0)
    ck_assert_int_ge(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  H5Tclose(type);
  H5Tclose(file);
  H5Sclose(space);
  return values;
}

static inline void h5_same_pair(hid_t a, hid_t b, bool attribute, const char *name)
{
  size_t n, m;
  bool texts;
  char *x = h5_same_values(a, attribute, &n, &texts), *y = h5_same_values(b, attribute, &m, &texts);
  ck_assert_msg(n == m, "%s: %zu bytes, not %zu", name, n, m);
  char *const *one = (char *const *)(void *)x, *const *other = (char *const *)(void *)y;
  ck_assert_msg(texts ? strcmp(*one, *other) == 0 : memcmp(x, y, n) == 0, "%s differs", name);
  if (texts) {
    free(*one);
    free(*other);
  }
  free(x);
  free(y);
}

/* An object of the first file. */
static inline herr_t h5_same_object(hid_t at, const char *name, const H5O_info_t *info, void *self)
{
  const hid_t a = H5Oopen(at, name, H5P_DEFAULT), b = H5Oopen(*(const hid_t *)self, name, H5P_DEFAULT);
  ck_assert_msg(a >= 0 && b >= 0 && H5Iget_type(a) == H5Iget_type(b), "%s: not in both", name);
  for (unsigned i = 0; i < info->num_attrs; i++) {
    char attribute[64];
    const hid_t x = H5Aopen_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    H5Aget_name(x, sizeof attribute, attribute);
    const hid_t y = H5Aopen(b, attribute, H5P_DEFAULT);
    ck_assert_msg(x >= 0 && y >= 0, "%s: %s is not in both", name, attribute);
    h5_same_pair(x, y, true, attribute);
    H5Aclose(x);
    H5Aclose(y);
  }
  if (info->type == H5O_TYPE_DATASET)
    h5_same_pair(a, b, false, name);
  H5Oclose(a);
  H5Oclose(b);
  return 0;
}

static inline herr_t h5_same_count(hid_t at, const char *name, const H5O_info_t *info, void *self)
{
  (void)at;
  (void)name;
  *(int *)self += 1 + (int)info->num_attrs;
  return 0;
}

static inline void h5_same(const char *one, const char *other)
{
  int n = 0, m = 0;
  hid_t a = H5Fopen(one, H5F_ACC_RDONLY, H5P_DEFAULT), b = H5Fopen(other, H5F_ACC_RDONLY, H5P_DEFAULT);
  ck_assert_msg(a >= 0 && b >= 0, "%s and %s cannot be opened", one, other);
  H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, h5_same_object, &b);
  H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, h5_same_count, &n);
  H5Ovisit(b, H5_INDEX_NAME, H5_ITER_INC, h5_same_count, &m);
  ck_assert_int_eq(n, m);
  ck_assert_int_gt(n, 20);
  H5Fclose(a);
  H5Fclose(b);
}

#endif
#endif
