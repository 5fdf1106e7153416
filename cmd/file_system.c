#include "cmd/file_system.h"

#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "base/text.h"
#include "cmd/trial.h"
#include "forcefields/atom_model.h"
#include "io/structure.h"
#include "io/trajectory.h"

Status file_system_read_names(const char *path, Frame *names, Error *error)
{
  TRY(trial_of(path, error));
  TRY(trajectory_read_first(path, names, error));
  return names->has_symbols ? STATUS_OK : error_set(error, STATUS_INPUT, "%s has no names of atoms", path);
}

Status file_system_name(Frame *frame, const char *path, const Frame *names, const WaterModel *model,
                        Error *error)
{
  static const char *const pattern[3] = {"O", "H", "H"};
  if (frame->has_symbols)
    return STATUS_OK;
  if (names != NULL && names->natoms != frame->natoms)
    return error_set(error, STATUS_INPUT, "--names has %d atoms, %s has %d", names->natoms, path,
                     frame->natoms);
  if (names == NULL && (model == NULL || frame->natoms % 3 != 0))
    return error_set(error, STATUS_INPUT,
                     "%s has no names of atoms, and %s; give a structure file of the same atoms with --names",
                     path,
                     model == NULL ? "no water --model is given" : "their number is not a multiple of 3");
  for (int i = 0; i < frame->natoms; i++) {
    strcpy(frame->symbols[i], names != NULL ? names->symbols[i] : pattern[i % 3]);
    strcpy(frame->residues[i], names != NULL ? names->residues[i] : "");
  }
  frame->has_symbols = true;
  return STATUS_OK;
}

static Status no_parameters(const char *path, const AtomModelNames *names, int wanted,
                            const WaterModel *model, Error *error)
{
  const char *water = model != NULL ? model->name : NULL;
  char known[256] = "";
  for (int i = 0; i < names->n; i++)
    if (atom_model_find(names->name[i], water) != NULL)
      text_append(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", names->name[i]);
  return error_set(error, STATUS_INPUT, "%s: '%s' has no parameters %s%s; species with parameters: %s", path,
                   names->name[wanted], model != NULL ? "for " : "without a water --model",
                   model != NULL ? water : "", known);
}

/* Writes the numbers of molecules as an input. */
static Status write_input(const Structure *structure, const AtomModelNames *names, const char *path,
                          const WaterModel *model, char *text, size_t size, Error *error)
{
  const int waters = structure->nmol[0];
  if (waters > 0 && model == NULL)
    return error_set(error, STATUS_INPUT, "%s contains water: give its --model", path);
  text[0] = '\0';
  text_append(text, size, "geometry: {method: %s}\nintegrator: {word: BAB, timestep: 1 fs, steps: 1}\n",
              waters > 0 ? "settle" : "none");
  text_append(text, size, "thermostat: {type: none, initial: zero}\nsystem: {box: none");
  if (model != NULL) /* also without water: it selects the parameters of atoms */
    text_append(text, size, ", model: %s, molecules: %d", model->name, waters);
  text_append(text, size, ", atoms: {");
  for (int i = 0, n = 0; i < names->n; i++) {
    if (structure->nmol[1 + i] == 0)
      continue;
    if (atom_model_find(names->name[i], model != NULL ? model->name : NULL) == NULL)
      return no_parameters(path, names, i, model, error);
    text_append(text, size, "%s'%s': %d", n++ > 0 ? ", " : "", names->name[i], structure->nmol[1 + i]);
  }
  text_append(text, size, "}}\n");
  return STATUS_OK;
}

Status file_system_create(Simulation **system, const Frame *frame, const char *path, const WaterModel *model,
                          Error *error)
{
  const AtomModelNames names = atom_model_names();
  SCOPED(structure_free) Structure structure = {0};
  char text[256 + ATOM_MODEL_NAMES * 32];
  *system = NULL;
  TRY(structure_find(frame, path, names.n, names.symbol, &structure, error));
  TRY(write_input(&structure, &names, path, model, text, sizeof text, error));
  return simulation_parse(system, path, text, NULL, 0, error);
}
