/* holonom: the program. Names the commands and hands over. */
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "gallery/command_gallery.h"

const Command *const command_table[] = {&command_run,     &command_build,   &command_check,   &command_rdf,
                                        &command_observe, &command_energy,  &command_compare, &command_list,
                                        &command_bench,   &command_gallery, &command_example, NULL};

static void overview(FILE *out)
{
  fprintf(out,
          "Holonom %s: molecular dynamics of stiff and constrained molecules with a Langevin thermostat.\n\n",
          HOLONOM_VERSION);
  for (int i = 0; command_table[i] != NULL; i++)
    fprintf(out, "  holonom %s\n", command_table[i]->usage);
  fprintf(out, "  holonom help [COMMAND]\n  holonom --version\n\n"
               "Exit codes: 0 done; 2 bad input, nothing written; 3 the run went wrong, files readable.\n");
}

static const Command *find(const char *name)
{
  for (int i = 0; command_table[i] != NULL; i++)
    if (strcmp(command_table[i]->name, name) == 0)
      return command_table[i];
  return NULL;
}

static int help(const char *name)
{
  const Command *command = name != NULL ? find(name) : NULL;
  if (name != NULL && command == NULL) {
    fprintf(stderr, "holonom: there is no command '%s'; see 'holonom help'\n", name);
    return 2;
  }
  if (command == NULL)
    overview(stdout);
  else
    printf("usage: holonom %s\n\n%s\n", command->usage, command->doc);
  return fflush(stdout) == 0 ? 0 : 3;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    overview(stderr);
    return 2;
  }
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) {
    printf("holonom %s\n", HOLONOM_VERSION);
    return fflush(stdout) == 0 ? 0 : 3;
  }
  if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    return help(argc > 2 ? argv[2] : NULL);
  const Command *command = find(name);
  if (command == NULL) {
    fprintf(stderr, "holonom: there is no command '%s'; see 'holonom help'\n", name);
    return 2;
  }
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0)
      return help(name);
  return command->run(argc - 1, argv + 1);
}
