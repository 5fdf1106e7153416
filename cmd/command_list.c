/* holonom list: prints the tables of models, words, methods, observables and formats. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/command.h"
#include "engine/constraint.h"
#include "engine/isa.h"
#include "engine/potential.h"
#include "forcefields/atom_model.h"
#include "forcefields/water.h"
#include "formula/expression.h"
#include "integrators/accel.h"
#include "integrators/composition.h"
#include "integrators/constraints.h"
#include "integrators/letters.h"
#include "integrators/word.h"
#include "io/trajectory.h"
#include "methods/method_table.h"
#include "observables/observable.h"
#include "topology/term.h"

static void row(const char *name, const char *doc, const char *cite)
{
  printf("  %-16s %s", name, doc);
  if (cite != NULL && *cite != '\0')
    printf(" [%s]", cite);
  putchar('\n');
}

/* A table of rows, ended by a row without a name, or of pointers to rows, ended by NULL. */
typedef struct Table {
  const void *rows;
  size_t step; /* 0: pointers */
  size_t name, doc, cite;
} Table;

enum { NO_CITE = 4096 };
#define ROWS(table, Row)                                                                                     \
  {                                                                                                          \
    table, sizeof(Row), offsetof(Row, name), offsetof(Row, doc), offsetof(Row, cite)                         \
  }
#define POINTERS(table, Row, cite)                                                                           \
  {                                                                                                          \
    table, 0, offsetof(Row, name), offsetof(Row, doc), cite                                                  \
  }
#define CITED(table, Row) POINTERS(table, Row, offsetof(Row, cite))

static const char *text(const char *entry, size_t offset)
{
  return *(const char *const *)(const void *)(entry + offset);
}

static void print_table(const Table *t)
{
  for (int i = 0;; i++) {
    const char *entry =
        t->step > 0 ? (const char *)t->rows + (size_t)i * t->step : ((const char *const *)t->rows)[i];
    if (entry == NULL || text(entry, t->name) == NULL)
      return;
    row(text(entry, t->name), text(entry, t->doc), t->cite == NO_CITE ? NULL : text(entry, t->cite));
  }
}

static void print_letters(void)
{
  for (const Letter *letter = letter_table; letter->name != 0; letter++)
    row((const char[2]){letter->name}, letter->doc, NULL);
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
  row("gauss-newton", "w^2 J'J: always positive definite", NULL);
}

static void print_constraints(void)
{
  print_table(&(Table)POINTERS(constraint_types, ConstraintType, NO_CITE));
  row("orthonormal", "two or three sites as the columns of an orthonormal matrix: `dot` for all pairs", NULL);
}

static void print_potentials(void)
{
  row("gravity", "-m a . q: a uniform field, proportional to mass", NULL);
}

static void print_terms(void)
{
  for (int i = 0; i < TERM_TYPES; i++) {
    const TermType *t = &term_types[i];
    char words[256] = "";
    for (int k = 0; k < t->nparam; k++)
      text_append(words, sizeof words, "%s%s", k > 0 ? ", " : "", t->parameter[k].name);
    text_append(words, sizeof words, ": %s", t->doc);
    row(t->name, words, NULL);
  }
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
      "O is then a midpoint rule of second order in its flow, with the exact distribution",
      "Tao & Owhadi 2015, (4.5)");
  row("mass", "G = gamma M: every site relaxes at gamma; O is the exact flow, with constraints too", NULL);
}

static void print_machine(void)
{
  for (Isa i = ISA_PLAIN; i < ISA_COUNT; i++)
    if (isa_runs(i))
      row(isa_name(i), i == isa_best() ? "taken" : "", NULL);
}

/* `print` prints text before the table, or replaces it. */
typedef struct Topic {
  const char *name, *heading;
  void (*print)(void);
  Table table;
} Topic;

static const Topic topics[] = {
    {"models", "models", NULL, ROWS(water_models, WaterModel)},
    {"species", "species, single atoms; unlike ones mix by the Lorentz-Berthelot rule", NULL,
     ROWS(atom_model_list, AtomModel)},
    {"letters", "letters of words, each the flow of one part of the equations", .print = print_letters},
    {"words", "words (or your own of A, B, S and O, or of H and O)", NULL, ROWS(word_table, Word)},
    {"accelerations", "acceleration maps", NULL, ROWS(accel_maps, AccelMap)},
    {"methods", "methods of the letter H (integrator.method)", NULL, CITED(method_table, Method)},
    {"compositions", "compositions of a symmetric step (integrator.composition)",
     .print = print_compositions},
    {"hessians", "penalty Hessians (of the Zhang-Skeel maps)", .print = print_hessians},
    {"constraint-methods", "constraint methods", NULL, CITED(constraint_methods, ConstraintMethod)},
    {"solvers", "constraint solvers", NULL, CITED(constraint_solvers, ConstraintSolver)},
    {"constraints", "constraint types (system.constraints)", .print = print_constraints},
    {"potentials", "potential types (system.potentials)", print_potentials,
     POINTERS(potential_types, PotentialType, NO_CITE)},
    {"terms", "terms of force fields in files of molecules: parameters and energy", .print = print_terms},
    {"functions", "functions in formulas, in addition to + - * / ^ and pi", .print = print_functions},
    {"frictions", "friction conventions", .print = print_frictions},
    {"observables", "observables", NULL, POINTERS(observable_table, ObservableOps, NO_CITE)},
    {"formats", "file formats", NULL,
     POINTERS(trajectory_formats, TrajectoryFormat, offsetof(TrajectoryFormat, suffixes))},
    {"machine", "instruction sets of this machine", .print = print_machine},
};
enum { TOPICS = (int)(sizeof topics / sizeof *topics) };

static const char *topic_name(int i) { return i < TOPICS ? topics[i].name : NULL; }

static Status run(void *self, int n, char *const *operand, Error *error)
{
  (void)self, (void)error;
  for (const Topic *t = topics; t < topics + TOPICS; t++) {
    if (n > 0 && strcmp(operand[0], t->name) != 0)
      continue;
    printf("%s:\n", t->heading);
    if (t->print != NULL)
      t->print();
    if (t->table.rows != NULL)
      print_table(&t->table);
  }
  return STATUS_OK;
}

static const CommandOption options[] = {{.name = NULL}};

const Command command_list = {
    .name = "list",
    .summary = "lists models, words, methods, observables and file formats",
    .operands = "[TOPIC]",
    .subject = "topic",
    .most = 1,
    .choice = topic_name,
    .doc = "Prints all tables or one topic: models, species, letters, words, accelerations, methods, "
           "compositions, hessians, constraint-methods, solvers, constraints, potentials, terms, functions, "
           "frictions, observables, formats, machine.",
    .option = options,
    .run = run,
};
