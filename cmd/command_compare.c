/* holonom compare DIR DIR ...: do runs agree, and by how much not? */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/compare.h"

typedef struct Call {
  const char *dir, *margin;
  bool all_pairs, force;
} Call;

static Status run(void *self, int n, char *const *operand, Error *error)
{
  const Call *call = self;
  if (n < 2)
    return command_misused(&command_compare, "at least two run folders are wanted");
  CompareMargin margin;
  if (call->margin != NULL)
    TRY(compare_margin_read(&margin, call->margin, error));
  TRY(command_folder(call->dir, &compare_files_names, call->force, error));
  return compare_runs((const char *const *)operand, n, call->all_pairs, call->margin != NULL ? &margin : NULL,
                      call->dir, stdout, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Where pictures and numbers go; default: compare.out.", COMMAND_TO(dir)},
    {"margin", 'm', "M",
     "Says also which are equal within this margin, such as 1% or, for energies alone, 0.1 (kcal/mol); of "
     "single quantities 'energy 0.1%, density 0.0003 g/cm3'.",
     COMMAND_TO(margin)},
    {"all-pairs", 0, NULL, "Every run with every other, not with the first alone.", COMMAND_TO(all_pairs)},
    {"force", 0, NULL, "Writes over earlier ones.", COMMAND_TO(force)},
    {.name = NULL}};

static const Call defaults = {.dir = "compare.out"};

const Command command_compare = {
    .name = "compare",
    .summary = "says whether finished runs agree",
    .operands = "DIR DIR ...",
    .most = -1,
    .doc = "Compares finished runs with the first, the reference: mean energies with errors; whether each "
           "agrees with it in energy and distribution, in boxes also in pressure, diffusion and each g(r); "
           "the distributions in one picture; and how the energy changes with 1/w^2 and h^2. Nothing is said "
           "of runs that are too short for it.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
