/* holonom compare DIR DIR ...: do runs agree, and by how much not? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "engine/file.h"
#include "observables/compare.h"

static int run(int argc, char **argv)
{
  const char *dir = ".";
  int replace = 0, all_pairs = 0;
  for (int c; (c = command_option(&command_compare, argc, argv)) != -1;) {
    if (c == '?')
      return 2;
    if (c == 'o')
      dir = optarg;
    else if (c == 'a')
      all_pairs = 1;
    else
      replace = 1;
  }
  if (argc - optind < 2)
    return command_misused(&command_compare, "at least two run folders are wanted");
  Error error = {0};
  Status status = file_make_folder(dir, &error);
  if (status == STATUS_OK && !replace && file_exists(dir, "compare.png"))
    status = error_set(&error, STATUS_INPUT,
                       "%s/compare.png exists; give another folder with -o, or say --force", dir);
  if (status == STATUS_OK)
    status = compare_runs((const char *const *)argv + optind, argc - optind, all_pairs, dir, stdout, &error);
  return command_end(&command_compare, status, &error);
}

static const CommandOption options[] = {
    {.name = "out",
     .value = 'o',
     .argument = "DIR",
     .help = "Where the pictures go; default: here.",
     .brief = true},
    {.name = "all-pairs", .value = 'a', .help = "Every run with every other, not with the first alone."},
    {.name = "force", .value = 'f', .help = "Writes over earlier pictures."},
    {.name = NULL}};

const Command command_compare = {
    .name = "compare",
    .summary = "says whether finished runs agree",
    .operands = "DIR DIR ...",
    .doc = "Compares finished runs with the first, the reference: mean energies with errors; whether each "
           "agrees "
           "with it in energy and distribution, in boxes also in pressure, diffusion and each g(r); the "
           "distributions in one picture; and how the energy changes with 1/w^2 and h^2. Nothing is said of "
           "runs "
           "that are too short for it.",
    .option = options,
    .run = run,
};
