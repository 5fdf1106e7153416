/* holonom build: a periodic box of water and single atoms, or of molecules of files, minimised and
 * equilibrated.
 *
 * The box is minimised in double precision, then equilibrated by constrained Langevin steps of 2 fs.
 * Momenta are drawn anew at the end, because BAOAB's at the end of a step are 0.6 % too cold. The noise
 * differs from that of a later run with the same seed.
 *
 * With --pressure, the box follows a barostat, then takes the mean volume of the second half and
 * equilibrates at constant volume (barostat.until: equilibration). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "cmd/build_call.h"
#include "cmd/listen.h"
#include "engine/cores.h"
#include "engine/units.h"
#include "io/structure.h"
#include "simulation/molecules/starts.h"
#include "simulation/molecules/system.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/system_frames.h"
#include "simulation/molecules/system_words.h"

static const double violent = 1e4;                       /* kcal/mol/A: larger forces cannot be integrated */
static const double at_volume = 2.0, at_pressure = 20.0; /* ps of equilibration, defaults */
static const double boiled = 2.0;                        /* times the initial volume: not a liquid */
enum { TEXT = 256 };

typedef BuildCall Call;

/* The results that are printed. */
typedef struct Report {
  double minimum, force; /* after minimisation: energy, kcal/mol per molecule; largest force, kcal/mol/A */
  int minimise_steps;
  int64_t steps;   /* of equilibration at constant volume */
  int64_t pressed; /* of equilibration at constant pressure, before them */
  /* Means over the second half at constant volume: potential energy, kcal/mol per molecule; K; molecular
   * pressure, bar. */
  double energy, kelvin, pressure;
  double density[2],
      error; /* g/cm3, third and last quarter at constant pressure; error of their difference */
} Report;

/* --- arguments ------- */

static Status unknown_species(const char *name, const char *water)
{
  char known[TEXT] = "";
  for (const AtomModel *s = atom_model_list; s->name != NULL; s++)
    if (atom_model_find(s->name, water) == s)
      text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", s->name);
  return command_misused(&command_build, "--atoms: unknown species '%s'%s%s; known: %s", name,
                         water != NULL ? " for " : "", water != NULL ? water : "", known);
}

/* Parses NAME=NUMBER,... after the model, because parameters of ions depend on it. */
static Status read_atoms(Call *call)
{
  const char *water = call->model != NULL ? call->model->name : NULL;
  char text[TEXT];
  if (strlen(call->atoms) >= sizeof text)
    return command_misused(&command_build, "--atoms %s: the list is too long", call->atoms);
  strcpy(text, call->atoms);
  char *rest = text;
  int n = 0;
  for (char *word; (word = strsep(&rest, ",")) != NULL; n++) {
    char *equals = strrchr(word, '=');
    int64_t number;
    if (equals == NULL || !command_number(equals + 1, 1, STATE_MOLECULES, &number))
      return command_misused(&command_build, "--atoms %s: not a list NAME=NUMBER,... such as Na+=8,Cl-=8",
                             call->atoms);
    *equals = '\0';
    if (n == BUILD_SPECIES)
      return command_misused(&command_build, "--atoms: more than %d species", BUILD_SPECIES);
    call->species[n] = atom_model_find(word, water);
    if (call->species[n] == NULL)
      return unknown_species(word, water);
    for (int i = 0; i < n; i++)
      if (call->species[i] == call->species[n])
        return command_misused(&command_build, "--atoms: %s is listed twice", word);
    call->count[n] = (int)number;
  }
  call->nspecies = n;
  return STATUS_OK;
}

static const char *shape_name(int i)
{
  static const char *const name[] = {
      [BOX_CUBIC] = "cubic", [BOX_OCTAHEDRON] = "octahedron", [BOX_DODECAHEDRON] = "dodecahedron"};
  return i < (int)(sizeof name / sizeof *name) ? name[i] : NULL;
}

static Status read_shape(Call *call)
{
  int shape = 0;
  while (shape_name(shape) != NULL && strcmp(shape_name(shape), call->shape_name) != 0)
    shape++;
  if (shape_name(shape) == NULL)
    return command_unknown(&command_build, "shape", call->shape_name, shape_name);
  call->shape = (BoxShape)shape;
  if (call->shape != BOX_CUBIC && (call->size[0] != call->size[1] || call->size[0] != call->size[2]))
    return command_misused(&command_build, "--shape %s takes one --size, the distance of periodic images",
                           call->shape_name);
  return STATUS_OK;
}

