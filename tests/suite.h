/* What every test program begins and ends with: Check, the headers of C that tests use, how a test is
 * written, and main. */
#ifndef HOLONOM_TESTS_SUITE_H
#define HOLONOM_TESTS_SUITE_H

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SUITE_SANITIZED = 1 }; /* these look at all memory and calls of the program */
#else
enum { SUITE_SANITIZED = 0 };
#endif

enum { SUITE_SKIPPED = 77 }; /* main's value where something that the tests need is not installed */

/* A test, which adds itself to those of its program: START_TEST of Check, and how it is run, by name:
 *
 *   TEST(boxes_come_back, .rows = 3)
 *
 *   rows      runs it for _i = first ... first + rows - 1; first is 0 unless given
 *   skip      leaves it out where this is true
 *   threads   it runs several threads: the thread sanitizer runs these tests alone, as the case "threads"
 *             (CMake looks for the word in the source)
 *   all_sets  it goes over all instruction sets itself: programs that run once for each set leave it out on
 *             all but the best (CMakeLists.txt, "kernels") */
#define TEST(...) SUITE_TEST(__VA_ARGS__, )
#define SUITE_TEST(name, ...)                                                                                \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED);                                                         \
  __attribute__((constructor)) static void name##_add(void)                                                  \
  {                                                                                                          \
    static const TTest name = {#name, name##_fn, __FILE__, __LINE__};                                        \
    suite_add(&(SuiteTest){.test = &name, __VA_ARGS__});                                                     \
  }                                                                                                          \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)

typedef struct SuiteTest {
  const TTest *test;
  int first, rows; /* rows: 0 means one */
  bool skip, threads, all_sets;
} SuiteTest;

void suite_add(const SuiteTest *test);

/* Functions around every test, in its process (`each`), or around all, in the program; NULL for none. At
 * most one call. */
void suite_fixture(bool each, SFun setup, SFun teardown);

/* A program whose tests want nothing else has no main of its own. It gets one that makes suite_folder, runs
 * suite_main, and removes the folder; or, where it calls the built program, program_main (tests/program.h),
 * which says so by suite_main_is. */
void suite_main_is(int (*other)(const char *name));

/* Runs the tests of the program, or those of the case that CK_RUN_CASE names; returns main's value: 0 if all
 * tests pass, 1 if one fails or none runs. */
int suite_main(const char *name);

/* Whether a program that the tests need is not installed; says so. */
int suite_lacks(const char *program);

/* The folder of a test program's files, made at the first call, which has to come before tests have processes
 * of their own; the program ends if it cannot be made. suite_clear removes it. */
const char *suite_folder(void);
void suite_clear(void);

/* The nightly tier (scripts/test --nightly) sets HOLONOM_NIGHTLY. suite_rows returns how many rows of a
 * table, or seeds, a test takes: `all` of them in the nightly tier, else the first `few`. */
bool suite_nightly(void);
int suite_rows(int few, int all);

#endif
