/* What main of every test program ends with. */
#ifndef HOLONOM_TESTS_SUITE_H
#define HOLONOM_TESTS_SUITE_H

#include <check.h>
#include <stdbool.h>

enum { SUITE_SKIPPED = 77 }; /* main's value where something that the tests need is not installed */

/* Runs these cases, or the one that CK_RUN_CASE names; returns main's value: 0 if all tests pass, 1 if one
 * fails or none runs. The case "threads" holds what runs several threads: of the programs that have it (CMake
 * looks for the name) the thread sanitizer runs it alone. */
#define suite_main(name, ...) suite_run(name, (TCase *[]){__VA_ARGS__, NULL})

/* Whether a program that the tests need is not installed; says so. */
int suite_lacks(const char *program);

/* The folder of a test program's files, made at the first call, which has to come before tests have processes
 * of their own; the program ends if it cannot be made. suite_clear removes it. */
const char *suite_folder(void);
void suite_clear(void);

/* Says of a case that its tests go over all instruction sets themselves: programs that run once for each set
 * leave it out on all but the best (CMakeLists.txt, "kernels"). */
#define suite_has_all_sets(tc) tcase_set_tags(tc, "all_sets")

/* The nightly tier (scripts/test --nightly) sets HOLONOM_NIGHTLY. suite_rows returns how many rows of a
 * table, or seeds, a test takes: `all` of them in the nightly tier, else the first `few`. */
bool suite_nightly(void);
int suite_rows(int few, int all);

int suite_run(const char *name, TCase *tc[]); /* closed by NULL */

#endif
