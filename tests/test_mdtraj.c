/* What we write, MDTraj reads, and what it writes, we read: tests/read_with_mdtraj.py compares and writes.
 * (H5MD is not among its formats.) */
#include "tests/files.h"

int main(void)
{
  const double edge[3] = {31, 32, 33}, right[3] = {90, 90, 90}, skew[3] = {90, 80, 110};
  int bad = files_write_run("cluster.xyz", 0, NULL, NULL, false) +
            files_write_run("cluster.dcd", 100, NULL, NULL, false) +
            files_write_run("box.dcd", 0, edge, right, false) +
            files_write_run("triclinic.dcd", 0, edge, skew, false) +
            files_write_run("cluster.xtc", 100, NULL, NULL, false) +
            files_write_run("triclinic.xtc", 0, edge, skew, false) +
            files_write_run("box.pdb", 0, edge, right, false) +
            files_write_run("box.gro", 0, edge, right, true) +
            files_run("salt.gro", &files_options, 1, files_salt, NULL) +
            files_run("salt.pdb", &files_options, 1, files_salt, NULL);
  if (bad == 0)
    bad = files_python("read_with_mdtraj.py");
  if (bad == 0)
    bad = files_read_run("theirs.dcd", FILES_FRAMES, edge, skew, 2e-5) +
          files_read_run("theirs.xtc", FILES_FRAMES, edge, skew, 5.1e-3) +
          files_read_run("theirs.xyz", FILES_FRAMES, NULL, NULL, 5.1e-4) +
          files_read_run("theirs.gro", FILES_FRAMES, edge, right, 5.1e-3) +
          files_read_run("theirs.pdb", FILES_FRAMES, edge, skew, 5.1e-4);
  suite_clear();
  return bad;
}
