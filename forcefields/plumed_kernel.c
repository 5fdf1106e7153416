#include "forcefields/plumed_kernel.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* PLUMED calls this in place of an exception: with `self`, a code, a message and options. */
typedef struct PlumedHandler {
  void *self;
  void (*note)(void *self, int code, const char *message, const void *options);
} PlumedHandler;

/* The beginning of the table that the kernel exports; later versions append to it. */
typedef struct PlumedTable {
  int version;
  void *(*create)(void);
  void (*command)(void *instance, const char *command, const void *value); /* may throw */
  void (*finalize)(void *instance);
  void (*command_nothrow)(void *instance, const char *command, const void *value, PlumedHandler handler);
} PlumedTable;

/* The versions of the table with command_nothrow, and with PLUMED's own care for threads. */
enum { NOTHROW = 2, THREADS = 4 };

static bool complete(const PlumedTable *table)
{
  return table->version >= NOTHROW && table->create != NULL && table->finalize != NULL &&
         table->command_nothrow != NULL;
}

Status plumed_kernel_load(PlumedKernel *kernel, Error *error)
{
  const char *const path = getenv(PLUMED_KERNEL_VARIABLE);
  if (kernel->table != NULL)
    return STATUS_OK;
  if (path == NULL || *path == '\0')
    return error_set(
        error, STATUS_INPUT,
        "the environment variable " PLUMED_KERNEL_VARIABLE
        " is not set; wanted: the path of PLUMED's kernel, such as export " PLUMED_KERNEL_VARIABLE
        "=/usr/local/lib/libplumedKernel.so");
  void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL)
    return error_set(error, STATUS_INPUT,
                     "PLUMED's kernel cannot be loaded: %s; set " PLUMED_KERNEL_VARIABLE
                     " to the path of libplumedKernel.so",
                     dlerror());
  const PlumedTable *const table = dlsym(library, "plumed_symbol_table");
  if (table == NULL || !complete(table)) {
    (void)dlclose(library);
    return error_set(error, STATUS_INPUT,
                     "%s (" PLUMED_KERNEL_VARIABLE ") %s; wanted: libplumedKernel.so of PLUMED 2.5 or later",
                     path,
                     table == NULL ? "has no plumed_symbol_table, so it is not PLUMED's kernel, or too old"
                                   : "is too old, since its errors would end the program");
  }
  *kernel = (PlumedKernel){table, table->version >= THREADS};
  (void)dlclose(library); /* it stays (RTLD_NODELETE) */
  return STATUS_OK;
}

Status plumed_kernel_create(const PlumedKernel *kernel, void **instance, Error *error)
{
  *instance = kernel->table->create();
  return *instance != NULL ? STATUS_OK : error_set(error, STATUS_RUN, "PLUMED cannot be started");
}

void plumed_kernel_free(const PlumedKernel *kernel, void *instance)
{
  if (instance != NULL)
    kernel->table->finalize(instance);
}

/* --- messages ------------------------------------------------------------------------------------------- */

typedef struct Note {
  bool failed;
  char words[1024];
} Note;

/* Whether a line says where in PLUMED's sources an error arose: "+++ at ...", "(core/Action.cpp:372) ...". */
static bool is_place(const char *line, size_t n)
{
  return strncmp(line, "+++", 3) == 0 || (*line == '(' && memmem(line, n, ".cpp:", 5) != NULL);
}

/* Joins the other lines of a message. */
static void join_lines(const char *message, char *words, size_t size)
{
  for (const char *line = message; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    const size_t blank = strspn(line, " \t");
    if (!is_place(line, n) && n > blank)
      text_append(words, size, "%s%.*s", *words != '\0' ? " " : "", (int)(n - blank), line + blank);
    line += n + (line[n] == '\n');
  }
}

static void take_note(void *self, int code, const char *message, const void *options)
{
  (void)options;
  Note *note = self;
  note->failed = true;
  note->words[0] = '\0';
  if (message != NULL)
    join_lines(message, note->words, sizeof note->words);
  if (note->words[0] == '\0')
    text_append(note->words, sizeof note->words, "error %d%s%s", code, message != NULL ? ": " : "",
                message != NULL ? message : "");
}

Status plumed_kernel_call(const PlumedKernel *kernel, void *instance, const char *command, const void *value,
                          Error *error)
{
  Note note = {.failed = false};
  kernel->table->command_nothrow(instance, command, value, (PlumedHandler){&note, take_note});
  return note.failed ? error_set(error, STATUS_RUN, "PLUMED reports: %s", note.words) : STATUS_OK;
}
