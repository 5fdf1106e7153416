#include "cmd/build_call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "engine/units.h"
#include "simulation/simulation_private.h"
#include "simulation/start/lattice.h"

SCOPED_POINTER(Kind, kind_free)

bool build_call_of_files(const BuildCall *call)
{
  return call->numbers != NULL && build_files_named(call->numbers);
}

/* Two of number, size and density are required; fewer if the model has a density. */
static Status check_counts(const BuildCall *o, Error *error)
{
  const bool size = o->size[0] > 0.0, density = o->density > 0.0;
  if (build_call_of_files(o) && size == density)
    return error_set(error, STATUS_INPUT,
                     "--molecules FILE=N also needs either --size or --density, not both");
  if (o->model == NULL && size == density)
    return error_set(error, STATUS_INPUT, "a box without water needs either --size or --density, not both");
  if (o->model != NULL && o->molecules == 0 && !size)
    return error_set(error, STATUS_INPUT, "--molecules or --size is missing");
  if (o->molecules > 0 && size && density)
    return error_set(error, STATUS_INPUT,
                     "--molecules, --size and --density are given: two of them determine the third");
  return STATUS_OK;
}

/* The box of --size. */
static Box own_box(const BuildCall *o)
{
  return o->shape == BOX_CUBIC ? box_brick(o->size[0], o->size[1], o->size[2])
                               : box_of_shape(o->shape, o->size[0]);
}

/* Computes missing values. Without --density, a water has the volume it has in the model at its own
 * density, an atom half of that. */
static Status complete(BuildCall *o, Error *error)
{
  TRY(check_counts(o, error));
  if (build_call_of_files(o) || o->model == NULL || o->density > 0.0)
    return STATUS_OK;
  SCOPED(kind_free_at) Kind *kind = NULL;
  TRY(water_kind(o->model, WATER_MASS_O, WATER_MASS_H, &kind, error));
  Box box;
  const int one = 1;
  const Kind *const water = kind;
  TRY(lattice_size(1, &water, &one, o->model->density, &box, error));
  double places = 0.0;
  for (int s = 0; s < o->nspecies; s++)
    places += 0.5 * o->count[s];
  if (o->size[0] > 0.0 && o->molecules == 0) {
    const Box whole = own_box(o);
    const double count = rint(box_volume(&whole) / box_volume(&box) - places);
    char words[BOX_WORDS];
    if (!(count >= 1.0))
      return error_set(error, STATUS_INPUT, "a box of %s has space for %.10g waters: enlarge --size",
                       box_words(&whole, 6, words), fmax(count, 0.0));
    if (state_may_hold(count, error) != STATUS_OK)
      return error_prefix(error, "a box of %s", box_words(&whole, 6, words));
    o->molecules = (int)count;
  } else if (o->size[0] <= 0.0) {
    const Box whole = box_of_volume(o->shape, box_volume(&box) * (o->molecules + places));
    o->size[0] = o->size[1] = o->size[2] = box_length(&whole, 0);
    o->sized = true;
  }
  return STATUS_OK;
}

int64_t build_call_steps(double picoseconds, int every)
{
  return (int64_t)fmin(ceil(picoseconds * 1e3 / (BUILD_TIMESTEP * UNITS_AKMA_FS) / every), 1e12) * every;
}

int64_t build_call_pressed_steps(const BuildCall *call)
{
  return isnan(call->bar) ? 0
                          : build_call_steps(call->picoseconds, BUILD_SAMPLE_EVERY * BUILD_BAROSTAT_EVERY);
}

static void write_system(const BuildCall *o, FILE *text)
{
  if (o->model != NULL)
    fprintf(text, "  model: %s\n", o->model->name);
  if (o->molecules > 0)
    fprintf(text, "  molecules: %d\n", o->molecules);
  if (o->density > 0.0)
    fprintf(text, "  density: %.17g g/cm3\n", o->density);
  if (o->shape != BOX_CUBIC)
    fprintf(text, "  shape: %s\n", o->shape_name);
  if (o->size[0] > 0.0 && o->shape != BOX_CUBIC)
    fprintf(text, "  box: %.17g\n", o->size[0]);
  else if (o->size[0] > 0.0)
    fprintf(text, "  box: [%.17g, %.17g, %.17g]\n", o->size[0], o->size[1], o->size[2]);
  for (int s = 0; s < o->nspecies; s++)
    fprintf(text, "%s%s: %d%s", s == 0 ? "  atoms: {" : ", ", o->species[s]->name, o->count[s],
            s + 1 == o->nspecies ? "}\n" : "");
}

