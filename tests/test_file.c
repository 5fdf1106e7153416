/* Files are replaced as a whole or not at all, no link is written through, and only files are read. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "tests/suite.h"

static char dir[] = "/tmp/holonom-file-XXXXXX";

/* dir/name in one of a few static buffers. */
static const char *in(const char *name)
{
  static char path[4][256];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", dir, name);
  return path[next];
}

static void put(const char *name, const char *text)
{
  FILE *file = fopen(in(name), "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

static void holds(const char *name, const char *text)
{
  char *found;
  ck_assert_int_eq(file_read(in(name), 1000, &found, NULL, NULL), STATUS_OK);
  ck_assert_str_eq(found, text);
  free(found);
}

TEST(a_file_is_the_old_one_until_it_is_whole)
{
  Text *file;
  Error error;
  put("a", "old");
  ck_assert_int_eq(text_replace_named(&file, in("a"), &error), STATUS_OK);
  text_print(file, "new");
  ck_assert_int_eq(text_flush(file, &error), STATUS_OK);
  holds("a", "old");
  ck_assert_int_eq(text_close(file, &error), STATUS_OK);
  holds("a", "new");
  ck_assert_int_ne(access(in("a.holonom.part"), F_OK), 0);
  /* A write that fails leaves the file that was there, and is told with the system's reason also where it
   * was in the midst of what is printed to the stream. */
  ck_assert_int_eq(text_replace_named(&file, in("a"), &error), STATUS_OK);
  struct rlimit usual;
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
  void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, usual.rlim_max}), 0);
  for (int i = 0; i < 100000; i++)
    fputs("lost", text_file(file));
  errno = 0;
  ck_assert_int_eq(text_close(file, &error), STATUS_IO);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
  signal(SIGXFSZ, handler);
  ck_assert_ptr_nonnull(strstr(error.text, "File too large"));
  holds("a", "new");
  ck_assert_int_ne(access(in("a.holonom.part"), F_OK), 0);
}

/* A killed writer's parts are gone after the next call; those of writers at work, and files of other names,
 * stay. */
TEST(parts_of_killed_writers_are_replaced)
{
  Text *file;
  Error error;
  put("k.part", "a download");
  int ready[2];
  ck_assert_int_eq(pipe(ready), 0);
  pid_t child[3];
  for (int i = 0; i < 3; i++) {
    child[i] = fork();
    if (child[i] == 0) {
      if (text_replace_named(&file, in("k"), &error) != STATUS_OK || write(ready[1], "x", 1) != 1)
        _exit(1);
      for (;;)
        pause();
    }
    char byte;
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
  }
  ck_assert(access(in("k.holonom.part"), F_OK) == 0 && access(in("k.holonom.part2"), F_OK) == 0);
  for (int i = 0; i < 3; i += 2) /* the second one goes on */
    ck_assert(kill(child[i], SIGKILL) == 0 && waitpid(child[i], NULL, 0) == child[i]);
  ck_assert_int_eq(text_replace_named(&file, in("k"), &error), STATUS_OK);
  text_print(file, "new");
  ck_assert_int_eq(text_close(file, &error), STATUS_OK);
  holds("k", "new");
  holds("k.part", "a download");
  ck_assert_int_ne(access(in("k.holonom.part"), F_OK), 0);
  ck_assert_int_eq(access(in("k.holonom.part2"), F_OK), 0);
  ck_assert_int_ne(access(in("k.holonom.part3"), F_OK), 0);
  ck_assert(kill(child[1], SIGKILL) == 0 && waitpid(child[1], NULL, 0) == child[1]);
  ck_assert_int_eq(text_replace_named(&file, in("k"), &error), STATUS_OK);
  text_discard(file);
  ck_assert_int_ne(access(in("k.holonom.part2"), F_OK), 0);
  holds("k", "new");
}

TEST(of_two_writers_one_is_told)
{
  Text *one, *other;
  Error error;
  ck_assert_int_eq(text_replace(&one, NULL, in("b"), &error), STATUS_OK);
  ck_assert_int_eq(text_replace(&other, NULL, in("b"), &error), STATUS_OK);
  text_print(one, "one");
  text_print(other, "other");
  ck_assert_int_eq(text_close(one, &error), STATUS_IO);
  ck_assert_int_eq(text_close(other, &error), STATUS_OK);
  holds("b", "other");
}

/* Text and frames go on by one rule: what stands behind the mark is cut away, and a file that is shorter is
 * refused, with nothing filled up. */
TEST(a_file_goes_on_behind_its_mark)
{
  Text *file;
  Output output;
  Error error;
  put("m", "kept\nlost");
  unlink(in("holonom.files"));
  const OutputUse use = {.resume = true, .size = 5};
  ck_assert_int_eq(output_open(&output, dir, "m", &use, &error), STATUS_OK);
  ck_assert(output_append(&output, "new\n", 4));
  ck_assert_int_eq(output.size, 9);
  ck_assert_int_eq(output_sync(&output, &error), STATUS_OK);
  ck_assert_int_eq(output_close(&output, 0, &error), STATUS_OK);
  holds("m", "kept\nnew\n");
  const OutputUse further = {.resume = true, .size = 10};
  ck_assert_int_eq(output_open(&output, dir, "m", &further, &error), STATUS_IO);
  ck_assert_ptr_nonnull(strstr(error.text, "has 9 bytes"));
  ck_assert_int_eq(output.fd, -1);
  holds("m", "kept\nnew\n");
  /* The same through a stream, in a folder with a list. */
  int64_t length;
  ck_assert_int_eq(text_create(&file, dir, "t", &error), STATUS_OK);
  text_print(file, "kept\n");
  ck_assert_int_eq(text_sync(file, &length, &error), STATUS_OK);
  text_print(file, "lost");
  ck_assert_int_eq(text_close(file, &error), STATUS_OK);
  ck_assert_int_eq(text_resume(&file, dir, "t", length, &error), STATUS_OK);
  text_print(file, "new");
  ck_assert_int_eq(text_close(file, &error), STATUS_OK);
  holds("t", "kept\nnew");
  ck_assert_int_eq(text_resume(&file, dir, "t", -1, &error), STATUS_OK);
  text_print(file, "er");
  ck_assert_int_eq(text_close(file, &error), STATUS_OK);
  holds("t", "kept\nnewer");
  ck_assert_int_eq(text_resume(&file, dir, "t", 11, &error), STATUS_IO);
  holds("t", "kept\nnewer");
}

