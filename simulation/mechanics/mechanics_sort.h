/* The row of a mechanical sort.
 *
 * A mechanical system is one molecule whose kind the input defines: sites, constraints and potentials. Every
 * letter, map, solver and method for water therefore applies unchanged, and lanes are replicas. Kind and plan
 * are made with the simulation, since both depend on the start: the plan's checks evaluate it, and unused
 * lanes are filled with it. The force `internal` adds its potentials; Fixman's potential is another force. A
 * general Hamiltonian has a kind of as many sites in one dimension, with meaningless masses; words refuse it,
 * and only its own methods accept it. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_SORT_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_SORT_H

#include "simulation/mechanics/mechanics_check.h"
#include "simulation/mechanics/mechanics_report.h"
#include "simulation/mechanics/mechanics_run.h"
#include "simulation/run/penalty_report.h"

/* Fields that only one shape has. */
#define MECHANICS_natural
#define MECHANICS_general                                                                                    \
  .project = mechanics_start_project, .no_forces = "a Hamiltonian has no forces, only derivatives",          \
  .no_draw = "the Maxwell distribution of a Hamiltonian's momenta is unknown: set the momenta (hol_set)",

/* sort_NAME: its form, the key to correct if the energy has no value, and the functions of MechanicsSort. */
#define MECHANICS_SORT(title, shape, key, make, fill)                                                        \
  static const MechanicsSort title##_form = {                                                                \
      &mechanics_columns_form_##shape, make, fill, {.row = KEY_##key}};                                      \
  const Sort sort_##title = {.name = #title,                                                                 \
                             .form = &title##_form,                                                          \
                             .create = mechanics_create,                                                     \
                             .free = mechanics_release,                                                      \
                             .start = mechanics_begin,                                                       \
                             .place = mechanics_place,                                                       \
                             MECHANICS_##shape.check = mechanics_check_##shape,                              \
                             .measurement = mechanics_columns_##shape,                                       \
                             .record = &mechanics_run_record,                                                \
                             .progress = mechanics_run_progress,                                             \
                             .log_start = penalty_report_start,                                              \
                             .quantities = QUANTITY_MECHANICAL,                                              \
                             .system = mechanics_report_system,                                              \
                             .summary = mechanics_report_summary,                                            \
                             .words = mechanics_report_words}

#endif
