#include "tests/fail_call.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <elf.h>
#include <linux/ptrace.h>

const char *const fail_call_names[FAIL_KINDS] = {"write",  "sync", "rename", "open", "close",
                                                 "remove", "cut",  "memory", "kill"};

static const int reasons[FAIL_KINDS] = {ENOSPC, EIO, ENOSPC, EMFILE, EIO, EACCES, EIO, ENOMEM, 0};

#if defined(__x86_64__) || defined(__aarch64__)

/* Calls that do not exist on a machine have no number there. */
static const struct {
  long number;
  FailKind kind;
} calls[] = {
#ifdef SYS_open
    {SYS_open, FAIL_OPEN},        {SYS_rename, FAIL_RENAME},   {SYS_link, FAIL_RENAME},
    {SYS_unlink, FAIL_REMOVE},    {SYS_mkdir, FAIL_REMOVE},
#endif
    {SYS_write, FAIL_WRITE},      {SYS_pwrite64, FAIL_WRITE},  {SYS_writev, FAIL_WRITE},
    {SYS_fsync, FAIL_SYNC},       {SYS_fdatasync, FAIL_SYNC},  {SYS_renameat, FAIL_RENAME},
    {SYS_renameat2, FAIL_RENAME}, {SYS_linkat, FAIL_RENAME},   {SYS_openat, FAIL_OPEN},
    {SYS_close, FAIL_CLOSE},      {SYS_unlinkat, FAIL_REMOVE}, {SYS_ftruncate, FAIL_REMOVE},
    {SYS_mkdirat, FAIL_REMOVE},   {SYS_brk, FAIL_MEMORY},      {SYS_mmap, FAIL_MEMORY},
};

static int kind_of(long number)
{
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].number == number)
      return (int)calls[i].kind;
  return -1;
}

/* Cuts are among the removals, too. */
static bool counted(FailKind wanted, long number)
{
  const int kind = kind_of(number);
  if (wanted == FAIL_KILL)
    return kind >= 0 && kind != FAIL_MEMORY;
  return wanted == FAIL_CUT ? number == SYS_ftruncate : kind == (int)wanted;
}

/* At the entry: the system gets a call that does not exist, which does nothing. */
static void take_away(pid_t pid)
{
#ifdef __x86_64__
  struct user_regs_struct regs;
  ck_assert_int_eq(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
  regs.orig_rax = (unsigned long long)-1;
  ck_assert_int_eq(ptrace(PTRACE_SETREGS, pid, NULL, &regs), 0);
#else
  int none = -1;
  struct iovec v = {&none, sizeof none};
  ck_assert_int_eq(ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_SYSTEM_CALL, &v), 0);
#endif
}

/* brk that cannot move the end of the heap gives the end that is, as it does when asked for 0. Returns what
 * it was asked for. */
static unsigned long long hold_heap(pid_t pid)
{
  struct user_regs_struct regs;
#ifdef __x86_64__
  ck_assert_int_eq(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
  const unsigned long long asked = regs.rdi;
  regs.rdi = 0;
  ck_assert_int_eq(ptrace(PTRACE_SETREGS, pid, NULL, &regs), 0);
#else
  struct iovec v = {&regs, sizeof regs};
  ck_assert_int_eq(ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v), 0);
  const unsigned long long asked = regs.regs[0];
  regs.regs[0] = 0;
  ck_assert_int_eq(ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v), 0);
#endif
  return asked;
}

/* At the exit of such a call: where the argument has a register of its own, it is what it was. */
static void release_heap(pid_t pid, unsigned long long asked)
{
#ifdef __x86_64__
  struct user_regs_struct regs;
  ck_assert_int_eq(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
  regs.rdi = asked;
  ck_assert_int_eq(ptrace(PTRACE_SETREGS, pid, NULL, &regs), 0);
#else
  (void)pid;
  (void)asked;
#endif
}

/* At the exit: what the program gets. */
static void answer(pid_t pid, int reason)
{
#ifdef __x86_64__
  struct user_regs_struct regs;
  ck_assert_int_eq(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
  regs.rax = (unsigned long long)-reason;
  ck_assert_int_eq(ptrace(PTRACE_SETREGS, pid, NULL, &regs), 0);
#else
  struct user_regs_struct regs;
  struct iovec v = {&regs, sizeof regs};
  ck_assert_int_eq(ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v), 0);
  regs.regs[0] = (unsigned long long)-reason;
  ck_assert_int_eq(ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v), 0);
#endif
}

