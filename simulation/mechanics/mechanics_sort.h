/* The row of a mechanical sort. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_SORT_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_SORT_H

#include "simulation/mechanics/mechanics_report.h"

/* sort_NAME: its form, the key to mend where the energy has no value, and the functions of MechanicsSort. */
#define MECHANICS_SORT(title, shape, key, make, fill)                                                        \
  static const MechanicsSort title##_form = {&mechanics_columns_##shape, make, fill, {.row = KEY_##key}};    \
  const Sort sort_##title = {.name = #title,                                                                 \
                             .form = &title##_form,                                                          \
                             .create = mechanics_create,                                                     \
                             .free = mechanics_release,                                                      \
                             .field = mechanics_field,                                                       \
                             .start = mechanics_begin,                                                       \
                             .place = mechanics_place,                                                       \
                             .check = mechanics_report_check,                                                \
                             .gauge = mechanics_columns_gauge,                                               \
                             .record = mechanics_run_record,                                                 \
                             .release = mechanics_run_release,                                               \
                             .progress = mechanics_run_progress,                                             \
                             .quantities = QUANTITY_MECHANICAL,                                              \
                             .results = mechanics_report_results,                                            \
                             .summary = mechanics_report_summary,                                            \
                             .words = mechanics_report_words,                                                \
                             .files = mechanics_report_files}

#endif
