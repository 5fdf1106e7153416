/* What a run says of itself, read back from its summary.yaml. */
#ifndef HOLONOM_IO_SUMMARY_H
#define HOLONOM_IO_SUMMARY_H

#include "engine/status.h"

typedef struct Summary Summary;

/* Reads dir/summary.yaml. STATUS_INPUT: there is none, or it is no YAML; STATUS_IO, STATUS_MEMORY. */
Status summary_read(Summary **summary, const char *dir, Error *error);
void summary_free(Summary *summary); /* NULL is fine */

/* Key i at its top, in the order of the file; NULL after the last. */
const char *summary_key(const Summary *summary, int i);

/* The value of such a key, NULL if there is none; the number that it is, NaN if it is none that is finite. */
const char *summary_value(const Summary *summary, const char *key);
double summary_number(const Summary *summary, const char *key);

/* Of item i of a mapping or a list at its top ("means", "observables") the value of `key`, or the item's own
 * with key NULL: its name in a mapping, its text in a list. NULL if there is none. */
const char *summary_item(const Summary *summary, const char *of, int i, const char *key);

/* Number `entry` of such a value that is a list of numbers; of a single number entry 0. NaN: there is none.
 */
double summary_entry(const Summary *summary, const char *of, int i, const char *key, int entry);

/* The value of `key` in a mapping at its top ("ladder"), NULL if there is none. */
const char *summary_within(const Summary *summary, const char *of, const char *key);

/* The number that a text is; NaN if it is none that is finite, or NULL. */
double summary_real(const char *text);

/* The number of an observable in it, ("gofr", "O-O", "peak_r"); NaN if there is none. */
double summary_observable(const Summary *summary, const char *observable, const char *subject,
                          const char *quantity);

#endif