static Status read_pressure(Call *call)
{
  LOCALE_PLAIN;
  char *end;
  double factor = 1.0 / UNITS_BAR;
  const double number = strtod(call->pressure, &end);
  while (*end == ' ')
    end++;
  if (end == call->pressure || !isfinite(number) ||
      (*end != '\0' && !units_factor(QUANTITY_PRESSURE, end, &factor)))
    return command_misused(&command_build, "--pressure %s: a pressure is required, in %s", call->pressure,
                           units_list(QUANTITY_PRESSURE));
  call->bar = number * factor * UNITS_BAR;
  return STATUS_OK;
}

static Status read_numbers(Call *call)
{
  int64_t number;
  if (build_call_of_files(call) && (call->model != NULL || call->atoms != NULL))
    return command_misused(&command_build, "--molecules FILE=N lists the whole box: use the name of a water "
                                           "model (tip3p=450) and files of ions, not --model and --atoms");
  if (!build_call_of_files(call) && call->coordinates != NULL)
    return command_misused(&command_build, "--coordinates needs --molecules FILE=N");
  if (build_call_of_files(call) || call->numbers == NULL)
    return STATUS_OK;
  if (!command_number(call->numbers, 1, STATE_MOLECULES, &number))
    return command_misused(&command_build,
                           "--molecules %s: a number from 1 to %d, or FILE=N,..., is required", call->numbers,
                           STATE_MOLECULES);
  call->molecules = (int)number;
  return STATUS_OK;
}

static Status complete_call(Call *call)
{
  call->bar = NAN;
  if (call->pressure != NULL)
    TRY(read_pressure(call));
  if (call->picoseconds < 0.0)
    call->picoseconds = isnan(call->bar) ? at_volume : at_pressure;
  if (call->picoseconds == 0.0 && !isnan(call->bar))
    return command_misused(&command_build, "--pressure needs an equilibration, but --equilibrate is 0");
  TRY(read_numbers(call));
  if (call->model == NULL && call->molecules > 0)
    return command_misused(&command_build, "--molecules needs a --model, or FILE=N");
  if (call->model == NULL && call->atoms == NULL && !build_call_of_files(call))
    return command_misused(&command_build, "give a --model, --molecules FILE=N or --atoms");
  TRY(read_shape(call));
  call->threads = call->threads > 0 ? call->threads : cores_default();
  return call->atoms != NULL ? read_atoms(call) : STATUS_OK;
}

/* --- minimisation and equilibration ------- */

/* Samples of the equilibration. */
enum { BLOCKS = 10 }; /* of the second half at constant pressure */
typedef struct Bath {
  ProgressWatch watch;
  int64_t pressed, steps;     /* steps at constant pressure; all steps */
  double energy, kelvin, bar; /* sums over samples of the second half at constant volume */
  int samples;
  double density[BLOCKS];
  int held[BLOCKS];
  const Call *call;
} Bath;

static double column(const SimulationColumns *columns, const double *value, const char *name)
{
  for (int i = 0; i < columns->n; i++)
    if (strcmp(columns->name[i], name) == 0)
      return value[i];
  return NAN;
}

static double density_of(const Simulation *s)
{
  const Box box = simulation_box(s, 0);
  return system_box_density(s) * box_volume(&s->box) / box_volume(&box);
}

static Status note_density(Bath *bath, const Simulation *s, Error *error)
{
  const int64_t step = simulation_done(s), half = bath->pressed / 2;
  const Box box = simulation_box(s, 0);
  if (box_volume(&box) > boiled * box_volume(&s->box))
    return error_set(
        error, STATUS_RUN,
        "at %g K and %g bar the volume of the box grew by more than a factor of %g: it boils or began far "
        "too dense. Use a higher --pressure, a lower --temperature, another --density, or no --pressure",
        bath->call->kelvin, bath->call->bar, boiled);
  if (step <= half || step > bath->pressed)
    return STATUS_OK;
  const int block = (int)((step - half - 1) * BLOCKS / half);
  bath->density[block] += density_of(s);
  bath->held[block]++;
  return STATUS_OK;
}

