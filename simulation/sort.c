#include "simulation/sort.h"

const Sort *sort_of(const Config *config)
{
  static const Sort *const table[] = {[SORT_WATER] = &sort_cluster,
                                      [SORT_SITES] = &sort_sites,
                                      [SORT_HAMILTONIAN] = &sort_hamiltonian,
                                      [SORT_BOX] = &sort_box};
  return table[config->sort];
}
