/* holonom build: a periodic box of water and single atoms, minimised and equilibrated. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/listen.h"
#include "engine/stop.h"
#include "engine/text.h"
#include "engine/visible.h"
#include "io/structure.h"
#include "simulation/simulation_private.h"
#include "simulation/start/build.h"

enum { TEXT = 256 };

typedef struct Call {
  BuildOptions options;
  int64_t seed;
  const char *out, *atoms;
  bool force, quiet;
  const Species *species[BUILD_SPECIES];
  int count[BUILD_SPECIES];
} Call;

/* --- arguments -------------------------------------------------------------------------------------------
 */

static Status unknown_species(const char *name, const char *water)
{
  char known[TEXT] = "";
  for (const Species *s = species_list; s->name != NULL; s++)
    if (species_find(s->name, water) == s)
      text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", s->name);
  return command_misused(&command_build, "--atoms: there is no '%s'%s%s; known: %s", name,
                         water != NULL ? " for " : "", water != NULL ? water : "", known);
}

/* NAME=NUMBER,...: after the model is known, since an ion's parameters go with it. */
static Status read_atoms(Call *call)
{
  const char *water = call->options.model != NULL ? call->options.model->name : NULL;
  char text[TEXT];
  if (strlen(call->atoms) >= sizeof text)
    return command_misused(&command_build, "--atoms %s: too long", call->atoms);
  strcpy(text, call->atoms);
  char *rest = text;
  int n = 0;
  for (char *word; (word = strsep(&rest, ",")) != NULL; n++) {
    char *equals = strrchr(word, '=');
    int64_t number;
    if (equals == NULL || !command_number(equals + 1, 1, STATE_MOLECULES, &number))
      return command_misused(&command_build, "--atoms %s: NAME=NUMBER is wanted, as in Na+=8,Cl-=8",
                             call->atoms);
    *equals = '\0';
    if (n == BUILD_SPECIES)
      return command_misused(&command_build, "--atoms: more than %d species", BUILD_SPECIES);
    call->species[n] = species_find(word, water);
    if (call->species[n] == NULL)
      return unknown_species(word, water);
    for (int i = 0; i < n; i++)
      if (call->species[i] == call->species[n])
        return command_misused(&command_build, "--atoms: %s comes twice", word);
    call->count[n] = (int)number;
  }
  call->options.nspecies = n;
  return STATUS_OK;
}

static Status complete_call(Call *call)
{
  BuildOptions *o = &call->options;
  if (o->model == NULL && o->molecules > 0)
    return command_misused(&command_build, "--molecules: of which --model?");
  if (o->model == NULL && call->atoms == NULL)
    return command_misused(&command_build, "which --model?");
  o->seed = (uint64_t)call->seed;
  o->threads = o->threads > 0 ? o->threads : omp_get_max_threads();
  o->species = call->species;
  o->atoms = call->count;
  return call->atoms != NULL ? read_atoms(call) : STATUS_OK;
}

/* --- the whole -------------------------------------------------------------------------------------------
 */

static void print_contents(const Simulation *s)
{
  printf("molecules");
  for (int k = 0; k < s->topology->nsort; k++)
    printf(" %d %s", s->topology->sort[k].nmol, s->topology->sort[k].kind->name);
  printf("\nbox %.6f %.6f %.6f A\n", box_length(&s->box, 0), box_length(&s->box, 1), box_length(&s->box, 2));
}

static void print_report(const BuildReport *r, const char *path)
{
  printf("density %.6g g/cm3\n", r->density);
  printf("minimised %.6g kcal/mol per molecule, largest force %.3g kcal/mol/A, %d steps\n", r->minimum,
         r->force, r->minimise_steps);
  if (r->steps > 0)
    printf("equilibrated %lld steps of %.3g fs; mean of the second half: %.1f K, %.6g kcal/mol per molecule, "
           "%.4g bar\n",
           (long long)r->steps, r->timestep, r->kelvin, r->energy, r->pressure);
  visible_print(stdout, "file %s\n", path);
}

