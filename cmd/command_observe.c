/* holonom observe NAME[,NAME] TRAJECTORY...: observables of periodic liquids from any trajectory. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/samples.h"
#include "engine/file.h"
#include "engine/units.h"
#include "observables/observable_set.h"
#include "observables/viscosity.h"

enum { NAMES = 16 };

static const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3); /* in AKMA time */

typedef struct Call {
  char list[256]; /* the observables' names, cut at the commas */
  int nname;
  ObservableRequest request[NAMES];
  SamplesOptions samples;
  ObservableOptions options;
  char source[160];
  const char *dir;
  int replace;
} Call;

/* --- the call --------------------------------------------------------------------------------------------
 */

static int time_ps(const char *text, double *akma)
{
  const int fine = command_positive(text, akma);
  *akma *= ps;
  return fine;
}

static int box(const char *text, double length[3])
{
  if (!command_positive(text, &length[0]))
    return command_lengths(text, length);
  length[1] = length[2] = length[0];
  return 1;
}

/* "2,20": a fit window. */
static int window(const char *text, ObservableOptions *o)
{
  char rest;
  double from, to;
  if (sscanf(text, "%lf,%lf%c", &from, &to, &rest) != 2 || !(from > 0.0 && to > from && isfinite(to)))
    return 0;
  o->msd_from = from * ps;
  o->msd_to = to * ps;
  return 1;
}

/* 0, or 2 after a message. */
static int read_option(int c, const char *text, Call *call)
{
  ObservableOptions *o = &call->options;
  SamplesOptions *s = &call->samples;
  long whole = 0;
  int fine = 1;
  switch (c) {
  case 'm':
    return command_model(&command_observe, text, &s->model);
  case 'n':
    s->names = text;
    break;
  case 'o':
    call->dir = text;
    break;
  case 'F':
    call->replace = 1;
    break;
  case 'b':
    fine = box(text, s->box);
    break;
  case 'f':
    fine = strcmp(text, "0") == 0 || command_positive(text, &s->from);
    break;
  case 't':
    fine = command_positive(text, &s->to);
    break;
  case 'i':
    fine = command_positive(text, &s->interval);
    break;
  case 'e':
    fine = command_number(text, 1, 1L << 40, &whole);
    s->every = whole;
    break;
  case 'T':
    fine = command_positive(text, &o->temperature);
    break;
  case 'v':
    fine = command_positive(text, &o->viscosity);
    break;
  case 'r':
    fine = command_positive(text, &o->gofr_longest);
    break;
  case 'w':
    fine = command_positive(text, &o->gofr_width);
    break;
  case 'l':
    fine = time_ps(text, &o->msd_longest);
    break;
  case 'p':
    fine = window(text, o);
    break;
  case 'k':
    o->msd_drift = 1;
    break;
  case 'c':
    fine = time_ps(text, &o->vacf_longest);
    break;
  case 'j':
    fine = command_number(text, 1, 1024, &whole);
    o->threads = (int)whole;
    break;
  default:
    return 2;
  }
  return fine ? 0 : command_misused(&command_observe, "'%s' is not a value that fits this option", text);
}

static int read_names(const char *text, Call *call)
{
  if (strlen(text) >= sizeof call->list)
    return command_misused(&command_observe, "'%.40s...': too many names", text);
  strcpy(call->list, text);
  char *save = NULL;
  for (char *name = strtok_r(call->list, ",", &save); name != NULL; name = strtok_r(NULL, ",", &save)) {
    const ObservableOps *ops;
    Error error;
    if (call->nname == NAMES)
      return command_misused(&command_observe, "more than %d observables", NAMES);
    if (observable_find(name, &ops, &error) != STATUS_OK)
      return command_misused(&command_observe, "%s", error.text);
    call->request[call->nname++] = (ObservableRequest){name, 1};
  }
  return call->nname > 0 ? 0 : command_misused(&command_observe, "which observable?");
}

