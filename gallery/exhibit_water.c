/* Water clusters: runs of hours, so the gallery shows what docs/validation.md has of them. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "engine/text.h"
#include "gallery/exhibit.h"

/* Where the pictures are: beside the build folder, or where they are installed. NULL: nowhere. */
static char *pictures_folder(void)
{
  static const char *const place[] = {"../docs/pictures", "../share/doc/holonom/pictures"};
  char program[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0)
    return NULL;
  program[n] = '\0';
  char *slash = strrchr(program, '/');
  if (slash == NULL)
    return NULL;
  *slash = '\0';
  for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
    char *path = file_path(program, place[i]);
    if (path != NULL && access(path, R_OK) == 0)
      return path;
    free(path);
  }
  return NULL;
}

/* Copies from/name to to/name. */
static Status copy(const char *from, const char *to, const char *name, Error *error)
{
  char *source = file_path(from, name), *text = NULL;
  size_t length;
  Text *out;
  Status status =
      source != NULL ? file_read(source, 1 << 24, &text, &length, error) : error_memory(error, "a file name");
  if (status == STATUS_OK)
    status = text_replace(&out, to, name, error);
  if (status == STATUS_OK) {
    fwrite(text, 1, length, text_file(out));
    status = text_close(out, error);
  }
  free(text);
  free(source);
  return status;
}

static const struct {
  const char *name, *caption;
} picture[] = {
    {"demo",
     "As Fig. 4: oxygen-oxygen distances of seven TIP3P waters at 10 K, 512 replicas. With the paper's "
     "penalties (w = 20) the cluster is not the rigid one."},
    {"multipliers", "As Fig. 5: Lagrange multipliers from penalties (w = 500) and from SHAKE."},
    {"energy", "As Fig. 6: energy and momenta without noise, from SETTLE, RATTLE, the Zhang-Skeel maps and "
               "partially solved Newmark."},
    {"hundred", "As Fig. 7: oxygen-oxygen distances of 100 TIP3P waters."}};

static Status run(Page *page, Error *error)
{
  static const char *const input[] = {"penalty.yaml", "constraint.yaml", "penalty-gauss-newton.yaml",
                                      "water-100.yaml"};
  for (size_t i = 0; i < sizeof input / sizeof *input; i++)
    page_input(page, input[i]);
  page_text(page,
            "These runs take from minutes to hours, so this page shows what an earlier one left; "
            "docs/validation.md has all numbers with their errors. The commands below remake them: "
            "Fig. 4 needs penalty.yaml and constraint.yaml (with --set ensemble.replicas=512 for error "
            "bars, then holonom compare), Fig. 5 penalty-gauss-newton.yaml with --set geometry.w=500 --set "
            "output.multipliers_every=1, Fig. 6 the same files with --set thermostat.type=none --set "
            "integrator.word=BAB, Fig. 7 "
            "water-100.yaml.");
  char *folder = pictures_folder();
  Status status = STATUS_OK;
  if (folder == NULL)
    page_text(page, "The pictures are in docs/pictures of the sources and were not found from here.");
  for (size_t i = 0; folder != NULL && status == STATUS_OK && i < sizeof picture / sizeof *picture; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.png", picture[i].name);
    status = copy(folder, page_folder(page), name, error);
    if (status == STATUS_OK)
      page_figure(page, picture[i].name, picture[i].caption);
  }
  free(folder);
  return status;
}

const Exhibit exhibit_water = {
    .name = "water-cluster",
    .title = "Water clusters",
    .paper = "Tao & Owhadi 2015, section 4.3, Figs. 4 to 7",
    .summary = "Clusters of 7 and of 100 TIP3P waters at 10 K, whose bonds and angles are kept by penalties "
               "(Zhang-Skeel) or by constraints (SHAKE, RATTLE, SETTLE): distances between oxygens, "
               "multipliers, energy and momenta.",
    .run = run,
};
