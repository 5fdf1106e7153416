#include "cmd/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scoped.h"
#include "io/trajectory.h"

enum { SECONDS = 10 }; /* of CPU time */

/* The body of the child process. */
static void read_first(const char *path)
{
  Frame frame = {0};
  Error error;
  const int nowhere = open("/dev/null", O_WRONLY);
  const struct rlimit no_core = {0, 0}, seconds = {SECONDS, SECONDS};
  (void)setrlimit(RLIMIT_CORE, &no_core);
  (void)setrlimit(RLIMIT_CPU, &seconds);
  (void)dup2(nowhere, STDOUT_FILENO);
  (void)dup2(nowhere, STDERR_FILENO);
  (void)trajectory_read_first(path, &frame, &error);
  _exit(0);
}

Status trial_of(const char *path, Error *error)
{
  if (!file_begins(path, "\x89HDF\r\n\x1a\n"))
    return STATUS_OK;
  int how = 0;
  const pid_t child = fork();
  if (child == 0)
    read_first(path);
  if (child < 0 || TEMP_FAILURE_RETRY(waitpid(child, &how, 0)) != child)
    return error_set(error, STATUS_IO, "%s: cannot start a process to test the file: %s", path,
                     strerror(errno));
  return WIFEXITED(how) && WEXITSTATUS(how) == 0
             ? STATUS_OK
             : error_set(error, STATUS_INPUT,
                         "%s: the file is damaged: the HDF5 library crashes or hangs when it reads it", path);
}

Status trial_of_start(const Config *config, Error *error)
{
  if (config->system.file == NULL)
    return STATUS_OK;
  SCOPED(scoped_free) char *path = config_path(config, config->system.file);
  return path != NULL ? trial_of(path, error) : error_memory(error, "a file name");
}
