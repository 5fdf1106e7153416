/* Structures and trajectories in XYZ, GRO, PDB, DCD and XTC, told apart by their content. */
#include "tests/fuzz/read_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  read_all(data, size);
  return 0;
}