static Status write_state(TrajectoryWriter *writer, const Topology *topology, const State *state,
                          Error *error)
{
  SCOPED(frame_free) Frame frame = {0};
  TRY(structure_frame(topology, state, &frame, error));
  return trajectory_write(writer, &frame, error);
}

static Status make(const Call *call, Simulation *box, Error *error)
{
  const BuildOptions *o = &call->options;
  TrajectoryWriter *writer;
  BuildReport report;
  const State *state;
  char title[128];
  snprintf(title, sizeof title, "%s at %g K, seed %llu, by holonom " HOLONOM_VERSION,
           o->model != NULL ? o->model->name : "box", o->kelvin, (unsigned long long)o->seed);
  TRY(command_structures(&writer, call->out, call->force, title, error));
  listen_for_stops();
  print_contents(box);
  fflush(stdout);
  Status status = build_run(box, o, &report, &state, error);
  if (status == STATUS_OK)
    status = write_state(writer, box->topology, state, error);
  TRY(command_structures_end(writer, status, error));
  print_report(&report, call->out);
  return STATUS_OK;
}

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)n, (void)operand;
  Call *call = self;
  TRY(complete_call(call));
  SCOPED(simulation_free_at) Simulation *box = NULL;
  call->options.out = call->quiet ? NULL : stderr;
  call->options.stop = stop_flag();
  TRY(build_create(&box, &call->options, error));
  return make(call, box, error);
}

static const CommandOption options[] = {
    {"model", 0, "NAME", "Water model (see 'holonom list models'); none for a box of single atoms.",
     COMMAND_TO(options.model)},
    {"molecules", 0, "N", "Number of waters.", COMMAND_TO(options.molecules), 1, STATE_MOLECULES},
    {"size", 0, "L[,L,L]", "Sides in angstrom; two of number, size and density give the third.",
     COMMAND_TO(options.size), .unit = "A"},
    {"density", 0, "D",
     "Density of the box in g/cm3; default: that of the model at 298 K, where an atom takes the place of "
     "half a water.",
     COMMAND_TO(options.density), .least = 1e-6, .unit = "g/cm3"},
    {"atoms", 0, "NAME=N,...", "Single atoms, such as Na+=8,Cl-=8 or argon=864.", COMMAND_TO(atoms)},
    {"temperature", 0, "T", "In K; default 298.15.", COMMAND_TO(options.kelvin), .least = 1.0, .unit = "K"},
    {"equilibrate", 0, "PS", "Picoseconds of equilibration; default 2; 0: minimised only, at rest.",
     COMMAND_TO(options.picoseconds), .zero = true, .unit = "ps"},
    {"cutoff", 0, "R", "Cutoff of the forces in angstrom; default 9; sides are at least twice that.",
     COMMAND_TO(options.cutoff), .least = 3.0, .unit = "A"},
    {"seed", 0, "S", "Seed: another one gives another box; default 1.", COMMAND_TO(seed), 0, INT32_MAX},
    {"threads", 0, "N", "Default: all cores; the box does not depend on it.", COMMAND_TO(options.threads), 1,
     256},
    {"out", 'o', "FILE", ".gro, .xyz or .h5md (all digits), or .pdb (no velocities); default box.gro.",
     COMMAND_TO(out)},
    {"force", 0, NULL, "Writes over FILE.", COMMAND_TO(force)},
    {"quiet", 'q', NULL, "No progress on stderr.", COMMAND_TO(quiet)},
    {.name = NULL}};

static const Call defaults = {
    .out = "box.gro", .seed = 1, .options = {.kelvin = 298.15, .picoseconds = 2.0, .cutoff = 9.0}};

const Command command_build = {
    .name = "build",
    .summary = "makes a periodic box of water, ions or noble gases",
    .operands = "",
    .doc = "Makes a periodic box of water with ions, or of single atoms alone: a lattice with random "
           "orientations, minimised and equilibrated by Langevin dynamics at constant volume. Prints what is "
           "in it and writes one file with box and velocities that 'holonom run' and other programs start "
           "from: the run starts warm with\n"
           "  system: {start: file, file: FILE, box: file}\n"
           "  thermostat: {initial: file}",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