static void note_means(Bath *bath, double energy, double kelvin, double bar)
{
  bath->energy += energy;
  bath->kelvin += kelvin;
  bath->bar += bar;
  bath->samples++;
}

static Status bath_note(void *self, Simulation *s, Error *error)
{
  LOCALE_PLAIN;
  Bath *bath = self;
  enum { COLUMNS = 64 };
  double value[COLUMNS];
  SimulationColumns columns;
  const int64_t step = simulation_done(s);
  TRY(simulation_columns(s, &columns, error));
  TRY_MEMORY(columns.n <= COLUMNS, "columns", error);
  TRY(simulation_look(s, 0, value, error));
  const double kelvin = column(&columns, value, "temperature"),
               energy = column(&columns, value, "potential") / s->topology->nmol;
  if (2 * step > bath->pressed + bath->steps)
    note_means(bath, energy, kelvin, column(&columns, value, "pressure"));
  if (bath->pressed > 0)
    TRY(note_density(bath, s, error));
  char words[96];
  snprintf(words, sizeof words, "%.1f K, %.4f kcal/mol per molecule, %.4f g/cm3", kelvin, energy,
           density_of(s));
  progress_watch(&bath->watch, step < bath->pressed ? "equilibrating at constant pressure" : "equilibrating",
                 step, bath->steps, words);
  return STATUS_OK;
}

static Status steps_of(Simulation *s, const Flag *stop, Bath *bath, Error *error)
{
  TRY(simulation_observe(s, BUILD_SAMPLE_EVERY, bath_note, bath, error));
  TRY(simulation_step(s, bath->steps, &(SimulationStart){.stop = stop}, error));
  if (simulation_done(s) < bath->steps)
    return error_set(error, STATUS_RUN, "interrupted during the equilibration");
  return ensemble_draw(s->ensemble, error); /* momenta as they should be, whatever the step does to them */
}

/* Of both quarters, from blocks; not numbers where a block has no sample. */
static void report_density(const Bath *bath, Report *report)
{
  enum { QUARTER = BLOCKS / 2 };
  double square = 0.0;
  for (int b = 0; b < BLOCKS; b++)
    report->density[b / QUARTER] += bath->density[b] / bath->held[b] / QUARTER;
  for (int b = 0; b < BLOCKS; b++)
    square += pow(bath->density[b] / bath->held[b] - report->density[b / QUARTER], 2.0);
  report->error = sqrt(square / (QUARTER - 1) / QUARTER);
}

static Status equilibrate(Simulation *s, const Call *o, Report *report, Error *error)
{
  const int64_t pressed = build_call_pressed_steps(o),
                rest = build_call_steps(pressed > 0 ? at_volume : o->picoseconds, BUILD_SAMPLE_EVERY);
  Bath bath = {
      .watch = {.out = o->quiet ? NULL : stderr}, .pressed = pressed, .steps = pressed + rest, .call = o};
  const Status status = steps_of(s, stop_flag(), &bath, error);
  progress_watch_end(&bath.watch);
  if (status != STATUS_OK)
    return error_prefix(error, "equilibration");
  report->steps = rest;
  report->pressed = pressed;
  report->energy = bath.energy / bath.samples;
  report->kelvin = bath.kelvin / bath.samples;
  report->pressure = bath.bar / bath.samples;
  if (pressed > 0)
    report_density(&bath, report);
  return STATUS_OK;
}

static Status make(Simulation *s, const Call *o, Report *report, Error *error)
{
  const SimulationStart how = {.out = o->quiet ? NULL : stderr, .stop = stop_flag()};
  Start *start = &system_molecules(s)->start;
  TRY(start_make(s, &how, start, error));
  if (start->down.force > violent)
    return error_set(error, STATUS_RUN,
                     "after %d steps of minimisation a force is still %.3g kcal/mol/A: the box is too dense",
                     start->down.steps, start->down.force);
  TRY(simulation_prepare(s, error));
  TRY(simulation_place(s, error));
  *report = (Report){.minimum = start->down.energy / s->topology->nmol,
                     .force = start->down.force,
                     .minimise_steps = start->down.steps};
  return o->picoseconds > 0.0 ? equilibrate(s, o, report, error) : STATUS_OK;
}

/* --- output and the command ------- */

static void print_box(const Box *box)
{
  printf("box");
  for (int k = 0; k < 9; k++)
    if (box_oblique(box) || k % 4 == 0)
      printf(" %.6f", box->h[k / 3][k % 3]);
  printf(" A\n");
}

