/* holonom compare DIR DIR ...: do runs agree, and by how much not? */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/compare.h"

typedef struct Call {
  const char *dir, *margin, *title;
  bool all_pairs, force;
} Call;

static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  if (n < 2)
    return command_misused(&command_compare, "at least two run folders are required");
  CompareMargin margin;
  if (call->margin != NULL)
    TRY(compare_margin_read(&margin, call->margin, error));
  TRY(command_folder(call->dir, &compare_files_names, call->force, error));
  const CompareOptions choices = {
      .all_pairs = call->all_pairs, .margin = call->margin != NULL ? &margin : NULL, .title = call->title};
  return compare_runs((const char *const *)operand, n, &choices, call->dir, stdout, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for pictures and tables; default: compare.out.", COMMAND_TO(dir)},
    {"margin", 'm', "M",
     "Also tests for equality within this margin, such as 1% or, for energies only, 0.1 (kcal/mol). Margins "
     "of single quantities: 'energy 0.1%, density 0.0003 g/cm3'.",
     COMMAND_TO(margin)},
    {"title", 0, "TEXT", "Title of the pictures and the page; default: made from the runs.",
     COMMAND_TO(title)},
    {"all-pairs", 0, NULL, "Compares every run with every other, not only with the first.",
     COMMAND_TO(all_pairs)},
    {"force", 0, NULL, "Overwrites an earlier comparison.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.dir = "compare.out"};

const Command command_compare = {
    .name = "compare",
    .summary = "tests whether finished runs agree",
    .operands = "DIR DIR ...",
    .most = -1,
    .doc = "Compares finished runs with the first one, the reference. Prints mean energies with errors, and "
           "whether each run agrees with the reference in energy and distribution, for boxes also in "
           "pressure, diffusion and each g(r). Draws the distributions in one picture, and reports how the "
           "energy changes with 1/w^2 and h^2. Runs that are too short get no verdict.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
