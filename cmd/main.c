/* holonom: the program. Finds the command and calls it. */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cmd/command_help.h"
#include "cmd/listen.h"
#include "cmd/version.h"

const Command *const command_table[] = {
#define COMMAND(name) &command_##name,
#include "cmd/commands.def"
    NULL};

static bool is_help(const char *word) { return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0; }

static int call(int argc, char **argv)
{
  gsl_set_error_handler_off(); /* it would abort; the library keeps its host's handler */
  if (argc < 2) {
    command_help_overview(stderr);
    return 2;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("holonom %s\n", version_said);
    return 0;
  }
  const Command *command = command_find(is_help(argv[1]) ? "help" : argv[1]);
  if (command == NULL)
    return 2;
  for (int i = 2; i < argc; i++)
    if (is_help(argv[i])) {
      command_help_print(command, stdout);
      return 0;
    }
  return command_call(command, argc - 1, argv + 1);
}

/* Returns 3 if standard output cannot be written. */
int main(int argc, char **argv)
{
  file_reserve_standard();
  listen_ignore_limits();
  const int code = call(argc, argv);
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  fprintf(stderr, "holonom: cannot write to standard output%s%s\n", errno != 0 ? ": " : "",
          errno != 0 ? strerror(errno) : "");
  return code != 0 ? code : 3;
}