static void print_contents(const Simulation *s, const Call *o)
{
  char words[512] = "";
  printf("molecules");
  for (int k = 0; k < s->topology->nsort; k++)
    printf(" %d %s", s->topology->sort[k].nmol, s->topology->sort[k].kind->name);
  printf("\n");
  if (system_words_charge(s, words, sizeof words))
    printable_print(stdout, "%s\n", words);
  if (isnan(o->bar))
    print_box(&s->box);
  else
    printf("initial density %.6g g/cm3\n", system_box_density(s));
}

static void print_pressed(const Simulation *s, const Call *o, const Report *r)
{
  const Box box = simulation_box(s, 0);
  const double change = r->density[1] - r->density[0];
  print_box(&box);
  printf("equilibrated %lld steps at %g bar", (long long)r->pressed, o->bar);
  if (isnan(change)) {
    printf("\n"
           "note: too few steps to judge whether the density has converged; use a longer --equilibrate\n");
    return;
  }
  printf("; density of the third and last quarter: %.5g and %.5g g/cm3, difference %.2g +- %.2g\n",
         r->density[0], r->density[1], change, r->error);
  if (fabs(change) > 3.0 * r->error)
    printf("note: the density has not converged; use a longer --equilibrate\n");
}

static void print_report(const Simulation *s, const Call *o, const Report *r)
{
  if (r->pressed > 0)
    print_pressed(s, o, r);
  printf("density %.6g g/cm3\n", density_of(s));
  printf("minimised %.6g kcal/mol per molecule, largest force %.3g kcal/mol/A, %d steps\n", r->minimum,
         r->force, r->minimise_steps);
  if (r->steps > 0)
    printf("equilibrated %lld steps of %.3g fs; mean of the second half: %.1f K, %.6g kcal/mol per molecule, "
           "%.4g bar\n",
           (long long)r->steps, BUILD_TIMESTEP * UNITS_AKMA_FS, r->kelvin, r->energy, r->pressure);
  printable_print(stdout, "file %s\n", o->out);
}

