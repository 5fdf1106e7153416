/* holonom import: topologies of other programs, read by holonom.importer. */
#include <stddef.h>

#include "base/scoped.h"
#include "cmd/command.h"
#include "cmd/python.h"

enum { FILES = 64 };

typedef struct Call {
  const char *dir, *define, *include, *box, *mdp, *cutoff, *hydrogen_mass;
  bool force, strict;
} Call;

static Status run(void *self, int n, char *const *operand, Error *error)
{
  static const char *const packages[] = {"numpy", "holonom", NULL};
  const Call *call = self;
  const char *argv[FILES + 16] = {"-o", call->dir};
  SCOPED(scoped_free) char *python = NULL;
  int k = 2;
  TRY(python_find("holonom import needs", packages, &python, error));
  if (call->include != NULL)
    argv[k++] = "--include", argv[k++] = call->include;
  if (call->box != NULL)
    argv[k++] = "--box", argv[k++] = call->box;
  if (call->mdp != NULL)
    argv[k++] = "--mdp", argv[k++] = call->mdp;
  if (call->cutoff != NULL)
    argv[k++] = "--cutoff", argv[k++] = call->cutoff;
  if (call->hydrogen_mass != NULL)
    argv[k++] = "--hydrogen-mass", argv[k++] = call->hydrogen_mass;
  if (call->define != NULL)
    argv[k++] = "--define", argv[k++] = call->define;
  if (call->force)
    argv[k++] = "--force";
  if (call->strict)
    argv[k++] = "--strict";
  argv[k++] = "--";
  for (int i = 0; i < n; i++)
    argv[k++] = operand[i];
  return python_become(python, "holonom.importer", argv, error);
}

static const CommandOption options[] = {
    {"out", 'o', "DIR", "Folder for the output; default: imported.", COMMAND_TO(dir)},
    {"box", 0, "A[,B,C...]",
     "The box, if the coordinates have none: a length, three, or three with angles; 'none' is open space.",
     COMMAND_TO(box)},
    {"mdp", 0, "FILE", "GROMACS settings, of which the cutoffs and the treatment beyond them are used.",
     COMMAND_TO(mdp)},
    {"cutoff", 0, "A", "The cutoff of the forces, instead of the force field's own.", COMMAND_TO(cutoff)},
    {"hydrogen-mass", 0, "MASS",
     "Mass of hydrogens in g/mol, such as 3 (geometry.hydrogen_mass); the difference is taken from the atoms "
     "that they "
     "are bonded to, and waters keep theirs.",
     COMMAND_TO(hydrogen_mass)},
    {"define", 0, "WORD[=TEXT],...", "Defines words for the topology's preprocessor, such as FLEXIBLE.",
     COMMAND_TO(define)},
    {"include", 0, "DIR", "Folder to search for included files before GROMACS's own.", COMMAND_TO(include)},
    {"force", 0, NULL, "Overwrites the files of an earlier import in DIR.", COMMAND_TO(force)},
    {"strict", 0, NULL, "Treats warnings, such as differing names of atoms, as errors.", COMMAND_TO(strict)},
    {.name = NULL}};

static const Call defaults = {.dir = "imported"};

const Command command_import = {
    .name = "import",
    .summary = "imports topologies of GROMACS, AMBER and CHARMM",
    .operands = "TOPOLOGY [PARAMETERS...] COORDINATES",
    .subject = "files",
    .least = 2,
    .most = FILES,
    .doc = "Reads a topology and coordinates and writes DIR/molecules.yaml (the molecules), DIR/start.gro "
           "and DIR/system.yaml (an input file).\n"
           "  GROMACS  topol.top [table_b0.xvg ...] conf.gro\n"
           "  AMBER    system.prmtop system.rst7\n"
           "  CHARMM   system.psf par_all36.prm water.str system.crd --box 40\n"
           "Coordinates may also be .gro or .pdb for each. If the force field has a term that this program "
           "lacks, the message names it and nothing is written.",
    .option = options,
    .call = &defaults,
    .size = sizeof(Call),
    .run = run,
};
