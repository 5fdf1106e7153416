/* Lists of all keys: the page of the manual, the example of every key, and JSON. */
#include <stdlib.h>

#include "config/config.h"

Status config_keys_page(FILE *file, Error *error)
{
  fputs("# The input file\n\n"
        "<!-- Made by 'holonom help --keys markdown': the texts are those of config/config_keys.def. -->\n\n"
        "This page lists the keys of an input file, so that you can write your own or change an "
        "[example](../examples/README.md).\n"
        "An input file is YAML; `integrator.timestep` is the key `timestep` in the section `integrator`:\n\n"
        "```yaml\n"
        "system: {model: tip3p, molecules: 7}\n"
        "integrator: {timestep: 2 fs, time: 100 ps}\n"
        "thermostat: {temperature: 100 K, friction: 1/ps}\n"
        "geometry: {method: rattle}\n"
        "```\n\n"
        "- `holonom check FILE` reports errors; `--all` prints every key with its value.\n"
        "- `--set integrator.timestep=\"1 fs\"` overrides a key on the command line, `--set key=` removes "
        "it, and\n"
        "  `--set system.sites[2].mass=3` changes a record of a list (the first is 1).\n"
        "- Write a unit after a space. Bare numbers are in AKMA units: A, g/mol, kcal/mol, 48.88821 fs, "
        "kelvin; a note\n"
        "  reports the first bare time, length or temperature.\n\n"
        "The keys in a file determine the type of the system, and each type accepts the keys listed for "
        "it:\n\n",
        file);
  const InputSort *const sort = config_table[KEYS].sort;
  for (int i = 0; sort[i].name != NULL; i++)
    fprintf(file, "- **%s**: %s\n", sort[i].name, sort[i].words);
  return input_describe_page(config_table, file, error);
}

Status config_keys_example(ConfigSort sort, FILE *file, Error *error)
{
  const InputSort *const own = &config_table[KEYS].sort[sort];
  fprintf(
      file,
      "# Every key of a file about %s. Only keys marked \"required\" must be given; those after a '#' do not "
      "apply\n"
      "# together with the other keys of this file. Made by 'holonom help --keys %s'.\n"
      "#\n"
      "# Bare numbers are in AKMA units: A, g/mol, kcal/mol, 48.88821 fs; temperatures in kelvin. The "
      "command line\n"
      "# overrides any key: --set integrator.timestep=\"1 fs\"; \"--set key=\" removes a key.\n\n",
      own->words, own->name);
  return input_describe_example(config_table, (int)sort, file, error);
}

Status config_keys_json(char **json, Error *error)
{
  size_t size;
  *json = NULL;
  FILE *const file = open_memstream(json, &size);
  Status status = file != NULL ? input_describe_json(config_table, file, error) : STATUS_MEMORY;
  if (file != NULL && fclose(file) != 0)
    status = STATUS_MEMORY;
  if (status == STATUS_OK)
    return status;
  free(*json);
  *json = NULL;
  return error_memory(error, "the list of keys");
}