static Status write_state(TrajectoryWriter *writer, const Simulation *box, Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  const Sample sample = ensemble_at(box->ensemble, 0);
  SCOPED(scoped_free) double *x = malloc(2 * box->coordinates * sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  sample_get(&sample, box->topology, STATE_POSITIONS, 0, x);
  sample_get(&sample, box->topology, STATE_VELOCITIES, 0, x + box->coordinates);
  TRY(structure_shape(box->topology, sample_box(&sample), &frame, error));
  structure_fill(box->topology, sample_box(&sample), x, x + box->coordinates, &frame);
  system_frames_name(box, &frame);
  return trajectory_write(writer, &frame, error);
}

static Status write_files(const Call *call, const BuildFiles *files, Error *error)
{
  const BuildRun run = {.structure = call->out,
                        .kelvin = call->kelvin,
                        .cutoff = call->cutoff,
                        .moving = call->picoseconds > 0.0 && !text_ends(call->out, ".pdb")};
  return files->n > 0 ? build_files_write(files, &run, error) : STATUS_OK;
}

static Status build(const Call *call, const BuildFiles *files, Simulation *box, Error *error)
{
  TrajectoryWriter *writer;
  Report report = {0};
  char title[128];
  snprintf(title, sizeof title, "%s at %g K, seed %llu, by holonom " HOLONOM_VERSION,
           call->model != NULL ? call->model->name : "box", call->kelvin, (unsigned long long)call->seed);
  TRY(command_structures(&writer, call->out, call->force, title, error));
  listen_for_stops();
  print_contents(box, call);
  fflush(stdout);
  Status status = make(box, call, &report, error);
  if (status == STATUS_OK)
    status = write_state(writer, box, error);
  if (status == STATUS_OK)
    status = write_files(call, files, error);
  TRY(command_structures_end(writer, status, error));
  print_report(box, call, &report);
  if (files->n > 0)
    printable_print(stdout, "file %s\nfile %s\n", files->out_topology, files->out_input);
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n, (void)operand;
  Call *call = self;
  TRY(complete_call(call));
  SCOPED(build_files_free) BuildFiles files = {0};
  SCOPED(simulation_free_at) Simulation *box = NULL;
  TRY(build_call_create(&box, call, &files, error));
  Error why = {0};
  return build_call_pass(call, build(call, &files, box, &why), &why, error);
}

static const CommandOption options[] = {
    {"model", 0, "NAME", "Water model (see 'holonom list models'); omit it for a box of single atoms.",
     COMMAND_TO(model)},
    {"molecules", 0, "N|FILE=N,...",
     "Number of waters, or a list of files of molecules (docs/molecules-file.md) with the number of each. "
     "FILE:NAME=N selects a molecule of a file with several; the name of a water model may replace FILE.",
     COMMAND_TO(numbers)},
    {"coordinates", 0, "FILE,...",
     "GRO, PDB or XYZ files with one molecule each, in the order of --molecules without water models. "
     "Default: files next to those of the molecules, with the same name.",
     COMMAND_TO(coordinates)},
    {"size", 0, "L[,L,L]", "Sides in angstrom; two of number, size and density determine the third.",
     COMMAND_TO(size), .unit = "A"},
    {"shape", 0, "SHAPE",
     "cubic (default), octahedron (truncated) or dodecahedron (rhombic); for the last two, --size is the "
     "distance of periodic images.",
     COMMAND_TO(shape_name), .choice = shape_name},
    {"density", 0, "D",
     "Density of the box in g/cm3. Default: the model's density at 298 K, with half the volume of a water "
     "for each atom.",
     COMMAND_TO(density), .least = 1e-6, .unit = "g/cm3"},
    {"atoms", 0, "NAME=N,...", "Single atoms, such as Na+=8,Cl-=8 or argon=864.", COMMAND_TO(atoms)},
    {"temperature", 0, "T", "Temperature in K; default 298.15.", COMMAND_TO(kelvin), .least = 1.0,
     .unit = "K"},
    {"pressure", 0, "P",
     "Pressure of the equilibration, such as \"1 bar\", \"1 atm\" or 0.1MPa. The final box has the mean "
     "volume of the second half and 2 ps of equilibration at it. Default: constant volume.",
     COMMAND_TO(pressure)},
    {"equilibrate", 0, "PS",
     "Picoseconds of equilibration; default 2, with --pressure 20; 0: minimisation only, velocities are "
     "zero.",
     COMMAND_TO(picoseconds), .zero = true, .unit = "ps"},
    {"cutoff", 0, "R", "Cutoff of the forces in angstrom; default 9; sides are at least twice that.",
     COMMAND_TO(cutoff), .least = 3.0, .unit = "A"},
    {"seed", 0, "S", "Seed of the box; default 1.", COMMAND_TO(seed), 0, INT32_MAX},
    {"threads", 0, "N", "Number of threads; 0 (default): all available cores. The box does not depend on it.",
     COMMAND_TO(threads), 0, 256},
    {"out", 'o', "FILE",
     "Structure file: .gro, .xyz, .h5md (all digits) or .pdb (no velocities); default box.gro.",
     COMMAND_TO(out)},
    {"force", 0, NULL, "Overwrites FILE and the files written with it.", COMMAND_TO(force)},
    {"quiet", 'q', NULL, "Prints no progress on stderr.", COMMAND_TO(quiet)},
    {.name = NULL}};

static const Call defaults = {
    .out = "box.gro", .shape_name = "cubic", .seed = 1, .kelvin = 298.15, .picoseconds = -1.0, .cutoff = 9.0};

const Command command_build = {
    .name = "build",
    .summary = "builds a periodic box of water, ions, noble gases or molecules from files",
    .operands = "",
    .doc = "Builds a periodic box of water with ions, of single atoms, or of molecules from files. Molecules "
           "start on a lattice with random orientations; the box is minimised and equilibrated by Langevin "
           "dynamics at constant volume or pressure. Prints the contents of the box and writes a file with "
           "box and velocities, from which 'holonom run' and other programs start:\n"
           "  system: {start: file, file: FILE, box: file}\n"
           "  thermostat: {initial: file}\n"
           "Molecules from files, as in\n"
           "  holonom build --molecules methanol.yaml=50,tip3p=450 --density 0.97\n"
           "start in the conformation of their coordinates and are moved apart rigidly where they overlap. "
           "In addition to box.gro, the command writes box.molecules.yaml with all molecules and box.yaml, "
           "an input file for a run.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