typedef struct Trace {
  pid_t child;
  FailKind kind;
  long n, calls;
  bool begun;   /* main has */
  bool holding; /* a brk was held, which had asked for this: */
  unsigned long long asked;
  pid_t failing; /* its call was taken away, and is to be answered; 0: none */
} Trace;

static void at_entry(Trace *t, pid_t pid, long number)
{
  t->begun = t->begun || number == SYS_fcntl;
  if (!t->begun || !counted(t->kind, number) || pid != t->child)
    return;
  t->calls++;
  if (t->n == 0 || (t->kind == FAIL_MEMORY ? t->calls < t->n : t->calls != t->n))
    return;
  if (t->kind == FAIL_KILL) {
    kill(pid, SIGKILL);
    return;
  }
  if (number == SYS_brk) {
    t->asked = hold_heap(pid);
    t->holding = true;
    return;
  }
  if (t->kind != FAIL_CLOSE) /* Linux closes whatever it answers */
    take_away(pid);
  t->failing = pid;
}

/* One stop of a traced thread; the signal to hand on. */
static int at_stop(Trace *t, pid_t pid, int status)
{
  const int number = WSTOPSIG(status);
  if (number != (SIGTRAP | 0x80))
    return number == SIGTRAP || (number == SIGSTOP && pid != t->child) ? 0 : number;
  struct ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof info, &info) <= 0)
    return 0;
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
    at_entry(t, pid, (long)info.entry.nr);
  else if (info.op == PTRACE_SYSCALL_INFO_EXIT && t->holding && pid == t->child) {
    release_heap(pid, t->asked);
    t->holding = false;
  } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && t->failing == pid) {
    answer(pid, reasons[t->kind]);
    t->failing = 0;
  }
  return 0;
}

static int follow(Trace *t)
{
  for (;;) {
    int status;
    const pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0)
      return -1000;
    if (WIFSTOPPED(status)) {
      const int number = at_stop(t, pid, status);
      (void)ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)number);
    } else if (pid == t->child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
}

FailResult fail_call(const char *folder, char *const argv[], FailKind kind, long n)
{
  FailResult result = {0};
  FILE *words = tmpfile();
  ck_assert_ptr_nonnull(words);
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    if (chdir(folder) != 0 || dup2(fileno(words), 1) < 0 || dup2(fileno(words), 2) < 0 ||
        ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
      _exit(126);
    raise(SIGSTOP);
    execv(argv[0], argv);
    _exit(127);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, __WALL), child);
  ck_assert(WIFSTOPPED(status));
  ck_assert_int_eq(ptrace(PTRACE_SETOPTIONS, child, NULL,
                          (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                                   PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC)),
                   0);
  Trace trace = {.child = child, .kind = kind, .n = n};
  (void)ptrace(PTRACE_SYSCALL, child, NULL, NULL);
  result.code = follow(&trace);
  result.calls = trace.calls;
  rewind(words);
  result.words[fread(result.words, 1, sizeof result.words - 1, words)] = '\0';
  fclose(words);
  return result;
}

bool fail_call_possible(void)
{
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
      _exit(1);
    raise(SIGSTOP);
    _exit(0);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
    return false;
  const bool fine = ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_TRACESYSGOOD) == 0;
  kill(child, SIGKILL);
  (void)waitpid(child, &status, 0);
  return fine;
}

#else

bool fail_call_possible(void) { return false; }

FailResult fail_call(const char *folder, char *const argv[], FailKind kind, long n)
{
  (void)folder;
  (void)argv;
  (void)kind;
  (void)n;
  return (FailResult){.code = -1};
}

#endif
