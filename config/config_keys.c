/* Lists of all keys. */
#include <stdlib.h>

#include "config/config.h"

Status config_keys_page(FILE *file, Error *error)
{
  fputs("# The input file\n\n"
        "<!-- Made by 'holonom help --keys markdown': the rows are those of config/config_keys.def. -->\n\n"
        "YAML. A key in a section is named with a dot: `integrator.timestep` is `timestep` under "
        "`integrator`, and\n"
        "`--set integrator.timestep=\"1 fs\"` overrides it on the command line (`--set key=` takes a key "
        "away; keys inside a list\n"
        "count from 1, `--set system.sites[2].mass=3`). Numbers may carry a unit after a space; bare ones "
        "are AKMA: angstrom,\n"
        "g/mol, kcal/mol, 48.88821 fs; temperatures in kelvin. The first bare time, length or temperature "
        "gets a\n"
        "remark. `holonom check FILE` says what is wrong, and "
        "`--all` adds every key\n"
        "with the value that it takes.\n\n"
        "What a file describes follows from its keys, and says which others have a place in it:\n\n",
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
      "# Every key of a file about %s. Only those marked \"required\" must be in a file. Keys behind a '#' "
      "have no\n"
      "# meaning beside the others here. Made by 'holonom help --keys %s'.\n"
      "#\n"
      "# Bare numbers are AKMA: angstrom, g/mol, kcal/mol, time unit 48.88821 fs; temperatures in kelvin. On "
      "the command\n"
      "# line any key can be set: --set integrator.timestep=\"1 fs\"; \"--set key=\" takes a key away.\n\n",
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
