/* holonom rdf TRAJECTORY: the oxygen-oxygen distribution of any trajectory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "engine/file.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "observables/picture.h"
#include "observables/rdf.h"

typedef struct Call {
  const char *file, *dir;
  double max;
  long bins, sites, skip, every;
  int replace;
} Call;

static int positive(const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  return end != text && *end == '\0' && *value > 0.0 && *value < 1e6;
}

static int read_call(int argc, char **argv, Call *call)
{
  for (int c; (c = command_option(&command_rdf, argc, argv)) != -1;) {
    int fine = 1;
    switch (c) {
    case 'o':
      call->dir = optarg;
      break;
    case 'm':
      fine = positive(optarg, &call->max);
      break;
    case 'b':
      fine = command_number(optarg, 1, 100000, &call->bins);
      break;
    case 's':
      fine = command_number(optarg, 1, 100, &call->sites);
      break;
    case 'k':
      fine = command_number(optarg, 0, 1L << 40, &call->skip);
      break;
    case 'e':
      fine = command_number(optarg, 1, 1L << 40, &call->every);
      break;
    case 'f':
      call->replace = 1;
      break;
    default:
      return 2;
    }
    if (!fine)
      return command_misused(&command_rdf, "'%s' is not a number that fits this option", optarg);
  }
  if (argc - optind != 1)
    return command_misused(&command_rdf, argc == optind ? "which trajectory?" : "one trajectory at a time");
  call->file = argv[optind];
  return 0;
}

/* Oxygens of one frame, added as one sample. */
static void add_frame(Rdf *rdf, const Frame *frame, const int *index, int n, double (*x)[3])
{
  for (int i = 0; i < n; i++)
    memcpy(x[i], frame->positions[index[i]], sizeof x[i]);
  rdf_add_positions(rdf, 0, (const double(*)[3])x, n);
}

static Status read_all(const Call *call, TrajectoryReader *reader, Rdf **rdf, Error *error)
{
  Frame frame = {0};
  int *index = NULL, n = 0;
  double(*x)[3] = NULL;
  bool end = false;
  Status status = STATUS_OK;
  for (long k = 0; status == STATUS_OK; k++) {
    status = trajectory_read(reader, &frame, &end, error);
    if (status != STATUS_OK || end)
      break;
    if (k == 0) {
      status = structure_oxygens(&frame, frame.has_symbols ? 0 : (int)call->sites, &index, &n, error);
      if (status == STATUS_OK)
        status = rdf_create(rdf, 1, n, call->max, (int)call->bins, error);
      x = malloc((size_t)n * sizeof *x);
      if (status == STATUS_OK && x == NULL)
        status = error_memory(error, "positions");
    }
    if (status == STATUS_OK && k >= call->skip && (k - call->skip) % call->every == 0)
      add_frame(*rdf, &frame, index, n, x);
  }
  if (status == STATUS_OK && *trajectory_warning(reader) != '\0')
    fprintf(stderr, "holonom rdf: warning: %s\n", trajectory_warning(reader));
  if (status == STATUS_OK && frame.has_cell)
    fprintf(stderr, "holonom rdf: warning: %s has a box; distances are taken without periodic images\n",
            call->file);
  free(x);
  free(index);
  frame_free(&frame);
  return status;
}

static Status write_all(const Call *call, const Rdf *rdf, Error *error)
{
  Status status = file_make_folder(call->dir, error);
  if (status == STATUS_OK && !call->replace && file_exists(call->dir, "rdf.csv"))
    return error_set(error, STATUS_INPUT, "%s/rdf.csv exists; give another folder with -o, or say --force",
                     call->dir);
  const size_t size = strlen(call->dir) + 16;
  char *path = malloc(size);
  if (path == NULL)
    return error_memory(error, "a file name");
  snprintf(path, size, "%s/rdf.csv", call->dir);
  if (status == STATUS_OK)
    status = rdf_write_csv(rdf, path, error);
  if (status == STATUS_OK) {
    PictureCurve curve = {.label = call->file, .rdf = rdf};
    Error why;
    status = picture_rdf(call->dir, "rdf", "", 1, &curve, &why);
    if (status == STATUS_RUN)
      fprintf(stderr, "holonom rdf: no picture: %s\n", why.text);
    status = picture_outcome(status, &why, error);
    printf("%s\n", path);
  }
  free(path);
  return status;
}

static int run(int argc, char **argv)
{
  Call call = {.dir = ".", .max = 12.0, .bins = 600, .sites = 3, .every = 1};
  const int wrong = read_call(argc, argv, &call);
  if (wrong != 0)
    return wrong;
  Error error = {0};
  TrajectoryReader *reader = NULL;
  Rdf *rdf = NULL;
  Status status = trajectory_open(&reader, call.file, &error);
  if (status == STATUS_OK)
    status = read_all(&call, reader, &rdf, &error);
  trajectory_close(reader);
  if (status == STATUS_OK && rdf == NULL)
    status = error_set(&error, STATUS_INPUT, "%s holds no frame", call.file);
  if (status == STATUS_OK)
    status = write_all(&call, rdf, &error);
  rdf_free(rdf);
  return command_end(&command_rdf, status, &error);
}

static const CommandOption options[] = {
    {.name = "out", .value = 'o', .argument = "DIR", .help = "Where to write; default: here.", .brief = true},
    {.name = "max", .value = 'm', .argument = "R", .help = "Largest distance, A; default 12."},
    {.name = "bins", .value = 'b', .argument = "N", .help = "Default 600: of 0.02 A each, to 12 A."},
    {.name = "skip", .value = 'k', .argument = "N", .help = "Leaves out the first N frames."},
    {.name = "every", .value = 'e', .argument = "N", .help = "Takes every Nth frame."},
    {.name = "sites",
     .value = 's',
     .argument = "N",
     .help = "For files without names (DCD): every Nth atom is an oxygen, from the first on; default 3."},
    {.name = "force", .value = 'f', .help = "Writes over an earlier rdf.csv."},
    {.name = NULL}};

const Command command_rdf = {
    .name = "rdf",
    .summary = "oxygen-oxygen distances of a cluster's trajectory",
    .operands = "TRAJECTORY",
    .doc = "Radial distribution of the oxygens of an XYZ, DCD, GRO or PDB trajectory, of this program or any "
           "other: "
           "rdf.csv with standard errors by blocks of frames, and its picture.",
    .option = options,
    .run = run,
};
