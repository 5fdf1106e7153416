/* holonom list: what there is to choose from, straight from the tables. */
#include <stdio.h>

#include "app/command.h"
#include "engine/constraint.h"
#include "engine/expression.h"
#include "engine/isa.h"
#include "engine/potential.h"
#include "forcefields/species.h"
#include "forcefields/water.h"
#include "integrators/accel.h"
#include "integrators/composition.h"
#include "integrators/constraints.h"
#include "integrators/method.h"
#include "integrators/word.h"
#include "io/trajectory.h"

static void row(const char *name, const char *doc, const char *cite)
{
  printf("  %-16s %s", name, doc);
  if (cite != NULL && *cite != '\0')
    printf(" [%s]", cite);
  putchar('\n');
}

static int run(int argc, char **argv)
{
  if (argc > 1)
    return command_misused(&command_list, "'%s': it takes nothing", argv[1]);
  puts("models:");
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    row(m->name, m->doc, m->cite);
  puts("species, atoms of one site; unlike ones mix by Lorentz and Berthelot's rule:");
  for (const Species *s = species_list; s->name != NULL; s++)
    row(s->name, s->doc, s->cite);
  puts("words (or write your own with A, B, S and O, or H and O):");
  for (const Word *w = word_table; w->name != NULL; w++)
    row(w->name, w->doc, w->cite);
  puts("acceleration maps:");
  for (int i = 0; accel_maps[i] != NULL; i++)
    row(accel_maps[i]->name, accel_maps[i]->doc, accel_maps[i]->cite);
  puts("methods, of the letter H (integrator.method):");
  for (int i = 0; method_table[i] != NULL; i++)
    row(method_table[i]->name, method_table[i]->doc, method_table[i]->cite);
  puts("compositions of a symmetric step (integrator.composition):");
  for (const Composition *c = composition_table; c->name != NULL; c++) {
    char doc[128];
    snprintf(doc, sizeof doc, "order %d: %s", c->order, c->doc);
    row(c->name, doc, c->cite);
  }
  puts("penalty Hessians (of the Zhang-Skeel maps):");
  row("full", "w^2 (J'J + sum g Hess g), as in the paper", "Tao & Owhadi 2015, Integrator 2.6");
  row("gauss-newton", "w^2 J'J: positive definite whatever the bonds do", NULL);
  puts("constraint methods:");
  for (int i = 0; constraint_methods[i] != NULL; i++)
    row(constraint_methods[i]->name, constraint_methods[i]->doc, constraint_methods[i]->cite);
  puts("constraint solvers:");
  for (int i = 0; constraint_solvers[i] != NULL; i++)
    row(constraint_solvers[i]->name, constraint_solvers[i]->doc, constraint_solvers[i]->cite);
  puts("constraint types (system.constraints):");
  for (int i = 0; constraint_types[i] != NULL; i++)
    row(constraint_types[i]->name, constraint_types[i]->doc, NULL);
  row("orthonormal", "two or three sites as the columns of an orthonormal matrix: dot, of all pairs", NULL);
  puts("potential types (system.potentials):");
  row("gravity", "-m a . q: a field in proportion to mass", NULL);
  for (int i = 0; potential_types[i] != NULL; i++)
    row(potential_types[i]->name, potential_types[i]->doc, NULL);
  puts("functions in formulas, besides + - * / ^ and pi:");
  printf(" ");
  for (int i = 0; expression_parse_function(i) != NULL; i++)
    printf(" %s", expression_parse_function(i));
  putchar('\n');
  puts("friction conventions:");
  row("uniform", "G = gamma: a site of mass m relaxes at gamma/m", "Tao & Owhadi 2015, (4.5)");
  row("mass", "G = gamma M: every site relaxes at gamma", NULL);
  puts("file formats:");
  for (int i = 0; trajectory_formats[i] != NULL; i++)
    row(trajectory_formats[i]->name, trajectory_formats[i]->doc, trajectory_formats[i]->suffixes);
  puts("instruction sets of this machine:");
  for (Isa i = ISA_PLAIN; i < ISA_COUNT; i++)
    if (isa_runs(i))
      row(isa_name(i), i == isa_best() ? "taken" : "", NULL);
  return fflush(stdout) == 0 ? 0 : 3;
}

const Command command_list = {
    .name = "list",
    .usage = "list",
    .doc = "Prints the water models, species, words, acceleration maps, methods, compositions, constraint "
           "methods and\n"
           "solvers, types of constraints and potentials, functions of formulas, friction conventions, file\n"
           "formats and instruction sets that this program knows.",
    .run = run,
};
