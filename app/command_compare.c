/* holonom compare DIR DIR ...: do runs agree, and by how much not? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "io/text.h"
#include "observables/compare.h"

static int run(int argc, char **argv)
{
  const char *dir = ".";
  int replace = 0;
  for (int c; (c = command_option(&command_compare, argc, argv)) != -1;) {
    if (c == '?')
      return 2;
    if (c == 'o')
      dir = optarg;
    else
      replace = 1;
  }
  if (argc - optind < 2)
    return command_misused(&command_compare, "at least two run folders are wanted");
  Error error = {0};
  Status status = text_make_folder(dir, &error);
  if (status == STATUS_OK && !replace && text_exists(dir, "compare.png"))
    status = error_set(&error, STATUS_INPUT,
                       "%s/compare.png exists; give another folder with -o, or say --force", dir);
  if (status == STATUS_OK)
    status = compare_runs((const char *const *)argv + optind, argc - optind, dir, stdout, &error);
  return command_end(&command_compare, status, &error);
}

static const CommandOption options[] = {
    {.name = "out",
     .value = 'o',
     .argument = "DIR",
     .help = "Where the pictures go; default: here.",
     .brief = true},
    {.name = "force", .value = 'f', .help = "Writes over earlier pictures."},
    {.name = NULL}};

const Command command_compare = {
    .name = "compare",
    .summary = "says whether finished runs agree",
    .operands = "DIR DIR ...",
    .doc = "Compares finished runs, the first being the reference: mean energies with errors, one line a "
           "pair that "
           "says whether they agree, the distributions in one picture, and how the difference falls with w.",
    .option = options,
    .run = run,
};
