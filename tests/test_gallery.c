/* The command gallery: which examples it has, the files that it brings along, what it says where Python lacks
 * something, and that nothing is written over. What comes out of the examples are the tests gallery_NAME,
 * pages are test_gallery_pages. */
#include "cmd/example.h"
#include "tests/files.h"
#include "tests/program.h"

/* The program contains the files of the source tree to the byte. */
TEST(embedded_files_are_those_of_examples)
{
  const char *source = getenv("HOLONOM_SOURCE");
  ck_assert_ptr_nonnull(source);
  int n = 0;
  for (const Example *e = example_table; e->folder != NULL; e++, n++) {
    char path[512];
    size_t size;
    snprintf(path, sizeof path, "%s/examples/%s/%s", source, e->folder, e->file);
    unsigned char *data = files_read(path, &size);
    ck_assert_msg(size == strlen(e->text) && memcmp(data, e->text, size) == 0, "%s", path);
    free(data);
    ck_assert_ptr_eq(example_find(e->folder, e->file), e);
    ck_assert_ptr_nonnull(example_folder(e->folder));
  }
  program_do(
      "test $(find -L %s/examples -mindepth 2 -type f ! -name '*.png' ! -name '*.svg' ! -name README.md "
      "! -path '*/api/*' ! -path '*/python/*' ! -path '*/cluster/*' ! -path '*.out/*' | wc -l) = %d",
      source, n);
  ck_assert_ptr_null(example_find("water-cluster", "none.yaml"));
}

/* Every script has its row, once, with the title and the paper that the script itself says. */
TEST(rows_are_whole)
{
  int scripts = 0;
  program_runs("gallery --list");
  const char *const listed = strcpy((char[1 << 14]){0}, program_output);
  for (const Example *e = example_table; e->folder != NULL; e++) {
    if (strcmp(e->file, "figures.py") != 0)
      continue;
    const ExampleFolder *folder = example_folder(e->folder);
    char line[512], quoted[256];
    snprintf(line, sizeof line, "%-28s %s (%s)\n", e->folder, folder->title, folder->paper);
    ck_assert_msg(strstr(listed, line) != NULL, "%s is not in: %s", line, listed);
    snprintf(quoted, sizeof quoted, "\"%s\",\n    \"%s\",\n", folder->title, folder->paper);
    ck_assert_msg(strstr(e->text, quoted) != NULL, "%s/figures.py has another title or paper than README.md",
                  e->folder);
    scripts++;
  }
  int lines = 0;
  for (const char *c = listed; *c != '\0'; c++)
    lines += *c == '\n';
  ck_assert_int_eq(lines, scripts);
}

/* An interpreter without a package is named with it, before anything is written; so is one that is not there.
 */
TEST(what_is_missing_is_named)
{
  program_write("python", "#!/bin/sh\nexit ${LACKS:-64}\n");
  program_do("chmod +x python");
  static const struct {
    const char *lacks, *says;
  } cases[] = {{"65", "numpy"},
               {"66", "python3-matplotlib"},
               {"68", "python3-holonom"},
               {"71", "numpy, matplotlib, holonom"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_int_eq(program_shell("LACKS=%s HOLONOM_PYTHON=./python $P gallery -o missing", cases[i].lacks),
                     2);
    program_says(cases[i].says);
    program_says("./python");
  }
  ck_assert_int_eq(program_shell("HOLONOM_PYTHON=/nowhere/python $P gallery -o missing"), 2);
  program_says("/nowhere/python cannot be started");
  program_do("test ! -e missing");
}

/* What the interpreter is called with, in the order of the page, and told of its surroundings; its exit code
 * is the command's. */
TEST(python_is_told_what_to_run)
{
  program_write("python", "#!/bin/sh\ncase \"$2\" in *find_spec*) exit 64;; esac\nshift 2\necho \"$@\"\necho "
                          "$OMP_NUM_THREADS $HOLONOM_LIBRARY\nls "
                          "told/*\nexit 3\n");
  program_do("chmod +x python");
  ck_assert_int_eq(
      program_shell(
          "HOLONOM_LIBRARY=mine HOLONOM_PYTHON=./python $P gallery --threads 3 --only curves,dna -o told"),
      3);
  program_says("holonom.gallery told dna curves\n3 mine\n");
  program_says("bean.yaml");
  program_says("figures.py");
  program_do("grep -q figures.py told/dna/holonom.files && test ! -e told/trimer");
}

TEST(nothing_is_written_over)
{
  program_write("python", "#!/bin/sh\nexit 64\n");
  program_do("chmod +x python");
  const char *const call = "HOLONOM_PYTHON=./python $P gallery --only dna -o twice";
  program_do("mkdir twice"); /* an empty folder is fine */
  program_does("%s; test -e twice/dna/zs.yaml", call);
  ck_assert_int_eq(program_shell("%s", call), 2);
  program_says("--force");
  program_do("echo mine > twice/dna/zs.yaml");
  (void)program_shell("%s --force", call); /* 64, as the interpreter ends here */
  program_do("grep -q Zhang twice/dna/zs.yaml");
  /* A stranger's file, even under --force. */
  program_do("echo mine > twice/dna/strand.png");
  ck_assert_int_eq(program_shell("%s --force", call), 2);
  program_says("strand.png");
  program_do("grep -q mine twice/dna/strand.png");
  ck_assert_int_eq(program_shell("HOLONOM_PYTHON=./python $P gallery --only dna -o /dev/null/no"), 2);
}
