/* What we write, MDAnalysis reads: writes the files and lets tests/read_with_mdanalysis.py compare them. */
#include "tests/files.h"

static int write_salt(const char *name)
{
  const TrajectoryOptions options = {.exact = strstr(name, "exact") != NULL};
  return files_run(name, &options, 1, files_salt, NULL);
}

/* As a killed run leaves it: the last frame not whole, the header not yet patched for it. */
static void write_killed(void)
{
  size_t size;
  unsigned char *data = files_read(files_path("cluster.dcd"), &size);
  data[8] = FILES_FRAMES - 1;
  files_write(files_path("killed.dcd"), data, size - 100);
  free(data);
}

int main(void)
{
  const double edge[3] = {31, 32, 33}, right[3] = {90, 90, 90}, skew[3] = {90, 80, 110};
  int bad = files_write_run("cluster.xyz", 0, NULL, NULL, false) +
            files_write_run("forces.xyz", 0, NULL, NULL, true) +
            files_write_run("cluster.dcd", 100, NULL, NULL, false) +
            files_write_run("box.dcd", 0, edge, right, false) +
            files_write_run("triclinic.dcd", 0, edge, skew, false) +
            files_write_run("cluster.xtc", 100, NULL, NULL, false) +
            files_write_run("box.xtc", 0, edge, right, false) +
            files_write_run("triclinic.xtc", 0, edge, skew, false) +
            files_write_run("large.dcd", INT64_C(10000000000), NULL, NULL, false) +
            files_write_run("box.pdb", 0, edge, right, false) +
            files_write_run("crossing.dcd", (INT64_C(1) << 31) - 48, NULL, NULL, false);
  if (trajectory_find("h5md") != NULL)
    bad += files_write_run("cluster.h5md", 100, NULL, NULL, false) +
           files_write_run("more.h5md", 0, edge, skew, true);
  bad += write_salt("salt.gro") + write_salt("exact.gro") + write_salt("salt.pdb") + write_salt("salt.xyz");
  write_killed();
  if (bad == 0)
    bad = files_python("read_with_mdanalysis.py");
  if (bad == 0) /* by MDAnalysis's own writers, the frames of triclinic.dcd */
    bad = files_read_run("theirs.dcd", FILES_FRAMES, edge, skew, 4e-6) +
          files_read_run("theirs.xtc", FILES_FRAMES, edge, skew, 5.1e-3) +
          files_read_run("theirs.xyz", FILES_FRAMES, NULL, NULL, 1e-5) +
          files_read_run("theirs.gro", 1, edge, skew, 5.1e-3) +
          files_read_run("theirs.pdb", FILES_FRAMES, edge, skew, 5.1e-4);
  suite_clear();
  return bad;
}