static void write_placed(const BuildFiles *files, FILE *text)
{
  fputs("  topology: ", text);
  molecules_join_scalar(text, files->topology);
  fputs("\n  file: ", text);
  molecules_join_scalar(text, files->start);
  fputs("\n  box: file\n  minimise: true\n", text);
}

static void write_input(const BuildCall *o, const BuildFiles *files, FILE *text)
{
  const int64_t pressed = build_call_pressed_steps(o);
  fprintf(text, "system:\n  seed: %llu\n", (unsigned long long)o->seed);
  if (files->n > 0)
    write_placed(files, text);
  else {
    write_system(o, text);
    fprintf(text, "geometry: {method: %s}\n", o->model != NULL ? "settle" : "none");
  }
  fprintf(
      text,
      "forces: {cutoff: %.17g}\nensemble: {threads: %d}\n"
      "integrator: {word: BAOAB, timestep: %.17g, steps: %lld}\nseed: %lld\n"
      "thermostat: {temperature: %.17g K, convention: mass, friction: 0.25, remove: linear, initial: %s}\n"
      "output: {equilibration: %.17g, thermo_every: 1}\n",
      o->cutoff, o->threads > 1 ? o->threads : 1, BUILD_TIMESTEP, (long long)pressed + 1, (long long)o->seed,
      o->kelvin, o->picoseconds > 0.0 ? "maxwell" : "zero", (double)pressed * BUILD_TIMESTEP);
  if (pressed > 0)
    fprintf(text, "barostat: {type: monte-carlo, pressure: %.17g bar, every: %d, until: equilibration}\n",
            o->bar, BUILD_BAROSTAT_EVERY);
}

/* Reads and places molecules of files. */
static Status place_files(const BuildCall *o, BuildFiles *files, Error *error)
{
  Filling filling = {.density = o->density, .shape = o->shape, .seed = (uint64_t)o->seed};
  if (o->size[0] > 0.0)
    filling.box = own_box(o);
  TRY(build_files_read(files, o->numbers, o->coordinates, error));
  TRY(build_files_claim(files, o->out, o->force, error));
  return build_files_place(files, &filling, error);
}

/* The name of the generated input, with which its error messages begin. */
static const char name[] = "box";

Status build_call_pass(const BuildCall *call, Status status, const Error *why, Error *error)
{
  static const struct {
    const char *key, *flag;
  } flags[] = {{"system.box", "--size"},
               {"system.density", "--density"},
               {"system.molecules", "--molecules"},
               {"system.atoms", "--atoms"},
               {"system.model", "--model"},
               {"system.shape", "--shape"},
               {"system.seed", "--seed"},
               {"seed", "--seed"},
               {"system.topology", "--molecules"},
               {"system.file", "--coordinates"},
               {"forces.cutoff", "--cutoff"},
               {"forces", "--cutoff"},
               {"thermostat.temperature", "--temperature"},
               {"barostat.pressure", "--pressure"},
               {"ensemble.threads", "--threads"}};
  const char *at = why != NULL ? why->text : "";
  if (status != STATUS_INPUT || strncmp(at, name, sizeof name - 1) != 0 || at[sizeof name - 1] != ':')
    return error_pass(error, status, why);
  at += sizeof name;
  at += strspn(at, "0123456789: ");
  const size_t key = strcspn(at, ":");
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strlen(flags[i].key) == key && strncmp(at, flags[i].key, key) == 0)
      return error_set(error, status, "%s%s", i == 0 && call->sized ? "--molecules" : flags[i].flag,
                       at + key);
  return error_set(error, status, "%s", at);
}

Status build_call_create(Simulation **box, BuildCall *call, BuildFiles *files, Error *error)
{
  LOCALE_PLAIN;
  SCOPED(scoped_free) char *text = NULL;
  size_t length;
  TRY(complete(call, error));
  if (build_call_of_files(call))
    TRY(place_files(call, files, error));
  FILE *out = open_memstream(&text, &length);
  TRY_MEMORY(out != NULL, "an input", error);
  write_input(call, files, out);
  TRY_MEMORY(fclose(out) == 0, "an input", error);
  Error why = {0};
  TRY(build_call_pass(call, simulation_parse(box, name, text, NULL, 0, &why), &why, error));
  (*box)->purpose = RANDOM_EQUILIBRATION;
  return STATUS_OK;
}