static int read_call(int argc, char **argv, Call *call)
{
  for (int c; (c = command_option(&command_observe, argc, argv)) != -1;) {
    const int wrong = read_option(c, optarg, call);
    if (wrong != 0)
      return wrong;
  }
  if (argc - optind < 2)
    return command_misused(&command_observe, argc == optind ? "which observable?" : "which trajectory?");
  call->samples.file = argv + optind + 1;
  call->samples.nfile = argc - optind - 1;
  if (call->samples.to > 0.0 && call->samples.to <= call->samples.from)
    return command_misused(&command_observe, "--to %g is not after --from %g", call->samples.to,
                           call->samples.from);
  return read_names(argv[optind], call);
}

/* --- work ------------------------------------------------------------------------------------------------
 */

/* What can be said before anything is made. */
static Status check_interval(const Call *call, const Samples *samples, Error *error)
{
  for (int k = 0; k < call->nname; k++) {
    const char *name = call->request[k].name;
    if ((strcmp(name, "msd") == 0 || strcmp(name, "vacf") == 0) && !(samples_interval(samples) > 0.0))
      return error_set(error, STATUS_INPUT,
                       "%s has one frame only, or says no times, which %s needs; give --interval",
                       call->samples.file[0], name);
  }
  return STATUS_OK;
}

static Status check_velocities(const Call *call, const ObservableSet *set, const Samples *samples,
                               Error *error)
{
  if (!observable_set_velocities(set) || samples_velocities(samples))
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "%s has no velocities, which vacf needs: extended XYZ with velo columns and velo_unit=A/ps, or "
      "GRO, may have them; DCD and PDB never do",
      call->samples.file[0]);
}

static Status add_by_all(ObservableSet *set, int threads, int64_t step, const ObservableFrame *frame,
                         Error *error)
{
  Status status = STATUS_OK;
  TeamBarrier barrier = {0};
#pragma omp parallel num_threads(threads)
  {
    const Team team = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
    Error own;
    const Status mine = observable_set_add_frame(set, &team, step, frame, team.rank == 0 ? error : &own);
    if (team.rank == 0)
      status = mine;
  }
  return status;
}

static Status add_all(const Call *call, ObservableSet *set, Samples *samples, Error *error)
{
  Status status = STATUS_OK;
  for (int64_t k = 0; status == STATUS_OK; k++) {
    const ObservableFrame *frame;
    status = samples_next(samples, &frame, error);
    if (status != STATUS_OK || frame == NULL)
      break;
    for (int b = 0; b < frame->nblock && observable_set_velocities(set) && status == STATUS_OK; b++)
      if (frame->block[b].v == NULL)
        status =
            error_set(error, STATUS_INPUT, "sample %lld has no velocities, the first has", (long long)k + 1);
    if (status == STATUS_OK)
      status = add_by_all(set, call->options.threads, k, frame, error);
  }
  return status;
}

static void print_report(const ObservableReport *report)
{
  for (int i = 0; i < report->n; i++) {
    char words[512];
    observable_number_words(&report->number[i], words, sizeof words);
    puts(words);
  }
  if (report->remark[0] != '\0')
    fprintf(stderr, "holonom observe: %s\n", report->remark);
}

static Status write_all(const Call *call, ObservableSet *set, Error *error)
{
  ObservableReport report = {0};
  const Status status = observable_set_write(set, call->dir, &report, error);
  if (status == STATUS_OK)
    print_report(&report);
  observable_report_free(&report);
  return status;
}

static Status make_folder(const Call *call, Error *error)
{
  const Status status = file_make_folder(call->dir, error);
  if (status == STATUS_OK && !call->replace && file_exists(call->dir, "observables.json"))
    return error_set(error, STATUS_INPUT,
                     "%s/observables.json exists; give another folder with --out, or say --force", call->dir);
  return status;
}

