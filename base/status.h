/* Status and message of an error. A function that can fail returns a Status. Its last argument receives a
 * message that says what is wrong, where (file, line, key; molecule, step), and what to do. The library never
 * prints, aborts or exits. */
#ifndef HOLONOM_BASE_STATUS_H
#define HOLONOM_BASE_STATUS_H

#include <stddef.h>

typedef enum Status {
  STATUS_OK = 0,
  STATUS_INPUT = 2,  /* the user's input is wrong; no file was written */
  STATUS_RUN = 3,    /* a run failed: the message has molecule and step */
  STATUS_MEMORY = 4, /* an allocation failed                                      */
  STATUS_IO = 5      /* the system failed to open, read or write a file */
} Status;

typedef struct Error {
  Status status;
  const char *option; /* the name of the wrong option (error_option), or NULL */
  char
      text[2048]; /* one or more lines without a newline at the end, safe for a terminal (base/printable.h) */
} Error;

/* Writes the message into *error (error may be NULL) and returns status, for `return error_set(error,
 * STATUS_INPUT, "...", ...)`. */
Status error_set(Error *error, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Records the name of the wrong option, a constant string, if status is STATUS_INPUT and no called function
 * has recorded one; config_options_name finds its line in the input file. Returns status. */
static inline Status error_option(Error *error, const char *option, Status status)
{
  if (status == STATUS_INPUT && error != NULL && error->option == NULL)
    error->option = option;
  return status;
}

#define error_input(error, option, ...)                                                                      \
  error_option(error, option, error_set(error, STATUS_INPUT, __VA_ARGS__))

/* Prepends "context: " to the message. Returns the status. */
Status error_prefix(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets a message that there is no memory for `what`. Returns STATUS_MEMORY. */
Status error_memory(Error *error, const char *what);

/* Copies a status and its message from elsewhere, such as another member of a team; STATUS_OK has no message.
 * Returns status. */
Status error_pass(Error *error, Status status, const Error *why);

/* Converts STATUS_INPUT to STATUS_RUN for errors during a run; the message is unchanged. Returns the
 * status. */
Status error_in_run(Error *error, Status status);

/* Declares the returned status to the static analyser, which analyses one file at a time. */
#ifdef __clang_analyzer__
#define error_set(error, status, ...)  ((void)error_set(error, status, __VA_ARGS__), (status))
#define error_memory(error, what)      ((void)error_memory(error, what), STATUS_MEMORY)
#define error_pass(error, status, why) ((void)error_pass(error, status, why), (status))
#endif

/* Returns from this function the status of `call`, at once, unless it is STATUS_OK. The caller frees memory
 * after an error. If a function creates an object in several steps, it calls another function that performs
 * the steps with TRY, and frees the object if that fails. */
#define TRY(call)                                                                                            \
  do {                                                                                                       \
    const Status try_status = (call);                                                                        \
    if (try_status != STATUS_OK)                                                                             \
      return try_status;                                                                                     \
  } while (0)

/* Likewise, after `undo`, which frees what has been created so far. */
#define TRY_ELSE(call, undo)                                                                                 \
  do {                                                                                                       \
    const Status try_status = (call);                                                                        \
    if (try_status != STATUS_OK) {                                                                           \
      undo;                                                                                                  \
      return try_status;                                                                                     \
    }                                                                                                        \
  } while (0)

/* Likewise, with the message that there is no memory for `what`, unless `there` is true. */
#define TRY_MEMORY(there, what, error)                                                                       \
  do {                                                                                                       \
    if (!(there))                                                                                            \
      return error_memory(error, what);                                                                      \
  } while (0)

/* The exit code of a program that ends with this status: 0, 2 or 3. */
int status_exit_code(Status status);

#endif
