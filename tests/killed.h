/* A process that ends before its n-th write. Of one source file of a test: all of it writes by this. */
#ifndef HOLONOM_TESTS_KILLED_H
#define HOLONOM_TESTS_KILLED_H

#include "tests/suite.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* HDF5 and we write by this: a process ends before its n-th write. */
static long writes_left = -1;
__attribute__((visibility("default"))) ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
  if (writes_left >= 0 && writes_left-- == 0)
    kill(getpid(), SIGKILL);
  return syscall(SYS_pwrite64, fd, data, size, at);
}

/* Whether it was killed; else it has ended well. */
static bool wait_killed(pid_t child)
{
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

#endif
