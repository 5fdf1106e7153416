/* The row of a mechanical sort.
 *
 * A mechanical system is one molecule of a kind that the input describes: its sites, constraints and
 * potentials are the kind's own, so that every letter, map, solver and method of water runs on it unchanged,
 * and lanes are its replicas. Kind and plan are made with the simulation, since both depend on the start: the
 * plan's checks look at it, and unused lanes hold it. Its forces are one, `internal`, which adds its
 * potentials; Fixman's is another. A general Hamiltonian stands in a kind of as many sites in one dimension,
 * without masses that mean anything: words refuse it, methods made for it take it. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_SORT_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_SORT_H

#include "simulation/mechanics/mechanics_check.h"
#include "simulation/mechanics/mechanics_report.h"
#include "simulation/mechanics/mechanics_run.h"
#include "simulation/run/penalty_report.h"

/* What the shapes have of their own. */
#define MECHANICS_natural
#define MECHANICS_general                                                                                    \
  .project = mechanics_start_project, .no_forces = "a Hamiltonian has no forces beside its derivatives",     \
  .no_draw = "a Hamiltonian's momenta have no Maxwellian that is known: set them (hol_set)",

/* sort_NAME: its form, the key to mend where the energy has no value, and the functions of MechanicsSort. */
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
