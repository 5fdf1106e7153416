/* The group `observables` of our H5MD files: numbers of the system in each frame (Frame.observable).
 *
 *   /observables/NAME/value       [frame], of several replicas [frame][replica]: float64, with its unit
 *   /observables/NAME/step, time  links to those of the positions
 *
 * Each frame has one value at one level, because MDAnalysis reads number `frame` of each into its time
 * step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5md_private.h"

enum { NUMBERS_A_CHUNK = 256 };

static const char group_name[] = "observables";

/* Converts a unit to H5MD's form, "kcal/mol" to "kcal mol-1": each factor after a slash gets the power -1. */
static void unit_of(const char *unit, char words[2 * sizeof((FrameObservable){0}.unit)])
{
  bool below = false;
  char *to = words;
  for (const char *c = unit;; c++) {
    const bool ends = *c == '\0' || *c == ' ' || *c == '/';
    if (ends && below)
      to = stpcpy(to, "-1");
    if (*c == '\0')
      break;
    below = *c == '/' || (below && !ends);
    *to++ = *c == '/' ? ' ' : *c;
  }
  *to = '\0';
}

bool h5md_observables_create(hid_t file, int nset, const Frame *frame, bool timed)
{
  if (frame->nobservable == 0)
    return true;
  const H5mdRows rows = {.type = H5T_IEEE_F64LE,
                         .rank = nset > 1 ? 2 : 1,
                         .size = {(hsize_t)nset},
                         .chunk = nset < NUMBERS_A_CHUNK ? NUMBERS_A_CHUNK / nset : 1};
  H5MD_ID group = h5md_object_group(file, group_name);
  bool good = group >= 0;
  for (int i = 0; i < frame->nobservable && good; i++) {
    char unit[2 * sizeof frame->observable->unit];
    unit_of(frame->observable[i].unit, unit);
    good = h5md_object_element(file, group, frame->observable[i].name, unit, &rows, timed);
  }
  return good;
}

/* Opens the observables of the group, in the order of their names. */
static bool open_all(H5mdObservables *of, hid_t group)
{
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0 || info.nlinks > FRAME_OBSERVABLES)
    return false;
  for (; of->n < (int)info.nlinks; of->n++) {
    char *const name = of->name[of->n];
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)of->n, name,
                                              sizeof *of->name, H5P_DEFAULT);
    const hid_t id =
        length > 0 && length < (ssize_t)sizeof *of->name ? h5md_object_open_rows(group, name, "value") : -1;
    if (id < 0)
      return false;
    of->value[of->n] = id;
  }
  return true;
}

Status h5md_observables_open(H5mdObservables *of, const H5mdFile *file, int nset, Error *error)
{
  *of = (H5mdObservables){.nset = nset};
  if (H5Lexists(file->id, group_name, H5P_DEFAULT) == 0)
    return STATUS_OK;
  H5MD_ID group = H5Gopen2(file->id, group_name, H5P_DEFAULT);
  if (group < 0 || !open_all(of, group))
    return h5md_file_fail(file, STATUS_IO, error, "its observables were not written by Holonom");
  of->row = malloc(((size_t)of->n * (size_t)nset + 1) * sizeof *of->row);
  return of->row != NULL ? STATUS_OK : error_memory(error, "the observables of a trajectory");
}

void h5md_observables_free(H5mdObservables *of) { free(of->row); }

bool h5md_observables_fit(const H5mdObservables *of, const Frame *frame)
{
  bool good = of->n == 0 || frame->nobservable == of->n;
  for (int i = 0; i < of->n && good; i++)
    good = strcmp(frame->observable[i].name, of->name[i]) == 0;
  return good;
}

/* A row exists from its first replica on and is whole after the last. */
bool h5md_observables_put(H5mdObservables *of, int64_t row, int replica, const Frame *frame)
{
  const hsize_t size = (hsize_t)of->nset;
  bool good = true;
  for (int i = 0; i < of->n && good; i++) {
    double *const value = of->row + (ptrdiff_t)i * of->nset;
    for (int r = replica; r < of->nset; r++)
      value[r] = r == replica ? frame->observable[i].value : NAN;
    if (replica == 0 || replica == of->nset - 1)
      good = h5md_object_put_row(of->value[i], row, of->nset > 1 ? 2 : 1, &size, H5T_NATIVE_DOUBLE, value);
  }
  return good;
}
