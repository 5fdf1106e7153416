/* holonom list: what there is to choose from, straight from the tables. */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "config/config_plan.h"
#include "engine/constraint.h"
#include "engine/expression.h"
#include "engine/isa.h"
#include "engine/potential.h"
#include "forcefields/species.h"
#include "forcefields/water.h"
#include "integrators/accel.h"
#include "integrators/composition.h"
#include "integrators/constraints.h"
#include "integrators/letters.h"
#include "integrators/method.h"
#include "integrators/word.h"
#include "io/trajectory.h"
#include "observables/observable.h"

static void row(const char *name, const char *doc, const char *cite)
{
  printf("  %-16s %s", name, doc);
  if (cite != NULL && *cite != '\0')
    printf(" [%s]", cite);
  putchar('\n');
}

static void print_models(void)
{
  for (const WaterModel *m = water_models; m->name != NULL; m++)
    row(m->name, m->doc, m->cite);
}

static void print_species(void)
{
  for (const Species *s = species_list; s->name != NULL; s++)
    row(s->name, s->doc, s->cite);
}

static void print_words(void)
{
  for (const Word *w = word_table; w->name != NULL; w++)
    row(w->name, w->doc, w->cite);
}

static void print_letters(void)
{
  for (const Letter *letter = letter_table; letter->name != 0; letter++)
    row((const char[2]){letter->name}, letter->doc, NULL);
}

static void print_accelerations(void)
{
  for (int i = 0; accel_maps[i] != NULL; i++)
    row(accel_maps[i]->name, accel_maps[i]->doc, accel_maps[i]->cite);
}

static void print_methods(void)
{
  const Method *method;
  for (int i = 0; (method = config_plan_method_row(i)) != NULL; i++)
    row(method->name, method->doc, method->cite);
}

static void print_compositions(void)
{
  for (const Composition *c = composition_table; c->name != NULL; c++) {
    char doc[128];
    snprintf(doc, sizeof doc, "order %d: %s", c->order, c->doc);
    row(c->name, doc, c->cite);
  }
}

static void print_hessians(void)
{
  row("full", "w^2 (J'J + sum g Hess g), as in the paper", "Tao & Owhadi 2015, Integrator 2.6");
  row("gauss-newton", "w^2 J'J: positive definite whatever the bonds do", NULL);
}

static void print_constraint_methods(void)
{
  for (int i = 0; constraint_methods[i] != NULL; i++)
    row(constraint_methods[i]->name, constraint_methods[i]->doc, constraint_methods[i]->cite);
}

static void print_solvers(void)
{
  for (int i = 0; constraint_solvers[i] != NULL; i++)
    row(constraint_solvers[i]->name, constraint_solvers[i]->doc, constraint_solvers[i]->cite);
}

static void print_constraints(void)
{
  for (int i = 0; constraint_types[i] != NULL; i++)
    row(constraint_types[i]->name, constraint_types[i]->doc, NULL);
  row("orthonormal", "two or three sites as the columns of an orthonormal matrix: dot, of all pairs", NULL);
}

static void print_potentials(void)
{
  row("gravity", "-m a . q: a field in proportion to mass", NULL);
  for (int i = 0; potential_types[i] != NULL; i++)
    row(potential_types[i]->name, potential_types[i]->doc, NULL);
}

static void print_functions(void)
{
  printf(" ");
  for (int i = 0; expression_parse_function(i) != NULL; i++)
    printf(" %s", expression_parse_function(i));
  putchar('\n');
}

static void print_frictions(void)
{
  row("uniform",
      "G = gamma: a site of mass m relaxes at gamma/m; with constraints, and along them with tangent noise, "
      "O is "
      "then a midpoint rule of second order in its flow, with the exact distribution",
      "Tao & Owhadi 2015, (4.5)");
  row("mass", "G = gamma M: every site relaxes at gamma; O is the exact flow, with constraints too", NULL);
}

static void print_formats(void)
{
  for (int i = 0; trajectory_formats[i] != NULL; i++)
    row(trajectory_formats[i]->name, trajectory_formats[i]->doc, trajectory_formats[i]->suffixes);
}

static void print_machine(void)
{
  for (Isa i = ISA_PLAIN; i < ISA_COUNT; i++)
    if (isa_runs(i))
      row(isa_name(i), i == isa_best() ? "taken" : "", NULL);
}

static void print_observables(void)
{
  for (int i = 0; observable_table[i] != NULL; i++)
    row(observable_table[i]->name, observable_table[i]->doc, NULL);
}

typedef struct Topic {
  const char *name, *heading;
  void (*print)(void);
} Topic;

static const Topic topics[] = {
    {"models", "models", print_models},
    {"species", "species, atoms of one site; unlike ones mix by Lorentz and Berthelot's rule", print_species},
    {"letters", "letters of words, each the flow of one part of the equations", print_letters},
    {"words", "words (or write your own with A, B, S and O, or H and O)", print_words},
    {"accelerations", "acceleration maps", print_accelerations},
    {"methods", "methods, of the letter H (integrator.method)", print_methods},
    {"compositions", "compositions of a symmetric step (integrator.composition)", print_compositions},
    {"hessians", "penalty Hessians (of the Zhang-Skeel maps)", print_hessians},
    {"constraint-methods", "constraint methods", print_constraint_methods},
    {"solvers", "constraint solvers", print_solvers},
    {"constraints", "constraint types (system.constraints)", print_constraints},
    {"potentials", "potential types (system.potentials)", print_potentials},
    {"functions", "functions in formulas, besides + - * / ^ and pi", print_functions},
    {"frictions", "friction conventions", print_frictions},
    {"observables", "observables of periodic boxes", print_observables},
    {"formats", "file formats", print_formats},
    {"machine", "instruction sets of this machine", print_machine},
};
enum { TOPICS = (int)(sizeof topics / sizeof *topics) };

static void print_topic(const Topic *topic)
{
  printf("%s:\n", topic->heading);
  topic->print();
}

static void print_names(FILE *file)
{
  for (int i = 0; i < TOPICS; i++)
    fprintf(file, "%s\n", topics[i].name);
}

static int run(int argc, char **argv)
{
  if (command_option(&command_list, argc, argv) != -1)
    return 2;
  if (argc - optind > 1)
    return command_misused(&command_list, "one topic at a time");
  for (int i = 0; i < TOPICS; i++) {
    if (argc == optind)
      print_topic(&topics[i]);
    else if (strcmp(argv[optind], topics[i].name) == 0) {
      print_topic(&topics[i]);
      return 0;
    }
  }
  return argc == optind ? 0 : command_unknown(&command_list, "topic", argv[optind], print_names);
}

static const CommandOption options[] = {{.name = NULL}};

const Command command_list = {
    .name = "list",
    .summary = "models, words, methods, observables, formats: what there is to choose from",
    .operands = "[TOPIC]",
    .doc =
        "Prints what this program knows, all of it or one topic: models, species, words, accelerations, "
        "methods, "
        "compositions, hessians, constraint-methods, solvers, constraints, potentials, functions, frictions, "
        "observables, formats, machine.",
    .option = options,
    .choices = print_names,
    .run = run,
};