TEST(links_are_not_written_through)
{
  Text *file;
  Error error;
  int fd;
  put("precious", "precious");
  ck_assert_int_eq(symlink(in("precious"), in("c")), 0);
  ck_assert_int_eq(symlink(in("precious"), in("c.holonom.part")), 0);
  ck_assert_int_eq(file_reopen(&fd, in("c"), &error), STATUS_IO);
  ck_assert_ptr_nonnull(strstr(error.text, "link"));
  ck_assert_int_eq(text_replace(&file, NULL, in("c"), &error), STATUS_IO);
  ck_assert_int_eq(text_replace_named(&file, in("c"), &error), STATUS_IO);
  ck_assert_int_eq(file_new(&fd, in("c"), false, &error), STATUS_IO);
  ck_assert_int_eq(file_new(&fd, in("c"), true, &error), STATUS_IO);
  /* A part that somebody else may have made stays, another name serves. */
  unlink(in("c"));
  ck_assert_int_eq(text_replace_named(&file, in("c"), &error), STATUS_OK);
  text_print(file, "new");
  ck_assert_int_eq(text_close(file, &error), STATUS_OK);
  holds("c", "new");
  ck_assert_int_ne(access(in("c.holonom.part2"), F_OK), 0);
  struct stat info;
  ck_assert(lstat(in("c.holonom.part"), &info) == 0 && S_ISLNK(info.st_mode));
  holds("precious", "precious");
  /* A second name of a file is taken away, the file stays. */
  ck_assert_int_eq(link(in("precious"), in("hard")), 0);
  ck_assert_int_eq(file_new(&fd, in("hard"), true, &error), STATUS_OK);
  ck_assert_int_eq(write(fd, "x", 1), 1);
  close(fd);
  holds("precious", "precious");
}

TEST(only_files_are_read_and_written)
{
  FILE *file;
  Text *made;
  char *text;
  Error error;
  int fd;
  ck_assert_int_eq(mkfifo(in("pipe"), 0666), 0);
  const char *const devices[] = {"/dev/zero", "/dev/null", dir};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    ck_assert_int_eq(file_open(&file, devices[i], &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, devices[i]));
    ck_assert_int_eq(text_replace(&made, NULL, devices[i], &error), STATUS_IO);
    ck_assert_int_eq(file_new(&fd, devices[i], true, &error), STATUS_IO);
  }
  ck_assert_int_eq(text_replace(&made, NULL, in("pipe"), &error), STATUS_IO);
  ck_assert_int_eq(file_reopen(&fd, in("pipe"), &error), STATUS_IO);
  /* A pipe without a writer is empty, one with a writer is read to its end. */
  ck_assert_int_eq(file_read(in("pipe"), 100, &text, NULL, &error), STATUS_OK);
  ck_assert_str_eq(text, "");
  free(text);
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  char name[64];
  snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
  ck_assert_int_eq(write(ends[1], "abc", 3), 3);
  close(ends[1]);
  ck_assert_int_eq(file_read(name, 100, &text, NULL, &error), STATUS_OK);
  ck_assert_str_eq(text, "abc");
  free(text);
  close(ends[0]);
  put("long", "0123456789");
  ck_assert_int_eq(file_read(in("long"), 9, &text, NULL, &error), STATUS_INPUT);
  ck_assert_int_eq(file_read(in("absent"), 9, &text, NULL, &error), STATUS_INPUT);
}

TEST(names_of_one_file_are_known)
{
  put("one", "x");
  put("two", "x");
  ck_assert_int_eq(symlink("one", in("soft")), 0);
  ck_assert_int_eq(link(in("one"), in("second")), 0);
  ck_assert(file_same(in("one"), in("soft")) && file_same(in("second"), in("soft")));
  ck_assert(file_same(in("one"), in("../../tmp/../tmp/.")) == false);
  ck_assert(!file_same(in("one"), in("two")) && !file_same(in("absent"), in("absent")));
  ck_assert(file_begins(in("one"), "x") && !file_begins(in("one"), "xy") && !file_begins(in("absent"), ""));
}

TEST(standard_descriptors_are_reserved)
{
  const pid_t child = fork();
  if (child == 0) {
    close(0);
    close(1);
    close(2);
    file_reserve_standard();
    const int next = open("/dev/null", O_RDONLY);
    _exit(next >= 3 && write(1, "x", 1) == 1 && write(2, "x", 1) == 1 ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
  if (mkdtemp(dir) == NULL)
    return 1;
  const int failed = suite_main("file");
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", dir);
  return system(command) == 0 ? failed : 1;
}
