/* The folders of examples/: the index lists all of them, every picture and file that a page links exists, and
 * `holonom example` writes inputs that are valid, or refused as their names say. */
#include <dirent.h>
#include <unistd.h>

#include "cmd/example.h"
#include "tests/files.h"
#include "tests/program.h"
#include "tests/shorter.h"

#define AGAIN "; does scripts/examples have to run again?"

static char root[512]; /* of examples/ */

static char *page_of(const char *folder)
{
  char path[1024];
  size_t size;
  snprintf(path, sizeof path, "%s/%s/README.md", root, folder);
  ck_assert_msg(access(path, R_OK) == 0, "%s is not there" AGAIN, path);
  char *text = (char *)files_read(path, &size);
  text[size] = '\0';
  return text;
}

/* Files have a dot in their names, folders have none. Three folders have programs and scripts alone. */
static const char *next_folder(DIR *dir)
{
  for (struct dirent *e; (e = readdir(dir)) != NULL;)
    if (strchr(e->d_name, '.') == NULL && strcmp(e->d_name, "api") != 0 && strcmp(e->d_name, "python") != 0 &&
        strcmp(e->d_name, "cluster") != 0)
      return e->d_name;
  return NULL;
}

TEST(the_index_has_every_folder)
{
  char *index = page_of(".");
  DIR *dir = opendir(root);
  ck_assert_ptr_nonnull(dir);
  int n = 0;
  for (const char *name; (name = next_folder(dir)) != NULL; n++) {
    char link[512];
    snprintf(link, sizeof link, "](%s/README.md)", name);
    ck_assert_msg(strstr(index, link) != NULL, "examples/%s is not in examples/README.md" AGAIN, name);
    ck_assert_msg(example_find(name, NULL) != NULL, "the program has no example %s", name);
  }
  ck_assert_int_gt(n, 0);
  closedir(dir);
  free(index);
}

/* Targets of links and pictures, from the page's folder; commands name a file from the folder above
 * examples/. */
static void follow(const char *folder, const char *text)
{
  char path[2048];
  for (const char *s = text; (s = strstr(s, "](")) != NULL; s++) {
    const int n = (int)strcspn(s + 2, ")#"); /* the page, not its headings */
    if (strncmp(s + 2, "http", 4) == 0 || s[-1] == '\\')
      continue;
    snprintf(path, sizeof path, "%s/%s/%.*s", root, folder, n, s + 2);
    ck_assert_msg(access(path, R_OK) == 0, "%s is linked and not there" AGAIN, path);
  }
  static const char command[] = "`holonom run ";
  for (const char *s = text; (s = strstr(s, command)) != NULL; s++) {
    const char *file = s + sizeof command - 1;
    snprintf(path, sizeof path, "%s/../%.*s", root, (int)strcspn(file, "` "), file);
    ck_assert_msg(access(path, R_OK) == 0, "%s is to be run and not there" AGAIN, path);
  }
}

TEST(what_pages_link_is_there)
{
  char *index = page_of(".");
  follow(".", index);
  free(index);
  for (const Example *e = example_table; e->folder != NULL; e++) {
    if (e != example_find(e->folder, NULL))
      continue;
    char *page = page_of(e->folder);
    follow(e->folder, page);
    for (const Example *f = e; f->folder != NULL && strcmp(f->folder, e->folder) == 0; f++)
      ck_assert_msg(strstr(f->file, ".yaml") == NULL || strstr(page, f->file) != NULL,
                    "examples/%s/README.md does not name %s" AGAIN, e->folder, f->file);
    free(page);
  }
}

/* Checks an example's input in the folder to which `holonom example` has written it. */
static void check_input(const Example *e)
{
  const bool box = strcmp(e->folder, "bulk-water") == 0 || strstr(e->text, ", box: ") != NULL,
             water = strstr(e->text, "model:") != NULL;
  const bool search = strstr(e->text, "start: minimum") != NULL;
  const char *less = box      ? " --set system.minimise=false"
                     : search ? " --set system.start=build --set system.anneal=false"
                     : water  ? " --set system.anneal=false"
                              : "";
  const bool study = strstr(e->text, "\nbase:") != NULL, bad = strncmp(e->file, "refused-", 8) == 0;
  const int code = study ? program_call("study written/%s/%s --list", e->folder, e->file)
                         : program_call("check written/%s/%s%s", e->folder, e->file, less);
  ck_assert_msg(code == (bad ? 2 : 0), "examples/%s/%s: exit code %d: %s", e->folder, e->file, code,
                program_output);
}

/* Every example is whole: the program writes all files that its inputs need, and the inputs are valid or
 * refused as their names say. Minimisations and searches take most of the time of a check, so water has none
 * here. Under sanitizers every third input is checked, and those that are refused. */
TEST(written_inputs_are_valid_or_refused)
{
  int refused = 0, seen = 0;
  for (const Example *e = example_table; e->folder != NULL; e++) {
    if (e == example_find(e->folder, NULL))
      program_runs("example %s -o written/%s", e->folder, e->folder);
    if (strstr(e->file, ".yaml") == NULL || strstr(e->text, "format: holonom-molecules") != NULL)
      continue;
    const bool bad = strncmp(e->file, "refused-", 8) == 0;
    if (SHORT && !bad && seen++ % 3 != 0)
      continue;
    check_input(e);
    if (bad)
      ck_assert_msg(strstr(e->text, "(refused)") != NULL, "the title of %s does not say so", e->file);
    refused += bad;
  }
  ck_assert_int_ge(refused, 2);
}

/* A file in a folder of the example is written there, and none is written if one of them exists. */
TEST(existing_files_are_not_overwritten)
{
  program_write("mine.yaml", "mine\n");
  program_do("mkdir -p held/molecules && cp mine.yaml held/molecules/spc-fw.yaml");
  program_refuses("held/molecules/spc-fw.yaml exists", "example flexible-water -o held");
  program_do("cmp mine.yaml held/molecules/spc-fw.yaml && test ! -e held/spc-fw.yaml");
  program_runs("example flexible-water -o free");
  program_do("test -s free/molecules/spc-fw.yaml && test -s free/water-216.gro");
}

/* Penalties replace the constraints of a dipeptide, but not those of the water around it. */
TEST(water_around_a_penalised_peptide_is_rigid)
{
  program_runs(
      "run %s/peptides/dipeptide-water-run.yaml -o wet --set ensemble.replicas=2 --set integrator.time= "
      "--set integrator.steps=4 --set output.equilibration=0 --set output.report=false --set "
      "geometry.method=penalty --set geometry.w=100 --set thermostat.noise=tangent",
      root);
  program_do("grep -q 'with 660 constraints, 21 of them penalised' wet/holonom.log");
  ck_assert_double_eq(program_summary("wet", "freedom"), 3 * (22 + 3 * 213) - 660);
}

/* Cases of ten alanines, in few steps. */
TEST(script_of_the_peptides_runs)
{
  program_does("OUT=$PWD/out HOLONOM=$P CASES='flexible w100' %s/../scripts/peptides --short ala10 1 1",
               root);
  ck_assert_double_eq(program_summary("out/ala10-flexible-1", "freedom"), 3 * 112);
  ck_assert_double_eq(program_summary("out/ala10-w100-1", "freedom"), 3 * 112 - 111);
}

int main(void)
{
  snprintf(root, sizeof root, "%s/examples",
           getenv("HOLONOM_SOURCE") != NULL ? getenv("HOLONOM_SOURCE") : ".");
  return program_main("examples");
}
