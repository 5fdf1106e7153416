/* Status and message: how every error of the library travels up to the caller.
 *
 * A function that can fail returns a Status and, through its last argument, a message that says what
 * was wrong, where (file, line, key; molecule, step) and what to do about it. Nothing in the library
 * prints, aborts or exits. */
#ifndef HOLONOM_BASE_STATUS_H
#define HOLONOM_BASE_STATUS_H

#include <stddef.h>

typedef enum Status {
  STATUS_OK = 0,
  STATUS_INPUT = 2,  /* the user's input is wrong; nothing was written            */
  STATUS_RUN = 3,    /* a run went wrong: molecule and step are in the message    */
  STATUS_MEMORY = 4, /* an allocation failed                                      */
  STATUS_IO = 5      /* the system refused to open, read or write a file          */
} Status;

typedef struct Error {
  Status status;
  const char *option; /* the option that is wrong, by the name that error_option gave; NULL: none is named */
  char text[2048];    /* one or more lines, no newline at the end; fit for a terminal (base/printable.h) */
} Error;

/* Writes the message into *error (error may be NULL) and returns status, so that a caller can say
 * `return error_set(error, STATUS_INPUT, "...", ...)`. */
Status error_set(Error *error, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Names the option that is wrong, by a constant, where status is STATUS_INPUT and no function below has named
 * one; config_options_name finds its line in an input file. Returns status. */
static inline Status error_option(Error *error, const char *option, Status status)
{
  if (status == STATUS_INPUT && error != NULL && error->option == NULL)
    error->option = option;
  return status;
}

#define error_input(error, option, ...)                                                                      \
  error_option(error, option, error_set(error, STATUS_INPUT, __VA_ARGS__))

/* Puts "context: " in front of the message, keeping the status; returns it. */
Status error_prefix(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says that there is no memory for `what`; returns STATUS_MEMORY. */
Status error_memory(Error *error, const char *what);

/* Hands on a status with the message that came with it elsewhere (another member of a team, say); of
 * STATUS_OK nothing is said. Returns status. */
Status error_pass(Error *error, Status status, const Error *why);

/* In the midst of a run what would be an input's fault is the run's: STATUS_INPUT becomes STATUS_RUN, the
 * message stays. Returns the status. */
Status error_in_run(Error *error, Status status);

/* The static analyser looks at one file at a time: this tells it which status comes back. */
#ifdef __clang_analyzer__
#define error_set(error, status, ...)  ((void)error_set(error, status, __VA_ARGS__), (status))
#define error_memory(error, what)      ((void)error_memory(error, what), STATUS_MEMORY)
#define error_pass(error, status, why) ((void)error_pass(error, status, why), (status))
#endif

/* Returns from this function what `call` returned, at once, unless that is STATUS_OK. Nothing may be lost by
 * it: what has to be freed after an error is the caller's, so that where something is made in several steps
 * one function owns it, calls another that fills it by steps with TRY, and frees it where that failed. */
#define TRY(call)                                                                                            \
  do {                                                                                                       \
    const Status try_status = (call);                                                                        \
    if (try_status != STATUS_OK)                                                                             \
      return try_status;                                                                                     \
  } while (0)

/* The same, after `undo`: what has been made so far for the caller is freed. */
#define TRY_ELSE(call, undo)                                                                                 \
  do {                                                                                                       \
    const Status try_status = (call);                                                                        \
    if (try_status != STATUS_OK) {                                                                           \
      undo;                                                                                                  \
      return try_status;                                                                                     \
    }                                                                                                        \
  } while (0)

/* The same where there was no memory for `what`, of which `there` says whether it is there. */
#define TRY_MEMORY(there, what, error)                                                                       \
  do {                                                                                                       \
    if (!(there))                                                                                            \
      return error_memory(error, what);                                                                      \
  } while (0)

/* The exit code of a program that stops with this status: 0, 2 or 3. */
int status_exit_code(Status status);

#endif
