/* holonom rdf TRAJECTORY: computes the oxygen-oxygen distribution of a trajectory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "cmd/command.h"
#include "cmd/trial.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "observables/observable.h"
#include "observables/picture.h"
#include "observables/rdf.h"

SCOPED_POINTER(TrajectoryReader, trajectory_close)
SCOPED_POINTER(Observable, observable_free)

typedef struct Call {
  const char *file, *dir;
  ObservableOptions options; /* of rdf */
  int sites;
  int64_t skip, every;
  bool force;
} Call;

/* Adds the oxygens of one frame as one sample. */
static Status add_frame(Observable *rdf, const Frame *frame, const int *index, int n, double (*x)[3],
                        Error *error)
{
  for (int i = 0; i < n; i++)
    memcpy(x[i], frame->positions[index[i]], sizeof x[i]);
  return rdf_add_positions(rdf, 0, (const double(*)[3])x, error);
}

static Status read_all(const Call *call, TrajectoryReader *reader, Observable **rdf, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  SCOPED(scoped_free) int *index = NULL;
  SCOPED(scoped_free) double(*x)[3] = NULL;
  int n = 0;
  int64_t added = 0;
  for (int64_t k = 0;; k++) {
    bool end;
    TRY(trajectory_next(reader, &frame, &end, error));
    if (end)
      break;
    const bool wanted = k >= call->skip && (k - call->skip) % call->every == 0;
    if (wanted || k == 0)
      TRY(trajectory_fill(reader, &frame, error));
    if (k == 0) {
      TRY(structure_oxygens(&frame, frame.has_symbols ? 0 : call->sites, &index, &n, error));
      TRY(rdf_create_open(rdf, &call->options, n, 3, error));
      x = malloc((size_t)n * sizeof *x);
      TRY_MEMORY(x != NULL, "positions", error);
    }
    if (wanted) {
      TRY(add_frame(*rdf, &frame, index, n, x, error));
      added++;
    }
  }
  if (added == 0)
    return error_set(error, STATUS_INPUT, "%s contains no frame%s", call->file,
                     *rdf != NULL ? " after those that --skip omits" : "");
  if (*trajectory_warning(reader) != '\0')
    printable_print(stderr, "holonom rdf: warning: %s\n", trajectory_warning(reader));
  if (frame.has_cell)
    printable_print(stderr, "holonom rdf: warning: %s has a box; distances ignore periodic images\n",
                    call->file);
  return STATUS_OK;
}

static const char *const files[] = {"rdf.csv", NULL}, *const pictures[] = {"rdf", NULL};
static const ManifestNames names = {.file = files, .stem = pictures, .suffix = picture_suffixes};

static Status write_all(const Call *call, Observable *rdf, Error *error)
{
  SCOPED(results_free) ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  TRY(file_make_folder(call->dir, error));
  TRY(manifest_clear(call->dir, &names, error)); /* removes files of an earlier call */
  const Status status = observable_write(rdf, call->dir, &set, error);
  printable_lines(stderr, "holonom ", set.remark);
  if (status == STATUS_OK)
    printable_print(stdout, "%s/rdf.csv\n", call->dir);
  return status;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n;
  Call *call = self;
  call->file = call->options.title = operand[0];
  SCOPED(trajectory_close_at) TrajectoryReader *reader = NULL;
  SCOPED(observable_free_at) Observable *rdf = NULL;
  TRY(command_folder(call->dir, &names, call->force, error));
  TRY(trial_of(call->file, error));
  TRY(trajectory_open(&reader, call->file, error));
  TRY(read_all(call, reader, &rdf, error));
  return write_all(call, rdf, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for the results; default: rdf.out.", COMMAND_TO(dir)},
    {"max", 0, "R", "Largest distance in angstrom; default 12.", COMMAND_TO(options.rdf.max), .unit = "A"},
    {"bins", 0, "N", "Number of bins; default 600.", COMMAND_TO(options.rdf.bins), 1, 100000},
    {"skip", 0, "N", "Skips the first N frames.", COMMAND_TO(skip), 0, 1e12},
    {"every", 0, "N", "Uses every Nth frame.", COMMAND_TO(every), 1, 1e12},
    {"sites", 0, "N",
     "For files without names (DCD, XTC): every Nth atom, from the first on, is an oxygen; default 3.",
     COMMAND_TO(sites), 1, 100},
    {"force", 0, NULL, "Overwrites an earlier rdf.csv.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.dir = "rdf.out", .sites = 3, .every = 1};

const Command command_rdf = {
    .name = "rdf",
    .summary = "computes the oxygen-oxygen distribution of a cluster's trajectory",
    .operands = "TRAJECTORY",
    .subject = "trajectory",
    .least = 1,
    .most = 1,
    .doc = "Computes the radial distribution of the oxygens in an XYZ, DCD, XTC, H5MD, GRO or PDB trajectory "
           "of any program. Writes rdf.csv, with standard errors from blocks of frames, and its picture.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