static int run(int argc, char **argv)
{
  Call call = {.dir = "."};
  const int wrong = read_call(argc, argv, &call);
  if (wrong != 0)
    return wrong;
  if (call.options.threads == 0)
    call.options.threads = omp_get_max_threads();
  viscosity_choose(&call.options, call.samples.model != NULL ? call.samples.model->name : NULL, call.source,
                   sizeof call.source);
  Error error = {0};
  Samples *samples = NULL;
  ObservableSet *set = NULL;
  Status status = make_folder(&call, &error);
  if (status == STATUS_OK)
    status = samples_open(&samples, &call.samples, &error);
  if (status == STATUS_OK)
    status = check_interval(&call, samples, &error);
  if (status == STATUS_OK)
    status = observable_set_create(&set, call.nname, call.request, &call.options, samples_interval(samples),
                                   samples_shape(samples), &error);
  if (status == STATUS_OK)
    status = check_velocities(&call, set, samples, &error);
  if (status == STATUS_OK)
    status = add_all(&call, set, samples, &error);
  if (status == STATUS_OK && *samples_warning(samples) != '\0')
    fprintf(stderr, "holonom observe: warning: %s\n", samples_warning(samples));
  if (status == STATUS_OK)
    status = write_all(&call, set, &error);
  observable_set_free(set);
  samples_close(samples);
  return command_end(&command_observe, status, &error);
}

static void print_names(FILE *file)
{
  for (int i = 0; observable_table[i] != NULL; i++)
    fprintf(file, "%s\n", observable_table[i]->name);
}

static const CommandOption options[] = {
    {.name = "model",
     .value = 'm',
     .argument = "NAME",
     .help = "Water model (see 'holonom list models'): masses and charges; not needed without water.",
     .choices = command_models},
    {.name = "names",
     .value = 'n',
     .argument = "FILE",
     .help = "Structure file that names the atoms of a DCD; without it they are waters O H H."},
    {.name = "box",
     .value = 'b',
     .argument = "A[,B,C]",
     .help = "Edges of the box in angstrom, in place of the files'."},
    {.name = "from", .value = 'f', .argument = "PS", .help = "First time to use."},
    {.name = "to", .value = 't', .argument = "PS", .help = "Last time to use."},
    {.name = "every", .value = 'e', .argument = "N", .help = "Every Nth frame of those."},
    {.name = "interval",
     .value = 'i',
     .argument = "PS",
     .help = "Time between frames, in place of the files' times."},
    {.name = "temperature",
     .value = 'T',
     .argument = "K",
     .help = "For dipole, and for the correction of msd and vacf for the box."},
    {.name = "viscosity",
     .value = 'v',
     .argument = "MPAS",
     .help = "In mPa s, for that correction; default: as published for tip3p, spce, tip4p at 298 K."},
    {.name = "range",
     .value = 'r',
     .argument = "R",
     .help = "Of gofr: longest distance; default 12 A or half the box."},
    {.name = "width", .value = 'w', .argument = "R", .help = "Of gofr: width of the bins; default 0.02 A."},
    {.name = "longest", .value = 'l', .argument = "PS", .help = "Of msd: longest time; default 200 ps."},
    {.name = "fit", .value = 'p', .argument = "A,B", .help = "Of msd: window of the fit; default 2,20 ps."},
    {.name = "correlation", .value = 'c', .argument = "PS", .help = "Of vacf: longest time; default 2 ps."},
    {.name = "keep-drift",
     .value = 'k',
     .help = "Leaves the motion of the centre of all molecules in msd and vacf."},
    {.name = "threads", .value = 'j', .argument = "N", .help = "Default: all."},
    {.name = "out", .value = 'o', .argument = "DIR", .help = "Where to write; default: here.", .brief = true},
    {.name = "force", .value = 'F', .help = "Writes over what is there."},
    {.name = NULL}};

const Command command_observe = {
    .name = "observe",
    .summary = "radial distributions, diffusion, dielectric constant from any trajectory",
    .operands = "NAME[,NAME...] TRAJECTORY...",
    .doc =
        "Observables of a periodic liquid from XYZ, DCD, GRO or PDB trajectories, several of one run in "
        "order:\n"
        "  gofr    radial distributions of all pairs of sites, coordination numbers\n"
        "  msd     mean-square displacement and self-diffusion, with its correction for the size of the box\n"
        "  vacf    velocity autocorrelation, its spectrum, self-diffusion by Green-Kubo; needs velocities\n"
        "  dipole  dielectric constant, Kirkwood factor, mean dipole; needs --temperature\n"
        "NAME.csv with standard errors, pictures, and observables.json with the numbers that are printed.",
    .option = options,
    .choices = print_names,
    .run = run,
};
